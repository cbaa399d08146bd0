"""How much a task lets a run return: results or characters, of a topic or of an article."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from inexview.core.measures.joined import Joined
from inexview.core.measures.rules import placed
from inexview.core.measures.segments import running
from inexview.core.text.offset_arrays import Ints
from inexview.core.wording import counted


class Counted(Enum):
    """What a limit counts; the value says what is counted, and of what."""

    RESULTS = ("result", "a topic")
    CHARACTERS = ("character", "a topic")
    ARTICLE_CHARACTERS = ("character", "an article")


@dataclass(frozen=True, slots=True)
class Limit:
    """So many results or characters, and no more."""

    most: int
    of: Counted = Counted.RESULTS

    def __str__(self) -> str:
        what, of = self.of.value
        return f"{counted(self.most, what)} {of}"


def within(joined: Joined, limit: Limit) -> Ints:
    """Return how many characters of each result lie within the limit, shape (n,); −1: not even its place."""
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
    """Say where a run first goes beyond the limit, and in how many topics it does; "" where it does not."""
    rows = np.flatnonzero(within(joined, limit) < joined.size)
    if not len(rows):
        return ""
    topics = counted(len(np.unique(joined.topic[rows])), "topic")
    problem = f"goes beyond {limit}, as do results of {topics}; it is scored (--cut keeps what lies within)"
    return str(placed(joined, int(rows[0]), problem))


def cut(joined: Joined, limit: Limit) -> Joined:
    """Return what lies within the limit: a passage that crosses it is cut there."""
    left = within(joined, limit)
    kept = np.flatnonzero(left >= 0)
    if len(kept) == len(joined) and not np.any(left < joined.size):
        return joined
    taken, size = joined.take(kept), left[kept]
    end = taken.start + size
    judged = np.where(taken.relevant, taken.row, -1)
    return replace(taken, size=size, end=end, rsize=joined.qrels.highlights.overlap(judged, taken.start, end))
