"""Elements by their paths: how INEX 2002–2007 judged and retrieved them, and where they lie in articles."""

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
# Highlighting came first: an assessor marked text, every element that holds marked text became relevant,
# and its exhaustivity was asked for (2 highly, 1 partly, "?" too small to say).  Specificity is not asked
# but counted, rsize/size.  Passages (`Qrels`) say which characters; these say only how many per element.

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
    """The highest exhaustivity of the scale: 2, or 3 in 2002–04, when specificity was graded 0–3 too and
    ``rsize`` of ``size`` 3 says which grade; how many characters there are is not known then."""

    @property
    def graded(self) -> bool:
        """Whether specificity is a grade, and no count of characters."""
        return self.highest == GRADED

    @property
    def specificity(self) -> float:
        """The relevant share of its characters, 0 … 1; 0 where it has none."""
        return self.rsize / self.size if self.size else 0.0


JudgedElements = Mapping[str, ElementJudgement]


class ElementQrels:
    """The judged documents of some topics, and of each its relevant elements by path, in file order."""

    __slots__ = ("_documents", "warnings")

    def __init__(
        self,
        documents: Iterable[tuple[str, str, Iterable[ElementJudgement]]],
        *,
        warnings: Iterable[str] = (),
    ) -> None:
        """Take (topic, document, its relevant elements); a document without any was judged not relevant.

        Raises DataError where a document or an element is judged twice and not alike.
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
        """Whether elements are judged on two graded scales (2002–04), which say no sizes."""
        return any(element.graded for topic in self.topics for _, element in self.elements(topic))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order they were read."""
        return tuple(self._documents)

    def copies(self, topic: str, names: Iterable[str]) -> ElementQrels:
        """Return the judgements of one topic as those of as many topics, under these names."""
        made = ElementQrels(())
        made._documents = dict.fromkeys(names, self._documents.get(topic, {}))
        return made

    def documents(self, topic: str) -> Mapping[str, JudgedElements]:
        """Return the judged documents of a topic, and of each its relevant elements by path."""
        return self._documents.get(topic, {})

    def elements(self, topic: str) -> Iterator[tuple[str, ElementJudgement]]:
        """Iterate over (document, relevant element) of a topic."""
        for document, elements in self.documents(topic).items():
            for element in elements.values():
                yield document, element


def canonical_path(path: str) -> str | None:
    """Return an element path with every position written: ``/article/bdy[1]`` is ``/article[1]/bdy[1]``.

    None for what is no element path, or one of more steps than any article has levels.
    """
    path = path.strip()
    if not path.startswith("/") or path.count("/") > MOST_STEPS:
        return None
    steps = [step if step.endswith("]") else f"{step}[1]" for step in path.strip("/").split("/")]
    return "/" + "/".join(steps)


def ancestors(path: str) -> Iterator[str]:
    """Iterate over the paths of the elements that hold this one, from its parent up to the root."""
    cut = path.rfind("/")
    while cut > 0:
        path = path[:cut]
        yield path
        cut = path.rfind("/")


# Runs of elements, named by their paths: what INEX 2002–2006 asked for and its assessments judge.

RankedElements = tuple[tuple[str, str], ...]
"""The results of a topic in rank order, as (document, element path with every position)."""


@dataclass(frozen=True, slots=True)
class ElementRun:
    """What a system retrieved, topic by topic, in rank order."""

    id: str
    rankings: Mapping[str, RankedElements]
    task: Task | None = None
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    unknown_task: str = ""
    """What the file calls its task, where that is none of :class:`Task`."""

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self.rankings)


# Assessments as INEX published them in XML: what each file says, before any article is looked into.
#
# Passages and best entry points are points in an article's XML, kept as they are written; a collection
# turns them into the characters of `Qrels` and characters into points (`formats/assessment_xml.py`).
# Elements are judged by path and need no article.


@dataclass(frozen=True, slots=True)
class AssessedPassage:
    """A highlighted passage between two points; ``size`` counts a run of white space as one character."""

    start: str
    end: str
    size: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class AssessedDocument:
    """What was judged of one document for one topic; nothing at all where it is not relevant."""

    name: str
    """The document's id."""
    collection: str = ""
    entry: str | None = None
    """The point that is the best entry point."""
    passages: tuple[AssessedPassage, ...] = ()
    elements: tuple[ElementJudgement, ...] = ()
    line: int = field(default=0, compare=False)
    path: Path | None = field(default=None, compare=False)
    """The file that says so."""

    @property
    def relevant(self) -> bool:
        """Whether anything in the document was judged relevant."""
        return bool(self.passages or self.elements or self.entry is not None)

    @property
    def rsize(self) -> int:
        """How many characters are relevant by what the file says, runs of white space counted as one.

        Where elements are judged and no passage, as before 2006, it is what the largest of them holds, and at
        least 1: the document is relevant.
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
    """Whether text nodes of nothing but white space are left out when points count them."""
    statement: Topic | None = None
    """The topic itself, where the file repeats it."""


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
        """Whether any passage is judged, as none was before 2006."""
        return any(document.passages for _, document in self.documents())

    def elements(self) -> ElementQrels:
        judged = ((topic.topic, document.name, document.elements) for topic, document in self.documents())
        return ElementQrels(judged, warnings=self.warnings)


# Finds what runs name in the articles of a collection, and names what they hold: whole columns at once.
#
# Each article is read once, whatever the order of the results, and forgotten when its own are done.

_TOGETHER = 16  # articles: some 20 ms of work, which is soon enough to be told to stop

Share = Callable[[Callable[[range], Any], Sequence[range]], Iterable[Any]]
"""Calls something for each of many things and gives the answers in their order, as ``map`` does."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementPlaces:
    """Where n passages lie: columns of shape (n,).

    ``start`` and ``size`` are int64 code points, −1 and 0 where nothing was ``found``; ``skipping`` tells
    which were found only as if the semantic wrappers of 2009 were not there.  ``unreadable`` says of each
    document that could not be read why, in a sentence.
    """

    start: Offsets
    size: Offsets
    found: NDArray[np.bool_]
    skipping: NDArray[np.bool_]
    unreadable: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The names of n passages: columns of length n.

    ``element`` is the path of the element that a passage exactly is, of several the outermost, else None;
    ``first`` and ``last`` are the points where it starts and ends.  All three are None where nothing was
    ``found``: where the document could not be read (``unreadable`` says why, in a sentence), or where the
    passage is not one of its characters.
    """

    element: list[str | None]
    first: list[str | None]
    last: list[str | None]
    found: NDArray[np.bool_]
    unreadable: Mapping[str, str]


class Locator:
    """From documents and points to places and back, for the readers and writers of formats."""

    def __init__(
        self, collection: Collection | str | Path, *, progress: Progress = unwatched, share: Share = map
    ) -> None:
        """Take a collection, or open one, which ``close`` closes; raises DataError where there is none.

        ``progress`` hears of the articles read and may stop the work.  ``share`` spreads it, over copies of
        this process if it likes.
        """
        from inexview.core.collection.collection import (
            Collection,  # SQLite and lxml, only where articles are read
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
        """Close the collection that was opened here; one that was given stays as it is."""
        own = self._opened.get(os.getpid())
        if own is not None and not (self._given and own is self._collection):
            own.close()

    def places(
        self, documents: Sequence[str], firsts: Sequence[str], lasts: Sequence[str], *, strip: bool = False
    ) -> ElementPlaces:
        """Return what lies from each of n elements or points to another, each in its document.

        ``strip``: points do not count text nodes of nothing but white space.  Raises DataError where the
        collection as a whole cannot be read, Cancelled.
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

        ``strip``: points do not count text nodes of nothing but white space.  Raises DataError where the
        collection as a whole cannot be read, Cancelled.
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
        """Return the first and last element of the ranges of neighbours that n passages are, None for others.

        Raises DataError where the collection as a whole cannot be read, Cancelled.
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
        """Yield each document, its rows, and what ``ask`` answers for them (or why it cannot be read)."""
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

        # A copy of this process opens the collection again: two cannot share open files. What it inherited is
        # left alone, for closing it here would close it for both.
        own = self._opened.get(os.getpid())
        if own is None:
            own = self._opened[os.getpid()] = type(self._collection).open(self._collection.path)
        try:
            return ask(Paths(own.scan(document), strip=strip), rows)
        except DataError as error:
            return error
