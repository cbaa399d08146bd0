"""An element run laid over judged elements: the ground of HiXEval and XCG as INEX 2005 had them.

Assessments of elements say how many characters of each are relevant, not which.  As elements only nest or
lie apart, that is enough to know how much of one was seen in others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from inexview.core.judgements.element_qrels import ElementQrels, JudgedElements, ancestors
from inexview.core.judgements.element_runs import ElementRun, RankedElements
from inexview.core.text.offset_arrays import Ints


class ElementRanks:
    """n results of an element run for T judged topics, in rank order, topics contiguous.

    ``ptr`` (T+1,) bounds the results of each of ``topics``.  Per result, shape (n,): ``size`` and ``rsize``,
    its characters and the relevant ones (0 for an element that is not judged relevant, whose size the
    assessments do not give); ``seen``, how many of the relevant ones the results above it hold, and
    ``seen_in_each`` the same summed over these results, where it lies in none of them as a whole.
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
