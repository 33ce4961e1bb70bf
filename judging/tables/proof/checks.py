"""T8.5: a proof file recomputed, from nothing but what stands in it: whoever holds one can do the same elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judging.game.words import Words, words
from judging.tables.proof.differing import Differs
from judging.tables.proof.drafts import draft_checks
from judging.tables.world import names_in
from tables.core.entries import Logged
from tables.core.lists.cardlist import read_list
from tables.core.lists.cards import Card
from tables.core.log import snapshots, unlisted
from tables.core.log.folding import Table, fold
from tables.core.log.opening import Given
from tables.core.proof.chain import first_break
from tables.core.proof.codec import digest, sealed
from tables.core.proof.draws import commitment, cut_commitment, cut_value
from tables.core.state import State
from tables.games import RULES

Proof = Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """T8.5: something that was recomputed. `differs`: what came out differently; None if it is the same."""

    named: Words
    differs: Words | None = None

    @property
    def what(self) -> str:
        """What was recomputed, in a sentence."""
        return str(self.named)

    @property
    def wrong(self) -> str:
        """What came out differently, in a sentence."""
        return str(self.differs or "")

    @property
    def is_same(self) -> bool:
        """Whether it came out as it was published."""
        return self.differs is None


Folding = Callable[[Proof], Sequence[Check]]
"""T8.5: how the checks are come by for which the whole log is folded."""


def checks_of(proof: Proof, folding: Folding | None = None) -> list[Check]:
    """T8.5: everything that can be recomputed of a table; a file that is damaged is told of as such. `folding` does the
    last of it, which takes long, where somebody keeps what came of it."""
    found = [done(what, look, proof) for what, look in _checks(proof)]
    return [*found, *(folding or folded_anew)(proof)] if "seed" in proof else found


def folded_anew(proof: Proof) -> list[Check]:
    """T6, T8.5: what only folding the whole log can tell. It depends on `folded_from(proof)` and the rules alone."""
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
    """T8.5: all of a proof that folding its log reads."""
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
    """T8.5: what a look at a proof gave; what can't be read differs."""
    try:
        look(proof)
    except Differs as differs:
        return Check(what, differs.told)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return Check(what, words("The file is damaged: %(error)s.", error=type(error).__name__))
    return Check(what)


def _chain(proof: Proof) -> None:
    if (found := first_break(proof["entries"])) is not None:
        raise Differs(Words(found.why))
    if not proof["entries"] or proof["entries"][-1]["hash"] != proof["head"]:
        raise Differs(words("The latest hash is not the hash of the last entry."))


def _heads_seen(proof: Proof) -> None:
    """T8.5: whoever was shown another past named a head that this chain does not know."""
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
    named = proof["entries"][0]["args"]["lists"]
    if named and digest(proof["list"]) != named[0][2]:
        raise Differs(words("The card list doesn't match its hash."))


def _replay(folded: list[Table]) -> Callable[[Proof], None]:
    """T6, T8.5: the log is folded anew, from legal decks on; whatever the rules refuse was never a legal entry."""

    def look(proof: Proof) -> None:
        entries = [_logged(entry, proof) for entry in proof["entries"]]
        for said, carried in zip(entries, fold(_given_in(proof), entries), strict=False):
            if carried.reason is not None or carried.table is None:
                why = carried.reason.told if carried.reason else ""
                raise Differs(words("Entry %(number)s is refused: %(why)s", number=said.n, why=why))
            folded.append(carried.table)
        if not proof.get("over", True):
            return
        if not folded or not isinstance(folded[-1], State) or folded[-1].result is None:
            raise Differs(words("The table doesn't end as recorded."))

    return look


def _states(folded: list[Table]) -> Callable[[Proof], None]:
    """T8.5: the hash of the state with each entry. What was played before there were hashes has none."""

    def look(proof: Proof) -> None:
        if len(folded) < len(proof["entries"]):
            raise Differs(words("The log can't be replayed to its end."))
        said = False
        for entry, table in zip(proof["entries"], folded, strict=True):
            found = entry["args"].get("state")
            if isinstance(table, State) and (found or said) and found != snapshots.state_hash(table):
                raise Differs(words("The state after entry %(number)s doesn't match its hash.", number=entry["n"]))
            said = said or bool(found)

    return look


def _logged(entry: Mapping[str, Any], proof: Proof) -> Logged:
    hidden = proof["hidden"].get(str(entry["n"]), {}).get("args", {})
    return Logged(entry["n"], entry["at"], entry["by"], entry["kind"], entry["args"], hidden)


def _given_in(proof: Proof) -> Given:
    listed = proof["list"] is not None
    return Given(RULES[proof["game"]], _cards(proof), bytes.fromhex(proof["seed"]), listed)


def _cards(proof: Proof) -> Mapping[str, Card]:
    if proof["list"] is None:
        decks = [proof["hidden"][str(entry["n"])]["args"] for entry in _of_kind(proof, "deck")]
        return unlisted.cards_called(name for deck in decks for name in names_in(deck))
    read = read_list(proof["list"])
    if isinstance(read, tuple):
        raise Differs(words("We couldn't read the list: %(why)s", why=str(read[0])))
    return read.cards


def _of_kind(proof: Proof, kind: str) -> Sequence[Mapping[str, Any]]:
    return [entry for entry in proof["entries"] if entry["kind"] == kind]
