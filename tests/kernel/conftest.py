from __future__ import annotations

import pytest

from tests.kernel.toy.game import Toy


@pytest.fixture(scope="session")
def toy() -> Toy:
    return Toy()
