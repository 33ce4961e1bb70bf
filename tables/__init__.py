"""Card tables: rules, cards and draws of card games that are played by post."""
