"""Order cases (docs/develop/cases.md): one line of text, and how it must be read."""

from typing import Annotated, Any, Literal, NamedTuple

from wargame.cases.kinds import Kind, Part
from wargame.cases.reading import CaseError, Free, anywhere, built, differences
from wargame.rules.core.names import names_of
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

Place = Annotated[str, lambda value, where: str(anywhere(value, where))]
"""R1: a square in its canonical form; it may lie off the map, as in the text of an order."""


def _line(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise CaseError(f"{where}: expected a line of text, not {value!r}")
    return value


def _true(value: object, where: str) -> bool:
    if value is not True:
        raise CaseError(f"{where}: expected true, not {value!r}")
    return True


class StepTable(NamedTuple):
    """One turn's part of a move."""

    from_: Place
    to: Place
    route: list[Place] | None = None
    engage: str | None = None
    replace: str | None = None
    joint: Annotated[bool | None, _true] = None


def _step(step: StepTable) -> dict[str, object]:
    """A step in the keys of `line_to_json`."""
    if (step.engage, step.replace, step.joint).count(None) < 2:
        raise CaseError("a step can have only one of engage, replace and joint")
    return {key.removesuffix("_"): value for key, value in step._asdict().items() if value is not None}


class Expected(NamedTuple):
    """The expected reading of a line; only the given keys are compared, a step as a whole."""

    kind: Literal["move", "intercept", "transfer", "hold", "in_battle", "talk", "unreadable"]
    army: str | None = None
    steps: list[Annotated[dict[str, Any], built(StepTable, _step)]] | None = None
    target: str | None = None
    at: Place | None = None
    column: int | None = None


class OrderCase(NamedTuple):
    """An order case. Without `armies` it has those that its `expect` names."""

    case: str
    order: Annotated[str, _line]
    expect: Expected
    about: Free = ""
    by: str = ""
    armies: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        if self.armies is not None:
            return self.armies
        steps = [step.get(key) for step in self.expect.steps or () for key in ("engage", "replace")]
        return tuple(name for name in (self.expect.army, self.expect.target, *steps) if name)


def read_order(case: OrderCase) -> Line:
    """3.2.2.5: the reading of the case's line; the author may leave off the name of their own army (R10)."""
    return read_line(case.order, case.names, names_of(case.names).get(case.by) or "")


def tell(line: Line) -> list[str]:
    """R8: how the line was read, in the words for its author."""
    if isinstance(line, ReadOrder):
        return [f"{write_order(line.army, line.order)} (3.2.2.5)"]
    if isinstance(line, Talk):
        return ["Talk (R8)."]
    lines = [f"Unreadable at column {line.column} (3.2.2.5): {line.wrong}", f"Expected: {line.expected}"]
    return lines + ([f"Was it {' or '.join(line.suggestions)}?"] if line.suggestions else [])


def _differences(case: OrderCase, line: Line) -> list[str]:
    return differences(case.expect, line_to_json(line))


def _parts(case: OrderCase, line: Line) -> list[Part]:
    return [Part(case.order, tell(line), {"line": line_to_json(line)})]


ORDERS = Kind(OrderCase, read_order, _differences, _parts)


def line_to_json(line: Line) -> dict[str, object]:
    """A line in the keys of a case's `expect`."""
    if isinstance(line, ReadOrder):
        return {"army": line.army, **_order_to_json(line.order)}
    if isinstance(line, Talk):
        return {"kind": "talk"}
    return {"kind": "unreadable", "column": line.column}


def _order_to_json(order: Order) -> dict[str, object]:
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


def _step_to_json(step: Step) -> dict[str, object]:
    read: dict[str, object] = {"from": str(step.start), "to": str(step.to)}
    if step.route is not None:
        read["route"] = [str(square) for square in step.route]
    if step.suffix == "joint engage":
        read["joint"] = True
    elif step.suffix is not None:
        read[step.suffix] = step.target
    return read
