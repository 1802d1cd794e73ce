# Everything runs in .venv, which each target makes when it is missing or older than the lock file.
PYTHON ?= python3
BIN := .venv/bin
# Where there is no C compiler the package installs all the same and runs as plain Python.
READY := .venv/.ready

.PHONY: torture setup web play test test-large rules fuzz bench lint lock clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml setup.py src/counterblow/kernel/graph.py src/counterblow/kernel/graph.pxd
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# The browser client, built into the package with the machine's Node or the one from PyPI.
web: setup
	$(BIN)/python web/build.py

play: web
	$(BIN)/counterblow serve

# What fails is run once more, alone: on a busy machine a browser may miss its moment. What fails twice fails.
test: web
	$(BIN)/python web/build.py test
	$(BIN)/python -m pytest -n auto -q || $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures none

# Ray and OpenSpiel are large and not in the lock: here they are installed and their tests run.
test-large: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lab,research,cluster,openspiel]'
	$(BIN)/python -m pytest -q tests/lab/test_cluster.py tests/envs/test_openspiel.py

# Rule -> code -> test, as build/rules.md and build/rules.json; a rule without its place or its test is an error.
rules: setup
	$(BIN)/python -m pytest -n auto -q tests/rules --rules-report build/rules.json

# Servers and databases killed while people play, 200 times each.
torture: setup
	$(BIN)/python -m tests.service.torture --runs 200
	$(BIN)/python -m tests.service.torture --runs 200 --postgresql --servers 2
	$(BIN)/python -m tests.service.torture --runs 20 --postgresql --kill-database

fuzz: setup
	$(BIN)/counterblow fuzz --games 50

bench: setup
	$(BIN)/counterblow bench

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv build src/*.egg-info src/counterblow/kernel/*.so

lock: setup
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --extra dev --extra lab --extra research --no-emit-index-url --no-emit-find-links --no-emit-options \
		--strip-extras --allow-unsafe --no-header --output-file requirements.lock pyproject.toml
