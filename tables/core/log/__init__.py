"""T6: a table as its log tells it: opened, dealt, carried on entry by entry, gone back, kept and hashed."""
