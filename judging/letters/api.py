"""1.6: letters that were given up, for the programs of administrators."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door
from judging.api.fields import Nothing
from judging.api.models import Scope


class Again(ApiView):
    """1.6: letters that nobody took."""

    post = door(
        *("letters_again", "operating", "Retry all emails that could not be sent", "judge:letters-again"),
        scope=Scope.OPERATE,
        takes=Nothing,
        description="For administrators.",
    )
