"""1.6: one's own tokens: which there are, and revoking one. They are made on the account page alone."""

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import TokenView, revoke_token, token_of, tokens_of
from judging.api.base import ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import Shape

SCOPES = AccessToken.Scope.choices


class TokenOut(Shape):
    """1.6: a token of yours. Its secret was shown once, when it was made."""

    made_of = TokenView
    shows = ("prefix", "name", "scopes", "made_at", "expires_at", "revoked_at", "last_used_at", "is_good")
    tells = {
        "prefix": "The eight characters after `wg_`.",
        "name": "The name you gave it.",
        "expires_at": "Null if it never expires.",
        "last_used_at": "Accurate to the hour; null if never used.",
        "is_good": "Whether it works now.",
    }
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES), help_text="What the token can do.")


class Tokens(ListView):
    """1.6: one's own tokens."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "tokens_list",
        "tokens",
        "List your tokens, newest first",
        out=TokenOut(many=True),
        problems=(403,),
        description="Expired and revoked tokens stay in the list for 30 days. Create new ones on your account page.",
    )
    def get(self, request: Request) -> Response:
        return self.page(tokens_of(_owner(request), timezone.now()), TokenOut)


class OneToken(ApiView):
    """1.6: one of them."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "tokens_revoke",
        "tokens",
        "Revoke one of your tokens",
        out=TokenOut,
        problems=(403, 404),
        description="The token stops working at once. Repeating the request changes nothing.",
    )
    def delete(self, request: Request, prefix: str) -> Response:
        user, now = _owner(request), timezone.now()
        if token_of(user, prefix, now) is None:
            raise Missing(gettext("You have no token that starts with these characters."), "1.6")
        revoke_token(user=user, prefix=prefix, now=now)
        return Response(TokenOut(token_of(user, prefix, now)).data)


def _owner(request: Request) -> User:
    return User.objects.get(username=request.user.get_username())
