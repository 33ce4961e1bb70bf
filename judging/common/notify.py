"""1.2: who is told what happened. Who writes a fact may tell of it in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class NewsKind(StrEnum):
    """What somebody can be told. Its sentence, and who may still read it, are in `judging/notifications/kinds`."""

    STRAT_DUE = "strat.due"
    STRAT_MISSED = "strat.missed"
    WORD_DUE = "word.due"
    LOCK_NEAR = "lock.near"
    LOCK_MOVED = "lock.moved"
    DEADLINE_MOVED = "deadline.moved"
    VOTE_CLOSING = "vote.closing"
    ARMY_REFUSED = "army.refused"
    ARMY_STOPPED = "army.stopped"
    ARMY_HEALED = "army.healed"
    ARMY_KILLED = "army.killed"
    ARMY_CAPTURED = "army.captured"
    ARMY_FREED = "army.freed"
    ARMY_TRANSFERRED = "army.transferred"
    ARMY_CHANGED = "army.changed"
    ARMY_GIVEN = "army.given"
    ARMY_TAKEN = "army.taken"
    BATTLE_ANNOUNCED = "battle.announced"
    BATTLE_RESULT = "battle.result"
    STRAT_ACCEPTED = "strat.accepted"
    STRAT_OVERRULED = "strat.overruled"
    BATTLE_ANEW = "battle.anew"
    TURN_OPENED = "turn.opened"
    ROUND_WON = "round.won"
    TALK_NAMED = "talk.named"
    TALK_QUOTED = "talk.quoted"
    TALK_PRESS = "talk.press"
    TALK_HIDDEN = "talk.hidden"
    TALK_REPORTED = "talk.reported"
    TALK_REPORT_DECIDED = "talk.report_decided"
    ADMISSION_ASKED = "admission.asked"
    ADMISSION_ACCEPTED = "admission.accepted"
    ADMISSION_REFUSED = "admission.refused"
    ADMISSION_OVERRULED = "admission.overruled"
    RANK_CHANGED = "rank.changed"
    PLAYER_INACTIVE = "player.inactive"
    PLAYER_ACTIVE = "player.active"
    PLAYER_LEFT = "player.left"
    PLAYER_BARRED = "player.barred"
    PLAYER_LET_IN = "player.let_in"
    POWER_GIVEN = "power.given"
    CONTINGENCY_SET = "contingency.set"
    REQUEST_DECIDED = "request.decided"
    VOTE_OPENED = "vote.opened"
    ARMY_OFFERED = "army.offered"
    APPEAL_LODGED = "appeal.lodged"
    APPEAL_ANSWERED = "appeal.answered"
    APPEAL_WITHDRAWN = "appeal.withdrawn"
    APPEAL_PASSED_ON = "appeal.passed_on"
    APPEAL_OVERRULED = "appeal.overruled"
    JUDGE_APPEAL = "judge.appeal"
    JUDGE_APPEAL_DUE = "judge.appeal_due"
    PENALTY_GIVEN = "penalty.given"
    PENALTY_LIFTED = "penalty.lifted"
    RULING_MADE = "ruling.made"
    TURN_CORRECTED = "turn.corrected"
    NAME_GRANTED = "name.granted"
    NAME_REFUSED = "name.refused"
    MUSTER_ACCEPTED = "muster.accepted"
    MUSTER_REFUSED = "muster.refused"
    CHANGE_ACCEPTED = "change.accepted"
    CHANGE_REFUSED = "change.refused"
    JUDGE_NAMED = "judge.named"
    JUDGE_DISMISSED = "judge.dismissed"
    JUDGE_SCORE = "judge.score"
    JUDGE_ROLL = "judge.roll"
    JUDGE_SECOND = "judge.second"
    JUDGE_CONSENT = "judge.consent"
    JUDGE_CONSENTED = "judge.consented"
    JUDGE_AGREE = "judge.agree"
    JUDGE_AGREED = "judge.agreed"
    JUDGE_DIFFER = "judge.differ"
    JUDGE_THIRD = "judge.third"
    JUDGE_YOURS = "judge.yours"
    JUDGE_LOST = "judge.lost"
    JUDGE_HEAD = "judge.head"
    JUDGE_AWAY = "judge.away"
    JUDGE_BARRED = "judge.barred"
    JUDGE_LET_IN = "judge.let_in"
    JUDGE_LATE = "judge.late"
    JUDGE_OVERDUE = "judge.overdue"
    JUDGE_EXCEPTION = "judge.exception"
    JUDGE_EXCEPTION_OVER = "judge.exception_over"
    JUDGE_PENALTY = "judge.penalty"
    JUDGE_NAME = "judge.name"
    JUDGE_FEEDBACK = "judge.feedback"
    JUDGE_MUSTER = "judge.muster"
    JUDGE_CHANGE = "judge.change"
    JUDGE_HEAD_ACCEPTED = "judge.head_accepted"
    JUDGE_HEAD_DECLINED = "judge.head_declined"
    JUDGE_HEAD_LAPSED = "judge.head_lapsed"
    JUDGE_HEAD_OFFERED = "judge.head_offered"
    JUDGE_HEAD_WITHDRAWN = "judge.head_withdrawn"
    JUDGE_PUBLISH = "judge.publish"
    TABLE_MOVE = "table.move"
    TABLE_DUE = "table.due"
    TABLE_ASKED = "table.asked"
    TABLE_OVER = "table.over"
    TABLE_MISSED = "table.missed"
    TABLE_AWAY = "table.away"
    TABLE_STANDS = "table.stands"
    TABLE_REPLACED = "table.replaced"
    TABLE_NAMED = "table.named"
    TABLE_REPORTED = "table.reported"
    TABLE_REPORT_DECIDED = "table.report_decided"
    TABLE_WARNED = "table.warned"
    TABLE_SANCTIONED = "table.sanctioned"
    TABLE_LIFTED = "table.lifted"
    TABLE_APPEALED = "table.appealed"
    TABLE_ANSWERED = "table.answered"
    TABLE_APPEAL_YOURS = "table.appeal_yours"
    TABLE_NO_JUDGE = "table.no_judge"
    TABLE_UNAGREED = "table.unagreed"
    TABLE_BACK = "table.back"
    TABLE_BACK_ASKED = "table.back_asked"
    TABLE_LOOKED = "table.looked"
    TABLE_DRAW = "table.draw"
    TABLE_ENDING = "table.ending"
    TABLE_JUDGE_NAMED = "table.judge_named"
    TABLE_JUDGE_PROPOSED = "table.judge_proposed"
    TABLE_LAPSED = "table.lapsed"


@dataclass(frozen=True)
class News:
    """Something to be told to one person: see `Notification` for the fields."""

    user_id: int
    kind: NewsKind
    key: str
    at: datetime
    round_id: int | None = None
    turn: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    due_at: datetime | None = None

    def __post_init__(self) -> None:
        NewsKind(self.kind)  # ValueError for a kind that there is not, which nobody would ever read

    @property
    def about(self) -> tuple[int, str, str]:
        """What makes it the same as another one."""
        return self.user_id, self.kind, self.key
