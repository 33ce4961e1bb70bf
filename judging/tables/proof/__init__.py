"""T8.5: what a table publishes of itself, and whether it recomputes."""
