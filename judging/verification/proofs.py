"""R38: the public data with which a stranger can recompute a battle; the same for everybody."""

from collections.abc import Iterator

from django.utils import translation

from judging.battles.models import Battle, Strat
from judging.battles.outcome_schema import StoredMix, is_damaged, mixed_in
from judging.battles.resolution import published_strats, rules_battle
from judging.common.positions import position_of
from judging.common.stored_messages import Words
from judging.formula_books.services import version_for
from judging.verification.checks import Pending
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.battle.battle import told_outcome
from wargame.rules.battle.told_rolls import told_rolls
from wargame.rules.battle.weather import told_weather
from wargame.rules.core.codec import Json, army_to_json
from wargame.rules.core.position import Army

FORMAT, MIXED = "wargame-proof-1", "wargame-proof-2"
"""The name of the file's format: change it with the format. The second has words or a beacon."""

OF_AN_ARMY = ("name", "side", "rank", "faction", "mercenary_tier", "colors", "captivity", "troops")
OF_A_STRAT = ("salt", "text", "risk", "runs", "leaves", "leaves_to")
LEAVING = ("leaves", "leaves_to")
"""4.4: the winners' next squares are their secret until the turn is settled."""


def proof_of(round_: Round, battle_id: int) -> Json | None:
    """R38: a battle's inputs, commitment, seed, receipts and rolls; null for what is still secret, and `secret` says
    why. None if the round has no such battle, or it was cancelled."""
    rows = Battle.objects.filter(pk=battle_id, turn__round=round_).exclude(state=Battle.State.CANCELLED)
    battle = rows.select_related("result").first()
    if battle is None:
        return None
    battle.turn = Turn.objects.defer("events").get(pk=battle.turn_id)
    battle.turn.round = round_
    with translation.override("en-gb"):  # whoever asks gets the same file
        proof = {**_battle(battle), **_result(battle)}
        return {**proof, "book": _book(battle), "secret": [*map(_pending_json, _secret(battle))]}


def _battle(battle: Battle) -> Json:
    """R25, 4.1.2.5: the data of its announcement."""
    fought, position = rules_battle(battle), position_of(battle.turn)
    return {
        "format": FORMAT,
        "round": battle.turn.round.dice_name,
        "turn": battle.turn.number,
        "battle": battle.number,
        "at": battle.at,
        "terrain": battle.terrain,
        "weather": told_weather(battle.weather),
        "defends": fought.defends,
        "sides": [[_army(position.by_name[name]) for name in side] for side in fought.sides],
        "position_hash": battle.turn.position_hash,
        "commitment": battle.commitment,
    }


def _result(battle: Battle) -> Json:
    """4.2.4, R38: the data published with its result."""
    if not hasattr(battle, "result") or is_damaged(battle.result.outcome):
        return {"seed": None, "strats": [], "mixed": [], "rolls": [], "outcome": None}
    outcome = told_outcome(battle.result.outcome, rules_battle(battle).sides[battle.result.winner])
    hidden = () if battle.turn.state == TurnState.SETTLED else LEAVING
    return {
        "seed": battle.seed,
        "strats": list(_strats(battle, outcome["strats"])),
        "mixed": sorted(mixed_in(battle.result.outcome).values()),
        "rolls": [roll._asdict() for roll in told_rolls(battle.result.outcome)],
        "outcome": {key: value for key, value in outcome.items() if key not in hidden},
        **_mixed(outcome.get("mix")),
    }


def _mixed(mix: StoredMix | None) -> Json:
    """R38: the other values mixed into the dice; empty, in the earlier format, without any."""
    if mix is None:
        return {}
    return {"format": MIXED, "words": mix["words"], **({"beacon": mix["beacon"]} if mix["beacon"] else {})}


def _strats(battle: Battle, receipts: dict[str, str]) -> Iterator[Json]:
    """R35: the strats that counted, by their receipts; with their texts once the round is over."""
    strats = published_strats(battle, receipts) if _is_over(battle) else {}
    for name, sha256 in sorted(receipts.items()):
        yield {"army": name, "sha256": sha256, **_opened(strats.get(name))}


def _opened(strat: Strat | None) -> Json:
    sealed = {"word_sha256": strat.word_sha256} if strat and strat.word_sha256 else {}
    return {name: getattr(strat, name) if strat else None for name in OF_A_STRAT} | sealed


def _book(battle: Battle) -> Json | None:
    version = version_for(battle.turn.round, battle.turn.number)
    if version is None:
        return None
    is_over = _is_over(battle)
    return {
        "version": version.number,
        "from_turn": version.from_turn,
        "commitment": version.commitment,
        "salt": version.salt if is_over else None,
        "formulas": version.formulas if is_over else None,
    }


def _secret(battle: Battle) -> Iterator[Pending]:
    if not hasattr(battle, "result") or is_damaged(battle.result.outcome):
        yield Pending(Words("seed"), Words("Published with the battle's result."))
    elif battle.turn.state != TurnState.SETTLED:
        yield Pending(
            Words("outcome.leaves"),
            Words("Who leaves the square, and where they go, is published when the turn is settled."),
        )
    if not _is_over(battle):
        yield Pending(
            Words("strats.text"), Words("The strats' texts and salts are published when the round is finished.")
        )
        yield Pending(
            Words("book.formulas"), Words("The formula book and its salt are published when the round is finished.")
        )


def _army(army: Army) -> Json:
    as_json: Json = army_to_json(army)
    return {name: as_json[name] for name in OF_AN_ARMY if name in as_json}


def _pending_json(pending: Pending) -> Json:
    return {"what": pending.what, "why": pending.why}


def _is_over(battle: Battle) -> bool:
    return battle.turn.round.state == RoundState.OVER
