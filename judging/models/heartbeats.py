"""When the jobs last ran, for `/healthz`. A row, because the workers and the site may share no cache."""

from django.db import models


class Heartbeat(models.Model):
    """The last time at which the job `name` ran."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"
