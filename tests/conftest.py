"""Fixtures for all tests, and the tally of rules that passing tests prove."""

from __future__ import annotations

import pytest

import counterblow
from counterblow import Game


@pytest.fixture(scope="session")
def leningrad() -> Game:
    return counterblow.load("leningrad")


@pytest.fixture(scope="session")
def narva() -> Game:
    return counterblow.load("narva")


@pytest.fixture(scope="session")
def narvik() -> Game:
    return counterblow.load("narvik")


@pytest.fixture(scope="session")
def noretreat() -> Game:
    return counterblow.load("noretreat")
