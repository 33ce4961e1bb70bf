"""What `deploy/` says is true of this service; `make container` builds and starts it (tests/test_containers.py)."""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.launching import MAKE_TABLES, PROJECT
from wargame.running import env
from wargame.running.check import jobs_run

DEPLOY = PROJECT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
HARDENED = {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "CapabilityBoundingSet": "", "User": "wargame"}
HOSTING = "\n".join((PROJECT / "docs/host" / name).read_text() for name in ("README.md", "backup.md"))
IMAGE = "localhost/wargame"
OF_COMPOSE = {"SITE", "POSTGRES_PASSWORD", "ENV_FILE", "COMMIT"}
"""What compose.yaml asks for beside the service's own variables."""

PAGES = (
    *("/", "/tables/", "/dice/", "/help/play/teams/", "/api/schema/", "/livez", "/how-to-play/"),
    *(f"/rules/{name}/" for name in ("tables", "card-lists", "shuffles", "kryptik", "seize", "altered")),
)
OPEN_ITS_PAGES = f"""{MAKE_TABLES}
import json
from django.core.management import call_command
from django.test import Client
call_command("import_creatures", if_empty=True)
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
        if service.get("image") == IMAGE and "command" in service
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
def test_units_are_hardened_start_again_and_raise_an_alarm(path):
    service = unit(path)

    assert {name: service.get(name) for name in HARDENED} == HARDENED
    is_restarted = service.get("Restart") == "always" and "OnFailure=wargame-failed@%N.service\n" in path.read_text()
    assert is_restarted or service["Type"] == "oneshot"


def test_our_containers_can_write_nowhere_and_are_nobody():
    ours = {name: service for name, service in compose()["services"].items() if service.get("image") == IMAGE}

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


def step_that_collects(srv: Path, data: Path) -> str:
    """The Containerfile's step that makes what can't be written later, in `srv` in place of the image's folder."""
    joined = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    (step,) = re.findall(r"^RUN (.*collectstatic.*)$", joined, re.MULTILINE)
    return str(step).replace("/srv", str(srv)).replace("/tmp/data", str(data / "collecting"))


@pytest.mark.slow
def test_what_the_image_copies_is_all_that_the_service_reads_and_anybody_may_read_it(tmp_path):
    """Its code runs alone, and shows the documents, the examples and the version that stand in files beside it. Whoever
    builds it is another user than who runs it."""
    srv, data = tmp_path / "srv", tmp_path / "data"
    image = srv / "wargame"
    image.mkdir(parents=True)
    for source in copied():
        if source == "deploy/requirements.txt":  # for the packages alone
            continue
        if (PROJECT / source).is_dir():
            shutil.copytree(PROJECT / source, image / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(PROJECT / source, image / source)
    (image / "manage.py").chmod(0o600)  # of who checked the project out for himself alone
    at_home = {"WARGAME_DATA": str(data), "STATIC_ROOT": str(srv / "static"), "DEMO": "off"}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    at_home |= {"DJANGO_SETTINGS_MODULE": "wargame.settings", "PATH": path}
    run = partial(subprocess.run, cwd=image, env=at_home, capture_output=True, text=True, timeout=300)

    made = run(["sh", "-c", step_that_collects(srv, data)])
    hidden = [path for path in srv.rglob("*") if path.stat().st_mode & 0o004 == 0]
    told = run([sys.executable, "-c", OPEN_ITS_PAGES])

    assert made.returncode == 0, made.stderr
    assert hidden == []
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


def test_the_nginx_of_debian_12_knows_the_site():
    assert "http2 on;" not in (DEPLOY / "nginx.conf").read_text()  # since 1.25.1; Debian 12 has 1.22


def test_the_site_is_checked_whoever_built_its_image():
    """podman leaves the check of a Containerfile out, unless it is told to write Docker's format."""
    said = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    (of_image,) = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", said, re.MULTILINE)
    check = compose()["services"]["web"]["healthcheck"]

    assert check["test"] == ["CMD", *json.loads(of_image)]  # type: ignore[index]


def test_the_database_is_waited_for_and_not_the_one_that_its_image_starts_first():
    check = compose()["services"]["db"]["healthcheck"]

    assert check["test"][2:4] == ["-h", "127.0.0.1"]  # type: ignore[index]


def test_no_engine_asks_a_registry_for_the_image_of_this_service():
    ours = [service for service in compose()["services"].values() if service.get("read_only")]

    assert {(service["image"], service["pull_policy"]) for service in ours} == {(IMAGE, "never")}


def test_containers_are_told_every_setting():
    for name, service in compose()["services"].items():
        if service.get("image") == IMAGE:
            assert service["env_file"] == "${ENV_FILE:-.env}", name


def test_images_are_named_by_exact_versions():
    named = [str(service["image"]) for service in compose()["services"].values() if service["image"] != IMAGE]
    named += re.findall(r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)

    assert [name for name in named if not re.search(r":\d+\.\d+(\.\d+)?(-\w+)*$", name)] == []


def test_the_image_has_every_program_that_the_service_calls():
    (installed,) = re.findall(
        r"apt-get install -y --no-install-recommends (.*?) \\$", (DEPLOY / "Containerfile").read_text(), re.M
    )
    called = {
        name
        for path in (*(PROJECT / "judging").rglob("*.py"), *(PROJECT / "wargame").rglob("*.py"))
        if "subprocess" in (text := path.read_text())
        for name in re.findall(r"\[\"(git|openssl|ssh|gpg|age)\"", text)
    }

    assert {"git", "openssl"} <= called <= set(installed.split())


def test_each_container_of_ours_is_checked():
    for name in ("web", "worker", "mail", "beat"):
        assert "test" in compose()["services"][name]["healthcheck"], name  # type: ignore[operator]


def test_workers_write_no_banner_and_as_many_threads_as_is_set():
    for name, command in programs().items():
        if "celery" in command[0]:
            assert command[1] == "--quiet", name
            assert "-c" not in command or command[command.index("-P") + 1] == "prefork", name


@pytest.mark.parametrize(("jobs", "status", "runs"), [("ok", 200, True), ("ok", 503, True), ("late", 503, False)])
def test_the_clock_is_checked_by_what_the_site_says_of_the_jobs(jobs, status, runs):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps({"jobs": jobs}).encode())

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert jobs_run(f"http://127.0.0.1:{server.server_port}/healthz") is runs
    assert not jobs_run(f"http://127.0.0.1:{server.server_port}/healthz")


def test_a_backup_of_a_container_has_a_place_that_its_user_may_write():
    folder = "/backups"
    said = (DEPLOY / "Containerfile").read_text()

    assert re.search(rf"install -d -o wargame .* {folder}$", said, re.MULTILINE)
    assert f"backups:{folder}" in compose()["services"]["web"]["volumes"]  # type: ignore[operator]
    assert f"manage.py backup {folder} " in HOSTING


@pytest.mark.parametrize("name", ["deploy/.env", "var", ".venv", ".git"])
def test_keys_and_databases_go_into_no_image(name):
    assert name in (PROJECT / ".dockerignore").read_text().splitlines()


def test_the_keys_of_the_compose_file_go_into_no_commit():
    assert "/deploy/.env" in (PROJECT / ".gitignore").read_text().splitlines()


def test_a_bare_machine_has_each_program_before_the_page_uses_it():
    """A small Debian has no git and no sudo."""
    (installed,) = re.findall(r"^    apt-get install (.*)$", HOSTING, re.MULTILINE)

    assert "git" in installed.split()
    assert "sudo" not in HOSTING


def test_the_page_makes_a_database_that_can_hold_what_people_write():
    """PostgreSQL installed where no language is set makes databases in SQL_ASCII, which refuse a card named Coppée."""
    assert "createdb --owner wargame --encoding UTF8 --template template0 wargame" in HOSTING


def test_the_page_replaces_all_that_the_caddyfile_takes_from_containers():
    """Caddy as a service of the system knows no SITE, and reads `{$SITE}` as nothing."""
    assert "s/{$SITE}/" in HOSTING
    assert "s/web:8000/localhost:8000/" in HOSTING


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here that could read the units")
def test_systemd_understands_the_units_and_calls_them_safe(tmp_path):
    for path in (DEPLOY / "systemd").glob("wargame-*"):
        (tmp_path / path.name).write_text(re.sub(r"/opt/wargame/\.venv/bin/\w+", "/bin/true", path.read_text()))
    services, sockets = (sorted(map(str, tmp_path.glob(f"*.{kind}"))) for kind in ("service", "socket"))
    exposure = ["--offline=true", "--threshold=20"]

    for asked in (["verify", "--man=no", *services, *sockets], ["security", *exposure, *services]):
        read = subprocess.run(["systemd-analyze", *asked], capture_output=True, text=True)
        assert (read.returncode, read.stderr) == (0, ""), read.stdout + read.stderr
