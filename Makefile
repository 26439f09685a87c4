PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup run test check clean
.DEFAULT_GOAL := test

setup: $(VENV)/ready

$(VENV)/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Siltstone needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

test: setup check
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p siltstone
	$(BIN)/mypy tests benchmarks

clean:
	rm -rf $(VENV) .demo build dist *.egg-info .mypy_cache .ruff_cache
