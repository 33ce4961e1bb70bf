"""2.5: what every step of a set-up is made of: its entry in the list of steps, its problems, and its form."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import UNPROCESSABLE, Success, handle_form, number_of
from judging.common.shortcuts import keep, take_kept
from judging.common.viewer import Viewer
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation, preparation_of
from judging.setup.services import SetupDesk, held_setup, save_step, setup_desk, setup_of
from wargame.models.choices import RoundState


class Weight(StrEnum):
    """2.5: the weight of a problem: something is wrong, something is missing, or something might be better."""

    WRONG = "wrong"
    MISSING = "missing"
    ADVICE = "advice"


class Problem(NamedTuple):
    """2.5: an obstacle to the start, in a sentence that says what would do; `ADVICE` is none."""

    sentence: str
    cites: str = ""
    weight: Weight = Weight.MISSING


class StepState(StrEnum):
    """2.5: the state of a step."""

    DONE = "done"
    OPEN = "open"
    PROBLEM = "problem"


def wrong(sentence: str, cites: str = "", **facts: object) -> Problem:
    return Problem(sentence % facts if facts else sentence, cites, Weight.WRONG)


def missing(sentence: str, cites: str = "", **facts: object) -> Problem:
    return Problem(sentence % facts if facts else sentence, cites, Weight.MISSING)


def advice(sentence: str, cites: str = "", **facts: object) -> Problem:
    return Problem(sentence % facts if facts else sentence, cites, Weight.ADVICE)


def state_of(problems: Iterable[Problem]) -> StepState:
    """2.5: a step is done when nothing is wrong and nothing is missing."""
    weights = {problem.weight for problem in problems}
    if Weight.WRONG in weights:
        return StepState.PROBLEM
    return StepState.OPEN if Weight.MISSING in weights else StepState.DONE


@dataclass(frozen=True)
class Step:
    """2.5: a step's entry in `overview.STEPS`, from which its addresses, its operation in the API, its place in the
    overview and its state follow. Its page is `setup-<key>`, with the template `setup/<key>.html`.

    `title` and `waits` are marked and not translated yet. `waits` tells the public what is waited for while the step is
    not done; it gives nothing away. `problems` gives what is wrong or missing now. `form` is for the battle judges; a
    step without one has views of its own. `part` is the form of one row of the step, and `preview` the template of the
    fragment that shows what is typed.
    """

    key: str
    title: str
    rule: str
    waits: str
    problems: Callable[[Preparation], Iterable[Problem]]
    form: type["StepForm"] | None
    part: type["StepForm"] | None = None
    preview: str = ""


@dataclass(frozen=True)
class SetupStep:
    """2.5: a step in its present state. Without problems for those who don't judge the round."""

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
        """The obstacles to the start."""
        return tuple(problem for problem in self.problems if problem.weight is not Weight.ADVICE)

    @property
    def advice(self) -> tuple[Problem, ...]:
        """The problems that are no obstacle to the start."""
        return tuple(problem for problem in self.problems if problem.weight is Weight.ADVICE)


class SetupForm(forms.Form):
    """2.5: a form of a set-up, which the page and the API fill and save alike. Most have fields that differ by the
    round, and read `values` themselves.

    `values` has what was sent or, on the way back from the log-in page, what waited; `post` is empty in that case.
    """

    template: str
    refused_status: ClassVar[int] = UNPROCESSABLE
    refused: Refused | None = None
    request: HttpRequest

    def __init__(self, data: QueryDict | None, is_sent: bool) -> None:
        super().__init__(data, initial=self.saved())
        self.values = QueryDict() if data is None else data
        self.post = self.values if is_sent else QueryDict()
        self.now = timezone.now()

    def saved(self) -> dict[str, Any]:
        """What the fields show before somebody fills them in."""
        return {}

    @property
    def only_looks(self) -> bool:
        """Whether the pressed button changes the form alone: the page is shown again, and nothing is saved."""
        return False

    @property
    def base_version(self) -> int:
        """The version of the step, or of a part of it, on which the form was opened."""
        return number_of(self.post.get("version", ""))

    def context(self) -> Mapping[str, object]:
        """What the template needs besides the form and its frame; it is asked for after `save`."""
        return {}

    def save(self) -> Success | str:
        """Does what the pressed button says; gives the message. Raises Refused."""
        raise NotImplementedError

    def answer(self, request: HttpRequest, frame: Callable[[], Mapping[str, object]]) -> HttpResponse:
        """The page in its frame, or what follows `save`."""
        self.request = request

        def page(*, refused: Refused | None = None) -> HttpResponse:
            self.refused = refused
            return render(request, self.template, {**frame(), "form": self, "refused": refused, **self.context()})

        save = None if self.only_looks else self.save
        return handle_form(request, page, save, form=self, status=self.refused_status)


class StepForm(SetupForm):
    """2.5: the form of a step, for the battle judges. One of a single row of the step is named by its `part`; `key` is
    that row's, which its address calls `row`."""

    part: ClassVar[str] = ""
    row: ClassVar[str] = ""
    saves: ClassVar[bool] = True
    """False: the page only shows something."""

    def __init__(
        self, step: Step, desk: SetupDesk, data: QueryDict | None = None, *, is_sent: bool = True, key: int = 0
    ) -> None:
        self.step, self.desk, self.round, self.setup, self.key = step, desk, desk.round, desk.setup, key
        self.template = f"setup/{self.part or step.key}.html"
        super().__init__(data, is_sent)
        self.common: dict[str, Any] = {"round": desk.round, "judge": desk.judge, "now": self.now}
        """What every act of a judge needs."""

    @property
    def prepared(self) -> Preparation:
        """What the steps judge, as it is now: read again when something was to be written."""
        return preparation_of(self.setup)

    def pressed(self, otherwise: str = "") -> tuple[str, str]:
        """The action of the pressed button, and its object: `accept:12` is accept and 12."""
        word, _, key = self.post.get("act", otherwise).partition(":")
        return word, key

    def held(self, *, checks_version: bool = True) -> RoundSetup:
        """The set-up, held until the transaction ends. Refused if the step was saved since the form was opened."""
        return held_setup(self.round, self.desk.judge, self.step.key, self.base_version if checks_version else None)

    def store(self, setup: RoundSetup, **data: object) -> None:
        """Stores the set-up with one more version of the step, and records it."""
        save_step(setup, self.step.key, self.desk.judge, self.now, **data)


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
    """Decorate a view to require a log-in. The data of a form that was sent logged out are stored for its author:
    `typed_in` returns them after the log-in."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method == "POST":
            fields = {name: request.POST.getlist(name) for name in request.POST if name != "csrfmiddlewaretoken"}
            if keep(request, f"setup:{request.path}", json.dumps(fields)):
                message = gettext("You were logged out, and nothing was saved. What you typed is still here.")
                messages.warning(request, message)
            else:
                message = gettext("You were logged out, and nothing was saved. Your text was too long to save.")
                messages.error(request, message)
        return redirect_to_login(request.get_full_path())

    return asked


def typed_in(request: HttpRequest) -> QueryDict | None:
    """The data of the form that was sent or, after a log-in, that was stored; None without any."""
    if request.method == "POST":
        return request.POST
    text = take_kept(request, f"setup:{request.path}")
    if not text:
        return None
    fields = QueryDict(mutable=True)
    for name, values in json.loads(text).items():
        fields.setlist(name, values)
    return fields
