# `make` lists the targets. Everything runs in this folder, with the Python in .venv.

export UV_PYTHON_DOWNLOADS := never
# Keep compiled modules: without them every start takes twice as long.
unexport PYTHONDONTWRITEBYTECODE
PYTHON_IN_VENV := .venv/bin/python
RUN := $(PYTHON_IN_VENV) -m

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all probe probe-api faults record container lint style types simulate messages api-examples docs bench bench-peers requirements release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

setup: ## create or update the virtual environment
	@sh scripts/setup.sh

run: setup ## start the site and jobs, with a demo round if there is no round; PORT=8000
	@exec $(RUN) wargame.running.launcher --with-parent

test: lint ## run all checks and all tests but the slow ones; ARGS="tests/test_launcher.py -k port"
	@exec $(PYTHON_IN_VENV) scripts/run_tests.py $(ARGS)

test-all: lint ## run all checks and all tests, the slow ones too
	@exec $(PYTHON_IN_VENV) scripts/run_tests.py --all $(ARGS)

lint: setup ## check style, types, import contracts, migrations and the docs
	@$(MAKE) --no-print-directory --jobs=2 types style

types: setup
	$(RUN) mypy

style: setup
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(PYTHON_IN_VENV) scripts/check_templates.py
	$(PYTHON_IN_VENV) scripts/check_prose.py
	$(PYTHON_IN_VENV) -c "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])"
	$(PYTHON_IN_VENV) manage.py makemigrations --check --dry-run
	@$(MAKE) --no-print-directory docs

SEEDS = $(shell seq 1 20)
TURNS = 200

simulate: setup ## play random rounds and check that the rules hold; SEEDS="7 8" TURNS=1000
	@for seed in $(SEEDS); do \
		echo "seed $$seed"; $(PYTHON_IN_VENV) manage.py simulate --turns $(TURNS) --seed $$seed || exit 1; \
	done

messages: setup ## collect sentences to translate, and compile the translations
	@exec $(PYTHON_IN_VENV) scripts/messages.py

api-examples: setup ## rewrite the API's examples from the demo round
	WRITE_API_EXAMPLES=1 $(RUN) pytest -q tests/api/test_api_examples.py

docs: setup ## build the docs with search into var/site
	@NO_MKDOCS_2_WARNING=1 exec $(RUN) mkdocs build

probe: setup ## fuzz every parser; ARGS="100000 orders --seed 7"
	@exec $(RUN) scripts.probe $(ARGS)

probe-api: setup ## fuzz every operation of the API in all roles
	@API_EXAMPLES=$${API_EXAMPLES:-200} exec $(RUN) pytest -q tests/api/test_api_schema.py

faults: setup ## kill, cut and flood the service, and check that nothing is lost; ARGS="--locks 30 --posts 300"
	@exec $(RUN) scripts.faults $(ARGS)

record: setup ## record all answers of the site, and compare them with those recorded before; ARGS=--keep
	@exec $(RUN) scripts.record $(ARGS)

container: setup ## build the image and start all containers (needs docker or podman)
	@CONTAINERS=1 exec $(RUN) pytest -q -n0 -rs tests/test_containers.py

bench: setup ## measure the rules' speed and compare other programs; ARGS="chain battle"
	@exec $(RUN) scripts.bench $(ARGS)

bench-peers: setup ## install the programs that `make bench` compares
	$(RUN) pip install --quiet --disable-pip-version-check --no-warn-conflicts --upgrade --target var/peers \
		diplomacy==1.1.2 pydip==0.1.8

requirements: setup ## pin and hash the packages of requirements.in; ARGS=--upgrade
	$(RUN) uv pip compile requirements.in --output-file requirements.txt --quiet --universal $(ARGS) \
		--python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links
	sed '/^# Tests/,$$d' requirements.in | $(RUN) uv pip compile - --constraint requirements.txt \
		--output-file deploy/requirements.txt --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links --no-annotate

release: ## build this commit's archives into var/release
	@sh scripts/release.sh
