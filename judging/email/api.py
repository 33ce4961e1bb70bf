"""1.6: letters that were given up, for the programs of administrators."""

from typing import cast

from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.fields import ActedOut, Nothing
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.common.judges import User
from judging.email.services import send_again


class Again(ApiView):
    """1.6: letters that nobody took."""

    @describe(
        *("letters_again", "operating", "Retry all emails that could not be sent"),
        out=ActedOut,
        takes=Nothing,
        problems=WRITING,
        description="For administrators.",
        scope=Scope.OPERATE,
        page="judge:letters-again",
    )
    def post(self, request: Request) -> Response:
        self.read_as_judge(Nothing)
        return self.done(send_again(cast(User, request.user), timezone.now()), reverse("judge:index"))
