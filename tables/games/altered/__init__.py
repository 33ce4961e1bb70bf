"""Altered, by the numbers of the pieces of its rulebook, and the rulings A1 to A43; what it lacks is agreed on."""
