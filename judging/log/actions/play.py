"""1.3: the acts of turns, battles, rulings, appeals, mercenaries and the formula book."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from judging.common.stored_messages import Facts
from judging.log.actions.base import (
    BATTLE,
    MERCENARY,
    MOVEMENT,
    Act,
    By,
    Data,
    Kind,
    Secret,
    Told,
    When,
    battle_of,
    joined,
    moment_in_words,
)
from wargame.rules.core.sides import Side

CALENDAR = {
    "name": gettext_noop("the name"),
    "turn_length": gettext_noop("the turn length"),
    "deadline_before_lock": gettext_noop("the battle deadline"),
    "sealed_before_lock": gettext_noop("the time for sealed orders"),
    "contingency_before_deadline": gettext_noop("the time for contingencies"),
    "publish_after": gettext_noop("the publication of moves"),
    "after_lock_window": gettext_noop("the window after the lock"),
    "results_after_lock": gettext_noop("the publication of results"),
    "may_lock_early": gettext_noop("the setting for locking turns early"),
    "press": gettext_noop("the private-messages setting"),
    "dice_mix": gettext_noop("what is mixed into the dice"),
    "mix_within": gettext_noop("how long the dice wait for the words or the beacon"),
    "second_score_threshold": gettext_noop("the allowed gap between two scores"),
    "criteria": gettext_noop("the scoring criteria"),
    "strats_after": gettext_noop("the publication of strats"),
    "runner_least": gettext_noop("the lowest losses one judge can set for a side that ran"),
    "pair_least": gettext_noop("the smallest share for one army of a pair"),
    "pair_most": gettext_noop("the largest share for one army of a pair"),
    "judge_within": gettext_noop("the time for judging"),
    "overdue_policy": gettext_noop("the effect of an overdue battle"),
    "appeal_within": gettext_noop("the time for appeals"),
    "most_appeals": gettext_noop("the limit on open appeals per player"),
    "holidays": gettext_noop("the holidays"),
}

NO_STEP = Secret(When.AFTER_RESULT, "Before the result nobody knows how far its judge is (R38).", (BATTLE,))
NO_STRAT = Secret(When.AFTER_RESULT, "It tells that a strat claims or asks for something (R35).", (BATTLE,))
NO_ORDER = Secret(
    When.AFTER_SETTLEMENT,
    "Where the mercenaries are ordered otherwise than by their guidelines is secret until then (R48).",
    (MERCENARY,),
)
DRAFT = Secret(
    When.AFTER_MOVES,
    "The moves of a turn, and what is ruled on them, are the judges' until they are published (R18).",
    (MOVEMENT, BATTLE),
)
PROPOSAL = Secret(
    When.AFTER_NEXT,
    "A correction that is not applied is no part of the game: it is the judges' until it can't be any more.",
    (MOVEMENT, BATTLE),
)
LOCKING = Secret(
    When.AFTER_MOVES,
    "It is written when the moves are worked out, and a turn whose moves are not published is no more than locked.",
    (MOVEMENT,),
)
NOT_PUBLIC = Secret(
    When.AFTER_ROUND,
    "What it is against is no business of the other team before the end; its player and the judges know.",
    (MOVEMENT, BATTLE),
)
BOOK = Secret(
    When.AFTER_START,
    "While a round is set up nothing of it is public (2.5). The formulas themselves are not in the log (R38).",
    (BATTLE,),
)


def _turn(data: Data) -> dict[str, object]:
    return {"turn": data.get("turn", "…")}


def _opened(data: Data) -> str:
    return gettext("opened turn 1, which locks on %(at)s") % {"at": moment_in_words(data.get("lock_at"))}


def _locked(data: Data) -> str:
    """R8: with the lines that the service itself could not read; line 0 is a whole post."""
    unread = [
        gettext("line %(line)s of post %(post)s") % {"line": line, "post": post}
        if line
        else gettext("post %(post)s") % {"post": post}
        for post, line in data.get("unread") or ()
    ]
    if not unread:
        return gettext("locked turn %(turn)s") % _turn(data)
    text = gettext("locked turn %(turn)s without orders from %(unread)s, which couldn't be read")
    return text % {**_turn(data), "unread": joined(unread)}


def _settled(data: Data) -> str:
    if won := data.get("won_by"):
        winners = joined(Side(side).title for side in won)
        return gettext("settled turn %(turn)s; by the rules, %(winners)s won") % {**_turn(data), "winners": winners}
    text = gettext("settled turn %(turn)s and opened the next, which locks on %(at)s")
    return text % {**_turn(data), "at": moment_in_words(data.get("next_lock"))}


def _early_lock(data: Data) -> str:
    text = gettext("moved the lock of turn %(turn)s forward to %(at)s, from %(before)s, because everyone is done")
    return text % {
        **_turn(data),
        "at": moment_in_words(data.get("lock_at")),
        "before": moment_in_words(data.get("before")),
    }


def _lock_restored(data: Data) -> str:
    return gettext("moved the lock of turn %(turn)s back to %(at)s") % {
        **_turn(data),
        "at": moment_in_words(data.get("lock_at")),
    }


def _won(data: Data) -> str:
    winner = data.get("winner")
    if not winner:
        return gettext("confirmed that a side won the round")
    return gettext("confirmed that %(winner)s won the round") % {"winner": Side(winner).title}


def _calendar(data: Data) -> str:
    changes = [
        gettext("%(what)s to %(value)s")
        % {"what": gettext(CALENDAR[name]) if name in CALENDAR else name, "value": value or gettext("none")}
        for name, value in data.items()
    ]
    if not changes:
        return gettext("saved the calendar without changes")
    return gettext("changed %(changes)s") % {"changes": joined(changes)}


def _extended(data: Data) -> str:
    facts = {"battle": battle_of(data), "at": moment_in_words(data.get("until"))}
    if army := data.get("army"):
        return gettext("moved the deadline of %(battle)s for %(army)s to %(at)s") % {**facts, "army": army}
    return gettext("moved the deadline of %(battle)s for everyone to %(at)s") % facts


def _extension_overruled(data: Data) -> str:
    facts = {"battle": battle_of(data), "of": data.get("of", "…"), "at": moment_in_words(data.get("until"))}
    if army := data.get("army"):
        text = gettext("overruled %(of)s, who had extended the deadline of %(battle)s for %(army)s; it is %(at)s again")
        return text % {**facts, "army": army}
    return (
        gettext("overruled %(of)s, who had extended the deadline of %(battle)s for everyone; it is %(at)s again")
        % facts
    )


def _published(data: Data) -> str:
    return gettext("published the result of %(battle)s") % {"battle": battle_of(data)}


def _second(data: Data) -> str:
    if judge_name := data.get("second"):
        return gettext("asked %(judge)s to score %(battle)s as well") % {"judge": judge_name, "battle": battle_of(data)}
    return gettext("let one judge score %(battle)s") % {"battle": battle_of(data)}


SEATS = {
    "first": gettext_noop("assigned %(judge)s to score %(battle)s"),
    "second": gettext_noop("assigned %(judge)s as second judge to score %(battle)s"),
    "third": gettext_noop("assigned %(judge)s to decide between two scores of %(battle)s"),
    "": gettext_noop("assigned %(judge)s to judge %(battle)s"),
}

INSTEAD = {
    "silence": gettext_noop("%(found)s, in place of %(of)s, who didn't respond"),
    "leave": gettext_noop("%(found)s, in place of %(of)s, who is away"),
    "conflict": gettext_noop("%(found)s, in place of %(of)s, who has a conflict"),
    "": gettext_noop("%(found)s, in place of %(of)s"),
}


def _seat(data: Data) -> str:
    facts = {"judge": data.get("name") or pgettext("in a log", "no one"), "battle": battle_of(data)}
    text = gettext(SEATS.get(data.get("kind", ""), SEATS[""])) % facts
    if not data.get("of"):
        return text
    return gettext(INSTEAD.get(data.get("cause", ""), INSTEAD[""])) % {"found": text, "of": data["of"]}


def _judge_decided(data: Data) -> str:
    text = gettext("chose %(judge)s to judge %(battle)s, although all judges have a conflict")
    return text % {"judge": data.get("name", "…"), "battle": battle_of(data)}


def _correction(data: Data) -> str:
    numbers = data.get("rulings") or ()
    text = ngettext(
        "corrected turn %(turn)s with ruling %(rulings)s",
        "corrected turn %(turn)s with rulings %(rulings)s",
        len(numbers) or 1,
    )
    return text % {**_turn(data), "rulings": joined(numbers)}


def _proposed(data: Data) -> str:
    count = data.get("rulings", 0)
    text = ngettext(
        "worked out a correction of turn %(turn)s with %(number)s ruling",
        "worked out a correction of turn %(turn)s with %(number)s rulings",
        count,
    )
    return text % {**_turn(data), "number": count}


ANSWERS = {
    "upheld": gettext_noop("the decision stands"),
    "mended": gettext_noop("corrected"),
    "anew": gettext_noop("judged again"),
}


def _appeal(data: Data) -> dict[str, object]:
    return {name: data.get(name, "…") for name in ("appeal", "player", "judge")}


def _appeal_answered(data: Data) -> str:
    text = gettext("answered appeal %(appeal)s by %(player)s: %(how)s")
    answer = ANSWERS.get(data["how"])
    return text % {**_appeal(data), "how": gettext(answer) if answer else "…"}


def _appeal_overruled(data: Data) -> str:
    text = gettext("overruled %(before)s's answer to appeal %(appeal)s by %(player)s: %(how)s")
    answer = ANSWERS.get(data["how"])
    return text % {**_appeal(data), "before": data.get("before", "…"), "how": gettext(answer) if answer else "…"}


def _appeal_passed_on(data: Data) -> str:
    if not data.get("before"):
        return gettext("passed appeal %(appeal)s on to %(judge)s") % _appeal(data)
    if data.get("why") == "independent":
        text = gettext("passed appeal %(appeal)s on from %(before)s to %(judge)s, who had no part in the decision")
    else:
        text = gettext("passed appeal %(appeal)s on to %(judge)s, because %(before)s didn't answer it")
    return text % {**_appeal(data), "before": data["before"]}


APPEALS: dict[str, tuple[Told, By]] = {
    "lodged": (gettext_noop("lodged appeal {appeal}; {judge} was picked at random to answer it"), By.PLAYER),
    "withdrawn": (gettext_noop("withdrew appeal {appeal}"), By.PLAYER),
    "answered": (_appeal_answered, By.JUDGE),
    "overruled": (_appeal_overruled, By.JUDGE),
    "passed_on": (_appeal_passed_on, By.JUDGE),
}


def _adjusted(text: str) -> Callable[[Data], str]:
    """R53: the change of a special case, with its army and number."""

    def words(data: Data) -> str:
        subject = gettext("the share of its side's losses") if data.get("kind") == "involved" else gettext("the losses")
        return gettext(text).format_map(Facts({**data, "what": subject}))

    return words


def _anew(data: Data) -> str:
    """R53, R58: the judge who agreed, where another one locked the score."""
    if data.get("of"):
        text = gettext("agreed to the new score that %(judge)s locked for %(battle)s")
        return text % {"judge": data["of"], "battle": battle_of(data)}
    return gettext("judged %(battle)s again") % {"battle": battle_of(data)}


def _anew_dropped(data: Data) -> str:
    if data.get("of"):
        text = gettext("dropped the new score that %(judge)s locked for %(battle)s")
        return text % {"judge": data["of"], "battle": battle_of(data)}
    return gettext("discarded a new score for %(battle)s") % {"battle": battle_of(data)}


AFTER_THE_DICE: dict[str, Any] = {"kind": Kind.BATTLES, "cites": "R53", "secret": NO_STEP}

GAMES: dict[str, Act] = {
    **{f"appeal.{name}": Act(told, Kind.RULINGS, by, cites="R57") for name, (told, by) in APPEALS.items()},
    **{f"appeal.hidden_{name}": Act(told, Kind.RULINGS, by, NOT_PUBLIC, "R57") for name, (told, by) in APPEALS.items()},
    "appeal.holds": Act(
        gettext_noop("let appeal {appeal} hold up the settlement of turn {turn}"), Kind.RULINGS, cites="R57"
    ),
    "round.opened": Act(_opened, Kind.TURNS, cites="3.1"),
    "round.changed": Act(_calendar, Kind.TURNS, cites="R5"),
    "round.won": Act(_won, Kind.TURNS, cites="1.7"),
    "turn.locked": Act(
        _locked,
        Kind.TURNS,
        secret=LOCKING,
        cites="3.1",
    ),
    "turn.early_lock": Act(_early_lock, Kind.TURNS, cites="R60"),
    "turn.lock_restored": Act(_lock_restored, Kind.TURNS, cites="R60"),
    "turn.settled": Act(_settled, Kind.TURNS, cites="R18"),
    "turn.stuck": Act(
        gettext_noop("couldn't continue turn {turn}, will keep trying, and has notified the judges"), Kind.TURNS
    ),
    "turn.retried": Act(gettext_noop("retried turn {turn}"), Kind.TURNS),
    "turn.unstuck": Act(gettext_noop("continued turn {turn}"), Kind.TURNS),
    "draft.published": Act(gettext_noop("published the moves of turn {turn}"), Kind.TURNS, cites="R18"),
    "book.saved": Act(
        gettext_noop("wrote version {number} of the formula book, for battles from turn {from_turn} on"),
        Kind.TURNS,
        secret=BOOK,
        cites="R38",
    ),
    "battle.extended": Act(_extended, Kind.BATTLES, cites="R5"),
    "battle.extension_overruled": Act(_extension_overruled, Kind.BATTLES, cites="1.3"),
    "battle.overdue": Act(
        gettext_noop("reminded the judges of battle {battle} of turn {turn}"), Kind.BATTLES, cites="4.1.1"
    ),
    "strat.accepted": Act(
        gettext_noop("accepted the late strat of {army} in battle {battle} of turn {turn}"), Kind.BATTLES, cites="R35"
    ),
    "strat.overruled": Act(
        gettext_noop("overruled {of}, who had accepted the late strat of {army} in battle {battle} of turn {turn}"),
        Kind.BATTLES,
        cites="1.3",
    ),
    "strat.declined": Act(
        gettext_noop("decided that the late strat of {army} does not count in battle {battle} of turn {turn}"),
        Kind.BATTLES,
        cites="R35",
    ),
    "strat.released": Act(
        gettext_noop("published the strat of {army} in battle {battle} of turn {turn}"), Kind.BATTLES, cites="R35"
    ),
    "battle.second_judge": Act(_second, Kind.BATTLES, cites="4.2.1", secret=NO_STEP),
    "battle.seat": Act(_seat, Kind.JUDGES, cites="R59", secret=NO_STEP),
    "battle.judge_decided": Act(_judge_decided, Kind.JUDGES, cites="R56"),
    "battle.opinion": Act(
        gettext_noop("locked one of two scores of battle {battle} of turn {turn}"),
        Kind.BATTLES,
        cites="4.2.1",
        secret=NO_STEP,
    ),
    "battle.scored": Act(
        gettext_noop("locked the score of battle {battle} of turn {turn}"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP
    ),
    "battle.score_overruled": Act(
        gettext_noop("overruled the score of battle {battle} of turn {turn}"), Kind.BATTLES, cites="1.3", secret=NO_STEP
    ),
    "battle.strat_judged": Act(
        gettext_noop("ruled on a strat in battle {battle} of turn {turn}"), Kind.BATTLES, cites="4.1.2", secret=NO_STRAT
    ),
    "battle.word": Act(
        gettext_noop("revealed the word of {army} for battle {battle} of turn {turn}"),
        Kind.BATTLES,
        By.PLAYER,
        cites="R38",
        secret=NO_STEP,
    ),
    "battle.beacon": Act(
        gettext_noop("entered the beacon's value for battle {battle} of turn {turn}"),
        Kind.BATTLES,
        cites="R38",
        secret=NO_STEP,
    ),
    "battle.odds_looked": Act(
        gettext_noop("previewed the odds in battle {battle} of turn {turn} before a score was locked"),
        Kind.BATTLES,
        cites="R54",
        secret=NO_STEP,
    ),
    "battle.rolled": Act(
        gettext_noop("rolled the dice of battle {battle} of turn {turn}"), Kind.BATTLES, cites="4.2.4", secret=NO_STEP
    ),
    "battle.adjusted": Act(
        _adjusted(gettext_noop("set {what} for {army} to {percent} percent in battle {battle} of turn {turn}")),
        **AFTER_THE_DICE,
    ),
    "battle.adjust_tried": Act(
        _adjusted(
            gettext_noop(
                "tried to set {what} for {army} to {percent} percent in battle {battle} of turn {turn} without a "
                "second judge"
            )
        ),
        **AFTER_THE_DICE,
    ),
    "battle.adjust_asked": Act(
        _adjusted(
            gettext_noop("asked to set {what} for {army} to {percent} percent in battle {battle} of turn {turn}")
        ),
        **AFTER_THE_DICE,
    ),
    "battle.adjust_agreed": Act(
        _adjusted(
            gettext_noop(
                "agreed with {of} to set {what} for {army} to {percent} percent in battle {battle} of turn {turn}"
            )
        ),
        **AFTER_THE_DICE,
    ),
    "battle.adjust_refused": Act(
        _adjusted(
            gettext_noop(
                "did not agree with {of} to set {what} for {army} to {percent} percent in battle {battle} of "
                "turn {turn}"
            )
        ),
        **AFTER_THE_DICE,
    ),
    "battle.adjust_withdrawn": Act(
        _adjusted(
            gettext_noop(
                "withdrew the request to set {what} for {army} to {percent} percent in battle {battle} of turn {turn}"
            )
        ),
        **AFTER_THE_DICE,
    ),
    "battle.published": Act(_published, Kind.BATTLES, cites="4.2.5"),
    "battle.anew_proposed": Act(
        gettext_noop("locked a new score of battle {battle} of turn {turn}"), Kind.BATTLES, cites="R58", secret=PROPOSAL
    ),
    "battle.anew_dropped": Act(_anew_dropped, Kind.BATTLES, cites="R58", secret=PROPOSAL),
    "battle.judged_anew": Act(_anew, Kind.BATTLES, cites="R58"),
    "battle.notes_shown": Act(
        gettext_noop("showed the notes on battle {battle} of turn {turn}"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP
    ),
    "battle.notes_hidden": Act(
        gettext_noop("hid the notes on battle {battle} of turn {turn}"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP
    ),
    "ruling.made": Act(gettext_noop("made ruling {ruling} on turn {turn}"), Kind.RULINGS, cites="3.3.3", secret=DRAFT),
    "ruling.withdrawn": Act(
        gettext_noop("withdrew ruling {ruling} on turn {turn}"), Kind.RULINGS, cites="3.3.3", secret=DRAFT
    ),
    "ruling.overruled": Act(
        gettext_noop("overruled {of}'s ruling {ruling} on turn {turn}"), Kind.RULINGS, cites="1.3", secret=DRAFT
    ),
    "correction.proposed": Act(_proposed, Kind.RULINGS, cites="3.3.3", secret=PROPOSAL),
    "correction.dropped": Act(
        gettext_noop("dropped a correction of turn {turn}"), Kind.RULINGS, cites="3.3.3", secret=PROPOSAL
    ),
    "correction.applied": Act(_correction, Kind.RULINGS, cites="3.3.3"),
    "penalty.handed_down": Act(
        gettext_noop("imposed penalty {penalty} of turn {turn} on {player}"), Kind.RULINGS, cites="5.4.1"
    ),
    "penalty.lifted": Act(
        gettext_noop("lifted penalty {penalty} of turn {turn} on {player}"), Kind.RULINGS, cites="5.4.1"
    ),
    "mercenaries.ordered": Act(
        gettext_noop("decided on a mercenary in turn {turn}"), Kind.MERCENARIES, cites="R48", secret=NO_ORDER
    ),
    "mercenaries.window_ended": Act(
        gettext_noop("chose to change nothing after the lock of turn {turn}"),
        Kind.MERCENARIES,
        cites="6.3.2",
        secret=NO_ORDER,
    ),
    "mercenaries.window_kept": Act(
        gettext_noop("kept the window open after the lock of turn {turn}"),
        Kind.MERCENARIES,
        cites="6.3.2",
        secret=NO_ORDER,
    ),
    "mercenaries.strat": Act(
        gettext_noop("sent a strat for {army} in battle {battle} of turn {turn}"), Kind.MERCENARIES, cites="R49"
    ),
}
"""Turns, battles, rulings, mercenaries. A strat that was sent is public at once, by its receipt (R35)."""
