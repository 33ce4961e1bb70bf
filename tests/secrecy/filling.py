"""Values for the parameters of addresses: from the rows of the world, by the parameter's name.

`<vote_id>` is filled with the keys of all rows of the model `Vote` without a word here; so is every `object_id` of the
desk. A parameter that means something else is named in `VALUES`, or for one page in `OF_PAGE`.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from urllib.parse import quote

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model

from judging.appeals.models import Appeal
from judging.battles.models import BattleArmy, Result
from judging.boards.models import BoardThread
from judging.common.models import LogEntry
from judging.feeds.views import FEEDS
from judging.formula_books.models import BookVersion
from judging.penalties.models import Penalty
from judging.tables.away.models import TableLeave
from judging.tables.models import Entry, Table
from judging.tables.talk.models import TableReport
from judging.turns.models import Post, Ruling
from tests.secrecy.routes import Route
from tests.secrecy.scene import Scene
from wargame.models import Army, Judge, Player, Turn

Values = Callable[[Scene], Iterable[object]]


def _turns(scene: Scene) -> list[int]:
    return list(Turn.objects.filter(round=scene.round).order_by("number").values_list("number", flat=True))


def _names(model: type[Army] | type[Player], scene: Scene) -> list[str]:
    return list(model.objects.filter(round=scene.round).order_by("pk").values_list("name", flat=True))


def _judges(scene: Scene) -> list[str]:
    return list(Judge.everybody.filter(round=scene.round).order_by("pk").values_list("name", flat=True)[:1])


VALUES: dict[str, Values] = {
    "language": lambda _: ["en-gb"],
    "slug": lambda scene: [scene.round.slug],
    "number": lambda scene: _turns(scene)[-1 if scene.is_open else -2 :] or [1],
    "at": lambda scene: ["3F"],
    "name": lambda scene: _names(Army, scene)[:1] or ["Nobody"],
    "key": lambda scene: LogEntry.objects.filter(round=scene.round).order_by("-pk").values_list("key", flat=True)[:4],
    "board": lambda scene: BoardThread.objects.filter(round=scene.round).values_list("key", flat=True) or ["talk"],
    "topic": lambda scene: [2],
    "how": lambda scene: ["change", "personalise"],
    "app_label": lambda scene: ["wargame", "judging"],
    "token": lambda scene: ["no-token"],
    "uidb64": lambda scene: ["MQ"],
    "url": lambda scene: ["nothing"],
    "act": lambda scene: ["nothing"],
    "step": lambda scene: ["name"],
    "what": lambda scene: ["descriptions"],
    "page": lambda scene: ["wish"],
    "prefix": lambda scene: ["nothings"],
    "person": lambda scene: keys(User)[:3],
    "game": lambda scene: ["kryptik"],
    "table": lambda scene: Table.objects.order_by("pk").values_list("slug", flat=True) or ["no-table"],
}

OF_PAGE: dict[tuple[str, str], Values] = {
    ("judge:judging_post_change", "object_id"): lambda scene: keys(Post),
    ("turn-before", "number"): _turns,
    **dict.fromkeys(
        (("appeal", "number"), ("api-appeal", "number")),
        lambda scene: Appeal.objects.values_list("number", flat=True) or [1],
    ),
    **{
        (name, "number"): lambda scene: [1]
        for name in (
            *("table-appeal", "api-table-appeal", "api-table-answer", "api-table-lift", "api-table-message"),
            *("api-table-message-report", "api-table-message-block", "api-table-reach"),
        )
    },
    ("api-table-report", "report_id"): lambda scene: keys(TableReport),
    ("api-table-leave", "leave_id"): lambda scene: keys(TableLeave),
    ("api-setup-one", "key"): lambda scene: [1],
    ("verify-stamp", "key"): lambda scene: [1],
    ("api-hook-again", "message_id"): lambda scene: [1],
    ("rule", "number"): lambda scene: ["3.2.2"],
    ("rulebook-number", "number"): lambda scene: ["4.4.1"],
    ("help-page", "page"): lambda scene: ["play", "play/mercenaries", "judge", "glossary"],
    ("document", "name"): lambda scene: ["tables", "lines", "card-lists", "shuffles"],
    ("document-number", "number"): lambda scene: ["T9.2"],
    ("judge:book-version", "number"): lambda scene: BookVersion.objects.values_list("number", flat=True),
    ("feed", "name"): lambda scene: FEEDS,
    ("army-change", "name"): lambda scene: ["Ana", "Lea"],
    **dict.fromkeys(
        (("record", "name"), ("api-record", "name")), lambda scene: [*_names(Player, scene)[:2], *_judges(scene)]
    ),
    ("player", "name"): lambda scene: _names(Player, scene)[:2],
    ("creature", "name"): lambda scene: ["Grizzly Bears"],
    ("give-army", "name"): lambda scene: _names(Player, scene)[:2],
    ("judge:view_on_site", "content_type_id"): lambda scene: [1],
    ("judge:view_on_site", "object_id"): lambda scene: [1],
}
"""Parameters that mean something else on one page."""

QUERIES: dict[str, Values] = {
    "table-appeal-new": lambda scene: (
        [f"kind=ruling&number={n}" for n in Entry.objects.filter(kind="ruling").values_list("n", flat=True)]
        or ["kind=ruling&number=0"]
    ),
    **dict.fromkeys(("table-talk", "api-table-talk"), lambda scene: ["board=talk", "board=watchers"]),
    "appeal-new": lambda scene: (
        [
            f"kind={kind}&about={key}"
            for kind, model in (("result", Result), ("penalty", Penalty), ("ruling", Ruling))
            for key in model.objects.order_by("pk").values_list("battle" if model is Result else "pk", flat=True)[:3]
        ]
        or ["kind=result&about=0"]
    ),
}
"""What stands after the `?` of an address that is nothing without it."""

MODELS = {"list": "cardlist", "request": "changerequest", "site": "plannedsite", "conflict": "statedconflict",
          "proposal": "judgeproposal"}  # fmt: skip
"""`<request_id>` names a row of this model, where the names differ."""

MOST_ROWS = 30
ROWS_OF_THE_DESK = 1
"""The desk's tables list all rows anyway, so the page of a single one will do."""


class Unfillable(LookupError):
    """A route whose parameters mean nothing here: name them in this file."""


def addresses(route: Route, scene: Scene) -> Iterator[str]:
    """The addresses of a route in this world. Unfillable if there is no value for a parameter."""
    names = list(dict.fromkeys(route.parameters))
    if {"battle_id", "army"} <= set(names):
        chosen = [{"slug": scene.round.slug, "battle_id": battle, "army": army} for battle, army in _fighters(scene)]
    elif {"table", "n"} <= set(names):
        chosen = [{"table": table, "n": n} for table, last in _tables() for n in sorted({1, last})]
    else:
        values = [values_of(route, name, scene) for name in names]
        chosen = [dict(zip(names, each, strict=True)) for each in product(*values)]
    queries = [f"?{query}" for query in QUERIES[route.name](scene)] if route.name in QUERIES else [""]
    for each, query in product(chosen, queries):
        yield route.address({name: quote(str(value)) for name, value in each.items()}) + query


def values_of(route: Route, name: str, scene: Scene) -> Iterable[object]:
    if of_page := OF_PAGE.get((route.name, name)):
        return of_page(scene)
    if name == "number" and "board" in route.parameters:
        return [1]
    if name == "object_id":
        return keys(_model_of_table(route))[-ROWS_OF_THE_DESK:]
    if name.endswith("_id"):
        return keys(_model_called(name.removesuffix("_id"), route))
    if name not in VALUES:
        raise Unfillable(f"{route.name or route.pattern}: what is <{name}>? Say it in tests/secrecy/filling.py.")
    return VALUES[name](scene)


def keys(model: type[Model]) -> list[object]:
    """The keys of all rows, the oldest first; one that there is not, where there are none."""
    found = list(model._default_manager.order_by("pk").values_list("pk", flat=True)[:MOST_ROWS])
    return found or [999_999]


def _model_called(name: str, route: Route) -> type[Model]:
    wanted = MODELS.get(name, name.replace("_", ""))
    for app in ("judging", "wargame"):
        if wanted in apps.all_models[app]:
            return apps.get_model(app, wanted)
    raise Unfillable(f"{route.name or route.pattern}: <{name}_id> is no model; say what it is in filling.py.")


def _model_of_table(route: Route) -> type[Model]:
    """The desk's tables stand at `judge/<app>/<model>/`."""
    _, app, model, *_ = route.pattern.split("/")
    return apps.get_model(app, model)


def _tables() -> list[tuple[str, int]]:
    """The tables with the numbers of their last entries; one that there is not, where there are none."""
    return list(Table.objects.order_by("pk").values_list("slug", "entries")) or [("no-table", 1)]


def _fighters(scene: Scene) -> list[tuple[int, str]]:
    """The battles with their armies; one that there is not, where there are none."""
    rows = BattleArmy.objects.filter(battle__turn__round=scene.round).order_by("pk")
    return list(rows.values_list("battle_id", "name")) or [(999_999, "Nobody")]
