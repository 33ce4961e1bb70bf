"""What the demo round needs first, so that an operation that sends a form has something to do there."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import reverse
from rest_framework.test import APIClient

from judging.api.schema import example
from judging.appeals.models import Appeal
from judging.armies.models import ChangeRequest, Muster
from judging.battles.models import Battle, BattleArmy
from judging.boards.models import Message
from judging.command.models import Admission, ControlRequest, Invitation
from judging.penalties.models import Penalty
from judging.setup.models import PlannedSite
from judging.tables.models import Table
from judging.turns.models import Correction, Draft, Ruling, StageFailure
from judging.turns.stages import advance
from judging.votes.models import Vote
from judging.webhooks.models import Hook, HookMessage
from tests.api import preparing_tables
from wargame.models import Judge, Round, Turn

LEADER, BATTLE, MOVEMENT, MERCENARY = "auricthorn", "magistra", "quillon", "tollkeeper"
CHIEF, STRANGER = "magistra", "fencesitter"
"""A judge is made an administrator for what only they do."""

ASKED_BY = {
    **dict.fromkeys(("admissions_ask", "admissions_withdraw", "invitation_answer"), STRANGER),
    **dict.fromkeys(("early_lock_set", "early_lock_take_back", "judges_seat", "command_decide"), BATTLE),
    **dict.fromkeys(("musters_decide", "changes_decide", "book_write", "rounds_win", "turns_retry"), BATTLE),
    **dict.fromkeys(("messages_moderate", "appeals_answer", "penalties_lift", "penalties_hand_down"), BATTLE),
    **dict.fromkeys(("rulings_add", "rulings_withdraw", "draft_publish"), MOVEMENT),
    **dict.fromkeys(("corrections_propose", "corrections_decide"), MOVEMENT),
    **dict.fromkeys(("mercenaries_act", "mercenaries_strat"), MERCENARY),
    **dict.fromkeys(("people_act", "heads_name", "letters_again", "rounds_begin"), CHIEF),
    **dict.fromkeys(("setup_step", "setup_one", "setup_start", "setup_give_up"), CHIEF),
    **dict.fromkeys(("hooks_list", "hooks_read", "hooks_drop", "hook_messages_list"), LEADER),
    **dict.fromkeys(("votes_withdraw", "control_requests_withdraw", "done_mark"), LEADER),
    **preparing_tables.ASKED_BY,
    "rounds_take_in": CHIEF,
}
"""Who asks, by the operation; else a leader."""

NOTHING_IS_CHECKED: Callable[..., None] = lambda *args, **more: None  # noqa: E731


@dataclass
class Scene:
    """The demo round, the moment, and what is patched for one example."""

    round: Round
    now: datetime
    patch: pytest.MonkeyPatch

    def turn(self, number: int = 4) -> Turn:
        return Turn.objects.get(round=self.round, number=number)

    def send(self, who: str, method: str, address: str, operation: str = "", **where: Any) -> Any:
        """Sends another operation's example; the answer is one that was done."""
        path = reverse(address, kwargs={"slug": self.round.slug, **where})
        body = example(f"{operation}.request") if operation else {}
        answer = getattr(client_of(who), method)(path, body, format="json")
        assert answer.status_code in (200, 201), answer.content
        return answer

    def table(
        self, who: str, address: str, operation: str = "", body: Any = None, method: str = "post", **w: Any
    ) -> Any:
        """Does something at the demo's card table first."""
        slug = Table.objects.get(is_demo=True).slug
        sent = example(f"{operation}.request") if operation else body
        path = reverse(address, kwargs={"table": slug, **w})
        answer = getattr(client_of(who), method)(path, sent, format="json")
        assert answer.status_code in (200, 201), answer.content
        return answer


def client_of(username: str) -> APIClient:
    client = APIClient()
    if username:
        user = User.objects.get(username=username)
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def prepare(operation: str, scene: Scene) -> dict[str, Any]:
    """Does first what the operation needs; what its address has where that is no turn of the round."""
    if ASKED_BY.get(operation) == CHIEF and operation not in ("judges_seat",):
        User.objects.filter(username=CHIEF).update(is_superuser=True)
    return (PREPARING[operation](scene) or {}) if operation in PREPARING else {}


def _vote(scene: Scene) -> dict[str, Any]:
    scene.send(LEADER, "post", "api-votes", "votes_call")
    return {"vote_id": Vote.objects.latest("pk").pk}


def _may_lock(scene: Scene) -> None:
    Round.objects.filter(pk=scene.round.pk).update(may_lock_early=True)
    scene.patch.setattr("judging.turns.done.services._check_all_are_done", NOTHING_IS_CHECKED)


def _locked_early(scene: Scene) -> None:
    _may_lock(scene)
    scene.send(BATTLE, "put", "api-early-lock", "early_lock_set", number=4)


def _asking(scene: Scene) -> dict[str, Any]:
    scene.send(STRANGER, "post", "api-admission", "admissions_ask")
    return {"admission_id": Admission.objects.latest("pk").pk}


def _invited(scene: Scene) -> None:
    user = User.objects.get(username=STRANGER)
    row = {"earlier": "The First War", "side": "coalition", "name": "Fence Sitter", "invited_at": scene.now}
    Invitation.objects.create(round=scene.round, user=user, **row)


def _invited_and_asking(scene: Scene) -> None:
    _invited(scene)
    path = reverse("api-invitation", kwargs={"slug": scene.round.slug})
    assert client_of(STRANGER).post(path, {"act": "accept"}, format="json").status_code == 200


def _newcomer(scene: Scene) -> None:
    scene.patch.setattr("judging.armies.changes.services.offer_faults", lambda *args: ())


def _waiting(scene: Scene) -> dict[str, Any]:
    scene.send(LEADER, "post", "api-control-requests", "control_requests_create")
    ControlRequest.objects.update(state="waiting")
    return {"request_id": ControlRequest.objects.latest("pk").pk}


def _moved(scene: Scene) -> dict[str, Any]:
    """Turn 4 is locked, and its moves wait for the movement judge."""
    turn = scene.turn()
    locked = scene.now - timedelta(minutes=2)
    Turn.objects.filter(pk=turn.pk).update(lock_at=locked, deadline=locked)
    Round.objects.filter(pk=scene.round.pk).update(publish_after=None)
    Battle.objects.filter(turn=turn).update(state="void")
    scene.send(MERCENARY, "post", "api-mercenaries", "mercenaries_act", number=4)
    advance(turn.pk, scene.now)
    return {"number": 4}


def _ruled(scene: Scene) -> dict[str, Any]:
    where = _moved(scene)
    scene.send(MOVEMENT, "post", "api-rulings", "rulings_add", number=4)
    return where | {"ruling_id": Ruling.objects.latest("pk").pk}


def _drafted(scene: Scene) -> dict[str, Any]:
    where = _moved(scene)
    Draft.objects.update(digest=example("draft_publish.request")["digest"])
    return where


def _proposed(scene: Scene) -> dict[str, Any]:
    scene.send(MOVEMENT, "post", "api-corrections", "corrections_propose", number=3)
    return {"correction_id": Correction.objects.latest("pk").pk}


def _failing(scene: Scene) -> dict[str, Any]:
    at = dict.fromkeys(("first_at", "last_at", "retry_at"), scene.now)
    StageFailure.objects.create(turn=scene.turn(), state="open", failures=3, error="KeyError", **at)
    return {"number": 4}


def _won(scene: Scene) -> None:
    turn = scene.turn(3)
    scene.patch.setattr("judging.turns.victories.proposal_of", lambda round_: (turn, [{"side": "coalition"}]))


def _over(scene: Scene) -> None:
    Round.objects.filter(pk=scene.round.pk).update(state="over")


def _set_up(scene: Scene) -> dict[str, Any]:
    """Another round, begun from the demo round."""
    Round.objects.filter(pk=scene.round.pk).update(state="over")
    User.objects.filter(username=CHIEF).update(is_superuser=True)
    path = reverse("api-round-new")
    answer = client_of(CHIEF).post(path, example("rounds_begin.request"), format="json")
    assert answer.status_code == 200, answer.content
    begun = Round.objects.latest("pk")
    return {"slug": begun.slug, "step": "book", "page": "wish"}


def _site(scene: Scene) -> dict[str, Any]:
    where = _set_up(scene)
    site = PlannedSite.objects.filter(round__slug=where["slug"], kind="base").order_by("pk")[0]
    return where | {"what": "descriptions", "key": site.pk}


def _ready(scene: Scene) -> dict[str, Any]:
    where = _set_up(scene)
    scene.patch.setattr("judging.setup.steps.start.start_round", lambda **who: scene.turn())
    return where


def _plays_there(scene: Scene) -> dict[str, Any]:
    """The leader of the demo round leads in the other one, too."""
    where = _set_up(scene)
    round_ = Round.objects.get(slug=where["slug"])
    player = {"name": "Auric Thorn", "side": "coalition", "rank": "general"}
    round_.players.create(user=User.objects.get(username=LEADER), joined_at=scene.now, **player)
    return where


def _mustered(scene: Scene) -> dict[str, Any]:
    where = _plays_there(scene)
    scene.send(LEADER, "post", "api-musters", "musters_begin", slug=where["slug"])
    return where | {"muster_id": Muster.objects.latest("pk").pk}


def _sent_muster(scene: Scene) -> dict[str, Any]:
    where = _mustered(scene)
    Muster.objects.filter(pk=where["muster_id"]).update(state="sent")
    return where


def _changed(scene: Scene) -> dict[str, Any]:
    scene.send(LEADER, "put", "api-army-change", "changes_write", name="Auric Thorn", how="change")
    row = ChangeRequest.objects.latest("pk")
    ChangeRequest.objects.filter(pk=row.pk).update(state="sent")
    return {"request_id": row.pk}


def _appealed(scene: Scene) -> dict[str, Any]:
    if not Appeal.objects.exists():
        scene.send(LEADER, "post", "api-appeals", "appeals_lodge")
    judge = Judge.objects.filter(round=scene.round, user__username=BATTLE, role="battle")[0]
    Appeal.objects.update(judge=judge)
    return {"number": Appeal.objects.latest("pk").number}


def _mercenary(scene: Scene) -> dict[str, Any]:
    """A mercenary that fights in the present turn."""
    entries = BattleArmy.objects.filter(battle__turn__round=scene.round, battle__turn__number=4)
    entry = entries.filter(army__side="mercenary").order_by("pk")[0]
    return {"battle_id": entry.battle_id, "army": entry.name}


def _penalised(scene: Scene) -> dict[str, Any]:
    scene.send(BATTLE, "post", "api-penalty-new", "penalties_hand_down")
    return {"penalty_id": Penalty.objects.latest("pk").pk}


def _hooked(scene: Scene) -> dict[str, Any]:
    """A webhook of the leader, with the same draws each time."""
    scene.patch.setattr("judging.webhooks.services.new_secret", lambda: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz")
    scene.patch.setattr("judging.webhooks.services.new_number", lambda: "msg_0123456789abcdef01234567")
    answer = client_of(LEADER).post(reverse("api-hooks"), example("hooks_create.request"), format="json")
    assert answer.status_code == 201, answer.content
    return {"hook_id": Hook.objects.latest("pk").pk}


def _told(scene: Scene) -> dict[str, Any]:
    where = _hooked(scene)
    path = reverse("api-hook-messages", kwargs=where)
    assert client_of(LEADER).post(path, {}, format="json").status_code == 201
    return where | {"message_id": HookMessage.objects.latest("pk").pk}


def _drawn_hook(scene: Scene) -> None:
    scene.patch.setattr("judging.webhooks.services.new_secret", lambda: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz")


def _takes_mail(scene: Scene) -> None:
    scene.patch.setattr("django.conf.settings.MAIL_ORDERS", "orders@wargame.example")
    scene.patch.setattr("judging.inbound_email.services._token", lambda: "abcdefghijklmnopqrstuvwxyz01")
    User.objects.filter(email="").update(email=Concat("username", Value("@players.example")))


def _taken_in(scene: Scene) -> None:
    """A file that has all of a round would be a long example."""
    done = SimpleNamespace(round=scene.round, people=SimpleNamespace(made=["newt"]), is_public=False)
    scene.patch.setattr("judging.import_export.api.import_round", lambda data, **how: done)


PREPARING: dict[str, Callable[[Scene], dict[str, Any] | None]] = {
    **preparing_tables.PREPARING,
    "hooks_create": _drawn_hook,
    **dict.fromkeys(("hooks_list", "hooks_read", "hooks_drop", "hooks_switch_on", "hooks_renew", "hooks_try"), _hooked),
    **dict.fromkeys(("hook_messages_list", "hook_messages_send_again"), _told),
    **dict.fromkeys(("mailbox_renew", "table_mailbox_renew"), _takes_mail),
    "desk_battle_act": lambda scene: {"act": "criterion"},
    "desk_battle_press": lambda scene: {"act": "retire"},
    "rounds_take_in": _taken_in,
    "votes_withdraw": _vote,
    "mercenaries_strat": _mercenary,
    "early_lock_set": lambda scene: _may_lock(scene) or {"number": 4},
    "early_lock_take_back": lambda scene: _locked_early(scene) or {"number": 4},
    "admissions_withdraw": _asking,
    "admissions_decide": _asking,
    "invitation_answer": _invited,
    "players_lead": lambda scene: {"name": "Cinderhoof"},
    "admissions_accept_invited": _invited_and_asking,
    "newcomers_offer": _newcomer,
    "control_give": lambda scene: {"name": "Cinderhoof"},
    "control_requests_withdraw": _waiting,
    "rulings_add": _moved,
    "rulings_withdraw": _ruled,
    "draft_publish": _drafted,
    "corrections_decide": _proposed,
    "turns_retry": _failing,
    "rounds_win": _won,
    "setup_step": _set_up,
    "setup_one": _site,
    "setup_team": _plays_there,
    "setup_start": _ready,
    "setup_give_up": _set_up,
    "musters_begin": _plays_there,
    "musters_write": _mustered,
    "musters_decide": _sent_muster,
    "changes_write": lambda scene: {"name": "Auric Thorn", "how": "change"},
    "changes_decide": _changed,
    "appeals_answer": _appealed,
    "penalties_lift": _penalised,
    "mercenaries_act": lambda scene: {"number": 4},
    "messages_moderate": lambda scene: {"number": Message.objects.filter(thread__key="talk").order_by("pk")[0].number},
    "rounds_begin": _over,
    "people_act": lambda scene: {"person": User.objects.get(username=STRANGER).pk},
}
"""By the operation."""
