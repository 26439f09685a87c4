PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup run quality test test-agents test-ui docs site bench record check clean
.DEFAULT_GOAL := test

setup: $(VENV)/ready

$(VENV)/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Siltstone needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

run: setup
	rm -rf .demo
	PYTHON=$(BIN)/python sh tests/demo.sh .demo

test: setup check
	$(BIN)/python -m pytest -n auto

# The real agents, installed from npm and asked headlessly against a model of ours: needs node and npm.
# Two files of tests at a time: while one waits, the other has the processor.
test-agents: setup
	@command -v node >/dev/null && command -v npm >/dev/null \
		|| { echo "the agents' tests need node 20 or newer and npm on the PATH; install them" >&2; exit 2; }
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' \
		|| { echo "the agents' tests need node 20 or newer; this is $$(node --version)" >&2; exit 2; }
	$(BIN)/python -m pytest tests/real -n 2 --dist loadfile

# The page of `silt ui` in Chromium: the system's, else one that Playwright downloads. With SHOTS=write the
# pictures of docs/ui.md are made anew.
test-ui: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/cli/browser/requirements.lock
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null \
		|| $(BIN)/playwright install chromium \
		|| { echo "the page's tests need Chromium: install your system's package \`chromium\`" >&2; exit 2; }
	$(BIN)/python -m pytest tests/cli/browser

# Writes docs/commands.md from the commands' own help, the table of docs/settings.md from the settings,
# docs/layouts.md from a sample, and the README's picture from the demo.
docs: setup
	PYTHONPATH=tests $(BIN)/python -m support.commands
	PYTHONPATH=tests $(BIN)/python -m support.settings
	PYTHONPATH=tests $(BIN)/python -m support.layouts
	PYTHONPATH=tests $(BIN)/python -m support.picture

# The docs as a website, in .site/html; its builder stands in an environment of its own.
site:
	$(PYTHON) -m venv .site/venv
	.site/venv/bin/python -m pip install --quiet --disable-pip-version-check 'mkdocs-material>=9.6,<10'
	NO_MKDOCS_2_WARNING=1 .site/venv/bin/mkdocs build --clean --strict

# Measures the budgets and writes docs/benchmarks.md: some ten minutes.
bench: setup
	$(BIN)/python -m benchmarks --write

# The planted sessions through the whole run, scored; with SILT_MODEL and a key, a model too.
quality: setup
	$(BIN)/python -m benchmarks.quality

# Records every cassette anew: SILT_RECORD_BASE names the endpoint, SILT_RECORD_MODEL the model.
record: setup
	@test -n "$$SILT_RECORD_BASE" || { echo "set SILT_RECORD_BASE (and a key): see cassettes/README.md"; exit 2; }
	$(BIN)/python -m pytest --record-mode=rewrite -m vcr

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p siltstone
	$(BIN)/mypy tests benchmarks

clean:
	rm -rf $(VENV) .demo .site build dist *.egg-info .mypy_cache .ruff_cache
