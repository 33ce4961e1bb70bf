"""The secrets of card tables: decks, hands, standing orders, hidden choices, seeds, salts and links of invitation."""

from datetime import datetime

from judging.inbound_email.models import SeatAddress
from judging.tables.cards.decks import save_deck
from judging.tables.conduct.appeals import contested, lodge_at_table
from judging.tables.conduct.sanctions import NewSanction, sanction
from judging.tables.models import DeckVersion, Entry, Hidden, Table
from judging.tables.services import judges, opening, posting
from judging.tables.services.judges import TableVerdict
from judging.tables.talk.services import report_at_table, say_at_table
from tables.core.entries import Kind
from tests.secrecy.scene import Scene

CARDS = 12
NAMES = {"author": "Tess", "enemy": "Ulf"}
JUDGES = {"battle": "Magda", "battle second": "Nils"}


def plant(scene: Scene, at: datetime) -> None:
    """A free table in the middle of a game: the author's and his enemy's cards lie in their hands and decks."""
    table = opening.open_table(
        user=scene.users["author"],
        plan=opening.TablePlan("A planted table", "free", "default", is_invited=True),
        now=at,
    )
    Table.objects.filter(pk=table.pk).update(invitation=_link(scene))
    table.refresh_from_db()
    for viewer, name in JUDGES.items():
        judges.name_judge(
            table=table, by=scene.users["author"], username=scene.users[viewer].username, name=name, now=at
        )  # fmt: skip
    for viewer, name in NAMES.items():
        deck = _deck(scene, viewer, at)
        coming = opening.Coming(name, deck, f"a word of {name} for the cut", invitation=table.invitation)
        opening.sit_down(table=table, user=scene.users[viewer], coming=coming, now=at)
    _play(scene, table, at)
    seat = table.seats.get(user=scene.users["author"])
    box = scene.mark("mail box of a seat", "author")
    SeatAddress.objects.create(seat=seat, user=scene.users["author"], token=box, made_at=at)
    _talk(scene, table, at)
    _contest(scene, table, at)
    _seek_players(scene, at)
    table.refresh_from_db()
    scene.note(bytes(table.seed).hex(), "seed of a table")
    for seat in table.seats.all():
        scene.note(seat.salt, "salt of a table")
    for secret in Hidden.objects.filter(entry__table=table):
        scene.note(secret.salt, "salt of a table")


def _deck(scene: Scene, viewer: str, at: datetime) -> DeckVersion:
    text = "".join(f"1 {scene.mark('card of a deck', viewer)}\n" for _ in range(CARDS))
    return save_deck(
        user=scene.users[viewer], deck=None, name=scene.mark("name of a deck", viewer), text=text, game="free",
        card_list=None, now=at,
    )  # fmt: skip


def _play(scene: Scene, table: Table, at: datetime) -> None:
    """Both draw three cards by agreement, and each gives a standing order that names a card of his own."""
    for viewer, line in (("author", "propose: A draws 3; B draws 3"), ("enemy", "accept 1")):
        _post(scene, table, viewer, line, at)
    for viewer in NAMES:
        version = DeckVersion.objects.get(deck__owner=scene.users[viewer])
        card = sorted(version.data["main"])[0]
        _post(scene, table, viewer, f"pass unless {card} attacks", at, kind="order")


def _post(scene: Scene, table: Table, viewer: str, line: str, at: datetime, *, kind: Kind = "act") -> None:
    head = Table.objects.get(pk=table.pk).head
    posting.post(
        table=table, user=scene.users[viewer], lines=[line], on=head, token=f"{viewer} {line[:9]}", now=at, kind=kind
    )  # fmt: skip


def _talk(scene: Scene, table: Table, at: datetime) -> None:
    """Somebody who watches says what no player may read, and is reported."""
    say_at_table(table=table, user=scene.users["author"], board="talk", text="Well met.", token="a", now=at)
    said = scene.mark("talk of watchers", "outsider")
    made = say_at_table(table=table, user=scene.users["outsider"], board="watchers", text=said, token="b", now=at)
    why = scene.mark("report at a table", "leader")
    report_at_table(table=table, user=scene.users["leader"], number=made.number, reason=why, now=at)


def _contest(scene: Scene, table: Table, at: datetime) -> None:
    """A ruling that a player appeals against, and a sanction."""
    head = Table.objects.get(pk=table.pk).head
    verdict = TableVerdict("nothing happens", "K42", "It means nothing.")
    entry = judges.rule(table=table, user=scene.users["battle"], verdict=verdict, on=head, token="r", now=at)
    assert isinstance(entry, Entry)
    about = contested(table, "ruling", entry.n)
    assert about is not None
    lodge_at_table(
        table=table, user=scene.users["author"], about=about, cites="K42", reason="It means much.", token="p", now=at
    )  # fmt: skip
    given = NewSanction("warning", NAMES["enemy"], "1.3", "He shouted.")
    sanction(table=table, user=scene.users["battle"], given=given, token="s", now=at)


def _seek_players(scene: Scene, at: datetime) -> None:
    """A table by invitation that waits for players: its name and its link are its opener's until then."""
    plan = opening.TablePlan(scene.mark("table by invitation", "author"), "free", "default", is_invited=True)
    table = opening.open_table(user=scene.users["author"], plan=plan, now=at)
    Table.objects.filter(pk=table.pk).update(slug="by-invitation", invitation=_link(scene))


def _link(scene: Scene) -> str:
    """The secret part of a link, as long as the row lets it be."""
    text = f"zqxlink{len(scene.markers)}z"
    scene.note(text, "link of an invitation", "author")
    return text
