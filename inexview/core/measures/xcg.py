"""XCG, the official measures of INEX 2005: cumulated gain over elements, *reconstructed from the paper*.

Source: Kazai, Lalmas, *eXtended cumulated gain measures for the evaluation of content-oriented XML
retrieval*, ACM TOIS 24(4), 2006.  The tool that computed them is lost, so there is nothing to compare
with; where the paper leaves a choice, the choice is named here.

An element's gain is its quantised judgement.  With overlap "on" what was seen counts less by α, and the
ideal ranking takes from every relevant path one element only.  The paper's cap on what the parts of an
ideal element may gain together is not applied, so nxCG of a run full of near misses can exceed 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import fsum

import numpy as np
from numpy.typing import NDArray

from inexview.core.judgements.element_qrels import ElementJudgement, JudgedElements, ancestors
from inexview.core.measures.element_ranks import ElementRanks
from inexview.core.measures.measure import Level, Rank
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import measure
from inexview.core.text.offset_arrays import Floats, Ints

KL06 = "Kazai, Lalmas, eXtended Cumulated Gain Measures, TOIS 24(4) 2006 (reconstructed from the paper)"

Quantisation = Callable[[ElementJudgement], float]


def _strict(element: ElementJudgement) -> float:
    return float(element.exhaustivity == element.highest and 0 < element.size == element.rsize)


def _generalised(element: ElementJudgement) -> float:
    """Return e·s; on the scales of 2002–04 (e·s)/9."""
    return element.exhaustivity * element.specificity / (element.highest if element.graded else 1)


QUANTISATIONS: Mapping[str, Quantisation] = {
    "gen": _generalised,
    "genLifted": lambda element: (element.exhaustivity + 1) * element.specificity,
    "strict": _strict,
}

# Two sums of the same gains in another order differ by rounding; a level is reached within this share.
_ROUNDING = 1e-12


# -- gains --------------------------------------------------------------------------------------------


def ideal_gains(documents: Mapping[str, JudgedElements], quantise: Quantisation, *, overlap: bool) -> Floats:
    """Return the gains of the ideal ranking, descending, without zeros: shape (ideal elements,)."""
    gains: list[float] = []
    for elements in documents.values():
        values = {path: value for path, element in elements.items() if (value := quantise(element)) > 0}
        kept = ideal_elements(values) if overlap else values
        gains.extend(values[path] for path in kept)
    return np.sort(np.array(gains, dtype=np.float64))[::-1]


def ideal_elements(values: Mapping[str, float]) -> set[str]:
    """Return the paths of a document's ideal elements, none inside another.

    ``values`` gives the gain of each relevant element.  On the way from the root to each innermost relevant
    element the one with the highest value is kept, of equals the deeper one; where those kept for two ways
    are nested, the inner one stays: its value is the higher one.
    """
    containers = {container for path in values for container in ancestors(path)}
    chosen = set()
    for leaf in values:
        if leaf not in containers:
            way = [path for path in (leaf, *ancestors(leaf)) if path in values]
            chosen.add(max(way, key=lambda path: values[path]))  # the first of equals: the deeper one
    return chosen - {container for path in chosen for container in ancestors(path)}


def run_gains(
    ranking: Sequence[tuple[str, str]],
    documents: Mapping[str, JudgedElements],
    quantise: Quantisation,
    *,
    alpha: float | None,
) -> Floats:
    """Return what each result (document, element path) of a topic gains, shape (results,).

    ``alpha`` None takes overlap as off.
    """
    readers: dict[str, _SeenElements] = {}
    gains = np.zeros(len(ranking))
    for rank, (document, path) in enumerate(ranking):
        elements = documents.get(document)
        if not elements:
            continue
        if alpha is None:
            gains[rank] = quantise(elements[path]) if path in elements else 0.0
        else:
            reader = readers.setdefault(document, _SeenElements(elements, quantise, alpha))
            gains[rank] = reader.gain(path)
            reader.see(path)
    return gains


class _SeenElements:
    """Remembers which elements of one document were seen, and says what another one adds."""

    def __init__(self, elements: JudgedElements, quantise: Quantisation, alpha: float) -> None:
        self._elements = elements
        self._quantise = quantise
        self._alpha = alpha
        self._seen: set[str] = set()
        self._partly_seen: set[str] = set()
        self._children: dict[str, list[str]] = {}
        for path in elements:
            parent = next((above for above in ancestors(path) if above in elements), None)
            if parent is not None:
                self._children.setdefault(parent, []).append(path)

    def see(self, path: str) -> None:
        """Note an element as seen; an element that holds no relevant text is not seen to hold any."""
        if path in self._elements:
            self._seen.add(path)
            self._partly_seen.update(ancestors(path))

    def gain(self, path: str) -> float:
        """Return the element's gain; what lies in one that was seen is seen, as is the element itself."""
        return self._gain(path, seen=any(above in self._seen for above in (path, *ancestors(path))))

    def _gain(self, path: str, *, seen: bool) -> float:
        element = self._elements.get(path)
        if element is None:
            return 0.0
        value = self._quantise(element)
        if seen or path in self._seen:
            return (1 - self._alpha) * value
        if path not in self._partly_seen or not element.size:
            return value
        of_children = fsum(
            self._gain(child, seen=False) * self._elements[child].size
            for child in self._children.get(path, ())
        )
        return self._alpha * of_children / element.size + (1 - self._alpha) * value


# -- measures of one topic ----------------------------------------------------------------------------


def nxcg(gains: Floats, ideal: Floats, cutoffs: Iterable[int]) -> list[float]:
    """Return nxCG at each rank: what the run has gained there over what the ideal ranking has."""
    run, best = _cumulated(gains), _cumulated(ideal)
    return [float(run[min(r, len(gains))] / best[min(r, len(ideal))]) if len(ideal) else 0.0 for r in cutoffs]


def gain_recall(gains: Floats, ideal: Floats, cutoffs: Iterable[int]) -> list[float]:
    """Return gr at each rank: what the run has gained there over all there is to gain."""
    run, total = _cumulated(gains), float(ideal.sum())
    return [float(run[min(r, len(gains))]) / total if total else 0.0 for r in cutoffs]


def effort_precision(gains: Floats, ideal: Floats, levels: Iterable[float]) -> list[float]:
    """Return ep at each level of gain-recall, 0 < level ≤ 1: the ideal's rank there over the run's, or 0."""
    wanted = np.array(list(levels), dtype=np.float64) * ideal.sum()
    run_ranks, ideal_ranks = ranks_reaching(gains, wanted), ranks_reaching(ideal, wanted)
    reached = (run_ranks <= len(gains)) & (len(ideal) > 0)
    return [float(ep) for ep in np.where(reached, ideal_ranks / run_ranks, 0.0)]


def mean_effort_precision(gains: Floats, ideal: Floats) -> float:
    """Return the mean of ep over the run's natural points of gain-recall: each rank at which it gains.

    As in average precision there is one point for each ideal element, and those without a rank add 0;
    should a run gain at more ranks than there are ideal elements, by near misses, those are the points.
    """
    ranks = np.flatnonzero(gains > 0) + 1
    if not len(ideal) or not len(ranks):
        return 0.0
    return float((ideal_ranks_of(gains, ideal, ranks) / ranks).sum() / max(len(ideal), len(ranks)))


def ideal_ranks_of(gains: Floats, ideal: Floats, ranks: Ints) -> Ints:
    """Return the rank at which the ideal ranking has gained what the run has at each of its ranks."""
    reached: Ints = np.minimum(ranks_reaching(ideal, _cumulated(gains)[ranks]), len(ideal))
    return reached


def _cumulated(gains: Floats) -> Floats:
    """Return the gain after 0, 1, … results."""
    return np.concatenate(([0.0], np.cumsum(gains)))


def ranks_reaching(gains: Floats, wanted: Floats) -> NDArray[np.int64]:
    """Return the first rank at which each cumulated gain is reached; one more than there are if never."""
    ranks = np.searchsorted(np.cumsum(gains), wanted * (1 - _ROUNDING), side="left") + 1
    return ranks.astype(np.int64)


# -- as measures of a run ------------------------------------------------------------------------------


class ElementGains:
    """What each topic's results gain, and what the ideal ranking would: two lists of T arrays.

    α = 0 is overlap "off", with the full recall base; α > 0 is overlap "on", with the ideal one.
    """

    def __init__(self, joined: ElementRanks, parameters: Parameters) -> None:
        quantise = QUANTISATIONS[parameters.quantisation]
        alpha = parameters.alpha or None
        judged = joined.documents
        self.ideal = [ideal_gains(documents, quantise, overlap=alpha is not None) for documents in judged]
        self.run = [
            run_gains(ranking, documents, quantise, alpha=alpha)
            for ranking, documents in zip(joined.rankings, judged, strict=True)
        ]

    def each(self, score: Callable[[Floats, Floats], float]) -> Floats:
        """Return the score of each topic's (gains, ideal gains), shape (T,)."""
        pairs = zip(self.run, self.ideal, strict=True)
        return np.array([score(gains, ideal) for gains, ideal in pairs], dtype=np.float64)


_measure = partial(
    measure, citation=KL06, view=ElementGains, uses=("alpha", "quantisation"), range=(0.0, float("inf"))
)
_CUTOFFS = Rank((10, 25, 50, 100, 500, 1000, 1500))


@_measure(
    "nxCG",
    title="normalised extended cumulated gain",
    formula="Σ xG / Σ xI, over the first r ranks",
    at=_CUTOFFS,
    note="above 1 only where near misses gain more than the ideal element that holds them",
)
def normalised_gain(view: ElementGains, r: int) -> Floats:
    return view.each(lambda gains, ideal: nxcg(gains, ideal, (r,))[0])


@_measure(
    "gr",
    title="gain-recall",
    formula="Σ xG of the first r ranks / Σ xI of all",
    at=_CUTOFFS,
)
def gain_recall_at(view: ElementGains, r: int) -> Floats:
    return view.each(lambda gains, ideal: gain_recall(gains, ideal, (r,))[0])


@_measure(
    "ep",
    title="effort-precision at a level of gain-recall",
    formula="rank at which the ideal ranking reaches the level / rank at which the run does, 0 if never",
    at=Level((0.1, 0.25, 0.5, 0.75, 1.0)),
)
def effort_precision_at(view: ElementGains, level: float) -> Floats:
    return view.each(lambda gains, ideal: effort_precision(gains, ideal, (level,))[0])


@_measure(
    "Aep",
    title="average effort-precision",
    formula="mean of ep at the run's natural points of gain-recall, 0 for those never reached",
    mean="MAep",
)
def average_effort_precision(view: ElementGains) -> Floats:
    return view.each(mean_effort_precision)
