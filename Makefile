# Needs make and Python 3.11 to 3.14, nothing else: each target first sets up what it needs in .venv.
# Another interpreter: make PYTHON=python3.13 test

IS_SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$candidate -c '$(IS_SUITABLE)' 2>/dev/null && echo $$candidate && break; done)

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST_ARGS ?=
BENCH_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test unit lint types format bench nightly dist clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

demo: $(VENV)/.runtime ## analyse the import network of this Python installation
	$(BIN)/triadic demo

test: lint types unit ## everything that must pass: lint, types, tests

unit: $(VENV)/.dev ## the tests alone; choose some with PYTEST_ARGS="-k triangles"
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.dev ## ruff: rules and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev ## mypy
	$(BIN)/mypy

format: $(VENV)/.dev ## let ruff put right what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.bench ## measure against other libraries, ratios to the screen
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

nightly: $(VENV)/.dev ## the tests with fifty times as many random networks
	TRIADIC_HYPOTHESIS=nightly $(BIN)/python -m pytest $(PYTEST_ARGS)

dist: $(VENV)/.dev ## the wheel and the source archive, in dist/
	$(BIN)/python -m build

clean: ## remove everything that can be made again
	rm -rf $(VENV) demo dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

# The stamps: what is installed is installed again only when pyproject.toml changes. pip 25.1 is the first that knows --group.
$(VENV)/.pip:
	@$(or $(PYTHON),false) -c '$(IS_SUITABLE)' || { \
		echo "Python 3.11 to 3.14 is needed$(if $(PYTHON),; $(PYTHON) is not). Name one: make PYTHON=/path/to/python" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.runtime: $(VENV)/.pip pyproject.toml
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(PIP_INSTALL) --group dev
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(PIP_INSTALL) --group bench
	@touch $@
