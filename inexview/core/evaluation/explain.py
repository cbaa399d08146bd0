"""Why one document scores what it scores: its hits, misses and false alarms, and what each of them costs.

The measures are those of *INEX 2007 Evaluation Measures* [M07 eq. 4-10]; here F(d) is one fraction of
characters, ``(1 + β²)·hits / (β²·relevant + retrieved)``, which equals ``(1 + β²)·P·R / (β²·P + R)`` and
stays exact when a passage is mended.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import entry_fraction
from inexview.core.measures.measure import INEX_2007, Parameters
from inexview.core.text.spans import Offsets, Spans


@dataclass(frozen=True, slots=True)
class Ratio:
    """A value with the two figures it is made of; 0 where there is nothing to divide by."""

    numerator: float
    denominator: float

    @property
    def value(self) -> float:
        """The quotient, 0 for a denominator of 0."""
        return self.numerator / self.denominator if self.denominator else 0.0


class Fault(Enum):
    """What a run did wrong at one place of a document."""

    MISSED = "missed"
    FALSE_ALARM = "false alarm"
    ENTRY_POINT = "entry point"


def faults_that_count(task: Task) -> frozenset[Fault]:
    """Return the faults within a document that a task's measures look at."""
    if task is Task.DOCUMENTS:
        return frozenset()
    if task is Task.BEST_IN_CONTEXT:
        return frozenset((Fault.ENTRY_POINT,))
    return frozenset((Fault.MISSED, Fault.FALSE_ALARM))


@dataclass(frozen=True, slots=True)
class Cost:
    """One fault: where it is, and its measure as it is (``before``) and were it mended (``after``).

    A missed passage is mended by retrieving it, a false alarm by not retrieving it, an entry point by
    moving it to the best entry point; all else stays as it is.  ``[start, end)`` is the passage, or the
    text between the two entry points.
    """

    fault: Fault
    start: int
    end: int
    measure: str
    before: Ratio
    after: Ratio

    @property
    def loss(self) -> float:
        """How much of the measure this fault costs, never negative for a relevant document."""
        return self.after.value - self.before.value


@dataclass(frozen=True, slots=True)
class Explanation:
    """One document under one run, in characters.

    ``distance`` is entry point minus best entry point (negative: the run enters before it); it and ``s``
    are None where either is missing.  ``costs`` are sorted, dearest first.
    """

    hits: Spans
    misses: Spans
    false_alarms: Spans
    precision: Ratio
    recall: Ratio
    f: Ratio
    s: Ratio | None
    distance: int | None
    costs: tuple[Cost, ...]


def explain(
    judged: Spans,
    retrieved: Spans,
    *,
    length: int,
    bep: int | None = None,
    entry: int | None = None,
    parameters: Parameters = INEX_2007,
    rsize: int | None = None,
    nowhere: int = 0,
    counted: frozenset[Fault] = frozenset(Fault),
    most: int | None = None,
) -> Explanation:
    """Explain the scores of one document.

    ``judged`` and ``retrieved`` are the highlighted and the retrieved characters, ``rsize`` the size of
    the former where the qrels say something else than the spans do, ``length`` the document's, in
    characters.  ``nowhere`` counts the characters of results that the article does not hold.  ``counted``
    are the faults of which costs are returned, ``most`` limits how many.
    """
    relevant = judged.size if rsize is None else rsize
    hits = judged & retrieved
    misses = judged - retrieved
    false_alarms = retrieved - judged
    hit, size = hits.size, retrieved.size + nowhere
    s = distance = None
    if entry is not None and bep is not None and relevant:
        distance = entry - bep
        s = closeness(abs(distance), length, parameters)
    beta = parameters.beta
    by_passages = Fault.MISSED in counted
    costs = _f_costs(misses, false_alarms, hit, size, relevant, beta, most) if by_passages else []
    if Fault.ENTRY_POINT in counted and s is not None and distance and entry is not None and bep is not None:
        mended = Ratio(s.denominator, s.denominator)
        costs.append(
            Cost(Fault.ENTRY_POINT, min(entry, bep), max(entry, bep), "s(x,b)", before=s, after=mended)
        )
        costs.sort(key=lambda cost: -cost.loss)
    return Explanation(
        hits=hits,
        misses=misses,
        false_alarms=false_alarms,
        precision=Ratio(hit if relevant else 0, size),
        recall=Ratio(hit if relevant else 0, relevant),
        f=f_ratio(hit if relevant else 0, size, relevant, beta),
        s=s,
        distance=distance,
        costs=tuple(costs[:most]),
    )


def closeness(distance: int, length: int, parameters: Parameters) -> Ratio:
    """Return s(x,b) for |x − b| = distance [M07 eq. 8, 9] as one fraction."""
    above, below = entry_fraction(distance, length, parameters)
    return Ratio(float(above), float(below))


def f_ratio(hits: int, retrieved: int, relevant: int, beta: float) -> Ratio:
    """Return F(d) [M07 eq. 6] as one fraction of characters."""
    weight = beta * beta
    return Ratio((1 + weight) * hits, weight * relevant + retrieved)


def _f_costs(
    misses: Spans,
    false_alarms: Spans,
    hits: int,
    retrieved: int,
    relevant: int,
    beta: float,
    most: int | None,
) -> list[Cost]:
    """Return what each missed and each falsely retrieved passage costs of F(d), dearest first.

    All are weighed at once; only the ``most`` that are wanted become objects.
    """
    starts: Offsets = np.concatenate((misses.starts, false_alarms.starts))
    ends: Offsets = np.concatenate((misses.ends, false_alarms.ends))
    sizes = ends - starts
    missed = np.arange(len(starts)) < len(misses)
    if not relevant:
        hits = 0
    before = f_ratio(hits, retrieved, relevant, beta)
    gained = np.where(missed & (relevant > 0), sizes, 0)
    numerators: NDArray[np.float64] = before.numerator + (1 + beta * beta) * gained
    denominators: NDArray[np.float64] = before.denominator + np.where(missed, sizes, -sizes)
    values = np.divide(numerators, denominators, out=np.zeros(len(starts)), where=denominators > 0)
    order = np.lexsort((starts, -sizes, -values))[:most]
    return [
        Cost(
            Fault.MISSED if missed[at] else Fault.FALSE_ALARM,
            int(starts[at]),
            int(ends[at]),
            "F(d)",
            before=before,
            after=Ratio(float(numerators[at]), float(denominators[at])),
        )
        for at in order.tolist()
    ]
