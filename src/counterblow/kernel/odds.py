"""Odds, columns, shifts and result tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from counterblow.kernel.data import need
from counterblow.kernel.errors import DataError
from counterblow.kernel.forecast import Modifier, Outcome, tally


def ratio(heading: str) -> Fraction:
    """ "3:2", "3-2" or "5:1" as a number."""
    left, _, right = heading.replace("-", ":").partition(":")
    try:
        return Fraction(int(left), int(right))
    except (ValueError, ZeroDivisionError):
        raise DataError(f'"{heading}" is no odds heading; write it like "3:1"') from None


class OddsLine:
    """The headings of a combat table. Odds between two headings use the lower one: rounding favours the defender."""

    def __init__(self, headings: Sequence[str]) -> None:
        self.headings = tuple(headings)
        ratios = [ratio(heading) for heading in headings]
        if ratios != sorted(ratios):
            raise DataError(f"odds headings must rise from left to right: {', '.join(headings)}")
        self._ratios = tuple((r.numerator, r.denominator) for r in ratios)

    def column(self, attack: int, defence: int) -> int:
        """Index of the highest heading not above attack : defence; -1 below the lowest."""
        found = -1
        for index, (over, under) in enumerate(self._ratios):
            if attack * under < defence * over:
                break
            found = index
        return found

    def shifted(self, column: int, shifts: Sequence[Modifier]) -> int:
        """The column after all shifts, kept within the table."""
        return self.clamp(column + sum(int(shift.amount) for shift in shifts))

    def clamp(self, column: int) -> int:
        """The nearest column that the table has."""
        return max(0, min(column, len(self.headings) - 1))


@dataclass(frozen=True)
class ResultTable:
    """Rows by die face, columns by heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    provenance: str
    first_face: int = 1

    @classmethod
    def read(cls, table: dict[str, Any], where: str) -> ResultTable:
        """From ``columns = [...]`` and ``rows = [[...], ...]``; every row must fill every column."""
        columns = tuple(need(table, "columns", list, where))
        rows = tuple(tuple(row) for row in need(table, "rows", list, where))
        for number, row in enumerate(rows, 1):
            if len(row) != len(columns):
                raise DataError(f"{where}: row {number} has {len(row)} results for {len(columns)} columns")
        return cls(columns, rows, need(table, "provenance", str, where), int(table.get("first_face", 1)))

    def result(self, face: int, column: int) -> str:
        """The cell; faces beyond the table use its first or last row."""
        row = max(0, min(face - self.first_face, len(self.rows) - 1))
        return self.rows[row][column]

    def outcomes(
        self, column: int, faces: Sequence[int] = (1, 2, 3, 4, 5, 6), texts: dict[str, str] | None = None
    ) -> tuple[Outcome, ...]:
        """Exact chances of each result in a column, all faces alike; ``texts``: what the results mean."""
        return tally(((self.result(face, column), Fraction(1, len(faces))) for face in faces), texts)
