"""The description of the API: complete, valid, and kept by the API itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from judging.votes.models import Vote
from tests.api.conftest import Api
from tests.services.boards_of_tests import write
from tests.services.penalising import penalise
from tests.services.polls import call, cast
from tests.services.world_of_tests import HOUR
from wargame.wsgi import application

TOKEN = "a" * 32
"""What a form and its cookie agree on."""


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    return [(path, method, found) for path, methods in paths.items() for method, found in methods.items()]


def test_the_schema_is_valid_and_made_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))


def test_every_address_is_described_with_examples() -> None:
    found = operations()
    assert len({operation["operationId"] for _, _, operation in found}) == len(found)
    for path, method, operation in found:
        where = f"{method} {path}"
        assert operation["tags"], where
        assert operation["summary"], where
        for status, response in operation["responses"].items():
            content = response["content"]["application/json"]
            assert content["examples"], f"{where} {status}"
        if method in ("post", "patch"):
            assert operation["requestBody"]["content"]["application/json"]["examples"], where


def test_answers_with_everything_in_them_have_the_shape_that_the_schema_says(api: Api, api_schema: Any) -> None:
    api.world.strat(api.battle, "Ana", "Ana", now=api.battle.announced_at + HOUR)
    api.world.score(api.battle)
    write(api.world, "Ana", "Well met.", at=api.battle.announced_at)
    penalise(api.world)
    vote = vote_in(api)
    api.go_to(api.battle.deadline + 2 * HOUR)
    for path, more in (
        ("/", {}),
        ("/map/", {}),
        ("/armies/", {}),
        ("/armies/{name}/", {"name": "Ana"}),
        ("/armies/{name}/reach/", {"name": "Ben"}),
        ("/turns/", {}),
        ("/turns/{number}/orders/", {"number": 2}),
        ("/turns/{number}/done/", {"number": 2}),
        ("/turns/{number}/", {"number": 1}),
        ("/turns/{number}/posts/", {"number": 1}),
        ("/turns/{number}/neutrals/", {"number": 1}),
        ("/neutrals/", {}),
        ("/turns/{number}/battles/", {"number": 2}),
        ("/battles/{battle_id}/", {"battle_id": api.battle.pk}),
        ("/battles/{battle_id}/strats/", {"battle_id": api.battle.pk}),
        ("/results/", {}),
        ("/log/", {}),
        ("/boards/", {}),
        ("/boards/{board}/messages/", {"board": "talk"}),
        ("/boards/{board}/messages/{number}/", {"board": "talk", "number": 1}),
        ("/votes/", {}),
        ("/votes/{vote_id}/", {"vote_id": vote.pk}),
        ("/penalties/", {}),
        ("/verify/", {}),
        ("/verify/{number}/", {"number": 2}),
        ("/battles/{battle_id}/proof/", {"battle_id": api.battle.pk}),
    ):
        operation = api_schema[f"/api/v1/rounds/{{slug}}{path}"]["GET"]
        answer = operation.Case(path_parameters={"slug": "trial", **more}).call()
        assert answer.status_code == 200, path
        operation.validate_response(answer)


def test_the_schema_and_the_docs_are_served(db: None) -> None:
    schema = Client().get("/api/schema/")
    assert schema.status_code == 200
    assert b"operationId: posts_create" in schema.content
    docs = Client().get("/api/docs/")
    assert docs.status_code == 200
    assert b"<style" not in docs.content
    assert b"http://" not in docs.content
    assert b"https://" not in docs.content
    assert b"SwaggerUIBundle" in Client().get("/api/docs/?script=").content


def vote_in(api: Api) -> Vote:
    """1.4: an open vote in which one has voted."""
    vote = call(api.world, "Ana", now=api.battle.announced_at)
    cast(api.world, vote, "Ana", 0, now=api.battle.announced_at)
    return vote


@pytest.fixture
def api_schema(api: Api) -> Iterator[Any]:
    """The schema, as the application tells it; the test's transaction stays open over the requests."""
    schema = schemathesis.openapi.from_dict(json.loads(schema_as_json()))
    schema.app, schema.location = application, "/api/schema/"
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield schema
    for signal in signals:
        signal.connect(close_old_connections)


@cache
def schema_as_json() -> bytes:
    """The same for everybody and in every round, so it is asked for once."""
    return Client().get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).content


@pytest.mark.parametrize(("path", "method"), [(path, method) for path, method, _ in operations()])
def test_whatever_is_sent_is_answered_as_the_schema_says(api: Api, api_schema: Any, path: str, method: str) -> None:
    session = api.client("Ana").cookies["sessionid"].value
    operation = api_schema[path][method.upper()]
    vote = vote_in(api)

    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), is_real=strategies.booleans())
    def send(case: Any, is_real: bool) -> None:
        if is_real:
            real = {
                "slug": "trial",
                "battle_id": api.battle.pk,
                "number": 2,
                "name": "Ana",
                "post_id": 1,
                "board": "talk",
                "prefix": "nothings",
            }
            real["vote_id"] = vote.pk
            case.path_parameters.update({name: real[name] for name in case.path_parameters})
        case.cookies.update({"sessionid": session, "csrftoken": TOKEN})
        answer = case.call(headers={"X-CSRFToken": TOKEN})
        case.validate_response(answer, checks=[not_a_server_error, response_schema_conformance])

    send()
