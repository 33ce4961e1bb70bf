"""T7, T12.4: cards, lists of them and decks: the closed vocabulary, how it is read, and every error in it at once."""
