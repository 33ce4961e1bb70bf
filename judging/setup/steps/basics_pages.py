"""2.5: the first steps of a set-up: name and numbers of armies, judges, calendar."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from judging.game.errors import Refused
from judging.setup.common_pages import desk_for, logged_in, step_page, typed_in, version_of
from judging.setup.forms import AppointForm, CalendarForm, NameForm
from judging.setup.reads import SetupDesk
from judging.setup.steps.basics import save_calendar, save_name
from judging.setup.steps.calendar import preview_of
from judging.setup.steps.judges import judges_of
from judging.setup.steps.judges_writes import appoint, dismiss, make_head
from wargame.models.choices import Role
from wargame.rules.armies.numbers import RECOMMENDED


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def name(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.1: the round's name and the number of armies of each rank."""
    desk = desk_for(request, slug)
    numbers = {f"rank{tier}": number for tier, number in enumerate(desk.setup.armies, 1)}
    form = NameForm(typed_in(request), initial={"name": desk.round.name, **numbers})
    if request.method == "POST" and form.is_valid():
        given = {"name": form.cleaned_data["name"], "armies": form.numbers()}
        try:
            save_name(round=desk.round, judge=desk.judge, base_version=version_of(request), now=timezone.now(), **given)
        except Refused as error:
            return _name_page(request, desk, form, refused=error)
        messages.success(request, "Saved.")
        return redirect("setup-name", slug)
    return _name_page(request, desk, form)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """1.3, 6: who judges the round."""
    desk = desk_for(request, slug)
    act = request.POST.get("act", "")
    if request.method != "POST":
        return _judges_page(request, desk, AppointForm())
    form = AppointForm(request.POST if act == "appoint" else None)
    try:
        if act != "appoint":
            _change_judge(request, desk, act)
        elif form.is_valid():
            given = {**form.cleaned_data, "role": Role(form.cleaned_data["role"])}
            made = appoint(round=desk.round, judge=desk.judge, now=timezone.now(), **given)
            messages.success(request, f"{made.name} is {made.get_role_display()} now.")
        else:
            return _judges_page(request, desk, form)
    except Refused as error:
        return _judges_page(request, desk, form, refused=error)
    return redirect("setup-judges", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """R5: deadlines, lengths and holidays; a POST saves them, or shows what they would give."""
    desk = desk_for(request, slug)
    form = CalendarForm(typed_in(request), initial=_calendar_of(desk))
    if request.method == "POST" and form.is_valid() and request.POST.get("act") != "preview":
        given = form.cleaned_data
        try:
            save_calendar(
                round=desk.round,
                judge=desk.judge,
                weekday=given["weekday"],
                deadline_at=given["deadline_at"],
                calendar=form.calendar(),
                base_version=version_of(request),
                now=timezone.now(),
            )
        except Refused as error:
            return _calendar_page(request, desk, form, refused=error)
        messages.success(request, "The calendar is saved.")
        return redirect("setup-calendar", slug)
    return _calendar_page(request, desk, form)


@require_POST
@logged_in
def calendar_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """R5: the next deadlines and locks of what is typed, as a fragment."""
    desk = desk_for(request, slug)
    return render(request, "setup/_calendar.html", _calendar_context(desk, CalendarForm(request.POST)))


def _name_page(request: HttpRequest, desk: SetupDesk, form: NameForm, refused: Refused | None = None) -> HttpResponse:
    context = {"form": form, "refused": refused, "recommended": RECOMMENDED}
    return step_page(request, desk, "name", "setup/name.html", context, _status(form, refused))


def _judges_page(
    request: HttpRequest, desk: SetupDesk, form: AppointForm, refused: Refused | None = None
) -> HttpResponse:
    context = {"form": form, "refused": refused, "judges": judges_of(desk.round), "own": desk.judge}
    return step_page(request, desk, "judges", "setup/judges.html", context, _status(form, refused))


def _change_judge(request: HttpRequest, desk: SetupDesk, act: str) -> None:
    """A button beside a judge's name: `head 12`, `dismiss 12`."""
    word, _, number = act.partition(" ")
    judge_id = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else 0
    given: dict[str, Any] = {"round": desk.round, "judge": desk.judge, "judge_id": judge_id, "now": timezone.now()}
    if word == "head":
        made = make_head(**given)
        messages.success(request, f"{made.name} is head {made.get_role_display()} now.")
    elif word == "dismiss":
        messages.success(request, f"{dismiss(**given)} judges no more.")


def _calendar_page(
    request: HttpRequest, desk: SetupDesk, form: CalendarForm, refused: Refused | None = None
) -> HttpResponse:
    context = {**_calendar_context(desk, form), "refused": refused}
    return step_page(request, desk, "calendar", "setup/calendar.html", context, _status(form, refused))


def _calendar_context(desk: SetupDesk, form: CalendarForm) -> dict[str, Any]:
    """The form and, unless what is typed can't be kept, the times that it gives."""
    typed: dict[str, Any] | None = {}
    if form.is_bound:
        days = {name: form.cleaned_data.get(name) for name in ("weekday", "deadline_at")} if form.is_valid() else None
        typed = {**days, **form.calendar()} if days is not None else None
    context: dict[str, Any] = {"form": form, "round": desk.round}
    if typed is None:
        return context
    try:
        return context | {"turns": preview_of(desk.setup, typed, timezone.now()), "is_saved": not form.is_bound}
    except Refused as error:
        return context | {"no_turns": error}


def _calendar_of(desk: SetupDesk) -> dict[str, Any]:
    """The calendar as it is saved, for the form."""
    round_, waits = desk.round, desk.round.publish_after
    names = (
        *("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline"),
        *("after_lock_window", "judge_within", "overdue_policy", "holidays"),
    )
    return {
        **{name: getattr(round_, name) for name in names},
        "weekday": "" if desk.setup.weekday is None else str(desk.setup.weekday),
        "deadline_at": desk.setup.deadline_at,
        "publishes": "judge" if waits is None else "later" if waits else "at_once",
        "publish_after": waits or None,
        "results": "lock" if round_.results_after_lock else "",
    }


def _status(form: Any, refused: Refused | None) -> int:
    return 422 if refused or (form.is_bound and form.errors) else 200
