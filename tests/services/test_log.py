"""1.3: the log: everything is told, nothing is told too early, and nothing is ever changed."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import translation

from judging.battles.models import Battle
from judging.common.log_entry import record
from judging.common.models import LogEntry
from judging.common.viewer import Viewer, viewer_of
from judging.log import triggers as keeping
from judging.log.actions import ACTS, Kind, When
from judging.log.queries import NO_SEAT, SERVICE, Log, LogFilter, LogLine, line_of
from judging.turns.models import Draft
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import HOUR, LOCKED, UNLOCK, World, add_judge, make_round
from wargame.models import Player, Round, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


@pytest.mark.parametrize("action", ACTS)
def test_every_act_is_told_in_german_too(action: str) -> None:
    english = ACTS[action].sentence({})
    with translation.override("de"):
        assert ACTS[action].sentence({}) not in ("", english)


def test_an_act_is_told_and_found_in_the_language_of_whoever_reads(world: World) -> None:
    with translation.override("de"):
        line = Log(viewer(world), NOW + HOUR, LogFilter(who="Der Dienst"))[0]
        assert (line.who, line.what) == ("Der Dienst", "begann Zug 1, Schluss am Mo, 9. Mär 2026, 05:00 UTC.")


def put(world: World, action: str, who: str = "battle", at: datetime = NOW, **data: object) -> LogEntry:
    person = world.players.get(who) or world.judges.get(who)
    return record(world.round, person.user if person else None, action, data, at)


def viewer(world: World, who: str = "") -> Viewer:
    if not who:
        return Viewer(None, world.round)
    person = world.players.get(who) or world.judges[who]
    return viewer_of(person.user, world.round)


def seen(world: World, who: str = "", asked: LogFilter | None = None, now: datetime = NOW) -> list[str]:
    """What somebody reads, without what the making of the round left behind."""
    world.round.refresh_from_db()
    lines = Log(viewer(world, who), now, asked)[:]
    return [line.action for line in lines if line.at >= NOW]


def one(world: World, entry: LogEntry, who: str = "") -> LogLine:
    found = line_of(viewer(world, who), entry.key, NOW)
    assert found is not None
    return found


def readers(world: World) -> set[str]:
    """Who reads anything of what the test put into the log."""
    people = ("", "Ana", "Bo", "Dot", "Vorn", "Skar", "movement", "battle", "mercenary")
    return {who or "everybody" for who in people if seen(world, who)}


ALL = {"everybody", "Ana", "Bo", "Dot", "Vorn", "Skar", "movement", "battle", "mercenary"}


def test_an_open_act_is_read_by_everybody_at_once(world: World) -> None:
    put(world, "battle.extended", turn=1, battle=1, army="Ana", until=NOW.isoformat(), reason="He is ill.")
    assert readers(world) == ALL


def test_the_steps_of_judging_are_the_battle_judges_until_the_result(world: World) -> None:
    """R38: in the same turn, another battle's result tells nothing."""
    battles = [
        Battle.objects.create(
            turn=world.turn, number=number, at=at, terrain="plains", seed="ab", commitment=f"c{number}",
            announced_at=UNLOCK, deadline=LOCKED,
        )
        for number, at in ((1, "9D"), (2, "12D"))
    ]  # fmt: skip
    for action in ("battle.opinion", "battle.scored", "battle.rolled", "battle.adjusted", "battle.strat_judged"):
        put(world, action, turn=1, battle=1)
    assert readers(world) == {"battle"}
    Battle.objects.filter(pk=battles[1].pk).update(state=Battle.State.PUBLISHED)
    assert readers(world) == {"battle"}
    Battle.objects.filter(pk=battles[0].pk).update(state=Battle.State.PUBLISHED)
    assert readers(world) == ALL


def test_a_judge_reads_his_own_act_before_others_do(world: World) -> None:
    world.judges["second"] = add_judge(world.round, "movement", "Second", is_head=False)
    put(world, "battle.scored", "second", turn=1, battle=1)
    assert readers(world) == {"battle"}
    assert seen(world, "second") == ["battle.scored"]


def test_a_ruling_is_the_judges_until_the_moves_are_published(world: World) -> None:
    """R18, 3.3.3."""
    put(world, "ruling.made", "movement", turn=1, ruling=1, kind="order")
    assert readers(world) == {"movement", "battle"}
    draft = Draft.objects.create(turn=world.turn, events=[], places={}, computed_at=NOW, publish_at=NOW + HOUR)
    assert readers(world) == {"movement", "battle"}
    Draft.objects.filter(pk=draft.pk).update(publish_at=NOW)
    assert readers(world) == ALL


def test_what_the_mercenary_judge_decides_is_his_until_the_settlement(world: World) -> None:
    """R48."""
    for action in ("mercenaries.ordered", "mercenaries.window_ended", "mercenaries.window_kept"):
        put(world, action, "mercenary", turn=1)
    assert readers(world) == {"mercenary"}
    world.settle()
    assert "mercenaries.ordered" in seen(world)


def test_a_correction_that_is_not_applied_is_told_when_the_next_turn_is_settled(world: World) -> None:
    """3.3.3."""
    world.settle()
    put(world, "correction.proposed", "movement", turn=1, rulings=1)
    put(world, "correction.dropped", "movement", turn=1)
    assert "correction.proposed" not in seen(world)
    assert "correction.proposed" in seen(world, "battle")
    world.settle()
    assert "correction.proposed" in seen(world)


@pytest.mark.parametrize(
    ("action", "data", "early"),
    [
        ("control.refused", {"changes": [{"army": "Elk", "to": ["Cem"]}]}, {"Ana", "Bo", "movement", "battle"}),
        ("control.exception_asked", {"request": 1}, {"Ana", "Bo", "movement", "battle"}),
        ("control.withdrawn", {"request": 1}, {"Ana", "Bo", "movement", "battle"}),
        ("control.declined", {"changes": [], "reason": "No."}, {"Ana", "Bo", "movement", "battle"}),
        ("player.asked", {"name": "New"}, {"Ana", "Bo", "battle"}),
        ("player.refused", {"name": "New"}, {"Ana", "Bo", "battle"}),
        ("player.withdrawn", {"name": "New"}, {"Ana", "Bo", "battle"}),
        ("change.sent", {"army": "Elk", "turn": 1}, {"Ana", "Bo", "battle"}),
        ("change.dropped", {"army": "Elk", "turn": 1}, {"Ana", "Bo", "battle"}),
        ("change.refused", {"army": "Elk", "turn": 1}, {"Ana", "Bo", "battle"}),
        ("personal.offered", {"army": "Elk", "player": "Dot"}, {"Ana", "Bo", "battle"}),
        ("name.asked", {"old": "Dot", "new": "Dora"}, {"battle"}),
        ("name.refused", {"old": "Dot", "new": "Dora", "reason": "Taken."}, {"battle"}),
        ("name.withdrawn", {"old": "Dot", "new": "Dora"}, {"battle"}),
    ],
)
def test_what_is_a_teams_own_is_read_by_its_leaders_and_the_judges_until_the_round_is_over(
    world: World, action: str, data: dict[str, object], early: set[str]
) -> None:
    put(world, action, "", **{"side": "coalition", **data})
    assert readers(world) == early
    Round.objects.filter(pk=world.round.pk).update(state="over")
    assert readers(world) == ALL


def test_a_change_that_was_accepted_is_told_when_its_turn_is_settled(world: World) -> None:
    """2.3.2."""
    put(world, "change.accepted", army="Elk", side="coalition", kind="change", turn=1)
    assert readers(world) == {"Ana", "Bo", "battle"}
    world.settle()
    assert "change.accepted" in seen(world)


@pytest.mark.parametrize(
    "action",
    [name for name, act in ACTS.items() if act.when is When.AFTER_START],
)
def test_nothing_of_a_set_up_is_told_before_the_start(db: None, action: str) -> None:
    """2.5.1.3: musters, sites, wishes, win conditions, draws, the book."""
    world = make_round({"Ana": ("coalition", "3D", "general"), "Vorn": ("phyrexia", "20K", "chief_praetor")})
    put(world, action, "", side="coalition", name="Trial", step="x")
    own = {"Ana"} if "leaders" in ACTS[action].early else set()
    assert {who for who in ("", "Ana", "Vorn", "movement", "battle") if seen(world, who)} == {"battle", *own}
    Round.objects.filter(pk=world.round.pk).update(state="running")
    assert seen(world) == [action]


def test_an_action_that_nobody_knows_is_shown_to_nobody(world: World) -> None:
    put(world, "secret.thing", turn=1)
    assert readers(world) == set()
    Round.objects.filter(pk=world.round.pk).update(state="over")
    assert readers(world) == set()


def test_what_can_not_be_read_is_not_told(world: World) -> None:
    """2.5: a file from elsewhere may say anything."""
    for data in ({"side": "nobody"}, {"rank": 3, "side": []}, {"after": {}, "changes": 7, "contingencies": "x"}):
        for action in ACTS:
            assert ACTS[action].sentence(data)


def test_an_act_without_its_turn_or_battle_stays_secret(world: World) -> None:
    put(world, "battle.scored", "")
    put(world, "ruling.made", "", turn=99)
    world.settle()
    assert not {"battle.scored", "ruling.made"} & set(seen(world))


def test_an_entry_says_until_when_nobody_else_reads_it(world: World) -> None:
    scored = put(world, "battle.scored", turn=1, battle=1)
    assert one(world, scored, "battle").waits == "the result of its battle is published"
    assert one(world, put(world, "name.granted", old="Dot", new="Dora"), "battle").waits == ""


def test_who_did_it_is_called_as_he_was_then_and_by_his_seat(world: World) -> None:
    """1.3, 1.6: Ana judges the moves too, and was called Anna before."""
    ana = world.players["Ana"]
    Player.objects.filter(pk=ana.pk).update(former_names=[["Anna", (NOW + HOUR).isoformat()]])
    judge = add_judge(world.round, "movement", "Ana the judge", is_head=False)
    type(judge).objects.filter(pk=judge.pk).update(user=ana.user)
    seats = [one(world, put(world, action, "Ana", at, **data)) for action, at, data in (
        ("control.changed", NOW, {"side": "coalition", "changes": []}),
        ("control.changed", NOW + 2 * HOUR, {"side": "coalition", "changes": []}),
        ("control.changed", NOW, {"side": "coalition", "changes": [], "reason": "By me."}),
        ("draft.published", NOW, {"turn": 1}),
    )]  # fmt: skip
    assert [(line.who, line.seat) for line in seats] == [
        ("Anna", "Coalition"),
        ("Ana", "Coalition"),
        ("Ana the judge", "movement judge"),
        ("Ana the judge", "movement judge"),
    ]


def test_log_ins_are_never_told(world: World) -> None:
    admin = User.objects.create_user("marker-log-in", is_superuser=True)
    record(world.round, admin, "round.changed", {"judge_within": "1 day"}, NOW)
    record(world.round, admin, "player.left", {"side": "coalition", "armies": []}, NOW)
    record(world.round, None, "turn.settled", {"turn": 1}, NOW)
    lines = [line for line in Log(viewer(world), NOW)[:] if line.at >= NOW]
    assert [line.who for line in lines] == [SERVICE, NO_SEAT, NO_SEAT]


ELK = {"army": "Elk", "before": ["Dot"], "to": ["Cem"]}
FIR = {"army": "Fir", "before": ["Ana"], "to": ["Bo"]}


def test_the_log_is_narrowed_by_who_kind_army_turn_and_words(world: World) -> None:
    put(world, "battle.extended", turn=1, battle=1, army="Elk", until=NOW.isoformat(), reason="A storm at sea.")
    put(world, "control.changed", "Bo", side="coalition", changes=[ELK, FIR])
    put(world, "player.rank", "Ana", player="Dot", before="lieutenant", after="", freed=["Elk"], reason="")
    put(world, "name.granted", old="Dot", new="Dora")
    assert seen(world, asked=LogFilter(who="Bo")) == ["control.changed"]
    assert seen(world, asked=LogFilter(kind=Kind.PLAYERS.key)) == ["name.granted", "player.rank"]
    assert seen(world, asked=LogFilter(army="Elk")) == ["player.rank", "control.changed", "battle.extended"]
    assert seen(world, asked=LogFilter(army="Fir")) == ["control.changed"]
    assert seen(world, asked=LogFilter(words="STORM judge")) == ["battle.extended"]
    assert seen(world, asked=LogFilter(turn=0)) == []
    assert len(seen(world, asked=LogFilter(turn=1))) == 4
    assert seen(world, asked=LogFilter(who="Nobody")) == []


def test_an_act_is_told_under_the_turn_in_which_it_was_done(world: World) -> None:
    world.settle()
    opened = Turn.objects.get(round=world.round, number=2).opened_at
    assert opened == world.turn.opened_at
    lines = {line.action: line.turn for line in Log(viewer(world), NOW)[:]}
    assert (lines["round.opened"], lines["turn.settled"]) == (0, 1)
    put(world, "name.granted", at=opened + timedelta(minutes=1), old="Dot", new="Dora")
    assert Log(viewer(world), NOW)[0].turn == 2


def test_an_entry_leads_to_what_it_is_about(world: World) -> None:
    slug = world.round.slug
    entry = put(world, "player.rank", "Ana", player="Dot", before="lieutenant", after="cpl", freed=[], turn=1)
    links = {link.address for link in one(world, entry).links}
    assert reverse("player", args=[slug, "Dot"]) in links
    named = put(world, "judge.named", name="Olga", role="battle", head=False, reason="")
    assert [link.address for link in one(world, named).links] == [reverse("judges", args=[slug])]


def test_an_entry_is_never_changed_nor_deleted(world: World) -> None:
    entry = put(world, "name.granted", old="Dot", new="Dora")
    rows = LogEntry.objects.filter(pk=entry.pk)
    attempts = [
        entry.save,
        entry.delete,
        rows.delete,
        lambda: rows.update(action="turn.locked"),
        lambda: LogEntry.objects.update(action="turn.locked"),
        lambda: LogEntry.objects.bulk_update([entry], ["action"]),
        lambda: LogEntry.objects.bulk_create(
            [entry], update_conflicts=True, update_fields=["action"], unique_fields=["id"]
        ),
        lambda: LogEntry.objects.update_or_create(pk=entry.pk, defaults={"action": "turn.locked"}),
        lambda: world.round.log.all().delete(),
    ]
    for attempt in attempts:
        with pytest.raises(TypeError, match="never"):
            attempt()
    assert rows.get().action == "name.granted"


def test_the_database_refuses_to_change_an_entry(world: World) -> None:
    put(world, "name.granted", old="Dot", new="Dora")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE judging_logentry SET action = 'turn.locked'")
    assert LogEntry.objects.filter(action="name.granted").exists()


@pytest.fixture
def undeleted(db: None) -> None:
    """The trigger that the tests' other databases are without (tests/conftest.py)."""
    with connection.cursor() as cursor:
        for statement in keeping.UNDELETED[connection.vendor]:
            cursor.execute(statement)


def test_the_database_refuses_to_delete_an_entry(undeleted: None) -> None:
    world = make_round({})
    put(world, "name.granted", old="Dot", new="Dora")
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM judging_logentry")
    assert LogEntry.objects.filter(action="name.granted").exists()


def test_a_new_field_of_rounds_finds_no_trigger_in_its_way_and_it_stands_again_after(
    undeleted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite the table is made anew for it, which a trigger that names the table refuses."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL adds a field to the table as it is")

    def triggers() -> set[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            return {name for (name,) in cursor.fetchall()}

    assert "log_is_whole" in triggers()
    keeping.let_rounds_be_remade("default")
    assert "log_is_whole" not in triggers()
    monkeypatch.setattr(keeping, "KEPT", [keeping.UNCHANGED, keeping.UNDELETED])
    keeping.keep_the_log("default")
    assert "log_is_whole" in triggers()


def test_the_log_goes_with_its_round(undeleted: None) -> None:
    world = make_round({})
    put(world, "setup.begun", name="Trial")
    world.round.delete()
    assert not LogEntry.objects.exists()
