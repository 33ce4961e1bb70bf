"""The rounds whose pages are looked at: those of the walk that looks for secrets. Their clock stands still."""

from tests.secrecy.conftest import clock

__all__ = ["clock"]
