"""1.3: what waits for the judges of a round, and what they are told of each other."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext, gettext_noop

from judging.notifications import recipients as to
from judging.notifications.kinds.base import Data, Group, Kind, Moment, Reader, Urgency, when
from judging.notifications.kinds.rounds import APPEAL, LET_IN, appeal_acts, barred_in_words, of_team
from wargame.models.choices import Role

BATTLE = ("judge:battle", "battle")
SEATED = ("battle.seat", "battle.judge_decided")
WAITING = ("old", "new", "army", "side")
"""What is told of requests, where they have it."""


def _appeal_waits(data: Data, moment: Moment) -> str:
    text = gettext("You were picked at random to answer appeal %(number)s. The deadline is %(time)s.")
    return text % {"number": data["number"], "time": when(data, "due", moment)}


def _appeal_due(data: Data, moment: Moment) -> str:
    text = gettext("Please answer appeal %(number)s by %(time)s. After that, the next judge is picked at random.")
    return text % {"number": data["number"], "time": when(data, "due", moment)}


def _desk(
    told: str | Callable[[Data, Moment], str],
    link: tuple[str, ...],
    cites: str = "",
    role: Role = Role.BATTLE,
    **more: Any,
) -> Kind:
    """1.3: a task of the judges of a role."""
    roles = (role,) if role is Role.BATTLE else (role, Role.BATTLE)
    return Kind(Group.JUDGING, told, link, cites, reader=Reader.JUDGE, roles=roles, **more)


OF_JUDGES: dict[str, Kind] = {
    "judge.appeal": Kind(
        Group.JUDGING,
        _appeal_waits,
        APPEAL,
        "R57",
        reader=Reader.JUDGE,
        roles=(Role.BATTLE, Role.MOVEMENT),
        acts=appeal_acts("lodged", "passed_on", told=to.judge_of_appeal),
    ),
    "judge.appeal_due": Kind(
        Group.JUDGING,
        _appeal_due,
        APPEAL,
        "R57",
        Urgency.URGENT,
        Reader.JUDGE,
        (Role.BATTLE, Role.MOVEMENT),
        lapses=True,
    ),
    "judge.score": _desk(
        gettext_noop("Ready to score: battle {number} of turn {turn}, at {at}."), BATTLE, "4.1.1", lapses=True
    ),
    "judge.roll": _desk(
        gettext_noop("Ready to roll the dice: battle {number} of turn {turn}, at {at}."), BATTLE, "R38", lapses=True
    ),
    "judge.publish": _desk(
        gettext_noop("Ready to publish: battle {number} of turn {turn}, at {at}. The dice are rolled."),
        BATTLE,
        "R38",
        lapses=True,
    ),
    "judge.second": _desk(
        gettext_noop("Please also score battle {number} of turn {turn}, at {at}."),
        BATTLE,
        "4.2.1",
        acts={"battle.second_judge": to.battle_judges("second")},
    ),
    "judge.consent": _desk(
        gettext_noop(
            "A change after the dice roll needs a second judge's consent: battle {number} of turn {turn}, at {at}."
        ),
        BATTLE,
        "R53",
        acts={"battle.adjust_asked": to.battle_judges()},
    ),
    "judge.consented": _desk(
        gettext_noop(
            "Another judge has decided on a change after the dice roll: battle {number} of turn {turn}, at {at}."
        ),
        BATTLE,
        "R53",
        acts=dict.fromkeys(("battle.adjust_agreed", "battle.adjust_refused"), to.battle_judges()),
    ),
    "judge.agree": _desk(
        gettext_noop("A new score needs a second judge's consent: battle {number} of turn {turn}, at {at}."),
        ("judge:battle-anew", "battle"),
        "R53",
        acts={"battle.anew_proposed": to.battle_judges(holds=lambda data: data.get("needs_second"))},
    ),
    "judge.agreed": _desk(
        gettext_noop("Another judge has decided on your new score: battle {number} of turn {turn}, at {at}."),
        ("judge:battle-anew", "battle"),
        "R53",
        acts=dict.fromkeys(("battle.anew_dropped", "battle.judged_anew"), to.battle_judges("of")),
    ),
    "judge.differ": _desk(
        gettext_noop("Two scores are far apart, and yours decides: battle {number} of turn {turn}, at {at}."),
        BATTLE,
        "4.2.1",
        acts={"battle.opinion": to.head_of_battles},
    ),
    "judge.third": _desk(
        gettext_noop(
            "Two scores are far apart. As the third judge, you decide: battle {number} of turn {turn}, at {at}."
        ),
        BATTLE,
        "R55",
        acts=dict.fromkeys(SEATED, to.seat_taker("third")),
    ),
    "judge.yours": _desk(
        gettext_noop("Battle {number} of turn {turn}, at {at}, has been assigned to you."),
        BATTLE,
        "R59",
        acts=dict.fromkeys(SEATED, to.seat_taker("")),
    ),
    "judge.lost": _desk(
        gettext_noop("Battle {number} of turn {turn}, at {at}, has been assigned to another judge."),
        BATTLE,
        "R59",
        acts=dict.fromkeys(SEATED, to.battle_judges("of")),
    ),
    "judge.head": _desk(
        gettext_noop("{name} has replaced {of} as head battle judge."),
        ("judges",),
        "R59",
        acts=dict.fromkeys(("judge.stands_in", "judge.head_back"), to.judges(Role.BATTLE, fields=("name", "of"))),
    ),
    "judge.away": _desk(
        gettext_noop("{name} is away."),
        ("judges",),
        "R59",
        Role.MOVEMENT,
        acts={"judge.leave": to.judges(fields=("name",))},
    ),
    "judge.barred": _desk(
        barred_in_words, ("judges",), "1.6", Role.MOVEMENT, acts={"person.barred": to.judges_with_barred}
    ),
    "judge.let_in": _desk(
        LET_IN,
        ("judges",),
        "1.6",
        Role.MOVEMENT,
        acts=dict.fromkeys(("person.let_in", "person.bar_over"), to.judges_with_barred),
    ),
    "judge.late": _desk(
        gettext_noop("A late strat arrived for {army}: battle {number} of turn {turn}, at {at}."), BATTLE, "R35"
    ),
    "judge.overdue": _desk(
        gettext_noop("The result of battle {number} of turn {turn}, at {at}, is overdue."),
        BATTLE,
        "4.1.1",
        own_letter=True,
        acts={"battle.overdue": to.battle_judges()},
    ),
    "judge.exception": _desk(
        gettext_noop("A team requested an exception to its control list."),
        ("judge:index",),
        "5.2.2.2",
        Role.MOVEMENT,
        acts={"control.exception_asked": to.judges(Role.MOVEMENT, Role.BATTLE, fields=WAITING)},
    ),
    "judge.exception_over": _desk(
        of_team(
            gettext_noop("An exception in the control list of {team} has expired, but part of it is still in place.")
        ),
        ("judge:index",),
        "5.2.2.2",
        Role.MOVEMENT,
        acts={"control.exception_over": to.judges(Role.MOVEMENT, Role.BATTLE, fields=WAITING)},
    ),
    "judge.penalty": _desk(
        gettext_noop("{player} gave an order for {army}, which they don't control. A penalty is suggested."),
        ("judge:penalties", "round"),
        "5.4.1",
        Role.MOVEMENT,
    ),
    "judge.name": _desk(
        gettext_noop("{old} wants to be called {new}."),
        ("judge:index",),
        "1.6",
        acts={"name.asked": to.judges(Role.BATTLE, fields=WAITING)},
    ),
    "judge.feedback": _desk(
        gettext_noop("Someone sent you feedback on battle {number} of turn {turn}."),
        ("judge-numbers",),
        "4.2",
        urgency=Urgency.QUIET,
    ),
    "judge.muster": _desk(
        gettext_noop("A muster was submitted."),
        ("judge:musters",),
        "2.5.2.2",
        urgency=Urgency.QUIET,
        acts={"muster.sent": to.judges(Role.BATTLE, fields=WAITING)},
    ),
    "judge.change": _desk(
        gettext_noop("A change to {army} was requested."),
        ("judge:index",),
        "2.3.2",
        acts={"change.sent": to.judges(Role.BATTLE, fields=WAITING)},
    ),
}
"""By their codes, which stand in the rows."""
