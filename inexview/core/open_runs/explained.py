"""What figures of runs and topics are made of, and how they change without a part."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations import Derivation, DerivationRow, derive_prepared
from inexview.core.evaluation.evaluate import prepare
from inexview.core.evaluation.explain import ElementScoring
from inexview.core.evaluation.run_derivations import (
    DerivedDifference,
    derive_difference,
    derive_means,
    derive_point,
)
from inexview.core.evaluation.scores import CurveKind, ScoringSettings, TopicScores
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.variants import ROUNDING, TopicWithout, leave_out_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.judgements.subsets import Subset
from inexview.core.progress import Cancelled, Progress
from inexview.core.report import difference_text
from inexview.core.text.spans import Floats


class Explained(Protocol):
    """Everything that figures of one level are made of."""

    @property
    def derivations(self) -> Mapping[str, Derivation]:
        """The derivations by measure."""

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how a measure changes without a row; NaN where that is not said."""


@dataclass(frozen=True, eq=False)
class ExplainedRun:
    """What the means of a run are made of: its topics; and ``more`` that is said of the run."""

    derivations: Mapping[str, Derivation]
    means: tuple[str, ...]
    without: Floats

    @classmethod
    def of(cls, scores: TopicScores, more: Mapping[str, Derivation] | None = None) -> ExplainedRun:
        told, without = derive_means(scores)
        means = {one.measure: one for one in told}
        return cls({**means, **(more or {})}, tuple(means), without)

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how the mean changes without a topic."""
        if measure not in self.means:
            return math.nan
        own = self.means.index(measure)
        return float(self.without[own, row.rank - 1] - self.derivations[measure].value)


@dataclass(frozen=True, eq=False)
class ExplainedAlone:
    """Figures of a document, or of several runs: of none it is said here how it changes without a row."""

    derivations: Mapping[str, Derivation]

    def left_out(self, measure: str, row: DerivationRow) -> float:
        return math.nan


@dataclass(frozen=True, eq=False)
class ExplainedTopic:
    """Everything that a topic's measures are made of, under one run."""

    run: Run
    topic: str
    derivations: dict[str, Derivation]
    without: TopicWithout

    @classmethod
    def of(
        cls,
        qrels: Qrels,
        run: Run,
        settings: ScoringSettings,
        topic: str,
        point: tuple[CurveKind, int] | None = None,
    ) -> ExplainedTopic | None:
        """Derive the measures of a topic, and a point of its curve; slow, for a worker thread.

        None where it was not scored.
        """
        try:
            judged = Subset(topics=frozenset((topic,))).of_qrels(qrels)
            prepared = prepare(judged, ranking_of(run, topic), settings)
            if topic not in prepared.joined.topics:
                return None
            told, without = derive_prepared(prepared, topic), leave_out_of(prepared, topic)
            of_point = None if point is None else derive_point(prepared, point[0], topic, point[1])
        except InexviewError:
            return None
        every = told if of_point is None else [of_point, *told]
        return cls(run, topic, {one.measure: one for one in every}, without)

    @classmethod
    def of_elements(
        cls, elements: ElementScoring, run: Run, settings: ScoringSettings, topic: str, progress: Progress
    ) -> ExplainedTopic | None:
        """Derive the measures of a topic by judged elements; None where it was not scored."""
        try:
            told = elements.explain(run, settings, topic, progress)
        except Cancelled:
            raise
        except InexviewError:
            return None
        return cls(run, topic, {one.measure: one for one in told.derivations}, told.without)

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how a measure changes without a row's document, passage or element; NaN where none knows."""
        if measure not in self.without.names:
            return math.nan
        own = self.without.of(measure)
        at = row.rank - 1
        whole = row.start is None and not row.element
        parts = self.without.without_document if whole else self.without.without_result
        return float(parts[own, at] - self.without.values[own]) if at < parts.shape[1] else math.nan


@dataclass(frozen=True, eq=False)
class ExplainedDifference:
    """What the figures of one less those of the other are made of, and ``more`` that is said of the two."""

    first: Explained
    second: Explained
    differences: Mapping[str, DerivedDifference]
    more: Mapping[str, Derivation] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        first: Explained | None,
        second: Explained | None,
        names: tuple[str, str],
        measures: Sequence[str],
        more: Mapping[str, Derivation] | None = None,
    ) -> ExplainedDifference | None:
        """Derive the differences in measures that both have; None where one has none."""
        if first is None or second is None:
            return None
        told = {
            name: derive_difference(first.derivations[name], second.derivations[name], names)
            for name in measures
        }
        return cls(first, second, told, more or {})

    @property
    def derivations(self) -> Mapping[str, Derivation]:
        """The differences by the measures that they are in."""
        return {**{name: one.derivation for name, one in self.differences.items()}, **self.more}

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how the difference changes where neither has a row; NaN where that is not said."""
        if measure not in self.differences:
            return math.nan
        one, other = self.differences[measure].pairs[row.rank - 1]
        first = 0.0 if one is None else self.first.left_out(measure, one)
        return first - (0.0 if other is None else self.second.left_out(measure, other))


SMALL = 0.00005  # what four decimals do not show


def change_text(change: float) -> str:
    """Write how a measure changes; one too small for the digits has no sign, and none is 0."""
    if abs(change) < ROUNDING:
        return "0"
    return difference_text(change, 4) if abs(change) >= SMALL else "0.0000"
