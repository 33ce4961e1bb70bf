"""2.5: The demo round's set-up as rows, read from fixtures/demo: board, people, armies and who controls them."""

from datetime import datetime
from functools import cache

import yaml
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.utils.text import slugify

from judging.common.accounts import DEMO_GROUP
from judging.common.errors import Refused
from judging.demo.times import Calendar
from wargame.importing.bounded_yaml import LOADER
from wargame.models import Army, Base, Control, Judge, Player, Round, Town, Troop
from wargame.rules.core.codec import Json

Row = Json

FOLDER = settings.BASE_DIR / "fixtures" / "demo"


@cache
def read(name: str) -> Row:
    """The content of `fixtures/demo/<name>.yaml`; shared, so it must not be changed."""
    with (FOLDER / f"{name}.yaml").open(encoding="utf-8") as file:
        content: Row = yaml.load(file, LOADER)
    return content


def terrain() -> str:
    """R2: 14 lines of 38 letters."""
    return (FOLDER / "terrain.txt").read_text(encoding="ascii").strip()


def people() -> list[Row]:
    rows = read("people")
    return [*rows["players"], *rows["judges"], *rows["onlookers"]]


def password() -> str:
    return str(read("people")["password"])


def load(calendar: Calendar) -> Round:
    """2.5: the round before its first turn. Refused if another user has one of the demo's log-ins.

    To be called in a transaction.
    """
    start = calendar.opens(0)
    round_ = _create_round(calendar, start)
    _create_board(round_)
    users = _create_users(start)
    players = _create_players(round_, users, start)
    _create_judges(round_, users)
    armies = _create_armies(round_, players)
    _create_control(round_, players, armies, start)
    return round_


def _create_round(calendar: Calendar, start: datetime) -> Round:
    name = read("round")["name"]
    return Round.objects.create(
        name=name,
        slug=_free_slug(slugify(name)),
        terrain=terrain(),
        turn_length=calendar.turn_length,
        deadline_before_lock=calendar.deadline_before_lock,
        sealed_before_lock=calendar.sealed_before_lock,
        contingency_before_deadline=calendar.contingency_before_deadline,
        after_lock_window=calendar.after_lock_window,
        is_demo=True,
        created_at=start,
    )


def _free_slug(slug: str) -> str:
    used_slugs = set(Round.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    candidates = (f"{slug}-{number}" for number in range(2, len(used_slugs) + 3))
    return slug if slug not in used_slugs else next(other for other in candidates if other not in used_slugs)


def _create_board(round_: Round) -> None:
    """2.5.1: bases, portals and towns."""
    board = read("round")
    Base.objects.bulk_create(
        Base(
            round=round_,
            name=row["name"],
            at=row["at"],
            side=row["team"],
            color=row.get("color", ""),
            win=row.get("win", False),
            description=row["description"].strip(),
        )
        for row in [*board["bases"], *board["portals"]]
    )
    Town.objects.bulk_create(
        Town(round=round_, name=row["name"], at=row["at"], description=row["description"].strip())
        for row in board["towns"]
    )


def _create_users(start: datetime) -> dict[str, User]:
    """All users by log-in; a demo user that still exists is reused. They share one password hash."""
    group, _ = Group.objects.get_or_create(name=DEMO_GROUP)
    rows = people()
    users = {user.username: user for user in User.objects.filter(groups=group)}
    missing = [row for row in rows if row["username"] not in users]
    conflicts = User.objects.filter(username__in=[row["username"] for row in missing]).order_by("username")
    if names := ", ".join(conflicts.values_list("username", flat=True)):
        raise Refused(f"The demo round needs log-ins that other people of this site have: {names}.")
    hashed = make_password(password())
    created = User.objects.bulk_create(
        User(username=row["username"], first_name=row["name"], password=hashed, date_joined=start) for row in missing
    )
    group.user_set.add(*created)
    return users | {user.username: user for user in created}


def _create_players(round_: Round, users: dict[str, User], start: datetime) -> dict[str, Player]:
    """1.1, 5.2.3: the players by name, each with their contingency."""
    rows = read("people")["players"]
    Player.objects.bulk_create(_player(round_, row, users, start) for row in rows)
    players = {player.name: player for player in Player.objects.filter(round=round_)}
    for row in rows:
        if "contingency" in row:
            Player.objects.filter(pk=players[row["name"]].pk).update(contingency=players[row["contingency"]])
    return players


def _player(round_: Round, row: Row, users: dict[str, User], start: datetime) -> Player:
    return Player(
        round=round_,
        user=users[row["username"]],
        name=row["name"],
        side=row["team"],
        rank=row["rank"],
        factions=row.get("factions", []),
        may_change_control=row.get("requests_control", False),
        joined_at=start,
    )


def _create_judges(round_: Round, users: dict[str, User]) -> None:
    """1.3, 6: the three judges."""
    Judge.objects.bulk_create(
        Judge(round=round_, user=users[row["username"]], name=row["name"], role=row["role"])
        for row in read("people")["judges"]
    )


def _create_armies(round_: Round, players: dict[str, Player]) -> dict[str, Army]:
    """2.5.2, 2.5.3: the armies with their troops, by name."""
    armies = read("armies")
    rows = [*armies["armies"], *armies["mercenaries"]]
    Army.objects.bulk_create(_army(round_, row, players) for row in rows)
    created = {army.name: army for army in Army.objects.filter(round=round_)}
    Troop.objects.bulk_create(
        Troop(
            round=round_,
            army=created[row["name"]],
            place=place,
            slot=troop["slot"],
            creature=troop["creature"],
            colors=troop["color"],
            size=troop["size"],
            types=troop["types"],
            alive=troop["alive"],
            of=troop["of"],
        )
        for row in rows
        for place, troop in enumerate(row["troops"])
    )
    return created


def _army(round_: Round, row: Row, players: dict[str, Player]) -> Army:
    """A mercenary's home is where it starts: its town or territory (6.1, 6.2); raiders have none (6.3)."""
    faction = row.get("faction", "")
    return Army(
        round=round_,
        name=row["name"],
        side=row["team"],
        rank=row.get("rank", ""),
        faction=faction,
        mercenary_tier=row.get("size_tier", 0),
        at=row["at"],
        home=row["at"] if faction and faction != "raider" else "",
        colors=row.get("colors", []),
        legend=row["legend"] or "",
        namesake=players.get(row["name"]),
    )


def _create_control(round_: Round, players: dict[str, Player], armies: dict[str, Army], start: datetime) -> None:
    """5.2.1: the control list."""
    Control.objects.bulk_create(
        Control(round=round_, army=armies[name], player=players[row["name"]], since=start)
        for row in read("people")["players"]
        for name in row["controls"]
    )
