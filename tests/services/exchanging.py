"""A round of which much is known, to be written into a file and taken in again."""

import hashlib
import json
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from judging.import_export.exporting import Everything, Public, View, round_file
from judging.import_export.file_format import tables
from judging.turns.rulings.corrections import apply_correction
from judging.verification.checks import verify_round
from tests.keeping import kept
from tests.pages.catalogue import fill_catalogue
from tests.services.changing import change, make_war
from tests.services.ruling import new, propose
from tests.services.world_of_tests import HOUR, World
from wargame.models import Round


def written(view: View) -> bytes:
    return b"".join(round_file(view))


def whole(round: Round) -> bytes:
    return written(Everything(round))


def public(round: Round, now: Any = None) -> bytes:
    return written(Public(round, now or timezone.now()))


def gone(round: Round) -> None:
    """Takes a round and its people away, as if it had never been here."""
    people = User.objects.filter(pk__in=[*round.players.values_list("user", flat=True)])
    others = User.objects.filter(pk__in=[*round.judges.values_list("user", flat=True)])
    keys = [user.pk for user in [*people, *others]]
    with connection.constraint_checks_disabled():
        for table in reversed(tables()):
            ids = list(table.rows(round).values_list("pk", flat=True))
            table.model._base_manager.filter(pk__in=ids)._raw_delete("default")
    User.objects.filter(pk__in=keys).delete()


@kept
def play() -> World:
    """Three turns with posts, a battle, a change of troops, a correction, and things that are secret still."""
    fill_catalogue()
    world = make_war()
    world.post("Gaz", "12D > 10D; engage Ben")
    change(world)
    world.settle()
    correction = propose(world, new("square", "Cid", square="7D"))
    apply_correction(correction=correction, judge=world.judges["movement"], now=world.turn.opened_at + 2 * HOUR)
    battle = world.turn.battles.get()
    world.strat(battle, "Ben", "Ben", text="Ben hides in the SECRET-STRAT hills.")
    world.strat(battle, "Gaz", "Gaz", text="Gaz waits.")
    world.score(battle, favours=0, bonus=3)
    world.settle()
    world.post("Ana", "Ana: 3D > 4D", at=world.turn.opened_at + HOUR)
    world.post("Cid", "Cid: 7D > 8D SECRET-ORDER", at=world.turn.lock_at - 20 * HOUR, sealed=True)
    world.post("Lea", "Lea: hold", at=world.turn.lock_at - 19 * HOUR)
    return world


def sealed(document: dict[str, Any]) -> bytes:
    """A file of a document that somebody changed, with the right hash."""
    document.pop("sha256", None)
    body = json.dumps(document, ensure_ascii=False)[:-1].encode() + b",\n"
    return body + f'"sha256": "{hashlib.sha256(body).hexdigest()}"\n}}\n'.encode()


def verdicts(round: Round) -> list[tuple[int, tuple[str, ...]]]:
    return [(check.turn, tuple(check.differences)) for check in verify_round(round)]
