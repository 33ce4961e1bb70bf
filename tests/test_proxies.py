"""Slow clients hold no thread of the site behind the proxies of `deploy/`. A proxy is tested where it is installed."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.launching import PROJECT, free_port, wait_for

DEPLOY = PROJECT / "deploy"
THREADS, SLOW_CLIENTS = 2, 12
LARGE = 4_000_000
SITE = f"""
def application(environ, start_response):
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    start_response("200 OK", [("Content-Type", "image/png")])
    return [b"x" * ({LARGE} if environ["PATH_INFO"] == "/large" else 4)]
"""
HEAD = "POST /form HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n"
SLOW = {
    "heads": (HEAD, ""),
    "bodies": (HEAD + "\r\n", ""),
    "readers": ("GET /large HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", "reads"),
}


def caddy(folder: Path, port: int, upstream: int) -> list[str]:
    """Writes Caddy's configuration, as docs/host/README.md changes it for its version, and returns its command."""
    text = (DEPLOY / "Caddyfile").read_text().replace("web:8000", f"127.0.0.1:{upstream}")
    version = subprocess.run(["caddy", "version"], capture_output=True, text=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < (2, 7):
        text = text.replace("request_buffers 32MB", "buffer_requests").replace(
            "response_buffers 32MB", "buffer_responses"
        )
    (folder / "Caddyfile").write_text(text.replace("{$SITE}", f"http://127.0.0.1:{port}"))
    return ["caddy", "run", "--config", str(folder / "Caddyfile")]


def nginx(folder: Path, port: int, upstream: int) -> list[str]:
    """Writes nginx's configuration, without its TLS, and returns its command."""
    text = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    text = re.sub(r"^ *(ssl_\w+|listen \[).*$", "", text[: text.rindex("server {")], flags=re.MULTILINE)
    text = text.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}")
    places = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\n"
    (folder / "nginx.conf").write_text(f"{main}http {{ access_log off;\n{places}{text}\n}}")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


PROXIES: dict[str, Callable[[Path, int, int], list[str]]] = {"caddy": caddy, "nginx": nginx}


@pytest.fixture(params=PROXIES)
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    """The port of a proxy before a site of THREADS threads."""
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    (tmp_path / "slow_site.py").write_text(SITE)
    upstream, port = free_port(), free_port()
    command = [sys.executable, "-m", "gunicorn", "-k", "gthread", "--threads", str(THREADS), "--no-control-socket"]
    command += ["-b", f"127.0.0.1:{upstream}", "slow_site"]
    chosen = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    chosen["CADDY_ADMIN"] = f"127.0.0.1:{free_port()}"
    with ExitStack() as stack:
        for each in (command, PROXIES[name](tmp_path, port, upstream)):
            process = stack.enter_context(subprocess.Popen(each, cwd=tmp_path, env=chosen))
            stack.callback(process.terminate)
        wait_for(lambda: asks(port) < 20)
        yield port


def asks(port: int) -> float:
    """Seconds until the site answers; more than any if it doesn't."""
    start = time.monotonic()
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20).read()
    except OSError:
        return 1000
    return time.monotonic() - start


@pytest.mark.parametrize("kind", SLOW)
def test_a_dozen_slow_clients_hold_no_thread_of_the_site(kind: str, proxied: int) -> None:
    head, reads = SLOW[kind]
    stop = threading.Event()
    with ExitStack() as stack:
        clients = [stack.enter_context(slow_client(proxied)) for _ in range(SLOW_CLIENTS)]
        for client in clients:
            client.sendall(head.format(port=proxied).encode())
        dripping = threading.Thread(target=drip, args=(clients, stop, bool(reads)), daemon=True)
        dripping.start()
        time.sleep(1)
        waited = [asks(proxied) for _ in range(3)]
        stop.set()
        dripping.join()

    assert max(waited) < 5, waited


def slow_client(port: int) -> socket.socket:
    """Its buffer is small, so that a large answer stays with the proxy."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    return client


def drip(clients: list[socket.socket], stop: threading.Event, reads: bool) -> None:
    """Each client sends, or reads, a byte now and then."""
    while not stop.wait(0.5):
        for client in clients:
            try:
                _ = client.recv(1) if reads else client.send(b"x")
            except OSError:
                return
