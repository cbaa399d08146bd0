"""How a measure's value comes about: its formula, the same with its numbers, and the rows that went in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from inexview.core.measures.measure import Cutoff
from inexview.core.measures.registry import MeasureRecord

SHOWN = 4
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


@dataclass(frozen=True, slots=True)
class MeasureParts:
    """What a family of measures says of one measure of one topic."""

    columns: tuple[str, ...]
    rows: tuple[DerivationRow, ...]
    fraction: Fraction | None = None
    """None for a value that is no such fraction."""
    said: tuple[str, ...] = ()
    """Lines that say it instead of the sum."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A measure of one topic, derived.  ``value`` is what evaluation computes."""

    topic: str
    measure: str
    title: str
    formula: str
    citation: str
    note: str
    value: float
    columns: tuple[str, ...]
    rows: tuple[DerivationRow, ...]
    fraction: Fraction | None
    filled: tuple[str, ...] = field(default=())
    """The formula with the numbers in it, line by line; the last one ends in the value."""


def derivation(
    topic: str, record: MeasureRecord, cutoff: Cutoff | None, value: float, parts: MeasureParts
) -> Derivation:
    """Put together what a family says of a measure with what its record says."""
    return Derivation(
        topic=topic,
        measure=record.label(cutoff),
        title=record.title,
        formula=record.formula,
        citation=record.citation,
        note=record.note,
        value=value,
        columns=parts.columns,
        rows=parts.rows,
        fraction=parts.fraction,
        filled=parts.said
        or filled_lines(parts.fraction, [row.adds for row in parts.rows if row.adds], value),
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
