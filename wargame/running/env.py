"""The settings of the service, which are environment variables.

`get("PORT")` gives a checked value. A bad one raises BadVariable with one sentence for the person who started the
program. `python -m wargame.running.env` prints the table in docs/host/settings.md.
"""

import os
import re
from collections.abc import Callable
from difflib import get_close_matches
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

PROJECT = Path(__file__).resolve().parents[2]
LANGUAGES = {"en": ("en-gb", "English"), "de": ("de", "Deutsch")}
"""The languages of the site: the host's code, Django's code, and its own name."""

LEAST_KEY = 20
"""The minimum length of the key that signs log-ins and forms, in characters. Everyone has signed texts for a
brute-force attack on a shorter one."""


class BadVariable(ValueError):
    """A fault of the environment, as one sentence for a person."""


class Kind(NamedTuple):
    """The requirement for a value, in words, and its parser: None or an error for a bad one."""

    must_be: str
    read: Callable[[str], Any]

    def value(self, text: str) -> Any:
        """The text's value; None for a bad one."""
        try:
            return self.read(text)
        except (LookupError, RuntimeError, ValueError):
            return None


def pattern(must_be: str, expression: str) -> Kind:
    """Text that matches a regular expression."""
    return Kind(must_be, lambda text: text if re.fullmatch(expression, text, re.ASCII | re.DOTALL) else None)


def choice(*names: str) -> Kind:
    """One of these names, in any case."""
    return Kind(f"one of {', '.join(names)}", lambda text: {each.lower(): each for each in names}[text.lower()])


def number(least: float, most: float, unit: type = int) -> Kind:
    """A number from `least` to `most`; a whole one unless `unit` is float."""

    def read(text: str) -> Any:
        value = unit(text) if re.fullmatch(r"\d+" if unit is int else r"\d+(\.\d+)?", text, re.ASCII) else -1
        return value if least <= value <= most else None

    return Kind(f"a {'whole ' if unit is int else ''}number from {least} to {most}", read)


def several(must_be: str, read_one: Callable[[str], Any]) -> Kind:
    """Values separated by commas, without duplicates."""

    def read(text: str) -> list[Any] | None:
        values = [read_one(part.strip()) for part in text.split(",") if part.strip()]
        return values if values and all(values) and len(set(values)) == len(values) else None

    return Kind(f"{must_be}, with commas between", read)


def file(must_be: str, *endings: str) -> Kind:
    return Kind(must_be, lambda text: path.read(text) if text.endswith(endings) and path.read(text).is_file() else None)


def url(example: str, schemes: str, local: str = "", also: Callable[[SplitResult], Any] = lambda parts: True) -> Kind:
    """A server's address. Those of the `local` schemes need no host."""

    def read(text: str) -> str | None:
        parts = urlsplit(text)
        has_port = parts.port != 0  # a port that is no number is an error
        is_known = parts.scheme in local.split() or (parts.scheme in schemes.split() and parts.hostname)
        return text if "://" in text and is_known and has_port and also(parts) else None

    return Kind(f"like {example}", read)


VAR = PROJECT / "var"
POSTGRES, REDIS = "postgres://user:password@host:5432/name", "redis://host:6379/0"
MAIL, IMAP = "smtp+tls://user:password@host:587", "imaps://user:password@host/INBOX"
MAILBOX = r"[^@\s]+@[^@\s]+"
SWITCH = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)

switch = Kind("on or off", lambda text: SWITCH[text.lower()])
name = Kind("a name", str)
way_in = choice("open", "invitation", "closed")
factor = choice("offered", "required")
level = choice("DEBUG", "INFO", "WARNING", "ERROR")
path = Kind("a path", lambda text: Path(text).expanduser().absolute())
host = pattern("a host name or an IP address, like 127.0.0.1 or 0.0.0.0", r"[\w.:-]+")
hosts = several("host names without port, like a.example.org", pattern("", r"\*|\.?[\w.-]+|\[[0-9a-fA-F:.]+\]").read)
networks = several("IP addresses or networks, like 127.0.0.1", lambda text: str(ip_network(text)))
languages = several(f"of {', '.join(LANGUAGES)}", lambda text: text.lower() if text.lower() in LANGUAGES else None)
length = pattern("a number with s, m, h or d, like 10m or 2d", r"[1-9]\d{0,6}[smhd]")
rate = pattern("like 600/minute (or second, hour, day)", r"[1-9]\d{0,8}/(second|minute|hour|day)")
key = pattern(f"a long random text, of at least {LEAST_KEY} characters", f".{{{LEAST_KEY},}}")
age_keys = several("public keys of age-keygen, which begin with age1", pattern("", "age1.*").read)
discord_key = pattern("the 64 characters (0-9, a-f) that Discord shows for your application", "[0-9a-fA-F]{64}")
vapid_key = pattern("32 bytes as base64url, which are 43 characters", r"[\w-]{43}=?")
sender = Kind("an email address", lambda text: text if re.fullmatch(MAILBOX, parseaddr(text)[1]) else None)
orders = pattern("an email address without a + in it, like orders@wargame.example", r"[^@\s+<>,]+@[^@\s+<>,]+")
# No option of git's, and none of its addresses that run a program.
remote = pattern("like https://host/name.git, ssh://git@host/name.git or a folder", r"(?!-)(?!.*::)\S+")
site = url("https://play.example.org", "http https", "", lambda parts: not parts.path.strip("/") and not parts.query)
stamper = url("https://tsa.example.org/tsr", "http https")
web = url("https://example.org/page", "http https")
text_file = file("", ".md")
page = Kind(f"{web.must_be}, or a .md file that exists", lambda text: web.value(text) or text_file.value(text))
email = pattern("an email address alone, or like https://example.org/contact", MAILBOX)
contact = Kind(email.must_be, lambda text: web.value(text) or email.value(text))
picture = file("an SVG, PNG, WebP or JPEG file that exists", ".svg", ".png", ".webp", ".jpg", ".jpeg")
line = Kind("one line of up to 40 characters", lambda text: text if len(text) <= 40 and text.isprintable() else None)
database = url(POSTGRES, "", "postgres postgresql sqlite")
redis = url(REDIS, "redis rediss")
mailer = url(MAIL, "smtp smtp+tls smtp+ssl", "filemail consolemail dummymail")
imap = url(IMAP, "imap imaps")
sentry = url("https://key@errors.example.org/1", "http https", "", lambda at: at.username and at.path.strip("/"))


class Row(NamedTuple):
    """One variable. `default` is in the form that a person would write, "" for none; the table in docs shows `shown`
    instead."""

    name: str
    default: str
    kind: Kind
    meaning: str
    shown: str = ""


SECRET = re.compile(r"(DATABASE|REDIS|EMAIL)_URL|SECRET_KEY|MAIL_IMAP|VAPID_PRIVATE_KEY|CHAIN_REMOTE|SENTRY_DSN")
"""No message shows a value of these."""

_ROWS = (
    Row("HOST", "127.0.0.1", host, "address that the site listens on; `0.0.0.0` for all"),
    Row("PORT", "8000", number(1, 65535), "port that the site listens on"),
    Row("WARGAME_DATA", f"{VAR}", path, "folder for the database, secret key, jobs and logs", "`var` in the project"),
    Row("DEMO", "on", switch, "load the demo round at the start if there is no round"),
    Row("DEMO_TURN_LENGTH", "", length, "length of its turns, like `10m` or `2d`", "the demo's own"),
    Row("DATABASE_URL", "", database, f"PostgreSQL, `{POSTGRES}`", "SQLite in the data folder"),
    Row("REDIS_URL", "", redis, f"Redis for jobs and cache, `{REDIS}`", "files and memory"),
    Row("SECRET_KEY", "", key, "long random text that signs log-ins and forms", "made once, in the data folder"),
    Row("SECRET_KEY_FILE", "", path, "file to read the secret key from instead"),
    Row("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]", hosts, "host names that the site answers to"),
    Row("PUBLIC_URL", "", site, "address of the site in links; its host is allowed, too", "`http://localhost:PORT`"),
    Row("SITE_NAME", "The Coalition Wargame", line, "what you call the site, up to 40 characters"),
    Row("SITE_LOGO", "", picture, "file of its logo: SVG, PNG, WebP or JPEG, square", "the service's own"),
    Row("IMPRINT", "", page, "your imprint: the address of a page, or a Markdown file, shown at `/imprint/`"),
    Row("PRIVACY", "", page, "your privacy notice: the same, shown at `/privacy/`"),
    Row("CONTACT", "", contact, "how people reach you: an email address, or the address of a page"),
    Row(
        "SIGN_UP",
        "open",
        way_in,
        "`invitation`: people with a link can sign up; `closed`: administrators make accounts",
    ),
    Row("HTTPS", "off", switch, "a proxy handles HTTPS for the site and sets X-Forwarded-Proto and X-Forwarded-For"),
    Row("STATIC_ROOT", "", path, "folder that `manage.py collectstatic` fills and the site serves", "from the source"),
    Row("WEB_WORKERS", "1", number(1, 64), "processes that serve the site"),
    Row("WEB_THREADS", "8", number(1, 256), "threads in each of them"),
    Row("JOB_THREADS", "2", number(1, 64), "jobs that run at the same time"),
    Row("SWEEP_SECONDS", "2", number(0.1, 3600, float), "seconds between checks for due turns"),
    Row("API_RATE", "600/minute", rate, "requests to the API that one user or address can make"),
    Row("API_PASSWORDS", "off", switch, "scripts can log in to the API with a password (HTTP Basic), too"),
    Row("SECOND_FACTOR", "offered", factor, "`required`: judges and administrators must set up an authenticator"),
    Row("EMAIL_URL", "", mailer, f"mail server, `{MAIL}`", "no email is sent"),
    Row("EMAIL_FROM", "wargame@localhost", sender, "sender of the emails"),
    Row("MAIL_ORDERS", "", orders, "address for orders by email; each player's has a secret after a `+`"),
    Row("DISCORD_PUBLIC_KEY", "", discord_key, "public key of your Discord application, which calls `/api/discord/`"),
    Row("MAIL_IMAP", "", imap, f"mailbox that `manage.py receive_mail --imap` reads, `{IMAP}`"),
    Row(
        "MAIL_SERVER_NAME",
        "",
        name,
        "your mail server in `Authentication-Results`; what it doesn't vouch for doesn't count",
    ),
    Row("VAPID_PRIVATE_KEY", "", vapid_key, "private key of web push, as base64url", "made once, in the database"),
    Row("CHAIN_REMOTE", "", remote, "someone else's git repository: gets each round's latest hash, in branch `chain`"),
    Row("CHAIN_STAMPER", "", stamper, "timestamp authority (RFC 3161) that stamps the same hashes"),
    Row("CHAIN_STAMPER_ROOTS", f"{VAR}/stamper.pem", path, "its certificates", "`var/stamper.pem` in the project"),
    Row("BACKUP_FOLDER", "", path, "folder for daily backups", "no daily backups"),
    Row("BACKUP_KEEP", "14", number(1, 10_000), "how many backups to keep in that folder"),
    Row("BACKUP_FOR", "", age_keys, "public keys (`age1…`), with commas between, that encrypt them", "not encrypted"),
    Row("WARGAME_LANGUAGES", "en,de", languages, "languages that readers can choose; the first is the default"),
    Row("LOG_LEVEL", "WARNING", level, "lowest level in the log: DEBUG, INFO, WARNING, ERROR"),
    Row("LOG_FORMAT", "line", choice("line", "json"), "`line` for people, `json` for programs"),
    Row("METRICS_FROM", "", networks, "addresses that can read `/metrics`, like `127.0.0.1,10.0.0.0/8`"),
    Row("SENTRY_DSN", "", sentry, "address of an error tracker"),
    Row("DEBUG", "off", switch, "Django's debug pages; for development only"),
)
TABLE = {row.name: row for row in _ROWS}

ALIKE = 0.88
"""The similarity of an unknown name to one of the service's at which it must be a typo: one letter is missing,
doubled or misplaced."""


def get(name: str) -> Any:
    """The checked value of the variable, or its default; "" if it has neither. An empty one counts as missing."""
    row = TABLE[name]
    text = os.environ.get(name, "").strip() or row.default
    if not text:
        return ""
    if (value := row.kind.value(text)) is None:
        problem = "has an invalid value" if SECRET.fullmatch(name) else f"is “{text[:80]}”"
        raise BadVariable(f"{name} {problem}: it must be {row.kind.must_be}.")
    return value


def get_all() -> dict[str, Any]:
    """All variables by name. Raises BadVariable for a bad one, a misspelt name and a contradiction."""
    long_names = [name for name in TABLE if len(name) >= 8]
    for name in sorted(os.environ.keys() - TABLE.keys()):
        if matches := get_close_matches(name.upper(), long_names, 1, ALIKE):
            raise BadVariable(
                f"{name} is not a variable of this service: rename it if {matches[0]} is meant, or unset it."
            )
    values = {name: get(name) for name in TABLE}
    if values["HTTPS"] and str(values["PUBLIC_URL"]).startswith("http://"):
        raise BadVariable(f"HTTPS is on, but PUBLIC_URL is “{values['PUBLIC_URL']}”: it must begin with https://.")
    if values["HTTPS"] and values["DEBUG"]:
        raise BadVariable("DEBUG and HTTPS are both on. Debug pages show secrets to strangers: turn DEBUG off.")
    return values


def markdown() -> str:
    """The table of all variables for docs/host/settings.md."""
    defaults = {row: row.shown or (f"`{row.default}`" if row.default else "none") for row in _ROWS}
    rows = [f"| `{row.name}` | {default} | {row.meaning} |" for row, default in defaults.items()]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(markdown())
