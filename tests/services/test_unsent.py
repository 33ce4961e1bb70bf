"""3.1: what is typed and not sent waits for its writer alone, and is void once its form was sent."""

import pytest

from judging.common.autosave import MOST_UNSENT, drop_unsent, keep_unsent, unsent_of
from judging.common.errors import Refused
from judging.common.models import Unsent
from judging.common.viewer import Viewer, viewer_of
from tests.services.world_of_tests import HOUR, UNLOCK, World

pytestmark = pytest.mark.django_db
NOW = UNLOCK + HOUR


def viewer(world: World, who: str) -> Viewer:
    return viewer_of(world.players[who].user, world.round)


def keep(world: World, text: str, place: str = "post", form: str = "form 1", who: str = "Ana") -> bool:
    return keep_unsent(viewer=viewer(world, who), place=place, text=text, form=form, turn=1, now=NOW)


def waiting(world: World, who: str = "Ana", place: str = "post") -> str:
    found = unsent_of(viewer(world, who), place)
    return found.text if found else ""


def test_what_is_typed_waits_for_its_writer_alone(world: World) -> None:
    assert keep(world, "3D > 4D")
    assert keep(world, "3D > 5D")

    assert waiting(world) == "3D > 5D"
    assert waiting(world, "Ben") == ""
    assert unsent_of(Viewer(None, world.round), "post") is None
    assert keep(world, " \n")
    assert waiting(world) == ""


def test_what_comes_late_from_a_form_that_was_sent_is_void(world: World) -> None:
    """The page sends what was typed a moment after it was typed, and the form itself may be quicker."""
    keep(world, "3D > 4D")
    drop_unsent(viewer=viewer(world, "Ana"), place="post", form="form 1", now=NOW)
    assert waiting(world) == ""

    assert not keep(world, "3D > 4D")
    assert waiting(world) == ""
    assert keep(world, "3D > 3E", form="form 2")
    assert not keep(world, "3D > 4D"), "the first form is as void as before"
    assert waiting(world) == "3D > 3E"


@pytest.mark.parametrize(
    ("place", "text", "form"),
    [
        ("elsewhere", "a", "f"),
        ("board:" + "x" * 50, "a", "f"),
        ("board:" + "x" * 30 + ":" + "y" * 30, "a", "f"),
        ("post", "a\0b", "f"),
        ("post", "x" * 60_001, "f"),
        ("post", "a", "f" * 41),
    ],
)
def test_what_is_no_text_of_a_form_is_refused(world: World, place: str, text: str, form: str) -> None:
    with pytest.raises(Refused):
        keep(world, text, place, form)
    assert not Unsent.objects.exists()


def test_a_title_and_the_people_addressed_wait_with_their_text(world: World) -> None:
    """1.6"""
    who = viewer(world, "Ana")
    typed = {"title": ["Peace " * 50], "to": ["Gaz", ""] + ["Hex"] * 50, "writer": ["7"]}
    assert keep_unsent(viewer=who, place="press", text="Peace?", form="f", turn=1, now=NOW, also=typed)
    found = unsent_of(who, "press")
    assert found is not None
    assert set(found.also) == {"title", "to"}
    assert len(found.also["title"][0]) == 200
    assert found.also["to"][:2] == ["Gaz", "Hex"]
    drop_unsent(viewer=who, place="press", form="f", now=NOW)
    found = unsent_of(who, "press")
    assert found is not None
    assert found.also == {}
    with pytest.raises(Refused):
        keep_unsent(viewer=who, place="press", text="a", form="g", turn=1, now=NOW, also={"title": ["a\0"]})


def test_nobody_fills_the_table(world: World) -> None:
    for number in range(MOST_UNSENT + 3):
        keep(world, "a", f"edit:{number}")
    assert Unsent.objects.count() == MOST_UNSENT
