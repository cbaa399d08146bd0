"""``inexview explain QRELS RUN --topic T``: where a number comes from; with ``--costs``, what cost most."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Sequence
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, visible
from inexview.cli.eval_output import heading
from inexview.cli.judgements import warn
from inexview.cli.progress_line import RunCounter
from inexview.cli.scoring import (
    RunReader,
    locator,
    read_judged,
    scored_runs,
    settings_of,
    standard_input_of,
)
from inexview.cli.scoring_arguments import add_scoring_arguments, positive
from inexview.cli.subset_options import subset_of
from inexview.cli.table_output import FORMATS, Table
from inexview.core.errors import InexviewError
from inexview.core.evaluation.dearest import ALONE, DEAR_HEAD, Dearest, dear_lines, dearest_parts
from inexview.core.evaluation.derivation import Derivation
from inexview.core.evaluation.entry_distances import (
    ENTRY_HEAD,
    SCREEN,
    EntryDistances,
    entry_distances,
    entry_lines,
)
from inexview.core.evaluation.evaluate import RunScores, ScoringSettings, score_run
from inexview.core.evaluation.explain import Cost, Ratio
from inexview.core.evaluation.explained import (
    DocumentUnderRun,
    TopicExplained,
    explain_elements,
    explain_topic,
)
from inexview.core.evaluation.leave_one_out import TopicWithout
from inexview.core.evaluation.score_lines import HEAD, head_of, write_lines
from inexview.core.formats.submission_xml.element_run_files import read_element_run
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.wording import counted


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "explain",
        description="Derive the measures of a run on one topic: the formula, the same with its numbers, the "
        "results that went in with what each adds, and what the measure would be without each. With --doc "
        "also what the run hit, missed and took wrongly there, and what mending each place would give. "
        "Judged elements explain runs of elements. --costs asks of the whole run what cost it most.",
        epilog="exit status: 0 fine, 2 bad input, or a topic or document that is not there",
    )
    add_scoring_arguments(parser)
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--topic", metavar="T", help="the topic")
    what.add_argument(
        "--costs",
        action="store_true",
        help="instead, over all topics: the passages, documents and topics that cost the run most of the "
        "first -m (default: the preset's main measure), each by a full evaluation without it",
    )
    add("--most", type=positive, default=20, metavar="N", help="lines of a kind with --costs (default: 20)")
    add("--doc", metavar="D", help="only this document, with its characters")
    add(
        "--entry-points",
        action="store_true",
        help="instead, how far the entry points of the topic are from the best ones, and their s(x,b)",
    )
    add(
        "--screen",
        type=positive,
        default=SCREEN,
        metavar="N",
        help=f"characters of a screen, in which --entry-points counts too (default: {SCREEN:,})",
    )
    add(
        "--format",
        choices=[name for name in FORMATS if name != "json"],
        default="table",
        help="how to print (default: table)",
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    with standard_input_of(arguments):
        return _run(arguments)


def _run(arguments: Namespace) -> int:
    if arguments.costs and arguments.doc is not None:
        raise InexviewError("--doc goes with --topic")
    if arguments.entry_points and (arguments.costs or arguments.doc is not None):
        raise InexviewError("--entry-points goes with --topic, and is of all its documents")
    settings, qrels = settings_of(arguments), read_judged(arguments)
    paths: list[Path] = arguments.runs
    if arguments.best_of is not None:
        scored = scored_runs(qrels, settings, arguments)
        if scored is None:
            return BAD_INPUT
        paths = [scores.path for scores in scored if scores.path is not None]
    if isinstance(qrels, ElementQrels):
        _explain_elements(qrels, paths, settings, arguments)
    else:
        _explain_passages(qrels, paths, settings, arguments)
    return FINE


def _explain_elements(
    qrels: ElementQrels, paths: Sequence[Path], settings: ScoringSettings, arguments: Namespace
) -> None:
    if arguments.costs:
        raise InexviewError("--costs needs judgements of characters; these are of whole elements")
    if arguments.entry_points:
        raise InexviewError("--entry-points needs judgements of characters; these are of whole elements")
    subset, progress = subset_of(arguments), RunCounter(len(paths))
    judged = subset.of_elements(qrels)
    for path in paths:
        run = subset.of_element_run(read_element_run(path))
        warn(run.warnings)
        explained = explain_elements(judged, run, settings, arguments.topic, arguments.doc, progress=progress)
        _print_topic(run.id, explained, arguments)


def _explain_passages(
    qrels: Qrels, paths: Sequence[Path], settings: ScoringSettings, arguments: Namespace
) -> None:
    """Explain a topic under each run; or list at the end its entry points, or what cost a run most."""
    subset, progress = subset_of(arguments), RunCounter(len(paths))
    judged = subset.of_qrels(qrels)
    costs: list[Dearest] = []
    entries: list[tuple[RunScores, EntryDistances]] = []
    with locator(arguments.collection, arguments.jobs, progress) as locate, progress:
        reader = RunReader(arguments, subset, qrels, locate, progress)
        for path in paths:
            run = reader.read(path)
            warn(run.warnings)
            if arguments.costs:
                costs.append(dearest_parts(judged, run, settings, most=arguments.most, progress=progress))
            elif arguments.entry_points:
                entries.append(_entered(judged, run, settings, arguments.topic))
            else:
                explained = explain_topic(judged, run, settings, arguments.topic, arguments.doc)
                _print_topic(run.id, explained, arguments)
    sys.stdout.write(costs_said(costs, arguments.format))
    sys.stdout.write(_entries_said(entries, arguments))


def _entered(
    qrels: Qrels, run: Run, settings: ScoringSettings, topic: str
) -> tuple[RunScores, EntryDistances]:
    """Return a run's scores, and its entry points; raises InexviewError for a topic that is not judged."""
    if topic not in qrels.topics:
        raise InexviewError(f"topic {topic} is not judged")
    return score_run(qrels, run, settings), entry_distances(qrels, run, topic)


def _entries_said(every: Sequence[tuple[RunScores, EntryDistances]], arguments: Namespace) -> str:
    """Return the entry points of runs: one table of all values for a program, else one of each run."""
    if not every:
        return ""
    topic, screen, format = arguments.topic, arguments.screen, arguments.format
    tables = [
        [tuple(line) for line in entry_lines(head_of(scores), topic, found, scores.parameters, screen)]
        for scores, found in every
    ]
    if format in _SEPARATED:
        return Table(ENTRY_HEAD, [line for lines in tables for line in lines]).rendered(format)
    said = []
    for (scores, found), lines in zip(every, tables, strict=True):
        missed = counted(found.missed, "relevant document")
        above = visible(f"{scores.id}, topic {topic}, {heading(scores)}; {missed} not found")
        shown = [line[len(HEAD) + 1 :] for line in lines]
        table = Table(ENTRY_HEAD[len(HEAD) + 1 :], shown).rendered(format) if shown else "none\n"
        said.append(f"{above}\n{table}")
    return "\n".join(said)


def _print_topic(run: str, explained: TopicExplained, arguments: Namespace) -> None:
    sys.stdout.write("\n".join(_lines(run, explained, arguments)) + "\n")


def _lines(run: str, explained: TopicExplained, arguments: Namespace) -> Iterator[str]:
    yield visible(
        f"{run}, topic {explained.topic}, {explained.task}, {explained.parameters.said_for(explained.task)}"
    )
    for derivation in explained.derivations:
        yield f"\n{derivation.measure}: {derivation.title}\n  {derivation.formula}"
        yield from (f"  {line}" for line in derivation.filled)
        yield ""
        table = _table(derivation, explained.without, arguments.doc)
        yield table.rendered(arguments.format).rstrip("\n")
    if explained.document is not None:
        yield from _document(explained.document, arguments.format)


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


_SEPARATED = {"csv": ",", "tsv": "\t"}


def costs_said(every: Sequence[Dearest], format: str) -> str:
    """Return what cost runs most: one table of all values for a program, else one of each kind."""
    if not every:
        return ""
    if format in _SEPARATED:
        out = io.StringIO()
        lines = (line for found in every for line in dear_lines(found))
        write_lines(out, DEAR_HEAD, lines, _SEPARATED[format])
        return out.getvalue()
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
