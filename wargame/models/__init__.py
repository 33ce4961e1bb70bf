from .armies import Army, Control, Troop
from .board import Base, Town
from .creatures import Creature
from .people import Judge, Player, RankChange
from .rounds import Round
from .turns import Turn

__all__ = ["Army", "Base", "Control", "Creature", "Judge", "Player", "RankChange", "Round", "Town", "Troop", "Turn"]
