"""The pure core of a card table: no Django, no clock, no files."""
