"""What a test of a phase promises: nobody sees more than the table allows, and each author sees his own."""

import logging
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.core import mail
from django.http import HttpResponseBase

from tests.secrecy.allowed import TABLE, may_see, tells
from tests.secrecy.scene import Marker, Scene
from tests.secrecy.viewers import viewers_of
from tests.secrecy.walking import Sight, answers_to, every_address, sights_in

LOG = "the log"
NO_GET = 405
Answer = tuple[str, HttpResponseBase]
Look = Callable[[str, str, HttpResponseBase], None]
"""Somebody else who is told of each answer of a walk: viewer, address, answer."""


def check(
    scene: Scene, caplog: pytest.LogCaptureFixture, seen: Iterable[str] | None = None, look: Look | None = None
) -> None:
    """Walks everything as everybody, and reads the log and the mails. The markers of the kinds in `seen`, or all, must
    have been seen by their authors."""
    caplog.set_level("DEBUG")
    caplog.set_level("WARNING", logger="wargame.web.requests")  # its lines hold how long each answer took
    places, sights = list(every_address(scene)), list[Sight]()
    for number, viewer in enumerate(viewers_of(scene)):
        closed = set[str]()
        for address, response in heard_by(caplog, answers_to(viewer, scene, places)):
            if response.status_code == NO_GET:
                closed.add(address)
            if look:
                look(viewer, address, response)
            sights += sights_in(response, viewer, scene, address)
        # A visitor and an outsider learn that an address takes no GET before anybody asks what they may see: it says
        # the same to everybody.
        if number < 2:
            places = [place for place in places if place[0] not in closed]
    sights += [Sight(LOG, "a line of it", marker) for marker in scene.found_in(caplog.text)]
    sights += sights_in_mails(scene)
    leaked = told(leaks(sights, scene))
    assert leaked == "", leaked
    kinds = [kind for kind, row in TABLE.items() if row.seen] if seen is None else list(seen)
    assert [marker for marker in unseen(scene, sights) if marker.kind in kinds] == []


def heard_by(caplog: pytest.LogCaptureFixture, answers: Iterator[Answer]) -> Iterator[Answer]:
    """The answers; what is logged meanwhile is written into this log alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger(), "handlers", [caplog.handler])
        yield from answers


def leaks(sights: Iterable[Sight], scene: Scene) -> list[Sight]:
    """What was seen and is not allowed."""
    return [
        sight for sight in sights
        if tells(sight.marker, sight.address) and not may_see(sight.marker, sight.viewer, scene.phase)
    ]  # fmt: skip


def unseen(scene: Scene, sights: Iterable[Sight]) -> list[Marker]:
    """The markers that their authors have not seen anywhere: those of a walk that proves nothing."""
    seen = {
        sight.marker for sight in sights
        if sight.viewer == sight.marker.author and tells(sight.marker, sight.address)
    }  # fmt: skip
    return [marker for marker in scene.markers if marker.author and marker not in seen]


def sights_in_mails(scene: Scene) -> Iterator[Sight]:
    """What stands in the mails that were sent; each of several addressees sees all of one."""
    viewers = {user.email: viewer for viewer, user in scene.users.items()}
    for letter in mail.outbox:
        for marker in scene.found_in(letter.message().as_string()):
            for address in letter.recipients():
                yield Sight(viewers.get(address, "anonymous"), f"the mail “{letter.subject}”", marker)


def told(found: Iterable[Sight]) -> str:
    """Leaks as lines, each kind and viewer once."""
    first = {(sight.viewer, sight.marker.kind): str(sight) for sight in found}
    return "\n".join(first.values())
