"""Import of a round file as rows in one transaction, after all checks, with accounts for its people."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import Model, ProtectedError, UniqueConstraint
from django.utils.text import slugify
from django.utils.translation import gettext

from judging.accounts.models import Account
from judging.accounts.names import account_for
from judging.chain import services as chain
from judging.chain.queries import are_forms, is_opened
from judging.chain.rows import PLACES, translated
from judging.common import locking
from judging.common.errors import Refused
from judging.import_export.file_format import LINKS, BadFile, ExchangeTable, row_place, tables
from judging.import_export.parsing import RoundFile, Values, read_round_file
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.battle.battle import receipt
from wargame.rules.book.book import book_commitment
from wargame.rules.core import codec, dice
from wargame.rules.core.names import key
from wargame.rules.core.position import Position
from wargame.rules.core.wording import listed

LONGEST = 150


@dataclass
class People:
    """The users for the log-ins of a file: `made` ones without a password; `linked` ones existed already."""

    users: dict[str, User] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)

    def of(self, name: str) -> User:
        return self.users[name]


def people_for(names: Iterable[str], *, link: bool, known: Mapping[str, User] | None = None) -> People:
    """A user for each log-in of a file. No existing user gets a seat unasked: with `link`, users of the same log-in
    do; without it a new account with a similar name is made. `known` are accounts, by log-in, that were made for the
    same people before."""
    people = People()
    for name in names:
        here = User.objects.filter(username=name).first()
        if here is not None and link:
            people.users[name] = here
            people.linked.append(name)
        elif known and name in known:
            people.users[name] = known[name]
        else:
            people.users[name] = _new_user(name)
            people.made.append(people.users[name].username)
    return people


@locking.writes
def link_seat(*, round: Round, name: str, user: User) -> str:
    """1.6: give the seat of an imported player or judge of that name to an existing user; returns a message with their
    new role.

    Refused for an unknown name, and for a seat whose account can log in.
    """
    player = Player.objects.select_related("user").filter(round=round, name=name).first()
    judges = list(Judge.everybody.select_related("user").filter(round=round, name=name))
    seats = [player] if player else judges
    if not seats:
        raise Refused(
            gettext("No one called “%(name)s” plays or judges in %(round)s.") % {"name": name, "round": round}
        )
    before = seats[0].user
    if before == user:
        return f"{user.username} is {name} already."
    if before.has_usable_password():
        raise Refused(
            gettext(
                "%(name)s already has an account that someone logs in to (%(before)s), so no one else can take "
                "that place."
            )
            % {"name": name, "before": before.username}
        )
    other_player = Player.objects.filter(round=round, user=user).first()
    if player and other_player:
        raise Refused(
            gettext("%(user)s already plays as %(taken)s in %(round)s.")
            % {"user": user.username, "taken": other_player.name, "round": round}
        )
    _check_no_player_judges(round, user, plays=player is not None, roles=[judge.role for judge in judges])
    for seat in seats:
        seat.user = user
        seat.save(update_fields=["user"])
    _tidy(before)
    return f"{user.username} is {name} in {round} now."


def _check_no_player_judges(round: Round, user: User, *, plays: bool, roles: Collection[str]) -> None:
    """1.3, 6: no player gets the seat of a battle or mercenary judge, nor the other way round."""
    closed = {Role.BATTLE.value: "1.3", Role.MERCENARY.value: "6"}
    plays = plays or Player.objects.filter(round=round, user=user).exists()
    roles = [*roles, *Judge.everybody.filter(round=round, user=user).values_list("role", flat=True)]
    for role in roles:
        if plays and role in closed:
            raise Refused(
                gettext("The %(role)s of %(round)s can't be a player.") % {"role": Role(role).label, "round": round},
                closed[role],
            )


def _new_user(name: str) -> User:
    """An account of that log-in, or of a similar one if it is taken. Nobody can log in to it."""
    free, number = name, 1
    while User.objects.filter(username__iexact=free).exists() or Account.objects.filter(key=key(free)).exists():
        number += 1
        free = f"{name[: LONGEST - 1 - len(str(number))]}-{number}"
    user = User(username=free, first_name=free)
    user.set_unusable_password()
    user.save()
    account_for(user)
    return user


def _tidy(user: User) -> None:
    """Delete an account that is no longer needed; one that is named in a log or in the chain stays."""
    try:
        with locking.transaction():
            user.delete()
    except ProtectedError:
        pass


A_BATCH = 100
"""Rows of one statement; some contain a whole map."""

NAMED = ("player", "army", "base", "town", "mercenaryplan")
"""Tables whose names are unique regardless of case."""


@dataclass(frozen=True)
class ImportedRound:
    round: Round
    rows: dict[str, int]
    people: People
    is_public: bool


class LaterLink(NamedTuple):
    """A link to a row that is created later: the field, and the table and number of its target."""

    row: Model
    field: str
    table: str
    number: int


def import_round(data: bytes, *, slug: str = "", play: bool = False, link: bool = False) -> ImportedRound:
    """Import a round from a file, all or nothing. BadFile says what is wrong and where.

    A running round becomes an archive, which can be viewed and recomputed; with `play` it is played on here. `slug` is
    another address than the file's; the dice keep the old one (R38). `link` gives seats to users of the same log-ins.
    Refused if there is a round of that address, and for playing on from a public file.
    """
    round_file = read_round_file(data)
    _check_round_file(round_file)
    _rename(round_file.round, slug)
    if play and round_file.is_public:
        raise Refused(
            gettext(
                "This file contains only public data, without seeds or strats, so the round can't be continued from it."
            )
        )
    if Round.objects.filter(slug=round_file.round["slug"]).exists():
        existing_slug = round_file.round["slug"]
        raise Refused(
            gettext("There is already a round “%(taken)s” here. Import this one under another slug.")
            % {"taken": existing_slug}
        )
    if round_file.round["state"] == RoundState.RUNNING and not play:
        round_file.round["state"] = RoundState.ARCHIVE
    with locking.transaction():
        people = people_for(_people(round_file), link=link)
        created = _create_all(round_file, people)
    return ImportedRound(
        cast(Round, created["round"][0]),
        {name: len(rows) for name, rows in created.items()},
        people,
        round_file.is_public,
    )


def _rename(round: Values, slug: str) -> None:
    if not slug or slug == round["slug"]:
        return
    if slugify(slug) != slug or len(slug) > 50:
        raise Refused(
            gettext("“%(value)s” can't be part of an address. Use up to 50 lower-case letters, digits and hyphens.")
            % {"value": slug[:60]}
        )
    round["drawn_as"] = round["drawn_as"] or round["slug"]
    round["slug"] = slug


def _people(round_file: RoundFile) -> list[str]:
    """The log-ins of a file; a public one names none, so each seat gets one that is made from its name."""
    if not round_file.is_public:
        return [*_log_ins_of(round_file)]
    names: dict[str, None] = {}
    for table in ("player", "judge"):
        for row in round_file.rows[table]:
            row["user"] = f"{round_file.round['slug']}-{slugify(row['name']) or 'somebody'}"[:150]
            names[row["user"]] = None
    return [*names]


def _create_all(round_file: RoundFile, people: People) -> dict[str, list[Model]]:
    created: dict[str, list[Model]] = {}
    later: list[LaterLink] = []
    for table in tables():
        rows = [_row(table, values, created, people, later) for values in round_file.rows[table.name]]
        _create(table, rows)
        created[table.name] = rows
    for row, name, to, number in later:
        setattr(row, name, created[to][number - 1])
        type(row)._default_manager.filter(pk=row.pk).update(**{name: created[to][number - 1]})
    _put_keys(created)
    if created["chainhead"]:
        chain.forget()
        chain.adopt(cast(Round, created["round"][0]))
    elif created["turn"] and not round_file.is_public:
        chain.begin(cast(Round, created["round"][0]))
    return created


def _row(
    table: ExchangeTable, values: Values, created: dict[str, list[Model]], people: People, later: list[LaterLink]
) -> Model:
    """An unsaved row. A link to a row that is made `later` stays empty until then."""
    row = table.model(**{field.name: values[field.name] for field in table.fields})
    if table.path.split("__")[0] == "round":
        row.round = created["round"][0]  # type: ignore[attr-defined]
    for link, to in table.links:
        number = values[link.name]
        if number is not None and to in created:
            setattr(row, link.attname, created[to][number - 1].pk)
        elif number is not None:
            later.append(LaterLink(row, link.name, to, number))
    for link in table.users:
        setattr(row, link.name, people.of(values[link.name]) if values[link.name] else None)
    if table.name == LINKS and values["key"]:
        rows = created.get(values["kind"], [])
        row.key = rows[values["key"] - 1].pk if 1 <= values["key"] <= len(rows) else None  # type: ignore[attr-defined]
    return row


def _create(table: ExchangeTable, rows: list[Model]) -> None:
    manager = table.model._default_manager
    try:
        with locking.transaction():
            manager.bulk_create(rows, batch_size=A_BATCH)
    except IntegrityError:
        _find_the_wrong_one(table, rows)
        raise


def _find_the_wrong_one(table: ExchangeTable, rows: list[Model]) -> None:
    """Raise BadFile for the row that the database rejects."""
    for number, row in enumerate(rows, 1):
        row.pk = row.pk if table.name == "post" else None
        try:
            with locking.transaction():
                table.model._default_manager.bulk_create([row])
        except IntegrityError as error:
            raise BadFile(
                gettext("invalid value: %(error)s") % {"error": error}, row_place(table.name, number)
            ) from None


def _put_keys(created: dict[str, list[Model]]) -> None:
    """Replace row numbers in JSON by the rows' keys."""

    def key(to: str, number: int) -> object:
        rows = created[to]
        return rows[number - 1].pk if 1 <= number <= len(rows) else None

    for table, name in PLACES:
        for row in created[table]:
            value = getattr(row, name)
            put = translated(table, name, value, key)
            if put != value:
                type(row)._default_manager.filter(pk=row.pk).update(**{name: put})


def _check_round_file(round_file: RoundFile) -> None:
    """BadFile for the first error; nothing is written before all is checked."""
    for table in tables():
        _check_unique(table, round_file.rows[table.name])
    for name in NAMED:
        _check_names(name, round_file.rows.get(name, []))
    positions = _check_turns(round_file)
    _check_armies(round_file, positions)
    _check_seeds(round_file)
    _check_strats(round_file)
    _check_books(round_file)
    _check_chain(round_file)


def _check_unique(table: ExchangeTable, rows: list[Values]) -> None:
    """Uniqueness of single fields and of groups of them, without conditional constraints."""
    groups: list[tuple[str, ...]] = [(each.name,) for each in table.fields if each.unique]
    groups += [(link.name,) for link, _ in table.links if link.unique]
    for constraint in table.model._meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.fields and constraint.condition is None:
            groups.append(tuple(constraint.fields))
    for group in groups:
        names = [name for name in group if name != "round"]
        values = [tuple(row.get(name) for name in names) for row in rows] if names else []
        first: dict[tuple[object, ...], int] = {}
        for number, value in enumerate(values, 1):
            if None not in value and first.setdefault(value, number) != number:
                message = gettext("it has the same %(names)s as row %(value)s") % {
                    "names": listed(names),
                    "value": first[value],
                }
                raise BadFile(message, row_place(table.name, number))


def _check_names(table: str, rows: list[Values]) -> None:
    first: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        for name in filter(None, (row["name"], *row.get("former", ()))):
            if first.setdefault(key(name), number) != number:
                message = gettext("“%(name)s” is also the name of row %(value)s; case makes no difference") % {
                    "name": name,
                    "value": first[key(name)],
                }
                raise BadFile(message, row_place(table, number, "name"))


def _check_turns(round_file: RoundFile) -> list[Position]:
    """1.5, R38: consecutive turns, each with the position of its hash, to which the turn before led."""
    positions, led_to = [], ""
    for number, turn in enumerate(round_file.rows["turn"], 1):
        place = row_place("turn", number)
        if turn["number"] != number:
            raise BadFile(
                gettext("it is turn %(number)s, but turns must be in order, starting with 1")
                % {"number": turn["number"]},
                place,
            )
        if codec.digest(turn["position"]) != turn["position_hash"]:
            raise BadFile(gettext("the position of turn %(number)s doesn't match its hash") % {"number": number}, place)
        if led_to not in ("", turn["position_hash"]):
            raise BadFile(
                gettext("turn %(number)s doesn't open with the outcome of turn %(value)s")
                % {"number": number, "value": number - 1},
                place,
            )
        led_to = turn["next_hash"]
        try:
            positions.append(codec.position_from_json(turn["position"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadFile(
                gettext("the position of turn %(number)s can't be read (%(error)s)")
                % {"number": number, "error": repr(error)},
                place,
            ) from None
    return positions


def _check_armies(round_file: RoundFile, positions: list[Position]) -> None:
    """Every army on a map has a row, by its current or a former name; so has every fighter."""
    names = {name for row in round_file.rows["army"] for name in (row["name"], *row["former"])}
    for number, position in enumerate(positions, 1):
        for army in position.armies:
            if army.name not in names:
                raise BadFile(
                    gettext("its map has %(army)s, which has no row") % {"army": army.name},
                    row_place("turn", number),
                )


def _check_seeds(round_file: RoundFile) -> None:
    """R38: seeds are those that were committed to."""
    for table in ("turn", "battle", "armysetup"):
        for number, row in enumerate(round_file.rows.get(table, ()), 1):
            if row["seed"]:
                _check_hash(row["seed"], row["commitment"], row_place(table, number, "seed"))


def _check_hash(seed: str, commitment: str, place: str) -> None:
    try:
        committed = dice.commitment(bytes.fromhex(seed))
    except ValueError:
        raise BadFile(gettext("a seed must be a hexadecimal number"), place) from None
    if committed != commitment:
        raise BadFile(gettext("it doesn't match its commitment"), place)


def _check_strats(round_file: RoundFile) -> None:
    """R35: a strat matches its receipt; one whose text is secret can't be checked."""
    fields = ("salt", "text", "risk", "runs", "leaves", "leaves_to")
    for number, row in enumerate(round_file.rows["strat"], 1):
        if row["salt"] and receipt(**{name: row[name] for name in fields}) != row["sha256"]:
            raise BadFile(gettext("it doesn't match its receipt"), row_place("strat", number))


def _check_books(round_file: RoundFile) -> None:
    """R38: a formula book is the one that was committed to, unless it is secret."""
    name = round_file.round["drawn_as"] or round_file.round["slug"]
    for number, row in enumerate(round_file.rows["bookversion"], 1):
        if not row["salt"]:
            continue
        committed = book_commitment(name, row["number"], row["from_turn"], row["formulas"], row["salt"])
        if committed != row["commitment"]:
            raise BadFile(gettext("it doesn't match its commitment"), row_place("bookversion", number))


def _check_chain(round_file: RoundFile) -> None:
    """R38: the chain's data about its links have the form that is needed to check them against its rows."""
    for number, row in enumerate(round_file.rows["chainhead"], 1):
        if not are_forms(row["forms"]):
            message = gettext("expected lists of a link's number and field names, grouped by kind")
            raise BadFile(message, row_place("chainhead", number, "forms"))
    for number, row in enumerate(round_file.rows[LINKS], 1):
        if not is_opened(row["opened"]):
            message = gettext("expected null, or an object with salts and sealed fields")
            raise BadFile(message, row_place(LINKS, number, "opened"))
        if row["key"] is not None and row["key"] < 1:
            raise BadFile(gettext("expected a row number, 1 or higher"), row_place(LINKS, number, "key"))


def _log_ins_of(round_file: RoundFile) -> Iterable[str]:
    log_ins: dict[str, None] = {}
    for table in tables():
        for name in _users(table, round_file.rows[table.name]):
            log_ins[name] = None
    return log_ins


def _users(table: ExchangeTable, rows: list[Values]) -> Iterator[str]:
    for row in rows:
        for link in table.users:
            if row[link.name]:
                yield row[link.name]
