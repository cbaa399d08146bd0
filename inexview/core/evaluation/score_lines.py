"""Scores as lines of values with all their digits: what ``eval --format csv`` prints and a chart saves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.topic_means import are_best
from inexview.core.report import PrintedLine, ValueCell, figure_text
from inexview.core.wording import told_apart

ALL = "all"
"""What stands for the mean over topics where a topic is named."""
HEAD = ("run", "file", "task", "preset", "parameters")
SCORE_HEAD = (*HEAD, "topic", "measure", "value", "topics")


def head_of(scores: RunScores) -> PrintedLine:
    """Return what is first in every line about a run, under HEAD."""
    return [
        scores.id,
        str(scores.path),
        scores.task.value,
        scores.preset.name,
        scores.parameters.said_for(scores.task),
    ]


def score_lines(
    runs: Iterable[RunScores], *, per_topic: bool, names: Sequence[str] | None = None
) -> Iterator[PrintedLine]:
    """Yield one line per run, topic and measure; ``names`` are the measures, all where it is None.

    The last value is how many topics it is over.
    """
    for scores in runs:
        head = head_of(scores)
        shown = [at for at, name in enumerate(scores.names) if names is None or name in names]
        for topic in scores.topics if per_topic else ():
            values = scores.topic(topic)
            yield from ([*head, topic, scores.names[at], values[scores.names[at]], 1] for at in shown)
        means, topics = scores.mean, len(scores.topics)
        for name in (scores.mean_names[at] for at in shown):
            yield [*head, ALL, name, means[name] if topics else "", topics]


def distinguished(runs: Sequence[RunScores]) -> list[RunScores]:
    """Return the runs with their files for the ids that several have, for tables that name runs alone."""
    names = told_apart([scores.id for scores in runs], [scores.path for scores in runs])
    return [replace(scores, id=name) for scores, name in zip(runs, names, strict=True)]


def curve_head(kind: CurveKind) -> tuple[str, ...]:
    """Return what is above the lines of a curve."""
    return (*HEAD, "topic", *kind.axes)


def curve_lines(runs: Iterable[RunScores], *, per_topic: bool) -> Iterator[PrintedLine]:
    """Yield the curves, one line per run, topic and place; what has no mean is told topic by topic."""
    for scores in runs:
        head = head_of(scores)
        for topic, (x, y) in _curves(scores, per_topic=per_topic):
            yield from ([*head, topic, *point] for point in zip(x, y, strict=True))


def _curves(
    scores: RunScores, *, per_topic: bool
) -> Iterator[tuple[str, tuple[Sequence[str | float], list[float]]]]:
    """Yield topic, x and y of the curves of one run."""
    if scores.kind is not CurveKind.INTERPOLATED:
        for topic, (x, y) in scores.points.items() if per_topic or not scores.kind.averages else ():
            yield topic, (x.tolist(), y.tolist())
        if scores.kind.averages:
            x, y = scores.mean_points
            yield ALL, (x.tolist(), y.tolist())
    elif scores.curve is not None and scores.levels is not None:
        levels = [f"{level:.2f}" for level in scores.levels.tolist()]
        for topic, curve in zip(scores.topics, scores.curve, strict=True) if per_topic else ():
            yield topic, (levels, curve.tolist())
        if scores.topics:
            yield ALL, (levels, scores.mean_curve.tolist())


def mean_cells(means: Sequence[float], topics: Sequence[int], most: int | None = None) -> list[ValueCell]:
    """Return means, the best in bold; those over fewer topics than the most carry their number."""
    most = max(topics, default=0) if most is None else most
    best = are_best(means, topics)
    return [
        ValueCell(figure_text(mean), best=bold, count="" if count >= most or not count else f"({count})")
        for mean, count, bold in zip(means, topics, best, strict=True)
    ]
