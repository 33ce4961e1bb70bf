"""3.1, 3.2, R7, R8: the movement thread, and the orders that count as things stand."""

from dataclasses import asdict

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing, NotNow, NotRead, Stale, TooLong
from judging.api.fields import ActedOut, check_form, line, number
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.common.texts import what_word
from judging.common.viewer import Viewer
from judging.turns.posts.forms import ManifestForm, submit_manifest
from judging.turns.posts.orders import PostedOrder, posted_orders
from judging.turns.posts.parsing import LineView, ThreadLine
from judging.turns.posts.queries import (
    PostView,
    movement_thread,
    post_of,
    preview_lines,
    reader_of,
    sent_post,
    transferring_armies,
    unread_lines,
)
from judging.turns.posts.services import MAX_POST, edit_post, submit_post, withdraw_post
from wargame.models import Player
from wargame.models.choices import SIDES
from wargame.rules.core.saying import grouped
from wargame.rules.moves.conflicts import SquareConflict
from wargame.rules.posts.unread import Doubt

KINDS = ("move", "engage", "replace", "joint", "intercept", "transfer")
STANDING_KINDS = (*KINDS, "plan", "hold")
LINE_KINDS = [("order", "an order"), ("talk", "talk"), ("unreadable", "looks like an order, but is unreadable (R8)")]
DOUBTS = [
    (Doubt.OWN_ARMY, "names an army of the author"),
    (Doubt.ARROW, "has an arrow"),
    (Doubt.SQUARES, "has two squares joined by a word or a dash"),
    (Doubt.ORDER_WORD, "has a word typical of orders"),
]
CONFIRM = "Post lines that look like orders but aren't, exactly as they are (R8). Without it, they are refused."


class LineOut(Shape):
    """R8: what a line was understood as. An order is legal now if `refusal` is empty."""

    made_of = LineView
    shows = (
        *("number", "text", "kind", "army", "order", "refusal", "cites", "remark", "column", "wrong", "expected"),
        *("suggestions", "doubt", "meant", "at", "is_replaced"),
    )
    kind = serializers.ChoiceField(choices=LINE_KINDS)
    order = serializers.CharField(source="order_text", allow_blank=True, help_text="In canonical form (R9).")
    refusal = serializers.CharField(allow_blank=True, help_text="Why the order is illegal; empty if it is legal.")
    cites = serializers.CharField(allow_blank=True, help_text="The rule behind the refusal or the unreadable line.")
    column = serializers.IntegerField(
        allow_null=True, help_text="Position of the error in an unreadable line, starting at 1."
    )
    doubt = serializers.ChoiceField(
        choices=DOUBTS, allow_blank=True, help_text="Why a comment looks like an order; empty once confirmed."
    )
    meant = serializers.ListField(child=serializers.CharField(), help_text="Orders it may have meant.")
    at = serializers.DateTimeField(allow_null=True, help_text="When the line was last changed (R7).")
    is_replaced = serializers.BooleanField(help_text="Whether a later order by the same player counts instead (R12).")

    def to_representation(self, instance: ThreadLine) -> dict[str, object]:
        line, refusal = instance.line, instance.line.refusal
        more = {
            "refusal": refusal.sentence if refusal else "",
            "cites": line.cites,
            "column": line.column or None,
            "at": instance.at,
            "is_replaced": instance.is_replaced,
        }
        return super().to_representation({**asdict(line), **more})


class PostOut(Shape):
    """3.1: a post in its latest version."""

    made_of = PostView
    shows = (
        *("id", "turn", "by", "side", "sealed", "is_hidden", "posted_at", "edited_at", "version", "text", "lines"),
        *("may_edit", "withdrawn_at"),
    )
    tells = {
        "is_hidden": "Sealed until the lock: only you can see it (R6).",
        "version": "Send it as `base_version` when you edit.",
        "withdrawn_at": "When its author withdrew it (R7).",
    }
    turn = serializers.IntegerField(source="turn.number")
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    lines = LineOut(many=True, help_text="Empty for a withdrawn post.")


class PostIn(Body):
    """3.1: a new post."""

    text = serializers.CharField(
        trim_whitespace=False, help_text="One order per line (3.2.2.5); up to 20,000 characters."
    )
    sealed = serializers.BooleanField(default=False, help_text="Hide the post from everyone else until the lock (R6).")
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates one post."
    )
    confirm = serializers.BooleanField(default=False, help_text=CONFIRM)


class PostChange(Body):
    """R7: an edit of a post."""

    text = serializers.CharField(trim_whitespace=False)
    base_version = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        help_text="The version your edit is based on. The edit is refused if it isn't the latest.",
    )
    confirm = serializers.BooleanField(default=False, help_text=CONFIRM)


class PreviewIn(Body):
    """R8: a text to be read, not stored."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True)


class PreviewOut(Body):
    """R8: what a text would be understood as if you posted it now."""

    lines = LineOut(many=True)
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="The lines that need `confirm` to be posted, in words (R8)."
    )


class StandingOrderOut(Shape):
    """An army's order that counts as things stand."""

    made_of = PostedOrder
    shows = ("army", "side", "kind", "order", "route", "target", "by", "at", "sealed", "post")
    tells = {
        "order": "In canonical form.",
        "route": "From its square to its destination.",
        "by": "The player who posted it; empty for a long move that continues.",
        "post": "Number of the post; 0 for a long move that continues.",
    }
    side = serializers.ChoiceField(choices=SIDES)
    kind = serializers.ChoiceField(choices=STANDING_KINDS, help_text="`plan`: a long move that continues (3.2.2.3).")


class ClashOut(Shape):
    """Friends' orders that stand in each other's way."""

    made_of = SquareConflict
    shows = ("armies", "at", "cites", "detail")
    at = serializers.CharField()
    detail = serializers.CharField(source="sentence")


class OrdersOut(Body):
    """The orders of a turn that the viewer may see, and their clashes."""

    turn = serializers.IntegerField()
    orders = StandingOrderOut(many=True)
    clashes = ClashOut(many=True)


class Posts(ListView):
    """3.1: the posts of a turn."""

    @describe(
        "posts_list",
        "posts",
        "List the posts in the Orders thread of a turn",
        out=PostOut(many=True),
        description="Each line shows how it was read. Sealed posts appear at the lock (R6).",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        thread = movement_thread(self.turn(viewer.round, number), viewer, timezone.now())
        return self.page(thread, PostOut)

    @describe(
        "posts_create",
        "posts",
        "Post in the Orders thread",
        out=PostOut,
        status=201,
        takes=PostIn,
        problems=WRITING,
        description="For players in the round, until the lock. Sending the same `token` again returns the same "
        "post. So "
        "does sending the text of your latest post again. Returns 409 with the code `unread` if lines look "
        "like orders but aren't, unless you set `confirm` (R8).",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        turn, player = self.turn(viewer.round, number), _player(viewer)
        values = self.read(PostIn, request.data)
        check_length(values["text"])
        # Whatever is wrong with the reading of a text shows before it is stored, not after.
        reader = reader_of(turn, now)
        unread = unread_lines(preview_lines(turn, viewer, values["text"], now, reader))
        _check_confirmed(unread, confirmed=values.pop("confirm"))
        post = submit_post(turn=turn, player=player, now=now, stays_talk=bool(unread), **values)
        return Response(_out(sent_post(post, turn, viewer, reader, now)), status=status.HTTP_201_CREATED)


class OnePost(ApiView):
    """3.1: one post."""

    @describe("posts_read", "posts", "Get the latest version of a post", out=PostOut)
    def get(self, request: Request, slug: str, post_id: int) -> Response:
        return Response(_out(post_of(post_id, self.viewer(slug), timezone.now())))

    @describe(
        "posts_change",
        "posts",
        "Edit your post",
        out=PostOut,
        takes=PostChange,
        problems=WRITING,
        description="Until the lock. Unchanged lines keep their times (R7). `confirm` works as in a new post.",
    )
    def patch(self, request: Request, slug: str, post_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        player, post = _player(viewer), _or_missing(post_of(post_id, viewer, now))
        if not post.is_mine:
            raise Forbidden(gettext("This post is by %(by)s; only its author can edit it.") % {"by": post.by}, "R7")
        values = self.read(PostChange, request.data)
        check_length(values["text"])
        if post.may_edit and post.version != values["base_version"] and post.text != values["text"]:
            raise Stale(
                gettext(
                    "Nothing was saved. This post is now at version %(version)s, but your edit started from "
                    "version %(base_version)s."
                )
                % {"version": post.version, "base_version": values["base_version"]},
                "R7",
            )
        lines = preview_lines(post.turn, viewer, values["text"], now)
        _check_confirmed(unread_lines(lines, post), confirmed=values.pop("confirm"))
        edit_post(post=post.row, player=player, now=now, stays_talk=bool(unread_lines(lines)), **values)
        return Response(_out(post_of(post_id, viewer, now)))

    @describe(
        "posts_withdraw",
        "posts",
        "Withdraw your post",
        out=PostOut,
        problems=(403, 404, 409),
        description="Until the lock. The post and its versions stay readable, but its lines no longer count (R7).",
    )
    def delete(self, request: Request, slug: str, post_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        player, post = _player(viewer), _or_missing(post_of(post_id, viewer, now))
        if not post.is_mine:
            raise Forbidden(gettext("This post is by %(by)s; only its author can withdraw it.") % {"by": post.by}, "R7")
        withdraw_post(post=post.row, player=player, now=now)
        return Response(_out(post_of(post_id, viewer, now)))


class Preview(ApiView):
    """R8: reading a text without posting it."""

    writes_by = "read"

    @describe(
        "posts_preview",
        "posts",
        "Preview how a text would be read",
        out=PreviewOut,
        takes=PreviewIn,
        problems=(400, 403, 404, 413, 415),
        description="For players in the round. Saves nothing. Orders are checked against the current map.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        _player(viewer)
        values = self.read(PreviewIn, request.data)
        check_length(values["text"])
        lines = preview_lines(self.turn(viewer.round), viewer, values["text"], timezone.now())
        warnings = [warning_of(entry) for entry in unread_lines(lines)]
        return Response(PreviewOut({"lines": lines, "warnings": warnings}).data)


class Orders(ApiView):
    """3.2, R12: the legal orders of a turn, by army."""

    @describe(
        "orders_list",
        "posts",
        "List the orders that currently count, and where orders of the same side get in each other's way",
        out=OrdersOut,
        description="Before the lock, includes only your own sealed orders (R6).",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        turn = self.turn(viewer.round, number)
        orders, clashes = posted_orders(turn, viewer, timezone.now())
        return Response(OrdersOut({"turn": turn.number, "orders": orders, "clashes": clashes}).data)


def check_length(text: str, most: int = MAX_POST, what: str = "post", cites: str = "3.1") -> None:
    """Raises TooLong with how much is too much."""
    length = len(text.replace("\r\n", "\n"))
    if length > most:
        pattern = gettext(
            "The %(what)s has %(number)s characters. The limit is %(most)s, so remove %(over)s. Nothing was saved."
        )
        fields = {"number": grouped(length), "most": grouped(most), "over": grouped(length - most)}
        raise TooLong(pattern % {"what": what_word(what), **fields}, cites)


def warning_of(entry: ThreadLine) -> str:
    """R8: a line that may be meant as an order and is none, in words."""
    line = entry.line
    text = gettext("We couldn't read line %(line)s as an order.")
    if line.kind == "unreadable":
        text = gettext("We couldn't read line %(line)s, column %(column)s: %(wrong)s")
    text %= {"line": line.number, "column": line.column, "wrong": line.wrong}
    if not line.meant:
        return text
    return text + " " + gettext("Did you mean %(words)s?") % {"words": gettext(" or ").join(line.meant)}


def _check_confirmed(unread: list[ThreadLine], *, confirmed: bool) -> None:
    if unread and not confirmed:
        raise NotRead([warning_of(entry) for entry in unread])


def _player(viewer: Viewer) -> Player:
    if viewer.player is None:
        raise Forbidden(gettext("Only players in this round can post in its Orders thread."), "3.1")
    return viewer.player


def _or_missing(post: PostView | None) -> PostView:
    if post is None:
        raise Missing(gettext("There is no such post in this round."))
    return post


def _out(post: PostView | None) -> dict[str, object]:
    return dict(PostOut(_or_missing(post)).data)


class ManifestIn(Body):
    """3.2.4.2: the troops that an army hands over."""

    army = line("The sender.", needed=True)
    receiver = line("To which army.", needed=True)
    turn = number("The turn it is for.", needed=True)
    troops = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10**6, allow_null=True),
        max_length=40,
        help_text="Number of each of the sender's creatures, in the order of `armies_read`; null for none.",
    )


class Manifests(ApiView):
    """3.2.4.2: manifests of transfers."""

    @describe(
        "manifests_hand_in",
        "turns",
        "Submit the manifest of a transfer",
        out=ActedOut,
        takes=ManifestIn,
        problems=WRITING,
        description="The manifest stays secret until the settlement (3.2.4). The last one before the lock counts.",
        page="manifest-new",
    )
    def post(self, request: Request, slug: str) -> Response:
        data, viewer, now = self.read_as_user(ManifestIn), self.viewer(slug), timezone.now()
        turn = self.turn(viewer.round)
        army = next((one for one in transferring_armies(turn, viewer, now) if one.name == data["army"]), None)
        if army is None:
            raise NotNow(gettext("You can't do that here. Nothing was saved."))
        troops = {f"n{place}": number for place, number in enumerate(data["troops"])}
        form = ManifestForm({"receiver": data["receiver"], **troops}, troops=army.troops)
        check_form(form)
        message = submit_manifest(viewer, turn, army.name, form, str(data["turn"]), now)
        return self.done(message, reverse("manifest-new", args=[slug]))
