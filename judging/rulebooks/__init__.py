"""The documents of the card games and their parsers, each number with an address."""
