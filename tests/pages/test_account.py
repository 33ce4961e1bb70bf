"""A player's own log-in: the accounts that a demo names, and the change of a password."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from judging.common.accounts import DEMO_GROUP
from tests.pages.playing import PASSWORD, Game, game, said

__all__ = ["game"]

NEW = "three owls on a wire"


@pytest.fixture
def ana(game: Game) -> User:
    user: User = game.world.players["Ana"].user
    user.set_password(PASSWORD)
    user.save()
    return user


def change(client: Client, old: str, new: str) -> str:
    sent = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post(reverse("password"), sent, follow=True).content.decode()


def test_a_demo_names_the_onlooker_too(game: Game) -> None:
    round_, group = game.world.round, Group.objects.create(name=DEMO_GROUP)
    User.objects.create_user("fencesitter", first_name="Fence Sitter").groups.add(group)
    User.objects.create_user("somebody-else")
    game.world.players["Ana"].user.groups.add(group)
    assert "fencesitter" not in said(game.client().get(reverse("login")))
    round_.is_demo = True
    round_.save()

    told = said(game.client().get(reverse("login")))

    assert "fencesitter Fence Sitter, sees what the public sees" in told
    assert "somebody-else" not in told
    assert told.count("trial-Ana") == 1


def test_the_name_in_the_head_leads_to_the_change_of_the_password(game: Game) -> None:
    assert f'href="{reverse("account")}"' in game.page("movement", who="Ana")
    assert f'href="{reverse("password")}"' in game.client("Ana").get(reverse("account")).content.decode()
    assert game.client().get(reverse("password")).status_code == 302


def test_a_player_changes_his_password_and_stays_logged_in(game: Game, ana: User) -> None:
    here, elsewhere = game.client("Ana"), game.client("Ana")
    assert "Your password was changed." in change(here, PASSWORD, NEW)

    ana.refresh_from_db()
    assert ana.check_password(NEW)
    assert here.get(game.url("mine")).status_code == 200
    assert elsewhere.get(game.url("mine")).status_code == 302


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("wrong", NEW, "Your old password was entered incorrectly"),
        (PASSWORD, "short", "This password is too short"),
        (PASSWORD, "password1", "This password is too common"),
        (PASSWORD, "8273645546", "This password is entirely numeric"),
        (PASSWORD, "trial-Ana", "too similar to the username"),
    ],
)
def test_a_weak_password_or_a_wrong_old_one_is_told(game: Game, ana: User, old: str, new: str, told: str) -> None:
    html = change(game.client("Ana"), old, new)

    assert "Not changed." in html
    assert told in html
    ana.refresh_from_db()
    assert ana.check_password(PASSWORD)


def test_somebody_in_the_demo_is_told_that_others_use_the_log_in(game: Game, ana: User) -> None:
    assert "belongs to the demo round" not in said(game.client("Ana").get(reverse("password")))
    ana.groups.add(Group.objects.create(name=DEMO_GROUP))
    assert "This account belongs to the demo round." in said(game.client("Ana").get(reverse("password")))
