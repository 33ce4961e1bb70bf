"""T12: the tables that are the games of a match."""

from django.db import models

from judging.tables.models import Table


class MatchGame(models.Model):
    """T12: a table as game `number` of the best of `best_of`, whose first game was played at `first`."""

    first = models.ForeignKey(Table, models.CASCADE, related_name="games_of_match")
    table = models.OneToOneField(Table, models.CASCADE, related_name="match_game")
    number = models.PositiveSmallIntegerField()
    best_of = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["first_id", "number"]
        constraints = [models.UniqueConstraint(fields=["first", "number"], name="match_game_once_a_number")]

    def __str__(self) -> str:
        return f"game {self.number} of a match at {self.first_id}"
