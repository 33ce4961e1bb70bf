"""Who sees what: DESIGN.md's table, row by row, with what the rules and the other documents add to it.

A secret that is not `open_from` the present phase is seen by its `viewers` alone. `AUTHOR` stands for the viewer whose
secret it is. Where a page shows more than its row allows, the page is wrong; where the rules allow more, the row is.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.secrecy.scene import Marker

PHASES = ("planned", "raised", "open", "locked", "moved", "fought", "settled", "over")
"""2.5, DESIGN: two moments of a set-up, then the stages of a turn and the end of the round. In `locked` the clock has
locked the turn and no job has run (R4); in `moved` its draft waits for the movement judge."""

AUTHOR = "author of the secret"
BATTLE = ("battle", "battle second")


@dataclass(frozen=True)
class Row:
    """A row of the table. `cites` is where it is written. From `later_from` on the `later` ones see it, too.

    `seen`: its author sees it on some page; otherwise the walk proves nothing.
    """

    cites: str
    viewers: tuple[str, ...] = ()
    open_from: str = ""
    seen: bool = True
    later: tuple[str, ...] = ()
    later_from: str = "over"


TABLE: dict[str, Row] = {
    # 3: orders
    "sealed order": Row("DESIGN: sealed order before the lock; R6", (AUTHOR,), "locked"),
    "manifest": Row("DESIGN: transfer manifest before the settlement; 3.2.4.2", (AUTHOR, "movement"), "settled"),
    "mercenary order": Row("R48: as it is decided, for mercenary judges alone", (AUTHOR,), "settled"),
    "ruling on a draft": Row("R18: moves before they are published", (AUTHOR, "movement", *BATTLE), "fought"),
    "proposed ruling": Row("3.3.3: a correction that is not applied", (AUTHOR, "movement", *BATTLE)),
    # 4: battles
    "strat": Row("DESIGN: a strat's text; R35, 5.2.3", (AUTHOR, "contingency", *BATTLE), "over"),
    "strat of the enemy": Row("DESIGN: a strat's text; R35", (AUTHOR, *BATTLE), "over"),
    "strat of a contingency": Row("DESIGN: a strat's text; R35", (AUTHOR, *BATTLE), "over"),
    "strat of mercenaries": Row("R49", (AUTHOR, *BATTLE), "over"),
    "draft of a strat": Row("4.1.1: nobody but its writer", (AUTHOR,)),
    "salt of a strat": Row(
        "R35: shown with the text", ("author", "contingency", "enemy", "mercenary", *BATTLE), "over"
    ),
    "criterion": Row("4.2.1: a judge's own criteria", BATTLE),
    "note": Row("4.2.1: battle judges alone", (AUTHOR, *BATTLE)),
    "note of one of two judges": Row(
        "4.2.1: neither reads the other's before both scored", (AUTHOR,), later=BATTLE, later_from="fought"
    ),
    "note that is shown": Row("4.2.1: shown with the result", (AUTHOR, *BATTLE), "open"),
    "claim": Row(
        "4.1.2: with the result, for who reads the strat",
        (AUTHOR, *BATTLE),
        "over",
        later=("author", "contingency"),
        later_from="fought",
    ),
    "ruling on a risk": Row("4.3, 1.3: public with the result", (AUTHOR, *BATTLE), "fought"),
    "adjustment": Row("4.2.6: public with the result", (AUTHOR, *BATTLE), "fought"),
    "narrative": Row("4.1.1: as secret as the strats until the result", (AUTHOR, *BATTLE), "fought"),
    "formula book": Row("DESIGN: formula book before the round ends; R38", (AUTHOR, *BATTLE), "over"),
    "salt of the book": Row("R38", open_from="over"),
    "seed of a turn": Row("DESIGN: dice seeds; R38", open_from="settled"),
    "seed of a battle": Row("DESIGN: a battle's dice seed before its result; R38", open_from="fought"),
    # 2.5: the set-up
    "wish": Row("2.5.1.1: for the side's leaders and the battle judges", (AUTHOR, *BATTLE)),
    "description": Row("2.5.1.2: before it is public with the bases", (AUTHOR, *BATTLE)),
    "muster": Row("2.5.2.2: for its author, his leaders and the judge", (AUTHOR, "leader", *BATTLE)),
    "muster of the enemy": Row("2.5.2.2", (AUTHOR, "enemy leader", *BATTLE)),
    "plan of mercenaries": Row("2.5.3: before the round begins", (AUTHOR, *BATTLE)),
    "seed of the set-up": Row("2.5.2, R38: until the round begins", open_from="open"),
    # 1, 2, 5: people and teams
    "admission": Row("1.1: for the team's leaders and the battle judges", (AUTHOR, "leader", *BATTLE)),
    "control request": Row("5.2: what waits or came to nothing", (AUTHOR, "leader", "movement", *BATTLE)),
    "name asked": Row("1.6: asked of the battle judge", (AUTHOR, *BATTLE)),
    "change of troops": Row("2.3.2: for its author, his leaders and the judge", (AUTHOR, "leader", *BATTLE)),
    "board of a team": Row("1.1: for the players of the team", (AUTHOR, "contingency", "leader")),
    "board of the enemy": Row("1.1: and for a judge as the player that he is", (AUTHOR, "enemy leader", "movement")),
    "council": Row("1.1.1, 1.1.2: for the three who run the team", (AUTHOR,)),
    "board of a faction": Row("1.1.2: for the players who claim it", (AUTHOR,)),
    "hidden message": Row("3.1: for its author and the moderators", (AUTHOR, "movement", *BATTLE, "mercenary")),
    "vote of a team": Row("1.4.3: for those who are asked, and its caller", (AUTHOR, "author")),
    "mail address": Row("1.6: only its owner sees it", (AUTHOR,)),
    "password": Row("1.6", seen=False),
    "secret of an authenticator": Row("1.6: shown once, while it is set up", seen=False),
    "recovery code": Row("1.6: shown once", seen=False),
    "act of an administrator": Row("1.6: for administrators, and for whom it is about", (AUTHOR, "administrator")),
    "letter": Row("1.6: it may hold a token, and only its owner reads it in his mail", seen=False),
    "form token": Row("the name of a form that was sent is nobody's business", seen=False),
}


def may_see(marker: Marker, viewer: str, phase: str) -> bool:
    """Whether the table lets this viewer see that secret in that phase."""
    row = TABLE[marker.kind]
    if row.open_from and _has_come(row.open_from, phase):
        return True
    viewers = (*row.viewers, *row.later) if _has_come(row.later_from, phase) else row.viewers
    return viewer in viewers or (AUTHOR in viewers and viewer == marker.author)


def _has_come(phase: str, now: str) -> bool:
    return PHASES.index(now) >= PHASES.index(phase)
