"""T12: a table as one file: written, read, and taken in elsewhere."""
