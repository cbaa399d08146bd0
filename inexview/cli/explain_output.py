"""How what ``inexview explain`` finds is written: derivations, entry points, and what cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inexview.cli.common import visible
from inexview.cli.eval_output import heading
from inexview.cli.table_output import Table
from inexview.core.evaluation.dearest import ALONE, DEAR_HEAD, Dearest, dear_lines
from inexview.core.evaluation.derivation import Derivation
from inexview.core.evaluation.entry_distances import ENTRY_HEAD, EntryDistances, entry_lines
from inexview.core.evaluation.evaluate import RunScores
from inexview.core.evaluation.explain import Cost, Ratio
from inexview.core.evaluation.explained import DocumentUnderRun, TopicExplained
from inexview.core.evaluation.leave_one_out import TopicWithout
from inexview.core.evaluation.score_lines import HEAD, head_of
from inexview.core.wording import counted

_FOR_PROGRAMS = ("csv", "tsv")


def topic_said(run: str, explained: TopicExplained, document: str | None, format: str) -> str:
    """Return the derivations of a topic; only what they say of a ``document``, where one is named."""
    return "\n".join(_lines(run, explained, document, format)) + "\n"


def _lines(run: str, explained: TopicExplained, document: str | None, format: str) -> Iterator[str]:
    yield visible(
        f"{run}, topic {explained.topic}, {explained.task}, {explained.parameters.said_for(explained.task)}"
    )
    for derivation in explained.derivations:
        yield f"\n{derivation.measure}: {derivation.title}\n  {derivation.formula}"
        yield from (f"  {line}" for line in derivation.filled)
        yield ""
        table = _table(derivation, explained.without, document)
        yield table.rendered(format).rstrip("\n")
    if explained.document is not None:
        yield from _document(explained.document, format)


def _table(derivation: Derivation, without: TopicWithout, document: str | None) -> Table:
    """Return what went in as a table, with the measure as it would be without each result or document."""
    of = without.of(derivation.measure)
    by_result = len(derivation.rows) == len(without.document)
    left = (without.without_result if by_result else without.without_document)[of].tolist()
    rows = []
    for row, value in zip(derivation.rows, left, strict=True):
        if document is None or row.document == document:
            rows.append((row.rank, row.document, row.place, *row.figures, row.adds, value))
    where = "element" if any(row.element for row in derivation.rows) else "offset:length"
    headings = ("rank", "document", where, *derivation.columns, "adds", "without it")
    return Table(headings, rows)


def _document(under: DocumentUnderRun, format: str) -> Iterator[str]:
    yield f"\ndocument {visible(under.document)}"
    told = under.explanation
    if told is None:
        yield "  it is unjudged: nothing there is right or wrong"
        return
    measures = [("P(d)", told.precision), ("R(d)", told.recall), ("F(d)", told.f), ("s(x,b)", told.s)]
    yield from (f"  {name} = {_fraction(ratio)}" for name, ratio in measures if ratio is not None)
    if (read := under.reading) is not None:
        until = "all is read" if read.stop is None else f"patience ends at {read.stop}"
        share = _fraction(Ratio(read.relevant, read.relevant + read.irrelevant))
        yield f"  T2I = {share}, {until}"
    for name, spans in (("hit", told.hits), ("missed", told.misses), ("false alarm", told.false_alarms)):
        places = ", ".join(f"{start}:{end - start}" for start, end in spans)
        yield f"  {name}: {spans.size:,} characters{f' at {places}' if places else ''}"
    dear = [cost for cost in told.costs if cost.loss > 0]
    if dear:
        headings = ("fault", "offset:length", "measure", "gain if mended")
        yield "\n" + Table(headings, [_cost(cost) for cost in dear]).rendered(format).rstrip("\n")


def _fraction(ratio: Ratio) -> str:
    return f"{ratio.numerator:,.10g} / {ratio.denominator:,.10g} = {ratio.value:.4f}"


def _cost(cost: Cost) -> tuple[str, str, str, float]:
    return cost.fault.value, f"{cost.start}:{cost.end - cost.start}", cost.measure, cost.loss


def entries_said(
    every: Sequence[tuple[RunScores, EntryDistances]], topic: str, screen: int, format: str
) -> str:
    """Return the entry points of runs: one table of all values for a program, else one of each run."""
    if not every:
        return ""
    tables = [
        [tuple(line) for line in entry_lines(head_of(scores), topic, found, scores.parameters, screen)]
        for scores, found in every
    ]
    if format in _FOR_PROGRAMS:
        return Table(ENTRY_HEAD, [line for lines in tables for line in lines]).rendered(format)
    said = []
    for (scores, found), lines in zip(every, tables, strict=True):
        missed = counted(found.missed, "relevant document")
        above = visible(f"{scores.id}, topic {topic}, {heading(scores)}; {missed} not found")
        shown = [line[len(HEAD) + 1 :] for line in lines]
        table = Table(ENTRY_HEAD[len(HEAD) + 1 :], shown).rendered(format) if shown else "none\n"
        said.append(f"{above}\n{table}")
    return "\n".join(said)


def costs_said(every: Sequence[Dearest], format: str) -> str:
    """Return what cost runs most: one table of all values for a program, else one of each kind."""
    if format in _FOR_PROGRAMS and every:
        return Table(DEAR_HEAD, [tuple(line) for found in every for line in dear_lines(found)]).rendered(
            format
        )
    return "".join(f"{part}\n" for found in every for part in _tables(found, format))


def _tables(found: Dearest, format: str) -> Iterator[str]:
    scores = found.scores
    said = scores.parameters.said_for(scores.task)
    yield visible(f"{scores.id}, {scores.task}, {said}: {found.measure} = {found.value:.4f}")
    yield ALONE
    for kind, parts in found.parts.items():
        yield f"\n{kind.value}s, gain of {found.measure} {kind.change}"
        lines = [line[len(HEAD) + 2 :] for line in dear_lines(found, [kind])]
        rows = [
            (topic, document, fault, f"{start}:{size}" if start != "" else "", gain)
            for topic, document, fault, start, size, gain in lines
        ]
        table = Table(("topic", "document", "fault", "offset:length", "gain"), rows)
        yield table.rendered(format).rstrip("\n") if parts else "none"
