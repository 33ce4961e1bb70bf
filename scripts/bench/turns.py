"""The turns on which the rules are measured: positions, posts and chains."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from scripts.simulation.judging import judge_battles
from scripts.simulation.mustering import demo_board, hand_out, new_round
from scripts.simulation.posting import post
from wargame.rules.core.board import COLUMNS, PLAINS, ROWS, Board, Square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.names import Names
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop
from wargame.rules.core.turn import Manifest, PostedLine, Result, TurnInput
from wargame.rules.posts.notation import read_post
from wargame.rules.settlement import carry_out, settle

SEED = b"bench"
WARM_TURNS = 5


@dataclass(frozen=True)
class Posted:
    """A position and everybody's posts as text: (player, text), in the order of posting."""

    position: Position
    posts: tuple[tuple[str, str], ...]
    control: dict[str, tuple[str, ...]]
    manifests: tuple[Manifest, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def orders(self) -> int:
        return sum(text.count("\n") + 1 for _, text in self.posts)


def war(armies: int = 102, orders: int = 100, seed: int = 1) -> Posted:
    """A turn in the middle of a simulated round, with battles that were fought; everybody posts once, and together
    they give this number of orders."""
    random = Random(seed)
    position = new_round(demo_board(), random, armies)
    control = hand_out(position, random)
    for turn in range(WARM_TURNS):
        new_posts = post(position, control, random)
        results = judge_battles(position, random, SEED, turn)
        turn_input = TurnInput(new_posts.lines, control, new_posts.manifests, results)
        position = settle(position, turn_input, turn_dice(SEED, "bench", turn)).position
        control = {army.name: control[army.name] for army in position.armies}
    lines: list[PostedLine] = []
    manifests: list[Manifest] = []
    while len(lines) < orders:
        new_posts = post(position, control, random)
        lines += new_posts.lines
        manifests += new_posts.manifests
    texts: dict[str, list[str]] = {}
    for line in lines[:orders]:
        texts.setdefault(line.by, []).append(line.text)
    posts = tuple((by, "\n".join(post_lines)) for by, post_lines in texts.items())
    results = judge_battles(position, random, SEED, WARM_TURNS)
    return Posted(position, posts, control, tuple(manifests), results)


def replaces(armies: int = 100) -> Posted:
    """A chain of armies that each replace the one before; the first one moves on."""
    return _chain(armies, head_moves=True)


def bounces(armies: int = 100) -> Posted:
    """The same chain, but the first one stays: every move is thwarted by the one before it."""
    return _chain(armies, head_moves=False)


def fresh(position: Position) -> Position:
    """A copy of the position with nothing cached."""
    board = position.board
    return Position(
        Board(board.terrain, board.bases, board.towns),
        position.armies,
        position.battles,
        position.transits,
        position.fallen,
        position.won_by,
    )


def read(posted: Posted) -> TurnInput:
    """3.2.2.5: the posts as orders."""
    names = Names(army.name for army in posted.position.armies)
    lines = []
    for number, (by, text) in enumerate(posted.posts):
        for line in read_post(text, names):
            if isinstance(line, ReadOrder):
                lines.append(PostedLine(by, line.army, line.order, number, (number, line.number), True, line.text))
    return TurnInput(tuple(lines), posted.control, posted.manifests, posted.results)


def read_and_carry_out(posted: Posted) -> None:
    """R18, steps 1 to 6, from text."""
    carry_out(fresh(posted.position), read(posted), turn_dice(SEED, "bench", WARM_TURNS))


def read_and_settle(posted: Posted) -> None:
    """R18, from text."""
    settle(fresh(posted.position), read(posted), turn_dice(SEED, "bench", WARM_TURNS))


def settle_alone(posted: Posted) -> Callable[[], None]:
    """R18, from orders that were read before."""
    turn_input = read(posted)

    def work() -> None:
        settle(fresh(posted.position), turn_input, turn_dice(SEED, "bench", WARM_TURNS))

    return work


def _chain(armies: int, *, head_moves: bool) -> Posted:
    """Armies in a row that winds through the map, each moving to the square of the one before."""
    squares = _winding(armies + 1)
    chain = [_army(f"Army {place:03}", at) for place, at in enumerate(squares[1:], 1)]
    posts = []
    for ahead, army in zip((None, *chain), chain, strict=False):
        to = squares[0] if ahead is None else ahead.at
        suffix = f"; replace {ahead.name}" if ahead else ""
        if ahead or head_moves:
            posts.append((army.name, f"{army.name}: {army.at} > {to}{suffix}"))
    control: dict[str, tuple[str, ...]] = {army.name: (army.name,) for army in chain}
    return Posted(Position(Board(PLAINS), sorted_armies(chain)), tuple(posts), control)


def _winding(length: int) -> list[Square]:
    rows = (range(1, COLUMNS + 1) if row % 2 == 0 else range(COLUMNS, 0, -1) for row in range(len(ROWS)))
    return [Square(row, column) for row, columns in enumerate(rows) for column in columns][:length]


def _army(name: str, at: Square) -> Army:
    troops = tuple(
        Troop(slot, f"Elf {slot}", most, most, ("green",)) for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True)
    )
    return Army(name, Side.COALITION, at, Rank.LIEUTENANT, colors=("green",), troops=troops)
