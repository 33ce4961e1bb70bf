"""What the tests of card tables share: a list with its decks, people, and a table that has just started."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.contrib.auth.models import User

from judging.tables import game_state, queries
from judging.tables.cards import lists
from judging.tables.models import DeckVersion, Entry, JudgeProposal, Seat, Table, TableJudge
from judging.tables.queries import TableView, table_view
from judging.tables.services import judges, opening, posting
from tables.core.lines.actions import Action
from tables.core.state import State

OPENED = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORDS = {"Ana": "seven bells over the bay", "Bo": "an otter under the ice", "Cy": "nobody else's business"}


def person(name: str) -> User:
    """Somebody with a log-in."""
    found = User.objects.filter(username=name.lower()).first()
    return found or User.objects.create_user(name.lower(), f"{name.lower()}@example.org", "a-word-for-tests")


def deck(name: str) -> DeckVersion:
    """One of the decks that anybody may play."""
    return DeckVersion.objects.get(deck__name=name, deck__owner__isnull=True)


@dataclass
class Game:
    """A table in the middle of a test, and its clock, which each post moves on by a minute."""

    table: Table
    now: datetime

    def row(self) -> Table:
        """The table's row as it is now."""
        return Table.objects.select_related("card_list").get(pk=self.table.pk)

    def seat(self, name: str) -> Seat:
        """Somebody's seat."""
        return Seat.objects.get(table=self.table, name=name)

    def state(self) -> State:
        """The whole state, which no page reads."""
        return game_state.state_of(self.row())

    def view(self, name: str = "") -> TableView:
        """The table as somebody sees it."""
        return table_view(self.row(), person(name) if name else _nobody(), self.now)

    def post(self, name: str, *lines: str, on: str | None = None, token: str = "", order: bool = False) -> Entry:
        """Somebody posts, a minute later."""
        self.now += timedelta(minutes=1)
        head = self.row().head if on is None else on
        return posting.post(
            table=self.table, user=person(name), lines=lines, on=head, token=token or f"form {self.now}", now=self.now,
            kind="order" if order else "act",
        )  # fmt: skip

    def press(self, name: str, action: Action, on: str | None = None) -> Entry:
        """Somebody presses a button, a minute later."""
        self.now += timedelta(minutes=1)
        head = self.row().head if on is None else on
        return posting.post(
            table=self.table, user=person(name), action=action, on=head, token=f"form {self.now}", now=self.now
        )

    def stops(self, name: str, *names: str) -> Entry:
        """Somebody says where he wants to be asked."""
        self.now += timedelta(minutes=1)
        return posting.post(
            table=self.table, user=person(name), lines=names, on=self.row().head, token=f"stops {self.now}",
            now=self.now, kind="stops",
        )  # fmt: skip

    def waited(self) -> str:
        """Who is waited for: the first of them by letter."""
        seats = [seat for seat in self.table.seats.order_by("letter") if seat.asked_at is not None]
        return seats[0].name

    def go_on(self, until: str) -> None:
        """Everybody does nothing until this kind of thing is waited for."""
        for _ in range(60):
            seen = self.view(self.waited())
            assert seen.waits is not None
            if seen.waits.kind == until or seen.view["turn"]["at"] == until:
                return
            self.post(self.waited(), seen.legal[0])
        raise AssertionError(f"{until} does not come")


def _nobody() -> queries.User:
    from django.contrib.auth.models import AnonymousUser

    return AnonymousUser()


def plan(**changes: object) -> opening.TablePlan:
    """A table of Kryptik for two, unless told otherwise."""
    said: dict[str, object] = {"name": "At the harbour", "game": "kryptik", "format": "constructed", **changes}
    if said["game"] != "free" and "card_list" not in said:
        said["card_list"] = lists.take_made_up(str(said["game"]), OPENED)
    return opening.TablePlan(**said)  # type: ignore[arg-type]


def opened(**changes: object) -> Table:
    """A table that Ana has opened."""
    return opening.open_table(user=person("Ana"), plan=plan(**changes), now=OPENED)


def sit(table: Table, name: str, deck_name: str = "", **coming: str) -> Seat:
    """Somebody sits down."""
    version = deck(deck_name or {"Ana": "Harbour", "Bo": "Ember", "Cy": "Harbour"}[name])
    said = {"word": WORDS[name], **coming} if table.cuts == "simple" else coming
    return opening.sit_down(
        table=table, user=person(name), coming=opening.Coming(name, version, **said), now=OPENED
    )  # fmt: skip


def appoint(table: Table, name: str, now: datetime = OPENED, *, by: str = "Ana") -> TableJudge:
    """Somebody judges a table: proposed there, and everybody who sits at it agrees."""
    username = person(name).username
    made = judges.name_judge(table=table, by=person(by), username=username, name=name, now=now)
    if isinstance(made, TableJudge):
        return made
    for seat in table.seats.select_related("user"):
        if not JudgeProposal.objects.filter(pk=made.pk, closed_at=None).exists():
            break
        judges.answer_proposal(table=table, by=seat.user, proposal_id=made.pk, agrees=True, now=now)
    return TableJudge.objects.get(table=table, name=name)


def running(seed: bytes = b"\7" * 32, **changes: object) -> Game:
    """A table of Kryptik at which Ana and Bo have just been dealt their hands."""
    with patch("judging.tables.services.opening.new_seed", return_value=seed):
        table = opened(**changes)
    for name in ("Ana", "Bo"):
        sit(table, name)
    return Game(Table.objects.get(pk=table.pk), OPENED)
