"""R57, R58: The appeals of a round as viewers may read them, who may lodge and answer one, and who is notified."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, Q, QuerySet
from django.urls import reverse

from judging.appeals.models import Appeal
from judging.appeals.subjects import Subject, about_in_words, about_of_row, find_subject, outcome_in_words, subject_of
from judging.battles.checks import able_to_judge
from judging.battles.models import Battle, BattleArmy
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import sides_named
from judging.common.models import LogEntry
from judging.common.pagination import Paged, paged
from judging.common.viewer import Viewer
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.appeals import AppealStanding, last_minute, why_no_appeal
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Side

A_PAGE = 30
State, Kind = Appeal.State, Appeal.Kind

RULERS = (Role.BATTLE, Role.MOVEMENT)
"""1.3: the roles whose judges read a hidden appeal."""


class JudgeDraw(NamedTuple):
    """R38: A draw of the judge who answers: its name, among whom, and the result."""

    name: str
    among: tuple[str, ...]
    drew: str


class OverruledAnswer(NamedTuple):
    """1.3: An answer that the head battle judge overruled: who gave it, its text, and when."""

    judge: str
    outcome: str
    cites: str
    text: str
    at: datetime


@dataclass(frozen=True)
class AppealView:
    """R57: An appeal. `outcome` describes its result, `judge` is who answers or answered, empty for nobody yet;
    `is_party`: that is the head, who had a part in the decision. `draws`: the last one counts. `overruled` are
    earlier answers. `may_answer`, `may_overrule` and `may_withdraw` are the viewer's."""

    id: int
    number: int
    kind: str
    title: str
    link: str
    turn: int
    player: str
    side: str
    against: str
    decision: int
    cites: str
    reason: str
    lodged_at: datetime
    judge: str
    is_party: bool
    due_at: datetime
    draws: tuple[JudgeDraw, ...]
    state: str
    outcome: str
    answer: str
    answer_cites: str
    answered_at: datetime | None
    overruled: tuple[OverruledAnswer, ...]
    holds: bool
    held_until: datetime | None
    is_hidden: bool
    battle: int | None
    correction: int | None
    may_answer: bool = False
    may_overrule: bool = False
    may_withdraw: bool = False

    @property
    def is_open(self) -> bool:
        return self.state == State.OPEN


def rows_for(viewer: Viewer) -> QuerySet[Appeal]:
    """R57: The appeals that a viewer may see, newest first. Until the round is over, only its player and the battle
    and movement judges see a hidden one."""
    rows = Appeal.objects.filter(round=viewer.round).select_related(*JOINED).defer(*LEFT_OUT).order_by("-number")
    if viewer.round.state == RoundState.OVER or any(viewer.is_judge(role) for role in RULERS):
        return rows
    is_own = Q(player=viewer.player) if viewer.player else Q()
    is_own |= Q(admission__user=viewer.user_id) if viewer.user_id else Q()
    return rows.filter(Q(is_hidden=False) | is_own) if is_own else rows.filter(is_hidden=False)


JOINED = (
    *("round", "player", "turn", "battle__turn", "ruling__turn", "penalty__turn", "vote", "entry", "of_turn"),
    *("against", "judge", "correction__turn", "admission"),
)
_TURNS = ("turn", "battle__turn", "ruling__turn", "penalty__turn", "of_turn", "correction__turn")
LEFT_OUT = tuple(f"{turn}__{name}" for turn in _TURNS for name in ("position", "events", "sky"))


def appeals_page(viewer: Viewer, *, rule: str = "", page: str = "1") -> Paged[AppealView]:
    """R57: The appeals of a round, newest first, or those that cite a rule or a paragraph below it."""
    appeals = _by_rule(rows_for(viewer), rule)
    return paged(appeals, A_PAGE, page, lambda rows: (appeal_view(row, viewer) for row in rows))


def appeal_views(viewer: Viewer, rule: str = "") -> list[AppealView]:
    """R57: All of them, for the API."""
    return [appeal_view(row, viewer) for row in _by_rule(rows_for(viewer), rule)]


def appeal_for(viewer: Viewer, number: int) -> Appeal | None:
    """R57: the appeal of that number, if the viewer may see it."""
    return rows_for(viewer).filter(number=number).first()


def against_result(viewer: Viewer, battle_id: int) -> list[AppealView]:
    """R57: The appeals against a battle's result, oldest first."""
    rows = rows_for(viewer).filter(kind=Kind.RESULT, battle=battle_id).order_by("number")
    return [appeal_view(row, viewer) for row in rows]


def standing_of(player: Player | None, subject: Subject, round: Round, user: int | None = None) -> AppealStanding:
    """R57: The facts that decide whether a player, or a refused applicant, may appeal against something."""
    appeals = Appeal.objects.filter(player=player) if player else Appeal.objects.none()
    if subject.applicant is not None:
        appeals = Appeal.objects.filter(round=round, admission__user=user or 0)
    return AppealStanding(
        concerns=user == subject.applicant if subject.applicant else bool(player and player.pk in subject.concerned),
        before=appeals.filter(kind=subject.kind, **subject.fields).exists(),
        decided_at=subject.decided_at,
        open=appeals.filter(state=State.OPEN).count(),
        whom=subject.whom,
    )


def subject_for(viewer: Viewer, kind: str, about: str, army: str, now: datetime) -> Subject | None:
    """R57: The subject that an address names, if this viewer may see it: a hidden one exists only for those whom it
    concerns."""
    subject = find_subject(viewer.round, kind, about, army, now)
    if subject is None or not subject.is_hidden:
        return subject
    is_his = viewer.player is not None and viewer.player.pk in subject.concerned
    is_his = is_his or (subject.applicant is not None and subject.applicant == viewer.user_id)
    return subject if is_his else None


def why_not(
    player: Player | None, subject: Subject, round: Round, now: datetime, user: int | None = None
) -> Finding | None:
    """R57: The reason why a player, or a user who is no player, may not appeal against something now; None if they
    may."""
    standing = standing_of(player, subject, round, user)
    return why_no_appeal(standing, within=round.appeal_within, most=round.most_appeals, now=now)


def until(subject: Subject, round: Round) -> datetime:
    """R57: The deadline for an appeal against it."""
    return last_minute(subject.decided_at, round.appeal_within)


def able_judges(appeal: Appeal, subject: Subject | None) -> list[Judge]:
    """R57: The independent judges, among whom the one who answers is drawn. `appeal` need not be stored."""
    rows = Judge.objects.filter(round=appeal.round_id, role=Role.BATTLE).order_by("pk")
    judges = able_to_judge(appeal.battle) if appeal.battle else list(rows)
    independent = [judge for judge in judges if not is_party(judge, appeal, subject)]
    barred = _barred_users(appeal, {judge.user_id for judge in independent}) if independent else set()
    return [judge for judge in independent if judge.user_id not in barred]


def _barred_users(appeal: Appeal, users: Collection[int]) -> set[int]:
    """R57, R56: Those of the users who may not answer: they appeal, play in the round, or command mercenaries in the
    battle."""
    barred = {appeal.admission.user_id} if appeal.admission else set()
    players = Player.objects.filter(round=appeal.round_id, user__in=users, left_at__isnull=True)
    barred |= set(players.values_list("user_id", flat=True))
    if appeal.battle:
        seats = Judge.objects.filter(round=appeal.round_id, user__in=users, role=Role.MERCENARY)
        fighting = BattleArmy.objects.filter(battle=appeal.battle, army__side=Side.MERCENARY)
        barred |= set(seats.filter(Exists(fighting)).values_list("user_id", flat=True))
    return barred


def is_party(judge: Judge, appeal: Appeal, subject: Subject | None) -> bool:
    """R57: whether a judge had a part in the decision that an appeal contests."""
    decided = subject.deciders if subject else frozenset([appeal.against.user_id] if appeal.against else [])
    return judge.user_id in decided


class Answerer(NamedTuple):
    """R57: Who would answer an appeal if it came now: `can` says whether anybody independent is there; `head` is the
    name of the head who would have to answer otherwise, or empty, and `is_party` says whether they had a part in the
    decision."""

    can: bool
    head: str = ""
    is_party: bool = False


def answerer_of(round: Round, subject: Subject, user: int | None) -> Answerer:
    """R57: Who would answer, for the appeal form."""
    row = Appeal(round=round, kind=subject.kind, against=subject.against, **subject.fields)
    if able_judges(row, subject):
        return Answerer(True)
    head = head_for(row, user)
    return Answerer(False, head.name, is_party(head, row, subject)) if head else Answerer(False)


def waiting_for_independent(rounds: Iterable[Round]) -> list[Appeal]:
    """R57: the open appeals of these rounds that nobody independent answers."""
    rows = Appeal.objects.filter(round__in=rounds, state=State.OPEN, round__state=RoundState.RUNNING)
    return list(rows.filter(Q(is_party=True) | Q(judge__isnull=True)).order_by("round", "number"))


def head_for(appeal: Appeal, user: int | None) -> Judge | None:
    """R57: the head battle judge, who answers where nobody independent can; never a `user` who appeals."""
    heads = Judge.objects.filter(round=appeal.round_id, role=Role.BATTLE, is_head=True)
    return heads.exclude(user=user or 0).first()


def to_answer(viewer: Viewer) -> list[Appeal]:
    """R57: The open appeals that the viewer must answer, most urgent first."""
    rows = Appeal.objects.filter(round=viewer.round, state=State.OPEN, judge__user=viewer.user_id or 0)
    return list(rows.select_related(*JOINED).defer(*LEFT_OUT).order_by("due_at", "number"))


def title_of(row: Appeal) -> str:
    """The subject of an appeal, as a part of a sentence."""
    return about_in_words(about_of_row(row))


def link_of(row: Appeal) -> str:
    """The page of the appeal's subject."""
    slug = row.round.slug
    if row.battle:
        return reverse("battle", args=[slug, row.battle.pk])
    if row.vote:
        return reverse("vote", args=[slug, row.vote.pk])
    if row.penalty:
        return reverse("penalties", args=[slug])
    if row.admission:
        return reverse("join", args=[slug])
    if row.entry:
        return reverse("log-entry", args=[slug, row.entry.key])
    turn = row.ruling.turn if row.ruling else row.of_turn or row.turn
    return reverse("turn", args=[slug, turn.number])


def appeal_view(row: Appeal, viewer: Viewer) -> AppealView:
    is_open = row.state == State.OPEN
    return AppealView(
        id=row.pk,
        number=row.number,
        kind=row.kind,
        title=title_of(row),
        link=link_of(row),
        turn=row.turn.number,
        player=row.lodger.name,
        side=row.lodger.side,
        against=row.against.name if row.against else "",
        decision=row.decision,
        cites=row.cites,
        reason=row.reason,
        lodged_at=row.lodged_at,
        judge=row.judge.name if row.judge else "",
        is_party=row.is_party,
        due_at=row.due_at,
        draws=tuple(JudgeDraw(one["name"], tuple(one["among"]), one["drew"]) for one in row.draws),
        state=row.state,
        outcome=row.get_state_display(),
        answer=row.answer,
        answer_cites=row.answer_cites,
        answered_at=row.answered_at,
        overruled=tuple(
            OverruledAnswer(
                judge=one["judge"],
                outcome=outcome_in_words(one["how"]),
                cites=one["cites"],
                text=one["text"],
                at=datetime.fromisoformat(one["at"]),
            )
            for one in row.overruled
        ),
        holds=is_open and row.holds,
        held_until=row.turn.held_until if is_open and row.holds else None,
        is_hidden=row.is_hidden,
        battle=row.battle_id,
        correction=row.correction.turn.number if row.correction else None,
        may_answer=is_open and row.judge is not None and row.judge.user_id == viewer.user_id,
        may_overrule=viewer.user_id is not None and may_overrule(row, viewer.user_id),
        may_withdraw=is_open and viewer.user_id is not None and row.lodger.user_id == viewer.user_id,
    )


def may_overrule(row: Appeal, user: int) -> bool:
    """1.3, R57: Whether a user may overrule the answer: the head battle judge may overrule an assistant's."""
    if row.state not in (State.UPHELD, State.MENDED, State.ANEW) or row.judge is None or row.judge.user_id == user:
        return False
    heads = Judge.objects.filter(round=row.round_id, role=Role.BATTLE, is_head=True, user=user)
    return row.round.state == RoundState.RUNNING and heads.exists()


def _by_rule(rows: QuerySet[Appeal], rule: str) -> QuerySet[Appeal]:
    number = rule.replace("\0", "").strip().rstrip(".").upper()
    if not number:
        return rows
    conditions: Iterable[Q] = (Q(**{f"{name}": number}) | Q(**{f"{name}__startswith": f"{number}."}) for name in CITES)
    condition = Q()
    for each in conditions:
        condition |= each
    return rows.filter(condition)


CITES = ("cites", "answer_cites")


NEWS_JOINED = (
    *("player", "judge", "against", "round", "vote", "entry"),
    *("battle__turn", "ruling__turn", "penalty__turn", "of_turn"),
)


def _told_of_appeal(entry: LogEntry) -> tuple[Appeal, dict[str, object]] | None:
    """R57: the appeal that an entry of the log is about, and what is told of it."""
    rows = Appeal.objects.filter(round=entry.round_id, number=entry.data.get("appeal", 0))
    row = rows.select_related(*NEWS_JOINED).first()
    if row is None:
        return None
    told: dict[str, object] = {"number": row.number, "player": row.lodger.name, "judge": entry.data.get("judge")}
    return row, told | {"about": about_of_row(row), "outcome": row.state}


def drawn_for_appeal(entry: LogEntry) -> Iterator[tuple[list[int], dict[str, object], datetime]]:
    """R57: the judge whom an entry names, if they answer the appeal now, what they are told, and their deadline."""
    if (found := _told_of_appeal(entry)) and (judge := found[0].judge) and judge.name == entry.data.get("judge"):
        row, told = found
        yield [judge.user_id], {**told, "due": row.due_at.isoformat()}, row.due_at


def concerned_by_appeal(entry: LogEntry) -> Iterator[tuple[list[int], dict[str, object]]]:
    """R57: both sides of an appeal: its player, all whom the decision concerns, who decided, who answers, and the judge
    who loses it or is overruled. Of a hidden one its player and the judges alone."""
    if (told := _told_of_appeal(entry)) is None:
        return
    row, data = told
    found = None if row.is_hidden else subject_of(row, entry.at)
    concerned = Player.objects.filter(pk__in=found.concerned if found else (), left_at__isnull=True)
    users = {row.lodger.user_id, *concerned.values_list("user_id", flat=True)}
    users |= {row.against.user_id} if row.against else set()
    before = Judge.objects.filter(round=row.round_id, name=entry.data.get("before") or "", role__in=RULERS)
    users |= set(before.values_list("user_id", flat=True))
    yield sorted(users), data


def told_of_anew(battle: Battle, control: Mapping[str, set[int]]) -> tuple[list[int], dict[str, object]] | None:
    """R58: all who fought in a battle that was judged anew, and what they are told. `control` are the users by the
    armies' names."""
    row = battle.rejudgements.filter(state=Rejudgement.State.APPLIED).order_by("decided_at").last()
    if row is None:
        return None
    sides = sides_named(battle)
    won, before = row.outcome["winner"], row.outcome_before["winner"]
    users = {user for side in sides for name in side for user in control.get(name, ())}
    return sorted(users), {"won": sides[won], "as_before": won == before}
