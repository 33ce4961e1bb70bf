"""R38: Words that were sealed with strats are handed over, once the score is locked and before the dice are rolled.

Until then the service has only their seals. A word that was handed over is public with the result.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext

from judging.battles.checks import battle_to_judge
from judging.battles.models import Battle, Score, Strat
from judging.battles.seed_contributions import waits_until
from judging.battles.shapes import BattleView
from judging.battles.strats.queries import counting_strats
from judging.common import locking
from judging.common.control import controllers_of
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import check_storable, utc
from judging.common.viewer import Viewer
from wargame.models import Player
from wargame.models.choices import DiceMix
from wargame.rules.battle.mixing import LONGEST_WORD, SHORTEST_WORD, seal_of

RULE = "R38"


@dataclass(frozen=True)
class DueWord:
    """R38: A word that the viewer may hand over now, by its army and seal, and until when."""

    battle: int
    army: str
    seal: str
    until: datetime


@locking.writes
def hand_over_word(*, battle: Battle, army: str, player: Player | None, word: str, now: datetime) -> Strat:
    """R38: Hand over the word that was sealed with the counting strat of an army. The same again changes nothing.

    Raises Refused before the score is locked, once the dice are rolled or their time is over, for another word than the
    sealed one, and for anybody who neither sent that strat nor controls the army (5.4.1).
    """
    word = word.strip()
    check_storable(word, what="word", cites=RULE, field="word")
    battle, counting = battle_to_judge(battle.pk)
    strat = counting.get(army)
    if strat is None or not strat.word_sha256:
        raise Refused(
            gettext("The strat that counts for %(army)s has no sealed word.") % {"army": army[:40]}, RULE, "army"
        )
    if player is None or not (strat.player_id == player.pk or player in controllers_of(strat.entry.army, now)):
        raise Refused(
            gettext("Only a player who controls %(army)s or sent its strat can reveal the word.") % {"army": army},
            "5.4.1",
            "army",
        )
    if not SHORTEST_WORD <= len(word) <= LONGEST_WORD:
        message = gettext(
            "A word must have %(shortest_word)s to %(longest_word)s characters. A shorter one could be guessed "
            "from its seal."
        ) % {"shortest_word": SHORTEST_WORD, "longest_word": LONGEST_WORD}
        raise Refused(message, RULE, "word")
    if seal_of(word) != strat.word_sha256:
        raise Refused(gettext("This is not the word sealed with the strat. Every character must match."), RULE, "word")
    if strat.word:
        return strat
    _check_time(battle, now)
    strat.word, strat.word_at = word, now
    strat.save(update_fields=["word", "word_at"])
    data = {"turn": battle.turn.number, "battle": battle.number, "army": army}
    record(battle.turn.round, player.user, "battle.word", data, now)
    return strat


def _check_time(battle: Battle, now: datetime) -> None:
    score = Score.objects.filter(battle=battle).first()
    if score is None:
        raise Refused(
            gettext("Keep your word secret until the score is locked. You'll be notified then."), RULE, "word"
        )
    if battle.state != Battle.State.SCORED:
        raise Refused(gettext("The dice are already rolled; the word counted as empty."), RULE, "word")
    if now >= (until := waits_until(battle, score)):
        raise Refused(
            gettext("The time for this word ran out at %(utc)s, so it counts as empty.") % {"utc": utc(until)},
            RULE,
            "word",
        )


def due_words(battle: Battle, now: datetime) -> dict[str, Strat]:
    """R38: By army, the strats of a battle whose words may be handed over now, and are still missing."""
    if battle.dice_mix != DiceMix.WORDS or battle.state != Battle.State.SCORED:
        return {}
    try:
        if now >= waits_until(battle, battle.score):
            return {}
    except ObjectDoesNotExist:
        return {}
    counting = counting_strats(battle)
    return {name: strat for name, strat in counting.items() if strat.word_sha256 and not strat.word}


def own_due_words(view: BattleView, viewer: Viewer, now: datetime) -> tuple[DueWord, ...]:
    """R38: The words of a battle that the viewer may hand over now."""
    return all_due_words([view], viewer, now)


def all_due_words(views: Iterable[BattleView], viewer: Viewer, now: datetime) -> tuple[DueWord, ...]:
    """R38: The words of these battles that the viewer may hand over now. No query if no word is sealed, or no score
    locked."""
    player = viewer.player
    sealed = {v.id for v in views if v.awaits_words and any(r.word_sha256 for f in v.fighters for r in f.receipts)}
    if player is None or not sealed:
        return ()
    rows = Battle.objects.filter(pk__in=sealed, dice_mix=DiceMix.WORDS, state=Battle.State.SCORED)
    rows = rows.select_related("turn__round", "score").defer("turn__position", "turn__events").order_by("number")
    return tuple(
        DueWord(battle.pk, name, strat.word_sha256, waits_until(battle, battle.score))
        for battle in rows
        for name, strat in sorted(due_words(battle, now).items())
        if strat.player_id == player.pk or player in controllers_of(strat.entry.army, now)
    )
