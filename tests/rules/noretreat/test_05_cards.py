"""Chapter 5: the cards."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.masks import bits
from tests.helpers import asked, at, do, legal, refused, rule
from tests.rules.noretreat.play import combat, fight, hand, moving, offers, plan, skip_to, starting, told

SMALL = {"9th Army": "0810", "Don": "2210"}


def card_phase(game: Any, side: str, turn: int = 8, **more: Any) -> Any:
    return game.position(turn=turn, phase=f"{side}.card", units=more.pop("units", SMALL), **more)


def drawn(s: Any, side: str) -> int:
    count: int = s.view(side)["hands"][side]["count"]
    return count


@rule("5.0.a")
def test_cards_are_drawn_from_the_top_one_by_one(noretreat: Any) -> None:
    pile = ["Hedgehogs", "Siege Artillery", "Walter Model", "Paul von Kleist", "Soviet SNAFU", "Feint"]
    s = card_phase(noretreat, "axis", turn=7, pile=pile)
    assert asked(s) == "cards.Pay"  # turn 7 is a red event: one of the four goes
    assert hand(s, "axis") == ["Siege Artillery", "Walter Model", "Paul von Kleist", "Soviet SNAFU", "Feint"][1:]
    do(s, "discard Feint")
    assert s.discards[-1] == noretreat.card_number("Feint")


@rule("5.0.b")
def test_the_last_card_is_shuffled_not_drawn(noretreat: Any) -> None:
    s = card_phase(noretreat, "soviet", turn=7, pile=["Hedgehogs", "Siege Artillery"],
                   discards=["Walter Model", "Paul von Kleist", "Soviet SNAFU", "Feint", "Reserves"])  # fmt: skip
    assert drawn(s, "soviet") == 4
    assert "Katyusha" in hand(s, "soviet")  # Siege Artillery's card was drawn before the shuffle
    assert s.discards == []
    assert len(s.pile) == 3


@rule("5.0.b")
def test_the_shuffle_does_not_wait_for_the_next_draw(noretreat: Any) -> None:
    """What is discarded later is not in the new pile."""
    pile = ["Hedgehogs", "Siege Artillery", "Walter Model", "Paul von Kleist", "Soviet SNAFU"]
    s = card_phase(noretreat, "soviet", turn=7, pile=pile, discards=["Pioneers", "Reserves"])
    assert s.discards == []
    assert sorted(s.pile) == sorted(noretreat.card_number(name) for name in ("Hedgehogs", "Pioneers", "Reserves"))


@rule("5.0.h")
def test_nothing_else_shuffles_the_pile(noretreat: Any) -> None:
    pile = ["Hedgehogs", "Siege Artillery", "Walter Model", "Paul von Kleist", "Soviet SNAFU", "Feint", "Reserves"]
    s = card_phase(noretreat, "soviet", turn=7, pile=pile, discards=["Pioneers"])
    numbers = [noretreat.card_number(name) for name in pile]
    assert s.pile == numbers[:3]
    ops = {half.op for card in noretreat.cards.values() for half in card.halves}
    assert "reshuffle" not in ops


@rule("5.0.c")
def test_only_the_top_discard_shows(noretreat: Any) -> None:
    s = moving(noretreat, SMALL, discards=["Pioneers", "Feint"])
    for side in ("axis", "soviet", None):
        view = s.view(side)["discards"]
        assert view["count"] == 2
        assert view["top"]["axis"]["title"] == "Feint"
        assert "Pioneers" not in str(s.view(side))


@rule("5.0.d")
def test_events_wait_for_their_moment(noretreat: Any) -> None:
    s = moving(noretreat, SMALL, hands={"axis": ["Reserves", "Panzerblitz!"]}, boxes={"Destroyed": ["4th Army"]})
    assert refused(s, "play Reserves on 4th Army", because="5.0.d")


@rule("5.0.e")
def test_advance_events_apply_in_the_order_played(noretreat: Any) -> None:
    """The examples of 5.0: General Staff then Rasputitsa gives one hex, the other order two."""
    units = {"2nd Panzer": "2210", "9th Army": "2210", "1st Panzer": "2110", "Don": "2211"}
    for order, limit in ((("axis", "soviet"), 1), (("soviet", "axis"), 2)):
        s = combat(noretreat, units, hands={"axis": ["General Staff"], "soviet": ["Rasputitsa"]}, dice=(2,))
        fight_until_rolled(s)
        for side in order:
            while s.side != side:
                do(s, "pass")
            do(s, next(t for t in legal(s) if t.startswith("play")))
        skip_to(s, "advance.Advance")
        do(s, "advance 9th Army 2211")
        steps = 1
        while asked(s) == "advance.AdvanceOn":
            do(s, starting_advance(s))
            steps += 1
        assert steps == limit


def fight_until_rolled(s: Any) -> None:
    plan(s, "2211", "9th Army", "2nd Panzer", "1st Panzer")
    do(s, "fight")


def starting_advance(s: Any) -> str:
    return next(t for t in legal(s) if t.startswith("advance"))


@rule("5.0.f")
def test_the_initiative_side_plays_first_where_both_may(noretreat: Any) -> None:
    hands = {"axis": ["Propaganda"], "soviet": ["Allied Conference"]}
    for turn, first in ((7, "axis"), (15, "soviet")):
        s = noretreat.position(turn=turn, phase="victory", units=SMALL, hands=hands)
        assert (s.side, asked(s)) == (first, "cards.React")
        do(s, "pass")
        assert s.side != first
        do(s, legal(s)[0])
        assert (s.side, asked(s)) == (first, "cards.React")


@rule("5.0.f")
def test_who_goes_first_is_not_asked_again_for_nothing(noretreat: Any) -> None:
    """To be asked again would tell that the other side holds something."""
    hands = {"axis": ["Propaganda"], "soviet": ["Allied Conference"]}
    for turn in (7, 15):
        s = noretreat.position(turn=turn, phase="victory", units=SMALL, hands=hands)
        do(s, "pass", "pass")
        assert s.phase != "housekeeping"


@rule("5.0.g")
def test_the_same_event_not_twice_in_a_player_turn(noretreat: Any) -> None:
    units = {"2nd Panzer": "2210", "9th Army": "2110", "Don": "2211", "Kalinin": "2209"}
    hands = {"axis": ["Luftflotte", "Gott Mit Uns"]}
    s = combat(noretreat, units, hands=hands, dice=(1, 1))
    do(s, "target 2211", "target 2209", "done", "attack 2211", "attack with 9th Army", "fight", "play Luftflotte")
    skip_to(s, "combat.ChooseBattle")
    do(s, "attack 2209", "attack with 2nd Panzer", "fight")
    # Luftflotte lies on top of the discards, but Gott Mit Uns cannot make it occur again
    assert not any("Luftflotte" in t for t in legal(s))
    fresh = combat(noretreat, units, hands={"axis": ["Gott Mit Uns"]}, discards=["Luftflotte"])
    plan(fresh, "2211", "9th Army")
    do(fresh, "fight")
    assert offers(fresh, "play Gott Mit Uns for Luftflotte")


@rule("5.0.g")
def test_an_event_may_occur_again_in_the_next_player_turn(noretreat: Any) -> None:
    s = moving(noretreat, SMALL, hands={"soviet": ["Savages!"]})
    s.played |= 1 << noretreat.event_names.index("Savages!")  # as if it had been played and recovered
    do(s, "done")
    assert not offers(s, "play Savages!")
    skip_to(s, "cards.React")
    assert s.phase.startswith("soviet")
    assert offers(s, "play Savages!")


@rule("5.1")
def test_hand_limit_of_two(noretreat: Any) -> None:
    s = card_phase(noretreat, "axis", hands={"axis": ["Feint", "Reserves", "Pioneers", "Hedgehogs"]})
    do(s, "discard Feint")
    assert asked(s) == "cards.Discard"
    do(s, "discard Reserves")
    assert asked(s) != "cards.Discard"
    assert set(hand(s, "axis")) >= {"Pioneers", "Hedgehogs"}


@rule("5.2.a")
def test_draw_four(noretreat: Any) -> None:
    assert drawn(card_phase(noretreat, "soviet", turn=8), "soviet") == 4


@rule("5.2.b")
def test_moscow_and_the_caucasus_oil_cost_the_soviets_a_card_each(noretreat: Any) -> None:
    for control, cards in (({"Moscow": "axis"}, 3), ({"Caucasus Oil Fields": "axis"}, 3),
                           ({"Moscow": "axis", "Caucasus Oil Fields": "axis"}, 2)):  # fmt: skip
        assert drawn(card_phase(noretreat, "soviet", turn=7, control=control), "soviet") == cards


@rule("5.2.c")
def test_rumanian_oil_costs_the_axis_a_card(noretreat: Any) -> None:
    s = card_phase(noretreat, "axis", turn=13, control={"Rumanian Oil Fields": "soviet"})
    assert drawn(s, "axis") == 3


@rule("5.2.d", "13.5.8-9", "13.5.21")
def test_draw_modifiers_add_up(noretreat: Any) -> None:
    assert drawn(card_phase(noretreat, "axis", turn=8), "axis") == 5
    assert drawn(card_phase(noretreat, "axis", turn=9), "axis") == 5
    assert drawn(card_phase(noretreat, "axis", turn=13), "axis") == 4
    lost = {"Rumanian Oil Fields": "soviet"}
    assert drawn(card_phase(noretreat, "axis", turn=8, control=lost), "axis") == 4
    assert drawn(card_phase(noretreat, "soviet", turn=21, control={"Moscow": "axis"}), "soviet") == 4
    assert drawn(card_phase(noretreat, "soviet", turn=20), "soviet") == 4
    # turn 23 fixes the Axis draw at one card, whatever else holds
    assert drawn(card_phase(noretreat, "axis", turn=23, control=lost), "axis") == 1


@rule("5.2.1", "13.4")
def test_two_front_war(noretreat: Any) -> None:
    s = card_phase(noretreat, "axis", turn=14)
    assert drawn(s, "axis") == 4
    assert asked(s) == "cards.Pay"
    do(s, legal(s)[0])
    assert drawn(s, "axis") == 3
    soviet = card_phase(noretreat, "soviet", turn=14)
    assert asked(soviet) != "cards.Pay"
    quiet = card_phase(noretreat, "axis", turn=13)
    assert asked(quiet) != "cards.Pay"


@rule("5.3.a")
def test_each_side_uses_its_own_half(noretreat: Any) -> None:
    s = card_phase(
        noretreat,
        "soviet",
        turn=7,
        pile=["Feint"] * 1 + ["Reserves", "Pioneers", "Hedgehogs", "Kampfgruppen"],
        hands={"soviet": ["STAVKA"]},
    )
    assert offers(s, "play STAVKA")
    assert refused(s, "play Erich von Manstein on 9th Army", because="5.3.a")


@rule("5.3.b")
def test_played_cards_are_discarded(noretreat: Any) -> None:
    s = card_phase(noretreat, "soviet", turn=7, hands={"soviet": ["STAVKA"]})
    do(s, "play STAVKA")
    assert "STAVKA" not in hand(s, "soviet")
    assert s.discards[-1] == 2


@rule("5.3.1")
def test_events_without_a_timing_fit_any_window(noretreat: Any) -> None:
    own = card_phase(noretreat, "soviet", turn=7, hands={"soviet": ["Savages!"]})
    assert offers(own, "play Savages!")
    move = moving(noretreat, SMALL, "soviet", hands={"soviet": ["Savages!"]})
    assert offers(move, "play Savages!")
    enemy = moving(noretreat, SMALL, "axis", hands={"soviet": ["Savages!"]})
    do(enemy, "done")
    assert (enemy.side, asked(enemy)) == ("soviet", "cards.React")
    assert offers(enemy, "play Savages!")


@rule("5.3.2")
def test_an_event_overrides_the_rules(noretreat: Any) -> None:
    """The Axis cannot replace units before turn 5, but Reserves can (7.9.1)."""
    s = noretreat.position(turn=3, phase="axis.organization", units=SMALL, hands={"axis": ["Reserves", "Feint"]},
                           boxes={"Destroyed": ["4th Army"]})  # fmt: skip
    do(s, "done")
    assert refused(s, "replace 4th Army", because="7.9.1")
    do(s, "play Reserves on 4th Army", "place 4th Army 0811")
    assert at(s, "4th Army") == "0811"


@rule("5.3.3.a", "5.3.3.b", "5.3.3.c")
def test_symbols_and_the_initiative(noretreat: Any) -> None:
    units = {"2nd Panzer": "2210", "Don": "2211"}
    for turn, able in ((7, True), (13, False)):
        s = combat(noretreat, units, turn=turn, hands={"axis": ["Luftflotte", "Pioneers"]})
        plan(s, "2211", "2nd Panzer")
        do(s, "fight")
        assert offers(s, "play Luftflotte") is able
        if not able:
            assert any(c.rule == "5.3.3.a" for c in s.why_not("play Luftflotte")) or asked(s) != "combat.BattleEvent"
    for turn, able in ((7, False), (13, True)):
        s = combat(noretreat, units, "soviet", turn=turn, hands={"soviet": ["Red Air Force", "Katyusha"]})
        plan(s, "2210", "Don")
        do(s, "fight")
        assert offers(s, "play Red Air Force") is able
        assert offers(s, "play Katyusha")
        if not able:
            assert refused(s, "play Red Air Force", because="5.3.3.b")


@rule("5.3.3.a")
def test_cross_events_are_refused_by_rule(noretreat: Any) -> None:
    s = combat(
        noretreat, {"2nd Panzer": "1410", "Don": "1411"}, turn=13, hands={"axis": ["Luftflotte", "Joker (Axis side)"]}
    )
    plan(s, "1411", "2nd Panzer")
    do(s, "fight")
    assert refused(s, "play Luftflotte", because="5.3.3.a")


@rule("5.3.4")
def test_one_movement_event_a_unit(noretreat: Any) -> None:
    s = moving(
        noretreat, {"2nd Panzer": "2210", "1st Panzer": "2110"}, hands={"axis": ["Panzerblitz!", "Surprise Attack"]}
    )
    do(s, "play Panzerblitz!", "speed up 2nd Panzer", "pass", "play Surprise Attack")
    assert refused(s, "speed up 2nd Panzer", because="5.3.4")
    assert starting(s, "speed up") == ["1st Panzer"]


@rule("5.4", "5.4.a")
def test_cards_as_currency(noretreat: Any) -> None:
    s = noretreat.position(
        turn=7,
        phase="axis.organization",
        units={**SMALL, "3rd Panzer": {"at": "0811", "face": "reduced"}},
        hands={"axis": ["Das Vaterland", "Feint"]},
    )
    do(s, "improve 3rd Panzer")
    assert asked(s) == "cards.Pay"
    do(s, "discard Feint", "discard Das Vaterland")
    assert s.discards[-1] == 13
    assert hand(s, "axis") == []  # no event took place: nothing was drawn


@rule("5.5.a")
def test_green_cards_wait_for_1945(noretreat: Any) -> None:
    s = noretreat.start("campaign", seed=5)
    green = set(noretreat.cards_45["green"])
    assert not green & {*s.pile, *s.discards}
    assert s.refuses("play Panzerfaust", because="5.5.a")
    assert not any(s.hands[side] >> card & 1 for side in (0, 1) for card in green)


@rule("5.5.b", "5.5.c", "5.5.d", "12.4.b")
def test_on_to_berlin(noretreat: Any) -> None:
    s = noretreat.position(turn=22, phase="soviet.detraining", units=SMALL, high_tide=5, event_vp=-2,
                           hands={"axis": ["Heinz Guderian", "Feint"], "soviet": ["Panzerblitz!", "Hedgehogs"]},
                           discards=["Stukas", "Pioneers"])  # fmt: skip
    assert s.turn == 23
    everywhere = [*s.pile, *s.discards, *(c for c in range(64) if (s.hands[0] | s.hands[1]) >> c & 1)]
    assert not set(noretreat.cards_45["bar"]) & set(everywhere)
    assert set(noretreat.cards_45["green"]) <= set(everywhere)
    assert len(everywhere) == 41
    assert "Feint" in hand(s, "axis")
    assert hand(s, "soviet") == ["New Conscripts"]
    assert s.phase.startswith("axis")


@rule("5.0.e")
def test_a_cancelled_event_has_no_effect_and_a_cancel_can_be_cancelled(noretreat: Any) -> None:
    hands = {"soviet": ["STAVKA", "Hitler's Interference"], "axis": ["Stalin's Interference", "Feint"]}
    s = card_phase(noretreat, "soviet", turn=7, units=SMALL, hands=hands)
    before = drawn(s, "soviet")
    do(s, "play STAVKA")
    assert (s.side, asked(s)) == ("axis", "cards.React")
    do(s, "play Stalin's Interference")
    assert (s.side, asked(s)) == ("soviet", "cards.React")
    cancelled = s.copy()
    do(cancelled, "pass")
    assert drawn(cancelled, "soviet") == before - 1
    events = do(s, "play Hitler's Interference")
    assert "is cancelled" in told(events)
    assert drawn(s, "soviet") == before - 2 + 2


def test_reactions_are_asked_only_of_those_who_can_play(noretreat: Any) -> None:
    units = {"9th Army": "2210", "Don": "2310"}
    quiet = moving(noretreat, units, hands={"soviet": ["Katyusha"]})
    do(quiet, "done")
    assert quiet.phase == "axis.combat"
    holder = moving(noretreat, units, hands={"soviet": ["Savages!", "Counter-intelligence"], "axis": ["Feint"]})
    do(holder, "done")
    assert (holder.side, asked(holder)) == ("soviet", "cards.React")
    other = holder.view("axis")
    assert other["decision"] == {"side": "soviet", "kind": "", "prompt": "Waiting for the other side.", "rules": []}
    assert other["legal"] == []
    assert "Savages" not in str(other)
    assert "Savages!" in str(holder.view("soviet"))


def test_passing_until_the_next_player_turn_silences_reactions(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2310"}, hands={"soviet": ["Savages!"]})
    do(s, "done", "pass until the next player turn")
    seen = []
    while s.phase.startswith("axis"):
        seen.append((s.side, asked(s)))
        do(s, "done" if offers(s, "done") else legal(s)[0])
    assert ("soviet", "cards.React") not in seen


def test_a_side_may_ask_to_be_asked_always(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2310"}, options={"soviet_reactions": "always"})
    do(s, "done")
    assert (s.side, asked(s)) == ("soviet", "cards.React")
    assert legal(s) == ["pass", "pass until the next player turn"]


def test_hands_and_the_pile_stay_hidden(noretreat: Any) -> None:
    s = moving(noretreat, SMALL, hands={"axis": ["Feint", "Reserves"], "soviet": ["STAVKA", "Rodina!"]})
    for viewer, hidden in (
        ("axis", ["STAVKA", "Rodina!"]),
        ("soviet", ["Feint", "Reserves"]),
        (None, ["STAVKA", "Feint"]),
    ):
        view = s.view(viewer)
        for name in hidden:
            side = "soviet" if viewer == "axis" else "axis"
            assert "cards" not in view["hands"][side]
            assert f'"{name}"' not in str(view).replace("'", '"')
        assert "pile" not in view
        assert "rng" not in view
    other = s.copy()
    noretreat.judge.redeal(other, 0)
    assert other.hands[0] == s.hands[0]
    assert other.hands[1].bit_count() == 2
    assert other.pile != s.pile
    assert sorted([*bits(other.hands[1]), *other.pile]) == sorted([*bits(s.hands[1]), *s.pile])  # the same cards
    assert noretreat.judge.evaluate(other, 0) == noretreat.judge.evaluate(s, 0)


@rule("5.0.d")
def test_fighting_cards_are_not_for_a_calm_day(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, hands={"axis": ["Pioneers"]}, dice=(4,))
    fight(s, "2211", "9th Army")  # clear terrain: Pioneers would ignore nothing
    assert "Pioneers" in hand(s, "axis")


@rule("5.3.1")
def test_a_hand_that_lies_open_is_not_dealt_anew(noretreat: Any) -> None:
    """Red Orchestra: the Soviets see the Axis hand while they choose a card of it."""
    hands = {"soviet": ["Red Orchestra"], "axis": ["Feint", "Luftflotte", "Hedgehogs"]}
    s = noretreat.position(turn=7, phase="soviet.movement", units={"West": "1715"}, hands=hands)
    do(s, "play Red Orchestra")
    other = s.copy()
    noretreat.judge.redeal(other, 1)
    assert other.hands == s.hands
    assert sorted(other.pile) == sorted(s.pile)


def test_being_asked_always_tells_nothing_of_a_hand(noretreat: Any) -> None:
    """An Axis turn in which the Soviets pass: they are asked at the same moments whatever they hold."""
    s = noretreat.start("B", seed=4, options={"soviet_reactions": "always"})
    skip_to(s, "organization.Flip")
    other = s.copy()
    noretreat.judge.redeal(other, 0)
    other.rng = s.rng
    assert other.hands[1] != s.hands[1]
    moments = 0
    while (s.turn, s.mover) == (7, 0):
        assert (s.side, asked(s)) == (other.side, asked(other))
        moments += s.side == "soviet"
        ours = [t for t in legal(s) if not t.startswith("play ")]
        choice = ours[0]
        if s.side == "soviet":
            choice = next((t for t in ours if t in ("pass", "done", "decline to counterattack")), choice)
        do(s, choice)
        do(other, choice)
    assert moments > 10
