"""4.1: The shapes of battles for display. `queries`, which fills them, decides who sees what."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.battles.models import Claim, Strat
from judging.battles.results import ResultView, RiskRulingView, risk_ruling_view
from judging.common.markup import to_html
from judging.penalties.queries import PenaltyView
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import SLOTS, alive_by_slot, slot_size, strength_by_slot


@dataclass(frozen=True)
class FighterSlot:
    """2.1: One rank of creatures, as it was when the turn opened."""

    slot: int
    size: str
    alive: int
    of: int
    creatures: tuple[str, ...]


@dataclass(frozen=True)
class Receipt:
    """4.1.1, R35: The receipt of a strat: when it was sent, and its hash. It is public, and so is the reason why a
    judge accepted a late one, or decided that it does not count. `counted`: whether it is the one that counts, None
    if that is not known yet; `replaced`: the one that counts came later. `word_sha256` seals a word for the dice
    (R38)."""

    sent_at: datetime
    sha256: str
    late: bool
    accepted_because: str = ""
    counted: bool | None = None
    replaced: bool = False
    word_sha256: str = ""
    declined_because: str = ""

    @property
    def is_in(self) -> bool:
        """R35: Whether it may count: it came in time or was accepted."""
        return not self.late or bool(self.accepted_because)


@dataclass(frozen=True)
class StratView:
    """R35: A strat with its text, for those who may read it. With the result its author reads a judge's verdicts on
    its `claims`, and the ruling on its kill or capture. An undecided late one `is_sealed` for judges, and comes
    without its text (R35). `released_because` is why a judge published it before its time, `released_by` who.
    `is_public`: everybody may read it."""

    id: int
    sent_at: datetime
    sha256: str
    salt: str
    by: str
    late: bool
    accepted_because: str
    as_contingency: bool
    text: str
    html: SafeString
    wishes: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    risk: str = ""
    risk_ruling: RiskRulingView | None = None
    risk_ruling_id: int = 0
    word_sha256: str = ""
    declined_because: str = ""
    is_sealed: bool = False
    released_because: str = ""
    released_by: str = ""
    is_public: bool = False


@dataclass(frozen=True)
class FighterView:
    """4.1: An army in a battle. `deadline` is its own if it was given more time (R5), `penalties` those that took
    troops from it in this turn (5.4.1). `is_judged`: the viewer could send another strat if no score were locked."""

    army: Army
    slots: tuple[FighterSlot, ...]
    alive: int
    of: int
    controllers: tuple[str, ...]
    receipts: tuple[Receipt, ...]
    strats: tuple[StratView, ...]
    may_send: str
    deadline: datetime
    is_extended: bool
    penalties: tuple[PenaltyView, ...] = ()
    is_judged: bool = False

    @property
    def name(self) -> str:
        return self.army.name

    @property
    def side(self) -> str:
        return self.army.side.value

    @property
    def title(self) -> str:
        return self.army.title

    @property
    def has_strat(self) -> bool:
        return any(receipt.is_in for receipt in self.receipts)

    @property
    def marked(self) -> tuple[tuple[StratView, Receipt], ...]:
        """R35: The strats that the viewer may read, each with its receipt, last one first."""
        receipts = {receipt.sha256: receipt for receipt in self.receipts}
        return tuple((strat, receipts[strat.sha256]) for strat in reversed(self.strats))


@dataclass(frozen=True)
class BattleView:
    """4.1.1, R25: A battle for its announcement and its page. `is_closed`: every deadline has passed. `extensions`
    say who was given more time, and why (R5). `is_cancelled`: by a correction of the turn before. `dice_mix` is what
    is mixed into its dice, `awaits_words`: a score is locked, and words may be handed over (R38)."""

    id: int
    turn: int
    number: int
    at: str
    terrain: str
    place: str
    place_text: SafeString
    weather: str
    headline: str
    how: str
    sides: tuple[tuple[FighterView, ...], tuple[FighterView, ...]]
    defends: int | None
    announced_at: datetime
    deadline: datetime
    is_closed: bool
    commitment: str
    result: ResultView | None
    extensions: tuple[str, ...] = ()
    is_cancelled: bool = False
    dice_mix: str = ""
    awaits_words: bool = False

    @property
    def fighters(self) -> tuple[FighterView, ...]:
        return self.sides[0] + self.sides[1]

    @property
    def armies(self) -> dict[str, Army]:
        """The armies as they went into the battle, by name."""
        return {fighter.name: fighter.army for fighter in self.fighters}

    @property
    def is_judged(self) -> bool:
        """4.1.1: Whether the viewer could send a strat here if no score were locked."""
        return any(fighter.is_judged for fighter in self.fighters)

    @property
    def all_sent(self) -> bool:
        """4.1.1: whether every army of a team has a strat that came in time."""
        return all(fighter.has_strat for fighter in self.fighters if fighter.side != Side.MERCENARY)

    def fighter(self, name: str) -> FighterView | None:
        """The army with that name, ignoring case."""
        return next((f for f in self.fighters if f.name.lower() == name.lower()), None)


def how_it_begins(defends: int | None) -> str:
    """4.1.2.3: Where the two sides start, in sentences; `defends` is the defending side, None for none."""
    if defends is None:
        return gettext("No attacker: both sides arrived this turn and start within sight of each other.")
    return gettext(
        "The defender starts at the centre and has a few hours to prepare. The attacker approaches from out of sight."
    )


def slots_of(army: Army) -> tuple[FighterSlot, ...]:
    """2.1: an army's four ranks of creatures, alive and at full strength."""
    alive, strength = alive_by_slot(army.troops), strength_by_slot(army.troops)
    return tuple(
        FighterSlot(
            slot,
            f"{slot_size(army.tier, slot)}/{slot_size(army.tier, slot)}",
            alive[slot - 1],
            strength[slot - 1],
            tuple(t.creature for t in army.troops if t.slot == slot and t.creature),
        )
        for slot in SLOTS
    )


def strat_view(strat: Strat, *, with_claims: bool = False, is_public: bool = False) -> StratView:
    """R35: A strat with its text, for a viewer who is known to be allowed to read it.

    `with_claims`: with a judge's verdicts on its claims and on its kill or capture, which its author reads with the
    result and not before.
    """
    return StratView(
        id=strat.pk,
        sent_at=strat.sent_at,
        sha256=strat.sha256,
        salt=strat.salt,
        by=strat.player.name if strat.player else gettext("the mercenary judge"),
        late=strat.late,
        accepted_because=strat.accepted_because,
        as_contingency=strat.as_contingency,
        text=strat.text,
        html=to_html(strat.text),
        wishes=_wishes(strat),
        claims=tuple(strat.claims.all()) if with_claims else (),
        risk=strat.risk,
        word_sha256=strat.word_sha256,
        declined_because=strat.declined_because,
        is_public=is_public,
        released_because=strat.released_because,
        released_by=strat.released_by.name if strat.released_by else "",
        **(_risk_ruled(strat) if with_claims and hasattr(strat, "risk_ruling") else {}),
    )


def sealed_view(strat: Strat) -> StratView:
    """R35: A late strat without its text, for those who must decide whether it counts."""
    return StratView(
        id=strat.pk,
        sent_at=strat.sent_at,
        sha256=strat.sha256,
        salt="",
        by=strat.player.name if strat.player else gettext("the mercenary judge"),
        late=True,
        accepted_because="",
        as_contingency=strat.as_contingency,
        text="",
        html=to_html(""),
        wishes=(),
        is_sealed=True,
    )


def _risk_ruled(strat: Strat) -> Json:
    """4.3, 4.5: A judge's ruling on the strat's kill or capture, and its key."""
    ruling = strat.risk_ruling
    view = risk_ruling_view(
        army=strat.entry.name,
        risk=strat.risk,
        is_void=ruling.is_void,
        target=ruling.target,
        cites=ruling.cites,
        reason=ruling.reason,
        by=ruling.judge.name,
    )
    return {"risk_ruling": view, "risk_ruling_id": ruling.pk}


def _wishes(strat: Strat) -> tuple[str, ...]:
    leaves = gettext("leave the square with %(army)s") if strat.leaves else ""
    if strat.leaves and strat.leaves_to:
        leaves = gettext("leave the square with %(army)s, for %(to)s")
    leaves %= {"army": strat.leaves, "to": strat.leaves_to}
    wished = [strat.get_risk_display() if strat.risk else "", gettext("run away") if strat.runs else ""]
    return tuple(wish for wish in (*wished, leaves) if wish)
