"""1.2, R38: one request to an address that another person chose, such as that of a push service, or to any outside
host.

The name is looked up once, and refused if any of its addresses is not public; the connection goes to that very address,
so that nothing inside a private network can be reached by a name that means another address a moment later. HTTPS on
its usual port alone, with the certificate of that name; no redirect is followed, no proxy is used, and after TOTAL it
is aborted.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop

TOTAL = 15.0
"""Seconds after which a request is aborted, whatever it does; each step of it has a third of them."""

LONGEST_ENDPOINT = 2_000
LONGEST_ANSWER = 64 * 1024
LONGEST_WAIT = timedelta(hours=24)
"""The maximum delay that an endpoint can ask for."""

"""Bytes of an answer that are read."""

NOT_PUBLIC = tuple(
    ipaddress.ip_network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
        *("192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16"),
        "3fff::/20",
    )
)
"""Networks without push services; Python 3.11's `is_global` treats some of them as public."""

GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
"""All of public IPv6; elsewhere are local networks, and embedded IPv4 addresses."""

Resolver = Callable[[str], list[str]]
Dialler = Callable[[str, str, float], socket.socket]
"""Connect to an address under a host name, with a timeout in seconds."""


class Unreachable(OSError):
    """An address that nothing can be sent to. `is_for_good`: permanently."""

    def __init__(self, why: str, *, is_for_good: bool = False) -> None:
        super().__init__(why)
        self.is_for_good = is_for_good


def host_of(endpoint: str) -> str:
    """The host of a permitted endpoint. Raises Unreachable for all but a plain HTTPS address of a name."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Unreachable(gettext_noop("not a valid address"), is_for_good=True) from None
    is_plain = (
        endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and len(endpoint) <= LONGEST_ENDPOINT
    )
    if not is_plain or parts.scheme != "https" or port not in (None, 443) or parts.username or parts.password:
        raise Unreachable(gettext_noop("not HTTPS on port 443"), is_for_good=True)
    if "." not in host.strip(".") or host.rpartition(".")[2].isdigit() or ":" in host:
        raise Unreachable(gettext_noop("not a public host name"), is_for_good=True)
    return host


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public network."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if ip.version == 6 and ip not in GLOBAL_UNICAST:
        return False
    return ip.is_global and not any(ip.version == net.version and ip in net for net in NOT_PUBLIC)


def resolve(host: str) -> list[str]:
    try:
        results = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(gettext_noop("host not found")) from None
    return list(dict.fromkeys(str(each[4][0]) for each in results))


def dial(address: str, host: str, seconds: float) -> socket.socket:
    """A connection to the address, with the certificate of the host."""
    plain = socket.create_connection((address, 443), timeout=seconds)
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


class Answer(NamedTuple):
    """The status of a response, and its Retry-After, empty without one."""

    status: int
    retry_after: str = ""

    def earliest(self, now: datetime) -> datetime:
        """The earliest time of the next request to the endpoint, at most LONGEST_WAIT from now (RFC 9110 10.2.3)."""
        text = self.retry_after.strip()
        if text.isascii() and text.isdigit():
            return now + min(timedelta(seconds=int(text[:9])), LONGEST_WAIT)
        try:
            at = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return now
        return min(max(at if at.tzinfo else at.replace(tzinfo=UTC), now), now + LONGEST_WAIT)


def post(
    endpoint: str, body: bytes, headers: Mapping[str, str], resolver: Resolver = resolve, dialler: Dialler = dial
) -> Answer:
    """The endpoint's response, without its body. Raises Unreachable for an address that is not public or does not
    answer."""
    return _ask("POST", endpoint, body, headers, resolver, dialler)[0]


def get(endpoint: str, resolver: Resolver = resolve, dialler: Dialler = dial) -> str:
    """The body of the response, up to LONGEST_ANSWER. Raises Unreachable as `post`, and for any status but 200."""
    (status, _), body = _ask("GET", endpoint, b"", {"Accept": "application/json"}, resolver, dialler)
    if status != http.HTTPStatus.OK:
        raise Unreachable(f"answered {status}")
    return body.decode(errors="replace")


def _ask(
    how: str, endpoint: str, body: bytes, headers: Mapping[str, str], resolver: Resolver, dialler: Dialler
) -> tuple[Answer, bytes]:
    host = host_of(endpoint)
    addresses = resolver(host)
    if not addresses or not all(map(is_public, addresses)):
        raise Unreachable(gettext_noop("not a public address"))
    parts = urlsplit(endpoint)
    connection = http.client.HTTPSConnection(host, timeout=TOTAL / 3)
    try:
        connection.sock = dialler(addresses[0], host, TOTAL / 3)
        ends = threading.Timer(TOTAL, _break_off, [connection.sock])
        ends.daemon = True
        ends.start()
        try:
            path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
            connection.request(how, path, body=body or None, headers=dict(headers))
            answer = connection.getresponse()
            result = Answer(answer.status, answer.getheader("Retry-After", ""))
            return result, answer.read(LONGEST_ANSWER) if how == "GET" else b""
        finally:
            ends.cancel()
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(type(error).__name__) from None
    finally:
        connection.close()


def _break_off(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is over already
