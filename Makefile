# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
LOCK := requirements.lock
# Most modules of what is installed are never imported; the others are compiled when they first are, and kept.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --constraint $(LOCK) --build-constraint $(LOCK)
unexport PYTHONDONTWRITEBYTECODE
MAKEFLAGS += --jobs=2  # kernels are compiled on one core while another installs what only tests need
# Tests wait for Java, browsers and servers: one more than there are cores keeps these busy.
WORKERS := $(shell $(PYTHON) -c "import os; print(1 + (os.cpu_count() or 1))")
# What tests write is in memory where there is plenty of it: a tenth of their time goes into small files.
PLENTY := import shutil; print("/dev/shm" if shutil.disk_usage("/dev/shm").free >> 33 else "")
IN_MEMORY := $(shell $(PYTHON) -c '$(PLENTY)' 2>/dev/null)
PYTEST := $(if $(IN_MEMORY),TMPDIR=$(IN_MEMORY)) $(BIN)/python -m pytest

LINT := $(VENV)/lint
LINTERS := eslint@10.15.0 @eslint/js@10.0.1 typescript@7.0.2

SITE := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

.PHONY: demo test warm test-all kills fuzz java chromium axe scripts check quality format bench docs lock clean

demo: $(INSTALLED)
	$(BIN)/neardup demo --open

test: $(VENV)/.collected java warm chromium axe
	$(PYTEST) --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

# Compile all kernels once, on all cores, instead of in every test process; nobody shall wait for that alone.
warm: $(INSTALLED)
	@nice $(BIN)/neardup warm --quiet

# Compile the tests, and what they import, once instead of in every test process.
$(VENV)/.collected: $(INSTALLED)-test
	@$(PYTEST) --collect-only >/dev/null || true
	touch $@

# With the tests that take minutes: all methods on Spark, with all that can go wrong there.
test-all: $(INSTALLED)-test java chromium axe
	$(PYTEST) -m "slow or not slow" --hypothesis-profile thorough

# Kill every command that writes before any of its file operations, and let its writes fail: make kills [N=36] [LARGE=1]
kills: $(INSTALLED)-test
	$(BIN)/python -m tests.killing $(if $(N),--kills $(N) --failures $(N)) $(if $(LARGE),--large)

# Spoilt files of every format through readers and dedup, as many as one likes: make fuzz [N=100000] [SEED=name].
# Ended early, it goes on where it was; the Nth case of a seed again: python -m tests.fuzz --seed NAME --case N
fuzz: $(INSTALLED)-test
	$(BIN)/python -m tests.fuzz $(or $(N),1000) --seed $(or $(SEED),night)

# Spark's tests need Java; where there is none, Debian's is installed if that is allowed.
java:
	@command -v java >/dev/null || (apt-get update -qq && apt-get install -y -qq openjdk-17-jre-headless) \
		|| echo "There is no Java, and it could not be installed: tests of Spark are skipped."

# Tests of what is seen in a browser need Chromium: the same holds for it. Without a window, it takes half the time.
chromium: java  # Debian's installer is for one at a time
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null \
		|| (apt-get update -qq && (apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium)) \
		|| echo "There is no Chromium, and it could not be installed: tests in a browser are skipped."

# axe-core, from npm, checks that these are accessible; it is for the tests only.
axe: $(BIN)/pip
	@test -d $(VENV)/axe/node_modules/axe-core || npm install --silent --no-save --prefix $(VENV)/axe axe-core@4 \
		|| echo "axe-core could not be installed: the tests of accessibility are skipped."

# ESLint and TypeScript, from npm, check the viewer's scripts; in CI, they must.
scripts: $(BIN)/pip
	@test "$$(cat $(LINT)/.installed 2>/dev/null)" = "$(LINTERS)" || (rm -rf $(LINT) \
		&& npm install --silent --no-save --prefix $(LINT) $(LINTERS) && echo "$(LINTERS)" >$(LINT)/.installed) \
		|| (echo "ESLint and TypeScript could not be installed: the viewer's scripts are not checked."; test -z "$(CI)")
	test ! -e $(LINT)/.installed || ($(LINT)/node_modules/.bin/eslint src/neardup/web/static \
		&& $(LINT)/node_modules/.bin/tsc)

check: $(INSTALLED)-check $(INSTALLED)-docs scripts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(SITE) --site-dir $(VENV)/site
	$(BIN)/python -m pip check

# How well passages are found on labelled data: make quality [NEARDUP_DATA=folder]
quality: $(INSTALLED)-test
	$(BIN)/python -m tests.quality

format: $(INSTALLED)-check
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Compare with other tools on one corpus: make bench [CORPUS=file.jsonl]
bench: $(INSTALLED)
	$(BIN)/python -m benchmarks compare $(if $(CORPUS),--corpus $(CORPUS))

# Write what is written from the code, and all pages as a site that can be read from the disk: site/index.html
docs: $(INSTALLED)-docs
	$(BIN)/python tools/make_cli_reference.py
	$(BIN)/python tools/make_api_reference.py
	$(BIN)/python tools/make_tables.py
	$(BIN)/python tools/make_tree.py
	$(SITE)
	rm -f site/sitemap.xml*  # empty, as the site has no address

$(BIN)/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --upgrade "pip>=25.3"

$(INSTALLED): $(BIN)/pip pyproject.toml $(LOCK)
	@echo "Installing neardup and what it needs into $(VENV), once: this may take a minute or two."
	$(INSTALL) --editable .
	touch $@

$(INSTALLED)-test: $(INSTALLED)
	$(INSTALL) --group test
	touch $@

$(INSTALLED)-docs: $(INSTALLED)
	$(INSTALL) --group docs
	touch $@

$(INSTALLED)-check: $(INSTALLED)-test
	$(INSTALL) --group check
	touch $@

# Take the newest versions that pyproject.toml allows; run the tests with them before they are committed.
lock: $(BIN)/pip
	$(BIN)/python tools/make_lock.py

clean:
	rm -rf $(VENV) site .bench .fuzz neardup-demo neardup-demo.jsonl *.partial
	find . -name __pycache__ -prune -exec rm -rf {} +
