"""T10.6: night hours, leave, and the seat of an absent player."""
