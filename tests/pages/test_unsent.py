"""3.1: what is typed waits for its writer on the pages where he typed it, and forms say what can't be asked of them."""

import pytest
import time_machine
from django.urls import reverse

from judging.common.models import Unsent
from judging.common.positions import position_of
from judging.map.queries import map_of
from judging.polling.views import map_version
from judging.turns.models import Draft
from judging.turns.stages import advance
from tests.pages.playing import Game, game, said, typed_text
from tests.services.world_of_tests import HOUR, LOCKED, UNLOCK, begin, make_round

__all__ = ["game"]


def keep(game: Game, who: str, place: str, text: str, token: str = "a form") -> dict[str, object]:
    answer = game.client(who).post(game.url("unsent"), {"place": place, "text": text, "token": token})
    assert answer.status_code == (200 if who else 422)
    return answer.json()  # type: ignore[no-any-return]


def test_what_is_typed_is_on_the_page_again_until_it_is_sent(game: Game) -> None:
    assert keep(game, "Ana", "post", "Ana: 3D > 4D")["kept"]

    page = game.page("movement", who="Ana")
    assert typed_text(page) == "Ana: 3D > 4D"
    assert "It hasn't been sent, and only you can see it." in " ".join(page.split())
    assert "order--legal" in page, "it is read at once"
    assert typed_text(game.page("map", who="Ana")) == "Ana: 3D > 4D"
    assert typed_text(game.page("movement", who="Gaz")) == ""

    game.post("Ana", "Ana: 3D > 4D", token="a form")
    assert typed_text(game.page("movement", who="Ana")) == ""
    assert not keep(game, "Ana", "post", "Ana: 3D > 4D")["kept"], "that form was sent"


def test_a_message_waits_on_its_board(game: Game) -> None:
    keep(game, "Ana", "board:talk", "Dear all,")
    assert typed_text(game.page("board", "talk", who="Ana")) == "Dear all,"
    game.client("Ana").post(game.url("board", "talk"), {"text": "Dear all, hello", "token": "one"})
    assert typed_text(game.page("board", "talk", who="Ana")) == ""


def test_a_topic_and_a_first_message_wait_with_their_title_and_people(game: Game) -> None:
    """3.1, 1.6"""
    also = {"title": "The north", "to": ["Gaz", "Hex"]}
    for place, name, arguments in (("topic:talk", "board-topic-new", ("talk",)), ("press", "press-new", ())):
        typed = {"place": place, "text": "Snow is coming.", "token": f"of {place}", **also}
        assert game.client("Ana").post(game.url("unsent"), typed).json()["kept"]
        page = game.page(name, *arguments, who="Ana")
        assert typed_text(page) == "Snow is coming."
        assert 'value="The north"' in page
        assert "It hasn't been sent, and only you can see it." in " ".join(page.split())
        assert typed_text(game.page(name, *arguments, who="Ben")) == ""
        sent = {"text": "Snow is coming.", "token": f"of {place}", **also}
        assert game.client("Ana").post(game.url(name, *arguments), sent).status_code == 302
        page = game.page(name, *arguments, who="Ana")
        assert (typed_text(page), 'value="The north"' in page) == ("", False)
        assert not game.client("Ana").post(game.url("unsent"), typed).json()["kept"], "that form was sent"


def test_somebody_who_is_written_to_from_elsewhere_stands_before_what_waits(game: Game) -> None:
    keep(game, "Ana", "press", "Peace?")
    game.client("Ana").post(game.url("unsent"), {"place": "press", "text": "Peace?", "to": ["Hex"], "token": "a"})
    page = " ".join(game.client("Ana").get(game.url("press-new"), {"to": "Gaz"}).content.decode().split())
    assert 'value="Gaz" checked' in page
    assert 'value="Hex" checked' not in page
    assert 'value="Hex" checked' in " ".join(game.page("press-new", who="Ana").split())


def test_after_an_edit_that_changed_nothing_the_next_one_is_kept(game: Game) -> None:
    """Its form is of the same version, and its page has the same name for it."""
    post = game.world.post("Ana", "Ana: 3D > 4D")
    game.client("Ana").post(game.url("board", "talk"), {"text": "Dear all", "token": "one"})
    for name, arguments, text, place in (
        ("post-edit", (post.pk,), "Ana: 3D > 4D", f"edit:{post.pk}"),
        ("board-edit", ("talk", 1), "Dear all", "message:talk:1"),
    ):
        address = game.url(name, *arguments)
        assert game.client("Ana").post(address, {"text": text, "base_version": 1}).status_code == 302
        assert keep(game, "Ana", place, "Something else", token="1")["kept"]
        changed = {"text": f"{text} ", "base_version": 1} | {"text": "Good day."}
        assert game.client("Ana").post(address, changed).status_code == 302
        assert not keep(game, "Ana", place, "Something else", token="1")["kept"], "that form was sent"


def test_after_the_lock_what_was_typed_is_there_and_no_button_looks_open(game: Game) -> None:
    keep(game, "Ana", "post", "Ana: 3D > 4D")
    game.go_to(LOCKED)
    page = game.page("movement", who="Ana")
    assert typed_text(page) == "Ana: 3D > 4D"
    assert "You can post again when the next turn opens" in page
    form = page[page.index("data-post-form") :]
    form = form[: form.index("</form>")]
    assert form.count("<button") - form.count("data-check") == form.count("disabled")


def test_nothing_is_kept_for_who_is_not_logged_in(game: Game) -> None:
    assert keep(game, "", "post", "3D > 4D")["kept"] is False
    assert not Unsent.objects.exists()


@pytest.mark.parametrize(
    ("name", "arguments", "leads_to"),
    [("post-new", (), "/rounds/trial/movement/"), ("board-preview", ("talk",), "/rounds/trial/boards/talk/")],
)
def test_the_address_of_a_button_has_a_page_that_leads_on(
    game: Game, name: str, arguments: tuple[str, ...], leads_to: str
) -> None:
    answer = game.client("Ana").get(game.url(name, *arguments))
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert "Nothing to see here" in said(answer)
    assert f'href="{leads_to}"' in answer.content.decode()


def test_the_map_is_found_by_its_name(game: Game) -> None:
    assert game.client().get("/rounds/trial/map/").headers["Location"] == game.url("map")
    assert game.client("Ana").get(game.url("unsent")).headers["Location"] == game.url("map")


def test_a_risk_that_can_not_be_taken_can_not_be_ticked(game: Game) -> None:
    """4.5: Gaz is an Evincar."""
    page = said_with_tags(game.client("Ana").get(game.url("strat", game.battle().pk, "Ana")).content.decode())
    capture = next(tag for tag in page.split("<") if 'value="capture"' in tag)
    assert "disabled" in capture
    assert 'title="' in capture
    kill = next(tag for tag in page.split("<") if 'value="kill"' in tag)
    assert "disabled" not in kill


def said_with_tags(page: str) -> str:
    return " ".join(page.split())


def test_a_manifest_proposes_what_was_ordered_else_the_friend_beside_it(db: None) -> None:
    """3.2.4"""
    armies = {
        "Ana": ("coalition", "3D", "captain"),
        "Ben": ("coalition", "4D", "lieutenant"),
        "Cay": ("coalition", "20D", "lieutenant"),
        "Gaz": ("phyrexia", "3F", "evincar"),
    }
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False) as clock:
        game = Game(begin(make_round(armies)), clock)
        page = game.page("manifest-new", who="Ana")
        assert 'value="Ben"' in page
        assert "Ana: transfer to Ben at 4D" in page
        game.world.post("Ana", "Ana: transfer to Ben at 4D", UNLOCK + HOUR)
        assert "Your order is posted: Ana on 3D will send troops to Ben." in " ".join(
            game.page("manifest-new", who="Ana").split()
        )
        assert "There is no friendly army next to Cay" in " ".join(game.page("manifest-new", who="Cay").split())


def test_the_moves_are_drawn_as_soon_as_everybody_may_see_them(game: Game) -> None:
    """R18: while the battles are judged the armies stand where they stood, with arrows to where they go."""
    game.world.post("Ben", "Ben: 10D > 12D", UNLOCK + HOUR)
    game.battle()
    game.world.post("Hex", "Hex: 20F > 22F", UNLOCK + 8 * 24 * HOUR)
    turn = game.world.turn
    game.go_to(turn.lock_at + HOUR)
    advance(turn.pk, turn.lock_at + HOUR)
    turn, position = game.world.turn, position_of(game.world.turn)
    assert turn.state != "settled"
    Draft.objects.filter(turn=turn).update(publish_at=None)
    before = map_version(turn, turn.lock_at + HOUR)
    assert map_of(turn, position, turn.lock_at + HOUR)["shows"] == "last"
    Draft.objects.filter(turn=turn).update(publish_at=turn.lock_at)
    shown = map_of(turn, position, turn.lock_at + HOUR)
    assert shown["shows"] == "draft"
    assert [arrow.army for arrow in shown["arrows"]] == ["army-hex"]
    assert map_version(turn, turn.lock_at + HOUR) != before
    assert 'data-shows="draft"' in game.client().get(reverse("map", args=["trial"])).content.decode()
