"""5.2, 5.3: the pages of the control list: reading it, asking for changes, exceptions, contingencies and the power."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.announcements.models import Notice
from judging.command.models import ControlRequest
from judging.common.models import LogEntry
from tests.pages.commanding import (
    GIANT,
    NUL,
    chooses,
    game,
    newcomer,
    other_round,
    redirects,
    refuses,
    sends_to_log_in,
    told,
)
from tests.pages.playing import Game, typed_text
from tests.services.teams import NOW, player, who
from tests.services.world_of_tests import HOUR
from wargame.models import Army, Control, Turn

__all__ = ["game"]

PAGES = ("command", "players", "join", "control-requests")
OWN_PAGES = ("admissions", "service", "control-request", "contingencies", "control-power")
EVERYBODY = ["", "Dot", "Ana", "Vorn", "battle", "movement", "mercenary"]
NO_KEYS = ["x", NUL, GIANT, "-1"]


def send(game: Game, by: str, wishes: dict[str, str], **more: object) -> HttpResponse:
    return game.client(by).post(game.url("control-request"), chooses(game, wishes, **more))


def waiting(game: Game) -> ControlRequest:
    """A request that only a judge can grant: a Captain's army for a Commander."""
    redirects(send(game, "Ana", {"Fir": "Cem"}, act="except", why="Ana is at sea."), game.url("control-requests"))
    return ControlRequest.objects.get(state="waiting")


# Who sees what


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_every_page_is_there_for_whom_it_is(game: Game, viewer: str) -> None:
    client = game.client(viewer)
    for name in PAGES:
        assert client.get(game.url(name)).status_code == 200, name
    for name in OWN_PAGES:
        response = client.get(game.url(name))
        assert response.status_code == 200 if viewer else sends_to_log_in(response), name
    for name in (*PAGES, *OWN_PAGES):
        assert client.get(reverse(name, args=["nowhere"])).status_code in (404, 302), name
        assert client.put(game.url(name)).status_code in (302, 405), name


def test_addresses_of_acts_are_not_read_and_pages_to_read_take_no_acts(game: Game) -> None:
    assert game.client("Ana").get(game.url("control-check")).status_code == 405
    for name, args in (("command", ()), ("players", ()), ("command-army", ("Elk",))):
        assert game.client("Ana").post(game.url(name, *args)).status_code == 405


# Reading the list


def test_the_list_says_who_controls_what_since_when_and_who_may_ask(game: Game) -> None:
    """5.2.1."""
    page = told(game.client().get(game.url("command")))
    assert "7 armies Ana and Bo can ask for changes 5.2.1" in page
    assert "No one" in page
    assert "Dot namesake Lieutenant, since 2 Mar" in page
    assert "Elk" in told(game.client().get(game.url("command"), {"q": "ELK"}))
    assert "No player or army on this side has that name." in told(
        game.client().get(game.url("command"), {"q": "Zebra"})
    )


def test_the_list_at_a_lock_names_the_turn_and_counts_one_army_as_one(game: Game) -> None:
    """5.4.2: what counts for a turn is who controlled the army at its lock."""
    game.go_to(Turn.objects.get(round=game.world.round).lock_at + HOUR)
    page = told(game.client().get(game.url("command"), {"q": "Elk", "turn": "1"}))
    assert "As it was at the lock of turn 1, " in page
    assert "1 army" in page
    assert "1 armies" not in page


def test_the_list_of_a_past_moment_is_what_it_was_then(game: Game) -> None:
    """5.4.2."""
    send(game, "Ana", {"Elk": "Cem"})
    game.go_to(NOW + HOUR)
    then, now = (
        told(game.client().get(game.url("command"), {"q": "Elk", **moment}))
        for moment in ({"at": "2026-03-02T06:30"}, {"at": ""})
    )
    assert "As it was at Mon 2 Mar 2026, 06:30 UTC, in turn 1." in then
    assert ("DotLieutenant" in then.replace(" ", ""), "CemCommander" in now.replace(" ", "")) == (True, True)
    assert "The first turn hadn't opened yet at that time." in told(
        game.client().get(game.url("command"), {"at": "2026-01-01", "turn": ""})
    )
    assert "As it is now." in told(game.client().get(game.url("command"), {"turn": "1"}))


@pytest.mark.parametrize("asked", [{"turn": each} for each in (*NO_KEYS, "7")] + [{"at": each} for each in NO_KEYS])
def test_a_moment_that_is_none_is_told_and_the_present_list_shown(game: Game, asked: dict[str, str]) -> None:
    response = game.client().get(game.url("command"), {**asked, "q": NUL})
    refuses(response, "Here is the current list", status=400)


def test_the_history_of_an_army_is_public(game: Game) -> None:
    send(game, "Ana", {"Elk": "Cem"})
    page = told(game.client().get(game.url("command-army", "Elk")))
    assert "Controllers of Elk" in page
    assert page.index("Cem") < page.index("Dot")
    for name in ("Nothing", "x" * 300, "a/b"):
        assert game.client().get(game.url("command-army", name)).status_code == 404
    assert game.client().get(game.url("command-army", "Elk").replace("Elk", "%00")).status_code == 404
    other_round()
    assert game.client().get(game.url("command-army", "Oda")).status_code == 404


# Asking for changes


def test_a_legal_request_is_checked_sent_and_public(game: Game) -> None:
    """R44."""
    client = game.client("Bo")
    check = client.post(game.url("control-check"), chooses(game, {"Gum": "Dot"}))
    assert "Legal. It takes effect the moment you send it. R44" in told(check)
    page = client.post(game.url("control-request"), chooses(game, {"Gum": "Dot"}, act="check"))
    assert "Legal." in told(page)
    assert who(game.world, "Gum") == []
    for _ in range(2):
        redirects(send(game, "Bo", {"Gum": "Dot"}), game.url("command"))
    assert ControlRequest.objects.count() == 1
    assert who(game.world, "Gum") == ["Dot"]
    assert "Gum: no one → Dot" in told(game.client().get(game.url("control-requests")))
    redirects(send(game, "Bo", {"Gum": "nobody"}, token="another"), game.url("command"))
    assert who(game.world, "Gum") == []


def test_an_army_may_have_two_controllers(game: Game) -> None:
    keep = {f"keep-{game.world.army('Elk').pk}": "on"}
    redirects(send(game, "Ana", {"Elk": "Cem"}, **keep), game.url("command"))
    assert who(game.world, "Elk") == ["Cem", "Dot"]


@pytest.mark.parametrize(
    ("by", "wishes", "rule", "what"),
    [
        ("Ana", {"Fir": "Cem"}, "5.3.1", "The rank of Fir (Captain) is higher than Cem's (Commander)."),
        ("Ana", {"Cem": "Bo"}, "5.3.2", "The army Cem is named after Cem, who hasn't allowed it to be taken away"),
        ("Ana", {"Cem": "Bo"}, "5.3.4", "Cem is active, so you can't take away their last army, Cem."),
        ("Ana", {"Oil": "Ana"}, "1.1", "This control list only has living armies of the Coalition, not Oil."),
        ("Ana", {"Gum": "Skar"}, "1.1", "Skar doesn't play for the Coalition."),
        ("Vorn", {"Gum": "Skar"}, "1.1", "This control list only has living armies of Phyrexia, not Gum."),
    ],
)
def test_an_illegal_request_is_refused_with_its_rule_and_recorded(
    game: Game, by: str, wishes: dict[str, str], rule: str, what: str
) -> None:
    before = set(Control.objects.values_list("pk", "until"))
    page = refuses(send(game, by, wishes, why="Because."), "Nothing was sent.", "Illegal:", what, rule)
    assert typed_text(page) == "Because."
    assert set(Control.objects.values_list("pk", "until")) == before
    entry = LogEntry.objects.get(action="control.refused")
    assert (entry.actor, rule in entry.data["cites"]) == (game.world.players[by].user, True)


def test_a_leader_does_not_give_himself_an_army_above_his_rank(game: Game) -> None:
    """5.3.1: he may ask for changes, and is a Commander."""
    row = player(game.world, "Bo")
    row.rank = "commander"
    row.save()
    page = refuses(
        send(game, "Bo", {"Fir": "Bo"}), "The rank of Fir (Captain) is higher than Bo's (Commander)", "5.3.1"
    )
    assert f'<option value="{row.pk}" selected>Bo, Commander</option>' in page
    assert who(game.world, "Fir") == ["Ana"]
    assert LogEntry.objects.filter(action="control.refused").count() == 1


def test_the_short_form_asks_for_one_army_and_keeps_what_was_chosen(game: Game) -> None:
    """5.2.1: beside what the long table says, and refused if somebody else changed the army meanwhile."""
    gum, fir = (game.world.army(name).pk for name in ("Gum", "Fir"))
    dot = game.world.players["Dot"].pk
    page = game.client("Bo").get(game.url("control-request"), {"army": gum}).content.decode()
    assert f'<option value="{gum}:" selected>' in page
    assert '<details class="control__all">' in page
    shown = f"{fir}:{game.world.players['Ana'].pk}"
    page = refuses(send(game, "Bo", {}, army=shown, to=str(game.world.players["Skar"].pk)), "Skar")
    assert f'<option value="{shown}" selected>' in page
    checked = send(game, "Bo", {}, act="check", army=shown, to=str(dot), keep="on").content.decode()
    assert 'name="keep" checked' in checked
    redirects(send(game, "Bo", {}, army=f"{gum}:", to=str(dot)), game.url("command"))
    assert who(game.world, "Gum") == ["Dot"]
    assert send(game, "Bo", {}, army=f"{gum}:", to="nobody", token="old").status_code == 422
    assert who(game.world, "Gum") == ["Dot"], "the form showed that nobody controls it"


@pytest.mark.parametrize("viewer", ["Cem", "Dot", "Skar", "movement", "battle"])
def test_who_has_no_authority_has_no_form_and_is_refused(game: Game, viewer: str) -> None:
    """5.2.2.1."""
    page = game.page("control-request", who=viewer)
    assert 'name="token"' not in page
    response = send(game, viewer, {"Gum": "Dot"})
    refuses(
        response,
        "Allowed to ask for changes on your side"
        if viewer in game.world.players
        else "Only players can ask for changes to their",
    )
    assert who(game.world, "Gum") == []


def test_a_stranger_is_asked_to_log_in(game: Game) -> None:
    assert sends_to_log_in(game.client().post(game.url("control-request"), chooses(game, {"Gum": "Dot"})))
    assert sends_to_log_in(game.client().post(game.url("control-check"), chooses(game, {"Gum": "Dot"})))
    assert "Only players can ask for changes to their" in told(newcomer().post(game.url("control-check")))


@pytest.mark.parametrize("key", NO_KEYS)
def test_a_key_that_is_nobodys_is_refused(game: Game, key: str) -> None:
    page = refuses(send(game, "Ana", {"Gum": key}), "The player chosen for Gum no longer plays for this side. 1.1")
    assert page.count("The player chosen for Gum") == 1
    refuses(send(game, "Ana", {}, **{f"to-{key}": "nobody"}), "The list is already like that")
    assert game.client("Ana").get(game.url("control-request"), {"army": key}).status_code == 200


def test_another_rounds_army_and_player_are_nobodys(game: Game) -> None:
    oda, army, _ = other_round()
    refuses(send(game, "Ana", {}, **{f"to-{army.pk}": "nobody"}), "The list is already like that")
    refuses(send(game, "Ana", {"Gum": str(oda.pk)}), "no longer plays for this side. 1.1")
    assert Army.objects.get(pk=army.pk).controls.count() == 0


def test_what_changed_hands_meanwhile_is_not_changed_again(game: Game) -> None:
    gum = game.world.army("Gum").pk
    send(game, "Ana", {"Gum": "Dot"})
    page = refuses(
        send(game, "Bo", {"Gum": "Cem"}, token="another", **{f"from-{gum}": ""}),
        "Control of Gum has passed to Dot in the meantime",
    )
    assert f'<option value="{player(game.world, "Cem").pk}" selected>' in page
    refuses(send(game, "Bo", {"Gum": "Dot"}, token="a third"), "The list is already like that")
    refuses(send(game, "Bo", {"Gum": "Cem"}, token=""), "Nothing was sent.")


# 5.2.2.2: exceptions


def test_an_exception_waits_for_the_judges_and_is_not_public(game: Game) -> None:
    refuses(send(game, "Ana", {"Fir": "Cem"}, act="except", why=" "), "The reason for the judges is empty")
    request = waiting(game)
    for viewer, sees in (("", False), ("Vorn", False), ("Dot", False), ("mercenary", False)):
        assert ("Ana is at sea." in game.page("control-requests", who=viewer)) is sees, viewer
    for viewer in ("Ana", "Bo", "movement", "battle"):
        assert "Ana is at sea." in game.page("control-requests", who=viewer), viewer
        assert "A request is waiting for the judges" in game.page("command", who=viewer)
    assert not Notice.objects.filter(thread=Notice.Thread.PROXY).exists()
    assert who(game.world, "Fir") == ["Ana"]
    refuses(send(game, "Ana", {"Oil": "Ana"}, act="except", why="Please.", token="another"), "1.1")
    assert ControlRequest.objects.get() == request


def test_who_may_ask_takes_a_waiting_request_back(game: Game) -> None:
    request = waiting(game)
    for viewer in ("Cem", "Vorn", "movement", ""):
        redirects(
            game.client(viewer).post(game.url("control-requests"), {"request": request.pk}),
            game.url("control-requests"),
        )
        request.refresh_from_db()
        assert request.state == "waiting"
    client = game.client("Bo")
    for said in ("You withdrew the request.", "The judges have already decided this request."):
        client.post(game.url("control-requests"), {"request": request.pk})
        assert said in told(client.get(game.url("control-requests")))


@pytest.mark.parametrize("key", ["", *NO_KEYS])
def test_no_other_key_is_a_request(game: Game, key: str) -> None:
    client = game.client("Ana")
    redirects(client.post(game.url("control-requests"), {"request": key}), game.url("control-requests"))
    assert "There is no such request." in told(client.get(game.url("control-requests")))
