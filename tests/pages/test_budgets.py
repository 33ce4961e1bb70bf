"""How often a page or a button asks the database: at most twenty times, whatever there is in the round.

All addresses are asked for that the URLconf has, by those who see most on them. What is counted is what a browser's
request costs, session and user included. Maps are kept by the process between requests, so a page that costs too much
is looked at once more: it counts what it costs who is not the first.

A button that does something has twenty reads as well, for what is checked before and read again under the hold, and ten
writes on top, and as much again for the links that its rows become. What is refused shows its page again, and has no
budget.
Savepoints and the like are not statements that anybody waits for, and are not counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from judging.armies.models import HandedIn, Muster
from judging.battles.desk.notes import add_criterion
from judging.battles.models import Battle, Criterion, Strat
from judging.common import locking
from judging.turns.models import Post
from judging.votes.models import Ballot, Vote
from tests.pages.commanding import chooses
from tests.pages.judge_desk import WHY, Desk, desk
from tests.pages.playing import Game, game
from tests.pages.raising import camp_round
from tests.pages.setting_up import MONDAY
from tests.pages.test_votes import TYPED as QUESTION
from tests.secrecy import plant, plant_setup
from tests.secrecy.checking import NO_GET
from tests.secrecy.pages import STEADY
from tests.secrecy.routes import Route, every_route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import body_of, each_address_once, every_address, visit
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import HOUR, UNLOCK, begin, make_round

__all__ = ["desk", "game"]

PAGE = 20
WRITES = 10

WITHOUT = {
    "rounds/<slug:slug>/export/": "a file of the whole round: a statement for each of its 28 tables, and their counts",
    "accounts/data/": "a file of all that is stored about a person: a statement for each of its 65 kinds of rows",
}
"""Addresses without a budget, each with its reason."""

SETUP = "rounds/<slug:slug>/setup/"
"""How the addresses of a set-up begin."""

VIEWERS = ("anonymous", "leader", "battle", "movement")

CONTROLS = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "SET ")


@dataclass
class Asked:
    """The statements of a request and its answer's status; `chain` are those by which a writer's transaction appends
    its links (R38)."""

    reads: list[str]
    writes: list[str]
    chain: list[str]
    status: int = 0

    @property
    def number(self) -> int:
        return len(self.reads) + len(self.writes)

    def __str__(self) -> str:
        return "\n".join(f"{number}x {sql[:160]}" for sql, number in Counter(self.reads + self.writes).most_common())


@contextmanager
def asking() -> Iterator[Asked]:
    """Counts what is asked of the database meanwhile."""
    asked = Asked([], [], [])

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        words = sql.lstrip(" (").upper()
        if locking.is_writing() and ("judging_chain" in sql or ' AS "pk"' in sql):
            asked.chain.append(sql)
        elif words.startswith("SELECT"):
            asked.reads.append(sql)
        elif not words.startswith(CONTROLS):
            asked.writes.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield asked


@pytest.fixture
def clock(db: None) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(UNLOCK, tick=False) as clock:
        yield clock


def over_budget(scene: Scene, routes: Iterable[Route]) -> list[str]:
    """The addresses of a world that cost somebody too much, the first and the last of each route."""
    found = []
    clients = {viewer: client_of(viewer, scene) for viewer in VIEWERS}
    for route in routes:
        places = list(every_address(scene, [route])) if route.pattern not in WITHOUT else []
        for address, is_fragment in dict.fromkeys((*places[:1], *places[-1:])):
            for viewer, client in clients.items():
                asked = asked_at(client, address, is_fragment)
                if asked.number > PAGE:
                    asked = asked_at(client, address, is_fragment)
                if asked.number > PAGE:
                    found.append(f"{viewer} at {address}: {asked.number}\n{asked}")
                if asked.status == NO_GET:  # for everybody the frame of all pages, and nothing in it
                    break
    return found


def asked_at(client: Client, address: str, is_fragment: bool) -> Asked:
    """What one visit costs."""
    with asking() as asked:
        answer = visit(client, address, is_fragment)
        body_of(answer)
    asked.status = answer.status_code
    return asked


@pytest.mark.parametrize("phase", ["planned", "open", "settled", "over"])
def test_a_page_asks_the_database_twenty_times_at_most(phase: str, clock: time_machine.Traveller) -> None:
    scene = plant_setup.planned(clock) if phase == "planned" else plant.at_phase(phase, clock)
    routes = [route for route in every_route() if phase != "over" or not route.pattern.startswith(STEADY)]
    with each_address_once():
        assert over_budget(scene, routes) == []


def test_a_page_of_a_set_up_that_is_ready_asks_no_more_often(clock: time_machine.Traveller) -> None:
    scene = plant_setup.ready(clock)
    assert over_budget(scene, [route for route in every_route() if route.pattern.startswith(SETUP)]) == []


def presses(name: str, client: Client, address: str, typed: Mapping[str, object], status: int = 302) -> None:
    """Sends a form that is not refused, within its budget."""
    with asking() as asked:
        answer = client.post(address, typed)
    assert answer.status_code == status, name
    assert len(asked.reads) <= PAGE, f"{name} reads {len(asked.reads)} times\n{asked}"
    assert len(asked.writes) <= WRITES, f"{name} writes {len(asked.writes)} times\n{asked}"
    assert len(asked.chain) <= PAGE, f"{name} asks {len(asked.chain)} times for its links"


def test_the_buttons_of_a_battles_sheet_keep_to_their_budget(desk: Desk) -> None:
    desk.both_strats()
    client, judge = desk.client("battle"), desk.world.judges["battle"]
    client.get(desk.address)
    strat, criterion = desk.battle.entries.get(name="Ana").strats.get(), add_criterion(judge=judge, name="Wit")
    typed = {"favours": "0", "bonus": "7", "narrative": "The ridge held.", "narrative_version": "0"}
    claim = {"strat": strat.pk, "claim": "They fly.", "verdict": "accepted", "cites": "2.2.3.1", "note": ""}
    presses("save", client, desk.address, {"act": "save", **typed, f"note_{criterion.pk}": "Witty."}, status=200)
    typed |= {"narrative_version": "1", f"note_{criterion.pk}": "Witty.", **WHY}
    presses("claim", client, f"{desk.address}do/claim/", {f"claim-{key}": value for key, value in claim.items()})
    presses("criterion", client, f"{desk.address}do/criterion/", {"criterion-name": "Nerve"})
    presses("retire", client, f"{desk.address}press/retire/", {"key": Criterion.objects.get(name="Nerve").pk})
    presses("ask", client, desk.address, {"act": "ask", **typed}, status=200)
    presses("lock", client, desk.address, {"act": "lock", **typed})
    presses("roll", client, desk.address, {"act": "roll", **typed})
    presses("publish", client, desk.address, {"act": "publish", **typed})
    assert desk.battle.result.narrative == "The ridge held."


def test_posting_and_editing_keep_to_their_budget(game: Game) -> None:
    client = game.client("Ana")
    client.get(game.url("movement"))
    post = {"text": "Ana: 3D > 3E", "token": "one", "turn": game.world.turn.number, "send": "open"}
    presses("post", client, game.url("post-new"), post)
    key = Post.objects.get().pk
    presses("edit", client, game.url("post-edit", key), {"text": "Ana: 3D > 4D", "base_version": 1})
    presses("withdraw", client, game.url("post-withdraw", key), {})


def test_sending_a_strat_keeps_to_its_budget(game: Game) -> None:
    address = game.url("strat", game.battle().pk, "Ana")
    client = game.client("Ana")
    client.get(address)
    presses("strat", client, address, {"text": "Hold the ford.", "token": "one", "risk": ""})
    assert Strat.objects.count() == 1


def test_a_vote_keeps_to_its_budget(game: Game) -> None:
    presses("call", game.client("Ana"), game.url("vote-new"), QUESTION)
    vote, client = Vote.objects.get(), game.client("Ben")
    client.get(game.url("vote", vote.pk))
    presses("vote", client, game.url("vote", vote.pk), {"choice": "0", "act": "cast"})
    assert Ballot.objects.filter(vote=vote, cast_at__isnull=False).exists()


def test_a_request_for_changes_of_control_keeps_to_its_budget(db: None) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        game = Game(make_teams(), clock)
        client = game.client("Ana")
        client.get(game.url("control-request"))
        presses("control", client, game.url("control-request"), chooses(game, {"Gum": "Dot"}))


def test_accepting_all_proxies_reads_no_more_often_than_any_button(clock: time_machine.Traveller) -> None:
    clock.move_to(MONDAY)
    camp = camp_round()
    camp.do("setup-proxies", "make-up")
    client, address = camp.client("Judy"), camp.url("setup-proxies")
    client.get(address)
    with asking() as asked:
        client.post(address, {"act": "accept-all"})
    assert Muster.objects.filter(state=HandedIn.ACCEPTED).count() == 7
    assert len(asked.reads) <= PAGE, str(asked)


PAIRS = (("Ana", "3D", "Gaz", "3F"), ("Bea", "10D", "Gor", "10F"), ("Cid", "17D", "Gul", "17F"))


def asked_with(pairs: int) -> dict[str, int]:
    """How often the great pages ask in a round of so many battles, whose results are public."""
    armies: dict[str, tuple[str, str, str]] = {}
    for ours, at, theirs, there in PAIRS[:pairs]:
        armies |= {ours: ("coalition", at, "captain"), theirs: ("phyrexia", there, "evincar")}
    world = begin(make_round(armies))
    for ours, at, theirs, there in PAIRS[:pairs]:
        world.post(ours, f"{at} > {there}; engage {theirs}")
    world.settle()
    battles = list(Battle.objects.filter(turn=world.turn))
    assert len(battles) == pairs
    for battle in battles:
        for entry in battle.entries.all():
            world.strat(battle, entry.name, entry.name)
        world.score(battle)
    with time_machine.travel(world.turn.opened_at + 5 * HOUR, tick=False) as clock:
        game = Game(world, clock)
        names = ("results", "battles", "command", "players", "movement", "mine")
        pages = {name: (game.url(name), "Ana") for name in names}
        pages["desk"] = reverse("judge:index"), "battle"
        pages["control"] = reverse("judge:command", args=[world.round.pk]), "battle"
        found = {}
        for name, (address, who) in pages.items():
            client = game.client(who)
            assert client.get(address).status_code == 200
            with asking() as asked:
                client.get(address)
            found[name] = asked.number
    return found


def test_pages_ask_no_more_often_of_a_larger_round(db: None) -> None:
    with transaction.atomic():
        small = asked_with(1)
        transaction.set_rollback(True)
    assert asked_with(3) == small
    assert max(small.values()) <= PAGE
