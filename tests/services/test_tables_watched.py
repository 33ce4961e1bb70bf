"""10, 12: what tells of tables: health and figures, webhooks, feeds and the calendar, backups, and one's own data."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from judging.accounts.models import AdminEntry
from judging.common.errors import Refused
from judging.health.checks import health_at
from judging.notifications.models import Notification
from judging.notifications.queries import views_for
from judging.notifications.safe_http import Answer
from judging.tables import game_state
from judging.tables.cards import lists
from judging.tables.late_tables import LATE, troubles_for
from judging.tables.models import CardList, Seat, Table, TableState
from judging.tables.notify import notify
from judging.tables.services import judges, posting
from judging.tables.services.judges import TableVerdict
from judging.tasks import mind_tables
from judging.webhooks import sending
from judging.webhooks.models import Hook, HookMessage
from judging.webhooks.services import make_hook
from tests.services.tables_of_tests import Game, appoint, opened, person, running
from wargame.upkeep import rows

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
URL = "https://hooks.example.org/in/secret-part"


def logged_in(name: str) -> Client:
    found = Client()
    found.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return found


def desk(name: str = "root") -> Client:
    found = Client()
    found.force_login(User.objects.create_superuser(name), backend="django.contrib.auth.backends.ModelBackend")
    return found


def overdue(game: Game) -> None:
    """Somebody's time was over a while ago, and no job has come."""
    from django.utils import timezone

    Table.objects.filter(pk=game.table.pk).update(due_at=timezone.now() - 2 * LATE)


# ------------------------------------------------------------------------------------------------ who judges


def test_the_judges_of_a_table_read_on_their_desk_why_it_does_not_go_on_and_nobody_else_does() -> None:
    game = running()
    person("Jo")
    appoint(game.table, "Jo", game.now)
    assert troubles_for(person("Jo"), game.now) == ()
    judges.ask(table=game.table, user=person("Bo"), question="May he?", now=game.now)
    Seat.objects.filter(table=game.table, name="Bo").update(missed=3)
    (trouble,) = troubles_for(person("Jo"), game.now + timedelta(days=4))
    asked, away = trouble.why
    assert asked.startswith(
        "A ruling is needed: “May he?” The table and its clocks have stood still since Sun 1 Mar 2026, 12:00 UTC."
    )
    assert asked.endswith("No one has answered for three days.")
    assert away == "Bo is away. Their time ran out 3 times in a row."
    for page in (reverse("tables"), reverse("table-desk", args=[game.table.slug])):
        assert "Bo is away" in logged_in("Jo").get(page).content.decode()
        for other in ("Ana", "Cy"):
            assert "Bo is away" not in logged_in(other).get(page).content.decode()
    assert troubles_for(person("Cy"), game.now + timedelta(days=4)) == ()


def test_a_judge_is_told_of_a_table_that_nobody_swept_and_an_administrator_of_each_silent_one() -> None:
    game = running()
    root = User.objects.create_superuser("root")
    person("Jo")
    appoint(game.table, "Jo", game.now)
    due = game.row().due_at
    assert due is not None
    for user in (person("Jo"), root):
        (trouble,) = troubles_for(user, due + 2 * LATE)
        assert "Time ran out at" in trouble.why[0]
    judges.ask(table=game.table, user=person("Bo"), question="May he?", now=game.now)
    assert troubles_for(root, game.now + timedelta(days=2)) == ()
    assert len(troubles_for(root, game.now + timedelta(days=4))) == 1
    (judge,) = game.table.judges.all()
    judges.dismiss_judge_of_table(table=game.table, by=person("Jo"), judge_id=judge.pk, now=game.now)
    assert troubles_for(person("Jo"), game.now + timedelta(days=4)) == ()


# ------------------------------------------------------------------------------------------------ health


def test_a_table_that_nobody_swept_is_told_of_by_health_figures_and_desk(client: Client, settings) -> None:  # type: ignore[no-untyped-def]
    from django.utils import timezone

    game, root = running(), desk()
    assert (health_at(game.row().due_at).tables_late, health_at(game.row().due_at + 2 * LATE).tables_late) == (0, 1)
    overdue(game)
    assert not health_at(timezone.now()).is_well
    assert client.get("/healthz").json()["tables_late"] == 1
    assert game.table.name in root.get(reverse("judge:index")).content.decode()
    settings.METRICS_FROM = ["127.0.0.1"]
    told = client.get("/metrics").content.decode()
    assert 'wargame_tables{state="running"} 1.0' in told
    assert 'wargame_tables{state="open"} 0.0' in told
    assert "wargame_tables_waiting 1.0" in told
    assert "wargame_tables_overdue 1.0" in told


def test_a_table_that_breaks_down_costs_no_other_one_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, other = running(name="The broken one"), running(name="The other one")
    overdue(broken)
    overdue(other)
    real = posting.tick

    def tick(*, table_id: int, now: object) -> object:
        if table_id == broken.table.pk:
            raise ValueError("broken")
        return real(table_id=table_id, now=now)  # type: ignore[arg-type]

    monkeypatch.setattr("judging.tasks.posting.tick", tick)
    before = other.row().entries
    mind_tables()
    assert other.row().entries == before + 1
    assert broken.row().entries == before


def test_a_beat_that_breaks_down_costs_no_table_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, other = running(name="The broken one"), running(name="The other one")
    Table.objects.filter(pk=broken.table.pk).update(beat_at=broken.now)
    overdue(other)

    def beat_table(**_: object) -> object:
        raise ValueError("broken")

    monkeypatch.setattr("judging.tasks.posting.beat_table", beat_table)
    before = other.row().entries
    mind_tables()
    assert other.row().entries == before + 1


# ------------------------------------------------------------------------------------------------ the desk


def test_the_desk_shows_of_a_table_what_is_public_and_changes_nothing() -> None:
    game, root = running(), desk()
    shown = root.get(reverse("judge:judging_table_change", args=[game.table.pk])).content.decode()
    assert game.table.commitment in shown
    assert bytes(game.table.seed).hex() not in shown
    assert game.table.invitation not in shown
    entry = game.table.log.get(kind="deck", by="A")
    shown = root.get(reverse("judge:judging_entry_change", args=[entry.pk])).content.decode()
    assert entry.secret in shown
    assert "Harbour Watch" not in shown
    for name, pk in (("table", game.table.pk), ("entry", entry.pk)):
        assert root.post(reverse(f"judge:judging_{name}_change", args=[pk]), {"name": "x"}).status_code == 403
        assert root.post(reverse(f"judge:judging_{name}_delete", args=[pk])).status_code == 403


def test_an_administrator_stands_for_a_list_and_that_is_recorded() -> None:
    cards, root = lists.take_made_up("kryptik", running().now), desk()
    CardList.objects.update(is_official=False)
    address = reverse("judge:judging_cardlist_change", args=[cards.pk])
    assert root.post(address, {"is_official": "on", "name": "Mine"}).status_code == 302
    row = CardList.objects.get(pk=cards.pk)
    assert (row.is_official, row.name) == (True, cards.name)
    assert AdminEntry.objects.get().data == {"list": str(cards)}
    assert str(cards) in root.get(reverse("people-log")).content.decode()
    with pytest.raises(Refused, match="administrator"):
        lists.mark_list(card_list=row, by=person("Ana"), is_official=False, now=running(name="Else").now)


# ------------------------------------------------------------------------------------------------ webhooks


def hook(game: Game, who: str = "Ana", kinds: tuple[str, ...] = ("turn", "ruled", "over"), style: str = "json") -> Hook:
    return make_hook(
        user=person(who), name="a bot", url=URL, style=style, kinds=kinds, slug="", table=game.table.slug, now=game.now
    )


def rule(game: Game, verdict: TableVerdict) -> None:
    """Jo, who judges the table, rules."""
    person("Jo")
    appoint(game.table, "Jo", game.now)
    judges.rule(table=game.table, user=person("Jo"), verdict=verdict, on=game.row().head, token="one", now=game.now)


def test_a_hook_of_a_table_is_told_of_its_owners_moves_of_rulings_and_of_the_end() -> None:
    game = running()
    own, others = hook(game, "Bo"), hook(game, "Cy")
    game.go_on("first")
    notify(game.now)
    game.now += timedelta(minutes=1)
    rule(game, TableVerdict("A draws 1", "K42", "So it is.", "Ebb"))
    notify(game.now)
    game.post("Bo", "concede!")
    later = game.now + timedelta(minutes=1)
    assert sending.gather_for_hooks(later) > 0
    assert sending.gather_for_hooks(later) == 0
    kinds = [*HookMessage.objects.filter(hook=own).order_by("pk").values_list("kind", flat=True)]
    assert set(kinds) == {"turn", "ruled", "over"}
    assert {*HookMessage.objects.filter(hook=others).values_list("kind", flat=True)} == {"ruled", "over"}
    told = {row.kind: row.told for row in HookMessage.objects.filter(hook=own)}
    assert told["over"]["table"] == game.table.slug
    assert "Ana won" in told["over"]["sentence"]
    assert "K42" in told["ruled"]["sentence"]
    assert told["turn"]["link"].endswith(f"/tables/{game.table.slug}/")


def test_discord_is_told_of_a_table_in_plain_words_with_a_link_and_names_mark_up_nothing(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://wargame.example/"
    game = running(name="An *evening* @everyone")
    game.go_on("first")
    row, sent = hook(game, game.waited(), style="discord"), []
    monkeypatch.setattr(sending, "post", lambda url, body, heads, **how: sent.append(json.loads(body)) or Answer(204))
    game.now += timedelta(minutes=1)
    notify(game.now)
    rule(game, TableVerdict("A draws 1", "K42", "So it is.", "Ebb"))
    game.post("Bo", "concede!")
    later = game.now + timedelta(minutes=1)
    sending.gather_for_hooks(later)
    while sending.send_next_hook(later):
        pass
    assert {frozenset(each) for each in sent} == {frozenset(("content", "allowed_mentions"))}
    assert all(each["allowed_mentions"] == {"parse": []} for each in sent)
    link = f"https://wargame.example/tables/{game.table.slug}/"
    told = [each["content"].split("\n") for each in sent]
    assert {(lines[0], lines[-1]) for lines in told} == {(f"**{game.table.slug}**", link)}
    named = r"An \*evening\* \@everyone"
    sentences = [lines[1] for lines in told]
    assert any(f"It's your move at table “{named}”." in each for each in sentences)
    assert f"A judge at table “{named}” made a ruling on Ebb, based on K42." in sentences
    assert f"The table {named} is finished: Ana won." in sentences
    assert row.messages.exclude(state=HookMessage.State.SENT).count() == 0


def test_a_side_of_two_has_won_and_a_table_that_was_given_up_nobody_lost() -> None:
    game = running()
    row = hook(game, "Cy", kinds=("over",))
    for letter, changed in (("A", "A1"), ("B", "A2")):
        Seat.objects.filter(table=game.table, letter=letter).update(letter=changed)
    over = {"ended_at": game.now + timedelta(minutes=1), "started_at": game.now}
    later = game.now + timedelta(minutes=2)
    for state, told in (
        (TableState.OVER, "is finished: Ana and Bo won."),
        (TableState.GIVEN_UP, "was cancelled. No one has lost."),
    ):
        Table.objects.filter(pk=game.table.pk).update(state=state, winner="A", **over)
        HookMessage.objects.all().delete()
        Hook.objects.filter(pk=row.pk).update(since=game.now)
        sending.gather_for_hooks(later)
        assert told in HookMessage.objects.get().told["sentence"]
    Table.objects.filter(pk=game.table.pk).update(state=TableState.OVER)
    notify(later)
    ended = Notification.objects.filter(kind="table.over")
    views = views_for(person("Ana").pk, list(ended.filter(user=person("Ana"))))
    assert [view.sentence for view in views] == [f"The table {game.table.name} is finished: Ana and Bo won."]


def test_a_hook_is_made_for_a_table_that_its_owner_may_see_and_by_form() -> None:
    game = running()
    hidden = opened(name="By invitation", is_invited=True)
    with pytest.raises(Refused, match="Choose a card table"):
        hook(Game(hidden, game.now), "Cy")
    with pytest.raises(Refused, match="it is your move"):
        hook(game, kinds=("news",))
    form = {"name": "a bot", "url": URL, "style": "json", "table": game.table.slug, "kinds": ["turn"]}
    client = logged_in("Ana")
    assert game.table.name in client.get(reverse("hooks")).content.decode()
    assert client.post(reverse("hooks"), form).status_code == 302
    assert Hook.objects.get().table == game.table
    assert client.get("/api/v1/webhooks/").json()["results"][0]["table"] == game.table.slug


# ------------------------------------------------------------------------------------------------ feeds


def test_the_feed_of_a_table_names_no_card_of_a_hand() -> None:
    game = running()
    game.post("Ana", "keep hand")
    own = {one["card"] for one in game.view("Ana").view["zones"]["A.hand"]}
    shown = logged_in("Ana").get(reverse("table-feed", args=[game.table.slug])).content.decode()
    assert game.table.name in shown
    assert not any(card in shown for card in own)


def test_a_table_by_invitation_has_no_feed_until_it_starts(client: Client) -> None:
    table = opened(is_invited=True)
    assert client.get(reverse("table-feed", args=[table.slug])).status_code == 404
    assert logged_in("Ana").get(reverse("table-feed", args=[table.slug])).status_code == 404


def test_ones_deadlines_are_a_calendar_at_an_address_of_ones_own(client: Client) -> None:
    game = running()
    page = logged_in("Ana").get(reverse("tables")).content.decode()
    address = page.partition("/tables/deadlines/")[2].partition('"')[0]
    found = Calendar.from_ical(client.get(f"/tables/deadlines/{address}").content)
    (event,) = found.walk("VEVENT")
    assert event["dtstart"].dt == game.row().due_at
    assert game.table.name in str(event["summary"])
    assert event["sequence"] == game.row().entries
    assert client.get("/tables/deadlines/no-token/calendar.ics").status_code == 404
    user = person("Ana")
    user.set_password("another word")
    user.save()
    assert client.get(f"/tables/deadlines/{address}").status_code == 404


# ------------------------------------------------------------------------------------------------ what is kept


def test_a_backup_brings_tables_back_as_they_were() -> None:
    """What a backup writes of a table is read again to the bit: seed, chain, secrets and clocks."""
    game = running()
    game.post("Ana", "keep hand")
    models = [m for m in rows.tables(Table._meta.apps) if m.__module__ == Table.__module__]
    assert len(models) >= 12
    names = {model: [field.attname for field in rows.columns(model)] for model in models}
    kept = {model: json.loads(json.dumps([*rows.written(model)])) for model in models}
    state, head = game.state(), game.row().head
    Table.objects.all().delete()
    game_state.forget()
    for model in sorted(models, key=lambda model: model is not Table):
        made = [rows.read(model, names[model], values) for values in kept[model]]
        here = set(model._base_manager.values_list("pk", flat=True))
        model._base_manager.bulk_create([row for row in made if row.pk not in here])
    assert {model: [*rows.written(model)] for model in models} == kept
    assert (game.row().head, game.state()) == (head, state)


def test_ones_own_data_has_ones_tables_decks_and_orders_and_nobody_elses() -> None:
    game = running()
    game.post("Ana", "keep hand")
    game.post("Ana", "pass until my turn", order=True)
    client = logged_in("Ana")
    lists.take_made_up("kryptik", game.now)
    body = {"name": "Mine", "format": "kryptik constructed", "list": game.row().card_list_id, "text": "3 Quay Gull"}
    assert client.post(reverse("table-deck-new"), body).status_code == 302
    answer = client.get(reverse("account-data"))
    assert "attachment" in answer["Content-Disposition"]
    found = answer.json()["tables"]
    (seat,) = found["seats"]
    assert (seat["table"], seat["deck"]["name"]) == (game.table.slug, "Harbour")
    assert [order["text"] for order in seat["orders"]] == ["pass until my turn"]
    assert ["pass until my turn"] in [entry.get("lines") for entry in seat["entries"]]
    assert [deck["name"] for deck in found["decks"]] == ["Mine"]
    assert found["opened"] == [game.table.slug]
    text = answer.content.decode()
    assert game.seat("Bo").salt not in text
    assert "Cinder Whelp" not in text
    assert bytes(game.table.seed).hex() not in text
    assert Client().get(reverse("account-data")).status_code == 302
