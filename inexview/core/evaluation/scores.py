"""The scores of runs: settings, values by topic, means, curves, bounds, counts, and lines for programs.

Means are arithmetic, or geometric as GMAP of trec_eval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.run_parameters import (
    ParameterTable,
    RunParameters,
    Setting,
    headings,
    parameters_of,
    varying,
    written,
)
from inexview.core.evaluation.significance import interval_of_mean
from inexview.core.judgements.elements import ElementRun
from inexview.core.judgements.runs import Run, Task, likely_tasks
from inexview.core.judgements.subsets import Variations
from inexview.core.judgements.tables import Coded, Column, axes_of, frame_of, html_of
from inexview.core.judgements.topics import asks_strictly
from inexview.core.measures.characters import CharacterRanking
from inexview.core.measures.elements import ResultValues
from inexview.core.measures.focused import NewText, Ranks
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import OVERLAPS, Joined, at_rank, new_characters, ratio, running, totals
from inexview.core.measures.measure import PRESETS, Cutoff, Measure, MeasureRecord, Parameters, Preset, parse
from inexview.core.measures.ranked import RankedDocuments, roc_points
from inexview.core.report import NOTHING, PrintedLine, ValueCell, difference_text, figure_text
from inexview.core.text.spans import EMPTY, Floats, Ints, Mask
from inexview.core.wording import distinct_names

LEAST_OF_GEOMETRIC = 0.00001
"""The lowest value of a topic in a geometric mean."""


def logarithms(values: Floats) -> Floats:
    """Return the logarithms that a geometric mean averages, in the shape of the values."""
    found: Floats = np.log(np.maximum(values, LEAST_OF_GEOMETRIC))
    return found


def topic_means(values: Floats, *, geometric: bool = False) -> Floats:
    """Return the means of values (…, T) over their T topics, shape (…); NaN where T is 0."""
    if not values.shape[-1]:
        return np.full(values.shape[:-1], math.nan)
    means: Floats = np.exp(logarithms(values).mean(axis=-1)) if geometric else values.mean(axis=-1)
    return means


def means_without(values: Floats, geometric: Ints | bool) -> Floats:
    """Return the means of values (M, T) without each topic, shape (M, T); NaN for a single topic.

    ``geometric`` gives the rows with geometric means, or one answer for all.
    """
    count = values.shape[1]
    if count < 2:
        return np.full_like(values, math.nan)
    others: Floats = (values.sum(axis=1, keepdims=True) - values) / (count - 1)
    rows = geometric.tolist() if isinstance(geometric, np.ndarray) else range(geometric * len(values))
    for at in rows:
        own = logarithms(values[at])
        others[at] = np.exp((own.sum() - own) / (count - 1))
    return others


def best_first(means: ArrayLike, topics: ArrayLike) -> Ints:
    """Return the indices of means, the best first; ``topics`` (n,) is the number of topics of each mean.

    A mean over fewer topics may be high because hard topics are missing: it follows those over the most.
    """
    own, counts = np.asarray(means, np.float64), np.asarray(topics, np.int64)
    return np.lexsort((-np.nan_to_num(own, nan=-math.inf), counts < counts.max(initial=0)))


def are_best(means: Sequence[float], topics: Sequence[int]) -> list[bool]:
    """Return which means are the highest among those over the most topics."""
    own, most = np.array(means, np.float64), max(topics, default=0)
    eligible: Mask = (np.array(topics) == most) & ~np.isnan(own)
    if len(own) < 2 or not eligible.any():
        return [False] * len(own)
    highest = own[eligible].max()
    best: list[bool] = (eligible & (own == highest)).tolist()
    return best


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicScores:
    """Scores of T ``topics`` by M measures, named ``names`` for a topic and ``mean_names`` for the mean.

    ``values`` is float64 of shape (M, T).
    """

    topics: tuple[str, ...]
    names: tuple[str, ...]
    mean_names: tuple[str, ...]
    values: Floats
    geometric: frozenset[str] = frozenset()
    """The mean names of measures with a geometric mean."""

    @property
    def mean(self) -> dict[str, float]:
        """The means over the topics by name; NaN without topics."""
        named = dict(zip(self.mean_names, topic_means(self.values).tolist(), strict=True))
        for name in self.geometric:
            named[name] = float(topic_means(self.values[self.mean_names.index(name)], geometric=True))
        return named

    def with_values(self, values: Floats, topics: tuple[str, ...]) -> TopicScores:
        """Return other values, shape (M, T), of the same measures for T topics."""
        return TopicScores(
            topics=topics,
            names=self.names,
            mean_names=self.mean_names,
            values=values,
            geometric=self.geometric,
        )

    def mean_with(self, name: str, topic: str, value: float) -> float:
        """Return the mean ``name`` if a scored topic had another value."""
        own = self.values[self.mean_names.index(name)].copy()
        own[self.topics.index(topic)] = value
        return float(topic_means(own, geometric=name in self.geometric))

    def topic(self, topic: str) -> dict[str, float]:
        """Return the measures of one topic by name.  Raises KeyError for a topic that was not scored."""
        if topic not in self.topics:
            raise KeyError(topic)
        return dict(zip(self.names, self.values[:, self.topics.index(topic)].tolist(), strict=True))


# Curves of a ranking, topic by topic: over ranks, over recall, ROC, and over the text that has to be read.
#
# Saw-tooth and ROC: Manning, Raghavan, Schütze, *Introduction to Information Retrieval*, 8.4. The text read
# is that of the results in rank order, each from its beginning to its end.

EFFORT_LEVELS = 11
CurvePoints = Mapping[str, tuple[Floats, Floats]]
"""Topic → x and y, shape (k,) each."""


class CurveKind(StrEnum):
    """The curves of a ranking."""

    INTERPOLATED = "interpolated"
    SAW_TOOTH = "saw-tooth"
    ROC = "roc"
    PRECISION = "precision-by-rank"
    RECALL = "recall-by-rank"
    EFFORT = "effort"

    @property
    def axes(self) -> tuple[str, str]:
        return _AXES[self]

    @property
    def averages(self) -> bool:
        """Whether it has a mean over topics: all topics have points at the same places."""
        return self in (CurveKind.INTERPOLATED, CurveKind.PRECISION, CurveKind.RECALL, CurveKind.EFFORT)


_AXES = {
    CurveKind.INTERPOLATED: ("recall", "precision"),
    CurveKind.SAW_TOOTH: ("recall", "precision"),
    CurveKind.ROC: ("false-positive rate", "true-positive rate"),
    CurveKind.PRECISION: ("rank", "precision"),
    CurveKind.RECALL: ("rank", "recall"),
    CurveKind.EFFORT: ("share found", "characters read"),
}


@dataclass(frozen=True, eq=False)
class RankSteps:
    """Precision and recall after each of the ranks of T topics, shape (m,); ``ptr`` (T+1,) bounds them."""

    precision: Floats
    recall: Floats
    ptr: Ints

    @classmethod
    def of(cls, joined: Joined, parameters: Parameters, view: type[object]) -> RankSteps:
        """Return the steps as the measures of a family count them; ``view`` is the family's."""
        if issubclass(view, DocumentRanks):
            documents = view(joined, parameters)
            return cls(documents.precision, documents.recall, documents.ptr)
        if issubclass(view, RankedDocuments):
            ranked = view(joined, parameters)
            recall = ratio(ranked.found, ranked.nrel[ranked.topic])
            return cls(ranked.found / ranked.rank, recall, ranked.ptr)
        if issubclass(view, ResultValues):
            values = view(joined, parameters)
            return cls(values.precision, ratio(values.found, values.trel[joined.topic]), values.ptr)
        if issubclass(view, CharacterRanking):
            hits = view(joined, parameters).relevant_so_far
            read = running(joined.size, joined.ptr)
            recall = ratio(hits, joined.trel[joined.topic])
            return cls(ratio(hits, read), recall, joined.ptr)
        # Families without precision at a rank count repeated text once, as sets of text do.
        ranks = (view if issubclass(view, Ranks) else NewText)(joined, parameters)
        recall = ratio(ranks.hits, joined.trel[joined.topic])
        return cls(ratio(ranks.hits, ranks.retrieved), recall, ranks.ptr)

    def topic(self, at: int) -> slice:
        return slice(int(self.ptr[at]), int(self.ptr[at + 1]))


def curve_points(joined: Joined, parameters: Parameters, kind: CurveKind, view: type[object]) -> CurvePoints:
    """Return the points of each topic's curve; empty for the interpolated one, which measures provide.

    Precision and recall are those of ``view``, from the family by which the task is scored.
    """
    if kind is CurveKind.INTERPOLATED:
        return {}
    if kind is CurveKind.ROC:
        ranked = RankedDocuments(joined, parameters)
        return {topic: roc_points(ranked, at) for at, topic in enumerate(joined.topics)}
    if kind is CurveKind.EFFORT:
        return dict(zip(joined.topics, _effort(joined), strict=True))
    steps = RankSteps.of(joined, parameters, view)
    points: dict[str, tuple[Floats, Floats]] = {}
    for at, topic in enumerate(joined.topics):
        own = steps.topic(at)
        y = steps.recall[own] if kind is CurveKind.RECALL else steps.precision[own]
        x = steps.recall[own] if kind is CurveKind.SAW_TOOTH else np.arange(1.0, len(y) + 1)
        points[topic] = x, y
    return points


def mean_points(points: CurvePoints, kind: CurveKind) -> tuple[Floats, Floats]:
    """Return the curve over all topics, x and y, shape (k,) each; empty without topics.

    Over ranks it is the mean; a topic without further ranks keeps its last value (0 without any).  Over text
    read it is the median, so that a topic in which a share is never found counts as infinity.
    """
    curves = [y for _, y in points.values()]
    if not curves:
        return np.empty(0), np.empty(0)
    longest = max(points.values(), key=lambda point: len(point[0]))[0]
    table = np.zeros((len(curves), len(longest)))
    for row, y in zip(table, curves, strict=True):
        if len(y):
            row[: len(y)] = y
            row[len(y) :] = y[-1]
    return longest, _medians(table) if kind is CurveKind.EFFORT else table.mean(axis=0)


def _medians(values: Floats) -> Floats:
    """Return the lower median of each column of (T, k)."""
    middle: Floats = np.sort(values, axis=0)[(len(values) - 1) // 2]
    return middle


def _effort(joined: Joined) -> Iterable[tuple[Floats, Floats]]:
    """Yield for each topic the shares of its relevant text, and the characters read until each is found.

    The shares are 0 (the first relevant character), 0.1, … 1; unreached shares are at infinity. Repeated text
    is read again, but found only once.
    """
    shown = joined.sightings
    read_before = (running(joined.size, joined.ptr) - joined.size)[shown.result] + shown.before
    ptr = np.searchsorted(shown.result, joined.ptr)
    so_far = running(shown.size, ptr)
    shares = np.linspace(0.0, 1.0, EFFORT_LEVELS)
    for at, total in enumerate(joined.trel.tolist()):
        own = slice(int(ptr[at]), int(ptr[at + 1]))
        needed = np.maximum(np.ceil(shares * total - 1e-9).astype(np.int64), 1)
        piece = own.start + np.searchsorted(so_far[own], needed)
        characters = np.full(len(shares), np.inf)
        reached = np.flatnonzero(piece < own.stop)
        piece = piece[reached]
        characters[reached] = read_before[piece] + needed[reached] - (so_far[piece] - shown.size[piece])
        yield shares, characters


# Bounds: the lowest and highest values of measures if the unjudged documents were judged, as in Manning,
# Raghavan, Schütze, *Introduction to Information Retrieval*, exercise 8.9 f–h. Unjudged are the retrieved
# documents that are not in the qrels, or have a grade below 0; documents that are neither retrieved nor
# judged are ignored.


@dataclass(frozen=True, eq=False)
class Bounds:
    """The lowest and the highest value of a measure for each of T topics, shape (T,) both."""

    low: Floats
    high: Floats
    geometric: bool = False
    """Whether the measure's mean is geometric."""

    @property
    def mean(self) -> tuple[float, float]:
        """The bounds of the mean; 0 without a topic."""
        low, high = (topic_means(own, geometric=self.geometric) for own in (self.low, self.high))
        return float(low), float(high)


def bounds_of(
    joined: Joined, parameters: Parameters, wanted: Sequence[tuple[MeasureRecord, Cutoff | None]]
) -> Mapping[str, Bounds]:
    """Return the bounds of the wanted ones of P@k, AP, gmAP and gP[k], by their names for a topic."""
    bounds = {}
    for record, cutoff in wanted:
        averaged = record.name in ("AP", "gmAP") and cutoff is None
        if record.view is RankedDocuments and (record.name == "P" or averaged):
            ranked: RankedDocuments = record.seen_by(joined, parameters)
            own = _of_average_precision(ranked) if cutoff is None else _of_precision(ranked, int(cutoff))
        elif record.view is DocumentRanks and record.name == "gP" and cutoff is not None:
            own = _of_generalised_precision(DocumentRanks(joined, parameters), int(cutoff))
        else:
            continue
        bounds[record.label(cutoff)] = replace(own, geometric=record.geometric)
    return bounds


def _unjudged(ranked: RankedDocuments) -> Mask:
    return ~ranked.joined.judged[ranked.joined.firsts]


def _of_precision(ranked: RankedDocuments, k: int) -> Bounds:
    """Return the bounds of P@k: each unjudged document in the first k may be relevant or not."""
    unjudged = running(_unjudged(ranked).astype(np.int64), ranked.ptr)
    low = at_rank(ranked.found, ranked.ptr, k) / k
    return Bounds(low, low + at_rank(unjudged, ranked.ptr, k) / k)


def _of_generalised_precision(documents: DocumentRanks, k: int) -> Bounds:
    """Return the bounds of gP[k]: S(d) of an unjudged document may be anything from 0 to 1."""
    unjudged: Ints = running((documents.joined.row[documents.first] < 0).astype(np.int64), documents.ptr)
    low = at_rank(documents.precision, documents.ptr, k)
    read = np.minimum(np.diff(documents.ptr), k)
    return Bounds(low, low + ratio(at_rank(unjudged, documents.ptr, k), read))


def _of_average_precision(ranked: RankedDocuments) -> Bounds:
    low, high = np.zeros(len(ranked.nrel)), np.zeros(len(ranked.nrel))
    unjudged = _unjudged(ranked)
    for topic in range(len(ranked.nrel)):
        own = slice(int(ranked.ptr[topic]), int(ranked.ptr[topic + 1]))
        low[topic], high[topic] = average_precision_bounds(
            ranked.relevant[own], unjudged[own], int(ranked.nrel[topic])
        )
    return Bounds(low, high)


def average_precision_bounds(
    relevant: Mask, unjudged: Mask, nrel: int, *, hidden: int | None = None
) -> tuple[float, float]:
    """Return the lowest and highest AP of a ranking of n documents.

    ``relevant`` and ``unjudged`` have shape (n,), ``nrel`` is how many documents were judged relevant.
    ``hidden`` is the number of relevant unjudged documents; without it, any number.  AP is highest if the m
    relevant ones are the first m unjudged documents, and lowest if they are the last m.
    """
    places = np.flatnonzero(unjudged)
    numbers = range(len(places) + 1) if hidden is None else [min(hidden, len(places))]
    lows, highs = [], []
    for m in numbers:
        total = nrel + (m if hidden is None else hidden)
        lows.append(_average_precision(relevant, places[len(places) - m :], total))
        highs.append(_average_precision(relevant, places[:m], total))
    return min(lows), max(highs)


def _average_precision(relevant: Mask, more: Ints, nrel: int) -> float:
    ranks = np.sort(np.concatenate((np.flatnonzero(relevant), more))) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).sum()) / nrel if nrel else 0.0


# Counts of what a run retrieved.

JUDGED_DEPTH = 10


@dataclass(frozen=True, slots=True)
class TopicCounts:
    """Counts of one topic, or of all; the first six have the names in INEX's own tool."""

    num_ret: int
    """Documents retrieved."""
    num_rel: int
    """Relevant documents in the qrels."""
    num_rel_ret: int
    """Relevant documents retrieved."""
    ret_size: int
    """Characters retrieved, each once (0 in best-in-context, where a result is a point)."""
    rel_size: int
    """Relevant characters in the qrels (0 if whole documents have grades)."""
    rel_ret_size: int
    """Relevant characters retrieved, each once (0 in best-in-context)."""
    results: int
    """Results in the run."""
    unjudged: int
    """Documents retrieved that were not judged."""
    unknown: int
    """Results that are not in the collection."""
    ties: int
    """Results with the same score as the previous one."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a run: of its topics, and summed over the judged topics that it has."""

    topics_judged: int
    topics_in_run: int
    topics_missing: int
    """Judged topics without a result in the run."""
    topics_ignored: int
    """Topics of the run that are not judged."""
    num_q: int
    """Topics averaged."""
    total: TopicCounts
    """num_rel and rel_size count every judged topic, as INEX's own tool does."""
    topics: dict[str, TopicCounts]
    judged_at: Mapping[str, float] = field(default_factory=dict)
    """Judged@10 by topic: how many of its first ten documents were judged, divided by 10."""

    @property
    def unjudged_share(self) -> float:
        """The share of the retrieved documents that are not judged; NaN if there are none."""
        return self.total.unjudged / self.total.num_ret if self.total.num_ret else math.nan


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
        topics_missing=len(set(joined.qrels.topics) - set(joined.run.topics)),
        topics_ignored=len(set(joined.run.topics) - set(joined.qrels.topics)),
        num_q=len(joined.topics),
        total=TopicCounts(**sums),
        topics=per_topic,
        judged_at=dict(zip(joined.topics, judged_at(joined, JUDGED_DEPTH).tolist(), strict=True)),
    )


def judged_at(joined: Joined, depth: int) -> Floats:
    """Return Judged@depth of each topic, shape (T,): judged documents among the first, over ``depth``."""
    first = joined.firsts
    topic = joined.topic[first]
    rank = np.arange(len(first)) - np.searchsorted(first, joined.ptr)[topic]
    counted = topic[(rank < depth) & joined.judged[first]]
    shares: Floats = np.bincount(counted, minlength=len(joined.topics)) / depth
    return shares


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
    """Count ascending row numbers in each segment."""
    return np.diff(np.searchsorted(rows, ptr))


def _tied(joined: Joined) -> Ints:
    """Return the results with the same score as the previous result of their topic."""
    score = joined.run.compared_score[joined.source]
    tied = np.flatnonzero(score[1:] == score[:-1]) + 1
    own = joined.ptr[np.searchsorted(joined.ptr, tied, side="right") - 1]
    return tied[tied > own]  # the first of a topic has none before it


# Settings.

_NO_TASK = "the file does not declare the task of this run"


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    """How runs are scored: by a preset, and the user's changes to it."""

    preset: str | None = None
    task: Task | None = None
    """The task; None takes each run's own."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that replace the preset's, by name."""
    complete: bool = False
    """Whether to average over all judged topics; else over those that the run has."""
    overlap: str | None = None
    """error, drop or allow; None uses the preset's."""
    limit: int | None = None
    """The limit in results of a topic; None uses the preset's limit."""
    cut: bool = False
    """Whether results beyond the limit are left out."""
    judged_only: bool = False
    """Whether results in unjudged documents are left out."""
    curve: CurveKind = CurveKind.INTERPOLATED
    """The curve that comes with the scores."""
    bounds: bool = False
    """Whether to compute the bounds of measures if the unjudged documents were judged."""
    measures: tuple[Measure, ...] = ()
    """The measures to compute; empty for all of the task."""
    variations: Variations | None = None
    """Which queries ask for the same topic; None if each topic has a single query."""

    def __post_init__(self) -> None:
        if self.overlap is not None and self.overlap not in OVERLAPS:
            raise InexviewError(f"overlap = {self.overlap!r}: it must be {', '.join(OVERLAPS)}")
        if self.limit is not None and self.limit < 1:
            raise InexviewError(f"limit = {self.limit}: it must be a number of results from 1")

    @classmethod
    def given(
        cls,
        task: Task | str | None,
        measures: Measure | str | Iterable[Measure | str] | None,
        **said: Any,
    ) -> ScoringSettings:
        """Return settings; the task and the measures may be given by their names."""
        listed = [measures] if isinstance(measures, Measure | str) else measures or ()
        wanted = tuple(parse(one) if isinstance(one, str) else one for one in listed)
        return cls(task=None if task is None else Task.named(task), measures=wanted, **said)

    def parameters(self, preset: Preset) -> Parameters:
        """Return the preset's parameters with the user's changes."""
        return preset.parameters.changed(**self.changes)


class TaskError(DataError):
    """A run whose task is unknown: none is given, or one that does not exist."""


def task_of(run: Run | ElementRun, settings: ScoringSettings, usual: Task | None = None) -> Task:
    """Return the settings' task, else the run's, else the only one of the preset, else the ``usual`` one.

    Raises TaskError if there is none, or if the run names an unknown task.
    """
    task = settings.task or run.task
    preset = PRESETS.get(settings.preset or "")
    if task is None and preset is not None and len(preset.tasks) == 1:
        (task,) = preset.tasks
    if task is None and not run.unknown_task:
        task = usual
    if task is None and asks_strictly(run.unknown_task):
        strict = f"the task {run.unknown_task!r} counts only elements that the castitles ask for"
        raise TaskError(f"{strict}: give the topics with --strict-targets", path=run.path)
    if task is None:
        problem = f"the task {run.unknown_task!r} is not known" if run.unknown_task else _NO_TASK
        likely = likely_tasks(run) if isinstance(run, Run) and not run.unknown_task else ()
        looks = f": it looks like {' or '.join(likely)}; there are also " if likely else ", one of "
        others = ", ".join(task for task in Task if task not in likely)
        raise TaskError(f"{problem}: give --task{looks}{others}", path=run.path)
    return task


# Scores of runs.


GATHERED = "the results of each document together at its best rank"


@dataclass(frozen=True, eq=False, kw_only=True)
class RunScores(TopicScores):
    """The scores of one run; ``curve`` (T, L), if any, is precision at L ``levels`` of recall."""

    id: str
    path: Path | None
    task: Task
    preset: Preset
    parameters: Parameters
    counts: Counts
    warnings: tuple[str, ...]
    overlap: str = "allow"
    by_score: bool = False
    """Whether the results were ranked by their scores."""
    gathered: bool = False
    """Whether the results of each document were moved to its best rank."""
    notes: tuple[str, ...] = ()
    """Notes about the scores."""
    curve: Floats | None = None
    points: CurvePoints = field(default_factory=dict)
    """The points of each topic's curve, if it is not the interpolated one."""
    kind: CurveKind = CurveKind.INTERPOLATED
    """The kind of curve."""
    queries: tuple[int, ...] = ()
    """The number of queries in the mean of each topic, if topics have several."""
    inside: Floats | None = None
    """Their standard deviation inside each topic, shape (M, T)."""
    settings: Mapping[str, Setting] | None = None
    """The parameters of the run in a table; None if they are read from its id."""
    by_query: TopicScores | None = None
    """The scores of the single queries."""
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    """The bounds of measures by their names for a topic, if requested."""

    def __repr__(self) -> str:
        main = self.mean_names[self.names.index(self.main)]
        return f"<RunScores {self.id!r}: {main} {self.mean[main]:.4f} over {len(self.topics)} topics>"

    @property
    def said(self) -> str:
        """How it was scored: the preset, its parameters, and whether results were gathered."""
        gathered = f"; {GATHERED}" if self.gathered else ""
        return f"{self.preset.said_with(self.parameters, self.task)}{gathered}"

    @property
    def of_judged(self) -> bool:
        """Whether the run retrieves a judged document; otherwise all its scores are 0."""
        return bool(self.topics) and self.counts.total.unjudged < self.counts.total.num_ret

    @property
    def main(self) -> str:
        """The main measure of the preset, named for a topic."""
        usual = self.preset.tasks[self.task].main
        return usual if usual in self.names else self.reported[0]

    @property
    def reported(self) -> tuple[str, ...]:
        """The measures in the preset's table, named for a topic; all measures if it shows none of them."""
        table = self.preset.tasks[self.task].table
        return tuple(name for name in self.names if name in table) or self.names

    @cached_property
    def levels(self) -> Floats | None:
        """The levels of recall of the curve, evenly from 0 to 1, shape (L,)."""
        return None if self.curve is None else np.linspace(0, 1, self.curve.shape[1])

    @cached_property
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
        """Return whether a measure, named for a topic or for the mean, has a geometric mean."""
        own = self.mean_names[self.names.index(name)] if name in self.names else name
        return own in self.geometric

    def mean_of(self, name: str) -> float:
        """Return the mean of a measure, named for a topic or for the mean; NaN without topics."""
        return float(topic_means(self.per_topic(name), geometric=self.is_geometric(name)))

    def interval_of(self, name: str) -> tuple[float, float]:
        """Return the ends of the 95 % interval of a mean by Student's t, named as for ``mean_of``.

        That of a geometric mean is found on the logarithms.  NaN with fewer than two topics.
        """
        values = self.per_topic(name)
        if not self.is_geometric(name):
            return interval_of_mean(values)
        low, high = interval_of_mean(logarithms(values))
        return math.exp(low), math.exp(high)

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

    def __repr__(self) -> str:
        return f"<Evaluation of {', '.join(map(repr, self.runs))}>"

    def __iter__(self) -> Iterator[RunScores]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def _repr_html_(self) -> str:
        """Return the means of the measures in the preset's table, for a notebook."""
        means = [dict(zip(one.names, one.mean.values(), strict=True)) for one in self.runs]
        names = list(dict.fromkeys(name for one in self.runs for name in one.reported))
        rows = [
            (one.id, *(f"{mean[name]:.4f}" if name in mean else "" for name in names), len(one.topics))
            for one, mean in zip(self.runs, means, strict=True)
        ]
        said = ", ".join(dict.fromkeys(f"{one.task}, {one.said}" for one in self.runs))
        return html_of(said, ("run", *names, "topics"), rows, len(rows))

    def frame(self, library: str = "") -> Any:
        """Return the values as a data frame, a row for each run, topic and measure.

        Its columns are ``run_id``, ``query_id``, ``measure``, ``value``.  ``library`` is ``"pandas"`` or
        ``"polars"``; by default the first that is installed.
        """
        counts = [one.values.size for one in self.runs]
        topics = list(dict.fromkeys(topic for one in self.runs for topic in one.topics))
        names = list(dict.fromkeys(name for one in self.runs for name in one.names))
        topic_at, name_at = ({each: at for at, each in enumerate(own)} for own in (topics, names))
        codes = [
            np.array([[topic_at[each] for each in own.topics]] * len(own.names), np.int64).ravel()
            for own in self.runs
        ]
        measures = [np.repeat([name_at[each] for each in own.names], len(own.topics)) for own in self.runs]
        columns: dict[str, Column] = {
            "run_id": Coded([one.id for one in self.runs], np.repeat(np.arange(len(self.runs)), counts)),
            "query_id": Coded(topics, np.concatenate([EMPTY.starts, *codes])),
            "measure": Coded(names, np.concatenate([EMPTY.starts, *measures]).astype(np.int64)),
            "value": np.concatenate([np.empty(0), *(one.values.ravel() for one in self.runs)]),
        }
        return frame_of(columns, library)

    def plot(self, measure: str = "", ax: Any = None) -> Any:
        """Plot each run's mean of a measure, by default the main one, over its values for the topics.

        Returns matplotlib's axes, ``ax`` if given.  Raises KeyError for a measure that was not computed, and
        InexviewError if matplotlib is not installed.
        """
        axes = axes_of(ax)
        for at, one in enumerate(self.runs):
            values = one.per_topic(measure or one.main)
            axes.plot(values, np.full(len(values), at), "|", color="0.5", markersize=14)
            axes.plot(one.mean_of(measure or one.main), at, "o", color="C0")
        axes.set_yticks(range(len(self.runs)), [one.id for one in self.runs])
        axes.invert_yaxis()
        axes.set_xlabel(measure or (self.runs[0].main if self.runs else ""))
        return axes

    def __getitem__(self, run: int | str) -> RunScores:
        """Return the scores of a run by its index or its id.  Raises KeyError for an unknown id."""
        if isinstance(run, int):
            return self.runs[run]
        for scores in self.runs:
            if scores.id == run:
                return scores
        raise KeyError(run)


# Lines of values with all their digits.

ALL = "all"
"""The topic in lines of means over topics."""
HEAD = ("run", "file", "task", "preset", "parameters")
SCORE_HEAD = (*HEAD, "topic", "measure", "value", "topics")


def head_of(scores: RunScores) -> PrintedLine:
    """Return the values under HEAD, with which every line about a run begins."""
    return [
        scores.id,
        str(scores.path),
        scores.task.value,
        scores.preset.name,
        scores.parameters.said_for(scores.task),
    ]


def score_head(runs: Sequence[RunScores]) -> tuple[str, ...]:
    """Return the headings of ``score_lines``: SCORE_HEAD, and the parameters that differ between the runs."""
    return (*SCORE_HEAD, *headings(parameters_of_runs(runs).names, SCORE_HEAD))


def score_lines(
    runs: Sequence[RunScores], *, per_topic: bool, names: Sequence[str] | None = None
) -> Iterator[PrintedLine]:
    """Yield one line per run, topic and measure; ``names`` are the measures, all if None.

    After the number of topics come the parameters of the run, as in ``score_head``.
    """
    parameters = parameters_of_runs(runs)
    for scores, own in zip(runs, parameters.settings, strict=True):
        head, settings = head_of(scores), [own.get(name, "") for name in parameters.names]
        shown = [at for at, name in enumerate(scores.names) if names is None or name in names]
        for topic in scores.topics if per_topic else ():
            values = scores.topic(topic)
            for name in (scores.names[at] for at in shown):
                yield [*head, topic, name, values[name], 1, *settings]
        means, topics = scores.mean, len(scores.topics)
        for name in (scores.mean_names[at] for at in shown):
            yield [*head, ALL, name, means[name] if topics else "", topics, *settings]


def distinguished(runs: Sequence[RunScores]) -> list[RunScores]:
    """Return the runs, with the file's name in ids that several runs share."""
    names = distinct_names([scores.id for scores in runs], [scores.path for scores in runs])
    return [replace(scores, id=name) for scores, name in zip(runs, names, strict=True)]


def parameters_of_runs(runs: Sequence[RunScores]) -> RunParameters:
    """Return the parameters of runs: from a table, or their ids, or the files of runs with one id."""
    return parameters_of([scores.id for scores in distinguished(runs)], [scores.settings for scores in runs])


def with_settings(runs: Sequence[RunScores], table: ParameterTable) -> list[RunScores]:
    """Return runs with their parameters from a table; raises DataError if it has none of the runs."""
    settings = table.of([scores.id for scores in distinguished(runs)])
    return [replace(scores, settings=own) for scores, own in zip(runs, settings, strict=True)]


def curve_head(kind: CurveKind) -> tuple[str, ...]:
    return (*HEAD, "topic", *kind.axes)


def curve_lines(runs: Iterable[RunScores], *, per_topic: bool) -> Iterator[PrintedLine]:
    """Yield the curves, one line per run, topic and point; curves without a mean topic by topic."""
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
    """Return cells of means: the best in bold, those over fewer than the most topics with their number."""
    most = max(topics, default=0) if most is None else most
    best = are_best(means, topics)
    return [
        ValueCell(figure_text(mean), best=bold, count="" if count >= most or not count else f"({count})")
        for mean, count, bold in zip(means, topics, best, strict=True)
    ]


# The table of runs: its columns, each declared once for the window, the command line and exports.
#
# A column defines its heading, its cells, the number by which it sorts runs, and when it is shown. A new one
# in `run_columns` is in the window, in `inexview eval`, and in exports of both for a paper.

TOPICS, DIFFERENCE = "topics", "vs base"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run's line in the table: its means by measure, and the number of its judged topics."""

    name: str
    figures: Mapping[str, float] = field(default_factory=dict)
    covered: int | None = None
    """The number of judged topics in its figures; None without figures."""
    judged: int = 0
    difference: float | None = None
    """Its mean less the baseline's, with the test's mark, and the number of topics if others have more."""
    mark: str = ""
    shared: str = ""
    baseline: bool = False
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """The parameters that differ between the runs, with this run's settings."""

    @property
    def complete(self) -> bool:
        """Whether it has results for every judged topic."""
        return self.covered is None or self.covered >= self.judged

    @property
    def coverage(self) -> str:
        """The topics covered: 68, or 66/68 if some are missing."""
        if self.covered is None:
            return NOTHING
        return str(self.covered) if self.complete else f"{self.covered}/{self.judged}"

    @property
    def compared(self) -> ValueCell:
        """The difference from the baseline, with its mark; bold if significant."""
        if self.baseline:
            return ValueCell("baseline")
        if self.difference is None:
            return ValueCell(NOTHING)
        text = difference_text(self.difference, 4)
        return ValueCell(text, best=self.mark == "†", mark=self.mark, count=self.shared)


@dataclass(frozen=True, slots=True)
class RunColumn:
    """One column; ``number`` is its sort key for a run, None if the run has no value."""

    heading: str
    cells: Callable[[Sequence[RunLine]], list[ValueCell]]
    number: Callable[[RunLine], float | None] = lambda _line: None
    wanted: Callable[[Sequence[RunLine]], bool] = lambda _lines: True

    def text(self, line: RunLine) -> str:
        """Return its text for one run, without the number of topics."""
        (cell,) = self.cells([line])
        return cell.text + cell.mark


def run_columns(measures: Sequence[str], lines: Sequence[RunLine]) -> tuple[RunColumn, ...]:
    """Return the columns after the run's name: parameters, measures, and the columns of all runs."""
    parameters = varying([line.settings for line in lines])
    named = headings(parameters.names, ("run", *measures, TOPICS, DIFFERENCE))
    return (
        *(_parameter_column(*names, parameters) for names in zip(named, parameters.names, strict=True)),
        *map(_measure_column, measures),
        RunColumn(
            TOPICS,
            lambda lines: [ValueCell(line.coverage) for line in lines],
            lambda line: line.covered,
            lambda lines: any(not line.complete for line in lines),
        ),
        RunColumn(
            DIFFERENCE,
            lambda lines: [line.compared for line in lines],
            lambda line: line.difference,
            lambda lines: any(line.difference is not None for line in lines),
        ),
    )


def _parameter_column(heading: str, name: str, parameters: RunParameters) -> RunColumn:
    """Return the column of a parameter, which sorts numbers before texts."""
    places = {value: at for at, value in enumerate(parameters.values(name))}

    def cells(lines: Sequence[RunLine]) -> list[ValueCell]:
        return [ValueCell(written(line.settings.get(name, NOTHING))) for line in lines]

    def place(line: RunLine) -> float | None:
        return places.get(line.settings[name]) if name in line.settings else None

    return RunColumn(heading, cells, place)


def _measure_column(measure: str) -> RunColumn:
    """Return the column of a measure's mean; the best is bold, and one over fewer topics has their number."""

    def cells(lines: Sequence[RunLine]) -> list[ValueCell]:
        there = [line for line in lines if measure in line.figures]
        judged = max((line.judged for line in there), default=0)
        means = mean_cells(
            [line.figures[measure] for line in there], [line.covered or 0 for line in there], judged
        )
        shown = dict(zip(map(id, there), means, strict=True))
        return [shown.get(id(line), ValueCell(NOTHING)) for line in lines]

    return RunColumn(measure, cells, lambda line: line.figures.get(measure))


def run_rows(
    lines: Sequence[RunLine], columns: Sequence[RunColumn]
) -> tuple[tuple[str, ...], tuple[tuple[ValueCell, ...], ...]]:
    """Return headings and rows of the table for printing and saving."""
    cells = [[ValueCell(line.name) for line in lines], *(column.cells(lines) for column in columns)]
    return ("run", *(column.heading for column in columns)), tuple(zip(*cells, strict=True))
