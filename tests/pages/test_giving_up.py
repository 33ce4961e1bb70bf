"""2.5: a round that is being set up is given up: it is gone from all lists, and its address says why."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import reverse

from judging.command.models import Admission
from judging.command.people.admission import ask_admission
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.setup.services import give_up
from tests.pages.setting_up import MONDAY, Foundation, foundation, said
from wargame.models import Judge, Round
from wargame.rules.core.sides import Side

__all__ = ["foundation"]

REASON = "Too few of us have the time. Next year!"
SAID = f"“The Trial” was cancelled on 23 November 2026, before it began, for this reason: “{REASON}”."


def send(foundation: Foundation, who: str = "Judy", **changed: Any) -> HttpResponse:
    form = {"reason": REASON, "sure": "yes", **changed}
    return foundation.post(who, "setup-give-up", **{key: text for key, text in form.items() if text is not None})


def ask(foundation: Foundation, who: str, token: str) -> Admission:
    user = foundation.users[who]
    return ask_admission(
        round=foundation.round,
        user=user,
        side=Side.COALITION,
        name=who,
        text="May I?",
        factions=["red", "green", "blue"],
        token=token,
        now=MONDAY,
    )


def test_a_round_that_is_given_up_is_in_no_list_and_its_address_says_why(foundation: Foundation) -> None:
    """For everybody alike, and each of its addresses."""
    ask(foundation, "Olga", "one")
    Judge.objects.create(round=foundation.round, user=foundation.users["Mo"], name="Mo", role="movement")
    assert "cancel it" in foundation.page("Judy", "setup")

    response = send(foundation)

    assert response.url == reverse("rounds")
    for who in ("Judy", "Una", "Mo", "Olga", ""):
        for name in ("setup", "map", "join", "musters", "players", "setup-name", "setup-give-up", "map-fragment"):
            page = foundation.client(who).get(foundation.url(name), follow=bool(who))
            assert page.status_code == 404 or not who, (who, name)
        assert SAID in said(foundation.get(who, "setup"))
        client = foundation.client(who)
        for address in ("/", reverse("rounds"), *([reverse("account")] if who else [])):
            assert foundation.url("setup") not in client.get(address, follow=True).content.decode()
    assert client.get(f"/api/v1/rounds/{foundation.round.slug}/").json()["detail"] == SAID


def test_the_desk_of_its_judges_knows_it_no_more(foundation: Foundation) -> None:
    """1.3: who judges nothing else has no desk; who may start rounds still finds where."""
    pages = [reverse(f"judge:{name}", args=[foundation.round.pk]) for name in ("command", "book")]
    judy = foundation.client("Judy")
    assert [judy.get(page).status_code for page in pages] == [200, 200]

    send(foundation)

    assert [judy.get(page).status_code for page in pages] == [302, 302]
    Round.objects.create(name="Another", slug="another", terrain="", created_at=MONDAY)
    other = Round.objects.get(slug="another")
    Judge.objects.create(round=other, user=foundation.users["Judy"], name="Judy", role="battle")
    assert [judy.get(page).status_code for page in pages] == [404, 404]
    assert "The Trial" not in said(judy.get(reverse("judge:index")))


def test_it_is_written_into_the_log_once(foundation: Foundation) -> None:
    send(foundation)
    assert send(foundation).status_code == 404

    entry = LogEntry.objects.get(round=foundation.round, action="setup.given_up")
    assert (entry.actor, entry.data) == (foundation.users["Judy"], {"reason": REASON})


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"sure": None}, "Tick the box to confirm"),
        ({"reason": "  "}, "The reason is empty."),
        ({"reason": "x" * 501}, "the limit is 500"),
        ({"reason": "no\0thing"}, "has a character in line 1 that isn't text"),
    ],
)
def test_without_a_reason_and_a_tick_nothing_is_given_up(
    foundation: Foundation, changed: dict[str, str | None], sentence: str
) -> None:
    response = send(foundation, **changed)

    assert response.status_code == 422
    assert sentence in said(response)
    assert (changed.get("reason", REASON) or "") in response.content.decode().replace("&#x27;", "'")
    assert foundation.setup.round.state == "setup"


def test_only_the_head_battle_judge_gives_a_round_up(foundation: Foundation) -> None:
    """1.3."""
    Judge.objects.create(round=foundation.round, user=foundation.users["Mo"], name="Mo", role="battle", is_head=False)

    assert "cancel it" not in foundation.page("Mo", "setup")
    assert "Only the head battle judge can cancel the round." in said(send(foundation, "Mo"))
    for who in ("Una", "Olga"):
        assert send(foundation, who).status_code == 403
    assert send(foundation, "").url.startswith(reverse("login"))
    assert foundation.setup.round.state == "setup"


@pytest.mark.parametrize("state", ["running", "over", "archive"])
def test_a_round_that_has_begun_is_never_given_up(foundation: Foundation, state: str) -> None:
    Round.objects.filter(pk=foundation.round.pk).update(state=state)

    assert foundation.get("Judy", "setup-give-up").status_code == 404
    assert send(foundation).status_code == 404
    with pytest.raises(Refused, match="The round has started, so you can't change its set-up any more."):
        give_up(round=foundation.round, judge=foundation.judge, reason=REASON, is_sure=True, now=MONDAY)
    assert Round.objects.get().state == state


def test_nothing_is_set_up_and_nobody_asks_to_join_any_more(foundation: Foundation) -> None:
    """What was under way when it was given up is refused."""
    send(foundation)
    foundation.round.refresh_from_db()

    with pytest.raises(Refused, match="The round was cancelled, so you can't change its set-up."):
        give_up(round=foundation.round, judge=foundation.judge, reason=REASON, is_sure=True, now=MONDAY)
    with pytest.raises(Refused, match=r"The Trial was cancelled before it began\."):
        ask(foundation, "Olga", "two")


def test_its_name_may_be_taken_again(foundation: Foundation) -> None:
    send(foundation)
    again = foundation.client("Judy").post(reverse("round-new"), {"name": "The Trial", "token": "another form"})

    assert again.url == reverse("setup", args=["the-trial-2"])
    assert User.objects.get(username="judy").has_perm("wargame.add_round")
