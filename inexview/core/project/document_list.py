"""The documents that a list shows: what is known of each, and how they are searched, filtered and sorted."""

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
    """What is known of a document without opening it; length 0 where it is not known."""

    title: str
    length: int = 0
    problem: str = ""
    """Why no one can judge it: NOT_THERE or UNREADABLE; empty where it can be read, or no one tried."""

    @property
    def missing(self) -> bool:
        """Whether no one can judge it."""
        return bool(self.problem)


# Many short texts as one, searched and sorted in arrays: the ids or titles of a whole collection.
#
# Nothing here holds Python's lock for long, so that all of it may run beside the window.

BREAK = 10  # the line feed between two texts; a word typed holds none
PREFIX = 24  # bytes by which texts are put in order


class Haystack:
    """Texts in their order, without regard to case."""

    def __init__(self, lines: str, count: int) -> None:
        """Take ``count`` texts, one a line."""
        self._count = count
        self._letters = np.frombuffer(lines.casefold().encode("utf-8", "surrogatepass"), dtype=np.uint8)
        self._begins: Rows = np.concatenate(([0], np.flatnonzero(self._letters == BREAK) + 1))[:count]

    @classmethod
    def of(cls, texts: Iterable[str], count: int) -> Haystack:
        """Take ``count`` texts, which may hold anything."""
        return cls("\n".join(text.replace("\n", " ") for text in texts), count)

    def holding(self, word: str) -> NDArray[np.bool_]:
        """Tell for each text whether it holds a word (casefolded), as a mask of shape (n,)."""
        letters, wanted = self._letters, word.encode("utf-8", "surrogatepass")
        mask = np.zeros(self._count, dtype=np.bool_)
        room = len(letters) - len(wanted) + 1
        if room > 0 and self._count:
            # From the rarest letter on, so that few places are left to look at for the others.
            order = sorted(range(len(wanted)), key=lambda at: self._frequency[wanted[at]])
            found = np.flatnonzero(letters[order[0] : order[0] + room] == wanted[order[0]])
            for at in order[1:]:
                found = found[letters[found + at] == wanted[at]]
            mask[np.searchsorted(self._begins, found, "right") - 1] = True
        return mask

    @cached_property
    def _frequency(self) -> Rows:
        """How often each byte occurs, shape (256,)."""
        return np.bincount(self._letters, minlength=256)

    def ranks(self) -> Rows:
        """Return, for each text, its place in the order of their first letters, shape (n,)."""
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


# The documents that a list shows, in its order: by row, by id, and by words in title or id.
#
# A pool has some hundreds, but without a pool it is the collection, and that may hold 2,666,190. Nothing
# here looks at all of them one by one in Python more than once, and never before it has to.

PAGE, PAGES = 256, 32  # ids that are asked for together, and how many such helpings are kept
FOUND = 100_000  # rows of documents that are kept, once they were looked for
LONG = 20_000  # documents from which titles are searched in arrays, and a filter waits for the end of a word


class Documents(Sequence[str]):
    """Ids in order, with a quick way back from an id to its row."""

    def __init__(self, ids: Sequence[str] = ()) -> None:
        self.ids = ids
        self._page = lru_cache(PAGES)(self._read_page)
        self._found = lru_cache(FOUND)(self._find)
        self._titles: Haystack | None = None
        self._title_ranks: Rows | None = None
        self.order: Rows | None = None  # rows in the order in which one follows another; None: as they are
        self.held: NDArray[np.bool_] | None = None  # rows with the words that one filters by; None: all

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
        return self._page(page)[at]  # what is on the screen is asked for again and again

    def _read_page(self, page: int) -> Sequence[str]:
        return self.ids[page * PAGE : (page + 1) * PAGE]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.row(id) >= 0

    def row(self, id: str | None) -> int:
        """Return where a document is, -1 where it is not in the list."""
        if id is None:
            return -1
        if isinstance(self.ids, tuple):
            return self._rows.get(id, -1)
        return self._found(id)  # of what was worked on, asked for again and again

    def _find(self, id: str) -> int:
        try:
            return self.ids.index(id)  # a collection finds it in its index
        except ValueError:
            return -1

    @property
    def long(self) -> bool:
        """Whether there are so many that they are searched in arrays."""
        return len(self) > LONG

    def after(self, id: str | None) -> Iterator[str]:
        """Yield all documents once, in the list's order, from the one after this round to itself.

        While one filters by words, those that hold them come before all others.
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
        """Return the ids in some rows."""
        listed = rows.tolist() if isinstance(rows, np.ndarray) else rows
        return map(self.ids.__getitem__ if isinstance(self.ids, tuple) else self.__getitem__, listed)

    def beside(self, id: str | None, step: int, among: NDArray[np.bool_] | None = None) -> str | None:
        """Return the document after one (1) or before it (-1) in the list's order, ``among`` some rows."""
        here = self._place(self.row(id))
        if here < 0:
            return None
        places = range(here + 1, len(self)) if step > 0 else range(here - 1, -1, -1)
        for first in range(0, len(places), PAGE):  # it is near, mostly, and there may be a million
            some = places[first : first + PAGE]
            rows = np.arange(some.start, some.stop, some.step)
            rows = rows if self.order is None else self.order[rows]
            rows = rows if among is None else rows[among[rows]]
            if len(rows):
                return self[int(rows[0])]
        return None

    def _place(self, row: int) -> int:
        """Return where in the order a row comes, -1 for none."""
        return row if row < 0 or self.order is None else int(np.flatnonzero(self.order == row)[0])

    # -- by words ------------------------------------------------------------------------------------

    def matching(self, words: Sequence[str], known: Mapping[str, CatalogueEntry]) -> Iterator[str]:
        """Yield the documents whose title or id holds every word, in their order."""
        yield from self.of_rows(np.flatnonzero(self.holding(words, known)))

    def holding(self, words: Sequence[str], known: Mapping[str, CatalogueEntry]) -> NDArray[np.bool_]:
        """Tell for each row whether its title or id holds every word (casefolded), as a mask.

        ``known`` are the titles that are known by now; a document without one is found by its id.
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
        """Whether all titles are at hand to be searched and sorted in arrays."""
        return self._titles is not None

    def use_titles(self, titles: Haystack, ranks: Rows) -> None:
        """Search title and id in ``titles`` from now on; ``ranks`` are the rows' places by title."""
        self._titles, self._title_ranks = titles, ranks

    def title_ranks(self, known: Mapping[str, CatalogueEntry]) -> Rows:
        """Return each row's place in the order of titles, as far as they are known, shape (n,)."""
        if self._title_ranks is not None:
            return self._title_ranks
        if self.long:
            return np.arange(len(self))
        titles = [(known[id].title if id in known else id).casefold() for id in self.ids]
        ranks = np.empty(len(self), np.int64)
        ranks[sorted(range(len(self)), key=titles.__getitem__)] = np.arange(len(self))
        return ranks

    def get_ready(self) -> None:
        """Do now what the first search would have to do, a second's work for a whole collection."""
        if self._titles is None:
            self._haystack.holding("0")

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self.ids)}

    @cached_property
    def _haystack(self) -> Haystack:
        joined = self.ids.lines() if isinstance(self.ids, Ids) else "\n".join(self.ids)
        if joined.count("\n") != max(len(self) - 1, 0):  # a file name may hold anything
            return Haystack.of(self.ids, len(self))
        return Haystack(joined, len(self))


class ShownRows:
    """Which documents of a pool a list shows, in order: those of a mask of shape (n,), or all without one."""

    def __init__(self, pool: Documents, mask: NDArray[np.bool_] | None = None) -> None:
        self._pool = pool
        self._rows: Rows | None = pool.order
        if mask is not None:
            self._rows = np.flatnonzero(mask) if pool.order is None else pool.order[mask[pool.order]]
        self._places: Rows | None = None  # where each row of the pool is shown, −1 for nowhere

    def __len__(self) -> int:
        return len(self._pool) if self._rows is None else len(self._rows)

    def document_at(self, row: int) -> str:
        return self._pool[row if self._rows is None else int(self._rows[row])]

    def documents_at(self, rows: slice) -> Iterable[str]:
        """Return the documents of a stretch of rows."""
        return self._pool[rows] if self._rows is None else self._pool.of_rows(self._rows[rows])

    def row_of(self, document: str) -> int:
        """Return the row of a document, −1 where it is not shown."""
        at, rows = self._pool.row(document), self._rows
        if at < 0 or rows is None:
            return at
        if self._pool.order is None:  # they are in order themselves
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
        """Show the document of a row no longer."""
        if self._rows is not None:
            self._rows, self._places = np.delete(self._rows, row), None


# What a list of documents is filtered and sorted by, as arrays over the pool.

STANDINGS = tuple(Standing)


class Shown(Enum):
    """Which documents of the pool are shown, in the order of the chips."""

    TO_DO = "To do"
    RELEVANT = "Relevant"
    NOT_RELEVANT = "Not"
    COME_BACK = "Come back"
    ALL = "All"

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How those are judged that are shown."""
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
    """Which documents carry a sign beside their title."""

    come_back: Callable[[str], bool] = lambda _document: False
    added: Callable[[str], bool] = lambda _document: False
    """Whether an assessor added it from outside the pool."""
    grade: Callable[[str], str] = lambda _document: ""
    suggested: Callable[[str], int] = lambda _document: 0
    """How many passages are suggested and not decided about, while suggestions are on."""
    nuggets: Callable[[str], int] = lambda _document: -1
    """How many nuggets it states; −1 where the topic has none."""
    brought: Callable[[], Mapping[str, int]] = dict
    """How many nuggets documents bring that better ones do not, the best first."""


class Order(Enum):
    """What the list is sorted by; where that is equal, the pool's own order counts."""

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
        """Whether it tells what runs found, which one who judges blind must not see."""
        return self in (Order.RUNS, Order.RANK)

    @property
    def figure(self) -> str:
        """What the figures are that the list shows in this order."""
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
        """In which runs documents are, and at which rank among a run's documents."""

    def read(self) -> None:
        """Ask how the documents are judged that were worked on."""
        self.standing[:] = 0
        self.come_back[:] = False
        self.update(self._touched())

    def update(self, documents: Iterable[str]) -> bool:
        """Ask how some documents are judged now; say whether any of them counts otherwise than before."""
        changed = False
        for document in documents:
            if (row := self.pool.row(document)) >= 0:
                now = STANDINGS.index(standing(self._state(document))), self._signs.come_back(document)
                changed |= now != (self.standing[row], self.come_back[row])
                self.standing[row], self.come_back[row] = now
        return changed

    def note_unreadable(self, about: Mapping[str, CatalogueEntry]) -> bool:
        """Learn which documents no one can judge; say whether that is another number than before."""
        changed, some = False, bool(self.unreadable.any())
        for document, entry in about.items():
            if (entry.missing or some) and (row := self.pool.row(document)) >= 0:
                changed |= bool(self.unreadable[row]) is not entry.missing
                self.unreadable[row] = entry.missing
        return changed

    def count_unreadable(self, mask: NDArray[np.bool_] | None) -> int:
        """Count the unfinished documents that cannot be read, those of a mask of shape (n,) or all."""
        to_do = self._standing_of(Shown.TO_DO)
        left = self.unreadable if to_do is None else self.unreadable & to_do
        return int(np.count_nonzero(left if mask is None else left & mask))

    def admits(self, shown: Shown, document: str) -> bool:
        """Tell whether a chip shows a document."""
        if shown is Shown.COME_BACK:
            return self._signs.come_back(document)
        return standing(self._state(document)) in shown.standings

    def count_come_back(self, mask: NDArray[np.bool_] | None) -> int:
        """Count the flagged documents, those of a mask of shape (n,) or all."""
        return int(np.count_nonzero(self.come_back if mask is None else self.come_back & mask))

    def count(self, mask: NDArray[np.bool_] | None) -> dict[Standing, int]:
        """Count how the documents are judged, those of a mask of shape (n,) or all."""
        counted = {}
        for at, one in enumerate(STANDINGS):  # bytes compared: a tenth of the time that np.bincount takes
            stand = self.standing == at
            counted[one] = int(np.count_nonzero(stand if mask is None else stand & mask))
        return counted

    def mask(self, shown: Shown) -> NDArray[np.bool_] | None:
        """Return the mask of the documents with the words that a chip shows, None for all of them."""
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
        """Return the rows in an order, None where that is the pool's own."""
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
        """Return by what documents are sorted, the least first, of those of which anything is to be said."""
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
        """Return all rows, shape (n,), those first of which there is an amount."""
        listed = [
            (row, amount) for name, amount in amounts.items() if amount and (row := self.pool.row(name)) >= 0
        ]
        rows = np.array([row for row, _ in listed], np.int64)
        rest = np.ones(len(self.pool), np.bool_)
        rest[rows] = False
        order = np.lexsort((rows, np.array([amount for _, amount in listed])))
        return np.concatenate((rows[order], np.flatnonzero(rest)))


_BY_STATE = (Standing.BEGUN, Standing.TO_DO, Standing.RELEVANT, Standing.NOT_RELEVANT)


# What became of a document in the judging of its topic, how far the topic is, and how long it will take.

RECENT_TIMES = 25  # one's pace now, not that of last week

SHORT = 90  # seconds: below this each counts
FEW_TIMES = 3  # documents from whose times a pace is told


@dataclass(frozen=True, slots=True)
class PoolProgress:
    """How many documents of a pool are finished, and how."""

    documents: int
    relevant: int
    not_relevant: int
    unreadable: int = 0
    """Documents that are not finished, and that no one can judge: they cannot be read, or are not there."""

    @property
    def finished(self) -> int:
        return self.relevant + self.not_relevant

    @property
    def to_do(self) -> int:
        """How many documents are left that one can judge."""
        return self.documents - self.finished - self.unreadable

    @classmethod
    def of(cls, states: Iterable[DocumentState]) -> PoolProgress:
        counted = Counter(standing(state) for state in states)
        return cls(counted.total(), counted[Standing.RELEVANT], counted[Standing.NOT_RELEVANT])

    @classmethod
    def of_topic(cls, project: Project, topic_id: str) -> PoolProgress:
        """Count a topic's pool; asks only for the states of documents that were worked on."""
        touched: Iterable[str] = project.touched(topic_id)
        if project.contents.has_pool:
            touched = (name for name in touched if project.contents.is_pooled(topic_id, name))
        elif project.collection.ready:  # without a pool its documents are, and imports may judge others
            touched = project.collection.holding(list(touched))
        counted = cls.of(project.state(topic_id, name) for name in touched)
        known = (
            project.contents.has_pool or project.collection.ready
        )  # a collection is not listed just to be counted
        documents = len(project.pool(topic_id)) if known else counted.documents
        return cls(documents, counted.relevant, counted.not_relevant)

    def sentence(self) -> str:
        """Say how far it is."""
        if not self.documents:
            return "No documents in this pool."
        if not self.to_do and not self.unreadable:
            return f"All {self.documents:,} finished"
        apart = f", {self.unreadable:,} cannot be read" if self.unreadable else ""
        return f"{self.finished:,} finished, {self.to_do:,} to go{apart}"

    def pace(self, seconds: Sequence[float]) -> str:
        """Say how long a document takes and all others will; ``seconds`` are the times finished ones took."""
        if len(seconds) < FEW_TIMES:
            return ""
        each = float(median(seconds))
        left = f" · about {duration(_roughly(self.to_do * each))} left" if self.to_do else ""
        told = f"{round(each)} s" if each < SHORT else duration(_roughly(each))
        return f"{told} each{left}"


def topics_by_work(project: Project, opened: Topic | None) -> tuple[list[Topic], list[Topic]]:
    """Return a project's topics, those with documents to judge first, and apart those without a pool.

    The topic that is open is never apart, nor is any where no topic has a pool, or only one has none.
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
    """Return a length of time in round numbers, so that it stays short and seldom changes."""
    step = 600 if seconds >= 3600 else 60 if seconds >= SHORT else 1
    return round(seconds / step) * step


def finishing_times(project: Project, topic_id: str) -> list[float]:
    """Return the seconds that the documents finished last took, to tell how long the rest will take."""
    touched = project.touched(topic_id)
    done = (name for name in reversed(touched) if project.state(topic_id, name).finished)
    finished = islice(done, RECENT_TIMES)  # a pool may be a collection
    times = (project.histories.log(topic_id, name).reading.seconds for name in finished)
    return [seconds for seconds in times if seconds > 0]


# What a project is, where it is listed among others.

MOST_COUNTED = 5_000  # judged documents, of all topics: what is counted while a window closes


def project_summary(project: Project, runs: int = 0) -> str:
    """Say what work a project is and how far: "Judging · 5 topics · 41 of 147 documents finished"."""
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
