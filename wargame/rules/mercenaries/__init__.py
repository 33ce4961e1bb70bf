"""6: the three factions of mercenaries and how they play by the book."""
