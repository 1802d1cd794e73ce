"""How the program that runs was built: the rules are the same in each way, the speed is not."""

from __future__ import annotations

from counterblow.kernel import flow, graph

COMPILED, PARTLY, PLAIN = "all rules compiled", "hot paths compiled", "plain Python"


def how_built() -> str:
    """All of kernel and games compiled (``make compile``), the hot paths only, or nothing."""
    if not flow.__file__.endswith(".py"):
        return COMPILED
    return PARTLY if graph.COMPILED else PLAIN
