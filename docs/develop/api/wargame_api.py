"""A small client of the API, for the scripts beside it. It needs only Python."""

import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class Problem(Exception):
    """The site refused a request: its sentence, the rule behind it (`cites`) and a code for programs."""

    def __init__(self, status: int, problem: dict) -> None:
        super().__init__(problem.get("detail", f"status {status}"))
        self.status, self.code, self.cites = status, problem.get("code", ""), problem.get("cites", "")


class Api:
    """The API of one site, used with one token."""

    def __init__(self, site: str, token: str) -> None:
        self.root, self.token = f"{site.rstrip('/')}/api/v1/", token

    def get(self, *path: object, **query: object) -> dict:
        return self._send("GET", path, query=query)

    def post(self, *path: object, body: dict | None = None, once: str = "") -> dict:
        """`once` names the request: the site carries out a second one of the same name only once."""
        return self._send("POST", path, body=body or {}, once=once)

    def put(self, *path: object, body: dict | None = None) -> dict:
        return self._send("PUT", path, body=body or {})

    def every(self, *path: object, **query: object) -> Iterator[dict]:
        """All items of a list, page by page."""
        offset = 0
        while True:
            page = self.get(*path, **query, offset=offset)
            yield from page["results"]
            offset += len(page["results"])
            if not page["next"]:
                return

    def _send(
        self, method: str, path: tuple, query: dict | None = None, body: dict | None = None, once: str = ""
    ) -> dict:
        address = self.root + "".join(f"{quote(str(part), safe='')}/" for part in path)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if once:
            headers["Idempotency-Key"] = once
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{address}?{urlencode(query)}" if query else address, data, headers, method=method)
        try:
            with urlopen(request, timeout=30) as response:
                content = response.read()
        except HTTPError as error:
            raise Problem(error.code, json.loads(error.read() or "{}")) from None
        return json.loads(content) if content else {}
