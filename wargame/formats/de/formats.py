"""The default format of times in German: with their zone (R4)."""

DATETIME_FORMAT = r"D j. M Y, H:i \U\T\C"
