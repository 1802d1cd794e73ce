"""Both halves of every card: when it can be played, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from counterblow.games.noretreat.supply import supply_net
from tests.helpers import asked, at, do, legal, log, refused, rule
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
    reach,
    score,
    shifts,
    skip_to,
    starting,
    told,
)

COVERED: set[str] = set()
SMALL = {"9th Army": "0810", "Don": "2210"}


def proves(*names: str) -> Callable[[Any], Any]:
    """Marks a test with the events that it proves."""
    COVERED.update(names)
    return lambda test: test


def side_of(game: Any, event: str) -> str:
    return "soviet" if game.event_names.index(event) & 1 else "axis"


def late(game: Any, event: str) -> int:
    """A turn on which the event's card is in the deck and its symbol fits."""
    half = game.halves[game.event_names.index(event)]
    card = game.cards[half.number]
    return 24 if card.year45 == "green" else 13 if half.symbol == "star" else 7


def battle(game: Any, event: str, role: str = "attacker", **more: Any) -> Any:
    """A battle in clear terrain in which the owner of an event attacks or defends, at the commitment step."""
    side = side_of(game, event)
    attacker = side if role == "attacker" else ("soviet" if side == "axis" else "axis")
    units = more.pop("units", None) or {"9th Army": "2210", "Don": "2211"}
    turn = more.pop("turn", late(game, event))
    own, target = ("Don", "2210") if attacker == "soviet" else ("9th Army", "2211")
    hands = more.pop("hands", {side: [event]})
    s = combat(game, units, attacker, turn=turn, hands=hands, **more)
    plan(s, more.get("target", target), more.get("unit", own))
    do(s, "fight")
    return s


# ---------------------------------------------------------------------- battle events before the roll

RIGHT = {
    "Katyusha": 1, "Georgi Zhukov": 2, "Luftflotte": 1, "Red Air Force": 1, "Massed Artillery": 1, "Steamroller": 2,
    "Katyusha Barrage": 1, "Georgi Zhukov (card 49)": 2, "Air Supremacy": 1, "Joker (Axis side)": 1,
    "Joker (Soviet side)": 1, "Spring Awakening": 2,
}  # fmt: skip
LEFT = ("Walter Model", "Soviet SNAFU", "Fortified Line", "Ferdinand Schoerner")


@proves(*RIGHT)
@pytest.mark.parametrize(("event", "amount"), RIGHT.items())
def test_shifts_to_the_right(noretreat: Any, event: str, amount: int) -> None:
    s = battle(noretreat, event, dice=(4,))
    assert shifts(s.forecast(f"play {event}"))["10.5.4"] == amount
    do(s, f"play {event}")
    assert event not in hand(s, side_of(noretreat, event))
    defending = battle(noretreat, event, "defender", dice=(4,))
    assert not offers(defending, f"play {event}")


@proves("Massed Artillery")
def test_massed_artillery_needs_infantry(noretreat: Any) -> None:
    units = {"2nd Tank": "2210", "9th Army": "2211"}
    s = combat(noretreat, units, "soviet", turn=13, hands={"soviet": ["Massed Artillery"]})
    plan(s, "2211", "2nd Tank")
    do(s, "fight")
    assert not offers(s, "play Massed Artillery")


@proves("Spring Awakening")
def test_spring_awakening_costs_a_step(noretreat: Any) -> None:
    s = battle(noretreat, "Spring Awakening", dice=(1,), weather="Clear")  # 2:1 after the shifts, a 1 is no effect
    do(s, "play Spring Awakening")
    assert face(s, "9th Army") == "reduced"
    assert at(s, "Don") == "2211"


@proves(*LEFT)
@pytest.mark.parametrize("event", LEFT)
def test_shifts_to_the_left(noretreat: Any, event: str) -> None:
    s = battle(noretreat, event, "defender", dice=(4,))
    assert s.side == "axis"
    assert shifts(s.forecast(f"play {event}"))["10.5.4"] == -1
    attacking = battle(noretreat, event, dice=(4,))
    assert not offers(attacking, f"play {event}")


@proves("Street Fighting")
def test_street_fighting(noretreat: Any) -> None:
    for target, able in (("1414", True), ("1415", False)):
        s = combat(noretreat, {"9th Army": "1314", "Don": target}, hands={"soviet": ["Street Fighting"]}, dice=(4,))
        plan(s, target, "9th Army")
        do(s, "fight")
        assert offers(s, "play Street Fighting") is able
        if able:
            assert shifts(s.forecast("play Street Fighting"))["10.5.4"] == -1


@proves("Erich von Manstein", "Ivan Konev", "Konstantin Rokossovsky", "Ivan Konev (card 50)")
@pytest.mark.parametrize(
    "event", ["Erich von Manstein", "Ivan Konev", "Konstantin Rokossovsky", "Ivan Konev (card 50)"]
)
def test_doubled_strength(noretreat: Any, event: str) -> None:
    unit = "9th Army" if side_of(noretreat, event) == "axis" else "Don"
    attack = battle(noretreat, event, dice=(4,))
    assert fact(attack.forecast(f"play {event} on {unit}"), "attack") == "8"
    defence = battle(noretreat, event, "defender", dice=(4,))
    assert fact(defence.forecast(f"play {event} on {unit}"), "defence") == "8"
    do(defence, f"play {event} on {unit}")


@proves("Erich von Manstein")
def test_manstein_commands_germans_only(noretreat: Any) -> None:
    units = {"3rd Rumanian": "2210", "9th Army": "2210", "Don": "2211"}
    s = combat(noretreat, units, hands={"axis": ["Erich von Manstein"]})
    plan(s, "2211", "3rd Rumanian", "9th Army")
    do(s, "fight")
    assert starting(s, "play Erich von Manstein on") == ["9th Army"]


IGNORED = {
    # event: (attacker's hex, target, terrain shifts before, after)
    "River Crossing": ("1414", "1514", ["river"], []),
    "Bridgehead": ("1514", "1414", ["city", "river"], ["city"]),
    "Siege Artillery": ("2314", "2415", ["city", "Objective hexside"], []),
    "Stukas": ("1414", "1513", ["forest", "river"], ["river"]),
    "Sturmovik": ("1414", "1513", ["forest", "river"], ["river"]),
    "Pioneers": ("1414", "1513", ["forest", "river"], ["river"]),
    "To the Reichstag!": ("0310", "0210", ["city", "Objective hexside"], ["Objective hexside"]),
}


@proves(*IGNORED)
@pytest.mark.parametrize("event", IGNORED)
def test_ignored_terrain(noretreat: Any, event: str) -> None:
    start, target, before, after = IGNORED[event]
    side = side_of(noretreat, event)
    own, enemy = ("9th Army", "Don") if side == "axis" else ("Don", "9th Army")
    s = combat(
        noretreat, {own: start, enemy: target}, side, turn=late(noretreat, event), hands={side: [event]}, dice=(4,)
    )
    plan(s, target, own)
    names = [m.text for m in s.forecast("fight").modifiers]
    assert names == before
    do(s, "fight")
    assert [m.text for m in s.forecast(f"play {event}").modifiers] == after
    open_ground = battle(noretreat, event, dice=(4,))
    assert not offers(open_ground, f"play {event}")


@proves("To the Reichstag!")
def test_the_reichstag_is_in_greater_germany(noretreat: Any) -> None:
    s = combat(noretreat, {"Don": "1314", "9th Army": "1414"}, "soviet", turn=24, weather="Clear",
               hands={"soviet": ["To the Reichstag!"]}, dice=(4,))  # fmt: skip
    plan(s, "1414", "Don")
    do(s, "fight")
    assert not offers(s, "play To the Reichstag!")


@proves("Heinz Guderian")
def test_guderian(noretreat: Any) -> None:
    s = battle(noretreat, "Heinz Guderian", dice=(1,))
    do(s, "play Heinz Guderian")
    assert s.dice == (1,)  # nothing is rolled
    assert asked(s) == "retreat.Flee"


@proves("Heinz Guderian", "Paul von Kleist")
def test_what_was_not_rolled_is_not_rolled_again(noretreat: Any) -> None:
    s = battle(noretreat, "Heinz Guderian", hands={"axis": ["Heinz Guderian", "Paul von Kleist"]}, dice=(6,))
    do(s, "play Heinz Guderian")
    assert asked(s) == "retreat.Flee"


@proves("Spoiling Attack")
def test_spoiling_attack(noretreat: Any) -> None:
    s = battle(noretreat, "Spoiling Attack", "defender", dice=(6,))
    do(s, "play Spoiling Attack")
    assert s.dice == (6,)
    assert starting(s, "leave a Counterblow marker in") == ["2210"]


@proves("Hedgehogs")
def test_hedgehogs(noretreat: Any) -> None:
    for dice, loser in (((3, 5), "Don"), ((5, 3), "9th Army"), ((4, 4), None)):
        s = battle(noretreat, "Hedgehogs", "defender", dice=dice)
        do(s, "play Hedgehogs")
        assert (at(s, "Don") == "Soviet Destroyed") is (loser == "Don")
        assert (face(s, "9th Army") == "reduced") is (loser == "9th Army")


@proves("Hold at All Costs!")
def test_hold_at_all_costs(noretreat: Any) -> None:
    big = {"1st Byelorussian": "2210", "1st Ukrainian": "2110", "9th Army": "2211"}
    # 16 against 4 is 4:1, two Shock units: 6:1; 1-2 DR, 3-4 DS, 5-6 DD on the Soviet table
    for die, result in ((1, "DR"), (4, "DS"), (6, "DD")):
        s = combat(noretreat, big, "soviet", turn=13, hands={"axis": ["Hold at All Costs!"]}, dice=(die,))
        plan(s, "2211", "Reserve", "Voronezh")
        do(s, "fight", "play Hold at All Costs!")
        if result == "DS":
            do(s, "take the loss from Reserve")
        assert at(s, "9th Army") == "2211"
        assert face(s, "9th Army") == ("full" if result == "DR" else "reduced")
        assert asked(s) != "advance.Advance"


@proves("Festung")
def test_festung(noretreat: Any) -> None:
    big = {"1st Byelorussian": "1314", "1st Ukrainian": "1413"}
    for target, able in (("1414", True), ("1415", False)):
        s = combat(noretreat, {**big, "Voronezh": {"at": "1314", "face": "red"}, "9th Army": target}, "soviet", turn=24,
                   weather="Clear", hands={"axis": ["Festung"]}, dice=(3,))  # fmt: skip
        plan(s, target, "Reserve", "Voronezh")
        do(s, "fight")
        assert offers(s, "play Festung") is able
        if able:
            do(s, "play Festung")  # 5:1 after the city; a 3 is DR
            assert at(s, "9th Army") == "1414"


@proves("Panzerfaust")
def test_panzerfaust(noretreat: Any) -> None:
    s = combat(
        noretreat,
        {"2nd Tank": "2210", "9th Army": "2211"},
        "soviet",
        turn=26,
        hands={"axis": ["Panzerfaust"]},
        dice=(4,),
    )
    plan(s, "2211", "2nd Tank")
    assert "10.6.3.a" in shifts(s.forecast("fight"))
    do(s, "fight")
    assert "10.6.3.a" not in shifts(s.forecast("play Panzerfaust"))
    none = combat(
        noretreat, {"Don": "2210", "9th Army": "2211"}, "soviet", turn=26, hands={"axis": ["Panzerfaust"]}, dice=(4,)
    )
    plan(none, "2211", "Don")
    do(none, "fight")
    assert not offers(none, "play Panzerfaust")
    own = combat(noretreat, {"2nd Panzer": "2210", "Don": "2211"}, turn=26, hands={"axis": ["Panzerfaust"]}, dice=(4,))
    plan(own, "2211", "2nd Panzer")
    assert "10.6.3.a" in shifts(own.forecast("fight"))
    do(own, "fight")
    assert asked(own) != "combat.BattleEvent"  # it is for the defender


@proves("Jet Fighters")
def test_jet_fighters(noretreat: Any) -> None:
    hands = {"axis": ["Jet Fighters"], "soviet": ["Air Supremacy"]}
    s = combat(noretreat, {"Don": "2210", "9th Army": "2211"}, "soviet", turn=26, hands=hands, dice=(3,))
    plan(s, "2211", "Don")
    do(s, "fight", "play Air Supremacy")
    assert s.side == "axis"
    events = do(s, "play Jet Fighters")
    assert "4 against 4, 1:1 (10.5.3, 10.5.4)" in log(events)  # no shift by Air Supremacy
    quiet = combat(
        noretreat, {"Don": "2210", "9th Army": "2211"}, "soviet", turn=26, hands={"axis": ["Jet Fighters"]}, dice=(3,)
    )
    plan(quiet, "2211", "Don")
    do(quiet, "fight")
    assert not offers(quiet, "play Jet Fighters")


# ---------------------------------------------------------------------- battle events after the roll


def rolled(game: Any, event: str, die: int, role: str, **more: Any) -> Any:
    """A battle of three armies against one, rolled, the owner of an event being asked."""
    side = side_of(game, event)
    attacker = side if role == "attacker" else ("soviet" if side == "axis" else "axis")
    if attacker == "axis":
        units = {"2nd Panzer": "2210", "4th Army": "2210", "6th Army": "2110", "Don": "2211"}
        own, target = ("2nd Panzer", "4th Army", "6th Army"), "2211"
    else:
        units = {"1st Guards Tank": "2210", "3rd Baltic": "2110", "1st Baltic": "2111", "9th Army": "2211"}
        own, target = ("1st Tank", "Volkhov", "Kalinin"), "2211"
    turn = more.pop("turn", late(game, event))
    s = combat(game, units, attacker, turn=turn, hands={side: [event]}, dice=(die, *more.pop("more_dice", ())), **more)
    plan(s, target, *own)
    do(s, "fight")
    return s


@proves("Not a Step Back!", "Flying Courts Martial")
@pytest.mark.parametrize(("event", "dr", "other"), [("Not a Step Back!", 2, 4), ("Flying Courts Martial", 1, 4)])
def test_a_retreat_becomes_an_exchange(noretreat: Any, event: str, dr: int, other: int) -> None:
    s = rolled(noretreat, event, dr, "defender")
    assert "is DR" in s.decision.prompt
    do(s, f"play {event}")
    assert asked(s) == "results.StepLoss"
    assert not offers(rolled(noretreat, event, other, "defender"), f"play {event}")


@proves("Russian Tenacity")
def test_russian_tenacity(noretreat: Any) -> None:
    for die in (2, 4, 6):
        s = rolled(noretreat, "Russian Tenacity", die, "defender")
        do(s, "play Russian Tenacity")
        assert asked(s) == "results.StepLoss"
    assert not offers(rolled(noretreat, "Russian Tenacity", 1, "defender"), "play Russian Tenacity")  # EX already


@proves("Elastic Defence")
def test_elastic_defence(noretreat: Any) -> None:
    s = rolled(noretreat, "Elastic Defence", 4, "defender", turn=11, weather="Clear")
    assert "is DS" in s.decision.prompt
    do(s, "play Elastic Defence")
    assert asked(s) == "retreat.Flee"


@proves("Heroes of the Soviet Union", "Paul von Kleist", "Revenge!")
@pytest.mark.parametrize("event", ["Heroes of the Soviet Union", "Paul von Kleist", "Revenge!"])
def test_rolling_again(noretreat: Any, event: str) -> None:
    s = rolled(noretreat, event, 1, "attacker", more_dice=(6,))
    events = do(s, f"play {event}")
    assert "die 6, result D" in told(events)
    assert not offers(rolled(noretreat, event, 1, "defender"), f"play {event}")  # one's own die only


def advance_of(s: Any, unit: str) -> int:
    skip_to(s, "advance.Advance")
    do(s, f"advance {unit} 2211")
    length = 1
    while asked(s) == "advance.AdvanceOn":
        do(s, legal(s)[0])
        length += 1
    return length


@proves("General Staff", "Deep Battle", "Blitzkrieg", "Guards Tank Corps")
@pytest.mark.parametrize(
    ("event", "infantry", "armor"),
    [("General Staff", 3, 4), ("Deep Battle", 3, 4), ("Blitzkrieg", 2, 4), ("Guards Tank Corps", 2, 4)],
)
def test_longer_advances(noretreat: Any, event: str, infantry: int, armor: int) -> None:
    foot, tank = ("4th Army", "2nd Panzer") if side_of(noretreat, event) == "axis" else ("Kalinin", "1st Tank")
    for unit, length in ((foot, infantry), (tank, armor)):
        s = rolled(noretreat, event, 4, "attacker", weather="Clear")
        do(s, f"play {event}")
        assert advance_of(s, unit) == length


@proves("Rasputitsa")
def test_rasputitsa(noretreat: Any) -> None:
    s = rolled(noretreat, "Rasputitsa", 4, "defender")
    do(s, "play Rasputitsa")
    assert advance_of(s, "2nd Panzer") == 1


# ---------------------------------------------------------------------- cancelling

CANCELS = ("Inexperienced Soviet Officers", "Hitler's Interference", "Stalin's Interference", "Nibelungentreue",
           "Brandenburg Gate")  # fmt: skip


@proves(*CANCELS)
@pytest.mark.parametrize("event", CANCELS)
def test_cancels(noretreat: Any, event: str) -> None:
    side = side_of(noretreat, event)
    other = "soviet" if side == "axis" else "axis"
    draws = "STAVKA" if other == "soviet" else "Das Vaterland"
    s = noretreat.position(turn=max(late(noretreat, event), 8), phase=f"{other}.card", units=SMALL,
                           hands={side: [event], other: [draws]})  # fmt: skip
    held = len(hand(s, other))
    do(s, f"play {draws}")
    assert (s.side, asked(s)) == (side, "cards.React")
    assert legal(noretreat.from_json(s.to_json())) == legal(s)  # a saved game is asked the same
    do(s, f"play {event}")
    assert len(hand(s, other)) == held - 1


# ---------------------------------------------------------------------- the Card Phase


@proves("STAVKA", "Das Vaterland", "Rodina!", "Wunderwaffen", "Lend-Lease")
@pytest.mark.parametrize(
    ("event", "cards"), [("STAVKA", 2), ("Das Vaterland", 2), ("Rodina!", 2), ("Wunderwaffen", 1), ("Lend-Lease", 1)]
)
def test_drawing_more(noretreat: Any, event: str, cards: int) -> None:
    side = side_of(noretreat, event)
    s = noretreat.position(
        turn=max(late(noretreat, event), 8), phase=f"{side}.card", units=SMALL, hands={side: [event]}
    )
    held = len(hand(s, side))
    do(s, f"play {event}")
    assert len(hand(s, side)) == held - 1 + cards


@proves("Lend-Lease")
def test_lend_lease_rallies_a_unit(noretreat: Any) -> None:
    s = noretreat.position(turn=8, phase="soviet.card", units={"Don": {"at": "2210", "disorganized": True}},
                           hands={"soviet": ["Lend-Lease"]})  # fmt: skip
    do(s, "play Lend-Lease", "reorganize Don")
    assert not marked(s, "Don", "disorganized")


@proves("Major Offensive")
def test_major_offensive(noretreat: Any) -> None:
    s = noretreat.position(turn=8, phase="soviet.card", units=SMALL, hands={"soviet": ["Major Offensive"]})
    do(s, "play Major Offensive")
    assert pay(s) == 1
    assert len(hand(s, "soviet")) == 4 - 1 + 4
    assert s.demands == ((1, 4, 2),)
    while s.phase.startswith("soviet"):
        quiet = [t for t in legal(s) if t in ("done", "pass")]
        do(s, quiet[0] if quiet else legal(s)[0])
    assert s.event_vp == 2
    broke = noretreat.position(
        turn=8, phase="soviet.card", units=SMALL, hands={"soviet": ["Major Offensive"]}, pile=["Feint"]
    )
    assert not offers(broke, "play Major Offensive")


@proves("Fuhrer Order")
def test_fuhrer_order(noretreat: Any) -> None:
    s = noretreat.position(
        turn=8, phase="axis.card", units=SMALL, hands={"axis": ["Fuhrer Order"], "soviet": ["STAVKA", "Rodina!"]}
    )
    do(s, "play Fuhrer Order")
    assert len(hand(s, "soviet")) == 1
    empty = noretreat.position(turn=8, phase="axis.card", units=SMALL, hands={"axis": ["Fuhrer Order"]})
    assert not offers(empty, "play Fuhrer Order")


# ---------------------------------------------------------------------- at any time


@proves("Gott Mit Uns", "Urrah!")
def test_recovering_the_top_discard(noretreat: Any) -> None:
    """Vector: with STAVKA/Manstein on top, Gott Mit Uns doubles one German unit."""
    s = combat(
        noretreat,
        {"9th Army": "2210", "Don": "2211"},
        hands={"axis": ["Gott Mit Uns"]},
        discards=["Feint", "STAVKA"],
        dice=(6,),
    )
    plan(s, "2211", "9th Army")
    do(s, "fight")
    action = "play Gott Mit Uns for Erich von Manstein on 9th Army"
    assert fact(s.forecast(action), "attack") == "8"
    do(s, action)
    assert s.discards[-2:] == [3, 2]
    red = noretreat.position(
        turn=13, phase="soviet.card", units=SMALL, hands={"soviet": ["Urrah!"]}, discards=["STAVKA"]
    )
    held = len(hand(red, "soviet"))
    do(red, "play Urrah! for STAVKA")
    assert len(hand(red, "soviet")) == held - 1 + 2
    wrong = combat(
        noretreat, {"9th Army": "2210", "Don": "2211"}, hands={"axis": ["Gott Mit Uns"]}, discards=["Das Vaterland"]
    )
    plan(wrong, "2211", "9th Army")
    do(wrong, "fight")
    assert not any("Gott" in t for t in legal(wrong))  # the timing does not fit


@proves("Savages!")
def test_savages(noretreat: Any) -> None:
    s = moving(noretreat, SMALL, "soviet", hands={"soviet": ["Savages!"]})
    before = score(s)
    do(s, "play Savages!")
    assert (score(s), s.event_vp) == (before - 1, -1)


@proves("Kampfgruppen", "Ostatky")
@pytest.mark.parametrize(("event", "cadre"), [("Kampfgruppen", "Kampfgruppe 2"), ("Ostatky", "Ostatky 1")])
def test_cadres_called_up(noretreat: Any, event: str, cadre: str) -> None:
    side = side_of(noretreat, event)
    s = moving(noretreat, SMALL, side, hands={side: [event]}, track={cadre: 20})
    do(s, f"play {event} on {cadre}")
    assert at(s, cadre) == ("Axis Cadres" if side == "axis" else "Soviet Cadres")
    none = moving(noretreat, SMALL, side, hands={side: [event]})
    assert not starting(none, f"play {event}")


@proves("Counter-intelligence", "Ultra-Secret Plans", "Red Orchestra")
@pytest.mark.parametrize("event", ["Counter-intelligence", "Ultra-Secret Plans", "Red Orchestra"])
def test_spies(noretreat: Any, event: str) -> None:
    side = side_of(noretreat, event)
    other = "axis" if side == "soviet" else "soviet"
    secret = "Feint" if other == "axis" else "STAVKA"
    s = moving(noretreat, SMALL, side, hands={side: [event], other: [secret]})
    events = do(s, f"play {event}")
    seen = "\n".join(filter(None, (e.seen_by(noretreat.side_number(side)) for e in events)))
    hidden = "\n".join(filter(None, (e.seen_by(None) for e in events)))
    assert secret in seen
    assert secret not in hidden
    if event == "Red Orchestra":
        assert legal(s) == ["discard Feint"]
        do(s, "discard Feint")
        assert hand(s, "axis") == []


# ---------------------------------------------------------------------- supply checks


def check(game: Any, side: str, units: dict[str, Any], hands: dict[str, list[str]], **more: Any) -> Any:
    return game.position(turn=more.pop("turn", 7), phase=f"{side}.supply", units=units, hands=hands, **more)


@proves("Foraging", "Air Supply")
@pytest.mark.parametrize(("event", "helped"), [("Foraging", 1), ("Air Supply", 2)])
def test_supplied_by_event(noretreat: Any, event: str, helped: int) -> None:
    cut_off = {"9th Army": "1914", "4th Army": "2210", "6th Army": "2312"}
    s = check(noretreat, "axis", cut_off, {"axis": [event]})
    assert (s.side, asked(s)) == ("axis", "cards.React")
    do(s, f"play {event} on 9th Army")
    if helped == 2:
        do(s, "supply 4th Army by air")
    fed = [name for name in cut_off if not marked(s, name, "unsupplied")]
    assert fed == list(cut_off)[:helped]


@proves("Air Supply")
def test_air_supply_in_the_removal_phase(noretreat: Any) -> None:
    units = {"9th Army": {"at": "1914", "unsupplied": True}}
    s = noretreat.position(turn=7, phase="axis.removal", units=units, hands={"axis": ["Air Supply"]})
    do(s, "play Air Supply on 9th Army")
    assert at(s, "9th Army") == "1914"


@proves("Partisans", "Encirclement", "Werewolf")
def test_cities_that_are_no_source(noretreat: Any) -> None:
    held = {"Minsk": "axis"}
    s = check(noretreat, "axis", {"9th Army": "1310"}, {"soviet": ["Partisans"]}, control=held)
    assert starting(s, "play Partisans at") == ["1210"]  # Axis cities of the USSR
    before = [supply_net(s, side) for side in (0, 1)]
    do(s, "play Partisans at 1210")
    fresh = s.copy()
    fresh.derive()
    assert [supply_net(s, side) for side in (0, 1)] == [supply_net(fresh, side) for side in (0, 1)] != before
    assert marked(s, "9th Army", "unsupplied")
    own_turn = check(noretreat, "soviet", {"9th Army": "1310"}, {"soviet": ["Partisans"]}, control=held)
    assert asked(own_turn) != "cards.React"
    ring = check(noretreat, "soviet", {"9th Army": "1310"}, {"soviet": ["Encirclement"]}, turn=24, control=held)
    assert "0210" in starting(ring, "play Encirclement at")
    do(ring, "play Encirclement at 1210")
    assert marked(ring, "9th Army", "unsupplied")
    wolves = check(noretreat, "axis", {"Don": "0710"}, {"axis": ["Werewolf"]}, turn=24, control={"Warsaw": "soviet"})
    assert starting(wolves, "play Werewolf at") == ["0811"]
    do(wolves, "play Werewolf at 0811")
    assert marked(wolves, "Don", "unsupplied")


@proves("Red Banner Fleet")
def test_red_banner_fleet(noretreat: Any) -> None:
    units = {"18th Army": "1103", "16th Army": "1203"}
    s = check(noretreat, "axis", units, {"soviet": ["Red Banner Fleet"]}, turn=24)
    assert starting(s, "play Red Banner Fleet on") == ["16th Army", "18th Army"]
    do(s, "play Red Banner Fleet on 18th Army")
    assert marked(s, "18th Army", "unsupplied")
    assert not marked(s, "16th Army", "unsupplied")


@proves("Mopping Up")
def test_mopping_up(noretreat: Any) -> None:
    s = check(noretreat, "soviet", {"South": "0510", "Don": "2210"}, {"axis": ["Mopping Up"]})
    assert starting(s, "play Mopping Up on") == ["South"]
    do(s, "play Mopping Up on South")
    assert at(s, "South") == "Soviet Surrendered"
    own = check(noretreat, "axis", {"South": "0510"}, {"axis": ["Mopping Up"]})
    assert asked(own) != "cards.React"


# ---------------------------------------------------------------------- organization


@proves("New Tank Design", "T-34", "Guards")
def test_free_flips(noretreat: Any) -> None:
    axis = {"2nd Panzer": {"at": "0810", "face": "reduced"}, "9th Army": {"at": "0811", "face": "reduced"}}
    s = organizing(noretreat, axis, turn=2, hands={"axis": ["New Tank Design"]})
    assert starting(s, "play New Tank Design on") == ["2nd Panzer"]
    do(s, "play New Tank Design on 2nd Panzer")
    assert face(s, "2nd Panzer") == "full"
    soviet = {"2nd Tank": "2210", "Don": "2310"}
    tank = organizing(noretreat, soviet, "soviet", turn=8, hands={"soviet": ["T-34"]})
    assert starting(tank, "play T-34 on") == ["2nd Tank"]
    do(tank, "play T-34 on 2nd Tank")
    assert face(tank, "2nd Tank") == "red"
    assert tank.upgrades == 1  # Education is still there
    guards = organizing(noretreat, soviet, "soviet", turn=13, hands={"soviet": ["Guards"]})
    do(guards, "play Guards on Don")
    assert face(guards, "Don") == "red"
    cut = organizing(noretreat, {"2nd Tank": "0510"}, "soviet", turn=8, hands={"soviet": ["T-34"]})
    assert not starting(cut, "play T-34")


def placing(game: Any, side: str, turn: int, units: dict[str, Any], event: str, **more: Any) -> Any:
    s = organizing(game, units, side, turn, hands={side: [event]}, **more)
    do(s, "done")
    return s


@proves("Reserves", "Siberians", "Wenck's Army")
def test_free_replacements(noretreat: Any) -> None:
    s = placing(noretreat, "axis", 7, {"9th Army": "0810"}, "Reserves", boxes={"Surrendered": ["4th Army"]})
    do(s, "play Reserves on 4th Army", "place 4th Army 0210")
    assert (face(s, "4th Army"), marked(s, "4th Army", "disorganized")) == ("reduced", True)
    siberia = placing(noretreat, "soviet", 7, {"Don": "2210"}, "Siberians", boxes={"Destroyed": ["West"]})
    do(siberia, "play Siberians on West", "place West 1907")
    assert not marked(siberia, "West", "disorganized")
    wenck = placing(noretreat, "axis", 24, {"9th Army": "0810"}, "Wenck's Army", boxes={"Destroyed": ["4th Army"]})
    do(wenck, "play Wenck's Army on 4th Army")
    places = starting(wenck, "place 4th Army")
    assert set(places) <= {"0210", "0209", "0310", "0311", "0211", "0110", "0309"}
    assert "0210" in places
    ring = dict(zip(("Don", "West", "South", "Central"), ("0309", "0311", "0110", "0211"), strict=True))
    cut_off = placing(noretreat, "axis", 24, {**ring, "9th Army": "0810"}, "Wenck's Army",
                      boxes={"Destroyed": ["4th Army"]})  # fmt: skip
    assert offers(cut_off, "replace 4th Army")  # in another city, for a card
    assert not offers(cut_off, "play Wenck's Army on 4th Army")


@proves("New Conscripts")
def test_new_conscripts(noretreat: Any) -> None:
    units = {"Ostatky 1": "2210", "9th Army": "2211"}
    s = placing(noretreat, "soviet", 7, units, "New Conscripts", boxes={"Surrendered": ["West"]})
    do(s, "play New Conscripts on West")
    assert at(s, "West") == "2210"
    assert not marked(s, "West", "disorganized")
    assert at(s, "Ostatky 1") is None
    none = placing(noretreat, "soviet", 7, {"Don": "2210"}, "New Conscripts", boxes={"Surrendered": ["West"]})
    assert not starting(none, "play")


@proves("Manpower Reserves")
def test_manpower_reserves(noretreat: Any) -> None:
    boxes = {"Destroyed": ["West"], "Surrendered": ["Central"], "Shattered": ["Kalinin"], "Rail": ["South"]}
    s = placing(noretreat, "soviet", 7, {"Don": "2210"}, "Manpower Reserves", boxes=boxes)
    do(s, "play Manpower Reserves on West", "send Central by rail")
    assert (at(s, "West"), at(s, "Central")) == ("Soviet Rail", "Soviet Rail")
    assert not starting(s, "send")  # the box is full


@proves("Foreign Volunteers")
def test_foreign_volunteers(noretreat: Any) -> None:
    s = placing(
        noretreat, "axis", 8, {"9th Army": "0810"}, "Foreign Volunteers", track={"3rd Rumanian": 12, "Luftwaffe": 10}
    )
    assert starting(s, "play Foreign Volunteers on") == ["3rd Rumanian"]
    do(s, "play Foreign Volunteers on 3rd Rumanian", "place 3rd Rumanian 1022")
    assert at(s, "3rd Rumanian") == "1022"


@proves("Last Reserves")
def test_last_reserves(noretreat: Any) -> None:
    lost = {"Danzig": "soviet"}
    s = placing(noretreat, "axis", 25, {"9th Army": "0412", "4th Army": "0412"}, "Last Reserves", control=lost,
                boxes={"Out": ["Volkssturm Danzig", "Volkssturm Stettin", "Volkssturm Breslau"]})  # fmt: skip
    offered = starting(s, "play Last Reserves on")
    assert "Volkssturm Stettin" in offered
    assert "Volkssturm Danzig" not in offered  # its city is lost
    assert "Volkssturm Breslau" not in offered  # its city is full
    told = log(do(s, "play Last Reserves on Volkssturm Stettin"))
    assert "Volkssturm Stettin is raised again in Stettin (0409) (5.3.2)" in told
    assert at(s, "Volkssturm Stettin") == "0409"


@proves("Defensive Works", "Defensive Works (Soviet)")
@rule("14.13")
def test_defensive_works(noretreat: Any) -> None:
    s = placing(noretreat, "axis", 7, {"9th Army": "0810", "4th Army": "2210"}, "Defensive Works")
    assert starting(s, "play Defensive Works at") == ["0810"]  # a supplied hex
    do(s, "play Defensive Works at 0810")
    assert {"at": "0810", "kind": "works", "text": "Defensive Works"} in s.view(None)["markers"]
    red = placing(noretreat, "soviet", 7, {"Don": "2210", "9th Army": "2211"}, "Defensive Works (Soviet)")
    do(red, "play Defensive Works (Soviet) at 2210")
    attack = combat(noretreat, {"Don": "2210", "9th Army": "2211"}, works=("2210", "soviet"))
    assert shifts(outlook(attack, "2210", "9th Army"))["14.13"] == -1
    own = combat(noretreat, {"Don": "2210", "9th Army": "2211"}, "soviet", works=("2210", "soviet"))
    assert not shifts(outlook(own, "2211", "Don"))


# ---------------------------------------------------------------------- movement and rail


def far(s: Any, unit: str) -> int:
    start = s.at[s.game.unit(unit)]
    found: int = max(s.game.board.distance(start, s.game.node(label)) for label in reach(s, unit))
    return found


@proves("Panzerblitz!", "Surprise Attack", "Lend-Lease Trucks")
def test_movement_bonuses(noretreat: Any) -> None:
    units = {"4th Panzer": "2210", "Luftwaffe": "2310"}
    s = moving(noretreat, units, hands={"axis": ["Panzerblitz!"]})
    plain = len(reach(s, "4th Panzer"))
    do(s, "play Panzerblitz!")
    assert starting(s, "speed up") == ["4th Panzer"]  # armor only
    do(s, "speed up 4th Panzer")
    assert len(reach(s, "4th Panzer")) > plain
    snow = moving(noretreat, units, turn=10, weather="Snow", hands={"axis": ["Panzerblitz!"]})
    do(snow, "play Panzerblitz!", "speed up 4th Panzer")
    assert far(snow, "4th Panzer") == 4  # the cap of the weather stays
    zoned = {"Luftwaffe": "2210", "Don": "2310"}
    attack = moving(noretreat, zoned, hands={"axis": ["Surprise Attack"]})
    assert far(attack, "Luftwaffe") == 2
    do(attack, "play Surprise Attack", "speed up Luftwaffe")
    assert far(attack, "Luftwaffe") == 5  # two more MPs, and none lost to the zone
    trucks = moving(
        noretreat, {"Don": "2210", "West": "2310"}, "soviet", turn=26, hands={"soviet": ["Lend-Lease Trucks"]}
    )
    do(trucks, "play Lend-Lease Trucks", "speed up Don", "speed up West")
    assert (far(trucks, "Don"), far(trucks, "West")) == (4, 4)


@proves("Railway Repair", "Rail Priority")
@pytest.mark.parametrize("event", ["Railway Repair", "Rail Priority"])
def test_extra_trains(noretreat: Any, event: str) -> None:
    side = side_of(noretreat, event)
    units = ["9th Army", "4th Army", "6th Army"] if side == "axis" else ["Don", "West", "Kalinin"]
    hexes = ["0810", "0811", "0812"] if side == "axis" else ["2210", "2310", "2311"]
    s = moving(noretreat, dict(zip(units, hexes, strict=True)), side, hands={side: [event]})
    do(s, f"play {event}")
    for unit in units:
        do(s, f"move {unit}", f"entrain {unit}")
    assert asked(s) == "movement.MoveUnits"
    assert [at(s, unit) for unit in units] == ["Axis Rail" if side == "axis" else "Soviet Rail"] * 3


@proves("Evacuation by Sea")
def test_evacuation_by_sea(noretreat: Any) -> None:
    units = {"18th Army": {"at": "0905", "unsupplied": True}, "16th Army": {"at": "0906", "unsupplied": True},
             "9th Army": {"at": "1410", "unsupplied": True}}  # fmt: skip
    s = moving(noretreat, units, turn=24, hands={"axis": ["Evacuation by Sea"]})
    trains = s.rail
    do(s, "play Evacuation by Sea", "move 18th Army", "entrain 18th Army", "move 16th Army", "entrain 16th Army")
    assert (s.sea_lift, s.rail) == (0, trains)  # neither took a train
    assert (at(s, "18th Army"), at(s, "16th Army")) == ("Axis Rail", "Axis Rail")
    assert refused(s, "entrain 9th Army", because="6.5.2.b")


# ---------------------------------------------------------------------- the Victory Phase


@proves("Propaganda", "Allied Advance")
@pytest.mark.parametrize(("event", "marker"), [("Propaganda", 1), ("Allied Advance", -1)])
def test_vp_events(noretreat: Any, event: str, marker: int) -> None:
    side = side_of(noretreat, event)
    turn = 8 if event == "Propaganda" else 24
    s = noretreat.position(turn=turn, phase="victory", units=SMALL, hands={side: [event]})
    do(s, f"play {event}")
    assert s.event_vp == marker


@proves("Peace Feelers", "Allied Conference")
@pytest.mark.parametrize("event", ["Peace Feelers", "Allied Conference"])
def test_no_sudden_death(noretreat: Any, event: str) -> None:
    side = side_of(noretreat, event)
    east = [
        "Riga",
        "Minsk",
        "Smolensk",
        "Kiev",
        "Odessa",
        "Dnepropetrovsk",
        "Kharkov",
        "Stalino",
        "Rostov",
        "Krasnodar",
        "Voronezh",
        "Tula",
        "Kalinin",
    ]
    s = noretreat.position(
        turn=6, phase="victory", units=SMALL, hands={side: [event]}, control=dict.fromkeys(east, "axis")
    )
    lost = s.copy()
    do(s, f"play {event}")
    assert not s.over
    do(lost, "pass")
    assert lost.result.level == "sudden death"


# ---------------------------------------------------------------------- moments of their own


@proves("Maskirovka")
def test_maskirovka(noretreat: Any) -> None:
    s = moving(
        noretreat, {"9th Army": "2210", "Don": "2310"}, hands={"soviet": ["Maskirovka"]}, boxes={"Rail": ["West"]}
    )
    do(s, "done")
    do(s, "play Maskirovka on West", "detrain West 1907")
    assert at(s, "West") == "1907"
    empty = moving(noretreat, {"9th Army": "2210"}, hands={"soviet": ["Maskirovka"]})
    do(empty, "done")
    assert s.phase == "axis.combat"
    assert asked(empty) != "cards.React"


@proves("Scorched Earth")
def test_scorched_earth(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "1110"}, hands={"soviet": ["Scorched Earth"]})
    do(s, "move 9th Army", "move 9th Army 1210")
    assert (s.side, starting(s, "play Scorched Earth at")) == ("soviet", ["1210"])
    do(s, "play Scorched Earth at 1210")
    assert s.scorched == (noretreat.charts.site("Minsk"), 8)
    lines = noretreat.views.overlay(s, "supply", 0, None, None)["hexes"]
    assert lines.get("1210") != 0
    train = noretreat.position(turn=8, phase="axis.removal", units={"9th Army": "1310"}, boxes={"Rail": ["4th Army"]},
                               control={"Minsk": "axis"})  # fmt: skip
    train.scorched = s.scorched
    train.nets[0] = None
    assert train.phase == "axis.detraining"  # the marker lies to the very end of the player turn
    assert not [h for h in starting(train, "detrain 4th Army") if h == "1309"]
    while s.turn < 9 and not (s.turn == 8 and s.phase.startswith("soviet")):
        quiet = [t for t in legal(s) if t in ("done", "pass")]
        do(s, quiet[0] if quiet else legal(s)[0])
        assert s.scorched or s.phase.startswith("soviet")
    assert s.scorched == ()


@proves("Feint")
def test_feint(noretreat: Any) -> None:
    units = {"9th Army": "2210", "Don": "2211"}
    s = combat(noretreat, units, "soviet", hands={"axis": ["Feint"]})
    do(s, "done", "play Feint at 2210")
    assert s.blows == (noretreat.node("2210"),)
    assert hand(s, "axis") == []


@proves("Hitler Demands Action")
def test_hitler_demands_action(noretreat: Any) -> None:
    units = {"9th Army": "2210", "Don": "2211"}
    s = noretreat.position(turn=8, phase="axis.turn", units=SMALL, hands={"soviet": ["Hitler Demands Action"]})
    assert (s.side, asked(s)) == ("soviet", "cards.React")
    do(s, "play Hitler Demands Action")
    while s.phase.startswith("axis"):
        quiet = [t for t in legal(s) if t in ("done", "pass")]
        do(s, quiet[0] if quiet else legal(s)[0])
    assert s.event_vp == -1
    busy = combat(noretreat, units)
    busy.demands = ((0, 1, 1),)
    busy.dice = (3,)
    fight(busy, "2211", "9th Army")
    assert busy.event_vp == 0


@proves("Traffic Jam")
def test_traffic_jam(noretreat: Any) -> None:
    s = moving(
        noretreat,
        {"Don": "2210", "9th Army": "2312"},
        "soviet",
        turn=3,
        weather="Clear",
        hands={"axis": ["Traffic Jam"]},
    )
    assert "Don is disorganized (5.3.2)" in log(do(s, "done", "play Traffic Jam on Don"))
    assert marked(s, "Don", "disorganized")
    other = combat(noretreat, {"Don": "2210", "9th Army": "2312"}, "soviet", turn=3, hands={"axis": ["Traffic Jam"]})
    do(other, "done")
    assert not any("play Traffic" in t for t in legal(other))


@proves("Gotthard Heinrici")
def test_heinrici(noretreat: Any) -> None:
    units = {"Don": "2210", "9th Army": "2211", "4th Army": "2211"}
    s = combat(noretreat, units, "soviet", turn=26, hands={"axis": ["Gotthard Heinrici"]})
    do(s, "target 2211", "done")
    assert s.side == "axis"
    do(s, "play Gotthard Heinrici at 2211")
    events = []
    while asked(s) == "retreat.StepBack":
        events += do(s, legal(s)[0])
    assert log(events)[:2] == [f"{unit} withdraws to {at(s, unit)} (5.3.2)" for unit in ("9th Army", "4th Army")]
    assert s.targets == ()
    assert "2211" not in (at(s, "9th Army"), at(s, "4th Army"))
    assert refused(s, "attack 2211", because="10.3.4") or asked(s) != "combat.ChooseBattle"


# ---------------------------------------------------------------------- the weather

WEATHER = ("Unseasonal Weather", "Fickle Weather", "General Mud", "General Winter")


@proves(*WEATHER, *(f"{name} (Soviet)" for name in WEATHER))
@rule("14.14.2")
@pytest.mark.parametrize("side", ["axis", "soviet"])
@pytest.mark.parametrize(
    ("card", "shown"), [("Unseasonal Weather", "Clear"), ("General Mud", "Mud"), ("General Winter", "Snow")]
)
def test_weather_for_the_next_turn(noretreat: Any, card: str, shown: str, side: str) -> None:
    pile = ["Reserves", "Pioneers", "Hedgehogs", "Siege Artillery", "Walter Model", "Das Vaterland", card]
    for turn in (8, 9):
        s = noretreat.position(turn=turn, phase=f"{side}.card", units=SMALL, pile=pile)
        calendar = {c["turn"]: c["weather"] for c in s.view(None)["calendar"]}
        assert calendar[turn + 1] == shown
    fixed = noretreat.position(turn=7, phase=f"{side}.card", units=SMALL, pile=pile)
    assert {c["turn"]: c["weather"] for c in fixed.view(None)["calendar"]}[8] == "Clear"


@rule("14.14.2")
@pytest.mark.parametrize("side", ["axis", "soviet"])
@pytest.mark.parametrize(
    ("die", "shown"), [(1, "Clear"), (2, "Clear"), (3, "Mud"), (4, "Mud"), (5, "Snow"), (6, "Snow")]
)
def test_fickle_weather(noretreat: Any, die: int, shown: str, side: str) -> None:
    pile = ["Reserves", "Pioneers", "Hedgehogs", "Siege Artillery", "Walter Model", "Das Vaterland", "Fickle Weather"]
    s = noretreat.position(turn=9, phase=f"{side}.card", units=SMALL, pile=pile, dice=(die,))
    assert s.view(None)["weather"] == shown


@rule("14.14.2")
def test_weather_cards_are_never_played_or_cancelled(noretreat: Any) -> None:
    for side, cancel in (("axis", "Hitler's Interference"), ("soviet", "Stalin's Interference")):
        pile = [
            "Reserves",
            "Feint",
            "Pioneers",
            "Siege Artillery",
            "Walter Model",
            "Das Vaterland",
            "Railway Repair",
            "General Mud",
        ]
        other = "soviet" if side == "axis" else "axis"
        s = noretreat.position(turn=8, phase=f"{side}.card", units=SMALL, pile=pile, hands={other: [cancel]})
        assert s.side == side or asked(s) != "cards.React"
        assert noretreat.card_number("General Mud") in s.discards


def test_every_half_of_every_card_is_proved(noretreat: Any) -> None:
    assert {name for name in noretreat.event_names if name} - COVERED == set()
    assert COVERED - set(noretreat.event_names) == set()
