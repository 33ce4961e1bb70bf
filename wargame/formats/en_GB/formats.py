"""The default format of times: 24 hours, never a.m. and p.m. (R4), and with their zone."""

TIME_FORMAT = "H:i"
DATETIME_FORMAT = r"D j M Y, H:i \U\T\C"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"
