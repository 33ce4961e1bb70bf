"""3.1, R7, R8, 3.2.4.2: the movement thread of a turn, its filters and forms; writing, checking and editing posts;
transfers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from judging.common import locking
from judging.common.autosave import drop_unsent
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.forms import new_token
from judging.common.shortcuts import ask_to_log_in, turn_for, viewer_for, waiting_text
from judging.common.texts import utc
from judging.common.viewer import Viewer
from judging.polling.views import live_version
from judging.svg.crests import short_side
from judging.turns.done.services import done_view
from judging.turns.models import Post
from judging.turns.posts.forms import EditForm, ManifestForm, PostForm, check_turn, submit_manifest
from judging.turns.posts.orders import examples_for, friends_beside, ordered_transfers
from judging.turns.posts.parsing import ThreadLine
from judging.turns.posts.queries import (
    PostView,
    movement_thread,
    post_history,
    post_of,
    posting_state,
    preview_lines,
    sent_manifests,
    thread_read_until,
    transferring_armies,
    unread_lines,
)
from judging.turns.posts.services import (
    edit_post,
    mark_thread_read,
    submit_post,
    withdraw_post,
)
from judging.turns.queries import turn_report
from wargame.models import Turn
from wargame.rules.core.sides import TEAMS
from wargame.rules.posts.aliases import spoken_aliases

A_PAGE = 100
"""Posts on a page: more than a turn has, so that the links to single posts lead to them."""


@dataclass(frozen=True)
class Filters:
    """3.1: the filters of a thread. `since`: later posts of others are new; `new`: only those."""

    side: str = ""
    mine: bool = False
    orders: bool = False
    new: bool = False
    since: datetime | None = None

    @property
    def is_set(self) -> bool:
        return bool(self.side or self.mine or self.orders or self.new)

    def shows(self, post: PostView) -> bool:
        if (self.side and post.side != self.side) or (self.mine and not post.is_mine):
            return False
        if self.orders and not any(line.line.kind != "talk" for line in post.lines):
            return False
        return not self.new or self.is_new(post)

    def is_new(self, post: PostView) -> bool:
        """Whether another player wrote a post, or its latest version, since then."""
        return self.since is not None and not post.is_mine and post.edited_at > self.since

    @property
    def query(self) -> str:
        """The query string of these filters; empty without any."""
        params = {
            "side": self.side,
            "mine": "1" if self.mine else "",
            "orders": "1" if self.orders else "",
            "new": "1" if self.new else "",
            "since": f"{self.since:%Y-%m-%dT%H:%M:%S.%f}Z" if self.since and self.new else "",
        }
        return urlencode({key: value for key, value in params.items() if value})

    def choices(self, is_player: bool) -> Iterator[tuple[str, str, bool]]:
        """The links above a thread: their words, their query strings, and whether they are active."""
        yield gettext("Everything"), replace(Filters(), since=self.since).query, not self.is_set
        for side in TEAMS:
            is_on = self.side == side.value
            yield short_side(side), replace(self, side="" if is_on else side.value).query, is_on
        if is_player:
            yield gettext("Mine"), replace(self, mine=not self.mine).query, self.mine
        if self.since:
            yield gettext("New"), replace(self, new=not self.new).query, self.new
        yield gettext("With orders"), replace(self, orders=not self.orders).query, self.orders


def filters_from(query: QueryDict, read_until: datetime | None) -> Filters:
    """The filters in a URL; damaged values are ignored. `read_until` is the default for the time since when posts
    are new."""
    side = query.get("side", "")
    return Filters(
        side=side if side in [team.value for team in TEAMS] else "",
        mine=bool(query.get("mine")),
        orders=bool(query.get("orders")),
        new=bool(query.get("new")),
        since=_moment(query.get("since", "")) or read_until,
    )


def _moment(text: str) -> datetime | None:
    try:
        when = parse_datetime(text[:40])
    except ValueError:
        return None
    if when is None:
        return None
    try:
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except OverflowError:
        return None


@require_safe
def present(request: HttpRequest, slug: str) -> HttpResponse:
    """The thread of the current turn, with the form for players. Stored input is not for a page that is reloaded
    because of news."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round)
    now, is_again = timezone.now(), "HX-Request" in request.headers
    version = live_version(turn, now)
    text, unsent = ("", None) if is_again else waiting_text(request, viewer, f"post:{slug}", "post")
    form = PostForm(initial={"text": text, "token": new_token(), "turn": turn.number})
    lines = preview_lines(turn, viewer, text, now) if text else None
    return render_thread(request, viewer, turn, form, now, unsent=unsent, lines=lines, live=version)


@require_safe
def of_turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The thread of any turn; only the current one's page has the form."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    return render_thread(request, viewer, turn, None, timezone.now())


def render_thread(
    request: HttpRequest,
    viewer: Viewer,
    turn: Turn,
    form: PostForm | None,
    now: datetime,
    *,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The thread as a page. `more`: `refused` (a services' Refused), `lines` (the preview), `ask` (how to send)."""
    posts = movement_thread(turn, viewer, now)
    read_until = thread_read_until(viewer)
    filters = filters_from(request.GET, read_until)
    rows = [(post, filters.is_new(post)) for post in posts if filters.shows(post)]
    if request.method == "GET" and "HX-Request" not in request.headers:
        _note_as_read(viewer, posts, read_until, now)
    page = Paginator(rows, A_PAGE)
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "posts": page.get_page(request.GET.get("page", page.num_pages)),
        "number": len(posts),
        "filters": filters,
        "choices": list(filters.choices(viewer.player is not None)),
        "state": posting_state(turn, viewer, now),
        "report": turn_report(turn, now),
        "done": done_view(turn, viewer, now) if form else None,
        "form": form,
        "examples": examples_for(turn, viewer, now) if form else None,
        "aliases": spoken_aliases() if form else None,
        **more,
    }
    return render(request, "movement/thread.html", context, status=status)


def _note_as_read(viewer: Viewer, posts: Sequence[PostView], before: datetime | None, now: datetime) -> None:
    """3.1: mark the shown posts as read. No write if nothing changes: each write blocks all others on SQLite."""
    until = max((post.edited_at for post in posts), default=None)
    if viewer.user_id is not None and until is not None and (before is None or before < min(until, now)):
        with locking.by_the_way():
            mark_thread_read(viewer=viewer, until=until, now=now)


@require_POST
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: post, or send sealed. It asks once about lines that may be meant as orders but are none (R8)."""
    viewer = viewer_for(request, slug)
    turn, now, form = turn_for(viewer.round), timezone.now(), PostForm(request.POST)
    if not request.user.is_authenticated:
        return ask_to_log_in(request, f"post:{slug}", reverse("movement", args=[slug]))
    if not form.is_valid():
        return render_thread(request, viewer, turn, form, now, status=422)
    confirmed = request.POST.get("confirm", "")
    how = confirmed or request.POST.get("send", "open")
    lines = preview_lines(turn, viewer, form.cleaned_data["text"], now)
    unread = unread_lines(lines)
    if not confirmed and viewer.player and unread:
        return render_thread(request, viewer, turn, form, now, lines=lines, asked=unread, ask=how)
    try:
        post = _submit(turn, viewer, form, how == "sealed", now, stays_talk=bool(confirmed and unread))
    except Refused as error:
        return render_thread(request, viewer, turn, form, now, status=error.status(422), lines=lines, refused=error)
    drop_unsent(viewer=viewer, place="post", form=form.cleaned_data["token"], now=now)
    if post.token != form.cleaned_data["token"]:
        address = reverse("post", args=[slug, post.pk])
        pattern = gettext('<a href="{}">You already posted this</a> on {}. It was not posted again.')
        messages.info(request, format_html(pattern, address, utc(post.posted_at)))
    else:
        _tell_posted(request, post, lines)
    return redirect(f"{reverse('movement', args=[slug])}#post-{post.pk}")


def _tell_posted(request: HttpRequest, post: Post, lines: Sequence[ThreadLine]) -> None:
    """3.1, R12: confirm the post, with the number of its lines that are currently illegal, if any is."""
    message = (
        gettext("Sent sealed. Your post will appear in the Orders thread at the lock.")
        if post.sealed
        else gettext("Posted.")
    )
    illegal = sum(entry.line.refusal is not None for entry in lines)
    if not illegal:
        messages.success(request, message)
        return
    orders = sum(entry.line.kind == "order" for entry in lines)
    more = ngettext(
        "%(number)s order in this post is illegal. The reason is shown below it (R12).",
        "%(number)s orders in this post are illegal. The reasons are shown below them (R12).",
        illegal,
    )
    if illegal == orders:
        more = ngettext(
            "The only order in this post is illegal. The reason is shown below it (R12).",
            "All %(number)s orders in this post are illegal. The reasons are shown below them (R12).",
            illegal,
        )
    messages.warning(request, f"{message} {more % {'number': illegal}}")


@require_POST
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """R8: the reading of each line: a fragment for htmx, else the page with the text kept."""
    viewer = viewer_for(request, slug)
    turn, now, form = turn_for(viewer.round), timezone.now(), PostForm(request.POST)
    lines = preview_lines(turn, viewer, form.cleaned_data["text"], now) if form.is_valid() else []
    if request.headers.get("HX-Request"):
        has_text = bool(request.POST.get("text", "").strip())
        context = {"lines": lines, "form": form, "typed": has_text, "round": viewer.round}
        return render(request, "posts/_preview.html", context)
    return render_thread(request, viewer, turn, form, now, lines=lines)


@require_safe
def history(request: HttpRequest, slug: str, post_id: int) -> HttpResponse:
    """R7: a post with all its versions."""
    viewer = viewer_for(request, slug)
    versions = post_history(post_id, viewer, timezone.now())
    if versions is None:
        raise Http404(gettext("There is no such post in this round."))
    return render(request, "posts/history.html", {"viewer": viewer, "round": viewer.round, "history": versions})


@get_or_post
def edit(request: HttpRequest, slug: str, post_id: int) -> HttpResponse:
    """R7: change a post until the lock. A form opened on an older version is refused with both texts shown."""
    viewer, now = viewer_for(request, slug), timezone.now()
    if not request.user.is_authenticated:
        return ask_to_log_in(request, f"edit:{post_id}", request.path)
    post = post_of(post_id, viewer, now)
    if post is None or not post.is_mine:
        raise Http404(gettext("You have no post with that number."))
    if request.method != "POST":
        text, unsent = waiting_text(request, viewer, f"edit:{post_id}", f"edit:{post_id}")
        form = EditForm(initial={"text": text or post.text, "base_version": post.version})
        return _edit_page(request, viewer, post, form, unsent=unsent)
    form = EditForm(request.POST)
    if not form.is_valid():
        return _edit_page(request, viewer, post, form, status=422)
    lines = preview_lines(post.turn, viewer, form.cleaned_data["text"], now)
    unread = unread_lines(lines, post)
    if "confirm" not in request.POST and unread:
        return _edit_page(request, viewer, post, form, lines=lines, asked=unread, ask=True)
    return _save(request, viewer, post, form, lines, now)


@get_or_post
def withdraw(request: HttpRequest, slug: str, post_id: int) -> HttpResponse:
    """R7: ask for confirmation to withdraw a post, and withdraw it."""
    viewer, now = viewer_for(request, slug), timezone.now()
    if not request.user.is_authenticated:
        return ask_to_log_in(request, f"withdraw:{post_id}", request.path)
    post = post_of(post_id, viewer, now)
    if post is None or not post.is_mine:
        raise Http404(gettext("You have no post with that number."))
    context = {"viewer": viewer, "round": viewer.round, "turn": post.turn, "post": post}

    def page(*, refused: Refused | None = None) -> HttpResponse:
        return render(request, "posts/withdraw.html", {**context, "refused": refused})

    def act() -> Success:
        withdraw_post(post=post.row, player=viewer.player, now=now)
        return _to_post(viewer, post, gettext("Withdrawn. The post stays readable, but its lines no longer count."))

    return handle_form(request, page, act)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form with an expired CSRF token: nothing was sent, and the input is shown."""
    texts = [request.POST[name] for name in ("text", "narrative") if request.POST.get(name)]
    back = request.path.removesuffix("post/").removesuffix("preview/")
    return render(request, "posts/csrf_failure.html", {"typed": texts, "back": back}, status=403)


def _submit(turn: Turn, viewer: Viewer, form: PostForm, sealed: bool, now: datetime, *, stays_talk: bool) -> Post:
    """Raises Refused if the person does not play here, the form is of an earlier turn, or the service refuses."""
    if viewer.player is None:
        raise Refused(gettext("Only players in this round can post in its Orders thread. Nothing was posted."), "3.1")
    check_turn(str(form.cleaned_data["turn"] or ""), turn)
    text, token = form.cleaned_data["text"], form.cleaned_data["token"]
    return submit_post(
        turn=turn, player=viewer.player, text=text, sealed=sealed, token=token, now=now, stays_talk=stays_talk
    )


def _save(
    request: HttpRequest, viewer: Viewer, post: PostView, form: EditForm, lines: list[ThreadLine], now: datetime
) -> HttpResponse:
    def page(*, refused: Refused | None = None) -> HttpResponse:
        present = post_of(post.id, viewer, now) or post
        return _edit_page(request, viewer, present, form, lines=lines, refused=refused)

    def act() -> Success:
        text, version = form.cleaned_data["text"], form.cleaned_data["base_version"]
        stays_talk = bool(unread_lines(lines))
        new_version = edit_post(
            post=post.row, player=viewer.player, text=text, base_version=version, now=now, stays_talk=stays_talk
        )
        key = str(version) if new_version.number > version else ""  # the next edit from this version is another form
        drop_unsent(viewer=viewer, place=f"edit:{post.id}", form=key, now=now)
        return _to_post(viewer, post, gettext("Edited. All earlier versions stay readable."))

    return handle_form(request, page, act)


def _to_post(viewer: Viewer, post: PostView, message: str) -> Success:
    thread = reverse("movement-turn", args=[viewer.round.slug, post.turn.number])
    return Success(message, f"{thread}#post-{post.id}")


def _edit_page(
    request: HttpRequest, viewer: Viewer, post: PostView, form: EditForm, *, status: int = 200, **more: object
) -> HttpResponse:
    is_stale = form.is_bound and form["base_version"].value() != str(post.version)
    context = {"viewer": viewer, "round": viewer.round, "turn": post.turn, "post": post, "form": form}
    return render(request, "posts/edit.html", {**context, "is_stale": is_stale, **more}, status=status)


@get_or_post
@login_required
def manifest(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose one of one's armies (`?army=`), then how many of each creature it sends, and to whom. The default is
    the posted order, else the only friend beside it."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = turn_for(viewer.round)
    armies = transferring_armies(turn, viewer, now)
    ordered = ordered_transfers(turn, viewer, now) if armies else {}
    likeliest = sorted(armies, key=lambda each: each.name not in ordered)
    army = next((each for each in armies if each.name == request.GET.get("army")), likeliest[0] if likeliest else None)
    friends = friends_beside(turn, army) if army else []
    receiver = ordered.get(army.name, "") if army else ""
    proposed = receiver or (friends[0].name if len(friends) == 1 else "")
    initial = {"receiver": proposed}
    form = ManifestForm(request.POST or None, initial=initial, troops=army.troops if army else ())
    context = {"viewer": viewer, "round": viewer.round, "turn": turn, "armies": armies, "army": army, "form": form}
    context |= {"friends": friends, "posted": receiver}

    def page(*, refused: Refused | None = None) -> HttpResponse:
        manifests = sent_manifests(turn, viewer)
        return render(request, "posts/manifest.html", {**context, "refused": refused, "sent": manifests})

    def act() -> Success:
        message = submit_manifest(viewer, turn, army.name if army else "", form, request.POST.get("turn", ""), now)
        return Success(message, request.get_full_path())

    return handle_form(request, page, act if army else None, form=form)
