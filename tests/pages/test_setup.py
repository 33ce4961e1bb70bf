"""2.5: a new round, who may set it up, and its first steps: name, numbers, judges, calendar."""

import re
from datetime import time, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.command.models import Admission
from judging.common.models import LogEntry
from judging.setup.models import RoundSetup
from tests.pages.setting_up import Foundation, foundation, said, value_of
from wargame.models import Judge, Player, Round

__all__ = ["foundation"]

CALENDAR = {
    "weekday": "4",
    "deadline_at": "05:00",
    "turn_length": "7 days",
    "deadline_before_lock": "1 day",
    "sealed_before_lock": "1 day 4 hours",
    "contingency_before_deadline": "24h",
    "after_lock_window": "90 min",
    "publishes": "later",
    "publish_after": "6 hours",
    "results": "lock",
    "judge_within": "2d",
    "appeal_within": "5 days",
    "most_appeals": "3",
    "overdue_policy": "extend",
    "holidays": "2026-12-25 Christmas",
}
NUMBERS = {f"rank{tier}": number for tier, number in enumerate((1, 2, 7, 7, 14, 14), 1)}


def new_round(client: Client, name: str = "A War", token: str = "one form") -> object:
    return client.post(reverse("round-new"), {"name": name, "token": token})


def test_whoever_begins_a_round_is_its_head_battle_judge(foundation: Foundation) -> None:
    response = new_round(foundation.client("Judy"), "The  Second   War")

    round_ = Round.objects.get(slug="the-second-war")
    assert response.url == reverse("setup", args=["the-second-war"])
    assert round_.name == "The Second War"
    judge = Judge.objects.get(round=round_)
    assert (judge.user, judge.role, judge.is_head) == (foundation.users["Judy"], "battle", True)
    assert LogEntry.objects.filter(round=round_, action="setup.begun", actor=foundation.users["Judy"]).exists()


def test_a_double_click_begins_one_round(foundation: Foundation) -> None:
    client = foundation.client("Judy")
    first, second = new_round(client), new_round(client)

    assert first.url == second.url
    assert Round.objects.filter(name="A War").count() == 1


def test_two_rounds_of_one_name_have_different_addresses(foundation: Foundation) -> None:
    client = foundation.client("Judy")
    new_round(client, "A War", "one")
    new_round(client, "A War", "two")

    assert set(Round.objects.filter(name="A War").values_list("slug", flat=True)) == {"a-war", "a-war-2"}


def test_a_round_does_not_start_under_the_name_of_one_that_is_played(foundation: Foundation) -> None:
    Round.objects.create(name="A W\u0430r", slug="another", terrain="", state="running", created_at=timezone.now())
    client = foundation.client("Judy")
    address = new_round(client).url
    told = "A round called"

    assert told in client.get(address).content.decode()
    Round.objects.filter(slug="another").update(state="over")
    assert told not in client.get(address).content.decode()


def test_only_those_with_the_permission_and_administrators_begin_rounds(foundation: Foundation) -> None:
    assert new_round(foundation.client("Una")).status_code == 403
    assert new_round(foundation.client()).url.startswith(reverse("login"))
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"), backend="django.contrib.auth.backends.ModelBackend")
    assert new_round(boss).status_code == 302


def test_the_command_gives_the_permission_and_takes_it_back(
    foundation: Foundation, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("allow_rounds", "merle")
    assert "merle can set up rounds at /new-round" in capsys.readouterr().out
    assert User.objects.get(username="merle").has_perm("wargame.add_round")

    call_command("allow_rounds", "MERLE", "--revoke")
    assert not User.objects.get(username="merle").has_perm("wargame.add_round")
    with pytest.raises(CommandError, match="There is no log-in nobody"):
        call_command("allow_rounds", "nobody", "--revoke")


def test_the_command_makes_a_log_in_that_is_not_there(foundation: Foundation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: "a-long-word-for-tests")
    call_command("allow_rounds", "wanda")

    user = User.objects.get(username="wanda")
    assert user.check_password("a-long-word-for-tests")
    assert user.has_perm("wargame.add_round")

    monkeypatch.setattr("getpass.getpass", lambda prompt: "123")
    with pytest.raises(CommandError, match="too short.*Nothing was made."):
        call_command("allow_rounds", "wilma")
    assert not User.objects.filter(username="wilma").exists()


def test_the_command_asks_for_a_password_twice_and_once_more_if_the_two_differ(
    foundation: Foundation, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["a-long-word-for-tests", "a-long-word-for-texts", "short", "short", *["a-long-word-for-tests"] * 2]
    asked: list[str] = []
    monkeypatch.setattr("getpass.getpass", lambda prompt: typed[asked.append(prompt) or len(asked) - 1])
    call_command("allow_rounds", "wanda")

    assert asked == ["Password for wanda: ", "Repeat the password: "] * 3
    assert User.objects.get(username="wanda").check_password("a-long-word-for-tests")
    told = capsys.readouterr()
    assert "There is no log-in wanda yet." in told.out
    assert "The passwords don't match. Try again." in told.err
    assert "too short" in told.err


@pytest.mark.parametrize("stopped", [EOFError, KeyboardInterrupt])
def test_a_command_without_a_password_makes_nothing(
    foundation: Foundation, monkeypatch: pytest.MonkeyPatch, stopped: type[BaseException]
) -> None:
    def stop(prompt: str) -> str:
        raise stopped

    monkeypatch.setattr("getpass.getpass", stop)
    with pytest.raises(CommandError, match="You typed no password. No log-in was created."):
        call_command("allow_rounds", "wanda")
    assert not User.objects.filter(username="wanda").exists()


def test_a_name_without_letters_is_refused_and_a_long_one_is_kept_in_the_form(foundation: Foundation) -> None:
    client = foundation.client("Judy")
    assert "Give the round a name" in said(new_round(client, "   "))
    response = new_round(client, "x" * 81)
    assert response.status_code == 422
    assert value_of(response, "name") == "x" * 81


STEPS = ("name", "judges", "calendar", "terrain", "bases", "towns", "descriptions", "wins", "reveal")


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_for_the_battle_judges_alone(foundation: Foundation, step: str) -> None:
    Judge.objects.create(round=foundation.round, user=foundation.users["Mo"], name="Mo", role="movement")
    Judge.objects.create(
        round=foundation.round, user=foundation.users["Merle"], name="Merle", role="battle", is_head=False
    )

    assert foundation.get("Judy", f"setup-{step}").status_code == 200
    assert foundation.get("Merle", f"setup-{step}").status_code == 200
    for who in ("Una", "Gaz", "Olga", "Mo"):
        assert foundation.get(who, f"setup-{step}").status_code == 403
        assert foundation.post(who, f"setup-{step}").status_code == 403
    assert foundation.get("", f"setup-{step}").url.startswith(reverse("login"))


@pytest.mark.parametrize("step", STEPS)
def test_the_set_up_is_closed_once_the_round_has_begun(foundation: Foundation, step: str) -> None:
    Round.objects.filter(pk=foundation.round.pk).update(state="running")

    assert foundation.get("Judy", f"setup-{step}").status_code == 404
    assert foundation.get("", "setup").url == foundation.url("map")


def test_the_overview_says_what_is_missing_at_each_step(foundation: Foundation) -> None:
    page = foundation.page("Judy", "setup")

    assert "Choose how many armies of each rank a side has." in page
    assert "Appoint a movement judge." in page
    assert "No square yet: White Base" in page
    assert "The Coalition's leaders have not chosen" in page


def test_the_public_page_says_what_is_waited_for_and_the_map_leads_to_it(foundation: Foundation) -> None:
    assert foundation.get("", "map").url == foundation.url("setup")
    page = foundation.page("", "setup")
    assert "The Trial is being set up" in page
    assert "The battle judge chooses where the bases are." in page
    assert "Judy" not in page.split("Progress")[0]
    assert "Your tasks as a leader of" not in page
    assert "Your tasks as a leader of the Coalition" in foundation.page("Una", "setup")
    assert "raise your army" in foundation.page("Rio", "setup")


def test_who_may_answer_a_request_for_admission_is_told_of_it(foundation: Foundation) -> None:
    """1.1: the leaders; the judge for a team that has none. Who is taken in can raise his army at once (2.5.2.2)."""
    foundation.post("Olga", "join", act="ask", side="coalition", name="Olga", text="Me.", token="olga")
    assert "One player is asking to join." in foundation.page("Una", "setup")
    assert foundation.url("admissions") in foundation.get("Una", "setup").content.decode()
    for who in ("Gaz", "Rio", "Judy"):
        page = foundation.page(who, "setup")
        assert "for admission" not in page
        assert "asking to join" not in page
    foundation.post("Merle", "join", act="ask", side="coalition", name="Merle", text="Me.", token="merle")
    assert "2 players are asking to join." in foundation.page("Una", "setup")

    client, asked = foundation.client("Una"), Admission.objects.get(name="Olga")
    foundation.post("Una", "admissions", client=client, admission=asked.pk, act="accept", rank="lieutenant")
    page = said(client.get(foundation.url("admissions")))
    assert "Olga has joined your team as Lieutenant. They can now raise their army under Musters." in page

    Player.objects.filter(name__in=("Una", "Adam")).update(rank="lieutenant")
    assert "1 player is asking to join a team without a leader" in foundation.page("Judy", "setup")


def test_the_front_door_and_the_list_lead_to_rounds_in_their_set_up(foundation: Foundation) -> None:
    for address in ("/", reverse("rounds")):
        html = Client().get(address).content.decode()
        assert foundation.url("setup") in html
        assert reverse("round-new") not in html
        assert reverse("round-new") in foundation.client("Judy").get(address).content.decode()
    assert foundation.url("setup") in foundation.client("Judy").get("/judge/").content.decode()


def test_name_and_numbers_are_saved(foundation: Foundation) -> None:
    form = {**NUMBERS, "rank6": 20, "name": "The Great War", "version": 0}
    assert foundation.post("Judy", "setup-name", **form).status_code == 302

    assert foundation.setup.armies == [1, 2, 7, 7, 14, 20]
    assert foundation.setup.round.name == "The Great War"
    assert foundation.setup.round.slug == "the-trial"
    page = foundation.page("", "setup")
    assert "Armies per side: 51" in page


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rank1": 2}, "General and Chief Praetor: 2 is too many; the limit is 1."),
        ({"rank3": 8}, "Captain and Evincar: 8 is too many; the limit is 7."),
        ({"rank1": 0}, "General: one player holds this rank (Una), so enter at least 1."),
        ({"rank6": ""}, "This can't be empty"),
        ({"rank6": "many"}, "This is not a whole number"),
        ({"rank6": -1}, "This is -1; the minimum is 0."),
        ({"name": "  "}, "This can't be empty"),
    ],
)
def test_numbers_against_the_rule_are_refused_and_stay_in_the_form(
    foundation: Foundation, changed: dict[str, object], sentence: str
) -> None:
    form = {**NUMBERS, "name": "The Trial", "version": 0, **changed}
    response = foundation.post("Judy", "setup-name", **form)

    assert response.status_code == 422
    assert sentence in said(response)
    for key, value in changed.items():
        assert value_of(response, key).strip() == str(value).strip()
    assert foundation.setup.version("name") == 0


def test_a_step_that_another_judge_saved_meanwhile_is_not_overwritten_unseen(foundation: Foundation) -> None:
    foundation.post("Judy", "setup-name", **NUMBERS, name="One", version=0)
    response = foundation.post("Judy", "setup-name", **NUMBERS, name="Two", version=0)

    assert response.status_code == 422
    assert "This step was saved in another window or by another judge" in said(response)
    assert value_of(response, "name") == "Two"
    assert value_of(response, "version") == "1"
    assert foundation.setup.round.name == "One"


def appoint(foundation: Foundation, username: str, role: str, who: str = "Judy", **more: object) -> object:
    return foundation.post(who, "setup-judges", act="appoint", username=username, role=role, **more)


def test_judges_are_appointed_and_dismissed(foundation: Foundation) -> None:
    appoint(foundation, "MO", "movement")
    appoint(foundation, "merle", "mercenary")
    appoint(foundation, "olga", "battle")
    judges = {(j.user.username, j.role, j.is_head) for j in Judge.objects.filter(round=foundation.round)}
    assert judges == {
        ("judy", "battle", True),
        ("olga", "battle", False),
        ("mo", "movement", True),
        ("merle", "mercenary", True),
    }

    olga = Judge.objects.get(round=foundation.round, user__username="olga")
    foundation.post("Judy", "setup-judges", act=f"dismiss {olga.pk}")
    assert not Judge.objects.filter(pk=olga.pk).exists()
    page = foundation.page("", "setup")
    assert "Merle" not in page
    assert "merle mercenary judge" in page


@pytest.mark.parametrize(("role", "rule"), [("battle", "1.3"), ("mercenary", "6")])
def test_battle_and_mercenary_judges_are_no_players(foundation: Foundation, role: str, rule: str) -> None:
    """1.3, 6."""
    response = appoint(foundation, "rio", role)

    assert response.status_code == 422
    assert "Rio plays or has played in this round" in said(response)
    assert f'#r{rule}"' in response.content.decode()
    assert value_of(response, "username") == "rio"
    assert appoint(foundation, "rio", "movement").status_code == 302


def test_a_judge_who_joined_as_a_player_afterwards_is_a_problem(foundation: Foundation) -> None:
    user = foundation.users["Judy"]
    Player.objects.create(
        round=foundation.round, user=user, name="Jude", side="coalition", joined_at=foundation.round.created_at
    )

    page = foundation.page("Judy", "setup-judges")
    assert "plays in this round as Jude, so they can't also be a battle judge." in page


def test_strangers_and_judges_of_the_role_are_not_appointed(foundation: Foundation) -> None:
    told = said(appoint(foundation, "zed", "movement"))
    assert "The log-in “zed” doesn't exist. Judges need a log-in first." in told
    assert "judy is already a battle judge." in said(appoint(foundation, "judy", "battle"))


def test_the_head_battle_judge_hands_his_place_over_himself_and_never_leaves_it_empty(foundation: Foundation) -> None:
    """1.3."""
    appoint(foundation, "olga", "battle")
    judy = foundation.judge
    olga = Judge.objects.get(round=foundation.round, user__username="olga")

    assert foundation.judge == judy, "naming a second judge takes nobody's place"
    given = {"act": "head", "judge": olga.pk, "sure": "1"}
    assert "Only the head battle judge can decide who is a battle judge." in said(
        foundation.post("Olga", "judges", **given)
    )
    assert "stays head until another judge has agreed" in said(
        foundation.post("Olga", "setup-judges", act=f"dismiss {judy.pk}")
    )
    assert foundation.post("Judy", "judges", **given).status_code == 302
    assert foundation.judge == judy
    assert foundation.post("Olga", "judges", act="accept", role="battle").status_code == 302
    assert foundation.judge == olga
    assert not Judge.objects.get(pk=judy.pk).is_head


def test_the_calendar_is_saved_and_everybody_can_read_it(foundation: Foundation) -> None:
    assert foundation.post("Judy", "setup-calendar", **CALENDAR, version=0).status_code == 302

    setup, round_ = foundation.setup, foundation.setup.round
    assert (setup.weekday, setup.deadline_at) == (4, time(5, 0))
    assert (round_.turn_length, round_.deadline_before_lock) == (timedelta(days=7), timedelta(days=1))
    assert (round_.publish_after, round_.results_after_lock) == (timedelta(hours=6), True)
    assert (round_.judge_within, round_.overdue_policy) == (timedelta(days=2), "extend")
    assert (round_.appeal_within, round_.most_appeals) == (timedelta(days=5), 3)
    assert round_.after_lock_window == timedelta(minutes=90)
    assert round_.holidays == "2026-12-25 Christmas"
    page = foundation.page("", "setup")
    assert "Battle deadlines are on Fridays at 05:00 UTC. The turn locks 1 day later. Each turn lasts 7 days." in page
    assert "25 December 2026 Christmas" in page


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"appeal_within": "30 minutes"}, "1 hour to 30 days"),
        ({"appeal_within": "31 days"}, "1 hour to 30 days"),
        ({"most_appeals": "21"}, "20"),
        ({"most_appeals": "-1"}, "0"),
    ],
)
def test_the_bounds_of_appeals_are_kept(foundation: Foundation, typed: dict[str, str], says: str) -> None:
    """R57."""
    answer = foundation.post("Judy", "setup-calendar", **{**CALENDAR, **typed, "version": 0})
    assert answer.status_code in (409, 422)
    assert says in said(answer)
    assert foundation.setup.round.appeal_within == timedelta(hours=72)


def test_the_draft_waits_for_the_judge_or_for_nobody(foundation: Foundation) -> None:
    for version, (publishes, expected) in enumerate((("judge", None), ("at_once", timedelta(0)))):
        form = {**CALENDAR, "publishes": publishes, "version": version}
        assert foundation.post("Judy", "setup-calendar", **form).status_code == 302
        assert foundation.setup.round.publish_after == expected
    assert 'value="at_once"' in foundation.get("Judy", "setup-calendar").content.decode()


def test_a_round_may_have_no_window_for_raiders_after_the_lock(foundation: Foundation) -> None:
    """6.3.2."""
    page = foundation.get("Judy", "setup-calendar")
    assert value_of(page, "after_lock_window") == "2 hours"
    assert "At most a tenth of a turn. Enter 0 hours to turn this off." in said(page)

    foundation.post("Judy", "setup-calendar", **{**CALENDAR, "after_lock_window": "0 hours", "version": 0})
    assert foundation.setup.round.after_lock_window == timedelta(0)


def test_turns_are_locked_early_only_where_the_calendar_says_so(foundation: Foundation) -> None:
    """R60: off by default."""
    assert foundation.setup.round.may_lock_early is False
    for version, more in enumerate(({"may_lock_early": "on"}, {})):
        foundation.post("Judy", "setup-calendar", **{**CALENDAR, **more, "version": version})
        assert foundation.setup.round.may_lock_early is bool(more)


def test_the_preview_shows_six_turns_around_the_holidays(foundation: Foundation) -> None:
    response = foundation.post("Judy", "setup-calendar-preview", **CALENDAR)
    times = re.findall(r'datetime="([^"]+)"', response.content.decode())

    assert [when[:10] for when in times[1::2]] == [
        *("2026-11-28", "2026-12-05", "2026-12-12", "2026-12-19"),
        *("2027-01-02", "2027-01-09"),
    ]
    assert RoundSetup.objects.get().versions == {}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"turn_length": "soon"}, "“soon” is not a length of time. Write one like 7 days"),
        ({"turn_length": "20 hours"}, "A turn must be longer than the time from its battle deadline to its lock."),
        ({"turn_length": "400 days"}, "A length of time can be at most 366 days."),
        ({"deadline_at": "25:00"}, "This is not a time of day"),
        ({"after_lock_window": "a while"}, "“a while” is not a length of time. Write one like 7 days"),
        ({"after_lock_window": "400 days"}, "A length of time can be at most 366 days."),
        ({"holidays": "2026-12-25\nXmas"}, "Line 2: “Xmas” doesn't begin with a date like 2026-12-25."),
        ({"publishes": "later", "publish_after": ""}, "Enter how long the draft waits, such as 6 hours (R18"),
    ],
)
def test_a_calendar_that_cannot_be_kept_is_refused_and_stays_in_the_form(
    foundation: Foundation, changed: dict[str, str], sentence: str
) -> None:
    response = foundation.post("Judy", "setup-calendar", **{**CALENDAR, **changed, "version": 0})

    assert response.status_code == 422
    assert sentence in said(response)
    for name in {"turn_length", "after_lock_window"} & changed.keys():
        assert value_of(response, name) == changed[name]
    if "holidays" in changed:
        assert "2026-12-25\nXmas" in response.content.decode().replace("\r", "")
    assert foundation.setup.version("calendar") == 0


def test_what_was_typed_while_logged_out_waits_for_its_owner(foundation: Foundation) -> None:
    client = foundation.client("Judy")
    form = {**NUMBERS, "name": "A long name", "version": 0, "writer": foundation.users["Judy"].pk}
    client.logout()
    away = Client()
    response = foundation.post("", "setup-name", client=away, **form)
    assert response.url.startswith(reverse("login"))

    away.force_login(foundation.users["Judy"], backend="django.contrib.auth.backends.ModelBackend")
    back = away.get(foundation.url("setup-name"))
    assert value_of(back, "name") == "A long name"
    assert value_of(away.get(foundation.url("setup-name")), "name") == "The Trial"
