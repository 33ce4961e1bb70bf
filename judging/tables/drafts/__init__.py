"""5.2: drafts: boosters by committed draws, sealed picks, and decks made of the picks."""
