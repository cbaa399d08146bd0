"""How far more than two assessors of the same topics agree: every pair, their mean, and Fleiss' κ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from inexview.core.evaluation.assessors.agreement import (
    SCALE,
    Agreement,
    agree,
    agree_on_elements,
    mean_where_defined,
)
from inexview.core.evaluation.assessors.grade_agreement import fleiss_kappa
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.text.spans import Ints


@dataclass(frozen=True, eq=False)
class SeveralAgreement:
    """The agreement of each pair of assessors, by their places, and of all of them together.

    Fleiss' κ counts the ``documents`` that all have judged, and their characters; NaN for elements, of which
    those that no one found relevant are not listed.
    """

    pairs: Mapping[tuple[int, int], Agreement]
    documents: int
    fleiss_documents: float
    fleiss_characters: float

    def mean(self, name: str) -> tuple[float, float]:
        """Return the means over the pairs of the pooled ∩/∪ and κ, each over those where it is defined."""
        own = [pair.overall.compared[name] for pair in self.pairs.values() if name in pair.overall.compared]
        return mean_where_defined(one.overlap for one in own), mean_where_defined(one.kappa for one in own)


def agree_among(assessors: Sequence[Qrels], *, scale: int = SCALE) -> SeveralAgreement:
    """Compare two or more assessors' passages."""
    places = combinations(range(len(assessors)), 2)
    pairs = {(i, j): agree(assessors[i], assessors[j], scale=scale) for i, j in places}
    judged = [{(own.topic, own.document): own for own in qrels} for qrels in assessors]
    common = [[own[key] for own in judged] for key in judged[0] if all(key in own for own in judged[1:])]
    relevant = [sum(own.rsize > 0 for own in rows) for rows in common]
    counted = [_characters(rows) for rows in common if all(own.rsize <= 0 or own.passages for own in rows)]
    counts = np.concatenate([count for count, _ in counted]) if counted else np.empty(0, np.int64)
    sizes = np.concatenate([size for _, size in counted]) if counted else np.empty(0, np.int64)
    return SeveralAgreement(
        pairs=pairs,
        documents=len(common),
        fleiss_documents=fleiss_kappa([(count, len(assessors) - count) for count in relevant]),
        fleiss_characters=fleiss_kappa(np.stack((counts, len(assessors) - counts), axis=1), sizes)
        if len(counts)
        else math.nan,
    )


def agree_among_elements(assessors: Sequence[ElementQrels], *, scale: int = SCALE) -> SeveralAgreement:
    """Compare two or more assessors' elements."""
    places = combinations(range(len(assessors)), 2)
    pairs = {(i, j): agree_on_elements(assessors[i], assessors[j], scale=scale) for i, j in places}
    judged = [
        {
            (topic, document): bool(own)
            for topic in one.topics
            for document, own in one.documents(topic).items()
        }
        for one in assessors
    ]
    common = [[own[key] for own in judged] for key in judged[0] if all(key in own for own in judged[1:])]
    return SeveralAgreement(
        pairs=pairs,
        documents=len(common),
        fleiss_documents=fleiss_kappa([(sum(row), len(row) - sum(row)) for row in common]),
        fleiss_characters=math.nan,
    )


def _characters(rows: Sequence[Judgement]) -> tuple[Ints, Ints]:
    """Return, piece by piece of one document, how many assessors marked it, and its characters."""
    marks = [own.relevant_text for own in rows]
    length = max([own.length for own in rows] + [int(spans.ends[-1]) for spans in marks if spans])
    listed = [np.array([0, length]), *(spans.starts for spans in marks), *(spans.ends for spans in marks)]
    edges = np.unique(np.concatenate(listed))
    marked = [spans.overlap(edges[:-1], edges[1:]) > 0 for spans in marks]
    return np.sum(marked, axis=0, dtype=np.int64), np.diff(edges)
