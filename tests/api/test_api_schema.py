"""The description of the API: complete, valid, and kept by the API itself."""

import json
import os
from collections.abc import Iterator
from functools import cache as cached
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from judging.api.base import Pages
from judging.api.schema import example
from judging.api.views import schema_as
from judging.battles.models import Strat
from judging.formula_books.models import BookVersion
from judging.inbound_email.services import mail_address_of
from judging.votes.models import Vote
from tests.api.conftest import Api
from tests.services.boards_of_tests import write
from tests.services.penalties import penalise
from tests.services.polls import call, cast
from tests.services.world_of_tests import HOUR

TOKEN = "a" * 32
"""What a form and its cookie agree on."""


@cached
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
            kind = "application/json" if status < "400" else "application/problem+json"
            assert status in ("204", "304") or response["content"][kind]["examples"], f"{where} {status}"
        if method in ("post", "patch") and example(f"{operation['operationId']}.request") != {}:
            assert operation["requestBody"]["content"]["application/json"]["examples"], where


def test_the_heads_of_requests_and_answers_are_described() -> None:
    """By them a program that is made of the schema knows how to send again, and how often."""
    for path, method, operation in operations():
        asked = {each["name"] for each in operation["parameters"] if each["in"] == "header"}
        assert asked == ({"If-None-Match"} if method == "get" else {"Idempotency-Key", "If-Match"}), path
        for status, answer in operation["responses"].items():
            assert {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} <= set(answer["headers"]), path
            assert ("Retry-After" in answer["headers"]) == (status in ("429", "503")), path
        assert method != "get" or "ETag" in operation["responses"]["200"]["headers"], path
        assert method == "get" or {"409", "412", "503"} <= set(operation["responses"]), path


def test_every_list_says_how_it_is_cut_and_narrowed() -> None:
    """What `docs/develop/api.md` promises of all lists stands at each of them, with the bounds that are kept."""
    components = SchemaGenerator().get_schema(public=True)["components"]["schemas"]
    lists = 0
    for path, method, operation in operations():
        shape = operation["responses"].get("200", {}).get("content", {}).get("application/json", {}).get("schema", {})
        found = components.get(shape.get("$ref", "").rpartition("/")[2], {})
        asked = {each["name"]: each for each in operation.get("parameters", []) if each["in"] == "query"}
        if set(found.get("properties", ())) == {"count", "next", "previous", "results"}:
            lists += 1
            assert method == "get", path
            assert {"limit", "offset"} <= set(asked), path
            assert asked["limit"]["schema"]["default"] == Pages.default_limit
            assert str(Pages.max_limit) in asked["limit"]["description"]
        elif method == "get":
            assert "offset" not in asked, path
        assert all(each["description"] for each in asked.values()), path
    assert lists > 30


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
        ("/verify/chain/", {}),
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
    assert Client().get("/api/schema/", headers={"If-None-Match": schema["ETag"]}).status_code == 304
    docs = Client().get("/api/docs/")
    assert docs.status_code == 200
    assert b"<style" not in docs.content
    assert b"http://" not in docs.content
    assert b"https://" not in docs.content
    assert b"SwaggerUIBundle" in Client().get("/api/docs/?script=").content


def test_no_address_or_header_makes_the_schema_be_written_again(db: None) -> None:
    first = Client().get("/api/schema/").content
    written = schema_as.cache_info().misses

    for number in range(3):
        asked = Client().get("/api/schema/", {"x": number}, headers={"Accept-Language": "de", "X-Any": str(number)})
        assert asked.content == first
    assert Client().get("/api/schema/?format=yaml").content == first
    assert schema_as.cache_info().misses == written


def vote_in(api: Api) -> Vote:
    """1.4: an open vote in which one has voted."""
    vote = call(api.world, "Ana", now=api.battle.announced_at)
    cast(api.world, vote, "Ana", 0, now=api.battle.announced_at)
    return vote


@pytest.fixture
def api_schema(api: Api) -> Iterator[Any]:
    """The schema, as the application tells it; the test's transaction stays open over the requests."""
    schema = loaded_schema()
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield schema
    for signal in signals:
        signal.connect(close_old_connections)


@cached
def loaded_schema() -> Any:
    """The same for everybody and in every round, so it is asked for and read once, and so are the constants of the
    application with which some of the requests are made up."""
    told = Client().get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).content
    schema = schemathesis.openapi.from_dict(json.loads(told))
    schema.app, schema.location = get_wsgi_application(), "/api/schema/"
    return schema


EXAMPLES = int(os.environ.get("API_EXAMPLES", "3"))
"""Requests to each operation; a night may send more."""

VIEWERS = ("", "Ana", "Gaz", "battle")
"""Nobody, a player, the leader of the other team, who fights against her, and a judge."""

STRAT = "MARKER-STRAT-OF-GAZ"


@pytest.fixture
def secrets(api: Api) -> dict[str, list[str]]:
    """What no answer has in it, by the viewer."""
    api.world.strat(api.battle, "Gaz", "Gaz", STRAT, now=api.battle.announced_at + HOUR)
    drawn = [api.world.turn.seed, api.battle.seed, BookVersion.objects.get().salt, Strat.objects.get().salt]
    tokens = [mail_address_of(player=api.world.players["Ben"], now=api.battle.announced_at).token]
    return {
        "": [STRAT, *drawn, *tokens],
        "Ana": [STRAT, *drawn, *tokens],
        "Gaz": [*drawn[:3], *tokens],
        "battle": tokens,
    }


@pytest.mark.parametrize("tag", sorted({operation["tags"][0] for _, _, operation in operations()}))
def test_whatever_is_sent_is_answered_as_the_schema_says(
    api: Api, api_schema: Any, secrets: dict[str, list[str]], tag: str
) -> None:
    """By everybody: nothing is an error of the server, every status is described, and nobody reads a secret. Each
    operation finds the round as it was; making one for each would take longer than asking."""
    sessions = {who: api.client(who).cookies["sessionid"].value for who in VIEWERS if who}
    real = real_parameters(api)
    for path, method, described in operations():
        if described["tags"][0] != tag:
            continue
        with transaction.atomic():
            cache.clear()
            probe(api_schema[path][method.upper()], sessions, real, secrets)
            transaction.set_rollback(True)


def probe(operation: Any, sessions: dict[str, str], real: dict[str, object], secrets: dict[str, list[str]]) -> None:
    """Sends made-up requests to one operation, and holds each answer against its description."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), is_real=strategies.booleans(), who=strategies.sampled_from(VIEWERS))
    def send(case: Any, is_real: bool, who: str) -> None:
        if is_real:
            case.path_parameters.update({name: real.get(name, 1) for name in case.path_parameters})
            case.headers.pop("If-Match", None)  # no made-up one is that of an answer
        case.cookies.update({"csrftoken": TOKEN, **({"sessionid": sessions[who]} if who else {})})
        answer = case.call(headers={"X-CSRFToken": TOKEN})
        case.validate_response(answer, checks=CHECKS)
        assert [secret for secret in secrets[who] if secret in answer.text] == []

    send()


CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


def real_parameters(api: Api) -> dict[str, object]:
    """What there is in the round, by the names of parameters."""
    return {
        "slug": "trial",
        "battle_id": api.battle.pk,
        "number": 2,
        "name": "Ana",
        "board": "talk",
        "prefix": "nothings",
        "vote_id": vote_in(api).pk,
        "army": "Ana",
        "act": "claim",
        "how": "change",
        "step": "name",
        "what": "descriptions",
        "page": "wish",
        "table": "no-table",
    }
