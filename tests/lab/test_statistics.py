"""The figures of the laboratory against known ones."""

from __future__ import annotations

from math import exp

import pytest

from counterblow.kernel import chance
from counterblow.lab.simulate import interval
from counterblow.lab.statistics import ELO, SEAT, Pairing, elo, paired


def test_wilson_interval_as_printed_in_textbooks() -> None:
    low, high = interval(15, 148)
    assert (round(low, 4), round(high, 4)) == (0.0624, 0.1605)
    assert interval(0, 10)[0] == 0


def test_paired_differences_by_hand() -> None:
    found = paired([1.0] * 6 + [-1.0] * 2 + [0.0] * 12)
    assert found.value == pytest.approx(0.2)
    # Agresti and Min: 6.5 and 2.5 of 22; (4 +- 1.96 * sqrt(9 - 16 / 22)) / 22
    assert found.low == pytest.approx((4 - 1.96 * (9 - 16 / 22) ** 0.5) / 22)
    assert found.high == pytest.approx((4 + 1.96 * (9 - 16 / 22) ** 0.5) / 22)


def test_no_difference_in_few_pairs_is_no_certainty() -> None:
    found = paired([0.0] * 10)
    assert found.low < -0.1 < 0.1 < found.high


def games(strength: dict[str, float], seat: float, rounds: int) -> list[Pairing]:
    """Results thrown from known strengths."""
    generator, found = chance.seeded(5), []
    for seed in range(rounds):
        for first in strength:
            for second in strength:
                if first != second:
                    p = 1 / (1 + exp(-(strength[first] - strength[second] + seat) / ELO))
                    generator, throw = chance.below(generator, 1_000_000)
                    found.append(Pairing(first, second, float(throw < p * 1_000_000), seed))
    return found


def test_elo_finds_known_strengths_and_the_worth_of_the_seat() -> None:
    strength = {"a": 1400.0, "b": 1480.0, "c": 1620.0}
    found = elo(games(strength, 120.0, 150))
    for name, true in (*strength.items(), (SEAT, 120.0)):
        assert found[name].low < true < found[name].high, name
        assert found[name].high - found[name].low < 120


def test_elo_stays_finite_when_somebody_wins_all() -> None:
    found = elo([Pairing("a", "b", 1.0, s) for s in range(10)] + [Pairing("b", "a", 0.0, s) for s in range(10)])
    assert 150 < found["a"].value - found["b"].value < 1500
    assert abs(found[SEAT].value) < 1e-6
