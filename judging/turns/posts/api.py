"""3.1, 3.2, R7, R8: the movement thread, and the orders that count as things stand."""

from __future__ import annotations

from dataclasses import asdict

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.doors import door, line, number
from judging.api.errors import Forbidden, Missing, NotRead, Stale, TooLong
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.game.texts import what_word
from judging.game.viewer import Viewer
from judging.turns.posts.orders import PostedOrder, posted_orders
from judging.turns.posts.reading import LineView, ThreadLine
from judging.turns.posts.reads import (
    PostView,
    movement_thread,
    post_of,
    preview_lines,
    reader_of,
    sent_post,
    unread_lines,
)
from judging.turns.posts.writes import MAX_POST, edit_post, submit_post, withdraw_post
from wargame.models import Player
from wargame.models.choices import SIDES
from wargame.rules.core.saying import grouped
from wargame.rules.moves.conflicts import SquareConflict
from wargame.rules.posts.unread import Doubt

KINDS = ("move", "engage", "replace", "joint", "intercept", "transfer")
STANDING_KINDS = (*KINDS, "plan", "hold")
LINE_KINDS = [("order", "an order"), ("talk", "talk"), ("unreadable", "meant as an order, unreadable (R8)")]
DOUBTS = [
    (Doubt.OWN_ARMY, "names an army of its writer's"),
    (Doubt.ARROW, "has an arrow"),
    (Doubt.SQUARES, "has two squares with a word or a dash between them"),
    (Doubt.ORDER_WORD, "has a word like those of orders"),
]
CONFIRM = "Post lines that may be meant as orders and are none as they are (R8); without it they are refused."


class LineOut(Shape):
    """R8: what a line was understood as. An order is legal now if `refusal` is empty."""

    made_of = LineView
    shows = (
        *("number", "text", "kind", "army", "order", "refusal", "cites", "remark", "column", "wrong", "expected"),
        *("suggestions", "doubt", "meant", "at", "is_replaced"),
    )
    kind = serializers.ChoiceField(choices=LINE_KINDS)
    order = serializers.CharField(source="order_text", allow_blank=True, help_text="In canonical form (R9).")
    refusal = serializers.CharField(allow_blank=True, help_text="Why the order is illegal.")
    cites = serializers.CharField(allow_blank=True, help_text="The rule of the refusal, or of an unreadable line.")
    column = serializers.IntegerField(allow_null=True, help_text="Where an unreadable line goes wrong, from 1.")
    doubt = serializers.ChoiceField(
        choices=DOUBTS, allow_blank=True, help_text="Why talk may be meant as an order; empty once it was confirmed."
    )
    meant = serializers.ListField(child=serializers.CharField(), help_text="Orders that it may have meant.")
    at = serializers.DateTimeField(allow_null=True, help_text="When the line was last changed (R7).")
    is_replaced = serializers.BooleanField(help_text="A later order of the same player counts instead (R12).")

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
        "is_hidden": "Sealed and before the lock: you alone see it (R6).",
        "version": "Send it as `base_version` with an edit.",
        "withdrawn_at": "When its author took it back (R7).",
    }
    turn = serializers.IntegerField(source="turn.number")
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    lines = LineOut(many=True, help_text="Of a withdrawn post there are none.")


class PostIn(Body):
    """3.1: a new post."""

    text = serializers.CharField(trim_whitespace=False, help_text="A line an order (3.2.2.5); up to 20,000 characters.")
    sealed = serializers.BooleanField(default=False, help_text="Hidden from everybody else until the lock (R6).")
    token = serializers.CharField(
        max_length=40, help_text="Any name that you choose for this post: sent twice, it makes one post."
    )
    confirm = serializers.BooleanField(default=False, help_text=CONFIRM)


class PostChange(Body):
    """R7: an edit of a post."""

    text = serializers.CharField(trim_whitespace=False)
    base_version = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        help_text="The version that the edit began from; another one is refused.",
    )
    confirm = serializers.BooleanField(default=False, help_text=CONFIRM)


class PreviewIn(Body):
    """R8: a text to be read, not stored."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True)


class PreviewOut(Body):
    """R8: what a text would be understood as if you posted it now."""

    lines = LineOut(many=True)
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="The lines that are posted only with `confirm`, in words (R8)."
    )


class StandingOrderOut(Shape):
    """An army's order that counts as things stand."""

    made_of = PostedOrder
    shows = ("army", "side", "kind", "order", "route", "target", "by", "at", "sealed", "post")
    tells = {
        "order": "In its canonical form.",
        "route": "From its square to its end.",
        "by": "Who posted it; empty for a long move that goes on.",
        "post": "The number of the post; 0 for a long move that goes on.",
    }
    side = serializers.ChoiceField(choices=SIDES)
    kind = serializers.ChoiceField(choices=STANDING_KINDS, help_text="`plan`: a long move that goes on (3.2.2.3).")


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
        "The movement thread of a turn",
        out=PostOut(many=True),
        description="Each line comes with what it was understood as. Sealed posts appear at the lock (R6).",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        thread = movement_thread(self.turn(viewer.round, number), viewer, timezone.now())
        return self.page(thread, PostOut)

    @describe(
        "posts_create",
        "posts",
        "Post in the movement thread",
        out=PostOut,
        status=201,
        takes=PostIn,
        problems=WRITING,
        description="For players of the round, until the lock. The same `token` again gives the same post, and so does "
        "the text that your latest post has already. With lines that may be meant as orders and are none it is refused "
        "with 409 and the code `unread` unless `confirm` is set (R8).",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        turn, player = self.turn(viewer.round, number), _player(viewer)
        sent = self.read(PostIn, request.data)
        check_length(sent["text"])
        # Whatever is wrong with the reading of a text shows before it is stored, not after.
        reader = reader_of(turn, now)
        asked = unread_lines(preview_lines(turn, viewer, sent["text"], now, reader))
        _check_confirmed(asked, confirmed=sent.pop("confirm"))
        post = submit_post(turn=turn, player=player, now=now, stays_talk=bool(asked), **sent)
        return Response(_out(sent_post(post, turn, viewer, reader, now)), status=status.HTTP_201_CREATED)


class OnePost(ApiView):
    """3.1: one post."""

    @describe("posts_read", "posts", "One post in its latest version", out=PostOut)
    def get(self, request: Request, slug: str, post_id: int) -> Response:
        return Response(_out(post_of(post_id, self.viewer(slug), timezone.now())))

    @describe(
        "posts_change",
        "posts",
        "Edit one's own post",
        out=PostOut,
        takes=PostChange,
        problems=WRITING,
        description="Until the lock. Lines that stay as they were keep their times (R7). `confirm` as with a new post.",
    )
    def patch(self, request: Request, slug: str, post_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        player, post = _player(viewer), _or_missing(post_of(post_id, viewer, now))
        if not post.is_mine:
            raise Forbidden(gettext("This post is by %(by)s; only its author can edit it.") % {"by": post.by}, "R7")
        sent = self.read(PostChange, request.data)
        check_length(sent["text"])
        if post.may_edit and post.version != sent["base_version"] and post.text != sent["text"]:
            raise Stale(
                gettext(
                    "This post is at version %(version)s now, and the edit began from %(base_version)s. Nothing "
                    "was stored."
                )
                % {"version": post.version, "base_version": sent["base_version"]},
                "R7",
            )
        lines = preview_lines(post.turn, viewer, sent["text"], now)
        _check_confirmed(unread_lines(lines, post), confirmed=sent.pop("confirm"))
        edit_post(post=post.row, player=player, now=now, stays_talk=bool(unread_lines(lines)), **sent)
        return Response(_out(post_of(post_id, viewer, now)))

    @describe(
        "posts_withdraw",
        "posts",
        "Withdraw one's own post",
        out=PostOut,
        problems=(403, 404, 409),
        description="Until the lock. It stays readable with its versions, and its lines count no more (R7).",
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
        "What a text would be understood as",
        out=PreviewOut,
        takes=PreviewIn,
        problems=(400, 403, 404, 413, 415),
        description="For players of the round; nothing is stored. Legality is judged by the map as it is now.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        _player(viewer)
        sent = self.read(PreviewIn, request.data)
        check_length(sent["text"])
        lines = preview_lines(self.turn(viewer.round), viewer, sent["text"], timezone.now())
        warnings = [warning_of(entry) for entry in unread_lines(lines)]
        return Response(PreviewOut({"lines": lines, "warnings": warnings}).data)


class Orders(ApiView):
    """3.2, R12: the legal orders of a turn, by army."""

    @describe(
        "orders_list",
        "posts",
        "The orders that count as things stand, and where friends' orders stand in each other's way",
        out=OrdersOut,
        description="Before the lock: of sealed orders only one's own (R6).",
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
        told = gettext(
            "The %(what)s has %(number)s characters; %(most)s is the limit: %(over)s too many. Nothing was stored."
        )
        fields = {"number": grouped(length), "most": grouped(most), "over": grouped(length - most)}
        raise TooLong(told % {"what": what_word(what), **fields}, cites)


def warning_of(entry: ThreadLine) -> str:
    """R8: a line that may be meant as an order and is none, in words."""
    line = entry.line
    told = gettext("Line %(line)s is not read as an order.")
    if line.kind == "unreadable":
        told = gettext("Line %(line)s, column %(column)s, can't be read: %(wrong)s")
    told %= {"line": line.number, "column": line.column, "wrong": line.wrong}
    if not line.meant:
        return told
    return told + " " + gettext("Did you mean %(words)s?") % {"words": gettext(" or ").join(line.meant)}


def _check_confirmed(asked: list[ThreadLine], *, confirmed: bool) -> None:
    if asked and not confirmed:
        raise NotRead([warning_of(entry) for entry in asked])


def _player(viewer: Viewer) -> Player:
    if viewer.player is None:
        raise Forbidden(gettext("Only the players of this round post in its movement thread."), "3.1")
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
    turn = number("The turn that it is meant for.", needed=True)
    troops = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10**6, allow_null=True),
        max_length=40,
        help_text="How many of each of the sender's creatures, in the order of `armies_read`; null: none.",
    )


class Manifests(ApiView):
    """3.2.4.2: manifests of transfers."""

    post = door(
        *("manifests_hand_in", "turns", "Hand in the manifest of a transfer", "manifest-new"),
        takes=ManifestIn,
        form=lambda view, given, where: {
            **{f"n{place}": count for place, count in enumerate(given["troops"])},
            **{name: given[name] for name in ("receiver", "turn")},
        },
        asks=lambda given: {"army": given["army"]},
        description="It stays secret until the settlement (3.2.4); the last one before the lock counts.",
    )
