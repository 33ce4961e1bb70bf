"""T13: table cases: a position, posts, and what is expected; run on the pure rules alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tables.cases_of_lists import failures, is_of_lists
from tables.core import engine, query
from tables.core.decisions import Decision
from tables.core.entries import Entry
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lines.understanding import read
from tables.core.pace import standing_orders
from tables.core.play import Rules
from tables.core.reasons import Reason, Refused
from tables.core.reducer import step
from tables.core.state import State, Thing
from tables.core.views import Plain, view
from tables.core.zones import kind_of, zone_of
from tables.games import RULES
from tables.positions import UNNAMED, CaseError, lay_out, mapping
from tables.reading import Data, UnreadableFile, read_file

__all__ = ["CaseError", "Run", "carry_out", "check_case", "read_cases", "show_case", "where_is"]

CASE_KEYS = (
    "case",
    "game",
    "about",
    "options",
    "seed",
    "cards",
    "position",
    "setup",
    "draws",
    "windows",
    "until",
    "posts",
    "expect",
)
POST_KEYS = ("by", "do", "when", "order", "rule", "cites", "reason", "at")
EXPECT_KEYS = ("refused", "at", "zones", "is", "numbers", "tiles", "waits", "pile", "out", "result", "sees", "log")
MOST_PASSES = 400
MINUTE = 60
_SECONDS = {"s": 1, "m": MINUTE, "h": 60 * MINUTE, "d": 24 * 60 * MINUTE}
_AT = re.compile(r"(\d{1,6}) ?([smhd])")


def read_cases(path: Path) -> Iterator[dict[str, Data]]:
    """T13: the table cases of a file, in order. CaseError where it can't be read."""
    try:
        documents = read_file(path)
    except UnreadableFile as error:
        raise CaseError(str(error)) from error
    for document in documents:
        if not isinstance(document, dict) or not isinstance(document.get("case"), str):
            raise CaseError(f"{path}: a document has no name under “case”")
        yield document


# --------------------------------------------------------------------------------------------- the posts


@dataclass
class Run:
    """T13: a case in progress."""

    rules: Rules
    state: State
    ids: dict[int, str]
    asking: bool
    events: list[Event] = field(default_factory=list)
    refused: dict[int, Reason] = field(default_factory=dict)
    clock: int = 0
    """Seconds since the start, at the last post."""
    since: int = 0
    """The index of the first event since the last post."""

    def post(self, number: int, data: Data) -> None:
        """T13: make one post once its poster is asked for its line."""
        fields = mapping(data)
        if unknown := set(fields) - set(POST_KEYS):
            raise CaseError(f"a post has unknown keys: {', '.join(sorted(unknown))}")
        self.clock = _moment(fields.get("at"), self.clock + MINUTE)
        entry = _entry(number, fields, self.clock)
        if entry.by == "clock":
            for seat in engine.waits_for(self.state)[0] or ("",):
                self._post(number, Entry("tick", seat, at=entry.at))
            return
        when = str(fields.get("when", ""))
        if not self.asking or when:
            self._wait(entry, when)
        self._post(number, entry)

    def _post(self, number: int, entry: Entry) -> None:
        self.since = len(self.events)
        outcome = step(self.rules, self.state, entry)
        if outcome.reason is not None:
            self.refused[number] = outcome.reason
        self.state = outcome.state
        self.events.extend(outcome.events)

    def _wait(self, entry: Entry, when: str) -> None:
        for _ in range(MOST_PASSES):
            if (not when or self.state.turn.at == when) and self._ready(entry):
                return
            if not self.pass_on():
                return

    def _ready(self, entry: Entry) -> bool:
        """T13: whether the poster is now asked for what their line is; an unreadable line is tried at once."""
        state = self.state
        if entry.kind in ("order", "tick"):
            return True
        if entry.kind == "ruling":
            return _quiet(state)
        try:
            action = read(state, entry.lines[0])
        except Refused:
            return True
        if action.kind == "propose":
            return _quiet(state)
        if action.kind in self.rules.anytime or action.kind == "take back":
            return True
        return _is_asked(self.rules, state, entry.by, action)

    def pass_on(self) -> bool:
        """T13: let the holder of priority pass; False if a decision is pending, or nobody has priority."""
        seats, kind = engine.waits_for(self.state)
        if kind != "priority":
            return False
        outcome = step(self.rules, self.state, Entry("act", seats[0], ("pass",)))
        self.state = outcome.state
        self.events.extend(outcome.events)
        return outcome.reason is None

    def finish(self, until: str) -> None:
        """T13: after the last post, until pile and fight are done, or until a phase begins."""
        for _ in range(MOST_PASSES):
            if until:
                if any(event.kind == "step" and event.zone == until for event in self.events[self.since :]):
                    return
            elif self.asking or not (self.state.pile or self.state.waiting or self.state.fight):
                return
            if not self.pass_on():
                return


def _quiet(state: State) -> bool:
    """Whether no item on the pile can still ask for an agreement."""
    return (state.decision is not None and state.decision.kind == "manual") or not state.pile


def _is_asked(rules: Rules, state: State, seat: str, action: Action) -> bool:
    if state.decision is not None:
        return engine.asks(state, seat, action.kind)
    holds = state.priority is not None and state.priority.holder == seat
    return holds and action.kind in rules.acts and not (state.pile and standing_orders.needs_quiet(rules.quiet, action))


def _moment(value: Data, usual: int) -> int:
    """T13: `at: 5h` since the start, in seconds; else a minute after the post before. Time never goes back."""
    if value is None:
        return usual
    time_match = _AT.fullmatch(str(value))
    if time_match is None:
        raise CaseError(f"“at: {value}” isn't a time since the start. Try 90s, 5m, 5h or 2d.")
    at = int(time_match[1]) * _SECONDS[time_match[2]]
    if at < usual - MINUTE:
        raise CaseError(f"“at: {value}” is before the post above it")
    return at


def _entry(number: int, post: Mapping[str, Data], at: int) -> Entry:
    by = str(post.get("by", ""))
    if "order" in post:
        return Entry("order", by, (str(post["order"]),), at)
    if "rule" in post:
        return Entry("ruling", by, (str(post["rule"]),), at, str(post.get("cites", "")), str(post.get("reason", "")))
    do = post.get("do")
    if isinstance(do, list):
        return Entry("plan", by, tuple(str(line) for line in do), at)
    if do is None:
        raise CaseError(f"post {number} says nothing")
    return Entry("act", by, (str(do),), at)


def carry_out(document: Mapping[str, Data]) -> Run:
    """T13: run a position case to its end. CaseError if it can't be read."""
    if unknown := set(document) - set(CASE_KEYS):
        raise CaseError(f"“{document.get('case')}”: unknown keys {', '.join(sorted(unknown))}")
    rules = RULES.get(str(document.get("game")))
    if rules is None:
        raise CaseError(f"“{document.get('case')}”: there is no game “{document.get('game')}”")
    until, raw_posts = str(document.get("until", "")), document.get("posts")
    posts = raw_posts if isinstance(raw_posts, list) else []
    stopping = _stopping(rules, until)
    rules = rules if posts else stopping
    state, ids = lay_out(document, rules)
    play = engine.started(rules, state)
    run = Run(rules, play.state, ids, document.get("windows") == "ask", list(play.events))
    for number, data in enumerate(posts, 1):
        run.rules = stopping if number == len(posts) else rules
        run.post(number, data)
    run.finish(until)
    return run


def _stopping(rules: Rules, until: str) -> Rules:
    """T13: in games without priority no passes lead to a step: after the last post the table stops as it enters the
    step."""
    if not until or any(step.priority for step in rules.steps.values()):
        return rules
    return replace(rules, entering={**rules.entering, until: lambda play: play.ask(Stopped(()))})


class Stopped(Decision):
    """T13: the case ends where this step begins; nobody is asked."""

    kind = "stopped"


def show_case(document: Mapping[str, Data]) -> dict[str, Data]:
    """T13: the events of a case, for people: `case`, `about`, and `parts` with their sentences."""
    head: dict[str, Data] = {"case": document.get("case"), "about": document.get("about", "")}
    if is_of_lists(document):
        outcome: list[Data] = [*failures(document)] or ["as expected"]
        return {**head, "parts": [{"title": "What comes", "told": outcome}]}
    run = carry_out(document)
    sentences: list[Data] = [_sentence(event) for event in run.events if event.cites]
    refused: list[Data] = [
        f"post {number}: {', '.join(reason.cites)}: {reason.told}" for number, reason in run.refused.items()
    ]
    return {**head, "parts": [{"title": "What happens", "told": sentences}, {"title": "Refused", "told": refused}]}


def _sentence(event: Event) -> str:
    """One event as a line: player, action, card, and the citations."""
    parts = [event.seat, event.kind, event.thing.card if event.thing else "", str(event.amount or "")]
    return f"{' '.join(part for part in parts if part)} ({', '.join(event.cites)})"


# --------------------------------------------------------------------------------------------- what came


def check_case(document: Mapping[str, Data]) -> list[str]:
    """T13: the differences from `expect`, in words. CaseError if the case can't be read."""
    if is_of_lists(document):
        return failures(document)
    expect = mapping(document.get("expect"))
    if unknown := set(expect) - set(EXPECT_KEYS):
        raise CaseError(f"“{document.get('case')}”: expect has unknown keys {', '.join(sorted(unknown))}")
    run = carry_out(document)
    return list(_differences(run, expect))


def _differences(run: Run, expect: Mapping[str, Data]) -> Iterator[str]:
    yield from _refusals(run, mapping(expect.get("refused")))
    for key, expected in mapping(expect.get("at")).items():
        yield from _differ(f"at {key}", expected, where_is(run, int(key)))
    for zone, expected in mapping(expect.get("zones")).items():
        yield from _zone(run, zone, expected)
    for key, fields in mapping(expect.get("is")).items():
        yield from _is(run, run.ids.get(int(key), ""), f"#{key}", mapping(fields))
    for name, expected in mapping(expect.get("numbers")).items():
        yield from _differ(name, expected, _number(run.rules, run.state, name))
    for tile, expected in mapping(expect.get("tiles")).items():
        yield from _tile(run.state, tile, expected)
    if "waits" in expect:
        yield from _waits(run.state, expect["waits"])
    if "pile" in expect:
        yield from _differ("pile", expect["pile"], [item.card for item in reversed(run.state.pile)])
    if "out" in expect:
        yield from _differ("out", expect["out"], [seat.letter for seat in run.state.seats if seat.out])
    if "result" in expect:
        yield from _differ("result", expect["result"], _result(run.state))
    for viewer, expected_view in mapping(expect.get("sees")).items():
        yield from _sees(run, viewer, mapping(expected_view))
    if "log" in expect and not _in_log(run.events, expect["log"]):
        cites = [cite for event in run.events for cite in event.cites]
        yield f"log: {expect['log']} don't appear in this order in {cites}"


def _differ(label: str, expected: object, actual: object) -> Iterator[str]:
    if expected != actual:
        yield f"{label}: {expected} expected, {actual} came"


def _refusals(run: Run, expected: Mapping[str, Data]) -> Iterator[str]:
    for number, reason in run.refused.items():
        if str(number) not in expected:
            yield f"post {number} is refused: {', '.join(reason.cites)}: {reason.told}"
    for key, cite in expected.items():
        cause = run.refused.get(int(key))
        if cause is None:
            yield f"post {key} is not refused ({cite})"
        elif cite != "any" and not {str(one) for one in (cite if isinstance(cite, list) else [cite])} & {
            *_cited(cause)
        }:
            yield f"post {key}: {cite} expected, {', '.join(_cited(cause))} came: {cause.told}"


def _wanted(cite: Data) -> set[str]:
    """T13: a citation, or a list of which one is enough."""
    return {str(one) for one in (cite if isinstance(cite, list) else [cite])}


def _cited(reason: Reason) -> list[str]:
    if reason.is_unread:
        return [reason.cites[0], f"{reason.cites[0]}, column {reason.column}"]
    return list(reason.cites)


def where_is(run: Run, number: int) -> str:
    """T13: where a thing of the position is now: `A.limbo`, `island`, `under 1`, `nowhere`."""
    thing = run.state.things.get(run.ids.get(number, ""))
    if thing is None:
        return "nowhere"
    if thing.under:
        return f"under {next((key for key, host in run.ids.items() if host == thing.under), '?')}"
    if kind_of(thing.zone) == "left":
        return "nowhere"
    return thing.at or ("island" if kind_of(thing.zone) == "island" else thing.zone)


def _tile(state: State, tile: str, expected: Data) -> Iterator[str]:
    """T13: the expected contents of a tile: `pillar`, or `{fog: 0}`."""
    marks = dict(state.tiles.get(tile, ()))
    for name, count in ({expected: 1} if isinstance(expected, str) else mapping(expected)).items():
        yield from _differ(f"{tile} {name}", count, marks.get(name, 0))


def _zone(run: Run, zone: str, expected: Data) -> Iterator[str]:
    things = list(run.state.zone(zone))
    if isinstance(expected, int):
        yield from _differ(zone, expected, len(things))
        return
    rows = expected if isinstance(expected, list) else []
    names = [str(row["card"]) if isinstance(row, dict) else str(row) for row in rows]
    actual = [thing.card for thing in things]
    ordered = kind_of(zone) in ("deck", "eleven", "soul")
    if (names != actual) if ordered else (sorted(names) != sorted(actual)):
        yield f"{zone}: {names} expected, {actual} came"
        return
    for row in rows:
        if isinstance(row, dict):
            fields = {key: value for key, value in row.items() if key != "card"}
            same = [thing for thing in things if thing.card == row["card"]]
            candidate = next((thing for thing in same if not list(_is(run, thing.key, "", fields))), same[0])
            yield from _is(run, candidate.key, f"{candidate.card} in {zone}", fields)
            things.remove(candidate)


def _is(run: Run, key: str, label: str, fields: Mapping[str, Data]) -> Iterator[str]:
    thing = run.state.things.get(key)
    if thing is None:
        yield f"{label} is nowhere"
        return
    state = run.state
    has: dict[str, object] = {
        "engaged": thing.engaged, "weary": thing.weary, "damage": thing.damage, "owner": thing.owner,
        "controller": thing.controller, "card": thing.card, "attack": query.attack(state, thing),
        "defense": query.defense(state, thing), "keywords": sorted(query.keywords(state, thing)),
        "counters": dict(thing.counters), "attached": [one.card for one in state.beneath(key)],
        **(run.rules.shows(state, thing) if run.rules.shows is not None else {}),
    }  # fmt: skip
    if run.rules.name == "altered":
        has |= _marks_of(thing, fields)
    for name, expected in fields.items():
        if name not in has:
            raise CaseError(f"{label}: “{name}” is unknown")
        yield from _differ(
            f"{label} {name}",
            sorted(map(str, expected)) if name == "keywords" and isinstance(expected, list) else expected,
            has[name],
        )


def _marks_of(thing: Thing, fields: Mapping[str, Data]) -> dict[str, object]:
    """2.4: statuses are true or false, counters a number."""
    counters = dict(thing.counters)
    return {
        name: counters.get("boost", 0) > 0 if name == "boosted"
        else name in thing.statuses if isinstance(expected, bool)
        else counters.get(name, 0)
        for name, expected in fields.items()
        if name not in ("card", "owner", "controller", "keywords")
    }  # fmt: skip


def _number(rules: Rules, state: State, name: str) -> object:
    if rules.number_of is not None and (value := rules.number_of(state, name)) is not None:
        return value
    seat, _, rest = name.partition(".")
    kind, _, colour = rest.partition(".")
    if kind in dict(state.seat(seat).numbers):
        return state.number(seat, kind)
    if kind != "energy":
        return len(state.zone(zone_of(seat, kind)))
    energy = dict(state.seat(seat).energy)
    return energy.get(colour, 0) if colour else sum(energy.values())


def _waits(state: State, expected: Data) -> Iterator[str]:
    seats, kind = engine.waits_for(state)
    if expected is None:
        yield from _differ("waits", None, kind or None)
        return
    fields = mapping(expected)
    names = fields.get("for")
    if "for" in fields:
        yield from _differ("waits for", sorted(map(str, names)) if isinstance(names, list) else [names], sorted(seats))
    if "kind" in fields:
        yield from _differ("waits for a decision", fields["kind"], kind)
    if "what" in fields:
        yield from _differ("waits for what", fields["what"], state.decision.what if state.decision else "")
    if "at" in fields:
        yield from _differ("waits at", fields["at"], state.turn.at)


def _result(state: State) -> Data:
    if state.result is None:
        return None
    return "draw" if state.result.draw else {"won": state.result.won}


def _sees(run: Run, viewer: str, expectations: Mapping[str, Data]) -> Iterator[str]:
    visible = view(run.rules, run.state, viewer)
    zones = visible["zones"]
    whole = json.dumps(visible, ensure_ascii=False)
    for key, expected in expectations.items():
        if key == "holds":
            for name in expected if isinstance(expected, list) else []:
                if str(name) not in whole:
                    yield f"{viewer} does not see {name}"
            continue
        if key == "not":
            for name in expected if isinstance(expected, list) else []:
                if str(name) in whole:
                    yield f"{viewer} sees {name}"
            continue
        if key == "holds":
            for name in expected if isinstance(expected, list) else []:
                if str(name) not in whole:
                    yield f"{viewer} does not see {name}"
            continue
        cards = zones.get(key) if isinstance(zones, dict) else None
        if not isinstance(cards, list):
            raise CaseError(f"sees: there is no zone “{key}”")
        if isinstance(expected, int):
            yield from _differ(f"{viewer} sees {key}", expected, len(cards))
            continue
        names = [_face(card) for card in cards]
        rows = [_face(row) for row in expected] if isinstance(expected, list) else []
        if isinstance(expected, list) and any(isinstance(row, dict) for row in expected):
            if run.rules.name == "altered":
                yield from _seen_statuses(viewer, key, expected, cards)
            else:
                yield from _sees_rows(f"{viewer} sees {key}", expected, cards)
                continue
        if kind_of(key) in ("eleven", "soul"):
            yield from _differ(f"{viewer} sees {key}", rows, names)
        else:
            yield from _differ(f"{viewer} sees {key}", sorted(map(str, rows)), sorted(map(str, names)))


def _sees_rows(label: str, rows: list[Data], cards: list[Plain]) -> Iterator[str]:
    """T13: cards that are only partly known: each row fits one of the cards shown, and no card is left over."""
    remaining = list(cards)
    for row in rows:
        expected = row if isinstance(row, dict) else {"card": row}
        candidate = next((card for card in remaining if isinstance(card, dict) and _fits_row(card, expected)), None)
        if candidate is None:
            yield f"{label}: {expected} expected, {remaining} came"
            return
        remaining.remove(candidate)
    if remaining:
        yield f"{label}: {remaining} came in addition to what was expected"


def _fits_row(card: Mapping[str, Plain], expected: Mapping[str, Data]) -> bool:
    """T13: an entry without `card` is a thing whose face the viewer doesn't know."""
    actual = {"card": None, "exhausted": card.get("engaged"), **card}
    return all(actual.get(name, False) == value for name, value in {"card": None, **expected}.items())


def _face(card: Data | Plain) -> str | None:
    """T13: the card that is seen; None for a face that isn't known, or that the position doesn't name."""
    name = card.get("card") if isinstance(card, dict) else card
    return None if name is None or name == UNNAMED else str(name)


def _seen_statuses(viewer: str, zone: str, expected: list[Data], cards: list[Plain]) -> Iterator[str]:
    """A2: statuses visible to everybody, of cards in the order in which they are named."""
    for row, card in zip(expected, cards, strict=False):
        if not isinstance(row, dict) or not isinstance(card, dict):
            continue
        has = card.get("statuses")
        for name, status in row.items():
            if name != "card" and status != (name in (has if isinstance(has, list) else [])):
                yield f"{viewer} sees {zone}: {name} is not {status} of {card}"


def _in_log(events: Sequence[Event], expected: Data) -> bool:
    """T13: whether the citations occur in this order, among others; one event may carry several."""
    remaining = [str(cite) for cite in (expected if isinstance(expected, list) else [])]
    for event in events:
        while remaining and remaining[0] in event.cites:
            remaining.pop(0)
    return not remaining
