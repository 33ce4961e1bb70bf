"""4.1.1, R35: Strats as drafts for their writer alone, and as sent. A sent strat never changes."""

import secrets
from datetime import datetime

from django.db import IntegrityError
from django.utils.translation import gettext

from judging.battles.checks import held_battle
from judging.battles.models import Battle, BattleArmy, Opinion, Strat, StratDraft
from judging.battles.shapes import BattleView, FighterView
from judging.battles.strats.queries import deadline_of
from judging.common import locking
from judging.common.control import controllers_of
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.positions import position_of
from judging.common.texts import check_storable, checked_text, checked_token, utc
from judging.common.viewer import Viewer
from wargame.models import Army, Judge, Player
from wargame.models.choices import DiceMix, Role
from wargame.rules.battle.battle import receipt
from wargame.rules.battle.mixing import is_seal
from wargame.rules.book.risked_troops import RISKED, NoRisk, Risk, why_no_risk
from wargame.rules.core import clock
from wargame.rules.core.board import read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot

MAX_STRAT = 50_000
FIELD = "word_sha256"


@locking.writes
def send_strat(
    *,
    battle: Battle,
    army: Army,
    player: Player | None,
    text: str,
    risk: str,
    runs: bool,
    leaves: str,
    leaves_to: str,
    token: str,
    now: datetime,
    word_sha256: str = "",
) -> Strat:
    """R35: Send a strat; the same form sent twice creates one. A late one is stored with `late` and does not count.

    `risk` is `kill`, `capture` or empty; `leaves` is the one of two armies that leaves the square after a victory,
    `leaves_to` its destination; empty: drawn; `word_sha256` seals a word for the dice that its sender keeps (R38).
    Raises Refused for another player's army (5.4.1), for a contingency that is not due (5.2.3), once the battle is
    scored (4.1.1), and for an impossible risk or direction (4.3.2, 4.5, 4.4).
    """
    text = checked_text(text, what="strat", most=MAX_STRAT, cites="R35")
    token = checked_token(token)
    battle = held_battle(battle.pk)
    entry = _entry_of(battle, army)
    player, as_contingency = _checked_sender(battle, entry, player, now)
    # Before the clock is asked: a form that is sent again after the deadline was in time the first time.
    sent_before = Strat.objects.filter(entry=entry, player=player, token=token).first()
    if sent_before:
        return sent_before
    late = not clock.is_in_time(now, deadline_of(entry, battle))
    _check_unscored(battle, late=late)
    _check_risk(battle, army, risk)
    _check_requests(risk, runs=runs)
    leaves, leaves_to = _checked_leaving(battle, entry, leaves, leaves_to)
    word_sha256 = _checked_seal(battle, word_sha256)
    StratDraft.objects.filter(entry=entry, player=player).delete()
    return Strat.objects.create(
        entry=entry,
        player=player,
        as_contingency=as_contingency,
        **_sealed(text, risk, runs, leaves, leaves_to, word_sha256),
        sent_at=now,
        token=token,
        late=late,
    )


@locking.writes
def send_mercenary_strat(
    *, battle: Battle, army: Army, judge: Judge, text: str, risk: str, runs: bool, token: str, now: datetime
) -> Strat:
    """R49: Send the mercenary judge's strat for one of their armies; otherwise like `send_strat`.

    Raises Refused for another judge (6), for an army that is no mercenary, and for a capture, as mercenaries keep none.
    """
    text = checked_text(text, what="strat", most=MAX_STRAT, cites="R35")
    token = checked_token(token)
    battle = held_battle(battle.pk)
    entry = _checked_mercenary(battle, army, judge)
    sent_before = Strat.objects.filter(entry=entry, player=None, token=token).first()
    if sent_before:
        return sent_before
    late = not clock.is_in_time(now, deadline_of(entry, battle))
    _check_unscored(battle, late=late)
    if risk == Risk.CAPTURE:
        raise Refused(gettext("Mercenaries can't hold other armies, so they can't capture any."), "4.5")
    _check_risk(battle, army, risk)
    _check_requests(risk, runs=runs)
    strat = Strat.objects.create(
        entry=entry,
        player=None,
        **_sealed(text, risk, runs),
        sent_at=now,
        token=token,
        late=late,
    )
    data = {"turn": battle.turn.number, "battle": battle.number, "army": entry.name}
    record(battle.turn.round, judge.user, "mercenaries.strat", data, now)
    return strat


def _sealed(
    text: str, risk: str, runs: bool, leaves: str = "", leaves_to: str = "", seal: str = ""
) -> dict[str, object]:
    """R35: A strat's text, requests and the seal of its word, with a fresh salt and their common receipt."""
    salt = secrets.token_hex(16)
    fields: Json = {"text": text, "risk": risk, "runs": runs, "leaves": leaves, "leaves_to": leaves_to}
    fields |= {"word_sha256": seal}
    sha256 = receipt(salt=salt, **fields)
    return {**fields, "salt": salt, "sha256": sha256}


def _checked_seal(battle: Battle, seal: str) -> str:
    """R38: the seal of a word, in lower case; empty for none."""
    seal = seal.strip().lower()
    if seal and battle.dice_mix != DiceMix.WORDS:
        raise Refused(
            gettext("The dice of this battle aren't mixed with words. Send the strat without one."), "R38", FIELD
        )
    if seal and not is_seal(seal):
        message = gettext("The seal of a word is its SHA-256: 64 hexadecimal digits. Leave it empty for none.")
        raise Refused(message, "R38", FIELD)
    if seal and Strat.objects.filter(word_sha256=seal).exclude(word="").exists():
        raise Refused(gettext("The word of this seal was revealed in another battle. Use a new one."), "R38", FIELD)
    return seal


def _check_requests(risk: str, *, runs: bool) -> None:
    """4.2.6, 4.3.3: a side that runs away loses, and a kill or capture needs a victory."""
    if risk and runs:
        raise Refused(
            gettext("An army that runs away loses, so it can't also go for a %(risk)s. Choose one.") % {"risk": risk},
            "4.2.6",
        )


def _entry_of(battle: Battle, army: Army) -> BattleArmy:
    """4.1: The army in the battle. Raises Refused if it fights elsewhere, or nowhere."""
    entry = BattleArmy.objects.select_related("army").filter(battle=battle, army=army).first()
    if entry is None:
        raise Refused(gettext("The army %(name)s doesn't fight in this battle.") % {"name": army.name}, "4.1.1")
    return entry


def _checked_mercenary(battle: Battle, army: Army, judge: Judge) -> BattleArmy:
    if judge.role != Role.MERCENARY or judge.round_id != battle.turn.round_id:
        raise Refused(gettext("Only the mercenary judge of this round can write the mercenaries' strats."), "R49")
    entry = _entry_of(battle, army)
    if Side(army.side).is_team:
        raise Refused(
            gettext("The army %(name)s is not a mercenary. Its controller must send the strat.") % {"name": army.name},
            "R49",
        )
    return entry


def _checked_sender(battle: Battle, entry: BattleArmy, player: Player | None, now: datetime) -> tuple[Player, bool]:
    """R35, 5.2.3: The sender, and whether they send as a contingency."""
    army = entry.army
    controllers = controllers_of(army, now)
    if player is not None and player in controllers:
        return player, False
    if player is None or player.pk not in [controller.contingency_id for controller in controllers]:
        raise Refused(
            gettext("You don't control %(name)s, so you can't send its strat.") % {"name": army.name}, "5.4.1"
        )
    opens = deadline_of(entry, battle) - battle.turn.round.contingency_before_deadline
    if now < opens:
        raise Refused(
            gettext("A contingency can send a strat from %(utc)s on. Until then, only the controller of %(name)s can.")
            % {"utc": utc(opens), "name": army.name},
            "5.2.3",
        )
    return player, True


def _check_unscored(battle: Battle, *, late: bool) -> None:
    """4.1.1: The result may be determined any time after both strats came; no strat is accepted after that."""
    if battle.state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result of this battle is published, so you can't send a strat any more."), "4.1.1")
    is_scored = battle.state != Battle.State.WAITING or Opinion.objects.filter(battle=battle).exists()
    if is_scored and not late:
        raise Refused(
            gettext(
                "The battle judge had both sides' strats and has scored this battle, so you can't change your "
                "strat any more."
            ),
            "4.1.1",
        )


def _check_risk(battle: Battle, army: Army, risk: str) -> None:
    """4.3.2, 4.5: a kill needs 500 of slot 4, a capture 2000 of slot 1 and an enemy of the lowest two ranks."""
    if not risk:
        return
    if risk not in list(Risk):
        raise Refused(gettext("A strat can only ask for a kill or a capture."), "R35")
    position = position_of(battle.turn)
    fighter = position.by_name[army.name]
    enemies = [position.by_name[name] for name in position.battle_of[army.name].armies]
    why = why_no_risk(fighter, Risk(risk), [enemy for enemy in enemies if enemy.is_enemy(fighter)])
    if why:
        raise Refused(why.sentence, why.cites)


def _checked_leaving(battle: Battle, entry: BattleArmy, leaves: str, leaves_to: str) -> tuple[str, str]:
    """4.4: the names of a pair's army and of a neighbouring square, as the map writes them."""
    if not leaves and not leaves_to:
        return "", ""
    pair = BattleArmy.objects.filter(battle=battle, side=entry.side).values_list("name", flat=True)
    if len(pair) < 2:
        raise Refused(gettext("An army can only leave the square if two armies fight side by side."), "4.4")
    name = next((army for army in pair if army.casefold() == leaves.strip().casefold()), None)
    if name is None:
        raise Refused(gettext("Say which army leaves: %(pair)s.") % {"pair": gettext(" or ").join(pair)}, "4.4")
    if not leaves_to:
        return name, ""
    try:
        square = read_square(leaves_to)
    except ValueError as error:
        raise Refused(str(error), "1.2") from None
    if not (square.on_map and square.is_neighbour(read_square(battle.at))):
        raise Refused(
            gettext("%(square)s is not one of the squares around %(at)s.") % {"square": square, "at": battle.at}, "4.4"
        )
    return name, str(square)


Remark = tuple[str, str]
"""A sentence, and the rule that it is about."""


@locking.writes
def keep_strat_draft(
    *,
    battle: Battle,
    army: Army,
    player: Player | None,
    text: str,
    risk: str,
    runs: bool,
    leaves: str,
    leaves_to: str,
    base_version: int,
    now: datetime,
    form: str = "",
) -> StratDraft | None:
    """4.1.1: Store the draft on top of version `base_version` (0: none yet); the same again changes nothing. None,
    without a change, if this form was already sent: the text that its page still stores is void.

    Raises Refused for anybody who neither controls the army nor is its controller's contingency (5.4.1), for a text
    that is too long, and if the same writer has saved since in another window.
    """
    check_storable(text, what="strat", cites="R35")
    if len(text) > MAX_STRAT:
        raise Refused(
            gettext("The strat has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(text)), "most": grouped(MAX_STRAT)},
            "R35",
        )
    entry = BattleArmy.objects.filter(battle=battle, army=army).first()
    if entry is None or player is None or not _may_write(army, player, now):
        raise Refused(
            gettext("You don't control %(name)s, so you can't write its strat.") % {"name": army.name}, "5.4.1"
        )
    if form and Strat.objects.filter(entry=entry, player=player, token=form).exists():
        return None
    fields = {
        "text": text.replace("\r\n", "\n").replace("\r", "\n"),
        "risk": risk if risk in list(Risk) else "",
        "runs": runs,
        "leaves": leaves[:40],
        "leaves_to": leaves_to[:3],
    }
    present = StratDraft.objects.filter(entry=entry, player=player).first()
    if present is not None and all(getattr(present, field) == value for field, value in fields.items()):
        return present
    if present is None:
        return _first(entry, player, fields, now)
    # The version is compared by the update itself: of two windows that save at once, the second one is told.
    rows = StratDraft.objects.filter(pk=present.pk, version=base_version)
    if not rows.update(**fields, version=base_version + 1, saved_at=now):
        raise _stale(entry, player)
    return StratDraft.objects.get(pk=present.pk)


def strat_draft_of(view: BattleView, fighter: FighterView, viewer: Viewer) -> StratDraft | None:
    """R35: The viewer's own draft, which nobody else can read."""
    if viewer.player is None:
        return None
    drafts = StratDraft.objects.filter(entry__battle=view.id, entry__name=fighter.name)
    return drafts.filter(player=viewer.player).first()


def last_strat_of(view: BattleView, fighter: FighterView, viewer: Viewer) -> Strat | None:
    """R35: The viewer's last strat, as the initial values of a new one, which replaces text and requests as a whole."""
    if viewer.player is None:
        return None
    strats = Strat.objects.filter(entry__battle=view.id, entry__name=fighter.name, player=viewer.player)
    return strats.order_by("sent_at", "pk").last()


def what_cannot_be_risked(view: BattleView, fighter: FighterView) -> dict[str, str]:
    """4.3.2, 4.5: The reasons why a kill or a capture can't be tried, by its name; possible ones are left out."""
    enemies = [one.army for one in view.fighters if one.army.is_enemy(fighter.army)]
    reasons = {risk.value: why_no_risk(fighter.army, risk, enemies) for risk in Risk}
    return {name: f"{why.sentence} ({why.cites})" for name, why in reasons.items() if why}


def remarks_on(view: BattleView, fighter: FighterView, risk: str, runs: bool, leaves: str, to: str) -> list[Remark]:
    """R35: Missing or impossible requests of a strat, and the costs of the others."""
    remarks: list[Remark] = []
    if risk in list(Risk):
        remarks.append(_on_risk(view, fighter, Risk(risk)))
    if runs:
        remarks.append(
            (gettext("If you run away, you cause no losses and lose the battle, but you take fewer losses."), "4.2.6")
        )
    if runs and risk:
        remarks.append(
            (gettext("A side that runs away wins nothing, so it can't risk troops for a kill or capture."), "R41")
        )
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    if len(side) > 1 and not leaves:
        reason = gettext("you named a square but no army") if to else gettext("you named neither army nor square")
        remarks.append(
            (
                gettext("If your side wins, one of its armies must leave. The choice is random, because %(asked)s.")
                % {"asked": reason},
                "4.4",
            )
        )
    return remarks


def _first(entry: BattleArmy, player: Player, fields: dict[str, object], now: datetime) -> StratDraft:
    """Two windows may save the first draft in the same moment: the database accepts one row, and the other gets an
    error."""
    try:
        with locking.transaction():
            return StratDraft.objects.create(entry=entry, player=player, saved_at=now, **fields)
    except IntegrityError:
        raise _stale(entry, player) from None


def _stale(entry: BattleArmy, player: Player) -> Refused:
    present = StratDraft.objects.get(entry=entry, player=player)
    message = gettext(
        "You saved this draft in another window at %(time)s UTC. That text is shown below. What you type here "
        "will replace it."
    )
    return Refused(message % {"time": f"{present.saved_at:%H:%M:%S}"}, "R35")


def _may_write(army: Army, player: Player, now: datetime) -> bool:
    controllers = controllers_of(army, now)
    return player in controllers or player.pk in [controller.contingency_id for controller in controllers]


def _on_risk(view: BattleView, fighter: FighterView, risk: Risk) -> Remark:
    army = fighter.army
    why = why_no_risk(army, risk, [one.army for one in view.fighters if one.army.is_enemy(army)])
    slot = 4 if risk is Risk.KILL else 1
    alive, risked = alive_by_slot(army.troops)[slot - 1], RISKED[risk][slot - 1]
    if why is NoRisk.TOO_HIGH:
        return why.sentence, why.cites
    if why:
        has = gettext("Slot %(slot)s of %(army)s holds %(number)s.")
        return f"{why.sentence} {has % {'army': army.name, 'number': grouped(alive), 'slot': slot}}", why.cites
    fields = {"risked": grouped(risked), "number": grouped(alive), "slot": slot}
    if risk is Risk.KILL:
        message = gettext(
            "%(risked)s of the %(number)s troops in slot %(slot)s won't fight. They may die if the kill fails or "
            "the battle is lost."
        )
        return message % fields, "R39"
    message = gettext(
        "%(risked)s of the %(number)s troops in slot %(slot)s won't fight. They may die if the capture fails or "
        "the battle is lost."
    )
    return message % fields, "R40"
