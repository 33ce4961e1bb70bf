"""How the text of an environment variable becomes a value. A reader's ValueError says what it must be.

Every environment variable of the service: its default, its meaning, and what counts as a good value.

`get("PORT")` gives the checked value. A bad one raises BadVariable with one sentence for the person who
started the program. An empty variable counts as not given. `python -m wargame.running.env` prints the table that
stands in docs/host/settings.md.
"""

import base64
import ipaddress
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ON, OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
HOST_NAME = re.compile(r"\*|\.?[\w.-]+|\[[0-9a-fA-F:.]+\]", re.ASCII)
LANGUAGES = {"en": ("en-gb", "English"), "de": ("de", "Deutsch")}
"""What the site can speak: the code by which it is chosen, Django's code, and its name in itself."""

PICTURES = (".svg", ".png", ".webp", ".jpg", ".jpeg")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LEAST_KEY = 20
"""Signs of a key that signs log-ins and forms: a shorter one is found by trying, for everybody has what it signed."""


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


def second_factor(text: str) -> str:
    """offered or required."""
    if text not in ("offered", "required"):
        raise ValueError("it must be offered or required")
    return text


def log_format(text: str) -> str:
    """line or json."""
    if text not in ("line", "json"):
        raise ValueError("it must be line or json")
    return text


def line(text: str) -> str:
    """A name for the heads of pages and mails."""
    if len(text) > 40 or not text.isprintable():
        raise ValueError("it must be one line of up to 40 characters")
    return text


def networks(text: str) -> list[str]:
    """Addresses and networks with commas between them."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    for part in parts:
        try:
            ipaddress.ip_network(part)
        except ValueError:
            raise ValueError("it must be IP addresses or networks with commas between, like 127.0.0.1") from None
    return parts


def tracker(text: str) -> str:
    """The DSN of a project at an error tracker that speaks Sentry's protocol."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.username or not parts.path.strip("/"):
        raise ValueError("it must be a DSN, like https://key@errors.example.org/1")
    return text


def vapid_key(text: str) -> str:
    """The private key of web push: 32 bytes as base64url, as other tools make it, too."""
    try:
        found = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        found = b""
    if text and len(found) != 32:
        raise ValueError("it must be 32 bytes as base64url, which are 43 signs")
    return text


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


def languages(text: str) -> list[str]:
    """Codes of languages with commas between them; the first is that of who has chosen none."""
    codes = [code.strip().lower() for code in text.split(",") if code.strip()]
    if not codes or len(set(codes)) < len(codes) or not set(codes) <= LANGUAGES.keys():
        raise ValueError(f"it must be of {', '.join(LANGUAGES)}, with commas between")
    return codes


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


def url(schemes: tuple[str, ...], example: str, local: tuple[str, ...] = ()) -> Callable[[str], str]:
    """A reader of addresses of servers with one of the `schemes`; those of the `local` ones need not name a host."""

    def read(text: str) -> str:
        parts = _split(text)
        if parts.scheme not in schemes or "://" not in text or not (parts.hostname or parts.scheme in local):
            raise ValueError(f"it must be like {example}")
        return text

    return read


def mail(text: str) -> str:
    """A mail address, with the name of its owner before it or without."""
    name, _, host_of = parseaddr(text)[1].partition("@")
    if not name or not host_of or "@" in host_of or any(sign.isspace() for sign in name + host_of):
        raise ValueError("it must be a mail address, like wargame@example.org")
    return text


def orders(text: str) -> str:
    """A mail address to whose name something can be added after a `+`."""
    if parseaddr(mail(text))[1] != text or "+" in text:
        raise ValueError("it must be a mail address without a + in it, like orders@wargame.example")
    return text


def public_keys(text: str) -> list[str]:
    """Public keys of age with commas between them."""
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if not all(key.startswith("age1") for key in keys):
        raise ValueError("it must be public keys of age-keygen, which begin with age1, with commas between")
    return keys


def signing_key(text: str) -> str:
    """A text that nobody guesses."""
    if len(text) < LEAST_KEY:
        raise ValueError(f"it must be a long random text, of {LEAST_KEY} signs at least")
    return text


def public_key(text: str) -> str:
    """A public key of Ed25519 as Discord shows it."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text, re.ASCII):
        raise ValueError("it must be the 64 signs 0 to 9 and a to f that Discord shows for your application")
    return text


def _split(text: str) -> Any:
    """The parts of an address, its port checked too."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValueError("its host or its port can't be read") from None
    return parts


def picture(text: str) -> Path:
    """An image file."""
    path = folder(text)
    if path.suffix.lower() not in PICTURES or not path.is_file():
        raise ValueError(f"it must be a file that is there, with a name that ends in {', '.join(PICTURES)}")
    return path


def page(text: str) -> str | Path:
    """The address of a page elsewhere, or a Markdown file."""
    if "://" in text:
        return url(("http", "https"), "https://example.org/imprint")(text)
    path = folder(text)
    if path.suffix.lower() != ".md" or not path.is_file():
        raise ValueError("it must be an address like https://example.org/imprint, or a .md file that is there")
    return path


def contact(text: str) -> str:
    """A mail address, or the address of a page elsewhere."""
    if "://" in text:
        return url(("http", "https"), "https://example.org/contact")(text)
    if parseaddr(mail(text))[1] != text:
        raise ValueError("it must be a mail address alone, or an address like https://example.org/contact")
    return text


PROJECT = Path(__file__).resolve().parents[2]
POSTGRES = "postgres://user:password@host:5432/name"
REDIS = "redis://host:6379/0"
MAIL = "smtp+tls://user:password@host:587"
IMAP = "imaps://user:password@host/INBOX"
NO_SERVER = ("filemail", "consolemail", "dummymail")
database = url(("postgres", "postgresql", "sqlite"), POSTGRES, ("postgres", "postgresql", "sqlite"))
redis = url(("redis", "rediss"), REDIS, ("redis", "rediss"))
mailer = url(("smtp", "smtp+tls", "smtp+ssl", *NO_SERVER), MAIL, NO_SERVER)


class BadVariable(ValueError):
    """What is wrong with the environment, as one sentence for a person."""


@dataclass(frozen=True)
class Variable:
    """One row of the table. `default` is what a person would write, "" for none; `shown` tells of it instead.

    The value of a `secret` one appears in no message.
    """

    name: str
    default: str
    read: Callable[[str], Any]
    meaning: str
    shown: str = ""
    secret: bool = False

    def row(self) -> str:
        """The line of the table in docs/host/settings.md."""
        default = self.shown or (f"`{self.default}`" if self.default else "none")
        return f"| `{self.name}` | {default} | {self.meaning} |"


def remote(text: str) -> str:
    """The address of a git repository, which is no option of git's and runs no program."""
    if text.startswith("-") or "::" in text or any(sign.isspace() for sign in text):
        raise ValueError("write an address like https://host/name.git, ssh://git@host/name.git or a folder")
    return text


_ROWS = (
    Variable("HOST", "127.0.0.1", host, "address that the site listens on; `0.0.0.0` for all"),
    Variable("PORT", "8000", whole(1, 65535), "port that the site listens on"),
    Variable(
        "WARGAME_DATA",
        str(PROJECT / "var"),
        folder,
        "folder of the database, the secret key, the job files and the logs",
        shown="`var` in the project",
    ),
    Variable("DEMO", "on", switch, "load the demo round at the start if there is no round"),
    Variable("DEMO_TURN_LENGTH", "", length, "length of its turns, like `10m` or `2d`", "the demo's own"),
    Variable("DATABASE_URL", "", database, f"PostgreSQL, `{POSTGRES}`", "SQLite in the data folder", secret=True),
    Variable("REDIS_URL", "", redis, f"Redis for jobs and cache, `{REDIS}`", "files and memory", secret=True),
    Variable(
        "SECRET_KEY",
        "",
        signing_key,
        "long random text that signs log-ins and forms",
        "made once, kept in the data folder",
        secret=True,
    ),
    Variable("SECRET_KEY_FILE", "", folder, "a file that holds the secret key instead"),
    Variable("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]", hosts, "host names that the site answers to"),
    Variable(
        "PUBLIC_URL",
        "",
        address,
        "address of the site, for links; its host is allowed too",
        "`http://localhost:PORT`",
    ),
    Variable("SITE_NAME", "The Coalition Wargame", line, "what you call the site, up to 40 characters"),
    Variable("SITE_LOGO", "", picture, "file of its logo: SVG, PNG, WebP or JPEG, square", "the service's own"),
    Variable("IMPRINT", "", page, "your imprint: the address of a page, or a Markdown file, shown at `/imprint/`"),
    Variable("PRIVACY", "", page, "your privacy notice: the same, shown at `/privacy/`"),
    Variable("CONTACT", "", contact, "how people reach you: a mail address, or the address of a page"),
    Variable(
        "HTTPS",
        "off",
        switch,
        "the site stands behind one proxy that speaks HTTPS and sets X-Forwarded-Proto and X-Forwarded-For",
    ),
    Variable(
        "STATIC_ROOT",
        "",
        folder,
        "folder that `manage.py collectstatic` fills and the site serves, hashed and packed",
        "served from the source",
    ),
    Variable("WEB_WORKERS", "1", whole(1, 64), "processes that serve the site"),
    Variable("WEB_THREADS", "8", whole(1, 256), "threads in each of them"),
    Variable("JOB_THREADS", "2", whole(1, 64), "jobs that run at the same time"),
    Variable("SWEEP_SECONDS", "2", seconds, "pause between two looks for turns that are due, in seconds"),
    Variable("API_RATE", "600/minute", rate, "requests to the API that one user or address may make"),
    Variable(
        "API_PASSWORDS",
        "off",
        switch,
        "scripts may log in to the API with a name and its password (HTTP Basic), not with tokens alone",
    ),
    Variable(
        "SECOND_FACTOR",
        "offered",
        second_factor,
        "`required`: judges and administrators have no role until they set up an authenticator",
    ),
    Variable("EMAIL_URL", "", mailer, f"mail server, `{MAIL}`", "no mail is sent", secret=True),
    Variable("EMAIL_FROM", "wargame@localhost", mail, "sender of the mails"),
    Variable(
        "MAIL_ORDERS",
        "",
        orders,
        "address at which orders come by mail, like `orders@wargame.example`: a player's has a secret after a `+`",
        "none come",
    ),
    Variable(
        "DISCORD_PUBLIC_KEY",
        "",
        public_key,
        "public key of your application in Discord, which sends commands to `/api/discord/`",
        "none come",
    ),
    Variable(
        "MAIL_IMAP",
        "",
        url(("imap", "imaps"), IMAP),
        f"mailbox that `manage.py receive_mail --imap` reads, `{IMAP}`",
        "none",
        secret=True,
    ),
    Variable(
        "MAIL_SERVER_NAME",
        "",
        str,
        "name under which your mail server writes `Authentication-Results`: a mail counts only if it comes from "
        "the account's address and these vouch for its domain",
        "not looked at",
    ),
    Variable(
        "VAPID_PRIVATE_KEY",
        "",
        vapid_key,
        "private key of web push, base64url of its 32 bytes",
        "one is made, and kept in the database",
        secret=True,
    ),
    Variable(
        "CHAIN_REMOTE",
        "",
        remote,
        "git repository of somebody else to whose branch `chain` the head of each round's chain is pushed, each hour",
        "none",
        secret=True,
    ),
    Variable(
        "CHAIN_STAMPER",
        "",
        url(("https", "http"), "https://tsa.example.org/tsr"),
        "address of an authority (RFC 3161) that stamps the head of each round's chain, each hour",
        "none",
    ),
    Variable(
        "CHAIN_STAMPER_ROOTS",
        str(PROJECT / "var" / "stamper.pem"),
        folder,
        "file with the certificates by which that authority's stamps are checked",
        shown="`var/stamper.pem` in the project",
    ),
    Variable("BACKUP_FOLDER", "", folder, "folder into which a backup is written each day", "no daily backups"),
    Variable("BACKUP_KEEP", "14", whole(1, 10_000), "how many backups stay in that folder"),
    Variable(
        "BACKUP_FOR", "", public_keys, "public keys (`age1…`), with commas between, that encrypt them", "not encrypted"
    ),
    Variable(
        "WARGAME_LANGUAGES",
        "en,de",
        languages,
        "languages that readers choose from, `en` and `de` or one of them; the first is the host's own",
    ),
    Variable("LOG_LEVEL", "WARNING", level, "least level that is logged: DEBUG, INFO, WARNING, ERROR"),
    Variable(
        "LOG_FORMAT", "line", log_format, "how a line of the log is written: `line` for people, `json` for programs"
    ),
    Variable("METRICS_FROM", "", networks, "addresses that may read `/metrics`, like `127.0.0.1,10.0.0.0/8`", "nobody"),
    Variable("SENTRY_DSN", "", tracker, "address of an error tracker that is told of errors", "none", secret=True),
    Variable("DEBUG", "off", switch, "Django's debug pages; for development only"),
)
TABLE = {variable.name: variable for variable in _ROWS}

LONG_NAMES = [name for name in TABLE if len(name) >= 8]
ALIKE = 0.88
"""How like one of ours a name is that nobody else would give a variable: one letter left out, doubled or misplaced."""


def get(name: str) -> Any:
    """The checked value of the variable `name`, or its default; None if it has neither."""
    variable = TABLE[name]
    text = os.environ.get(name, "").strip() or variable.default
    if not text:
        return None
    try:
        return variable.read(text)
    except ValueError as error:
        shown = "has a value that can't be used" if variable.secret else f"is “{text[:80]}”"
        raise BadVariable(f"{name} {shown}: {error}.") from None


def get_all() -> dict[str, Any]:
    """All variables by name. Raises BadVariable for the first bad one, for one whose name is one of ours but for a
    slip, as its default would count unsaid, and for two that contradict each other."""
    _check_names()
    found = {name: get(name) for name in TABLE}
    if found["HTTPS"] and str(found["PUBLIC_URL"]).startswith("http://"):
        raise BadVariable(f"HTTPS is on, but PUBLIC_URL is “{found['PUBLIC_URL']}”: it must begin with https://.")
    if found["HTTPS"] and found["DEBUG"]:
        raise BadVariable("DEBUG is on, and so is HTTPS: debug pages show strangers what is secret. Leave it off.")
    return found


def _check_names() -> None:
    for name in sorted(os.environ.keys() - TABLE.keys()):
        if near := get_close_matches(name.upper(), LONG_NAMES, 1, ALIKE):
            raise BadVariable(f"{name} is no variable of this service: rename it if {near[0]} is meant, or unset it.")


def markdown() -> str:
    """The table of all variables for docs/host/settings.md."""
    rows = [variable.row() for variable in TABLE.values()]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(markdown())
