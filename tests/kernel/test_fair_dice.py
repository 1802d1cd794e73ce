"""Fair dice: they follow from a promised secret, the nonces and the number of the action, never from other dice."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from counterblow import Game, cli
from counterblow.kernel import chance
from counterblow.kernel.chance import FairDice
from counterblow.kernel.errors import RecordError
from counterblow.kernel.record import Match, check_record, replay, sealed
from counterblow.players.randomly import Randomly

SECRET = bytes(range(32))
DICE = FairDice(SECRET, ("mine", "yours"))


def throws(dice: FairDice, number: int, count: int, sides: int = 6) -> list[int]:
    generator, found = chance.seeded(dice.generator(number)), []
    for _ in range(count):
        generator, face = chance.below(generator, sides)
        found.append(face + 1)
    return found


def played(game: Game, actions: int, dice: FairDice | None = DICE, seed: int = 3) -> Match:
    match, player = Match(game, seed=seed, dice=dice), Randomly(seed)
    while len(match.actions) < actions and match.state.decider is not None:
        match.do(player.choose(match.state, match.state.decider))
    return match


def test_the_documented_derivation() -> None:
    """docs/fair-dice.md, followed with nothing but hashes."""
    import hashlib
    import hmac

    key = hmac.new(SECRET, b"7:" + b"mine".hex().encode() + b":" + b"yours".hex().encode(), "sha256").digest()
    hashes = [hashlib.blake2b(count.to_bytes(8, "big"), key=key, digest_size=8).digest() for count in range(5)]
    assert throws(DICE, 7, 5) == [1 + (int.from_bytes(h, "big") * 6 >> 64) for h in hashes]
    assert DICE.commitment == hashlib.sha256(SECRET).hexdigest()


def test_a_million_throws_are_even() -> None:
    counts = Counter[int]()
    pairs = Counter[tuple[int, int]]()
    for number in range(50_000):
        faces = throws(DICE, number, 20)
        counts.update(faces)
        pairs.update(zip(faces[::2], faces[1::2], strict=True))
    assert chi_squared(counts, 6) < 20.5  # five degrees of freedom, one chance in a thousand
    assert chi_squared(pairs, 36) < 66.6  # thirty-five


def test_a_forged_die_is_found_even_under_a_fresh_seal(leningrad: Game) -> None:
    record = with_dice(leningrad)
    place = next(number for number, thrown in enumerate(record["dice"]) if thrown)
    record["dice"][place][0] = record["dice"][place][0] % 6 + 1
    with pytest.raises(RecordError, match="dice"):
        replay(leningrad, check_record(sealed(record)))
    record = with_dice(leningrad)
    record["fair"]["nonces"][0] = "another"
    with pytest.raises(RecordError, match=r"leads elsewhere|differ"):
        replay(leningrad, check_record(sealed(record)))


def chi_squared(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    assert len(counts) == cells
    return math.fsum((seen - expected) ** 2 / expected for seen in counts.values())


def test_what_was_thrown_does_not_tell_what_comes(narva: Game) -> None:
    """A copy of the state, generator and all, plays on with other dice than the match."""
    match = played(narva, 60)
    stolen = match.state.copy()
    assert stolen.rng >= chance.KEYED
    after = DICE.generator(61)
    assert stolen.rng >> 64 != after >> 64
    assert throws(DICE, 61, 8) != throws(DICE, 62, 8) != throws(FairDice(SECRET, ("mine", "other")), 62, 8)


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_records_with_fair_dice_replay_exactly(slug: str, request: pytest.FixtureRequest) -> None:
    game: Game = request.getfixturevalue(slug)
    match = played(game, 150)
    record = json.loads(json.dumps(match.to_record()))
    assert "seed" not in record
    assert replay(game, check_record(record)).state == match.state
    assert game.from_json(match.state.to_json()) == match.state


def test_what_is_done_again_after_an_undo_is_thrown_anew(narva: Game) -> None:
    match = Match(narva, dice=DICE)
    action = match.state.legal()[0]
    match.do(action, 1)
    match.undo()
    assert (match.numbers, match.actions) == ([], [])
    match.do(action, 3)
    assert match.to_record()["fair"]["numbers"] == [3]


def with_dice(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(played(game, 400).to_record()))
    assert any(found["dice"])
    return found


def test_verify_finds_every_change(leningrad: Game, tmp_path: Path) -> None:
    record = with_dice(leningrad)
    place = next(number for number, faces in enumerate(record["dice"]) if faces)
    die = json.loads(json.dumps(record))
    die["dice"][place][0] = die["dice"][place][0] % 6 + 1
    nonce = json.loads(json.dumps(record))
    nonce["fair"]["nonces"][1] = "yourz"
    secret = json.loads(json.dumps(record))
    secret["fair"]["secret"] = "00" * 32
    number = json.loads(json.dumps(record))
    number["fair"]["numbers"][-1] += 1
    twice = json.loads(json.dumps(record))
    twice["fair"]["numbers"][1] = twice["fair"]["numbers"][0]
    action = json.loads(json.dumps(record))
    action["actions"][-1] = next(
        str(other) for other in played(leningrad, 399).state.legal() if str(other) != record["actions"][-1]
    )
    for name, changed in (("die", die), ("nonce", nonce), ("secret", secret), ("number", number), ("twice", twice),
                          ("action", action)):  # fmt: skip
        with pytest.raises(RecordError):
            replay(leningrad, check_record(changed))
        (tmp_path / f"{name}.json").write_text(json.dumps(changed))
        assert CliRunner().invoke(cli.app, ["verify", str(tmp_path / f"{name}.json")]).exit_code != 0
    replay(leningrad, check_record(record))


def test_verify_tells_what_to_compare(leningrad: Game, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(with_dice(leningrad)))
    told = CliRunner().invoke(cli.app, ["verify", str(path)])
    assert told.exit_code == 0, told.output
    assert DICE.commitment in told.output
    assert "yours" in told.output
    right = ["--commitment", DICE.commitment, "--nonce", f"{leningrad.sides[0]}=mine"]
    assert CliRunner().invoke(cli.app, ["verify", str(path), *right]).exit_code == 0
    for wrong in (["--commitment", "00"], ["--nonce", f"{leningrad.sides[0]}=yours"], ["--nonce", "x"]):
        assert CliRunner().invoke(cli.app, ["verify", str(path), *wrong]).exit_code != 0
    played(leningrad, 50, None).save(tmp_path / "plain.json")
    assert "plain seed" in CliRunner().invoke(cli.app, ["verify", str(tmp_path / "plain.json")]).output
    assert CliRunner().invoke(cli.app, ["verify", str(tmp_path / "plain.json"), "--commitment", "0"]).exit_code != 0
