"""Query variations: several queries that ask for one topic, such as 101-1 and 101-2.

They share the topic's judgements, and the score of a topic is the mean over its queries, so that a topic
counts once however many queries there are; tests are paired by topic.  UQV100 is such a collection (Bailey,
Moffat, Scholer, Thomas, SIGIR 2016).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import Counts, CurveKind, RunScores, ScoringSettings, TopicCounts
from inexview.core.files import read_small_table
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.text.spans import Floats
from inexview.core.wording import counted

_VARIATION = re.compile(r"(.+)[-._](?:\d+|[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Variations:
    """Which topic a query asks for: as a table says, or else what its id begins with."""

    table: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Variations:
        """Read a table, CSV or TSV: a line of headings, the query's id first and its topic second.

        Raises DataError for what is no such table.
        """
        head, rows = read_small_table(path, "a table of queries and topics")
        table: dict[str, str] = {}
        for line, (query, topic, *_) in rows:
            if query in table:
                raise DataError("is repeated", path=path, line=line, field=head[0], value=query)
            table[query] = topic.strip()
        return cls(table)

    def topic_of(self, query: str) -> str:
        """Return the topic of a query, the query itself if it is the only one.

        >>> Variations().topic_of("101-1"), Variations().topic_of("101.b"), Variations().topic_of("101")
        ('101', '101', '101')
        """
        if self.table:
            return self.table.get(query, query)
        found = _VARIATION.fullmatch(query)
        return query if found is None else found[1]

    def groups(self, queries: Sequence[str]) -> dict[str, list[int]]:
        """Return the places of the queries of each topic, topics in the order of their first query."""
        found: dict[str, list[int]] = {}
        for at, query in enumerate(queries):
            found.setdefault(self.topic_of(query), []).append(at)
        return found

    def judgements(self, judged: Qrels, queries: Sequence[str]) -> Qrels:
        """Return judgements in which each query has those of its topic, where it has none of its own."""
        known = {topic: at for at, topic in enumerate(judged.topics)}
        source = {query: self.topic_of(query) for query in queries if query not in known}
        source = {query: topic for query, topic in source.items() if topic in known}
        if not source:
            return judged
        asked = {*source.values()}
        names = [*(topic for topic in judged.topics if topic not in asked), *source]
        order = np.argsort(judged.topic, kind="stable")
        ptr = np.searchsorted(judged.topic[order], np.arange(len(judged.topics) + 1))
        places = [known[source.get(name, name)] for name in names]
        rows = [order[ptr[at] : ptr[at + 1]] for at in places]
        code = np.repeat(np.arange(len(names)), [len(own) for own in rows])
        return replace(judged.take(np.concatenate(rows)), topics=tuple(names), topic=code)


def in_topics(queries: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of the queries of each topic if all ids are of queries; else nothing.

    That is so if there are several topics, and half of these or more have several queries.
    """
    found = Variations().groups(queries)
    several = sum(len(own) > 1 for own in found.values())
    alone = [topic for topic, own in found.items() if len(own) == 1 and queries[own[0]] == topic]
    return found if len(found) > 1 and 2 * several >= len(found) and not alone else {}


def spread(values: Floats) -> Floats:
    """Return the standard deviation over the last axis of values (…, n), shape (…); 0 where n is 1."""
    deviation: Floats = values.std(axis=-1, ddof=1) if values.shape[-1] > 1 else np.zeros(values.shape[:-1])
    return deviation


def score_by_topic(judged: Qrels, variations: Variations, run: Run, settings: ScoringSettings) -> RunScores:
    """Score each query of a run, and return the means over the queries of each topic.

    Counts of a topic are sums over its queries.  Raises what ``score_run`` does, and InexviewError for bounds
    and curves by rank.
    """
    if settings.bounds or settings.curve is not CurveKind.INTERPOLATED:
        raise InexviewError("bounds and curves by rank need single queries: omit --variations")
    queries = variations.judgements(judged, run.topics)
    whole = score_run(queries, run, settings)
    groups = variations.groups(whole.topics)
    places = list(groups.values())
    topics_judged, topics_in_run = ({*map(variations.topic_of, own)} for own in (queries.topics, run.topics))
    counts = Counts(
        topics_judged=len(topics_judged),
        topics_in_run=len(topics_in_run),
        topics_missing=len(topics_judged - topics_in_run),
        topics_ignored=len(topics_in_run - topics_judged),
        num_q=len(groups),
        total=whole.counts.total,
        topics={topic: _summed(whole, own) for topic, own in groups.items()},
        judged_at={
            topic: float(np.mean([whole.counts.judged_at[whole.topics[at]] for at in own]))
            for topic, own in groups.items()
        },
    )
    several = counted(len(whole.topics), "query").replace("querys", "queries")
    return replace(
        whole,
        topics=tuple(groups),
        values=_averaged(whole.values, places),
        inside=np.stack([spread(whole.values[:, own]) for own in places], axis=1)
        if places
        else np.empty_like(whole.values),
        queries=tuple(map(len, places)),
        curve=None if whole.curve is None else _averaged(whole.curve.T, places).T,
        counts=counts,
        notes=(*whole.notes, f"the score of a topic is the mean over its queries ({several})"),
    )


def _averaged(values: Floats, places: Sequence[Sequence[int]]) -> Floats:
    """Return the means of values (M, T) over the places of each group, shape (M, groups)."""
    if not places:
        return values
    return np.stack([values[:, own].mean(axis=1) for own in places], axis=1)


def _summed(scores: RunScores, places: Sequence[int]) -> TopicCounts:
    own = [scores.counts.topics[scores.topics[at]] for at in places]
    return TopicCounts(**{name: sum(getattr(one, name) for one in own) for name in TopicCounts.__slots__})
