"""What waits for a player, and what their last turn brought."""

from typing import ClassVar

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Forbidden
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES, Body, EventOut, Shape
from judging.armies.changes.services import changes_of
from judging.command.badges import waiting_for
from judging.common.control import control_in
from judging.my_turn.queries import MyArmy, ToDo, former_armies, mine_of, tasks_of
from judging.my_turn.report import CODES, ArmyReport, TurnReport, last_report, of_player, spans_of


class TaskOut(Shape):
    """Something to do, by when."""

    made_of = ToDo
    shows = ("kind", "due", "is_past", "names", "number", "battle", "army", "has_draft", "key", "title", "table")
    tells: ClassVar[dict[str, str]] = {
        "kind": "What you have to do: strat, order_missing, order_illegal, vote, and so on.",
        "is_past": "Whether its time is up although you can still do it.",
        "names": "The armies or people it is about; for a line, what you may have meant.",
        "battle": "The battle the strat is for; 0 for none.",
        "has_draft": "Whether you have an unsent draft.",
        "table": "The address of a card table; empty for none.",
        "key": "The number of a vote or post; 0 for none.",
    }


class OwnArmyOut(Body):
    """5.2: an army of yours, as it stands now."""

    army = serializers.CharField()
    at = serializers.CharField()
    alive = serializers.IntegerField(help_text="Troops.")
    of = serializers.IntegerField(help_text="Maximum number of troops.")
    order = serializers.CharField(allow_blank=True, help_text="Its order that counts; empty for none.")
    refusal = serializers.CharField(allow_blank=True, help_text="Why that order is now illegal; empty if it is legal.")
    plan = serializers.ListField(
        child=serializers.CharField(), help_text="Remaining squares of a long move, if you send no order (3.2.2.3)."
    )
    battle = serializers.IntegerField(allow_null=True, help_text="The battle it is in. You can't order it then.")


class ArmyReportOut(Body):
    """3.1: what a turn brought to an army."""

    army = serializers.CharField()
    at = serializers.CharField(help_text="Where it stood.")
    ended = serializers.CharField(allow_blank=True, help_text="Where it is now; empty if it is dead.")
    ordered = serializers.CharField(
        allow_blank=True, help_text="The order that counted, or the long move it continued."
    )
    ordered_in = serializers.IntegerField(
        allow_null=True, help_text="The earlier turn in which its long move was ordered (3.2.2.3); otherwise null."
    )
    codes = serializers.ListField(child=serializers.ChoiceField(choices=CODES), help_text="The weightiest first.")
    events = EventOut(many=True)
    battle = serializers.IntegerField(allow_null=True, help_text="The battle it fought this turn.")


class OwnReportOut(Body):
    """3.1: what a turn brought to one's armies."""

    turn = serializers.IntegerField()
    is_draft = serializers.BooleanField(help_text="Whether it only covers the moves, before battles are applied.")
    armies = ArmyReportOut(many=True)


class FormerOut(Body):
    """5.2: an army that was one's own."""

    army = serializers.CharField(source="army.name")
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)
    died_in = serializers.IntegerField(source="army.died_in", allow_null=True)
    now_with = serializers.ListField(child=serializers.CharField())


class MyTurnOut(Body):
    """A player's turn."""

    turn = serializers.IntegerField()
    player = serializers.CharField(help_text="Your name in this round.")
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    armies = OwnArmyOut(many=True)
    waiting = TaskOut(many=True)
    last = OwnReportOut(allow_null=True)
    former = FormerOut(many=True)


class MyTurn(ApiView):
    """What waits for a player."""

    @describe(
        "my_turn_read",
        "turns",
        "Get your armies, your tasks (most urgent first) and what happened to you last turn",
        out=MyTurnOut,
        problems=(403, 404),
        description="`last` is the current turn once its moves are published, otherwise the previous one.",
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        if viewer.player is None:
            raise Forbidden(gettext("You don't play in this round, so you have no turn in it."), "1.1")
        turn = self.turn(viewer.round)
        spans = spans_of(viewer.player)
        overview = mine_of(turn, viewer, spans, now)
        armies = [each.army for each in overview.armies]
        turn_report = last_report(turn, now)
        report = of_player(turn_report, spans) if turn_report else None
        former = former_armies(spans, {army.name for army in armies}, control_in(turn, now))
        changes, leads = changes_of(viewer, turn, armies), waiting_for(viewer)
        data = {
            "turn": turn.number,
            "player": viewer.player.name,
            "side": viewer.player.side,
            "armies": [_own_data(each) for each in overview.armies],
            "waiting": tasks_of(turn, viewer, overview, changes, leads, now),
            "last": _report_data(report) if report else None,
            "former": former,
        }
        return Response(MyTurnOut(data).data)


def _own_data(my_army: MyArmy) -> dict[str, object]:
    line = my_army.order.entry.line if my_army.order else None
    return {
        "army": my_army.army.name,
        "at": my_army.army.at,
        "alive": my_army.alive,
        "of": my_army.of,
        "order": line.order_text if line else "",
        "refusal": line.refusal.sentence if line and line.refusal else "",
        "plan": my_army.plan,
        "battle": my_army.battle.id if my_army.battle else None,
    }


def _report_data(report: TurnReport) -> dict[str, object]:
    armies = [_army_data(each) for each in report.armies]
    return {"turn": report.number, "is_draft": report.is_draft, "armies": armies}


def _army_data(each: ArmyReport) -> dict[str, object]:
    return {
        "army": each.army.name,
        "at": each.at,
        "ended": each.ended,
        "ordered": each.order.text if each.order else "",
        "ordered_in": each.order.turn if each.order else None,
        "codes": each.codes,
        "events": each.events,
        "battle": each.battle.id if each.battle else None,
    }
