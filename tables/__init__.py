"""What a card table is: rules, cards and draws of card games that are played by post."""
