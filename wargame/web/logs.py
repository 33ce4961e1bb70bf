"""How lines of the log are written: without mail addresses and the secrets of letters, wherever they come from."""

from __future__ import annotations

import logging
import re

ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
LETTER = re.compile(r"(/accounts/(?:mail|reset)/)[^\s\"']+")
"""Where a letter leads: what follows lets its reader in (1.6)."""


class Discreet(logging.Formatter):
    """1.6: a mail server that refuses an address names it, and its error with it; nobody but its owner sees it."""

    def format(self, record: logging.LogRecord) -> str:
        line = ADDRESS.sub("(a mail address)", super().format(record))
        return LETTER.sub(r"\1(secret)", line)
