"""The secrets of people: mail addresses, passwords, form tokens, and what waits for leaders and judges."""

from datetime import datetime, timedelta

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.models import Account, AdminEntry, SignUpLink
from judging.accounts.two_factor.models import RecoveryCode
from judging.accounts.two_factor.services import secret_of
from judging.armies.models import ChangeRequest, HandedIn
from judging.command.models import Admission, ControlRequest, NameChange
from judging.email.models import Letter
from judging.feeds.models import FeedAddress
from judging.inbound_email.models import MailAddress, SeatAddress
from judging.notifications.models import Notification, PushSubscription
from judging.webhooks.models import Hook
from tests.secrecy.scene import Scene
from tests.services.world_of_tests import HOUR, World
from wargame.models import Player

PEOPLE = {
    "author": "Ana",
    "contingency": "Cay",
    "leader": "Lea",
    "enemy": "Gaz",
    "enemy leader": "Vorn",
}
"""The viewers who play, and their names as players."""


def users_of(world: World) -> dict[str, User]:
    """The viewers of a round that have a log-in."""
    found = {viewer: world.players[name].user for viewer, name in PEOPLE.items()}
    found |= {viewer: judge.user for viewer, judge in world.judges.items()}
    found["outsider"] = User.objects.create_user("outsider")
    found["administrator"] = User.objects.create_superuser("root")
    return found


def plant(scene: Scene, world: World) -> None:
    """What each person keeps to himself, and what he asks others for."""
    mark_people(scene)
    now = world.turn.opened_at + HOUR
    lea, ben, gaz = (world.players[name] for name in ("Lea", "Ben", "Gaz"))
    Admission.objects.create(
        round=world.round, user=scene.users["outsider"], side="coalition", name="Newt", token="form",
        text=scene.mark("admission", "outsider"), asked_at=now,
    )  # fmt: skip
    change = {"army": "Ben", "army_id": world.army("Ben").pk, "before": ["Ben"], "to": ["Lea"], "to_ids": [lea.pk]}
    for state in ("waiting", "declined", "withdrawn"):
        ControlRequest.objects.create(
            round=world.round, side="coalition", player=lea, changes=[change], state=state, token=state, asked_at=now,
            why=scene.mark("control request", "leader"),
        )  # fmt: skip
    NameChange.objects.create(player=gaz, old="Gaz", new=scene.mark("name asked", "enemy"), asked_at=now)
    for state in ("given up", "sent"):
        Letter.objects.create(
            to="lost@example.org", subject=scene.mark("letter"), body=scene.mark("letter"), kind="confirm", state=state,
            created=now, due=now, ended=now,
        )  # fmt: skip
    _plant_notifications(scene, now)
    _plant_changes(scene, world, now + timedelta(minutes=1))
    _plant_of_administrators(scene, now)


def mark_people(scene: Scene) -> None:
    """1.6: a mail address and a password hash for everybody."""
    for viewer, user in scene.users.items():
        address = f"{scene.mark('mail address', viewer)}@example.org"
        user.email, user.password = address, f"md5$salt${scene.mark('password')}"
        user.save()
        Account.objects.create(user=user, key=user.username, mail=address, confirmed_at=user.date_joined)


def plant_tokens(scene: Scene) -> None:
    """Every row that remembers the form that sent it gets a marked token; an own address has a marker of its own."""
    for model in apps.get_app_config("judging").get_models():
        own = (FeedAddress, MailAddress, SeatAddress)
        if model not in own and any(field.name == "token" for field in model._meta.get_fields()):
            key = Cast(F("pk"), CharField())
            model._base_manager.update(token=Concat(Value(scene.mark("form token")), key))


def _plant_of_administrators(scene: Scene, now: datetime) -> None:
    """1.6: what was done about somebody's account, and a second factor that he has not switched on yet."""
    author = scene.users["author"]
    reason = scene.mark("act of an administrator", "author")
    AdminEntry.objects.create(at=now, user=author, action="logged_out", data={"reason": reason})
    SignUpLink.objects.create(
        secret=scene.mark("invitation link", "administrator"), by=scene.users["administrator"], places=1, made_at=now,
        expires_at=now + timedelta(days=3650),
    )  # fmt: skip
    device = TOTPDevice.objects.create(user=author, confirmed=False)
    for secret in (device.key, secret_of(device).text, secret_of(device).text.replace(" ", "")):
        scene.note(secret, "secret of an authenticator", "author")
    RecoveryCode.objects.create(user=author, digest=scene.mark("recovery code", "author"))


def _plant_notifications(scene: Scene, now: datetime) -> None:
    """1.2: what is told to one person, and the browser of another."""
    data = {"new": scene.mark("notification", "leader")}
    row = {"kind": "name.refused", "key": "planted", "data": data, "at": now}
    Notification.objects.create(user=scene.users["leader"], round=scene.round, **row)
    endpoint = f"https://push.example.org/{scene.mark('browser', 'outsider')}"
    keys = {"digest": "0" * 64, "p256dh": scene.mark("browser", "author"), "auth": "none"}
    PushSubscription.objects.create(
        user=scene.users["author"], name="A browser", endpoint=endpoint, made_at=now, **keys
    )
    url = f"https://hooks.example.org/{scene.mark('webhook', 'outsider')}"
    secrets = {"secret": scene.mark("webhook", "author"), "secret_before": scene.mark("webhook", "author")}
    Hook.objects.create(user=scene.users["author"], name="A bot", url=url, made_at=now, since=now, **secrets)
    FeedAddress.objects.create(user=scene.users["author"], token=scene.mark("own feeds", "author"), made_at=now)
    player = Player.objects.filter(round=scene.round, user=scene.users["author"]).first()
    if player is not None:
        MailAddress.objects.create(player=player, token=scene.mark("mail box", "author"), made_at=now)


def _plant_changes(scene: Scene, world: World, now: datetime) -> None:
    """2.3.2: a request that is being written, and one that is with the judge."""
    for viewer, army, state in (("author", "Ana", HandedIn.DRAFT), ("leader", "Lea", HandedIn.SENT)):
        mark = scene.mark("change of troops", viewer)
        ChangeRequest.objects.create(
            round=world.round, army=world.army(army), player=world.players[army], kind="change", turn_number=2,
            lists=[f"5000 {mark}", "", "", ""], remark=mark, state=state, saved_at=now,
            sent_at=now if state == HandedIn.SENT else None,
        )  # fmt: skip
