"""8: draws of a table come from the committed seed and the cut words, and a stranger recomputes them."""

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tables.core.proof.chain import FIRST, entry_hash, first_break
from tables.core.proof.codec import Plain, sealed
from tables.core.proof.draws import Draws, commitment, cut_commitment, cut_value, weak_word
from wargame.rules.core.dice import Dice

CARDS = ("Ash/1", "Ash/2", "Birch/1", "Birch/2", "Cedar/1", "Cedar/2")
CUTS = (cut_value("seven of bells"), cut_value("otter"))
DRAWS = Draws(bytes(32), "example", CUTS)
PAGE = Path(__file__).parents[2] / "docs" / "play" / "verify" / "shuffles.md"


def test_the_vector_of_the_design_comes_out() -> None:
    assert DRAWS.shuffle(CARDS, "A.deck", 1) == ("Ash/1", "Cedar/2", "Birch/2", "Cedar/1", "Birch/1", "Ash/2")
    assert [DRAWS.coin(number) for number in (1, 2, 3, 4)] == [False, True, False, True]


def test_the_lines_of_the_page_say_what_the_service_draws() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(program.splitlines()) <= 40
    stranger: dict[str, Any] = {}
    exec(program, stranger)
    cuts = [stranger["value"](word) for word in ("seven of bells", "otter")]
    assert tuple(stranger["shuffle"](CARDS, bytes(32), "example", cuts, "A.deck", 1)) == DRAWS.shuffle(
        CARDS, "A.deck", 1
    )
    coins = [stranger["draw"](bytes(32), "example", cuts, "coin", number, 2) == 1 for number in (1, 2, 3, 4)]
    assert coins == [DRAWS.coin(number) for number in (1, 2, 3, 4)]
    sides = [stranger["draw"](bytes(32), "example", cuts, "die", number, 2**31 + 1) for number in range(1, 60)]
    assert sides == [DRAWS.die(number, 2**31 + 1) for number in range(1, 60)]


def test_the_order_before_a_shuffle_means_nothing() -> None:
    assert DRAWS.shuffle(CARDS[::-1], "A.deck", 1) == DRAWS.shuffle(CARDS, "A.deck", 1)


def test_another_seed_word_table_zone_or_number_gives_another_order() -> None:
    others = [
        Draws(bytes(31) + b"\1", "example", CUTS).shuffle(CARDS, "A.deck", 1),
        Draws(bytes(32), "example", CUTS[::-1]).shuffle(CARDS, "A.deck", 1),
        Draws(bytes(32), "other", CUTS).shuffle(CARDS, "A.deck", 1),
        DRAWS.shuffle(CARDS, "B.deck", 1),
        DRAWS.shuffle(CARDS, "A.deck", 2),
    ]
    assert len({*others, DRAWS.shuffle(CARDS, "A.deck", 1)}) == 6


def test_each_order_of_three_cards_is_as_likely_as_any_other() -> None:
    orders = Counter(DRAWS.shuffle(("a", "b", "c"), "A.deck", nth) for nth in range(1, 3001))
    assert len(orders) == 6
    assert all(420 < many < 580 for many in orders.values()), orders


def test_a_draw_is_the_same_whatever_else_was_drawn_and_fresh_ones_differ() -> None:
    before = [DRAWS.die(number) for number in range(1, 21)]
    DRAWS.shuffle(CARDS, "A.deck", 7)
    assert [DRAWS.die(number) for number in range(1, 21)] == before
    fresh = DRAWS.refreshed()
    assert [fresh.die(number) for number in range(1, 21)] != before
    context = "tables-draws-1\nexample\n" + " ".join(CUTS)
    assert fresh.die(1) == Dice(bytes(32), context).roll("die fresh 1", 6, 1)


def test_a_random_card_and_a_default_are_of_what_there_is() -> None:
    assert DRAWS.random_card(CARDS[::-1], "A.hand", 1) == DRAWS.random_card(CARDS, "A.hand", 1)
    assert {DRAWS.default("A", ("x", "y"), number) for number in range(1, 30)} == {"x", "y"}
    assert DRAWS.starter(("A",)) == "A"
    with pytest.raises(ValueError):
        DRAWS.random_card((), "A.hand", 1)


@pytest.mark.parametrize(
    "made",
    [
        lambda: Draws(bytes(31), "example", CUTS),
        lambda: Draws(bytes(32), "two\nlines", CUTS),
        lambda: Draws(bytes(32), "example", ("otter",)),
        lambda: DRAWS.draw("a\nname", 1, 6),
        lambda: DRAWS.shuffle(("Ash/1", "Ash/1"), "A.deck", 1),
    ],
)
def test_what_would_make_two_messages_alike_is_refused(made: object) -> None:
    with pytest.raises(ValueError):
        made()  # type: ignore[operator]


def test_a_cut_is_committed_to_by_the_hash_of_its_value_and_not_by_the_value() -> None:
    value = cut_value("otter")
    assert value == hashlib.sha256(b"otter").hexdigest()
    assert cut_commitment(value) == hashlib.sha256(bytes.fromhex(value)).hexdigest() != value
    assert commitment(bytes(32)) in PAGE.read_text()
    assert weak_word("otter")
    assert not weak_word("seven of bells and an otter")


# ------------------------------------------------------------------------------------------------ the chain


def entries(many: int = 4) -> list[dict[str, Plain]]:
    chain: list[dict[str, Plain]] = []
    head = FIRST
    for n in range(1, many + 1):
        entry: dict[str, Plain] = {
            "n": n,
            "at": f"2026-01-01T00:0{n}Z",
            "by": "A",
            "kind": "act",
            "args": {"line": "pass"},
        }
        if n == 2:
            entry |= {"args": {}, "secret": sealed("salt", {"line": "recursion: Gull"})}
        entry |= {"prev": head, "hash": entry_hash(head, entry)}
        head = str(entry["hash"])
        chain.append(entry)
    return chain


def test_a_chain_that_nobody_touched_holds() -> None:
    assert first_break(entries()) is None
    assert first_break([]) is None


@pytest.mark.parametrize("key", ["n", "at", "by", "kind", "args", "secret", "prev", "hash"])
def test_whatever_is_changed_in_an_entry_breaks_the_chain_there(key: str) -> None:
    chain = entries()
    chain[1][key] = "other"
    broken = first_break(chain)
    assert broken is not None
    assert broken.n == 2


def test_an_entry_that_is_left_out_or_added_breaks_the_chain() -> None:
    chain = entries()
    for changed, place in ((chain[:1] + chain[2:], 2), ([*chain[:2], chain[1], *chain[2:]], 3), (chain[1:], 1)):
        broken = first_break(changed)
        assert broken is not None
        assert broken.n == place


def test_a_secret_is_bound_by_its_salt_and_arguments() -> None:
    seal = sealed("salt", {"line": "pass"})
    assert seal == hashlib.sha256(b'salt|{"line":"pass"}').hexdigest()
    assert len({seal, sealed("other", {"line": "pass"}), sealed("salt", {"line": "no"})}) == 3
