"""What judgements are like: the figures with which papers describe a test collection.

As in the collection sections of INEX 2007–2010, of Wade, Allan, *Passage Retrieval and Evaluation*, CIIR 2005
(shares of relevant text), and of Pehcevski, Thom, *HiXEval*, INEX 2005, table 1 (grades of elements).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from inexview.core.evaluation.assessors.agreement import SCALE, exhaustivity_grade, specificity_grade
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.text.spans import Ints

SHARES = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
"""Where the bins of the share of relevant text end."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How values lie: NaN where there is none."""

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
    """Characters of the relevant documents; 0 where the qrels do not say."""

    @property
    def share(self) -> float:
        """The share of relevant text in the relevant documents; NaN where lengths are not known."""
        return self.characters / self.length if self.length else float("nan")


@dataclass(frozen=True, eq=False)
class Description:
    """What is judged, topic by topic and over all.

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
    """Describe judgements of passages or of whole documents."""
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
    """Return in how many rows, which have passages, the entry point is where the first one starts."""
    entries = qrels.bep[rows].tolist()
    firsts = (int(qrels.starts[qrels.ptr[row] : qrels.ptr[row + 1]].min()) for row in rows.tolist())
    return sum(entry == first for entry, first in zip(entries, firsts, strict=True))


def describe_elements(qrels: ElementQrels, *, scale: int = SCALE) -> Description:
    """Describe judged elements; passages and entry points are not theirs to tell."""
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
                if not element.graded:  # grades do not say how large it is
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
