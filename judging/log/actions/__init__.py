"""1.3: the acts in the log: their sentences, and until when they are secret.

An action that is in none of the tables is shown to nobody; a test finds it.
"""

from collections.abc import Mapping

from judging.log.actions.armies import ARMIES, SETTING_UP
from judging.log.actions.base import LEADERS, Act, By, Data, Kind, When
from judging.log.actions.people import BOARDS, PEOPLE
from judging.log.actions.play import GAMES

__all__ = ["ACTS", "LEADERS", "Act", "By", "Data", "Kind", "When"]

ACTS: Mapping[str, Act] = {**GAMES, **PEOPLE, **BOARDS, **ARMIES, **SETTING_UP}
"""1.3: every action of the log."""
