"""The rows: what a game is."""

from .armies import Army, Control, Troop
from .board import Base, Town
from .creatures import Creature
from .people import Judge, Player
from .rounds import Round
from .turns import Turn

__all__ = ["Army", "Base", "Control", "Creature", "Judge", "Player", "Round", "Town", "Troop", "Turn"]
