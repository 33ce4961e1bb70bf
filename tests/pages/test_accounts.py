"""1.6: signing up, one's own account with its mail address, and a forgotten password."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import make_token
from judging.discord.models import DiscordLink
from judging.feeds.models import FeedAddress
from judging.feeds.services import renew_feed_address
from judging.inbound_email.models import MailAddress
from judging.inbound_email.services import mail_address_of
from judging.people.account_views import LETTERS, SIGN_UPS
from tests.pages.commanding import BACKEND, GIANT, NUL, game, newcomer, redirects, refuses, sends_to_log_in, told
from tests.pages.playing import Game
from tests.services.teams import NOW
from wargame.models import Round

__all__ = ["game"]
pytestmark = pytest.mark.django_db

GOOD = "three owls on a wire"
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"


def sign_up(client: Client | None = None, **typed: str) -> HttpResponse:
    data = {"name": "Nell", "mail": "nell@example.org", "password": GOOD, **typed}
    return (client or Client()).post(reverse("sign-up"), data)


def change_mail(client: Client, to: str, password: str = GOOD) -> HttpResponse:
    return client.post(reverse("account"), {"act": "mail", "mail": to, "password": password})


def link_in_letter() -> str:
    found = re.search(r"https?://[^/\s]+(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


# Signing up


def test_whoever_signs_up_is_logged_in_and_goes_on_to_where_he_came_from(game: Game) -> None:
    client = Client()
    assert "A name and a password, then choose your team" in told(client.get(reverse("sign-up")))
    join = game.url("join")
    assert f'value="{join}"' in client.get(reverse("sign-up"), {"next": join}).content.decode()
    redirects(sign_up(client, next=join), join)
    page = told(client.get(join))
    assert (
        "Welcome, Nell. You are logged in. We've sent an email to nell@example.org. Use it to confirm your address."
        in page
    )
    redirects(client.get(reverse("sign-up")), reverse("account"))
    redirects(sign_up(client, name="Otto"), reverse("account"))
    assert not User.objects.filter(username="Otto").exists()


def test_whoever_comes_from_nowhere_goes_on_to_the_choice_of_a_team(game: Game) -> None:
    """1.1: of the one round that takes players, or of several."""
    redirects(sign_up(), game.url("join"))
    redirects(sign_up(name="Otto", next=reverse("home")), game.url("join"))
    Round.objects.create(name="Other", slug="other", terrain="", state="running", created_at=NOW)
    redirects(sign_up(name="Pia"), f"{reverse('home')}#join")


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "account", NUL]
)
def test_nobody_is_led_to_another_site(elsewhere: str) -> None:
    redirects(sign_up(next=elsewhere), reverse("account"))


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ({"name": ""}, "Choose a screen name. 1.6"),
        ({"name": "Sai: Rei"}, "The name can't contain “:”"),
        ({"name": NUL}, "1.6"),
        ({"name": GIANT}, "The name has 60 characters; the limit is 40. 1.6"),
        ({"name": "ana"}, "“ana” is taken. Capital letters don't make a difference."),
        ({"password": "12345678"}, "This password is entirely numeric."),
        ({"password": "nell"}, "This password is too short."),
        ({"password": "x" * 5000}, "Passwords can have up to 4,096 characters."),
        ({"mail": "nobody"}, "This is not an email address. Enter one like name@example.org."),
        ({"mail": "a@b\0.org"}, "This is not an email address. Enter one like name@example.org."),
        ({"mail": "x" * 300 + "@example.org"}, "The address has 312 characters; the limit is 254."),
    ],
)
def test_a_bad_sign_up_is_refused_and_what_was_typed_stays(game: Game, typed: dict[str, str], what: str) -> None:
    page = refuses(sign_up(**typed), "No account was created.", what)
    assert 'value="nell@example.org"' in page or "mail" in typed
    assert 'value="Nell"' in page or "name" in typed
    assert GOOD not in page
    assert not User.objects.filter(username__iexact="nell").exists()


def test_sign_up_and_account_page_answer_the_same_whether_an_address_is_taken() -> None:
    first = Client()
    sign_up(first)
    first.post(link_in_letter())
    pages = []
    for name, address in (("Otto", "NELL@example.org"), ("Otta", "free@example.org")):
        client = Client()
        redirects(sign_up(client, name=name, mail=address), reverse("account"))
        shown = told(client.get(reverse("account")))
        redirects(change_mail(client, ""), reverse("account"))
        redirects(change_mail(client, address), reverse("account"))
        shown += told(client.get(reverse("account")))
        pages.append(shown.replace(name, "N").replace(address, "A"))
    assert pages[0] == pages[1]


def test_a_form_sent_twice_makes_one_account() -> None:
    assert sign_up().status_code == 302
    refuses(sign_up(mail=""), "“Nell” is taken. Capital letters don't make a difference. 1.6")
    assert User.objects.filter(username="Nell").count() == 1


def test_an_address_does_not_try_for_ever() -> None:
    for _ in range(SIGN_UPS):
        sign_up(password="nell")
    refuses(sign_up(), "Too many attempts from your IP address. Wait an hour, then try again.")


# One's account


def test_an_account_is_its_owners_alone(game: Game) -> None:
    assert sends_to_log_in(game.client().get(reverse("account")))
    assert sends_to_log_in(change_mail(game.client(), "a@example.org"))
    page = told(game.client("Dot").get(reverse("account")))
    assert "You are logged in as trial-Dot. Only you can see this page." in page
    assert "Dot in Trial, Coalition: leave, change screen name" in page
    assert "battle judge of Trial" in told(game.client("battle").get(reverse("account")))
    assert "None yet." in told(newcomer().get(reverse("account")))
    assert game.client("Dot").put(reverse("account")).status_code == 405


def test_an_address_counts_once_its_owner_has_confirmed_it() -> None:
    client = Client()
    sign_up(client)
    user = User.objects.get()
    assert (user.email, user.account.mail) == ("", "nell@example.org")
    assert "nell@example.org isn't confirmed yet" in told(client.get(reverse("account")))
    redirects(client.post(reverse("account"), {"act": "again"}), reverse("account"))
    assert len(mail.outbox) == 2
    link = link_in_letter()
    assert "You followed a link from our email" in told(client.get(link))
    user.refresh_from_db()
    assert user.email == "", "only the button confirms it"
    for _ in range(2):
        assert "Your address is confirmed." in told(client.post(link))
    user.refresh_from_db()
    assert user.email == "nell@example.org"
    change_mail(client, "")
    assert "Your account no longer has an email address." in told(client.get(reverse("account")))
    refuses(client.post(link), "This email is for an address that your account no longer has. 1.6")


@pytest.mark.parametrize("token", ["x", GIANT, "a:b:c", "%00", "1" * 3000])
def test_a_damaged_letter_confirms_nothing(token: str) -> None:
    address = reverse("mail-confirm", args=["TOKEN"]).replace("TOKEN", token)
    assert Client().get(address).status_code == 200
    refuses(Client().post(address), "This link is damaged. Copy the whole line from the email. 1.6")


@pytest.mark.parametrize("address", ["nobody", "a@b\0.org", "x" * 300 + "@example.org"])
def test_a_bad_address_is_refused_and_stays_in_the_form(address: str) -> None:
    user = User(username="Otto")
    user.set_password(GOOD)
    user.save()
    client = newcomer("Otto")
    page = refuses(change_mail(client, address), "Nothing was changed.", "address")
    assert address.replace("\0", "") in page.replace("\0", "")
    assert User.objects.get(username="Otto").email == ""


def test_letters_are_not_asked_for_without_end() -> None:
    client = Client()
    sign_up(client)
    for _ in range(LETTERS):
        redirects(client.post(reverse("account"), {"act": "again"}), reverse("account"))
    refuses(client.post(reverse("account"), {"act": "again"}), "Too many emails requested")


def test_a_site_without_mail_keeps_the_address_and_says_so(settings: object) -> None:
    settings.EMAIL_BACKEND = NO_MAIL  # type: ignore[attr-defined]
    client = Client()
    assert "This site doesn't send email at the moment." in told(client.get(reverse("sign-up")))
    sign_up(client)
    assert ("This site doesn't send email at the moment. We'll save your address for later.") in told(
        client.get(reverse("account"))
    )


def test_no_cache_keeps_a_page_for_somebody_who_is_logged_in(game: Game) -> None:
    ana = game.client("Ana")
    pages = [
        *map(game.url, ("map", "movement", "mine", "boards")),
        *map(reverse, ("account", "notifications", "tables")),
    ]
    for page in pages:
        directives = {each.strip() for each in ana.get(page)["Cache-Control"].split(",")}
        assert {"private", "no-cache"} <= directives or "no-store" in directives, page
    assert "Cache-Control" not in Client().get(reverse("rounds")), "what anybody sees may be kept"


@pytest.mark.parametrize("typed", ["", "wrong", "000000"])
def test_a_session_alone_changes_no_address_and_makes_no_token(typed: str) -> None:
    user = confirmed()
    client = Client()
    client.force_login(user, backend=BACKEND)
    refuses(change_mail(client, "thief@example.org", typed), "That is not your password.")
    token = {"token_name": "mine", "scopes": ["post"], "days": "", "password": typed}
    refuses(client.post(reverse("tokens"), token), "That is not your password.")
    refuses(change_mail(client, "", typed), "That is not your password.")
    user.refresh_from_db()
    assert (user.email, AccessToken.objects.count(), len(mail.outbox)) == ("nell@example.org", 0, 1)


def test_a_confirmed_address_stays_until_the_new_one_is_confirmed_and_is_told() -> None:
    user = confirmed()
    client = Client()
    client.force_login(user, backend=BACKEND)
    change_mail(client, "new@example.org")
    user.refresh_from_db()
    assert user.email == "nell@example.org"
    warning, asking = mail.outbox[-2:]
    assert (warning.to, asking.to) == (["nell@example.org"], ["new@example.org"])
    assert "being changed to new@example.org" in warning.body
    assert reverse("password_reset") in warning.body
    page = told(client.get(reverse("account")))
    assert "new@example.org isn't confirmed yet" in page
    assert "Until you confirm it, we'll keep writing to nell@example.org." in page
    client.post(link_in_letter())
    user.refresh_from_db()
    assert (user.email, user.account.mail, user.account.wanted_mail) == ("new@example.org", "new@example.org", "")
    change_mail(client, "")
    assert (mail.outbox[-1].to, "was removed" in mail.outbox[-1].body) == (["new@example.org"], True)


# A forgotten password


def confirmed(name: str = "Nell") -> User:
    client = Client()
    sign_up(client, name=name)
    client.post(link_in_letter())
    return User.objects.get(username=name)


def test_a_letter_lets_the_owner_choose_another_password() -> None:
    user = confirmed()
    client = Client()
    redirects(client.post(reverse("password_reset"), {"email": user.email}), reverse("password_reset_done"))
    assert "Check your email" in told(client.get(reverse("password_reset_done")))
    form = client.get(link_in_letter(), follow=True)
    address = form.redirect_chain[-1][0]
    weak = client.post(address, {"new_password1": "short", "new_password2": "short"})
    assert "Not changed." in told(weak)
    after = f"{reverse('login')}?next={reverse('account-access').replace('/', '%2F')}"
    redirects(client.post(address, {"new_password1": f"{GOOD} 2", "new_password2": f"{GOOD} 2"}), after)
    assert "Your password has been changed. Log in with the new one." in told(client.get(reverse("login")))
    user.refresh_from_db()
    assert user.check_password(f"{GOOD} 2")
    assert "This link has already been used or has expired" in told(Client().get(link_in_letter(), follow=True))


def test_after_a_reset_one_button_ends_all_that_works_without_the_password(game: Game) -> None:
    player = game.world.players["Ana"]
    user, now = player.user, timezone.now()
    token, _ = make_token(user=user, name="thief", scopes=["post"], days=None, now=now)
    mail_address_of(player=player, now=now)
    renew_feed_address(user=user, now=now)
    DiscordLink.objects.create(user=user, discord="1", made_at=now)
    other, mine = game.client("Ana"), game.client("Ana")
    for client in (other, mine):
        client.get(reverse("account"))
    page = told(mine.get(reverse("account-access")))
    for line in ("1 token for scripts", "1 address for orders by email", "Orders via Discord", "private feeds"):
        assert line in page
    assert "1 other logged-in browser" in page
    redirects(mine.post(reverse("account-access")), reverse("account-access"))
    assert ("Your account can only be reached from this browser or with your password.") in told(
        mine.get(reverse("account-access"))
    )
    token.refresh_from_db()
    assert token.revoked_at is not None
    gone = (MailAddress.objects.filter(player=player), FeedAddress.objects.all(), DiscordLink.objects.all())
    assert not any(rows.exists() for rows in gone)
    assert sends_to_log_in(other.get(reverse("account")))


def test_the_answer_is_the_same_whether_there_is_such_an_account_or_not() -> None:
    sign_up()
    sent = len(mail.outbox)
    for address in ("nell@example.org", "stranger@example.org"):
        redirects(Client().post(reverse("password_reset"), {"email": address}), reverse("password_reset_done"))
    assert len(mail.outbox) == sent, "an address that is not confirmed gets no letter"


@pytest.mark.parametrize("address", ["", "nobody", NUL, "x" * 400 + "@example.org"])
def test_no_letter_goes_to_what_is_no_address(address: str) -> None:
    assert "<form" in Client().post(reverse("password_reset"), {"email": address}).content.decode()
    assert mail.outbox == []


def test_without_mail_the_page_says_whom_to_ask(game: Game, settings: object) -> None:
    settings.EMAIL_BACKEND = NO_MAIL  # type: ignore[attr-defined]
    page = told(game.client().get(reverse("password_reset")))
    assert (
        "The people who run this site can give you a new password with manage.py changepassword. "
        "The battle judge (Judge battle) knows who they are."
    ) in page
    assert "This site doesn't send email" in told(
        game.client().post(reverse("password_reset"), {"email": "a@example.org"})
    )


@pytest.mark.parametrize("uid", ["MQ", "x", "9" * 40, "%00"])
def test_a_damaged_letter_changes_no_password(uid: str) -> None:
    address = reverse("password_reset_confirm", args=["UID", "TOKEN"]).replace("UID", uid)
    assert "This link has already been used or has expired" in told(Client().get(address))


def test_logging_in_and_out(game: Game) -> None:
    user: User = game.world.players["Dot"].user
    user.set_password(GOOD)
    user.save()
    client = game.client()
    wrong = client.post(reverse("login"), {"username": user.username, "password": "no"})
    assert "That name and password" in told(wrong)
    assert f'value="{user.username}"' in wrong.content.decode()
    sent = {"username": user.username, "password": GOOD, "next": game.url("service")}
    redirects(client.post(reverse("login"), sent), game.url("service"))
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout")).status_code == 302
    assert sends_to_log_in(client.get(reverse("password")))
