"""1.6: the second factor: set up, asked for after the password, refused twice, slowed, and removed."""

import base64
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.models import AdminEntry
from judging.accounts.tokens.services import make_token
from judging.accounts.two_factor.models import RecoveryCode
from judging.common.accounts import DEMO_GROUP
from tests.pages.playing import PASSWORD, Game, game, said

__all__ = ["game"]


@pytest.fixture
def judge(game: Game) -> User:
    user: User = game.world.judges["battle"].user
    user.set_password(PASSWORD)
    user.save()
    return user


def log_in(user: User, to: str = "") -> tuple[Client, HttpResponse]:
    client = Client()
    return client, client.post(reverse("login"), {"username": user.username, "password": PASSWORD, "next": to})


def code_of(user: User) -> str:
    """What the authenticator shows now."""
    clock = TOTP(TOTPDevice.objects.get(user=user).bin_key)
    clock.time = timezone.now().timestamp()
    return f"{clock.token():06d}"


def set_up(game: Game, user: User) -> list[str]:
    """A second factor, as its owner sets it up; his recovery codes. The next code comes half a minute later."""
    client, _ = log_in(user)
    address = reverse("second-set-up")
    begun = client.post(address, {"act": "begin", "password": PASSWORD})
    assert begun.status_code == 200
    done = client.post(address, {"act": "confirm", "code": code_of(user)})
    assert "no-store" in done["Cache-Control"]
    game.go_to(timezone.now() + timedelta(minutes=1))
    return re.findall(r"<code>(\w{5}-\w{5})</code>", done.content.decode())


def send(client: Client, code: str, **more: str) -> HttpResponse:
    return client.post(reverse("second"), {"code": code, **more})


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_the_secret_is_shown_as_a_link_and_in_groups_and_only_while_it_is_set_up(game: Game, judge: User) -> None:
    client, _ = log_in(judge)
    address = reverse("second-set-up")
    html = client.post(address, {"act": "begin", "password": PASSWORD}).content.decode()
    found = re.search(r'value="((?:[A-Z2-7]{4} )+[A-Z2-7]{1,4})"', html)
    assert found
    secret = found[1].replace(" ", "")
    assert '<img class="qr" src="data:image/svg+xml' in html
    assert base64.b32decode(secret + "=" * (-len(secret) % 8)) == TOTPDevice.objects.get().bin_key
    assert f"otpauth://totp/The%20Coalition%20Wargame%3A{judge.username}?secret={secret}&amp;" in html
    wrong = client.post(address, {"act": "confirm", "code": "abcdef"})
    assert (wrong.status_code, found[1] in wrong.content.decode()) == (422, True)
    assert secret[:4] not in client.get(address).content.decode()


def test_a_password_alone_logs_nobody_in_any_more(game: Game, judge: User) -> None:
    codes = set_up(game, judge)
    assert len(set(codes)) == 10
    mine = game.url("mine")
    client, answer = log_in(judge, to=mine)
    assert (answer.status_code, answer["Location"]) == (302, mine)
    assert client.get(mine)["Location"] == f"{reverse('second')}?next={mine.replace('/', '%2F')}"
    for page in (reverse("account"), reverse("admin:index"), reverse("people"), game.url("map")):
        assert client.get(page)["Location"].startswith(reverse("second"))
    desk = game.url("movement")
    assert client.post(desk, {}).status_code in (302, 403, 405)
    assert client.get("/api/v1/tokens/").status_code == 403
    passed = send(client, code_of(judge), next=mine)
    assert (passed.status_code, passed["Location"]) == (302, mine)
    assert is_in(client)
    assert client.get(reverse("admin:index")).status_code == 200


def test_the_desks_own_log_in_asks_too(game: Game, judge: User) -> None:
    set_up(game, judge)
    client = Client()
    typed = {"username": judge.username, "password": PASSWORD, "next": reverse("admin:index")}
    client.post(reverse("admin:login"), typed)
    assert client.get(reverse("admin:index"))["Location"].startswith(reverse("second"))


def test_a_code_works_once(game: Game, judge: User) -> None:
    set_up(game, judge)
    (one, _), (two, _) = log_in(judge), log_in(judge)
    code = code_of(judge)
    send(one, code)
    assert "already used" in said(send(two, code))
    assert (is_in(one), is_in(two)) == (True, False)


def test_a_recovery_code_works_once_and_is_kept_as_a_hash(game: Game, judge: User) -> None:
    codes = set_up(game, judge)
    assert codes[0].replace("-", "") not in str(list(RecoveryCode.objects.values_list("digest", flat=True)))
    client, _ = log_in(judge)
    send(client, codes[0].upper())
    assert is_in(client)
    other, _ = log_in(judge)
    assert send(other, codes[0]).status_code == 422
    assert "You have 9 recovery codes left." in said(client.get(reverse("second-set-up")))


def test_wrong_codes_are_slowed_and_the_right_one_waits_too(game: Game, judge: User) -> None:
    codes = set_up(game, judge)
    client, _ = log_in(judge)
    for _ in range(4):
        assert send(client, "000000").status_code == 422
    assert "Too many wrong codes" in said(send(client, code_of(judge)))
    assert "Too many wrong codes" in said(send(client, codes[0]))
    game.go_to(timezone.now() + timedelta(minutes=20))
    send(client, code_of(judge))
    assert is_in(client)


def test_who_has_stolen_a_password_shuts_its_owner_out_for_some_minutes_and_no_longer(game: Game, judge: User) -> None:
    set_up(game, judge)
    TOTPDevice.objects.update(throttling_failure_count=40, throttling_failure_timestamp=timezone.now())
    client, _ = log_in(judge)
    assert "Too many wrong codes" in said(send(client, code_of(judge)))
    game.go_to(timezone.now() + timedelta(minutes=18))
    send(client, code_of(judge))
    assert is_in(client)


@pytest.mark.parametrize("code", ["", "x" * 5000, "١٢٣٤٥٦", "12 34", "\0", "9" * 20])
def test_what_is_no_code_is_wrong_and_no_error(game: Game, judge: User, code: str) -> None:
    set_up(game, judge)
    client, _ = log_in(judge)
    assert send(client, code).status_code == 422
    assert not is_in(client)


def test_setting_it_up_takes_the_password_and_ends_the_other_sessions(game: Game, judge: User) -> None:
    other, _ = log_in(judge)
    client, _ = log_in(judge)
    wrong = client.post(reverse("second-set-up"), {"act": "begin", "password": "a wrong one"})
    assert (wrong.status_code, TOTPDevice.objects.count()) == (422, 0)
    set_up(game, judge)
    assert (is_in(other), is_in(client)) == (False, False)


def test_it_is_removed_with_password_and_code(game: Game, judge: User) -> None:
    set_up(game, judge)
    client, _ = log_in(judge)
    send(client, code_of(judge))
    game.go_to(timezone.now() + timedelta(minutes=1))
    address = reverse("second-set-up")
    for typed in ({"password": "a wrong one", "code": code_of(judge)}, {"password": PASSWORD, "code": "000000"}):
        assert client.post(address, {"act": "remove", **typed}).status_code == 422
    game.go_to(timezone.now() + timedelta(minutes=1))
    assert client.post(address, {"act": "remove", "password": PASSWORD, "code": code_of(judge)}).status_code == 302
    assert not RecoveryCode.objects.exists()
    assert is_in(log_in(judge)[0])


def test_an_administrator_removes_it_and_its_owner_is_told(game: Game, judge: User) -> None:
    set_up(game, judge)
    judge.email = "judge@example.org"
    judge.save()
    chief = User.objects.create_superuser("chief", password=PASSWORD)
    desk, _ = log_in(chief)
    waiting, _ = log_in(judge)
    address = reverse("person", args=[judge.pk])
    desk.post(address, {"act": "second", "reason": "He lost his phone."})
    assert waiting.get(reverse("second")).status_code == 302
    assert is_in(waiting), "who has typed his password already goes on"
    client, _ = log_in(judge)
    assert "He lost his phone." in said(client.get(reverse("account")))
    assert "He lost his phone." in mail.outbox[-1].body
    assert AdminEntry.objects.get().action == "second_factor_removed"
    assert "has no second factor" in said(desk.post(address, {"act": "second", "reason": "Again."}))
    set_up(game, judge)
    call_command("people", "second", judge.username, "--reason", "Again.", stdout=StringIO())
    assert is_in(log_in(judge)[0])


def test_where_it_is_required_the_desk_waits_for_it(game: Game, judge: User, settings: LazySettings) -> None:
    client, _ = log_in(judge)
    assert client.get(reverse("admin:index")).status_code == 200
    settings.SECOND_FACTOR = "required"
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.redirect_chain == [(reverse("second-set-up"), 302)]
    assert "Set yours up" in said(answer)
    set_up(game, judge)
    client, _ = log_in(judge)
    send(client, code_of(judge))
    assert client.get(reverse("admin:index")).status_code == 200
    assert game.client("Ana").get(game.url("mine")).status_code == 200, "players are not asked for one"


def test_a_demo_judge_is_let_in_for_nobody_could_set_it_up_for_all(
    game: Game, judge: User, settings: LazySettings
) -> None:
    settings.SECOND_FACTOR = "required"
    judge.groups.add(Group.objects.create(name=DEMO_GROUP))
    client, _ = log_in(judge)
    assert client.get(reverse("admin:index")).status_code == 200
    judge.is_superuser = True
    judge.save()
    assert client.get(reverse("admin:index")).status_code == 302


def test_tokens_go_on_and_a_password_in_the_api_does_not(game: Game, judge: User, settings: LazySettings) -> None:
    settings.API_PASSWORDS = True
    _, text = make_token(user=judge, name="bot", scopes=["read"], days=30, now=timezone.now())
    basic = "Basic " + base64.b64encode(f"{judge.username}:{PASSWORD}".encode()).decode()

    def ask(header: str) -> HttpResponse:
        return Client().get("/api/v1/tokens/", headers={"Authorization": header})

    assert (ask(f"Bearer {text}").status_code, ask(basic).status_code) == (200, 200)
    set_up(game, judge)
    assert (ask(f"Bearer {text}").status_code, ask(basic).status_code) == (200, 403)
    assert "second factor" in ask(basic).json()["detail"]


def test_nobody_sets_one_up_for_an_account_that_everybody_may_try(game: Game, judge: User) -> None:
    judge.groups.add(Group.objects.create(name=DEMO_GROUP))
    client, _ = log_in(judge)
    client.post(reverse("second-set-up"), {"act": "begin", "password": PASSWORD})
    assert not TOTPDevice.objects.exists()


def test_a_player_without_one_is_not_slowed_by_it(game: Game) -> None:
    client = game.client("Ana")
    with CaptureQueriesContext(connection) as asked:
        client.get(game.url("mine"))
    assert not any("totp" in query["sql"] for query in asked)
