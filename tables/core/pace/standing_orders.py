"""T9: standing orders, which answer for a player who is away, and queued lines (T9.2), carried out one by one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tables.core import query
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lines.understanding import read
from tables.core.reasons import Reason, Refused
from tables.core.state import OnPile, Player, Ref, State, Thing
from wargame.rules.core.saying import said

MOST_ORDERS = 50
LONGEST = 400
"""The most orders in force that a seat may have, and the most characters of each."""
MOST_OCCASIONS = 20

PASS = re.compile(r"pass(?: until (?P<until>my turn|end of turn(?: \d+)?|\w[\w. ]*?))?(?: unless (?P<unless>.+))?")
LAST = re.compile(r"my turn|end of turn(?: \d+)?")
IF = re.compile(r"if (?P<event>.+?)(?: and (?P<test>[^:]+?))?: (?P<line>.+)", re.IGNORECASE)
THEN = re.compile(r"[,;]? then (?=if )", re.IGNORECASE)
WHEN = re.compile(r"(?P<line>no block|no attack|no|yes) when (?P<test>.+)")
ALWAYS = re.compile(r"(?P<how>always|never) (?P<line>yes|no|block|attack)(?: to (?P<to>.+))?")
TRIGGERS = re.compile(r"triggers: (?P<order>.+)")
ASKED = re.compile(r"if asked to (?P<what>.+?): (?P<line>yes|no)(?:, if opponent did: (?P<other>yes|no))?")
UNTIL = re.compile(r"until end of turn (?P<number>\d{1,6})")
ENDING = re.compile(r"(?P<rest>.+?),? until end of turn (?P<number>\d{1,6})")
OFF = re.compile(r"off (?P<number>\d{1,6})")
HE_PASSES = re.compile(r"if (?:he|she|the other|my opponent) (?:passes|has passed): (?P<line>.+)")
NEXT = re.compile(r"next: (?P<line>.+)")
KEEP = re.compile(r"at clean-up keep (?P<names>.+)")
TEST = re.compile(r"(?P<stat>attack|defense|cost) (?P<op><=|>=|=|<|>) (?P<n>\d{1,6})")
EVENT = re.compile(
    r"(?P<who>#\d{1,6}|anything|opponent|[\w' -]+?)(?: (?P<does>attacks|targets|casts|plays))?(?: (?P<what>.+))?"
)
ATTACKED = ("attacked", "i am attacked")


@dataclass(frozen=True, slots=True)
class Order:
    """T10.3: one order of a seat: its number among that seat's, the turn in which it was given, how often it has
    fired, and whether it is still in force."""

    number: int
    seat: str
    text: str
    turn: int
    until: int = 0
    """The last turn in which it is in force; 0: until its words, or its seat's next turn, end it."""
    fired: int = 0
    ended: bool = False
    stage: int = 0
    """The index of its next `if`, for a tree of several (`then if`)."""
    occasions: tuple[str, ...] = ()
    """The occasions on which it has fired: once for each attack and each item of the pile."""


def give(state: State, seat: str, text: str) -> State:
    """T10.3: an order is checked before it is stored; Refused if it can't be read. `off 3` and `until end of turn 9`
    are about existing orders."""
    if seat not in state.living:
        raise Refused("3.1", said("you are out of the game"))
    if len(text) > LONGEST:
        raise Refused("unreadable", said("an order can have at most %(most)s characters", most=LONGEST), LONGEST + 1)
    plain = " ".join(text.split())
    low = plain.casefold()
    if (groups := OFF.fullmatch(low)) is not None:
        return _off(state, seat, int(groups["number"]))
    if (groups := UNTIL.fullmatch(low)) is not None:
        until = int(groups["number"])
        orders = tuple(replace(one, until=until) if one.seat == seat and not one.ended else one for one in state.orders)
        return replace(state, orders=orders)
    until = 0
    if not low.startswith("pass") and (groups := ENDING.fullmatch(plain)) is not None:
        plain, until = groups["rest"], int(groups["number"])
    _check(state, plain)
    own_orders = [one for one in state.orders if one.seat == seat]
    if len([one for one in own_orders if not one.ended]) >= MOST_ORDERS:
        raise Refused("orders", said("you already have %(most)s orders: end one first", most=MOST_ORDERS))
    remaining = tuple(one for one in state.orders if one.seat != seat or one in own_orders[-MOST_ORDERS:])
    number = max((one.number for one in own_orders), default=0) + 1
    return replace(state, orders=(*remaining, Order(number, seat, plain, state.turn.number, until)))


def _off(state: State, seat: str, number: int) -> State:
    """T10.3: one click turns an order off."""
    if not any(one.seat == seat and one.number == number and not one.ended for one in state.orders):
        raise Refused("orders", said("you have no order %(number)s", number=number))
    return replace(
        state,
        orders=tuple(
            replace(one, ended=True) if one.seat == seat and one.number == number else one for one in state.orders
        ),
    )


def _check(state: State, plain: str) -> None:
    """T10.3: whether an order can be read: its form, what it waits for, and the lines that it gives."""
    low = plain.casefold()
    if any(pattern.fullmatch(low) for pattern in (WHEN, ALWAYS, TRIGGERS, ASKED, KEEP, HE_PASSES, NEXT)):
        return
    if (groups := PASS.fullmatch(low)) is not None:
        for part in (groups["unless"] or "").split(" or "):
            _check_event(part.strip(), low)
        return
    for part in THEN.split(plain):
        groups = IF.fullmatch(part)
        if groups is None:
            raise Refused("unreadable", said("we couldn't read this order"), 1)
        _check_event(groups["event"].casefold(), low)
        if groups["test"] and not TEST.search(groups["test"].casefold()):
            raise Refused(
                "unreadable", said("write a test like `attack <= 2`"), low.find(groups["test"].casefold()) + 1
            )
        line = re.sub(r"\btarget it\b", "target #1", groups["line"].strip())
        read(state, line)


def _check_event(text: str, low: str) -> None:
    """T10.3: an event that an order can wait for: `attacked`, `#12 attacks`, `anything targets #4`, `opponent
    casts`."""
    if not text or text in ATTACKED:
        return
    groups = EVENT.fullmatch(text)
    if groups is None or not groups["does"]:
        message = said(
            "an order can wait for `attacked`, `#12 attacks`, `anything targets #4` or `opponent casts a spell`"
        )
        raise Refused("unreadable", message, max(0, low.find(text)) + 1)


def why_not_given(text: str) -> Reason | None:
    """T10.3: why a readable order is not accepted: it passes until one's own turn or the end of a turn, and any
    other word would make it a plain pass. Checked when an order is given, not for a log that has such orders."""
    low = " ".join(text.split()).casefold()
    groups = PASS.fullmatch(low)
    if groups is None or not groups["until"] or LAST.fullmatch(groups["until"]) is not None:
        return None
    message = said("an order can pass until `my turn`, `end of turn` or `end of turn 9`, and can add `unless attacked`")
    return Reason(("unreadable",), message, low.find(groups["until"]) + 1)


def after(state: State, events: Sequence[Event]) -> State:
    """T10.3: end orders whose "unless" event has happened, or whose time is over."""
    if not any(not one.ended for one in state.orders):
        return state
    ended = [one for one in state.orders if not one.ended and _over(state, one, events)]
    if not ended:
        return state
    return replace(state, orders=tuple(replace(one, ended=True) if one in ended else one for one in state.orders))


def _over(state: State, order: Order, events: Sequence[Event]) -> bool:
    if order.until:
        if state.turn.number > order.until:
            return True
    elif state.turn.number > order.turn and _expired(state, order):
        return True
    low = order.text.casefold()
    groups = PASS.fullmatch(low)
    if groups is None:
        return False
    until = groups["until"] or ""
    if until.startswith("end of turn"):
        last = int(until.split()[-1]) if until.split()[-1].isdigit() else order.turn
        if state.turn.number > last:
            return True
    if until == "" and not order.until and state.turn.number > order.turn:
        return True
    unless = groups["unless"] or ""
    return any(
        happened(state, order.seat, part.strip(), event)
        for part in unless.split(" or ")
        if part.strip()
        for event in events
    )


def _expired(state: State, order: Order) -> bool:
    """T10.3: its seat's own next turn has begun; an order about the clean-up stays in force through that one too."""
    low = order.text.casefold()
    if low.startswith("pass until end of turn"):
        return False
    seats = len(state.seats)
    if low.startswith("at clean-up"):
        return state.turn.number > order.turn + seats or (
            state.turn.of != order.seat and state.turn.number > order.turn + seats - 1
        )
    return state.turn.of == order.seat or state.turn.number > order.turn + seats


def happened(state: State, seat: str, text: str, event: Event) -> bool:
    """T10.3: whether an event is what an order names: `attacked`, `#12 attacks`, `anything targets #4`, .."""
    if text in ATTACKED:
        return event.kind == "is attacked" and event.seat == seat
    groups = EVENT.fullmatch(text)
    if groups is None or not groups["does"]:
        return False
    match groups["does"]:
        case "attacks":
            return event.kind == "attacks" and event.thing is not None and _is(state, groups["who"], event.thing, seat)
        case "targets":
            if event.kind != "targeted":
                return False
            target = groups["what"] or ""
            if target in ("me", "mine", "anything of mine"):
                return event.seat == seat
            return event.thing is not None and _is(state, target, event.thing, seat)
        case "plays":
            return (
                event.kind == "played"
                and event.thing is not None
                and _caster(event, groups["who"], seat)
                and _cast_fits(state, groups["what"] or "", event.thing)
            )
        case "casts":
            return (
                event.kind == "cast"
                and event.thing is not None
                and _caster(event, groups["who"], seat)
                and _cast_fits(state, groups["what"] or "", event.thing)
            )
    return False


def _caster(event: Event, actor: str, seat: str) -> bool:
    return event.seat != seat if actor in ("opponent", "anybody", "anything") else actor == event.seat.casefold()


def _cast_fits(state: State, description: str, thing: Thing) -> bool:
    card = state.cards[thing.card]
    if (test := TEST.search(description)) is not None and not _holds(card.mana_value, test):
        return False
    text = description.casefold()
    if "an ability" in text:
        return card.type == "ability"
    if "mercenary" in text:
        return card.type == "mercenary"
    if "spell" in text:
        return card.type == "spell"
    if "citizen" in text:
        return card.type == "citizen"
    return not text or text.startswith(("a card", "anything", "of cost")) or card.name.casefold() in text


def _is(state: State, name: str, thing: Thing, seat: str) -> bool:
    name = name.strip()
    if name.startswith("#"):
        return thing.number == int(name[1:])
    return name in ("anything", "a citizen", "opponent") or thing.card.casefold() == name.casefold()


def _holds(number: int, test: re.Match[str]) -> bool:
    bound = int(test["n"])
    return {
        "<=": number <= bound, ">=": number >= bound, "=": number == bound, "<": number < bound,
        ">": number > bound,
    }[test["op"]]  # fmt: skip


def answer(state: State, seat: str, kind: str) -> list[tuple[Order, str, str]]:
    """T10.3: the lines that a seat's orders give for the current question, each with the occasion on which it is
    given; the first legal one wins."""
    answers = []
    for order in state.orders:
        if order.seat == seat and not order.ended:
            line, occasion = _line(state, order, kind)
            if line and (not occasion or occasion not in order.occasions):
                answers.append((order, line, occasion))
    return answers


def _line(state: State, order: Order, kind: str) -> tuple[str, str]:
    low = order.text.casefold()
    if (groups := WHEN.fullmatch(low)) is not None:
        return (groups["line"] if _is_asked_for(groups["line"], kind) and _test(state, groups["test"]) else ""), ""
    if HE_PASSES.fullmatch(low):
        other_seats = [seat.letter for seat in state.seats if seat.letter != order.seat]
        has_passed = all(f"passed {seat}" in state.marks for seat in other_seats)
        return (order.text.partition(":")[2].strip() if kind == "turn" and has_passed else ""), ""
    if NEXT.fullmatch(low):
        return (order.text.partition(":")[2].strip() if kind == "turn" and not order.fired else ""), ""
    if (groups := ASKED.fullmatch(low)) is not None:
        return _if_asked(state, order, groups, kind), ""
    if (groups := ALWAYS.fullmatch(low)) is not None:
        return _always(state, groups, kind), ""
    if (groups := KEEP.fullmatch(order.text)) is not None or (groups := KEEP.fullmatch(low)) is not None:
        return _keep(state, order.seat, groups["names"], kind), ""
    if TRIGGERS.fullmatch(low):
        return (order.text.replace(" then ", ", ") if kind == "triggers" else ""), ""
    if PASS.fullmatch(low):
        return ("pass" if kind in ("priority", "turn") else ""), ""
    stages = THEN.split(order.text)
    groups = IF.fullmatch(stages[min(order.stage, len(stages) - 1)])
    return _if_line(state, order, groups, kind) if groups is not None else ("", "")


def _is_asked_for(line: str, kind: str) -> bool:
    return {"no block": kind == "block", "no attack": kind == "attack"}.get(line, kind == "may")


def _always(state: State, groups: re.Match[str], kind: str) -> str:
    """T10.3: `always yes to #7`, `never block`."""
    if groups["how"] == "never":
        return f"no {groups['line']}" if kind == groups["line"] else ""
    return groups["line"] if kind == "may" and (not groups["to"] or _about(state, groups["to"])) else ""


def _about(state: State, topic: str) -> bool:
    """T10.3: whether the current question is about a card, or of a kind that an order names."""
    decision = state.decision
    return decision is not None and topic.strip() in [
        term.casefold() for term in (decision.kind, decision.what, *decision.words(state))
    ]


def _if_asked(state: State, order: Order, groups: re.Match[str], kind: str) -> str:
    """T10.3: `if asked to resupply: yes, if opponent did: no`."""
    if kind != "may" or not _about(state, groups["what"]):
        return ""
    seats = state.decision.agreed(state) if state.decision is not None else ()
    agreed = [seat for seat in seats if seat != order.seat]
    return groups["other"] if agreed and groups["other"] else groups["line"]


def _keep(state: State, seat: str, card_names: str, kind: str) -> str:
    """T10.3: `at clean-up keep ..`: the others are discarded; in games that ask what to keep, these are named."""
    if kind == "keep":
        return f"keep {card_names}"
    decision = state.decision
    if kind != "discard" or decision is None or not decision.is_clean_up(state):
        return ""
    names = [name.strip().casefold() for name in card_names.split(",")]
    rest = []
    for thing in (state.thing(aim) for aim in decision.offered()):
        if thing is None:
            continue
        if (
            name := next((name for name in names if name in (thing.card.casefold(), f"#{thing.number}")), None)
        ) is None:
            rest.append(thing.card)
        else:
            names.remove(name)
    least = decision.at_least()
    return "discard " + ", ".join(rest[:least]) if len(rest) >= least > 0 else ""


def _if_line(state: State, order: Order, groups: re.Match[str], kind: str) -> tuple[str, str]:
    line = groups["line"].strip()
    expected = "block" if line.casefold().startswith(("block", "no block")) else "priority"
    if kind != expected or (groups["test"] and not _test(state, groups["test"].casefold())):
        return "", ""
    event = groups["event"].casefold()
    for occasion, one in _occasions(state):
        if occasion not in order.occasions and happened(state, order.seat, event, one):
            return re.sub(r"\btarget it\b", f"target {_called(state, one)}", line), occasion
    return "", ""


def _occasions(state: State) -> Iterator[tuple[str, Event]]:
    """T10.3: events in progress that an order may wait for: the attack, and each item of the pile, newest first."""
    fight = state.fight
    attacking = state.thing(fight.attacker) if fight else None
    if fight is not None and attacking is not None:
        nth = len([mark for mark in state.marks if mark.startswith("attacked ")])
        name = f"attack {fight.attacker.stamp} {state.turn.number} {nth}"
        yield name, Event("attacks", thing=attacking, seat=fight.by)
        yield name, Event("is attacked", seat=fight.of, other=attacking)
    for item in reversed(state.pile):
        name = f"item {item.id}"
        source = state.things.get(item.source.key)
        if item.what == "card":
            yield name, Event("cast", seat=item.controller, thing=source)
            yield name, Event("played", seat=item.controller, thing=source)
        if item.what == "attack" and state.version >= 5:  # Seize 12: an attack that is on the stack
            yield name, Event("attacks", seat=item.controller, thing=source)
        for aim in [aim for part in item.scope.targets for aim in part]:
            thing = state.thing(aim)
            seat = aim.seat if isinstance(aim, Player) else thing.controller if thing else ""
            yield name, Event("targeted", seat=seat, thing=thing)
            if item.what == "attack" and state.version >= 5:
                yield name, Event("is attacked", seat=seat, other=source)


def _called(state: State, event: Event) -> str:
    if event.thing is None:
        return "none"
    item = next((item for item in reversed(state.pile) if item.source.key == event.thing.key), None)
    if item is not None:
        return naming.call(state, OnPile(item.id))
    return naming.call(state, Ref(event.thing.key, event.thing.stamp))


def _test(state: State, text: str) -> bool:
    """T10.3: a test of the attacker: `attack <= 2`."""
    test = TEST.search(text)
    thing = state.thing(state.fight.attacker) if state.fight else None
    if test is None or thing is None:
        return False
    number = {"attack": query.attack, "defense": query.defense}.get(test["stat"])
    return _holds(number(state, thing) if number else state.cards[thing.card].mana_value, test)


def fired(state: State, order: Order, occasion: str) -> State:
    """T10.3: an order has answered once more; a tree goes on to its next `if`, and ends after its last."""
    stages = len(THEN.split(order.text)) if order.text.casefold().startswith("if ") else 1
    stage = order.stage + 1
    new = replace(
        order, fired=order.fired + 1, stage=stage if stages > 1 else 0, ended=1 < stages <= stage,
        occasions=(*order.occasions, occasion)[-MOST_OCCASIONS:] if occasion else order.occasions,
    )  # fmt: skip
    return replace(state, orders=tuple(new if one == order else one for one in state.orders))


@dataclass(frozen=True, slots=True)
class Plan:
    """T9.2: the rest of a post of several lines. `turn`: the turn in which it was posted."""

    seat: str
    lines: tuple[str, ...]
    turn: int
    started: bool = False
    """Whether the first line, a `pass to`, has passed at least once."""


def of(state: State, seat: str) -> Plan | None:
    """T9.2: a seat's plan, if it has one."""
    return next((plan for plan in state.plans if plan.seat == seat), None)


def put(state: State, seat: str, plan: Plan | None) -> State:
    """T9.2: set a seat's plan; None removes it."""
    rest = tuple(other for other in state.plans if other.seat != seat)
    return replace(state, plans=(*rest, plan) if plan is not None and plan.lines else rest)


def others_stop(state: State, seat: str, action: Action) -> State:
    """T9.2: a plan goes on while only its poster's things happen: another's action stops it, but not their passing."""
    if action.kind in ("pass", "yes", "no", "recursion") or (action.kind == "block" and not action.things):
        return state
    remaining = tuple(
        plan for plan in state.plans
        if plan.seat == seat or plan.lines[0].casefold().startswith("whatever comes")
    )  # fmt: skip
    return replace(state, plans=remaining)


def needs_quiet(quiet: frozenset[str], action: Action) -> bool:
    """T13, S86: whether a line is of a kind (of `quiet`) that needs an empty pile: plans and cases wait for it.

    A `play` without a place is an ability at instant speed, and a plain `pass` is not a shortcut.
    """
    return action.kind in quiet and (action.kind not in ("play", "pass") or bool(action.to))


def reached(state: State, plan: Plan, action: Action) -> bool:
    """T9.2: whether a shortcut has reached its goal: a step of this turn, or the next turn."""
    if action.to == "turn":
        return state.turn.number != plan.turn
    return plan.started and (state.turn.at == action.to or state.turn.number != plan.turn)
