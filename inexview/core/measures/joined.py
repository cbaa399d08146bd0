"""A run joined to the qrels, which all measures start from, and the rules of a task for a run.

:func:`join` combines the results of a run with the judgements of their documents; the rules and limits of a
task are checked on the same columns.  Sums over the results of each topic are computed for all topics at
once, and so is the text that each result shows first.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TypeVar

import numpy as np

from inexview.core.errors import DataError, DataErrors, InexviewError
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run, Task
from inexview.core.text.spans import Floats, Ints, Keys, Mask
from inexview.core.wording import counted

UNKNOWN_SIZE = 18
"""The characters of a passage that is not in the collection [T]."""
UNKNOWN_ENTRY = -10_000
"""The entry point of such a passage [T]."""


FloatsOrMask = TypeVar("FloatsOrMask", Floats, Mask)


@dataclass(frozen=True, eq=False)
class Joined:
    """n results of a run for T judged topics, in rank order, topics contiguous.

    ``ptr`` (T+1,) bounds the results of each of ``topics``.  Per result, shape (n,): ``row``, its document's
    row in the qrels (−1: unjudged); ``start`` and ``end``; ``size``, its characters; ``rsize``, the
    highlighted ones of them; ``known``, whether it is in the collection; ``source``, its row in the run. Per
    topic, shape (T,): ``trel``, relevant characters; ``nrel``, relevant documents; ``passages``, relevant
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
        """The results with those of a topic in one document together, in rank order, shape (n,).

        With it a mask in the same order of the first result of each document.
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
        """The first result of each result's document, shape (n,): equal for equal topic and document."""
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
        return ranks_by_topic(self.ptr)

    @cached_property
    def sightings(self) -> Sightings:
        """The relevant text that the run shows, each piece at its first appearance."""
        return first_sightings(self)

    def of_results(self, columns: Callable[[Joined], tuple[Ints, ...]]) -> tuple[Ints, ...]:
        """Return columns of the results that do not depend on other documents, shape (n,) each."""
        return columns(self)

    def of_documents(self, column: Callable[[Joined], FloatsOrMask]) -> FloatsOrMask:
        """Return a column of the documents, by ``firsts``, that is independent of other documents, (d,)."""
        return column(self)

    def take(self, kept: Ints) -> Joined:
        """Return only these results (ascending row numbers)."""
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


def as_counted(start: Ints, size: Ints, task: Task | None) -> tuple[Ints, Ints, Mask]:
    """Return starts and sizes of results as measures count them, and whether their places are known."""
    size, known = np.maximum(size, 0), start != UNKNOWN
    if not known.all():
        unknown = size if task is Task.CHUNKS else UNKNOWN_SIZE  # a chunk without a place has its own length
        start, size = np.where(known, start, UNKNOWN_ENTRY), np.where(known, size, unknown)
    return start, size, known


def join(qrels: Qrels, run: Run, task: Task, *, complete: bool = False) -> Joined:
    """Join a run to qrels, to score it for a task.

    The topics are those of the qrels that have results in the run or, with ``complete``, all of the qrels, in
    their order there; results for other topics are left out.
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
    start, size, known = as_counted(run.start[rows], run.size[rows], task)
    end = start + size
    relevant = qrels.rsize > 0  # the qrels' own column decides, even if a document with 0 has passages [T]
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


def one_topic(joined: Joined, topic: str) -> Joined:
    """Return the results of one topic only; raises InexviewError for one that is not scored."""
    if topic not in joined.topics:
        raise InexviewError(
            f"topic {topic} is not scored for {joined.run.id}: it has no results or no judgements"
        )
    at = joined.topics.index(topic)
    taken = joined.take(np.arange(int(joined.ptr[at]), int(joined.ptr[at + 1])))
    return replace(
        taken,
        topics=(topic,),
        ptr=np.array([0, len(taken)]),
        code=joined.code[at : at + 1],
        trel=joined.trel[at : at + 1],
        nrel=joined.nrel[at : at + 1],
        passages=joined.passages[at : at + 1],
    )


def per_topic(qrels: Qrels, values: Ints | Mask) -> Ints:
    """Sum a column of the qrels over each of its topics."""
    sums = np.zeros(len(qrels.topics), dtype=np.int64)
    np.add.at(sums, qrels.topic, values.astype(np.int64))
    return sums


IntsOrFloats = TypeVar("IntsOrFloats", Ints, Floats)


def running(values: Ints, ptr: Ints) -> Ints:
    """Return the running sums of integers (n,), restarting at each of ``ptr``, for many short segments."""
    sums: Ints = np.append(0, np.cumsum(values))
    sums[1:] -= np.repeat(sums[ptr[:-1]], np.diff(ptr))
    return sums[1:]


def running_by_topic(values: IntsOrFloats, ptr: Ints) -> IntsOrFloats:
    """Return the running sums of values (n,), each summed from its own topic's first value."""
    sums = np.empty_like(values)
    for first, last in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True):
        np.add.accumulate(values[first:last], out=sums[first:last])
    return sums


def ranks_by_topic(ptr: Ints) -> Ints:
    """Return 1, 2 … for each topic, with bounds ``ptr`` (T+1,)."""
    counts = np.diff(ptr)
    longest = np.arange(1, int(counts.max(initial=0)) + 1)
    return np.concatenate([longest[:0], *(longest[:count] for count in counts.tolist())])


def totals(values: IntsOrFloats, ptr: Ints) -> IntsOrFloats:
    """Return the sum of the values (n,) in each segment, shape (T,); 0 for an empty one."""
    sums = np.zeros(len(ptr) - 1, values.dtype)
    filled = np.flatnonzero(ptr[1:] > ptr[:-1])
    if len(filled):
        sums[filled] = np.add.reduceat(values, ptr[filled])
    return sums


def at_rank(values: IntsOrFloats, ptr: Ints, rank: int) -> IntsOrFloats:
    """Return the value at a rank (from 1) of each segment; after its end the last one, 0 in an empty one."""
    found = np.zeros(len(ptr) - 1, values.dtype)
    filled = ptr[1:] > ptr[:-1]
    found[filled] = values[np.minimum(ptr[:-1] + rank, ptr[1:])[filled] - 1]
    return found


def ratio(above: Ints | Floats, below: Ints | Floats) -> Floats:
    """Return above / below in IEEE doubles, 0 if below is 0."""
    return np.divide(
        above, below, out=np.zeros(np.broadcast(above, below).shape), where=np.asarray(below) != 0
    )


def harmonic_mean(p: Floats, r: Floats) -> Floats:
    """Return 2pr / (p + r), 0 if both are 0: F of precision and recall."""
    return ratio(2 * p * r, p + r)


def ranges(begins: Ints, ends: Ints) -> Ints:
    """Return the numbers of each range [begin, end) in turn, shape (Σ end − begin,)."""
    counts = ends - begins
    numbers: Ints = np.arange(int(counts.sum())) + np.repeat(begins - np.cumsum(counts) + counts, counts)
    return numbers


# The rules of a task for a run: results without overlaps, documents together or only once.
#
# A run that breaks a rule is refused with its line, because its score would be meaningless.

OVERLAPS = ("error", "drop", "allow")
LIMIT = 20


class BrokenRule(DataErrors):
    """A run that breaks a rule of its task: ``rule`` names it in a few words, ``errors`` the places."""

    def __init__(
        self, errors: Sequence[DataError], *, more: bool = False, rule: str = "breaks the rules"
    ) -> None:
        super().__init__(errors, more=more)
        self.rule = rule


def apply_rules(joined: Joined, overlap: str) -> Joined:
    """Check a run against the rules of its task and treat its overlaps as set by ``overlap``.

    Raises BrokenRule with the lines that break one.
    """
    task = joined.task
    if task is Task.BEST_IN_CONTEXT:
        _refuse_repeated(joined)
        return joined
    if task is Task.DOCUMENTS:
        if joined.run.by_score:
            _refuse_repeated(joined)
        return joined
    _refuse_without_length(joined)
    if task in (Task.RELEVANT_IN_CONTEXT, Task.RESTRICTED_RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE):
        _refuse_apart(joined)
    if overlap == "allow":
        return joined
    if overlap == "drop":
        return without_overlaps(joined)
    earlier, later = overlapping(joined)
    if not len(later):
        return joined
    raise _broken(
        "results overlap",
        joined,
        later,
        earlier,
        "overlaps the result {other} (--overlap drop leaves it out)",
    )


def without_overlaps(joined: Joined) -> Joined:
    """Drop the results that overlap a higher-ranked one that is kept."""
    _, later = overlapping(joined)
    return joined.take(np.flatnonzero(~_overlapping_a_kept_one(joined, later))) if len(later) else joined


def overlapping(joined: Joined) -> tuple[Ints, Ints]:
    """Return pairs of overlapping results, the earlier and the later of each.

    Not all pairs, but at least one if any two results of a topic overlap: among the results of a document,
    none of them empty, sorted by start, an overlap implies one between neighbours.
    """
    order, new = joined.by_document
    alone = new & np.append(new[1:], True)[: len(new)]
    several = np.flatnonzero(~alone)
    document, rows = np.cumsum(new.astype(np.int64))[several], order[several]
    told = joined.known[rows] & (joined.size[rows] > 0)
    if not told.all():
        document, rows = document[told], rows[told]
    document, rows = _by_document_and_start(document, joined.start[rows], rows)
    before, after = rows[:-1], rows[1:]
    meets = (document[1:] == document[:-1]) & (joined.start[after] < joined.end[before])
    pairs = np.sort(np.stack((before[meets], after[meets])), axis=0)
    return pairs[0], pairs[1]


def _by_document_and_start(document: Ints, start: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Return documents and rows sorted by document and start: as single numbers if they fit."""
    for_start, for_row = (int(column.max(initial=0)).bit_length() for column in (start, rows))
    if int(document.max(initial=0)).bit_length() + for_start + for_row > 63:
        order = np.lexsort((rows, start, document))
        return document[order], rows[order]
    packed = (document << for_start | start) << for_row | rows
    packed.sort()
    return packed >> (for_start + for_row), packed & ((1 << for_row) - 1)


def _overlapping_a_kept_one(joined: Joined, later: Ints) -> Mask:
    """Return which results to drop: those that overlap a higher-ranked one that is kept."""
    dropped = np.zeros(len(joined), dtype=bool)
    concerned = np.isin(joined.document, np.unique(joined.document[later])) & joined.known
    kept: dict[int, list[tuple[int, int]]] = {}
    for row in np.flatnonzero(concerned & (joined.size > 0)).tolist():
        start, end = int(joined.start[row]), int(joined.end[row])
        held = kept.setdefault(int(joined.document[row]), [])
        at = bisect_left(held, (end, 0))  # how many of the kept ones start before the end of this one
        if at > 0 and held[at - 1][1] > start:
            dropped[row] = True
        else:
            insort(held, (start, end))
    return dropped


def _refuse_repeated(joined: Joined) -> None:
    first = joined.document
    again = np.flatnonzero(first != np.arange(len(joined)))
    if len(again):
        told = "retrieves the same document as the result {other}"
        raise _broken("documents repeated", joined, again, first[again], told)


def _refuse_apart(joined: Joined) -> None:
    """Refuse documents whose results are not adjacent."""
    same = np.zeros(len(joined), dtype=bool)
    same[1:] = joined.document[1:] == joined.document[:-1]
    first = joined.document
    apart = np.flatnonzero(~same & (first != np.arange(len(joined))))
    if len(apart):
        told = "is not next to the other results of its document, {other}"
        raise _broken("documents apart", joined, apart, first[apart], told)


def _refuse_without_length(joined: Joined) -> None:
    bare = np.flatnonzero(joined.run.size[joined.source] == NO_LENGTH)
    if len(bare):
        told = f"has no length, which the task {joined.task} needs"
        raise _broken("no lengths", joined, bare, bare, told)


def placed(joined: Joined, row: int, problem: str) -> DataError:
    """Return an error about a result, with its line."""
    run, source = joined.run, int(joined.source[row])
    return DataError(
        f"result {joined.rank[row]} of topic {joined.topics[int(joined.topic[row])]} in document "
        f"{run.document[source]} {problem}",
        path=run.path,
        line=int(run.line[source]) or None,
    )


def _broken(rule: str, joined: Joined, rows: Ints, others: Ints, problem: str) -> BrokenRule:
    """Return errors about results, in the order of the file, each naming another result."""
    run = joined.run
    lines = run.line[joined.source[rows]]
    order = np.argsort(lines, kind="stable")
    errors = []
    for at in order[:LIMIT].tolist():
        row, other = int(rows[at]), int(others[at])
        other_line = int(run.line[joined.source[other]])
        told = problem.format(
            other=f"on line {other_line}" if other_line else f"at rank {joined.rank[other]}"
        )
        errors.append(placed(joined, row, told))
    return BrokenRule(errors, more=len(rows) > LIMIT, rule=rule)


class Counted(Enum):
    """The unit of a limit; the value is its name, and the scope of the limit."""

    RESULTS = ("result", "a topic")
    CHARACTERS = ("character", "a topic")
    ARTICLE_CHARACTERS = ("character", "an article")


@dataclass(frozen=True, slots=True)
class Limit:
    """The maximum number of results or characters."""

    most: int
    of: Counted = Counted.RESULTS

    def __str__(self) -> str:
        what, of = self.of.value
        return f"{counted(self.most, what)} {of}"


def within(joined: Joined, limit: Limit) -> Ints:
    """Return the number of characters of each result within the limit, shape (n,); −1: entirely beyond."""
    size = joined.size
    if limit.of is Counted.RESULTS:
        return np.where(joined.rank <= limit.most, size, -1)
    if limit.of is Counted.CHARACTERS:
        before = running(size, joined.ptr) - size
    else:
        order, new = joined.by_document
        ptr = np.append(np.flatnonzero(new), len(order))
        before = np.empty(len(size), np.int64)
        before[order] = running(size[order], ptr) - size[order]
    left = np.minimum(limit.most - before, size)
    return np.where(left > 0, left, np.where(size > 0, -1, 0))


def beyond(joined: Joined, limit: Limit) -> str:
    """Return where a run first exceeds the limit, and in how many topics; "" if it does not."""
    rows = np.flatnonzero(within(joined, limit) < joined.size)
    if not len(rows):
        return ""
    topics = counted(len(np.unique(joined.topic[rows])), "topic")
    problem = f"exceeds {limit}, and so do results of {topics}; all are scored (--cut ignores the excess)"
    return str(placed(joined, int(rows[0]), problem))


def cut(joined: Joined, limit: Limit) -> Joined:
    """Return the part within the limit: a passage that crosses it is cut there."""
    left = within(joined, limit)
    kept = np.flatnonzero(left >= 0)
    if len(kept) == len(joined) and not np.any(left < joined.size):
        return joined
    taken, size = joined.take(kept), left[kept]
    end = taken.start + size
    judged = np.where(taken.relevant, taken.row, -1)
    return replace(taken, size=size, end=end, rsize=taken.qrels.highlights.overlap(judged, taken.start, end))


@dataclass(frozen=True, slots=True)
class Sightings:
    """The relevant text that a run shows, in k pieces, in the order of their first appearance.

    Columns of shape (k,): ``result``, the result (of n) that shows the piece first, ascending; ``before``,
    the number of characters of that result before it; ``size``, its characters.  A character that a topic's
    results show again is in no further piece.
    """

    result: Ints
    before: Ints
    size: Ints


def first_sightings(joined: Joined) -> Sightings:
    """Find the pieces; O(n log n) plus one slice assignment per result with relevant text.

    A topic's relevant characters are numbered continuously (through all its documents, and all topics), so
    that each result shows one range of numbers; the edges of results and passages cut the numbers into pieces
    that are shown as a whole or not at all.
    """
    highlights = joined.qrels.highlights
    marked = highlights.spans
    first_numbers = np.cumsum(marked.ends - marked.starts) - (marked.ends - marked.starts)
    showing = np.flatnonzero(joined.rsize > 0)
    row = joined.row[showing]
    base = highlights.base[row]
    low = marked.below(base + np.clip(joined.start[showing], 0, highlights.extent[row]))
    high = low + joined.rsize[showing]
    edges = np.unique(np.concatenate((low, high, first_numbers)))
    piece = np.flatnonzero((shower := first_to_cover(edges, low, high)) >= 0)
    piece = piece[np.argsort(shower[piece], kind="stable")]
    result = showing[shower[piece]]
    passage = np.searchsorted(first_numbers, edges[piece], side="right") - 1
    offset = marked.starts[passage] + edges[piece] - first_numbers[passage]
    before = offset - highlights.base[joined.row[result]] - joined.start[result]
    return Sightings(result, before, edges[piece + 1] - edges[piece])


def seen_in_each(joined: Joined) -> tuple[Ints]:
    """Return the relevant characters of each result in earlier ones, summed over these, shape (n,).

    A result within an earlier one was fully seen: all of it, once.
    """
    seen = np.zeros(len(joined), dtype=np.int64)
    order, new = joined.by_document
    begins = np.flatnonzero(np.append(new, True))
    shown = joined.known & (joined.rsize > 0)
    for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        rows = order[begin:end][shown[order[begin:end]]]
        start, stop = joined.start[rows], joined.end[rows]
        for at in range(1, len(rows)):
            row = rows[at]
            low, high = np.maximum(start[:at], start[at]), np.minimum(stop[:at], stop[at])
            if np.any((start[:at] <= start[at]) & (stop[at] <= stop[:at])):
                seen[row] = joined.rsize[row]
                continue
            meets = np.flatnonzero(low < high)
            judged = np.full(len(meets), joined.row[row])
            seen[row] = joined.qrels.highlights.overlap(judged, low[meets], high[meets]).sum()
    return (seen,)


def first_to_cover(edges: Ints, low: Ints, high: Ints) -> Ints:
    """Return the first of m ranges, in rank order, that covers each piece between two edges; −1: none.

    ``edges`` (k,) are ascending and include the ends of all ranges; piece i is between edge i and the next.
    """
    first = np.full(len(edges), -1, dtype=np.int64)
    ranges = zip(np.searchsorted(edges, low).tolist(), np.searchsorted(edges, high).tolist(), strict=True)
    # Filled from the last rank to the first, so that the first one remains.
    for rank, (begin, end) in reversed(list(enumerate(ranges))):
        first[begin:end] = rank
    return first


def new_characters(joined: Joined) -> tuple[Ints, Ints]:
    """Return how many characters of each of n results are new, and how many of these are relevant.

    Both have shape (n,).  Passages that are not in the collection never overlap anything.  Only documents
    with overlapping results are examined.
    """
    size, rsize = joined.size.copy(), joined.rsize.copy()
    _, later = overlapping(joined)
    if not len(later):
        return size, rsize
    concerned = np.isin(joined.document, np.unique(joined.document[later])) & joined.known & (size > 0)
    rows = np.flatnonzero(concerned)
    places, place = np.unique(joined.document[rows], return_inverse=True)
    # The documents are placed end to end, so that one sweep covers them all.
    reach = np.zeros(len(places), np.int64)
    np.maximum.at(reach, place, joined.end[rows])
    base = np.cumsum(reach) - reach
    low, high = base[place] + joined.start[rows], base[place] + joined.end[rows]
    edges = np.unique(np.concatenate((low, high)))
    shower = first_to_cover(edges, low, high)
    piece = np.flatnonzero(shower >= 0)
    result = rows[shower[piece]]
    start = edges[piece] - base[place[shower[piece]]]
    end = start + edges[piece + 1] - edges[piece]
    size[rows] = rsize[rows] = 0
    np.add.at(size, result, end - start)
    judged = np.where(joined.relevant[result], joined.row[result], -1)
    np.add.at(rsize, result, joined.qrels.highlights.overlap(judged, start, end))
    return size, rsize
