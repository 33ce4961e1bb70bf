"""2.5: what every step of a set-up is made of: the words in which it is told, and its page."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import wraps
from typing import Any, ClassVar, NamedTuple, TypedDict

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext

from judging.common.form_views import ActionView, number_of
from judging.common.shortcuts import keep, take_kept, viewer_for
from judging.common.viewer import Viewer
from judging.setup.preparation import Preparation, preparation_of
from judging.setup.services import SetupDesk, setup_desk, setup_of
from wargame.models import Judge, Round
from wargame.models.choices import RoundState


class Weight(StrEnum):
    """2.5: how much a problem weighs: something is wrong, something is missing, or something might be better."""

    WRONG = "wrong"
    MISSING = "missing"
    ADVICE = "advice"


class Problem(NamedTuple):
    """2.5: what stands in the way of the start, in a sentence that says what would do; `ADVICE` does not."""

    sentence: str
    cites: str = ""
    weight: Weight = Weight.MISSING


class StepState(StrEnum):
    """2.5: how far a step is."""

    DONE = "done"
    OPEN = "open"
    PROBLEM = "problem"


Finder = Callable[[Preparation], Iterable[Problem]]


@dataclass(frozen=True)
class StepKind:
    """2.5: a step of the set-up. Its page's address is called `setup-<key>`.

    `title` and `waits` are marked and not translated yet. `find` gives what is wrong or missing now.
    `waits` tells the public what is waited for while the step is not done; it gives nothing away.
    """

    key: str
    title: str
    rule: str
    waits: str
    find: Finder


@dataclass(frozen=True)
class SetupStep:
    """2.5: a step as it stands. Without problems for those who don't judge the round."""

    key: str
    title: str
    rule: str
    state: StepState
    problems: tuple[Problem, ...]
    url: str
    waits: str

    @property
    def is_done(self) -> bool:
        return self.state is StepState.DONE

    @property
    def faults(self) -> tuple[Problem, ...]:
        """What stands in the way of the start."""
        return tuple(problem for problem in self.problems if problem.weight is not Weight.ADVICE)

    @property
    def advice(self) -> tuple[Problem, ...]:
        """What might be better and stands in nobody's way."""
        return tuple(problem for problem in self.problems if problem.weight is Weight.ADVICE)


def wrong(sentence: str, cites: str = "") -> Problem:
    """Something that breaks a rule."""
    return Problem(sentence, cites, Weight.WRONG)


def missing(sentence: str, cites: str = "") -> Problem:
    """Something that is not there yet."""
    return Problem(sentence, cites, Weight.MISSING)


def advice(sentence: str, cites: str = "") -> Problem:
    """Something that might be better."""
    return Problem(sentence, cites, Weight.ADVICE)


def state_of(problems: Iterable[Problem]) -> StepState:
    """2.5: a step is done when nothing is wrong and nothing is missing."""
    weights = {problem.weight for problem in problems}
    if Weight.WRONG in weights:
        return StepState.PROBLEM
    return StepState.OPEN if Weight.MISSING in weights else StepState.DONE


class Common(TypedDict):
    """2.5: what every act of a judge in a set-up needs."""

    round: Round
    judge: Judge
    now: datetime


@dataclass(frozen=True)
class SentForm:
    """2.5: a form as a browser or a program sent it. `post` is empty unless it `is_sent`; `typed` is the same, or what
    waited for a log-in, or None."""

    post: QueryDict
    typed: QueryDict | None
    is_sent: bool = True


def sent_form(request: HttpRequest) -> SentForm:
    """The form that a browser sent, or that waited for a log-in."""
    return SentForm(request.POST, typed_in(request), request.method == "POST")


class SetupPage(ActionView):
    """2.5: a page of a set-up, made of a form; only a browser is shown it."""

    def __init__(self, sent: SentForm) -> None:
        self.sent, self.post, self.typed = sent, sent.post, sent.typed
        self.refused = None

    def respond(self, request: HttpRequest, frame: Callable[[], Mapping[str, object]]) -> HttpResponse:
        """The page for a browser, or what follows its act."""
        self.request = request
        return self.answer(frame)


class StepPage(SetupPage):
    """2.5: the page of a step, for the battle judges. `pages.step_view` makes it a view and puts the frame around it:
    `round`, `viewer`, `setup`, `steps`, `step` and its `version`, with the steps `before` and `after` it.
    """

    key: ClassVar[str]

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent)
        self.desk, self.round, self.setup = desk, desk.round, desk.setup
        self.common = Common(round=desk.round, judge=desk.judge, now=timezone.now())

    @property
    def prepared(self) -> Preparation:
        """What the steps judge, as it is now: read anew when something was to be written."""
        return preparation_of(self.setup)

    @property
    def base_version(self) -> int:
        """The version of the step, or of a part of it, on which the form was opened."""
        return number_of(self.post.get("version", ""))

    def pressed(self, otherwise: str = "") -> tuple[str, str]:
        """What the pressed button does, and to what: `accept:12` is accept and 12."""
        word, _, key = self.post.get("act", otherwise).partition(":")
        return word, key


def desk_for(request: HttpRequest, slug: str) -> SetupDesk:
    """1.3, 2.5: the set-up as the battle judge who asks has it before him. Raises Http404 without such a round, and
    what `desk_of` raises."""
    return desk_of(viewer_for(request, slug))


def desk_of(viewer: Viewer) -> SetupDesk:
    """1.3, 2.5: the set-up for a battle judge of its round.

    Raises Http404 after it has begun, PermissionDenied for everybody else.
    """
    if viewer.round.state != RoundState.SETUP or setup_of(viewer.round) is None:
        raise Http404(gettext("The round has started, so you can't change its set-up any more."))
    desk = setup_desk(viewer)
    if desk is None:
        raise PermissionDenied(gettext("Only the battle judges of this round can set it up (1.3)."))
    return desk


def logged_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Asks to log in. What a form brought meanwhile waits for its owner: `typed_in` has it when he is back."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method == "POST":
            fields = {name: request.POST.getlist(name) for name in request.POST if name != "csrfmiddlewaretoken"}
            if keep(request, f"setup:{request.path}", json.dumps(fields)):
                told = gettext("You were logged out, and nothing was saved. What you typed is still here.")
                messages.warning(request, told)
            else:
                told = gettext("You were logged out, and nothing was saved. Your text was too long to save.")
                messages.error(request, told)
        return redirect_to_login(request.get_full_path())

    return asked


def typed_in(request: HttpRequest) -> QueryDict | None:
    """What a form brought now or, on the way back from the log-in page, what waited; None if there is nothing."""
    if request.method == "POST":
        return request.POST
    kept = take_kept(request, f"setup:{request.path}")
    if not kept:
        return None
    fields = QueryDict(mutable=True)
    for name, values in json.loads(kept).items():
        fields.setlist(name, values)
    return fields
