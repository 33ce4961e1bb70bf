"""The words of a card table's page: open decisions, groups of acts, meanings of keywords."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.translation import gettext_noop

ASKED: Mapping[str, tuple[str, str]] = MappingProxyType({
    "priority": (
        gettext_noop("You can act"),
        gettext_noop(
            "Play something or pass. When all have passed, the top of the {pile} resolves or the next step "
            "begins."
        )),
    "attack": (gettext_noop("Choose an attacker"), gettext_noop("One at a time. Attackers engage.")),
    "block": (
        gettext_noop("You are attacked: choose blockers"),
        gettext_noop("Disengaged citizens can block, even weary ones.")),
    "order": (
        gettext_noop("Put the blockers in order"),
        gettext_noop("The first takes damage up to its defense before the next takes any.")),
    "eleven": (
        gettext_noop("Your 11 year card was destroyed"), ""),
    "recursion": (
        gettext_noop("Keep this hand, or put cards back"),
        gettext_noop("Once only. Put cards on the bottom and draw the same number. Others don't see which.")),
    "mulligan": (
        gettext_noop("Keep this hand, or redraw"),
        gettext_noop("Once only. You shuffle your whole hand into your deck.")),
    "triggers": (
        gettext_noop("Put your triggers in order"),
        gettext_noop("The trigger you name first goes on the {pile} first, so it resolves last.")),
    "discard": (gettext_noop("Choose what to discard"), ""),
    "overlord": (gettext_noop("Choose which of two cards with the same name to abolish"), ""),
    "sacrifice": (gettext_noop("Choose what to sacrifice"), ""),
    "choose": (gettext_noop("Choose"), ""),
    "may": (gettext_noop("Use it?"), ""),
    "manual": (
        gettext_noop("Say what this card does"),
        gettext_noop(
            "We can't carry out this text. Propose what happens. The others must agree, or a judge will rule."
        )),
    "acquire": (
        gettext_noop("Acquire a card?"),
        gettext_noop("Each costs one Loot from your Vault. You see each card before deciding on the next.")),
    "pillar": (gettext_noop("Place a pillar"), gettext_noop("On any free tile outside the halls.")),
    "champion": (gettext_noop("Place your Champion"), gettext_noop("On a tile of your hall.")),
    "mana": (
        gettext_noop("Put a card into your Mana zone?"),
        gettext_noop("It stays face down there. Others can see that you put a card there, but not which.")),
    "turn": (
        gettext_noop("Your afternoon turn"),
        gettext_noop("Any number of quick actions, then play a card or pass.")),
    "react": (gettext_noop("Choose the first reaction"), ""),
    "keep": (gettext_noop("Choose what to keep"), gettext_noop("You discard the rest.")),
    "resupply": (gettext_noop("Resupply?"), gettext_noop("The top card of your deck goes to your Reserve.")),
    "dusk": (
        gettext_noop("Which expeditions move?"),
        gettext_noop("The document doesn't say. Agree on an answer, or ask a judge.")),
    "pay": (gettext_noop("Pay for this reaction?"), gettext_noop("If you don't pay, it does nothing.")),
    "agree": (
        gettext_noop("Agree on house rules before you start"),
        gettext_noop("The game starts once you both agree.")),
    "starter": (gettext_noop("Choose who begins"), ""),
})  # fmt: skip
"""The sentence and a hint, by the kind of the open decision."""

WAITED: Mapping[str, str] = MappingProxyType({
    "priority": gettext_noop("to act or pass"),
    "attack": gettext_noop("to choose an attacker"),
    "block": gettext_noop("to choose blockers"),
    "order": gettext_noop("to put the blockers in order"),
    "eleven": gettext_noop("to decide on an 11 year card"),
    "recursion": gettext_noop("to keep or change the first hand"),
    "mulligan": gettext_noop("to keep or change the first hand"),
    "triggers": gettext_noop("to put triggers in order"),
    "discard": gettext_noop("to discard"),
    "overlord": gettext_noop("to choose between two cards with the same name"),
    "sacrifice": gettext_noop("to choose a sacrifice"),
    "choose": gettext_noop("to choose"),
    "may": gettext_noop("to say yes or no"),
    "manual": gettext_noop("to agree on what a card does"),
    "acquire": gettext_noop("to acquire cards or not"),
    "pillar": gettext_noop("to place a pillar"),
    "champion": gettext_noop("to place a Champion"),
    "mana": gettext_noop("to fill the Mana zone or not"),
    "turn": gettext_noop("to take an afternoon turn"),
    "react": gettext_noop("to put reactions in order"),
    "keep": gettext_noop("to choose what to keep"),
    "resupply": gettext_noop("to resupply or not"),
    "dusk": gettext_noop("to move the expeditions"),
    "pay": gettext_noop("to pay for a reaction or not"),
    "agree": gettext_noop("to agree on house rules"),
    "starter": gettext_noop("to choose who begins"),
})  # fmt: skip
"""The same for the others: `Waits for Bo to ...`."""
TO_DECIDE = gettext_noop("to decide")

GROUPS: Mapping[str, str] = MappingProxyType({
    "cast": gettext_noop("Cast"),
    "soul": gettext_noop("Place in the soul row"),
    "energy": gettext_noop("Soul energy"),
    "use": gettext_noop("Use an ability"),
    "attack": gettext_noop("Attack"),
    "block": gettext_noop("Block"),
    "order": gettext_noop("Damage order"),
    "eleven": gettext_noop("11 year card"),
    "recursion": gettext_noop("Put back"),
    "triggers": gettext_noop("Order"),
    "discard": gettext_noop("Discard"),
    "choose": gettext_noop("Choose"),
    "target": gettext_noop("Choose a target"),
    "sacrifice": gettext_noop("Sacrifice"),
    "abolish": gettext_noop("Abolish"),
    "treasure": gettext_noop("Treasure"),
    "play": gettext_noop("Play"),
    "equip": gettext_noop("Equip"),
    "unequip": gettext_noop("Unequip"),
    "exit": gettext_noop("Exit"),
    "move": gettext_noop("Move"),
    "plunder": gettext_noop("Plunder"),
    "attack card": gettext_noop("Attack ability"),
    "event": gettext_noop("Event"),
    "unveil": gettext_noop("Unveil"),
    "pillar": gettext_noop("Pillar"),
    "champion": gettext_noop("Champion"),
    "acquire": gettext_noop("Acquire"),
    "mana": gettext_noop("Put into the Mana zone"),
    "orb": gettext_noop("Orb for orb"),
    "quick": gettext_noop("Quick action"),
    "react": gettext_noop("React"),
    "keep": gettext_noop("Keep"),
    "pass": gettext_noop("Pass"),
})  # fmt: skip
"""The headings of groups of acts, by the kind of their lines."""

KEYWORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "eager": (gettext_noop("Can attack and pay engage costs while weary."), "G: Eager"),
    "focused": (
        gettext_noop("Usable only in your own 1st or 2nd phase with nothing on the pile, or for its 11 year cost."),
        "G: Focused",
    ),
    "ravenous": (gettext_noop("Can attack two 11 year cards, and destroys both at once."), "G: Ravenous"),
    "sidestep": (gettext_noop("Can only be blocked by citizens with sidestep."), "G: Sidestep"),
    "solo": (gettext_noop(
        "Each player can use this only once per turn, counting all cards of that name."
    ), "G: Solo"),
    "steadfast": (gettext_noop("Doesn't engage when it attacks."), "G: Steadfast"),
    "tenacious": (gettext_noop("Can only be blocked by two or more citizens."), "G: Tenacious"),
    "toxic": (gettext_noop("The first point of damage it deals is lethal."), "G: Toxic"),
    "weary": (
        gettext_noop("Can't attack or pay engage costs until its controller's next disengage phase."),
        "G: Weary",
    ),
})  # fmt: skip
"""G: the meaning of Kryptik's keywords in a few words, and the place of the full definition."""

COLOURS: Mapping[str, str] = MappingProxyType({
    "w": gettext_noop("white"), "u": gettext_noop("blue"), "b": gettext_noop("black"), "r": gettext_noop("red"),
    "g": gettext_noop("green"), "any": gettext_noop("any colour"),
})  # fmt: skip
"""Soul colours by their letters; the document names the first two, the vocabulary the rest."""

KEYS = (
    ("j, k", gettext_noop("next card, previous card")),
    ("Enter", gettext_noop("opens the card and goes to its actions")),
    ("p", gettext_noop("passes, after you confirm")),
    ("h", gettext_noop("goes to the hand")),
    ("a", gettext_noop("goes to the actions")),
    ("Esc", gettext_noop("closes the card")),
)
