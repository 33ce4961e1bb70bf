"""How times are written in German where a page does not say how: with their zone (R4)."""

DATETIME_FORMAT = r"D j. M Y, H:i \U\T\C"
