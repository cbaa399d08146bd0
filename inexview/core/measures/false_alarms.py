"""What a ranking shows in vain: the false-positive rate and specificity after k documents."""

from __future__ import annotations

from functools import partial

import numpy as np

from inexview.core.measures.ranked import CUTOFFS, IIR, RankedDocuments, not_relevant
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import at_rank, ratio
from inexview.core.text.offset_arrays import Floats


class FalseAlarms(RankedDocuments):
    """The documents that are not relevant, unjudged ones among them."""


_measure = partial(measure, citation=IIR, view=FalseAlarms, at=CUTOFFS, brackets="@", uses=("relevant_from",))


@_measure(
    "FPR",
    title="false-positive rate",
    formula="non-relevant documents in the first k / non-relevant documents",
    note="over the judged and the retrieved documents; 0 where nothing is non-relevant",
)
def false_positive_rate(ranked: FalseAlarms, k: int) -> Floats:
    shown = np.minimum(np.diff(ranked.ptr), k) - at_rank(ranked.found, ranked.ptr, k)
    return ratio(shown, not_relevant(ranked))


@_measure("specificity", title="specificity", formula="1 − FPR@k", note="1 where nothing is non-relevant")
def specificity(ranked: FalseAlarms, k: int) -> Floats:
    return 1 - false_positive_rate(ranked, k)
