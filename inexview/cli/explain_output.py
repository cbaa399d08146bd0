"""How what ``inexview explain`` finds is written: derivations, entry points, and what cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inexview.cli.common import visible
from inexview.cli.eval_output import heading
from inexview.cli.table_output import Table, json_text, json_value
from inexview.core.evaluation.changes.dearest import ALONE, DEAR_HEAD, Dearest, dear_lines, kinds_of
from inexview.core.evaluation.changes.leave_one_out import TopicWithout
from inexview.core.evaluation.derivations.derivation import Derivation
from inexview.core.evaluation.derivations.document_share import share_of
from inexview.core.evaluation.derivations.explained import DocumentUnderRun, TopicExplained
from inexview.core.evaluation.derivations.explained_lines import (
    ADDS,
    READING,
    WITHOUT,
    document_lines,
    document_ratios,
    explained_table,
    row_lines,
    rows_without,
)
from inexview.core.evaluation.entry_distances import ENTRY_HEAD, EntryDistances, entry_lines
from inexview.core.evaluation.explain import Cost, Ratio
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import HEAD, head_of
from inexview.core.judgements.elements import ElementRun
from inexview.core.judgements.runs import Run
from inexview.core.report import SEPARATED, PrintedLine
from inexview.core.wording import counted

_FOR_PROGRAMS = (*SEPARATED, "json")


def topic_said(
    every: Sequence[tuple[Run | ElementRun, TopicExplained]], document: str | None, format: str
) -> str:
    """Return the derivations of a topic under each run; only what they say of a ``document``, if any."""
    if format == "json":
        return json_text([_as_json(run, explained, document) for run, explained in every])
    if format in _FOR_PROGRAMS:
        return _for_program(*explained_table(every, document), format)
    return "".join(
        f"{line}\n" for run, explained in every for line in _lines(run.id, explained, document, format)
    )


def _for_program(head: Sequence[str], lines: Sequence[PrintedLine], format: str) -> str:
    """Return lines under their headings; as JSON a list of them by their headings."""
    if format == "json":
        return json_text([dict(zip(head, map(json_value, line), strict=True)) for line in lines])
    return Table(tuple(head), [tuple(line) for line in lines]).rendered(format)


def _as_json(run: Run | ElementRun, explained: TopicExplained, document: str | None) -> dict[str, object]:
    said = explained.parameters.said_for(explained.task)
    values = (run.id, str(run.path), explained.task.value, explained.preset, said)
    return {
        **dict(zip(HEAD, values, strict=True)),
        "topic": explained.topic,
        "measures": [
            {
                "measure": one.measure,
                "title": one.title,
                "formula": one.formula,
                "filled": one.filled,
                "value": json_value(one.value),
                "rows": list(row_lines(one, explained.without, document)),
            }
            for one in explained.derivations
        ],
        "document": None if explained.document is None else list(document_lines(explained.document)),
    }


def _lines(run: str, explained: TopicExplained, document: str | None, format: str) -> Iterator[str]:
    said = explained.parameters.said_for(explained.task)
    head = ", ".join(filter(None, (run, f"topic {explained.topic}", explained.task, said)))
    yield _told(visible(head), format)
    for derivation in explained.derivations:
        yield ""
        above = (f"{derivation.measure}: {derivation.title}", f"  {derivation.formula}")
        given = _gives(derivation, document)
        told = (*above, *(f"  {one}" for one in derivation.filled), *(f"  {visible(one)}" for one in given))
        yield from (_told(line, format) for line in told)
        yield ""
        yield _table(derivation, explained.without, document).rendered(format).rstrip("\n")
    if explained.document is not None:
        yield from _document(explained.document, format)


def _gives(derivation: Derivation, document: str | None) -> Iterator[str]:
    for row in derivation.rows:
        share = share_of(derivation, row) if row.document == document else None
        if share is not None and share.filled:
            yield f"{row.document} gives {share.filled}"


def _told(line: str, format: str) -> str:
    """Return a line beside tables; in LaTeX it is a comment."""
    return f"% {line}" if format == "latex" else line


def _table(derivation: Derivation, without: TopicWithout, document: str | None) -> Table:
    """Return what went in as a table, with the measure as it would be without each result or document."""
    placed = any(row.place for row in derivation.rows)
    rows = [
        (row.rank, row.document, *([row.place] if placed else []), *row.figures, row.adds, value)
        for row, value in rows_without(derivation, without, document)
    ]
    where = "element" if any(row.element for row in derivation.rows) else "offset:length"
    head = ("rank", "document", *([where] if placed else []))
    return Table((*head, *derivation.columns, ADDS, WITHOUT), rows)


def _document(under: DocumentUnderRun, format: str) -> Iterator[str]:
    yield ""
    yield from (_told(line, format) for line in _of_document(under))
    told = under.explanation
    dear = [] if told is None else [cost for cost in told.costs if cost.loss > 0]
    if dear:
        headings = ("fault", "offset:length", "measure", "gain if mended")
        yield "\n" + Table(headings, [_cost(cost) for cost in dear]).rendered(format).rstrip("\n")


def _of_document(under: DocumentUnderRun) -> Iterator[str]:
    yield f"document {visible(under.document)}"
    told, read = under.explanation, under.reading
    if told is None:
        yield "  it is unjudged: nothing there is right or wrong"
        return
    for name, ratio in document_ratios(under):
        until = ""
        if name == READING and read is not None:
            until = ", all is read" if read.stop is None else f", patience ends at {read.stop}"
        yield f"  {name} = {_fraction(ratio)}{until}"
    for name, spans in (("hit", told.hits), ("missed", told.misses), ("false alarm", told.false_alarms)):
        places = ", ".join(f"{start}:{end - start}" for start, end in spans)
        yield f"  {name}: {counted(spans.size, 'character')}{f' at {places}' if places else ''}"


def _fraction(ratio: Ratio) -> str:
    return f"{ratio.numerator:,.10g} / {ratio.denominator:,.10g} = {ratio.value:.4f}"


def _cost(cost: Cost) -> tuple[str, str, str, float]:
    return cost.fault.value, f"{cost.start}:{cost.end - cost.start}", cost.measure, cost.loss


def entries_said(
    every: Sequence[tuple[RunScores, EntryDistances]], topic: str, screen: int, format: str
) -> str:
    """Return the entry points of runs: one table of all values for a program, else one of each run."""
    tables = [
        [*entry_lines(head_of(scores), topic, found, scores.parameters, screen)] for scores, found in every
    ]
    if format in _FOR_PROGRAMS:
        return _for_program(ENTRY_HEAD, [line for lines in tables for line in lines], format)
    said = []
    for (scores, found), lines in zip(every, tables, strict=True):
        missed = counted(found.missed, "relevant document")
        above = visible(f"{scores.id}, topic {topic}, {heading(scores)}; {missed} not found")
        shown = [tuple(line[len(HEAD) + 1 :]) for line in lines]
        none = f"{_told('none', format)}\n"
        table = Table(ENTRY_HEAD[len(HEAD) + 1 :], shown).rendered(format) if shown else none
        said.append(f"{_told(above, format)}\n{table}")
    return "\n".join(said)


def costs_said(every: Sequence[Dearest], format: str) -> str:
    """Return what cost runs most: one table of all values for a program, else one of each kind."""
    if format in _FOR_PROGRAMS:
        return _for_program(DEAR_HEAD, [line for found in every for line in dear_lines(found)], format)
    return "".join(f"{part}\n" for found in every for part in _tables(found, format))


def _tables(found: Dearest, format: str) -> Iterator[str]:
    scores = found.scores
    said = scores.parameters.said_for(scores.task)
    scored = ", ".join(filter(None, (scores.id, scores.task, said)))
    run = visible(f"{scored}: {found.measure} = {found.value:.4f}")
    yield from (_told(line, format) for line in (run, ALONE))
    for kind in kinds_of(scores.task):
        parts = found.parts[kind]
        yield f"\n{_told(f'{kind.value}s, gain of {found.measure} {kind.change}', format)}"
        lines = [line[len(HEAD) + 2 :] for line in dear_lines(found, [kind])]
        rows = [
            (topic, document, fault, f"{start}:{size}" if start != "" else "", gain)
            for topic, document, fault, start, size, gain in lines
        ]
        table = Table(("topic", "document", "fault", "offset:length", "gain"), rows)
        yield table.rendered(format).rstrip("\n") if parts else _told("none", format)
