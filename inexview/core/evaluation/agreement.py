"""Agreement of assessors of the same topics, and what judgements are like.

Sources: Cohen, *Weighted kappa*, Psychological Bulletin 70(4) 1968; Fleiss, *Measuring nominal scale
agreement among many raters*, Psychological Bulletin 76(5) 1971.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import NormalDist, median
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import Comparison
from inexview.core.evaluation.scores import HEAD, RunScores, head_of, logarithms
from inexview.core.evaluation.significance import SEED, written_p
from inexview.core.judgements.elements import ElementJudgement, ElementQrels
from inexview.core.judgements.qrels import (
    NO_BEP,
    Joint,
    Judgement,
    Qrels,
    joint_judgements,
    of_topics,
    shared_topics,
)
from inexview.core.report import MINUS, PrintedLine, ValueCell, ValueTable, figure_text
from inexview.core.text.spans import Floats, Ints, Spans


@dataclass(frozen=True, slots=True)
class GradePairs:
    """How often the first assessor gave one grade and the second another to the same item."""

    counts: tuple[tuple[tuple[int, int], int], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> GradePairs:
        return cls(tuple(sorted(Counter(pairs).items())))

    def __add__(self, other: GradePairs) -> GradePairs:
        together = Counter(dict(self.counts)) + Counter(dict(other.counts))
        return GradePairs(tuple(sorted(together.items())))

    @property
    def items(self) -> int:
        return sum(count for _, count in self.counts)

    def kappa(self, power: int) -> float:
        """Return weighted κ; a disagreement weighs |difference|^power: 1 linear, 2 quadratic, 0 plain κ.

        NaN if both assessors gave all items the same grade.
        """
        grades = sorted({grade for pair, _ in self.counts for grade in pair})
        place = {grade: at for at, grade in enumerate(grades)}
        table = np.zeros((len(grades), len(grades)))
        for (first, second), count in self.counts:
            table[place[first], place[second]] = count
        values = np.array(grades, dtype=np.float64)
        apart = np.abs(values[:, None] - values[None, :])
        weights = (apart > 0).astype(np.float64) if power == 0 else apart**power
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)
        by_chance = float((weights * expected).sum())
        return 1 - float((weights * table).sum()) / by_chance if by_chance else math.nan


def fleiss_kappa(counts: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return Fleiss' κ; NaN if nothing varies.

    ``counts`` (items, categories) is the number of assessors who chose each category, equally many for each
    item; ``weights`` (items,) is the number of items that a row stands for, by default 1.
    """
    table = np.asarray(counts, np.float64)
    if not len(table):
        return math.nan
    weight: Floats = np.ones(len(table)) if weights is None else np.asarray(weights, np.float64)
    assessors = table[0].sum()
    if assessors < 2 or not weight.sum():
        return math.nan
    agreed = (table * (table - 1)).sum(axis=1) / (assessors * (assessors - 1))
    observed = float((agreed * weight).sum() / weight.sum())
    shares = (table * weight[:, None]).sum(axis=0) / (assessors * weight.sum())
    by_chance = float((shares**2).sum())
    return (observed - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan


# Two assessors: ∩/∪ of the text or documents each judges relevant, and Cohen's κ.
#
# Source: [Hi] Pehcevski, Thom, *HiXEval: Highlighting XML Retrieval Evaluation*, INEX 2005, section 2.2,
# where the agreement on documents, elements, and each grade of exhaustivity and specificity is the number
# given by both assessors, over the number given by either.  Only documents that both judged are compared:
# those of a single assessor give no information on agreement, and are counted separately.

Item = TypeVar("Item")  # a document, or an element of one

EXHAUSTIVITY_GRADES = ("E?", "E1", "E2")
GRADES_OF_2003 = ("E1", "E2", "E3")
SCALE = 3
"""The number of grades of specificity in INEX 2005."""


@dataclass(frozen=True, slots=True)
class Contingency:
    """The numbers of items that both assessors chose, only one of them, and neither.

    ``neither`` is None if items that neither chose are not listed; κ is then unknown.
    """

    both: int
    only_a: int
    only_b: int
    neither: int | None = None

    @property
    def either(self) -> int:
        """The items that at least one assessor chose."""
        return self.both + self.only_a + self.only_b

    @property
    def overlap(self) -> float:
        """∩/∪, 0 … 1; NaN if neither chose anything."""
        return self.both / self.either if self.either else math.nan

    @property
    def kappa(self) -> float:
        """Cohen's κ, at most 1; NaN if it is not defined, as when both chose all or nothing."""
        if self.neither is None:
            return math.nan
        total = self.either + self.neither
        a, b = self.both + self.only_a, self.both + self.only_b
        # (observed − expected)/(1 − expected), times total²: whole numbers until the division
        expected = a * b + (total - a) * (total - b)
        observed = (self.both + self.neither) * total
        return (observed - expected) / (total**2 - expected) if total**2 != expected else math.nan

    def __add__(self, other: Contingency) -> Contingency:
        neither = None if self.neither is None or other.neither is None else self.neither + other.neither
        return Contingency(
            self.both + other.both, self.only_a + other.only_a, self.only_b + other.only_b, neither
        )


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """The agreement on one topic (or on all, as topic "all")."""

    topic: str
    judged: Contingency
    """Documents that both judged, or only one of them."""
    compared: Mapping[str, Contingency]
    """"documents" and "characters", or "elements", then each grade: "S1", "E2", …"""
    graded: Mapping[str, GradePairs] = field(default_factory=dict)
    """The grades that both assessors gave to the same items: "grade", or "S" and "E", by name."""
    entry_distances: tuple[int, ...] = ()
    """Characters between the two best entry points, of each document where both set one."""
    unlocated: int = 0
    """Documents left out of the characters: relevant without passages."""

    @property
    def median_entry_distance(self) -> float:
        """The median of ``entry_distances``; NaN if there are none."""
        return float(median(self.entry_distances)) if self.entry_distances else math.nan


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two assessors on each topic that both judged, and over all of them."""

    topics: tuple[TopicAgreement, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    overall: TopicAgreement = field(init=False)
    """All topics' items together, so that a topic weighs by its number of items."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "overall", _together(self.topics))

    def mean(self, name: str) -> tuple[float, float]:
        """Return the means over topics of ∩/∪ and of κ, each over the topics where it is defined, or NaN.

        ``overall`` pools the topics; here all topics count the same.
        """
        own = [topic.compared[name] for topic in self.topics if name in topic.compared]
        return mean_where_defined(one.overlap for one in own), mean_where_defined(one.kappa for one in own)


def mean_where_defined(values: Iterable[float]) -> float:
    """Return the mean of the values that are not NaN, or NaN without any."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def _together(topics: Iterable[TopicAgreement]) -> TopicAgreement:
    judged = Contingency(0, 0, 0)
    compared: dict[str, Contingency] = {}
    graded: dict[str, GradePairs] = {}
    distances: list[int] = []
    unlocated = 0
    for topic in topics:
        judged += topic.judged
        for name, counted in topic.compared.items():
            compared[name] = compared[name] + counted if name in compared else counted
        for name, pairs in topic.graded.items():
            graded[name] = graded[name] + pairs if name in graded else pairs
        distances.extend(topic.entry_distances)
        unlocated += topic.unlocated
    return TopicAgreement("all", judged, compared, graded, tuple(distances), unlocated)


def specificity_level(rsize: int, size: int, scale: int = SCALE) -> int:
    """Return which of ``scale`` equal parts of 0 … 1 holds the share of relevant text, from 1; 0 for none.

    Of three, 1 is a specificity of at most 1/3, 2 of at most 2/3.
    """
    if rsize <= 0:
        return 0
    return min(-(-scale * rsize // size), scale) if size > 0 else scale


def specificity_grade(rsize: int, size: int, scale: int = SCALE) -> str | None:
    """Return S1, S2 … of the scale; None if nothing is relevant."""
    level = specificity_level(rsize, size, scale)
    return f"S{level}" if level else None


def specificity_grades(scale: int = SCALE) -> tuple[str, ...]:
    """Return the names of the grades of a scale: S1, S2, S3."""
    return tuple(f"S{level}" for level in range(1, scale + 1))


def exhaustivity_grade(element: ElementJudgement) -> str:
    """Return E2, E1, or E? for an element too small to say; E3, E2 or E1 of the scale of 2002–04."""
    return f"E{element.exhaustivity}" if element.graded else EXHAUSTIVITY_GRADES[element.exhaustivity]


# -- passages -----------------------------------------------------------------------------------------


def agree(a: Qrels, b: Qrels, *, scale: int = SCALE) -> Agreement:
    """Compare two assessors' passages: documents, grades of their specificity, characters, entry points.

    κ over characters counts all characters of the documents.  ``scale`` is the number of grades of
    specificity; of TREC qrels, the grades of relevance are compared.
    """
    return _by_topic(a.topics, b.topics, lambda topic: _agree_on_topic(topic, a, b, scale))


def _agree_on_topic(topic: str, a: Qrels, b: Qrels, scale: int) -> TopicAgreement:
    left = {judgement.document: judgement for judgement in a.judgements(topic)}
    right = {judgement.document: judgement for judgement in b.judgements(topic)}
    common = [document for document in left if document in right]
    pairs = [(left[document], right[document]) for document in common]
    located = [pair for pair in pairs if all(j.rsize <= 0 or j.passages for j in pair)]
    relevant_a = {j.document for j, _ in pairs if j.rsize > 0}
    relevant_b = {j.document for _, j in pairs if j.rsize > 0}
    compared = {"documents": _contingency(relevant_a, relevant_b, universe=len(common))}
    if a.graded and b.graded:
        levels = [(left.rsize, right.rsize) for left, right in pairs]
        graded = {"grade": GradePairs.of(levels)}
        return TopicAgreement(topic, _contingency(set(left), set(right)), compared, graded)
    compared |= _graded(
        specificity_grades(scale),
        {j.document: specificity_grade(j.rsize, j.length, scale) for j, _ in pairs},
        {j.document: specificity_grade(j.rsize, j.length, scale) for _, j in pairs},
    )
    graded = {
        "S": GradePairs.of(
            (specificity_level(x.rsize, x.length, scale), specificity_level(y.rsize, y.length, scale))
            for x, y in pairs
        )
    }
    compared["characters"] = sum((_characters(*pair) for pair in located), Contingency(0, 0, 0, 0))
    distances = tuple(abs(x.bep - y.bep) for x, y in pairs if x.bep is not None and y.bep is not None)
    return TopicAgreement(
        topic, _contingency(set(left), set(right)), compared, graded, distances, len(pairs) - len(located)
    )


def _characters(a: Judgement, b: Judgement) -> Contingency:
    marks, others = a.relevant_text, b.relevant_text
    both = int(marks.overlap(others.starts, others.ends).sum())
    only_a, only_b = marks.size - both, others.size - both
    # Real qrels count past the end: marked text exists, regardless of the length.
    length = max(a.length, b.length, both + only_a + only_b)
    return Contingency(both, only_a, only_b, length - both - only_a - only_b)


# -- elements -----------------------------------------------------------------------------------------


def agree_on_elements(a: ElementQrels, b: ElementQrels, *, scale: int = SCALE) -> Agreement:
    """Compare two assessors' elements: documents, elements, grades of exhaustivity and of specificity.

    The grades are compared over all elements that either judged relevant, and ("both: E2") over exactly those
    that both did, as in [Hi] table 3.
    """
    return _by_topic(a.topics, b.topics, lambda topic: _agree_on_elements_of(topic, a, b, scale))


def _agree_on_elements_of(topic: str, a: ElementQrels, b: ElementQrels, scale: int) -> TopicAgreement:
    left, right = a.documents(topic), b.documents(topic)
    common = [document for document in left if document in right]
    in_a = {(document, path): e for document in common for path, e in left[document].items()}
    in_b = {(document, path): e for document in common for path, e in right[document].items()}
    compared = {
        "documents": _contingency({d for d, _ in in_a}, {d for d, _ in in_b}, universe=len(common)),
        "elements": _contingency(set(in_a), set(in_b)),
    }
    kinds = GRADES_OF_2003 if a.graded or b.graded else EXHAUSTIVITY_GRADES
    for grades, grade in (
        (kinds, exhaustivity_grade),
        (specificity_grades(scale), lambda element: specificity_grade(element.rsize, element.size, scale)),
    ):
        graded_a = {item: grade(element) for item, element in in_a.items()}
        graded_b = {item: grade(element) for item, element in in_b.items()}
        compared |= _graded(grades, graded_a, graded_b)
        shared = graded_a.keys() & graded_b.keys()
        both = _graded(
            grades,
            {item: graded_a[item] for item in shared},
            {item: graded_b[item] for item in shared},
            universe=len(shared),
        )
        compared |= {f"both: {name}": own for name, own in both.items()}
    pairs = [(in_a[item], in_b[item]) for item in in_a if item in in_b]
    graded = {
        "E": GradePairs.of((x.exhaustivity, y.exhaustivity) for x, y in pairs),
        "S": GradePairs.of(
            (specificity_level(x.rsize, x.size, scale), specificity_level(y.rsize, y.size, scale))
            for x, y in pairs
        ),
    }
    return TopicAgreement(topic, _contingency(set(left), set(right)), compared, graded)


# -- counting -----------------------------------------------------------------------------------------


def _by_topic(
    in_a: tuple[str, ...], in_b: tuple[str, ...], compare: Callable[[str], TopicAgreement]
) -> Agreement:
    return Agreement(
        tuple(compare(topic) for topic in in_a if topic in in_b),
        only_a=tuple(topic for topic in in_a if topic not in in_b),
        only_b=tuple(topic for topic in in_b if topic not in in_a),
    )


def _contingency(a: set[Item], b: set[Item], *, universe: int | None = None) -> Contingency:
    neither = None if universe is None else universe - len(a | b)
    return Contingency(len(a & b), len(a - b), len(b - a), neither)


def _graded(
    grades: tuple[str, ...],
    in_a: Mapping[Item, str | None],
    in_b: Mapping[Item, str | None],
    *,
    universe: int | None = None,
) -> dict[str, Contingency]:
    """Compare, grade by grade, the items to which each assessor gives it."""
    return {
        grade: _contingency(
            {item for item, given in in_a.items() if given == grade},
            {item for item, given in in_b.items() if given == grade},
            universe=universe,
        )
        for grade in grades
    }


# More assessors: every pair, their mean, and Fleiss' κ.


@dataclass(frozen=True, eq=False)
class SeveralAgreement:
    """The agreement of each pair of assessors, by their indices, and of all of them together.

    Fleiss' κ counts the ``documents`` that all have judged, and their characters; NaN for elements, because
    elements that no assessor found relevant are not listed.
    """

    pairs: Mapping[tuple[int, int], Agreement]
    documents: int
    fleiss_documents: float
    fleiss_characters: float

    def mean(self, name: str) -> tuple[float, float]:
        """Return the means over pairs of the pooled ∩/∪ and κ, each over the pairs where it is defined."""
        own = [pair.overall.compared[name] for pair in self.pairs.values() if name in pair.overall.compared]
        return mean_where_defined(one.overlap for one in own), mean_where_defined(one.kappa for one in own)


def agree_among(assessors: Sequence[Qrels], *, scale: int = SCALE) -> SeveralAgreement:
    """Compare two or more assessors' passages."""
    places = combinations(range(len(assessors)), 2)
    pairs = {(i, j): agree(assessors[i], assessors[j], scale=scale) for i, j in places}
    judged = [{(own.topic, own.document): own for own in qrels} for qrels in assessors]
    common = [[own[key] for own in judged] for key in judged[0] if all(key in own for own in judged[1:])]
    relevant = [sum(own.rsize > 0 for own in rows) for rows in common]
    counted = [_marked_pieces(rows) for rows in common if all(own.rsize <= 0 or own.passages for own in rows)]
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


def _marked_pieces(rows: Sequence[Judgement]) -> tuple[Ints, Ints]:
    """Return the number of assessors who marked each piece of a document, and its characters."""
    marks = [own.relevant_text for own in rows]
    length = max([own.length for own in rows] + [int(spans.ends[-1]) for spans in marks if spans])
    listed = [np.array([0, length]), *(spans.starts for spans in marks), *(spans.ends for spans in marks)]
    edges = np.unique(np.concatenate(listed))
    marked = [spans.overlap(edges[:-1], edges[1:]) > 0 for spans in marks]
    return np.sum(marked, axis=0, dtype=np.int64), np.diff(edges)


class DocumentAgreement(NamedTuple):
    """The characters of one document that all assessors marked, that any did, and κ over all of them."""

    both: int
    either: int
    kappa: float
    """Cohen's κ of two assessors, Fleiss' κ of more; NaN if undefined."""


def agree_on_document(marks: Sequence[Spans], length: int) -> DocumentAgreement:
    """Compare what two or more assessors marked in one document of ``length`` characters."""
    rows = [Judgement("", "", spans.size, length, None, spans) for spans in marks]
    counts, sizes = _marked_pieces(rows)
    table = np.stack((counts, len(rows) - counts), axis=1)
    kappa = _characters(*rows).kappa if len(rows) == 2 else fleiss_kappa(table, sizes)
    return DocumentAgreement(int(sizes[counts == len(rows)].sum()), int(sizes[counts > 0].sum()), kappa)


# Description: the figures with which papers describe a test collection, as in the collection sections of
# INEX 2007–2010, of Wade, Allan, *Passage Retrieval and Evaluation*, CIIR 2005 (shares of relevant text),
# and of Pehcevski, Thom, *HiXEval*, INEX 2005, table 1 (grades of elements).

SHARES = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
"""The upper bounds of the bins of the share of relevant text."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, median and range of values; NaN without any."""

    mean: float
    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Ints | np.ndarray) -> Spread:
        """Describe values of shape (n,)."""
        if not len(values):
            return cls(*[float("nan")] * 4)
        return cls(
            float(np.mean(values)), float(np.median(values)), float(np.min(values)), float(np.max(values))
        )


@dataclass(frozen=True, slots=True)
class DescribedTopic:
    """The judgements of one topic, or of all."""

    topic: str
    judged: int
    relevant: int
    passages: int
    """Relevant passages."""
    entries: int
    """Relevant documents with a best entry point."""
    characters: int
    """Relevant characters."""
    length: int
    """Characters of the relevant documents; 0 if unknown."""

    @property
    def share(self) -> float:
        """The share of relevant text in the relevant documents; NaN if lengths are unknown."""
        return self.characters / self.length if self.length else float("nan")


@dataclass(frozen=True, eq=False)
class Description:
    """The judgements, topic by topic and in all.

    ``spreads`` are of the topics (relevant documents, passages …) and of documents and passages (characters);
    ``shares`` counts relevant documents by their share of relevant text up to each of SHARES; ``grades`` and
    ``elements`` count documents by grade, and elements by (exhaustivity, specificity).
    """

    topics: tuple[DescribedTopic, ...]
    total: DescribedTopic
    spreads: Mapping[str, Spread]
    shares: Mapping[float, int]
    entry_at_first: int
    """Relevant documents whose best entry point is where the first passage starts."""
    grades: Mapping[int, int]
    elements: Mapping[tuple[str, str], int]


def describe(qrels: Qrels) -> Description:
    relevant = qrels.rsize > 0
    judged = np.ones(len(qrels), bool) if qrels.unsampled is None else ~qrels.unsampled
    passages = np.where(relevant, np.diff(qrels.ptr), 0)
    columns = {
        "judged": judged.astype(np.int64),
        "relevant": relevant.astype(np.int64),
        "passages": passages,
        "entries": (relevant & (qrels.bep != NO_BEP)).astype(np.int64),
        "characters": np.where(relevant & (not qrels.graded), qrels.rsize, 0),
        "length": np.where(relevant, qrels.length, 0),
    }
    summed = {
        name: np.bincount(qrels.topic, column, len(qrels.topics)).astype(np.int64)
        for name, column in columns.items()
    }
    topics = tuple(
        DescribedTopic(topic, *(int(summed[name][at]) for name in columns))
        for at, topic in enumerate(qrels.topics)
    )
    total = DescribedTopic("all", *(int(column.sum()) for column in columns.values()))
    rows = np.flatnonzero(relevant & (qrels.length > 0))
    share = np.minimum(qrels.rsize[rows] / qrels.length[rows], 1.0)
    bins = np.searchsorted(SHARES, share, side="left")
    own = np.repeat(relevant, np.diff(qrels.ptr))
    return Description(
        topics=topics,
        total=total,
        spreads={
            "judged documents of a topic": Spread.of(summed["judged"]),
            "relevant documents of a topic": Spread.of(summed["relevant"]),
            "relevant passages of a topic": Spread.of(summed["passages"]),
            "passages of a relevant document": Spread.of(passages[relevant]),
            "characters of a passage": Spread.of((qrels.ends - qrels.starts)[own]),
            "relevant characters of a relevant document": Spread.of(
                qrels.rsize[:0] if qrels.graded else qrels.rsize[relevant]
            ),
            "characters of a relevant document": Spread.of(qrels.length[rows]),
            "share of relevant text": Spread.of(share),
        },
        shares=dict(zip(SHARES, np.bincount(bins, minlength=len(SHARES)).tolist(), strict=False)),
        entry_at_first=_entries_at_first(qrels, np.flatnonzero(passages)),
        grades=dict(sorted(Counter(qrels.rsize[judged].tolist()).items())) if qrels.graded else {},
        elements={},
    )


def _entries_at_first(qrels: Qrels, rows: Ints) -> int:
    """Return the number of rows, all with passages, whose entry point is where the first one starts."""
    entries = qrels.bep[rows].tolist()
    firsts = (int(qrels.starts[qrels.ptr[row] : qrels.ptr[row + 1]].min()) for row in rows.tolist())
    return sum(entry == first for entry, first in zip(entries, firsts, strict=True))


def describe_elements(qrels: ElementQrels, *, scale: int = SCALE) -> Description:
    """Describe judged elements, which have no passages and entry points."""
    topics, elements = [], Counter[tuple[str, str]]()
    per_document: list[int] = []
    sizes: list[int] = []
    for topic in qrels.topics:
        documents = qrels.documents(topic)
        relevant = [own for own in documents.values() if own]
        topics.append(DescribedTopic(topic, len(documents), len(relevant), sum(map(len, relevant)), 0, 0, 0))
        for own in relevant:
            per_document.append(len(own))
            for element in own.values():
                if not element.graded:  # grades do not give its size
                    sizes.append(element.size)
                grade = specificity_grade(element.rsize, element.size, scale) or "S0"
                elements[exhaustivity_grade(element), grade] += 1
    total = DescribedTopic(
        "all",
        judged=sum(one.judged for one in topics),
        relevant=sum(one.relevant for one in topics),
        passages=sum(one.passages for one in topics),
        entries=0,
        characters=0,
        length=0,
    )
    return Description(
        topics=tuple(topics),
        total=total,
        spreads={
            "judged documents of a topic": Spread.of(np.array([one.judged for one in topics])),
            "relevant documents of a topic": Spread.of(np.array([one.relevant for one in topics])),
            "relevant elements of a topic": Spread.of(np.array([one.passages for one in topics])),
            "relevant elements of a relevant document": Spread.of(np.array(per_document)),
            "characters of a relevant element": Spread.of(np.array(sizes)),
        },
        shares={},
        entry_at_first=0,
        grades={},
        elements=dict(sorted(elements.items())),
    )


# Orders of runs: by two measures, by two halves of the topics, by the judgements of two assessors.
#
# Kendall's τ, τ-b, τ_AP and Spearman's ρ come with their probabilities.
#
# τ_AP (Yilmaz, Aslam, Robertson, SIGIR 2008) weighs the top of the first ordering more. The probabilities
# are two-sided, that an ordering as like or as unlike comes by chance.
#
# scipy has τ-b and ρ, which the tests hold these against, but no τ_AP; it is 140 MB of disk (1.17) and
# seconds of import, 40 ms here.

PERMUTATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two scorings order the same runs; NaN if one scoring ties all runs."""

    tau: float
    """Concordant less discordant pairs, over all pairs."""
    tau_b: float
    """The same over the geometric mean of the pairs that are not tied on either side."""
    tau_p: float
    tau_ap: float
    tau_ap_p: float
    rho: float
    rho_p: float


def likeness(first: ArrayLike, second: ArrayLike) -> Likeness:
    """Compare two scorings of the same n runs, both of shape (n,)."""
    a, b = _paired(first, second)
    tau_ap, rho, tau_ap_p, rho_p = _with_permutations(a, b)
    signs = _pair_signs(a) * _pair_signs(b)
    pairs = len(signs)
    return Likeness(
        tau=float(signs.sum() / pairs) if pairs else math.nan,
        tau_b=kendall_tau(a, b),
        tau_p=_tau_p(a, b),
        tau_ap=tau_ap,
        tau_ap_p=tau_ap_p,
        rho=rho,
        rho_p=rho_p,
    )


def orders_table(means: Sequence[tuple[str, Floats]], *, first: bool = False) -> ValueTable:
    """Return how alike every two measures order the same R runs, by their means, shape (R,) each.

    With ``first``, only the pairs with the first measure are listed.
    """
    rows = []
    for at, (measure, one) in enumerate(means[:1] if first else means):
        for other, two in means[at + 1 :]:
            own = likeness(one, two)
            figures = (own.tau, own.tau_b, own.tau_p, own.tau_ap, own.tau_ap_p, own.rho, own.rho_p)
            texts = [
                written_p(value) if name == "p" else figure_text(value).replace("-", MINUS)
                for name, value in zip(ORDERS_HEAD[2:], figures, strict=True)
            ]
            rows.append(tuple(map(ValueCell, (measure, other, *texts))))
    said = "how alike two measures order the runs (τ_AP weighs the top of the first)"
    return ValueTable("Orders of the runs", said, ORDERS_HEAD, tuple(rows), names=2)


ORDERS_HEAD = ("measure", "measure", "τ", "τ-b", "p", "τ_AP", "p", "ρ", "p")


def _paired(left: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    a, b = np.asarray(left, np.float64), np.asarray(right, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"scorings must be two arrays of equal length, not {a.shape} and {b.shape}")
    return a, b


def _pair_signs(scores: Floats) -> Floats:
    """Return the sign of each pair's difference, shape (pairs,): 1, 0 or −1."""
    above = np.triu_indices(len(scores), k=1)
    signs: Floats = np.sign(scores[:, None] - scores[None, :])[above]
    return signs


# -- Kendall -------------------------------------------------------------------------------------------


def kendall_tau(left: ArrayLike, right: ArrayLike) -> float:
    """Return Kendall's τ-b between two scorings of the same runs, both of shape (runs,)."""
    a, b = _paired(left, right)
    x, y = _pair_signs(a), _pair_signs(b)
    untied = math.sqrt(float(np.count_nonzero(x)) * float(np.count_nonzero(y)))
    return float((x * y).sum() / untied) if untied else math.nan


def _tau_p(a: Floats, b: Floats) -> float:
    """Return the probability of τ: exact without ties, else by the normal approximation (Kendall 1970)."""
    x, y = _pair_signs(a), _pair_signs(b)
    n = len(a)
    if not x.any() or not y.any():
        return math.nan
    lead = float((x * y).sum())
    if x.all() and y.all():
        return _exact_tau_p(n, round((len(x) - lead) / 2))
    (x1, x0, x_ties), (y1, y0, y_ties) = _ties(a), _ties(b)
    pairs = n * (n - 1)
    variance = (pairs * (2 * n + 5) - x1 - y1) / 18 + 2 * x_ties * y_ties / pairs
    variance += x0 * y0 / (9 * pairs * (n - 2))  # of two runs either both sides are tied or neither
    return 2 * NormalDist().cdf(-abs(lead) / math.sqrt(variance))


def _ties(scores: Floats) -> tuple[float, float, float]:
    t = np.unique(scores, return_counts=True)[1].astype(np.float64)
    pairs = t * (t - 1)
    return float((pairs * (2 * t + 5)).sum()), float((pairs * (t - 2)).sum()), float(pairs.sum() / 2)


def _exact_tau_p(n: int, discordant: int) -> float:
    """Return the share of the n! orders with as few or as many discordant pairs."""
    shares = np.ones(1)
    for size in range(2, n + 1):  # the new run is behind 0 … size − 1 of those before
        shares = np.convolve(shares, np.full(size, 1 / size))
    few = min(discordant, len(shares) - 1 - discordant)
    return min(1.0, 2 * float(shares[: few + 1].sum()))


# -- the top weighs more -------------------------------------------------------------------------------


def _with_permutations(a: Floats, b: Floats) -> tuple[float, float, float, float]:
    """Return τ_AP, which weighs the top of ``a`` more, ρ, and the p of both.

    Runs tied in ``a`` are in the order given; a pair tied in ``b`` counts half.  p is (k + 1)/(K + 1), k of
    K seeded permutations giving a value as far from 0.
    """
    n = len(a)
    if n < 2 or not np.ptp(a) or not np.ptp(b):
        return math.nan, math.nan, math.nan, math.nan
    order = np.argsort(-a, kind="stable")
    ranked, ranks = b[order], centred_ranks(a)[order]
    rng = np.random.default_rng(SEED)
    shuffled = rng.permuted(np.tile(np.arange(n), (PERMUTATIONS, 1)), axis=1)
    step = max(1, 4_000_000 // (n * n))
    drawn = [_tau_ap_of(ranked[shuffled[at : at + step]]) for at in range(0, PERMUTATIONS, step)]
    tau_ap, products = float(_tau_ap_of(ranked[None, :])[0]), centred_ranks(b)[order]
    tau_ap_p = _share_as_far(np.concatenate(drawn), tau_ap)
    return tau_ap, _rho(a, b), tau_ap_p, _share_as_far(products[shuffled] @ ranks, float(products @ ranks))


def _share_as_far(drawn: Floats, seen: float) -> float:
    as_far = np.count_nonzero(np.abs(drawn) >= abs(seen) - 1e-9)
    return (int(as_far) + 1) / (len(drawn) + 1)


def _tau_ap_of(ranked: Floats) -> Floats:
    """Return τ_AP of rankings (k, n), each row the second scoring's scores from rank 1 on, shape (k,)."""
    n = ranked.shape[1]
    right = (1 + np.sign(ranked[:, :, None] - ranked[:, None, :])) / 2  # [k, above, below]
    above = np.triu(np.ones((n, n)), k=1)
    shares = (right * above).sum(axis=1)[:, 1:] / np.arange(1, n)
    found: Floats = 2 * shares.mean(axis=1) - 1
    return found


# -- Spearman ------------------------------------------------------------------------------------------


def spearman_rho(left: ArrayLike, right: ArrayLike) -> float:
    """Return Spearman's ρ, the correlation of the ranks (tied scores share their mean rank)."""
    return _rho(*_paired(left, right))


def _rho(a: Floats, b: Floats) -> float:
    x, y = centred_ranks(a), centred_ranks(b)
    spread = math.sqrt(float((x * x).sum()) * float((y * y).sum()))
    return float((x * y).sum() / spread) if spread else math.nan


def centred_ranks(scores: Floats) -> Floats:
    """Return the ranks less their mean; exact, as ranks are halves."""
    _, group, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: Floats = (last - (sizes - 1) / 2)[group]
    return ranks - (len(scores) + 1) / 2


# How stable is a measure?  How often two halves of the topics order a pair of runs differently: Zobel,
# SIGIR 1998; Voorhees, Buckley, SIGIR 2002; Sanderson, Zobel, SIGIR 2005; used on XML retrieval by
# Pehcevski, Thom, *HiXEval*, INEX 2005, section 5. The topics are drawn at random into two sets that share
# none; a swap is a pair of runs of which one set prefers the one and the other set the other.

SPLITS = 1000
BINS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
"""The lower bounds of the bins of differences of means in the first set."""


@dataclass(frozen=True, eq=False)
class Stability:
    """The error rates of a measure over ``splits`` draws of two sets of topics.

    ``sizes`` (K,) are the topics in each set, up to half of all; ``rates`` (K,) the share of the pairs of
    runs that are swapped.  ``bins`` (J,) begin at BINS; at the largest size ``swapped`` (J,) of ``compared``
    (J,) pairs, of which the first set's means differ by as much, are swapped.
    """

    measure: str
    topics: int
    """The number of topics that all runs have."""
    splits: int
    sizes: Ints
    rates: Floats
    bins: Floats
    compared: Ints
    swapped: Ints


def stability(
    measure: str, scores: Floats, *, geometric: bool = False, splits: int = SPLITS, seed: int = SEED
) -> Stability:
    """Return how often halves of the topics swap runs; ``scores`` has shape (R, T), R and T at least 2.

    The means of a half are ``geometric`` if those of the measure are.
    """
    runs, topics = scores.shape
    if runs < 2 or topics < 2:
        raise InexviewError("stability needs at least two runs and two topics")
    own = logarithms(scores) if geometric else scores
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(topics), (splits, 1)), axis=1)
    sizes = np.unique(np.round(np.linspace(1, topics // 2, min(topics // 2, 10))).astype(np.int64))
    rates = np.empty(len(sizes))
    first = second = np.empty(0)
    for at, size in enumerate(sizes.tolist()):
        first, second = (_differences(own, order[:, part : part + size], geometric) for part in (0, size))
        rates[at] = np.mean(first * second < 0)
    bin_of = np.digitize(np.abs(first), BINS) - 1
    swaps = first * second < 0
    count = len(BINS)
    return Stability(
        measure=measure,
        topics=topics,
        splits=splits,
        sizes=sizes,
        rates=rates,
        bins=np.array(BINS),
        compared=np.bincount(bin_of.ravel(), minlength=count),
        swapped=np.bincount(bin_of.ravel(), weights=swaps.ravel(), minlength=count).astype(np.int64),
    )


def stability_of(comparison: Comparison) -> Stability:
    """Return the stability of a comparison's measure, on the topics that all runs have, with the test's seed.

    Raises InexviewError for fewer than two runs, or two topics.
    """
    return stability(
        comparison.measure,
        comparison.shared_scores,
        geometric=comparison.geometric,
        seed=comparison.testing.seed,
    )


def _differences(scores: Floats, topics: Ints, geometric: bool) -> Floats:
    """Return the differences of the means of each pair of runs over sets of topics, shape (splits, pairs)."""
    drawn = np.zeros((len(topics), scores.shape[1]))
    np.put_along_axis(drawn, topics, 1.0, axis=1)
    means: Floats = drawn @ scores.T / topics.shape[1]
    if geometric:
        means = np.exp(means)
    left, right = np.triu_indices(len(scores), k=1)
    differences: Floats = means[:, left] - means[:, right]
    differences[np.abs(differences) < 1e-12] = 0.0
    return differences


# The order of runs by one assessor, another, either or both: Voorhees, Variations in Relevance Judgments
# and the Measurement of Retrieval Effectiveness, IPM 36(5), 2000: the runs are scored by each, and
# Kendall's τ measures the similarity of the orders.

JUDGED_BY = ("A", "B", Joint.UNION.value, Joint.INTERSECTION.value)
JUDGED_HEAD = (*HEAD, "judgements", "measure", "value")


def judged_by(first: Qrels, second: Qrels) -> dict[str, Qrels]:
    """Return the judgements of the topics that both judged: of A, of B, their union and their intersection.

    They are keyed by these names, in the order of JUDGED_BY.  Raises InexviewError if the two share no topic,
    DataError for relevant documents without passages.
    """
    topics = shared_topics(first, second)
    joined = (joint_judgements(first, second, how) for how in (Joint.UNION, Joint.INTERSECTION))
    return dict(zip(JUDGED_BY, (of_topics(first, topics), of_topics(second, topics), *joined), strict=True))


def orders_alike(means: Floats) -> dict[str, float]:
    """Return τ-b between the order of the runs by A and each other order; ``means`` has shape (R, 4)."""
    return {name: kendall_tau(means[:, 0], means[:, at]) for at, name in enumerate(JUDGED_BY) if at}


def judged_lines(runs: Sequence[RunScores], means: Floats, measure: str) -> Iterator[PrintedLine]:
    """Yield a line for each run and each of JUDGED_BY, under JUDGED_HEAD; ``means`` has shape (R, 4)."""
    for scores, own in zip(runs, means.tolist(), strict=True):
        yield from ([*head_of(scores), by, measure, value] for by, value in zip(JUDGED_BY, own, strict=True))


def means_by_judgements(scores: Sequence[Sequence[RunScores]], measure: str) -> Floats:
    """Return the means of R runs by each of JUDGED_BY, shape (R, 4), from their scores by each in turn.

    ``measure`` is named as for the mean.  Raises KeyError if a run is not scored by it.
    """
    return np.array([[own.mean[measure] for own in by] for by in scores]).T
