"""R38: what the draws of a turn are called (docs/dice.md), in the language of who reads."""

from __future__ import annotations

from wargame.rules.core.phrases import Phrases, phrase_in


class Draw(Phrases):
    """The names under which a turn draws. They go into the dice as they stand; only what is told of them is
    translated."""

    ROUTE = "route of {army}"
    RETREAT = "retreat of {army}"
    PUSHED = "where {army} is pushed"
    TAKEN = "where {army} is taken"
    LEAVES = "who leaves {square}"
    FIRST = "who leaves {square} first"
    PATROL = "patrol of {army}"
    TARGET = "target of {army}"
    WAY = "way of {army}"
    GOAL = "goal of {army}"
    WAR = "war over {army}"


def told_draw(name: str) -> str:
    """R38: what is drawn under a name, in words; a name that is none of these stays as it is."""
    return phrase_in(Draw, name).text
