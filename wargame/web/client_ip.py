from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def address(request: HttpRequest) -> str | None:
    """The visitor's IP address: with HTTPS=on the one that the proxy saw (it writes last)."""
    if settings.HTTPS and (forwarded := request.META.get("HTTP_X_FORWARDED_FOR")):
        return str(forwarded).rsplit(",", 1)[-1].strip()
    return request.META.get("REMOTE_ADDR")


def network(request: HttpRequest) -> str:
    """The unit of rate limits: an IPv4 address, or an IPv6 /64, as each household has 2^64 addresses."""
    visitor = address(request) or ""
    try:
        ip = ip_address(visitor)
    except ValueError:
        return visitor
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped or ip_network((int(ip), 64), strict=False).network_address)
