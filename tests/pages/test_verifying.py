"""R18, R38: the page on which anybody has a round recomputed, and the file with which he does it himself."""

import hashlib
import hmac
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judging.battles.models import Battle, Strat
from judging.battles.rejudging.services import apply_anew, lock_anew
from judging.chain.queries import check_chain
from judging.common import locking
from judging.formula_books.models import BookVersion
from judging.import_export.exporting import Public, round_file
from judging.import_export.importing import import_round
from judging.verification import checks, verdicts
from tests.pages.playing import Game, game, said
from tests.services.test_judging_anew import new
from tests.services.world_of_tests import HOUR, add_judge
from wargame.models import Player, Round, Turn

__all__ = ["game"]

DICE = Path(__file__).parents[2] / "docs" / "play" / "verify" / "dice.md"
STRAT = "MARKER-STRAT-TEXT"


def draw(seed: str, context: list[object], name: str, number: int, sides: int) -> int:
    """docs/play/verify/dice.md, written anew from its words."""
    block = 0
    while True:
        message = "\n".join(map(str, [*context, name, number, block])).encode("utf-8")
        digest = hmac.digest(bytes.fromhex(seed), message, "sha256")
        for start in range(0, 32, 4):
            word = int.from_bytes(digest[start : start + 4], "big")
            if word < 2**32 // sides * sides:
                return word % sides + 1
        block += 1


def redraw(proof: dict[str, Any]) -> list[int]:
    """All rolls of a battle, from the file alone."""
    receipts = " ".join(sorted(strat["sha256"] for strat in proof["strats"])) or "-"
    context = ["wargame-dice-1", proof["round"], proof["turn"], proof["battle"], receipts]
    rolls = ((roll["name"], roll["number"], roll["sides"]) for roll in proof["rolls"])
    return [draw(proof["seed"], context, *roll) for roll in rolls]


def proof_of(battle: Battle, client: Client | None = None) -> dict[str, Any]:
    answer = (client or Client()).get(f"/api/v1/rounds/trial/battles/{battle.pk}/proof/")
    assert answer.status_code == 200
    return answer.json()


def fought(game: Game, text: str = STRAT, **strat: object) -> Battle:
    """Ana wins over Gaz; the result is published before the lock."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", text, **strat)
    game.world.strat(battle, "Gaz", "Gaz", STRAT)
    game.world.score(battle, favours=0, bonus=10)
    game.go_to(battle.deadline + 2 * HOUR)
    return battle


def settled(game: Game, text: str = STRAT, **strat: object) -> Battle:
    battle = fought(game, text, **strat)
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)
    return battle


def end(game: Game) -> None:
    Round.objects.filter(pk=game.world.round.pk).update(state="over")


def row(html: str, number: int) -> str:
    found = re.search(rf'<tr id="verify-{number}".*?</tr>', html, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[0]))


def test_a_turn_is_recomputed_when_somebody_asks_and_then_stands_in_the_list(game: Game) -> None:
    settled(game)
    assert "Recompute" in row(game.page("verify"), 2)

    html = game.page("verify-turn", 2)
    assert "<strong>Same.</strong>" in html
    for turn in Turn.objects.filter(number=2):
        for told in (turn.position_hash, turn.next_hash, turn.commitment, turn.seed):
            assert f">{told}</code>" in html

    listed = game.page("verify")
    assert "same" in row(listed, 2)
    assert "Recompute" in row(listed, 1)


def test_a_battle_shows_its_seed_its_receipts_and_each_roll(game: Game) -> None:
    battle = settled(game, risk="kill")
    html = game.page("verify-turn", 2)
    for told in (battle.seed, battle.commitment, *Strat.objects.values_list("sha256", flat=True)):
        assert f">{told}</code>" in html
    assert "<code>d20 side 1</code>" in html
    assert "<code>kill by Ana</code>" in html
    assert f"/api/v1/rounds/trial/battles/{battle.pk}/proof/" in html


def test_a_turn_that_is_played_is_verified_as_far_as_it_is_published(game: Game) -> None:
    battle = fought(game)
    turn, html = game.world.turn, game.page("verify-turn", 2)
    assert ("Everything published for this turn so far gives the same result when recomputed.") in said(
        game.client().get(game.url("verify-turn", 2))
    )
    assert f">{battle.seed}</code>" in html
    assert turn.seed not in html
    assert "The turn&#x27;s seed is secret until the turn is settled." in html


@pytest.mark.parametrize("who", ["", "Ana", "Gaz", "movement", "battle", "mercenary"])
def test_what_is_secret_now_is_on_no_page_and_in_no_file(game: Game, who: str) -> None:
    """R38: neither the seeds before their time, nor the book, nor the strats, whoever asks."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", STRAT)
    sent, book, turn = Strat.objects.get(), BookVersion.objects.get(), game.world.turn
    secrets = [battle.seed, turn.seed, STRAT, sent.salt, book.salt, *(t for t in book.formulas.values() if len(t) > 9)]

    client = game.client(who)
    for address in addresses(game, battle):
        answer = client.get(address)
        assert answer.status_code == 200, address
        text = answer.content.decode()
        assert not [secret for secret in secrets if secret in text], address


def addresses(game: Game, battle: Battle) -> list[str]:
    api = "/api/v1/rounds/trial"
    pages = [game.url("verify"), game.url("verify-turn", 1), game.url("verify-turn", 2)]
    return [*pages, f"{api}/verify/", f"{api}/verify/2/", f"{api}/battles/{battle.pk}/proof/"]


def test_where_the_winners_go_is_theirs_until_the_turn_is_settled(game: Game) -> None:
    """4.4: not even a hash from which it could be guessed."""
    battle = fought(game)
    assert "leaves" not in proof_of(battle)["outcome"]
    published = battle.result.outcome
    told = game.page("verify-turn", 2)
    whole = json.dumps(published, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(whole.encode()).hexdigest() not in told

    game.world.settle()
    assert "leaves" in proof_of(battle)["outcome"]


def test_a_stranger_recomputes_every_roll_with_the_file_alone(game: Game) -> None:
    """docs/play/verify/dice.md, in twenty lines."""
    proof = proof_of(settled(game, risk="kill"))

    assert hashlib.sha256(bytes.fromhex(proof["seed"])).hexdigest() == proof["commitment"]
    assert {roll["name"] for roll in proof["rolls"]} >= {"d20 side 1", "d20 side 2", "kill by Ana"}
    assert redraw(proof) == [roll["value"] for roll in proof["rolls"]]


def test_the_documents_own_program_recomputes_the_file(game: Game) -> None:
    battle = settled(game, '“Zürich” \\ \U0001f409\n\t"quoted"')
    end(game)
    blocks = re.findall(r"```python\n(.*?)```", DICE.read_text(encoding="utf-8"), re.DOTALL)
    program: dict[str, Any] = {"__name__": "copied"}
    for block in blocks:
        exec(block, program)
    proof = proof_of(battle)
    program["recompute"](proof)
    for wrong in ({"seed": "00" * 32}, {"battle": 7}):
        with pytest.raises(AssertionError):
            program["recompute"]({**proof, **wrong})
    proof["strats"][0]["text"] += "."
    with pytest.raises(AssertionError):
        program["recompute"](proof)


def test_before_the_result_the_file_says_what_is_secret_and_until_when(game: Game) -> None:
    proof = proof_of(game.battle())
    assert (proof["seed"], proof["rolls"], proof["outcome"]) == (None, [], None)
    assert proof["sides"][0][0]["name"] == "Ana"
    assert proof["secret"][0] == {"what": "seed", "why": "Published with the battle's result."}


def test_after_the_round_the_file_has_the_strats_and_the_book(game: Game) -> None:
    battle = settled(game)
    assert proof_of(battle)["strats"][0]["salt"] is None
    assert proof_of(battle)["book"]["formulas"] is None
    end(game)
    proof = proof_of(battle)
    assert proof["strats"][0]["text"] == STRAT
    assert proof["book"]["formulas"] == BookVersion.objects.get().formulas
    assert proof["secret"] == []


def test_what_was_changed_afterwards_is_shown_with_both_hashes(game: Game) -> None:
    battle = settled(game)
    Strat.objects.filter(entry__name="Ana").update(text="Something else.")
    html = game.page("verify-turn", 2)
    assert "<strong>Differs.</strong>" in html
    assert "a strat that doesn&#x27;t match its receipt" in html
    assert f'published <code class="hash hash--whole">{Strat.objects.get(entry__name="Ana").sha256}</code>' in html
    assert "differs" in row(game.page("verify"), 2)
    answer = Client().get("/api/v1/rounds/trial/verify/2/").json()
    assert (answer["verdict"], bool(answer["differences"])) == ("differs", True)
    assert battle.pk == answer["battles"][0]["id"]


def test_a_roll_that_was_changed_afterwards_is_shown(game: Game) -> None:
    battle = settled(game)
    outcome = battle.result.outcome
    face = outcome["rolls"][0][0][0]
    outcome["rolls"][0][0][0] = other = face % 20 + 1
    battle.result.save()
    assert "the battle on 3F: its dice" in said(game.client().get(game.url("verify-turn", 2)))
    assert f"{other}, but recomputed as {face}" in game.page("verify-turn", 2)


def test_a_row_that_is_damaged_is_a_difference_and_no_error(game: Game) -> None:
    settled(game)
    Turn.objects.filter(number=2).update(seed="no hexadecimal")
    assert "its stored data, which is damaged" in said(game.client().get(game.url("verify-turn", 2)))


def test_a_verdict_is_worked_out_once_for_all_who_ask(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    settled(game)
    asked = []
    real = checks.verify_turn
    monkeypatch.setattr(verdicts, "verify_turn", lambda turn: asked.append(turn.number) or real(turn))
    for _ in range(3):
        game.page("verify-turn", 2)
        assert Client().get("/api/v1/rounds/trial/verify/2/").status_code == 200
    game.page("verify")
    assert asked == [2]


def test_a_correction_or_a_result_makes_a_verdict_old(game: Game) -> None:
    battle = game.battle()
    assert "no result yet" in game.page("verify-turn", 2)
    game.world.score(battle)
    assert "no result yet" not in game.page("verify-turn", 2)


def test_a_battle_that_is_judged_again_makes_a_verdict_old(game: Game) -> None:
    """R58: also one of an open turn, from which nothing follows yet."""
    battle = fought(game)
    assert "Same." in game.page("verify-turn", 2)
    assert "same" in row(game.page("verify"), 2)
    with locking.transaction():
        second = add_judge(game.world.round, "battle", "Judge Second", is_head=False)
    at = battle.deadline + 2 * HOUR
    made = lock_anew(battle=battle, judge=game.world.judges["battle"], new=new(1), token="x", now=at)
    assert "same" in row(game.page("verify"), 2), "what is not public yet leaves no trace"
    apply_anew(rejudgement=made, judge=second, now=at)
    assert "same" not in row(game.page("verify"), 2)
    assert "Gaz" in game.page("verify-turn", 2)


def test_what_was_changed_past_the_service_is_found_by_recomputing_now(game: Game) -> None:
    battle = settled(game)
    assert "Same." in game.page("verify-turn", 2)
    Strat.objects.filter(entry__battle=battle, entry__name="Ana").update(text="Something else.")
    kept = game.page("verify-turn", 2)
    assert "Same." in kept
    assert '<a rel="nofollow" href="?fresh=1">Recompute now</a>' in kept
    again = game.client().get(game.url("verify-turn", 2) + "?fresh=1").content.decode()
    assert "<strong>Differs.</strong>" in again
    assert "<strong>Differs.</strong>" in game.page("verify-turn", 2)


def test_each_caller_has_one_turn_recomputed_at_a_time(game: Game) -> None:
    settled(game)
    cache.set(own := f"running:{verdicts.KIND}:by:127.0.0.1", True)
    answer = game.client().get(game.url("verify-turn", 2))
    assert (answer.status_code, answer["Retry-After"]) == (429, "3")
    assert "Your previous request is still running" in said(answer)
    assert game.client().get(game.url("verify-chain")).status_code == 429
    assert Client().get("/api/v1/rounds/trial/verify/2/").status_code == 429

    fragment = game.client().get(game.url("verify-turn", 2), headers={"HX-Request": "true"})
    assert fragment.status_code == 200
    assert 'hx-trigger="load delay:3s"' in fragment.content.decode()

    assert "Same." in said(Client(REMOTE_ADDR="203.0.113.7").get(game.url("verify-turn", 2) + "?fresh=1"))
    cache.delete(own)
    fragment = game.client().get(game.url("verify-turn", 2), headers={"HX-Request": "true"})
    assert "same" in row(fragment.content.decode(), 2)
    assert "<html" not in fragment.content.decode()


def test_the_list_costs_the_same_however_many_turns_there_are(game: Game) -> None:
    with CaptureQueriesContext(
        connection,
    ) as few:
        game.page("verify")
    for _ in range(3):
        game.world.settle()
    with CaptureQueriesContext(connection) as many:
        game.page("verify")
    assert len(many) <= len(few) + 1


def test_there_is_no_such_turn_or_round_or_battle(game: Game) -> None:
    assert game.client().get(game.url("verify-turn", 9)).status_code == 404
    assert game.client().get("/rounds/nowhere/verify/").status_code == 404
    assert Client().get("/api/v1/rounds/trial/battles/99/proof/").status_code == 404
    assert Client().get(f"/api/v1/rounds/trial/battles/{2**70}/proof/").status_code == 404


def test_the_page_is_linked_where_people_look_for_it(game: Game) -> None:
    battle = settled(game)
    address = game.url("verify-turn", 2)
    for page in (game.page("turn", 2), game.page("battle", battle.pk), game.page("results")):
        assert f'href="{address}"' in page
        assert f'href="{game.url("verify")}"' in page


def test_the_chain_is_held_and_a_kept_head_is_known_again(game: Game) -> None:
    Player.objects.filter(name="Cay").delete()  # nobody's writer made him
    settled(game)
    html = game.page("verify-chain")
    head = re.search(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ [0-9a-f]{64}", html)
    assert head
    assert "<strong>Same.</strong>" in html
    assert head[0][:16] in game.page("map"), (
        "If someone rewrote the whole chain, its hashes would differ from the ones already sent out"
    )

    def asked(text: str) -> str:
        return said(game.client().get(game.url("verify-chain"), {"head": text}))

    assert "This hash belongs to" in asked(head[0])
    assert "belong to any link of this round" in asked(f"{head[0][:17]} {'0' * 64}")
    assert "a valid hash" in asked("a head")
    assert "a valid hash" in asked(f"2026-99-99T13:05Z {'0' * 64}")


def test_rows_that_cannot_be_checked_in_a_copy_are_counted_on_the_page_and_by_the_api_and_the_command(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    settled(game)
    import_round(b"".join(round_file(Public(game.world.round, timezone.now()))), slug="copy")
    unchecked = check_chain(Round.objects.get(slug="copy")).unchecked
    assert unchecked
    page = said(game.client().get(reverse("verify-chain", args=["copy"])))
    assert f"{unchecked} records can't be checked here" in page
    assert game.client().get("/api/v1/rounds/copy/verify/chain/").json()["unchecked"] == unchecked
    with suppress(SystemExit):
        call_command("verify", "copy")
    assert f"{unchecked} of them can't be checked here" in capsys.readouterr().out


def test_heads_are_asked_for_so_often_and_no_more(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr("judging.verification.views.find_head", lambda round, given: looked.append(given))
    monkeypatch.setattr("judging.verification.views.MOST_HEADS", 2)
    monkeypatch.setattr("judging.verification.api.MOST_HEADS", 2)
    client, address = game.client(), game.url("verify-chain")
    assert [client.get(address, {"head": "x"}).status_code for _ in range(3)] == [200, 200, 429]
    assert "Too many hashes in one minute" in said(client.get(address, {"head": "x"}))
    assert len(looked) == 2
    api = "/api/v1/rounds/trial/verify/chain/"
    assert client.get(api, {"head": "x"}).status_code == 429
    assert client.get(api).status_code == client.get(address).status_code == 200


def test_a_row_that_was_bent_is_named_on_the_page_by_its_link(game: Game) -> None:
    settled(game)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE judging_result SET narrative = 'They ran.'")
    cache.clear()
    html = said(game.client().get(game.url("verify-chain")))
    assert re.search(r"Differs\. This is not as we wrote it:.*A result recorded in link \d+ was changed", html), html
    assert "They ran." not in html
