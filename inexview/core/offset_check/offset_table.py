"""The offsets of qrels or of a run as its file writes them: the same columns for both.

A comparison of offsets with documents needs neither scores nor ranks, and does not care whether a passage
was judged or retrieved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from inexview.core.errors import DataError
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run
from inexview.core.text.id_columns import coded
from inexview.core.text.spans import Ints, Offsets

NOT_SAID = -1
"""The length of a document whose file gives none."""


@dataclass(frozen=True, eq=False)
class OffsetTable:
    """n rows, each about one document; the documents are ``ids``, each once, as they come in the file.

    Per row, int64 of shape (n,): ``document`` (index in ``ids``), ``line`` in the file, ``length`` of the
    document (−1: not said) and ``entry`` (−1: none).  Row i's passages are ``starts[ptr[i]:ptr[i + 1]]`` and
    ``ends[…]``.
    """

    path: Path | None
    topics: tuple[str, ...]
    topic: Ints
    ids: tuple[str, ...]
    document: Ints
    line: Ints
    length: Ints
    entry: Offsets
    ptr: Ints
    starts: Offsets
    ends: Offsets

    @classmethod
    def of(cls, judged: Qrels | Run) -> OffsetTable:
        """Return the offsets of qrels or of a run.  Raises DataError where the file holds none."""
        table = _of_qrels(judged) if isinstance(judged, Qrels) else _of_run(judged)
        if not len(table.starts) and np.all(table.length == NOT_SAID) and np.all(table.entry < 0):
            raise DataError(
                "holds no offsets that could be compared with the documents: it names whole documents, or "
                "elements by their paths",
                path=judged.path,
            )
        return table

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def reach(self) -> Offsets:
        """The last offset that each row names, shape (n,); −1 where it names none."""
        last = self.entry.copy()
        np.maximum.at(last, self.row_of_passage, self.ends)
        return last

    @cached_property
    def row_of_passage(self) -> Ints:
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    @cached_property
    def _order(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.document, kind="stable")
        return order, np.searchsorted(self.document[order], np.arange(len(self.ids) + 1))

    def rows_about(self, document: int) -> Ints:
        """Return the rows about a document, which is given by its index in ``ids``."""
        order, bounds = self._order
        return order[bounds[document] : bounds[document + 1]]

    def passages_of(self, rows: Ints) -> Ints:
        """Return the indices of the passages of these rows."""
        counts = np.diff(self.ptr)[rows]
        before = np.cumsum(counts) - counts
        passages: Ints = np.repeat(self.ptr[rows] - before, counts) + np.arange(int(counts.sum()))
        return passages


def _of_qrels(qrels: Qrels) -> OffsetTable:
    if qrels.graded:
        raise DataError("judges whole documents (TREC): there are no offsets to check", path=qrels.path)
    ids, document = coded(qrels.document)
    return OffsetTable(
        path=qrels.path,
        topics=qrels.topics,
        topic=qrels.topic,
        ids=ids,
        document=document,
        line=qrels.line,
        length=np.where(qrels.length > 0, qrels.length, NOT_SAID),
        entry=np.where(qrels.bep == NO_BEP, NOT_SAID, qrels.bep),
        ptr=qrels.ptr,
        starts=qrels.starts,
        ends=qrels.ends,
    )


def _of_run(run: Run) -> OffsetTable:
    if run.by_score:
        raise DataError("ranks whole documents (TREC): there are no offsets to check", path=run.path)
    ids, document = coded(run.document)
    known = run.start != UNKNOWN
    whole = np.flatnonzero(known & (run.size != NO_LENGTH))
    passages = np.zeros(len(run), np.int64)
    passages[whole] = 1
    return OffsetTable(
        path=run.path,
        topics=run.topics,
        topic=run.topic,
        ids=ids,
        document=document,
        line=run.line,
        length=np.full(len(run), NOT_SAID),
        entry=np.where(known & (run.size == NO_LENGTH), run.start, NOT_SAID),
        ptr=np.append(0, np.cumsum(passages)),
        starts=run.start[whole],
        ends=run.start[whole] + run.size[whole],
    )
