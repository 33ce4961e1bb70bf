"""3.1, T12.7: what people say to one another at a table."""
