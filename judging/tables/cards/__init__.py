"""T7.1, T12.4: the material of tables: card lists and decks, with their pages."""
