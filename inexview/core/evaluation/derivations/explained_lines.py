"""What is explained of a topic as lines of values with all their digits, for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from inexview.core.evaluation.derivations.derivation import Derivation, DerivationRow
from inexview.core.evaluation.derivations.explained import DocumentUnderRun, TopicExplained
from inexview.core.evaluation.explain import Ratio
from inexview.core.evaluation.score_lines import HEAD
from inexview.core.evaluation.variants import TopicWithout
from inexview.core.judgements.elements import ElementRun
from inexview.core.judgements.runs import Run
from inexview.core.report import PrintedLine

ADDS, WITHOUT = "adds", "without it"
READING = "T2I"
PLACE = ("document", "element", "offset", "length")
KEYS = (*HEAD, "topic", "measure", "value", "rank", *PLACE)
OF_DOCUMENT = ("numerator", "denominator", "fault", "gain if mended")
Named = dict[str, str | float]


def explained_table(
    every: Iterable[tuple[Run | ElementRun, TopicExplained]], document: str | None = None
) -> tuple[tuple[str, ...], list[PrintedLine]]:
    """Return headings and lines: one of each result or document that went into a measure, of all runs.

    What a measure has no such figure for is empty, as is all after the value of one into which nothing went.
    Of a ``document`` only its own lines are there, then what it scores, its hits, misses and false alarms,
    and what mending each would give.
    """
    named = [line for run, explained in every for line in _lines(run, explained, document)]
    further = {name: None for line in named for name in line if name not in (*KEYS, *OF_DOCUMENT)}
    figures = [name for name in further if name not in (ADDS, WITHOUT)]
    head = (*KEYS, *figures, ADDS, WITHOUT, *(OF_DOCUMENT if document is not None else ()))
    return head, [[line.get(name, "") for name in head] for line in named]


def _lines(run: Run | ElementRun, explained: TopicExplained, document: str | None) -> Iterator[Named]:
    parameters = explained.parameters.said_for(explained.task)
    said = (run.id, str(run.path), explained.task.value, explained.preset, parameters, explained.topic)
    head: Named = dict(zip((*HEAD, "topic"), said, strict=True))
    for derivation in explained.derivations:
        measured = head | {"measure": derivation.measure, "value": derivation.value}
        own = [measured | line for line in row_lines(derivation, explained.without, document)]
        yield from own or [measured]
    if explained.document is not None:
        yield from (head | line for line in document_lines(explained.document))


def rows_without(
    derivation: Derivation, without: TopicWithout, document: str | None
) -> Iterator[tuple[DerivationRow, float]]:
    """Yield what went in, with the measure as it would be without it; only that of a ``document``, if any."""
    by_result = len(derivation.rows) == len(without.document)
    of = without.of(derivation.measure)
    left = (without.without_result if by_result else without.without_document)[of].tolist()
    for row, value in zip(derivation.rows, left, strict=True):
        if document is None or row.document == document:
            yield row, value


def row_lines(derivation: Derivation, without: TopicWithout, document: str | None = None) -> Iterator[Named]:
    """Yield what went into a measure by the names of its figures."""
    for row, value in rows_without(derivation, without, document):
        line: Named = {"rank": row.rank, "document": row.document, "element": row.element}
        if row.start is not None and row.end is not None:
            line |= {"offset": row.start, "length": row.end - row.start}
        line |= dict(zip(derivation.columns, row.figures, strict=True)) | {ADDS: row.adds}
        if not math.isnan(value):
            line[WITHOUT] = value
        yield line


def document_lines(under: DocumentUnderRun) -> Iterator[Named]:
    """Yield what a document scores, what the run did there, and what mending each fault would give."""
    told, document = under.explanation, under.document
    if told is None:
        return
    for name, ratio in document_ratios(under):
        line: Named = {"measure": name, "value": ratio.value, "document": document}
        yield line | {"numerator": ratio.numerator, "denominator": ratio.denominator}
    for name, spans in (("hit", told.hits), ("missed", told.misses), ("false alarm", told.false_alarms)):
        for start, end in spans:
            yield {"measure": name, "document": document, "offset": start, "length": end - start}
    for cost in told.costs:
        if cost.loss > 0:
            yield {
                "measure": cost.measure,
                "value": cost.before.value,
                "document": document,
                "offset": cost.start,
                "length": cost.end - cost.start,
                "fault": cost.fault.value,
                "gain if mended": cost.loss,
            }


def document_ratios(under: DocumentUnderRun) -> Sequence[tuple[str, Ratio]]:
    """Return the measures of a judged document with what they were divided from."""
    told, read = under.explanation, under.reading
    if told is None:
        return ()
    measures = [("P(d)", told.precision), ("R(d)", told.recall), ("F(d)", told.f), ("s(x,b)", told.s)]
    if read is not None:
        measures.append((READING, Ratio(read.relevant, read.relevant + read.irrelevant)))
    return [(name, ratio) for name, ratio in measures if ratio is not None]
