"""The words of a card table's page: what is waited for, what a group of acts is called, what a keyword means."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ASKED: Mapping[str, tuple[str, str, str]] = MappingProxyType({
    "priority": (
        "You may act",
        "Play something, or pass: when all have passed, the top of the {pile} or the next step comes.",
        "",
    ),
    "attack": ("Choose who attacks", "One at a time. Whoever attacks engages.", "4.4.2"),
    "block": ("You are attacked: choose who blocks", "Disengaged citizens may, weary ones too.", "4.4.3"),
    "order": (
        "Put the blockers in order",
        "The first gets damage up to its defense before the next gets any.",
        "4.4.4.1",
    ),
    "eleven": (
        "Your 11 year card was destroyed",
        "Use its ability, cast it for its 11 year cost, or take it into your hand.",
        "6.1",
    ),
    "recursion": (
        "Keep this hand, or put cards back",
        "Once: what you put on the bottom you draw anew. The others don't see which.",
        "2.3.1",
    ),
    "mulligan": ("Keep this hand, or draw anew", "Once: the whole hand is shuffled into the deck.", "3"),
    "triggers": (
        "Put what has triggered in order",
        "The first named goes on the {pile} first, so it resolves last.",
        "8.4",
    ),
    "discard": ("Choose what to discard", "", "G: Discard"),
    "overlord": ("Two of one name: choose which is abolished", "", "7.1.2"),
    "sacrifice": ("Choose what to sacrifice", "", "G: Sacrifice"),
    "choose": ("Choose", "", "10.4"),
    "may": ("Do you want it?", "", "9.3"),
    "manual": (
        "Say what this card does",
        "The service can't carry this text out. Propose what happens; the others agree, or a judge rules.",
        "K42",
    ),
    "acquire": (
        "Acquire a card?",
        "Each costs one Loot from your Vault. You see each before you decide on the next.",
        "11.3",
    ),
    "pillar": ("Place a pillar", "On any free tile outside the halls.", "5.3"),
    "champion": ("Place your Champion", "On a tile of your hall.", "5.3"),
    "mana": (
        "Put a card into your Mana zone?",
        "It stays face down there. The others see that you did, not which.",
        "1.3.2.b",
    ),
    "turn": ("Your turn of the afternoon", "Any number of quick actions, then play a card or pass.", "1.3.2.d"),
    "react": ("Choose which reaction is first", "", "5.5"),
    "keep": ("Choose what you keep", "The rest is discarded.", "4.2.5"),
    "resupply": ("Resupply?", "The top card of your deck goes to your Reserve.", "1.4.5"),
    "dusk": ("Which expeditions move?", "The document doesn't say; agree on it, or ask a judge.", "1.3.2.e"),
    "pay": ("Pay for this reaction?", "Unpaid it does nothing.", "5.5.d"),
    "agree": ("Settle what the document leaves open", "Nothing starts before you both have agreed.", "A12"),
    "starter": ("Say who begins", "", "3"),
})  # fmt: skip
"""By the kind of what is waited for: the sentence, a hint, and the rule."""

WAITED: Mapping[str, str] = MappingProxyType({
    "priority": "to act or pass",
    "attack": "to choose an attacker",
    "block": "to choose blockers",
    "order": "to put the blockers in order",
    "eleven": "to decide on an 11 year card",
    "recursion": "to keep or change the first hand",
    "mulligan": "to keep or change the first hand",
    "triggers": "to put triggers in order",
    "discard": "to discard",
    "overlord": "to choose between two of a name",
    "sacrifice": "to choose a sacrifice",
    "choose": "to choose",
    "may": "to say yes or no",
    "manual": "to agree on what a card does",
    "acquire": "to acquire cards or not",
    "pillar": "to place a pillar",
    "champion": "to place a Champion",
    "mana": "to fill the Mana zone or not",
    "turn": "to take a turn of the afternoon",
    "react": "to order reactions",
    "keep": "to choose what is kept",
    "resupply": "to resupply or not",
    "dusk": "to move the expeditions",
    "pay": "to pay for a reaction or not",
    "agree": "to agree on what the document leaves open",
    "starter": "to say who begins",
})  # fmt: skip
"""The same, said to the others: `Waits for Bo to ...`."""

GROUPS: Mapping[str, str] = MappingProxyType({
    "cast": "Cast",
    "soul": "Place in the soul row",
    "energy": "Soul energy",
    "use": "Use an ability",
    "attack": "Attack",
    "block": "Block",
    "order": "Damage order",
    "eleven": "11 year card",
    "recursion": "Put back",
    "triggers": "Order",
    "discard": "Discard",
    "choose": "Choose",
    "target": "Choose a target",
    "sacrifice": "Sacrifice",
    "abolish": "Abolish",
    "treasure": "Treasure",
    "play": "Play",
    "equip": "Equip",
    "unequip": "Unequip",
    "exit": "Exit",
    "move": "Move",
    "plunder": "Plunder",
    "attack card": "Attack ability",
    "event": "Event",
    "unveil": "Unveil",
    "pillar": "Pillar",
    "champion": "Champion",
    "acquire": "Acquire",
    "mana": "Mana",
    "orb": "Orb for orb",
    "quick": "Quick action",
    "react": "React",
    "keep": "Keep",
    "pass": "Pass",
})  # fmt: skip
"""What a group of acts is called, by the kind of its lines."""

KEYWORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "eager": ("May attack and pay engage costs though weary.", "G: Eager"),
    "focused": ("Only in your own 1st or 2nd phase with nothing on the pile, or for its 11 year cost.", "G: Focused"),
    "ravenous": ("May attack two 11 year cards, and destroys both at once.", "G: Ravenous"),
    "sidestep": ("Can only be blocked by citizens with sidestep.", "G: Sidestep"),
    "solo": ("Once a turn for a player, whichever card of the name uses it.", "G: Solo"),
    "steadfast": ("Does not engage by attacking.", "G: Steadfast"),
    "tenacious": ("Can only be blocked by two citizens or more.", "G: Tenacious"),
    "toxic": ("The first point of damage that it deals is lethal.", "G: Toxic"),
    "weary": ("Can't attack or pay engage costs until its controller's next disengage phase.", "G: Weary"),
})  # fmt: skip
"""G: what Kryptik's keywords mean, in a few words, and where it is said in full."""

COLOURS: Mapping[str, str] = MappingProxyType({
    "w": "white", "u": "blue", "b": "black", "r": "red", "g": "green", "any": "any colour",
})  # fmt: skip
"""Soul colours by their letters; the document names the first two, the vocabulary the rest."""

KEYS = (
    ("j, k", "the next card, the card before"),
    ("Enter", "opens the card and goes to what can be done with it"),
    ("p", "passes, after a question"),
    ("h", "goes to the hand"),
    ("a", "goes to the actions"),
    ("Esc", "closes the card"),
)
"""The keys of the page, as its help tells them."""
