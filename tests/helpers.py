"""What every test uses."""

from __future__ import annotations

import pytest


def rule(*ids: str) -> pytest.MarkDecorator:
    """Marks a test with the ids of the rules that it proves."""
    return pytest.mark.rule(*ids)
