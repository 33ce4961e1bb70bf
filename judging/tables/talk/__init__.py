"""3.1, T12.7: the talk at a table."""
