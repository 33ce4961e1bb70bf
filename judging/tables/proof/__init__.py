"""T8.5: the published data of a table, and whether it recomputes."""
