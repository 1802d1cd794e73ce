"""Chapter 10: zones of control. The kernel counts them; these are the questions the other chapters ask."""

from __future__ import annotations

from counterblow.games.narvik.state import NarvikState


def in_enemy_zone(s: NarvikState, side: int, node: int) -> bool:
    """Is a hex in a zone of control of the other side? Friendly units there change nothing (10.1.f).

    10.0.a, 10.0.b, 10.0.c, 10.0.d, 10.0.e
    """
    return s.zone[1 - side][node] > 0
