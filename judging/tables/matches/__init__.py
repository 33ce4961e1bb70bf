"""5.3, T12: several games as one match, each at a table of its own."""
