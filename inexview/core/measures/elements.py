"""Results judged one by one: HiXEval, fetch and browse, and XCG, over passages or judged elements.

Assessments of INEX 2005 give the number of relevant characters of each element, not their places.  Because
elements are either nested or disjoint, that is enough to know how much of one was seen in others.  XCG is
*reconstructed from the paper*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import fsum

import numpy as np
from numpy.typing import NDArray

from inexview.core.judgements.elements import (
    ElementJudgement,
    ElementQrels,
    ElementRun,
    JudgedElements,
    RankedElements,
    ancestors,
)
from inexview.core.measures.joined import (
    Joined,
    at_rank,
    harmonic_mean,
    ranks_by_topic,
    ratio,
    running_by_topic,
    seen_in_each,
    totals,
)
from inexview.core.measures.measure import Level, Parameters, Rank, measure
from inexview.core.text.spans import Floats, Ints, Mask


class ElementRanks:
    """n results of an element run for T judged topics, in rank order, topics contiguous.

    ``ptr`` (T+1,) bounds the results of each of ``topics``.  Per result, shape (n,): ``size`` and ``rsize``,
    its characters and the relevant ones (0 for an element that is not judged relevant, whose size is not in
    the assessments); ``seen``, how many of the relevant ones are in results above it, and ``seen_in_each``
    the same summed over these results, if none of them contains it entirely.
    """

    def __init__(self, qrels: ElementQrels, run: ElementRun, *, complete: bool = False) -> None:
        """Take the topics of the qrels that are in the run or, if ``complete``, all of them."""
        self.qrels = qrels
        self.run = run
        self.topics = tuple(topic for topic in qrels.topics if complete or topic in run.rankings)
        self.rankings: tuple[RankedElements, ...] = tuple(
            run.rankings.get(topic, ()) for topic in self.topics
        )
        self.documents: tuple[Mapping[str, JudgedElements], ...] = tuple(map(qrels.documents, self.topics))
        self.ptr: Ints = np.cumsum([0, *map(len, self.rankings)], dtype=np.int64)
        counted = [
            row
            for ranking, judged in zip(self.rankings, self.documents, strict=True)
            for row in _counted(ranking, judged)
        ]
        columns = np.array(counted, dtype=np.int64).reshape(-1, 4).T
        self.size, self.rsize, self.seen, self.seen_in_each = columns

    @cached_property
    def trel(self) -> Ints:
        """The relevant characters of each topic's documents, shape (T,)."""
        return np.array([sum(map(relevant_size, judged.values())) for judged in self.documents], np.int64)

    @cached_property
    def trel_of_elements(self) -> Ints:
        """The relevant characters of each topic's judged elements, counted in each of them, shape (T,)."""
        return np.array(
            [
                sum(e.rsize for elements in judged.values() for e in elements.values())
                for judged in self.documents
            ],
            np.int64,
        )


def relevant_size(elements: JudgedElements) -> int:
    """Return the relevant characters of a document: those of its outermost judged elements."""
    return sum(
        element.rsize
        for path, element in elements.items()
        if not any(container in elements for container in ancestors(path))
    )


def _counted(
    ranking: RankedElements, judged: Mapping[str, JudgedElements]
) -> list[tuple[int, int, int, int]]:
    """Return size, rsize, seen and seen_in_each of each result of a topic."""
    each_within: dict[tuple[str, str], int] = defaultdict(int)
    seen_within: dict[tuple[str, str], int] = defaultdict(int)
    whole: set[tuple[str, str]] = set()
    rows = []
    for document, path in ranking:
        element = judged.get(document, {}).get(path)
        if element is None:
            rows.append((0, 0, 0, 0))
            continue
        containers = [(document, container) for container in ancestors(path)]
        is_seen = (document, path) in whole or any(container in whole for container in containers)
        seen = element.rsize if is_seen else seen_within[document, path]
        in_each = element.rsize if is_seen else each_within[document, path]
        rows.append((element.size, element.rsize, seen, in_each))
        whole.add((document, path))
        for holder in ((document, path), *containers):
            seen_within[holder] += element.rsize - seen
            each_within[holder] += element.rsize
    return rows


# HiXEval: precision and recall of the highlighted characters in each result, overlap counted or not.
#
# The paper prints rval for a result that was not seen, fully seen, or partly seen, and subtracts the part in
# each earlier result: text in two of them is subtracted twice.  Here it is subtracted once, unless
# `seen="each"` selects the paper's reading.

HI = "Pehcevski, Thom, HiXEval: Highlighting XML Retrieval Evaluation, INEX 2005"
CUTOFFS = Rank((10, 25, 50))
RECALL_LEVELS = 11


class ResultValues:
    """The values of n results: ``rval`` of its ``size`` characters, both of shape (n,).

    rval(e) = rsize(e) − α·|e ∩ H ∩ S|, S the characters ranked above e: the paper's cases NS, FS and PS in
    one; α = 1 is its overlap "on" and α = 0 "off".  ``ptr`` (T+1,) bounds each topic's results, ``trel`` (T,)
    is the denominator of recall: the highlighted characters of the topic's documents or, for α < 1 and judged
    elements, of all of these.
    """

    family = "hixeval"

    def __init__(self, joined: Joined | ElementRanks, parameters: Parameters) -> None:
        self.joined = joined
        self.ptr = joined.ptr
        self.size = joined.size
        self.trel: Ints = joined.trel
        seen: Ints | Floats
        each = parameters.seen == "each"
        if isinstance(joined, ElementRanks):
            seen = joined.seen_in_each if each else joined.seen
            if parameters.alpha < 1:
                self.trel = joined.trel_of_elements
        elif each:
            (seen,) = joined.of_results(seen_in_each)
        else:
            shown = joined.sightings
            seen = joined.rsize - np.bincount(shown.result, weights=shown.size, minlength=len(joined))
        self.rval = np.asarray(joined.rsize - parameters.alpha * seen, np.float64)

    @cached_property
    def precision_sum(self) -> Floats:
        """Σ rval/size up to each rank, shape (n,)."""
        return running_by_topic(ratio(self.rval, self.size), self.ptr)

    @cached_property
    def found(self) -> Floats:
        """Σ rval up to each rank, shape (n,)."""
        return running_by_topic(self.rval, self.ptr)

    @cached_property
    def precision(self) -> Floats:
        """P@r at each rank, shape (n,)."""
        return self.precision_sum / ranks_by_topic(self.ptr)

    @cached_property
    def interpolated(self) -> Floats:
        """The highest P@r at which R@r has reached 0.0, 0.1, … 1.0, shape (T, 11); 0 if it never does.

        Reached means 10·Σrval ≥ j·Trel, which compares whole numbers if α is 0 or 1.
        """
        best = np.zeros((len(self.trel), RECALL_LEVELS))
        for topic, trel in enumerate(self.trel.tolist()):
            if trel:
                own = slice(*self.ptr[topic : topic + 2].tolist())
                best[topic] = np.where(self.reached(topic), self.precision[own], 0).max(axis=1, initial=0)
        return best

    def reached(self, topic: int) -> Mask:
        """Return at which of a topic's n ranks recall is at least 0.0, 0.1, … 1.0, shape (11, n).

        If text counts with each earlier result, rval can be negative and recall can fall.
        """
        found = self.found[self.ptr[topic] : self.ptr[topic + 1]]
        reached: Mask = 10 * found >= np.arange(RECALL_LEVELS)[:, None] * self.trel[topic]
        return reached


RVAL = (
    "rval = rsize − α·(relevant characters in results above); text in several of them counts once "
    "(seen = once), or once for each as in the paper (seen = each): for its figure 1 P@3 is .7479 or .7469, "
    "P@4 .5775 or .5381"
)
_result_measure = partial(measure, citation=HI, view=ResultValues)


@_result_measure(
    "P",
    title="precision after r results",
    formula="(1/r) Σ rval/size, over the first r results",
    at=CUTOFFS,
    brackets="@",
    uses=("alpha", "seen"),
    note=f"{RVAL}; divides by r even if fewer than r results are retrieved",
)
def precision(values: ResultValues, r: int) -> Floats:
    return at_rank(values.precision_sum, values.ptr, r) / r


@_result_measure(
    "R",
    title="recall after r results",
    formula="Σ rval / Trel, over the first r results",
    at=CUTOFFS,
    brackets="@",
    uses=("alpha", "seen"),
    range=(0.0, float("inf")),
    note=f"{RVAL}; Trel: highlighted characters of the documents or, for α < 1 with judged elements, of all "
    "of these; with passages and α < 1, text retrieved repeatedly can raise it above 1",
)
def recall(values: ResultValues, r: int) -> Floats:
    return ratio(at_rank(values.found, values.ptr, r), values.trel)


@_result_measure(
    "F",
    title="F after r results",
    formula="2·P@r·R@r / (P@r + R@r)",
    at=CUTOFFS,
    brackets="@",
    uses=("alpha", "seen"),
    range=(0.0, 2.0),
    note=RVAL,
)
def f(values: ResultValues, r: int) -> Floats:
    return harmonic_mean(precision(values, r), recall(values, r))


@_result_measure(
    "AP",
    title="average precision",
    formula="mean of P@r over the ranks with rval > 0, times R at the last rank",
    mean="MAP",
    uses=("alpha", "seen"),
    range=(0.0, float("inf")),
    note=RVAL,
)
def average_precision(values: ResultValues) -> Floats:
    gaining = values.rval > 0
    mean = ratio(
        totals(np.where(gaining, values.precision, 0.0), values.ptr), totals(gaining * 1, values.ptr)
    )
    return mean * recall(values, int(np.diff(values.ptr).max(initial=1)))


@_result_measure(
    "iAP",
    title="interpolated average precision",
    formula="mean, over recall 0.0, 0.1, … 1.0, of the highest P@r at which R@r has reached it",
    mean="iMAP",
    uses=("alpha", "seen"),
    note=RVAL,
)
def interpolated_average_precision(values: ResultValues) -> Floats:
    mean: Floats = values.interpolated.mean(axis=1)
    return mean


# Fetch and browse (INEX 2005): articles are ranked, and within each its elements or passages.
#
# The results of each article are scored separately by HiXEval's precision and recall, as if the article were
# the whole collection, and these are averaged over the first k articles of the ranking.


class ArticleClusters:
    """The m articles that a run ranks, over T topics, with the scores of each.

    ``ptr`` (T+1,) bounds each topic's articles; ``precision`` and ``recall`` (m,) are those of the results in
    the article, Σ rval/size over their number and Σ rval over its relevant characters.
    """

    family = "fetch-browse"

    def __init__(self, joined: Joined | ElementRanks, parameters: Parameters) -> None:
        values = ResultValues(joined, parameters)
        document, relevant = _articles(joined)
        new = np.ones(len(document), dtype=bool)
        new[1:] = document[1:] != document[:-1]
        new[joined.ptr[:-1][np.diff(joined.ptr) > 0]] = True
        first = np.flatnonzero(new)
        self.ptr: Ints = np.searchsorted(first, joined.ptr)
        bounds = np.append(first, len(document))
        self.precision: Floats = ratio(totals(ratio(values.rval, values.size), bounds), np.diff(bounds))
        self.recall: Floats = ratio(totals(values.rval, bounds), relevant[first])


def _articles(joined: Joined | ElementRanks) -> tuple[Ints, Ints]:
    """Return a number for the article of each result, and its relevant characters, shape (n,) both."""
    if isinstance(joined, Joined):
        return joined.document, np.where(joined.relevant, joined.qrels.rsize[joined.row], 0)
    numbers: dict[tuple[int, str], int] = {}
    document, relevant = [], []
    for topic, (ranking, judged) in enumerate(zip(joined.rankings, joined.documents, strict=True)):
        for own, _ in ranking:
            document.append(numbers.setdefault((topic, own), len(numbers)))
            relevant.append(relevant_size(judged.get(own, {})))
    return np.array(document, dtype=np.int64), np.array(relevant, dtype=np.int64)


_ARTICLE_CUTOFFS = Rank((1, 5, 10, 25, 50))
_article_measure = partial(
    measure, citation=HI, view=ArticleClusters, at=_ARTICLE_CUTOFFS, brackets="@", uses=("alpha", "seen")
)


@_article_measure(
    "clusterP",
    title="precision within articles",
    formula="mean over the first k articles of (1/results) Σ rval/size",
    note=f"{RVAL}; divides by k even if fewer articles are retrieved",
)
def article_precision(clusters: ArticleClusters, k: int) -> Floats:
    return at_rank(running_by_topic(clusters.precision, clusters.ptr), clusters.ptr, k) / k


@_article_measure(
    "clusterR",
    title="recall within articles",
    formula="mean over the first k articles of Σ rval / relevant characters of the article",
    note="an article without relevant text adds 0",
    range=(0.0, float("inf")),
)
def article_recall(clusters: ArticleClusters, k: int) -> Floats:
    return at_rank(running_by_topic(clusters.recall, clusters.ptr), clusters.ptr, k) / k


@_article_measure(
    "clusterF",
    title="F within articles",
    formula="2·clusterP@k·clusterR@k / (clusterP@k + clusterR@k)",
    range=(0.0, 2.0),
)
def article_f(clusters: ArticleClusters, k: int) -> Floats:
    return harmonic_mean(article_precision(clusters, k), article_recall(clusters, k))


# XCG, the official measures of INEX 2005: cumulated gain over elements, *reconstructed from the paper*.
#
# Source: Kazai, Lalmas, *eXtended cumulated gain measures for the evaluation of content-oriented XML
# retrieval*, ACM TOIS 24(4), 2006.  The original tool is lost, so there is nothing to compare with; open
# choices in the paper are named here.
#
# An element's gain is its quantised judgement.  With overlap "on" seen text counts less by α, and the ideal
# ranking takes only one element from each relevant path.  The paper's cap on the joint gain of the parts of
# an ideal element is not applied, so nxCG of a run full of near misses can exceed 1.

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

# Sums of the same gains in another order differ by rounding; a level counts as reached within this share.
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

    ``values`` gives the gain of each relevant element.  On the path from the root to each innermost relevant
    element the one with the highest value is kept, of equals the deeper one; if those kept for two paths are
    nested, the inner one stays: its value is the higher one.
    """
    containers = {container for path in values for container in ancestors(path)}
    chosen = set()
    for leaf in values:
        if leaf not in containers:
            way = [path for path in (leaf, *ancestors(leaf)) if path in values]
            chosen.add(max(way, key=lambda path: values[path]))  # the first of equals is the deeper one
    return chosen - {container for path in chosen for container in ancestors(path)}


def run_gains(
    ranking: Sequence[tuple[str, str]],
    documents: Mapping[str, JudgedElements],
    quantise: Quantisation,
    *,
    alpha: float | None,
) -> Floats:
    """Return the gain of each result (document, element path) of a topic, shape (results,).

    ``alpha`` None means overlap off.
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
    """Records which elements of one document were seen, and returns the gain of further ones."""

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
        """Mark an element as seen; one without relevant text does not make any seen."""
        if path in self._elements:
            self._seen.add(path)
            self._partly_seen.update(ancestors(path))

    def gain(self, path: str) -> float:
        """Return the element's gain; elements within a seen one are seen, as is the element itself."""
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
    """Return nxCG at each rank: the run's gain so far over that of the ideal ranking."""
    run, best = _cumulated(gains), _cumulated(ideal)
    return [float(run[min(r, len(gains))] / best[min(r, len(ideal))]) if len(ideal) else 0.0 for r in cutoffs]


def gain_recall(gains: Floats, ideal: Floats, cutoffs: Iterable[int]) -> list[float]:
    """Return gr at each rank: the run's gain so far over the total gain."""
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

    As in average precision there is one point for each ideal element, and those without a rank add 0; if near
    misses make a run gain at more ranks than there are ideal elements, those ranks are the points.
    """
    ranks = np.flatnonzero(gains > 0) + 1
    if not len(ideal) or not len(ranks):
        return 0.0
    return float((ideal_ranks_of(gains, ideal, ranks) / ranks).sum() / max(len(ideal), len(ranks)))


def ideal_ranks_of(gains: Floats, ideal: Floats, ranks: Ints) -> Ints:
    """Return the rank at which the ideal ranking has the gain of the run at each of its ranks."""
    reached: Ints = np.minimum(ranks_reaching(ideal, _cumulated(gains)[ranks]), len(ideal))
    return reached


def _cumulated(gains: Floats) -> Floats:
    """Return the gain after 0, 1, … results."""
    return np.concatenate(([0.0], np.cumsum(gains)))


def ranks_reaching(gains: Floats, wanted: Floats) -> NDArray[np.int64]:
    """Return the first rank at which each cumulated gain is reached; one more than the last if never."""
    ranks = np.searchsorted(np.cumsum(gains), wanted * (1 - _ROUNDING), side="left") + 1
    return ranks.astype(np.int64)


# -- as measures of a run ------------------------------------------------------------------------------


class ElementGains:
    """The gains of each topic's results, and those of the ideal ranking: two lists of T arrays.

    α = 0 is overlap "off", with the full recall base; α > 0 is overlap "on", with the ideal one.
    """

    family = "xcg"

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


_gain_measure = partial(
    measure, citation=KL06, view=ElementGains, uses=("alpha", "quantisation"), range=(0.0, float("inf"))
)
_GAIN_CUTOFFS = Rank((10, 25, 50, 100, 500, 1000, 1500))


@_gain_measure(
    "nxCG",
    title="normalised extended cumulated gain",
    formula="Σ xG / Σ xI, over the first r ranks",
    at=_GAIN_CUTOFFS,
    note="above 1 only if near misses gain more than the ideal element around them",
)
def normalised_gain(view: ElementGains, r: int) -> Floats:
    return view.each(lambda gains, ideal: nxcg(gains, ideal, (r,))[0])


@_gain_measure(
    "gr",
    title="gain-recall",
    formula="Σ xG of the first r ranks / Σ xI of all",
    at=_GAIN_CUTOFFS,
)
def gain_recall_at(view: ElementGains, r: int) -> Floats:
    return view.each(lambda gains, ideal: gain_recall(gains, ideal, (r,))[0])


@_gain_measure(
    "ep",
    title="effort-precision at a level of gain-recall",
    formula="rank at which the ideal ranking reaches the level / rank at which the run does, 0 if never",
    at=Level((0.1, 0.25, 0.5, 0.75, 1.0)),
)
def effort_precision_at(view: ElementGains, level: float) -> Floats:
    return view.each(lambda gains, ideal: effort_precision(gains, ideal, (level,))[0])


@_gain_measure(
    "Aep",
    title="average effort-precision",
    formula="mean of ep at the run's natural points of gain-recall, 0 for those never reached",
    mean="MAep",
)
def average_effort_precision(view: ElementGains) -> Floats:
    return view.each(mean_effort_precision)
