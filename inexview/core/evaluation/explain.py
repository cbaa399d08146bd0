"""Explanations of the scores of a document and a topic: faults, costs, derivations, lines for programs.

The measures of a document are those of *INEX 2007 Evaluation Measures* [M07 eq. 4-10]; here F(d) is one
fraction of characters, ``(1 + β²)·hits / (β²·relevant + retrieved)``, which equals ``(1 + β²)·P·R / (β²·P +
R)`` and stays exact when a fault is corrected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from heapq import nlargest
from math import fsum
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations import (
    RANK,
    SHOWN,
    Derivation,
    DerivationRow,
    Derivations,
    derive_elements,
    derive_prepared,
    said_by,
    shown,
    summed,
)
from inexview.core.evaluation.evaluate import (
    PRESET,
    PreparedRun,
    measures_of_elements,
    prepare,
    score_element_run,
    score_run,
    task_of_elements,
)
from inexview.core.evaluation.run_derivations import derive_point
from inexview.core.evaluation.scores import (
    HEAD,
    CurveKind,
    RunScores,
    ScoringSettings,
    head_of,
    means_without,
    topic_means,
)
from inexview.core.evaluation.variants import (
    ROUNDING,
    DocumentChange,
    Fault,
    RankingFault,
    TopicWithout,
    changes_of,
    faults_of,
    faults_that_count,
    leave_elements_out,
    leave_out_of,
    missed_documents,
    ranking_of,
    score_changes,
)
from inexview.core.formats.submission_xml import read_element_run
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.in_context import (
    ARVOLA,
    ReadingEffort,
    entry_fraction,
    reading_effort,
    score_document,
)
from inexview.core.measures.joined import UNKNOWN_ENTRY, as_counted
from inexview.core.measures.measure import INEX_2007, M07, Measure, Parameters, parse, preset_for
from inexview.core.progress import Cancelled, Progress, unwatched
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Offsets, Spans


@dataclass(frozen=True, slots=True)
class Ratio:
    """A fraction with its two figures; 0 for a denominator of 0."""

    numerator: float
    denominator: float

    @property
    def value(self) -> float:
        """The quotient, 0 for a denominator of 0."""
        return self.numerator / self.denominator if self.denominator else 0.0


@dataclass(frozen=True, slots=True)
class Cost:
    """One fault: its place, and its measure as it is (``before``) and with the fault corrected (``after``).

    A missed passage is retrieved, a false alarm is not retrieved, an entry point moves to the best one; all
    else stays unchanged.  ``[start, end)`` is the passage, or the text between the two entry points.
    """

    fault: Fault
    start: int
    end: int
    measure: str
    before: Ratio
    after: Ratio

    @property
    def loss(self) -> float:
        """How much of the measure this fault costs, never negative for a relevant document."""
        return self.after.value - self.before.value


@dataclass(frozen=True, slots=True)
class Explanation:
    """One document under one run, in characters.

    ``distance`` is entry point minus best entry point (negative: the run enters before it); it and ``s``
    are None if either is missing.  ``costs`` are sorted, costliest first.
    """

    hits: Spans
    misses: Spans
    false_alarms: Spans
    precision: Ratio
    recall: Ratio
    f: Ratio
    s: Ratio | None
    distance: int | None
    costs: tuple[Cost, ...]


def explain(
    judged: Spans,
    retrieved: Spans,
    *,
    length: int,
    bep: int | None = None,
    entry: int | None = None,
    parameters: Parameters = INEX_2007,
    rsize: int | None = None,
    nowhere: int = 0,
    counted: frozenset[Fault] = frozenset(Fault),
    most: int | None = None,
) -> Explanation:
    """Explain the scores of one document.

    ``judged`` and ``retrieved`` are the highlighted and the retrieved characters, ``rsize`` the size of the
    former if the qrels give another one, ``length`` the document's in characters.  ``nowhere`` counts the
    characters of results beyond the article.  ``counted`` are the kinds of faults to return, at most
    ``most``.
    """
    relevant = judged.size if rsize is None else rsize
    hits = judged & retrieved
    misses = judged - retrieved
    false_alarms = retrieved - judged
    hit, size = hits.size, retrieved.size + nowhere
    s = distance = None
    if entry is not None and bep is not None and relevant:
        distance = entry - bep
        s = closeness(abs(distance), length, parameters)
    beta = parameters.beta
    by_passages = Fault.MISSED in counted
    costs = _f_costs(misses, false_alarms, hit, size, relevant, beta, most) if by_passages else []
    if Fault.ENTRY_POINT in counted and s is not None and distance and entry is not None and bep is not None:
        corrected = Ratio(s.denominator, s.denominator)
        costs.append(
            Cost(Fault.ENTRY_POINT, min(entry, bep), max(entry, bep), "s(x,b)", before=s, after=corrected)
        )
        costs.sort(key=lambda cost: -cost.loss)
    return Explanation(
        hits=hits,
        misses=misses,
        false_alarms=false_alarms,
        precision=Ratio(hit if relevant else 0, size),
        recall=Ratio(hit if relevant else 0, relevant),
        f=f_ratio(hit if relevant else 0, size, relevant, beta),
        s=s,
        distance=distance,
        costs=tuple(costs[:most]),
    )


def closeness(distance: int, length: int, parameters: Parameters) -> Ratio:
    """Return s(x,b) for |x − b| = distance [M07 eq. 8, 9] as one fraction."""
    above, below = entry_fraction(distance, length, parameters)
    return Ratio(float(above), float(below))


def f_ratio(hits: int, retrieved: int, relevant: int, beta: float) -> Ratio:
    """Return F(d) [M07 eq. 6] as one fraction of characters."""
    weight = beta * beta
    return Ratio((1 + weight) * hits, weight * relevant + retrieved)


def _f_costs(
    misses: Spans,
    false_alarms: Spans,
    hits: int,
    retrieved: int,
    relevant: int,
    beta: float,
    most: int | None,
) -> list[Cost]:
    """Return the cost of each missed and each falsely retrieved passage in F(d), costliest first.

    All are computed at once; only the ``most`` costly become objects.
    """
    starts: Offsets = np.concatenate((misses.starts, false_alarms.starts))
    ends: Offsets = np.concatenate((misses.ends, false_alarms.ends))
    sizes = ends - starts
    missed = np.arange(len(starts)) < len(misses)
    if not relevant:
        hits = 0
    before = f_ratio(hits, retrieved, relevant, beta)
    gained = np.where(missed & (relevant > 0), sizes, 0)
    numerators: NDArray[np.float64] = before.numerator + (1 + beta * beta) * gained
    denominators: NDArray[np.float64] = before.denominator + np.where(missed, sizes, -sizes)
    values = np.divide(numerators, denominators, out=np.zeros(len(starts)), where=denominators > 0)
    order = np.lexsort((starts, -sizes, -values))[:most]
    return [
        Cost(
            Fault.MISSED if missed[at] else Fault.FALSE_ALARM,
            int(starts[at]),
            int(ends[at]),
            "F(d)",
            before=before,
            after=Ratio(float(numerators[at]), float(denominators[at])),
        )
        for at in order.tolist()
    ]


# Derivations of the figures of one document.

SIZE, HITS, MISSES, FALSE_ALARMS = "size", "hits", "misses", "false alarms"
CHARACTERS = (SIZE, HITS, MISSES, FALSE_ALARMS)
LENGTH = "characters"


def derive_document(
    document: str,
    judged: Spans,
    retrieved: Spans,
    *,
    length: int,
    bep: int | None = None,
    entry: int | None = None,
    rsize: int | None = None,
    nowhere: int = 0,
    parameters: Parameters,
) -> list[Derivation]:
    """Derive the figures of a document of ``length`` characters, passage by passage.

    ``rsize`` is the qrels' own count of relevant characters (None: count ``judged``); ``nowhere`` counts the
    characters of results beyond the document.
    """
    scores = score_document(judged, rsize, retrieved, length, bep, entry, parameters, nowhere=nowhere)
    hits = judged & retrieved
    found, relevant = (_passages(document, spans, hits) for spans in (retrieved, judged))
    weight = parameters.beta**2
    weighed = tuple(
        DerivationRow(place, document, (end - start,), (1 + weight) * (end - start), start, end)
        for place, (start, end) in enumerate(hits, 1)
    )
    f_words = "(1 + β²)·hits", "β²·relevant + retrieved"
    f = f_ratio(hits.size, scores.retrieved, scores.relevant, parameters.beta)
    sizes = ("size", "hit")
    p = summed(sizes, found, scores.retrieved, "Σ hit", "Σ size of what was retrieved")
    r = summed(sizes, relevant, scores.relevant, "Σ hit", "Σ size of what is relevant")
    both = summed(("hit",), weighed, f.denominator if judged else 0, *f_words)
    return [
        _of_document(p, "P(d)", "hits / retrieved", "eq. 4", scores.precision),
        _of_document(r, "R(d)", "hits / relevant", "eq. 5", scores.recall),
        _of_document(both, "F(d)", f"{f_words[0]} / ({f_words[1]})", "eq. 6", scores.f),
        _closeness(document, length, bep, entry, parameters, scores.s),
        _reading(document, judged, retrieved, length, parameters, nowhere),
    ]


def _of_document(parts: Derivation, name: str, formula: str, equation: str, value: float) -> Derivation:
    return replace(
        parts,
        measure=name,
        title=f"{name} of one document",
        formula=f"{name} = {formula}",
        citation=f"{M07}, {equation}",
        value=value,
    )


def derive_characters(
    document: str, judged: Spans | None, retrieved: Spans, *, length: int
) -> list[Derivation]:
    """Derive how many characters a run retrieved and, if the document is judged, how many are hits."""
    derived = [_counted(document, SIZE, "characters retrieved, each counted once", retrieved)]
    if judged is not None:
        derived += [
            _counted(document, HITS, "relevant characters retrieved (rsize)", judged & retrieved),
            _counted(document, MISSES, "relevant characters not retrieved", judged - retrieved),
            _counted(document, FALSE_ALARMS, "characters retrieved, not relevant", retrieved - judged),
        ]
    return [*derived, _counted(document, LENGTH, "code points of the article's text", Spans([(0, length)]))]


def _counted(document: str, name: str, what: str, spans: Spans) -> Derivation:
    sizes = (spans.ends - spans.starts).tolist()
    rows = tuple(
        DerivationRow(place, document, (), size, start, end)
        for place, ((start, end), size) in enumerate(zip(spans, sizes, strict=True), 1)
    )
    more = f" + … {len(sizes) - SHOWN:,} more" if len(sizes) > SHOWN else ""
    terms = f"= {' + '.join(map(shown, sizes[:SHOWN]))}{more}" if len(sizes) > 1 else ""
    lines = tuple(line for line in (terms, f"= {spans.size:,}") if line)
    return Derivation(
        measure=name, title=what, formula=f"{name} = {what}", value=spans.size, rows=rows, said=lines
    )


def derive_place(document: str, ranking: Sequence[str]) -> Derivation | None:
    """Derive the rank of a document in a ranking of documents; None if it is not retrieved."""
    if document not in ranking:
        return None
    rank = ranking.index(document) + 1
    rows = tuple(
        DerivationRow(place, one, (), float(place < rank)) for place, one in enumerate(ranking[:rank], 1)
    )
    return Derivation(
        measure=RANK,
        title="rank of the document",
        formula="rank = 1 + documents with a result above its first",
        value=rank,
        rows=rows,
        said=(f"= 1 + {rank - 1:,} = {rank:,}",),
    )


def derive_cost(document: str, cost: Cost) -> Derivation:
    """Derive the cost of a fault for its document: the figure with it corrected, less the figure as it is."""
    before, after = cost.before, cost.after
    name, gain = cost.measure, after.value - before.value
    row = DerivationRow(1, document, (before.value, after.value), gain, cost.start, cost.end)
    return Derivation(
        measure=f"Δ {name}",
        title=f"{name} with this {cost.fault.value} corrected, less {name}",
        formula=f"Δ {name} = {name} with it corrected − {name}",
        citation=M07,
        value=gain,
        columns=("before", "corrected"),
        rows=(row,),
        said=tuple(
            f"{when} = {shown(ratio.numerator)} / {shown(ratio.denominator)} = {ratio.value:.4f}"
            for when, ratio in ((name, before), ("corrected", after))
        ),
    )


def _passages(document: str, spans: Spans, hits: Spans) -> tuple[DerivationRow, ...]:
    own = hits.overlap(spans.starts, spans.ends).tolist()
    return tuple(
        DerivationRow(place, document, (end - start, hit), hit, start, end)
        for place, ((start, end), hit) in enumerate(zip(spans, own, strict=True), 1)
    )


def _closeness(
    document: str, length: int, bep: int | None, entry: int | None, parameters: Parameters, value: float
) -> Derivation:
    """Derive s(x,b); its rows are the entry point x and the best one b."""
    points = [(name, at) for name, at in (("x", entry), ("b", bep)) if at is not None]
    rows = tuple(
        DerivationRow(place, document, (at,), 0.0, at, at) for place, (_, at) in enumerate(points, 1)
    )
    if parameters.n is None:
        formula, equation = "A·L / (A·L + |x − b|)", "eq. 8"
    else:
        formula, equation = "(n − |x − b|) / n, at least 0", "eq. 9"
    lines: tuple[str, ...]
    if entry is None or bep is None:
        lines = ("= 0, as there is no best entry point" if bep is None else "= 0, not entered",)
    else:
        ratio = closeness(abs(entry - bep), length, parameters)
        lines = (
            f"|x − b| = |{entry:,} − {bep:,}| = {abs(entry - bep):,}",
            f"= {shown(ratio.numerator)} / {shown(ratio.denominator)} = {value:.4f}",
        )
    return _of_document(said_by(("offset",), rows, lines), "s(x,b)", formula, equation, value)


def _reading(
    document: str, judged: Spans, retrieved: Spans, length: int, parameters: Parameters, nowhere: int
) -> Derivation:
    """Derive T2I; its rows are the pieces of text read."""
    effort = reading_effort(judged, retrieved, length=length, tolerance=parameters.tolerance, already=nowhere)
    rows = _passages(document, effort.read, judged & effort.read)
    read = effort.relevant + effort.irrelevant if effort.relevant else 0
    until = f"the {parameters.tolerance:,}th irrelevant character"
    return replace(
        summed(("size", "relevant"), rows, read, "Σ relevant", "Σ size read"),
        measure=f"T2I[{parameters.tolerance}]",
        title="tolerance to irrelevance of one document",
        formula=f"T2I = relevant / read, retrieved passages first, then the rest, until {until}",
        citation=ARVOLA,
        value=effort.score,
    )


# The contribution of one document to AgP: its S(d) is part of gP at every relevant rank from its own on.

SHOWN_OF_DOCUMENT = 2
"""The number of terms written out before the last one."""


class DocumentShare(NamedTuple):
    """The contribution of a document to AgP [M07 eq. 13]; those of all documents add up to AgP.

    Its S(d), the relevant ranks from its own on, their number, and Nrel, by which the sum is divided.
    """

    score: float
    ranks: tuple[int, ...]
    terms: int
    relevant: float

    @property
    def value(self) -> float:
        return self.score * fsum(1 / rank for rank in self.ranks) / self.relevant if self.relevant else 0.0

    @property
    def filled(self) -> str:
        """The formula with numbers; empty for a document without contribution."""
        if not self.value:
            return ""
        parts = [f"1/{rank}" if rank > 1 else "1" for rank in self.ranks]
        if len(parts) > SHOWN_OF_DOCUMENT + 1:
            parts = [*parts[:SHOWN_OF_DOCUMENT], "…", parts[-1]]
        terms = f"({' + '.join(parts)})" if len(parts) > 1 else parts[0]
        return f"{shown(self.score)} · {terms} / {shown(self.relevant)} = {self.value:.4f}"


def share_of(derivation: Derivation, row: DerivationRow) -> DocumentShare | None:
    """Return the share of a row's document in AgP; None for a derivation of another measure."""
    if derivation.measure != "AgP" or derivation.fraction is None:
        return None
    relevant, score = (derivation.columns.index(name) for name in ("relevant", "S(d)"))
    ranks = [one.rank for one in derivation.rows if one.figures[relevant]]
    later = tuple(rank for rank in ranks if rank >= row.rank)
    return DocumentShare(float(row.figures[score]), later, len(ranks), derivation.fraction.denominator)


# A topic: every measure derived, and the effect of leaving each part out.


@dataclass(frozen=True, eq=False)
class DocumentUnderRun:
    """One document of the topic under the run; ``explanation`` is None if it is unjudged."""

    document: str
    judgement: Judgement | None
    retrieved: Spans
    explanation: Explanation | None
    reading: ReadingEffort | None = None
    """The text read of a judged document, if T2I is its score."""


@dataclass(frozen=True, eq=False)
class TopicExplained:
    """The derived measures of one topic, and the ``document`` asked for, if any."""

    topic: str
    task: Task
    preset: str
    parameters: Parameters
    derivations: tuple[Derivation, ...]
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
    """Explain the scores of a run on a topic, and its results in a ``document``.

    The settings are those of :func:`~inexview.core.evaluation.evaluate.evaluate`; without ``measures`` those
    of the preset's table are explained.  Raises its errors, and InexviewError for a topic that is not scored
    or a document that is neither judged nor retrieved.
    """
    settings = ScoringSettings.given(task, measures, preset=preset, changes=changes, overlap=overlap)
    return explain_topic(qrels, run, settings, topic, document)


def explain_topic(
    qrels: Qrels, run: Run, settings: ScoringSettings, topic: str, document: str | None = None
) -> TopicExplained:
    """Explain like :func:`explain_run`, with settings."""
    prepared = prepare(qrels, run, settings)
    task = prepared.joined.task
    if not settings.measures:
        reported = {str(measure) for measure in prepared.preset.tasks[task].measures}
        wanted = [(record, at) for record, at in prepared.wanted if str(Measure(record.name, at)) in reported]
        prepared = prepared.wanting(wanted or prepared.wanted)
    derived = _with_parts_left_out(derive_prepared(prepared, topic), leave_out_of(prepared, topic))
    under = None if document is None else _under_run(prepared, topic, document)
    return TopicExplained(topic, task, prepared.preset.name, prepared.parameters, tuple(derived), under)


def derive_topic(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    topic: str,
    point: tuple[CurveKind, int] | None = None,
) -> Derivations | None:
    """Derive the measures of a topic, and a point of its curve, by their names; None if it is not scored."""
    try:
        judged = Subset(topics=frozenset((topic,))).of_qrels(qrels)
        prepared = prepare(judged, ranking_of(run, topic), settings)
        if topic not in prepared.joined.topics:
            return None
        derived = _with_parts_left_out(derive_prepared(prepared, topic), leave_out_of(prepared, topic))
        of_point = None if point is None else derive_point(prepared, topic, *point)
    except InexviewError:
        return None
    return {one.measure: one for one in (derived if of_point is None else [of_point, *derived])}


def _with_parts_left_out(derived: Iterable[Derivation], without: TopicWithout) -> list[Derivation]:
    """Return derivations with each measure without each of its rows: results, or documents."""
    filled = []
    for one in derived:
        by_result = len(one.rows) == len(without.document)
        parts = without.without_result if by_result else without.without_document
        filled.append(replace(one, without=tuple(parts[without.of(one.measure)].tolist())))
    return filled


def _under_run(prepared: PreparedRun, topic: str, document: str) -> DocumentUnderRun:
    qrels, run, parameters = prepared.joined.qrels, prepared.joined.run, prepared.parameters
    judgement, results = qrels.judgement(topic, document), run.passages(topic, document)
    if judgement is None and not results:
        raise InexviewError(f"document {document} of topic {topic} was neither judged nor retrieved")
    retrieved = Spans((one.start, one.end) for one in results if one.known)
    rows = run.rows_in(topic, document)
    _, size, known = as_counted(run.start[rows], run.size[rows], prepared.joined.task)
    nowhere = int(size[~known].sum())
    explanation = reading = None
    if judgement is not None and parameters.reads(prepared.joined.task):
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
    """Explain the scores of a run of elements on a topic, by judged elements.

    Raises InexviewError for a topic that is not scored, or an unknown ``document``.
    """
    task = task_of_elements(run, settings)
    preset = preset_for(task, settings.preset or PRESET)
    parameters, wanted = settings.parameters(preset), measures_of_elements(qrels, task, settings)
    if not settings.measures:
        reported = {str(measure) for measure in preset.tasks[task].measures}
        wanted = [one for one in wanted if str(Measure(one[0].name, one[1])) in reported] or wanted
    ranking = run.rankings.get(topic, ())
    if topic not in qrels.topics or not ranking:
        raise InexviewError(f"topic {topic} is not scored for {run.id}: it has no results or no judgements")
    there = {*qrels.documents(topic), *(one for one, _ in ranking)}
    if document is not None and document not in there:
        raise InexviewError(f"document {document} of topic {topic} was neither judged nor retrieved")
    ranks = ElementRanks(qrels, ElementRun(run.id, {topic: ranking}, run.task, run.path))
    without = leave_elements_out(qrels, ranking, topic, parameters, wanted, progress=progress)
    every = zip(derive_elements(ranks, topic, parameters, wanted), without.tolist(), strict=True)
    derived = tuple(replace(one, without=tuple(rest)) for one, rest in every)
    return TopicExplained(topic, task, preset.name, parameters, derived)


# Lines of values with all their digits.

ADDS, WITHOUT = "adds", "without it"
READING = "T2I"
PLACE = ("document", "element", "offset", "length")
KEYS = (*HEAD, "topic", "measure", "value", "rank", *PLACE)
OF_DOCUMENT = ("numerator", "denominator", "fault", "gain if corrected")
Named = dict[str, str | float]


def explained_table(
    every: Iterable[tuple[Run | ElementRun, TopicExplained]], document: str | None = None
) -> tuple[tuple[str, ...], list[PrintedLine]]:
    """Return headings and lines: one for each result or document in a measure, for all runs.

    Figures that a measure does not have are empty.  With a ``document`` there are only its own lines, then
    its scores, its hits, misses and false alarms, and the gain by correcting each of these.
    """
    named = [line for run, explained in every for line in _lines(run, explained, document)]
    further = {name: None for line in named for name in line if name not in (*KEYS, *OF_DOCUMENT)}
    figures = [name for name in further if name not in (ADDS, WITHOUT)]
    head = (*KEYS, *figures, ADDS, WITHOUT, *(OF_DOCUMENT if document is not None else ()))
    return head, [[line.get(name, "") for name in head] for line in named]


def _lines(run: Run | ElementRun, explained: TopicExplained, document: str | None) -> Iterator[Named]:
    parameters = explained.parameters.said_for(explained.task)
    values = (run.id, str(run.path), explained.task.value, explained.preset, parameters, explained.topic)
    head: Named = dict(zip((*HEAD, "topic"), values, strict=True))
    for derivation in explained.derivations:
        measured = head | {"measure": derivation.measure, "value": derivation.value}
        own = [measured | line for line in row_lines(derivation, document)]
        yield from own or [measured]
    if explained.document is not None:
        yield from (head | line for line in document_lines(explained.document))


def rows_without(derivation: Derivation, document: str | None) -> Iterator[tuple[DerivationRow, float]]:
    """Yield the rows of a derivation, or of a ``document`` in it, each with the measure without it."""
    for row, value in zip(derivation.rows, derivation.without, strict=True):
        if document is None or row.document == document:
            yield row, value


def row_lines(derivation: Derivation, document: str | None = None) -> Iterator[Named]:
    """Yield the rows of a measure by the names of its figures."""
    for row, value in rows_without(derivation, document):
        line: Named = {"rank": row.rank, "document": row.document, "element": row.element}
        if row.start is not None and row.end is not None:
            line |= {"offset": row.start, "length": row.end - row.start}
        line |= dict(zip(derivation.columns, row.figures, strict=True)) | {ADDS: row.adds}
        if not math.isnan(value):
            line[WITHOUT] = value
        yield line


def document_lines(under: DocumentUnderRun) -> Iterator[Named]:
    """Yield the scores of a document, the run's results there, and the gain by correcting each fault."""
    scored, document = under.explanation, under.document
    if scored is None:
        return
    for name, ratio in document_ratios(under):
        line: Named = {"measure": name, "value": ratio.value, "document": document}
        yield line | {"numerator": ratio.numerator, "denominator": ratio.denominator}
    for name, spans in (
        ("hit", scored.hits),
        ("missed", scored.misses),
        ("false alarm", scored.false_alarms),
    ):
        for start, end in spans:
            yield {"measure": name, "document": document, "offset": start, "length": end - start}
    for cost in scored.costs:
        if cost.loss > 0:
            yield {
                "measure": cost.measure,
                "value": cost.before.value,
                "document": document,
                "offset": cost.start,
                "length": cost.end - cost.start,
                "fault": cost.fault.value,
                "gain if corrected": cost.loss,
            }


def document_ratios(under: DocumentUnderRun) -> Sequence[tuple[str, Ratio]]:
    """Return the measures of a judged document as fractions."""
    scored, read = under.explanation, under.reading
    if scored is None:
        return ()
    measures = [
        ("P(d)", scored.precision),
        ("R(d)", scored.recall),
        ("F(d)", scored.f),
        ("s(x,b)", scored.s),
    ]
    if read is not None:
        measures.append((READING, Ratio(read.relevant, read.relevant + read.irrelevant)))
    return [(name, ratio) for name, ratio in measures if ratio is not None]


class ElementScoring:
    """Scores and explains runs by judged elements.

    An open run contains passages for its elements; the elements are read from its file on demand.
    """

    def __init__(self, qrels: ElementQrels) -> None:
        self.qrels = qrels
        self._read: dict[Run, ElementRun] = {}

    def elements_of(self, run: Run) -> ElementRun:
        """Return the elements of a run; raises DataError if its file contains none."""
        if run not in self._read:
            if run.path is None:
                raise InexviewError(f"{run.id} has no file with its elements")
            self._read[run] = read_element_run(run.path)
        return self._read[run]

    def keep(self, runs: tuple[Run, ...]) -> None:
        """Forget the elements of all other runs."""
        self._read = {run: elements for run, elements in self._read.items() if run in {*runs}}

    def score(self, run: Run, settings: ScoringSettings) -> RunScores:
        """Score a run; raises the errors of :func:`score_element_run` and :meth:`elements_of`."""
        return score_element_run(self.qrels, self.elements_of(run), settings)

    def derive(
        self, run: Run, settings: ScoringSettings, topic: str, progress: Progress = unwatched
    ) -> Derivations | None:
        """Derive the measures of a topic by their names; None if it is not scored."""
        try:
            elements = self.elements_of(run)
            explained = explain_elements(self.qrels, elements, settings, topic, progress=progress)
        except Cancelled:
            raise
        except InexviewError:
            return None
        return {one.measure: one for one in explained.derivations}


# Costs of a whole run: the topics, documents and passages by which its mean would gain most.
#
# The gain of a topic is the effect of leaving it out. The gain of a retrieved document is that of leaving it
# out, that of a missed one comes from retrieving its relevant text after everything else. The gain of a
# passage comes from correcting its fault: retrieving missed text, leaving out a false alarm, moving an entry
# point. A topic with nothing left counts as 0; gains of several do not add up.

MOST = 200
COST_HEAD = (*HEAD, "measure", "part", "topic", "document", "fault", "offset", "length", "gain")
RETRIEVED = "retrieved"
ALONE = "Each by itself: gains do not add up."


class CostKind(Enum):
    """The kinds of costly parts."""

    PLACE = "passage"
    DOCUMENT = "document"
    TOPIC = "topic"

    @property
    def change(self) -> str:
        """The change that yields the gain."""
        return {
            CostKind.PLACE: "were the missed text retrieved, the false alarm left out, the entry point moved",
            CostKind.DOCUMENT: "were the document left out or, where it was missed, retrieved last",
            CostKind.TOPIC: "without the topic",
        }[self]


def kinds_of(task: Task) -> tuple[CostKind, ...]:
    """Return the kinds of costs in a task: without passages if whole documents are ranked."""
    return tuple(kind for kind in CostKind if kind is not CostKind.PLACE or faults_that_count(task))


@dataclass(frozen=True, slots=True)
class CostlyPart:
    """A part of a run, and the ``gain`` of the run's mean without its fault, or without the part.

    ``[start, end)`` is its place in the document, None if unknown.  ``fault`` is that of a passage; a missed
    document has MISSED, a retrieved one None.
    """

    kind: CostKind
    gain: float
    topic: str
    document: str = ""
    fault: Fault | None = None
    start: int | None = None
    end: int | None = None

    @property
    def said(self) -> str:
        """The fault of the run there; empty for a topic."""
        if self.kind is CostKind.TOPIC:
            return ""
        return RETRIEVED if self.fault is None else self.fault.value


@dataclass(frozen=True, eq=False)
class RunCosts:
    """The costliest parts of a run by one measure, each kind in descending order."""

    scores: RunScores
    parts: Mapping[CostKind, tuple[CostlyPart, ...]]

    @property
    def run(self) -> str:
        return self.scores.id

    @property
    def measure(self) -> str:
        return self.scores.mean_names[0]

    @property
    def value(self) -> float:
        return self.scores.mean[self.measure]


def costs_of_run(
    qrels: Qrels,
    run: Run,
    *,
    task: Task | str | None = None,
    preset: str | None = None,
    complete: bool = False,
    overlap: str | None = None,
    measure: Measure | str | None = None,
    most: int = MOST,
    **changes: Any,
) -> RunCosts:
    """Return the passages, documents and topics that cost a run most by a measure, up to ``most`` of each.

    The settings are those of :func:`~inexview.core.evaluation.evaluate.evaluate`; without a ``measure`` it is
    the main one of the preset.  Raises the errors of that function.
    """
    wanted = None if measure is None else (measure,)
    settings = ScoringSettings.given(
        task, wanted, preset=preset, changes=changes, complete=complete, overlap=overlap
    )
    return costliest_parts(qrels, run, settings, most=most)


def costliest_parts(
    qrels: Qrels, run: Run, settings: ScoringSettings, *, most: int = MOST, progress: Progress = unwatched
) -> RunCosts:
    """Return the costliest parts, up to ``most`` of each kind, by the first measure of the settings.

    Without one it is the main measure of the preset.  Raises the errors of
    :func:`~inexview.core.evaluation.evaluate.evaluate`, and Cancelled.
    """
    if settings.variations is not None:
        raise InexviewError("costs are not computed for topics with several queries")
    wanted = settings.measures[:1] or (parse(score_run(qrels, run, settings).main),)
    settings = replace(settings, measures=wanted)
    scores = score_run(qrels, run, settings)
    settings = replace(settings, task=scores.task)
    count = len(scores.topics)
    costliest: dict[CostKind, list[CostlyPart]] = {kind: [] for kind in CostKind}
    for at in range(count):

        def alive(what: str, done: int, total: int | None, at: int = at) -> None:
            """Report the number of finished topics during the work on one."""
            progress("topics", at, count)

        alive("", 0, None)
        least = {kind: parts[-1].gain if len(parts) == most else 0.0 for kind, parts in costliest.items()}
        for part in _of_topic(qrels, run, settings, scores, at, least, alive):
            costliest[part.kind].append(part)
        for kind, parts in costliest.items():
            costliest[kind] = nlargest(most, parts, key=attrgetter("gain"))
    geometric = np.arange(int(scores.is_geometric(scores.mean_names[0])))
    gains = means_without(scores.values[:1], geometric)[0] - scores.mean[scores.mean_names[0]]
    topics = [
        CostlyPart(CostKind.TOPIC, gain, topic)
        for topic, gain in zip(scores.topics, gains.tolist(), strict=True)
        if gain > ROUNDING and count > 1
    ]
    costliest[CostKind.TOPIC] = nlargest(most, topics, key=attrgetter("gain"))
    return RunCosts(scores, {kind: tuple(parts) for kind, parts in costliest.items()})


def cost_lines(costs: RunCosts, kinds: Iterable[CostKind] = CostKind) -> Iterator[PrintedLine]:
    """Yield the costliest parts as lines under COST_HEAD, with all digits."""
    for part in (part for kind in kinds for part in costs.parts[kind]):
        size: int | str = "" if part.start is None or part.end is None else part.end - part.start
        start: int | str = "" if part.start is None or size == "" else part.start
        named = (costs.measure, part.kind.value, part.topic, part.document, part.said)
        yield [*head_of(costs.scores), *named, start, size, part.gain]


def _of_topic(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    scores: RunScores,
    at: int,
    least: Mapping[CostKind, float],
    progress: Progress,
) -> Iterator[CostlyPart]:
    """Yield the documents and passages of a topic that gain more than the ``least`` of their kind."""
    topic, measure = scores.topics[at], scores.mean_names[0]
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    prepared = prepare(judged, ranking, replace(settings, complete=True))
    retrieved = list(dict.fromkeys(prepared.joined.keys.names.strings()))
    faults = [*missed_documents(judged, ranking), *faults_of(judged, ranking, scores.task)]
    changes = [DocumentChange(document, ()) for document in retrieved]
    changes += changes_of(judged, ranking, scores.task, faults)
    values = np.tile(scores.values[0], (len(changes), 1))
    values[:, at] = score_changes(prepared, changes, progress)[0]
    gains = topic_means(values, geometric=scores.is_geometric(measure)) - scores.mean[measure]
    begins = _first_rows(ranking)
    for place in np.flatnonzero(gains > ROUNDING).tolist():
        left_out, gain = place < len(retrieved), float(gains[place])
        fault = RankingFault(retrieved[place], None) if left_out else faults[place - len(retrieved)]
        kind = CostKind.PLACE if fault.end else CostKind.DOCUMENT
        if gain <= least[kind]:
            continue
        if fault.end:
            yield CostlyPart(kind, gain, topic, fault.document, fault.fault, fault.start, fault.end)
        elif fault.fault is None:
            yield CostlyPart(kind, gain, topic, fault.document, start=begins.get(fault.document))
        else:
            judgement = judged.judgement(topic, fault.document)
            passages = None if judgement is None else judgement.passages
            start = int(passages.starts[0]) if passages else None
            yield CostlyPart(kind, gain, topic, fault.document, fault.fault, start)


def _first_rows(ranking: Run) -> dict[str, int]:
    """Return where the first result of each document with a known place starts."""
    starts = zip(ranking.document.strings(), ranking.start.tolist(), strict=True)
    firsts: dict[str, int] = {}
    for document, start in starts:
        if start != UNKNOWN:
            firsts.setdefault(document, start)
    return firsts
