"""A run laid over qrels: what every measure starts from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.text.id_columns import Keys
from inexview.core.text.offset_arrays import Ints, Mask

UNKNOWN_SIZE = 18
"""The characters of a passage that the collection does not hold [T]."""
UNKNOWN_ENTRY = -10_000
"""The entry point of such a passage [T]."""


@dataclass(frozen=True, eq=False)
class Joined:
    """n results of a run for T judged topics, in rank order, topics contiguous.

    ``ptr`` (T+1,) bounds the results of each of ``topics``.  Per result, shape (n,): ``row``, its document's
    row in the qrels (−1: unjudged); ``start`` and ``end``; ``size``, its characters; ``rsize``, the
    highlighted ones of them; ``known``, whether the collection holds it; ``source``, its row in the run.
    Per topic, shape (T,): ``trel``, relevant characters; ``nrel``, relevant documents; ``passages``, relevant
    passages; ``code``, the topic's index in the qrels.
    """

    qrels: Qrels
    run: Run
    task: Task
    topics: tuple[str, ...]
    code: Ints
    ptr: Ints
    row: Ints
    start: Ints
    end: Ints
    size: Ints
    rsize: Ints
    known: Mask
    source: Ints
    keys: Keys
    trel: Ints
    nrel: Ints
    passages: Ints

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def topic(self) -> Ints:
        """The index in ``topics`` of each result, shape (n,)."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.ptr))

    @cached_property
    def by_document(self) -> tuple[Ints, Mask]:
        """The results with those of a topic in one document side by side, in rank order, shape (n,).

        With it which of them are the first of their document, as they come there.
        """
        return self.keys.side_by_side()

    @cached_property
    def firsts(self) -> Ints:
        """The first result of each document of each topic, in rank order, shape (d,)."""
        order, new = self.by_document
        first = np.zeros(len(self), dtype=bool)
        first[order[np.flatnonzero(new)]] = True
        return np.flatnonzero(first)

    @cached_property
    def document(self) -> Ints:
        """The first result of each result's document, shape (n,): equal where topic and document are."""
        order, new = self.by_document
        begins = np.flatnonzero(np.append(new, True))
        first = np.empty(len(self), dtype=np.int64)
        first[order] = np.repeat(order[begins[:-1]], np.diff(begins))
        return first

    @cached_property
    def relevant(self) -> Mask:
        """Whether each result's document is relevant (rsize > 0 in the qrels), shape (n,)."""
        return (self.row >= 0) & (self.qrels.rsize[self.row] > 0)

    @cached_property
    def judged(self) -> Mask:
        """Whether each result's document was judged, and not only pooled, shape (n,)."""
        known = self.row >= 0
        return known if self.qrels.unsampled is None else known & ~self.qrels.unsampled[self.row]

    @cached_property
    def rank(self) -> Ints:
        """Each result's place in its topic's ranking, from 1, shape (n,)."""
        return np.arange(len(self)) - self.ptr[self.topic] + 1

    def take(self, kept: Ints) -> Joined:
        """Return only these results (rising row numbers)."""
        return replace(
            self,
            ptr=np.searchsorted(kept, self.ptr),
            row=self.row[kept],
            start=self.start[kept],
            end=self.end[kept],
            size=self.size[kept],
            rsize=self.rsize[kept],
            known=self.known[kept],
            source=self.source[kept],
            keys=self.keys.take(kept),
        )


def join(qrels: Qrels, run: Run, task: Task, *, complete: bool = False) -> Joined:
    """Lay a run over qrels, to score it for a task.

    The topics are those of the qrels that have results in the run or, with ``complete``, all of the qrels,
    in their order there; results for other topics are left out.
    """
    places = {topic: at for at, topic in enumerate(run.topics)}
    codes = {topic: at for at, topic in enumerate(qrels.topics)}
    topics = tuple(topic for topic in qrels.topics if complete or topic in places)
    code = np.array([codes[topic] for topic in topics], dtype=np.int64)
    bounds = [
        (int(run.ptr[places[t]]), int(run.ptr[places[t] + 1])) if t in places else (0, 0) for t in topics
    ]
    ptr = np.append(0, np.cumsum([last - first for first, last in bounds], dtype=np.int64))
    rows: Ints | slice = slice(None)  # a run in the order of the qrels need not be copied
    source = np.arange(len(run))
    if [first for first, last in bounds if last > first] != run.ptr[:-1][np.diff(run.ptr) > 0].tolist():
        rows = source = np.concatenate([source[:0], *(np.arange(*bound) for bound in bounds)])
    keys = Keys(np.repeat(code, np.diff(ptr)), run.document.take(rows))
    row = qrels.index.find(keys)
    start, size = run.start[rows], np.maximum(run.size[rows], 0)
    known = start != UNKNOWN
    if not known.all():
        start, size = np.where(known, start, UNKNOWN_ENTRY), np.where(known, size, UNKNOWN_SIZE)
    end = start + size
    relevant = qrels.rsize > 0  # the qrels' own column decides, whatever passages are beside a 0 [T]
    return Joined(
        qrels=qrels,
        run=run,
        task=task,
        topics=topics,
        code=code,
        ptr=ptr,
        row=row,
        start=start,
        end=end,
        size=size,
        rsize=qrels.highlights.overlap(np.where(relevant[row], row, -1), start, end),
        known=known,
        source=source,
        keys=keys,
        trel=per_topic(qrels, qrels.rsize)[code],
        nrel=per_topic(qrels, relevant)[code],
        passages=per_topic(qrels, np.where(relevant, np.diff(qrels.ptr), 0))[code],
    )


def per_topic(qrels: Qrels, values: Ints | Mask) -> Ints:
    """Sum a column of the qrels over each of its topics."""
    sums = np.zeros(len(qrels.topics), dtype=np.int64)
    np.add.at(sums, qrels.topic, values.astype(np.int64))
    return sums
