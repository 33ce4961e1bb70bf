"""3.1: Posts by the service in sentences: a notice is stored as its kind and data, and put into words when it is
read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.common.texts import utc
from judging.svg.map import terrain_word
from wargame.models.choices import Press
from wargame.rules.battle.weather import weather_from_json
from wargame.rules.command.faults import CommandFault
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.codec import battle_from_json
from wargame.rules.core.faults import finding_from_json
from wargame.rules.core.position import Battle
from wargame.rules.core.rulings import ruling_of
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.turn import DIE, draw_name, losses_of
from wargame.rules.core.wording import how_many, listed
from wargame.rules.settling.events import loss_words

Data = Mapping[str, Any]
NOBODY = gettext_noop("no one")


def words_of(kind: str, data: Data) -> str:
    """A notice as plain text; empty if the data is malformed, which a file of another service may contain."""
    if "told" in data:
        return str(data["told"])
    try:
        return POSTS[kind].words(data)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        return gettext("Something was posted here that we can't read any more.")


def battle_words(battle: Battle) -> str:
    """R25: `Ana attacking Gaz on 3F`."""
    if battle.defends is None:
        text = gettext("%(some)s against %(others)s on %(square)s, no attacker")
        return text % {"some": listed(battle.sides[0]), "others": listed(battle.sides[1]), "square": battle.at}
    attackers, defenders = battle.sides[1 - battle.defends], battle.sides[battle.defends]
    text = ngettext(
        "%(attackers)s attacking %(defenders)s on %(square)s",
        "%(attackers)s attacking %(defenders)s on %(square)s",
        how_many(attackers),
    )
    return text % {"attackers": listed(attackers), "defenders": listed(defenders), "square": battle.at}


def _met(battle: Battle) -> str:
    """R25: `Ana attacked Gaz`."""
    if battle.defends is None:
        text = gettext("%(some)s and %(others)s met, no attacker")
        return text % {"some": listed(battle.sides[0]), "others": listed(battle.sides[1])}
    attackers, defenders = battle.sides[1 - battle.defends], battle.sides[battle.defends]
    text = ngettext("%(attackers)s attacked %(defenders)s", "%(attackers)s attacked %(defenders)s", how_many(attackers))
    return text % {"attackers": listed(attackers), "defenders": listed(defenders)}


def penalty_words(data: Data) -> str:
    """5.4.1: The effect of a penalty, as a part of a sentence; if it is not rolled yet, its minimum and maximum.

    `data` has the name of its `army`, the loss that was `stated`, or the `severity` (0: none) and the `roll` (0: none
    yet) from which it follows, whether it counts `after_battle`, and until when a strat was `extended_to`.
    """
    if not data["takes_troops"]:
        if data["army"]:
            return gettext("a reprimand concerning %(army)s") % {"army": data["army"]}
        return gettext("a reprimand")
    fields = {"army": data["army"], "loss": _loss_words(data)}
    text = gettext("%(army)s must give up %(loss)s") % fields
    if data["after_battle"]:
        text = gettext("%(army)s must give up %(loss)s of what is left after the battle") % fields
    if not data["extended_to"]:
        return text
    more = gettext("%(told)s; the strat is now due %(time)s")
    return more % {"told": text, "time": _utc(data["extended_to"])}


def _loss_words(data: Data) -> str:
    severity, roll = data["severity"], data["roll"]
    if not severity:
        return loss_words(data["stated"])
    if not roll:
        least, most = (listed([grouped(count) for count in losses_of(severity, each)]) for each in (1, DIE))
        text = gettext("at least %(least)s and at most %(most)s from slots 1 to 4 (severity %(severity)s times a die)")
        return text % {"least": least, "most": most, "severity": severity}
    text = gettext("%(loss)s (severity %(severity)s times %(roll)s, drawn as %(name)s)")
    loss = loss_words(losses_of(severity, roll))
    return text % {"loss": loss, "severity": severity, "roll": roll, "name": draw_name(data["penalty"])}


def _update(data: Data) -> str:
    moved, refused, engaged = data["moved"], data["refused"], data["engaged"]
    text = gettext("Turn %(turn)s is settled: %(moved)s, %(refused)s, %(battles)s.") % {
        "turn": data["turn"],
        "moved": ngettext("%(number)s army moved", "%(number)s armies moved", moved) % {"number": moved},
        "refused": ngettext("%(number)s order was refused", "%(number)s orders were refused", refused)
        % {"number": refused},
        "battles": ngettext("%(number)s new battle", "%(number)s new battles", engaged) % {"number": engaged},
    }
    lines = [text, _victory(data) if "won_by" in data else _unlock(data["opened"])]
    if data.get("head"):
        lines.append(gettext("Latest hash of the round: %(hash)s") % {"hash": data["head"]})
    return "\n".join(lines)


def _unlock(opened: Data) -> str:
    strats, orders = _utc(opened["deadline"]), _utc(opened["lock_at"])
    text = gettext("Turn %(turn)s is open: strats are due by %(strats)s, orders by %(orders)s.")
    return text % {"turn": opened["turn"], "strats": strats, "orders": orders}


def _victory(data: Data) -> str:
    winners = gettext(" and ").join(Side(side).title for side in data["won_by"])
    text = gettext("By the rules, %(side)s won this round. The battle judge must confirm it. No new turn is open.")
    return text % {"side": winners}


def _round_over(data: Data) -> str:
    title = Side(data["winner"]).title
    text = gettext("%(side)s won this round, as confirmed by %(judge)s. The formula book is now public.")
    return text % {"side": f"{title[0].upper()}{title[1:]}", "judge": data["judge"]}


def _early_lock(data: Data) -> str:
    """R60: The announcement that a judge makes at least an hour before the lock."""
    text = gettext("Everyone is done with turn %(turn)s, so it locks on %(now)s instead of %(before)s (%(by)s).") % {
        "turn": data["turn"],
        "now": _utc(data["lock_at"]),
        "before": _utc(data["before"]),
        "by": data["by"],
    }
    if data["deadline"] != data["deadline_before"]:
        due = gettext("Strats are due by %(time)s.") % {"time": _utc(data["deadline"])}
        text = f"{text} {due}"
    more = gettext("If someone isn't done after all, the turn will lock at its original time.")
    return f"{text} {more}"


def _lock_restored(data: Data) -> str:
    text = gettext(
        "Someone isn't done after all. Turn %(turn)s is back to locking on %(orders)s, and strats are due by "
        "%(strats)s."
    )
    if data["by"]:
        text = gettext(
            "%(by)s undid the early lock. Turn %(turn)s is back to locking on %(orders)s, and strats are due by "
            "%(strats)s."
        )
    strats, orders = _utc(data["deadline"]), _utc(data["lock_at"])
    return text % {"by": data["by"], "turn": data["turn"], "orders": orders, "strats": strats}


def _press(data: Data) -> str:
    """1.6: Who may write private messages from now on."""
    now, before = Press(data["press"]).label, Press(data["before"]).label
    text = gettext("Private messages are now allowed for %(now)s (before: %(before)s).")
    return text % {"now": now, "before": before}


def _battles(data: Data) -> str:
    head = gettext("Battles of turn %(turn)s. Strats are due by %(time)s.")
    head %= {"turn": data["turn"], "time": _utc(data["deadline"])}
    return "\n".join([head, *(_announced(number, each) for number, each in enumerate(data["announced"], 1))])


def _announced(number: int, each: Data) -> str:
    battle = battle_from_json(each["battle"])
    where = f"{battle.at}, {terrain_word(each['terrain'])}" + (f", {each['place']}" if each["place"] else "")
    skies = weather_from_json(each["weather"]).sentence
    return f"{number}. {_met(battle)} ({where}). {skies}"


def _correction(data: Data) -> str:
    if "battles" in data:
        return _corrected_battles(data)
    armies = ", ".join(data["armies"])
    text = gettext("Turn %(turn)s was corrected. All armies stay as they were.")
    if armies:
        text = gettext("Turn %(turn)s was corrected. Changed armies: %(armies)s.")
    why = gettext("Ruling %(number)s (%(rules)s): %(reason)s")
    reasons = [
        why % {"number": each["number"], "rules": each["cites"], "reason": each["reason"]} for each in data["rulings"]
    ]
    return "\n".join([text % {"turn": data["turn"], "armies": armies}, *reasons])


def _corrected_battles(data: Data) -> str:
    texts = {
        "gone": gettext("Cancelled: %(battle)s."),
        "new": gettext("New: %(battle)s."),
        "changed": gettext("Changed: %(battle)s."),
    }
    battles = data["battles"]
    lines = [texts[key] % {"battle": battle_words(battle_from_json(each))} for key in texts for each in battles[key]]
    if battles["new"]:
        lines.append(gettext("Strats for the new battles are due by %(time)s.") % {"time": _utc(data["deadline"])})
    return "\n".join([gettext("Battles of turn %(turn)s after a correction.") % {"turn": data["following"]}, *lines])


def _result(data: Data) -> str:
    winners, losers = data["sides"][data["winner"]], data["sides"][1 - data["winner"]]
    text = ngettext(
        "%(square)s: %(winners)s beat %(losers)s.", "%(square)s: %(winners)s beat %(losers)s.", max(len(winners), 1)
    )
    between = gettext(" and ")
    sentences = [text % {"square": data["at"], "winners": between.join(winners), "losers": between.join(losers)}]
    for each in data["taken"]:
        capture = gettext("%(army)s captured %(target)s.")
        if each["risk"] == "kill":
            capture = gettext("%(army)s killed %(target)s.")
        sentences.append(capture % {"army": each["army"], "target": each["target"]})
    return " ".join(sentences)


def _judged_anew(data: Data) -> str:
    """R58: Changes to a published result."""
    before, now = listed(data["before"]), listed(data["now"])
    text = gettext("%(by)s rejudged the battle on %(square)s: %(now)s won, not %(before)s (%(rules)s). %(reason)s")
    if before == now:
        text = gettext("%(by)s rejudged the battle on %(square)s: still a win for %(now)s (%(rules)s). %(reason)s")
    fields = {"square": data["at"], "by": data["by"], "rules": data["cites"], "reason": data["reason"]}
    return text % {**fields, "now": now, "before": before}


def _settlement_held_up(data: Data) -> str:
    """R57: An appeal delays a settlement, or no longer does."""
    if not data["until"]:
        return gettext("No appeal is delaying the settlement of turn %(turn)s any more.") % {"turn": data["turn"]}
    text = gettext("Appeal %(number)s delays the settlement of turn %(turn)s until %(time)s at the latest.")
    return text % {"number": data["appeal"], "turn": data["turn"], "time": _utc(data["until"])}


def _penalty(data: Data) -> str:
    fields = {"number": data["penalty"], "player": data["player"], "reason": data["reason"]}
    if data["is_lifted"]:
        return gettext("Penalty %(number)s for %(player)s was lifted. %(reason)s") % fields
    text = gettext("Penalty %(number)s for %(player)s: %(what)s (%(rules)s). %(reason)s")
    text %= {**fields, "what": penalty_words(data), "rules": data["cites"]}
    if not data["left"]:
        return text
    remaining = gettext("Troops left in slots 1 to 4 of %(army)s: %(numbers)s.")
    remaining %= {"army": data["army"], "numbers": listed([grouped(number) for number in data["left"]])}
    return f"{text}\n{remaining}"


def _ruling(data: Data) -> str:
    number, reason = data["ruling"], data["reason"]
    if "withdrawn" in data:
        by = data["withdrawn"]["by"]
        text = gettext("Ruling %(number)s was withdrawn. %(reason)s")
        if by:
            text = gettext("%(by)s overruled ruling %(number)s. %(reason)s")
        return text % {"number": number, "by": by, "reason": reason}
    summary = ruling_of(data["kind"], (0, data["cites"], reason, data["army"]), data["square"], data["data"]).what.text
    text = gettext("Ruling %(number)s: %(what)s (%(rules)s). %(reason)s")
    return text % {
        "number": number,
        "what": f"{summary[0].upper()}{summary[1:]}",
        "rules": data["cites"],
        "reason": reason,
    }


def _book(data: Data) -> str:
    text = gettext(
        "Formula book version %(number)s applies to battles from turn %(turn)s on. Its commitment: "
        "%(commitment)s. It will be published when the round is finished."
    )
    return text % {"number": data["number"], "turn": data["from_turn"], "commitment": data["commitment"]}


def _setup(data: Data) -> str:
    text = gettext(
        "The random draws for the set-up (proxies, squares, mercenaries) came from the seed %(seed)s. Its "
        "commitment was %(commitment)s."
    )
    return text % {"seed": data["seed"], "commitment": data["commitment"]}


def _control(data: Data) -> str:
    changes = "; ".join(map(change_words, data["changes"]))
    text = gettext("Control list of %(side)s: %(changes)s (%(by)s).")
    return text % {"side": _side(data), "changes": changes, "by": _control_by(data)}


def change_words(change: Data | str) -> str:
    """5.2.1: `Sai Rei: Ana to Ben and Cem`; if refused, `Sai Rei to Ben`. The log of a round that was played on an
    older service already has these words."""
    if isinstance(change, str):
        return change
    if "before" in change:
        names = {"army": change["army"], "before": _joined(change["before"]), "after": _joined(change["to"])}
        if "since" in change:
            text = gettext("%(army)s from %(before)s to %(after)s, as of %(time)s")
            return text % {**names, "time": _utc(change["since"])}
        return gettext("%(army)s from %(before)s to %(after)s") % names
    return gettext("%(army)s to %(after)s") % {"army": change["army"], "after": _joined(change["to"])}


def _control_by(data: Data) -> str:
    if data["how"] == "asked":
        return gettext("requested by %(by)s") % {"by": data["by"]}
    text = gettext("by %(by)s: %(reason)s")
    if data["how"] == "granted":
        text = gettext("an exception granted by %(by)s: %(reason)s")
    return text % {"by": data["by"], "reason": data["reason"]}


def _exception_over(data: Data) -> str:
    reasons = " ".join(finding_from_json(CommandFault, each).sentence for each in data["breaches"])
    over = gettext(
        "The exception for %(side)s expired with turn %(turn)s. The control list now breaks the rules: %(why)s"
    )
    return over % {"side": _side(data), "turn": data["turn"], "why": reasons}


def _contingency(data: Data) -> str:
    each = gettext("%(deputy)s for %(name)s")
    changes = "; ".join(each % {"deputy": to or gettext(NOBODY), "name": name} for name, to in data["changed"])
    return gettext("Contingencies of %(side)s: %(changes)s.") % {"side": _side(data), "changes": changes}


def _power(data: Data) -> str:
    how = gettext("by %(by)s: %(reason)s") if data["reason"] else gettext("by %(by)s")
    text = gettext("From now on, %(holders)s can request changes to the control list of %(side)s (%(by)s).")
    by = how % {"by": data["by"], "reason": data["reason"]}
    return text % {"side": _side(data), "holders": _joined(data["holders"]), "by": by}


def _freed(data: Data) -> str:
    rank = rank_title(Rank(data["after"]) if data["after"] else None, Side(data["side"]))
    text = gettext("%(player)s is now %(rank)s and no longer controls %(armies)s.")
    text %= {"player": data["player"], "rank": rank, "armies": gettext(" and ").join(data["freed"])}
    more = gettext("They need a new army.")
    return f"{text} {more}" if data["needs_army"] else text


def _team_left(data: Data) -> str:
    fields = {"player": data["player"], "side": _side(data)}
    if "of" in data:
        text = gettext("%(by)s overruled %(other)s: %(player)s doesn't belong to %(side)s.")
        text %= {**fields, "by": data["by"], "other": data["of"]}
    else:
        text = gettext("%(player)s has left %(side)s.") % fields
    if not data["armies"]:
        return text
    free = gettext("No one controls %(armies)s now.") % {"armies": gettext(" and ").join(data["armies"])}
    return f"{text} {free}"


def _side(data: Data) -> str:
    return Side(data["side"]).title


def _joined(names: list[str]) -> str:
    return gettext(" and ").join(names) or gettext(NOBODY)


def _utc(moment: str) -> str:
    return utc(datetime.fromisoformat(moment))


@dataclass(frozen=True)
class Post:
    """A kind of post by the service. `webhook` is the event under which webhooks are sent it, empty for none. One that
    `has_title` begins with a sentence without an army's name, which may have a full stop in it. R38: a commitment says
    what is committed to, or what was."""

    words: Callable[[Data], str]
    webhook: str = ""
    has_title: bool = False
    is_commitment: bool = False


POSTS: dict[str, Post] = {
    "update": Post(_update, webhook="unlock"),
    "early_lock": Post(_early_lock, webhook="unlock"),
    "lock_restored": Post(_lock_restored, webhook="unlock"),
    "press": Post(_press),
    "victory": Post(_victory, webhook="unlock"),
    "round_over": Post(_round_over, webhook="unlock"),
    "battles": Post(_battles, webhook="battle", has_title=True),
    "correction": Post(_correction, webhook="ruling"),
    "result": Post(_result, webhook="result"),
    "held": Post(_settlement_held_up, webhook="ruling"),
    "judged_anew": Post(_judged_anew, webhook="result"),
    "penalty": Post(_penalty, webhook="ruling"),
    "ruling": Post(_ruling, webhook="ruling"),
    "book": Post(_book, has_title=True, is_commitment=True),
    "setup": Post(_setup, is_commitment=True),
    "control": Post(_control),
    "exception": Post(_control),
    "exception_over": Post(_exception_over),
    "contingency": Post(_contingency),
    "power": Post(_power),
    "freed": Post(_freed),
    "left": Post(_team_left),
}
"""What is posted in the threads, by its kind."""
