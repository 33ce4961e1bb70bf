"""A whole round taken in from a file, at once or not at all (docs/round-files.md)."""
