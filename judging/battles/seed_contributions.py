"""R38: The mix for a battle's dice after its score is locked, and whether they still wait for it.

Words come from the players, sealed with their strats; a beacon's value comes from a third party. Nothing is rolled
here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, ngettext

from judging.battles.models import Battle, BeaconValue, Score, Strat
from judging.battles.outcome_schema import StoredMix, StoredWord
from judging.common.errors import Refused
from judging.common.texts import utc
from wargame.models.choices import DiceMix
from wargame.rules.battle import mixing
from wargame.rules.core.wording import listed

LONGEST_PART = 8
"""The dice wait for at most this part of a turn (1/8), however long the round allows."""

Strats = Mapping[str, Strat]


@dataclass(frozen=True)
class Awaited:
    """R38: What the dice wait for, and until when at most: armies whose words are missing, or the beacon's `number`."""

    until: datetime
    armies: tuple[str, ...] = ()
    number: int = 0
    due: datetime | None = None

    @property
    def sentence(self) -> str:
        """The mix as a sentence with its full stop."""
        fields = {"until": utc(self.until), "armies": listed(self.armies), "number": self.number}
        if self.armies:
            text = ngettext(
                "The dice are waiting for the word of %(armies)s until %(until)s. If it doesn't arrive, it "
                "counts as empty.",
                "The dice are waiting for the words of %(armies)s until %(until)s. Words that don't arrive count "
                "as empty.",
                len(self.armies),
            )
            return text % fields
        if self.due:
            text = gettext(
                "The dice are waiting for value %(number)s of the public beacon, due at %(due)s. They wait until "
                "%(until)s at the latest."
            )
            return text % {**fields, "due": utc(self.due)}
        text = gettext("The dice are waiting for value %(number)s of the public beacon, until %(until)s at the latest.")
        return text % fields


def awaited(battle: Battle, counting: Strats, score: Score | None, now: datetime) -> Awaited | None:
    """R38: What the dice of a scored battle wait for; None if nothing is missing, or its time is over. `counting`
    are its strats that count."""
    if score is None or now >= (until := waits_until(battle, score)):
        return None
    if battle.dice_mix == DiceMix.WORDS:
        missing = sorted(name for name, strat in counting.items() if strat.word_sha256 and not strat.word)
        return Awaited(until, tuple(missing)) if missing else None
    if battle.dice_mix == DiceMix.BEACON and not BeaconValue.objects.filter(battle=battle).exists():
        locked_at = score.locked_at
        return Awaited(until, (), mixing.beacon_number(locked_at), mixing.beacon_due(locked_at))
    return None


def rolls_by_itself(battle: Battle, counting: Strats) -> bool:
    """R38: Whether the service rolls the dice of a scored battle as soon as nothing is missing: words were sealed
    with its strats that count, or it takes a beacon's value."""
    if battle.dice_mix == DiceMix.WORDS:
        return any(strat.word_sha256 for strat in counting.values())
    return battle.dice_mix == DiceMix.BEACON


def waits_until(battle: Battle, score: Score) -> datetime:
    """R38: Until when the dice wait at most, so that nobody can delay a turn by keeping their word back."""
    turn = battle.turn
    return score.locked_at + min(battle.mix_within, (turn.lock_at - turn.opened_at) / LONGEST_PART)


def check_mixed(battle: Battle, counting: Strats, score: Score, now: datetime) -> None:
    """R38: Raise Refused while something may still be mixed into the dice."""
    if waits := awaited(battle, counting, score, now):
        raise Refused(waits.sentence, "R38")


def check_unmixed(battle: Battle, score: Score | None, now: datetime) -> None:
    """R38: Raise Refused once somebody could know the dice: the other factors of the battle must not change any
    more."""
    if Strat.objects.filter(entry__battle=battle).exclude(word="").exists():
        raise Refused(
            gettext("A word for these dice has already been revealed, so you can't change anything the dice decide."),
            "R38",
        )
    is_given = score is not None and now >= mixing.beacon_due(score.locked_at)
    if battle.dice_mix == DiceMix.BEACON and is_given:
        raise Refused(
            gettext("The beacon has published its value for these dice, so you can't change anything the dice decide."),
            "R38",
        )


def mix_of(battle: Battle, strats: Strats) -> StoredMix | None:
    """R38: The mix for the dice of a battle, with the strats that count by army; None if there is none: then only
    the seed and the strats' hashes determine them."""
    words: list[StoredWord] = []
    if battle.dice_mix == DiceMix.WORDS:
        sealed = [(name, strat) for name, strat in sorted(strats.items()) if strat.word_sha256]
        words = [{"army": name, "sha256": strat.word_sha256, "word": strat.word} for name, strat in sealed]
    if battle.dice_mix != DiceMix.BEACON:
        return {"words": words, "beacon": {}} if words else None
    value = BeaconValue.objects.filter(battle=battle).first()
    if value is None:
        return {"words": [], "beacon": {"chain": mixing.BEACON, "number": "", "signature": "", "randomness": ""}}
    beacon = {
        "chain": mixing.BEACON,
        "number": str(value.number),
        "signature": value.signature,
        "randomness": mixing.randomness(value.signature),
    }
    return {"words": [], "beacon": beacon}


def ingredients(mix: StoredMix | None) -> list[str]:
    """R38: The hashes of the mix that go into the dice: of each word that was handed over, and the beacon's value."""
    if mix is None:
        return []
    beacon = mix["beacon"].get("randomness", "")
    return [mixing.ingredient(each["word"]) for each in mix["words"] if each["word"]] + ([beacon] if beacon else [])


def told_mix(mix: StoredMix | None) -> tuple[str, ...]:
    """R38: The mix, in sentences; the words themselves are in the proof."""
    if mix is None:
        return ()
    armies = [each["army"] for each in mix["words"] if each["word"]]
    missing = [each["army"] for each in mix["words"] if not each["word"]]
    sentences = []
    if armies:
        sentence = ngettext(
            "Mixed into the dice: the word of %(armies)s, revealed after the score was locked.",
            "Mixed into the dice: the words of %(armies)s, revealed after the score was locked.",
            len(armies),
        )
        sentences.append(sentence % {"armies": listed(armies)})
    if missing:
        sentence = ngettext(
            "The word of %(armies)s wasn't revealed in time, so it counted as empty.",
            "The words of %(armies)s weren't revealed in time, so they counted as empty.",
            len(missing),
        )
        sentences.append(sentence % {"armies": listed(missing)})
    if mix["beacon"]:
        sentence = gettext("Nothing was mixed into the dice, because the beacon's value didn't arrive.")
        if mix["beacon"]["number"]:
            sentence = gettext("Mixed into the dice: value %(number)s of the public beacon.")
        sentences.append(sentence % {"number": mix["beacon"]["number"]})
    return tuple(sentences)
