"""What `deploy/` says is true of this service, and an engine builds and starts it where one answers."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.launching import MAKE_TABLES, PROJECT
from wargame.running import env

DEPLOY = PROJECT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
HARDENED = {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "CapabilityBoundingSet": "", "User": "wargame"}
OF_COMPOSE = {"SITE", "POSTGRES_PASSWORD"}
"""What compose.yaml asks for beside the service's own variables."""

PAGES = (
    *("/", "/tables/", "/dice/", "/api/schema/", "/livez", "/how-to-play/"),
    *(f"/rules/{name}/" for name in ("tables", "card-lists", "shuffles", "kryptik", "seize", "altered")),
)
OPEN_ITS_PAGES = f"""{MAKE_TABLES}
import json
from django.core.management import call_command
from django.test import Client
from judging.context import version
call_command("collectstatic", interactive=False, verbosity=0)
call_command("import_creatures", if_empty=True)
assert version()
print(json.dumps({{page: Client(HTTP_HOST="127.0.0.1").get(page).status_code for page in {PAGES!r}}}))
"""


def compose() -> dict[str, dict[str, dict[str, object]]]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())  # type: ignore[no-any-return]


def unit(path: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path)
    return parser["Service"]


def programs() -> dict[str, list[str]]:
    """Each command that a unit or a container runs."""
    units = {path.name: shlex.split(unit(path)["ExecStart"].replace("%%", "%")) for path in UNITS}
    services = compose()["services"]
    of_compose = {
        name: service["command"]
        for name, service in services.items()
        if service.get("image") == "wargame" and "command" in service
    }
    dockerfile = (DEPLOY / "Containerfile").read_text()
    of_image = re.findall(r"^CMD \[(.*)\]$", dockerfile, re.MULTILINE)
    assert len(of_image) == 1
    return units | of_compose | {"image": [part.strip(' "') for part in of_image[0].split(",")]}


def test_every_program_runs_modules_and_commands_that_there_are():
    for name, command in programs().items():
        text = " ".join(command)
        for module in re.findall(r"\bwargame\.[\w.]+", text):
            assert find_spec(module), f"{name}: {module}"
        for asked in re.findall(r"manage\.py (\w+)", text):
            assert asked in {"migrate"} or (PROJECT / f"wargame/management/commands/{asked}.py").exists(), name


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_units_are_hardened_and_start_again(path):
    service = unit(path)

    assert {name: service.get(name) for name in HARDENED} == HARDENED
    assert service["Type"] == "oneshot" or service["Restart"] == "always"


def test_our_containers_can_write_nowhere_and_are_nobody():
    ours = {name: service for name, service in compose()["services"].items() if service.get("image") == "wargame"}

    assert set(ours) == {"migrate", "web", "worker", "mail", "beat"}
    for name, service in ours.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
    assert "\nUSER 10001" in (DEPLOY / "Containerfile").read_text()


@pytest.mark.parametrize("path", ["example.env", "systemd/env.example", "compose.yaml"])
def test_no_variable_is_named_that_the_service_does_not_know(path):
    text = (DEPLOY / path).read_text()
    named = set(re.findall(r"^ *([A-Z_]+)[:=]", text, re.MULTILINE)) | set(re.findall(r"\$\{([A-Z_]+)", text))

    unknown = {name for name in named if name not in env.TABLE and not name.startswith("POSTGRES_")}
    assert unknown <= OF_COMPOSE


def copied() -> list[str]:
    """The files and folders of the project that the image holds."""
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    return [
        source for line in lines if line.startswith("COPY ") and "--from" not in line for source in line.split()[1:-1]
    ]


def test_the_image_has_every_file_that_it_copies():
    assert [source for source in copied() if not (PROJECT / source).exists()] == []


def test_what_the_image_copies_is_all_that_the_service_reads(tmp_path):
    """Its code runs alone, and shows the documents, the examples and the version that stand in files beside it."""
    image, data = tmp_path / "srv", tmp_path / "data"
    image.mkdir()
    for source in copied():
        if source == "deploy/requirements.txt":  # for the packages alone
            continue
        if (PROJECT / source).is_dir():
            shutil.copytree(PROJECT / source, image / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(PROJECT / source, image / source)
    at_home = {"WARGAME_DATA": str(data), "STATIC_ROOT": str(data / "static"), "DEMO": "off"}
    at_home |= {"DJANGO_SETTINGS_MODULE": "wargame.settings", "PATH": os.environ["PATH"]}

    told = subprocess.run(
        [sys.executable, "-c", OPEN_ITS_PAGES], cwd=image, env=at_home, capture_output=True, text=True, timeout=300
    )

    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout.splitlines()[-1]) == dict.fromkeys(PAGES, 200)


def test_the_packages_of_the_image_are_those_of_the_tests_and_hashed():
    pinned = re.compile(r"^([\w.-]+(?:\[\w+\])?)==([^ ;\\]+)", re.MULTILINE)
    ours = dict(pinned.findall((DEPLOY / "requirements.txt").read_text()))
    all_of_them = dict(pinned.findall((PROJECT / "requirements.txt").read_text()))

    assert ours.items() <= all_of_them.items()
    assert "pytest" not in ours
    assert {"django", "gunicorn", "celery", "psycopg"} <= {name.lower().split("[")[0] for name in ours}


def test_figures_are_not_shown_through_the_proxies():
    assert "/metrics" in (DEPLOY / "Caddyfile").read_text()
    assert "location = /metrics { return 404; }" in (DEPLOY / "nginx.conf").read_text()


def engine() -> str | None:
    for name in ("podman", "docker"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    return None


@pytest.mark.skipif(engine() is None, reason="no container engine answers here")
def test_the_image_is_built_and_answers(tmp_path):
    name = engine()
    assert name
    build = [name, "build", "-q", "-f", "deploy/Containerfile", "-t", "wargame-test", "."]
    subprocess.run(build, cwd=PROJECT, check=True)
    check = ["manage.py", "check", "--deploy"]
    run = [name, "run", "--rm", "--read-only", "--tmpfs", "/tmp", "--tmpfs", "/data", "wargame-test", "python", *check]
    assert subprocess.run(run, capture_output=True).returncode == 0
