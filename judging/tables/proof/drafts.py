"""T8.5: the draft in a proof file, recomputed: its seed, its boosters, every pick, and the decks made of them.

Apart from `checks`, because a draft has a seed, a list and secrets of its own, beside those of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from judging.game.words import Words, words
from judging.tables.proof.differing import Differs
from tables.core.lists.cardlist import CardList, read_list
from tables.core.lists.decks import Deck, read_deck_data
from tables.core.proof.codec import sealed
from tables.core.proof.draws import Draws, commitment, cut_value
from tables.core.reasons import Refused
from tables.games.seize import drafting

Proof = Mapping[str, Any]


def draft_checks(proof: Proof) -> Iterator[tuple[Words, Callable[[Proof], None]]]:
    """T8.5: what can be recomputed of a draft; nothing where nobody drafted."""
    if not proof.get("draft") and not _bound(proof):
        return
    yield words("The draft's words and picks match the chain."), _chained
    if "seed" in proof:
        yield words("The booster seed matches its commitment."), _seed
        yield words("Each pick matches its hash."), _picks
        yield words("Replaying every booster, pick and default of the draft gives the same result."), _drafted
        yield words("Each deck is made of its player's picks."), _decks


def _bound(proof: Proof) -> Sequence[Mapping[str, Any]]:
    """What the chain says of the draft; nothing in files of before 3."""
    return [entry["args"] for entry in proof["entries"] if entry.get("kind") == "draft"]


def _chained(proof: Proof) -> None:
    drafters = proof["draft"]["drafters"]
    for said in _bound(proof):
        if "words" in said and said["words"] != {one["letter"]: one["word"] for one in drafters}:
            raise Differs(words("Different words were mixed into the boosters."))
        for letter, hashes in said.get("picks", {}).items():
            shown = [pick["hash"] for one in drafters if one["letter"] == letter for pick in one["picks"]]
            if shown != list(hashes):
                raise Differs(words("The picks from seat %(seat)s are not the ones that were sealed.", seat=letter))


def _seed(proof: Proof) -> None:
    if commitment(bytes.fromhex(proof["draft"]["seed"])) != proof["entries"][0]["args"]["draft"]:
        raise Differs(words("The booster seed doesn't match its commitment."))


def _picks(proof: Proof) -> None:
    for one in proof["draft"]["drafters"]:
        for pick in one["picks"]:
            if sealed(pick["salt"], {"number": pick["number"], "card": pick["card"]}) != pick["hash"]:
                told = words(
                    "Pick %(number)s by %(who)s doesn't match its hash.", number=pick["number"], who=one["name"]
                )
                raise Differs(told)


def _drafted(proof: Proof) -> None:
    """5.2, S50: four boosters for each are drawn anew, and whatever was picked lay before who picked it."""
    cards, drafters = read_list(proof["list"]), proof["draft"]["drafters"]
    if not isinstance(cards, CardList):
        raise Differs(words("We couldn't read the list: %(why)s", why=str(cards[0])))
    cuts = tuple(cut_value(one["word"]) for one in drafters)
    draws = Draws(bytes.fromhex(proof["draft"]["seed"]), f"{proof['table']}-draft", cuts)
    draft = drafting.begin(cards.cards, cards.booster, [one["letter"] for one in drafters], draws)
    by_number = sorted((pick["number"], one["letter"], pick) for one in drafters for pick in one["picks"])
    for number, letter, pick in by_number:
        which = {"number": number, "who": letter}
        if letter not in draft.waits_for:
            raise Differs(words("Pick %(number)s by %(who)s was not due.", **which))
        if pick["by_default"] and drafting.default(draft, letter, draws) != pick["card"]:
            told = words("Pick %(number)s by %(who)s is not the card drawn when time ran out.", **which)
            raise Differs(told)
        try:
            draft = drafting.pick(draft, letter, pick["card"])
        except Refused as refused:
            told = words("Pick %(number)s by %(who)s wasn't available: %(why)s.", **which, why=refused.reason.told)
            raise Differs(told) from None
    if not draft.over and proof.get("over", True):
        raise Differs(words("Not all cards were picked."))


def _decks(proof: Proof) -> None:
    pools = {one["seat"]: [pick["card"] for pick in one["picks"]] for one in proof["draft"]["drafters"]}
    for entry in proof["entries"]:
        if entry["kind"] != "deck":
            continue
        deck = read_deck_data(proof["hidden"][str(entry["n"])]["args"])
        if not isinstance(deck, Deck) or entry["by"] not in pools:
            raise Differs(words("The player at %(seat)s did not draft.", seat=entry["by"]))
        if found := drafting.pool_breaches(deck, pools[entry["by"]]):
            raise Differs(Words(found[0].text))
