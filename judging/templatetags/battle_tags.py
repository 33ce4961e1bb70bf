from collections.abc import Iterable, Sequence

from django import template

from judging.battles.results import DiePair
from judging.battles.shapes import FighterView
from judging.svg.dice import DicePicture, dice_picture
from wargame.rules.core.wording import listed

register = template.Library()


@register.simple_tag
def dice_drawn(pairs: Iterable[DiePair], sides: Sequence[Sequence[FighterView]]) -> DicePicture:
    """4.2.4: a round of dice as a picture, for `battles/_dice.html`."""
    first, second = (listed([fighter.name for fighter in side]) for side in sides)
    return dice_picture([(pair.bare, pair.total, pair.who) for pair in pairs], (first, second))
