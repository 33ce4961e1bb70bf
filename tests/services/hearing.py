"""What the tests of notifications share: who listens, how, and what he was told."""

from datetime import datetime

from judging.accounts.models import Account
from judging.common.notify import News
from judging.notifications import gathering
from judging.notifications.models import Gathered, Notification, Preference
from judging.notifications.queries import own_rows, views_for
from judging.notifications.services import ChosenWays
from tests.services.world_of_tests import UNLOCK, World
from wargame.models import Player


def kinds_of(player: Player) -> list[str]:
    return sorted(Notification.objects.filter(user=player.user).values_list("kind", flat=True))


def sentences(player: Player) -> list[str]:
    return [view.sentence for view in views_for(player.user_id, own_rows(player.user_id))]


def listen(world: World) -> None:
    """From now on: what is there already is history."""
    gathering.gather(UNLOCK)
    assert set(Gathered.objects.values_list("source", flat=True)) == set(gathering.SOURCES)


def with_mail(player: Player, zone: str = "", preset: str = "mine") -> str:
    address = f"{player.name.lower()}@example.org"
    user = player.user
    user.email = address
    user.save()
    Account.objects.create(user=user, key=user.username, mail=address, confirmed_at=UNLOCK)
    Preference.objects.create(user=user, preset=preset, time_zone=zone)
    return address


def chosen(**given: object) -> ChosenWays:
    usual = {"preset": "mine", "channels": {}, "time_zone": "", "digest_hour": "7"}
    return ChosenWays(**{**usual, **given})  # type: ignore[arg-type]


def news(user_id: int, kind: str = "army.given", key: str = "a", at: datetime = UNLOCK, **more: object) -> News:
    return News(user_id, kind, key, at, data={"army": "Ana"}, **more)  # type: ignore[arg-type]
