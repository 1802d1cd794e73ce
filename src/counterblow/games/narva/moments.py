"""When each kind of action has its time: what is refused of it at any other."""

from __future__ import annotations

from counterblow.kernel.rulebook import Citation, refuse

TIMES = {
    ("draw",): refuse("3.0c", "a chit is drawn when the one before has been played out"),
    ("wake", "pass"): refuse("4.1.1c", "no HQ is being chosen for a Command chit"),
    ("relocate",): refuse("4.1.3", "no Army HQ is being chosen to be moved instead of an activation"),
    ("place",): refuse("4.1.3", "no HQ is being moved, displaced or brought in"),
    ("add",): refuse("4.2.1a", "no units are being called up, and no attack is being put together"),
    ("no_more",): refuse("4.2.1a", "no units are being called up"),
    ("move",): refuse("6.0a", "no movement segment is being played"),
    ("to", "stop"): refuse("6.0a", "no unit is on the move"),
    ("by_road",): refuse("6.4a", "no unit is on the move"),
    ("ferry",): refuse("6.2.2g", "no unit is on the move"),
    ("rail",): refuse("6.5f", "only a reinforcement that is entering goes by rail"),
    ("end_movement",): refuse("3.0c", "no movement segment is being played"),
    ("attack",): refuse("9.0a", "no combat segment is being played"),
    ("resolve",): refuse("9.0a", "no attack is being put together"),
    ("end_combat",): refuse("3.0c", "no combat segment is being played"),
    ("full_air", "normal_air"): refuse("12.1a", "air units support an attack that is being put together"),
    ("lose",): refuse("9.4a", "no combat result asks for a step"),
    ("retreat",): refuse("9.5a", "no combat result makes a unit retreat"),
    ("give_up",): refuse("7.1b", "no unit that has retreated stands over the limit"),
    ("advance", "halt"): refuse("9.6a", "no attack has just emptied a hex"),
    ("barrage", "cease_fire"): refuse("2.5.1b", "no barrage has been granted"),
    ("three_units",): refuse("2.5.4b", "the Free Move chit has not just been drawn"),
    ("formation",): refuse("2.5.2b", "no random event moves a formation"),
    ("rebuild", "return"): refuse("11.2a", "no random event has brought replacements"),
    ("raise",): refuse("11.3.5", "no marker is being raised"),
    ("decline",): refuse("3.0c", "nothing is offered that could be declined"),
    ("enter",): refuse("3.0a", "reinforcements enter in the Reinforcement Phase"),
    ("reroute",): refuse("8.0.4a", "a German reinforcement is re-routed when it could enter"),
    ("land", "wait"): refuse("8.0.6a", "the 260th MS is not about to land"),
    ("without", "everybody"): refuse("9.0a", "no attack is being put together"),
    ("back",): refuse("3.0c", "what is done is not taken back"),
}
MOMENTS: dict[str, Citation] = {kind: moment for kinds, moment in TIMES.items() for kind in kinds}
MOVE, ATTACK = "first the move under way is finished", "first the attack under way is finished"
COMMAND = "chits are drawn in the Command Phase, which is over"
# kind of action and end of the phase's name, or kind of decision: one thing after another
ONE_BY_ONE = {
    ("move", "movement"): refuse("6.0b", MOVE),
    ("move", "free_move"): refuse("6.0b", MOVE),
    ("end_movement", "movement"): refuse("3.0c", MOVE),
    ("end_movement", "free_move"): refuse("6.0b", MOVE),
    ("attack", "combat"): refuse("9.0a", ATTACK),
    ("end_combat", "combat"): refuse("3.0c", ATTACK),
    ("enter", "reinforcement"): refuse("6.0b", "first the unit that has entered finishes its move"),
    ("wait", "reinforcements.PlaceArmy"): refuse("4.2.5d", "an Army HQ that can be placed does not wait"),
    ("draw", "reinforcement"): refuse("3.0a", COMMAND),
    ("draw", "landing"): refuse("3.0a", COMMAND),
    ("draw", "advance"): refuse("3.0a", COMMAND),
    ("back", "movement.Leg"): refuse("6.0b", "a unit that has set out finishes its move"),
}


def moment_of(stage: str, decision: str, kind: str) -> Citation | None:
    """When a kind of action has its time."""
    segment = stage.rpartition(".")[2]
    return ONE_BY_ONE.get((kind, decision)) or ONE_BY_ONE.get((kind, segment)) or MOMENTS.get(kind)
