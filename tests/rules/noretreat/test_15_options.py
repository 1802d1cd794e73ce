"""Chapter 15: the optional rules, each by its own switch."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, legal, refused, rule
from tests.rules.noretreat.play import (
    combat,
    face,
    fact,
    fight,
    hand,
    marked,
    moving,
    offers,
    organizing,
    outlook,
    pay,
    plan,
    shifts,
    skip_to,
    starting,
)

SMALL = {"9th Army": "0810", "Don": "2210"}


def placing(game: Any, side: str, turn: int, option: str, **more: Any) -> Any:
    switch = {option: True} if option else {}
    s = organizing(game, more.pop("units", {}), side, turn, options=switch, **more)
    do(s, "done")
    return s


@rule("15.1")
def test_detachments(noretreat: Any) -> None:
    units = {"9th Army": "0810", "4th Army": "0811", "6th Army": "0811", "16th Army": "0710", "2nd Panzer": "0812",
             "17th Army": {"at": "0813", "face": "reduced"}}  # fmt: skip
    off = placing(noretreat, "axis", 8, "", units=units)
    assert refused(off, "break down 9th Army", because="15.1")
    early = placing(noretreat, "axis", 7, "detachments", units=units)
    assert refused(early, "break down 9th Army", because="15.1")
    s = placing(noretreat, "axis", 8, "detachments", units=units)
    assert starting(s, "break down") == ["9th Army"]  # not stacked, not reduced, not a 3-4
    do(s, "break down 9th Army", "place Detachment A 0810", "place Detachment B 0809")
    assert at(s, "9th Army") is None
    assert s.fate[noretreat.unit("9th Army")] == 0
    assert refused(s, "break down 4th Army", because="15.1")
    do(s, "draw a mechanized detachment from 2nd Panzer", "place Mech Detachment 0812")
    assert face(s, "2nd Panzer") == "reduced"
    zoned = placing(noretreat, "axis", 8, "detachments", units={"9th Army": "0810", "Don": "1010"})
    do(zoned, "break down 9th Army")
    assert refused(zoned, "place Detachment A 0910", because="15.1")


@rule("15.2")
def test_fortified_fronts(noretreat: Any) -> None:
    units = {"Kalinin": "2210", "South": "2310", "Don": {"at": "2311", "face": "red"}}
    off = placing(noretreat, "soviet", 5, "", units=units)
    assert refused(off, "turn Kalinin into Fortified Fronts", because="15.2")
    assert placing(noretreat, "soviet", 4, "fortified_fronts", units=units).refuses(
        "turn Kalinin into Fortified Fronts", because="15.2"
    )
    s = placing(noretreat, "soviet", 5, "fortified_fronts", units=units)
    assert starting(s, "turn") == ["Kalinin into Fortified Fronts"]
    do(s, "turn Kalinin into Fortified Fronts", "place Fortified Front 1 2210", "place Fortified Front 2 2211")
    assert at(s, "Kalinin") is None
    assert refused(s, "turn South into Fortified Fronts", because="15.2")
    late = noretreat.position(turn=20, phase="soviet.movement", units={"Fortified Front 1": "2210"})
    assert [u["steps"] for u in late.view(None)["units"]] == [1]


@rule("15.3.a", "15.3.b")
def test_local_support(noretreat: Any) -> None:
    units = {"9th Army": "0909", "4th Army": "2210", "Don": "0908"}
    off = moving(noretreat, units)
    do(off, "done")
    assert asked(off) != "options.GiveSupport"
    for turn, side, unit, bonus in ((7, "axis", "9th Army", 2), (11, "axis", "9th Army", 1), (7, "soviet", "Don", 1),
                                    (11, "soviet", "Don", 2)):  # fmt: skip
        s = moving(noretreat, units, side, turn=turn, options={"local_support": True})
        do(s, "done")
        skip_to(s, "options.GiveSupport")
        if side == "axis":
            assert refused(s, "support 4th Army", because="15.3.a")  # out of supply
        do(s, f"support {unit}")
        skip_to(s, "combat.DeclareTargets")
        target = "0908" if side == "axis" else "0909"
        expected = {"9th Army": 4, "Don": 4}[unit] + bonus
        assert fact(outlook(s, target, unit), "attack") == str(expected)
    s = moving(noretreat, units, options={"local_support": True})
    do(s, "done", "support 9th Army")
    while not (s.phase == "axis.movement" and s.turn == 8):
        do(s, legal(s)[-1] if not offers(s, "done") else "done")
        assert not s.over
    assert s.local == (-1, -1)


@rule("15.3.b")
def test_local_support_is_set_aside_with_its_unit(noretreat: Any) -> None:
    s: Any = combat(
        noretreat,
        {"2nd Panzer": "2210", "1st Panzer": "2110", "Don": "2211"},
        options={"local_support": True},
        dice=(6,),
    )
    s.local = (-1, noretreat.unit("Don"))
    fight(s, "2211", "2nd Panzer", "1st Panzer")
    assert at(s, "Don") == "Soviet Destroyed"
    assert s.local == (-1, -1)


@rule("15.4")
def test_no_variable_weather(noretreat: Any) -> None:
    pile = ["Reserves", "Pioneers", "Hedgehogs", "Siege Artillery", "Walter Model", "Das Vaterland", "General Winter"]
    for turn, option, sky in ((2, "no", "Snow"), (2, "always", "Mud"), (2, "1941", "Mud"), (8, "1941", "Snow"),
                              (8, "always", "Mud")):  # fmt: skip
        s = noretreat.position(turn=turn, phase="soviet.card", units=SMALL, pile=pile,
                               options={"no_variable_weather": option})  # fmt: skip
        calendar = {c["turn"]: c["weather"] for c in s.view(None)["calendar"]}
        assert calendar[turn + 1] == sky
        assert s.view("soviet")["hands"]["soviet"]["count"] == 4


@rule("15.5")
def test_faster_reorganization(noretreat: Any) -> None:
    """Vector: Rasputitsa (a cross) reorganizes two units before turn 12."""
    tired = {
        name: {"at": where, "disorganized": True}
        for name, where in (("Don", "2210"), ("Kalinin", "2310"), ("West", "2311"))
    }

    def reorganized(turn: int, card: str, switch: bool) -> list[str]:
        s = organizing(noretreat, tired, "soviet", turn, hands={"soviet": [card]},
                       options={"faster_reorganization": switch})  # fmt: skip
        do(s, "done", "done", "reorganize Don", f"discard {card}")
        if asked(s) == "organization.Reorganize":
            do(s, "reorganize Kalinin")
        return [name for name in tired if not marked(s, name, "disorganized")]

    assert reorganized(7, "Rasputitsa", True) == ["Don", "Kalinin"]
    assert reorganized(7, "Rasputitsa", False) == ["Don"]
    assert reorganized(13, "Rasputitsa", True) == ["Don"]  # the Initiative is Soviet
    assert reorganized(7, "Katyusha", True) == ["Don"]
    assert reorganized(13, "Red Air Force", True) == ["Don", "Kalinin"]


@rule("15.6")
def test_no_surrender(noretreat: Any) -> None:
    west = ("Warsaw", "Lublin", "Bucharest", "Danzig", "Stettin", "Breslau", "Budapest")
    east = ("Riga", "Minsk", "Smolensk", "Kiev", "Odessa", "Kharkov")
    for held, cards, fewer in ((18, 4, 0), (19, 3, 0), (20, 3, 1), (21, 3, 2), (24, 3, 2)):
        control = dict.fromkeys(east[: 22 - held], "axis") if held <= 22 else dict.fromkeys(west[: held - 22], "soviet")
        s = noretreat.position(
            turn=14,
            phase="soviet.detraining",
            units=SMALL,
            control=control,
            options={"no_surrender": True},
            hands={"axis": ["Feint", "Reserves", "Pioneers", "Hedgehogs"]},
        )
        assert not s.over
        assert s.turn == 15
        assert len(hand(s, "axis")) == cards
        assert s.draw_loss[0] == fewer


@rule("15.7")
def test_the_joker(noretreat: Any) -> None:
    off = noretreat.start("A", seed=1)
    assert not any(off.view(None)["hands"][side]["joker"] for side in ("axis", "soviet"))
    for name, side in (("A", "axis"), ("C", "soviet"), ("F", "soviet")):
        s = noretreat.start(name, seed=1, options={"joker": True})
        assert s.view(None)["hands"][side]["joker"]
    held = ["Joker (Axis side)", "Feint", "Reserves", "Pioneers"]
    limit = noretreat.position(turn=8, phase="axis.card", units=SMALL, hands={"axis": held}, options={"joker": True})
    assert asked(limit) == "cards.Discard"
    assert not offers(limit, "discard Joker (Axis side)")
    do(limit, "discard Feint")
    assert asked(limit) != "cards.Discard"  # two cards and the Joker
    s = combat(
        noretreat,
        {"9th Army": "2210", "Don": "2211"},
        hands={"axis": ["Joker (Axis side)"]},
        options={"joker": True},
        dice=(4,),
    )
    plan(s, "2211", "9th Army")
    do(s, "fight", "play Joker (Axis side)")
    assert s.view(None)["hands"]["soviet"]["joker"]
    assert not s.view(None)["hands"]["axis"]["joker"]


@rule("15.8")
def test_rezervy(noretreat: Any) -> None:
    s: Any = noretreat.start("campaign", seed=1, options={"rezervy": True})
    assert s.due[noretreat.unit("Rezervy")] == 5
    built = organizing(noretreat, {"Don": "2210", "Moscow": "1907"}, "soviet", 5, options={"rezervy": True},
                       track={"Rezervy": 5}, hands={"soviet": ["Feint"]})  # fmt: skip
    do(built, "done")
    assert at(built, "Rezervy") == "Soviet Destroyed"
    do(built, "replace Rezervy")
    pay(built)
    assert offers(built, "place Rezervy 1907")  # beside a unit that fills the hex
    alone = moving(noretreat, {"Rezervy": "2210", "Don": "2310"}, "soviet")
    do(alone, "done")
    assert at(alone, "Rezervy") == "Soviet Destroyed"
    stacked = moving(noretreat, {"Rezervy": "2310", "Don": "2310"}, "soviet")
    do(stacked, "done")
    assert at(stacked, "Rezervy") == "2310"
    assert combat(noretreat, {"Rezervy": "2210", "9th Army": "2211"}, "soviet").refuses("target 2211", because="15.8")
    units = {"2nd Panzer": "2210", "9th Army": "2210", "4th Army": "2110", "Don": "2211", "Rezervy": "2211"}
    loss = combat(noretreat, units, dice=(1,))
    fight(loss, "2211", "2nd Panzer", "9th Army", "4th Army")
    do(loss, "take the loss from 9th Army", "take the loss from Rezervy")
    assert at(loss, "Don") == "2211"


@rule("15.9")
def test_partisans(noretreat: Any) -> None:
    units = {"9th Army": "2211", "4th Army": "0510", "Don": "2210", "6th Army": "1914"}

    def detraining(weather: str, switch: bool = True, turn: int = 4) -> Any:
        return noretreat.position(turn=turn, phase="soviet.detraining", units=units, weather=weather,
                                  options={"partisans": switch})  # fmt: skip

    assert asked(detraining("Clear")) != "options.Partisans"
    assert asked(detraining("Snow", False)) != "options.Partisans"
    assert asked(detraining("Mud", turn=3)) != "options.Partisans"
    s = detraining("Mud")
    assert starting(s, "send partisans against") == ["9th Army"]
    do(s, "send partisans against 9th Army")
    assert marked(s, "9th Army", "disorganized")
    assert marked(s, "9th Army", "partisans")
    while s.phase != "soviet.movement":
        quiet = [t for t in legal(s) if t in ("done", "pass")]
        do(s, quiet[0] if quiet else legal(s)[0])
    assert not marked(s, "9th Army", "disorganized")
    assert s.partisan == (9, -1)


@rule("15.11.a", "15.11.b")
def test_variable_card_initiative(noretreat: Any) -> None:
    on = {"variable_initiative": True}
    s = noretreat.position(turn=7, phase="victory", units=SMALL, options=on)
    assert (s.side, asked(s)) == ("soviet", "options.ShiftInitiative")
    do(s, "move the Initiative counter")
    assert s.initiative_counter == 11
    assert s.event_vp == 0  # a red event for the Soviets, one paid back
    late = noretreat.position(turn=13, phase="victory", units=SMALL, options=on)
    assert (late.side, asked(late)) == ("axis", "options.ShiftInitiative")
    do(late, "move the Initiative counter")
    assert (late.initiative_counter, late.event_vp) == (13, -1)
    for turn, counter, able in (
        (7, 2, True),
        (7, 1, False),
        (13, 27, True),
        (13, 28, False),
    ):  # as far as the track goes
        s = noretreat.position(turn=turn, phase="victory", units=SMALL, options=on, initiative_counter=counter)
        assert (asked(s) == "options.ShiftInitiative") is able
    off = noretreat.position(turn=7, phase="victory", units=SMALL)
    assert asked(off) != "options.ShiftInitiative"
    pair = {"2nd Panzer": "2210", "Don": "2211"}
    for turn, counter, side, card, able in (
        (10, 10, "soviet", "Red Air Force", True), (10, 11, "soviet", "Red Air Force", False),
        (13, 14, "axis", "Luftflotte", True), (13, 13, "axis", "Luftflotte", False),
        (12, 13, "axis", "Luftflotte", True), (12, 12, "axis", "Luftflotte", False),
    ):  # fmt: skip
        t = combat(noretreat, pair, side, turn=turn, options=on, initiative_counter=counter, hands={side: [card]})
        target, unit = ("2210", "Don") if side == "soviet" else ("2211", "2nd Panzer")
        plan(t, target, unit)
        do(t, "fight")
        assert offers(t, f"play {card}") is able
    reset = noretreat.position(
        turn=11,
        phase="soviet.detraining",
        units=SMALL,
        options=on,
        initiative_counter=9,
        control=dict.fromkeys(("Riga", "Minsk", "Kiev", "Odessa", "Kharkov", "Smolensk"), "axis"),
    )
    assert reset.turn == 12
    assert reset.initiative_counter == 12


@rule("C.CRT")
def test_the_switch_of_the_combat_table(noretreat: Any) -> None:
    for switch in (False, True):
        s = combat(noretreat, {"9th Army": "2211", "Don": "2210"}, "soviet", options={"crt_1to1_3": switch}, dice=(3,))
        assert not shifts(outlook(s, "2211", "Don"))
        do(s, "fight")
        assert (asked(s) == "results.PutCounterblow") is not switch
