"""When each kind of action has its time: what is refused of it at any other."""

from __future__ import annotations

from counterblow.kernel.rulebook import Citation, refuse

TIMES = {
    ("place",): refuse("15.1", "units are placed one by one before the first turn"),
    ("bring on", "buy", "replace", "end reinforcements"): refuse(
        "10.10", "units come on one by one as a player-turn begins"
    ),
    ("enter",): refuse("10.10", "no unit is being brought on"),
    ("keep", "send"): refuse("10.22", "that is decided on the last September turn, if the roll allows it"),
    ("withdraw",): refuse("10.18", "no unit has to leave for Moscow"),
    ("march", "end movement"): refuse("1.4", "units march in the movement step, one at a time"),
    ("to",): refuse("1.4", "no unit is about to march, to sail or to go by rail"),
    ("via", "halt"): refuse("1.4", "no unit is on the march"),
    ("entrain",): refuse("7.11", "units go by rail in the Russian movement step, one thing at a time"),
    ("run",): refuse("13.1", "trains run in the Russian movement step, one thing at a time"),
    ("sail",): refuse("13.6", "the fleet sails in the Russian movement step, one thing at a time"),
    ("land",): refuse("7.20", "the Marines land in the Russian movement step, one thing at a time"),
    ("bombard",): refuse("13.7", "the fleet bombards in the Russian movement step, one thing at a time"),
    ("bomb with",): refuse("11.5", "missions are flown in the movement step, one at a time"),
    ("bomb",): refuse("11.5", "no air unit looks for a target"),
    ("join", "fly"): refuse("11.5", "no mission is being put together"),
    ("intercept", "no interception"): refuse("11.5", "no mission is flown that could be intercepted"),
    ("airlift", "end airlift"): refuse("11.18", "supplies are flown in the German supply step, to units cut off"),
    ("remove",): refuse("6.9", "what is over the limit is removed at the end of movement"),
    ("attack", "end attacks", "give up"): refuse("1.4", "attacks are allocated one at a time, when movement has ended"),
    ("with", "also", "commit"): refuse("2.19", "no ground attack is being put together"),
    ("without", "everybody"): refuse("2.19", "there is no attack or mission to be joined or left"),
    ("allow retreats", "no retreat"): refuse("3.14", "the order is given before battle, by the side that defends"),
    ("fight",): refuse("1.6", "battles are fought one at a time, in the combat step"),
    ("cancel",): refuse("2.10", "a German attack is cancelled in the combat step, before its die"),
    ("fire", "hold fire"): refuse("13.8", "the fleet fires just before a battle for its hex"),
    ("press on",): refuse("13.10", "the fleet has not just fired at attackers"),
    ("lose",): refuse("3.10", "no AE asks for losses"),
    ("order retreat",): refuse("3.2", "the length is ordered once, as a D1 or D2 is rolled"),
    ("retreat", "stay"): refuse("3.2", "no unit is on its retreat"),
    ("advance",): refuse("5.12", "no defended hex has just been left empty"),
    ("end advance",): refuse("5.1", "an advance ends when no unit is on its way"),
    ("entrench", "entrench all", "end entrenching"): refuse(
        "9.1", "units dig in at set-up and after their side's last combat"
    ),
}
MOMENTS: dict[str, Citation] = {kind: moment for kinds, moment in TIMES.items() for kind in kinds}
