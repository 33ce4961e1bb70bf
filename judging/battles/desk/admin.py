"""1.3: Battles, strats, scores, rulings, penalties and notices on the judges' desk: only their public part, of all
rounds. A judge of one round may play in another."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from judging.announcements.models import Notice
from judging.battles.models import Battle, BattleArmy, Score, Strat
from judging.battles.queries import released_strats
from judging.common.admin import ReadOnlyAdmin, ReadOnlyInline, site
from judging.penalties.models import Penalty
from judging.turns.models import Correction, Ruling
from wargame.models.choices import TurnState

TURN = ("turn__position", "turn__events")
"""Large fields of a turn that are not shown here."""


class ArmyRows(ReadOnlyInline):
    """4.1: the armies of a battle."""

    model = BattleArmy
    fields = ("name", "side", "deadline")
    ordering = ("side", "id")


class BattleAdmin(ReadOnlyAdmin):
    """4.1: The battles, without their judges' progress (R38)."""

    says = gettext_lazy("where, when and between whom each is or was fought, and the commitment to its dice")
    list_display = ("turn", "number", "at", "place", "announced_at", "deadline", "has_result")
    list_filter = ("turn__round",)
    list_select_related = ("turn__round",)
    search_fields = ("at", "place", "entries__name")
    ordering = ("-turn", "number")
    fields = ("turn", "number", "at", "terrain", "place", "defends", "announced_at", "deadline", "commitment")
    inlines = (ArmyRows,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Battle]:
        return super().get_queryset(request).defer(*TURN)

    @admin.display(boolean=True, description="result")
    def has_result(self, battle: Battle) -> bool:
        """4.2.5: whether its result is published."""
        return battle.state == Battle.State.PUBLISHED


class StratAdmin(ReadOnlyAdmin):
    """R35, R54: The strats that are public by now."""

    says = gettext_lazy("published ones only: with the result, some turns later or at the end, depending on the round")
    list_display = ("entry", "player", "sent_at", "risk", "runs", "late")
    list_filter = ("entry__battle__turn__round", "late")
    list_select_related = ("entry__battle__turn__round", "player")
    search_fields = ("entry__name", "text")
    ordering = ("-sent_at",)
    fields = (
        *("entry", "player", "sent_at", "text", "risk", "runs", "leaves", "leaves_to", "late", "accepted_because"),
        *("declined_because", "released_because", "salt", "sha256"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Strat]:
        rows = super().get_queryset(request).filter(released_strats())
        return rows.defer(*(f"entry__battle__{name}" for name in TURN))


class ScoreAdmin(ReadOnlyAdmin):
    """4.2.1: the scores of published battles."""

    says = gettext_lazy("who gave which bonus and why, once the result is published; includes overruled scores")
    list_display = ("battle", "judge", "favours", "bonus", "how", "locked_at")
    list_filter = ("battle__turn__round", "how")
    list_select_related = ("battle__turn__round", "judge")
    ordering = ("-locked_at",)
    fields = ("battle", "judge", "favours", "bonus", "how", "locked_at", "said")
    readonly_fields = ("said",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Score]:
        published = super().get_queryset(request).filter(battle__state=Battle.State.PUBLISHED)
        return published.defer(*(f"battle__{name}" for name in TURN))

    @admin.display(description="reasons")
    def said(self, score: Score) -> str:
        """R54: The reasons, one a line."""
        heads = (f"{one['criterion']}, {one['number']}" if one["criterion"] else "" for one in score.reasons)
        texts = (" ".join(filter(None, (one["text"], one.get("departs")))) for one in score.reasons)
        lines = (": ".join(filter(None, parts)) for parts in zip(heads, texts, strict=True))
        return "\n".join(lines)


class RulingAdmin(ReadOnlyAdmin):
    """3.3.3: the rulings on turns that are settled."""

    says = gettext_lazy("every ruling on a settled turn, with its rule and reason")
    list_display = ("turn", "number", "kind", "army", "cites", "judge", "made_at")
    list_filter = ("turn__round", "kind")
    list_select_related = ("turn__round", "judge")
    search_fields = ("army", "cites", "reason")
    ordering = ("-made_at",)
    fields = (
        *("turn", "number", "kind", "army", "square", "cites", "reason", "judge", "made_at"),
        *("withdrawn_at", "withdrawn_by", "withdrawn_reason"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ruling]:
        applied = Q(correction=None) | Q(correction__state=Correction.State.APPLIED)
        rows = super().get_queryset(request).filter(applied, turn__state=TurnState.SETTLED)
        return rows.defer(*TURN)


class PenaltyAdmin(ReadOnlyAdmin):
    """5.4.1, R47: the penalties and reprimands."""

    says = gettext_lazy("what was imposed on whom, with rule and reason; lifted penalties stay")
    list_display = ("turn", "number", "player", "army", "kind", "severity", "roll", "cites", "lifted_at")
    list_filter = ("turn__round", "kind")
    list_select_related = ("turn__round", "player", "army")
    search_fields = ("player__name", "army__name", "cites", "reason")
    ordering = ("-made_at",)
    fields = (
        *("turn", "number", "player", "army", "kind", "severity", "roll", "cites", "reason", "judge", "made_at"),
        *("lifted_at", "lifted_by", "lifted_reason"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Penalty]:
        return super().get_queryset(request).defer(*TURN)


class NoticeAdmin(ReadOnlyAdmin):
    """3.1: Posts by the service itself."""

    says = gettext_lazy("updates, announcements, results and other posts by the service")
    list_display = ("at", "turn", "thread", "kind")
    list_filter = ("turn__round", "thread", "kind")
    list_select_related = ("turn__round",)
    ordering = ("-at",)
    fields = ("at", "turn", "thread", "kind", "posted")
    readonly_fields = ("posted",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        return super().get_queryset(request).filter(at__lte=timezone.now()).defer(*TURN)

    @admin.display(description="text")
    def posted(self, notice: Notice) -> str:
        """3.1: The post as plain text."""
        return notice.text


def register() -> None:
    """1.3: Add these tables to the desk."""
    site.register(Battle, BattleAdmin)
    site.register(Strat, StratAdmin)
    site.register(Score, ScoreAdmin)
    site.register(Ruling, RulingAdmin)
    site.register(Penalty, PenaltyAdmin)
    site.register(Notice, NoticeAdmin)
