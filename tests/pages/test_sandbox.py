"""A turn that anybody may try: seven steps by the rules of every round, kept nowhere but in the address."""

import contextlib
import io
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from judging.tutorial import views
from judging.tutorial.lesson import (
    COMMITMENT,
    ENEMY,
    LONGEST_ORDER,
    LONGEST_STRAT,
    OWN,
    POSITION,
    RIGHT,
    SEED,
    STRAT,
    WRONG,
    Lesson,
    choices,
)
from wargame.rules.core.dice import commitment

SHOW_ME, NEXT = "Show me", re.compile(r'<a class="button" href="([^"]+)"')


def look(client: Client, **asked: object) -> str:
    answer = client.get(reverse("sandbox"), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def step_of(html: str) -> int:
    found = re.search(r"step (\d) of 7", html)
    assert found
    return int(found[1])


def following(html: str, words: str) -> str:
    """The address of the link with these words."""
    found = re.search(rf'<a[^>]*href="([^"]+)"[^>]*>\s*{re.escape(words)}', html)
    assert found, words
    return unescape(found[1])


@pytest.mark.django_db
def test_a_visitor_who_only_presses_show_me_comes_to_the_end(client: Client) -> None:
    """Seven steps without an account, a script or a word typed; every step leads on."""
    html = client.get(reverse("sandbox")).content.decode()
    for number, words in enumerate(("Give an order", "Try a better one", "Lock the turn", "Prepare the battle"), 1):
        assert step_of(html) == number
        if SHOW_ME in html:
            html = client.get(following(html, SHOW_ME)).content.decode()
        html = client.get(following(html, words)).content.decode()
    assert step_of(html) == 5
    html = client.get(following(html, SHOW_ME)).content.decode()
    html = look(client, step=6, order=RIGHT, strat=STRAT)
    html = client.get(following(html, "See the map afterwards")).content.decode()
    assert step_of(html) == 7
    assert following(html, "Sign up") == reverse("sign-up")
    assert "sessionid" not in client.cookies


@pytest.mark.django_db
def test_an_order_is_refused_with_the_rule_and_with_what_would_do(client: Client) -> None:
    """3.2.2.1, R8, R14, 5.4.1: as in every thread, by the rules themselves."""
    told = {
        WRONG: ("Refused.", "4D to 9D is 5 squares; an army can move 3. Try 4D &gt; 7D.", "3.2.2.1"),
        f"{OWN}: 4D > 6C": ("Refused.", "engage Rust Choir", "3.2.2.2"),
        f"{ENEMY}: 6C > 5C": ("Refused.", "5.4.1"),
        "Lantrn Guard: 4D > 5D": ("We couldn't read this</strong> from character 1 on.", "Did you mean", OWN),
        "off we go": ("We read this as a comment, not as an order",),
        "4D > 5D": ("Legal.",),
    }
    for order, words in told.items():
        html = look(client, step=2, order=order)
        assert all(word in html for word in words), order
        assert "Try a better one" in html
    assert "Lock the turn" not in look(client, step=3, order="4D > 5D")
    assert "Lock the turn" in look(client, step=3, order=RIGHT)


@pytest.mark.django_db
def test_every_marked_square_of_the_map_writes_a_legal_order(client: Client) -> None:
    """3.2.2: a click does what typing would."""
    html = look(client, step=3)
    addresses = [unescape(found) for found in re.findall(r'class="goal[^"]*" href="([^"]+)"', html)]
    assert len(addresses) == len(choices()) > 20
    for address in addresses:
        asked = parse_qs(urlsplit(address).query)
        assert Lesson.of(asked["order"][0], "").is_legal
    assert sum(each.attacks for each in choices()) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "step"),
    [
        ({}, 1),
        ({"step": "x"}, 1),
        ({"step": "0"}, 1),
        ({"step": "²"}, 1),
        ({"step": "99999"}, 1),
        ({"step": "99"}, 3),
        ({"step": "7", "order": WRONG}, 3),
        ({"step": "7", "order": "\0\ud7ff"}, 3),
        ({"step": "7", "order": RIGHT}, 5),
        ({"step": "7", "order": RIGHT, "strat": " \n "}, 5),
        ({"step": "6", "order": RIGHT, "strat": "\0" * 5000}, 6),
        ({"step": "7", "order": f"\n\n{RIGHT}\nmore", "strat": "x" * 5000}, 7),
    ],
)
def test_a_step_that_needs_more_is_answered_by_the_one_that_asks_for_it(
    client: Client, asked: dict[str, str], step: int
) -> None:
    assert step_of(look(client, **asked)) == step


def test_what_is_typed_is_bounded() -> None:
    lesson = Lesson.of("x" * 10_000, "y" * 10_000)
    assert (len(lesson.order), len(lesson.strat)) == (LONGEST_ORDER, LONGEST_STRAT)


@pytest.mark.django_db
def test_the_end_says_in_a_whole_sentence_what_decided(client: Client) -> None:
    """4.2.4"""
    outcome = Lesson.of(RIGHT, STRAT).outcome
    assert outcome is not None
    sentence, _ = outcome.why.told(winners=1, sent=True)
    assert f"{sentence}, and so won the battle." in " ".join(look(client, step=6, order=RIGHT, strat=STRAT).split())


@pytest.mark.django_db
def test_the_dice_can_be_recomputed_by_what_the_last_page_shows(client: Client) -> None:
    """R38: the program that is printed there runs, and prints the dice that decided."""
    html = look(client, step=7, order=RIGHT, strat=STRAT)
    program = re.search(r"<pre[^>]*><code>(.*?)</code></pre>", html, re.DOTALL)
    assert program
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(unescape(program[1]), {})
    values = [int(line.split()[-1]) for line in printed.getvalue().splitlines()]
    outcome = Lesson.of(RIGHT, STRAT).outcome
    assert outcome is not None
    assert values[:4] == list(outcome.rolls[0][0])
    assert commitment(SEED) == COMMITMENT
    assert COMMITMENT in look(client, step=4, order=RIGHT)
    assert SEED.hex() not in look(client, step=6, order=RIGHT, strat=STRAT)


def test_the_same_order_and_strat_come_to_the_same_end_and_another_strat_has_other_dice() -> None:
    first, again, other = Lesson.of(RIGHT, STRAT), Lesson.of(RIGHT, STRAT), Lesson.of(RIGHT, "Charge.")
    assert first.outcome == again.outcome
    assert first.second == again.second
    assert first.dice.rolls != other.dice.rolls


def test_a_battle_is_left_with_losses_and_nobody_stays_beside_the_enemy() -> None:
    """4.2.5: whoever loses leaves the square; both lose troops, whichever strat is sent."""
    won = set()
    for strat in ("Charge.", "Hold.", "Wait for dusk.", STRAT, "Dig."):
        lesson = Lesson.of(RIGHT, strat)
        assert lesson.second is not None
        won.add(lesson.has_won)
        armies = lesson.second.position.by_name
        assert armies[OWN].at != armies[ENEMY].at
        before = {name: sum(t.alive for t in POSITION.by_name[name].troops) for name in (OWN, ENEMY)}
        assert all(sum(t.alive for t in armies[name].troops) < before[name] for name in before)
        assert not lesson.second.position.battles
    assert won == {True, False}


@pytest.mark.django_db
def test_who_asks_too_often_is_told_to_wait_and_costs_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST", 2)
    answers: list[HttpResponse] = [client.get(reverse("sandbox")) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "Wait ten minutes" in answers[2].content.decode()
    cache.clear()
    assert client.get(reverse("sandbox")).status_code == 200
