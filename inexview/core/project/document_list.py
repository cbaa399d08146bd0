"""The documents of a list: their catalogue entries, and how they are searched, filtered and sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from itertools import islice
from statistics import median
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.collection.collection_index import Ids
from inexview.core.judgements.runs import RunFindings
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_state import DocumentState, Standing, standing
from inexview.core.project.project import Project
from inexview.core.text.spans import Rows
from inexview.core.wording import counted, duration

NOT_THERE, UNREADABLE = "not in the collection", "cannot be read"


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """Title and length of a document, without opening it; length 0 if unknown."""

    title: str
    length: int = 0
    problem: str = ""
    """Why it cannot be judged, NOT_THERE or UNREADABLE; "" if it can be read or was not tried."""

    @property
    def missing(self) -> bool:
        """Whether it cannot be judged."""
        return bool(self.problem)


# Many short texts in one array for searching and sorting: the ids or titles of a whole collection.
#
# Nothing here holds Python's lock for long, so that it can run while the window works.

BREAK = 10  # the line feed between two texts, which typed words do not contain
PREFIX = 24  # bytes by which texts are sorted


class Haystack:
    """Texts in order, compared without regard to case."""

    def __init__(self, lines: str, count: int) -> None:
        """``lines`` has ``count`` texts, one per line."""
        self._count = count
        self._letters = np.frombuffer(lines.casefold().encode("utf-8", "surrogatepass"), dtype=np.uint8)
        self._begins: Rows = np.concatenate(([0], np.flatnonzero(self._letters == BREAK) + 1))[:count]

    @classmethod
    def of(cls, texts: Iterable[str], count: int) -> Haystack:
        """Return a haystack of ``count`` texts, which may contain any characters."""
        return cls("\n".join(text.replace("\n", " ") for text in texts), count)

    def holding(self, word: str) -> NDArray[np.bool_]:
        """Return a mask of shape (n,): which texts contain a word (casefolded)."""
        letters, wanted = self._letters, word.encode("utf-8", "surrogatepass")
        mask = np.zeros(self._count, dtype=np.bool_)
        room = len(letters) - len(wanted) + 1
        if room > 0 and self._count:
            # The rarest letter first, so that few places are left to check for the others.
            order = sorted(range(len(wanted)), key=lambda at: self._frequency[wanted[at]])
            found = np.flatnonzero(letters[order[0] : order[0] + room] == wanted[order[0]])
            for at in order[1:]:
                found = found[letters[found + at] == wanted[at]]
            mask[np.searchsorted(self._begins, found, "right") - 1] = True
        return mask

    @cached_property
    def _frequency(self) -> Rows:
        """Number of occurrences of each byte, shape (256,)."""
        return np.bincount(self._letters, minlength=256)

    def ranks(self) -> Rows:
        """Return the position of each text in the order of their first letters, shape (n,)."""
        padded = np.concatenate((self._letters, np.zeros(PREFIX, np.uint8)))
        ends = np.append(self._begins[1:] - 1, len(self._letters))
        prefixes = np.zeros((self._count, PREFIX), np.uint8)
        for at in range(PREFIX):
            place = self._begins + at
            prefixes[:, at] = np.where(place < ends, padded[place], 0)
        order = np.argsort(prefixes.view(f"S{PREFIX}").ravel(), kind="stable")
        ranks = np.empty(self._count, np.int64)
        ranks[order] = np.arange(self._count)
        return ranks


# The documents of a list in order: by row, by id, and by words in title or id.
#
# A pool has some hundreds of documents, but without a pool it is the collection, with up to 2,666,190. No
# Python loop here visits all of them more than once, and never before it is necessary.

PAGE, PAGES = 256, 32  # ids that are read together, and number of such pages in the cache
FOUND = 100_000  # rows of looked-up documents in the cache
LONG = 20_000  # documents from which titles are searched in arrays, and a filter waits for the end of a word


class Documents(Sequence[str]):
    """Ids in order, with a fast way from an id to its row."""

    def __init__(self, ids: Sequence[str] = ()) -> None:
        self.ids = ids
        self._page = lru_cache(PAGES)(self._read_page)
        self._found = lru_cache(FOUND)(self._find)
        self._titles: Haystack | None = None
        self._title_ranks: Rows | None = None
        self.order: Rows | None = None  # rows in sorted order; None for the order of the ids
        self.held: NDArray[np.bool_] | None = None  # rows with the filter's words; None for all

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        if isinstance(row, slice) or isinstance(self.ids, tuple):
            return self.ids[row]
        page, at = divmod(range(len(self))[row], PAGE)
        return self._page(page)[at]  # visible rows are requested repeatedly

    def _read_page(self, page: int) -> Sequence[str]:
        return self.ids[page * PAGE : (page + 1) * PAGE]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.row(id) >= 0

    def row(self, id: str | None) -> int:
        """Return the row of a document, -1 if it is not in the list."""
        if id is None:
            return -1
        if isinstance(self.ids, tuple):
            return self._rows.get(id, -1)
        return self._found(id)  # documents that were worked on are requested repeatedly

    def _find(self, id: str) -> int:
        try:
            return self.ids.index(id)  # a collection uses its index
        except ValueError:
            return -1

    @property
    def long(self) -> bool:
        """Whether the list is long enough to be searched in arrays."""
        return len(self) > LONG

    def after(self, id: str | None) -> Iterator[str]:
        """Yield all documents once in the list's order, starting after a document and wrapping around.

        With a filter by words, matching documents come first.
        """
        here = self._place(self.row(id)) + 1
        if self.held is None:
            listed: Sequence[int] | Rows = range(len(self)) if self.order is None else self.order
            parts: Sequence[Sequence[int] | Rows] = (listed[here:], listed[:here])
        else:
            places = np.roll(np.arange(len(self)) if self.order is None else self.order, -here)
            first = self.held[places]
            parts = places[first], places[~first]
        for part in parts:
            for at in range(0, len(part), PAGE):
                yield from self.of_rows(part[at : at + PAGE])

    def of_rows(self, rows: Sequence[int] | Rows) -> Iterable[str]:
        """Return the ids in the given rows."""
        listed = rows.tolist() if isinstance(rows, np.ndarray) else rows
        return map(self.ids.__getitem__ if isinstance(self.ids, tuple) else self.__getitem__, listed)

    def beside(self, id: str | None, step: int, among: NDArray[np.bool_] | None = None) -> str | None:
        """Return the document after (1) or before (-1) another in the order, ``among`` a mask of rows."""
        here = self._place(self.row(id))
        if here < 0:
            return None
        places = range(here + 1, len(self)) if step > 0 else range(here - 1, -1, -1)
        for first in range(0, len(places), PAGE):  # usually it is near, and there may be a million
            some = places[first : first + PAGE]
            rows = np.arange(some.start, some.stop, some.step)
            rows = rows if self.order is None else self.order[rows]
            rows = rows if among is None else rows[among[rows]]
            if len(rows):
                return self[int(rows[0])]
        return None

    def _place(self, row: int) -> int:
        """Return the position of a row in the order, -1 for none."""
        return row if row < 0 or self.order is None else int(np.flatnonzero(self.order == row)[0])

    # -- by words ------------------------------------------------------------------------------------

    def matching(self, words: Sequence[str], known: Mapping[str, CatalogueEntry]) -> Iterator[str]:
        """Yield the documents whose title or id contains every word, in order."""
        yield from self.of_rows(np.flatnonzero(self.holding(words, known)))

    def holding(self, words: Sequence[str], known: Mapping[str, CatalogueEntry]) -> NDArray[np.bool_]:
        """Return a mask of the rows whose title or id contains every word (casefolded).

        ``known`` are the titles read so far; documents without one are matched by id only.
        """
        mask = np.ones(len(self), dtype=np.bool_)
        for word in words:
            mask &= (self._titles or self._haystack).holding(word)
        for id, about in known.items() if words and self._titles is None else ():
            text = f"{about.title} {id}".casefold()
            if all(word in text for word in words) and (row := self.row(id)) >= 0:
                mask[row] = True
        return mask

    @property
    def titled(self) -> bool:
        """Whether all titles are available in arrays."""
        return self._titles is not None

    def use_titles(self, titles: Haystack, ranks: Rows) -> None:
        """Search title and id in ``titles`` from now on; ``ranks`` are the rows' positions by title."""
        self._titles, self._title_ranks = titles, ranks

    def title_ranks(self, known: Mapping[str, CatalogueEntry]) -> Rows:
        """Return each row's position in the order of the known titles, shape (n,)."""
        if self._title_ranks is not None:
            return self._title_ranks
        if self.long:
            return np.arange(len(self))
        titles = [(known[id].title if id in known else id).casefold() for id in self.ids]
        ranks = np.empty(len(self), np.int64)
        ranks[sorted(range(len(self)), key=titles.__getitem__)] = np.arange(len(self))
        return ranks

    def get_ready(self) -> None:
        """Prepare for searching, which takes a second for a whole collection."""
        if self._titles is None:
            self._haystack.holding("0")

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self.ids)}

    @cached_property
    def _haystack(self) -> Haystack:
        joined = self.ids.lines() if isinstance(self.ids, Ids) else "\n".join(self.ids)
        if joined.count("\n") != max(len(self) - 1, 0):  # a file name may contain anything
            return Haystack.of(self.ids, len(self))
        return Haystack(joined, len(self))


class ShownRows:
    """The shown documents of a pool in order: those of a mask of shape (n,), or all without a mask."""

    def __init__(self, pool: Documents, mask: NDArray[np.bool_] | None = None) -> None:
        self._pool = pool
        self._rows: Rows | None = pool.order
        if mask is not None:
            self._rows = np.flatnonzero(mask) if pool.order is None else pool.order[mask[pool.order]]
        self._places: Rows | None = None  # the position of each row of the pool, −1 if it is hidden

    def __len__(self) -> int:
        return len(self._pool) if self._rows is None else len(self._rows)

    def document_at(self, row: int) -> str:
        return self._pool[row if self._rows is None else int(self._rows[row])]

    def documents_at(self, rows: slice) -> Iterable[str]:
        """Return the documents of a slice of rows."""
        return self._pool[rows] if self._rows is None else self._pool.of_rows(self._rows[rows])

    def row_of(self, document: str) -> int:
        """Return the row of a document, −1 if it is not shown."""
        at, rows = self._pool.row(document), self._rows
        if at < 0 or rows is None:
            return at
        if self._pool.order is None:  # they are sorted themselves
            place = int(rows.searchsorted(at))
            return place if place < len(rows) and rows[place] == at else -1
        if self._places is None:
            self._places = np.full(len(self._pool), -1, np.int64)
            self._places[rows] = np.arange(len(rows))
        return int(self._places[at])

    @property
    def all(self) -> bool:
        """Whether every document of the pool is shown, in the pool's order."""
        return self._rows is None

    def remove(self, row: int) -> None:
        """Hide the document of a row."""
        if self._rows is not None:
            self._rows, self._places = np.delete(self._rows, row), None


# Filters and orders of a list of documents, as arrays over the pool.

STANDINGS = tuple(Standing)


class Shown(Enum):
    """Filters of the pool, in the order of their buttons."""

    TO_DO = "To do"
    RELEVANT = "Relevant"
    NOT_RELEVANT = "Not"
    COME_BACK = "Come back"
    ALL = "All"

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The states that the filter shows."""
        return _SHOWN[self]


_SHOWN = {
    Shown.TO_DO: (Standing.TO_DO, Standing.BEGUN),
    Shown.RELEVANT: (Standing.RELEVANT,),
    Shown.NOT_RELEVANT: (Standing.NOT_RELEVANT,),
    Shown.COME_BACK: STANDINGS,
    Shown.ALL: STANDINGS,
}


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of documents next to their titles."""

    come_back: Callable[[str], bool] = lambda _document: False
    added: Callable[[str], bool] = lambda _document: False
    """Whether an assessor added it from outside the pool."""
    grade: Callable[[str], str] = lambda _document: ""
    suggested: Callable[[str], int] = lambda _document: 0
    """Number of undecided suggestions, while suggestions are on."""
    nuggets: Callable[[str], int] = lambda _document: -1
    """Number of nuggets that it states; −1 if the topic has none."""
    brought: Callable[[], Mapping[str, int]] = dict
    """Numbers of nuggets that documents add to better ones, the best document first."""


class Order(Enum):
    """Orders of the list; documents that are equal keep the pool's order."""

    POOL = "Pool order"
    STATE = "State"
    TITLE = "Title"
    MARKED = "Marked characters"
    NUGGETS = "New nuggets"
    TIME = "Time spent"
    RUNS = "Runs that found it"
    RANK = "Best rank"

    @property
    def of_runs(self) -> bool:
        """Whether it uses results of runs, which must not be seen in blind judging."""
        return self in (Order.RUNS, Order.RANK)

    @property
    def figure(self) -> str:
        """The name of the figures that the list shows in this order."""
        if self.of_runs:
            return "runs · best rank"
        return {Order.TIME: "time", Order.NUGGETS: "new"}.get(self, "marked")


class Columns:
    """The documents of a pool as columns of shape (n,); only those worked on are asked for their state."""

    def __init__(
        self,
        pool: Documents,
        state: Callable[[str], DocumentState],
        touched: Callable[[], Iterable[str]],
        seconds: Callable[[str], float],
        signs: Signs,
    ) -> None:
        self.pool = pool
        self._state = state
        self._touched = touched
        self._seconds = seconds
        self._signs = signs
        self.come_back: NDArray[np.bool_] = np.zeros(len(pool), np.bool_)
        self.standing: NDArray[np.int8] = np.zeros(len(pool), np.int8)
        self.unreadable: NDArray[np.bool_] = np.zeros(len(pool), np.bool_)
        self.found: RunFindings = {}
        """The runs that retrieved each document, and its rank among their documents."""

    def read(self) -> None:
        """Read the states of the documents that were worked on."""
        self.standing[:] = 0
        self.come_back[:] = False
        self.update(self._touched())

    def update(self, documents: Iterable[str]) -> bool:
        """Read the states of documents again; return whether any changed."""
        changed = False
        for document in documents:
            if (row := self.pool.row(document)) >= 0:
                now = STANDINGS.index(standing(self._state(document))), self._signs.come_back(document)
                changed |= now != (self.standing[row], self.come_back[row])
                self.standing[row], self.come_back[row] = now
        return changed

    def note_unreadable(self, about: Mapping[str, CatalogueEntry]) -> bool:
        """Record which documents cannot be judged; return whether their number changed."""
        changed, some = False, bool(self.unreadable.any())
        for document, entry in about.items():
            if (entry.missing or some) and (row := self.pool.row(document)) >= 0:
                changed |= bool(self.unreadable[row]) is not entry.missing
                self.unreadable[row] = entry.missing
        return changed

    def count_unreadable(self, mask: NDArray[np.bool_] | None) -> int:
        """Return the number of unfinished, unreadable documents in a mask of shape (n,), or of all."""
        to_do = self._standing_of(Shown.TO_DO)
        left = self.unreadable if to_do is None else self.unreadable & to_do
        return int(np.count_nonzero(left if mask is None else left & mask))

    def admits(self, shown: Shown, document: str) -> bool:
        """Return whether a filter shows a document."""
        if shown is Shown.COME_BACK:
            return self._signs.come_back(document)
        return standing(self._state(document)) in shown.standings

    def count_come_back(self, mask: NDArray[np.bool_] | None) -> int:
        """Return the number of flagged documents in a mask of shape (n,), or of all."""
        return int(np.count_nonzero(self.come_back if mask is None else self.come_back & mask))

    def count(self, mask: NDArray[np.bool_] | None) -> dict[Standing, int]:
        """Return the numbers of documents by state in a mask of shape (n,), or of all."""
        counted = {}
        for at, one in enumerate(STANDINGS):  # comparing bytes takes a tenth of the time of np.bincount
            stand = self.standing == at
            counted[one] = int(np.count_nonzero(stand if mask is None else stand & mask))
        return counted

    def mask(self, shown: Shown) -> NDArray[np.bool_] | None:
        """Return the mask of the documents with the words that a filter shows, None for all of them."""
        held, stand = self.pool.held, self._standing_of(shown)
        if stand is None or held is None:
            return held if stand is None else stand
        return held & stand

    def _standing_of(self, shown: Shown) -> NDArray[np.bool_] | None:
        if shown is Shown.ALL:
            return None
        if shown is Shown.COME_BACK:
            return self.come_back
        admitted = np.zeros(len(self.standing), np.bool_)
        for one in shown.standings:
            admitted |= self.standing == STANDINGS.index(one)
        return admitted

    def sorted(self, order: Order, known: Mapping[str, CatalogueEntry]) -> Rows | None:
        """Return the rows in an order, None for the pool's own."""
        if order is Order.POOL:
            return None
        if order is Order.TITLE:
            ranks = self.pool.title_ranks(known)
            rows = np.empty_like(ranks)
            rows[ranks] = np.arange(len(ranks))
            return rows
        if order is Order.STATE:
            places = np.array([_BY_STATE.index(one) for one in STANDINGS], np.int8)
            return np.argsort(places[self.standing], kind="stable")
        return self._first(self._amounts(order))

    def _amounts(self, order: Order) -> dict[str, float]:
        """Return the sort values of documents that have one, the least first."""
        if order is Order.RUNS:
            return {document: -len(ranks) for document, ranks in self.found.items()}
        if order is Order.RANK:
            return {document: min(ranks.values()) for document, ranks in self.found.items()}
        if order is Order.NUGGETS:
            return {document: float(at) for at, document in enumerate(self._signs.brought(), 1)}
        if order is Order.TIME:
            return {document: -self._seconds(document) for document in self._touched()}
        return {document: -self._state(document).size for document in self._touched()}

    def _first(self, amounts: Mapping[str, float]) -> Rows:
        """Return all rows, shape (n,), those with a value first."""
        listed = [
            (row, amount) for name, amount in amounts.items() if amount and (row := self.pool.row(name)) >= 0
        ]
        rows = np.array([row for row, _ in listed], np.int64)
        rest = np.ones(len(self.pool), np.bool_)
        rest[rows] = False
        order = np.lexsort((rows, np.array([amount for _, amount in listed])))
        return np.concatenate((rows[order], np.flatnonzero(rest)))


_BY_STATE = (Standing.BEGUN, Standing.TO_DO, Standing.RELEVANT, Standing.NOT_RELEVANT)


# The progress in a topic, and the time that the rest will take.

RECENT_TIMES = 25  # the current pace, not that of last week

SHORT = 90  # seconds: below this every second is shown
FEW_TIMES = 3  # minimum number of documents for a pace


@dataclass(frozen=True, slots=True)
class PoolProgress:
    """Numbers of finished documents of a pool by state."""

    documents: int
    relevant: int
    not_relevant: int
    unreadable: int = 0
    """Unfinished documents that cannot be judged, because they are unreadable or missing."""

    @property
    def finished(self) -> int:
        return self.relevant + self.not_relevant

    @property
    def to_do(self) -> int:
        """The number of documents that are left to judge."""
        return self.documents - self.finished - self.unreadable

    @classmethod
    def of(cls, states: Iterable[DocumentState]) -> PoolProgress:
        counted = Counter(standing(state) for state in states)
        return cls(counted.total(), counted[Standing.RELEVANT], counted[Standing.NOT_RELEVANT])

    @classmethod
    def of_topic(cls, project: Project, topic_id: str) -> PoolProgress:
        """Return the progress in a topic's pool; reads only the states of documents that were worked on."""
        touched: Iterable[str] = project.touched(topic_id)
        if project.contents.has_pool:
            touched = (name for name in touched if project.contents.is_pooled(topic_id, name))
        # without a pool it consists of these documents, and imports may judge others
        elif project.collection.ready:
            touched = project.collection.holding(list(touched))
        counted = cls.of(project.state(topic_id, name) for name in touched)
        known = (
            project.contents.has_pool or project.collection.ready
        )  # a collection is not listed only to count it
        documents = len(project.pool(topic_id)) if known else counted.documents
        return cls(documents, counted.relevant, counted.not_relevant)

    def sentence(self) -> str:
        """Return the progress as a sentence."""
        if not self.documents:
            return "No documents in this pool."
        if not self.to_do and not self.unreadable:
            return f"All {self.documents:,} finished"
        apart = f", {self.unreadable:,} cannot be read" if self.unreadable else ""
        return f"{self.finished:,} finished, {self.to_do:,} to go{apart}"

    def pace(self, seconds: Sequence[float]) -> str:
        """Return the time per document and for all others; ``seconds`` are those of finished documents."""
        if len(seconds) < FEW_TIMES:
            return ""
        each = float(median(seconds))
        left = f" · about {duration(_roughly(self.to_do * each))} left" if self.to_do else ""
        told = f"{round(each)} s" if each < SHORT else duration(_roughly(each))
        return f"{told} each{left}"


def topics_by_work(project: Project, opened: Topic | None) -> tuple[list[Topic], list[Topic]]:
    """Return a project's topics with documents to judge first, and separately those without a pool.

    The open topic is never separate, and none is if all topics lack a pool, or only one does.
    """
    progress = {topic.id: PoolProgress.of_topic(project, topic.id) for topic in project.topics}
    pooled = [topic for topic in project.topics if progress[topic.id].documents]
    unpooled = [topic for topic in project.topics if topic not in pooled]
    pooled.sort(key=lambda topic: not progress[topic.id].to_do)
    apart = [topic for topic in unpooled if topic != opened]
    if not (project.contents.has_pool and pooled) or len(apart) < 2:
        apart = []
    return [*pooled, *(topic for topic in unpooled if topic not in apart)], apart


def _roughly(seconds: float) -> float:
    """Return a duration rounded so that its text is short and seldom changes."""
    step = 600 if seconds >= 3600 else 60 if seconds >= SHORT else 1
    return round(seconds / step) * step


def finishing_times(project: Project, topic_id: str) -> list[float]:
    """Return the seconds spent on the documents finished last, to estimate the rest."""
    touched = project.touched(topic_id)
    done = (name for name in reversed(touched) if project.state(topic_id, name).finished)
    finished = islice(done, RECENT_TIMES)  # a pool may be a whole collection
    times = (project.histories.log(topic_id, name).reading.seconds for name in finished)
    return [seconds for seconds in times if seconds > 0]


# The summary of a project in a list of projects.

MOST_COUNTED = 5_000  # judged documents of all topics to count while a window closes


def project_summary(project: Project, runs: int = 0) -> str:
    """Return kind and progress: "Judging · 5 topics · 41 of 147 documents finished"."""
    topics = len(project.topics)
    parts = [counted(topics, "topic" if project.contents.entry_points else "question")]
    finished = documents = 0
    if sum(len(project.touched(topic.id)) for topic in project.topics) <= MOST_COUNTED:
        for topic in project.topics:
            progress = PoolProgress.of_topic(project, topic.id)
            finished, documents = finished + progress.finished, documents + progress.documents
        parts.append(f"{finished:,} of {counted(documents, 'document')} finished")
    if runs:
        parts.append(counted(runs, "run"))
    kind = "Judging" if project.contents.entry_points else "Benchmark"
    if finished and finished == documents:
        kind = "Judged" if project.contents.entry_points else kind
    return " · ".join([kind, *parts])
