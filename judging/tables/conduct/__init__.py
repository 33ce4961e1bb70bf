"""1.3, R57: appeals and sanctions at tables, and the record of acts beside the game."""
