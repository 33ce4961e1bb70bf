"""4.1.1: drafts of strats are kept for their writers, and two windows do not write over each other."""

from datetime import timedelta

import pytest

from judging.battles.models import Battle, Strat, StratDraft
from judging.battles.strats.services import keep_strat_draft
from judging.common.errors import Refused
from tests.services.world_of_tests import HOUR, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


def keep(
    war: World, battle: Battle, by: str = "Ana", text: str = "Draft.", version: int = 0, minutes: int = 0
) -> StratDraft:
    kept = keep_form(war, battle, by, text, version, minutes)
    assert kept is not None
    return kept


def keep_form(
    war: World, battle: Battle, by: str, text: str, version: int = 0, minutes: int = 0, form: str = ""
) -> StratDraft | None:
    return keep_strat_draft(
        battle=battle, army=war.army("Ana"), player=war.players[by], text=text, risk="kill", runs=False, leaves="",
        leaves_to="", base_version=version, now=battle.announced_at + HOUR + timedelta(minutes=minutes), form=form,
    )  # fmt: skip


def test_a_draft_grows_by_versions_and_the_same_again_is_none(war: World, battle: Battle) -> None:
    first = keep(war, battle)
    assert keep(war, battle, minutes=1).version == first.version == 1
    assert keep(war, battle, text="More.", version=1).version == 2


def test_another_window_does_not_write_over_a_newer_draft(war: World, battle: Battle) -> None:
    keep(war, battle)
    keep(war, battle, text="Newer.", version=1)
    with pytest.raises(Refused, match="You saved this draft in another window at"):
        keep(war, battle, text="Older.", version=1)
    assert StratDraft.objects.get().text == "Newer."


@pytest.mark.parametrize("by", ["Gaz", "Ben"])
def test_nobody_drafts_for_somebody_elses_army(war: World, battle: Battle, by: str) -> None:
    with pytest.raises(Refused, match="You don't control Ana") as refused:
        keep(war, battle, by)
    assert refused.value.cites == "5.4.1"
    assert not StratDraft.objects.exists()


def test_a_megabyte_is_no_draft(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="1,048,576 characters; the limit is 50,000"):
        keep(war, battle, text="x" * 1_048_576)


def test_a_draft_is_gone_once_its_strat_is_sent(war: World, battle: Battle) -> None:
    keep(war, battle)
    war.strat(battle, "Ana", "Ana")
    assert Strat.objects.count() == 1
    assert not StratDraft.objects.exists()


def test_what_a_page_still_keeps_after_its_strat_was_sent_is_void(war: World, battle: Battle) -> None:
    """Its request was on the way when the form itself came."""
    war.strat(battle, "Ana", "Ana")
    assert keep_form(war, battle, "Ana", "Late.", form=Strat.objects.get().token) is None
    assert not StratDraft.objects.exists()
