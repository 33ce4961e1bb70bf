"""1.3, R57: appeals and sanctions at tables, and the record of what people did beside the game."""
