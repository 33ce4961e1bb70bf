"""R5, 5.4.1, R35, R47, R49: more time for strats, late ones that are accepted, and the mercenaries' own."""

from datetime import timedelta

import pytest

from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Strat
from judging.battles.strats.extensions import accept_late, extend_strats
from judging.battles.strats.queries import counting_strats, deadline_of
from judging.battles.strats.services import send_mercenary_strat
from judging.command.control.services import assign
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.mercenaries.services import replace_order, set_window
from tests.services.world_of_tests import HOUR, TROOPS, UNLOCK, World, begin, make_round, token
from wargame.models import Army, Judge, Troop

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


def extend(war: World, battle: Battle, army: str = "", who: str = "battle", **more: object) -> Battle:
    given = {"until": battle.deadline + DAY, "reason": "The site was down.", "now": battle.deadline - HOUR, **more}
    row = war.army(army) if army else None
    return extend_strats(battle=battle, judge=war.judges[who], army=row, **given)  # type: ignore[arg-type]


def late(war: World, battle: Battle) -> Strat:
    return war.strat(battle, "Ana", "Ana", "Late.", now=battle.deadline + HOUR)


@pytest.mark.parametrize("who", ["battle", "movement"])
def test_everybody_gets_more_time(war: World, battle: Battle, who: str) -> None:
    extended = extend(war, battle, who=who)
    for name in ("Ana", "Gaz"):
        assert not war.strat(battle, name, name, now=extended.deadline).late
    (entry,) = LogEntry.objects.filter(action="battle.extended")
    assert entry.data["reason"] == "The site was down."


def test_one_army_gets_more_time_and_the_other_does_not(war: World, battle: Battle) -> None:
    """5.4.1: the player whose army was punished rewrites his strat."""
    deadline = battle.deadline
    extend(war, battle, "Gaz")
    assert not war.strat(battle, "Gaz", "Gaz", now=deadline + 23 * HOUR).late
    assert war.strat(battle, "Ana", "Ana", now=deadline + 2 * HOUR).late
    assert list(counting_strats(battle)) == ["Gaz"]
    entry = battle.entries.get(army__name="Gaz")
    assert deadline_of(entry, Battle.objects.get()) == deadline + DAY


def test_nothing_is_judged_while_an_army_has_time(war: World, battle: Battle) -> None:
    deadline = battle.deadline
    extend(war, battle, "Gaz")
    war.strat(battle, "Ana", "Ana")
    judge = war.judges["battle"]
    with pytest.raises(Refused, match="Strats are accepted until"):
        lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=deadline + HOUR)
    assert lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=deadline + DAY + HOUR)


def test_control_is_read_at_the_armys_own_deadline(war: World, battle: Battle) -> None:
    """R13, R35."""
    deadline = battle.deadline
    extend(war, battle, "Ana")
    war.strat(battle, "Ana", "Ana", "Old master.")
    assign(round=war.round, army=war.army("Ana"), player=war.players["Ben"], now=deadline + HOUR)
    assert counting_strats(battle) == {}
    war.strat(battle, "Ana", "Ben", "New master.", now=deadline + 2 * HOUR)
    assert counting_strats(battle)["Ana"].text == "New master."


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"who": "mercenary"}, "Only battle or movement judges"),
        ({"reason": "  "}, "The reason is empty"),
        ({"until": timedelta(0)}, "you can only move it later"),
        ({"until": timedelta(days=60)}, "at most 31 days ahead"),
        ({"now": timedelta(minutes=1)}, "can't be moved any more"),
        ({"army": "Ben"}, "doesn't fight in this battle"),
    ],
)
def test_an_extension_that_cannot_be_is_refused(
    war: World, battle: Battle, given: dict[str, object], sentence: str
) -> None:
    moments = {key: battle.deadline + value for key, value in given.items() if isinstance(value, timedelta)}
    with pytest.raises(Refused, match=sentence):
        extend(war, battle, **{**given, **moments})  # type: ignore[arg-type]
    assert Battle.objects.get().deadline == battle.deadline
    assert not LogEntry.objects.filter(action="battle.extended").exists()


def test_a_late_strat_counts_once_it_is_accepted(war: World, battle: Battle) -> None:
    strat, judge = late(war, battle), war.judges["battle"]
    assert counting_strats(battle) == {}
    now = battle.deadline + 2 * HOUR
    accept_late(strat=strat, judge=judge, reason="The mail was slow.", now=now)
    accept_late(strat=strat, judge=judge, reason="Again.", now=now)
    assert counting_strats(battle) == {"Ana": strat}
    assert LogEntry.objects.get(action="strat.accepted").data["reason"] == "The mail was slow."


def test_a_late_strat_is_accepted_with_a_reason_before_the_score_only(war: World, battle: Battle) -> None:
    strat, judge = late(war, battle), war.judges["battle"]
    now = battle.deadline + 2 * HOUR
    with pytest.raises(Refused, match="The reason is empty"):
        accept_late(strat=strat, judge=judge, reason="", now=now)
    with pytest.raises(Refused, match="Only battle judges"):
        accept_late(strat=strat, judge=war.judges["movement"], reason="Why not.", now=now)
    lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=now)
    with pytest.raises(Refused, match="A score for this battle is locked"):
        accept_late(strat=strat, judge=judge, reason="Why not.", now=now)
    assert counting_strats(battle) == {}


def test_a_strat_in_time_needs_no_accepting(war: World, battle: Battle) -> None:
    strat = war.strat(battle, "Ana", "Ana")
    with pytest.raises(Refused, match="This strat was on time, so there is nothing to accept"):
        accept_late(strat=strat, judge=war.judges["battle"], reason="So what.", now=battle.deadline)


@pytest.fixture
def raid(db: None) -> World:
    """Ana attacks the raiders on 3F."""
    world = make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "20D", "evincar")})
    rats = Army.objects.create(round=world.round, name="Rats", side="mercenary", faction="raider", at="3F")
    for place, number in enumerate(TROOPS):
        creature = f"Rat {place + 1}"
        Troop.objects.create(
            round=world.round,
            army=rats,
            place=place,
            slot=place + 1,
            creature=creature,
            size="1/1",
            alive=number,
            of=number,
        )
    begin(world)
    world.post("Ana", "3D > 3F; engage Rats")
    judge = world.judges["mercenary"]
    replace_order(turn=world.turn, judge=judge, army="Rats", order="hold", token=token(), now=UNLOCK + HOUR)
    set_window(turn=world.turn, judge=judge, done=True, now=UNLOCK + HOUR)
    world.settle()
    return world


def mercenary(world: World, army: str = "Rats", who: str = "mercenary", **more: object) -> Strat:
    battle = Battle.objects.get()
    given = {"text": "Bite.", "risk": "", "runs": False, "token": token(), "now": battle.announced_at + HOUR, **more}
    judge: Judge = world.judges[who]
    return send_mercenary_strat(battle=battle, army=world.army(army), judge=judge, **given)  # type: ignore[arg-type]


def test_the_mercenary_judge_sends_his_armies_strats(raid: World) -> None:
    """R49."""
    form = token()
    first = mercenary(raid, token=form, risk="kill")
    assert mercenary(raid, token=form) == first
    assert counting_strats(Battle.objects.get()) == {"Rats": first}
    assert (first.player, first.risk) == (None, "kill")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"who": "battle"}, "Only the mercenary judge"),
        ({"army": "Ana"}, "is not a mercenary"),
        ({"army": "Gaz"}, "doesn't fight in this battle"),
        ({"risk": "capture"}, "hold other armies, so they"),
        ({"text": "x" * 50_001}, "50,001 characters"),
    ],
)
def test_a_mercenary_strat_that_cannot_be_is_refused(raid: World, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        mercenary(raid, **given)  # type: ignore[arg-type]
    assert not Strat.objects.exists()
