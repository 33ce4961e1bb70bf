"""How times are written where a page does not say how: to 24, never a.m. and p.m. (R4)."""

TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"
