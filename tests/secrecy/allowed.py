"""Who sees what: DESIGN.md's table, row by row, with what the rules and the other documents add to it.

A secret that is not `open_from` the present phase is seen by its `viewers` alone. `AUTHOR` stands for the viewer whose
secret it is. Where a page shows more than its row allows, the page is wrong; where the rules allow more, the row is.
"""

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

    `seen`: its author sees it on some page; otherwise the walk proves nothing. `public_at`: addresses at which the same
    text says something else that is public.
    """

    cites: str
    viewers: tuple[str, ...] = ()
    open_from: str = ""
    seen: bool = True
    later: tuple[str, ...] = ()
    later_from: str = "over"
    public_at: tuple[str, ...] = ()


LISTS = ("/tables/lists/", "/export/")
"""T7.1: a list of cards is public, and names all of them: that says nothing of where one lies. A table's file
has it, too."""

TABLE: dict[str, Row] = {
    # 3: orders
    "sealed order": Row("DESIGN: sealed order before the lock; R6", (AUTHOR,), "locked"),
    "draft of an order": Row("3.1: nobody but its writer", (AUTHOR,)),
    "manifest": Row("DESIGN: transfer manifest before the settlement; 3.2.4.2", (AUTHOR, "movement"), "settled"),
    "mercenary order": Row("R48: as it is decided, for mercenary judges alone", (AUTHOR,), "settled"),
    "ruling on a draft": Row("R18: moves before they are published", (AUTHOR, "movement", *BATTLE), "fought"),
    "proposed ruling": Row("3.3.3: a correction that is not applied", (AUTHOR, "movement", *BATTLE)),
    # 4: battles
    "strat": Row("DESIGN: a strat's text; R35, 5.2.3", (AUTHOR, "contingency", *BATTLE), "over"),
    "strat of the enemy": Row("DESIGN: a strat's text; R35", (AUTHOR, *BATTLE), "over"),
    "strat of a contingency": Row("DESIGN: a strat's text; R35", (AUTHOR, *BATTLE), "over"),
    "strat of mercenaries": Row("R49", (AUTHOR, *BATTLE), "over"),
    "late strat": Row(
        "R35: sealed until it is decided whether it counts, for the judges too",
        (AUTHOR,),
        "over",
        later=BATTLE,
        later_from="fought",
    ),
    "feedback": Row("4.2: the head battle judge alone", (AUTHOR,)),
    "word for the dice": Row("R38: with the result", open_from="fought", seen=False),
    "draft of a strat": Row("4.1.1: nobody but its writer", (AUTHOR,)),
    "salt of a strat": Row(
        "R35: shown with the text", ("author", "contingency", "enemy", "mercenary", *BATTLE), "over"
    ),
    "criterion": Row("4.2.1: a judge's own criteria", BATTLE),
    "note": Row("4.2.1: battle judges alone", (AUTHOR, *BATTLE)),
    "note of one of two judges": Row(
        "4.2.1: neither reads the other's before both scored", (AUTHOR,), later=BATTLE, later_from="fought"
    ),
    "narrative of one of two judges": Row(
        "R55: neither reads the other's before both scored", (AUTHOR,), later=BATTLE, later_from="fought"
    ),
    "reasons of one of two judges": Row(
        "R55, R54: neither reads the other's before both scored; public with the result",
        (AUTHOR,),
        "fought",
        seen=False,
    ),
    "reasons of a score": Row("R54: public with the result", (AUTHOR, *BATTLE), "fought", seen=False),
    "decision over two scores": Row("R55: public with the result", (AUTHOR, *BATTLE), "fought", seen=False),
    "note that is shown": Row("4.2.1: shown with the result", (AUTHOR, *BATTLE), "open"),
    "claim": Row(
        "4.1.2, R55: its judge's until both have scored; with the result, for who reads the strat",
        (AUTHOR,),
        "over",
        later=("author", "contingency", *BATTLE),
        later_from="fought",
    ),
    "ruling on a risk": Row("4.3, 1.3: public with the result", (AUTHOR, *BATTLE), "fought"),
    "adjustment": Row("4.2.6: public with the result", (AUTHOR, *BATTLE), "fought"),
    "change that is asked for": Row("R53: the battle judges' until the result", (AUTHOR, *BATTLE), "fought"),
    "narrative": Row("4.1.1: as secret as the strats until the result", (AUTHOR, *BATTLE), "fought"),
    "formula book": Row("DESIGN: formula book before the round ends; R38", (AUTHOR, *BATTLE), "over"),
    "salt of the book": Row("R38", open_from="over"),
    "seed of a turn": Row("DESIGN: dice seeds; R38", open_from="settled"),
    "seed of a battle": Row("DESIGN: a battle's dice seed before its result; R38", open_from="fought"),
    "appeal against a request": Row(
        "R57: as secret as the request until the round is finished", (AUTHOR, "movement", *BATTLE), "over"
    ),
    "judging anew that is not applied": Row("R58, 3.3.3: the judges' until it is in force", (AUTHOR, *BATTLE)),
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
    "press": Row("1.6: for the players of the conversation, and nobody else", (AUTHOR, "enemy")),
    "reported press": Row(
        "1.3: for them, and as it was reported for the judges who don't play",
        (AUTHOR, "enemy", *BATTLE, "mercenary"),
    ),
    "report": Row("1.3: for who reports, and the moderators", (AUTHOR, *BATTLE, "mercenary")),
    "block": Row("1.6: whom somebody blocks is his own affair", (AUTHOR,)),
    "hidden message": Row("3.1: for its author and the moderators", (AUTHOR, "movement", *BATTLE, "mercenary")),
    "vote of a team": Row("1.4.3: for those who are asked, and its caller", (AUTHOR, "author")),
    # card tables
    "card of a deck": Row("T5.2, T8.5: in a hand or deck, its owner's until it lies open", (AUTHOR,)),
    "card of a hand": Row("T5.2, T8.5: its owner's until it lies open", (AUTHOR,), public_at=LISTS),
    "card face down": Row("11.4, S11: a mercenary face down in a Warchest is its owner's", (AUTHOR,), public_at=LISTS),
    "face of a Mana Orb": Row("3.2.9.d: its owner looks at it, nobody else", (AUTHOR,), public_at=LISTS),
    "card before a drafter": Row("5.2, T12.9: only he sees what he picks from", (AUTHOR,), public_at=LISTS),
    "card of a closed booster": Row("5.2, T12.9: nobody's before it is opened", public_at=LISTS),
    "sealed pick": Row("5.2, T12.9: its drafter's until the table is finished", (AUTHOR,), public_at=LISTS),
    "pool of a draft": Row("5.2, T12.9: its drafter's until the table is finished", (AUTHOR,), public_at=LISTS),
    "wish of a draft": Row("T12.9: his who wishes", (AUTHOR,), public_at=LISTS),
    "name of a deck": Row("T12.4: its owner's", (AUTHOR,)),
    "table by invitation": Row("T12.2: its people's until it starts", (AUTHOR,)),
    "link of an invitation": Row("T12.2: its opener's", (AUTHOR,), seen=False),
    "talk of watchers": Row(
        "T12.7: for those who watch, with a log-in, and no player before the table is finished",
        (AUTHOR, "contingency", "leader", "enemy leader", "movement", *BATTLE, "mercenary", "administrator"),
    ),
    "report at a table": Row("1.3: for who reports, and the table's moderators", (AUTHOR, *BATTLE, "administrator")),
    "seed of a table": Row("T8.5: until the table is finished", seen=False),
    "salt of a table": Row("T8.5: until the table is finished", seen=False),
    "mail address": Row("1.6: only its owner sees it", (AUTHOR,)),
    "password": Row("1.6", seen=False),
    "secret of an authenticator": Row("1.6: shown once, while it is set up", seen=False),
    "recovery code": Row("1.6: shown once", seen=False),
    "act of an administrator": Row("1.6: for administrators, and for whom it is about", (AUTHOR, "administrator")),
    "invitation link": Row("1.6: whoever has it signs up; the site of these tests is open", seen=False),
    "letter": Row("1.6: it may hold a token, and only its owner reads it in his mail", seen=False),
    "notification": Row("1.2: for whom it concerns alone", (AUTHOR,)),
    "webhook": Row("1.2: where a webhook is told, and how it is signed, is shown to nobody again", seen=False),
    "own feeds": Row("1.2: whoever knows the address reads what concerns its owner", (AUTHOR,)),
    "mail box of a seat": Row("T9.6: whoever knows the address of a seat plays for him", seen=False),
    "mail box": Row("3.1: whoever knows a player's address posts for him", seen=False),
    "browser": Row("1.2: where a browser is told, and with which key, is shown to nobody", seen=False),
    "form token": Row("the name of a form that was sent is nobody's business", seen=False),
}


def may_see(marker: Marker, viewer: str, phase: str) -> bool:
    """Whether the table lets this viewer see that secret in that phase."""
    row = TABLE[marker.kind]
    if row.open_from and _has_come(row.open_from, phase):
        return True
    viewers = (*row.viewers, *row.later) if _has_come(row.later_from, phase) else row.viewers
    return viewer in viewers or (AUTHOR in viewers and viewer == marker.author)


def tells(marker: Marker, address: str) -> bool:
    """Whether a text means the secret at that address."""
    return not any(part in address for part in TABLE[marker.kind].public_at)


def _has_come(phase: str, now: str) -> bool:
    return PHASES.index(now) >= PHASES.index(phase)
