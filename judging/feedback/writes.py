"""4.2: a player says how his battle was judged."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext

from judging.battles.models import Battle
from judging.battles.strats.deadlines import last_deadline
from judging.feedback.models import BattleFeedback
from judging.game import locking
from judging.game.errors import Refused
from judging.game.texts import check_storable, utc
from wargame.models import Control, Player

WINDOW = timedelta(days=7)
LONGEST = 300
QUESTIONS = ("fair", "clear", "in_time")


@locking.writes
def give_feedback(
    *, battle: Battle, player: Player | None, fair: int, clear: int, in_time: int, sentence: str, now: datetime
) -> BattleFeedback:
    """4.2: stores what a player says of the judging of his battle; what he says later in the same span replaces it.

    Refused before the result and WINDOW after it, for numbers that are not 1 to 5, for a sentence that is too long, and
    for somebody who controlled no army of the battle at its deadline.
    """
    if refused := why_not(battle, player, now):
        raise refused
    for name, number in zip(QUESTIONS, (fair, clear, in_time), strict=True):
        if not 1 <= number <= 5:
            raise Refused(gettext("Answer each question with a number from 1 (no) to 5 (yes)."), "4.2", name)
    sentence = " ".join(sentence.split())
    check_storable(sentence, what="sentence", cites="4.2", field="sentence")
    if len(sentence) > LONGEST:
        raise Refused(
            gettext("The comment has %(number)s characters; the limit is %(most)s.")
            % {"number": len(sentence), "most": LONGEST},
            "4.2",
            "sentence",
        )
    said = {"fair": fair, "clear": clear, "in_time": in_time, "sentence": sentence, "given_at": now}
    row, _ = BattleFeedback.objects.update_or_create(battle=battle, player=player, defaults=said)
    return row


def why_not(battle: Battle, player: Player | None, now: datetime) -> Refused | None:
    """4.2: why the player has nothing to say of how the battle was judged, or not any more; None if he has."""
    if player is None or not _fought(battle, player):
        return Refused(
            gettext("You can only rate how this battle was judged if you controlled an army in it at its deadline."),
            "4.2",
        )
    result = getattr(battle, "result", None)
    if result is None:
        return Refused(gettext("This battle has no result yet."), "4.2.5")
    if now >= (until := result.published_at + WINDOW):
        return Refused(gettext("You could only do that until %(until)s.") % {"until": utc(until)}, "4.2")
    return None


def _fought(battle: Battle, player: Player) -> bool:
    moment = last_deadline(battle)
    held = Control.objects.filter(army__battle_entries__battle=battle, player=player, since__lte=moment)
    return held.filter(until__isnull=True).exists() or held.filter(until__gt=moment).exists()
