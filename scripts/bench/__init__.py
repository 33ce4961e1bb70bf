"""`make bench`: the speed of the rules, against our own floors and against other programs."""
