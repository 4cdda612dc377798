# Trey needs Python 3.11 or newer and make; everything else is installed when it is needed. `make help` lists the commands.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
VENV ?= .venv
# Modules, not scripts: those name the path of the environment, and a checkout can be moved.
BIN := $(VENV)/bin
# One stamp for what Trey runs with, one for the development tools, which come with all of the former.
INSTALLED := $(VENV)/installed
TOOLS := $(VENV)/installed-dev
INSTALL = $(PYTHON) config/running/install.py --venv $(VENV)
HOST ?= 127.0.0.1
PORT ?= 8000
# Live streams; empty: the port after PORT.
LIVE_PORT ?=
URL ?= http://127.0.0.1:$(PORT)
GAME ?= threes
SEATS ?= 3
# Tests wait for processes, browsers and servers, so three workers keep two cores busy. Six take a third longer.
WORKERS ?= 3
MINUTES ?= 0
# The benchmarks that have a goal, and what they are started with.
BENCH ?= request_cost move_cost growth pages live bots
ARGS ?=
SBOM ?= sbom.json
UV := $(VENV)/uv
LOCKED := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet

.PHONY: help setup tools python run settings test test-all check play learn demo organiser lock bench machines licenses sbom openapi clients clean

help: ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(INSTALLED) ## install what Trey runs with: the server, PostgreSQL and Redis

tools: $(TOOLS) ## install what `make test` needs, too

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "trey: Python 3.11 or newer is needed; \`$(PYTHON)\` is not. Name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }

$(INSTALLED): requirements-run.lock | python
	@$(INSTALL) --what "the server, PostgreSQL and Redis" --takes "This takes about half a minute, and 300 MB." $<
	@touch $@

$(TOOLS): requirements-dev.lock requirements-run.lock | python
	@$(INSTALL) --what "the server and the development tools" --takes "This takes a minute or two, and 650 MB." $<
	@touch $(INSTALLED) $@

run: setup ## start Trey; Ctrl-C stops it (PORT=8000, HOST=127.0.0.1; HOST=0.0.0.0 is for the whole network)
	@exec $(BIN)/python -m config.running.run --host='$(HOST)' --port='$(PORT)' --live-port='$(LIVE_PORT)'

settings: setup ## print all settings: present value, default and meaning
	@$(BIN)/python manage.py settings

organiser: setup ## make an organiser with all rights (a superuser), while `make run` runs (asks, or takes DJANGO_SUPERUSER_USERNAME and _PASSWORD)
	@$(BIN)/python manage.py createsuperuser $(if $(DJANGO_SUPERUSER_PASSWORD),--noinput)
	@echo "Log in at $(URL)/admin/"

play: setup ## play in the terminal against bots, while `make run` runs (GAME=castle SEATS=3 BOTS=steady NAME=ada, RULES=house.json, or JOIN=<id> INVITATION=<code>)
	@exec $(BIN)/python -m examples.play --url $(URL) $(if $(NAME),--name '$(NAME)') $(if $(JOIN),--join $(JOIN) $(if $(INVITATION),--invitation $(INVITATION)),$(if $(RULES),--rules $(RULES),--game $(GAME)) --seats $(SEATS) $(if $(BOTS),--bots $(BOTS)))

learn: setup ## a lesson of a game in the terminal, without a server (GAME=castle)
	@exec $(BIN)/python -m games.lessons play $(GAME)

demo: setup ## a whole game or tournament over HTTP, while `make run` runs (GAME=threes, or TOURNAMENT=season|rounds|knockout)
	@exec $(BIN)/python manage.py $(if $(TOURNAMENT),demo_tournament --kind $(TOURNAMENT),demo --game $(GAME)) --url $(URL)

check: tools licenses ## the checks that run no test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'
	$(BIN)/python -m tests.commits

# Tests start hundreds of processes; each would compile the code again.
test test-all: export PYTHONDONTWRITEBYTECODE =
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=20

test: check ## all checks, and what to test before each push (WORKERS=3)
	$(PYTEST) --part push

test-all: tools ## the tests that `make test` leaves out: what takes long (WORKERS=3)
	$(PYTEST) --part rest

bench: tools ## measure what things cost, each beside its goal; takes long (BENCH="pages growth" ARGS="--help")
	@missed=; for name in $(BENCH); do \
		echo "== $$name"; $(BIN)/python -m benchmarks.$$name $(ARGS) || missed="$$missed $$name"; \
	done; test -z "$$missed" || { echo "missed:$$missed" >&2; exit 1; }

machines: tools ## Trey on six machines made of network namespaces, while machines fail (root, Linux; MINUTES=60; see docs/operate/scaling.md)
	@exec $(BIN)/python -m benchmarks.machines --minutes $(MINUTES)

licenses: tools ## refuse dependencies under a licence that pyproject.toml does not allow
	@$(BIN)/python -m piplicenses --packages $$(sed -n 's/^\([A-Za-z0-9._-]*\).*==.*/\1/p' requirements-dev.lock) > /dev/null

sbom: tools ## write the bill of materials of requirements.lock, CycloneDX (SBOM=sbom.json)
	$(BIN)/python -W ignore::UserWarning -m cyclonedx_py requirements --pyproject pyproject.toml --output-reproducible \
		--output-file $(SBOM) requirements.lock

openapi: setup ## write docs/openapi.yaml, and what the clients take from it
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml
	$(BIN)/python clients/generate.py

clients: setup ## write the types and methods of both official clients from docs/openapi.yaml
	$(BIN)/python clients/generate.py

lock: python ## pin the dependencies of pyproject.toml again
	@test -x $(UV)/bin/uv || $(PYTHON) -m venv $(UV)
	$(UV)/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.8
	$(UV)/bin/uv pip compile $(LOCKED) pyproject.toml --output-file requirements.lock
	$(UV)/bin/uv pip compile $(LOCKED) pyproject.toml --constraint requirements.lock --group embedded \
		--output-file requirements-run.lock
	$(UV)/bin/uv pip compile $(LOCKED) pyproject.toml --constraint requirements-run.lock --group embedded --group dev \
		--output-file requirements-dev.lock
	@rm -f $(INSTALLED) $(TOOLS)
	@$(MAKE) tools

clean: ## remove the environment and what the tools left; data stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
