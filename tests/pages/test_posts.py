"""3.1, R7, R8: posting and editing. Every kind of bad input gets a sentence, and no text is lost."""

import pytest
from django.test import Client
from django.urls import reverse

from judging.turns.models import Post
from tests.pages.playing import PASSWORD, SEALED_TIME, Game, game, said, typed_text
from tests.services.world_of_tests import HOUR, LOCKED, UNLOCK

__all__ = ["game"]


def test_a_post_is_posted_and_shown(game: Game) -> None:
    response = game.post("Ana", "Ana: 3D > 4D")

    post = Post.objects.get()
    assert response.status_code == 302
    assert response.url == f"{game.url('movement')}#post-{post.pk}"
    assert "Ana: 3D &gt; 4D" in game.page("movement")


def test_an_unreadable_order_is_shown_before_it_is_posted(game: Game) -> None:
    """R8: the text is kept, nothing is stored, and it can be posted all the same."""
    text = "Ana: 3D > 4D (north)\nAna: 3D > 4D"
    asked = game.post("Ana", text)

    assert not Post.objects.exists()
    assert "There is no square after" in said(asked)
    assert "Post anyway" in said(asked)
    assert typed_text(asked.content.decode()) == text

    assert game.post("Ana", text, confirm="open").status_code == 302
    assert Post.objects.get().versions.get().text == text


def test_a_line_that_may_be_meant_as_an_order_is_asked_about_once(game: Game) -> None:
    """R8: it is shown as unread before and after posting, until its writer says that it stays talk."""
    text = "Ana: 3D to 4D\nFor Dominaria!"
    asked = game.post("Ana", text)

    assert not Post.objects.exists()
    assert "Not posted yet. We couldn't read this line as an order. Fix it, or post it as a comment." in said(asked)
    assert 'Did you mean <code class="suggestion">Ana: 3D &gt; 4D</code>?' in asked.content.decode()
    assert 'data-name="Ana: 3D &gt; 4D"' in asked.content.decode()

    game.post("Ana", text, confirm="open", token="asked")
    post = Post.objects.get()
    assert post.versions.get().stays_talk
    assert "order--unread" not in game.page("movement")
    edited = {"text": f"{text}\n3D > 4D", "base_version": "1"}
    client = game.client("Ana")
    assert client.post(game.url("post-edit", post.pk), edited).status_code == 302, "he was asked already"
    edited = {"text": f"{text}\nAna: stay put", "base_version": "2"}
    assert "Ana: hold" in said(client.post(game.url("post-edit", post.pk), edited))
    assert post.versions.count() == 2


def test_talk_of_which_nobody_was_asked_is_shown_as_unread(game: Game) -> None:
    """R8: posts of before, and those of programs; for the rules it is talk."""
    game.post("Ana", "Ana: interecpt Gaz", confirm="open")
    Post.objects.get().versions.update(stays_talk=False)

    assert "order--unread" in game.page("movement")
    assert 'Did you mean <code class="suggestion">Ana: intercept Gaz</code>?' in game.page("mine", who="Ana")


def test_a_confirmed_sealed_post_stays_sealed(game: Game) -> None:
    game.go_to(SEALED_TIME)
    asked = game.post("Ana", "Ana: 3D >", send="sealed")
    assert "Send sealed anyway" in said(asked)

    game.post("Ana", "Ana: 3D >", confirm="sealed")

    assert Post.objects.get().sealed


def test_an_army_that_does_not_exist_is_named_with_its_column_and_names_like_it(game: Game) -> None:
    html = game.post("Ana", "Anna: 3D > 4D").content.decode()

    assert "at column 1" in html
    assert 'data-name="Ana: 3D &gt; 4D"' in html
    assert 'data-wrong="Anna: 3D &gt; 4D"' in html


@pytest.mark.parametrize(
    ("text", "cites"),
    [("Ana: 3D > 3Z", "1.2"), ("Ana: 3D > 9D", "3.2.2.1"), ("Gaz: 3F > 3G", "5.4.1"), ("Ana: 3D > 3F", "3.2.2.2")],
)
def test_an_illegal_order_is_posted_and_its_rule_is_shown(game: Game, text: str, cites: str) -> None:
    """R12: an illegal line is an order, so it is accepted."""
    assert game.post("Ana", text).status_code == 302

    html = game.page("movement")
    assert "order--illegal" in html
    assert f'href="/rules/#r{cites}"' in html


def test_who_posts_illegal_orders_is_told_so_at_once(game: Game) -> None:
    """R12."""
    for text, told in (
        ("Ana: 3D > 9D", "Posted. The only order in this post is illegal"),
        ("Ana: 3D > 9D\nAna: 3D > 3Z", "Posted. All 2 orders in this post are illegal"),
        ("Ana: 3D > 9D\nAna: 3D > 4D\nLet us see.", "Posted. 1 order in this post is illegal"),
        ("Ana: 3D > 4D", "Posted.\n"),
    ):
        client = game.client("Ana")
        game.post("Ana", text, client, token=told[:30])
        assert told in client.get(game.url("movement")).content.decode()


def test_the_hint_about_illegal_lines_comes_with_an_illegal_line_alone(game: Game) -> None:
    """R12"""
    client, headers = game.client("Ana"), {"HX-Request": "true"}
    for text, comes in (("Ana: 3D > 4D", False), ("Ana: 3D > 9D", True)):
        html = client.post(game.url("post-preview"), {"text": text}, headers=headers).content.decode()
        assert ("An illegal order still counts" in html) is comes
        assert "Orders are checked again at the lock." in html


@pytest.mark.parametrize(
    ("text", "told"),
    [("x" * 20_001, "20,001 characters"), (" ", "Write at least one line."), ("Ana: 3D >", "Line 1, column")],
)
def test_why_a_post_is_not_sent_stands_above_everything_else(game: Game, text: str, told: str) -> None:
    html = game.post("Ana", text).content.decode()
    main = html[html.index("<main") :]

    assert main.index(told) < main.index("<h1>") < main.index("<textarea") < main.index("thread-title")
    assert 'id="not-sent" tabindex="-1" autofocus' in html
    assert 'href="#id_text"' in html


def test_after_the_lock_nothing_is_posted_and_the_text_is_kept(game: Game) -> None:
    game.go_to(LOCKED)
    response = game.post("Ana", "Ana: 3D > 4D")

    assert response.status_code == 422
    assert "locked on Mon 9 Mar 2026, 05:00 UTC" in said(response)
    assert 'href="/rules/#r3.1"' in response.content.decode()
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"
    assert not Post.objects.exists()


def test_the_minute_of_the_lock_is_in(game: Game) -> None:
    """R4."""
    game.go_to(LOCKED - HOUR / 3600)

    assert game.post("Ana", "Ana: 3D > 4D").status_code == 302


def test_a_post_of_200_kilobytes_gets_a_sentence_and_is_kept(game: Game) -> None:
    text = "Ana: 3D > 4D\n" + "x" * 200_000
    response = game.post("Ana", text)

    assert response.status_code == 422
    assert "200,013 characters, 180,013 over the limit of 20,000" in said(response)
    assert typed_text(response.content.decode()) == text


def test_an_empty_post_gets_a_sentence(game: Game) -> None:
    response = game.post("Ana", " \n ")

    assert response.status_code == 422
    assert "Write at least one line." in said(response)


@pytest.mark.parametrize("text", ["Ana: 3D > 4D\0", "Ana\x00"])
def test_characters_that_are_no_text_get_a_sentence(game: Game, text: str) -> None:
    response = game.post("Ana", text)

    assert response.status_code == 422
    assert not Post.objects.exists()


def test_a_form_sent_twice_makes_one_post(game: Game) -> None:
    client = game.client("Ana")
    first = game.post("Ana", "Ana: 3D > 4D", client)
    second = game.post("Ana", "Ana: 3D > 4D", client)

    assert first.url == second.url
    assert Post.objects.count() == 1


def test_each_form_has_a_token_of_its_own(game: Game) -> None:
    client = game.client("Ana")
    tokens = {client.get(game.url("movement")).context["form"]["token"].value() for _ in range(2)}

    assert len(tokens) == 2


def test_a_form_of_an_earlier_turn_is_not_posted_in_the_next(game: Game) -> None:
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)
    response = game.post("Ana", "Ana: 3D > 4D", turn=1)

    assert response.status_code == 422
    assert "You opened this form in turn 1, which is over. It is now turn 2," in said(response)
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"
    assert 'name="turn" value="2"' in response.content.decode()
    assert not Post.objects.exists()


def test_a_form_of_a_turn_that_has_not_begun_is_not_posted_and_its_text_is_kept(game: Game) -> None:
    response = game.post("Ana", "Ana: 3D > 4D", turn=999)

    assert response.status_code == 422
    assert "This form is for turn 999, which hasn&#x27;t begun. It is now turn 1." in said(response)
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"


def test_sealed_orders_before_their_time_are_refused_with_the_text_kept(game: Game) -> None:
    response = game.post("Ana", "Ana: 3D > 4D", send="sealed")

    assert response.status_code == 422
    assert "You can send sealed orders from" in said(response)
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"


def log_in(client: Client, game: Game, who: str) -> None:
    user = game.world.players[who].user
    user.set_password(PASSWORD)
    user.save()
    response = client.post(reverse("login"), {"username": user.username, "password": PASSWORD})
    assert response.status_code == 302


def test_who_was_logged_out_meanwhile_finds_his_text_after_logging_in(game: Game) -> None:
    client, writer = Client(), game.world.players["Ana"].user.pk
    response = game.post("", "Ana: 3D > 4D", client, writer=writer)
    assert response.url == f"{reverse('login')}?next=%2Frounds%2Ftrial%2Fmovement%2F"

    log_in(client, game, "Ana")

    assert typed_text(client.get(game.url("movement")).content.decode()) == "Ana: 3D > 4D"
    assert typed_text(client.get(game.url("movement")).content.decode()) == ""


def test_somebody_else_who_logs_in_does_not_get_the_text(game: Game) -> None:
    client, writer = Client(), game.world.players["Ana"].user.pk
    game.post("", "Ana: 3D > 4D", client, writer=writer)

    log_in(client, game, "Gaz")

    assert "3D > 4D" not in typed_text(client.get(game.url("movement")).content.decode())


def test_a_text_that_is_too_long_to_keep_is_shown_to_be_copied(game: Game) -> None:
    response = game.post("", "x" * 200_000)

    assert response.status_code == 403
    assert typed_text(response.content.decode()) == "x" * 200_000


def test_a_form_with_an_old_key_shows_what_was_typed(game: Game) -> None:
    client = game.client("Ana", enforce_csrf_checks=True)
    response = game.post("Ana", "Ana: 3D > 4D", client)

    assert response.status_code == 403
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"
    assert f'href="{game.url("movement")}"' in response.content.decode()


@pytest.mark.parametrize("who", ["battle", "movement"])
def test_who_does_not_play_posts_nothing_and_keeps_his_text(game: Game, who: str) -> None:
    response = game.post(who, "Ana: 3D > 4D")

    assert response.status_code == 422
    assert "Only players in this round can post" in said(response)
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"


def test_the_preview_is_a_fragment_for_htmx_and_a_page_without_it(game: Game) -> None:
    client = game.client("Ana")
    data = {"text": "Ana: 3D > 9D", "turn": 1}
    fragment = client.post(game.url("post-preview"), data, headers={"HX-Request": "true"}).content.decode()
    page = client.post(game.url("post-preview"), data).content.decode()

    assert "order--illegal" in fragment
    assert "<html" not in fragment
    assert "order--illegal" in page
    assert typed_text(page) == "Ana: 3D > 9D"
    assert not Post.objects.exists()


def test_an_empty_preview_scolds_nobody(game: Game) -> None:
    headers = {"HX-Request": "true"}
    html = game.client("Ana").post(game.url("post-preview"), {"text": ""}, headers=headers).content.decode()

    assert "error" not in html


def test_an_edit_restamps_only_the_lines_that_changed(game: Game) -> None:
    """R7."""
    post = game.world.post("Ana", "Hello.\nAna: 3D > 4D", at=UNLOCK + HOUR)
    client = game.client("Ana")
    response = client.post(game.url("post-edit", post.pk), {"text": "Hello.\r\nAna: 3D > 5D", "base_version": 1})

    assert response.url == f"{game.url('movement-turn', 1)}#post-{post.pk}"
    last = post.versions.get(number=2)
    assert last.text == "Hello.\nAna: 3D > 5D"
    assert last.stamps == [(UNLOCK + HOUR).isoformat(), (UNLOCK + 2 * HOUR).isoformat()]
    assert "2 versions" in game.page("movement")


def test_the_history_shows_every_version_and_what_changed(game: Game) -> None:
    post = game.world.post("Ana", "Hello.\nAna: 3D > 4D")
    game.client("Ana").post(game.url("post-edit", post.pk), {"text": "Hello.\nAna: 3D > 5D", "base_version": 1})

    html = game.page("post", post.pk)

    assert '<li class="difference__gone"><code>Ana: 3D &gt; 4D</code>' in html
    assert '<li class="difference__new"><code>Ana: 3D &gt; 5D</code>' in html
    assert "Version 1" in html


def test_an_edit_of_an_older_version_is_refused_with_both_texts_on_the_page(game: Game) -> None:
    post = game.world.post("Ana", "Ana: 3D > 4D")
    client, address = game.client("Ana"), game.url("post-edit", post.pk)
    client.post(address, {"text": "Ana: 3D > 5D", "base_version": 1})
    response = client.post(address, {"text": "Ana: 3D > 6D", "base_version": 1})

    html = response.content.decode()
    assert response.status_code == 422
    assert typed_text(html) == "Ana: 3D > 6D"
    assert "<pre>Ana: 3D &gt; 5D</pre>" in html
    assert 'name="base_version" value="2"' in html


def test_an_edit_after_the_lock_is_refused_and_the_text_is_kept(game: Game) -> None:
    post = game.world.post("Ana", "Ana: 3D > 4D")
    game.go_to(LOCKED)
    response = game.client("Ana").post(game.url("post-edit", post.pk), {"text": "Ana: 3D > 5D", "base_version": 1})

    assert response.status_code == 422
    assert "Orders thread of turn 1 locked on" in said(response)
    assert typed_text(response.content.decode()) == "Ana: 3D > 5D"
    assert post.versions.count() == 1


def test_an_edit_with_an_unreadable_line_asks_first(game: Game) -> None:
    post = game.world.post("Ana", "Ana: 3D > 4D")
    client, address = game.client("Ana"), game.url("post-edit", post.pk)
    data = {"text": "Ana: 3D > ", "base_version": 1}

    assert "Save anyway" in said(client.post(address, data))
    assert post.versions.count() == 1
    assert client.post(address, {**data, "confirm": "1"}).status_code == 302
    assert post.versions.count() == 2


@pytest.mark.parametrize("who", ["Ben", "Gaz", "movement"])
def test_nobody_edits_a_post_of_somebody_else(game: Game, who: str) -> None:
    post = game.world.post("Ana", "Ana: 3D > 4D")
    data = {"text": "Ana: 3D > 5D", "base_version": 1}

    assert game.client(who).post(game.url("post-edit", post.pk), data).status_code == 404


@pytest.mark.parametrize("data", [{}, {"text": "x"}, {"text": "x", "base_version": "many"}])
def test_a_damaged_edit_form_keeps_the_text(game: Game, data: dict[str, str]) -> None:
    post = game.world.post("Ana", "Ana: 3D > 4D")
    response = game.client("Ana").post(game.url("post-edit", post.pk), data)

    assert response.status_code == 422
    assert typed_text(response.content.decode()) == data.get("text", "")
    assert "error" in response.content.decode()


@pytest.mark.parametrize("name", ["post-new", "post-preview"])
def test_forms_are_sent_by_post_only(game: Game, name: str) -> None:
    assert game.client("Ana").get(game.url(name)).status_code == 405


def test_a_manifest_is_handed_in_and_shown_to_its_author_alone(game: Game) -> None:
    """3.2.4.2."""
    address = game.url("manifest-new")
    response = game.client("Ana").post(f"{address}?army=Ana", {"receiver": "Ben", "n0": "500"})

    assert response.status_code == 302
    assert "500 Ana 1/1 (slot 1)" in said(game.client("Ana").get(address))
    assert "500 Ana" not in said(game.client("Gaz").get(address))


def test_a_manifest_that_cannot_be_keeps_what_was_typed(game: Game) -> None:
    response = game.client("Ana").post(f"{game.url('manifest-new')}?army=Ana", {"receiver": "Nobody", "n0": "500"})

    assert response.status_code == 422
    assert "There is no army “Nobody” on the map" in said(response)
    assert 'value="500"' in response.content.decode()
