"""What a run retrieved, counted: beside every score is what it was made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.joined import Joined, new_characters, totals
from inexview.core.text.spans import Floats, Ints

JUDGED_DEPTH = 10


@dataclass(frozen=True, slots=True)
class TopicCounts:
    """Counts of one topic, or of all; the first six under the names that INEX's own tool gives them."""

    num_ret: int
    """Documents retrieved."""
    num_rel: int
    """Relevant documents there are."""
    num_rel_ret: int
    """Relevant documents retrieved."""
    ret_size: int
    """Characters retrieved, each once (0 in best-in-context, where a result is a point)."""
    rel_size: int
    """Relevant characters there are (0 where whole documents have grades)."""
    rel_ret_size: int
    """Relevant characters retrieved, each once (0 in best-in-context)."""
    results: int
    """Results in the run."""
    unjudged: int
    """Documents retrieved that were not judged."""
    unknown: int
    """Results that the collection does not hold."""
    ties: int
    """Results that have the score of the one ranked before them."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a run: of its topics, and summed over the judged topics that it has."""

    topics_judged: int
    topics_in_run: int
    topics_missing: int
    """Judged topics that the run has no result for."""
    topics_ignored: int
    """Topics of the run that were not judged."""
    num_q: int
    """Topics averaged."""
    total: TopicCounts
    """num_rel and rel_size count every judged topic, as INEX's own tool does."""
    topics: dict[str, TopicCounts]
    judged_at: Mapping[str, float] = field(default_factory=dict)
    """Judged@10 by topic: how many of its first ten documents were judged, divided by 10."""


def count(joined: Joined) -> Counts:
    """Count what a run retrieved, topic by topic and in all."""
    columns = _columns(joined)
    per_topic = {
        topic: TopicCounts(*row)
        for topic, row in zip(joined.topics, np.stack(columns, axis=1).tolist(), strict=True)
    }
    sums = {name: int(column.sum()) for name, column in zip(_NAMES, columns, strict=True)}
    sums["num_rel"] = int((joined.qrels.rsize > 0).sum())
    sums["rel_size"] = 0 if joined.qrels.graded else int(joined.qrels.rsize.sum())
    return Counts(
        topics_judged=len(joined.qrels.topics),
        topics_in_run=len(joined.run.topics),
        topics_missing=len(missing_topics(joined.qrels, joined.run)),
        topics_ignored=len(set(joined.run.topics) - set(joined.qrels.topics)),
        num_q=len(joined.topics),
        total=TopicCounts(**sums),
        topics=per_topic,
        judged_at=dict(zip(joined.topics, judged_at(joined, JUDGED_DEPTH).tolist(), strict=True)),
    )


def judged_at(joined: Joined, depth: int) -> Floats:
    """Return Judged@depth of each topic, shape (T,): its first documents that were judged, over ``depth``."""
    first = joined.firsts
    topic = joined.topic[first]
    rank = np.arange(len(first)) - np.searchsorted(first, joined.ptr)[topic]
    counted = topic[(rank < depth) & joined.judged[first]]
    shares: Floats = np.bincount(counted, minlength=len(joined.topics)) / depth
    return shares


def missing_topics(qrels: Qrels, run: Run) -> list[str]:
    """Return the judged topics that the run has no result for."""
    has = set(run.topics)
    return [topic for topic in qrels.topics if topic not in has]


_NAMES = tuple(TopicCounts.__dataclass_fields__)


def _columns(joined: Joined) -> list[Ints]:
    """Return the counts of TopicCounts, in its order, each of shape (T,)."""
    ptr = joined.ptr
    first = joined.firsts
    points = joined.task is Task.BEST_IN_CONTEXT
    nothing = np.zeros(len(joined.topics), dtype=np.int64)
    size, rsize = (joined.size, joined.rsize) if points else new_characters(joined)
    return [
        _counted(first, ptr),
        joined.nrel,
        _counted(first[joined.relevant[first]], ptr),
        nothing if points else totals(size, ptr),
        nothing if joined.qrels.graded else joined.trel,
        nothing if points else totals(rsize, ptr),
        np.diff(ptr),
        _counted(first[~joined.judged[first]], ptr),
        _counted(np.flatnonzero(~joined.known), ptr),
        _counted(_tied(joined), ptr),
    ]


def _counted(rows: Ints, ptr: Ints) -> Ints:
    """Count rising row numbers in each segment."""
    return np.diff(np.searchsorted(rows, ptr))


def _tied(joined: Joined) -> Ints:
    """Return the results that have the score of the one before them in their topic."""
    score = joined.run.compared_score[joined.source]
    tied = np.flatnonzero(score[1:] == score[:-1]) + 1
    own = joined.ptr[np.searchsorted(joined.ptr, tied, side="right") - 1]
    return tied[tied > own]  # the first of a topic has none before it
