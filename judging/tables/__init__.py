"""Card tables: how they are opened, played by post, judged, shown and verified. `tables/` defines a table."""
