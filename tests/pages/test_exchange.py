"""A round as a file: the public one for everybody, and the desk on which administrators take files in."""

import gzip
import json
import time
from datetime import datetime
from typing import IO, Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from judging.accounts import throttling
from judging.accounts.throttling import Crowded, one_at_a_time, slots
from judging.import_export import views
from judging.import_export.exporting import Everything, round_file
from judging.import_export.importing import import_round
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR
from wargame.models import Round
from wargame.models.choices import RoundState

__all__ = ["game"]


def address(game: Game) -> str:
    return reverse("export", args=[game.world.round.slug])


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def admin() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"), backend="django.contrib.auth.backends.ModelBackend")
    return client


def upload(data: bytes, **more: str) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("round.json", data, "application/json"), **more}


def test_everybody_gets_what_is_public_as_a_file(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 4D")
    response = Client().get(address(game))
    document = json.loads(body(response))

    assert response.status_code == 200
    assert response["Content-Disposition"] == 'attachment; filename="trial.json"'
    assert document["public"] is True
    assert [version["text"] for version in document["tables"]["postversion"]] == ["Ana: 3D > 4D"]
    assert game.world.turn.seed not in json.dumps(document)


def test_a_sealed_order_is_in_nobodys_file_before_the_lock(game: Game) -> None:
    turn = game.world.turn
    game.world.post("Ana", "Ana: 3D > 4D", at=turn.lock_at - 20 * HOUR, sealed=True)
    game.go_to(turn.lock_at - 10 * HOUR)
    for who in ("", "Ana", "Gaz", "movement", "battle"):
        assert b"3D > 4D" not in body(game.client(who).get(address(game)))

    game.go_to(turn.lock_at + HOUR)
    assert b"3D > 4D" in body(Client().get(address(game)))


def test_the_same_file_is_not_sent_twice(game: Game) -> None:
    first = Client().get(address(game))
    body(first)
    again = Client().get(address(game), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304

    game.world.post("Ana", "Ana: 3D > 4D")
    assert Client().get(address(game), headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_it_is_packed_for_whoever_can_unpack_it(game: Game) -> None:
    response = Client().get(address(game), headers={"Accept-Encoding": "gzip"})

    assert response["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(body(response)))["format"] == "coalition-wargame-round"


def test_each_caller_has_one_file_made_at_a_time(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[HttpResponse] = []

    def ask_again(round: Round, now: datetime) -> IO[bytes]:
        if not inside:
            inside.append(Client().get(address(game)))
            inside.append(Client(REMOTE_ADDR="203.0.113.7").get(address(game)))
        return real(round, now)

    real = views.public_file
    monkeypatch.setattr(views, "public_file", ask_again)
    assert Client().get(address(game)).status_code == 200
    own, other = inside
    assert (own.status_code, own["Retry-After"], other.status_code) == (429, "5", 200)
    assert "Your previous request is still running" in said(own)


def test_only_a_few_files_are_made_at_once(game: Game) -> None:
    cache.set_many(dict.fromkeys(slots(views.KIND), True))
    response = Client().get(address(game))
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    cache.delete_many(slots(views.KIND))
    assert Client().get(address(game)).status_code == 200


def can_start(request: HttpRequest) -> bool:
    try:
        with one_at_a_time(request, views.KIND):
            return True
    except Crowded:
        return False


def test_a_long_job_keeps_its_slot_while_it_runs(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slot outlives its lease only while the job runs, and at most LONGEST."""
    monkeypatch.setattr(throttling, "LEASE", 1)
    monkeypatch.setattr(throttling, "RENEWED_EVERY", 0.2)
    request = rf.get("/")
    request.user = AnonymousUser()
    with one_at_a_time(request, views.KIND):
        time.sleep(1.5)
        assert not can_start(request)
    assert can_start(request)
    monkeypatch.setattr(throttling, "LONGEST", 0)
    with one_at_a_time(request, views.KIND):
        time.sleep(1.5)
        assert can_start(request)


def test_of_a_round_in_its_set_up_nothing_is_public(game: Game) -> None:
    Round.objects.filter(pk=game.world.round.pk).update(state=RoundState.SETUP)

    assert Client().get(address(game)).status_code == 404


def test_judges_find_the_files_of_their_rounds_and_take_in_none(game: Game) -> None:
    page = said(game.client("movement").get(reverse("judge:files")))
    assert "What is public now" in page
    assert "Import" not in page
    assert game.client("battle").post(reverse("judge:files"), upload(b"{}")).status_code == 403
    assert game.client("Ana").get(reverse("judge:files")).status_code == 302


def whole(game: Game) -> bytes:
    return b"".join(round_file(Everything(game.world.round)))


def test_an_administrator_takes_a_round_in(game: Game) -> None:
    response = admin().post(reverse("judge:files"), upload(whole(game), slug="second"), follow=True)

    assert "Trial was imported as “second”" in said(response)
    archive = Round.objects.get(slug="second")
    assert archive.state == RoundState.ARCHIVE
    assert Client().get(reverse("map", args=["second"])).status_code == 200
    assert Client().get(reverse("movement", args=["second"])).status_code == 200


def test_a_bad_file_is_told_and_what_was_typed_stays(game: Game) -> None:
    bad = whole(game)[:-300]
    response = admin().post(reverse("judge:files"), upload(bad, slug="second"))

    assert response.status_code == 422
    assert "the file ends in the middle; it was cut off" in said(response)
    assert 'value="second"' in response.content.decode()
    assert Round.objects.count() == 1


@pytest.mark.parametrize("given", [{}, {"file": SimpleUploadedFile("empty.json", b"")}])
def test_without_a_file_one_is_asked_for(game: Game, given: dict[str, Any]) -> None:
    response: HttpResponse = admin().post(reverse("judge:files"), given)

    assert response.status_code == 422
    assert "Choose a file" in said(response)


def test_an_archive_of_a_public_file_is_looked_at_like_any_round(game: Game) -> None:
    """What was secret is not there, and no page stumbles over that."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana")
    game.world.score(battle, now=battle.deadline + HOUR)
    file = body(Client().get(address(game)))
    archive = import_round(file, slug="seen").round
    for name in (
        "map",
        "movement",
        "battles",
        "results",
        "turns",
        "armies",
        "rulings",
        "round-book",
        "numbers",
        "verify",
    ):
        assert Client().get(reverse(name, args=["seen"])).status_code == 200, name
    fought = archive.turns.get(number=2).battles.get()
    page = said(Client().get(reverse("battle", args=["seen", fought.pk])))
    assert "Ana" in page
    assert Client().get(reverse("turn", args=["seen", 1])).status_code == 200
    assert Client().get(reverse("army", args=["seen", "Ana"])).status_code == 200
    assert Client().get(reverse("api-battles", args=["seen", 2])).status_code == 200
    assert Client().get(reverse("export", args=["seen"])).status_code == 200
