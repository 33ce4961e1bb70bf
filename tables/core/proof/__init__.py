"""T6, T8: what a stranger recomputes: canonical JSON, the chain of entries, and the committed draws."""
