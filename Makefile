# Everything runs in .venv, which each target makes when it is missing or older than the lock file.
PYTHON ?= python3
BIN := .venv/bin
# Where there is no C compiler the package installs all the same and runs as plain Python.
READY := .venv/.ready

.PHONY: compile docs torture setup web play test test-large rules fuzz bench lint lock clean

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
	$(BIN)/python -m tests.service.torture --runs 200 --postgresql --kill-database

# The API reference, from the docstrings, as build/reference/index.html: what is public, not the games' own chapters.
REFERENCE := counterblow !counterblow.games counterblow.kernel !counterblow.kernel.plain counterblow.players counterblow.players.base \
	counterblow.players.judging counterblow.players.maps counterblow.learn counterblow.atlas counterblow.atlas.geometry \
	counterblow.lab.fuzz counterblow.lab.simulate counterblow.lab.experiment counterblow.lab.tournament counterblow.lab.balance \
	counterblow.lab.review counterblow.envs counterblow.envs.encoding counterblow.envs.seat counterblow.envs.zoo
docs: setup
	$(BIN)/python -W ignore -m pdoc --no-show-source --output-directory build/reference $(foreach name,$(REFERENCE),'$(name)')

# What deploy/compose.yaml describes, started without containers; needs nginx and a PostgreSQL server.
check-deploy: setup
	$(BIN)/python deploy/check.py

fuzz: setup
	$(BIN)/counterblow fuzz --games 50

# Kernel and games compiled as a whole, for many games: a few minutes of work, into build/compiled.
compile: setup
	$(BIN)/python tools/compile.py

bench: compile
	$(BIN)/counterblow bench

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv build src/*.egg-info src/counterblow/kernel/*.so

lock: setup
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --extra dev --extra docs --extra lab --extra research --no-emit-index-url --no-emit-find-links --no-emit-options \
		--strip-extras --allow-unsafe --no-header --output-file requirements.lock pyproject.toml
