"""BM25 as Lucene has it since version 8: without the factor k1 + 1, which changes no ranking.

Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from inexview.core.text.offset_arrays import Floats

K1, B = 0.9, 0.4


def bm25_idf(having: int, among: int) -> float:
    """Return the weight of a term that ``having`` of ``among`` documents have."""
    return log(1 + (among - having + 0.5) / (having + 0.5))


def bm25_part(often: NDArray[np.integer], relative_lengths: Floats, k1: float = K1, b: float = B) -> Floats:
    """Return how much of its weight a term gives documents (m,) that hold it so often.

    Lengths are parts of the average length.
    """
    part: Floats = often / (often + k1 * (1 - b + b * relative_lengths))
    return part


def bm25_fewest(part: float, k1: float = K1, b: float = B) -> float:
    """Return how often a term is at least in a document to which it gives this part of its weight, below 1.

    A document without length would need it so often, all others more often.
    """
    return part / (1 - part) * k1 * (1 - b)
