"""6: the three factions of mercenaries and their guidelines."""
