"""Characters as the ranked unit: the passage measures of the HARD track.

The characters of the ranked passages form one ranking, in reading order; a character met again counts as
non-relevant, as do those of unjudged documents.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from inexview.core.measures.harmonic import sum_of_reciprocals
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Rank
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import ratio, running, totals
from inexview.core.measures.sightings import first_sightings
from inexview.core.text.offset_arrays import Floats, Ints

WA = "Wade, Allan, Passage Retrieval and Evaluation, CIIR 2005"
CUTOFFS = Rank((6000, 12000, 24000))


class CharacterRanking:
    """The relevant characters of each topic's ranking, in k runs of consecutive ones, each met first.

    Columns of shape (k,): ``topic``; ``above``, how many characters are ranked above the run; ``found``, how
    many of those are relevant; ``size``, its own.  ``ptr`` (T+1,) bounds each topic's runs; ``relevant``
    (T,) is R, a topic's relevant characters.  ``result`` (k,) is the run's place among the results.
    """

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        shown = first_sightings(joined)
        self.joined = joined
        self.relevant = joined.trel
        self.result = shown.result
        self.size = shown.size
        self.ptr: Ints = np.searchsorted(shown.result, joined.ptr)
        self.topic = joined.topic[shown.result]
        above_result = running(joined.size, joined.ptr) - joined.size
        self.above: Ints = above_result[shown.result] + shown.before
        self.found: Ints = running(shown.size, self.ptr) - shown.size

    @property
    def relevant_so_far(self) -> Ints:
        """How many relevant characters are met down to each of the n results, shape (n,)."""
        met = np.bincount(self.result, weights=self.size, minlength=len(self.joined)).astype(np.int64)
        return running(met, self.joined.ptr)

    def first(self, n: int | None) -> Ints:
        """Return k = min(N, R) for each topic, R itself for n None."""
        return self.relevant if n is None else np.minimum(n, self.relevant)


_measure = partial(measure, citation=WA, view=CharacterRanking)


@_measure(
    "psgRprec",
    title="passage R-precision",
    formula="relevant characters met at least once in the first R′ passages / characters in them",
    note="R′ is the number of relevant passages; all are taken where fewer are retrieved",
)
def passage_r_precision(ranking: CharacterRanking) -> Floats:
    joined = ranking.joined
    within = joined.rank <= joined.passages[joined.topic]
    met = totals(np.where(within[ranking.result], ranking.size, 0), ranking.ptr)
    return ratio(met, totals(np.where(within, joined.size, 0), joined.ptr))


@_measure(
    "charP",
    title="precision of the first characters",
    formula="relevant characters among the first k / k, k = min(N, R)",
    at=CUTOFFS,
)
def precision(ranking: CharacterRanking, n: int | None = None) -> Floats:
    """Return charP[N], shape (T,); charRprec for n None."""
    k = ranking.first(n)
    within = np.clip(k[ranking.topic] - ranking.above, 0, ranking.size)
    return ratio(totals(within, ranking.ptr), k)


@_measure(
    "charBpref",
    title="preference of relevant characters",
    formula="(1/k) Σ (1 − n/k) over the first k relevant ones, n ≤ k non-relevant ones above, k = min(N, R)",
    at=CUTOFFS,
    optional=True,
    note="without a cut-off, k = R",
)
def preference(ranking: CharacterRanking, n: int | None = None) -> Floats:
    """Return charBpref[N], shape (T,); charBpref for n None."""
    k = ranking.first(n)
    own = k[ranking.topic]
    counted = np.clip(own - ranking.found, 0, ranking.size)
    preferred = counted * (1 - ratio(np.minimum(ranking.above - ranking.found, own), own))
    return ratio(totals(preferred, ranking.ptr), k)


@_measure(
    "charRprec",
    title="R-precision of characters",
    formula="relevant characters among the first R / R",
)
def r_precision(ranking: CharacterRanking) -> Floats:
    return precision(ranking)


@_measure(
    "CAP",
    title="character average precision",
    formula="(1/R) Σ over retrieved relevant characters of (relevant ones at or above its rank) / rank",
)
def average_precision(ranking: CharacterRanking) -> Floats:
    """Return CAP, shape (T,): m characters after rank a with c found add m − (a−c)·Σ 1/(a+j), j = 1…m."""
    missed = ranking.above - ranking.found
    added = ranking.size - missed * sum_of_reciprocals(ranking.above, ranking.size)
    return ratio(totals(added, ranking.ptr), ranking.relevant)
