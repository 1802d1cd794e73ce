"""Every core, optional and component rule of the index has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def test_every_rule_is_named_by_a_test(narvik: Any) -> None:
    named: set[str] = set()
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for ids in re.findall(r"^@rule\(([^)]*)\)", path.read_text(encoding="utf-8"), re.MULTILINE):
            named.update(re.findall(r'"([^"]+)"', ids))
    wanted = {r.id for r in narvik.rules.values() if r.kind != "note"}
    assert sorted(named - set(narvik.rules)) == []
    assert sorted(wanted - named) == []
