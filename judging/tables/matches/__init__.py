"""5.3, T12: several games as one match, each at its own table."""
