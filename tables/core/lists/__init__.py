"""T7, T12.4: cards, card lists and decks: the closed vocabulary, its readers, and all errors at once."""
