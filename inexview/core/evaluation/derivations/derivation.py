"""How a measure's value comes about: its formula, the same with its numbers, and the rows that went in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexview.core.measures.measure import Cutoff, MeasureRecord
from inexview.core.text.spans import Floats

SHOWN = 3
"""How many terms of a sum are written out."""

Number = int | float


@dataclass(frozen=True, slots=True)
class DerivationRow:
    """One result, or one document, of a ranking.

    ``[start, end)`` is its place in the document, ``start`` None where that is all of it or nowhere;
    ``figures`` are under the derivation's ``columns``, ``adds`` is what it adds to the numerator.
    """

    rank: int
    document: str
    figures: tuple[Number, ...]
    adds: float = 0.0
    start: int | None = None
    end: int | None = None
    element: str = ""
    """The path of an element, in a run of elements."""

    @property
    def place(self) -> str:
        """The path of its element, or ``offset:length``; empty where it is all of its document."""
        if self.element or self.start is None or self.end is None:
            return self.element
        return f"{self.start}:{self.end - self.start}"


@dataclass(frozen=True, slots=True)
class Fraction:
    """What a value is made of: ``numerator / denominator · factor``, 0 for a denominator of 0.

    ``above`` and ``below`` say in words what the two are.  The numerator is the sum of what the rows add.
    """

    numerator: float
    denominator: float
    above: str
    below: str
    factor: float = 1.0
    factor_name: str = ""

    @property
    def value(self) -> float:
        return self.numerator / self.denominator * self.factor if self.denominator else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A value, derived.  ``value`` is what evaluation computes; ``topic`` is "" for one over topics."""

    topic: str = ""
    measure: str
    title: str
    formula: str
    citation: str = ""
    note: str = ""
    value: float
    columns: tuple[str, ...] = ()
    rows: tuple[DerivationRow, ...] = ()
    fraction: Fraction | None = None
    said: tuple[str, ...] = ()
    """Lines that say it instead of the sum."""

    @property
    def filled(self) -> tuple[str, ...]:
        """The formula with the numbers in it, line by line; the last one ends in the value."""
        adds = [row.adds for row in self.rows if row.adds]
        lines = self.said or filled_lines(self.fraction, adds, self.value)
        of_formula = self.formula.partition(" = ")[2].partition(",")[0]
        return lines[1:] if len(lines) > 1 and lines[0] == f"= {of_formula}" else lines


@dataclass(frozen=True, slots=True)
class MeasureParts:
    """What a family of measures says of one measure of one topic."""

    columns: tuple[str, ...]
    rows: tuple[DerivationRow, ...]
    fraction: Fraction | None = None
    """None for a value that is no such fraction."""
    said: tuple[str, ...] = ()
    """Lines that say it instead of the sum."""

    def derived(
        self,
        topic: str,
        measure: str,
        formula: str,
        value: float,
        *,
        title: str = "",
        citation: str = "",
        note: str = "",
    ) -> Derivation:
        """Return the derivation of a value made of these; its title is the measure unless one is given."""
        return Derivation(
            topic=topic,
            measure=measure,
            title=title or measure,
            formula=formula,
            citation=citation,
            note=note,
            value=value,
            columns=self.columns,
            rows=self.rows,
            fraction=self.fraction,
            said=self.said,
        )


def derivation(
    topic: str, record: MeasureRecord, cutoff: Cutoff | None, value: float, parts: MeasureParts
) -> Derivation:
    """Put together what a family says of a measure with what its record says."""
    return parts.derived(
        topic,
        record.label(cutoff),
        record.formula,
        value,
        title=record.title,
        citation=record.citation,
        note=record.note,
    )


def rows_by(
    key: Floats, names: Sequence[str], figures: Sequence[Floats], adds: Floats
) -> tuple[DerivationRow, ...]:
    """Return a row for each name, the one with the least key first; all arrays are of shape (n,)."""
    order = np.argsort(key, kind="stable").tolist()
    return tuple(
        DerivationRow(place, names[at], tuple(float(own[at]) for own in figures), float(adds[at]))
        for place, at in enumerate(order, 1)
    )


def shown(number: Number) -> str:
    """Write a number: whole ones with thousands apart, others with four decimals."""
    if math.isinf(number):
        return "∞"
    return f"{int(number):,}" if float(number).is_integer() else f"{number:.4f}"


def filled_lines(fraction: Fraction | None, terms: Sequence[float], value: float) -> tuple[str, ...]:
    """Write the sum over its denominator, then both as numbers, then the value."""
    if fraction is None:
        return (f"= {value:.4f}",)
    if not fraction.denominator:
        return (f"= 0, as there is nothing to divide by: {fraction.below} = 0",)
    factor = f" · {shown(fraction.factor)}" if fraction.factor_name else ""
    lines = []
    if len(terms) > 1:
        more = f" + … {len(terms) - SHOWN:,} more" if len(terms) > SHOWN else ""
        lines.append(
            f"= ({' + '.join(map(shown, terms[:SHOWN]))}{more}) / {shown(fraction.denominator)}{factor}"
        )
    lines.append(f"= {shown(fraction.numerator)} / {shown(fraction.denominator)}{factor} = {value:.4f}")
    below = f"({fraction.below})" if " + " in fraction.below else fraction.below
    named = f"{fraction.above} / {below}" + (f" · {fraction.factor_name}" if factor else "")
    return (f"= {named}", *lines)


def fraction_of(
    rows: Sequence[DerivationRow],
    denominator: float,
    above: str,
    below: str,
    *,
    factor: float = 1.0,
    factor_name: str = "",
) -> Fraction:
    """Return the fraction whose numerator is what the rows add."""
    return Fraction(sum(row.adds for row in rows), denominator, above, below, factor, factor_name)
