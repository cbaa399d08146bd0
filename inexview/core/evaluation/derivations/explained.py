"""Why a run scores what it scores on a topic: every measure derived, and what leaving each part out does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations.derivation import Derivation
from inexview.core.evaluation.derivations.derive import derive_laid
from inexview.core.evaluation.derivations.element_derivations import derive_elements
from inexview.core.evaluation.evaluate_elements import PRESET, measures_of_elements, task_of_elements
from inexview.core.evaluation.explain import Explanation, explain
from inexview.core.evaluation.laid_run import Laid, lay
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.evaluation.variants import TopicWithout, leave_elements_out, leave_out_of
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.in_context import ReadingEffort, reading_effort
from inexview.core.measures.joined import UNKNOWN_ENTRY, UNKNOWN_SIZE
from inexview.core.measures.measure import Measure, Parameters
from inexview.core.measures.presets import preset_for
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Spans


@dataclass(frozen=True, eq=False)
class DocumentUnderRun:
    """One document of the topic under the run; ``explanation`` is None where it is unjudged."""

    document: str
    judgement: Judgement | None
    retrieved: Spans
    explanation: Explanation | None
    reading: ReadingEffort | None = None
    """What is read of a judged document, where T2I is its score."""


@dataclass(frozen=True, eq=False)
class TopicExplained:
    """The measures of one topic derived, and without each part; ``document`` where one was asked for."""

    topic: str
    task: Task
    preset: str
    parameters: Parameters
    derivations: tuple[Derivation, ...]
    without: TopicWithout
    document: DocumentUnderRun | None = None


def explain_run(
    qrels: Qrels,
    run: Run,
    topic: str,
    document: str | None = None,
    *,
    task: Task | str | None = None,
    preset: str | None = None,
    overlap: str | None = None,
    measures: Measure | str | Sequence[Measure | str] | None = None,
    **changes: Any,
) -> TopicExplained:
    """Explain what a run scores on a topic, and with ``document`` what it did there.

    The settings are those of :func:`~inexview.core.evaluation.evaluate.evaluate`; without ``measures`` those
    of the preset's table are explained.  Raises what it raises, and InexviewError for a topic that is not
    scored or a document that is neither judged nor retrieved.
    """
    settings = ScoringSettings.given(task, measures, preset=preset, changes=changes, overlap=overlap)
    return explain_topic(qrels, run, settings, topic, document)


def explain_topic(
    qrels: Qrels, run: Run, settings: ScoringSettings, topic: str, document: str | None = None
) -> TopicExplained:
    """Do what :func:`explain_run` does, with settings."""
    laid = lay(qrels, run, settings)
    task = laid.joined.task
    if not settings.measures:
        reported = {str(measure) for measure in laid.preset.tasks[task].measures}
        wanted = [(record, at) for record, at in laid.wanted if str(Measure(record.name, at)) in reported]
        laid = laid.wanting(wanted or laid.wanted)
    without = leave_out_of(laid, topic)
    under = None if document is None else _under_run(laid, topic, document)
    derivations = tuple(derive_laid(laid, topic))
    return TopicExplained(topic, task, laid.preset.name, laid.parameters, derivations, without, under)


def _under_run(laid: Laid, topic: str, document: str) -> DocumentUnderRun:
    qrels, run, parameters = laid.joined.qrels, laid.joined.run, laid.parameters
    judgement, results = qrels.judgement(topic, document), run.passages(topic, document)
    if judgement is None and not results:
        raise InexviewError(f"document {document} of topic {topic} is neither judged nor retrieved")
    retrieved = Spans((one.start, one.end) for one in results if one.known)
    nowhere = sum(not one.known for one in results) * UNKNOWN_SIZE
    explanation = reading = None
    if judgement is not None and parameters.reads(laid.joined.task):
        reading = reading_effort(
            judgement.passages,
            retrieved,
            length=judgement.length,
            tolerance=parameters.tolerance,
            already=nowhere,
        )
    if judgement is not None:
        explanation = explain(
            judgement.passages,
            retrieved,
            length=judgement.length,
            bep=judgement.bep,
            entry=(results[0].start if results[0].known else UNKNOWN_ENTRY) if results else None,
            parameters=parameters,
            rsize=judgement.rsize,
            nowhere=nowhere,
        )
    return DocumentUnderRun(document, judgement, retrieved, explanation, reading)


def explain_elements(
    qrels: ElementQrels,
    run: ElementRun,
    settings: ScoringSettings,
    topic: str,
    document: str | None = None,
    *,
    progress: Progress = unwatched,
) -> TopicExplained:
    """Explain what a run of elements scores on a topic, by judged elements.

    Raises InexviewError for a topic that is not scored, or a ``document`` that is neither judged nor
    retrieved.
    """
    task = task_of_elements(run, settings)
    preset = preset_for(task, settings.preset or PRESET)
    parameters, wanted = settings.parameters(preset), measures_of_elements(qrels, task, settings)
    if not settings.measures:
        reported = {str(measure) for measure in preset.tasks[task].measures}
        wanted = [one for one in wanted if str(Measure(one[0].name, one[1])) in reported] or wanted
    ranking = run.rankings.get(topic, ())
    if topic not in qrels.topics or not ranking:
        raise InexviewError(f"topic {topic} is not scored for {run.id}: it has no result, or no judgement")
    there = {*qrels.documents(topic), *(one for one, _ in ranking)}
    if document is not None and document not in there:
        raise InexviewError(f"document {document} of topic {topic} is neither judged nor retrieved")
    ranks = ElementRanks(qrels, ElementRun(run.id, {topic: ranking}, run.task, run.path))
    derivations = tuple(derive_elements(ranks, topic, parameters, wanted))
    without = leave_elements_out(qrels, ranking, topic, parameters, wanted, progress=progress)
    return TopicExplained(topic, task, preset.name, parameters, derivations, without)
