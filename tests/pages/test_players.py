"""1.1, 5.1, 1.6: the pages of the players: both teams, one player with his leaders' acts, and one's own service."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.command.models import Declaration, Leave, NameChange
from judging.command.people.admission import leave_team
from judging.command.people.screen_names import decide_name
from judging.common.models import LogEntry
from tests.pages.commanding import GIANT, NUL, game, newcomer, other_round, redirects, refuses, sends_to_log_in, told
from tests.pages.playing import Game, typed_text
from tests.services.teams import DAY, NOW, player, who
from tests.services.world_of_tests import add_player

__all__ = ["game"]

EVERYBODY = ["", "Dot", "Ana", "Vorn", "battle", "movement", "mercenary"]


def act(game: Game, by: str, name: str, **typed: object) -> HttpResponse:
    return game.client(by).post(game.url("player", name), typed)


def say(game: Game, by: str, **typed: object) -> HttpResponse:
    return game.client(by).post(game.url("service"), typed)


# The teams


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everybody_reads_who_plays_with_which_rank(game: Game, viewer: str) -> None:
    page = told(game.client(viewer).get(game.url("players")))
    assert "How many players hold each rank, and how many can: 2.5.2.1 General 1 of 1 Admiral 0 of 2" in page
    assert "Lieutenant 1 Cadet 0" in page
    assert "Bo Captain control red, green 1 2 Mar active" in page
    assert ("You are this round's battle judge" in page) is (viewer == "battle")


def test_a_player_without_an_army_needs_one_and_a_side_without_players_says_so(game: Game) -> None:
    """5.3.4: a newcomer, who has only just posted, is not called inactive for it."""
    game.world.players["Eve"] = add_player(game.world.round, "Eve", "coalition", "lieutenant")
    for name in ("Vorn", "Skar"):
        leave_team(player=player(game.world, name), now=NOW)
    page = told(game.client().get(game.url("players")))
    assert "Eve Lieutenant – 0 2 Mar needs an army" in page
    assert "No one plays for this side yet. The battle judge names its first leader." in page
    assert "Former players: Skar, Vorn." in page


# One player


@pytest.mark.parametrize("viewer", ["", *EVERYBODY])
def test_a_players_page_is_public_and_his_leaders_alone_act_on_it(game: Game, viewer: str) -> None:
    page = game.page("player", "Cem", who=viewer)
    assert "1.1.2" in page
    assert "Joined" in page
    assert ("As their leader" in page) is (viewer == "Ana")


@pytest.mark.parametrize("name", ["Nobody", NUL, "../x", "x" * 300, "Oda"])
def test_there_is_no_page_of_who_does_not_play_here(game: Game, name: str) -> None:
    other_round()
    address = reverse("player", args=[game.world.round.slug, "NAME"]).replace("NAME", name.replace("\0", "%00"))
    assert game.client("Ana").get(address).status_code == 404
    assert game.client("Ana").post(address, {"act": "rank", "rank": "captain"}).status_code == 404


def test_a_leader_gives_a_rank_and_is_told_what_follows(game: Game) -> None:
    """R45, 5.3.4."""
    redirects(act(game, "Ana", "Dot", act="rank", rank="lt_commander", shown="lieutenant"), game.url("player", "Dot"))
    assert player(game.world, "Dot").rank == "lt_commander"
    client = game.client("Ana")
    client.post(game.url("player", "Cem"), {"act": "rank", "rank": "lieutenant", "shown": "commander"})
    page = told(client.get(game.url("player", "Cem")))
    assert "Cem is now Lieutenant. No one controls Cem now (5.3.1). They need a new army (5.3.4)." in page
    assert "Cem has no army and needs a new one. 5.3.4" in page
    assert who(game.world, "Cem") == []


@pytest.mark.parametrize(
    ("by", "name", "typed", "what"),
    [
        ("Ana", "Ana", {"rank": "admiral"}, "but not to themselves. 1.1.2"),
        ("Ana", "Dot", {"rank": "captain"}, "A Captain runs a faction, but Dot isn't in one. 1.1.2"),
        ("Ana", "Dot", {"rank": "cpl"}, "CPL is not a rank of the Coalition. 1.1"),
        ("Ana", "Dot", {"rank": GIANT}, "is not a rank of the Coalition. 1.1"),
        ("Ana", "Dot", {"rank": NUL}, "is not a rank of the Coalition. 1.1"),
        ("Ana", "Dot", {"rank": ""}, "Choose a rank. 1.1"),
        (
            "Ana",
            "Dot",
            {"rank": "commander", "shown": "captain"},
            "Dot is now Lieutenant. Reload the page and try again. 1.1",
        ),
        ("Ana", "Dot", {"rank": "lieutenant"}, "Dot is already Lieutenant. 1.1"),
        (
            "Cem",
            "Dot",
            {"rank": "commander"},
            "Cem is not one of the three leaders of the Coalition; only those leaders can give ranks.",
        ),
        ("Ana", "Skar", {"rank": "cpl"}, "1.1"),
        ("battle", "Dot", {"rank": "commander"}, "Only"),
        ("", "Dot", {"rank": "commander"}, "Only"),
        ("Ana", "Dot", {"act": "crown"}, "do that here any more"),
        ("Ana", "Dot", {"act": "active"}, "do that here any more"),
    ],
)
def test_an_act_that_cannot_be_is_refused_with_the_rule(
    game: Game, by: str, name: str, typed: dict[str, str], what: str
) -> None:
    before = player(game.world, name).rank
    refuses(act(game, by, name, **{"act": "rank", **typed}), "Nothing was changed.", what)
    assert player(game.world, name).rank == before


def test_a_rank_that_was_refused_stays_chosen(game: Game) -> None:
    page = refuses(act(game, "Ana", "Dot", act="rank", rank="captain"))
    assert '<option value="captain" selected>' in page


def test_a_leader_declares_a_player_inactive_and_takes_it_back(game: Game) -> None:
    """5.1."""
    refuses(act(game, "Ana", "Dot", act="inactive", reason=" "), "The reason is empty")
    assert typed_text(refuses(act(game, "Ana", "Dot", act="inactive", reason="z" * 2001))) == "z" * 2001
    redirects(act(game, "Ana", "Dot", act="inactive", reason="She is ill."), game.url("player", "Dot"))
    refuses(act(game, "Ana", "Dot", act="inactive", reason="Again."), "Dot is already declared inactive. 5.1")
    assert "Declared inactive 5.1 2 Mar 2026, by Ana: She is ill." in told(game.client().get(game.url("player", "Dot")))
    assert "declared inactive" in told(game.client().get(game.url("players")))
    refuses(act(game, "Cem", "Dot", act="active"), "Only a team's leaders can declare its players inactive. 5.1")
    redirects(act(game, "Ana", "Dot", act="active"), game.url("player", "Dot"))
    assert Declaration.objects.get().withdrawn_at == NOW


# One's own service


def test_only_players_have_a_service(game: Game) -> None:
    assert sends_to_log_in(game.client().get(game.url("service")))
    assert "You don't play in this round. Join a team" in told(newcomer().get(game.url("service")))
    assert "You don't play in this round." in told(newcomer().post(game.url("service"), {"act": "quit", "sure": "on"}))
    refuses(say(game, "Dot", act="dance"), "You can't do that here.")


def test_a_player_states_a_leave_and_is_back(game: Game) -> None:
    """5.1: through the last day."""
    redirects(say(game, "Dot", act="leave", since="2026-03-04", until="2026-03-06", note="Snow"), game.url("service"))
    leave = Leave.objects.get()
    assert (leave.since.isoformat()[:10], leave.until and leave.until.isoformat()[:10]) == ("2026-03-04", "2026-03-07")
    game.go_to(NOW + 3 * DAY)
    assert "away until 7 Mar" in told(game.client().get(game.url("players")))
    redirects(say(game, "Dot", act="back", leave=leave.pk), game.url("service"))
    refuses(say(game, "Dot", act="back", leave=leave.pk), "This absence is already over. 5.1")


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        (
            {"since": "2026-03-04", "until": "2026-03-03"},
            "Your absence would end before it begins. Choose a later end date. 5.1",
        ),
        ({"since": "soon"}, "“soon” is not a date. Write one like 2026-03-09. 5.1"),
        ({"since": GIANT}, "is not a date"),
        ({"since": NUL}, "is not a date"),
        ({"until": "99999-01-01"}, "is not a date"),
        ({"until": "2030-01-01"}, "Absences must begin and end within the next year. 5.1"),
        ({"note": "n" * 201}, "The note has 201 characters; the limit is 200. 5.1"),
        ({"note": NUL}, "5.1"),
    ],
)
def test_a_leave_that_cannot_be_is_refused_and_what_was_typed_stays(
    game: Game, typed: dict[str, str], what: str
) -> None:
    page = refuses(say(game, "Dot", act="leave", **{"note": "Snow", **typed}), what)
    assert 'value="Snow"' in page or "note" in typed
    assert not Leave.objects.exists()


@pytest.mark.parametrize("key", ["", "x", NUL, GIANT, "7" * 15, "another's"])
@pytest.mark.parametrize("which", ["leave", "change"])
def test_nobody_ends_anothers_leave_or_request(game: Game, which: str, key: str) -> None:
    skar = game.world.players["Skar"]
    leave = Leave.objects.create(player=skar, since=NOW, stated_at=NOW)
    change = NameChange.objects.create(player=skar, old="Skar", new="Scar", asked_at=NOW)
    wanted = str(leave.pk if which == "leave" else change.pk) if key == "another's" else key
    typed = {"act": "back", "leave": wanted} if which == "leave" else {"act": "keep-name", "change": wanted}
    refuses(say(game, "Dot", **typed), "You have no such ")
    leave.refresh_from_db()
    assert leave.until is None


def test_a_name_is_asked_for_granted_and_kept_in_the_history(game: Game) -> None:
    """1.6."""
    page = refuses(say(game, "Dot", act="name", name="Ana"), "“Ana” is taken. Capital letters don't make a difference.")
    assert 'value="Ana"' in page
    refuses(say(game, "Dot", act="name", name=NUL), "1.6")
    redirects(say(game, "Dot", act="name", name="Dorothea"), game.url("service"))
    assert "You asked to be called Dorothea. The battle judge decides." in told(
        game.client("Dot").get(game.url("service"))
    )
    refuses(say(game, "Dot", act="name", name="Dora"), "You have already asked for another name")
    judge = game.world.judges["battle"]
    decide_name(change=NameChange.objects.get(), judge=judge, grant=True, reason="", now=NOW)
    assert "Former nameDot, until" in told(game.client().get(game.url("player", "Dorothea")))
    assert "Dorothea" in game.page("player", "Dot")
    redirects(say(game, "Cem", act="name", name="Cemal"), game.url("service"))
    change = NameChange.objects.get(new="Cemal")
    redirects(say(game, "Cem", act="keep-name", change=change.pk), game.url("service"))
    assert LogEntry.objects.filter(action="name.asked").count() == 2


def test_factions_are_claimed_and_the_namesake_is_permitted(game: Game) -> None:
    """1.1.2, 5.3.2."""
    redirects(say(game, "Dot", act="factions", faction1="blue", faction2="green"), game.url("service"))
    assert player(game.world, "Dot").factions == ["blue", "green"]
    page = refuses(
        say(game, "Dot", act="factions", faction1="purple", faction2="red"),
        "“purple” is not one of the seven factions of the Coalition.",
    )
    assert "<option selected>red</option>" in page
    refuses(say(game, "Bo", act="factions"), "A Captain runs a faction, but Bo isn't in one. 1.1.2")
    assert "Factions" not in game.page("service", who="Skar")
    redirects(say(game, "Dot", act="permit", permits="on"), game.url("service"))
    assert player(game.world, "Dot").permits_namesake
    redirects(say(game, "Dot", act="permit"), game.url("service"))
    assert not player(game.world, "Dot").permits_namesake


def test_who_leaves_means_it(game: Game) -> None:
    refuses(say(game, "Dot", act="quit"), "Tick the box to confirm.")
    redirects(say(game, "Dot", act="quit", sure="on"), game.url("players"))
    assert player(game.world, "Dot").left_at == NOW
    assert "left 2 Mar 2026" in told(game.client().get(game.url("player", "Dot")))
    assert "As their leader" not in game.page("player", "Dot", who="Ana")
    refuses(act(game, "Ana", "Dot", act="rank", rank="commander"), "Dot no longer plays for the Coalition. 1.1")
