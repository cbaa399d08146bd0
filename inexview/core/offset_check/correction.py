"""A copy of qrels or of a run with its offsets turned to code points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import NO_LENGTH, Run
from inexview.core.offset_check.diagnosis import Diagnosis
from inexview.core.offset_check.offset_table import OffsetTable
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import CODE_POINTS, Characters, Convention, scale_of
from inexview.core.text.spans import Ints, Mask

Plan = Mapping[Convention, Mask]
"""Which rows, of shape (n,), are read under each convention; the others stay as they are."""


@dataclass(frozen=True, eq=False)
class Correction:
    """A corrected copy; of its rows, which are other than before, and which were left as they were."""

    judged: Qrels | Run
    changed: Mask
    left: Mask


def plan_for(diagnosis: Diagnosis, convention: Convention | None = None, *, mixed: bool = False) -> Plan:
    """Return the rows that fit a convention (the best one); ``mixed``: the others by a part that they fit."""
    conventions = [convention or diagnosis.best]
    if mixed:
        conventions += [part for part, _ in diagnosis.parts if part not in conventions]
    left = np.ones(len(diagnosis.table), bool)
    plan = {}
    for one in conventions:
        plan[one] = left & diagnosis.fitting_rows(one)
        left &= ~plan[one]
    return plan


def corrected(
    judged: Qrels | Run, plan: Plan | Convention, collection: Collection, progress: Progress = unwatched
) -> Correction:
    """Return a copy in code points, and never change what was given.

    ``plan`` says which rows are read how; a single convention reads all.  Lengths of documents are set to
    what they are, rsize to the sum of the passages.  Raises DataError where a document of the plan cannot be
    read, Cancelled where ``progress`` does.
    """
    table = OffsetTable.of(judged)
    if isinstance(plan, Convention):
        plan = {plan: np.ones(len(table), bool)}
    copy = _Copy(table)
    planned = {one: rows for one, rows in plan.items() if one != CODE_POINTS and rows.any()}
    concerned = np.zeros(len(table), bool)
    for rows in planned.values():
        concerned |= rows
    documents = {table.ids[document]: document for document in np.unique(table.document[concerned]).tolist()}
    for at, id in enumerate(collection.as_they_lie(list(documents))):
        progress("documents corrected", at, len(documents))
        copy.correct(documents[id], collection.characters(id)[0], planned)
    read = np.zeros(len(table), bool)
    for rows in plan.values():
        read |= rows
    turned = copy.put_into(judged, read)
    return Correction(turned, _changed(judged, turned), ~read)


class _Copy:
    """The columns of a table that a correction changes."""

    def __init__(self, table: OffsetTable) -> None:
        self._table = table
        self.starts, self.ends = table.starts.copy(), table.ends.copy()
        self.entry, self.length = table.entry.copy(), table.length.copy()

    def correct(self, document: int, characters: Characters, plan: Plan) -> None:
        """Turn the offsets of the planned rows about one document."""
        length = len(characters)
        about = self._table.rows_about(document)
        for convention, planned in plan.items():
            rows = about[planned[about]]
            if not len(rows):
                continue
            scale = scale_of(characters, convention)
            own = self._table.passages_of(rows)
            starts, ends = self._table.starts[own], self._table.ends[own]
            self.starts[own] = scale.to_code_points(starts)
            turned = np.minimum(scale.to_code_points(ends, ends=True), _at_most(ends, scale.length, length))
            self.ends[own] = np.where(ends == starts, self.starts[own], np.maximum(turned, self.starts[own]))
            self.entry[rows] = scale.to_code_points(self._table.entry[rows])
            self.length[rows] = np.where(self._table.length[rows] >= 0, length, -1)

    def put_into(self, judged: Qrels | Run, read: Mask) -> Qrels | Run:
        """Return a copy of what was given with these columns; sizes of the rows that were read are new."""
        if isinstance(judged, Run):
            whole = np.diff(self._table.ptr) > 0
            start, size = judged.start.copy(), judged.size.copy()
            start[whole], size[whole] = self.starts, self.ends - self.starts
            entries = self.entry >= 0
            start[entries], size[entries] = self.entry[entries], NO_LENGTH
            return replace(judged, start=start, size=size, path=None, warnings=())
        sums = np.append(0, np.cumsum(self.ends - self.starts))
        sized = sums[judged.ptr[1:]] - sums[judged.ptr[:-1]]
        recomputed = read & (np.diff(judged.ptr) > 0)
        return replace(
            judged,
            rsize=np.where(recomputed, sized, judged.rsize),
            length=np.where(self.length >= 0, self.length, judged.length),
            bep=np.where(self.entry >= 0, self.entry, NO_BEP),
            starts=self.starts,
            ends=self.ends,
            path=None,
            warnings=(),
        )


def _at_most(ends: Ints, counted: int, length: int) -> Ints:
    """Return how far ends may reach: a newline that only the convention counts is not in the document."""
    return np.where(ends <= counted, length, np.iinfo(np.int64).max)


def _changed(before: Qrels | Run, after: Qrels | Run) -> Mask:
    if isinstance(before, Run):
        assert isinstance(after, Run)
        changed: Mask = (before.start != after.start) | (before.size != after.size)
        return changed
    assert isinstance(after, Qrels)
    changed = (before.rsize != after.rsize) | (before.length != after.length) | (before.bep != after.bep)
    row = np.repeat(np.arange(len(before)), np.diff(before.ptr))
    changed[row[(before.starts != after.starts) | (before.ends != after.ends)]] = True
    return changed
