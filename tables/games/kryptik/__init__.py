"""Kryptik, by the numbers of its comprehensive rules of 20 June 2023, and the rulings K1 to K63."""
