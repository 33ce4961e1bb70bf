"""What a host says about the site: its name and logo, an imprint, a privacy notice and a contact."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from wargame.running import env

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(settings: Settings, tmp_path: Path) -> Settings:
    """A site with a name, a logo, a contact, a privacy notice elsewhere and an imprint of its own."""
    imprint, logo = tmp_path / "imprint.md", tmp_path / "logo.svg"
    imprint.write_text(
        "# Who runs this\n\nNell Harrow\\\nOwl Lane 3\n\n<script>alert(1)</script>\n\n[Mail](mailto:n@x.org)\n"
    )
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>')
    settings.SITE_NAME, settings.SITE_LOGO, settings.CONTACT = "Iron & Owls", logo, "nell@owls.example"
    settings.HOST_PAGES = {"imprint": imprint, "privacy": "https://owls.example/privacy"}
    return settings


def test_pages_mails_and_apps_have_the_hosts_name_and_logo(host: Settings) -> None:
    page = Client().get("/accounts/login/").content.decode()
    assert "· Iron &amp; Owls" in page
    assert "The Coalition Wargame" not in page
    assert f'<img src="{reverse("logo")}" alt="">' in page
    assert Client().get(reverse("logo"))["Content-Type"] == "image/svg+xml"
    manifest = Client().get("/app.webmanifest").json()
    assert (manifest["name"], manifest["icons"][0]["src"]) == ("Iron & Owls", "/logo/")
    host.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Client().post(reverse("sign-up"), {"name": "Pia", "mail": "pia@example.org", "password": "two owls on a wire"})
    (letter,) = mail.outbox
    assert (letter.subject, "at Iron & Owls." in letter.body) == ("Iron & Owls: confirm your address", True)


def test_every_page_leads_to_what_the_host_says(host: Settings) -> None:
    judge = Client()
    judge.force_login(User.objects.create_superuser("anna"))
    desk = judge.get("/judge/password_change/")
    for page in (Client().get("/rounds/"), desk):
        for address in ("/imprint/", "https://owls.example/privacy", "mailto:nell@owls.example"):
            assert f'href="{address}"' in page.content.decode()
    imprint = Client().get("/imprint/").content.decode()
    assert "<h1>Who runs this</h1>" in imprint
    assert "<script>alert" not in imprint
    assert "Harrow<br>" in imprint
    assert 'href="mailto:n@x.org"' in imprint
    assert Client().get("/privacy/")["Location"] == "https://owls.example/privacy"
    assert "Contact: mailto:nell@owls.example\nExpires: 2" in Client().get("/.well-known/security.txt").content.decode()


def test_a_site_whose_host_says_nothing_has_no_such_pages() -> None:
    footer = Client().get("/rounds/").content.decode()
    assert 'href="/imprint/"' not in footer
    assert "mailto:" not in footer
    for address in ("/imprint/", "/privacy/", "/logo/", "/.well-known/security.txt"):
        assert Client().get(address).status_code == 404


@pytest.mark.parametrize(
    ("name", "value"), [("IMPRINT", "/nowhere/imprint.md"), ("SITE_LOGO", "logo.exe"), ("CONTACT", "call me")]
)
def test_a_file_that_is_missing_stops_the_start(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(env.BadVariable, match=f"{name} is “.*”: it must be"):
        env.get(name)
