"""2.3.2, 2.5.2, 2.6, 3.2.4.2: what is asked for armies through the API is refused for everyone else."""

import pytest

from judging.armies.models import ChangeRequest, Muster, PersonalOffer
from judging.turns.models import Manifest
from tests.api.conftest import Api

MANIFEST = {"army": "Ana", "receiver": "Ben", "turn": 2, "troops": [1]}
CHANGE = {"act": "save", "version": 0, "slots": ["6 Grizzly Bears"]}


@pytest.mark.parametrize(("who", "status"), [("", 403), ("Ben", 409), ("movement", 409)])
def test_nobody_sends_the_troops_of_somebody_elses_army(api: Api, who: str, status: int) -> None:
    """3.2.4.2: nor does another army of theirs send them instead."""
    assert api.client(who).post(f"{api.root}/manifests/", MANIFEST).status_code == status
    assert not Manifest.objects.exists()


@pytest.mark.parametrize(("who", "status", "rule"), [("", 403, ""), ("Ben", 403, "5.4.1"), ("battle", 403, "5.4.1")])
def test_only_its_controller_changes_an_army(api: Api, who: str, status: int, rule: str) -> None:
    answer = api.client(who).put(f"{api.root}/armies/Ana/changes/change/", CHANGE)
    assert (answer.status_code, answer.json()["cites"]) == (status, rule)
    assert not ChangeRequest.objects.exists()


@pytest.mark.parametrize(("who", "status"), [("", 403), ("Ben", 409), ("battle", 409)])
def test_only_leaders_offer_an_army(api: Api, who: str, status: int) -> None:
    answer = api.client(who).post(f"{api.root}/newcomers/", {"player": "Ben", "army": "Ben"})
    assert answer.status_code == status
    assert not PersonalOffer.objects.exists()


@pytest.mark.parametrize(("who", "statuses"), [("", [403, 403]), ("Ana", [409, 404]), ("battle", [403, 404])])
def test_no_army_is_raised_once_a_round_has_begun(api: Api, who: str, statuses: list[int]) -> None:
    client = api.client(who)
    answers = [client.post(f"{api.root}/musters/", {}), client.put(f"{api.root}/musters/1/", {"act": "save"})]
    assert [answer.status_code for answer in answers] == statuses
    assert not Muster.objects.exists()
