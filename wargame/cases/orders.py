"""Order cases (CASES.md): one line of text, and what it must be read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wargame.cases.armies import CaseError, names, sequence, text, whole
from wargame.cases.errors import keys_of
from wargame.rules.core.board import read_square
from wargame.rules.core.naming import names_of
from wargame.rules.core.orders import (
    Hold,
    InBattle,
    Intercept,
    Line,
    Move,
    Order,
    ReadOrder,
    Step,
    Talk,
    Transfer,
    write_order,
)
from wargame.rules.posts.notation import read_line

CASE_KEYS = ("case", "about", "order", "by", "armies", "expect")
EXPECT_KEYS = ("kind", "army", "steps", "target", "at", "column")
STEP_KEYS = ("from", "to", "route", "engage", "replace", "joint")
SUFFIX_KEYS = ("engage", "replace", "joint")
KINDS = ("move", "intercept", "transfer", "hold", "in_battle", "talk", "unreadable")


@dataclass(frozen=True, slots=True)
class OrderCase:
    """CASES.md: an order case as read. `own` is the army whose name may be left off (R10), or empty."""

    name: str
    order: str
    armies: tuple[str, ...]
    own: str
    expect: Mapping[str, Any]


def check_order_case(document: dict[str, Any]) -> list[str]:
    """CASES.md: what differs from the case's `expect`, in words; empty where all is as expected.

    Only what `expect` names is compared; a step is compared whole. CaseError where the case can't be read.
    """
    case = read_order_case(document)
    came = line_to_json(read_order(case))
    return [
        f"{key}: expected {wanted}, came {came.get(key, 'none')}"
        for key, wanted in case.expect.items()
        if wanted != came.get(key)
    ]


def read_order(case: OrderCase) -> Line:
    """3.2.2.5: what the case's line is read as."""
    return read_line(case.order, case.armies, case.own)


def tell_order_case(case: OrderCase, line: Line) -> list[str]:
    """R8: how the line was read, as its author would be shown it."""
    if isinstance(line, ReadOrder):
        return [f"{write_order(line.army, line.order)} (3.2.2.5)"]
    if isinstance(line, Talk):
        return ["Talk (R8)."]
    told = [f"Unreadable at column {line.column} (3.2.2.5): {line.wrong}", f"Expected: {line.expected}"]
    return told + ([f"Was it {' or '.join(line.suggestions)}?"] if line.suggestions else [])


def line_to_json(line: Line) -> dict[str, Any]:
    """CASES.md: a line in the words of a case's `expect`."""
    if isinstance(line, ReadOrder):
        return {"army": line.army, **_order_to_json(line.order)}
    if isinstance(line, Talk):
        return {"kind": "talk"}
    return {"kind": "unreadable", "column": line.column}


def read_order_case(document: dict[str, Any]) -> OrderCase:
    """CASES.md: an order case. Nothing is guessed: CaseError names the key that can't be read.

    A case without `armies` has those that its `expect` names.
    """
    where = f"“{text(document.get('case'), 'case')}”"
    keys_of(document, where, CASE_KEYS, ("case", "order", "expect"))
    if not isinstance(document["order"], str):
        raise CaseError(f"{where}: order: a line of text belongs here, not {document['order']!r}")
    by = text(document["by"], f"{where}: by") if "by" in document else ""
    expect = _expect(document["expect"], f"{where}, expect")
    armies = names(document["armies"], f"{where}: armies") if "armies" in document else _named_in(expect)
    return OrderCase(document["case"], document["order"], armies, names_of(armies).get(by) or "", expect)


def _order_to_json(order: Order) -> dict[str, Any]:
    match order:
        case Move(steps):
            return {"kind": "move", "steps": [_step_to_json(step) for step in steps]}
        case Intercept(target):
            return {"kind": "intercept", "target": target}
        case Transfer(target, at):
            return {"kind": "transfer", "target": target, "at": str(at)}
        case Hold():
            return {"kind": "hold"}
        case InBattle():
            return {"kind": "in_battle"}


def _step_to_json(step: Step) -> dict[str, Any]:
    read: dict[str, Any] = {"from": str(step.start), "to": str(step.to)}
    if step.route is not None:
        read["route"] = [str(square) for square in step.route]
    if step.suffix == "joint engage":
        read["joint"] = True
    elif step.suffix is not None:
        read[step.suffix] = step.target
    return read


def _expect(data: Any, where: str) -> dict[str, Any]:
    """`expect` in the words of `line_to_json`: squares in their canonical form."""
    expect = dict(keys_of(data, where, EXPECT_KEYS, ("kind",)))
    if expect["kind"] not in KINDS:
        raise CaseError(f"{where}: kind: “{expect['kind']}” is none of {', '.join(KINDS)}")
    for key in ("army", "target"):
        if key in expect:
            text(expect[key], f"{where}: {key}")
    if "column" in expect:
        whole(expect["column"], f"{where}: column")
    if "at" in expect:
        expect["at"] = _square(expect["at"], f"{where}: at")
    if "steps" in expect:
        steps = sequence(expect["steps"], f"{where}: steps")
        expect["steps"] = [_step(step, f"{where}: steps") for step in steps]
    return expect


def _step(data: Any, where: str) -> dict[str, Any]:
    step = dict(keys_of(data, where, STEP_KEYS, ("from", "to")))
    for key in ("from", "to"):
        step[key] = _square(step[key], f"{where}: {key}")
    if "route" in step:
        route = sequence(step["route"], f"{where}: route")
        step["route"] = [_square(square, f"{where}: route") for square in route]
    if sum(key in step for key in SUFFIX_KEYS) > 1:
        raise CaseError(f"{where}: a step has one of {', '.join(SUFFIX_KEYS)}, not several")
    for key in ("engage", "replace"):
        if key in step:
            text(step[key], f"{where}: {key}")
    if step.get("joint", True) is not True:
        raise CaseError(f"{where}: joint: only true belongs here, not {step['joint']!r}")
    return step


def _named_in(expect: Mapping[str, Any]) -> tuple[str, ...]:
    named = [expect.get("army"), expect.get("target")]
    named += [step.get(key) for step in expect.get("steps", []) for key in ("engage", "replace")]
    return tuple(name for name in named if name)


def _square(value: Any, where: str) -> str:
    """R1: a square in its canonical form; it may lie off the map, as in the text of an order."""
    try:
        return str(read_square(text(value, where)))
    except CaseError:
        raise
    except ValueError as error:
        raise CaseError(f"{where}: {error}") from None
