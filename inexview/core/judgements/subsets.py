"""Parts of judgements and runs: topics and their queries, target elements, documents by their relevant share.

The shares are those of Wade, Allan, *Passage Retrieval and Evaluation*, CIIR 2005, tables 6 and 7.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.files import read_small_table
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic, asks_strictly
from inexview.core.text.spans import Ints, Keys, Mask, Names
from inexview.core.wording import counted


@dataclass(frozen=True, slots=True)
class Subset:
    """The part of judgements and runs that counts."""

    topics: frozenset[str] = frozenset()
    """The topics; empty for all."""
    targets: Mapping[str, frozenset[str]] | None = None
    """The tags of each topic's target elements, if only these count."""
    low: float = 0.0
    """Relevant documents count if their share of relevant text is above ``low`` and at most ``high``."""
    high: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise InexviewError(f"a share of {self.low:g} … {self.high:g}: it must rise, from 0 to 1 at most")

    def __bool__(self) -> bool:
        return bool(self.topics) or self.by_share or self.targets is not None

    @property
    def by_share(self) -> bool:
        return (self.low, self.high) != (0.0, 1.0)

    def of_qrels(self, qrels: Qrels) -> Qrels:
        """Return the judgements that count.  Raises InexviewError if none does."""
        if self.targets is not None:
            raise InexviewError("target elements count where elements are judged: give assessment XML")
        if not self:
            return qrels
        wanted = _are(qrels, self.topics) if self.topics else np.ones(len(qrels), dtype=bool)
        kept = np.flatnonzero(wanted & ~self._outside(qrels))
        if not len(kept):
            raise InexviewError("no judgement is in the part asked for")
        return _with_topics_that_are_there(qrels.take(kept))

    def of_run(self, run: Run, qrels: Qrels) -> Run:
        """Return the results that count: those of the topics, except in documents with excluded judgements.

        ``qrels`` are all judgements.
        """
        if not self:
            return run
        kept = _are(run, self.topics) if self.topics else np.ones(len(run), dtype=bool)
        if self.by_share:
            known, row = _judged_rows(run, qrels)
            kept[known] &= ~(self._outside(qrels)[row] & (row >= 0))
        return run.only(np.flatnonzero(kept))

    def of_elements(self, qrels: ElementQrels) -> ElementQrels:
        """Return the judged elements of the topics.  Raises InexviewError if shares are set."""
        if self.by_share:
            raise InexviewError("assessments of elements do not say which text of a document is relevant")
        if not self:
            return qrels
        kept = [
            (topic, document, [one for one in elements.values() if self._is_target(topic, one.path)])
            for topic in qrels.topics
            if not self.topics or topic in self.topics
            for document, elements in qrels.documents(topic).items()
        ]
        if not kept:
            raise InexviewError("no judgement is in the part asked for")
        return ElementQrels(kept, warnings=qrels.warnings)

    def of_element_run(self, run: ElementRun) -> ElementRun:
        """Return the rankings of the topics' target elements, as required by SSCAS and SVCAS."""
        if not self:
            return run
        if self.targets is not None and asks_strictly(run.unknown_task):
            run = replace(run, task=Task.THOROUGH, unknown_task="")
        rankings = {
            topic: tuple(one for one in own if self._is_target(topic, one[1]))
            for topic, own in run.rankings.items()
            if not self.topics or topic in self.topics
        }
        return replace(run, rankings=rankings)

    def _is_target(self, topic: str, path: str) -> bool:
        """Return whether an element is one of the topic's targets; every one is if the topic names none."""
        tags = None if self.targets is None else self.targets.get(topic)
        return not tags or path.rpartition("/")[2].partition("[")[0] in tags

    def _outside(self, qrels: Qrels) -> Mask:
        """Return which relevant documents have another share of relevant text, shape (n,)."""
        # A document shorter than its relevant text is all relevant; one without a length has no share.
        share = np.where(qrels.length > 0, np.minimum(qrels.rsize / np.maximum(qrels.length, 1), 1.0), 2.0)
        outside: Mask = (qrels.rsize > 0) & ((share <= self.low) | (share > self.high))
        return outside if self.by_share else np.zeros(len(qrels), dtype=bool)


def share_of_text(written: str) -> tuple[float, float]:
    """Return the bounds of a share in percent, like 0-35, from 0 to 1; raises ValueError for invalid text."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)-(\d{1,3}(?:\.\d+)?)", written)
    if match is None:
        raise ValueError(f"{written!r} is not a share: write it like 0-35")
    return float(match[1]) / 100, float(match[2]) / 100


def found_by(qrels: Qrels, runs: Sequence[Run]) -> Qrels:
    """Return the judgements of documents that one of the runs retrieves; raises InexviewError without any."""
    found = np.zeros(len(qrels), dtype=bool)
    for run in runs:
        _, row = _judged_rows(run, qrels)
        found[row[row >= 0]] = True
    kept = np.flatnonzero(found)
    if not len(kept):
        raise InexviewError("no judged document is in the runs")
    return _with_topics_that_are_there(qrels.take(kept))


def _judged_rows(run: Run, qrels: Qrels) -> tuple[Ints, Ints]:
    """Return the results of judged topics, and the rows of their judgements, −1 for unjudged documents."""
    places = {topic: at for at, topic in enumerate(qrels.topics)}
    code = np.array([places.get(topic, -1) for topic in run.topics], dtype=np.int64)[run.topic]
    known = np.flatnonzero(code >= 0)
    return known, qrels.index.find(Keys(code[known], run.document.take(known)))


def _with_topics_that_are_there(qrels: Qrels) -> Qrels:
    there, code = np.unique(qrels.topic, return_inverse=True)
    return replace(
        qrels, topics=tuple(qrels.topics[at] for at in there.tolist()), topic=code.astype(np.int64)
    )


# Judgement groups: several judges of the same topics, who may give documents different grades.


@dataclass(frozen=True, eq=False)
class JudgementGroups:
    """The judgements of each judge: ``groups`` by the judges' names, each with the topics of this judge."""

    groups: Mapping[str, Qrels]
    together: Qrels
    """Each judged document, with the highest grade that it received."""

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.together.warnings

    def part(self, subset: Subset) -> JudgementGroups:
        """Return the judgements that count.  Raises InexviewError if none does."""
        together = subset.of_qrels(self.together)
        left = set(together.topics)
        groups = {
            name: subset.of_qrels(group) for name, group in self.groups.items() if left & set(group.topics)
        }
        return JudgementGroups(groups, together)


# Ids that judgements and a run spell differently: rules to join them, and a warning if they do not match.
#
# A rule removes a part that one side has and the other has not: `.xml`, a folder, leading zeros, the place of
# a passage.  Rules are applied to both sides, so that either side may have the longer form.

_Rule = Callable[[str], str]


def _without(pattern: str) -> _Rule:
    """Return a rule that removes a pattern, unless nothing would be left."""
    compiled = re.compile(pattern)
    return lambda name: compiled.sub("", name) or name


_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}")
_SEPARATOR = re.compile("[_:-]")
_PLACE_BACKWARDS = re.compile(r"\d[_:\d-]*")

# These two search from the end: a pattern that starts again at each character takes quadratic time.


def _without_extensions(name: str) -> str:
    end = len(name)
    while (dot := name.rfind(".", 0, end)) >= 0 and _EXTENSION.fullmatch(name, dot, end):
        end = dot
    return name[:end] or name


def _without_passage(name: str) -> str:
    place = name.find("#", 1)
    if place < 0 and (digits := _PLACE_BACKWARDS.match(name[::-1])):
        first = _SEPARATOR.search(name, max(1, len(name) - digits.end()))
        place = len(name) if first is None else first.start()
    return name if place < 0 else name[:place]


RULES: dict[str, tuple[str, _Rule]] = {
    "case": ("upper and lower case are equal", str.casefold),
    "escapes": (
        "%20 equals a blank, and all encodings of é are equal",
        lambda name: unicodedata.normalize("NFC", unquote(name)),
    ),
    "folder": ("everything before the last / is removed", _without(r"(?s)\A.*[/\\](?=[^/\\])")),
    "extension": (".xml, .html and similar endings are removed", _without_extensions),
    "passage": ("the position of a passage after the id is removed: _0_62, #3, :12-40", _without_passage),
    "suffix": (
        "a number or language after the id is removed: .1, -v2, _en",
        _without(r"[._-](?:v?\d+|[a-z]{2})\Z"),
    ),
    "prefix": ("letters before the number are removed: MB051 is 051", _without(r"\A\D+(?=\d+\Z)")),
    "zeros": ("leading zeros are removed: 051 is 51", _without(r"(?<!\d)0+(?=\d)")),
}
"""The rules by name, in the order in which several are applied, each with its effect."""
_MOST_RULES = 3  # combined at once
_SAMPLE = 2_000  # ids of each side with which rules are tried


@dataclass(frozen=True, slots=True)
class IdJoin:
    """The rules for joining topics and documents of two sides."""

    topics: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> IdJoin:
        """Read rules as ``documents=folder,extension`` or, for topics and documents, ``zeros``.

        Raises InexviewError with a list of the rules for one that does not exist.
        """
        rules: dict[str, set[str]] = {"topics": set(), "documents": set()}
        for text in texts:
            side, equals, named = text.rpartition("=")
            names = {name.strip() for name in named.split(",")}
            if unknown := sorted(names - RULES.keys()):
                listed = "; ".join(f"{name} ({about})" for name, (about, _) in RULES.items())
                raise InexviewError(f"there is no rule {unknown[0]!r} to join ids; there are {listed}")
            if equals and side not in rules:
                raise InexviewError(f"{text!r}: rules are for topics=… or documents=…, or for both")
            for one in (side,) if equals else tuple(rules):
                rules[one] |= names
        return cls(*(tuple(name for name in RULES if name in rules[side]) for side in rules))

    def of_qrels(self, qrels: Qrels) -> Qrels:
        """Return judgements with their ids changed by the rules.

        Raises DataError if two topics become one, or two documents with different judgements.
        """
        if self == NO_JOIN:
            return qrels
        document = qrels.document
        topics = _joined_topics(qrels.topics, self.topics, qrels.path)
        if self.documents:
            document = Names.of(map(rule_of(self.documents), document.strings()))
        joined = replace(qrels, topics=topics, document=document)
        first = joined.keys.first_equal()
        again = np.flatnonzero(first != np.arange(len(first)))
        for row in again.tolist():
            if joined.at(row) != joined.at(int(first[row])):
                a, b = qrels.document[int(first[row])], qrels.document[row]
                raise DataError(
                    f"documents {a} and {b} become one, {joined.document[row]}, and are judged differently",
                    path=qrels.path,
                )
        return joined.take(np.flatnonzero(first == np.arange(len(first)))) if len(again) else joined

    def of_run(self, run: Run) -> Run:
        """Return a run with its ids changed by the rules; repeated documents are kept only at their first
        place.

        Raises DataError if two topics become one.
        """
        if self == NO_JOIN:
            return run
        topics = _joined_topics(run.topics, self.topics, run.path)
        if not self.documents:
            return replace(run, topics=topics)
        joined = replace(
            run, topics=topics, document=Names.of(map(rule_of(self.documents), run.document.strings()))
        )
        if run.task is not Task.DOCUMENTS:
            return joined
        first = Keys(joined.topic, joined.document).first_equal()
        kept = np.flatnonzero(first == np.arange(len(first)))
        left = len(run) - len(kept)
        if not left:
            return joined
        told = f"{counted(left, 'result')} left out, whose document is in the ranking before (--join-ids)"
        return replace(joined.only(kept), warnings=(*run.warnings, f"{run.path}: {told}"))

    def of_topics(self, topics: Iterable[Topic]) -> list[Topic]:
        named = rule_of(self.topics)
        return [replace(topic, id=named(topic.id)) for topic in topics]


NO_JOIN = IdJoin()
"""Ids are unchanged."""


def rule_of(names: Sequence[str]) -> _Rule:
    rules = [RULES[name][1] for name in names]

    def apply(name: str) -> str:
        for rule in rules:
            name = rule(name)
        return name

    return apply


def _joined_topics(topics: Sequence[str], rules: Sequence[str], path: object) -> tuple[str, ...]:
    joined = tuple(map(rule_of(rules), topics))
    if len(set(joined)) < len(joined):
        twice = next(name for name in joined if joined.count(name) > 1)
        a, b = [topic for topic, name in zip(topics, joined, strict=True) if name == twice][:2]
        raise DataError(f"topics {a} and {b} become one, {twice}", path=None if path is None else str(path))
    return joined


def nothing_in_common(qrels: Qrels, run: Run) -> str | None:
    """Return a sentence if a run and judgements share no topic, or no document, with a rule to join them.

    None if they share something.  It names two ids of each side, in pairs if they can be joined.
    """
    common = set(qrels.topics) & set(run.topics)
    if not common:
        return _unjoined("topic", run.topics, qrels.topics)
    retrieved, judged = (
        dict.fromkeys(side.document.take(np.flatnonzero(_are(side, common))).strings())
        for side in (run, qrels)
    )
    if not retrieved or retrieved.keys() & judged.keys():
        return None
    return _unjoined("document", list(retrieved), list(judged))


def _are(side: Qrels | Run, topics: Set[str]) -> Mask:
    among = np.array([topic in topics for topic in side.topics], dtype=bool)
    rows: Mask = among[side.topic]
    return rows


def _unjoined(what: str, in_run: Sequence[str], judged: Sequence[str]) -> str:
    rules = joining_rules(in_run, judged)
    named = rule_of(rules)
    by_name = {named(name): name for name in reversed(judged)}
    pairs = [(name, by_name[named(name)]) for name in in_run if named(name) in by_name]
    start = f"no {what} of the run is judged"
    if not rules or not pairs:
        run_ids, judged_ids = (" and ".join(map(repr, names[:2])) for names in (in_run, judged))
        return f"{start}: the run has {run_ids}, the judgements have {judged_ids}"
    examples = " and ".join(f"{a!r} for {b!r}" for a, b in pairs[:2])
    option = f"--join-ids {what}s={','.join(rules)}"
    return f"{start}: ids are spelt differently, {examples}; {option} joins {len(pairs):,} of {len(in_run):,}"


def joining_rules(some: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the fewest rules that join most ids of one side with ids of the other; empty if none does.

    Rules that merge different ids of the other side are not used.
    """
    some, others = _sample(some), _sample(others)
    best: tuple[int, tuple[str, ...]] = (0, ())
    every = chain.from_iterable(combinations(RULES, count) for count in range(1, _MOST_RULES + 1))
    for names in every:
        named = rule_of(names)
        other = set(map(named, others))
        if len(other) < len(set(others)):
            continue
        joined = sum(named(name) in other for name in some)
        if joined > best[0]:  # of equally many, the fewer rules came first
            best = joined, names
    return best[1]


def _sample(names: Sequence[str]) -> list[str]:
    step = max(1, len(names) // _SAMPLE)
    return list(names[::step])


# Query variations: several queries for one topic, such as 101-1 and 101-2.
#
# They share the topic's judgements, and the score of a topic is the mean over its queries, so that each topic
# counts once; tests are paired by topic.  UQV100 is such a collection (Bailey, Moffat, Scholer, Thomas, SIGIR
# 2016).

IDS = "ids"  # the topic is read from the id of the query
_VARIATION = re.compile(r"(.+)[-._](?:\d+|[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Variations:
    """The topics of queries: from a table, or else from the beginning of the id."""

    table: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None
    """The file of the table."""

    @classmethod
    def given(cls, said: Variations | Mapping[str, str] | str | Path | None) -> Variations | None:
        """Return variations as given by a script or the command line: ``ids``, a table, or its file.

        Raises the errors of :meth:`read`.
        """
        if said is None or isinstance(said, Variations):
            return said
        if isinstance(said, Mapping):
            return cls(said)
        return cls() if said == IDS else cls.read(Path(said))

    @classmethod
    def read(cls, path: Path) -> Variations:
        """Read a table, CSV or TSV: a line of headings, the query's id first and its topic second.

        Raises DataError for an invalid table.
        """
        head, rows = read_small_table(path, "a table of queries and topics")
        table: dict[str, str] = {}
        for line, (query, topic, *_) in rows:
            if query in table:
                raise DataError("is repeated", path=path, line=line, field=head[0], value=query)
            table[query] = topic.strip()
        return cls(table, path)

    @property
    def option(self) -> str | None:
        """The value of ``--variations``; None for a table without a file."""
        return str(self.path) if self.path is not None else None if self.table else IDS

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

    def shown(self, run: Run, topics: Collection[str], chosen: dict[str, str]) -> Run:
        """Return a run with the results of one query for each of ``topics`` that has several.

        That is the ``chosen`` query, or else the first one, which is then added to ``chosen``.  Without a
        table, a run that has one of the topics itself is unchanged.
        """
        known = {*topics}
        if not self.table and not known.isdisjoint(run.topics):
            return run
        queries = {}
        for topic, places in self.groups(run.topics).items():
            first = run.topics[places[0]]
            if topic in known and (len(places) > 1 or first != topic):
                queries[topic] = chosen.setdefault(topic, first)
        return replace(run, queries=queries)

    def part_of_run(self, run: Run, subset: Subset, judged: Qrels) -> Run:
        """Return the results that count in a subset, of the queries of its topics; ``judged`` is whole.

        The run warns if the table has none of its queries.
        """
        if self.table and run.topics and self.table.keys().isdisjoint(run.topics):
            problem = f"{self.path or 'the table'} has none of its queries; the first is {run.topics[0]!r}"
            run = replace(run, warnings=(*run.warnings, f"{run.path or run.id}: {problem}"))
        queries = frozenset(query for query in run.topics if self.topic_of(query) in subset.topics)
        asked = replace(subset, topics=subset.topics | queries)
        return asked.of_run(run, self.judgements(judged, run.topics))

    def judgements(self, judged: Qrels, queries: Sequence[str]) -> Qrels:
        """Return judgements in which each query has those of its topic, unless it has its own."""
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
    """Return the places of the queries of each topic if all ids are of queries; else an empty dict.

    That is so if there are several topics, and at least half of them have several queries.
    """
    found = Variations().groups(queries)
    several = sum(len(own) > 1 for own in found.values())
    alone = [topic for topic, own in found.items() if len(own) == 1 and queries[own[0]] == topic]
    return found if len(found) > 1 and 2 * several >= len(found) and not alone else {}
