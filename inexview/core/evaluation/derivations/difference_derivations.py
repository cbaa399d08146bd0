"""Derive how two runs, or a run and a changed copy of it, differ in a measure, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    DerivationRow,
    Fraction,
    filled_lines,
    shown,
)
from inexview.core.wording import PERCENT

RowPair = tuple[DerivationRow | None, DerivationRow | None]


@dataclass(frozen=True, slots=True)
class DerivedDifference:
    """A difference derived; ``pairs`` are the rows of the two values that each of its rows is made of."""

    derivation: Derivation
    pairs: tuple[RowPair, ...]


def derive_difference(first: Derivation, second: Derivation, names: tuple[str, str]) -> DerivedDifference:
    """Derive the first value less the second, both of one measure; ``names`` say of which two runs they are.

    What a row adds to either value is its part of the numerator; where the two are divided by different
    numbers it is divided by its own, so that the rows add up to the difference.
    """
    one, other = first.fraction, second.fraction
    alike = one is not None and other is not None and _below(one) == _below(other)
    pairs = _paired(first.rows, second.rows)
    rows, gained = [], one is not None and other is not None
    for left, right in pairs:
        own = _part(left, one, divided=not alike), _part(right, other, divided=not alike)
        rows.append(_row(left, right, own, own[0] - own[1] if gained else 0.0))
    order = sorted(range(len(rows)), key=lambda at: -abs(rows[at].adds))
    rows = [replace(rows[at], rank=place) for place, at in enumerate(order, 1)]
    value = first.value - second.value
    joined = _joined(one, other, rows, alike=alike)
    return DerivedDifference(
        Derivation(
            topic=first.topic,
            measure=f"Δ {first.measure}",
            title=f"{first.measure}: {names[0]} less {names[1]}",
            formula=f"Δ {first.measure} = {first.measure} of {names[0]} − {first.measure} of {names[1]}",
            citation=first.citation,
            note=first.note,
            value=value,
            columns=names,
            rows=tuple(rows),
            fraction=joined,
            said=_filled(first, second, joined if alike else None, rows),
        ),
        tuple(pairs[at] for at in order),
    )


def _below(fraction: Fraction) -> tuple[float, float]:
    return fraction.denominator, fraction.factor


def _paired(first: Sequence[DerivationRow], second: Sequence[DerivationRow]) -> list[RowPair]:
    """Put the rows together that are of the same topic, document or passage."""
    there: dict[tuple[object, ...], list[DerivationRow]] = {}
    for row in second:
        there.setdefault(_key(row), []).append(row)
    found: list[RowPair] = []
    for row in first:
        alike = there.get(_key(row))
        found.append((row, alike.pop(0) if alike else None))
    return [*found, *((None, row) for rows in there.values() for row in rows)]


def _key(row: DerivationRow) -> tuple[object, ...]:
    return row.document, row.start, row.end, row.element


def _part(row: DerivationRow | None, fraction: Fraction | None, *, divided: bool) -> float:
    if row is None:
        return 0.0
    if not divided or fraction is None:
        return row.adds
    return row.adds / fraction.denominator * fraction.factor if fraction.denominator else 0.0


def _row(
    left: DerivationRow | None, right: DerivationRow | None, own: tuple[float, float], adds: float
) -> DerivationRow:
    one = left or right
    assert one is not None, "a pair has a row"
    return DerivationRow(0, one.document, own, adds, one.start, one.end, one.element)


def _joined(
    one: Fraction | None, other: Fraction | None, rows: Sequence[DerivationRow], *, alike: bool
) -> Fraction | None:
    if one is None or other is None:
        return None
    gained = sum(row.adds for row in rows)
    if alike:
        return Fraction(gained, one.denominator, "Σ differences", one.below, one.factor, one.factor_name)
    return Fraction(gained, 1.0, "Σ differences", "1")


def _filled(
    first: Derivation, second: Derivation, joined: Fraction | None, rows: Sequence[DerivationRow]
) -> tuple[str, ...]:
    """Write the difference; as one sum where both values are ``joined`` over one denominator."""
    value = first.value - second.value
    lines = [f"= {first.value:.4f} − {second.value:.4f} = {value:+.4f}"]
    terms = [row.adds for row in rows if row.adds]
    if terms and joined is not None and joined.denominator:
        lines += filled_lines(joined, terms, value)
    elif terms:
        lines.append(f"= Σ differences = {shown(sum(terms))}")
    if second.value:
        lines.append(f"= {100 * value / second.value:+.1f}{PERCENT} of {second.value:.4f}")
    return tuple(line.replace("+ -", "− ").replace("-", "−") for line in lines)
