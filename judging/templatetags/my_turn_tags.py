"""Words for a turn's effects on an army."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext_lazy

register = template.Library()

WORDS = {
    "killed": (pgettext_lazy("of an army", "killed"), "bad"),
    "captured": (pgettext_lazy("of an army", "captured"), "bad"),
    "converted": (pgettext_lazy("of an army", "converted"), "bad"),
    "freed": (pgettext_lazy("of an army", "freed"), "good"),
    "lost": (pgettext_lazy("of an army", "lost its battle"), "bad"),
    "won": (pgettext_lazy("of an army", "won its battle"), "good"),
    "has_killed": (pgettext_lazy("of an army", "killed an enemy"), "good"),
    "has_captured": (pgettext_lazy("of an army", "captured an enemy"), "good"),
    "refused": (pgettext_lazy("of an army", "order refused"), "bad"),
    "intercepted": (pgettext_lazy("of an army", "intercepted"), "bad"),
    "cut_short": (pgettext_lazy("of an army", "stopped on the way"), "wait"),
    "displaced": (pgettext_lazy("of an army", "lost its square"), "wait"),
    "pushed": (pgettext_lazy("of an army", "pushed aside"), "wait"),
    "plan_cancelled": (pgettext_lazy("of an army", "long move ended"), "wait"),
    "engaged": (pgettext_lazy("of an army", "new battle"), "bad"),
    "retreated": (pgettext_lazy("of an army", "left the square"), "plain"),
    "has_intercepted": (pgettext_lazy("of an army", "intercepted an enemy"), "good"),
    "moved": (pgettext_lazy("of an army", "moved"), "plain"),
    "held": (pgettext_lazy("of an army", "held"), "plain"),
    "stayed": (pgettext_lazy("of an army", "stayed"), "plain"),
    "penalised": (pgettext_lazy("of an army", "penalised"), "bad"),
    "ruled": (pgettext_lazy("of an army", "ruled on"), "wait"),
    "changed": (pgettext_lazy("of an army", "troops changed"), "plain"),
    "healed": (pgettext_lazy("of an army", "healed"), "good"),
    "transferred": (pgettext_lazy("of an army", "troops transferred"), "plain"),
    "day_counted": (pgettext_lazy("of an army", "day counted"), "good"),
    "day_not_counted": (pgettext_lazy("of an army", "no day counted"), "plain"),
}
"""For each code of `judging.my_turn.report`: the word about the army, and its look."""


@register.filter
def what_came(code: str) -> SafeString:
    """A code as a badge: `order refused`."""
    label, look = WORDS[code]
    return format_html('<span class="badge badge--{}">{}</span>', look, label)
