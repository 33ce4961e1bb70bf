"""R37, R38: the editor of formula books, and what everybody sees of them."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from playwright.sync_api import Page, expect

from judging.formula_books.models import BookVersion
from tests.pages.judge_desk import Desk, desk
from tests.pages.looking import fits
from tests.pages.test_judge_in_a_browser import enter, watched
from tests.services.world_of_tests import make_round
from wargame.models import Round
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.formulas import FORMULAS

__all__ = ["desk", "watched"]

OUTSIDE = ("anonymous", "Ana", "Hex", "movement", "mercenary", "superuser")
PICKED = {"first": "rank:captain", "second": "army:Gaz"}


def page(desk: Desk, name: str = "book", *more: object) -> str:
    return reverse(f"judge:{name}", args=[desk.world.round.pk, *more])


def typed(**formulas: str) -> dict[str, str]:
    return {**DEFAULT.to_json(), "base": "1", **formulas}


def send(desk: Desk, act: str, **formulas: str) -> Any:
    return desk.client("battle").post(page(desk), {**typed(**formulas), "act": act})


def secrets_of(desk: Desk) -> list[str]:
    """What of the book must be on no page of others: the salt, and the formulas that are its own.

    A formula that is a bare number may stand on any page by chance, in a hash or a time.
    """
    version = BookVersion.objects.get()
    own = [text for name, text in version.formulas.items() if text != DEFAULT.to_json()[name] and not text.isdigit()]
    return [version.salt, *own]


@pytest.mark.parametrize("who", OUTSIDE)
def test_nobody_but_a_battle_judge_gets_any_page_of_the_book(desk: Desk, who: str) -> None:
    client = desk.client(who)
    for name, more in (("book", ()), ("book-version", (1,))):
        answer = client.get(page(desk, name, *more), follow=True)
        assert answer.status_code in (200, 404)
        assert not [secret for secret in secrets_of(desk) if secret in answer.content.decode()]
    for name in ("book", "book-check", "book-plots"):
        assert client.post(page(desk, name), {**typed(), "act": "save"}).status_code in (302, 404)
    assert BookVersion.objects.count() == 1


def test_a_battle_judge_of_another_round_gets_none(desk: Desk) -> None:
    desk.world.judges["stranger"] = make_round({}, slug="other").judges["battle"]
    assert desk.client("stranger").get(page(desk)).status_code == 404


def test_the_editor_shows_every_formula_with_its_numbers(desk: Desk) -> None:
    text = desk.client("battle").get(page(desk)).content.decode()
    for formula in FORMULAS:
        assert f'name="{formula.name}"' in text
        assert all(f"<code>{name}</code>" in text for name in formula.names)
    assert "apply to battles from turn 3 on" in text
    assert "<script>" not in text
    assert not re.search(r"\son\w+=|\sstyle=", text)


def test_the_desk_links_to_the_books_that_one_writes(desk: Desk) -> None:
    index = reverse("judge:index")
    assert page(desk) in desk.client("battle").get(index).content.decode()
    assert page(desk) not in desk.client("movement").get(index).content.decode()


def test_a_saved_version_is_shown_with_its_changes(desk: Desk) -> None:
    answer = send(desk, "save", most_rounds="3")
    assert answer.status_code == 302
    version = BookVersion.objects.get(number=2)
    assert (version.judge, version.from_turn) == (desk.world.judges["battle"], 3)
    text = desk.client("battle").get(page(desk, "book-version", 2)).content.decode()
    assert "<del>100</del><ins>3</ins>" in text
    assert desk.client("battle").get(page(desk, "book-version", 9)).status_code == 404


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("__import__(&#x27;os&#x27;)", "At character 12"),
        ("9^9^9", "whole number from 0 to 9"),
        ("1 / ahead", "divides by 0"),
        ("", "This is empty: write a formula or a number"),
        ("<script>alert(1)</script>", "isn&#x27;t valid here"),
    ],
)
def test_a_formula_that_can_not_be_used_is_told_and_kept(desk: Desk, text: str, said: str) -> None:
    raw = text.replace("&#x27;", "'")
    answer = send(desk, "save", die_loss=raw, most_rounds="7")
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert said in shown
    assert shown.count("Nothing was saved") == 1
    assert shown.count("One formula is invalid") == 1
    fault = answer.context["faults"][0]
    for place in ('<ul class="book-faults">', 'id="error-die_loss"'):
        assert escape(fault.sentence) in shown.split(place)[1][:1000]
    assert ">\n7</textarea>" in shown
    assert "<script>alert" not in shown
    assert answer.context["parts"][2].formulas[0].text == raw
    assert BookVersion.objects.count() == 1


def test_an_endless_formula_is_a_sentence(desk: Desk) -> None:
    answer = send(desk, "check", die_loss="(" * 1_000_000)
    assert answer.status_code == 422
    assert "at most 1000 characters; this one has 1,000,000" in answer.content.decode()


def test_a_post_without_any_formula_is_a_sentence(desk: Desk) -> None:
    answer = desk.client("battle").post(page(desk), {"act": "save", "base": "x"})
    assert answer.status_code == 422
    assert "20 formulas are invalid" in answer.content.decode()


def test_the_check_tells_each_formula_by_itself(desk: Desk) -> None:
    sent = typed(die_loss="30 - ahed", most_lost="")
    text = desk.client("battle").post(page(desk, "book-check"), sent).content.decode()
    assert "2 formulas are invalid" in text
    error = r'id="error-die_loss" hx-swap-oob="true">\s*<p class="errornote">\s*At character 6: There is nothing'
    assert re.search(error, text)
    assert "30 - <mark>ahed</mark>" in text
    good = desk.client("battle").post(page(desk, "book-check"), typed()).content.decode()
    assert "All formulas are valid" in good


def test_two_judges_do_not_write_over_each_other(desk: Desk) -> None:
    send(desk, "save", most_rounds="3")
    answer = send(desk, "save", most_rounds="4")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "saved version 2" in text
    assert ">\n4</textarea>" in text
    assert 'name="base" value="2"' in text


def test_a_drawn_book_and_the_default_fill_the_form_and_save_nothing(desk: Desk) -> None:
    drawn = send(desk, "drawn").context["parts"][2].formulas[0].text
    assert drawn != DEFAULT.to_json()["die_loss"]
    assert "ahead" in drawn
    default = send(desk, "default", die_loss="1").context["parts"][2].formulas[0].text
    assert default == DEFAULT.to_json()["die_loss"]
    assert BookVersion.objects.count() == 1


def test_the_plots_are_drawn_for_the_armies_that_were_picked(desk: Desk) -> None:
    client = desk.client("battle")
    text = client.post(page(desk, "book-plots"), {**typed(), **PICKED}).content.decode()
    assert text.count("<polyline") == 6
    assert "size of full-strength Captain as a percentage of Gaz" in text
    assert '<tr><th scope="row">1000</th><td>26%</td><td>19%</td></tr>' in text
    whole = client.post(page(desk), {**typed(), **PICKED, "act": "plot"}).content.decode()
    assert whole.count("<polyline") == 6


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"first": "army:Gaz"}, "two different armies"),
        ({"first": "army:Nobody"}, "two different armies"),
        ({"second": ""}, "two different armies"),
        ({"die_loss": "1 +"}, "The plots appear once all formulas are valid"),
    ],
)
def test_what_can_not_be_plotted_is_a_sentence(desk: Desk, sent: dict[str, str], said: str) -> None:
    answer = desk.client("battle").post(page(desk, "book-plots"), {**typed(), **PICKED, **sent})
    assert answer.status_code == 200
    assert said in answer.content.decode()


def test_everybody_sees_the_commitments_and_nothing_else(desk: Desk) -> None:
    send(desk, "save", most_rounds="3")
    for who in ("anonymous", "Ana", "battle"):
        text = desk.client(who).get(reverse("round-book", args=["trial"])).content.decode()
        for version in BookVersion.objects.all():
            assert version.commitment in text
            assert version.salt not in text
            assert version.formulas["side_loss"] not in text


def test_everybody_reads_the_books_of_a_round_that_is_over(desk: Desk) -> None:
    Round.objects.update(state="over")
    text = Client().get(reverse("round-book", args=["trial"])).content.decode()
    version = BookVersion.objects.get()
    assert version.salt in text
    assert version.formulas["side_loss"] in text
    assert "hashlib.sha256" in text
    answer = send(desk, "save", most_rounds="3")
    assert answer.status_code == 409
    assert "is finished" in answer.content.decode()


def test_a_round_that_does_not_exist_has_no_book(desk: Desk) -> None:
    assert Client().get(reverse("round-book", args=["nowhere"])).status_code == 404
    assert desk.client("battle").get(reverse("judge:book", args=[10**17])).status_code == 404


def test_a_judge_writes_a_book_on_a_phone(watched: Page, live_server: Any, transactional_db: None, desk: Desk) -> None:
    watched.set_viewport_size({"width": 375, "height": 800})
    enter(watched, desk, live_server.url)
    watched.click(".judge-books a[href$='/book/']")
    expect(watched.locator(".book-plot svg")).to_have_count(4, timeout=30_000)
    watched.fill("#id_die_loss", "max(30 - 2 * ahed, 6)")
    expect(watched.locator("#error-die_loss")).to_contain_text("did you mean “ahead”?", timeout=30_000)
    expect(watched.locator("#error-die_loss mark")).to_have_text("ahed")
    watched.click("#book-check a")
    expect(watched.locator("#id_die_loss")).to_be_focused()
    watched.fill("#id_die_loss", "max(30 - 2 * ahead, 6)")
    expect(watched.locator("#book-check")).to_contain_text("All formulas are valid", timeout=30_000)
    fits(watched)
    watched.click("button[value=save]")
    expect(watched.locator(".messagelist")).to_contain_text("Version 2 is saved")
    assert BookVersion.objects.get(number=2).formulas["die_loss"] == "max(30 - 2 * ahead, 6)"
