"""3.1, 1.6, 1.3: pages of topics, private press, reports, blocks and the search; and what is shown of a thread."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from judging.boards.models import Message, Participant, Report, Topic
from tests.pages.playing import Game, game, said, typed_text
from tests.pages.test_boards import Camp
from tests.services.boards_of_tests import write
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import HOUR, token

__all__ = ["game"]


@pytest.fixture
def camp(db: None) -> Iterator[Camp]:
    world = make_teams()
    with time_machine.travel(NOW, tick=False) as clock:
        yield Camp(world, clock)


def test_a_topic_is_begun_read_answered_pinned_and_closed(camp: Camp) -> None:
    assert "No topics yet" in camp.page("board", "talk", who="Ana")
    refused = camp.post("board-topic-new", "talk", who="Ana", title="", text="Kept.", token=token())
    assert (refused.status_code, typed_text(refused.content.decode())) == (422, "Kept.")
    begun = camp.post("board-topic-new", "talk", who="Ana", title="The <north>", text="Well?", token=token())
    shown = camp.client("Bo").get(begun["Location"], follow=True)
    assert shown.redirect_chain[-1][0] == f"{camp.url('board-topic', 'talk', 2)}?page=1#message-1"
    assert "The &lt;north&gt;" in shown.content.decode()
    answered = camp.post("board-topic", "talk", 2, who="Vorn", text="Snow.", token=token())
    assert answered["Location"] == camp.url("board-message", "talk", 2)
    assert "Snow." not in camp.page("board", "talk", who="Bo")
    assert "Snow." in camp.page("board-topic", "talk", 2, who="Bo")
    quoted = camp.page("board-topic", "talk", 2, quote="message-2", who="Bo")
    assert ">Snow.</p>" in quoted
    assert "> Snow." in typed_text(quoted)
    assert "Snow." in camp.page("board-topic-feed", "talk", 2)
    assert "The &lt;north&gt;" in camp.page("board-topics", "talk")
    for act in ("pin", "close"):
        assert camp.post("board-topic-moderate", "talk", 2, who="movement", act=act).status_code == 302
    html = camp.page("board-topic", "talk", 2, who="Ana")
    assert "pinned" in html
    assert "This topic is closed" in html
    late = camp.post("board-topic", "talk", 2, who="Ana", text="Too late.", token=token())
    assert (late.status_code, "Too late." in late.content.decode()) == (422, True)
    for name, number, status in (("board-topic", 9, 404), ("board-topic-feed", 9, 404), ("board-topic", 2**40, 404)):
        assert camp.client("Ana").get(camp.url(name, "talk", number)).status_code == status
    assert camp.client("Vorn").get(camp.url("board-topics", "team-coalition")).status_code == 404


def test_a_conversation_is_begun_read_and_left(camp: Camp) -> None:
    assert 'value="Vorn" checked' in camp.page("press-new", who="Ana", to="Vorn").replace("\n", " ")
    refused = camp.post("press-new", who="Ana", to=["Nobody"], text="Kept.", title="Peace", token=token())
    assert (refused.status_code, typed_text(refused.content.decode())) == (422, "Kept.")
    begun = camp.post("press-new", who="Ana", to=["Vorn"], text="Peace?", token=token())
    key = Message.objects.get().thread.key
    for who in ("Ana", "Vorn"):
        html = camp.client(who).get(begun["Location"], follow=True).content.decode()
        assert "Peace?" in html
        assert "can read this, not judges or administrators" in html
    assert camp.url("board", key) in camp.page("press", who="Vorn")
    for who in ("Bo", "movement", "battle", "admin"):
        assert camp.client(who).get(camp.url("board", key)).status_code == 404
        assert key not in camp.page("press", who=who) + camp.page("boards", who=who)
    assert "accounts/login" in camp.client().get(camp.url("board", key))["Location"]
    assert camp.client("Ana").get(camp.url("board-feed", key)).status_code == 404
    assert camp.client("Ana").get(camp.url("press-leave", "talk")).status_code == 404
    assert camp.post("press-leave", key, who="Vorn").status_code == 302
    assert Participant.objects.filter(left_at__isnull=False).count() == 1
    assert camp.client("Vorn").get(camp.url("board", key)).status_code == 404


def test_a_message_is_reported_and_judged_and_its_reporter_reads_the_answer(camp: Camp) -> None:
    write(camp.world, "Vorn", "You toad.")
    assert "The judges of this round will read your report" in camp.page("board-report", "talk", 1, who="Ana")
    empty = camp.post("board-report", "talk", 1, who="Ana", reason=" ")
    assert (empty.status_code, "reason is empty" in said(empty)) == (422, True)
    assert camp.post("board-report", "talk", 1, who="Ana", reason="An insult.").status_code == 302
    pk = Report.objects.get().pk
    assert "1 report" in camp.page("boards", who="battle")
    assert "An insult." in camp.page("report", pk, who="battle")
    assert camp.client("Vorn").get(camp.url("report", pk)).status_code == 404
    assert "An insult." not in camp.page("reports", who="Vorn")
    assert camp.post("report", pk, who="battle", act="warn", reason="Be civil.").status_code == 302
    again = camp.post("report", pk, who="battle", act="hide", reason="More.")
    assert (again.status_code, "has already decided this report" in said(again)) == (422, True)
    assert "Be civil." in camp.page("reports", who="Ana")
    assert "A moderator warned you" in camp.page("boards", who="Vorn")
    assert "Be civil." in camp.page("reports", who="Vorn")
    assert "A moderator warned you" not in camp.page("boards", who="Vorn")


def test_who_was_logged_out_finds_the_title_and_the_people_again_too(camp: Camp) -> None:
    typed = {"text": "Peace?", "title": "Of <peace> & war", "to": ["Vorn"], "token": "one"}
    for name, arguments in (("press-new", ()), ("board-topic-new", ("talk",))):
        client = Client()
        asked = client.post(camp.url(name, *arguments), typed)
        client.force_login(camp.world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
        html = client.get(parse_qs(urlsplit(asked["Location"]).query)["next"][0]).content.decode()
        assert typed_text(html) == "Peace?"
        assert 'value="Of &lt;peace&gt; &amp; war"' in html
        assert name != "press-new" or 'value="Vorn" checked' in " ".join(html.split())


def test_the_page_of_blocks_says_that_they_hold_in_every_round(camp: Camp) -> None:
    assert "You block a person, not a name" in " ".join(camp.page("blocks", who="Ana").split())


def test_a_block_is_made_and_undone_on_its_page(camp: Camp) -> None:
    write(camp.world, "Vorn", "Hear me.")
    client, address = camp.client("Ana"), camp.url("blocks")
    assert 'value="Vorn"' in client.get(address, {"name": "Vorn"}).content.decode()
    client.post(address, {"name": "Vorn", "act": "block"})
    assert "Hear me." not in camp.page("board", "talk", who="Ana")
    assert "Hear me." in camp.page("board", "talk", who="Bo")
    wrong = client.post(address, {"name": "Nobody", "act": "block"})
    assert (wrong.status_code, 'value="Nobody"' in wrong.content.decode()) == (422, True)
    block = camp.page("blocks", who="Ana").split('name="block" value="')[1].split('"')[0]
    client.post(address, {"block": block, "act": "unblock"})
    assert "Hear me." in camp.page("board", "talk", who="Ana")


def test_a_search_shows_what_it_found_and_says_what_is_wrong(camp: Camp) -> None:
    for number in range(27):
        write(camp.world, "Ana", f"Lantern <{number}>")
    html = camp.page("search", q="lantern")
    assert "27 found" in html
    assert "<mark>Lantern</mark>" in html
    assert "&lt;26&gt;" in html
    assert "Page 1 of 2" in html
    assert "q=lantern&amp;page=2" in html
    assert "&lt;0&gt;" in camp.page("search", q="lantern", page="2")
    assert "27 found" in camp.client().get(reverse("search-all"), {"q": "lantern"}).content.decode()
    assert "Nothing found. Try fewer words." in camp.page("search", q="zeppelin")
    for name, value in (("turn", "x"), ("since", "x"), ("side", "x"), ("turn", "0"), ("q", "x" * 201)):
        answer = camp.client().get(camp.url("search"), {"q": "lantern", name: value})
        assert answer.status_code == 422, name


def test_searches_without_end_are_stopped(camp: Camp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.search.views.MOST_SEARCHES", 1)
    client = camp.client()
    answers = [client.get(camp.url("search"), {"q": "x"}, REMOTE_ADDR="198.51.100.7").status_code for _ in range(2)]
    assert answers == [200, 429]


# The thread


def test_a_thread_is_narrowed_by_its_address(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 4D")
    game.world.post("Gaz", "Only talk.")
    client = game.client("Ana")

    def shown(query: str) -> set[str]:
        html = client.get(f"{game.url('movement')}?{query}").content.decode()
        return {text for text in ("Ana: 3D", "Only talk.") if f'<code class="order__text">{text}' in html}

    assert shown("") == {"Ana: 3D", "Only talk."}
    assert shown("side=phyrexia") == {"Only talk."}
    assert shown("mine=1") == shown("orders=1") == {"Ana: 3D"}
    assert shown("side=phyrexia&mine=1") == set()
    assert shown("side=x&since=x&page=x") == {"Ana: 3D", "Only talk."}
    assert shown("new=1&since=2001-01-01T00:00:00Z") == {"Only talk."}
    game.clock.shift(HOUR)
    game.world.post("Gaz", "Newer talk.", at=game.world.turn.opened_at + 3 * HOUR)
    html = client.get(game.url("movement")).content.decode()
    assert html.count(">new</span>") == 1, "what came since the page was looked at"
    assert ">new</span>" not in client.get(game.url("movement")).content.decode()


def test_long_talk_is_folded_and_orders_are_not(game: Game) -> None:
    talk = "\n".join(f"Line {number} of a long story." for number in range(12))
    game.world.post("Ana", f"{talk}\nAna: 3D > 4D")
    html = game.page("movement")
    folded = html[html.index('<details class="folded">') : html.index("</details>", html.index("folded"))]
    assert "Line 11" in folded
    assert "3D &gt; 4D" not in folded
    assert "3D &gt; 4D" in html


def test_a_post_is_reported_and_never_hidden(game: Game) -> None:
    post = game.world.post("Gaz", "You toad.\nGaz: 3F > 4F")
    assert game.url("post-report", post.pk) in game.page("movement", who="Ana")
    client = game.client("Ana")
    assert client.post(game.url("post-report", post.pk), {"reason": "An insult."}).status_code == 302
    report = game.url("report", Report.objects.get().pk)
    assert client.post(report, {"act": "warn", "reason": "No."}).status_code == 404
    judge = game.client("battle")
    assert "never hidden" in said(judge.post(report, {"act": "hide", "reason": "No."}))
    assert judge.post(report, {"act": "warn", "reason": "Be civil."}).status_code == 302
    assert "You toad." in game.page("movement")
    assert not Topic.objects.exists()
