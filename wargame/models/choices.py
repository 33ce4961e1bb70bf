"""The rulebook's words as database choices."""

from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

from wargame.rules.core.sides import FACTION_TITLES, SIDE_TITLES, Faction, Rank, Side

SIDES = [(side.value, gettext_lazy(SIDE_TITLES[side])) for side in Side]
RANKS = [(rank.value, rank.title) for rank in Rank]
FACTIONS = [(faction.value, gettext_lazy(FACTION_TITLES[faction])) for faction in Faction]
BASE_COLORS = [
    ("white", gettext_lazy("White")),
    ("blue", gettext_lazy("Blue")),
    ("black", gettext_lazy("Black")),
    ("red", gettext_lazy("Red")),
    ("green", gettext_lazy("Green")),
    ("multicolor", gettext_lazy("Multicolor")),
    ("colorless", gettext_lazy("Colorless")),
]


class RoundState(models.TextChoices):
    """1.5: a round from its set-up to its victory. A running one that was imported for reading is an archive: no job
    plays it on. One that was abandoned in its set-up (2.5) is no longer found anywhere."""

    SETUP = "setup", gettext_lazy("being set up")
    RUNNING = "running", gettext_lazy("running")
    OVER = "over", gettext_lazy("finished")
    ARCHIVE = "archive", gettext_lazy("an archive of a running round")
    GIVEN_UP = "given_up", gettext_lazy("cancelled before it began")


class TurnState(models.TextChoices):
    """The stages of a turn, in order."""

    OPEN = "open", pgettext_lazy("a turn", "open")
    LOCKED = "locked", pgettext_lazy("a turn", "locked")
    MOVED = "moved", pgettext_lazy("a turn", "moved")
    FOUGHT = "fought", pgettext_lazy("a turn", "fought")
    SETTLED = "settled", pgettext_lazy("a turn", "settled")


class Role(models.TextChoices):
    """1.3, 6: the judges of a round."""

    MOVEMENT = "movement", gettext_lazy("movement judge")
    BATTLE = "battle", gettext_lazy("battle judge")
    MERCENARY = "mercenary", gettext_lazy("mercenary judge")


class SiteKind(models.TextChoices):
    """2.5.1: the kinds of buildings on the map."""

    BASE = "base", gettext_lazy("base")
    PORTAL = "portal", gettext_lazy("portal")
    TOWN = "town", gettext_lazy("town")


class OverduePolicy(models.TextChoices):
    """4.1.1: the effect on the calendar when a battle is judged too late."""

    WAIT = "wait", gettext_lazy("the next turn is shortened by the delay")
    EXTEND = "extend", gettext_lazy("the next turn keeps its length")


class DiceMix(models.TextChoices):
    """R38: the data mixed into the dice of a battle besides its seed and the strats."""

    COMMITTED = "seed", gettext_lazy("nothing else: the host could know the rolls in advance")
    WORDS = (
        "words",
        gettext_lazy("words from the players, sealed with their strats and revealed once the score is locked"),
    )
    BEACON = "beacon", gettext_lazy("a value that a public beacon publishes after the score is locked")


class Press(models.TextChoices):
    """1.6: which players of a round may write to one another in private."""

    ALL = "all", gettext_lazy("all players")
    TEAM = "team", gettext_lazy("players of the same team")
    NONE = "none", pgettext_lazy("who may write to one another", "no one")
