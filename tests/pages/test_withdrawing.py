"""R7: taking a post back on its page, and the same post sent again."""

from judging.turns.models import Post
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import LOCKED

__all__ = ["game"]


def test_a_player_withdraws_his_post_after_a_question(game: Game) -> None:
    game.post("Ana", "Ana: 3D > 4D")
    post = Post.objects.get()
    address = game.url("post-withdraw", post.pk)
    assert address in game.page("movement", who="Ana")
    assert address not in game.page("movement", who="Ben")

    asked = game.client("Ana").get(address)
    assert "Withdraw this post?" in said(asked)
    assert Post.objects.get().withdrawn_at is None

    done = game.client("Ana").post(address, follow=True)
    assert "its lines no longer count" in said(done)
    for who in ("", "Ana", "Gaz"):
        html = game.page("movement", who=who)
        assert '<span class="badge badge--bad">withdrawn</span>' in html
        assert '<pre class="withdrawn">Ana: 3D &gt; 4D</pre>' in html
        assert "order--legal" not in html
    assert address not in game.page("movement", who="Ana")
    assert "Version 1" in game.page("post", post.pk)


def test_a_withdrawn_order_is_no_standing_order(game: Game) -> None:
    game.post("Ana", "Ana: 3D > 4D")
    assert "no order" not in game.page("mine", who="Ana")
    game.client("Ana").post(game.url("post-withdraw", Post.objects.get().pk))
    assert "no order" in game.page("mine", who="Ana")


def test_somebody_elses_post_has_no_page_for_it(game: Game) -> None:
    game.post("Ana", "Ana: 3D > 4D")
    assert game.client("Gaz").get(game.url("post-withdraw", Post.objects.get().pk)).status_code == 404
    assert game.client("Gaz").post(game.url("post-withdraw", Post.objects.get().pk)).status_code == 404


def test_after_the_lock_a_post_stays(game: Game) -> None:
    game.post("Ana", "Ana: 3D > 4D")
    address = game.url("post-withdraw", Post.objects.get().pk)
    game.go_to(LOCKED)
    assert "is locked, so you" in said(game.client("Ana").get(address))
    refused = game.client("Ana").post(address)
    assert refused.status_code == 422
    assert "locked on Mon 9 Mar 2026, 05:00 UTC" in said(refused)
    assert Post.objects.get().withdrawn_at is None


def test_a_withdrawn_post_is_not_edited_from_an_old_form(game: Game) -> None:
    game.post("Ana", "Ana: 3D > 4D")
    post = Post.objects.get()
    game.client("Ana").post(game.url("post-withdraw", post.pk))
    answer = game.client("Ana").post(game.url("post-edit", post.pk), {"text": "Ana: 3D > 5D", "base_version": "1"})
    assert answer.status_code == 422
    assert "You withdrew this post" in said(answer)
    assert "Ana: 3D &gt; 5D" in answer.content.decode()


def test_back_and_post_again_says_that_it_is_posted_and_where(game: Game) -> None:
    """A form that is opened anew has another token."""
    game.post("Ana", "Ana: 3D > 4D", token="one")
    client = game.client("Ana")
    answer = client.post(
        game.url("post-new"),
        {"text": "Ana: 3D > 4D", "token": "two", "turn": game.world.turn.number, "send": "open"},
        follow=True,
    )
    post = Post.objects.get()
    assert "You already posted this on Mon 2 Mar 2026, 08:00 UTC." in said(answer)
    assert f'<a href="{game.url("post", post.pk)}">You already posted this</a>' in answer.content.decode()
    assert answer.redirect_chain[-1][0] == f"{game.url('movement')}#post-{post.pk}"
