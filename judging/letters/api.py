"""1.6: letters that were given up, for the programs of administrators."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import Nothing, door
from judging.api.models import Scope


class Again(ApiView):
    """1.6: letters that nobody took."""

    post = door(
        *("letters_again", "operating", "Try all letters again that were given up", "judge:letters-again"),
        scope=Scope.OPERATE,
        takes=Nothing,
        description="For administrators.",
    )
