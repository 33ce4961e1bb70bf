"""The documents of the card games and how this service reads them, each number with an address."""
