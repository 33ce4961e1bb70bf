"""1.6: administrators find people, bar them, log them out, unlock them, help to a password; and it stands in a log."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judging.accounts import trusted_browsers
from judging.accounts.models import AdminEntry, Bar
from judging.accounts.services import sign_up
from judging.accounts.tokens.services import make_token
from judging.common.accounts import DEMO_GROUP
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.texts import utc
from judging.people import deletion, services
from tests.pages.playing import PASSWORD, Game, game, said

__all__ = ["game"]

BACKEND = "django.contrib.auth.backends.ModelBackend"
DAY = timedelta(days=1)


@pytest.fixture
def ana(game: Game) -> User:
    user: User = game.world.players["Ana"].user
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def chief(game: Game) -> User:
    return User.objects.create_superuser("chief", password=PASSWORD)


@pytest.fixture
def desk(chief: User) -> Client:
    client = Client()
    client.force_login(chief, backend=BACKEND)
    return client


def act(desk: Client, user: User, word: str, **typed: object) -> HttpResponse:
    sent = {"act": word, "reason": "He shouts at people.", **typed}
    return desk.post(reverse("person", args=[user.pk]), sent, follow=True)


def log_in(name: str, password: str = PASSWORD, client: Client | None = None) -> HttpResponse:
    return (client or Client()).post(reverse("login"), {"username": name, "password": password})


# Found


def test_people_are_found_by_name_screen_name_round_and_whole_address(game: Game, desk: Client, ana: User) -> None:
    ana.email = "ana@example.org"
    ana.save()

    def names(**asked: str) -> list[str]:
        html = desk.get(reverse("people"), asked).content.decode()
        return re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', html)

    assert names(words="chief") == ["chief"]
    assert ana.username in names(words="ana")
    assert names(words="ANA@example.org") == [ana.username]
    assert names(words="ana@example") == []
    assert "chief" not in names(round=game.world.round.slug)
    assert ana.username in names(round=game.world.round.slug)
    assert "ana@example.org" not in desk.get(reverse("person", args=[ana.pk])).content.decode()


def test_nobody_but_an_administrator_looks_after_people(game: Game, ana: User) -> None:
    for who in ("", "Ana", "battle"):
        client = game.client(who)
        for address in (reverse("people"), reverse("people-log"), reverse("person", args=[ana.pk])):
            assert client.get(address).status_code == (403 if who else 302)
            assert client.post(reverse("person", args=[ana.pk]), {"act": "bar"}).status_code == (403 if who else 302)
    assert not Bar.objects.exists()
    assert "People and their accounts" not in game.client("Ana").get(reverse("account")).content.decode()


def test_an_administrator_gets_there_from_the_desk_and_from_his_account(desk: Client) -> None:
    for page in ("admin:index", "account"):
        assert f'href="{reverse("people")}"' in desk.get(reverse(page)).content.decode()


def test_the_pages_cost_few_statements_whatever_the_number_of_people(game: Game, desk: Client, ana: User) -> None:
    for number in range(25):
        User.objects.create_user(f"guest-{number}")
    pages = (reverse(name) for name in ("people", "people-log", "people-heads", "account"))
    for address in (*pages, reverse("person", args=[ana.pk])):
        with CaptureQueriesContext(connection) as asked:
            assert desk.get(address).status_code == 200
        assert len(asked) <= 20, address


# Barred


def test_a_barred_person_is_logged_out_and_told_why_and_until_when(game: Game, desk: Client, ana: User) -> None:
    browser = game.client("Ana")
    assert browser.get(game.url("mine")).status_code == 200
    assert "will see this message" in said(act(desk, ana, "bar", days="3"))
    until = Bar.objects.get().until
    assert browser.get("/api/v1/rounds/").status_code == 200, "what is no page leaves the word to the next page"
    met = browser.get(game.url("mine"), follow=True)
    assert met.redirect_chain
    assert f"You have been logged out. This account is banned until {utc(until)}" in said(met)
    assert "He shouts at people." in said(met)
    assert "barred" not in said(browser.get(reverse("login"))), "it is said once"
    assert until == timezone.now() + 3 * DAY
    told = said(log_in(ana.username))
    assert f"This account is banned until {utc(until)}" in told
    assert "He shouts at people." in told
    assert "barred" not in said(log_in(ana.username, "a wrong one")), "who doesn't know the password learns nothing"
    desk_log_in = Client().post(reverse("admin:login"), {"username": ana.username, "password": PASSWORD})
    assert "He shouts at people." in said(desk_log_in)


def test_the_reason_is_not_told_to_who_guesses_behind_a_lock(game: Game, desk: Client, ana: User) -> None:
    act(desk, ana, "bar", days="3")
    guesser = Client()
    for _ in range(11):
        log_in(ana.username, "a wrong one", guesser)
    assert "shouts" not in said(log_in(ana.username, client=guesser))


def test_tokens_and_posts_of_a_barred_person_are_refused_with_the_sentence(
    game: Game, desk: Client, ana: User, settings: LazySettings
) -> None:
    settings.API_PASSWORDS = True
    _, text = make_token(user=ana, name="bot", scopes=["read", "post"], days=30, now=timezone.now())
    address = reverse("api-posts", args=[game.world.round.slug, game.world.turn.number])

    def send(header: str) -> HttpResponse:
        order = {"text": "3D > 4D", "token": "t1"}
        return Client().post(address, order, content_type="application/json", headers={"Authorization": header})

    act(desk, ana, "bar", days="")
    answer = send(f"Bearer {text}")
    assert answer.status_code == 403
    assert "permanently banned. Reason: He shouts at people." in answer.json()["detail"]
    act(desk, ana, "unbar")
    assert send(f"Bearer {text}").status_code == 201


def test_a_bar_stands_in_the_log_of_his_running_rounds_and_his_armies_stay_his(
    game: Game, desk: Client, ana: User
) -> None:
    held = ana.players.get().controls.filter(until__isnull=True).count()
    act(desk, ana, "bar", days="3")
    page = said(game.client().get(game.url("log")))
    assert "An administrator" in page
    assert "banned Ana from this site until" in page
    assert "He shouts at people." in page
    assert "chief" not in page
    assert ana.players.get().controls.filter(until__isnull=True).count() == held > 0
    act(desk, ana, "unbar")
    assert LogEntry.objects.filter(action="person.let_in", round=game.world.round).count() == 1


def test_a_bar_ends_by_the_clock_and_only_once_and_he_is_told(game: Game, desk: Client, ana: User) -> None:
    browser, ana.email = game.client("Ana"), "ana@example.org"
    ana.save()
    act(desk, ana, "bar", days="1")
    game.go_to(timezone.now() + DAY - timedelta(minutes=1))
    services.end_bars(timezone.now())
    assert log_in(ana.username).status_code == 200
    game.go_to(timezone.now() + timedelta(minutes=2))
    services.end_bars(timezone.now())
    services.end_bars(timezone.now())
    assert AdminEntry.objects.filter(action="bar_over").count() == 1
    assert ["The ban on your account has ended" in letter.body for letter in mail.outbox] == [False, True]
    assert "barred" not in said(browser.get(game.url("mine"), follow=True)), "a bar that is over is not told"
    assert log_in(ana.username).status_code == 302


def test_another_bar_replaces_the_first(game: Game, desk: Client, ana: User) -> None:
    act(desk, ana, "bar", days="1")
    act(desk, ana, "bar", days="")
    assert Bar.objects.filter(ended_at__isnull=True).get().until is None
    game.go_to(timezone.now() + 2 * DAY)
    services.end_bars(timezone.now())
    assert log_in(ana.username).status_code == 200


def test_a_barred_person_is_told_by_letter(game: Game, desk: Client, ana: User) -> None:
    ana.email = "ana@example.org"
    ana.save()
    act(desk, ana, "bar", days="3")
    assert [letter.to for letter in mail.outbox] == [["ana@example.org"]]
    assert "He shouts at people." in mail.outbox[0].body


@pytest.mark.parametrize(
    ("typed", "told"),
    [({"reason": " "}, "reason is empty"), ({"days": "0"}, "1 to 3,650 days"), ({"days": "9" * 14}, "1 to 3,650 days")],
)
def test_what_can_not_be_a_bar_is_refused_and_what_was_typed_stays(
    game: Game, desk: Client, ana: User, typed: dict[str, str], told: str
) -> None:
    answer = act(desk, ana, "bar", **{"days": "3", **typed})
    assert answer.status_code == 422
    assert told in said(answer)
    assert typed.get("reason", "He shouts at people.").strip() in said(answer)
    assert not Bar.objects.exists()


def test_administrators_are_barred_on_the_command_line_alone(game: Game, desk: Client, chief: User) -> None:
    other = User.objects.create_superuser("other", password=PASSWORD)
    for user in (chief, other):
        assert "You can only ban an administrator on the command line" in said(act(desk, user, "bar", days="3"))
    call_command("people", "bar", "other", "--reason", "His key was stolen.", stdout=StringIO())
    assert Bar.objects.get().user == other


def test_a_person_who_is_no_administrator_any_more_does_nothing(game: Game, chief: User, ana: User) -> None:
    chief.is_superuser = False
    with pytest.raises(Refused, match="Only administrators"):
        services.bar(user=ana, by=chief, reason="Because.", days=3, now=timezone.now())


# Deleted, and head judges


def test_an_administrator_deletes_an_account_when_he_is_sure(game: Game, desk: Client, ana: User) -> None:
    assert "Type the log-in to confirm" in said(act(desk, ana, "delete", sure="ana"))
    told = said(act(desk, ana, "delete", sure=ana.username))
    assert f"Everything done with it now belongs to “Former player {ana.pk}”" in told
    assert "deleted" in said(desk.get(reverse("people"), {"words": "Former player"}))
    assert "has been deleted" in said(act(desk, ana, "bar", days="3"))


def test_a_person_asks_that_his_account_is_deleted_and_keeps_it_after_all(game: Game, ana: User) -> None:
    browser, address = game.client("Ana"), reverse("account-delete")
    wrong = browser.post(address, {"act": "delete", "password": "a wrong one"})
    assert (wrong.status_code, "not your password" in said(wrong)) == (422, True)
    asked = browser.post(address, {"act": "delete", "password": PASSWORD, "renames_all": "yes"}, follow=True)
    due = timezone.now() + timedelta(days=7)
    assert f"Your account will be deleted on {due:%d %B %Y}" in said(asked)
    assert "Your account will be deleted on" in said(asked)
    assert f"This account will be deleted on {due.day} {due:%B %Y}. Keep it" in said(browser.get(reverse("account")))
    browser.post(address, {"act": "keep"})
    assert "will be deleted" not in said(browser.get(reverse("account")))
    game.go_to(due + DAY)
    deletion.delete_due(timezone.now())
    assert log_in(ana.username).status_code == 302


def test_nobody_deletes_the_account_that_everybody_may_try(game: Game, ana: User) -> None:
    ana.groups.add(Group.objects.create(name=DEMO_GROUP))
    answer = game.client("Ana").post(reverse("account-delete"), {"act": "delete", "password": PASSWORD})
    assert "This account belongs to the demo round and is shared by everyone" in said(answer)


def test_an_administrator_names_a_head_judge_by_page_and_by_command(game: Game, desk: Client) -> None:
    User.objects.create_user("nora", first_name="Nora")
    typed = {"round": game.world.round.slug, "role": "battle", "username": "nora", "reason": "He has vanished."}
    assert "Write at least one line" in said(desk.post(reverse("people-heads"), {**typed, "reason": ""}))
    told = said(desk.post(reverse("people-heads"), typed, follow=True))
    assert f"Nora is now head battle judge of {game.world.round.name}." in told
    assert "He has vanished." in game.page("log")
    out = StringIO()
    User.objects.create_user("otto")
    call_command("people", "head", "otto", "--round", game.world.round.slug, "--reason", "Again.", stdout=out)
    assert "otto is head battle judge" in out.getvalue()
    call_command("people", "delete", "nora", "--reason", "He asked.", stdout=out)
    assert "Former player" in out.getvalue()


# Logged out, unlocked, another password


def test_somebody_is_logged_out_everywhere_and_may_log_in_again(game: Game, desk: Client, ana: User) -> None:
    one, two = game.client("Ana"), game.client("Ana")
    assert "2 browsers" in said(act(desk, ana, "logout"))
    for browser in (one, two):
        assert browser.get(game.url("mine")).status_code == 302
    assert log_in(ana.username).status_code == 302
    assert desk.get(reverse("people")).status_code == 200


def test_an_unlocked_person_logs_in_at_once(
    game: Game, desk: Client, ana: User, django_capture_on_commit_callbacks: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(trusted_browsers.LIMITS, "name", 5)
    for _ in range(11):
        log_in(ana.username, "a wrong one")
    assert log_in(ana.username).status_code == 429
    assert "locked out" in said(desk.get(reverse("people"), {"words": ana.username}))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        act(desk, ana, "unlock")
    assert log_in(ana.username).status_code == 302


def test_a_link_gives_another_password_once_and_nobody_else_learns_it(game: Game, desk: Client, ana: User) -> None:
    answer = act(desk, ana, "link")
    assert answer["Cache-Control"] == "no-store"
    found = re.search(r'value="http://[^/]+(/accounts/reset/[^"]+)"', answer.content.decode())
    assert found
    browser = Client()
    form = browser.get(found[1], follow=True)
    typed = {"new_password1": "three owls on a wire", "new_password2": "three owls on a wire"}
    browser.post(form.request["PATH_INFO"], typed)
    assert log_in(ana.username, "three owls on a wire").status_code == 302
    again = Client().get(found[1], follow=True)
    assert "new_password1" not in again.content.decode()
    assert "/accounts/reset/" not in str(list(AdminEntry.objects.values_list("data", flat=True)))


# The log


def test_every_act_stands_in_the_administrators_log_and_its_owner_reads_of_his(
    game: Game, desk: Client, ana: User
) -> None:
    for word in ("bar", "unbar", "logout", "unlock", "link"):
        act(desk, ana, word, days="3")
    written = list(AdminEntry.objects.order_by("pk").values_list("action", "actor__username", "user"))
    assert [action for action, _, _ in written] == ["barred", "unbarred", "logged_out", "unlocked", "password_link"]
    assert {(by, user) for _, by, user in written} == {("chief", ana.pk)}
    assert "banned until" in said(desk.get(reverse("people-log")))
    own = said(game.client("Ana").get(reverse("account")))
    assert "He shouts at people." in own
    assert "chief" not in own


def test_an_entry_of_the_administrators_log_is_never_changed(game: Game, chief: User, ana: User) -> None:
    services.log_out(user=ana, by=chief, reason="Because.", now=timezone.now())
    entry = AdminEntry.objects.get()
    for change in (entry.save, entry.delete, AdminEntry.objects.all().delete):
        with pytest.raises(TypeError, match="never"):
            change()
    with pytest.raises(TypeError, match="never"):
        AdminEntry.objects.update(action="nothing")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE judging_adminentry SET action = 'nothing'")


# The command


def test_the_command_finds_bars_and_lets_in_again(game: Game, ana: User) -> None:
    def told(*words: str) -> str:
        out = StringIO()
        call_command("people", *words, stdout=out)
        return out.getvalue()

    assert f"{ana.username}: open; never logged in; Ana," in told("find", "ana")
    assert "banned until" in told("bar", ana.username, "--reason", "He shouts.", "--days", "2")
    assert "banned until" in told("find", ana.username)
    assert "can log in again" in told("unbar", ana.username, "--reason", "He is sorry.")
    assert "0 sessions" in told("logout", ana.username, "--reason", "To be sure.")
    assert "no longer count" in told("unlock", ana.username)
    assert "/accounts/reset/" in told("password", ana.username, "--reason", "He forgot it.")
    assert set(AdminEntry.objects.values_list("actor", flat=True)) == {None}
    with pytest.raises(CommandError, match="Nobody has the log-in"):
        told("unbar", "nobody", "--reason", "Because.")
    with pytest.raises(CommandError, match="is not banned"):
        told("unbar", ana.username, "--reason", "Because.")


def test_names_of_accounts_may_have_any_letters(game: Game, desk: Client) -> None:
    made = sign_up(name="Žofie Ó'Brien", password="three owls on a wire", mail="", now=timezone.now())
    assert "Žofie" in said(desk.get(reverse("people"), {"words": "Žofie"}))
    assert desk.get(reverse("person", args=[made.pk])).status_code == 200
