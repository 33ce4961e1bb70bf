"""1.1, 3.1: The boards of a round, and who reads, writes and moderates each. Only this module decides it.

Everybody reads the public ones. Players and judges write on them, under their names in the round (1.6); on the open
board everybody who has an account can write.

Only players read the private ones. Judges read none as judges: a movement judge who plays (1.3) reads those of their
own team as its player, and an administrator none at all. A player who has left their team no longer reads any.

- A team's board is for all its players.
- A team's council is for the three who run it (1.1.1, 1.1.2): the General and their Admirals, the Chief Praetor
and their Praetors. 1.1.1 calls Phyrexia as a whole a Council; but everybody has the team's board, and those
three must be able to discuss ranks and armies before all hear of it. Nobody else is let in, so that nobody reads
it unseen.
- A faction's board is for the players who claim membership in it (1.1.2), the leaders not more than others.
- A conversation, private press, is for its participants who have not left it. The round says who may converse
(`Press`); that limits new messages, never the reading of old ones.

This module also decides who can be named on a board with `@` (1.6).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.accounts.bans import deleted_among
from judging.announcements.models import Notice
from judging.boards.models import Block, Participant
from judging.common.control import is_leader
from judging.common.markup import Marked, People, marked
from judging.common.request_cache import request_cached
from judging.common.viewer import Viewer
from wargame.models import Judge, Player, Round
from wargame.models.choices import Press, RoundState
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import TEAMS, Rank, Side

THREADS = Notice.Thread
COUNCILS = {
    Side.COALITION: gettext_noop("For the General and the two Admirals only."),
    Side.PHYREXIA: gettext_noop("For the Chief Praetor and the two Praetors only."),
}
TEAM_BOARDS = {
    Side.COALITION: gettext_noop("Coalition: Team"),
    Side.PHYREXIA: gettext_noop("Phyrexia: Team"),
}
COUNCIL_BOARDS = {
    Side.COALITION: gettext_noop("Coalition: Council"),
    Side.PHYREXIA: gettext_noop("Phyrexia: Council"),
}
FACTION_BOARDS = {
    "white": gettext_noop("White faction"),
    "blue": gettext_noop("Blue faction"),
    "black": gettext_noop("Black faction"),
    "red": gettext_noop("Red faction"),
    "green": gettext_noop("Green faction"),
    "multicolor": gettext_noop("Multicolor faction"),
    "colorless": gettext_noop("Colorless faction"),
}


@dataclass(frozen=True)
class Board:
    """3.1: A board. `side` is a team's; `color` is a faction's. `notices` is the thread whose posts by the service
    the board shows, too. `is_press`: it is a conversation, and `people` are its participants. `name` is its name in
    the log, and `told` its description: both are translated for the reader, except a conversation's."""

    key: str
    name: str
    told: str
    cites: str
    side: Side | None = None
    color: str = ""
    is_council: bool = False
    notices: str = ""
    is_press: bool = False
    people: tuple[Player, ...] = ()

    @property
    def title(self) -> str:
        return self.name if self.is_press else gettext(self.name)

    @property
    def about(self) -> str:
        return self.told if self.is_press else gettext(self.told)

    @property
    def is_public(self) -> bool:
        return self.side is None and not self.is_press

    @property
    def has_orders(self) -> bool:
        """3.1: Whether the board shows the posts of the movement thread."""
        return self.notices == THREADS.MOVEMENT

    @property
    def has_descriptions(self) -> bool:
        """2.5.1.2: Whether the board shows the descriptions of the bases."""
        return self.key == "bases"


OPEN = Board(
    "talk",
    gettext_noop("Open board"),
    gettext_noop("Everything else: questions, stories, players who want to join a team."),
    "1.1",
)
"""The board on which everybody who has an account can write."""

PUBLIC = (
    Board(
        "movement",
        gettext_noop("Orders"),
        gettext_noop("All orders and updates, and talk about them. Post orders in the Orders thread."),
        "3.1",
        notices=THREADS.MOVEMENT.value,
    ),
    Board(
        "announcements",
        gettext_noop("Battle Announcements"),
        gettext_noop("Which armies fight, the commitments, and talk about them."),
        "3.1 4.1.1",
        notices=THREADS.ANNOUNCEMENTS.value,
    ),
    Board(
        "results",
        gettext_noop("Battle Results"),
        gettext_noop("How battles ended, and talk about it."),
        "4.1.1",
        notices=THREADS.RESULTS.value,
    ),
    Board(
        "proxy",
        gettext_noop("Control List"),
        gettext_noop("Changes to the control list, and talk about them."),
        "5.2.1",
        notices=THREADS.PROXY.value,
    ),
    Board(
        "bases",
        gettext_noop("Base Descriptions"),
        gettext_noop("What the bases, portals and towns look like."),
        "2.5.1.2",
    ),
    OPEN,
)


def _private() -> Iterable[Board]:
    for side in TEAMS:
        yield Board(
            f"team-{side}",
            TEAM_BOARDS[side],
            gettext_noop("For all players of the team, and no one else."),
            "1.1",
            side,
        )
        rule = "1.1.2" if side is Side.COALITION else "1.1.1"
        yield Board(f"council-{side}", COUNCIL_BOARDS[side], COUNCILS[side], rule, side, is_council=True)
    for color in COLORS:
        about = gettext_noop("For players who claim membership in this faction.")
        yield Board(f"faction-{color}", FACTION_BOARDS[color], about, "1.1.2", Side.COALITION, color)


PRESS = "press-"
"""The prefix of a conversation's key."""

PRIVATE = tuple(_private())
BOARDS = {board.key: board for board in (*PUBLIC, *PRIVATE)}


def boards_for(viewer: Viewer) -> tuple[Board, ...]:
    """The boards that the viewer can read, public ones first."""
    return tuple(board for board in BOARDS.values() if may_read(viewer.player, board))


def board_for(viewer: Viewer, key: str) -> Board | None:
    """The board with that key, if the viewer can read it."""
    board = press_for(viewer).get(key) if key.startswith(PRESS) else BOARDS.get(key)
    return board if board and may_read(viewer.player, board) else None


@request_cached
def press_for(viewer: Viewer) -> dict[str, Board]:
    """1.6: The viewer's conversations that they have not left, by key, latest first."""
    if viewer.player is None:
        return {}
    ids = Participant.objects.filter(player=viewer.player, left_at__isnull=True).values("conversation")
    rows = Participant.objects.filter(conversation__in=ids, left_at__isnull=True, player__left_at__isnull=True)
    people: dict[str, list[Player]] = {}
    titles: dict[str, str] = {}
    for row in rows.select_related("player", "conversation__thread").order_by("-conversation", "player__name"):
        key = row.conversation.thread.key
        people.setdefault(key, []).append(row.player)
        titles[key] = row.conversation.title
    return {key: press_board(key, titles[key], tuple(players)) for key, players in people.items()}


def press_board(key: str, title: str, people: tuple[Player, ...]) -> Board:
    """1.6: A conversation as a board; without a title it is named after its participants."""
    names = ", ".join(player.name for player in people)
    return Board(
        key,
        title or names,
        gettext("Private messages between %(names)s.") % {"names": names},
        "1.6",
        is_press=True,
        people=people,
    )


def why_no_press(viewer: Viewer, people: Iterable[Player]) -> str:
    """1.6: The reason why the viewer may write to none of these players in private; empty if they may."""
    press, player = viewer.round.press, viewer.player
    if player is None:
        return gettext("Private messages are only for players in this round.")
    if press == Press.NONE:
        return gettext("This round has no private messages.")
    players = [each for each in people if each != player]
    if press == Press.TEAM and any(each.side != player.side for each in players):
        return gettext("In this round, you can only send private messages within your team.")
    if not players:
        return gettext("No one else is in this conversation.")
    if len(players) == 1 and Block.objects.filter(user=players[0].user_id, blocked=viewer.user_id).exists():
        return gettext("%(name)s doesn't accept private messages from you.") % {"name": players[0].name}
    return ""


def may_read(player: Player | None, board: Board) -> bool:
    """Whether a player of the round, who has not left, can read a board; None: anybody who does not play."""
    if board.is_public:
        return True
    if player is None or player.left_at is not None:
        return False
    if board.is_press:
        return player in board.people
    if player.side != board.side:
        return False
    if board.is_council:
        return is_leader(player)
    return not board.color or board.color in player.factions


def why_not_write(viewer: Viewer, board: Board) -> tuple[str, str]:
    """The reason why the viewer can't write on a board that they read, with the rule; empty if they can."""
    if viewer.round.state == RoundState.ARCHIVE:
        return gettext("This is an archive of a round played elsewhere. You can't write here."), ""
    if viewer.user_id is None:
        return gettext("Log in to write here."), "1.6"
    if board.is_press:
        return why_no_press(viewer, board.people), "1.6"
    if viewer.player or (board.is_public and viewer.roles) or board == OPEN:
        return "", ""
    return gettext("Only players and judges of %(name)s can write here. Anyone can write on the %(title)s.") % {
        "name": viewer.round.name,
        "title": OPEN.title,
    }, "1.6"


def may_moderate(viewer: Viewer, board: Board) -> bool:
    """1.3, 1.1: A judge of the round, on a public board; on a private one a leader of the team who reads it, and the
    Captain who runs the faction (1.1.2). Nobody in a conversation: reports from it go to the judges."""
    if viewer.round.state == RoundState.ARCHIVE or viewer.user_id is None:
        return False
    if board.is_public:
        return bool(viewer.roles)
    if board.is_press:
        return False
    player = viewer.player
    return player is not None and may_read(player, board) and (is_leader(player) or _runs(player, board))


def players_who_read(round: Round, board: Board) -> list[Player]:
    players = Player.objects.filter(round=round, left_at__isnull=True).order_by("name")
    return [player for player in players if may_read(player, board)]


def _runs(player: Player, board: Board) -> bool:
    """1.1.2: A Captain runs the faction of their rank, the first one."""
    return bool(board.color) and player.rank == Rank.CAPTAIN and player.factions[:1] == [board.color]


@dataclass(frozen=True)
class Named:
    """A reader of a board. `name` is the name after the `@`: their current or a former one (1.6)."""

    name: str
    address: str
    user_id: int


class Readers:
    """The people of a round who read a board, queried once."""

    def __init__(self, round: Round, board: Board) -> None:
        self._round, self._board = round, board

    @cached_property
    def players(self) -> list[Player]:
        return players_who_read(self._round, self._board)

    @cached_property
    def by_name(self) -> dict[str, Named]:
        """By names: current names before former ones, players before judges. A former name of a deleted account
        leads nowhere (1.6)."""
        slug, candidates = self._round.slug, []
        for player in self.players:
            candidates.append(Named(player.name, reverse("player", args=[slug, player.name]), player.user_id))
        if self._board.is_public:
            judges = Judge.objects.filter(round=self._round).order_by("pk")
            candidates += [Named(judge.name, reverse("players", args=[slug]), judge.user_id) for judge in judges]
        deleted_ids = deleted_among(player.user_id for player in self.players if player.former_names)
        for player in self.players:
            if player.user_id in deleted_ids:
                continue
            address = reverse("player", args=[slug, player.name])
            candidates += [Named(old, address, player.user_id) for old, _ in player.former_names]
        by_name: dict[str, Named] = {}
        names: set[str] = set()
        for one in candidates:
            if one.name.casefold() not in names:
                by_name[one.name] = one
                names.add(one.name.casefold())
        return by_name

    @cached_property
    def _people(self) -> People:
        return People({name: one.address for name, one in self.by_name.items()})

    def render(self, text: str) -> Marked:
        """A message as HTML, its mentions as links."""
        return marked(text, self._people)

    def named_in(self, text: str) -> set[int]:
        """The keys of the users whom a message mentions."""
        return {self.by_name[name].user_id for name in self.render(text).names}
