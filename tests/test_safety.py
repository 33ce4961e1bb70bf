"""Safety: log-ins, passwords, cookies, forms, uploads, texts that people write, and what the desk's tables show."""

import json
import logging
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.contrib import auth
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from judging.accounts.trusted_browsers import LIMITS
from judging.common.admin import site
from judging.common.markup import document, to_html
from tests.test_settings import PRODUCTION, manage
from wargame.web.logs import Discreet
from wargame.web.uploads import LARGEST_UPLOAD

PASSWORD = "three owls on a wire"
LOG_INS = ("login", "judge:login")


@pytest.fixture
def owl(db: None) -> User:
    return User.objects.create_user("owl", password=PASSWORD)


@pytest.fixture(scope="module")
def production() -> dict[str, object]:
    """The settings under the variables that the documentation names for production."""
    wanted = (
        *("DEBUG", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "SESSION_COOKIE_SAMESITE", "CSRF_COOKIE_SECURE"),
        *("CSRF_COOKIE_SAMESITE", "CSRF_TRUSTED_ORIGINS", "ALLOWED_HOSTS", "SECURE_HSTS_SECONDS"),
        *("SECURE_SSL_REDIRECT", "X_FRAME_OPTIONS", "SESSION_COOKIE_AGE", "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME"),
    )
    read = f"{{name: getattr(settings, name) for name in {wanted}}}"
    code = f"import json; from django.conf import settings; print(json.dumps({read}))"
    done = manage("shell", "--no-imports", "-c", code, **PRODUCTION)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def log_in(page: str, password: str, name: str = "owl", **headers: str) -> HttpResponse:
    return Client(**headers).post(reverse(page), {"username": name, "password": password})  # type: ignore[arg-type]


@pytest.mark.parametrize("where", LOG_INS)
def test_ten_wrong_passwords_close_the_log_in_even_for_the_right_one(owl: User, where: str) -> None:
    for number in range(settings.AXES_FAILURE_LIMIT):
        assert log_in(where, f"wrong {number}").status_code in (200, 429)
    response = log_in(where, PASSWORD)
    assert response.status_code == 429
    assert "ten minutes" in response.content.decode()


def test_failures_on_one_page_count_on_the_other_and_elsewhere_nobody_is_locked_out(owl: User) -> None:
    for number in range(settings.AXES_FAILURE_LIMIT):
        log_in(LOG_INS[number % 2], "wrong")
    assert log_in("login", PASSWORD).status_code == 429
    assert log_in("login", PASSWORD, REMOTE_ADDR="203.0.113.9").status_code == 302


def test_a_closed_log_in_opens_again_after_ten_minutes(owl: User) -> None:
    with time_machine.travel("2026-03-02T12:00:00Z", tick=False) as clock:
        for _ in range(settings.AXES_FAILURE_LIMIT):
            log_in("login", "wrong")
        assert log_in("login", PASSWORD).status_code == 429
        clock.shift(settings.AXES_COOLOFF_TIME.total_seconds() + 1)
        assert log_in("login", PASSWORD).status_code == 302


@pytest.mark.parametrize("where", LOG_INS)
def test_a_rival_at_the_same_address_does_not_lock_out_who_has_logged_in_before(owl: User, where: str) -> None:
    mine = Client()
    assert mine.post(reverse("login"), {"username": "owl", "password": PASSWORD}).status_code == 302
    mine.post(reverse("logout"))
    for _ in range(settings.AXES_FAILURE_LIMIT + 5):
        log_in(where, "wrong")
    assert log_in(where, PASSWORD).status_code == 429
    assert mine.post(reverse("login"), {"username": "owl", "password": PASSWORD}).status_code == 302


def test_in_a_known_browser_passwords_are_not_guessed_without_end_either(owl: User) -> None:
    client = Client()
    client.post(reverse("login"), {"username": "owl", "password": PASSWORD})
    client.post(reverse("logout"))
    for _ in range(LIMITS["browser"]):
        assert client.post(reverse("login"), {"username": "owl", "password": "wrong"}).status_code == 200
    closed = client.post(reverse("login"), {"username": "owl", "password": PASSWORD})
    assert closed.status_code == 429
    assert "Too many wrong passwords were entered in this browser" in closed.content.decode()
    User.objects.create_user("rival", password=PASSWORD)
    assert client.post(reverse("login"), {"username": "rival", "password": PASSWORD}).status_code == 302


def test_one_password_for_all_names_is_slowed(owl: User) -> None:
    for number in range(LIMITS["address"]):
        assert log_in("login", "wrong", f"somebody {number}").status_code == 200
    closed = log_in("login", PASSWORD)
    assert closed.status_code == 429
    assert "Too many wrong passwords for several names were entered from your address" in closed.content.decode()
    assert log_in("login", PASSWORD, REMOTE_ADDR="203.0.113.9").status_code == 302


def test_one_name_tried_from_everywhere_is_slowed(owl: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "name", 12)
    for number in range(12):
        log_in("login", "wrong", REMOTE_ADDR=f"203.0.113.{number}")
    for _ in range(LIMITS["name_here"]):
        assert log_in("login", "wrong", REMOTE_ADDR="203.0.113.99").status_code == 200
    closed = log_in("login", PASSWORD, REMOTE_ADDR="203.0.113.99")
    assert closed.status_code == 429
    assert "Too many wrong passwords for" in closed.content.decode()


def test_whoever_is_locked_out_is_told_why_and_how_he_gets_in(owl: User, client: Client) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in("login", "wrong")
    told = log_in("login", PASSWORD).content.decode()
    assert "You, or someone else at your address, failed to log in as" in told
    assert f'href="{reverse("password_reset")}"' in told
    uid, token = urlsafe_base64_encode(force_bytes(owl.pk)), default_token_generator.make_token(owl)
    page = client.get(reverse("password_reset_confirm", args=[uid, token]), follow=True)
    new = "four owls on a wire"
    client.post(page.redirect_chain[-1][0], {"new_password1": new, "new_password2": new})
    assert client.post(reverse("login"), {"username": "owl", "password": new}).status_code == 302


@pytest.mark.parametrize("value", ["x", "", "a:b:c", "\x01"])
def test_a_made_up_mark_of_a_known_browser_is_none(owl: User, client: Client, value: str) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in("login", "wrong")
    client.cookies["known"] = value
    assert client.post(reverse("login"), {"username": "owl", "password": PASSWORD}).status_code == 429


@pytest.mark.parametrize("password", ["owl", "ninechars", "1234567890123", "password1234", "the-owl-42"])
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, User(username="the-owl-4", first_name="the-owl-4"))
    validate_password(PASSWORD, User(username="owl"))


def test_production_keeps_cookies_to_https_and_to_itself(production: dict[str, object]) -> None:
    assert production["SESSION_COOKIE_SECURE"] is production["CSRF_COOKIE_SECURE"] is True
    assert production["SESSION_COOKIE_HTTPONLY"] is True
    names = production["SESSION_COOKIE_NAME"], production["CSRF_COOKIE_NAME"]
    assert names == ("__Host-sessionid", "__Host-csrftoken")
    assert production["SESSION_COOKIE_SAMESITE"] == production["CSRF_COOKIE_SAMESITE"] == "Lax"
    assert production["SESSION_COOKIE_AGE"] <= 14 * 24 * 3600  # type: ignore[operator]


def test_production_is_found_under_its_own_address_alone(production: dict[str, object]) -> None:
    assert production["DEBUG"] is False
    assert production["CSRF_TRUSTED_ORIGINS"] == ["https://play.example.org"]
    assert production["ALLOWED_HOSTS"] == ["play.example.org", "play.example.org"]
    assert production["SECURE_SSL_REDIRECT"] is True
    assert production["SECURE_HSTS_SECONDS"] >= 30 * 24 * 3600  # type: ignore[operator]
    assert production["X_FRAME_OPTIONS"] == "DENY"


def test_what_is_silenced_of_djangos_checks_is_not_ours_to_decide() -> None:
    """Neighbours on other subdomains, and the browsers' preload list."""
    assert settings.SILENCED_SYSTEM_CHECKS == ["security.W005", "security.W021"]


def test_every_page_says_what_a_browser_may_do_with_it(client: Client, db: None) -> None:
    response = client.get(reverse("login"))
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert all(f"{name} 'none'" in policy for name in ("object-src", "frame-ancestors"))
    assert all(f"{name} 'self'" in policy for name in ("base-uri", "form-action"))
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response.cookies["csrftoken"]["samesite"] == "Lax"


def test_a_session_is_closed_to_scripts_and_a_new_one_after_the_log_in(owl: User, client: Client) -> None:
    client.get(reverse("login"))
    response = client.post(reverse("login"), {"username": "owl", "password": PASSWORD})
    cookie = response.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_a_form_of_another_site_is_refused(owl: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owl, backend="django.contrib.auth.backends.ModelBackend")
    for page in ("account", "password", "logout", "judge:logout", "round-new"):
        assert client.post(reverse(page), {"act": "x"}).status_code == 403
    assert auth.SESSION_KEY in client.session


def test_another_host_is_refused(client: Client, db: None) -> None:
    assert client.get(reverse("login"), headers={"Host": "evil.example"}).status_code == 400


def test_the_log_in_leads_to_no_other_site(owl: User, client: Client) -> None:
    data = {"username": "owl", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post(reverse("login"), data).headers["Location"].startswith("/")


NASTY = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "![a](https://evil.example/spy.png)",
    "<a href='java\nscript:alert(1)'>a</a>",
    "<a href=//evil.example onclick=alert(1)>a</a>",
    "<iframe src=//evil.example></iframe>",
    "<form action=//evil.example><input name=password></form>",
    "<style>*{display:none}</style>",
    "<p style='position:fixed'>a</p>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "`<script>alert(1)</script>`",
    "```\n</code></pre><script>alert(1)</script>\n```",
    '[a]: javascript:alert(1) "x"\n[a]',
    "<div id=csrftoken class=error hx-get=/accounts/logout/>a</div>",
    "| a |\n| --- |\n| <img src=x onerror=alert(1)> |",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><img src=x onerror=alert(1)>-->",
)
SAFE = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}

AROUND_A_TABLE = {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Table"}
"""What the service itself puts around a table, and nothing else of its kind."""


class Tags(HTMLParser):
    """The tags of a text with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("render", [to_html, document])
def test_what_people_write_brings_no_tag_but_plain_formatting(render: object, text: str) -> None:
    for tag, given in Tags(render(text)).tags:  # type: ignore[operator]
        if tag == "div":
            assert given == AROUND_A_TABLE
            continue
        assert tag in SAFE
        assert set(given) <= {"href", "rel", "align", "title", "start"}
        link = given.get("href") or ""
        assert not re.match(r"\s*(?!https?:|mailto:)[a-z]+\s*:", link, re.IGNORECASE)


LOOKED_UP = {"Round", "Turn", "Army", "Player", "Control", "Post", "LogEntry"}
PUBLIC_BY_NOW = {"Battle", "Strat", "Score", "Ruling", "Penalty", "Appeal", "Notice"}
"""Of these the desk lists what everybody reads by then, and no more: tests/pages/test_look_ups.py holds it."""

OF_CARD_TABLES = {"Table", "Entry", "TableRuling", "CardList"}
"""What everybody reads of the tables that he may see: a hidden entry is its hash (T6.3)."""


def test_the_desks_tables_have_no_strats_seeds_books_boards_or_accounts() -> None:
    """1.3: an administrator can't read through the admin what he may not read elsewhere."""
    assert {model.__name__ for model in site._registry} <= LOOKED_UP | PUBLIC_BY_NOW | OF_CARD_TABLES
    secret = {"seed", "token", "salt", "password", "email", "mail", "position", "events", "user"}
    for model, table in site._registry.items():
        shown = {*(table.fields or ()), *table.list_display} - ({"salt"} if model.__name__ == "Strat" else set())
        assert shown & secret == set()


def test_nobody_acts_as_somebody_else() -> None:
    """There is one call that logs somebody in beside the log-in pages: that of a new account's own maker. Whose a
    session is, is read in some places, and written nowhere."""
    calls = [
        f"{path.as_posix()}: {line.strip()}"
        for path in [*Path("judging").rglob("*.py"), *Path("wargame").rglob("*.py")]
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"(?<![\w.])(?:auth\.)?login\(|force_login\(|SESSION_KEY\]\s*=[^=]|_auth_user_id", line)
    ]
    assert calls == ["judging/people/account_views.py: login(request, user, backend=BACKEND)"]
    assert not any(re.search("hijack|impersonat|loginas|su$", app) for app in settings.INSTALLED_APPS)


@pytest.mark.parametrize("where", ["login", "account", "judge:login"])
def test_a_large_file_is_refused_before_it_is_kept(owl: User, where: str) -> None:
    """Whoever sends it, and wherever: also where no form takes a file."""
    client = Client(enforce_csrf_checks=True)
    if where == "account":
        client.force_login(owl, backend="django.contrib.auth.backends.ModelBackend")
    client.get(reverse(where))
    file = SimpleUploadedFile("round.json", b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert client.post(reverse(where), {"username": "owl", "file": file}).status_code == 413


def test_an_administrator_takes_in_a_file_up_to_its_limit(owl: User, client: Client) -> None:
    owl.is_superuser = True
    owl.save()
    client.force_login(owl, backend="django.contrib.auth.backends.ModelBackend")
    file = SimpleUploadedFile("round.json", b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert client.post(reverse("judge:files"), {"file": file}).status_code == 422
    assert LARGEST_UPLOAD > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_a_large_form_and_a_large_body_of_the_api_are_refused(owl: User, client: Client) -> None:
    client.force_login(owl, backend="django.contrib.auth.backends.ModelBackend")
    large = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert client.post(reverse("account"), {"mail": large}).status_code == 413
    body = json.dumps({"text": large})
    address = "/api/v1/rounds/none/posts/preview/"
    assert client.post(address, body, content_type="application/json").status_code in (404, 413)


@pytest.mark.parametrize(
    "said",
    [
        "SMTPRecipientsRefused: {'rei@example.org': (550, b'unknown')}",
        "Not Found: /accounts/mail/WzEsIm1haWwiXQ:1abc:dEf-_9/",
        "Not Found: /accounts/reset/MQ/cd3f-9f8e7d6c5b/",
    ],
)
def test_a_line_of_the_log_has_no_mail_address_and_no_secret_of_a_letter(said: str) -> None:
    record = logging.LogRecord("x", logging.WARNING, "x.py", 1, "%s", (said,), None)
    line = Discreet().format(record)
    assert not re.search("rei@|WzEs|cd3f", line)
    assert ("(a mail address)" in line) != ("(secret)" in line)
    assert settings.LOGGING["formatters"]["line"]["()"] == "wargame.web.logs.Discreet"
