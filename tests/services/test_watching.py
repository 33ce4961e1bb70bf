"""What a host sees of the service: its log and its figures."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.db import OperationalError
from django.utils import timezone
from redis import RedisError

from judging.email.models import Letter
from judging.tasks import advance_turn
from judging.turns.models import StageFailure
from tests.launching import PROJECT, environment
from wargame.models import Turn
from wargame.web import errors
from wargame.web.logs import Discreet, DiscreetJson


def logged(formatter: logging.Formatter) -> tuple[logging.Logger, StringIO]:
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    logger = logging.Logger("test", level=logging.INFO)
    logger.addHandler(handler)
    return logger, written


def test_a_request_bears_one_number_in_its_answer_and_its_lines(client, db, caplog):
    with caplog.at_level(logging.INFO, logger="wargame.web.requests"):
        answer = client.get("/rules/?search=orders", headers={"X-Request-ID": "from-the-proxy-1"})

    assert answer["X-Request-ID"] == "from-the-proxy-1"
    assert "GET /rules/: 200 in" in caplog.text
    assert "search" not in caplog.text


def test_what_is_refused_is_one_line_with_its_number(client, db, caplog):
    with caplog.at_level(logging.INFO):
        answer = client.get("/nothing-here/")

    lines = [record for record in caplog.records if "/nothing-here/" in record.getMessage()]
    assert answer.status_code == 404
    assert [(line.name, line.levelname) for line in lines] == [("wargame.web.requests", "WARNING")]


def test_the_servers_own_lines_are_written_like_all_others(tmp_path):
    say = (
        "import logging, logging.config; from wargame.running import gunicorn_conf\n"
        "logging.config.dictConfig(gunicorn_conf.logconfig_dict)\n"
        "logging.getLogger('gunicorn.error').warning('Invalid request')"
    )
    chosen = environment({"WARGAME_DATA": str(tmp_path), "LOG_FORMAT": "json"})
    done = subprocess.run([sys.executable, "-c", say], cwd=PROJECT, env=chosen, capture_output=True, text=True)

    line = json.loads(done.stderr)
    assert (line["level"], line["logger"], line["said"]) == ("WARNING", "gunicorn.error", "Invalid request")


@pytest.mark.parametrize("number", ["short", "with space in it", "x" * 65, "line\u2028break-1", "ümlauts-1234"])
def test_a_number_that_could_forge_a_line_is_not_taken_over(client, db, number):
    answer = client.get("/rules/", headers={"X-Request-ID": number})

    assert answer["X-Request-ID"] != number
    assert len(answer["X-Request-ID"]) == 16


@pytest.mark.parametrize("formatter", [Discreet, DiscreetJson])
def test_no_line_holds_a_mail_address_or_what_a_letter_leads_to(formatter):
    logger, written = logged(formatter())

    try:
        raise ValueError("550 anna@example.org unknown")
    except ValueError:
        logger.exception("GET %s by %s", "/accounts/reset/abc-secret/", "anna@example.org")

    assert "anna@" not in written.getvalue()
    assert "abc-secret" not in written.getvalue()


def test_a_line_for_programs_is_one_object_with_its_error():
    logger, written = logged(DiscreetJson())

    try:
        raise ValueError("first\nsecond")
    except ValueError:
        logger.exception("failed\nhere")

    line = json.loads(written.getvalue())
    assert (line["level"], line["logger"], line["said"]) == ("ERROR", "test", "failed\nhere")
    assert "second" in line["error"]
    assert written.getvalue().count("\n") == 1


def test_nobody_reads_figures_unless_he_is_named(client, db, settings):
    assert client.get("/metrics").status_code == 404

    settings.METRICS_FROM = ["10.0.0.0/8"]
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200


@pytest.fixture
def figure(client, settings) -> Callable[[str], str]:
    """The value of a figure, by its name and labels; empty if there is none."""
    settings.METRICS_FROM = ["127.0.0.1"]

    def read(name: str) -> str:
        answer = client.get("/metrics")
        assert answer.status_code == 200
        lines = answer.content.decode().splitlines()
        return next((line.split()[-1] for line in lines if line.startswith(f"{name} ")), "")

    return read


def test_the_figures_tell_of_turns_that_are_due_and_late(figure, world):
    later = timezone.now() + timedelta(hours=1)
    Turn.objects.filter(round=world.round, state="open").update(deadline=later, lock_at=later)
    assert (figure("wargame_turns_due"), figure("wargame_turns_late")) == ("0.0", "0.0")
    past = timezone.now() - timedelta(minutes=5)
    Turn.objects.filter(round=world.round, state="open").update(deadline=past, lock_at=past)
    assert (figure("wargame_turns_due"), figure("wargame_turns_late")) == ("1.0", "1.0")
    assert figure("wargame_sweep_age_seconds") == "-1.0"


def test_a_turn_that_does_not_go_on_after_its_lock_is_late_too(figure, world):
    past = timezone.now() - timedelta(minutes=5)
    Turn.objects.filter(round=world.round, state="open").update(state="locked", locked_at=past, lock_at=past)
    turn = Turn.objects.get(round=world.round, state="locked")
    StageFailure.objects.create(
        turn=turn, state="locked", failures=3, first_at=past, last_at=past, retry_at=past, error="x"
    )
    assert (figure("wargame_turns_late"), figure("wargame_stages_failing")) == ("1.0", "1.0")


@pytest.mark.usefixtures("letters_wait")
def test_the_figures_tell_what_waits_in_the_outboxes_and_what_was_given_up(figure, db):
    at = timezone.now()
    for state in ("waiting", "sending", "sent", "given up"):
        Letter.objects.create(to="a@example.org", subject="x", kind="vote", created=at, due=at, state=state)
    assert figure('wargame_outbox_waiting{what="letters"}') == "2.0"
    assert figure('wargame_outbox_given_up{what="letters"}') == "1.0"
    assert figure('wargame_outbox_waiting{what="hooks"}') == "0.0"
    assert figure('wargame_outbox_waiting{what="pushes"}') == "0.0"


def test_a_database_or_a_broker_that_is_away_takes_no_other_figure_with_it(figure, db, monkeypatch):
    def away(*arguments: object) -> int:
        raise OperationalError("no connection")

    def no_broker() -> int:
        raise RedisError("no connection")

    assert figure("wargame_database_up") == "1.0"
    monkeypatch.setattr("judging.metrics.views.due_turns", away)
    monkeypatch.setattr("judging.metrics.views._queue", no_broker)
    assert figure("wargame_database_up") == "0.0"
    assert figure("wargame_logins_refused_total") != ""
    assert figure("wargame_queue_length") == ""


def test_a_wrong_password_is_counted(client, db, settings):
    settings.METRICS_FROM = ["127.0.0.1"]

    def refused() -> float:
        lines = client.get("/metrics").content.decode().splitlines()
        return float(next(line.split()[-1] for line in lines if line.startswith("wargame_logins_refused_total ")))

    before = refused()
    client.post("/accounts/login/", {"username": "nobody", "password": "wrong"})
    assert refused() == before + 1


def test_figures_of_several_processes_are_summed(tmp_path):
    """Each process counts one page; a third one shows both."""
    count = (
        "import django; django.setup(); from wargame.web import metrics\n"
        "metrics.pages.labels('map', '200').observe(0.02)\n"
    )
    show = count.rsplit("\n", 2)[0] + "\nprint(metrics.written(metrics.counted()).decode())"
    chosen = {"WARGAME_DATA": str(tmp_path), "METRICS_FROM": "127.0.0.1", "DJANGO_SETTINGS_MODULE": "wargame.settings"}
    for script in (count, count, show):
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=PROJECT, env=environment(chosen), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    assert 'wargame_page_seconds_count{page="map",status="200"} 2.0' in done.stdout


def test_the_log_tells_at_info_what_was_carried_out(world, caplog):
    turn = world.turn
    with caplog.at_level(logging.INFO):
        advance_turn(turn.pk)
        advance_turn(turn.pk)

    said = [record.getMessage() for record in caplog.records if record.name == "judging.turns.stages"]
    assert f"{world.round.slug}, turn {turn.number}: locked" in said


def test_an_error_tracker_is_told_neither_addresses_nor_values(monkeypatch):
    given = {}
    monkeypatch.setattr("sentry_sdk.init", lambda **options: given.update(options))
    errors.report_to("https://key@127.0.0.1/1", "1.0.0")

    asked = {"url": "https://x/accounts/reset/abc-secret/", "query_string": "q=a-name", "method": "GET"}
    failed = {"values": [{"type": "IntegrityError", "value": "row contains (a-strat)"}]}
    told = given["before_send"]({"request": asked, "exception": failed}, {})

    assert told == {"request": {"method": "GET"}, "exception": {"values": [{"type": "IntegrityError", "value": ""}]}}
    assert not given["include_local_variables"]
    assert not given["send_default_pii"]


def test_whoever_asks_whether_the_process_answers_may_call_it_by_any_name(client, db):
    assert client.get("/livez", headers={"Host": "10.9.8.7"}).json() == {"status": "alive"}
    assert client.get("/rules/", headers={"Host": "10.9.8.7"}).status_code == 400
