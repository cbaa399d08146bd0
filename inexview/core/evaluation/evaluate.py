"""Qrels × runs → scores: a run joined to qrels by the rules of its task, and its measures for every topic.

Runs are scored by judged passages, documents, elements, or groups of judges; sentences warn of what makes
means less than they seem.

The worked example of the definitions, by hand and here:

>>> from inexview import Judgement, Qrels, Result, Run, Spans
>>> qrels = Qrels.from_judgements([
...     Judgement("1", "A", 300, 1000, 120, Spans([(100, 300), (500, 600)])),
...     Judgement("1", "B", 50, 500, 0, Spans([(0, 50)])),
...     Judgement("1", "C", 0, 800, None, Spans()),
...     Judgement("1", "D", 400, 400, 0, Spans([(0, 400)])),
... ])
>>> def run(*passages):
...     return Run.from_results(
...         Result("1", document, rank, None, start, start + size)
...         for rank, (document, start, size) in enumerate(passages, 1)
...     )
>>> def scores(run, task, **settings):
...     means = evaluate(qrels, run, task=task, **settings)[0].mean
...     return {name: round(value, 6) for name, value in means.items()}

>>> focused = scores(run(("A", 50, 150), ("C", 0, 100), ("B", 0, 100), ("A", 450, 200)), "focused")
>>> focused["iP[0.00]"], focused["iP[0.10]"], focused["MAiP"]
(0.666667, 0.666667, 0.182418)
>>> shown = run(("A", 50, 150), ("A", 450, 200), ("C", 0, 100), ("B", 0, 100), ("Z", 0, 500))
>>> scores(shown, "relevant-in-context")["MAgP"], scores(shown, "relevant-in-context", beta=0.25)["MAgP"]
(0.347578, 0.31336)
>>> entries = run(("A", 150, 0), ("C", 0, 0), ("D", 700, 0), ("B", 0, 0))
>>> [scores(entries, "best-in-context", n=n)["MAgP"] for n in (1000, 500)]
[0.653611, 0.579444]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.run_parameters import with_parameters
from inexview.core.evaluation.scores import (
    HEAD,
    Counts,
    CurveKind,
    Evaluation,
    RunScores,
    ScoringSettings,
    TopicCounts,
    bounds_of,
    count,
    curve_points,
    parameters_of_runs,
    task_of,
)
from inexview.core.formats.readers import Table, given_qrels, given_runs
from inexview.core.judgements.elements import ElementQrels, ElementRun, ancestors
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import Run, Task, lengths_as_ends
from inexview.core.judgements.subsets import JudgementGroups, Variations, nothing_in_common
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.focused import ONLY_NEW, NewText, Ranks
from inexview.core.measures.in_context import entry_score
from inexview.core.measures.joined import (
    BrokenRule,
    Joined,
    Limit,
    apply_rules,
    beyond,
    cut,
    join,
    new_characters,
    one_topic,
    without_overlaps,
)
from inexview.core.measures.measure import (
    Cutoff,
    Measure,
    MeasureRecord,
    MeasureView,
    Parameters,
    Preset,
    family,
    find,
    parse,
    preset_for,
    resolve,
)
from inexview.core.report import NOTHING, PrintedLine, ValueCell, ValueTable, figure_text
from inexview.core.text.spans import Floats, Ints
from inexview.core.wording import CountedSentence, counted, percent, some_named

# Warnings.

REREAD = ", but nearly all fit if their last field is the end of the passage: use --fol-end"


def warnings_of(joined: Joined, *, complete: bool) -> tuple[str, ...]:
    """Return warnings of what makes the means of a run misleading."""
    where = str(joined.run.path or joined.run.id)
    warnings = warnings_of_topics(joined.qrels.topics, joined.run.topics, where, complete=complete)
    if not np.any(joined.row >= 0) and (apart := nothing_in_common(joined.qrels, joined.run)):
        warnings = [f"{where}: {apart}"]
    barren = [topic for topic, nrel in zip(joined.topics, joined.nrel.tolist(), strict=True) if not nrel]
    if barren:
        named = f"no relevant document ({some_named(barren)})"
        one, many = f"topic has {named}: it scores 0", f"topics have {named}: they score 0"
        warnings.append(CountedSentence(len(barren), one, many, where))
    if joined.run.by_score and joined.task is Task.BEST_IN_CONTEXT:
        warnings.append(f"{where}: ranks documents only; each is taken to be entered at its first character")
    if past := past_their_documents(joined, where):
        warnings.append(past)
    return tuple(warnings)


def warnings_of_topics(
    judged: Sequence[str], in_run: Sequence[str], where: str, *, complete: bool
) -> list[str]:
    """Return warnings of judged topics without results, and of topics that are not judged."""
    has, known = set(in_run), set(judged)
    warnings = []
    missing = [topic for topic in judged if topic not in has]
    if missing:
        one = len(missing) == 1
        if complete:
            how = "it counts as 0" if one else "they count as 0"
        else:
            left, them = ("it is left", "it") if one else ("they are left", "them")
            how = f"{left} out of the mean (--complete counts {them} as 0)"
        topics = counted(len(judged), "judged topic")
        warnings.append(f"{where}: no result for {len(missing)} of {topics} ({some_named(missing)}); {how}")
    ignored = [topic for topic in in_run if topic not in known]
    if ignored:
        named = f"not judged ({some_named(ignored)}): ignored"
        warnings.append(CountedSentence(len(ignored), f"topic was {named}", f"topics were {named}", where))
    return warnings


def past_their_documents(joined: Joined, where: str = "") -> CountedSentence | None:
    """Return a warning of results that extend past their document, and of lengths that look like ends."""
    placed_rows = np.flatnonzero((joined.row >= 0) & joined.known)
    length = joined.qrels.length[joined.row[placed_rows]]
    placed_rows, length = placed_rows[length > 0], length[length > 0]
    counted_so = lengths_as_ends(joined.start[placed_rows], joined.size[placed_rows], length)
    if not counted_so.past:
        return None
    hint = REREAD if counted_so.likely else ""
    one, many = "result runs past the end of its document", "results run past the end of their document"
    return CountedSentence(counted_so.past, one + hint, many + hint, where)


# Measures.

WantedMeasure = tuple[MeasureRecord, Cutoff | None]
"""A measure to compute: its record, and its cut-off if it takes one."""


def wanted_measures(
    settings: ScoringSettings, families: Sequence[str], table: Sequence[str] = ()
) -> list[WantedMeasure]:
    """Return the measures to compute: those of the settings, else all of the table's families."""
    if settings.measures:
        resolved = [resolve(wanted, families) for wanted in settings.measures]
        return [(record, wanted.cutoff) for record, wanted in dict.fromkeys(resolved)]
    shown = dict.fromkeys([families[0], *(find(parse(name).name, families).family for name in table)])
    return [(record, usual.cutoff) for own in shown for record in family(own) for usual in record.usual()]


def compute(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> tuple[Floats, Floats | None]:
    """Compute measures, shape (M, T), and the first curve of their views, shape (T, L)."""
    values, views = _values_and_views(joined, parameters, wanted)
    curves = [view.interpolated for view in views if hasattr(view, "interpolated")]
    return values, curves[0] if curves else None


def values_of(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> Floats:
    """Compute measures alone, shape (M, T)."""
    return _values_and_views(joined, parameters, wanted)[0]


def _values_and_views(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> tuple[Floats, Iterable[MeasureView]]:
    views: dict[tuple[type[MeasureView], object], MeasureView] = {}
    values = np.empty((len(wanted), len(joined.topics)))
    for at, (record, cutoff) in enumerate(wanted):
        seen = record.view, record.changes
        if seen not in views:
            views[seen] = record.seen_by(joined, parameters)
        given = () if record.at is None else (cutoff,)
        values[at] = record.compute(views[seen], *given)
    return values, views.values()


# Preparing a run: joined to qrels by the rules of its task.


@dataclass(frozen=True, eq=False)
class PreparedRun:
    """A run joined to qrels, with all settings that affect its scores."""

    joined: Joined
    preset: Preset
    parameters: Parameters
    wanted: tuple[WantedMeasure, ...]
    overlap: str
    warnings: tuple[str, ...]
    before: Joined
    """All results, including those that the rules leave out."""
    cut_at: Limit | None = None
    """The limit beyond which results are left out; None if nothing is cut."""
    judged_only: bool = False
    once: bool = False
    """Whether results overlap, so that only the new characters of each count."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(record.label(cutoff) for record, cutoff in self.wanted)

    @property
    def mean_names(self) -> tuple[str, ...]:
        """The measures' names for the mean over topics."""
        return tuple(record.label(cutoff, mean=True) for record, cutoff in self.wanted)

    @property
    def geometric(self) -> frozenset[str]:
        """The mean names of measures with a geometric mean."""
        return frozenset(
            record.label(cutoff, mean=True) for record, cutoff in self.wanted if record.geometric
        )

    @property
    def view(self) -> type[object]:
        """The view of the family by which the task is scored."""
        usual = family(self.preset.tasks[self.joined.task].families[0])[0].view
        return NewText if self.once and usual is Ranks else usual

    def of_topic(self, topic: str) -> PreparedRun:
        """Return the same of one topic only; raises InexviewError for one that is not scored."""
        return replace(self, joined=one_topic(self.joined, topic), before=one_topic(self.before, topic))

    def counted(self, joined: Joined) -> Joined:
        """Return the results that count: without overlaps, within the limit, in judged documents."""
        if self.overlap == "drop" and joined.task not in (Task.BEST_IN_CONTEXT, Task.DOCUMENTS):
            joined = without_overlaps(joined)
        if self.cut_at is not None:
            joined = cut(joined, self.cut_at)
        return joined.take(np.flatnonzero(joined.judged)) if self.judged_only else joined

    def wanting(self, wanted: Sequence[WantedMeasure]) -> PreparedRun:
        return replace(self, wanted=tuple(wanted))


def prepare(qrels: Qrels, run: Run, settings: ScoringSettings) -> PreparedRun:
    """Join a run to qrels by the rules of its task; raises the errors of :func:`evaluate`.

    With variations, each query of the run is joined to the judgements of its topic.
    """
    task = task_of(run, settings)
    if settings.variations is not None:
        qrels = settings.variations.judgements(qrels, run.topics)
    if qrels.graded and task is not Task.DOCUMENTS:
        raise DataError(
            f"TREC qrels judge whole documents, but the task {task} needs passages: use --task documents",
            path=qrels.path,
        )
    preset = preset_for(task, settings.preset)
    reported = preset.tasks[task]
    wanted = tuple(wanted_measures(settings, reported.families, reported.table))
    parameters = settings.parameters(preset)
    complete = settings.complete or reported.complete
    before = join(qrels, run, task, complete=complete)
    overlap = settings.overlap or reported.overlap
    limit = reported.limit if settings.limit is None else Limit(settings.limit)
    cut_at = limit if settings.cut else None
    prepared = PreparedRun(
        before, preset, parameters, wanted, overlap, (), before, cut_at, settings.judged_only
    )
    ruled = _ruled(before, overlap)
    joined = prepared.counted(ruled)
    past = "" if limit is None or settings.cut else beyond(ruled, limit)
    more, once = [past] if past else [], False
    if overlap == "allow" and task not in (Task.BEST_IN_CONTEXT, Task.DOCUMENTS):
        wanted, met = _counting_once(joined, wanted)
        once = met is not None
        more += [met] if met and reported.overlap != "allow" else []
    warnings = (*warnings_of(joined, complete=complete), *more)
    return replace(prepared, joined=joined, wanted=wanted, warnings=warnings, once=once)


def _counting_once(
    joined: Joined, wanted: tuple[WantedMeasure, ...]
) -> tuple[tuple[WantedMeasure, ...], CountedSentence | None]:
    """Return measures that count overlapping text once, and a warning with the number of such results.

    Recall would exceed 1 if a character counted with each result that contains it.
    """
    size, _ = new_characters(joined)
    number = int(np.count_nonzero(size < joined.size))
    if not number:
        return wanted, None
    once = tuple(
        (replace(record, view=NewText, note=ONLY_NEW) if record.view is Ranks else record, cutoff)
        for record, cutoff in wanted
    )
    counted = "each character counts once (--overlap drop ignores these results)"
    one, many = f"result overlaps an earlier one: {counted}", f"results overlap earlier ones: {counted}"
    return once, CountedSentence(number, one, many, str(joined.run.path or joined.run.id))


def _ruled(joined: Joined, overlap: str) -> Joined:
    """Apply the rules of the task; errors of overlap first mention lengths that look like ends."""
    try:
        return apply_rules(joined, overlap)
    except BrokenRule as error:
        past = past_their_documents(joined)
        if past is None or not past.endswith(REREAD):
            raise
        cause = DataError(past, path=joined.run.path)
        raise BrokenRule([cause, *error.errors], more=error.more, rule=error.rule) from None


def evaluate(
    qrels: Qrels | str | Path | Table,
    runs: Run | str | Path | Table | Iterable[Run | str | Path | Table],
    *,
    task: Task | str | None = None,
    preset: str | None = None,
    complete: bool = False,
    overlap: str | None = None,
    limit: int | None = None,
    cut: bool = False,
    judged_only: bool = False,
    bounds: bool = False,
    measures: Measure | str | Sequence[Measure | str] | None = None,
    variations: Variations | Mapping[str, str] | str | None = None,
    **changes: Any,
) -> Evaluation:
    """Score runs against qrels; ``[0]`` or ``["id"]`` of the result are the :class:`RunScores` of a run.

    Judgements and runs may also be the names of files, or dicts, rows and frames as :meth:`Qrels.of` and
    :meth:`Run.of` accept them; several runs are in a list or another iterable.
    ``task`` is by default each run's own, from its file.  ``preset`` (``inex2007`` for the ad hoc tasks) has
    the :class:`Parameters`, each of which can be given instead (``beta=0.25``).  ``complete`` averages over
    every judged topic.  ``overlap`` is ``"error"``, ``"drop"`` or ``"allow"``;
    ``cut`` leaves out results beyond the task's limit, or beyond ``limit`` results of a topic, and
    ``judged_only`` then those in unjudged documents; with ``bounds`` the scores include the lowest and
    highest P@k, AP, gmAP and gP[k] if the unjudged documents were judged.
    ``measures`` are measures (``iP @ 0.01``) or their names (``"iP[0.01]"``); all of the task's if None.
    ``variations`` are several queries of a topic, which gets the mean of their scores: ``{query: topic}``,
    the name of a table of them, or ``"ids"``, which reads the topic 101 from the query 101-1.

    Raises DataError for a run that breaks the rules of its task, InexviewError for invalid settings.
    ``inexview measures`` prints each measure's formula and source.
    """
    settings = ScoringSettings.given(
        task,
        measures,
        preset=preset,
        changes=changes,
        complete=complete,
        overlap=overlap,
        limit=limit,
        cut=cut,
        judged_only=judged_only,
        bounds=bounds,
        variations=Variations.given(variations),
    )
    judged = given_qrels(qrels)
    return Evaluation(settings, tuple(score_run(judged, run, settings) for run in given_runs(runs)))


def score_run(qrels: Qrels, run: Run, settings: ScoringSettings) -> RunScores:
    """Score a run, by its queries if the settings have variations; raises the errors of :func:`evaluate`.

    Raises InexviewError for bounds and curves by rank of topics with several queries.
    """
    variations = settings.variations
    if variations is not None and (settings.bounds or settings.curve is not CurveKind.INTERPOLATED):
        raise InexviewError("bounds and curves by rank need one query for each topic")
    prepared = prepare(qrels, run, settings)
    joined = prepared.joined
    values, curve = compute(joined, prepared.parameters, prepared.wanted)
    scores = RunScores(
        id=run.id,
        path=run.path,
        task=joined.task,
        preset=prepared.preset,
        parameters=prepared.parameters,
        topics=joined.topics,
        names=prepared.names,
        mean_names=prepared.mean_names,
        values=values,
        counts=count(joined),
        warnings=prepared.warnings,
        overlap=prepared.overlap,
        by_score=run.by_score,
        gathered=run.gathered,
        curve=curve,
        points=curve_points(joined, prepared.parameters, settings.curve, prepared.view),
        bounds=bounds_of(joined, prepared.parameters, prepared.wanted) if settings.bounds else {},
        kind=settings.curve,
        geometric=prepared.geometric,
    )
    return scores if variations is None else _by_topic(scores, joined, variations)


def spread(values: Floats) -> Floats:
    """Return the standard deviation over the last axis of values (…, n), shape (…); 0 if n is 1."""
    deviation: Floats = values.std(axis=-1, ddof=1) if values.shape[-1] > 1 else np.zeros(values.shape[:-1])
    return deviation


def _by_topic(whole: RunScores, joined: Joined, variations: Variations) -> RunScores:
    """Return the means over the queries of each topic; counts of a topic are sums over its queries."""
    groups = variations.groups(whole.topics)
    places = list(groups.values())
    topics_judged, topics_in_run = (
        {*map(variations.topic_of, side.topics)} for side in (joined.qrels, joined.run)
    )
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
        by_query=whole,
        curve=None if whole.curve is None else _averaged(whole.curve.T, places).T,
        counts=counts,
        notes=(*whole.notes, f"the score of a topic is the mean over its queries ({several})"),
    )


def _averaged(values: Floats, places: Sequence[Sequence[int]]) -> Floats:
    """Return the means of values (M, T) over the indices of each group, shape (M, groups)."""
    if not places:
        return values
    return np.stack([values[:, own].mean(axis=1) for own in places], axis=1)


def _summed(scores: RunScores, places: Sequence[int]) -> TopicCounts:
    own = [scores.counts.topics[scores.topics[at]] for at in places]
    return TopicCounts(**{name: sum(getattr(one, name) for one in own) for name in TopicCounts.__slots__})


def unjudged_table(runs: Sequence[RunScores]) -> ValueTable:
    """Return the retrieved documents of each run, unjudged ones, Judged@10, and the relevant documents."""
    rows = []
    for scores in runs:
        total, first = scores.counts.total, [*scores.counts.judged_at.values()]
        cells = (
            scores.id,
            f"{total.results:,}",
            f"{total.num_ret:,}",
            f"{total.unjudged:,}",
            percent(scores.counts.unjudged_share, 1),
            figure_text(float(np.mean(first))) if first else NOTHING,
            f"{total.num_rel_ret:,}/{total.num_rel:,}",
        )
        rows.append(tuple(map(ValueCell, cells)))
    head = ("run", "results", "documents retrieved", "unjudged", "share", "Judged@10", "relevant found")
    said = "Documents without a judgement count as not relevant."
    return with_parameters(
        ValueTable("Unjudged documents", said, head, tuple(rows)), parameters_of_runs(runs)
    )


def score_by_groups(judged: JudgementGroups, run: Run, settings: ScoringSettings) -> RunScores:
    """Score a run by each judge, and average over those who judged a topic, as trec_eval does.

    A document that a judge did not judge is unjudged for that judge.  The counts are those of all judgements
    together.  Raises the errors of ``score_run``, and InexviewError for bounds and curves by rank.
    """
    if settings.bounds or settings.curve is not CurveKind.INTERPOLATED:
        raise InexviewError("bounds and curves by rank need a single judge: keep the lines of one judge")
    whole = score_run(judged.together, run, settings)
    place = {topic: at for at, topic in enumerate(whole.topics)}
    values, judges = np.zeros_like(whole.values), np.zeros(len(place))
    curve = None if whole.curve is None else np.zeros_like(whole.curve)
    for group in judged.groups.values():
        own = score_run(group, run, settings)
        topics = [place[topic] for topic in own.topics]
        values[:, topics] += own.values
        judges[topics] += 1
        if curve is not None and own.curve is not None:
            curve[topics] += own.curve
    return replace(
        whole,
        values=values / judges,
        curve=None if curve is None else curve / judges[:, None],
        notes=(
            *whole.notes,
            f"each measure is the mean over {counted(len(judged.groups), 'judgement group')}",
        ),
    )


# Elements, scored by HiXEval and XCG as INEX 2005 did.

PRESET = "hixeval2005"
FAMILIES = ("hixeval", "xcg")
TASKS = (Task.THOROUGH, Task.FOCUSED, Task.FETCH_BROWSE)
GRADED_FAMILIES = ("xcg",)
"""The families for judgements on two graded scales, without numbers of relevant characters."""


def score_element_run(qrels: ElementQrels, run: ElementRun, settings: ScoringSettings) -> RunScores:
    """Score a run of elements, by default with the measures of HiXEval.

    Raises TaskError for an unknown task, InexviewError for one without measures for elements, and DataError
    if the elements of an article are apart in fetch and browse.
    """
    task = task_of_elements(run, settings)
    preset = preset_for(task, settings.preset or PRESET)
    wanted = measures_of_elements(qrels, task, settings)
    parameters = settings.parameters(preset)
    ranks = ElementRanks(qrels, run, complete=settings.complete)
    values, curve = compute(ranks, parameters, wanted)
    where = str(run.path or run.id)
    return RunScores(
        id=run.id,
        path=run.path,
        task=task,
        preset=preset,
        parameters=parameters,
        topics=ranks.topics,
        names=tuple(record.label(cutoff) for record, cutoff in wanted),
        mean_names=tuple(record.label(cutoff, mean=True) for record, cutoff in wanted),
        values=values,
        counts=count_elements(ranks),
        warnings=tuple(warnings_of_topics(qrels.topics, run.topics, where, complete=settings.complete)),
        notes=_notes(wanted, parameters, graded=qrels.graded),
        curve=curve,
    )


def task_of_elements(run: ElementRun, settings: ScoringSettings) -> Task:
    """Return the task for scoring a run of elements; raises the errors of :func:`score_element_run`."""
    task = task_of(run, settings, Task.THOROUGH)
    if task not in TASKS:
        raise InexviewError(f"assessments of elements score the tasks {', '.join(TASKS)}, not {task}")
    if settings.judged_only:
        raise InexviewError(
            "assessments of elements list only relevant elements, so --judged-only needs qrels"
        )
    if task is Task.FETCH_BROWSE:
        _refuse_apart(run)
    return task


def measures_of_elements(qrels: ElementQrels, task: Task, settings: ScoringSettings) -> list[WantedMeasure]:
    """Return the measures to compute, of the families that the judgements and the task allow."""
    return wanted_measures(settings, families_of_elements(task, graded=qrels.graded))


def families_of_elements(task: Task, *, graded: bool) -> tuple[str, ...]:
    """Return the families of measures that judged elements, graded or not, allow in a task."""
    if graded:
        return GRADED_FAMILIES
    return ("fetch-browse", *FAMILIES) if task is Task.FETCH_BROWSE else FAMILIES


def _refuse_apart(run: ElementRun) -> None:
    """Refuse articles whose elements are not adjacent."""
    for topic, ranking in run.rankings.items():
        left: set[str] = set()
        for (before, _), (document, _) in pairwise(ranking):
            if document != before:
                left.add(before)
                if document in left:
                    problem = f"elements of {document} in topic {topic} are apart from its other elements"
                    raise DataError(problem, path=run.path)


def _notes(wanted: Sequence[WantedMeasure], parameters: Parameters, *, graded: bool) -> tuple[str, ...]:
    """Return a note if measures of XCG are shown: there is no tool left to compare them with."""
    shown = [record.name for record, _ in wanted if record.family == "xcg"]
    if not shown:
        return ()
    scale = ", of the grades (e·s)/9" if graded and parameters.quantisation == "gen" else ""
    overlap = f"overlap on, α = {parameters.alpha:g}" if parameters.alpha else "overlap off"
    return (
        f"{', '.join(dict.fromkeys(shown))}: XCG, reconstructed from the paper; "
        f"quantisation {parameters.quantisation}{scale}, {overlap}",
    )


def count_elements(ranks: ElementRanks) -> Counts:
    """Count what a run of elements retrieved; characters are those of relevant elements.

    The assessments do not give the sizes of other elements, which count as empty; grades have no sizes.
    """
    topics = {topic: _counts_of(ranks, at) for at, topic in enumerate(ranks.topics)}
    rows = [[getattr(counts, name) for name in _NAMES] for counts in topics.values()]
    columns = np.array(rows, np.int64).reshape(-1, len(_NAMES))
    judged, in_run = set(ranks.qrels.topics), set(ranks.run.topics)
    return Counts(
        topics_judged=len(judged),
        topics_in_run=len(in_run),
        topics_missing=len(judged - in_run),
        topics_ignored=len(in_run - judged),
        num_q=len(ranks.topics),
        total=TopicCounts(*columns.sum(axis=0).tolist()),
        topics=topics,
    )


_NAMES = tuple(TopicCounts.__dataclass_fields__)


def _retrieved_once(ranks: ElementRanks, at: int) -> int:
    """Return the characters of a topic's retrieved elements, nested ones once."""
    judged, retrieved = ranks.documents[at], set(ranks.rankings[at])
    return sum(
        judged[document][path].size
        for document, path in retrieved
        if path in judged.get(document, {})
        and not any((document, outer) in retrieved and outer in judged[document] for outer in ancestors(path))
    )


def _counts_of(ranks: ElementRanks, at: int) -> TopicCounts:
    own = slice(int(ranks.ptr[at]), int(ranks.ptr[at + 1]))
    judged = ranks.documents[at]
    retrieved = {document for document, _ in ranks.rankings[at]}
    relevant = {document for document, elements in judged.items() if elements}
    return TopicCounts(
        num_ret=len(retrieved),
        num_rel=len(relevant),
        num_rel_ret=len(retrieved & relevant),
        ret_size=0 if ranks.qrels.graded else _retrieved_once(ranks, at),
        rel_size=0 if ranks.qrels.graded else int(ranks.trel[at]),
        rel_ret_size=0 if ranks.qrels.graded else int((ranks.rsize - ranks.seen)[own].sum()),
        results=own.stop - own.start,
        unjudged=len(retrieved - set(judged)),
        unknown=0,
        ties=0,
    )


# The distances of a run's entry points from the best ones, in each relevant document of a topic.
#
# The entry point of a document is where its first result begins, in rank order; s(x,b) is equation 8 or 9 of
# Kamps, Pehcevski, Kazai, Lalmas, Robertson, *INEX 2007 Evaluation Measures*.

ENTRY_HEAD = (*HEAD, "topic", "rank", "document", "length", "distance", "screens", "s(x,b)")
SCREEN = 2000  # characters of a screen if no window gives its own number


@dataclass(frozen=True, eq=False)
class EntryDistances:
    """The k relevant documents of a topic that a run retrieved, in rank order.

    ``rank``, ``entry`` x and ``distance`` x − b have shape (k,), the latter two in characters; ``length``
    (k,) is each document's.  ``missed`` is the number of relevant documents not retrieved.
    """

    documents: tuple[str, ...]
    rank: Ints
    entry: Ints
    distance: Ints
    length: Ints
    missed: int

    def scores(self, parameters: Parameters) -> Floats:
        """Return s(x,b) of each document, shape (k,)."""
        scored: Floats = np.asarray(entry_score(np.abs(self.distance), self.length, parameters), np.float64)
        return scored


def entry_distances(qrels: Qrels, run: Run, topic: str) -> EntryDistances:
    """Return the distances of a run's entry points, in documents with a best entry point.

    Empty for a topic that is not judged, or not in the run.
    """
    joined = join(qrels, run, Task.BEST_IN_CONTEXT)
    if topic not in joined.topics:
        wanted = qrels.topics.index(topic) if topic in qrels.topics else -1
        missed = int(np.count_nonzero((qrels.topic == wanted) & (qrels.rsize > 0)))
        nothing = np.empty(0, np.int64)
        return EntryDistances((), nothing, nothing, nothing, nothing, missed)
    at = joined.topics.index(topic)
    low, high = joined.ptr[at], joined.ptr[at + 1]
    ranked = joined.firsts[(joined.firsts >= low) & (joined.firsts < high)]
    relevant = joined.relevant[ranked]
    kept = np.flatnonzero(relevant & (qrels.bep[joined.row[ranked]] != NO_BEP))
    first, row = ranked[kept], joined.row[ranked[kept]]
    return EntryDistances(
        documents=tuple(qrels.document.take(row).strings()),
        rank=kept + 1,
        entry=joined.start[first],
        distance=joined.start[first] - qrels.bep[row],
        length=qrels.length[row],
        missed=int(joined.nrel[at]) - int(np.count_nonzero(relevant)),
    )


def entry_lines(
    head: PrintedLine, topic: str, entries: EntryDistances, parameters: Parameters, screen: int
) -> Iterator[PrintedLine]:
    """Yield a line for each entry point, under ENTRY_HEAD, after the values of ``head``.

    ``screen`` is the number of characters on a screen.
    """
    columns = (
        entries.rank.tolist(),
        entries.documents,
        entries.length.tolist(),
        entries.distance.tolist(),
    )
    for rank, document, length, distance, score in zip(
        *columns, entries.scores(parameters).tolist(), strict=True
    ):
        screens = round(abs(distance) / screen, 2)
        yield [*head, topic, rank, document, length, distance, screens, score]
