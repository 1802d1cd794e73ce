"""What the games lay over their maps: reach with costs and ways, supply, command, control."""

from __future__ import annotations

from itertools import pairwise

import pytest

from counterblow import Game


def test_leningrad_reach_is_where_the_unit_may_march(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement", units={"LVI. Panzer Korps": "0418", "41. Corps": "0417", "11. Army": "0817"}
    )
    unit = leningrad.unit("LVI. Panzer Korps")
    before = leningrad.views.overlay(s, "reach", 0, unit, 0)
    s.do("march LVI. Panzer Korps")
    after = leningrad.views.overlay(s, "reach", 0, unit, 0)
    destinations = {leningrad.board.labels[a.args[0]] for a in s.legal() if a.kind == "to"}
    assert set(after["hexes"]) == destinations == set(before["hexes"])
    assert all(0 < cost <= 5 for cost in after["hexes"].values())
    for label, path in after["paths"].items():
        nodes = [leningrad.node(step) for step in path]
        assert (path[0], path[-1]) == ("0418", label)
        assert all(b in leningrad.board.around[a] for a, b in pairwise(nodes))
    assert [str(a) for a in s.legal()] == [str(a) for a in s.copy().legal()]


def test_leningrad_supply_and_control(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"LVI. Panzer Korps": "0418", "11. Army": "0817"})
    assert "0418" in leningrad.views.overlay(s, "supply", 0, None, 0)["hexes"]
    assert leningrad.views.overlay(s, "control", 0, None, 0)["hexes"]["0417"] in leningrad.sides


def test_narva_reach_command_and_supply(narva: Game) -> None:
    s = narva.start()
    while s.decision.kind != "movement.ChooseMover":  # type: ignore[union-attr]
        s.do(s.legal()[0])
    s.do(s.legal()[1])
    unit = s.agenda[-1][1]
    found = narva.views.overlay(s, "reach", 0, unit, None)
    allowed = {narva.board.labels[a.args[0]] for a in s.legal() if a.kind == "to"}
    assert allowed <= set(found["hexes"])
    assert all(path[0] == narva.board.labels[s.at[unit]] for path in found["paths"].values())
    assert narva.views.overlay(s, "command", 1, None, 1)["hexes"]
    assert narva.views.overlay(s, "supply", 1, None, 1)["hexes"]


@pytest.mark.parametrize("kind", ["supply", "reach"])
def test_narva_tells_nothing_of_unseen_enemies(narva: Game, kind: str) -> None:
    s = narva.start(options={"fog": True})
    unit = next(u for u in range(len(narva.unit_names)) if narva.side_of[u] == 0 and s.at[u] >= 0)
    assert narva.views.overlay(s, kind, 0, unit, 0)["hexes"]
    assert narva.views.overlay(s, kind, 0, unit, 1)["hexes"] == {}
