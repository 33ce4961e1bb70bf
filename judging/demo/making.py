"""The demo round made: loaded and played in one transaction, so that nobody ever sees half of it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from judging.armies.creatures.writes import load_own_list
from judging.battles.models import Battle, Result, Strat
from judging.demo.loading import load
from judging.demo.playing import Game, Say
from judging.demo.removing import remove
from judging.demo.times import PRESENT, calendar_for
from judging.demo.voting import hold_votes
from judging.game.rounds import current_turn
from judging.turns.models import Post, PostVersion
from wargame.models import Army, Player, Round


@transaction.atomic
def make(*, turn_length: timedelta | None, fresh: bool, now: datetime, say: Say) -> Round:
    """Makes the demo round; with `fresh` in the place of the one before. Refused if a log-in is somebody else's."""
    if fresh:
        remove()
    load_own_list()
    calendar = calendar_for(turn_length, now)
    say("Loading the demo round: its map, its people and its armies ...")
    round_ = load(calendar)
    Game(round_, calendar).play(say)
    hold_votes(round_, calendar)
    return round_


def summary(round_: Round) -> str:
    """What the round holds, in five lines."""
    battles = Battle.objects.filter(turn__round=round_)
    present = battles.filter(turn__number=PRESENT).count()
    turn = current_turn(round_)
    versions = PostVersion.objects.filter(post__turn__round=round_).count()
    posts = Post.objects.filter(turn__round=round_).count()
    fought = Result.objects.filter(battle__turn__round=round_).count()
    strats = Strat.objects.filter(entry__battle__turn__round=round_).count()
    armies = Army.objects.filter(round=round_, died_in__isnull=True).count()
    lines = [
        f"{round_.name} is ready: {armies} armies, {Player.objects.filter(round=round_).count()} players.",
        f"Turns: {PRESENT - 1} played, turn {PRESENT} open.",
        f"Posts: {posts}, with {versions - posts} edits.",
        f"Battles: {fought} fought, {present} on now; {strats} strats.",
        f"Battle deadline {turn.deadline:%d %B %H:%M:%S} UTC, lock {turn.lock_at:%d %B %H:%M:%S} UTC." if turn else "",
    ]
    return "\n".join(lines)
