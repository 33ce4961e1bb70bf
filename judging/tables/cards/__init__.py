"""T7.1, T12.4: what tables are played with: lists of cards and decks, with their pages."""
