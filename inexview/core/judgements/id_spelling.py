"""Ids that judgements and a run spell differently: what joins them, and saying so where nothing else would.

A rule takes off what one side has and the other has not: `.xml`, a folder, leading zeros, the place of a
passage.  Rules are applied to both sides, so that it does not matter which side has more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, combinations
from urllib.parse import unquote

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.text.id_columns import Keys, Names
from inexview.core.text.spans import Mask
from inexview.core.wording import counted

_Rule = Callable[[str], str]


def _without(pattern: str) -> _Rule:
    """Return a rule that takes a form off, where something is left."""
    compiled = re.compile(pattern)
    return lambda name: compiled.sub("", name) or name


def _unescaped(name: str) -> str:
    return unicodedata.normalize("NFC", unquote(name))


_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}")
_SEPARATOR = re.compile("[_:-]")
_PLACE_BACKWARDS = re.compile(r"\d[_:\d-]*")

# These two look from the end: a pattern that begins again at each character takes the square of their number.


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
    "case": ("upper case counts as lower case", str.casefold),
    "escapes": ("%20 is a blank, and é is written in one way", _unescaped),
    "folder": ("what is before the last / is left out", _without(r"(?s)\A.*[/\\](?=[^/\\])")),
    "extension": (".xml, .html and their like are left out", _without_extensions),
    "passage": (
        "the place of a passage behind the id is left out: _0_62, #3, :12-40",
        _without_passage,
    ),
    "suffix": (
        "a number or language behind the id is left out: .1, -v2, _en",
        _without(r"[._-](?:v?\d+|[a-z]{2})\Z"),
    ),
    "prefix": ("what is before the number is left out: MB051 is 051", _without(r"\A\D+(?=\d+\Z)")),
    "zeros": ("zeros before a number are left out: 051 is 51", _without(r"(?<!\d)0+(?=\d)")),
}
"""The rules by name, in the order in which several are applied, each with what it does."""
_MOST_RULES = 3  # at once
_SAMPLE = 2_000  # ids of each side that rules are tried with


@dataclass(frozen=True, slots=True)
class IdJoin:
    """The rules by which topics and documents of two sides are joined."""

    topics: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> IdJoin:
        """Read rules as ``documents=folder,extension`` or, for topics and documents, ``zeros``.

        Raises InexviewError, which lists the rules, for one that does not exist.
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
        """Return judgements with their ids by the rules.

        Raises DataError where two topics become one, or two documents that are judged differently.
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
        """Return a run with its ids by the rules; a run of documents has each once, at its first place.

        Raises DataError where two topics become one.
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
        """Return topics with their ids by the rules."""
        named = rule_of(self.topics)
        return [replace(topic, id=named(topic.id)) for topic in topics]


NO_JOIN = IdJoin()
"""Ids are read as they are."""


def rule_of(names: Sequence[str]) -> _Rule:
    """Return what applies these rules, in their order."""
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
    """Say that a run and judgements share no topic, or no document, and what rule joins their ids.

    None where they share something.  Two ids of each side are named, beside each other where they join.
    """
    common = set(qrels.topics) & set(run.topics)
    if not common:
        return _told("topic", run.topics, qrels.topics)
    retrieved, judged = (
        dict.fromkeys(side.document.take(np.flatnonzero(_are(side, common))).strings())
        for side in (run, qrels)
    )
    if not retrieved or retrieved.keys() & judged.keys():
        return None
    return _told("document", list(retrieved), list(judged))


def _are(side: Qrels | Run, topics: Set[str]) -> Mask:
    """Tell which rows are of these topics."""
    among = np.array([topic in topics for topic in side.topics], dtype=bool)
    rows: Mask = among[side.topic]
    return rows


def _told(what: str, in_run: Sequence[str], judged: Sequence[str]) -> str:
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
    """Return the fewest rules that join most ids of one side with ids of the other; none where no rule joins.

    Rules that make one of different ids of the other side are not taken.
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
        if joined > best[0]:  # of as many, the fewer rules came first
            best = joined, names
    return best[1]


def _sample(names: Sequence[str]) -> list[str]:
    step = max(1, len(names) // _SAMPLE)
    return list(names[::step])
