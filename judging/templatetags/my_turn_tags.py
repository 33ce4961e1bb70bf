"""Words for what a turn brought to an army."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

WORDS = {
    "killed": ("killed", "bad"),
    "captured": ("captured", "bad"),
    "converted": ("went over", "bad"),
    "freed": ("freed", "good"),
    "lost": ("lost its battle", "bad"),
    "won": ("won its battle", "good"),
    "has_killed": ("killed an enemy", "good"),
    "has_captured": ("captured an enemy", "good"),
    "refused": ("order refused", "bad"),
    "intercepted": ("intercepted", "bad"),
    "cut_short": ("stopped on the way", "wait"),
    "displaced": ("lost its square", "wait"),
    "pushed": ("pushed aside", "wait"),
    "plan_cancelled": ("long move ended", "wait"),
    "engaged": ("new battle", "bad"),
    "retreated": ("left the square", "plain"),
    "has_intercepted": ("intercepted an enemy", "good"),
    "moved": ("moved", "plain"),
    "held": ("held", "plain"),
    "stayed": ("stayed", "plain"),
    "penalised": ("penalised", "bad"),
    "ruled": ("ruled on", "wait"),
    "changed": ("other troops", "plain"),
    "healed": ("healed", "good"),
    "transferred": ("troops handed over", "plain"),
    "day_counted": ("day counted", "good"),
    "day_not_counted": ("no day counted", "plain"),
}
"""For each code of `judging.my_turn.report`: what is said of the army, and how that looks."""


@register.filter
def what_came(code: str) -> SafeString:
    """A code as a badge: `order refused`."""
    words, look = WORDS[code]
    return format_html('<span class="badge badge--{}">{}</span>', look, words)
