"""R48: the ledger of the neutrals, for programs."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing, NotNow
from judging.api.fields import ActedOut, check_form, line, one_of, text, ticked
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, EventOut
from judging.battles.strats.forms import MercenaryStratForm
from judging.mercenaries.desk import act_on_desk, fighter_on_desk, mercenary_desk, send_strat, way_to_ledger
from judging.mercenaries.queries import ledger_of, settled_turns
from wargame.models import Turn
from wargame.models.choices import FACTIONS

COURSES = [(course, course) for course in ("fights", "stays", "moves", "engages", "disbands")]


class ConsideredOut(Body):
    """R48: something else that the mercenary might have done."""

    what = serializers.CharField()
    why_not = serializers.CharField()


class DrawOut(Body):
    """R38: a draw from the turn's committed seed."""

    name = serializers.CharField()
    sides = serializers.IntegerField(help_text="Number of possible outcomes.")
    value = serializers.IntegerField(help_text="The outcome, starting at 1.")


class DecisionOut(Body):
    """R48: what a mercenary decided, with the guideline that it follows."""

    army = serializers.CharField(source="decision.army")
    faction = serializers.ChoiceField(choices=FACTIONS, source="decision.faction")
    at = serializers.CharField(source="decision.at", help_text="Its square before the moves.")
    course = serializers.ChoiceField(choices=COURSES, source="decision.course", help_text="By the guideline.")
    proposal = serializers.CharField(source="decision.order", help_text="The guideline's order.")
    target = serializers.CharField(source="decision.target", allow_blank=True, help_text="The army it would engage.")
    guideline = serializers.CharField(source="decision.cites", help_text="The rule behind the decision.")
    ruling = serializers.CharField(source="decision.ruling", help_text="How the guideline is interpreted.")
    why = serializers.CharField(source="decision.why")
    considered = ConsideredOut(many=True)
    draws = DrawOut(many=True)
    judge = serializers.CharField(source="decision.judge", allow_blank=True, help_text="Who ordered otherwise.")
    order = serializers.CharField(help_text="The order that counted at the lock.")
    came = EventOut(many=True, help_text="What got in its way, and any order after the lock.")


class LedgerOut(Body):
    """R48: everything that the mercenaries decided in a settled turn."""

    turn = serializers.IntegerField(source="turn.number")
    decisions = DecisionOut(many=True, source="entries")
    events = EventOut(many=True, help_text="Raiders that came or went, their d20 rolls, and wars.")


class Neutrals(ApiView):
    """R48: the last settled turn."""

    @describe("neutrals_last", "turns", "Get the mercenaries' decisions in the last settled turn", out=LedgerOut)
    def get(self, request: Request, slug: str) -> Response:
        round_ = self.round(slug)
        numbers = settled_turns(round_)
        if not numbers:
            raise Missing(gettext("No turn has been settled yet."))
        return _ledger(self.turn(round_, numbers[0]))


class NeutralsOfTurn(ApiView):
    """R48: any settled turn."""

    @describe("neutrals_of_turn", "turns", "Get the mercenaries' decisions in a turn, with reasons", out=LedgerOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return _ledger(self.turn(self.round(slug), number))


def _ledger(turn: Turn) -> Response:
    ledger = ledger_of(turn)
    if ledger is None:
        raise Missing(
            gettext("You can see what the mercenaries do in turn %(number)s once it is settled.")
            % {"number": turn.number}
        )
    return Response(LedgerOut(ledger).data)


class MercenaryIn(Body):
    """R48: one act of the mercenary judge."""

    act = one_of(
        "Orders a mercenary differently, leaves it to its guideline, disbands a raider, calls one up or off, "
        "sends one off after the lock, closes the window after the lock, or keeps it open.",
        *("order", "guideline", "disband", "spawn", "unspawn", "after", "done", "wait"),
    )
    army = line("The mercenary.")
    order = line("Its order, without the army's name.")
    reason = text("Why.")
    square = line("Where the raider appears.")
    rank = line("Its rank.")
    token = line("Idempotency key: repeating it does nothing more.")


class MercenaryStratIn(Body):
    """R49: the strat of a mercenary."""

    text = text("What the troops will do.", needed=True)
    risk = line("`kill`, `capture` or empty (4.3, 4.5).")
    runs = ticked("4.2.6: whether to run away.")
    token = line("Idempotency key: repeating it won't send a second strat.")


class Mercenaries(ApiView):
    """R48: the mercenaries of a turn, for their judge."""

    @describe(
        "mercenaries_act",
        "judges",
        "Order mercenaries, or call raiders up or off",
        out=ActedOut,
        takes=MercenaryIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:mercenaries",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        data, now = self.read_as_judge(MercenaryIn), timezone.now()
        turn = self.turn(self.round(slug), number)
        if success := way_to_ledger(request.user, turn.pk, acts=True):
            raise NotNow(success.said)
        message = act_on_desk(mercenary_desk(request.user, turn.pk, now), data["act"], data, now)
        return self.done(message, reverse("judge:mercenaries", args=[turn.pk]))


class MercenaryStrat(ApiView):
    """R49: a mercenary in battle, for its judge."""

    @describe(
        "mercenaries_strat",
        "judges",
        "Send a mercenary's strat",
        out=ActedOut,
        takes=MercenaryStratIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:mercenary-strat",
    )
    def post(self, request: Request, slug: str, battle_id: int, army: str) -> Response:
        data, now, round_ = self.read_as_judge(MercenaryStratIn), timezone.now(), self.round(slug)
        sheet, fighter = fighter_on_desk(request.user, battle_id, army, now)
        if sheet.battle.turn.round_id != round_.pk:
            raise Missing(gettext("This mercenary isn't on your dashboard."))
        form = MercenaryStratForm(data)
        check_form(form)
        message = send_strat(sheet, fighter, form.cleaned_data, now)
        return self.done(message, reverse("judge:mercenary-strat", args=[battle_id, army]))
