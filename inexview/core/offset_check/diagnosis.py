"""What comparing a file's offsets with the documents came to: which convention explains how much of it.

Lengths are a checksum: a length that agrees is hardly chance.  Runs carry none, and there the edges of
passages tell: read rightly, they fall where words or elements begin and end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from inexview.core.judgements.runs import EndForLength, lengths_as_ends
from inexview.core.offset_check.findings import (
    EXAMINED,
    INDEX,
    SCALE_OF,
    CheckedRow,
    DocumentFindings,
    Fit,
    Problem,
    Sureness,
)
from inexview.core.offset_check.offset_table import NOT_SAID, OffsetTable
from inexview.core.text.counting import CONVENTIONS, FORMED, UTF8_BYTES, Convention, Ends
from inexview.core.text.spans import Ints, Mask

_USUAL = tuple(one for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE)
_ALMOST = 0.98  # of the documents that the best explains: a run may run past the end here and there
_SURE, _HALF = 0.9, 0.5
_MARGIN = 3  # documents
_MOST_NATURAL = 0.8  # of the edges, where nothing else tells that a run is read rightly
_PART = 0.02  # of the documents, and at least two, are no chance but another convention


class Diagnosis:
    """Answers what a file's offsets mean, from what its documents are."""

    def __init__(
        self, table: OffsetTable, found: DocumentFindings, *, is_run: bool, warnings: tuple[str, ...]
    ) -> None:
        self.table = table
        self.found = found
        self.is_run = is_run
        self.warnings = warnings
        said = np.zeros(len(table.ids), bool)
        said[table.document[(table.length != NOT_SAID) | (table.reach >= 0)]] = True
        self._told: Mask = said & (found.lengths[:, 0] >= 0)
        self.has_lengths = bool(np.any(table.length != NOT_SAID))
        self.candidates = EXAMINED if self.has_lengths else _USUAL + FORMED

    # -- how much fits -------------------------------------------------------------------------------

    @property
    def documents(self) -> int:
        """The number of documents that were read and of which the file says something."""
        return int(self._told.sum())

    def fitting_rows(self, convention: Convention) -> Mask:
        """Tell, of shape (n,), which rows fit: the length agrees, and nothing lies past the end."""
        table = self.table
        length = self.found.lengths[table.document, INDEX[convention]]
        fits: Mask = (table.length == NOT_SAID) | (table.length == length)
        fits &= (table.reach <= length) & (length >= 0)
        return fits

    @cached_property
    def _fits(self) -> dict[Convention, Mask]:
        """Which documents fit, all their rows at once; of shape (D,) for each convention."""
        fits = {}
        for convention in EXAMINED:
            fits[convention] = self._told.copy()
            fits[convention][self.table.document[~self.fitting_rows(convention)]] = False
        return fits

    def fitting(self, convention: Convention) -> int:
        return int(self._fits[convention].sum())

    @property
    def ambiguous(self) -> int:
        """How many documents fit several conventions that count differently elsewhere."""
        return int((np.sum([self._fits[one] for one in self.candidates], axis=0) > 1).sum())

    def fit(self, convention: Convention) -> Fit:
        """Return how much of the file a convention explains."""
        table, length = self.table, self.found.lengths[:, INDEX[convention]]
        room = length[table.document]
        edges = int(self.found.edges.sum())
        natural = int(self.found.natural[:, SCALE_OF[convention]].sum())
        return Fit(
            convention,
            documents=self.fitting(convention),
            passages=int((table.ends <= room[table.row_of_passage]).sum()),
            entries=int(((table.entry >= 0) & (table.entry <= room)).sum()),
            natural=natural / edges if edges else float("nan"),
        )

    def fits(self) -> list[Fit]:
        """Return the usual conventions, and those others that explain more, the best first.

        Of forms of the text that explain as much and read the same text, only the first is listed.
        """
        shown: list[Convention] = []
        for one in self.candidates:
            more = self.fitting(one) > self.fitting(Convention(one.unit, one.merged))
            if one in _USUAL or one == self.best or (more and not self._repeats(one, shown)):
                shown.append(one)
        listed = [self.fit(one) for one in shown]
        return sorted(listed, key=lambda fit: (fit.convention != self.best, -fit.documents))

    def _repeats(self, form: Convention, shown: Sequence[Convention]) -> bool:
        """Tell whether one of the listed conventions explains as many documents and reads the same text."""
        return any(
            self.fitting(one) == self.fitting(form) and self.reads_alike(one, form)
            for one in (*shown, self.best)
            if form in FORMED
        )

    # -- which explains it ---------------------------------------------------------------------------

    @cached_property
    def _contenders(self) -> list[Convention]:
        """The conventions that explain as many documents as any, or, without lengths, almost as many."""
        top = max(self.fitting(one) for one in self.candidates)
        least = top if self.has_lengths else _ALMOST * top
        return [one for one in self.candidates if self.fitting(one) >= least]

    @cached_property
    def best(self) -> Convention:
        """The convention that explains the file best; of several that are as good, the most usual one."""
        natural = self.found.natural.sum(axis=0)
        leader = max(self._contenders, key=lambda one: int(natural[SCALE_OF[one]]))
        return next(one for one in self._contenders if not self._more_natural(leader, one))

    @cached_property
    def rivals(self) -> tuple[Convention, ...]:
        """The conventions that explain as much as the best one, but read other text."""
        return tuple(
            one
            for one in self._contenders
            if self._differ(one, self.best).any() and not self._more_natural(self.best, one)
        )

    @cached_property
    def alike(self) -> tuple[Convention, ...]:
        """The usual conventions that explain about as much as the best one and read the same text."""
        most = self.fitting(self.best)
        return tuple(
            one
            for one in _USUAL
            if one != self.best
            and most - self.fitting(one) < _MARGIN
            and not self._differ(one, self.best).any()
        )

    @property
    def explains_all(self) -> bool:
        """Whether the best convention leaves nothing to explain: each document, or each edge of a run."""
        if self.end_for_length is not None or self.fitting(self.best) < self.documents:
            return self.end_for_length is not None
        return self.has_lengths or not self.fit(self.best).natural < _MOST_NATURAL

    @cached_property
    def sureness(self) -> Sureness:
        """How far the best explanation can be trusted."""
        explained = self.fitting(self.best)
        if explained < _HALF * self.documents or not self.documents:
            return Sureness.NONE
        if self.rivals:
            return Sureness.OPEN
        close = [
            one
            for one in self.candidates
            if explained - self.fitting(one) < _MARGIN
            and self._differ(one, self.best).any()
            and not self._more_natural(self.best, one)
        ]
        return Sureness.LIKELY if close or explained < _SURE * self.documents else Sureness.SURE

    @cached_property
    def parts(self) -> tuple[tuple[Convention, int], ...]:
        """The conventions of a mixed file with the documents that each explains of those left, best first.

        One alone where several together explain no half of the documents either.
        """
        left = self._told.copy()
        least = max(2.0, _PART * self.documents)
        parts: list[tuple[Convention, int]] = []
        following = self.best
        while True:
            explained = int((self._fits[following] & left).sum())
            if parts and explained < least:
                mixed = sum(count for _, count in parts) >= _HALF * self.documents
                return tuple(parts if mixed else parts[:1])
            parts.append((following, explained))
            left &= ~self._fits[following]
            following = max(self.candidates, key=lambda one: int((self._fits[one] & left).sum()))

    def reads_alike(self, a: Convention, b: Convention) -> bool:
        """Tell whether every document reads the same under two conventions."""
        return not self._differ(a, b).any()

    def _differ(self, a: Convention, b: Convention) -> Mask:
        """Tell, of shape (D,), of which documents two conventions read other text."""
        readings = self.found.readings
        differ: Mask = readings[:, SCALE_OF[a]] != readings[:, SCALE_OF[b]]
        return differ

    def _more_natural(self, a: Convention, b: Convention) -> bool:
        """Tell whether clearly more edges fall on natural places under ``a`` than under ``b``.

        Clearly: by more than twice the standard deviation of what chance could do to the edges concerned.
        """
        differ = self._differ(a, b)
        natural = self.found.natural[differ]
        gained = int(natural[:, SCALE_OF[a]].sum() - natural[:, SCALE_OF[b]].sum())
        return gained >= _MARGIN and gained > 2 * float(np.sqrt(self.found.edges[differ].sum()))

    # -- what does not fit ---------------------------------------------------------------------------

    def misfit_rows(self, convention: Convention) -> Ints:
        """Return the rows that do not fit a convention, in the order of the file.

        Rows about documents that could not be read are among them.
        """
        rows = np.flatnonzero(~self.fitting_rows(convention))
        in_order: Ints = rows[np.argsort(self.table.line[rows], kind="stable")]
        return in_order

    def misfits(self, convention: Convention) -> Iterator[CheckedRow]:
        """Yield the rows that do not fit a convention, in the order of the file."""
        for row in self.misfit_rows(convention).tolist():
            yield self.check(row, convention)

    def check(self, row: int, convention: Convention) -> CheckedRow:
        """Return what there is to say about a row under a convention."""
        table = self.table
        document = int(table.document[row])
        said, reach = int(table.length[row]), int(table.reach[row])
        lengths = dict(zip(EXAMINED, self.found.lengths[document].tolist(), strict=True))
        found = lengths[convention]
        return CheckedRow(
            row=row,
            topic=table.topics[int(table.topic[row])],
            document=table.ids[document],
            line=int(table.line[row]),
            problem=self._problem(document, said, found, reach),
            said=None if said == NOT_SAID else said,
            found=None if found < 0 else found,
            reach=None if reach < 0 else reach,
            fits=tuple(
                one
                for one in self.candidates
                if said in (NOT_SAID, lengths[one]) and reach <= lengths[one] >= 0
            ),
            why=self.found.unreadable.get(document, ""),
        )

    def _problem(self, document: int, said: int, found: int, reach: int) -> Problem | None:
        if found < 0:
            return Problem.MISSING if self.found.missing[document] else Problem.UNREADABLE
        if said not in (NOT_SAID, found):
            return Problem.LENGTH
        return Problem.PAST_END if reach > found else None

    @cached_property
    def end_for_length(self) -> EndForLength | None:
        """Whether a run has the END where the length belongs, as one known writer wrote it."""
        if not self.is_run:
            return None
        table = self.table
        # Bytes make the longest documents: what fits under any convention fits here.
        room = self.found.lengths[table.document[table.row_of_passage], INDEX[UTF8_BYTES]]
        size = table.ends - table.starts
        told = room >= 0
        suspected = lengths_as_ends(table.starts[told], size[told], room[told])
        return suspected if suspected.likely else None
