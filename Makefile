# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test test-all java chromium axe check quality format bench docs clean

demo: $(INSTALLED)
	$(BIN)/neardup demo

test: $(INSTALLED)-test java chromium axe
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

# With the tests that take minutes: all methods on Spark, with all that can go wrong there.
test-all: $(INSTALLED)-test java chromium axe
	$(BIN)/python -m pytest -m "slow or not slow"

# Spark's tests need Java; where there is none, Debian's is installed if that is allowed.
java:
	@command -v java >/dev/null || (apt-get update -qq && apt-get install -y -qq openjdk-17-jre-headless) \
		|| echo "There is no Java, and it could not be installed: tests of Spark are skipped."

# Tests of what is seen in a browser need Chromium: the same holds for it.
chromium:
	@command -v chromium >/dev/null || (apt-get update -qq && apt-get install -y -qq chromium) \
		|| echo "There is no Chromium, and it could not be installed: tests in a browser are skipped."

# axe-core, from npm, checks that these are accessible; it is for the tests only.
axe: $(BIN)/pip
	@test -d $(VENV)/axe/node_modules/axe-core || npm install --silent --no-save --prefix $(VENV)/axe axe-core@4 \
		|| echo "axe-core could not be installed: the tests of accessibility are skipped."

check: $(INSTALLED)-check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# How well passages are found on labelled data: make quality [NEARDUP_DATA=folder]
quality: $(INSTALLED)-test
	$(BIN)/python -m tests.quality

format: $(INSTALLED)-check
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Compare with other tools on one corpus: make bench [CORPUS=file.jsonl]
bench: $(INSTALLED)
	$(BIN)/python benchmarks/run.py $(if $(CORPUS),--corpus $(CORPUS))

# Write docs/cli.md anew from the command's own help, and the tree in docs/architecture.md.
docs: $(INSTALLED)
	$(BIN)/python tools/make_cli_reference.py
	$(BIN)/python tools/make_tree.py

$(BIN)/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(INSTALLED): $(BIN)/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(INSTALLED)-test: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group test
	touch $@

$(INSTALLED)-check: $(INSTALLED)-test
	$(BIN)/python -m pip install --quiet --group check
	touch $@

clean:
	rm -rf $(VENV) .bench neardup-demo neardup-demo.jsonl *.partial
	find . -name __pycache__ -prune -exec rm -rf {} +
