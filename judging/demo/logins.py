"""Who can log in to the demo round, and what waits for each of them."""

from __future__ import annotations

from judging.battles.models import Battle, BattleArmy
from judging.battles.strats.reads import all_sent
from judging.demo import fixtures
from judging.game.rounds import current_turn
from judging.turns.models import Post
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core.sides import Side

Row = tuple[str, str, str]

WAITING_FOR_STRATS, WITHOUT_POSTS = 2, 2
"""How many players of each kind are named."""


def table_of_logins(round_: Round) -> str:
    """The log-ins worth trying as a table: role, log-in, and what waits for him."""
    turn = current_turn(round_)
    rows = [*_judges(round_, turn), *_players(round_, turn), _onlooker()]
    head = ("role", "log-in", "what waits")
    widths = [max(len(row[column]) for row in (head, *rows)) for column in (0, 1)]
    lines = [f"{role:<{widths[0]}}  {name:<{widths[1]}}  {what}" for role, name, what in (head, *rows)]
    title = f"Demo log-ins, all with the password {fixtures.password()}:"
    more = "Every other player's log-in is his name in small letters, without blanks and signs."
    return "\n".join([title, "", *(f"  {line}" for line in lines), "", more])


def _judges(round_: Round, turn: Turn | None) -> list[Row]:
    battles = list(Battle.objects.filter(turn=turn, state=Battle.State.WAITING))
    ready = sum(map(all_sent, battles))
    waits = {
        Role.BATTLE: f"{_count(ready, 'battle')} to score, at /judge/ ({len(battles) - ready} more want strats)",
        Role.MOVEMENT: _for_movement(turn),
        Role.MERCENARY: "the mercenaries' orders, which follow the guidelines unless he orders otherwise, at /judge/",
    }
    judges = {judge.role: judge for judge in Judge.objects.filter(round=round_).select_related("user")}
    return [(role.label, judges[role].user.get_username(), what) for role, what in waits.items() if role in judges]


def _for_movement(turn: Turn | None) -> str:
    """3.3.3: there is a draft between a turn's lock and its settlement, and at no other time."""
    if turn and turn.state == TurnState.MOVED:
        return f"the draft of turn {turn.number}'s moves, at /judge/"
    if turn and turn.state == TurnState.OPEN:
        return f"nothing before turn {turn.number} locks; then a draft of its moves, at /judge/"
    return "rulings and corrections, at /judge/"


def _players(round_: Round, turn: Turn | None) -> list[Row]:
    """Some whose battles want a strat, then some who have posted nothing yet."""
    missing = BattleArmy.objects.filter(battle__turn=turn, strats__isnull=True).order_by("battle__number", "side")
    waiting = missing.exclude(army__controls__player=None).filter(army__controls__until__isnull=True)
    rows: dict[str, Row] = {}
    for army, at, pk in waiting.values_list("army__name", "battle__at", "army__controls__player"):
        if len(rows) < WAITING_FOR_STRATS:
            player = Player.objects.select_related("user").get(pk=pk)
            rows.setdefault(player.name, _row(player, f"a strat for {army}, who fights on {at}"))
    posted = Post.objects.filter(turn=turn).values_list("player_id", flat=True)
    silent = Player.objects.filter(round=round_).exclude(pk__in=list(posted)).exclude(name__in=rows)
    for player in silent.select_related("user").order_by("name")[:WITHOUT_POSTS]:
        rows[player.name] = _row(player, "orders for this turn: none are posted yet")
    return list(rows.values())


def _row(player: Player, what: str) -> Row:
    side = Side(player.side).title.removeprefix("the ")
    return f"player, {side}", player.user.get_username(), what


def _onlooker() -> Row:
    (onlooker, *_) = fixtures.read("people")["onlookers"]
    return "onlooker", onlooker["username"], "nothing; sees what the public sees"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
