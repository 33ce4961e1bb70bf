"""2.5: rounds that were given up before they began: nobody finds them, and their addresses say what became of them."""

from __future__ import annotations

from judging.game.models import LogEntry
from wargame.models import Round
from wargame.models.choices import RoundState

ACT = "setup.given_up"
"""The act in the log, with the `reason`, which is public."""


def why_no_round(slug: str) -> str:
    """Why `round_by_slug` has none of that slug, in a sentence: there is none, or it was given up (2.5)."""
    round_ = Round.objects.filter(slug=slug, state=RoundState.GIVEN_UP).first()
    if round_ is None:
        return f"There is no round “{slug[:60]}”."
    act = LogEntry.objects.filter(round=round_, action=ACT).last()
    if act is None:
        return f"“{round_.name}” was given up before it began."
    said = " ".join(str(act.data["reason"]).split()).rstrip(".")
    return f"“{round_.name}” was given up on {act.at:%d %B %Y}, before it began, for this reason: “{said}”."
