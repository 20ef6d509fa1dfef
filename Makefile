# Needs make and Python 3.11 to 3.14. Each target first installs the packages it needs into .venv.
# To use another interpreter: make PYTHON=python3.13 test

IS_SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$candidate -c '$(IS_SUITABLE)' 2>/dev/null && echo $$candidate && break; done)

VENV := .venv
BIN := $(VENV)/bin
# Python compiles a module when it is first imported; most modules of the packages never are.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Two processes. All tests of a file run in one of them: they share fixtures, and the examples of a page share variables.
# Files in the order of their names: the files of few and long tests do not come last, when one process has nothing left.
PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 2 --dist loadfile --no-loadscope-reorder
# Some containers forbid it, and each process that a test starts would compile all modules of its packages anew.
export PYTHONDONTWRITEBYTECODE :=
PYTEST_ARGS ?=
DIST_PYTHONS ?= $(PYTHON)
BENCH_ARGS ?=
SCALING_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo studies test unit lint types format docs pages bench scaling stress nightly dist clean

help: ## print the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

demo: $(VENV)/.runtime ## analyse the import network of this Python installation and write a report
	$(BIN)/triadic demo

studies: $(VENV)/.dev ## run the five papers' experiments on the smallest networks; pages in study-*/
	for name in cstn117 opencl poster triad-census fglt; do $(BIN)/triadic study $$name --scale smoke --quiet || exit; done

test: lint types unit ## run lint, types and unit: everything that must pass

unit: $(VENV)/.dev ## run the tests; select some with PYTEST_ARGS="-k triangles"
	$(PYTEST) $(PYTEST_ARGS)

lint: $(VENV)/.dev ## check rules and formatting (ruff), the layers of imports, and the number of files a call uses
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/journeys.py

types: $(VENV)/.dev ## check types with mypy
	$(BIN)/mypy

format: $(VENV)/.dev ## format the code, and fix what ruff can fix
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.docs ## build the site in site/; a broken link or anchor is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

pages: docs ## build the site, and check every page in a browser: three widths, light and dark
	TRIADIC_SITE=$(CURDIR)/site $(PYTEST) --dist load tests/test_site_in_browser.py $(PYTEST_ARGS)

bench: $(VENV)/.bench ## compare the speed with other libraries
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

scaling: $(VENV)/.bench ## measure how the time grows with the network, beside other libraries, and draw docs/scaling.md
	$(BIN)/python benchmarks/scaling.py $(SCALING_ARGS)

stress: $(VENV)/.dev ## a minute of random files, archives, states, graphs, faults of disks and killed processes
	$(BIN)/python stress/run.py --short

nightly: $(VENV)/.nightly ## run all tests, with many times as many random networks, the long stress runs, and estimates of many seeds
	TRIADIC_NIGHTLY=1 $(PYTEST) --timeout 7200 $(PYTEST_ARGS)
	$(BIN)/python stress/run.py
	$(BIN)/python stress/intervals.py
	$(BIN)/python stress/means.py

dist: docs $(VENV)/.dev ## build the site, and wheels and archives in dist/; install them alone for each of DIST_PYTHONS, and run the demo
	rm -rf dist build
	$(BIN)/python -m build
	$(BIN)/python -m build papers --outdir dist
	set -e; for python in $(DIST_PYTHONS); do \
		alone=build/$$($$python -c 'import sys; print("python%d.%d" % sys.version_info[:2])'); \
		$$python -m venv $$alone/venv; pip="$$alone/venv/bin/python -m pip install --quiet --disable-pip-version-check"; \
		$$pip dist/triadic-*.whl; \
		(cd $$alone && venv/bin/triadic --version && venv/bin/triadic demo --no-progress && test -s demo/vertices.csv); \
		$$pip dist/triadic_papers-*.whl; \
		(cd $$alone && venv/bin/triadic study fglt --list >/dev/null); \
		$$pip --force-reinstall --no-deps dist/triadic-*.tar.gz dist/triadic_papers-*.tar.gz; \
		(cd $$alone && venv/bin/triadic --version); \
	done

clean: ## remove all generated files
	rm -rf $(VENV) demo study-* stress-* dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src papers tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

# Stamp files: packages are installed again only if a pyproject.toml changes. pip supports --group from 25.1 on.
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

# PyTorch with PyTorch Geometric takes a gigabyte; where PIP_EXTRA_INDEX_URL names its wheels for CPUs, pip takes those.
$(VENV)/.nightly: $(VENV)/.dev
	$(PIP_INSTALL) --group nightly
	@touch $@

$(VENV)/.docs: $(VENV)/.dev
	$(PIP_INSTALL) --group docs
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(PIP_INSTALL) --group bench
	@touch $@
