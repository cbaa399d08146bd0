"""Measures as values: a name and a cut-off, written ``iP[0.01]`` and read back to the same value.

The spellings of trec_eval and ir_measures are read too.

>>> iP = Measure("iP")
>>> iP @ 0.01 == parse("iP[0.01]") == parse("iP@0.01")
True
>>> str(Measure("gP") @ 10)
'gP[10]'
>>> str(parse("AP(rel=2)@100")), str(parse("ndcg_cut_10"))
('AP(rel=2)[100]', 'ndcg_cut[10]')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

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
    parameters: tuple[tuple[str, int | float | str], ...] = ()
    """What this measure is computed with, by ir_measures' names: ``(("rel", 2),)``."""
    written: str = field(default="", compare=False, repr=False)
    """How the user wrote it, and how it is printed; "" for its usual name."""

    def __matmul__(self, cutoff: Cutoff) -> Measure:
        return replace(self, cutoff=cutoff, written="")

    def __str__(self) -> str:
        given = ",".join(f"{name}={value!r}" for name, value in self.parameters)
        name = f"{self.name}({given})" if given else self.name
        if self.cutoff is None:
            return name
        hundredths = f"{self.cutoff:.2f}"
        whole = isinstance(self.cutoff, int) or float(hundredths) != self.cutoff
        return f"{name}[{self.cutoff if whole else hundredths}]"


_NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,3})?"
_WRITTEN = re.compile(
    rf"""(?P<name>11pt_avg|[A-Za-z][A-Za-z0-9_]*?)  # trec_eval's eleven points begin with digits
    (?:\((?P<given>[^()]*)\))?
    (?:\[(?P<inner>[0-9.e-]+)\]|@(?P<after>[0-9.e-]+)|[_.](?P<cut>{_NUMBER}))?""",
    re.VERBOSE,
)
_GIVEN = re.compile(
    rf"""\s*(?P<name>[A-Za-z_]+)\s*=\s*(?:(?P<number>{_NUMBER})|(["'])(?P<word>[\w-]+)\3)\s*"""
)


def parse(text: str) -> Measure:
    """Read a measure as inexview, trec_eval or ir_measures write it.

    ``nDCG@10``, ``nDCG[10]``, ``ndcg_cut_10`` and ``AP(rel=2)@100``.  Raises MeasureError.
    """
    text = text.strip()
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise MeasureError(f"{text!r} is not a measure: write it like iP[0.01], gP@10 or MAgP")
    given = _given(match["given"], text)
    cutoff = _number(match["inner"] or match["after"] or match["cut"], text)
    named = given.pop("cutoff", None)
    if named is not None and not isinstance(named, str):
        cutoff = named
    return Measure(match["name"], cutoff, tuple(given.items()), text)


def _given(written: str | None, text: str) -> dict[str, int | float | str]:
    """Read ``rel=2, p=0.8``; raises MeasureError."""
    given: dict[str, int | float | str] = {}
    for part in written.split(",") if written and written.strip() else ():
        match = _GIVEN.fullmatch(part)
        if match is None:
            raise MeasureError(f"{part.strip()!r} in {text!r} is no parameter: write it like rel=2")
        number = _number(match["number"], text)
        given[match["name"]] = match["word"] if number is None else number
    return given


def _number(written: str | None, text: str) -> Cutoff | None:
    if written is None:
        return None
    try:
        return int(written) if written.isdecimal() else float(written)
    except ValueError:
        raise MeasureError(f"{written!r} in {text!r} is not a cut-off") from None
