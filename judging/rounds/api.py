"""1.5, 1.6: the end of a round, and people over the rounds."""

from typing import Any, ClassVar

from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES, Shape
from judging.rounds.ending import EndView, Person, TurnStory, Victory, end_of
from judging.rounds.medals import Medal, SideTally
from judging.rounds.people import people_called, users_called
from wargame.models.choices import SIDES


class VictoryOut(Shape):
    """1.7: who won by which rule."""

    made_of = Victory
    shows = ("side", "sentence", "cites", "judge")
    tells = {"judge": "Who confirmed it (R34)."}
    side = serializers.ChoiceField(choices=TEAM_SIDES)


class TurnStoryOut(Shape):
    """A turn in one line."""

    made_of = TurnStory
    shows = ("number", "locked_at", "moved", "battles", "line")


class SideTallyOut(Shape):
    """What a side did and lost."""

    made_of = SideTally
    shows = ("side", "battles_won", "lost", "kills", "captures", "armies_lost", "armies_left")
    tells = {"lost": "Troops lost in battles.", "armies_lost": "Armies killed or captured."}
    side = serializers.ChoiceField(choices=SIDES)


class BestBattleOut(serializers.Serializer[Any]):
    """4.2.5: one of the battles in which most troops fell."""

    battle = serializers.IntegerField(source="pk")
    turn = serializers.IntegerField()
    at = serializers.CharField()
    winners = serializers.CharField()
    losers = serializers.CharField()
    lost = serializers.IntegerField(help_text="Troops lost on both sides.")


class MedalOut(Shape):
    """A medal, given by a fixed rule."""

    made_of = Medal
    shows = ("key", "title", "rule", "holder", "value", "url")
    tells = {"url": "Page with the evidence."}


class PersonOut(Shape):
    """Somebody who played or judged."""

    made_of = Person
    shows = ("name", "what", "rank", "left")
    tells = {"what": "Their team or role.", "rank": "Their rank at the end; for judges, `head` or empty."}


class EndOut(Shape):
    """1.5: the end of a round."""

    made_of = EndView
    shows: ClassVar[tuple[str, ...]] = (
        *("began", "ended", "victory", "story", "sides", "battles", "medals", "players", "judges"),
    )
    victory = VictoryOut(allow_null=True)
    story = TurnStoryOut(many=True)
    sides = SideTallyOut(many=True)
    battles = BestBattleOut(many=True)
    medals = MedalOut(many=True)
    players = PersonOut(many=True)
    judges = PersonOut(many=True)


class End(ApiView):
    """1.5: the end of a round."""

    @describe(
        "rounds_end",
        "rounds",
        "Get the result of a finished round: winner, how it happened, losses and medals",
        out=EndOut,
    )
    def get(self, request: Request, slug: str) -> Response:
        round_ = self.round(slug)
        view = end_of(round_)
        if view is None:
            raise Missing(gettext("%(name)s isn't finished yet.") % {"name": round_.name})
        return Response(EndOut(view).data)


class PlayedOut(serializers.Serializer[Any]):
    """1.1: a round that somebody played."""

    round = serializers.SlugField(source="round.slug")
    name = serializers.CharField(help_text="Their name in that round.")
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    rank = serializers.CharField(allow_blank=True, help_text="At the end of the round, or now.")
    left = serializers.BooleanField()
    has_won = serializers.BooleanField(allow_null=True, help_text="Null until a side has won.")
    armies = serializers.ListField(child=serializers.CharField(), help_text="Armies they controlled at any time.")
    battles = serializers.IntegerField()
    won = serializers.IntegerField()
    kills = serializers.IntegerField()
    captures = serializers.IntegerField()
    refused = serializers.IntegerField(help_text="Their orders that counted but were refused (R14).")
    turns = serializers.IntegerField(
        source="punctuality.turns", default=0, help_text="Turns at whose lock they had an army."
    )
    wrote = serializers.IntegerField(
        source="punctuality.wrote", default=0, help_text="Turns in which they posted in time."
    )


class JudgedOut(serializers.Serializer[Any]):
    """1.3: a round that somebody judged."""

    round = serializers.SlugField(source="round.slug")
    role = serializers.CharField()
    is_head = serializers.BooleanField()
    battles = serializers.IntegerField(help_text="Published results they judged.")


class RecordOut(serializers.Serializer[Any]):
    """1.6: one person under one name."""

    name = serializers.CharField()
    played = PlayedOut(many=True)
    judged = JudgedOut(many=True)


class Records(ListView):
    """1.6: who played or judged under a name."""

    @describe(
        "records_list",
        "rounds",
        "List what people with this name did in all rounds they played or judged",
        out=RecordOut(many=True),
        description="Based on public data; people who hide their record are left out. Different people with the same "
        "name are listed separately.",
    )
    def get(self, request: Request, name: str) -> Response:
        users = users_called(name) if "\0" not in name else []
        if not users:
            raise Missing(gettext("There is no public record for “%(name)s”.") % {"name": name[:60]})
        return self.page(users, RecordOut, lambda part: people_called(name, part))
