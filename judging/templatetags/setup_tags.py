"""2.5: filters of the pages of a set-up."""

from datetime import timedelta
from fractions import Fraction

from django import template
from django.utils.formats import number_format

from wargame.web.lengths import length_words

register = template.Library()


@register.filter
def decimal(number: Fraction | int) -> str:
    """A fraction with one decimal: `3.3`; a whole number without."""
    rounded = round(float(number), 1)
    return str(int(rounded)) if rounded.is_integer() else number_format(rounded, 1)


@register.filter
def in_lengths(length: timedelta) -> str:
    """`7 days`, `1 day 4 hours`."""
    return length_words(length)
