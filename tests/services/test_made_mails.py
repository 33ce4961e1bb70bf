"""3.1: whatever mail program wrote it: nothing but what its sender wrote as an order is carried out, and nothing that
they wrote is lost without a word. `MAILS=10000` tries more of them, `SEED=7` others."""

import os
import re
from collections import Counter
from random import Random

import pytest

from judging.battles.models import Strat
from judging.inbound_email import services
from judging.inbound_email.services import mail_address_of, receive
from judging.turns.models import Post
from tests.services.made_mails import MadeMail, made_mail
from tests.services.test_mails_of_programs import war
from tests.services.world_of_tests import HOUR, World
from wargame.rules.core.orders import ReadOrder
from wargame.rules.posts.notation import read_post

__all__ = ["war"]

MAILS, SEED = int(os.environ.get("MAILS", "150")), os.environ.get("SEED", "1")


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def faults(mail: MadeMail, outcome: str, post: str | None, answer: str) -> list[str]:
    """What is wrong with what became of a mail."""
    own = {bare(line) for line in mail.own}
    found = []
    if post is not None:
        names = ("Old Saltbeard", "Brassmonger", "Sparkplug 64", "Rustbucket 9", "Pale Apothecary", "Carrion Call")
        ordered = {bare(line.text) for line in read_post(post, names) if isinstance(line, ReadOrder)}
        found += [f"ordered, but not written: {line}" for line in ordered - {bare(line) for line in mail.orders}]
        found += [
            f"posted, but not written: {line}" for line in post.split("\n") if bare(line) and bare(line) not in own
        ]
        if mail.asks in ("strat", "unknown", "wrapped"):
            found.append("posted, though the subject asks for something else")
    there = bare(f"{post or ''} {answer}")
    found += [f"lost: {line}" for line in mail.own if bare(line) not in there]
    if mail.asks in ("post", "sealed") and mail.orders and outcome != "done":
        found.append(f"{outcome}, though it is plain")
    return found


def test_of_a_mail_of_any_program_only_what_was_written_is_carried_out_and_nothing_is_lost(
    war: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[str] = []
    monkeypatch.setattr(services, "MOST_AN_HOUR", 10**9)
    monkeypatch.setattr(services, "write_letter", lambda *, body, **letter: answers.append(body))
    now = war.turn.lock_at - HOUR / 2
    tokens = {name: mail_address_of(player=war.players[name], now=now).token for name in ("Brassmonger", "Xarthul")}
    random, outcomes, wrong = Random(SEED), Counter[str](), []
    for number in range(MAILS):
        mail = made_mail(random)
        sender = "Xarthul" if mail.asks == "strat" else "Brassmonger"
        mail.message["To"], mail.message["From"] = f"orders+{tokens[sender]}@wargame.example", "them@players.example"
        mail.message["Message-ID"] = f"<{number}@players.example>"
        raw = mail.message.as_bytes()
        outcome = receive(raw, now).outcome
        post = Post.objects.filter(turn=war.turn).first()
        text = post.versions.get().text if post else None
        strat = Strat.objects.first()
        found = faults(mail, outcome, text, f"{answers[-1]} {strat.text if strat else ''}")
        if strat and mail.asks != "strat":
            found.append("sent as a strat, though the subject asks for something else")
        if found:
            wrong.append((number, mail.shape, found, raw.decode(), text, answers[-1]))
        outcomes[f"{mail.asks}: {outcome}"] += 1
        Post.objects.all().delete()
        Strat.objects.all().delete()
    print(f"\n{MAILS} mails: {dict(outcomes)}, {len(wrong)} wrong")
    for number, shape, found, raw_text, text, answer in wrong[:5]:
        print(f"=== {number}, {shape}: {found}\n{raw_text}\n--- posted: {text}\n--- answered: {answer}")
    assert not wrong
