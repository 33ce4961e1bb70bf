"""A table's events and the reason of its end, as sentences. The log holds codes and fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext, pgettext_lazy

from tables.core.pace import stops
from wargame.rules.core.phrases import Phrases, phrase_in

UNSAID = frozenset({
    *("start of turn", "end of turn", "draws", "start of phase", "leaves", "done", "targeted", "is attacked"),
    *("is blocked", "is dealt damage", "lasting", "paid", "effects end", "placed", "not drawn", "passed"),
    *("damage assigned", "still blocked", "unequips"),
})  # fmt: skip
"""Events that only trigger and count: another event beside each is shown, or it is too small to be read."""

SENTENCES: Mapping[str, str] = {
    "step": gettext_noop("— {zone} —"),
    "turn": gettext_noop("Turn {amount}: {seat}."),
    "starter": gettext_noop("{seat} begins."),
    "over": gettext_noop("The table is finished. {won}"),
    "drawn": gettext_noop("{seat} draws {card}."),
    "shuffled": gettext_noop("{seat} shuffles ({zone}, shuffle {amount})."),
    "recursion": gettext_noop("{seat} puts back {amount} from the first hand."),
    "row placed": gettext_noop("{seat}’s 11 year row is placed: {amount} cards."),
    "soul": gettext_noop("{seat}: {card} goes to the soul row."),
    "energy": gettext_noop("{seat} gains {amount} energy."),
    "cast": gettext_noop("{seat} casts {card}."),
    "not cast": gettext_noop("{card} is not cast."),
    "on pile": gettext_noop("On the {pile}: {card}."),
    "resolves": gettext_noop("{card} resolves."),
    "countered": gettext_noop("{card} is countered."),
    "enters": gettext_noop("{card} enters play."),
    "attacks": gettext_noop("{card} attacks."),
    "no attack": gettext_noop("{seat} doesn’t attack."),
    "blocks": gettext_noop("{card} blocks."),
    "no block": gettext_noop("{seat} doesn’t block."),
    "damage to player": gettext_noop("{seat} is dealt {amount} damage."),
    "deals damage": gettext_noop("{card} deals {amount} damage."),
    "dies": gettext_noop("{card} dies."),
    "destroyed": gettext_noop("{card} is destroyed."),
    "eleven destroyed": gettext_noop("{seat}’s 11 year card {card} is destroyed."),
    "eleven ability": gettext_noop("{seat} uses {card}’s 11 year ability."),
    "eleven cast": gettext_noop("{seat} casts {card} for its 11 year cost."),
    "taken": gettext_noop("{seat} takes {card} into their hand."),
    "discarded": gettext_noop("{seat} discards {card}."),
    "sacrificed": gettext_noop("{card} is sacrificed."),
    "abolished": gettext_noop("{card} is abolished."),
    "plundered": gettext_noop("{card} is plundered."),
    "engaged": gettext_noop("{card} engages."),
    "disengaged": gettext_noop("{card} disengages."),
    "disengaged all": gettext_noop("{seat}’s cards disengage."),
    "attached": gettext_noop("{card} is attached."),
    "detached": gettext_noop("{card} is detached."),
    "moved": gettext_noop("{card} goes to {zone}."),
    "fallen": gettext_noop("{card} falls to {zone}."),
    "put back": gettext_noop("{seat} puts a card back."),
    "revealed": gettext_noop("{seat} reveals {card}."),
    "looked": gettext_noop("{seat} looks at cards."),
    "searched": gettext_noop("{seat} searches {zone}."),
    "chosen": gettext_noop("{seat} has chosen."),
    "used": gettext_noop("{seat} uses {card}."),
    "rolled": gettext_noop("{seat} rolls {amount}."),
    "coin": gettext_noop("{seat} flips a coin and wins the flip."),
    "coin lost": gettext_noop("{seat} flips a coin and loses the flip."),
    "proposed": gettext_noop("{seat} makes proposal {amount}."),
    "accepted": gettext_noop("{seat} accepts proposal {amount}."),
    "refused": gettext_noop("{seat} refuses proposal {amount}."),
    "ruling": gettext_noop("A judge rules."),
    "default": gettext_noop("{seat}’s time ran out: the default is played."),
    "taken back": gettext_noop("{seat} takes back the last post."),
    "ordered": gettext_noop("A standing order is saved."),
    "stops": gettext_noop("{seat} chooses when to be asked."),
    "agreed": gettext_noop("Agreed on question {amount}: {told}."),
    "proposes": gettext_noop("{seat} proposes {told}."),
    "asks to go back": gettext_noop("{seat} asks to go back to entry {amount}."),
    "rewound": gettext_noop("The table goes back to entry {amount}."),
    "judge looks": gettext_noop("A judge looks at {seat}’s hidden cards."),
    "endless": gettext_noop("Cards trigger each other endlessly: a judge is called."),
    "dealt": gettext_noop("{amount} cards are dealt."),
    "mulligan": gettext_noop("{seat} draws a new hand."),
    "created": gettext_noop("{card} is created."),
    "counters": gettext_noop("Counters on {card}: {told}."),
    "counted": gettext_noop("{seat} has {told}."),
    "rearranged": gettext_noop("{seat} reorders cards."),
    "swapped": gettext_noop("{card} changes places."),
    "skipped": gettext_noop("{seat} skips part of the turn."),
    "will skip": gettext_noop("{seat} will skip: {told}."),
    "damage order": gettext_noop("{seat} sets the damage order."),
    "no effect": gettext_noop("{card} has no effect."),
    "fails": gettext_noop("{card} fails."),
    "ready": gettext_noop("{seat}’s treasures are ready."),
    "acquired": gettext_noop("{seat} acquires {amount}."),
    "enough": gettext_noop("{seat} acquires no more."),
    "played": gettext_noop("{seat} plays {card}."),
    "moves": gettext_noop("{card} moves {tiles}."),
    "move ends": gettext_noop("{card}’s move ends."),
    "unveils": gettext_noop("{card} unveils an opponent."),
    "hits": gettext_noop("{card} hits for {amount}."),
    "struck": gettext_noop("{card} is dealt {amount} {told} damage."),
    "armor": gettext_noop("Armor takes {amount} off the damage to {card}."),
    "defense": gettext_noop("{card}'s shield absorbs {amount}."),
    "poisoned": gettext_noop("Poison adds {amount} to the damage to {card}."),
    "bleeds": gettext_noop("{card} bleeds for {amount}."),
    "burns": gettext_noop("{card} burns for {amount}."),
    "healed": gettext_noop("{card} is healed by {amount}."),
    "mended": gettext_noop("{card} is mended."),
    "status given": gettext_noop("{card} now has {told}."),
    "status gone": gettext_noop("{card} no longer has {told}."),
    "tile": gettext_noop("{zone}: {told}, {amount}."),
    "bounty": gettext_noop("{card}’s bounty: {amount} Loot."),
    "gains": gettext_noop("{seat} gains {amount} {told}."),
    "loses": gettext_noop("{seat} loses {amount} {told}."),
    "lost": gettext_noop("{seat} has lost."),
    "first player": gettext_noop("{seat} is the first player today."),
    "first orbs": gettext_noop("{seat} begins with {amount} Mana Orbs."),
    "readied": gettext_noop("Characters, Permanents and Mana Orbs are readied."),
    "mana": gettext_noop("{seat} puts {card} into the Mana zone."),
    "rests": gettext_noop("{card} rests and goes to the Reserve."),
    "resupplied": gettext_noop("{seat} resupplies {card}."),
    "kept": gettext_noop("{seat} keeps their hand."),
    "shuffled in": gettext_noop("{seat} shuffles their hand into the deck."),
    "treasure": gettext_noop("{seat} puts {card} into the Warchest."),
    "exits": gettext_noop("{card} exits."),
    "unequipped": gettext_noop("{card} is unequipped."),
    "expands": gettext_noop("{seat} has decided about Mana."),
    "orb": gettext_noop("{seat} exhausts an Orb and readies another."),
    "noon": gettext_noop("Noon."),
    "quick action": gettext_noop("{seat} plays {card}’s quick action."),
    "reaction": gettext_noop("{card} reacts."),
    "found": gettext_noop("The effect follows {card} to its new place."),
    "gone": gettext_noop("{card} is no longer where it was."),
    "only way": gettext_noop("{seat} had only one option, which was taken."),
    "impossible": gettext_noop("An impossible effect is skipped."),
    "instead": gettext_noop("{card}: something else happens instead."),
    "not activated": gettext_noop("{card} has reacted a hundred times today and can’t react again."),
    "unpaid": gettext_noop("{card}’s reaction is not paid for."),
    "paid for": gettext_noop("{seat} pays the extra cost."),
    "sums": gettext_noop("The expeditions are added up."),
    "forward": gettext_noop("{seat}’s {told} expedition moves forward, to region {amount}."),
    "back": gettext_noop("{seat}’s {told} expedition moves back, to region {amount}."),
    "nobody moves": gettext_noop("No expedition moves."),
    "across": gettext_noop("{card} goes to {zone}."),
    "stays": gettext_noop("{card} stays."),
    "ceases": gettext_noop("{card} ceases to exist."),
    "clean-up": gettext_noop("{seat} cleans up."),
    "keeps": gettext_noop("{seat} keeps {amount}."),
    "sealed": gettext_noop("{seat} has decided early. The decision is shown when it is due."),
    "by order": gettext_noop("Your standing order {amount} answers."),
    "plan stopped": gettext_noop("{seat}’s plan stops here."),
    "no draw": gettext_noop("{seat} doesn’t draw."),
    "deck empty": gettext_noop("{seat}’s deck is empty."),
    "no damage": gettext_noop("No damage is dealt."),
    "not placed": gettext_noop("{card} triggers without effect."),
    "control": gettext_noop("{seat} now controls {card}."),
    "removed": gettext_noop("{card} loses counters."),
    "replaced": gettext_noop("{card}: something else happens instead."),
}


PILE: Mapping[str, str] = {"seize": "stack"}
"""By game: its document's name for the items waiting to be resolved; the default is the pile."""
NOT_OF: Mapping[str, frozenset[str]] = {"seize": frozenset({"last card", "spell"})}
"""T10.2: by game, the stops for events that can't happen in it."""

LOST = 2
"""T8.4: a lost coin; 1 is a won one."""
OWN_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "altered": {
        "status given": gettext_noop("{card} is now {told}."),
        "status gone": gettext_noop("{card} is no longer {told}."),
    },
    "seize": {
        "gains": gettext_noop("{seat} gains {amount} Loot."),
        "loses": gettext_noop("{seat} loses {amount} Loot."),
        "plunders": gettext_noop("{card} plunders."),
        "plundered": gettext_noop("{seat} loses {amount} Loot to {card}."),
    },
}
"""By game: its own wording: in Altered something is asleep, and in Seize a Vault holds Loot."""
ZONES: Mapping[str, str] = {
    "companion": gettext_noop("Companion expedition"),
    "hero": gettext_noop("Hero expedition"),
    "herozone": gettext_noop("Hero zone"),
    "landmark": gettext_noop("Landmark zone"),
    "mana": gettext_noop("Mana zone"),
    "reserve": gettext_noop("Reserve"),
    "warchest": gettext_noop("Warchest"),
    "quarters": gettext_noop("Guild Quarters"),
    "eleven": gettext_noop("11 year row"),
    "soul": gettext_noop("soul row"),
}
"""T5: a seat's zones as the documents call them, where their keys aren't readable by themselves."""

STEP_NAMES: Mapping[str, str] = {
    "setup": gettext_noop("set-up"), "turn": gettext_noop("turn"),
    "first": gettext_noop("first phase"), "second": gettext_noop("second phase"),
    "combat.begin": gettext_noop("combat begins"),
    "attack": gettext_noop("attackers"),
    "block": gettext_noop("blockers"), "combat.end": gettext_noop("combat ends"), "end": gettext_noop("end of turn"),
    "move1": gettext_noop("first movement"),
    "move2": gettext_noop("second movement"),
    "disengage": gettext_noop("disengage"), "draw": gettext_noop("draw"), "damage": gettext_noop("damage"),
    "beginning": gettext_noop("beginning"), "acquire": gettext_noop("acquire"), "rally": gettext_noop("rally"),
    "morning": gettext_noop("morning"), "expand": gettext_noop("expand"), "noon": gettext_noop("noon"),
    "afternoon": gettext_noop("afternoon"), "dusk": gettext_noop("dusk"), "night": gettext_noop("night"),
}  # fmt: skip
"""T4, T11: the names of steps."""
OWN_STEPS: Mapping[str, Mapping[str, str]] = {
    "seize": {"attack": gettext_noop("attack phase"), "end": gettext_noop("end phase")},
}
"""T4, T11: by game, where its document has another name for a step."""


@dataclass(frozen=True)
class ToldTableEvent:
    """T6: an event in words, with its citations. `is_step`: a step begins, a heading for the next ones."""

    text: str
    cites: tuple[str, ...]
    kind: str

    @property
    def is_step(self) -> bool:
        """Whether it only says where in the turn the table is."""
        return self.kind in ("step", "turn")


def sentences(events: Sequence[Mapping[str, Any]], names: Mapping[str, str], game: str) -> tuple[ToldTableEvent, ...]:
    """T6: events of a game, as one viewer may know them, in its words; `names`: the names of the seats. Of the steps
    in which nothing else happened, only the last is shown."""
    result = [sentence for event in events if (sentence := _sentence(event, names, game)) is not None]
    return tuple(
        sentence for at, sentence in enumerate(result)
        if sentence.kind != "step" or at + 1 == len(result) or result[at + 1].kind not in ("step", "turn")
    )  # fmt: skip


def _sentence(event: Mapping[str, Any], names: Mapping[str, str], game: str) -> ToldTableEvent | None:
    kind = str(event["kind"])
    if kind in UNSAID:
        return None
    seat = names.get(str(event["seat"]), str(event["seat"]) or gettext("Someone"))
    number = f" #{event['number']}" if event.get("number") else ""
    card = f"{event['card']}{number}" if event.get("card") else gettext("a card")
    won = gettext("%(seat)s wins.") % {"seat": seat} if event["seat"] else gettext("No one wins.")
    pile, detail = pile_of(game), str(event.get("told") or "")
    where = str(event["zone"])
    zone = gettext("the %(pile)s") % {"pile": pile} if where == "pile" else _zone(where, names, game)
    unnamed = "{kind}: {card}." if event.get("card") else "{seat}: {kind}."
    kind = "coin lost" if kind == "coin" and event["amount"] == LOST else kind
    pattern = OWN_SENTENCES.get(game, SENTENCES).get(kind) or SENTENCES.get(kind, unnamed)
    fields = {"seat": seat, "card": card, "amount": event["amount"], "zone": zone, "kind": kind, "won": won}
    amount = event["amount"]
    fields["tiles"] = ngettext("%(number)s tile", "%(number)s tiles", amount if isinstance(amount, int) else 2) % {
        "number": amount
    }
    text = gettext(pattern).format(**fields, told=detail, pile=pile)
    return ToldTableEvent(text[:1].upper() + text[1:], tuple(str(cite) for cite in event["cites"]), kind)


def pile_of(game: str) -> str:
    """A document's name for the items waiting to be resolved."""
    # Translators: on a card table, what waits to be resolved; two games' documents have two words for it.
    stack, pile = pgettext("what waits to be resolved", "stack"), pgettext("what waits to be resolved", "pile")
    return stack if PILE.get(game) == "stack" else pile


ENTRIES = {
    "open": pgettext_lazy("kind of an entry", "opening"),
    "draft": pgettext_lazy("kind of an entry", "draft"),
    "seat": pgettext_lazy("kind of an entry", "seat"),
    "deck": pgettext_lazy("kind of an entry", "deck"),
    "cut": pgettext_lazy("kind of an entry", "cut"),
    "choose": pgettext_lazy("kind of an entry", "choice"),
    "plan": pgettext_lazy("kind of an entry", "plan"),
    "order": pgettext_lazy("kind of an entry", "standing order"),
    "stops": pgettext_lazy("kind of an entry", "stops"),
    "tick": pgettext_lazy("kind of an entry", "clock"),
    "ruling": pgettext_lazy("kind of an entry", "ruling"),
    "look": pgettext_lazy("kind of an entry", "look"),
    "propose": pgettext_lazy("kind of an entry", "proposal"),
    "accept": pgettext_lazy("kind of an entry", "acceptance"),
    "rewind": pgettext_lazy("kind of an entry", "rewind"),
    "end": pgettext_lazy("kind of an entry", "end"),
}
"""T6.1: the names of the kinds of entries; any other kind is a move."""


def kind_of_entry(kind: str) -> str:
    """T6.1: the kind of an entry in words; empty for a move."""
    return str(ENTRIES.get(kind, ""))


def of_stop(name: str, game: str) -> str:
    """T10: the moment of a stop, in words: `my first`, `their end`, `attacked`; empty for one that can't happen in
    the game."""
    if name in NOT_OF.get(game, ()):
        return ""
    if name in stops.EVENTS:
        return gettext(stops.EVENTS[name]) % {"pile": pile_of(game)}
    owner, _, step = name.partition(" ")
    label = _step(step, game)
    pattern = gettext("my own turn: %(step)s") if owner == "my" else gettext("an opponent’s turn: %(step)s")
    return pattern % {"step": label}


def _step(step: str, game: str) -> str:
    label = OWN_STEPS.get(game, {}).get(step) or STEP_NAMES.get(step)
    return gettext(label) if label else step


def _zone(zone: str, names: Mapping[str, str], game: str) -> str:
    letter, dot, kind = zone.rpartition(".")
    if zone in STEP_NAMES:
        return _step(zone, game)
    if dot and letter in names:
        return gettext("%(seat)s’s %(zone)s") % {
            "seat": names[letter],
            "zone": gettext(ZONES[kind]) if kind in ZONES else kind,
        }
    return zone


class Ending(Enum):
    """The reason of an entry `end`: its stored value, and its sentence."""

    GIVEN_UP = "given up", gettext_noop("The table was cancelled.")
    BEFORE_AGREEMENT = (
        "given up before an agreement",
        gettext_noop("The table was cancelled before an agreement was reached."),
    )
    NO_AGREEMENT = "no agreement in time", gettext_noop("The players didn't agree in time.")
    STAYED_AWAY = "stayed away", gettext_noop("The remaining players claimed the win because the others stayed away.")
    DRAW_AGREED = "draw agreed", gettext_noop("The players agreed on a draw.")

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.sentence = sentence


class FormerEnding(Phrases):
    """The words that earlier versions wrote into the entry."""

    STAYED_AWAY = "{name} stayed away, and {winner} has taken the win."
    HAS_LOST = "{name} has lost: {reason}"


_SENTENCES = {each.code: each.sentence for each in Ending}


def ending_in_words(reason: str) -> str:
    """Why a table ended: by its code, or in a judge's words."""
    return gettext(_SENTENCES[reason]) if reason in _SENTENCES else str(phrase_in(FormerEnding, reason))
