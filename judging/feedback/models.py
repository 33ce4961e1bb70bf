"""4.2: the players' feedback on how their battles were judged."""

from django.db import models
from django.db.models import Q

from judging.battles.models import Battle
from wargame.models import Player


class BattleFeedback(models.Model):
    """4.2: how fair, clear and timely a player found the judging of their battle, 1 to 5, and a sentence that the
    head battle judge alone reads. Nobody else sees who said what; the numbers count in means."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="feedback")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    fair = models.PositiveSmallIntegerField()
    clear = models.PositiveSmallIntegerField()
    in_time = models.PositiveSmallIntegerField()
    sentence = models.CharField(max_length=300, blank=True)
    given_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "feedback"
        ordering = ["battle_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "player"], name="feedback_once_a_player"),
            models.CheckConstraint(
                name="feedback_is_1_to_5",
                condition=Q(fair__range=(1, 5)) & Q(clear__range=(1, 5)) & Q(in_time__range=(1, 5)),
            ),
        ]

    def __str__(self) -> str:
        return f"feedback on {self.battle}"
