"""axe finds nothing at a card table where somebody stays away, is reported, sanctioned, looked at, and appeals."""

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from judging.tables.away.services import announce_leave, keep_hours
from judging.tables.conduct.appeals import contested, lodge_at_table
from judging.tables.conduct.sanctions import NewSanction, sanction
from judging.tables.models import Seat
from judging.tables.services import judges
from judging.tables.services.judges import TableVerdict
from judging.tables.services.taking_back import look_at_cards
from judging.tables.talk.services import report_at_table, say_at_table
from tests.accessibility.test_card_table import looked_at
from tests.accessibility.walking import NewContext, told
from tests.services.tables_of_tests import Game, appoint, person, running


def disputed() -> Game:
    """A table at which somebody stays away, is reported and sanctioned, appeals, and a judge looked at cards."""
    game = running()
    slug, now = game.table, game.now
    for name in ("Jo", "Kit"):
        appoint(slug, name, now)
    keep_hours(table=slug, user=person("Bo"), hour="22", zone="Europe/Berlin", now=now)
    announce_leave(table=slug, user=person("Bo"), first="2026-03-05", last="2026-03-07", now=now)
    game.go_on("first")
    game.post("Bo", "pass until my turn unless attacked", order=True)
    game.post("Bo", "never block until end of turn 9", order=True)
    say_at_table(table=slug, user=person("Ana"), board="talk", text="You hold an otter, **Bo**.", token="a", now=now)
    say_at_table(table=slug, user=person("Jo"), board="talk", text="Hands are secret.", token="b", now=now)
    report_at_table(table=slug, user=person("Bo"), number=1, reason="He looks into my hand.", now=now)
    verdict = TableVerdict("B draws 1", "K42", "The text of the card says so.", "Old Pact")
    ruled = judges.rule(table=slug, user=person("Jo"), verdict=verdict, on=game.row().head, token="c", now=now)
    given = NewSanction("warning", "Ana", "1.3", "He names cards of another hand.")
    sanction(table=slug, user=person("Jo"), given=given, token="d", now=now)
    about = contested(slug, "ruling", ruled.n)
    assert about is not None
    lodge_at_table(
        table=slug, user=person("Ana"), about=about, cites="8.4.2", reason="It was on the pile.", token="e", now=now
    )  # fmt: skip
    look_at_cards(
        table=slug, user=person("Jo"), letter="B", reason="Was it in the hand?", on=game.row().head, token="f", now=now
    )  # fmt: skip
    judges.ask(table=slug, user=person("Bo"), question="May he look at my hand?", now=now)
    Seat.objects.filter(table=slug, name="Bo").update(missed=3)
    return game


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_axe_finds_nothing_where_people_stay_away_quarrel_and_appeal(
    live_server: LiveServer, new_context: NewContext
) -> None:
    game = disputed()

    def at(name: str, *args: object) -> str:
        return reverse(name, args=[game.table.slug, *args])

    visits = [
        ("Jo", at("table-people")), ("Jo", at("table-talk")), ("Jo", at("table-conduct")), ("Jo", at("table-desk")),
        ("Jo", at("table-look")), ("Jo", at("table-back", game.state().shown)), ("Jo", reverse("tables")),
        ("Kit", at("table-appeal", 1)), ("Ana", f"{at('table-appeal-new')}?kind=sanction&number=1"),
        ("Ana", at("table-people")), ("Bo", at("table-people")), ("Bo", at("table")), ("", at("table-verify")),
        ("Ana", at("table-mailbox")),
    ]  # fmt: skip
    found = [one for name, address in visits for one in looked_at(live_server, new_context, name, address)]
    if found:
        pytest.fail(told(found), pytrace=False)
