"""R37, R38: formula books: made for each round, versioned, committed to, and what decides which battle."""

import hashlib
import json

import pytest

from judging.announcements.models import Notice
from judging.battles.models import Battle
from judging.battles.resolution import book_of as book_of_battle
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import Viewer, viewer_of
from judging.formula_books.models import BookVersion
from judging.formula_books.services import BookRefused, book_for, draw_formulas, public_book, save_book, versions_of
from judging.verification.checks import book_checks, verify_round
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, LOCK, UNLOCK, WEEK, World, add_judge, begin, make_round
from wargame.models import Round
from wargame.models.choices import RoundState
from wargame.rules.book.book import book_commitment
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.drawn_book import drawn_book, drawn_books

pytestmark = pytest.mark.django_db

LATER = UNLOCK + HOUR


def save(world: World, base: int = 1, now=LATER, judge=None, **formulas: str) -> BookVersion:
    texts = {**DEFAULT.to_json(), **formulas}
    who = judge or world.judges["battle"]
    return save_book(round=world.round, judge=who, formulas=texts, base_number=base, now=now)


def test_a_round_begins_with_a_book_that_nobody_can_guess(world: World) -> None:
    other = begin(make_round({}, slug="other"))
    first, second = BookVersion.objects.order_by("pk")
    assert (first.number, first.from_turn, first.judge) == (1, 1, None)
    assert first.formulas != second.formulas
    assert DEFAULT.to_json() not in (first.formulas, second.formulas)
    assert first.formulas == drawn_book(first.salt).to_json()
    assert book_for(other.round, 1)[1].to_json() == second.formulas


def test_the_commitment_is_posted_and_logged_at_the_round_start(world: World) -> None:
    version = BookVersion.objects.get()
    notice = Notice.objects.get(kind="book")
    assert (notice.thread, notice.turn.number, notice.at) == ("announcements", 1, UNLOCK)
    assert version.commitment in notice.text
    entry = LogEntry.objects.get(action="book.saved")
    assert entry.data == {"number": 1, "from_turn": 1, "commitment": version.commitment}


def test_a_stranger_recomputes_the_commitment(world: World) -> None:
    version = BookVersion.objects.get()
    sealed = {
        "round": "trial",
        "number": 1,
        "from_turn": 1,
        "salt": version.salt,
        "formulas": version.formulas,
    }
    text = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == version.commitment


def test_what_is_posted_and_logged_holds_no_secret(world: World) -> None:
    save(world, die_loss="max(31 - 2 * ahead, 6)")
    said = json.dumps([*Notice.objects.values_list("kind", "data"), *LogEntry.objects.values_list("data")])
    for version in BookVersion.objects.all():
        assert version.salt not in said
    assert "ahead" not in said


def test_a_judge_may_write_the_book_before_the_round_begins(db: None) -> None:
    world = make_round(FOUR)
    save(world, base=0, most_rounds="3")
    save(world, base=1, most_rounds="5")
    begin(world)
    assert [version.number for version in BookVersion.objects.all()] == [1, 2]
    assert book_for(world.round, 1)[0] == 2
    assert Notice.objects.get(kind="book").data["number"] == 2


def test_a_new_version_decides_from_the_next_turn_on(world: World) -> None:
    version = save(world, most_rounds="3")
    assert (version.number, version.from_turn) == (2, 2)
    assert [book_for(world.round, turn)[0] for turn in (1, 2, 3)] == [1, 2, 2]
    assert version.commitment in Notice.objects.filter(kind="book").latest("pk").text


def test_a_battle_is_decided_by_the_book_with_which_it_was_announced(war: World) -> None:
    battle = Battle.objects.select_related("turn__round").get()
    before = book_of_battle(battle)
    save(war, now=battle.announced_at + HOUR, most_rounds="3")
    assert book_of_battle(battle) == before


def test_of_two_versions_for_a_turn_the_later_one_counts(world: World) -> None:
    save(world, most_rounds="3")
    save(world, base=2, most_rounds="4")
    assert book_for(world.round, 2)[1].to_json()["most_rounds"] == "4"
    assert [view.until_turn for view in public_book(Viewer(None, world.round)).versions] == [None, 1, 1]


def test_the_same_formulas_again_are_no_new_version(world: World) -> None:
    assert save(world, most_rounds="3") == save(world, most_rounds="3")
    assert BookVersion.objects.count() == 2


def test_two_judges_do_not_write_over_each_other(world: World) -> None:
    deputy = add_judge(world.round, "battle", "Deputy", is_head=False)
    save(world, most_rounds="3")
    with pytest.raises(Refused, match="Judge battle saved version 2") as refused:
        save(world, judge=deputy, most_rounds="4")
    assert refused.value.cites == "R38"
    assert save(world, base=2, judge=deputy, most_rounds="4").number == 3


def test_only_a_battle_judge_of_the_round_writes_its_book(world: World) -> None:
    stranger = make_round({}, slug="other").judges["battle"]
    for judge in (world.judges["movement"], world.judges["mercenary"], stranger):
        with pytest.raises(Refused) as refused:
            save(world, judge=judge)
        assert refused.value.cites == "1.3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("__import__('os').system('true')", "be used in a formula"),
        ("(" * 2_000_000, "at most 1000 characters"),
        ("9 ^ 9 ^ 9 ^ 9", "whole number from 0 to 9"),
        ("speed * 2", "nothing called “speed”"),
        ("ahead", "be negative"),
    ],
)
def test_a_formula_that_can_not_be_used_is_refused_and_nothing_is_stored(world: World, text: str, said: str) -> None:
    with pytest.raises(BookRefused) as refused:
        save(world, die_loss=text)
    [fault] = refused.value.faults
    assert fault.formula == "die_loss"
    assert said in fault.sentence
    assert BookVersion.objects.count() == 1


def test_a_formula_that_is_missing_or_unknown_is_refused(world: World) -> None:
    texts = {**DEFAULT.to_json(), "luck": "3"}
    del texts["die_loss"]
    with pytest.raises(BookRefused) as refused:
        save_book(round=world.round, judge=world.judges["battle"], formulas=texts, base_number=1, now=LATER)
    assert [fault.formula for fault in refused.value.faults] == ["luck", "die_loss"]


def test_the_book_of_a_round_that_is_over_stays_as_it_is(world: World) -> None:
    Round.objects.filter(pk=world.round.pk).update(state=RoundState.OVER)
    with pytest.raises(Refused, match="is finished"):
        save(world, most_rounds="3")


def test_only_battle_judges_read_the_formulas_until_the_round_is_over(world: World) -> None:
    users = {name: player.user for name, player in world.players.items()}
    users |= {role: judge.user for role, judge in world.judges.items()}
    reads = {name for name, user in users.items() if versions_of(viewer_of(user, world.round))[0].formulas}
    assert reads == {"battle"}
    assert not versions_of(viewer_of(users["battle"], world.round))[0].salt

    world.round.state = RoundState.OVER
    [version] = public_book(Viewer(None, world.round)).versions
    assert version.formulas
    assert hashlib.sha256(version.canonical.encode()).hexdigest() == version.commitment


def test_the_changes_of_a_version_are_those_of_its_formulas(world: World) -> None:
    before = BookVersion.objects.get().formulas["most_lost"]
    formulas = {**BookVersion.objects.get().formulas, "most_lost": "700"}
    save_book(round=world.round, judge=world.judges["battle"], formulas=formulas, base_number=1, now=LATER)
    newest = versions_of(viewer_of(world.judges["battle"].user, world.round))[0]
    assert [(change.before, change.after) for change in newest.changes] == [(before, "700")]


def test_drawn_formulas_differ_each_time_and_are_not_stored(world: World) -> None:
    assert draw_formulas() != draw_formulas()
    assert BookVersion.objects.count() == 1


def fought(war: World) -> World:
    battle = Battle.objects.select_related("turn__round").get()
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    war.score(battle, favours=0, bonus=3)
    assert war.settle(LOCK + WEEK + HOUR) == "settled"
    return war


def differences(war: World) -> list[str]:
    return [difference for verdict in verify_round(war.round) for difference in verdict.differences]


def test_a_battle_is_recomputed_by_the_book_of_its_turn(war: World) -> None:
    save(war, now=war.turn.opened_at + HOUR, slot_loss="0")
    assert differences(fought(war)) == []


def test_a_book_that_was_changed_afterwards_is_found(war: World) -> None:
    fought(war)
    version = BookVersion.objects.get()
    BookVersion.objects.update(formulas={**version.formulas, "most_lost": "700"})
    assert "the commitment to its formula book" in differences(war)
    assert "its formula book, which isn't the one that was drawn" in differences(war)


def test_a_book_and_commitment_that_were_changed_together_are_found(war: World) -> None:
    fought(war)
    version = BookVersion.objects.get()
    formulas = DEFAULT.to_json()
    commitment = book_commitment("trial", 1, 1, formulas, version.salt)
    BookVersion.objects.update(formulas=formulas, commitment=commitment)
    assert "the commitment to its formula book" in differences(war)


def test_a_book_that_was_drawn_by_rules_1_1_is_as_it_was_drawn(war: World) -> None:
    """R38, R76: it is held against the draws of its time."""
    version = BookVersion.objects.get()
    formulas = drawn_books(version.salt)[1].to_json()
    commitment = book_commitment("trial", 1, 1, formulas, version.salt)
    BookVersion.objects.update(formulas=formulas, commitment=commitment)
    assert book_checks(war.round, 1)[-1].is_same


def test_a_book_that_is_gone_is_found(war: World) -> None:
    fought(war)
    BookVersion.objects.all().delete()
    assert [check.wrong for check in book_checks(war.round, 2)] == ["its formula book, which is missing"]
    assert "its formula book, which is missing" in differences(war)


def test_a_book_that_can_not_be_read_any_more_stops_no_verifying(war: World) -> None:
    fought(war)
    BookVersion.objects.update(formulas={"die_loss": "((("})
    assert "the commitment to its formula book" in differences(war)
