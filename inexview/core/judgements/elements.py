"""Elements by their paths: how INEX 2002–2007 judged and retrieved them, and their places in articles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import DataError
from inexview.core.judgements.runs import UNKNOWN, Task
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Offsets

if TYPE_CHECKING:
    from inexview.core.article.elements import Paths
    from inexview.core.collection.collection import Collection


# Judgements of elements, as INEX 2005–2007 published them: a path, exhaustivity, size and rsize.
#
# Highlighting came first: an assessor marked text, each element with marked text became relevant, and its
# exhaustivity was asked for (2 highly, 1 partly, "?" too small to judge).  Specificity is not asked for but
# computed, rsize/size.  Passages (`Qrels`) give the exact characters; these give only their number per
# element.

TOO_SMALL = 0
GRADED = 3
"""The highest grade of exhaustivity and of specificity in 2002–04."""
MOST_STEPS = 256


@dataclass(frozen=True, slots=True)
class ElementJudgement:
    """One element judged relevant: its exhaustivity (0 for "?", 1, 2) and characters, all and relevant."""

    path: str
    exhaustivity: int
    size: int
    rsize: int
    highest: int = 2
    """The highest exhaustivity of the scale: 2, or 3 in 2002–04.

    In 2002–04 specificity was graded 0–3 too: ``rsize`` of ``size`` 3 is the grade, and the number of
    characters is unknown.
    """

    @property
    def graded(self) -> bool:
        """Whether specificity is a grade instead of a number of characters."""
        return self.highest == GRADED

    @property
    def specificity(self) -> float:
        """The relevant share of its characters, 0 … 1; 0 if it has none."""
        return self.rsize / self.size if self.size else 0.0


JudgedElements = Mapping[str, ElementJudgement]


class ElementQrels:
    """The judged documents of some topics, and the relevant elements of each by path, in file order."""

    __slots__ = ("_documents", "warnings")

    def __init__(
        self,
        documents: Iterable[tuple[str, str, Iterable[ElementJudgement]]],
        *,
        warnings: Iterable[str] = (),
    ) -> None:
        """Take (topic, document, its relevant elements); a document without any was judged not relevant.

        Raises DataError if a document or an element has two different judgements.
        """
        self._documents: dict[str, dict[str, JudgedElements]] = {}
        self.warnings = tuple(warnings)
        for topic, document, listed in documents:
            elements: dict[str, ElementJudgement] = {}
            for element in listed:
                if elements.setdefault(element.path, element) != element:
                    raise DataError(
                        f"judged twice and differently in document {document} of topic {topic}; keep one",
                        field="path",
                        value=element.path,
                    )
            known = self._documents.setdefault(topic, {})
            if known.setdefault(document, elements) != elements:
                raise DataError(
                    f"judged twice and differently for topic {topic}; keep one", field="file", value=document
                )

    @property
    def graded(self) -> bool:
        """Whether elements are judged on two graded scales (2002–04), without sizes."""
        return any(element.graded for topic in self.topics for _, element in self.elements(topic))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order they were read."""
        return tuple(self._documents)

    def copies(self, topic: str, names: Iterable[str]) -> ElementQrels:
        """Return the judgements of one topic as those of several topics, with these names."""
        made = ElementQrels(())
        made._documents = dict.fromkeys(names, self._documents.get(topic, {}))
        return made

    def documents(self, topic: str) -> Mapping[str, JudgedElements]:
        """Return the judged documents of a topic, each with its relevant elements by path."""
        return self._documents.get(topic, {})

    def elements(self, topic: str) -> Iterator[tuple[str, ElementJudgement]]:
        """Iterate over (document, relevant element) of a topic."""
        for document, elements in self.documents(topic).items():
            for element in elements.values():
                yield document, element


def canonical_path(path: str) -> str | None:
    """Return an element path with every position written: ``/article/bdy[1]`` is ``/article[1]/bdy[1]``.

    None for an invalid path, or one with more steps than any article has levels.
    """
    path = path.strip()
    if not path.startswith("/") or path.count("/") > MOST_STEPS:
        return None
    steps = [step if step.endswith("]") else f"{step}[1]" for step in path.strip("/").split("/")]
    return "/" + "/".join(steps)


def ancestors(path: str) -> Iterator[str]:
    """Iterate over the paths of the ancestors of an element, from its parent up to the root."""
    cut = path.rfind("/")
    while cut > 0:
        path = path[:cut]
        yield path
        cut = path.rfind("/")


# Runs of elements, named by their paths: the form of runs in INEX 2002–2006, which its assessments judge.

RankedElements = tuple[tuple[str, str], ...]
"""The results of a topic in rank order, as (document, element path with every position)."""


@dataclass(frozen=True, slots=True)
class ElementRun:
    """The results of a system, topic by topic, in rank order."""

    id: str
    rankings: Mapping[str, RankedElements]
    task: Task | None = None
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    unknown_task: str = ""
    """The name of the task in the file, if it is not one of :class:`Task`."""

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self.rankings)


# Assessments as INEX published them in XML: the content of each file, without reading any article.
#
# Passages and best entry points are points in an article's XML, stored as written; with a collection they are
# converted to the characters of `Qrels` and back (`formats/assessment_xml.py`). Elements are judged by path
# and need no article.


@dataclass(frozen=True, slots=True)
class AssessedPassage:
    """A highlighted passage between two points; ``size`` counts a run of white space as one character."""

    start: str
    end: str
    size: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class AssessedDocument:
    """The judgement of one document for one topic; empty if it is not relevant."""

    name: str
    """The document's id."""
    collection: str = ""
    entry: str | None = None
    """The point of the best entry point."""
    passages: tuple[AssessedPassage, ...] = ()
    elements: tuple[ElementJudgement, ...] = ()
    line: int = field(default=0, compare=False)
    path: Path | None = field(default=None, compare=False)
    """The file that contains it."""

    @property
    def relevant(self) -> bool:
        """Whether anything in the document was judged relevant."""
        return bool(self.passages or self.elements or self.entry is not None)

    @property
    def rsize(self) -> int:
        """The number of relevant characters according to the file, with runs of white space counted as one.

        If only elements are judged, as before 2006, it is that of the largest of them, and at least 1,
        because the document is relevant.
        """
        if self.passages:
            return sum(passage.size for passage in self.passages)
        return max((max(1, element.rsize) for element in self.elements), default=0)


@dataclass(frozen=True, slots=True)
class AssessedTopic:
    """The judged documents of one topic, as one ``<assessments>`` lists them."""

    topic: str
    documents: tuple[AssessedDocument, ...]
    pool: str = ""
    version: str = ""
    strip: bool = False
    """Whether points ignore text nodes that contain only white space."""
    statement: Topic | None = None
    """The topic itself, if the file contains it."""


@dataclass(frozen=True, slots=True)
class Assessments:
    """The judged topics of a file, or of a folder of files, in their order."""

    topics: tuple[AssessedTopic, ...]
    path: Path | None = field(default=None, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def documents(self) -> Iterator[tuple[AssessedTopic, AssessedDocument]]:
        for topic in self.topics:
            for document in topic.documents:
                yield topic, document

    def elements_judged(self) -> Iterator[ElementJudgement]:
        return (element for _, document in self.documents() for element in document.elements)

    @property
    def holds_passages(self) -> bool:
        """Whether any passage is judged, which was not the case before 2006."""
        return any(document.passages for _, document in self.documents())

    def elements(self) -> ElementQrels:
        judged = ((topic.topic, document.name, document.elements) for topic, document in self.documents())
        return ElementQrels(judged, warnings=self.warnings)


# Finds the places of results in the articles of a collection, and the names of places: whole columns at once.
#
# Each article is read once, in any order of the results, and released after its own results.

_TOGETHER = 16  # articles: some 20 ms of work, after which it can be cancelled

Share = Callable[[Callable[[range], Any], Sequence[range]], Iterable[Any]]
"""Applies a function to many things and returns the results in order, as ``map`` does."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementPlaces:
    """The places of n passages: columns of shape (n,).

    ``start`` and ``size`` are int64 code points, −1 and 0 if not ``found``; ``skipping`` marks those found
    only by ignoring the semantic wrappers of 2009.  ``unreadable`` gives for each document that could not be
    read the reason, in a sentence.
    """

    start: Offsets
    size: Offsets
    found: NDArray[np.bool_]
    skipping: NDArray[np.bool_]
    unreadable: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The names of n passages: columns of length n.

    ``element`` is the path of the element that equals a passage, of several the outermost, else None;
    ``first`` and ``last`` are the points of its start and end.  All three are None if not ``found``: if the
    document could not be read (``unreadable`` gives the reason, in a sentence), or if the passage is not
    within its characters.
    """

    element: list[str | None]
    first: list[str | None]
    last: list[str | None]
    found: NDArray[np.bool_]
    unreadable: Mapping[str, str]


class Locator:
    """Converts between documents with points and places, for the readers and writers of formats."""

    def __init__(
        self, collection: Collection | str | Path, *, progress: Progress = unwatched, share: Share = map
    ) -> None:
        """Take a collection, or open one, which ``close`` closes; raises DataError if there is none.

        ``progress`` counts the articles read and may stop the work.  ``share`` spreads it, for example over
        copies of this process.
        """
        from inexview.core.collection.collection import (
            Collection,  # imports SQLite and lxml, needed only if articles are read
        )

        self._collection = collection if isinstance(collection, Collection) else Collection.open(collection)
        self._given = self._collection is collection
        self._opened = {os.getpid(): self._collection}
        self._progress = progress
        self._share = share

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the collection that was opened here; one that was passed in stays open."""
        own = self._opened.get(os.getpid())
        if own is not None and not (self._given and own is self._collection):
            own.close()

    def places(
        self, documents: Sequence[str], firsts: Sequence[str], lasts: Sequence[str], *, strip: bool = False
    ) -> ElementPlaces:
        """Return the places from n elements or points to others, each in its document.

        ``strip``: points do not count text nodes of white space only.  Raises DataError if the collection as
        a whole cannot be read, Cancelled.
        """

        def find(paths: Paths, rows: list[int]) -> list[tuple[int, int, bool]]:
            found = (paths.passage(firsts[row], lasts[row]) for row in rows)
            return [
                (UNKNOWN, 0, False)
                if place is None
                else (place.start, place.end - place.start, place.skipping)
                for place in found
            ]

        columns = np.zeros((len(documents), 3), np.int64)
        columns[:, 0] = UNKNOWN
        unreadable: dict[str, str] = {}
        for document, rows, answer in self._ask_each(documents, find, strip=strip):
            if isinstance(answer, DataError):
                unreadable[document] = str(answer)
            else:
                columns[rows] = answer
        start, size, skipping = (column.copy() for column in columns.T)
        return ElementPlaces(start, size, start != UNKNOWN, skipping.astype(bool), unreadable)

    def points(
        self, documents: Sequence[str], starts: Offsets, ends: Offsets, *, strip: bool = False
    ) -> Points:
        """Return the names of n passages ``[start, end)``, each in its document.

        ``strip``: points do not count text nodes of white space only.  Raises DataError if the collection as
        a whole cannot be read, Cancelled.
        """

        def name(paths: Paths, rows: list[int]) -> list[list[str | None]]:
            start, end = starts[rows], ends[rows]
            there = ((start >= 0) & (start <= end) & (end <= paths.length)).tolist()
            elements = list(map(paths.element_at, start.tolist(), end.tolist()))
            names = (elements, paths.points_at(start), paths.points_at(end, end=True))
            return [[n if ok else None for n, ok in zip(column, there, strict=True)] for column in names]

        nothing: list[str | None] = [None] * len(documents)
        columns = (nothing, nothing.copy(), nothing.copy())
        unreadable: dict[str, str] = {}
        for document, rows, answer in self._ask_each(documents, name, strip=strip):
            if isinstance(answer, DataError):
                unreadable[document] = str(answer)
                continue
            for column, names in zip(columns, answer, strict=True):
                for row, found in zip(rows, names, strict=True):
                    column[row] = found
        found = np.array([point is not None for point in columns[1]], bool)
        return Points(*columns, found, unreadable)

    def ranges(
        self, documents: Sequence[str], starts: Offsets, ends: Offsets
    ) -> list[tuple[str, str] | None]:
        """Return the first and last element of n passages that equal ranges of neighbours, None for others.

        Raises DataError if the collection as a whole cannot be read, Cancelled.
        """

        def name(paths: Paths, rows: list[int]) -> list[tuple[str, str] | None]:
            spans = zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
            return [paths.range_at(start, end) for start, end in spans]

        ranges: list[tuple[str, str] | None] = [None] * len(documents)
        for _, rows, answer in self._ask_each(documents, name):
            if not isinstance(answer, DataError):
                for row, found in zip(rows, answer, strict=True):
                    ranges[row] = found
        return ranges

    def _ask_each(
        self, documents: Sequence[str], ask: Callable[[Paths, list[int]], Any], *, strip: bool = False
    ) -> Iterator[tuple[str, list[int], Any]]:
        """Yield each document, its rows, and the result of ``ask`` for them (or why it cannot be read)."""
        rows_of: dict[str, list[int]] = {}
        for row, document in enumerate(documents):
            rows_of.setdefault(document, []).append(row)
        if not all(map(self._collection.at_hand, rows_of)):
            self._collection.prepare(self._progress)
        asked = [(document, rows_of[document]) for document in self._collection.as_they_lie(list(rows_of))]

        def answers(places: range) -> list[Any]:
            return [self._answer(*asked[at], ask, strip) for at in places]

        chunks = [range(len(asked))[at : at + _TOGETHER] for at in range(0, len(asked), _TOGETHER)]
        self._progress("articles read", 0, len(asked))
        for places, found in zip(chunks, self._share(answers, chunks), strict=True):
            for at, answer in zip(places, found, strict=True):
                yield *asked[at], answer
            self._progress("articles read", places.stop, len(asked))

    def _answer(
        self, document: str, rows: list[int], ask: Callable[[Paths, list[int]], Any], strip: bool
    ) -> Any:
        from inexview.core.article.elements import Paths

        # A copy of this process opens the collection again, because two cannot share open files. The
        # inherited one is left open, because closing it here would close it for both.
        own = self._opened.get(os.getpid())
        if own is None:
            own = self._opened[os.getpid()] = type(self._collection).open(self._collection.path)
        try:
            return ask(Paths(own.scan(document), strip=strip), rows)
        except DataError as error:
            return error
