"""3.1: what the service posts, in sentences: a notice is stored as its kind and data, and told when it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from judging.game.texts import utc
from wargame.models.choices import Press
from wargame.rules.battle.weather import weather_from_json
from wargame.rules.command.faults import CommandFault
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.codec import battle_from_json
from wargame.rules.core.faults import finding_from_json
from wargame.rules.core.position import Battle
from wargame.rules.core.rulings import ruling_of
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.turn import DIE, draw_name, losses_of
from wargame.rules.core.wording import headline, listed, listed_with
from wargame.rules.settling.events import loss_words

Data = Mapping[str, Any]
NOBODY = "nobody"


def words_of(kind: str, data: Data) -> str:
    """A notice as plain text. What a file of another service says may be anything; then it is not told."""
    if "told" in data:
        return str(data["told"])
    try:
        return _WORDS[kind](data)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        return "Something was posted here that can't be read any more."


def battle_words(battle: Battle) -> str:
    """R25: `Ana attacks Gaz on 3F`."""
    if battle.defends is None:
        return f"{listed(battle.sides[0])} and {listed(battle.sides[1])} meet on {battle.at}"
    attackers, defenders = battle.sides[1 - battle.defends], battle.sides[battle.defends]
    return f"{listed_with(attackers, 'attacks', 'attack')} {listed(defenders)} on {battle.at}"


def penalty_words(data: Data) -> str:
    """5.4.1: what a penalty does, as a part of a sentence; of one that is not rolled yet, the least and the most.

    `data` has the name of its `army`, the loss that was `stated`, or the `severity` (0: none) and the `roll` (0: none
    yet) from which it follows, whether it counts `after_battle`, and until when a strat was `extended_to`.
    """
    if not data["takes_troops"]:
        return f"a reprimand about {data['army']}" if data["army"] else "a reprimand"
    when = ", from what its battle left" if data["after_battle"] else ""
    more = f"; its strat is due {_date(data['extended_to'])}" if data["extended_to"] else ""
    return f"{data['army']} loses {_loss_words(data)}{when}{more}"


def _loss_words(data: Data) -> str:
    severity, roll = data["severity"], data["roll"]
    if not severity:
        return loss_words(data["stated"])
    if not roll:
        least, most = (listed([f"{lost:,}" for lost in losses_of(severity, each)]) for each in (1, DIE))
        return f"at least {least}, at most {most} of slots 1 to 4 (severity {severity} times a die)"
    drawn = f"(severity {severity} times {roll}, drawn as {draw_name(data['penalty'])})"
    return f"{loss_words(losses_of(severity, roll))} {drawn}"


def _update(data: Data) -> str:
    told = f"Turn {data['turn']} is settled: {_count(data['moved'], 'army', 'armies')} moved, "
    told += f"{_count(data['refused'], 'order was', 'orders were')} refused, "
    told += f"{_count(data['engaged'], 'new battle', 'new battles')}."
    head = f"\nHead of the round's chain: {data['head']}" if data.get("head") else ""
    return f"{told}\n{_victory(data) if 'won_by' in data else _unlock(data['opened'])}{head}"


def _unlock(opened: Data) -> str:
    strats, orders = _utc(opened["deadline"]), _utc(opened["lock_at"])
    return f"Turn {opened['turn']} is open: strats are due by {strats}, orders by {orders}."


def _victory(data: Data) -> str:
    winners = " and ".join(Side(side).title for side in data["won_by"])
    return f"By the rules {winners} won this round; the battle judge must confirm it. No new turn is open."


def _round_over(data: Data) -> str:
    title = Side(data["winner"]).title
    confirmed = f"{title[0].upper()}{title[1:]} won this round; {data['judge']} has confirmed it."
    return f"{confirmed} The formula book is public now."


def _early_lock(data: Data) -> str:
    """R60: what a judge announces at least an hour before the lock."""
    told = f"All are done with turn {data['turn']}, so it locks at {_utc(data['lock_at'])} and not at"
    told += f" {_utc(data['before'])} ({data['by']})."
    if data["deadline"] != data["deadline_before"]:
        told += f" Strats are due by {_utc(data['deadline'])}."
    return f"{told} If one of them is not done after all, it locks when it was to lock before."


def _lock_restored(data: Data) -> str:
    why = f"{data['by']} took the early lock back" if data["by"] else "Not all are done after all"
    strats, orders = _utc(data["deadline"]), _utc(data["lock_at"])
    return f"{why}: turn {data['turn']} locks at {orders} again, strats are due by {strats}."


def _press(data: Data) -> str:
    """1.6: who may write private messages from now on."""
    now, before = Press(data["press"]).label, Press(data["before"]).label
    return f"Private messages may be written by {now} from now on, and not by {before} any more."


def _battles(data: Data) -> str:
    head = f"Battles of turn {data['turn']}. Strats are due by {_utc(data['deadline'])}."
    return "\n".join([head, *(_announced(number, each) for number, each in enumerate(data["announced"], 1))])


def _announced(number: int, each: Data) -> str:
    battle = battle_from_json(each["battle"])
    where = f"{battle.at}, {each['terrain']}" + (f", {each['place']}" if each["place"] else "")
    skies = weather_from_json(each["weather"]).sentence
    return f"{number}. {headline(*battle.sides, battle.defends)} ({where}). {skies}"


def _correction(data: Data) -> str:
    if "battles" in data:
        return _corrected_battles(data)
    armies = ", ".join(data["armies"])
    otherwise = f"Armies that are otherwise now: {armies}." if armies else "Every army stays as it was."
    reasons = [f"Ruling {each['number']} ({each['cites']}): {each['reason']}" for each in data["rulings"]]
    return "\n".join([f"Turn {data['turn']} is corrected. {otherwise}", *reasons])


def _corrected_battles(data: Data) -> str:
    words = {"gone": "Cancelled", "new": "New", "changed": "Changed"}
    battles = data["battles"]
    lines = [f"{words[key]}: {battle_words(battle_from_json(each))}." for key in words for each in battles[key]]
    if battles["new"]:
        lines.append(f"Strats for the new ones are due by {_utc(data['deadline'])}.")
    return "\n".join([f"Battles of turn {data['following']} after a correction.", *lines])


def _result(data: Data) -> str:
    winners, losers = data["sides"][data["winner"]], data["sides"][1 - data["winner"]]
    verb = "beat" if len(winners) > 1 else "beats"
    said = [f"{data['at']}: {' and '.join(winners)} {verb} {' and '.join(losers)}."]
    for each in data["taken"]:
        said.append(f"{each['army']} {'kills' if each['risk'] == 'kill' else 'captures'} {each['target']}.")
    return " ".join(said)


def _judged_anew(data: Data) -> str:
    """R58: what of a published result is otherwise now."""
    before, now = listed(data["before"]), listed(data["now"])
    won = f"{now} won still" if before == now else f"{now} won, and not {before}"
    return f"{data['at']} is judged anew by {data['by']}: {won} ({data['cites']}). {data['reason']}"


def _held(data: Data) -> str:
    """R57: an appeal holds up a settlement, or no more."""
    if not data["until"]:
        return f"No appeal holds up the settlement of turn {data['turn']} any more."
    return (
        f"Appeal {data['appeal']} holds up the settlement of turn {data['turn']}, until {_utc(data['until'])} at most."
    )


def _penalty(data: Data) -> str:
    named = f"Penalty {data['penalty']} for {data['player']}"
    if data["is_lifted"]:
        return f"{named} is lifted. {data['reason']}"
    told = f"{named}: {penalty_words(data)} ({data['cites']}). {data['reason']}"
    if not data["left"]:
        return told
    left = listed([f"{number:,}" for number in data["left"]])
    return f"{told}\n{data['army']} has {left} troops of slots 1 to 4 left."


def _ruling(data: Data) -> str:
    named, reason = f"Ruling {data['ruling']}", data["reason"]
    if "withdrawn" in data:
        by = data["withdrawn"]["by"]
        return f"{named} is {f'overruled by {by}' if by else 'withdrawn'}. {reason}"
    what = ruling_of(data["kind"], (0, data["cites"], reason, data["army"]), data["square"], data["data"]).what.text
    return f"{named}: {what[0].upper()}{what[1:]} ({data['cites']}). {reason}"


def _book(data: Data) -> str:
    return (
        f"Formula book, version {data['number']}, for the battles of turn {data['from_turn']} and later. "
        f"The commitment to it: {data['commitment']}. It is published when the round is over."
    )


def _setup(data: Data) -> str:
    return (
        f"What was drawn for the set-up (proxies, squares, mercenaries) came from the seed {data['seed']}, "
        f"which was committed to as {data['commitment']}."
    )


def _control(data: Data) -> str:
    changes = "; ".join(map(change_words, data["changes"]))
    return f"Control list of {_side(data)}: {changes} ({_control_by(data)})."


def change_words(change: Data | str) -> str:
    """5.2.1: `Sai Rei: Ana to Ben and Cem`; of one that was refused `Sai Rei to Ben`. The log of a round that was
    played on an older service has it in these words."""
    if isinstance(change, str):
        return change
    before = f": {_joined(change['before'])}" if "before" in change else ""
    return f"{change['army']}{before} to {_joined(change['to'])}"


def _control_by(data: Data) -> str:
    if data["how"] == "asked":
        return f"asked for by {data['by']}"
    granted = "an exception, granted by" if data["how"] == "granted" else "by"
    return f"{granted} {data['by']}: {data['reason']}"


def _exception_over(data: Data) -> str:
    told = " ".join(finding_from_json(CommandFault, each).sentence for each in data["breaches"])
    return f"The exception for {_side(data)} ran out with turn {data['turn']}, and the list is not legal: {told}"


def _contingency(data: Data) -> str:
    told = "; ".join(f"{to or NOBODY} for {name}" for name, to in data["changed"])
    return f"Contingencies of {_side(data)}: {told}."


def _power(data: Data) -> str:
    how = f"by {data['by']}" + (f": {data['reason']}" if data["reason"] else "")
    holders = _joined(data["holders"])
    return f"Changes of the control list of {_side(data)} are asked for by {holders} from now on ({how})."


def _freed(data: Data) -> str:
    rank = rank_title(Rank(data["after"]) if data["after"] else None, Side(data["side"]))
    told = f"{data['player']} is {rank} now, so that he controls {' and '.join(data['freed'])} no more."
    return f"{told} A new army must be found for him." if data["needs_army"] else told


def _left(data: Data) -> str:
    free = f" Nobody controls {' and '.join(data['armies'])} now." if data["armies"] else ""
    if "of" in data:
        return f"{data['by']} overruled {data['of']}: {data['player']} is not of {_side(data)}.{free}"
    return f"{data['player']} has left {_side(data)}.{free}"


def _side(data: Data) -> str:
    return Side(data["side"]).title


def _joined(names: list[str]) -> str:
    return " and ".join(names) or NOBODY


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _utc(moment: str) -> str:
    return utc(datetime.fromisoformat(moment))


def _date(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%d %B %Y, %H:%M} UTC"


_WORDS: dict[str, Callable[[Data], str]] = {
    "update": _update,
    "early_lock": _early_lock,
    "lock_restored": _lock_restored,
    "press": _press,
    "victory": _victory,
    "round_over": _round_over,
    "battles": _battles,
    "correction": _correction,
    "result": _result,
    "held": _held,
    "judged_anew": _judged_anew,
    "penalty": _penalty,
    "ruling": _ruling,
    "book": _book,
    "setup": _setup,
    "control": _control,
    "exception": _control,
    "exception_over": _exception_over,
    "contingency": _contingency,
    "power": _power,
    "freed": _freed,
    "left": _left,
}
