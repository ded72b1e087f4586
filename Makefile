# make quickstart   set up, train on generated stories, ask, show the evidence
# make test         set up, run the tests (under six minutes on two cores)
# make test-slow    what trains for longer; with MEMNETS_DATA=FOLDER on real data too
# make test-data    what needs real data: MEMNETS_DATA=FOLDER
# make test-browser what needs a browser (Debian: chromium, chromium-driver; a minute)
# make test-cuda    each family's shortest recipe on a CUDA device beside a CPU
# make check        ruff, mypy, and the documents re-rendered without a difference
# make coverage     branch coverage, and every raise that no test reached
# make docs         the documentation as a site, without a link that leads nowhere or a request elsewhere
# make dist         the wheel and the source archive, into dist/
# make bench        the benchmarks (minutes; writes results/)

PYTHON      ?= python3
VENV        ?= .venv
CONSTRAINTS ?= constraints.txt
JOBS        ?= 2
BIN         := $(VENV)/bin
PIP         := $(BIN)/pip --disable-pip-version-check install --quiet --constraint $(CONSTRAINTS)
# Small tensors: one thread a process, and as many processes as cores.
# Compiled modules are kept between runs, whatever the environment says of them.
ONE_THREAD  := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
# A file stays in one process, and with it what its tests share.
PYTEST      := $(ONE_THREAD) $(BIN)/pytest --quiet --numprocesses $(JOBS) --dist loadfile --durations 10

.PHONY: quickstart test test-slow test-data test-browser test-cuda coverage check docs dist bench clean

quickstart: $(VENV)/.user
	$(BIN)/memnets quickstart

# The C++ ops are built before, once: two processes would each build them.
test: $(VENV)/.dev
	@$(BIN)/python -c "from memnets.ops.native import OPS; OPS.available()"
	$(PYTEST) -m "not slow and not data and not browser and not cuda"

test-slow: $(VENV)/.dev
	$(PYTEST) -m "slow and not browser and not cuda"

test-data: $(VENV)/.dev
	@test -n "$(MEMNETS_DATA)" || { echo "set MEMNETS_DATA to the folder of the data sets"; exit 2; }
	$(PYTEST) -m "data and not slow"

test-cuda: $(VENV)/.dev
	$(PYTEST) -m cuda tests/cuda

# One server and one browser for all: one process.
test-browser: $(VENV)/.browser
	$(ONE_THREAD) $(BIN)/pytest --quiet --durations 10 -m browser tests/browser

# Branch coverage of everything a user's files, options and arguments can reach.
coverage: $(VENV)/.dev
	$(BIN)/coverage erase
	$(ONE_THREAD) $(BIN)/coverage run -m pytest --quiet -m "not slow and not data and not browser and not cuda"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-empty --skip-covered
	$(BIN)/coverage json --quiet -o .coverage.json
	$(BIN)/python tools/unraised.py .coverage.json

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tools.render README.md docs --check

docs: $(VENV)/.docs
	$(BIN)/python -m tools.render README.md docs
	$(BIN)/python -m zensical build --clean --strict
	$(BIN)/python -m tools.offline site

dist: $(VENV)/.dev
	$(BIN)/python -m hatchling build

bench: $(VENV)/.dev
	$(ONE_THREAD) $(BIN)/python benchmarks/memn2n.py
	$(BIN)/python benchmarks/attention.py

clean:
	rm -rf $(VENV) dist site .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	$(PIP) --editable ".[plot]"
	@touch $@

$(VENV)/.dev: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	$(PIP) --editable ".[dev]"
	@touch $@ $(VENV)/.user

$(VENV)/.browser: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	$(PIP) --editable ".[dev,browser]"
	@touch $@

$(VENV)/.docs: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	$(PIP) --editable ".[dev,docs]"
	@touch $@
