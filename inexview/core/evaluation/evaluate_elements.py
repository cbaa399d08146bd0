"""Element qrels × element runs → scores: HiXEval and XCG as INEX 2005 computed them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.counts import Counts, TopicCounts
from inexview.core.evaluation.measure_values import WantedMeasure, compute, wanted_measures
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.run_warnings import warnings_of_topics
from inexview.core.evaluation.scoring_settings import ScoringSettings, task_of
from inexview.core.judgements.elements import ElementQrels, ElementRun, ancestors
from inexview.core.judgements.runs import Task
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.measure import Parameters
from inexview.core.measures.presets import preset_for

PRESET = "hixeval2005"
FAMILIES = ("hixeval", "xcg")
TASKS = (Task.THOROUGH, Task.FOCUSED, Task.FETCH_BROWSE)
GRADED_FAMILIES = ("xcg",)
"""What scores judgements on two graded scales, which do not say how many characters are relevant."""


def score_element_run(qrels: ElementQrels, run: ElementRun, settings: ScoringSettings) -> RunScores:
    """Score a run of elements, by default with the measures of HiXEval.

    Raises TaskError for a task that is not known, InexviewError for one that elements
    are not scored for, and DataError where fetch and browse finds articles apart.
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
    """Return the task that a run of elements is scored for; raises what :func:`score_element_run` does."""
    task = task_of(run, settings, Task.THOROUGH)
    if task not in TASKS:
        raise InexviewError(f"assessments of elements score the tasks {', '.join(TASKS)}, not {task}")
    if settings.judged_only:
        raise InexviewError("assessments of elements list what is relevant only: --judged-only is for qrels")
    if task is Task.FETCH_BROWSE:
        _refuse_apart(run)
    return task


def measures_of_elements(qrels: ElementQrels, task: Task, settings: ScoringSettings) -> list[WantedMeasure]:
    """Return the measures that are wanted, of the families that the judgements and the task allow."""
    return wanted_measures(settings, families_of_elements(task, graded=qrels.graded))


def families_of_elements(task: Task, *, graded: bool) -> tuple[str, ...]:
    """Return the families of measures that judged elements, graded or not, allow in a task."""
    if graded:
        return GRADED_FAMILIES
    return ("fetch-browse", *FAMILIES) if task is Task.FETCH_BROWSE else FAMILIES


def _refuse_apart(run: ElementRun) -> None:
    """Refuse articles whose elements are not side by side."""
    for topic, ranking in run.rankings.items():
        left: set[str] = set()
        for (before, _), (document, _) in pairwise(ranking):
            if document != before:
                left.add(before)
                if document in left:
                    problem = f"elements of {document} in topic {topic} are apart from its other elements"
                    raise DataError(problem, path=run.path)


def _notes(wanted: Sequence[WantedMeasure], parameters: Parameters, *, graded: bool) -> tuple[str, ...]:
    """Label XCG, which no tool is left to compare with."""
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
    """Count what a run of elements retrieved; characters are those of the elements judged relevant.

    The assessments do not give the size of other elements, so these count as empty; grades give none at all.
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
    """Return the characters of a topic's retrieved elements, those of nested ones once."""
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
