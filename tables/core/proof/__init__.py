"""T6, T8: what a stranger can recompute: canonical JSON, the chain of entries, and the committed draws."""
