"""The pure heart of a card table: no Django, no clock, no files."""
