"""Section 2.1.3: guesses under fog of war. What a side may see is in ``NarvaState.sees``."""

from __future__ import annotations

from counterblow.games.narva.components import COMBAT
from counterblow.games.narva.state import NarvaState
from counterblow.kernel.fog import exchange
from counterblow.kernel.state import NOWHERE


def redeal(s: NarvaState, side: int) -> None:
    """Exchange enemy combat units that a side cannot see, for computer players.

    Units that may stand in the same hexes (6.3.3, 6.3.4) change places. Supply and pin markers stay where they are.
    """
    game = s.game
    alike: dict[int, list[int]] = {}
    for unit in game.roster[1 - side]:
        hidden = s.at[unit] != NOWHERE and not s.sees(side, unit)
        if hidden and game.kinds[unit] == COMBAT and unit != game.naval_brigade:
            alike.setdefault(game.classes[unit][1], []).append(unit)
    swap = exchange(s, alike.values())
    markers = {other: (s.supply[unit], s.pin[unit]) for unit, other in swap.items()}
    for unit, (supply, pin) in markers.items():
        s.supply[unit], s.pin[unit] = supply, pin
    s.recount_all()
