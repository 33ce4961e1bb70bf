"""The rounds that the tests of the pages look at: those of the services."""

from tests.services.conftest import war, world

__all__ = ["war", "world"]
