"""What happened at a table, as sentences; the log holds codes and fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.core.pace import stops

UNSAID = frozenset({
    *("start of turn", "end of turn", "draws", "start of phase", "leaves", "done", "targeted", "is attacked"),
    *("is blocked", "is dealt damage", "lasting", "paid", "effects end", "placed", "not drawn", "passed"),
    *("damage assigned", "still blocked"),
})  # fmt: skip
"""What only triggers and counts: each has another event beside it that is told, or is too small to be read."""

SENTENCES: Mapping[str, str] = {
    "step": "— {zone} —",
    "turn": "Turn {amount}: {seat}.",
    "starter": "{seat} begins.",
    "over": "The table is over. {won}",
    "drawn": "{seat} draws {card}.",
    "shuffled": "{seat} shuffles ({zone}, shuffle {amount}).",
    "recursion": "{seat} puts back {amount} of the first hand.",
    "row placed": "{seat}’s 11 year row is placed: {amount} cards.",
    "soul": "{seat}: {card} goes to the soul row.",
    "energy": "{seat} has {amount} more energy.",
    "cast": "{seat} casts {card}.",
    "not cast": "{card} is not cast.",
    "on pile": "On the {pile}: {card}.",
    "resolves": "{card} resolves.",
    "countered": "{card} is countered.",
    "enters": "{card} enters play.",
    "attacks": "{card} attacks.",
    "no attack": "{seat} doesn’t attack.",
    "blocks": "{card} blocks.",
    "no block": "{seat} doesn’t block.",
    "damage to player": "{seat} is dealt {amount} damage.",
    "deals damage": "{card} deals {amount} damage.",
    "dies": "{card} dies.",
    "destroyed": "{card} is destroyed.",
    "eleven destroyed": "An 11 year card of {seat} is destroyed: {card}.",
    "eleven ability": "{seat} uses the 11 year ability of {card}.",
    "eleven cast": "{seat} casts {card} for its 11 year cost.",
    "taken": "{seat} takes {card} into the hand.",
    "discarded": "{seat} discards {card}.",
    "sacrificed": "{card} is sacrificed.",
    "abolished": "{card} is abolished.",
    "plundered": "{card} is plundered.",
    "engaged": "{card} engages.",
    "disengaged": "{card} disengages.",
    "disengaged all": "{seat}’s cards disengage.",
    "attached": "{card} is attached.",
    "detached": "{card} is detached.",
    "moved": "{card} goes to {zone}.",
    "fallen": "{card} falls to {zone}.",
    "put back": "{seat} puts a card back.",
    "revealed": "{seat} reveals {card}.",
    "looked": "{seat} looks at cards.",
    "searched": "{seat} searches {zone}.",
    "chosen": "{seat} has chosen.",
    "used": "{seat} uses {card}.",
    "rolled": "{seat} rolls {amount}.",
    "coin": "{seat} flips a coin: {amount}.",
    "proposed": "{seat} proposes (number {amount}).",
    "accepted": "{seat} accepts proposal {amount}.",
    "refused": "{seat} refuses proposal {amount}.",
    "ruling": "A judge rules.",
    "default": "{seat}’s time is over: the default is played.",
    "taken back": "{seat} takes the last post back.",
    "ordered": "A standing order is kept.",
    "stops": "{seat} sets in which windows to be asked.",
    "agreed": "Agreed on question {amount}: {told}.",
    "proposes": "{seat} proposes {told}.",
    "asks to go back": "{seat} asks to go back to entry {amount}.",
    "rewound": "The table goes back to entry {amount}.",
    "judge looks": "A judge looks at the hidden cards of {seat}.",
    "endless": "Cards set each other off without end: a judge is called.",
    "dealt": "{amount} cards are dealt.",
    "mulligan": "{seat} draws a new hand.",
    "created": "{card} is created.",
    "counters": "Counters on {card}: {told}.",
    "counted": "{seat} has {told}.",
    "rearranged": "{seat} puts cards in another order.",
    "swapped": "{card} changes places.",
    "skipped": "{seat} skips a part of the turn.",
    "will skip": "{seat} will skip: {told}.",
    "damage order": "{seat} orders the damage.",
    "no effect": "{card} has no effect.",
    "fails": "{card} fails.",
    "ready": "{seat}’s treasures are ready.",
    "acquired": "{seat} acquires {amount}.",
    "enough": "{seat} acquires no more.",
    "played": "{seat} plays {card}.",
    "moves": "{card} moves {tiles}.",
    "move ends": "{card}’s move ends.",
    "unveils": "{card} unveils an opponent.",
    "hits": "{card} hits for {amount}.",
    "struck": "{card} is dealt {amount} {told} damage.",
    "armor": "Armor takes {amount} from what {card} is dealt.",
    "defense": "The shield of {card} takes {amount}.",
    "poisoned": "Poison adds {amount} to what {card} is dealt.",
    "bleeds": "{card} bleeds for {amount}.",
    "burns": "{card} burns for {amount}.",
    "healed": "{card} is healed by {amount}.",
    "mended": "{card} is mended.",
    "status given": "{card} has {told} now.",
    "status gone": "{card} has {told} no more.",
    "tile": "{zone}: {told}, {amount}.",
    "bounty": "{card}’s bounty: {amount} Loot.",
    "plunders": "{card} plunders {amount} Loot.",
    "gains": "{seat} gains {amount} {told}.",
    "loses": "{seat} loses {amount} {told}.",
    "lost": "{seat} has lost.",
    "unequips": "{card} is unequipped.",
    "first player": "{seat} is the first player today.",
    "first orbs": "{seat} begins with {amount} Mana Orbs.",
    "readied": "Characters, Permanents and Mana Orbs are readied.",
    "mana": "{seat} puts {card} into the Mana zone.",
    "rests": "{card} rests: it goes to the Reserve.",
    "resupplied": "{seat} resupplies {card}.",
    "kept": "{seat} keeps the hand.",
    "shuffled in": "{seat} shuffles the hand into the deck.",
    "treasure": "{seat} puts {card} into the Warchest.",
    "exits": "{card} exits.",
    "unequipped": "{card} is unequipped.",
    "expands": "{seat} has decided about Mana.",
    "orb": "{seat} exhausts an Orb and readies another.",
    "noon": "Noon.",
    "quick action": "{seat} plays a quick action of {card}.",
    "reaction": "{card} reacts.",
    "found": "{card} is followed to where it went.",
    "gone": "{card} is no longer where it was.",
    "impossible": "That is impossible, and is left out.",
    "instead": "{card}: something else happens instead.",
    "not activated": "{card} has reacted a hundred times today, and does no more.",
    "unpaid": "The reaction of {card} is not paid for.",
    "paid for": "{seat} pays what it costs more.",
    "sums": "The expeditions are summed up.",
    "forward": "{seat}’s {told} expedition moves forward, to region {amount}.",
    "back": "{seat}’s {told} expedition moves back, to region {amount}.",
    "nobody moves": "No expedition moves.",
    "across": "{card} goes to {zone}.",
    "stays": "{card} stays.",
    "ceases": "{card} ceases to be.",
    "clean-up": "{seat} cleans up.",
    "keeps": "{seat} keeps {amount}.",
    "sealed": "{seat} has decided early; it is shown in its turn.",
    "by order": "Your order {amount} answers.",
    "plan stopped": "{seat}’s plan stops here.",
    "no draw": "{seat} doesn’t draw.",
    "deck empty": "{seat}’s deck is empty.",
    "no damage": "No damage is dealt.",
    "not placed": "{card} triggers in vain.",
    "control": "{seat} controls {card} now.",
    "removed": "{card} loses counters.",
    "replaced": "{card}: something else happens instead.",
}


PILE: Mapping[str, str] = {"seize": "stack"}
"""By game: what its document calls what waits to be resolved; where it isn't named, the pile."""
NOT_OF: Mapping[str, frozenset[str]] = {"seize": frozenset({"last card", "spell"})}
"""T10.2: by game, the stops for what can't happen in it."""

STATUSES: Mapping[str, Mapping[str, str]] = {
    "altered": {"status given": "{card} is {told} now.", "status gone": "{card} is {told} no more."},
}
"""By game: where statuses are told otherwise, as in Altered, where something is asleep."""
ZONES: Mapping[str, str] = {
    "companion": "Companion expedition", "hero": "Hero expedition", "herozone": "Hero zone",
    "landmark": "Landmark zone", "mana": "Mana zone", "reserve": "Reserve", "warchest": "Warchest",
    "quarters": "Guild Quarters", "eleven": "11 year row", "soul": "soul row",
}  # fmt: skip
"""T5: a seat's zones as the documents call them, where their keys don't read by themselves."""

STEP_NAMES: Mapping[str, str] = {
    "first": "first phase", "second": "second phase", "combat.begin": "combat begins", "attack": "attackers",
    "block": "blockers", "combat.end": "combat ends", "end": "end of turn", "move1": "first movement",
    "move2": "second movement",
}  # fmt: skip
"""T4, T11: what steps are called whose keys don't read by themselves."""


@dataclass(frozen=True)
class Told:
    """T6: an event in words, with its citations. `is_step`: a step begins, under which the next ones stand."""

    text: str
    cites: tuple[str, ...]
    kind: str

    @property
    def is_step(self) -> bool:
        """Whether it only says where in the turn the table is."""
        return self.kind in ("step", "turn")


def sentences(events: Sequence[Mapping[str, Any]], names: Mapping[str, str], game: str) -> tuple[Told, ...]:
    """T6: events of a game, as one viewer may know them, in its words; `names`: what the seats are called. A step in
    which nothing else happened is left out but the last."""
    found = [told for event in events if (told := _sentence(event, names, game)) is not None]
    return tuple(
        told for at, told in enumerate(found)
        if told.kind != "step" or at + 1 == len(found) or found[at + 1].kind not in ("step", "turn")
    )  # fmt: skip


def _sentence(event: Mapping[str, Any], names: Mapping[str, str], game: str) -> Told | None:
    kind = str(event["kind"])
    if kind in UNSAID:
        return None
    seat = names.get(str(event["seat"]), str(event["seat"]) or "Somebody")
    number = f" #{event['number']}" if event.get("number") else ""
    card = f"{event['card']}{number}" if event.get("card") else "a card"
    won = f"{seat} wins." if event["seat"] else "Nobody wins."
    pile, told = pile_of(game), str(event.get("told") or "")
    zone = f"the {pile}" if event["zone"] == "pile" else _zone(str(event["zone"]), names)
    unnamed = "{kind}: {card}." if event.get("card") else "{seat}: {kind}."
    pattern = STATUSES.get(game, SENTENCES).get(kind) or SENTENCES.get(kind, unnamed)
    words = {"seat": seat, "card": card, "amount": event["amount"], "zone": zone, "kind": kind, "won": won}
    words["tiles"] = f"{event['amount']} tile{'' if event['amount'] == 1 else 's'}"
    text = pattern.format(**words, told=told, pile=pile)
    return Told(text[:1].upper() + text[1:], tuple(str(cite) for cite in event["cites"]), kind)


def pile_of(game: str) -> str:
    """What a game's document calls what waits to be resolved."""
    return PILE.get(game, "pile")


def of_stop(name: str, game: str) -> str:
    """T10: when a stop asks, in words: `my first`, `their end`, `attacked`; empty for what can't happen in the game."""
    if name in NOT_OF.get(game, ()):
        return ""
    if name in stops.EVENTS:
        return stops.EVENTS[name].replace("the pile", f"the {pile_of(game)}")
    whose, _, step = name.partition(" ")
    return f"{'my own turn' if whose == 'my' else 'an opponent’s turn'}: {STEP_NAMES.get(step, step)}"


def _zone(zone: str, names: Mapping[str, str]) -> str:
    letter, dot, kind = zone.rpartition(".")
    if zone in STEP_NAMES:
        return STEP_NAMES[zone]
    return f"{names[letter]}’s {ZONES.get(kind, kind)}" if dot and letter in names else zone
