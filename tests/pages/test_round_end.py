"""1.5: the page of a round's end: who won, its story, medals, and everything open."""

import gzip
import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judging.battles.models import Battle, Result
from judging.import_export.views import public_file
from judging.rounds.ending import end_of
from judging.rounds.medals import MEDALS, Deeds, Deserts, FoughtBattle, Punctuality, medals_of, tally
from judging.turns.victories import confirm_victory
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR
from wargame.models import Round, Turn
from wargame.rules.core.board import read_square
from wargame.rules.core.sides import Side
from wargame.rules.settling.events import Captured, Fought, Killed, Liberated
from wargame.rules.telling.telling import event_to_json

__all__ = ["game"]

WON = {"kind": "won", "side": "coalition", "cites": "1.7.3", "why": "Phyrexia is gone"}
AT = read_square("3F")
COALITION, PHYREXIA = Side.COALITION, Side.PHYREXIA


def fought(winner: str, loser: str, lost: int) -> Fought:
    return Fought(AT, (winner,), (loser,), ((winner, (0, 0, 0, 0)), (loser, (lost, 0, 0, 0))))


@pytest.fixture
def over(game: Game) -> Game:
    """Ana beats Gaz in turn 2 and kills him; the Coalition has won."""
    game.world.post("Ben", "10D > 11D")
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name)
    game.world.score(battle, favours=0, bonus=10)
    Result.objects.update(odds=[300, 700], winner=0)
    game.world.settle(game.world.turn.lock_at + timedelta(minutes=1))
    turn = Turn.objects.get(number=2)
    killed = event_to_json(Killed("Gaz", AT, ("Ana",), "4.3"))
    Turn.objects.filter(pk=turn.pk).update(events=[*turn.events, killed])
    Turn.objects.filter(number=3).update(state="settled", settled_at=turn.settled_at, events=[WON])
    confirm_victory(round=game.world.round, judge=game.world.judges["battle"], winner="coalition", now=turn.lock_at)
    game.world.round.refresh_from_db()
    return game


def medal(game: Game, key: str) -> tuple[str, str]:
    found = end_of(Round.objects.get(pk=game.world.round.pk))
    assert found
    return next((each.holder, each.url) for each in found.medals if each.key == key)


def test_it_is_there_when_the_round_is_over_and_not_before(game: Game) -> None:
    answer = game.client().get(game.url("round-end"))
    assert answer.status_code == 404
    assert game.client().get("/api/v1/rounds/trial/end/").status_code == 404
    Round.objects.update(state="over")
    assert "No one won." in said(game.client().get(game.url("round-end")))


def test_it_tells_who_won_by_which_rule_and_the_story_turn_by_turn(over: Game) -> None:
    told = said(over.client().get(over.url("round-end")))
    assert "The Coalition won." in told
    assert "1.7.3" in told
    assert "Confirmed by Judge battle." in told
    assert "Turn 1 : 2 armies moved, 0 battles were fought." in told.replace("Turn 1:", "Turn 1 :")
    assert "1 battle was fought. Ana killed Gaz on 3F." in told


def test_the_map_and_the_page_of_rounds_lead_to_it(over: Game) -> None:
    for page in (over.url("map"), reverse("rounds")):
        assert over.url("round-end") in over.client().get(page).content.decode()


def test_everything_that_was_secret_is_one_click_away(over: Game) -> None:
    html = over.client().get(over.url("round-end")).content.decode()
    for name in ("round-book", "results", "verify", "export", "numbers", "log"):
        assert over.url(name) in html
        assert over.client().get(over.url(name)).status_code == 200, name


def test_medals_lead_to_their_evidence(over: Game) -> None:
    battle = Battle.objects.get()
    assert medal(over, "kills") == ("Ana", over.url("turn", 2))
    assert medal(over, "comeback") == ("Ana", over.url("battle", battle.pk))
    assert medal(over, "bloodiest") == ("Ana against Gaz", over.url("battle", battle.pk))
    assert medal(over, "punctual")[1] == over.url("player", "Ana")
    found = end_of(Round.objects.get(pk=over.world.round.pk))
    assert found
    for each in found.medals:
        assert over.client().get(each.url).status_code == 200, each


def test_the_api_tells_the_same(over: Game) -> None:
    told = over.client().get("/api/v1/rounds/trial/end/").json()
    assert told["victory"]["side"] == "coalition"
    assert [turn["number"] for turn in told["story"]] == [1, 2, 3]
    assert {each["key"] for each in told["medals"]} >= {"kills", "comeback", "punctual"}
    assert [each["kills"] for each in told["sides"] if each["side"] == "coalition"] == [1]


def test_it_takes_at_most_twenty_statements_and_fewer_when_it_is_kept(over: Game) -> None:
    client, counted = over.client("Ana"), []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            client.get(over.url("round-end"))
        counted.append(len(captured))
    assert counted[0] <= 20
    assert counted[1] < counted[0]


def test_the_file_of_a_round_that_is_over_is_made_once_and_kept_packed(
    over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = over.url("export")
    first = over.client().get(address, headers={"Accept-Encoding": "gzip"})
    assert first["Content-Encoding"] == "gzip"
    packed = first.content
    monkeypatch.setattr("judging.import_export.views.public_file", None)
    plain = b"".join(over.client().get(address, headers={"Accept-Encoding": ""}).streaming_content)
    assert gzip.decompress(packed) == plain
    assert json.loads(plain)["public"] is True
    assert over.client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_a_file_that_is_too_large_to_be_kept_is_made_each_time(over: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Round] = []
    monkeypatch.setattr("judging.import_export.views.MOST_KEPT", 100)
    monkeypatch.setattr(
        "judging.import_export.views.public_file", lambda round, now: made.append(round) or public_file(round, now)
    )
    for _ in range(2):
        answer = over.client().get(over.url("export"), headers={"Accept-Encoding": ""})
        assert json.loads(b"".join(answer.streaming_content))["public"] is True
    assert len(made) == 2


def test_losses_are_those_of_the_side_that_an_army_was_of() -> None:
    """4.5: Gaz was Phyrexian until Ana captured him, and once more after he was set free."""
    turns = [
        (1, [fought("Ana", "Gaz", 100), Captured("Gaz", "Ana", COALITION, AT)]),
        (2, [fought("Hex", "Gaz", 10), Liberated("Gaz", PHYREXIA, ())]),
        (3, [fought("Ana", "Gaz", 1)]),
    ]
    at_end = {"Ana": (COALITION, None), "Gaz": (PHYREXIA, None), "Hex": (PHYREXIA, None)}
    sides = {each.side: each for each in tally(turns, at_end, {}).sides}
    assert (sides[PHYREXIA].lost, sides[COALITION].lost) == (101, 10)
    assert (sides[COALITION].captures, sides[PHYREXIA].armies_lost) == (1, 1)


def test_an_army_keeps_its_deeds_under_a_new_name() -> None:
    """2.6."""
    turns = [(1, [fought("Old", "Gaz", 1), Killed("Gaz", AT, ("Old",), "4.3")])]
    at_end = {"New": (COALITION, None), "Gaz": (PHYREXIA, 1)}
    deeds = tally(turns, at_end, {"Old": "New"}).armies["New"]
    assert (deeds.won, deeds.kills) == (1, 1)


def deserts(
    *armies: Deeds, battles: tuple[FoughtBattle, ...] = (), players: tuple[Punctuality, ...] = ()
) -> dict[str, str]:
    return {each.key: each.holder for each in medals_of(Deserts("trial", armies, battles, players))}


def test_a_medal_goes_to_who_had_it_first_and_to_nobody_if_nobody_deserves_it() -> None:
    first = Deeds("Zed", COALITION, kills=2, turns={"kills": 3})
    later = Deeds("Ana", COALITION, kills=2, turns={"kills": 5})
    assert deserts(later, first) == {"kills": "Zed"}
    assert deserts() == {}


def test_only_a_living_army_of_a_team_survives_longest() -> None:
    dead, living = Deeds("A", COALITION, fought=9, died_in=8), Deeds("B", PHYREXIA, fought=2)
    raider = Deeds("C", Side.MERCENARY, fought=9)
    assert deserts(dead, living, raider)["survivor"] == "B"


def test_a_favourites_victory_is_no_comeback() -> None:
    names = (("A",), ("B",))
    battle = FoughtBattle(1, 1, "3F", names, 0, (500, 500), 5)
    assert "comeback" not in deserts(battles=(battle,))
    assert deserts(battles=(battle, battle._replace(odds=(499, 501))))["comeback"] == "A"


def test_the_most_punctual_played_half_as_long_as_anybody() -> None:
    short, long = Punctuality("A", 1, 1, 9), Punctuality("B", 3, 2, 9)
    assert deserts(players=(short, long))["punctual"] == "B"
    assert deserts(players=(short._replace(turns=2, wrote=2), long))["punctual"] == "A"
    assert deserts(players=(long, long._replace(player="C", ahead=HOUR.seconds)))["punctual"] == "C"


def test_the_documentation_has_every_medals_rule() -> None:
    with open("docs/play/medals.md", encoding="utf-8") as file:
        text = file.read()
    for _, title, rule, _ in MEDALS:
        assert f"| {title} | {rule} |" in text
