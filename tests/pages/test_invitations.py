"""Who can sign up: everybody, people with an invitation link, or nobody but those for whom an administrator does it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from judging.accounts.models import AdminEntry, SignUpLink
from judging.accounts.services import sign_up
from judging.common.errors import Refused
from judging.people.services import make_link, revoke_link
from tests.services.test_exactly_once import at_once

GOOD = "three owls on a wire"
PAGE = "sign-up-links"


@pytest.fixture
def by_invitation(settings: Settings) -> Settings:
    settings.SIGN_UP, settings.CONTACT = "invitation", "nell@owls.example"
    return settings


@pytest.fixture
def root(db: None) -> User:
    return User.objects.create_superuser("root")


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def post(invitation: str = "", name: str = "Nell") -> int:
    typed = {"name": name, "password": GOOD, "mail": "", "invitation": invitation}
    return Client().post(reverse("sign-up"), typed).status_code


def new_link(by: User, places: int = 1) -> SignUpLink:
    return make_link(by=by, note="", places=places, days=7, now=timezone.now())


def test_a_link_lets_in_as_many_as_it_has_places(by_invitation: Settings, root: User) -> None:
    made = as_user(root).post(reverse(PAGE), {"act": "link", "note": "The club", "places": "2", "days": "7"})
    link = SignUpLink.objects.get()
    assert (made.status_code, link.by, link.note) == (302, root, "The club")
    address = f"{reverse('sign-up')}?invitation={link.secret}"
    assert address in as_user(root).get(reverse(PAGE)).content.decode()
    assert f'name="invitation" value="{link.secret}"' in Client().get(address).content.decode()
    assert [post(), post("wrong"), post("\0"), post(link.secret), post(link.secret, "nell")] == [
        422,
        422,
        422,
        302,
        422,
    ]
    assert [post(link.secret, "Otto"), post(link.secret, "Pia")] == [302, 422], "a name that was refused took no place"
    page = Client().get(address).content.decode()
    assert "has no places left" in page
    assert 'href="mailto:nell@owls.example"' in page
    assert 'name="password"' not in page
    entry = AdminEntry.objects.get(action=AdminEntry.Action.INVITED, user__username="Otto")
    assert (entry.actor, entry.data) == (root, {"link": link.pk})


@pytest.mark.parametrize("change", ["revoked", "expired", "barred maker"])
def test_a_link_that_has_ended_lets_nobody_in(by_invitation: Settings, root: User, change: str) -> None:
    link, now = new_link(root), timezone.now()
    if change == "revoked":
        as_user(root).post(reverse(PAGE), {"act": "revoke", "link": link.pk})
    elif change == "expired":
        SignUpLink.objects.update(expires_at=now - timedelta(seconds=1))
    else:
        User.objects.update(is_active=False)
    assert post(link.secret) == 422
    assert not User.objects.exclude(pk=root.pk).exists()


def test_hosts_of_rounds_make_links_and_see_their_own(by_invitation: Settings, root: User) -> None:
    host, player = User.objects.create_user("host"), User.objects.create_user("player")
    host.user_permissions.add(Permission.objects.get(codename="add_round", content_type__app_label="wargame"))
    link = new_link(root)
    page = as_user(host).post(reverse(PAGE), {"act": "link", "places": "1", "days": "30"}, follow=True)
    own = SignUpLink.objects.get(by=host)
    assert own.secret in page.content.decode()
    assert link.secret not in page.content.decode()
    assert as_user(host).post(reverse(PAGE), {"act": "account", "name": "Nell"}).status_code == 422
    with pytest.raises(Refused, match="This isn't one of your invitation links"):
        revoke_link(by=host, link_id=link.pk, now=timezone.now())
    assert as_user(player).get(reverse(PAGE)).status_code == 403
    with pytest.raises(Refused, match="Only administrators and hosts"):
        new_link(player)


def test_where_sign_up_is_closed_administrators_make_accounts(settings: Settings, root: User) -> None:
    settings.SIGN_UP = "invitation"
    link = new_link(root)
    settings.SIGN_UP = "closed"
    assert post(link.secret) == 422
    page = Client().get(reverse("sign-up")).content.decode()
    assert "Sign-up is closed" in page
    assert "mailto:" not in page, "the host names no contact"
    assert f'href="{reverse("sign-up")}">Sign up' not in Client().get("/rounds/").content.decode()
    made = as_user(root).post(reverse(PAGE), {"act": "account", "name": "Nell"})
    nell = User.objects.get(username="Nell")
    assert not nell.has_usable_password()
    password = Client()
    place = password.get(made.context["link"].removeprefix(settings.PUBLIC_URL), follow=True).redirect_chain[-1][0]
    password.post(place, {"new_password1": GOOD, "new_password2": GOOD})
    nell.refresh_from_db()
    assert nell.check_password(GOOD)


@pytest.mark.django_db(transaction=True)
def test_of_two_people_who_want_the_last_place_at_once_one_gets_in(by_invitation: Settings) -> None:
    link = new_link(User.objects.create_superuser("root"), places=2)
    SignUpLink.objects.update(used=1)

    def join(name: str) -> User:
        return sign_up(name=name, password=GOOD, mail="", now=timezone.now(), invitation=link.secret)

    given = at_once(*(lambda name=name: join(name) for name in ("Nell", "Otto", "Pia")))
    assert sum(isinstance(each, User) for each in given) == 1
    assert all(isinstance(each, User | Refused) for each in given), given
    assert User.objects.count() == 2
