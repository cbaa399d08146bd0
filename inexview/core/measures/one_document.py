"""What one document scores: precision, recall and F of its characters, and how near the entry point is.

Source: Kamps, Pehcevski, Kazai, Lalmas, Robertson, *INEX 2007 Evaluation Measures*, equations 4–10.
These are the scores that follow the pen: :func:`score_document` runs on every movement of the mouse.

>>> judged = Spans([(100, 300), (500, 600)])
>>> a = score_document(judged, None, Spans([(50, 200), (450, 650)]), 1000, bep=120, entry=50)
>>> a.hits, a.retrieved, a.relevant
(200, 350, 300)
>>> round(a.precision, 6), round(a.recall, 6), round(a.f, 6), round(a.s, 6)
(0.571429, 0.666667, 0.615385, 0.588235)
>>> own = Parameters(beta=0.25)
>>> b = score_document(judged, None, Spans([(50, 200), (450, 650)]), 1000, bep=120, entry=50, parameters=own)
>>> round(b.f, 6)
0.576271
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from inexview.core.measures.parameters import INEX_2007, Parameters
from inexview.core.text.offset_arrays import Floats, Ints
from inexview.core.text.spans import Spans


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """The scores of one document and the counts of characters they are made of."""

    hits: int
    """Characters retrieved and relevant: the numerator of precision and of recall."""
    retrieved: int
    """Characters retrieved: the denominator of precision."""
    relevant: int
    """Relevant characters of the document, its rsize: the denominator of recall."""
    precision: float
    recall: float
    f: float
    distance: int | None
    """Characters between the run's entry point and the best one; None where either is missing."""
    s: float
    """Score of the entry point, 0 … 1."""


def score_document(
    judged: Spans,
    rsize: int | None,
    retrieved: Spans,
    length: int,
    bep: int | None,
    entry: int | None,
    parameters: Parameters = INEX_2007,
    *,
    nowhere: int = 0,
) -> DocumentScores:
    """Score what was retrieved of a document against what was judged relevant in it.

    ``rsize`` is the qrels' own count of relevant characters (None: count ``judged``), ``length`` the
    document's in characters, ``bep`` the best entry point and ``entry`` the run's.  ``nowhere`` counts the
    characters of results that the article does not hold.  A document without relevant characters scores 0
    throughout.
    """
    relevant = judged.size if rsize is None else rsize
    size = retrieved.size + nowhere
    hits = int(judged.overlap(retrieved.starts, retrieved.ends).sum()) if relevant else 0
    precision = hits / size if size else 0.0
    recall = hits / relevant if relevant else 0.0
    distance = None if bep is None or entry is None else abs(entry - bep)
    s = 0.0 if distance is None or not relevant else entry_score(distance, length, parameters)
    return DocumentScores(
        hits, size, relevant, precision, recall, f_score(precision, recall, parameters.beta), distance, s
    )


@overload
def f_score(precision: float, recall: float, beta: float) -> float: ...
@overload
def f_score(precision: Floats, recall: Floats, beta: float) -> Floats: ...
def f_score(precision: float | Floats, recall: float | Floats, beta: float) -> float | Floats:
    """Return (1+β²)·P·R / (β²·P + R), 0 where P·R = 0 (equation 6); scalars or arrays of one shape."""
    product = precision * recall
    weight = beta * beta
    if isinstance(product, np.ndarray):
        below = np.where(product > 0, weight * precision + recall, 1.0)
        weighed: Floats = (1 + weight) * product / below
        return weighed
    return (1 + weight) * product / (weight * precision + recall) if product > 0 else 0.0


@overload
def entry_score(distance: int, length: int, parameters: Parameters) -> float: ...


@overload
def entry_score(distance: Ints, length: Ints, parameters: Parameters) -> Floats: ...


def entry_score(distance: int | Ints, length: int | Ints, parameters: Parameters) -> float | Floats:
    """Return s(x,b) for ``distance`` = |x−b|; scalars or arrays of one shape."""
    above, below = entry_fraction(distance, length, parameters)
    scored: Floats = above / below
    return scored if isinstance(distance, np.ndarray) else float(scored)


def entry_fraction(distance: int | Ints, length: int | Ints, parameters: Parameters) -> tuple[Any, Any]:
    """Return numerator and denominator of s(x,b): equation 9 (window form) with n, else equation 8.

    At distance 0 they are equal, also in a document of no length: 1 / 1.
    """
    if parameters.n is not None:
        return np.maximum(parameters.n - np.asarray(distance), 0), parameters.n
    reach = (parameters.a or 0.0) * np.asarray(length)
    total = reach + distance
    return np.where(total > 0, reach, 1.0), np.where(total > 0, total, 1.0)
