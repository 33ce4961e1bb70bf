"""9.3, K6, 10.1: what cards do because something happens: what triggers, what waits, and what happens instead."""
