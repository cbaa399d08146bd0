"""Parts of judgements and runs: topics, target elements, or documents by their share of relevant text.

The shares are those of Wade, Allan, *Passage Retrieval and Evaluation*, CIIR 2005, tables 6 and 7."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import asks_strictly
from inexview.core.text.id_columns import Keys
from inexview.core.text.spans import Ints, Mask


@dataclass(frozen=True, slots=True)
class Subset:
    """Which part of judgements and runs counts."""

    topics: frozenset[str] = frozenset()
    """The topics; all where there is none."""
    targets: Mapping[str, frozenset[str]] | None = None
    """The tags of each topic's target elements, where no other element counts."""
    low: float = 0.0
    """Relevant documents count whose share of relevant text is above ``low`` and at most ``high``."""
    high: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise InexviewError(f"a share of {self.low:g} … {self.high:g}: it must rise, from 0 to 1 at most")

    def __bool__(self) -> bool:
        return bool(self.topics) or self.by_share or self.targets is not None

    @property
    def by_share(self) -> bool:
        """Whether the share of relevant text counts."""
        return (self.low, self.high) != (0.0, 1.0)

    def of_qrels(self, qrels: Qrels) -> Qrels:
        """Return the judgements that count.  Raises InexviewError where none does."""
        if self.targets is not None:
            raise InexviewError("target elements count where elements are judged: give assessment XML")
        if not self:
            return qrels
        kept = np.flatnonzero(self._of_topics(qrels) & ~self._outside(qrels))
        if not len(kept):
            raise InexviewError("no judgement is in the part asked for")
        return _with_topics_that_are_there(qrels.take(kept))

    def of_run(self, run: Run, qrels: Qrels) -> Run:
        """Return the results that count: of the topics, and not in documents whose judgement does not.

        ``qrels`` are the whole judgements.
        """
        if not self:
            return run
        kept = np.ones(len(run), dtype=bool)
        if self.topics:
            kept &= np.array([topic in self.topics for topic in run.topics], dtype=bool)[run.topic]
        if self.by_share:
            code = _codes(run.topics, qrels.topics)[run.topic]
            known = np.flatnonzero(code >= 0)
            row = qrels.index.find(Keys(code[known], run.document.take(known)))
            kept[known] &= ~(self._outside(qrels)[row] & (row >= 0))
        return run.only(np.flatnonzero(kept))

    def of_elements(self, qrels: ElementQrels) -> ElementQrels:
        """Return the judged elements of the topics.  Raises InexviewError where shares are asked for."""
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
        """Return the rankings of the topics, of their target elements: what SSCAS and SVCAS ask for."""
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
        """Tell whether an element is one of the topic's targets; a topic that names none takes all."""
        tags = None if self.targets is None else self.targets.get(topic)
        return not tags or path.rpartition("/")[2].partition("[")[0] in tags

    def _of_topics(self, qrels: Qrels) -> Mask:
        if not self.topics:
            return np.ones(len(qrels), dtype=bool)
        return np.array([topic in self.topics for topic in qrels.topics], dtype=bool)[qrels.topic]

    def _outside(self, qrels: Qrels) -> Mask:
        """Tell which relevant documents have another share of relevant text, shape (n,)."""
        # A document whose length is too short for its relevant text is all relevant; one without a length
        # has no share.
        share = np.where(qrels.length > 0, np.minimum(qrels.rsize / np.maximum(qrels.length, 1), 1.0), 2.0)
        outside: Mask = (qrels.rsize > 0) & ((share <= self.low) | (share > self.high))
        return outside if self.by_share else np.zeros(len(qrels), dtype=bool)


def share_of_text(written: str) -> tuple[float, float]:
    """Return the ends of a share written in percent, like 0-35, from 0 to 1; raises ValueError for others."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)-(\d{1,3}(?:\.\d+)?)", written)
    if match is None:
        raise ValueError(f"{written!r} is not a share: write it like 0-35")
    return float(match[1]) / 100, float(match[2]) / 100


def found_by(qrels: Qrels, runs: Sequence[Run]) -> Qrels:
    """Return the judgements of documents that one of the runs retrieves; raises InexviewError without any."""
    found = np.zeros(len(qrels), dtype=bool)
    for run in runs:
        code = _codes(run.topics, qrels.topics)[run.topic]
        known = np.flatnonzero(code >= 0)
        row = qrels.index.find(Keys(code[known], run.document.take(known)))
        found[row[row >= 0]] = True
    kept = np.flatnonzero(found)
    if not len(kept):
        raise InexviewError("no judged document is in the runs")
    return _with_topics_that_are_there(qrels.take(kept))


def _codes(topics: Sequence[str], known: Sequence[str]) -> Ints:
    """Return the places of topics among known ones, −1 for others."""
    places = {topic: at for at, topic in enumerate(known)}
    return np.array([places.get(topic, -1) for topic in topics], dtype=np.int64)


def _with_topics_that_are_there(qrels: Qrels) -> Qrels:
    there, code = np.unique(qrels.topic, return_inverse=True)
    return replace(
        qrels, topics=tuple(qrels.topics[at] for at in there.tolist()), topic=code.astype(np.int64)
    )


# Judgement groups: several judges of the same topics, whose documents each may grade otherwise.


@dataclass(frozen=True, eq=False)
class JudgementGroups:
    """What each judge said: ``groups`` by the judges' names, each with the topics that this judge judged."""

    groups: Mapping[str, Qrels]
    together: Qrels
    """Each document that somebody judged, with the highest grade that it was given."""

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.together.warnings

    def part(self, subset: Subset) -> JudgementGroups:
        """Return the judgements that count.  Raises InexviewError where none does."""
        together = subset.of_qrels(self.together)
        left = set(together.topics)
        groups = {
            name: subset.of_qrels(group) for name, group in self.groups.items() if left & set(group.topics)
        }
        return JudgementGroups(groups, together)
