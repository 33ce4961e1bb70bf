"""`make bench`: how fast the rules are, against floors of our own and against other programs."""
