"""How the text of an environment variable becomes a value. A reader's ValueError says what it must be."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ON, OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
HOST_NAME = re.compile(r"\*|\.?[\w.-]+|\[[0-9a-fA-F:.]+\]", re.ASCII)
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def whole(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"it must be a whole number from {least} to {most}")
        return int(text)

    return read


def seconds(text: str) -> float:
    """A pause in seconds, 0.1 to 3600."""
    if not (re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII) and 0.1 <= float(text) <= 3600):
        raise ValueError("it must be a number of seconds from 0.1 to 3600")
    return float(text)


def switch(text: str) -> bool:
    """on or off, and their usual synonyms."""
    if text.lower() not in ON + OFF:
        raise ValueError("it must be on or off")
    return text.lower() in ON


def host(text: str) -> str:
    """A name or an IP address to listen on."""
    if not re.fullmatch(r"[\w.:-]+", text, re.ASCII):
        raise ValueError("it must be a host name or an IP address, like 127.0.0.1 or 0.0.0.0")
    return text


def hosts(text: str) -> list[str]:
    """Host names with commas between them."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or not all(HOST_NAME.fullmatch(name) for name in names):
        raise ValueError("it must be host names without port, with commas between, like play.example.org")
    return names


def folder(text: str) -> Path:
    """A folder, absolute or below the present one."""
    return Path(text).expanduser().absolute()


def address(text: str) -> str:
    """An http or https address without a path, without the last slash."""
    parts = _split(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError("it must be an address like https://play.example.org")
    return text.rstrip("/")


def length(text: str) -> str:
    """A length of time like 30s, 10m, 12h or 2d."""
    if not re.fullmatch(r"[1-9]\d{0,6}[smhd]", text, re.ASCII):
        raise ValueError("it must be a number with s, m, h or d, like 10m or 2d")
    return text


def rate(text: str) -> str:
    """A rate as Django REST Framework writes it."""
    if not re.fullmatch(r"[1-9]\d{0,8}/(second|minute|hour|day)", text, re.ASCII):
        raise ValueError("it must be like 600/minute (or second, hour, day)")
    return text


def level(text: str) -> str:
    """A level of Python's logging."""
    if text.upper() not in LEVELS:
        raise ValueError(f"it must be one of {', '.join(LEVELS)}")
    return text.upper()


def url(schemes: tuple[str, ...], example: str) -> Callable[[str], str]:
    """A reader of addresses of servers with one of the `schemes`."""

    def read(text: str) -> str:
        if _split(text).scheme not in schemes or "://" not in text:
            raise ValueError(f"it must be like {example}")
        return text

    return read


def _split(text: str) -> Any:
    """The parts of an address, its port checked too."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValueError("its host or its port can't be read") from None
    return parts
