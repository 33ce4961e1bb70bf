"""The demo round behind the web server of the service, on a port of its own, and clients that poll it."""

import atexit
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http.client import HTTPConnection
from io import StringIO
from itertools import chain
from time import perf_counter, sleep
from typing import NamedTuple
from urllib.parse import urlencode, urljoin

from scripts.bench import databases

PACKED = {"Accept-Encoding": "gzip"}
CLIENTS = 8
PLAYER, PASSWORD = "auricthorn", "wargame-demo"
LINKED = re.compile(rb'<(?:link rel="(?:stylesheet|icon)"[^>]*?href|script src)="([^"]+)"')
IMPORTED = re.compile(rb'@import url\("([^"]+)"\)')
HIDDEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


class Server(NamedTuple):
    """The port of the site, and the address of its map."""

    port: int
    map: str


@cache
def serve() -> Server:
    """Two processes, as on a machine with two cores; they end with the benchmark."""
    slug = _demo()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = "from gunicorn.app.wsgiapp import run; run()"
    options = ["-c", "python:wargame.running.gunicorn_conf", "--bind", f"127.0.0.1:{port}", "--workers", "2"]
    environment = os.environ | {"DATABASE_URL": _database_url(), "STATIC_ROOT": os.environ["WARGAME_DATA"] + "/static"}
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
    subprocess.run(collect, env=environment, check=True)
    process = subprocess.Popen(
        [sys.executable, "-c", serve, *options, "scripts.bench.page_site:application()"], env=environment
    )
    atexit.register(process.wait)
    atexit.register(process.terminate)
    _wait_for(port, process)
    return Server(port, f"/rounds/{slug}/")


def get(port: int, address: str, cookie: str = "") -> bytes:
    """The body as it is sent, compressed; raises an error unless it is a page."""
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", address, headers=PACKED | ({"Cookie": cookie} if cookie else {}))
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status in (200, 204), f"{address}: {answer.status}"
    return body


def first_view(server: Server, cookie: str) -> int:
    """Bytes of a page with all styles, scripts and pictures that it names."""
    import gzip

    page = get(server.port, server.map, cookie)
    addresses = {urljoin(server.map, link.decode()) for link in LINKED.findall(gzip.decompress(page))}
    files = {address: _file(server.port, address) for address in addresses}
    for address, body in list(files.items()):
        for name in IMPORTED.findall(body if body[:2] != b"\x1f\x8b" else gzip.decompress(body)):
            more = urljoin(address, name.decode())
            files[more] = _file(server.port, more)
    return len(page) + sum(map(len, files.values()))


def logged_in(server: Server) -> str:
    """The cookie of a player who has armies to order."""
    connection = HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/accounts/login/")
    answer = connection.getresponse()
    form = answer.read()
    token = answer.headers["Set-Cookie"].partition(";")[0]
    csrf_match = HIDDEN.search(form)
    assert csrf_match
    body = urlencode({"username": PLAYER, "password": PASSWORD, "csrfmiddlewaretoken": csrf_match.group(1).decode()})
    headers = {"Cookie": token, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/accounts/login/", body, headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 302, answer.status
    return "; ".join(cookie.partition(";")[0] for cookie in answer.headers.get_all("Set-Cookie", []))


def seconds_of(port: int, address: str, times: int) -> float:
    """Seconds per answer while several clients ask at once, each over its own connection that stays open."""
    each = times // CLIENTS
    with ThreadPoolExecutor(CLIENTS) as pool:
        start = perf_counter()
        list(chain.from_iterable(pool.map(lambda _: list(_asked(port, address, each)), range(CLIENTS))))
        return (perf_counter() - start) / (each * CLIENTS)


def _asked(port: int, address: str, times: int) -> Iterator[int]:
    connection = HTTPConnection("127.0.0.1", port)
    for _ in range(times):
        connection.request("GET", address, headers=PACKED)
        answer = connection.getresponse()
        yield len(answer.read())
        assert answer.status in (200, 204), answer.status
    connection.close()


def _file(port: int, address: str) -> bytes:
    """A static file as it is sent: compressed, if that makes it shorter."""
    return get(port, address)


@cache
def _demo() -> str:
    from django.core.management import call_command

    databases.use(databases.sqlite("pages"))
    call_command("demo", verbosity=0, stdout=StringIO())
    from wargame.models import Round

    return Round.objects.get().slug


def _database_url() -> str:

    return f"sqlite:///{databases.sqlite('pages').settings_dict['NAME']}"


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError("The web server did not start.")
        try:
            get(port, "/livez")
        except OSError:
            sleep(0.1)
        else:
            return
    raise TimeoutError("The web server did not answer within half a minute.")
