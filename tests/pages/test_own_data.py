"""1.6: the file with everything that the service stores about a person."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessLog
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from judging.accounts.models import Account
from judging.accounts.tokens.services import make_token
from judging.command.models import Leave
from judging.common.accounts import DEMO_GROUP
from judging.email.models import Letter
from judging.notifications.models import Preference
from judging.people.personal_data import OF_BROWSERS, PARTS
from tests.pages.playing import Game, game
from wargame.models import Judge, Player

__all__ = ["game"]

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)

OFFICE = "what a judge decides is the round's, and in its file"
EXCUSED = {
    **dict.fromkeys(("Score", "Opinion", "Proposal", "AdjustmentRequest", "Result", "Claim", "RiskRuling"), OFFICE),
    **dict.fromkeys(("Rejudgement", "Correction", "Ruling", "Penalty", "Decision", "BookVersion"), OFFICE),
    **dict.fromkeys(("MercenaryOrder", "BattleSeat", "Deputy", "StandIn", "EarlyLock", "Handover"), OFFICE),
    **dict.fromkeys(("Battle", "BeaconValue", "Criterion", "RoundSetup"), OFFICE),
    **dict.fromkeys(("Army", "Control", "PersonalOffer", "Participant"), "it is the round's, and in its file"),
    "ChainLink": "a hash of a row that is in the file",
    "Mention": "the text belongs to its author",
    "Account": "in `account`",
    "Post": "its versions are the posts",
    **dict.fromkeys(("Table", "Seat", "Entry", "Deck", "CardList", "TableJudge"), "in `tables`"),
    **dict.fromkeys(("TableAgreements", "JudgeProposal"), "it is the table's, and in its file"),
}
"""Tables that name a person and are no list of the file, with the reason."""


def file_of(user: User) -> dict[str, Any]:
    client = Client()
    client.force_login(user)
    found = client.get(reverse("account-data"))
    assert "attachment" in found["Content-Disposition"]
    return dict(found.json())


def test_every_table_that_names_a_person_is_in_the_file_or_says_why_not() -> None:
    people = (User, Player, Judge)
    named = {
        model.__name__
        for model in apps.get_models()
        if model is not Player and model is not Judge
        for field in model._meta.get_fields()
        if field.is_relation and not field.auto_created and field.related_model in people
    }
    listed = {part.model.__name__ for part in (*PARTS, *OF_BROWSERS)}
    assert named - listed - EXCUSED.keys() == set()
    assert EXCUSED.keys() - named == set()
    assert EXCUSED.keys() & listed == set()


@pytest.mark.django_db
def test_the_file_has_what_is_the_persons_and_no_secret_and_nobody_elses(game: Game) -> None:
    ana, ben = (game.world.players[name] for name in ("Ana", "Ben"))
    user = ana.user
    Account.objects.create(user=user, key="ana", mail="ana@example.org", confirmed_at=NOW)
    User.objects.filter(pk=user.pk).update(email="ana@example.org")
    Letter.objects.create(to="Ana@Example.org", subject="A vote waits", kind="vote", created=NOW, due=NOW)
    _, secret = make_token(user=user, name="Monday", scopes=["read"], days=None, now=NOW)
    for player, note in ((ana, "In the hills"), (ben, "At sea")):
        Leave.objects.create(player=player, since=NOW, note=note, stated_at=NOW)
        game.world.post(player.name, f"We wait, {note}.")
    Preference.objects.create(user=user, preset="deadlines", time_zone="Europe/Berlin")
    AccessLog.objects.create(username=user.username, ip_address="192.0.2.7", user_agent="Firefox")
    AccessAttempt.objects.create(username=user.username, ip_address="192.0.2.99", failures_since_start=2)
    found = file_of(user)
    assert (found["account"]["mail"], found["rounds"][0]["name"]) == ("ana@example.org", "Ana")
    assert [each["subject"] for each in found["emails"]] == ["A vote waits"]
    assert [each["name"] for each in found["tokens"]] == ["Monday"]
    assert [each["note"] for each in found["absences"]] == ["In the hills"]
    assert "We wait, In the hills." in [each["text"] for each in found["posts"]]
    assert found["notification_settings"][0]["time_zone"] == "Europe/Berlin"
    assert "192.0.2.7" in [each["ip_address"] for each in found["log_ins"]]
    text = json.dumps(found)
    for hidden in ("At sea", secret.rpartition("_")[2], user.password, "192.0.2.99"):
        assert hidden not in text


@pytest.mark.django_db
def test_an_account_that_anybody_may_try_tells_nobody_who_tried_it() -> None:
    guest = User.objects.create_user("guest")
    guest.groups.add(Group.objects.get_or_create(name=DEMO_GROUP)[0])
    AccessLog.objects.create(username="guest", ip_address="192.0.2.7", user_agent="Firefox")
    assert "192.0.2.7" not in json.dumps(file_of(guest))
