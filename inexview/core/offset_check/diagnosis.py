"""The diagnosis of a file's offsets: which convention explains how much of it.

Lengths are a checksum: agreement is hardly by chance. Runs have none; for them the ends of passages are used:
in the right convention, they fall on ends of words or elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path

import numpy as np

from inexview.core.errors import DataError
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, EndForLength, Run, lengths_as_ends
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, FORMED, UTF8_BYTES, Convention, Ends
from inexview.core.text.spans import Ints, Mask, Offsets, coded
from inexview.core.wording import counted, percent, some_named

EXAMINED = CONVENTIONS + FORMED
"""The conventions that may explain a file."""

SCALES = tuple(one for one in EXAMINED if one.ends in (Ends.AS_THEY_ARE, Ends.TRIMMED))
"""The conventions with offsets of their own: a newline more or less only changes a length."""


def _scale(convention: Convention) -> int:
    ends = Ends.TRIMMED if convention.ends is Ends.TRIMMED else Ends.AS_THEY_ARE
    return SCALES.index(Convention(convention.unit, convention.merged, ends, convention.form))


SCALE_OF = {convention: _scale(convention) for convention in EXAMINED}
INDEX = {convention: at for at, convention in enumerate(EXAMINED)}

NO_ROWS: Ints = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class DocumentFindings:
    """Results of reading the documents of a table; one row for each of its D ids.

    ``lengths`` (D, 51) under each of EXAMINED (−1 if the document was not read, or has no such form);
    ``edges`` (D,), the numbers of starts, ends and entry points in the file; ``natural`` (D, 39), the numbers
    of these that fall on natural places under each of SCALES; ``readings`` (D, 39), equal if two scales read
    the same text. ``missing`` are not in the collection; ``unreadable`` has reasons for unreadable ones.
    """

    lengths: Ints
    edges: Ints
    natural: Ints
    readings: Ints
    missing: Mask
    unreadable: dict[int, str]


class Sureness(Enum):
    """How reliable the best explanation is."""

    SURE = "sure"
    LIKELY = "likely"
    OPEN = "open"
    """Another convention explains as much and reads other text."""
    NONE = "none"
    """No convention explains half of the documents."""


class Problem(Enum):
    """Why a row does not fit a convention."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    LENGTH = "length"
    PAST_END = "past the end"


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row compared with a document in a convention."""

    row: int
    topic: str
    document: str
    line: int
    problem: Problem | None
    """Why it does not fit; None if it does."""
    said: int | None
    """The document's length in the file."""
    found: int | None
    """The document's length in the convention; None if it could not be read."""
    reach: int | None
    """The last offset of the row."""
    fits: tuple[Convention, ...]
    """The conventions that this row would fit."""
    why: str = ""
    """The error of an unreadable document."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How much of the file a convention explains."""

    convention: Convention
    documents: int
    passages: int
    """Passages that end within their document."""
    entries: int
    """Best entry points (or results that are only entry points) within their document."""
    natural: float
    """The share of edges on natural places; NaN if there are no edges."""


# The offsets of qrels or of a run as written in the file: the same columns for both.
#
# Comparing offsets with documents needs neither scores nor ranks, and does not depend on whether a passage
# was judged or retrieved.

NOT_SAID = -1
"""The length of a document without one in the file."""


@dataclass(frozen=True, eq=False)
class OffsetTable:
    """n rows, each about one document; the distinct documents are ``ids``, in the order of the file.

    Per row, int64 of shape (n,): ``document`` (index in ``ids``), ``line`` in the file, ``length`` of the
    document (−1: not given) and ``entry`` (−1: none). Row i's passages are ``starts[ptr[i]:ptr[i + 1]]`` and
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
        """Return the offsets of qrels or of a run. Raises DataError if the file has none."""
        ids, document = coded(judged.document)
        if isinstance(judged, Qrels):
            if judged.graded:
                problem = "judges whole documents (TREC): there are no offsets to check"
                raise DataError(problem, path=judged.path)
            length = np.where(judged.length > 0, judged.length, NOT_SAID)
            entry = np.where(judged.bep == NO_BEP, NOT_SAID, judged.bep)
            passages = judged.ptr, judged.starts, judged.ends
        else:
            if judged.by_score:
                problem = "ranks whole documents (TREC): there are no offsets to check"
                raise DataError(problem, path=judged.path)
            known = judged.start != UNKNOWN
            whole = known & (judged.size != NO_LENGTH)
            length = np.full(len(judged), NOT_SAID)
            entry = np.where(known & ~whole, judged.start, NOT_SAID)
            starts = judged.start[whole]
            passages = np.append(0, np.cumsum(whole)), starts, starts + judged.size[whole]
        about = judged.path, judged.topics, judged.topic
        table = cls(*about, ids, document, judged.line, length, entry, *passages)
        if not len(table.starts) and np.all(table.length == NOT_SAID) and np.all(table.entry < 0):
            raise DataError(
                "has no offsets to check: it names whole documents, or elements by path",
                path=judged.path,
            )
        return table

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def reach(self) -> Offsets:
        """The last offset of each row, shape (n,); −1 if it has none."""
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
        """Return the rows about a document, given by its index in ``ids``."""
        order, bounds = self._order
        return order[bounds[document] : bounds[document + 1]]

    def passages_of(self, rows: Ints) -> Ints:
        """Return the indices of the passages of these rows."""
        counts = np.diff(self.ptr)[rows]
        before = np.cumsum(counts) - counts
        passages: Ints = np.repeat(self.ptr[rows] - before, counts) + np.arange(int(counts.sum()))
        return passages


_USUAL = tuple(one for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE)
_ALMOST = 0.98  # of the documents that the best explains: some results of a run may exceed their documents
_SURE, _HALF = 0.9, 0.5
_MARGIN = 3  # documents
_MOST_NATURAL = 0.8  # of the edges, if a run has no other evidence of being read correctly
_PART = 0.02  # of the documents; with at least two, this share is another convention, not chance


class Diagnosis:
    """Determines the convention of a file's offsets by its documents."""

    def __init__(
        self, table: OffsetTable, found: DocumentFindings, *, is_run: bool, warnings: tuple[str, ...]
    ) -> None:
        self.table = table
        self.found = found
        self.is_run = is_run
        self.warnings = warnings
        said = np.zeros(len(table.ids), bool)
        said[table.document[(table.length != NOT_SAID) | (table.reach >= 0)]] = True
        self._stated: Mask = said & (found.lengths[:, 0] >= 0)
        self.has_lengths = bool(np.any(table.length != NOT_SAID))
        self.candidates = EXAMINED if self.has_lengths else _USUAL + FORMED

    # -- fitting documents -----------------------------------------------------------------------------

    @property
    def documents(self) -> int:
        """The number of documents that were read and have offsets in the file."""
        return int(self._stated.sum())

    def fitting_rows(self, convention: Convention) -> Mask:
        """Return a mask of shape (n,) of rows that fit: their length agrees, and nothing is past the end."""
        table = self.table
        length = self.found.lengths[table.document, INDEX[convention]]
        fits: Mask = (table.length == NOT_SAID) | (table.length == length)
        fits &= (table.reach <= length) & (length >= 0)
        return fits

    @cached_property
    def _fits(self) -> dict[Convention, Mask]:
        """Masks of shape (D,) by convention: documents all of whose rows fit."""
        fits = {}
        for convention in EXAMINED:
            fits[convention] = self._stated.copy()
            fits[convention][self.table.document[~self.fitting_rows(convention)]] = False
        return fits

    def fitting(self, convention: Convention) -> int:
        return int(self._fits[convention].sum())

    @property
    def ambiguous(self) -> int:
        """The number of documents that fit several conventions which differ in other documents."""
        return int((np.sum([self._fits[one] for one in self.candidates], axis=0) > 1).sum())

    def fit(self, convention: Convention) -> Fit:
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
        """Return the usual conventions, and others that explain more, the best first.

        Of forms of the text that explain as much and read the same text, only the first is listed.
        """
        shown: list[Convention] = []
        for one in self.candidates:
            more = self.fitting(one) > self.fitting(Convention(one.unit, one.merged))
            repeats = one in FORMED and any(
                self.fitting(other) == self.fitting(one) and self.reads_alike(other, one)
                for other in (*shown, self.best)
            )
            if one in _USUAL or one == self.best or (more and not repeats):
                shown.append(one)
        listed = [self.fit(one) for one in shown]
        return sorted(listed, key=lambda fit: (fit.convention != self.best, -fit.documents))

    # -- the best convention -------------------------------------------------------------------------

    @cached_property
    def _contenders(self) -> list[Convention]:
        """The conventions that explain as many documents as any or, without lengths, almost as many."""
        top = max(self.fitting(one) for one in self.candidates)
        least = top if self.has_lengths else _ALMOST * top
        return [one for one in self.candidates if self.fitting(one) >= least]

    @cached_property
    def best(self) -> Convention:
        """The convention that explains the file best; of equally good ones the most usual."""
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
        """Whether the best convention explains everything: each document, or each edge of a run."""
        if self.end_for_length is not None or self.fitting(self.best) < self.documents:
            return self.end_for_length is not None
        return self.has_lengths or not self.fit(self.best).natural < _MOST_NATURAL

    @cached_property
    def sureness(self) -> Sureness:
        """How reliable the best explanation is."""
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
        """The conventions of a mixed file with the number of remaining documents that each explains, best
        first.

        Only one if even several together explain less than half of the documents.
        """
        left = self._stated.copy()
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
        """Return whether every document reads the same in two conventions."""
        return not self._differ(a, b).any()

    def _differ(self, a: Convention, b: Convention) -> Mask:
        """Return a mask of shape (D,) of documents that two conventions read differently."""
        readings = self.found.readings
        differ: Mask = readings[:, SCALE_OF[a]] != readings[:, SCALE_OF[b]]
        return differ

    def _more_natural(self, a: Convention, b: Convention) -> bool:
        """Return whether clearly more edges fall on natural places under ``a`` than under ``b``.

        Clearly means by more than twice the standard deviation of chance for the edges concerned.
        """
        differ = self._differ(a, b)
        natural = self.found.natural[differ]
        gained = int(natural[:, SCALE_OF[a]].sum() - natural[:, SCALE_OF[b]].sum())
        return gained >= _MARGIN and gained > 2 * float(np.sqrt(self.found.edges[differ].sum()))

    # -- misfits -------------------------------------------------------------------------------------

    def every_row(self) -> Ints:
        return np.arange(len(self.table))

    def misfit_rows(self, convention: Convention) -> Ints:
        """Return the rows that do not fit a convention, in the order of the file.

        Rows about unreadable documents are included.
        """
        rows = np.flatnonzero(~self.fitting_rows(convention))
        in_order: Ints = rows[np.argsort(self.table.line[rows], kind="stable")]
        return in_order

    def misfits(self, convention: Convention) -> Iterator[CheckedRow]:
        """Yield the rows that do not fit a convention, in the order of the file."""
        for row in self.misfit_rows(convention).tolist():
            yield self.check(row, convention)

    def check(self, row: int, convention: Convention) -> CheckedRow:
        table = self.table
        document = int(table.document[row])
        said, reach = int(table.length[row]), int(table.reach[row])
        lengths = dict(zip(EXAMINED, self.found.lengths[document].tolist(), strict=True))
        found = lengths[convention]
        problem = None
        if found < 0:
            problem = Problem.MISSING if self.found.missing[document] else Problem.UNREADABLE
        elif said not in (NOT_SAID, found):
            problem = Problem.LENGTH
        elif reach > found:
            problem = Problem.PAST_END
        return CheckedRow(
            row=row,
            topic=table.topics[int(table.topic[row])],
            document=table.ids[document],
            line=int(table.line[row]),
            problem=problem,
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

    @cached_property
    def end_for_length(self) -> EndForLength | None:
        """Whether a run has the END in place of the length, as one known writer wrote it."""
        if not self.is_run:
            return None
        table = self.table
        # Documents are longest in bytes: what fits any convention fits here.
        room = self.found.lengths[table.document[table.row_of_passage], INDEX[UTF8_BYTES]]
        size = table.ends - table.starts
        told = room >= 0
        suspected = lengths_as_ends(table.starts[told], size[told], room[told])
        return suspected if suspected.likely else None


# The diagnosis in sentences: the convention, how sure that is, and what does not fit.

_MOST_NAMED = 3
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class Verdict:
    """The headline, and further details; all in sentences."""

    headline: str
    details: tuple[str, ...]


def verdict(diagnosis: Diagnosis) -> Verdict:
    if not diagnosis.documents:
        return Verdict("Nothing could be compared.", tuple(_unread(diagnosis)))
    if (suspected := diagnosis.end_for_length) is not None:
        ends = (
            f"The last field looks like the end of a passage, not like its length: {suspected.past:,} of "
            f"{counted(suspected.results, 'result')} would run past the end of their document, "
            f"and {suspected.fitting:,} fit as ends."
        )
        return Verdict(ends, tuple(_unread(diagnosis)))
    details = [_how_sure(diagnosis)]
    if (several := diagnosis.ambiguous) and diagnosis.has_lengths:
        details.append(f"{several:,} of {diagnosis.documents:,} {_fit(several)} more than one convention.")
    details += [_edges(diagnosis), *_unread(diagnosis)]
    return Verdict(_headline(diagnosis), tuple(filter(None, details)))


def _headline(diagnosis: Diagnosis) -> str:
    best, documents = diagnosis.best, diagnosis.documents
    fitting = diagnosis.fitting(best)
    if len(diagnosis.parts) > 1:
        (_, most), *others = diagnosis.parts
        listed = "; ".join(f"of the others, {count:,} {_fit(count)} {one}" for one, count in others)
        of = counted(documents, "document")
        return f"The file is mixed: {most:,} of {of} {_fit(most)} {best}; {listed}."
    if diagnosis.sureness is Sureness.NONE:
        return (
            f"No convention explains half of the {counted(documents, 'document')}; the closest, {best}, fits "
            f"{fitting:,}. Do the file and the collection belong together?"
        )
    if not diagnosis.has_lengths and best != CODE_POINTS:
        return f"The offsets of this run count {best}."
    if fitting == documents:
        all_of = "The one document fits" if documents == 1 else f"All {documents:,} documents fit"
        if best == CODE_POINTS:
            if diagnosis.sureness is Sureness.OPEN:
                return f"{all_of} code points, as inexview counts, but other ways of counting as well."
            return f"{all_of} code points, as inexview counts: nothing needs correcting."
        return f"{all_of} {best}; {_as_code_points(diagnosis)}."
    rest = "" if best == CODE_POINTS else f"; {_as_code_points(diagnosis)}"
    return f"{fitting:,} of {counted(documents, 'document')} {_fit(fitting)} {best}{rest}."


def _as_code_points(diagnosis: Diagnosis) -> str:
    fitting = diagnosis.fitting(CODE_POINTS)
    if diagnosis.documents == 1:
        return "it would also fit code points" if fitting else "it would not fit code points"
    return f"{fitting:,} would fit code points" if fitting else "none would fit code points"


def _how_sure(diagnosis: Diagnosis) -> str:
    if diagnosis.sureness is Sureness.OPEN:
        rivals = _listed(diagnosis.rivals)
        return f"Other ways explain as much, but give other text ({rivals}): compare the passages by eye."
    if len(diagnosis.parts) > 1:
        return ""
    if diagnosis.sureness is Sureness.LIKELY:
        return "This is likely, not certain: few documents distinguish it from other ways of counting."
    if diagnosis.sureness is not Sureness.SURE or diagnosis.best == CODE_POINTS:
        return ""
    if diagnosis.alike:
        return f"{_listed(diagnosis.alike)} would give the same text."
    by = "explains clearly fewer documents" if diagnosis.has_lengths else "cuts clearly more words"
    return f"This is certain: every other way of counting {by}."


def _fit(number: int) -> str:
    return "fits" if number == 1 else "fit"


def _edges(diagnosis: Diagnosis) -> str:
    """Return how many edges fall on natural places, compared with code points."""
    edges = int(diagnosis.found.edges.sum())
    if not edges:
        return ""
    said = f"{percent(diagnosis.fit(diagnosis.best).natural)} of {counted(edges, 'passage edge')}"
    if diagnosis.best == CODE_POINTS:
        return f"{said} fall on words or elements."
    other = percent(diagnosis.fit(CODE_POINTS).natural)
    return f"{said} fall on words or elements; as code points, {other}."


def _unread(diagnosis: Diagnosis) -> list[str]:
    missing = [diagnosis.table.ids[at] for at in diagnosis.found.missing.nonzero()[0][: _MOST_NAMED + 1]]
    count = int(diagnosis.found.missing.sum())
    said = []
    if count:
        named = some_named(missing, _MOST_NAMED)
        are = "is" if count == 1 else "are"
        said.append(f"{counted(count, 'document')} {are} not in the collection ({named}).")
    unreadable = len(diagnosis.found.unreadable)
    if unreadable:
        said.append(f"{counted(unreadable, 'document')} could not be read.")
    return said


def doubt(diagnosis: Diagnosis, expected: Convention = CODE_POINTS) -> str | None:
    """Return why the offsets look wrong for the expected convention; None if they do not."""
    documents, right = diagnosis.documents, diagnosis.fitting(expected)
    if not documents:
        return None
    if diagnosis.end_for_length is not None:
        return "its last field looks like the end of a passage, not like its length"
    sure = diagnosis.sureness in (Sureness.SURE, Sureness.LIKELY)
    if sure and diagnosis.best != expected and expected not in diagnosis.alike:
        return f"its offsets seem to count {diagnosis.best}, and are read as {expected}"
    if right >= _MOSTLY * documents:
        return None
    what = "length" if diagnosis.has_lengths else "passages"
    return f"only {right:,} of {counted(documents, 'checked document')} fit the {what} in the file"


def problem_in_words(row: CheckedRow) -> str:
    """Return what is wrong with a row, without its place."""
    if row.problem is Problem.MISSING:
        return "not in the collection"
    if row.problem is Problem.UNREADABLE:
        return row.why
    if row.problem is Problem.PAST_END:
        return f"reaches to {row.reach:,}, past the document's end at {row.found:,}"
    if row.problem is Problem.LENGTH:
        return f"length {row.said:,}, but the document has {row.found:,}"
    return "fits"


def misfit_line(file: object, row: CheckedRow) -> str:
    """Return a line on a row that does not fit: "file:12: topic 3, document 7: …; fits UTF-8 bytes"."""
    said = f"{file}:{row.line}: topic {row.topic}, document {row.document}: {problem_in_words(row)}"
    return f"{said}; fits {fitting_names(row)}" if row.found is not None else said


def fitting_names(row: CheckedRow) -> str:
    """Return the conventions that a row would fit, in words."""
    return _listed(row.fits) if row.fits else "none"


def _listed(conventions: tuple[Convention, ...]) -> str:
    names = [one.name for one in conventions]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return " or ".join(names[:_MOST_NAMED]) + more
