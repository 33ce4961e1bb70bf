"""R57: What an appeal can be against, in codes and in words. A decision can't be seen before its time."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from judging.appeals.models import Appeal
from judging.battles.models import Battle
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import deciders_of
from judging.command.models import Admission, ControlRequest
from judging.common.control import held_in, last_moment
from judging.common.models import LogEntry
from judging.penalties.models import Penalty
from judging.turns.models import Correction, Draft
from judging.turns.rulings.services import public_rulings
from judging.votes.models import Vote
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core.sides import Side

About = Mapping[str, Any]
"""The `kind` of an appeal's subject, and the facts for its sentence."""


def result(at: str, turn: int) -> About:
    """R57: the result of a battle on a square, in a turn."""
    return {"kind": "result", "at": at, "turn": turn}


def ruling(number: int | None, turn: int) -> About:
    """R57: a ruling, by its number in its turn."""
    return {"kind": "ruling", "number": number, "turn": turn}


def penalty(number: int, turn: int) -> About:
    """R57: a penalty, by its number in its turn."""
    return {"kind": "penalty", "number": number, "turn": turn}


def refusal(army: str, turn: int) -> About:
    """R57: an order that was refused."""
    return {"kind": "refusal", "army": army, "turn": turn}


def admission(name: str, side: str) -> About:
    """R57, 1.1: A refused applicant to a team."""
    return {"kind": "admission", "name": name, "side": side}


def vote(question: str, is_of_team: bool) -> About:
    """R57, 1.4: The count of a vote; a team's own vote stays secret from others."""
    return {"kind": "vote", "question": "" if is_of_team else question}


def about_of_row(row: Appeal) -> About:
    """R57: The subject of an appeal. Reads its battle, ruling or penalty with their turns, its turn, its admission
    or its vote."""
    if row.battle:
        return result(row.battle.at, row.battle.turn.number)
    if row.ruling:
        return ruling(row.ruling.number, row.ruling.turn.number)
    if row.penalty:
        return penalty(row.penalty.number, row.penalty.turn.number)
    if row.of_turn:
        return refusal(row.army, row.of_turn.number)
    if row.admission:
        return admission(row.admission.name, row.admission.side)
    if row.vote:
        return vote(row.vote.question, bool(row.vote.side))
    return {"kind": row.kind}


def about_in_words(about: About) -> str:
    """The subject of an appeal, as a part of a sentence."""
    match about:
        case {"kind": "result", "turn": turn, "at": at}:
            text = gettext("the result of the battle on %(at)s in turn %(number)s")
            return text % {"at": at, "number": turn}
        case {"kind": "ruling", "turn": turn, "number": number}:
            return gettext("ruling %(number)s on turn %(number2)s") % {"number": number, "number2": turn}
        case {"kind": "penalty", "turn": turn, "number": number}:
            return gettext("penalty %(number)s of turn %(number2)s") % {"number": number, "number2": turn}
        case {"kind": "refusal", "turn": turn, "army": army}:
            text = gettext("the refusal of an order for %(army)s in turn %(number)s")
            return text % {"army": army, "number": turn}
        case {"kind": "admission", "name": name, "side": side}:
            text = gettext("the refusal to admit %(name)s to %(title)s")
            return text % {"name": name, "title": Side(side).title}
        case {"kind": "vote", "question": ""}:
            return gettext("the count of a team's own vote")
        case {"kind": "vote", "question": question}:
            return gettext("the count of the vote “%(question)s”") % {"question": question}
    return str(Appeal.Kind(about["kind"]).label)


def outcome_in_words(outcome: str) -> str:
    """R57: The result of an appeal, by its state; words that an earlier version stored stay unchanged."""
    return str(Appeal.State(outcome).label) if outcome in Appeal.State.values else outcome


Kind = Appeal.Kind

REQUESTS = ("control.declined", "change.refused")
"""The acts of the log by which a judge refused a request."""

BARRED = "person.barred"

SANCTIONS = ("board.hidden", "board.warned", "post.warned", BARRED)
"""The acts of the log that are sanctions by themselves; penalties and reprimands have rows (5.4.1)."""


@dataclass(frozen=True)
class Subject:
    """R57: A decision. `title` names it in a sentence, `link` is its page; `turn` is the number of its turn, 0 for
    none.

    `against` is the judge who decided, None for the service, and `deciders` the users of all who had a part in it.
    `concerned` are the keys of the players whom it concerns, and `whom` describes them; if it concerns a person who is
    no player, `applicant` is their user's key. `fields` are those of an appeal that name it, including `decision` where
    the same thing may be decided again.
    """

    kind: str
    about: str
    army: str
    title: str
    link: str
    turn: int
    decided_at: datetime
    against: Judge | None
    concerned: frozenset[int]
    whom: str
    deciders: frozenset[int] = frozenset()
    is_hidden: bool = False
    applicant: int | None = None
    fields: dict[str, object] = field(default_factory=dict)


def find_subject(round: Round, kind: str, about: str, army: str, now: datetime) -> Subject | None:
    """R57: The subject that an address names: of a kind, by its key (an act of the log by that of its address, a
    refused order by its turn's number), and by the army whose order was refused. None if it is not there, can't be
    seen yet, or was withdrawn."""
    find = FINDERS.get(kind)
    if find is None or not about.isascii() or len(about) > 15:
        return None
    return find(round, about, army, now)


def subject_of(appeal: Appeal, now: datetime) -> Subject | None:
    """R57: The current subject of an appeal; None if it was withdrawn since."""
    return find_subject(appeal.round, appeal.kind, about_of(appeal), appeal.army, now)


def about_of(appeal: Appeal) -> str:
    """The part of an address that names an appeal's subject."""
    if appeal.entry:
        return str(appeal.entry.key)
    if appeal.of_turn:
        return str(appeal.of_turn.number)
    keys = (appeal.battle_id, appeal.ruling_id, appeal.penalty_id, appeal.vote_id, appeal.admission_id)
    return str(next(filter(None, keys), 0))


def _key(about: str) -> int:
    return int(about) if about.isdigit() else 0


def _result(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    rows = Battle.objects.filter(turn__round=round, pk=_key(about), state=Battle.State.PUBLISHED)
    joined = rows.select_related("turn__round", "score", "result__judge")
    battle = joined.defer("turn__position", "turn__events").first()
    if battle is None:
        return None
    rejudgements = Rejudgement.objects.filter(battle=battle, state=Rejudgement.State.APPLIED).select_related("judge")
    anew = list(rejudgements.order_by("decided_at", "pk"))
    last = anew[-1] if anew else None
    armies = {entry.army_id for entry in battle.entries.all()}
    return Subject(
        kind=Kind.RESULT,
        about=about,
        army="",
        title=about_in_words(result(battle.at, battle.turn.number)),
        link=reverse("battle", args=[round.slug, battle.pk]),
        turn=battle.turn.number,
        decided_at=last.decided_at if last and last.decided_at else battle.result.published_at,
        against=last.judge if last else battle.result.judge,
        concerned=_holders(battle.turn, armies),
        whom=gettext("Players who control an army in this battle"),
        deciders=deciders_of(battle),
        fields={"battle": battle, "decision": len(anew)},
    )


def _ruling(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    row = public_rulings(round, now).filter(pk=_key(about), withdrawn_at__isnull=True).first()
    if row is None:
        return None
    draft = Draft.objects.filter(turn=row.turn).values_list("publish_at", flat=True).first()
    applied = Correction.objects.filter(pk=row.correction_id or 0).values_list("decided_at", flat=True).first()
    public_at = applied or draft or row.turn.settled_at or row.made_at
    return Subject(
        kind=Kind.RULING,
        about=about,
        army="",
        title=about_in_words(ruling(row.number, row.turn.number)),
        link=reverse("turn", args=[round.slug, row.turn.number]),
        turn=row.turn.number,
        decided_at=max(row.made_at, public_at),
        against=row.judge,
        concerned=_holders_of(row.turn, row.army),
        whom=gettext("The player who controls %(army)s") % {"army": row.army},
        deciders=frozenset([row.judge.user_id]) | _correctors(Correction.objects.filter(pk=row.correction_id or 0)),
        fields={"ruling": row},
    )


def _penalty(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    rows = Penalty.objects.filter(turn__round=round, pk=_key(about), lifted_at__isnull=True)
    row = rows.select_related("turn", "judge", "army").defer("turn__position", "turn__events").first()
    if row is None:
        return None
    holders = _holders(row.turn, {row.army_id}) if row.army_id else frozenset()
    return Subject(
        kind=Kind.PENALTY,
        about=about,
        army="",
        title=about_in_words(penalty(row.number, row.turn.number)),
        link=reverse("penalties", args=[round.slug]),
        turn=row.turn.number,
        decided_at=row.made_at,
        against=row.judge,
        concerned=holders | {row.player_id},
        whom=gettext("Players who got the penalty or who control the army"),
        deciders=frozenset([row.judge.user_id]),
        fields={"penalty": row},
    )


def _refusal(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    rows = Turn.objects.filter(round=round, number=_key(about), state=TurnState.SETTLED)
    turn = rows.defer("position").first()
    if turn is None or not _refused(turn.events, army):
        return None
    corrections = Correction.objects.filter(turn=turn, state=Correction.State.APPLIED).order_by("decided_at")
    again = [row for row in corrections if _refused(row.old_events, army) != _refused(row.events, army)]
    last = again[-1] if again else None
    return Subject(
        kind=Kind.REFUSAL,
        about=about,
        army=army,
        title=about_in_words(refusal(army, turn.number)),
        link=reverse("turn", args=[round.slug, turn.number]),
        turn=turn.number,
        decided_at=(last.decided_at if last else None) or turn.settled_at or now,
        against=None,
        concerned=_holders_of(turn, army),
        whom=gettext("The player who controls %(army)s") % {"army": army},
        deciders=_correctors(corrections),
        fields={"of_turn": turn, "army": army, "decision": len(again)},
    )


def _refused(events: Iterable[Mapping[str, object]], army: str) -> list[Mapping[str, object]]:
    return [each for each in events if each["kind"] == "refused" and each.get("army") == army]


def _correctors(rows: QuerySet[Correction]) -> frozenset[int]:
    """R57: the users who proposed corrections, or applied them."""
    users = rows.values_list("judge__user_id", "decided_by__user_id")
    return frozenset(user for pair in users for user in pair if user is not None)


def _request(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    entry = _entry(round, about, REQUESTS)
    if entry is None:
        return None
    if entry.action == "control.declined":
        requests = ControlRequest.objects.filter(round=round, pk=_key(str(entry.data.get("request", ""))))
        concerned = frozenset(key for key in requests.values_list("player_id", flat=True) if key is not None)
        return _of_entry(
            round,
            entry,
            Kind.REQUEST,
            gettext("a refused change to the control list"),
            concerned,
            gettext("The player who asked"),
        )
    name = str(entry.data.get("army", ""))
    turn = Turn.objects.filter(round=round, opened_at__lte=entry.at).order_by("-number").first()
    holders = _holders_of(turn, name) if turn else frozenset()
    return _of_entry(
        round,
        entry,
        Kind.REQUEST,
        gettext("a refused change to %(name)s") % {"name": name},
        holders,
        gettext("The player who controls %(name)s") % {"name": name},
    )


def _sanction(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    entry = _entry(round, about, SANCTIONS)
    if entry is None:
        return None
    name = str(entry.data.get("player" if entry.action == BARRED else "by", ""))
    ids = [p.pk for p in Player.objects.filter(round=round) if name in (p.name, *(old for old, _ in p.former_names))]
    titles = {"board.hidden": gettext("a hidden message"), BARRED: gettext("a ban from this site")}
    title = titles.get(entry.action, gettext("a warning"))
    subject = _of_entry(
        round, entry, Kind.SANCTION, title, frozenset(ids), gettext("The player who got it"), hidden=False
    )
    return replace(subject, decided_at=_let_in(round, entry)) if entry.action == BARRED else subject


def _let_in(round: Round, entry: LogEntry) -> datetime:
    """1.6: Since when a formerly barred user may log in again, and so appeal: when the bar was lifted or ran out;
    before that, when it began."""
    same = LogEntry.objects.filter(round=round, action="person.let_in", data__player=entry.data.get("player"))
    let_in = same.filter(at__gte=entry.at).order_by("at").values_list("at", flat=True).first()
    until = entry.data.get("until")
    ends = [at for at in (let_in, datetime.fromisoformat(until) if until else None) if at]
    return min(ends, default=entry.at)


def _vote(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    row = Vote.objects.filter(round=round, pk=_key(about), withdrawn_at__isnull=True, counted_at__isnull=False).first()
    if row is None:
        return None
    voter_ids = row.ballots.values_list("player_id", flat=True)
    return Subject(
        kind=Kind.VOTE,
        about=about,
        army="",
        title=about_in_words(vote(row.question, bool(row.side))),
        link=reverse("vote", args=[round.slug, row.pk]),
        turn=0,
        decided_at=max(row.closes_at, row.counted_at or row.closes_at),
        against=None,
        concerned=frozenset([*voter_ids, *([row.player_id] if row.player_id else [])]),
        whom=gettext("Voters and the player who called the vote"),
        is_hidden=bool(row.side),
        fields={"vote": row},
    )


def _admission(round: Round, about: str, army: str, now: datetime) -> Subject | None:
    """1.1: A refused applicant is no player of the round, so it concerns them by their user alone."""
    row = Admission.objects.filter(round=round, pk=_key(about), state=Admission.State.REFUSED).first()
    if row is None or row.decided_at is None:
        return None
    acts = LogEntry.objects.filter(round=round, at=row.decided_at, action__in=("player.refused", "player.overruled"))
    users = frozenset(user for user in acts.values_list("actor_id", flat=True) if user)
    return Subject(
        kind=Kind.ADMISSION,
        about=about,
        army="",
        title=about_in_words(admission(row.name, row.side)),
        link=reverse("join", args=[round.slug]),
        turn=0,
        decided_at=row.decided_at,
        against=Judge.everybody.filter(round=round, user__in=users, name=row.decided_by).first(),
        concerned=frozenset(),
        whom=gettext("The person who was refused"),
        deciders=users,
        is_hidden=True,
        applicant=row.user_id,
        fields={"admission": row},
    )


def _entry(round: Round, about: str, actions: Iterable[str]) -> LogEntry | None:
    return LogEntry.objects.filter(round=round, key=about, action__in=actions).first()


def _of_entry(
    round: Round, entry: LogEntry, kind: str, title: str, concerned: frozenset[int], whom: str, hidden: bool = True
) -> Subject:
    seats = Judge.everybody.filter(round=round, user=entry.actor_id).order_by("pk")
    return Subject(
        kind=kind,
        about=str(entry.key),
        army="",
        title=title,
        link=reverse("log-entry", args=[round.slug, entry.key]),
        turn=0,
        decided_at=entry.at,
        against=seats.first(),
        concerned=concerned,
        whom=whom,
        deciders=frozenset([entry.actor_id] if entry.actor_id else []),
        is_hidden=hidden,
        fields={"entry": entry},
    )


def _holders(turn: Turn, armies: set[int]) -> frozenset[int]:
    """5.2: the players who controlled one of these armies from the opening of a turn to its lock."""
    last = last_moment(turn.lock_at)
    return frozenset(row.player_id for row in held_in(turn) if row.army_id in armies and row.since <= last)


def _holders_of(turn: Turn, army: str) -> frozenset[int]:
    """As `_holders`, by the name that an army has or had."""
    last, rows = last_moment(turn.lock_at), held_in(turn)
    matches = (row for row in rows if army in (row.army, *row.former))
    return frozenset(row.player_id for row in matches if row.since <= last)


FINDERS: dict[str, Callable[[Round, str, str, datetime], Subject | None]] = {
    Kind.RESULT: _result,
    Kind.RULING: _ruling,
    Kind.PENALTY: _penalty,
    Kind.REFUSAL: _refusal,
    Kind.REQUEST: _request,
    Kind.SANCTION: _sanction,
    Kind.VOTE: _vote,
    Kind.ADMISSION: _admission,
}
"""R57: Finders of subjects by kind."""
