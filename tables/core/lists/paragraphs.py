"""T7, T9: abilities and their effects: from source to typed data, with every error."""

from collections.abc import Mapping

from tables.core.lists.cards import (
    Ability,
    AbilityKind,
    Argument,
    Effect,
    Name,
    Number,
    Price,
    Selector,
    Stone,
    Target,
    Trigger,
)
from tables.core.lists.faults import At, one_of, quote
from tables.core.lists.vocabulary import (
    ABILITY_KEYS,
    ABILITY_KINDS,
    ACTIONS,
    ACTS,
    ALONE,
    EVENTS,
    FOREIGN,
    ONCE,
    PRIMITIVES,
    STONES,
    ZONES,
    Arg,
    Kind,
)
from tables.core.lists.words import (
    NOBODY,
    read_change,
    read_filter,
    read_flag,
    read_number,
    read_selector,
    read_test,
    read_text,
    read_value,
    read_word,
    refuse_unknown,
)
from wargame.rules.core.saying import said

MOST_EFFECTS = 30
"""The most steps of a list of effects."""
MOST_TARGETS = 10
LONGEST_TEXT = 2000

CHOICES = ("number", "player", "colour", "tile", "name")
_TRIGGER_KEYS = ("from", "to", "status", "by", "once", "type")


def read_effects(data: object, at: At) -> tuple[Effect, ...]:
    """T7: a list of effects, or a single one."""
    if at.too_deep():
        return ()
    if isinstance(data, (str, Mapping)):
        return (read_effect(data, at),)
    if not isinstance(data, (list, tuple)):
        at.wrong(said("%(what)s is not a list of effects.", what=quote(data)), said("Try `[{draw: 1}]`."))
        return ()
    if len(data) > MOST_EFFECTS:
        at.wrong(
            said("The list has %(number)s effects.", number=len(data)),
            said("The limit is %(most)s.", most=MOST_EFFECTS),
        )
        return ()
    return tuple(read_effect(step, at.within(number)) for number, step in enumerate(data, 1))


def read_effect(data: object, at: At) -> Effect:
    """T7: one primitive: a mapping with its word and arguments, or a word alone (`resupply`)."""
    if isinstance(data, str):
        if data in ALONE:
            return Effect(data)
        at.wrong(said("%(what)s doesn't do anything by itself.", what=quote(data)), one_of((*ALONE, *PRIMITIVES), data))
        return Effect("manual")
    if not isinstance(data, Mapping) or not data:
        at.wrong(said("%(what)s is not an effect.", what=quote(data)), said("Try `{draw: 1}`."))
        return Effect("manual")
    if at.too_deep():
        return Effect("manual")
    word = _word_of(data)
    if word is None:
        key = next(iter(data))
        at.wrong(said("The word %(key)s is unknown.", key=quote(key)), one_of(PRIMITIVES, key))
        return Effect("manual")
    primitive = PRIMITIVES[word]
    inner = at.within(word)
    if word in FOREIGN[at.game]:
        inner.wrong(
            said("%(word)s is not a word of this game.", word=quote(word)),
            said("Let the players follow the card's text by hand: `{manual: ..}`."),
        )
    refuse_unknown(data, (word, *primitive.keys), inner)
    for key, arg in primitive.keys.items():
        if arg.needed and key not in data:
            inner.wrong(
                said("“%(word)s” needs “%(key)s”.", word=word, key=key),
                said("Add %(what)s.", what=said(arg.kind.value)),
            )
    args: list[tuple[str, Argument]] = []
    if primitive.main.kind is not Kind.NONE:
        args.append((word, _read_argument(data[word], primitive.main, inner)))
    elif data[word] is not True and data[word] is not None:
        inner.wrong(said("“%(word)s” takes no argument.", word=word), f"Write `{word}: true`.")
    args += [
        (key, _read_argument(data[key], arg, inner.within(key))) for key, arg in primitive.keys.items() if key in data
    ]
    return Effect(word, tuple(args))


def _word_of(data: Mapping[str, object]) -> str | None:
    """T7: the key that is the primitive's word: the first to which all others belong, whatever their order
    (databases and canonical JSON sort keys); else the first that is a word at all."""
    candidates = [key for key in data if key in PRIMITIVES]
    for candidate in candidates:
        if all(key == candidate or key in PRIMITIVES[candidate].keys for key in data):
            return candidate
    return candidates[0] if candidates else None


def _read_argument(data: object, arg: Arg, at: At) -> Argument:
    kind = arg.kind
    if kind is Kind.WORD:
        return read_text(data, at, longest=LONGEST_TEXT) if not arg.among else read_word(data, at, arg.among)
    if kind is Kind.VALUE:
        return read_value(data, at)
    if kind is Kind.CHANGE:
        return "renewed" if data == "renewed" else read_change(data, at)
    if kind is Kind.SELECTOR:
        return read_selector(data, at)
    if kind is Kind.FILTER:
        return read_filter(data, at)
    if kind is Kind.FLAG:
        return read_flag(data, at)
    if kind is Kind.EFFECTS:
        return read_effects(data, at)
    if kind is Kind.TEST:
        return read_test(data, at)
    if kind is Kind.TRIGGER:
        return read_trigger(data, at)
    if kind is Kind.PRICE:
        return read_price(data, at)
    if kind is Kind.ABILITY:
        return read_ability(data, at)
    return _read_either(data, kind, at)


def _read_either(data: object, kind: Kind, at: At) -> Argument:
    """T7: the kinds that allow one of several things."""
    if kind is Kind.NUMBER_OR_SELECTOR:
        is_selector = (
            isinstance(data, Mapping) and set(data) != {"count"} or data in ("chosen", "self", "it", "remembered")
        )
        return read_selector(data, at) if is_selector else read_value(data, at)
    if kind is Kind.SELECTOR_OR_CHANGE:
        return read_change(data, at) if isinstance(data, str) and data[:1] in ("+", "-") else read_selector(data, at)
    if kind is Kind.CHOICE:
        return data if isinstance(data, str) and data in CHOICES else read_selector(data, at)
    if kind is Kind.ACTION:
        return read_word(data, at, ACTIONS) if isinstance(data, str) else read_effects(data, at)
    if isinstance(data, str) and not data.startswith("target "):
        return read_word(data, at, ZONES[at.game])
    return read_selector(data, at)


def read_trigger(data: object, at: At) -> Trigger:
    """9.3: an event by its word alone (`noon`), or with its subject and origin."""
    if isinstance(data, str):
        return Trigger(read_word(data, at, EVENTS))
    events = [key for key in data if key in EVENTS] if isinstance(data, Mapping) else []
    if not isinstance(data, Mapping) or len(events) != 1:
        value = next(iter(data), None) if isinstance(data, Mapping) else data
        at.wrong(said("%(what)s doesn't name exactly one event.", what=quote(value)), one_of(EVENTS, value))
        return Trigger("enters")
    event = events[0]
    inner = at.within(event)
    refuse_unknown(data, (event, *_TRIGGER_KEYS), at)
    from_zone, to_zone = (
        read_word(data[key], at.within(key), ZONES[at.game]) if key in data else "" for key in ("from", "to")
    )
    is_phase = event == "start of phase"
    return Trigger(
        event,
        what=None if is_phase or data[event] is None else read_selector(data[event], inner, bare="any"),
        phase=read_word(data[event], inner) if is_phase else "",
        from_zone=from_zone,
        to_zone=to_zone,
        status=read_word(data["status"], at.within("status")) if "status" in data else "",
        by=read_selector(data["by"], at.within("by"), bare="any") if "by" in data else None,
        once=read_word(data["once"], at.within("once"), ONCE) if "once" in data else "",
    )


def read_price(data: object, at: At) -> Price:
    """8.1: a number (any stones, treasures), or a mapping of stones (`w: 1, any: 2`) and acts (`engage: self`)."""
    if isinstance(data, (int, str)) and not isinstance(data, bool):
        return Price((Stone("any", _read_stones(data, at)),))
    if not isinstance(data, Mapping):
        at.wrong(said("%(what)s is not a cost.", what=quote(data)), said("Try `{w: 1, any: 2}` or `{engage: self}`."))
        return Price()
    stones: list[Stone] = []
    acts: list[Effect] = []
    act_keys = {key for act in ACTS if act in data for key in PRIMITIVES[act].keys}
    for key, stated in data.items():
        if key in ACTS:
            arguments = {name: data[name] for name in data if name in PRIMITIVES[key].keys and name not in ACTS}
            acts.append(_read_act(key, stated, arguments, at))
        elif key not in act_keys:
            colour = "any" if key == "cost" else key
            if not _is_stone(colour, at.game):
                paid = STONES.get(at.game, ("any",))
                at.within(str(key)[:40]).wrong(
                    said("%(key)s can't be paid.", key=quote(key)), one_of((*paid, *ACTS), key)
                )
            stones.append(Stone(str(colour), _read_stones(stated, at.within(str(key)[:40]))))
    return Price(tuple(stones), tuple(acts))


def _is_stone(key: object, game: str) -> bool:
    """8.1.1.1: a colour or a kind, or several separated by `/`: `w`, `w/u`."""
    if not isinstance(key, str) or not 0 < len(key) <= 20:
        return False
    stones = STONES.get(game)
    return all(part in stones if stones else part.isalpha() for part in key.split("/"))


def _read_stones(data: object, at: At) -> Number | Name:
    return Name("X") if data == "X" else Number(read_number(data, at))


def _read_act(word: str, stated: object, arguments: Mapping[str, object], at: At) -> Effect:
    """8.1.3: an act of a cost: `discard: 1`, `sacrifice: self`, `plunder: 2, of: {..}`."""
    return read_effect({word: stated, **arguments}, at)


def read_target(data: object, at: At) -> Target:
    """8.5: a declared target: a filter, with `up to` or `n`."""
    if not isinstance(data, Mapping):
        return Target(read_filter(data, at))
    where = read_filter({key: data[key] for key in data if key not in ("up to", "n")}, at)
    if "up to" in data:
        return Target(where, 0, read_number(data["up to"], at.within("up to"), least=1))
    n = read_number(data["n"], at.within("n"), least=1) if "n" in data else 1
    return Target(where, n, n)


def read_ability(data: object, at: At, kind: AbilityKind | None = None) -> Ability:
    """T9: one paragraph; its key says its kind (`when`, `active`, `quick`, `passive`, `spell`)."""
    if not isinstance(data, Mapping):
        at.wrong(
            said("%(what)s is not an ability.", what=quote(data)),
            said("Try `{when: {enters: self}, do: [{draw: 1}]}`."),
        )
        return Ability("spell")
    if at.too_deep():
        return Ability("spell")
    refuse_unknown(data, ABILITY_KEYS, at)
    kinds = [key for key in ABILITY_KINDS if key in data]
    if kind is None and len(kinds) != 1:
        at.wrong(
            said("We can't tell what kind of ability this is."),
            said("Write exactly one of: %(words)s.", words=", ".join(ABILITY_KINDS)),
        )
        return Ability("spell")
    is_of = kind or _KINDS[kinds[0]]
    do = read_effects(data["do"], at.within("do")) if "do" in data else ()
    passive, on, players = _read_passive(data, at)
    if not do and not passive and kind is None:
        at.wrong(
            said("The ability does nothing."),
            said("Add `do`, or let the players follow the card's text by hand: `do: [{manual: ..}]`."),
        )
    ability = Ability(
        is_of,
        when=read_trigger(data["when"], at.within("when")) if "when" in data else None,
        cost=_read_cost(data, at),
        test=read_test(data["if"], at.within("if")) if "if" in data else None,
        targets=_read_targets(data.get("targets", ()), at.within("targets")),
        choose=read_selector(data["choose"], at.within("choose")) if "choose" in data else None,
        do=do,
        passive=passive,
        on=on,
        who=players,
        each=_read_each(data["each"], at.within("each")) if "each" in data else None,
        may=read_flag(data.get("may", False), at.within("may")),
        solo=read_flag(data.get("solo", False), at.within("solo")),
        focused=read_flag(data.get("focused", False), at.within("focused")),
        limit=read_number(data.get("limit", 0), at.within("limit")),
        zone=read_word(data["in"], at.within("in"), ZONES[at.game]) if "in" in data else "",
        text=read_text(data.get("text", ""), at.within("text"), longest=LONGEST_TEXT),
    )
    _check_targets(ability, at)
    return ability


_KINDS: Mapping[str, AbilityKind] = {
    "when": "when",
    "active": "active",
    "quick": "quick",
    "passive": "passive",
    "spell": "spell",
}


def _read_passive(data: Mapping[str, object], at: At) -> tuple[tuple[Effect, ...], Selector | None, Selector | None]:
    """9.2: the modifiers, their things (`on`, in the passive or beside it), and their players (`who`)."""
    on = read_selector(data["on"], at.within("on"), bare="all") if "on" in data else None
    players = read_selector(data["who"], at.within("who")) if "who" in data else None
    if "passive" not in data:
        return (), on, players
    inner, stated = at.within("passive"), data["passive"]
    if isinstance(stated, Mapping) and "on" in stated:
        on = read_selector(stated["on"], inner.within("on"), bare="all")
        stated = {key: stated[key] for key in stated if key != "on"}
    return read_effects(stated, inner), on, players


def _read_cost(data: Mapping[str, object], at: At) -> Price:
    """8.1.3: the cost of an active or quick ability is at its word; `cost` is for triggers (9.3)."""
    keys = [key for key in ("active", "quick", "cost") if key in data and data[key] is not True]
    if len(keys) > 1:
        at.within(keys[1]).wrong(
            said("The cost appears twice."), said("Write the whole cost under `%(key)s`.", key=keys[0])
        )
    return read_price(data[keys[0]], at.within(keys[0])) if keys else Price()


def _read_targets(data: object, at: At) -> tuple[Target, ...]:
    if not isinstance(data, (list, tuple)) or len(data) > MOST_TARGETS:
        at.wrong(
            said("%(what)s is not a list of targets.", what=quote(data)),
            said("Write at most %(most)s: `[{type: citizen}]`.", most=MOST_TARGETS),
        )
        return ()
    return tuple(read_target(target, at.within(number)) for number, target in enumerate(data, 1))


def _read_each(data: object, at: At) -> Selector:
    return read_selector({"player": "each player", "opponent": "each opponent"}.get(str(data), data), at)


def _check_targets(ability: Ability, at: At) -> None:
    """8.5: a target must be declared to be named."""
    most = max((selector.n for selector in _selectors(ability.do) if selector.word == "target"), default=0)
    if most > len(ability.targets):
        at.within("targets").wrong(
            said(
                "The effect uses target %(last)s, but only %(number)s are declared.",
                last=most,
                number=len(ability.targets),
            ),
            said("Declare each target in `targets`."),
        )


def _selectors(node: object) -> list[Selector]:
    if isinstance(node, Selector):
        return [node] if node is not NOBODY else []
    if isinstance(node, Effect):
        return [selector for _, value in node.args for selector in _selectors(value)]
    if isinstance(node, tuple):
        return [selector for part in node for selector in _selectors(part)]
    return []
