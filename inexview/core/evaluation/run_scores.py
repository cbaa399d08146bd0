"""What an evaluation gives: the scores of runs, with all that must be said beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from inexview.core.evaluation.bounds import Bounds
from inexview.core.evaluation.counts import Counts
from inexview.core.evaluation.curves import CurveKind, CurvePoints, even_levels, mean_points
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.evaluation.topic_means import TopicScores, topic_means
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import Parameters
from inexview.core.measures.presets import Preset
from inexview.core.text.spans import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class RunScores(TopicScores):
    """The scores of one run; ``curve`` (T, L) is precision at L ``levels`` of recall, where there is one."""

    id: str
    path: Path | None
    task: Task
    preset: Preset
    parameters: Parameters
    counts: Counts
    warnings: tuple[str, ...]
    overlap: str = "allow"
    by_score: bool = False
    """Whether the ranking was made from the scores."""
    notes: tuple[str, ...] = ()
    """What must be beside the scores."""
    curve: Floats | None = None
    points: CurvePoints = field(default_factory=dict)
    """The points of each topic's curve, where another than the interpolated one is asked for."""
    kind: CurveKind = CurveKind.INTERPOLATED
    """What these points are of."""
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    """What measures could be, by their names for a topic, where that was asked for."""

    @property
    def of_judged(self) -> bool:
        """Whether the run has a judged document of a judged topic: without any, all that it scores is 0."""
        return bool(self.topics) and self.counts.total.unjudged < self.counts.total.num_ret

    @property
    def main(self) -> str:
        """The measure, named for a topic, that tells runs apart where none was asked for."""
        usual = self.preset.tasks[self.task].main
        return usual if usual in self.names else self.reported[0]

    @property
    def reported(self) -> tuple[str, ...]:
        """The measures, named for a topic, that the preset's table shows; all where it shows none of them."""
        table = self.preset.tasks[self.task].table
        return tuple(name for name in self.names if name in table) or self.names

    @property
    def levels(self) -> Floats | None:
        """The levels of recall of the curve, evenly from 0 to 1, shape (L,)."""
        return None if self.curve is None else even_levels(self.curve.shape[1])

    @property
    def mean_curve(self) -> Floats:
        """The mean over the topics of the curve, shape (L,): NaN without topics, empty without a curve."""
        if self.curve is None:
            return np.empty(0)
        mean: Floats = self.curve.mean(axis=0) if self.topics else np.full(self.curve.shape[1], math.nan)
        return mean

    @property
    def mean_points(self) -> tuple[Floats, Floats]:
        """The points over all topics, x and y, shape (k,) each, of a kind that averages."""
        return mean_points(self.points, self.kind)

    def is_geometric(self, name: str) -> bool:
        """Tell whether the mean of a measure, named for a topic or for the mean, is the geometric one."""
        own = self.mean_names[self.names.index(name)] if name in self.names else name
        return own in self.geometric

    def mean_of(self, name: str) -> float:
        """Return the mean of a measure, named for a topic or for the mean; NaN without topics."""
        return float(topic_means(self.per_topic(name), geometric=self.is_geometric(name)))

    def per_topic(self, name: str) -> Floats:
        """Return a measure of every topic, shape (T,), by its name for a topic or for the mean."""
        for names in (self.names, self.mean_names):
            if name in names:
                values: Floats = self.values[names.index(name)]
                return values
        raise KeyError(name)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of runs, in the order in which the runs were given."""

    settings: ScoringSettings
    runs: tuple[RunScores, ...]

    def __getitem__(self, run: int | str) -> RunScores:
        """Return the scores of a run by its place or its id.  Raises KeyError for an unknown id."""
        if isinstance(run, int):
            return self.runs[run]
        for scores in self.runs:
            if scores.id == run:
                return scores
        raise KeyError(run)
