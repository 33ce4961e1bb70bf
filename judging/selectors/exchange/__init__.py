"""A whole round as one file, and what of it is public (docs/round-files.md)."""
