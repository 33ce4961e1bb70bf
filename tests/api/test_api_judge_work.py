"""5.4.1, R37, R57, 1.3, 1.6: what judges and administrators do beside battles, through the API: penalties, appeals,
formula books, hidden messages, and emails that could not be sent."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from judging.appeals.models import Appeal
from judging.boards.models import Message
from judging.email.models import Letter
from judging.formula_books.models import BookVersion
from judging.penalties.models import Penalty
from tests.api.conftest import Api
from tests.api.test_api_doors import bearer
from tests.services.penalties import REASON, penalise
from wargame.models import Round

FINE = {"player": "Ana", "army": "Ben", "kind": "dice", "severity": "2", "cites": "5.4.1", "reason": REASON}
ANSWER = {"act": "answer", "how": "upheld", "answer_cites": "5.4.1", "text": "Ben is not Ana's to move."}
BOOK = {"base": 1, "formulas": {"pair_size": ["larger + smaller * 80%"]}}
HIDE = {"act": "hide", "reason": "It insults Bo."}


def sent(api: Api, who: str, path: str, body: object, method: str = "post", scope: str = "judge") -> Any:
    return getattr(bearer(api, who, scope), method)(f"/api/v1/{path}", body, format="json")


def test_a_penalty_is_imposed_once_and_lifted(api: Api) -> None:
    first, again = (sent(api, "battle", "rounds/trial/penalties/new/", FINE | {"token": "p1"}) for _ in range(2))
    assert (first.status_code, first.json()) == (200, again.json()), first.content
    row = Penalty.objects.get()
    page = f"{reverse('judge:penalties', args=[api.world.round.pk])}#penalties"
    assert (first.json()["said"].startswith("Penalty 1 imposed: Ben"), first.json()["next"]) == (True, page)
    unknown = sent(api, "battle", f"rounds/trial/penalties/{10**30}/lift/", {"reason": "It was theirs."})
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "There is no such penalty.")
    lifted = sent(api, "battle", f"rounds/trial/penalties/{row.pk}/lift/", {"reason": "It was theirs."})
    assert (lifted.status_code, lifted.json()["next"]) == (200, page), lifted.content
    assert lifted.json()["said"] == "Penalty 1 of turn 2 was lifted. It stays on record."


def test_a_penalty_that_cannot_be_is_refused_with_its_rule(api: Api) -> None:
    answer = sent(api, "battle", "rounds/trial/penalties/new/", FINE | {"army": "Nobody"})
    assert (answer.status_code, answer.json()["cites"], Penalty.objects.exists()) == (409, "5.4.1", False)


def test_an_appeal_is_held_up_and_answered_by_its_judge(api: Api) -> None:
    penalty = penalise(api.world)
    lodging = {"kind": "penalty", "about": str(penalty.pk), "cites": "5.4.1", "reason": "Ben is mine."}
    made = api.client("Ana").post(f"{api.root}/appeals/", lodging, format="json")
    assert made.status_code == 201, made.content
    row, path = Appeal.objects.get(), "rounds/trial/appeals/1/answer/"
    assert row.judge == api.world.judges["battle"]
    assert sent(api, "Ana", path, ANSWER).status_code == 409
    held = sent(api, "battle", path, {"act": "hold"})
    assert (held.status_code, held.json()["said"]) == (200, "The settlement will wait for your answer."), held.content
    wrong = sent(api, "battle", path, ANSWER | {"how": "perhaps", "text": " "})
    assert (wrong.status_code, wrong.json()["fields"].keys()) == (400, {"how", "text"})
    answer = sent(api, "battle", path, ANSWER)
    assert (answer.status_code, answer.json()) == (
        200,
        {"said": "Your answer was sent to everyone involved.", "next": "/rounds/trial/appeals/1/"},
    ), answer.content
    row.refresh_from_db()
    assert row.state == "upheld"
    assert sent(api, "battle", "rounds/trial/appeals/9/answer/", ANSWER).status_code == 404


def test_a_book_is_saved_on_the_version_that_was_read(api: Api) -> None:
    before = BookVersion.objects.latest("number")
    body = BOOK | {"base": before.number}
    answer = sent(api, "battle", "rounds/trial/book/", body, "put")
    assert answer.status_code == 200, answer.content
    saved = BookVersion.objects.latest("number")
    assert answer.json() == {
        "said": f"Version {saved.number} is saved. It decides battles from turn 3 on.",
        "next": reverse("judge:book", args=[api.world.round.pk]),
    }
    assert saved.formulas == before.formulas | {"pair_size": "larger + smaller * 80%"}
    stale = sent(api, "battle", "rounds/trial/book/", body | {"formulas": {"pair_size": ["larger"]}}, "put")
    assert (stale.status_code, stale.json()["cites"]) == (409, "R38")
    empty = sent(api, "battle", "rounds/trial/book/", {"base": saved.number, "formulas": {"pair_size": []}}, "put")
    assert (empty.status_code, empty.json()["cites"]) == (409, "R37")
    unknown = sent(api, "battle", "rounds/trial/book/", {"base": saved.number, "formulas": {"luck": ["d20"]}}, "put")
    assert (unknown.status_code, list(unknown.json()["fields"])) == (400, ["formulas"])
    assert BookVersion.objects.latest("number") == saved


def test_a_book_is_for_battle_judges_of_its_round(api: Api) -> None:
    assert sent(api, "movement", "rounds/trial/book/", BOOK, "put").status_code == 404
    Round.objects.create(name="Other", slug="other", created_at=api.battle.announced_at)
    assert sent(api, "battle", "rounds/other/book/", BOOK, "put").status_code == 404
    assert sent(api, "battle", "rounds/other/penalties/new/", FINE).status_code == 404


def test_a_message_is_hidden_and_shown_again_by_a_token_that_judges(api: Api) -> None:
    body = {"text": "You fool.", "token": "m1"}
    assert api.client("Gaz").post(f"{api.root}/boards/talk/messages/", body, format="json").status_code == 201
    path = "rounds/trial/boards/talk/messages/1/hiding/"
    assert sent(api, "Ana", path, HIDE, "put", "post").status_code == 403
    assert sent(api, "battle", path, HIDE, "put", "post").status_code == 403, "its token has no role"
    client = bearer(api, "battle", "post", "judge")
    hidden = client.put(f"/api/v1/{path}", HIDE, format="json")
    assert (hidden.status_code, hidden.json()) == (
        200,
        {"said": "Message 1 is hidden.", "next": "/rounds/trial/boards/talk/1/"},
    ), hidden.content
    assert Message.objects.get().hidden_because == "It insults Bo."
    shown = client.put(f"/api/v1/{path}", HIDE | {"act": "show"}, format="json")
    assert shown.json()["said"] == "Message 1 is visible again."
    assert Message.objects.get().hidden_at is None


def test_lost_emails_are_tried_again_for_administrators_alone(api: Api) -> None:
    now = timezone.now()
    kind, state = Letter.Kind.CONFIRM, Letter.State.GIVEN_UP
    Letter.objects.create(to="ana@example.org", kind=kind, state=state, created=now, due=now, tries=9)
    assert sent(api, "battle", "letters/again/", {}, scope="operate").status_code == 409
    User.objects.filter(pk=api.world.judges["battle"].user_id).update(is_superuser=True)
    answer = sent(api, "battle", "letters/again/", {}, scope="operate")
    assert (answer.status_code, answer.json()) == (200, {"said": "Emails being sent again: 1.", "next": "/judge/"})
    assert Letter.objects.get().state == Letter.State.WAITING


@pytest.mark.parametrize(
    ("path", "body", "method", "scope"),
    [
        ("rounds/trial/penalties/new/", FINE, "post", "judge"),
        ("rounds/trial/penalties/1/lift/", {"reason": "It was theirs."}, "post", "judge"),
        ("rounds/trial/book/", BOOK, "put", "judge"),
        ("letters/again/", {}, "post", "operate"),
    ],
)
def test_a_player_may_do_none_of_it(api: Api, path: str, body: object, method: str, scope: str) -> None:
    answer = sent(api, "Ana", path, body, method, scope)
    assert (answer.status_code, answer.json()["cites"]) == (403, "1.3"), answer.content
    visitor = getattr(api.client(), method)(f"/api/v1/{path}", body, format="json")
    assert visitor.status_code == 403
