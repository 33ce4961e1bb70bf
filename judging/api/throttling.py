"""How often a visitor or a person may call the API. REST framework imports this by its names in the settings."""

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from wargame.web.client_ip import network


class ByNetwork:
    """Counts visitors by network."""

    def get_ident(self, request: Request) -> str:
        return network(request)


class VisitorThrottle(ByNetwork, AnonRateThrottle):
    """Counts visitors."""


class PersonThrottle(ByNetwork, UserRateThrottle):
    """Counts people by account, and visitors by network."""
