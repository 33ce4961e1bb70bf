"""T9.1: an action as the line that is read as the same action."""

from collections.abc import Sequence

from tables.core.lines.actions import Action, Ref
from tables.core.lines.forms import FORMS, ORDINALS, SENTENCES, STEPS, Form
from tables.core.lines.matching import Literal, Maybe, Node, nodes_of
from tables.core.lists.cards import Game

_TIGHT = (":",)


def write(action: Action, game: Game) -> str:
    """T9.1: the line of an action. Raises ValueError if no form of the game can say it."""
    for form in FORMS:
        if form.kind == action.kind and game in form.games and (line := _line(action, form, game)) is not None:
            whatever = "whatever comes: " if action.whatever else ""
            return whatever + "; ".join((line, *_clauses(action, form))) + ("!" if action.confirmed else "")
    raise ValueError(f"no line of {game} says {action.kind}")


def write_sentence(action: Action, game: Game) -> str:
    """T11.1: one sentence of a proposal or ruling."""
    for form in SENTENCES:
        if form.kind == action.kind and (line := _line(action, form, game)) is not None:
            return line
    raise ValueError(f"no sentence says {action.kind}")


def write_refs(refs: Sequence[Ref]) -> str:
    """T9.1: things, one after the other."""
    return ", ".join(f"#{ref}" if isinstance(ref, int) else ref for ref in refs)


def _line(action: Action, form: Form, game: Game) -> str | None:
    if any(getattr(action, key) != value for key, value in form.fixed):
        return None
    if form.kind in ("treasure", "choose", "target") and action.do and not form.fixed:
        return None
    parts = _nodes(action, form, nodes_of(form.pattern), game)
    return None if parts is None or not _says_all(action, form) else _joined(parts)


def _says_all(action: Action, form: Form) -> bool:
    """T9.1: whether the form has a place for all the data of the action."""
    pattern = form.pattern
    values = {
        "things": action.things,
        "cards": action.cards,
        "step": form.kind == "pass" and action.to,
    }
    fixed = {key for key, _ in form.fixed}
    return all(
        not value or f"{{{slot}}}" in pattern or (slot == "step" and "to" in fixed) for slot, value in values.items()
    )


def _joined(parts: Sequence[str]) -> str:
    line = ""
    for part in parts:
        line += part if part in _TIGHT or not line else f" {part}"
    return line


def _nodes(action: Action, form: Form, nodes: Sequence[Node], game: Game) -> list[str] | None:
    parts: list[str] = []
    for node in nodes:
        if isinstance(node, Literal):
            parts.append(node.words[0])
        elif isinstance(node, Maybe):
            parts += _maybe(action, form, node, game)
        else:
            text = _slot(action, form, node.name, game)
            if text is None:
                return None
            parts.append(text)
    return parts


def _maybe(action: Action, form: Form, node: Maybe, game: Game) -> list[str]:
    if all(isinstance(inner, Literal) for inner in node.nodes):
        return [inner.words[0] for inner in node.nodes if isinstance(inner, Literal)]
    return _nodes(action, form, node.nodes, game) or []


def _slot(action: Action, form: Form, slot: str, game: Game) -> str | None:
    if slot == "thing":
        return write_refs((action.thing,)) if action.thing else None
    if slot == "attacker":
        return write_refs((action.attacker,)) if action.attacker else None
    if slot == "targets":
        return write_refs(action.targets) if action.targets else None
    if slot == "things":
        return write_refs(action.things) or None
    if slot == "cards":
        return ", ".join(action.cards) or None
    if slot == "order":
        return write_refs(action.order) or None
    if slot in ("n", "number"):
        return str(action.n)
    if slot == "die":
        return f"d{action.n}"
    if slot == "other":
        return str(action.other)
    if slot == "ability":
        return ORDINALS[action.ability - 1] if action.ability else None
    if slot == "path":
        return "-".join(action.path) or None
    if slot == "step":
        return STEPS[game][action.to][0] if action.to in STEPS.get(game, {}) else None
    if slot == "changes":
        return "; ".join(write_sentence(change, game) for change in action.changes) or None
    if slot == "reason":
        return f"({action.text})" if action.text else None
    if slot == "expedition" and form.kind == "expedition":
        return action.stat or None
    field = {
        "from": "origin",
        "tile": "to",
        "expedition": "to",
        "seat": "to",
        "colour": "do",
        "counted": "stat",
        "named": "stat",
        "status": "do",
        "clause": "text",
    }
    return str(getattr(action, field.get(slot, slot))) or None


def _clauses(action: Action, form: Form) -> list[str]:
    if not form.clauses:
        return []
    parts = [
        f"{ORDINALS[nth - 1]} effect: " + (f"target {write_refs(refs)}" if refs else "none")
        for nth, refs in action.effects
    ]
    if action.targets is not None and "{targets}" not in form.pattern:
        parts.append(f"target {write_refs(action.targets) or 'none'}")
    parts += [f"{kind} {write_refs(refs)}" for kind, refs in action.choices]
    if action.x is not None:
        parts.append(f"X = {action.x}")
    if action.order:
        parts.append("order " + ", ".join(str(part) if isinstance(part, int) else part for part in action.order))
    if action.pay:
        parts.append(f"pay with {write_refs(action.pay)}")
    return parts
