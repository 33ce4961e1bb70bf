"""2.2.1: users' card files, read piece by piece into creatures."""
