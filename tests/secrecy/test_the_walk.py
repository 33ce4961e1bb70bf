"""The walk itself: that it goes everywhere, and that it would find a leak."""

import pytest
import time_machine
from django.core.mail import send_mail

from judging.battles.models import Battle
from judging.turns.models import Post
from tests.secrecy import plant
from tests.secrecy.allowed import TABLE
from tests.secrecy.checking import leaks, sights_in_mails
from tests.secrecy.filling import Unfillable, addresses
from tests.secrecy.routes import Route, every_route
from tests.secrecy.scene import Marker, Scene
from tests.secrecy.walking import Sight, answers_to, body_of, every_address, every_page, sights_of
from wargame.models import Judge

SHEET = "judge:battle"


@pytest.fixture
def scene(clock: time_machine.Traveller) -> Scene:
    return plant.at_phase("open", clock)


def seen_by(viewer: str, scene: Scene, *names: str) -> set[str]:
    """The kinds of secrets that a viewer sees on some pages and may not."""
    routes = [route for route in every_route() if route.name in names]
    found = leaks(sights_of(viewer, scene, every_address(scene, routes)), scene)
    return {sight.marker.kind for sight in found}


def test_every_route_is_filled_from_the_world(scene: Scene) -> None:
    missing = []
    for route in every_route():
        try:
            if not list(addresses(route, scene)):
                missing.append(route.pattern)
        except Unfillable as error:
            missing.append(str(error))
    assert missing == []


def test_a_route_that_cannot_be_filled_is_a_failure(scene: Scene) -> None:
    for pattern in ("rounds/<slug:slug>/secrets/<int:secret_id>/", "secrets/<str:secret>/"):
        with pytest.raises(Unfillable, match="secret"):
            list(addresses(Route("secrets", pattern, print), scene))


def test_every_kind_of_secret_is_planted_somewhere_and_cites_its_rule(scene: Scene) -> None:
    planted = {marker.kind for marker in scene.markers}
    assert planted <= set(TABLE)
    assert all(row.cites for row in TABLE.values())


def test_strats_that_everybody_may_read_are_found(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen_by("anonymous", scene, "battle") == set()
    monkeypatch.setattr("judging.battles.queries.may_read", lambda *arguments: True)
    assert {"strat", "strat of the enemy", "strat of mercenaries"} <= seen_by("anonymous", scene, "battle")


def test_late_strats_and_narratives_that_judges_read_too_early_are_found(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seen_by("battle second", scene, SHEET) == set()
    monkeypatch.setattr("judging.battles.queries.is_sealed", lambda *arguments: False)
    monkeypatch.setattr("judging.battles.assignments.narratives.are_apart", lambda *arguments: False)
    monkeypatch.setattr(
        "judging.battles.assignments.narratives.BattleNarratives.others_than",
        lambda written, judge: tuple(written._own_narratives),
    )
    assert seen_by("battle second", scene, SHEET) >= {"late strat", "narrative of one of two judges"}


def test_sealed_orders_that_lose_their_seal_are_found(scene: Scene) -> None:
    assert seen_by("enemy", scene, "movement", "api-posts", "export") == set()
    Post.objects.update(sealed=False)
    for page in ("movement", "api-posts", "export"):
        assert "sealed order" in seen_by("enemy", scene, page)


def test_a_desk_that_is_opened_to_another_judge_is_found(scene: Scene) -> None:
    assert seen_by("movement", scene, "judge:mercenaries") == set()
    Judge.objects.filter(role="mercenary").update(user=scene.users["movement"])
    assert seen_by("movement", scene, "judge:mercenaries") == {"mercenary order"}


def test_a_file_that_comes_piece_by_piece_is_read_by_each_who_looks(scene: Scene) -> None:
    routes = [route for route in every_route() if route.name == "export"]
    ((_, answer),) = answers_to("anonymous", scene, every_address(scene, routes))
    assert answer.streaming
    assert body_of(answer) == body_of(answer) != ""


def test_a_seed_on_a_page_is_found(scene: Scene) -> None:
    battle = Battle.objects.filter(state="waiting").first()
    assert battle is not None
    Battle.objects.filter(pk=battle.pk).update(place=f"the hill {battle.seed[:40]}")
    scene.note(battle.seed[:40], "seed of a battle")
    assert seen_by("anonymous", scene, "battles") == {"seed of a battle"}


def test_a_mail_that_names_another_address_is_found(scene: Scene) -> None:
    send_mail("Both of you", "Good morning.", None, [scene.users[who].email for who in ("author", "enemy")])
    assert {sight.viewer for sight in leaks(sights_in_mails(scene), scene)} == {"author", "enemy"}


def test_a_leak_is_told_in_a_sentence() -> None:
    sight = Sight("enemy", "/rounds/trial/", Marker("zqx", "strat", "author"))
    assert str(sight) == "enemy saw strat of author at /rounds/trial/"


def test_the_pages_of_all_viewers_can_be_asked_for_by_other_tests(scene: Scene) -> None:
    assert next(every_page(scene)) == ("anonymous", "/judge/login/")
