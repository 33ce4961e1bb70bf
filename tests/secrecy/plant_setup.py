"""A round in its set-up, with a marker in each secret: before its bases are public, and while armies are raised."""

import time_machine
from django.contrib.auth.models import User

from judging.armies.models import HandedIn, MercenaryPlan, Muster
from judging.common import locking
from judging.setup.draws import held_draws
from judging.setup.models import ArmySetup, PlannedSite, SideWish
from tests.pages.raising import camp_round
from tests.pages.setting_up import MONDAY, Foundation, found_round
from tests.secrecy.scene import Scene
from tests.secrecy.secrets_of_people import mark_people, plant_tokens
from wargame.models import Judge
from wargame.rules.mercenaries.muster import POSTS

PEOPLE = {
    "author": "Rio",
    "leader": "Una",
    "enemy": "Hex",
    "enemy leader": "Gaz",
    "movement": "Mo",
    "battle": "Judy",
    "mercenary": "Merle",
    "outsider": "Olga",
}


def planned(clock: time_machine.Traveller) -> Scene:
    """2.5.1: what leaders ask for and describe, before anything is revealed."""
    clock.move_to(MONDAY)
    founded = found_round()
    for role, who in (("movement", "Mo"), ("mercenary", "Merle")):
        Judge.objects.create(round=founded.round, user=founded.users[who], name=who, role=role)
    scene = _scene("planned", founded)
    for side, viewer in (("coalition", "leader"), ("phyrexia", "enemy leader")):
        kind = "base" if side == "coalition" else "portal"
        SideWish.objects.create(
            round=scene.round, side=side, text=scene.mark("wish", viewer), written_by=viewer, saved_at=MONDAY
        )
        for site in PlannedSite.objects.filter(round=scene.round, kind=kind)[:2]:
            site.description = scene.mark("description", viewer)
            site.state = HandedIn.SENT
            site.save()
    plant_tokens(scene)
    return scene


def raised(clock: time_machine.Traveller) -> Scene:
    """2.5.2, 2.5.3: armies as they are handed in, and the mercenaries as they are planned."""
    clock.move_to(MONDAY)
    camp = camp_round()
    scene = _scene("raised", camp)
    for viewer, rank in (("author", "lieutenant"), ("enemy", "centurion")):
        _muster(scene, camp, viewer, rank, HandedIn.DRAFT)
    for viewer, rank in (("leader", "captain"), ("enemy leader", "evincar")):
        _muster(scene, camp, viewer, rank, HandedIn.SENT)
    MercenaryPlan.objects.create(
        round=scene.round, lot=POSTS[0].lot, name=scene.mark("plan of mercenaries", "battle"), lists=["", "", "", ""]
    )
    with locking.transaction():
        held_draws(scene.round, camp.judge, MONDAY)
    scene.note(ArmySetup.objects.get(round=scene.round).seed, "seed of the set-up")
    plant_tokens(scene)
    return scene


def ready(clock: time_machine.Traveller) -> Scene:
    """2.5: a set-up in which everything is done but the start."""
    clock.move_to(MONDAY)
    camp = camp_round()
    scene = _scene("raised", camp)
    camp.ready()
    return scene


def _scene(phase: str, founded: Foundation) -> Scene:
    users = {viewer: founded.users[name] for viewer, name in PEOPLE.items()}
    users["battle second"] = User.objects.create_user("second")
    users["administrator"] = User.objects.create_superuser("root")
    Judge.objects.create(round=founded.round, user=users["battle second"], name="Second", role="battle", is_head=False)
    scene = Scene(phase, founded.round, users)
    mark_people(scene)
    return scene


def _muster(scene: Scene, camp: Foundation, viewer: str, rank: str, state: str) -> None:
    """2.5.2.2: a player's own muster as a draft, or a proxy that a leader has handed in."""
    player, is_draft = camp.player(PEOPLE[viewer]), state == HandedIn.DRAFT
    mark = scene.mark("muster" if player.side == "coalition" else "muster of the enemy", viewer)
    Muster.objects.create(
        round=scene.round, author=player, namesake=player if is_draft else None, rank=rank, state=state, token=state,
        name=f"The {viewer}'s", legend=mark, remark=mark, lists=["5000 Kris Mage", "", "", ""], saved_at=MONDAY,
        sent_at=None if is_draft else MONDAY,
    )  # fmt: skip
