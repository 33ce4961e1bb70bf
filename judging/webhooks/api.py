"""1.2: one's own webhooks, for programs."""

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Missing
from judging.api.fields import Nothing
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, Shape
from judging.webhooks.models import Hook, HookMessage
from judging.webhooks.services import (
    KINDS,
    HookView,
    drop_hook,
    hook_of,
    hooks_of,
    make_hook,
    messages_of,
    renew_secret,
    send_message_again,
    switch_on,
    try_hook,
    view_of,
)
from wargame.rules.core.codec import Json

HOOK_KINDS = [(code, kind.english) for code, kind in KINDS.items()]
HOOK_STYLES = Hook.Style.choices
MESSAGE_KINDS = [*HOOK_KINDS, ("test", "it was tried")]
MESSAGE_STATES = HookMessage.State.choices


class HookOut(Shape):
    """1.2: a webhook of yours. Its address and its secret are shown nowhere."""

    made_of = HookView
    shows = ("id", "name", "host", "format", "kinds", "round", "table", "made_at", "off_at", "why_off")
    tells = {
        "host": "Only the host of its address.",
        "round": "Slug of the round it gets messages about; empty for your notifications.",
        "table": "Slug of the card table it gets messages about; empty for none.",
        "off_at": "When it was switched off; null if it is on.",
    }
    format = serializers.ChoiceField(choices=HOOK_STYLES, source="style", label="Format of a webhook")
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=HOOK_KINDS))


class HookIn(Body):
    """1.2: a new webhook."""

    name = serializers.CharField(max_length=60)
    url = serializers.CharField(max_length=2_000, help_text="HTTPS on the standard port, at a public host.")
    format = serializers.ChoiceField(choices=HOOK_STYLES, source="style", label="Format of a webhook")
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=HOOK_KINDS), max_length=20)
    round = serializers.CharField(required=False, allow_blank=True, max_length=80, help_text="Slug of the round.")
    table = serializers.CharField(required=False, allow_blank=True, max_length=80, help_text="Slug of the card table.")


class HookSecretOut(Body):
    """1.2: a webhook's secret, which is shown this once."""

    id = serializers.IntegerField()
    secret = serializers.CharField(help_text="`whsec_…`, in the format of Standard Webhooks.")


class HookMessageOut(Body):
    """1.2: a message to a webhook."""

    id = serializers.IntegerField(source="pk")
    number = serializers.CharField(help_text="The `webhook-id`, the same for each attempt.")
    kind = serializers.ChoiceField(choices=MESSAGE_KINDS)
    state = serializers.ChoiceField(choices=MESSAGE_STATES)
    created = serializers.DateTimeField()
    due = serializers.DateTimeField(help_text="Time of the next attempt.")
    tries = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="The last answer.")
    error = serializers.CharField(allow_blank=True)


class Owned(ApiView):
    """What is one's own: for whoever is logged in."""

    permission_classes = (permissions.IsAuthenticated,)

    def user(self, request: Request) -> User:
        return User.objects.get(username=request.user.get_username())

    def hook(self, request: Request, hook_id: int) -> Hook:
        """One of one's own. Raises Missing."""
        row = hook_of(self.user(request), hook_id)
        if row is None:
            raise Missing(gettext("You have no such webhook."))
        return row


class Hooks(Owned, ListView):
    """1.2: one's own webhooks."""

    is_shown_once = True

    @describe("hooks_list", "webhooks", "Your webhooks", out=HookOut(many=True), problems=(403,))
    def get(self, request: Request) -> Response:
        return self.page(hooks_of(self.user(request)), HookOut)

    @describe(
        *("hooks_create", "webhooks", "Create a webhook for a round or for your notifications"),
        out=HookSecretOut,
        status=201,
        takes=HookIn,
        problems=WRITING,
        description="Messages are signed (Standard Webhooks) with the secret in the response. It is shown only once.",
    )
    def post(self, request: Request) -> Response:
        data: Json = self.read(HookIn, request.data)
        slug = data.pop("round", "")
        new_hook = make_hook(user=self.user(request), slug=slug, now=timezone.now(), **data)
        return Response(HookSecretOut({"id": new_hook.pk, "secret": new_hook.secret}).data, status=201)


class OneHook(Owned):
    """1.2: one of one's own webhooks."""

    @describe("hooks_read", "webhooks", "Get one of your webhooks", out=HookOut, problems=(403, 404))
    def get(self, request: Request, hook_id: int) -> Response:
        return Response(HookOut(view_of(self.hook(request, hook_id))).data)

    @describe(
        *("hooks_switch_on", "webhooks", "Switch a webhook back on"),
        out=HookOut,
        problems=(403, 404, 409, 503),
    )
    def put(self, request: Request, hook_id: int) -> Response:
        self.hook(request, hook_id)
        return Response(HookOut(view_of(switch_on(user=self.user(request), hook_id=hook_id, now=timezone.now()))).data)

    @describe("hooks_drop", "webhooks", "Remove a webhook", out=HookOut, problems=(403, 404, 409, 503))
    def delete(self, request: Request, hook_id: int) -> Response:
        view = view_of(self.hook(request, hook_id))
        drop_hook(user=self.user(request), hook_id=hook_id)
        return Response(HookOut(view).data)


class Secret(Owned):
    """1.2: a webhook's secret."""

    is_shown_once = True

    @describe(
        *("hooks_renew", "webhooks", "Replace a webhook's secret"),
        out=HookSecretOut,
        problems=(403, 404, 409, 503),
        description="Messages are also signed with the previous secret for one day.",
    )
    def put(self, request: Request, hook_id: int) -> Response:
        self.hook(request, hook_id)
        row = renew_secret(user=self.user(request), hook_id=hook_id, now=timezone.now())
        return Response(HookSecretOut({"id": row.pk, "secret": row.secret}).data)


class Messages(Owned, ListView):
    """1.2: what was sent to a webhook."""

    @describe(
        *("hook_messages_list", "webhooks", "List the messages of a webhook, newest first"),
        out=HookMessageOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, hook_id: int) -> Response:
        return self.page(list(messages_of(self.hook(request, hook_id))), HookMessageOut)

    @describe(
        *("hooks_try", "webhooks", "Send a test message to a webhook"),
        out=HookMessageOut,
        status=201,
        takes=Nothing,
        problems=WRITING,
    )
    def post(self, request: Request, hook_id: int) -> Response:
        self.hook(request, hook_id)
        message = try_hook(user=self.user(request), hook_id=hook_id, now=timezone.now())
        return Response(HookMessageOut(message).data, status=201)


class Again(Owned):
    """1.2: a message to a webhook."""

    @describe(
        *("hook_messages_send_again", "webhooks", "Resend a message under the same number"),
        out=HookMessageOut,
        problems=(403, 404, 409, 503),
    )
    def put(self, request: Request, hook_id: int, message_id: int) -> Response:
        if not messages_of(self.hook(request, hook_id)).model.objects.filter(hook=hook_id, pk=message_id).exists():
            raise Missing(gettext("You have no such message."))
        message = send_message_again(user=self.user(request), message_id=message_id, now=timezone.now())
        return Response(HookMessageOut(message).data)
