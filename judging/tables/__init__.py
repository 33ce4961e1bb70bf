"""Card tables: how they are opened, played by post, judged, shown and verified. What a table is stands in `tables/`."""
