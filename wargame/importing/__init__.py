"""2.2.1: files of cards that people have, read piece by piece into creatures."""
