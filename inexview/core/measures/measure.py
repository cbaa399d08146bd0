"""Measures as values: a name and a cut-off, written ``iP[0.01]`` and read back to the same value.

>>> iP = Measure("iP")
>>> iP @ 0.01 == parse("iP[0.01]") == parse("iP@0.01")
True
>>> str(Measure("gP") @ 10)
'gP[10]'
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inexview.core.errors import InexviewError

Cutoff = int | float

_LARGEST = 10**12


class MeasureError(InexviewError):
    """A measure that does not exist, or a cut-off that it does not take."""


RANKS = (1, 2, 3, 5, 10, 25, 50)
"""Those at which INEX reported its measures."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A cut-off at a rank or a count, 1 … 10¹²; ``usual`` are those reported when none are asked for."""

    usual: tuple[int, ...]

    def checked(self, cutoff: Cutoff) -> int:
        """Return the cut-off as a rank.  Raises MeasureError where it is none."""
        if not 1 <= cutoff <= _LARGEST or int(cutoff) != cutoff:
            raise MeasureError(f"{cutoff} is not a rank: a whole number from 1 to {_LARGEST}")
        return int(cutoff)

    def shown(self, cutoff: Cutoff) -> str:
        return str(int(cutoff))


@dataclass(frozen=True, slots=True)
class Level:
    """A cut-off at a level of recall, 0.00 … 1.00 in hundredths."""

    usual: tuple[float, ...]

    def checked(self, cutoff: Cutoff) -> float:
        """Return the cut-off as a level.  Raises MeasureError where it is none."""
        if not 0 <= cutoff <= 1 or abs(cutoff * 100 - round(cutoff * 100)) > 1e-9:
            raise MeasureError(f"{cutoff} is not a level of recall: 0.00 to 1.00 in hundredths")
        return float(cutoff)

    def shown(self, cutoff: Cutoff) -> str:
        return f"{cutoff:.2f}"


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure by name, with its cut-off if it takes one: ``Measure("iP") @ 0.01`` is iP[0.01]."""

    name: str
    cutoff: Cutoff | None = None

    def __matmul__(self, cutoff: Cutoff) -> Measure:
        return Measure(self.name, cutoff)

    def __str__(self) -> str:
        if self.cutoff is None:
            return self.name
        hundredths = f"{self.cutoff:.2f}"
        whole = isinstance(self.cutoff, int) or float(hundredths) != self.cutoff
        return f"{self.name}[{self.cutoff if whole else hundredths}]"


def parse(text: str) -> Measure:
    """Read a measure as it is written, with brackets or with an @.  Raises MeasureError."""
    match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_]*)(?:\[([0-9.e-]+)\]|@([0-9.e-]+))?", text.strip())
    if match is None:
        raise MeasureError(f"{text!r} is not a measure: write it like iP[0.01], gP@10 or MAgP")
    name, inner, after = match.groups()
    cutoff = inner or after
    if cutoff is None:
        return Measure(name)
    try:
        return Measure(name, int(cutoff) if cutoff.isdecimal() else float(cutoff))
    except ValueError:
        raise MeasureError(f"{cutoff!r} in {text!r} is not a cut-off") from None
