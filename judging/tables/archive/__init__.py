"""T12: a table as one file: exporting it, and importing it elsewhere."""
