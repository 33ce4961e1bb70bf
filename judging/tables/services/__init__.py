"""All changes of a table: each writer locks its row, appends entries to its chain, and updates the derived data."""
