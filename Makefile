# Needs make and Python 3.11 to 3.14, nothing else: each target first sets up what it needs in .venv.
# Another interpreter: make PYTHON=python3.13 test

IS_SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$candidate -c '$(IS_SUITABLE)' 2>/dev/null && echo $$candidate && break; done)

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Two processes, a file of tests to one of them: tests of a file share what they set up, and examples of a page their names.
PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 2 --dist loadfile
PYTEST_ARGS ?=
BENCH_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo studies test unit lint types format docs bench nightly dist clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

demo: $(VENV)/.runtime ## analyse the import network of this Python installation, and write its report
	$(BIN)/triadic demo

studies: $(VENV)/.dev ## the five papers' experiments on the smallest networks, with their pages, in study-*/
	for name in cstn117 opencl poster triad-census fglt; do $(BIN)/triadic study $$name --scale smoke --quiet || exit; done

test: lint types unit ## everything that must pass: lint, types, tests

unit: $(VENV)/.dev ## the tests alone; choose some with PYTEST_ARGS="-k triangles"
	$(PYTEST) $(PYTEST_ARGS)

lint: $(VENV)/.dev ## ruff: rules and formatting; the layers of imports; the files that a call passes through
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/journeys.py

types: $(VENV)/.dev ## mypy
	$(BIN)/mypy

format: $(VENV)/.dev ## let ruff put right what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.docs ## the site, in site/; a broken link or anchor is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.bench ## measure against other libraries, ratios to the screen
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

nightly: $(VENV)/.dev ## the tests with fifty times as many random networks
	TRIADIC_HYPOTHESIS=nightly $(PYTEST) $(PYTEST_ARGS)

dist: $(VENV)/.dev ## wheels and source archives of both packages, in dist/; triadic alone has to run the demo
	rm -rf dist build
	$(BIN)/python -m build
	$(BIN)/python -m build papers --outdir dist
	$(PYTHON) -m venv build/alone
	build/alone/bin/python -m pip install --quiet --disable-pip-version-check dist/triadic-*.whl
	cd build && alone/bin/triadic --version && alone/bin/triadic demo --no-progress && test -s demo/vertices.csv
	build/alone/bin/python -m pip install --quiet --disable-pip-version-check dist/triadic_papers-*.whl
	cd build && alone/bin/triadic study fglt --list

clean: ## remove everything that can be made again
	rm -rf $(VENV) demo study-* dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src papers tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

# The stamps: packages are installed again only when a pyproject.toml changes. pip 25.1 is the first that knows --group.
$(VENV)/.pip:
	@$(or $(PYTHON),false) -c '$(IS_SUITABLE)' || { \
		echo "Python 3.11 to 3.14 is needed$(if $(PYTHON),; $(PYTHON) is not). Name one: make PYTHON=/path/to/python" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.runtime: $(VENV)/.pip pyproject.toml
	$(PIP_INSTALL) --editable '.[report]'
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime papers/pyproject.toml
	$(PIP_INSTALL) --editable papers --group dev
	@touch $@

$(VENV)/.docs: $(VENV)/.dev
	$(PIP_INSTALL) --group docs
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(PIP_INSTALL) --group bench
	@touch $@
