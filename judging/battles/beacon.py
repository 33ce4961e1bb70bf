"""R38: The value of a public beacon that is mixed into a battle's dice: a job fetches it, or a judge enters it.

It is fetched outside of every lock, and stored once; the second to come changes nothing.
"""

import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.battles.checks import battle_to_judge, check_judge, held_battle, record_act
from judging.battles.models import Battle, BeaconValue, Score
from judging.battles.seed_contributions import Awaited, awaited
from judging.common import locking
from judging.common.errors import Refused
from wargame.models import Judge
from wargame.models.choices import DiceMix, RoundState
from wargame.rules.battle.mixing import BEACON, beacon_due, beacon_number, is_signature, randomness

logger = logging.getLogger(__name__)

SOURCES = ("https://api.drand.sh", "https://drand.cloudflare.com")
LONGEST_WAIT = timedelta(minutes=30)
"""The longest wait between two tries: it doubles each time, and ends with the time for which the dice wait."""

Fetch = Callable[[str], str]
"""Gets the contents of an address. Raises OSError."""


def are_awaited(now: datetime) -> bool:
    """R38: Whether the dice of a battle wait for a value that the beacon has published."""
    return any(_awaited(battle, now) for battle in _waiting())


def fetch_values(now: datetime, fetch: Fetch) -> int:
    """R38: Fetch the beacon values that the dice of battles wait for; returns how many came."""
    return sum(_fetch_one(battle, now, fetch) for battle in _waiting())


def _waiting() -> QuerySet[Battle]:
    rows = Battle.objects.filter(
        state=Battle.State.SCORED, dice_mix=DiceMix.BEACON, beacon=None, turn__round__state=RoundState.RUNNING
    )
    return rows.select_related("turn__round", "score").defer("turn__position", "turn__events")


def _awaited(battle: Battle, now: datetime) -> Awaited | None:
    waits = awaited(battle, {}, battle.score, now)
    return waits if waits and waits.due is not None and now >= waits.due else None


def _fetch_one(battle: Battle, now: datetime, fetch: Fetch) -> bool:
    waits = _awaited(battle, now)
    if waits is None or not _is_turn(battle):
        return False
    for source in SOURCES:
        try:
            data = json.loads(fetch(f"{source}/{BEACON}/public/{waits.number}"))
            signature, number = str(data["signature"]).lower(), int(data["round"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("%s returned no value %s for battle %s: %s", source, waits.number, battle.pk, error)
            continue
        if number == waits.number and is_signature(signature):
            store_fetched(battle=battle, signature=signature, now=now)
            return True
        logger.warning("%s returned something other than value %s for battle %s", source, waits.number, battle.pk)
    return False


def _is_turn(battle: Battle) -> bool:
    """Whether it is time for another try: one at a time, each after twice the previous wait."""
    tried = cache.get(f"beacon-tries:{battle.pk}", 0)
    wait = min(2**tried * 30, int(LONGEST_WAIT.total_seconds()))
    if not cache.add(f"beacon-waits:{battle.pk}", True, wait):
        return False
    cache.set(f"beacon-tries:{battle.pk}", tried + 1, 86_400)
    return True


@locking.writes
def store_fetched(*, battle: Battle, signature: str, now: datetime) -> BeaconValue | None:
    """R38: Store the fetched value; None if the dice no longer wait for it."""
    battle = held_battle(battle.pk)
    score = Score.objects.filter(battle=battle).first()
    if score is None or battle.state != Battle.State.SCORED or awaited(battle, {}, score, now) is None:
        return None
    number = beacon_number(score.locked_at)
    return BeaconValue.objects.create(battle=battle, number=number, signature=signature, got_at=now)


@locking.writes
def enter_value(*, battle: Battle, judge: Judge, signature: str, value: str, now: datetime) -> BeaconValue:
    """R38: A judge enters the beacon's value if the job can't reach it: the signature, and the value, which must be its
    hash. The same again changes nothing.

    Raises Refused for anybody but a battle judge of the round (1.3), if the dice do not wait for it, if it is not
    published yet, if the value is not the signature's, and if another one is stored.
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    signature, value = signature.strip().lower(), value.strip().lower()
    if not is_signature(signature):
        raise Refused(gettext("The signature must have 96 hexadecimal digits."), "R38", "signature")
    if randomness(signature) != value:
        raise Refused(
            gettext("This value doesn't match the signature. It must be the signature's SHA-256."), "R38", "value"
        )
    before = BeaconValue.objects.filter(battle=battle).first()
    if before is not None and before.signature == signature:
        return before
    score = Score.objects.filter(battle=battle).first()
    waits = awaited(battle, counting, score, now) if battle.dice_mix == DiceMix.BEACON else None
    if score is None or waits is None or battle.state != Battle.State.SCORED:
        raise Refused(gettext("The dice of this battle don't wait for the beacon."), "R38", "signature")
    if now < beacon_due(score.locked_at):
        raise Refused(gettext("The beacon hasn't published this value yet."), "R38", "signature")
    number = beacon_number(score.locked_at)
    stored = BeaconValue.objects.create(battle=battle, number=number, signature=signature, judge=judge, got_at=now)
    record_act(battle, judge, "battle.beacon", now)
    return stored
