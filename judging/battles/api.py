"""4.1, 4.2: battles, results and strats."""

from __future__ import annotations

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing
from judging.api.schema import WRITING, describe
from judging.battles.api_shapes import (
    BattleOut,
    OwnStratOut,
    ReceiptOut,
    StratIn,
    battle_data,
    own_strats_data,
    receipts_data,
)
from judging.battles.models import BattleArmy
from judging.battles.reads import battle_view, battles_of_turn, published_battles
from judging.battles.strats.writes import MAX_STRAT, send_strat
from judging.battles.views import BattleView
from judging.game.viewer import Viewer
from judging.turns.posts.api import check_length
from wargame.models import Turn


class Battles(ListView):
    """4.1.1: the Battle Announcements of a turn."""

    @describe("battles_list", "battles", "The battles of a turn", out=BattleOut(many=True))
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        battles = battles_of_turn(self.turn(viewer.round, number), viewer, timezone.now())
        return self.page([battle_data(battle) for battle in battles], BattleOut)


class OneBattle(ApiView):
    """4.1: one battle."""

    @describe("battles_read", "battles", "One battle", out=BattleOut)
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        return Response(BattleOut(battle_data(_battle(battle_id, self.viewer(slug)))).data)


class Results(ListView):
    """4.2.5: the Battle Results."""

    @describe(
        "results_list",
        "battles",
        "The battles with a published result, the newest turn first",
        out=BattleOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        turns = Turn.objects.filter(round=viewer.round).defer("position")
        battles = published_battles(turns, viewer, timezone.now())
        return self.page([battle_data(battle) for battle in battles], BattleOut)


class Strats(ListView):
    """4.1.1, R35: the strats of a battle: their receipts for everybody, sending for controllers."""

    @describe(
        "strats_list",
        "strats",
        "When strats were sent for a battle, and their hashes",
        out=ReceiptOut(many=True),
        description="The texts stay secret (R35).",
    )
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        return self.page(receipts_data(_battle(battle_id, self.viewer(slug))), ReceiptOut)

    @describe(
        "strats_create",
        "strats",
        "Send a strat",
        out=ReceiptOut,
        status=201,
        takes=StratIn,
        problems=WRITING,
        description="For who controls the army, or is a contingency in time (5.2.3). The last one counts. After the "
        "deadline it is stored as `late` and does not count. The same `token` again gives the same strat.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer = self.viewer(slug)
        battle = _battle(battle_id, viewer)
        if viewer.player is None:
            raise Forbidden("Only the players of this round send strats.", "4.1.1")
        sent = self.read(StratIn, request.data)
        check_length(sent["text"], MAX_STRAT, "strat", "R35")
        entry = _entry(battle, sent.pop("army"))
        strat = send_strat(battle=entry.battle, army=entry.army, player=viewer.player, now=timezone.now(), **sent)
        receipt = {
            "army": entry.name,
            "sent_at": strat.sent_at,
            "sha256": strat.sha256,
            "late": strat.late,
            "accepted_because": "",
            "counted": None,
        }
        return Response(ReceiptOut(receipt).data, status=status.HTTP_201_CREATED)


class OwnStrats(ListView):
    """R35: what one has sent oneself."""

    @describe(
        "strats_mine",
        "strats",
        "Your own strats of a turn, with their texts",
        out=OwnStratOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        if viewer.player is None:
            raise Forbidden("You don't play in this round, so you have no strats here.", "4.1.1")
        battles = battles_of_turn(self.turn(viewer.round, number), viewer, timezone.now())
        strats = [strat for battle in battles for strat in own_strats_data(battle, viewer.player.name)]
        return self.page(sorted(strats, key=lambda strat: strat["sent_at"]), OwnStratOut)


def _battle(battle_id: int, viewer: Viewer) -> BattleView:
    view = battle_view(battle_id, viewer, timezone.now())
    if view is None:
        raise Missing("There is no such battle in this round.")
    return view


def _entry(battle: BattleView, name: str) -> BattleArmy:
    """The army of that name in the battle. Raises ValidationError."""
    fighter = battle.fighter(name.strip())
    if fighter is None:
        fighters = " and ".join(f.name for f in battle.fighters)
        raise serializers.ValidationError({"army": [f"“{name[:40]}” does not fight here; {fighters} do (4.1.1)."]})
    entries = BattleArmy.objects.select_related("battle", "army")
    return entries.get(battle=battle.id, name=fighter.name)
