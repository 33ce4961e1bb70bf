# `make` lists the targets. Everything runs from this folder, whatever its path, with the Python in .venv.

export UV_PYTHON_DOWNLOADS := never
# Compiled modules are kept whatever the environment says: without them every start takes twice as long.
unexport PYTHONDONTWRITEBYTECODE
PYTHON_IN_VENV := .venv/bin/python
RUN := $(PYTHON_IN_VENV) -m

.DEFAULT_GOAL := help
.PHONY: help setup run test probe probe-api faults container lint simulate messages api-examples bench bench-peers requirements release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

setup: ## make the virtual environment with all packages, or bring it up to date
	@sh scripts/setup.sh

run: setup ## start the service: site, jobs and, in an empty database, a demo round; PORT=8000
	@exec $(RUN) wargame.running.launcher --with-parent

test: lint ## check and test everything, in a browser too; ARGS="tests/test_launcher.py -k port"
	@exec $(PYTHON_IN_VENV) scripts/run_tests.py $(ARGS)

lint: setup ## style, types, import contracts, migrations in step
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(PYTHON_IN_VENV) scripts/check_templates.py
	$(RUN) mypy
	$(PYTHON_IN_VENV) -c "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])"
	$(PYTHON_IN_VENV) manage.py makemigrations --check --dry-run

SEEDS = $(shell seq 1 20)
TURNS = 200

simulate: setup ## play random rounds on the rules, and hold what is always true; SEEDS="7 8" TURNS=1000
	@for seed in $(SEEDS); do \
		echo "seed $$seed"; $(PYTHON_IN_VENV) manage.py simulate --turns $(TURNS) --seed $$seed || exit 1; \
	done

messages: setup ## gather marked sentences for translation, and compile the translations
	@exec $(PYTHON_IN_VENV) scripts/messages.py

api-examples: setup ## write the examples of the API's documentation anew, from the demo round
	WRITE_API_EXAMPLES=1 $(RUN) pytest -q tests/api/test_api_examples.py

probe: setup ## throw mutated input at every parser; ARGS="100000 orders --seed 7"
	@exec $(RUN) scripts.probe $(ARGS)

probe-api: setup ## send made-up requests to every operation of the API, as nobody, player, leader and judge
	@API_EXAMPLES=$${API_EXAMPLES:-200} exec $(RUN) pytest -q tests/api/test_api_schema.py

faults: setup ## kill, cut and flood the service, and see that nothing is lost; ARGS="--locks 30 --posts 300"
	@exec $(RUN) scripts.faults $(ARGS)

container: setup ## build the image and start the whole service, where docker or podman answers
	@CONTAINERS=1 exec $(RUN) pytest -q -n0 -rs tests/test_containers.py

bench: setup ## how fast the rules are, against floors and other programs; ARGS="chain battle" for some rows
	@exec $(RUN) scripts.bench $(ARGS)

bench-peers: setup ## install the other programs that `make bench` compares with, into var/peers
	$(RUN) pip install --quiet --disable-pip-version-check --no-warn-conflicts --upgrade --target var/peers \
		diplomacy==1.1.2 pydip==0.1.8

requirements: setup ## pin and hash the packages of requirements.in; ARGS=--upgrade for newer versions of all
	$(RUN) uv pip compile requirements.in --output-file requirements.txt --quiet --universal $(ARGS) \
		--python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links
	sed '/^# Tests/,$$d' requirements.in | $(RUN) uv pip compile - --constraint requirements.txt \
		--output-file deploy/requirements.txt --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links --no-annotate

release: ## build the source archive and the image's context of this commit into var/release
	@sh scripts/release.sh
