"""How the officer plays Across the Narva: what it thinks of a position and of a battle."""

from __future__ import annotations

from typing import Any

import counterblow
from counterblow import players
from counterblow.games.narva.judge import BOX, LAST_HOUR, STEP, Judge
from counterblow.players.judging import judge_of
from tests.rules.narva.play import every_throw

GERMAN, SOVIET = 0, 1


def position(**settings: Any) -> Any:
    return counterblow.load("narva").position(**settings)


def feature(name: str, **settings: Any) -> float:
    """One feature of a position, as the Germans see it."""
    s = position(**settings)
    judge = judge_of(s.game)
    return judge.count(s)[judge.features.index(name)]


def battle(target: str, attackers: tuple[str, ...], **settings: Any) -> float:
    """What an attack of the Soviets is worth to them."""
    s = position(turn=5, phase="soviet.combat", **settings)
    for text in (f"attack {target}", *(f"add {unit}" for unit in attackers)):
        s.do(text)
    commit = next(action for action in s.legal() if action.kind == "resolve")
    units = [s.game.unit(unit) for unit in attackers]
    return judge_of(s.game).battle(s, SOVIET, [s.game.node(target)], units, s.forecast(commit))


def played(s: Any, side: int) -> list[str]:
    """What the officer does until the phase is over."""
    officer, phase, texts = players.make("officer", 1), s.phase, []
    while s.decider == side and s.phase == phase:
        action = officer.choose(s, side)
        texts.append(action.text)
        s.do(action)
    return texts


def test_a_unit_in_narva_counts_in_full_only_if_it_has_supply() -> None:
    """13.1a: two zones and no friends around it cut the unit off; a line of friends to the east brings supply."""
    alone = {"188": "3030", "333G": "3031", "376G": "2829", "377G": "2928", "1/48": "3231", "2/48": "3129"}
    joined = {**alone, "190": "3131", "192": "3132", "197": "3133", "194": "3233"}
    assert feature("fall", turn=5, units=alone) == -0.2
    assert feature("fall", turn=5, units={u: n for u, n in joined.items() if u not in ("1/48", "2/48")}) == -1.0
    assert feature("fall", turn=5, units={"188": "3027", "333G": "2022"}) == 0.0


def test_how_much_is_missing_in_the_line_of_supply_of_soviets_in_narva() -> None:
    """10.1b: a German zone closes one hex of the line to the east; a friend in that hex opens it, one elsewhere not."""
    units = {"188": "3030", "333G": "3031", "376G": "2829", "377G": "2928", "1/48": "3231", "2/48": "3129"}
    units |= {"190": "3131", "192": "3132", "197": "3133", "194": "3233"}
    assert feature("link", turn=5, units=units) == -0.5
    assert feature("link", turn=5, units={**units, "191": "3130"}) == -1.0
    assert feature("link", turn=5, units={**units, "191": "3029"}) == -0.5
    assert feature("link", turn=5, units={**units, "188": "3032"}) == 0.0  # nobody is in the town


def test_a_german_general_looks_where_soviets_in_narva_could_be_cut_off() -> None:
    s = position(turn=5, phase="german.movement", units={"188": "3030", "HVS": "3128", "333G": "2022"})
    judge: Any = judge_of(s.game)
    s.do("move HVS")
    goals = [action for action in s.legal() if action.kind in judge.verbs.to]
    general = judge.weights(GERMAN, "balanced", instead=judge.generals["german"])
    unit, (missing, way) = s.game.unit("HVS"), judge.lifeline(s)
    looked = {goal.args[-1] for goal in judge.musts(s, unit, goals, general)}
    assert missing == 0
    assert looked
    assert looked == {goal.args[-1] for goal in goals} & set(way)
    assert judge.musts(s, unit, goals, judge.weights(GERMAN, "balanced")) == []  # an officer does not


def test_soviets_on_the_rollbahn_cut_off_narva() -> None:
    units = {"23": "3029", "188": "2730"}
    assert feature("rollbahn", turn=5, units=units) == -1.0
    assert feature("rollbahn", turn=5, units={**units, "188": "2731"}) == 0.0


def test_manned_defences_and_soviets_around_narva_are_counted() -> None:
    units = {"23": "3127", "2/24": "3228", "333G": "2022", "188": "2931", "190": "2729"}
    assert feature("forts", turn=5, units=units) == 2.0
    assert feature("ring", turn=5, units=units) == -1.0


def test_an_empty_narva_is_in_danger_only_where_soviets_can_walk_in() -> None:
    """A line of zones keeps them out; without it every empty hex is as good as lost."""
    units = {"188": "2727", "190": "2826", "23": "3029"}
    line = {"333G": "2928", "376G": "2827", "377G": "2729", "2/48": "3128"}
    lost, held = (feature("guard", turn=5, units=found) for found in ({**units, "333G": "2022"}, {**units, **line}))
    assert lost < -1.0 < held < 0.0


def test_a_zone_closes_the_gap_before_narva() -> None:
    """Soviets across the river from Kulgu: without a German near by they walk on to the rollbahn."""
    units = {"23": "3029", "188": "2727", "190": "2726"}
    open_, closed = (feature("gaps", turn=5, units={**units, "333G": place}) for place in ("2022", "2829"))
    assert open_ < closed <= 0.0


def test_what_a_city_ignores_is_no_gain() -> None:
    """9.4.4, 9.5.6: at 2-1 nothing on the table drives a garrison out of Narva, though it would out of the open."""
    attackers = ("188", "190")
    units = {"188": "2929", "190": "2929", "333G": "2022"}
    town = battle("2930", attackers, units={**units, "23": "2930"})
    meadow = battle("2829", attackers, units={**units, "188": "2830", "190": "2830", "23": "2829"})
    assert town < 0 < meadow


def test_prepared_defences_take_what_the_garrison_would_suffer() -> None:
    """11.3.4: the marker goes down and nobody leaves, until it stands in its last box."""
    attackers = ("188", "190", "192", "197")
    units = dict(zip(attackers, ("3226", "3226", "3026", "3026"), strict=True)) | {"2/24": "3127", "333G": "2022"}
    with every_throw(counterblow.load("narva"), "D1r2"):
        firm = battle("3127", attackers, units=units)
        worn = battle("3127", attackers, units=units, pd={"Nordland": 9})
    assert firm == 2 * BOX  # the step and the second hex; the first hex is ignored (11.3.3)
    s = position(turn=5, units=units)
    assert worn == STEP[GERMAN] + judge_of(s.game).ground(s, SOVIET, s.game.node("3127")) + 4.0


def test_aircraft_support_an_attack_that_they_make_worth_while() -> None:
    """12.1: four regiments against Narva at 3-1 or so; two air units make it 6-1 or better."""
    units = {"188": "2829", "190": "2829", "192": "2929", "197": "2929", "23": "2930", "333G": "2022"}
    s = position(turn=5, phase="soviet.combat", units=units)
    texts = played(s, SOVIET)
    assert "attack 2930" in texts
    assert any(text.startswith(("full air attack", "normal air attack")) for text in texts)


def test_no_aircraft_are_spent_where_they_gain_nothing() -> None:
    """A police battalion in the open faces four regiments: the last column as it is."""
    units = {"188": "2922", "190": "2922", "192": "2920", "197": "2920", "29P": "2921", "333G": "2022"}
    s = position(turn=5, phase="soviet.combat", units=units)
    texts = played(s, SOVIET)
    assert "attack 2921" in texts
    assert not any(text.startswith("full air attack") for text in texts)


def test_the_next_place_of_points_draws_until_the_soviets_have_it() -> None:
    """13.1.1a: once Krivasoo is theirs, the way on is the way to the next place."""
    units = {"381": "1820", "333G": "0607"}
    lacking, taken = (feature("drive", turn=5, units=units, control={"1820": owner}) for owner in ("german", "soviet"))
    assert lacking < taken


def test_the_last_command_of_a_turn_is_not_blamed_for_what_comes_after_it() -> None:
    """German reinforcements come in whether the Soviets pass or not."""
    units = {"2 SH HQ": "3024", "30GD HQ": "3022", "188": "2922", "190": "3023", "23": "3029", "333G": "0607"}
    worth = []
    for due in ({"2G": 5}, {"2G": 4, "23G": 4, "44G": 4, "11F": 4}):
        s = position(
            turn=4, phase="command", draws=["2SH"], cup={}, used={"german": 3, "soviet": 3}, units=units, due=due
        )
        rated = {r.action.text: r.worth for r in players.make("officer", 1).rank(s, SOVIET, 9)}
        worth.append(rated["activate 30GD HQ"])
    assert worth[0] == worth[1] > 0.0


def test_a_battle_is_weighed_by_the_table_as_by_its_forecast() -> None:
    """With and without aircraft, in a city, with losses of Soviet attackers only, and by Stavka's order."""
    units = {"188": "2829", "190": "2829", "192": "2929", "197": "2929", "23": "2930", "333G": "2022"}
    seen = set()
    for phase in ("soviet.combat", "command"):
        s = position(turn=5, phase=phase, draws=["STAVKA"], units=units)
        judge, target = judge_of(s.game), s.game.node("2930")
        s.do("attack 2930")
        if phase == "soviet.combat":
            s.do("add 188")
            s.do("add 192")
        for action in s.legal():
            if action.kind in ("resolve", "full_air", "normal_air"):
                seen.add((phase, action.kind))
                weighed = judge.weigh(s, SOVIET, [target], [], action)
                assert weighed is not None
                assert abs(weighed - judge.battle(s, SOVIET, [target], [], s.forecast(action))) < 1e-9
    assert len(seen) == 6


def test_what_is_remembered_of_an_army_is_what_would_be_counted_anew() -> None:
    s: Any = counterblow.load("narva").start(seed=7)
    player, judge, forgetful = players.make("random", 3), Judge(s.game), Judge(s.game)
    for _ in range(300):
        assert s.decider is not None
        s.do(player.choose(s, s.decider))
        assert judge.count(s) == forgetful.count(s)
        for army in forgetful._armies:
            army.clear()


def test_a_general_looks_to_the_hour_when_narvas_fall_is_decided() -> None:
    units = {"2 SH HQ": "3024", "30GD HQ": "3022", "188": "2922", "23": "3029", "333G": "0607"}
    early = position(turn=4, phase="german.movement", used={"german": 1, "soviet": 1}, units=units)
    late = position(turn=4, phase="german.movement", used={"german": 3, "soviet": 4}, units=units)
    after = position(turn=4, phase="german.reinforcement", units=units, due={"2G": 4})
    judge = judge_of(early.game)
    assert judge.clock(early) < judge.until(early) == 4 * 40 + LAST_HOUR == judge.clock(after)
    assert judge.until(late) > 5 * 40


def test_after_the_last_chit_a_supplied_unit_in_narva_has_won() -> None:
    held = {"188": "3030", "190": "3131", "192": "3132", "197": "3133", "194": "3233", "333G": "2022"}
    phases = ("soviet.movement", "german.reinforcement")
    during, after = (position(turn=4, phase=phase, units=held, due={"2G": 4}) for phase in phases)
    judge = judge_of(after.game)
    assert (judge.decided(during), judge.decided(after)) == (None, SOVIET)
    outside = position(turn=4, phase="german.reinforcement", units={**held, "188": "3027"}, due={"2G": 4})
    assert judge.decided(outside) is None


def test_all_lines_of_a_thought_meet_the_same_dice_and_the_chits_in_the_same_order() -> None:
    s = position(turn=4, phase="command", cup={"2SH": 3, "3SS": 2, "26": 1}, units={"188": "2922", "23": "3029"})
    orders, dice = set(), list[int]()
    for seed in range(20):
        dealt: list[tuple[int, ...]] = []
        for _ in range(2):
            other = s.copy()
            other.rng = len(dealt)  # whatever a line has thrown so far
            judge_of(s.game).deal(other, seed)
            dealt.append(other.draws)
            dice.append(other.rng)
        assert dealt[0] == dealt[1]
        assert dice[-1] == dice[-2]
        assert sorted(dealt[0]) == sorted(n for n, copies in enumerate(s.cup) for _ in range(copies))
        orders.add(dealt[0])
    assert len(orders) > 10
    assert len(set(dice)) == 20


def test_the_headquarters_nearest_to_the_fighting_come_first() -> None:
    units = {
        "2 SH HQ": "3024",
        "30GD HQ": "3022",
        "188": "3027",
        "190": "3027",
        "109 HQ": "3521",
        "320": "3520",
        "23": "3028",
    }
    s = position(turn=4, phase="soviet.movement", units=units)
    act = s.game.act
    hqs = [s.game.unit("109 HQ"), s.game.unit("30GD HQ")]
    found = judge_of(s.game).foremost(
        s, SOVIET, [act["relocate"][s.game.unit("2 SH HQ")], *(act["wake"][hq] for hq in hqs)]
    )
    assert next(action.text for action in found or []) == "activate 30GD HQ"
