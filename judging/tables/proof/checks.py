"""T8.5: a proof file and the draft in it, recomputed from the file alone. Anyone can do the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judging.common.stored_messages import Words, words
from judging.tables.game_state import names_in
from tables.core.entries import Logged
from tables.core.lists.cardlist import CardList, read_list
from tables.core.lists.cards import Card
from tables.core.lists.decks import Deck, read_deck_data
from tables.core.log import ad_hoc_cards, snapshots
from tables.core.log.folding import Table, fold
from tables.core.log.opening import Given
from tables.core.proof.chain import first_break
from tables.core.proof.codec import digest, sealed
from tables.core.proof.draws import Draws, commitment, cut_commitment, cut_value
from tables.core.reasons import Refused
from tables.core.state import State
from tables.games import RULES
from tables.games.seize import drafting


class Differs(Exception):
    """T8.5: a recomputed value that differs."""

    def __init__(self, told: Words) -> None:
        super().__init__(str(told))
        self.told = told


Proof = Mapping[str, Any]


def draft_checks(proof: Proof) -> Iterator[tuple[Words, Callable[[Proof], None]]]:
    """T8.5: the checks of a draft; none without one."""
    if not proof.get("draft") and not _bound(proof):
        return
    yield words("The draft's words and picks match the chain."), _chained
    if "seed" in proof:
        yield words("The booster seed matches its commitment."), _draft_seed
        yield words("Each pick matches its hash."), _picks
        yield words("Replaying every booster, pick and default of the draft gives the same result."), _drafted
        yield words("Each deck is made of its player's picks."), _decks


def _bound(proof: Proof) -> Sequence[Mapping[str, Any]]:
    """The chain's data on the draft; nothing in files before version 3."""
    return [entry["args"] for entry in proof["entries"] if entry.get("kind") == "draft"]


def _chained(proof: Proof) -> None:
    drafters = proof["draft"]["drafters"]
    for data in _bound(proof):
        if "words" in data and data["words"] != {one["letter"]: one["word"] for one in drafters}:
            raise Differs(words("Different words were mixed into the boosters."))
        for letter, hashes in data.get("picks", {}).items():
            pick_hashes = [pick["hash"] for one in drafters if one["letter"] == letter for pick in one["picks"]]
            if pick_hashes != list(hashes):
                raise Differs(words("The picks from seat %(seat)s are not the ones that were sealed.", seat=letter))


def _draft_seed(proof: Proof) -> None:
    if commitment(bytes.fromhex(proof["draft"]["seed"])) != proof["entries"][0]["args"]["draft"]:
        raise Differs(words("The booster seed doesn't match its commitment."))


def _picks(proof: Proof) -> None:
    for one in proof["draft"]["drafters"]:
        for pick in one["picks"]:
            if sealed(pick["salt"], {"number": pick["number"], "card": pick["card"]}) != pick["hash"]:
                message = words(
                    "Pick %(number)s by %(who)s doesn't match its hash.", number=pick["number"], who=one["name"]
                )
                raise Differs(message)


def _drafted(proof: Proof) -> None:
    """5.2, S50: draw four boosters for each drafter again, and check that each pick was available to its drafter."""
    cards, drafters = read_list(proof["list"]), proof["draft"]["drafters"]
    if not isinstance(cards, CardList):
        raise Differs(words("We couldn't read the list: %(why)s", why=str(cards[0])))
    cuts = tuple(cut_value(one["word"]) for one in drafters)
    draws = Draws(bytes.fromhex(proof["draft"]["seed"]), f"{proof['table']}-draft", cuts)
    draft = drafting.begin(cards.cards, cards.booster, [one["letter"] for one in drafters], draws)
    by_number = sorted((pick["number"], one["letter"], pick) for one in drafters for pick in one["picks"])
    for number, letter, pick in by_number:
        fields = {"number": number, "who": letter}
        if letter not in draft.waits_for:
            raise Differs(words("Pick %(number)s by %(who)s was not due.", **fields))
        if pick["by_default"] and drafting.default(draft, letter, draws) != pick["card"]:
            message = words("Pick %(number)s by %(who)s is not the card drawn when time ran out.", **fields)
            raise Differs(message)
        try:
            draft = drafting.pick(draft, letter, pick["card"])
        except Refused as refused:
            message = words("Pick %(number)s by %(who)s wasn't available: %(why)s.", **fields, why=refused.reason.told)
            raise Differs(message) from None
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
        if breaches := drafting.pool_breaches(deck, pools[entry["by"]]):
            raise Differs(Words(breaches[0].text))


@dataclass(frozen=True)
class Check:
    """T8.5: a recomputed value. `differs`: the difference; None if it is the same."""

    named: Words
    differs: Words | None = None

    @property
    def what(self) -> str:
        """The recomputed value, in a sentence."""
        return str(self.named)

    @property
    def wrong(self) -> str:
        """The difference, in a sentence."""
        return str(self.differs or "")

    @property
    def is_same(self) -> bool:
        return self.differs is None


Folding = Callable[[Proof], Sequence[Check]]
"""T8.5: the source of the checks that need the whole log folded."""


def checks_of(proof: Proof, folding: Folding | None = None) -> list[Check]:
    """T8.5: all checks of a table; a damaged file is reported as such. `folding` does the last, slow ones, where
    their result is cached."""
    checks = [done(label, look, proof) for label, look in _checks(proof)]
    return [*checks, *(folding or folded_anew)(proof)] if "seed" in proof else checks


def folded_anew(proof: Proof) -> list[Check]:
    """T6, T8.5: the checks that need the whole log folded. They depend only on `folded_from(proof)` and the rules."""
    folded: list[Table] = []
    return [
        done(
            words("Replaying every deck, shuffle, draw, action and answer gives the same result."),
            _replay(folded),
            proof,
        ),
        done(words("The state after each entry matches the hash in that entry."), _states(folded), proof),
    ]


def folded_from(proof: Proof) -> Mapping[str, Any]:
    """T8.5: the parts of a proof that folding its log reads."""
    return {name: proof[name] for name in ("game", "entries", "seed", "hidden", "list")}


def _checks(proof: Proof) -> Iterator[tuple[Words, Callable[[Proof], None]]]:
    yield words("Each entry is linked to the one before it, and the last entry matches the latest hash."), _chain
    yield words("Everyone who acted saw this chain, and no other."), _heads_seen
    yield words("Each revealed word matches its commitment."), _cuts
    yield from draft_checks(proof)
    if "seed" in proof:
        yield words("The seed matches its commitment."), _seed
        yield words("Each hidden entry matches its hash."), _hidden
        yield words("The card list matches its hash."), _list


def done(what: Words, look: Callable[[Proof], None], proof: Proof) -> Check:
    """T8.5: the result of a check; what can't be read differs."""
    try:
        look(proof)
    except Differs as differs:
        return Check(what, differs.told)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return Check(what, words("The file is damaged: %(error)s.", error=type(error).__name__))
    return Check(what)


def _chain(proof: Proof) -> None:
    if (fault := first_break(proof["entries"])) is not None:
        raise Differs(Words(fault.why))
    if not proof["entries"] or proof["entries"][-1]["hash"] != proof["head"]:
        raise Differs(words("The latest hash is not the hash of the last entry."))


def _heads_seen(proof: Proof) -> None:
    """T8.5: whoever saw another past named a hash that this chain does not have."""
    heads = set()
    for entry in proof["entries"]:
        if entry["args"].get("on", "") not in heads and "on" in entry["args"]:
            raise Differs(words("The author of entry %(number)s saw a different chain.", number=entry["n"]))
        heads.add(entry["hash"])


def _cuts(proof: Proof) -> None:
    committed: dict[str, str] = {}
    for entry in _of_kind(proof, "cut"):
        args = entry["args"]
        if "commitment" in args:
            committed[entry["by"]] = args["commitment"]
        elif entry["by"] in committed and cut_commitment(cut_value(args["word"])) != committed[entry["by"]]:
            raise Differs(words("The word from seat %(seat)s doesn't match its commitment.", seat=entry["by"]))


def _seed(proof: Proof) -> None:
    if commitment(bytes.fromhex(proof["seed"])) != proof["entries"][0]["args"]["commitment"]:
        raise Differs(words("The seed doesn't match its commitment."))


def _hidden(proof: Proof) -> None:
    for entry in proof["entries"]:
        if not entry["secret"]:
            continue
        opened = proof["hidden"].get(str(entry["n"]))
        if opened is None or sealed(opened["salt"], opened["args"]) != entry["secret"]:
            raise Differs(words("The hidden part of entry %(number)s doesn't match its hash.", number=entry["n"]))


def _list(proof: Proof) -> None:
    lists = proof["entries"][0]["args"]["lists"]
    if lists and digest(proof["list"]) != lists[0][2]:
        raise Differs(words("The card list doesn't match its hash."))


def _replay(folded: list[Table]) -> Callable[[Proof], None]:
    """T6, T8.5: fold the log again, from legal decks on; an entry that the rules refuse was never legal."""

    def look(proof: Proof) -> None:
        entries = [_logged(entry, proof) for entry in proof["entries"]]
        for logged, carried in zip(entries, fold(_given_in(proof), entries), strict=False):
            if carried.reason is not None or carried.table is None:
                why = carried.reason.in_words if carried.reason else ""
                raise Differs(words("Entry %(number)s is refused: %(why)s", number=logged.n, why=why))
            folded.append(carried.table)
        if not proof.get("over", True):
            return
        if not folded or not isinstance(folded[-1], State) or folded[-1].result is None:
            raise Differs(words("The table doesn't end as recorded."))

    return look


def _states(folded: list[Table]) -> Callable[[Proof], None]:
    """T8.5: the hash of the state at each entry. Entries from before there were hashes have none."""

    def look(proof: Proof) -> None:
        if len(folded) < len(proof["entries"]):
            raise Differs(words("The log can't be replayed to its end."))
        has_hashes = False
        for entry, table in zip(proof["entries"], folded, strict=True):
            expected = entry["args"].get("state")
            if isinstance(table, State) and (expected or has_hashes) and expected != snapshots.state_hash(table):
                raise Differs(words("The state after entry %(number)s doesn't match its hash.", number=entry["n"]))
            has_hashes = has_hashes or bool(expected)

    return look


def _logged(entry: Mapping[str, Any], proof: Proof) -> Logged:
    hidden = proof["hidden"].get(str(entry["n"]), {}).get("args", {})
    return Logged(entry["n"], entry["at"], entry["by"], entry["kind"], entry["args"], hidden)


def _given_in(proof: Proof) -> Given:
    has_list = proof["list"] is not None
    return Given(RULES[proof["game"]], _cards(proof), bytes.fromhex(proof["seed"]), has_list)


def _cards(proof: Proof) -> Mapping[str, Card]:
    if proof["list"] is None:
        decks = [proof["hidden"][str(entry["n"])]["args"] for entry in _of_kind(proof, "deck")]
        return ad_hoc_cards.cards_called(name for deck in decks for name in names_in(deck))
    read = read_list(proof["list"])
    if isinstance(read, tuple):
        raise Differs(words("We couldn't read the list: %(why)s", why=str(read[0])))
    return read.cards


def _of_kind(proof: Proof, kind: str) -> Sequence[Mapping[str, Any]]:
    return [entry for entry in proof["entries"] if entry["kind"] == kind]
