"""`inexview explain` and `inexview inspect`: the derivation of scores, printed or in the window."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from inexview.cli.common import (
    BAD_INPUT,
    FINE,
    PROBLEMS,
    RunCounter,
    add_collection_argument,
    add_keys_argument,
    complain,
)
from inexview.cli.eval import heading
from inexview.cli.scoring import (
    RunReader,
    add_gather_argument,
    add_join_argument,
    add_parameters_argument,
    add_qrels_format_argument,
    add_run_format_arguments,
    add_scoring_arguments,
    add_variations_argument,
    judgements_of,
    locator,
    positive,
    read_runs,
    run_options,
    scored_runs,
    settings_of,
    subset_of,
    tell_unjudged,
    warn,
)
from inexview.cli.tables import FORMATS, Table, json_text, json_value
from inexview.cli.window import leave, open_window, require_window
from inexview.core.answers.nuggets import NuggetQrels
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.derivations import Derivation
from inexview.core.evaluation.evaluate import (
    ENTRY_HEAD,
    SCREEN,
    EntryDistances,
    entry_distances,
    entry_lines,
    score_run,
)
from inexview.core.evaluation.explain import (
    ADDS,
    ALONE,
    COST_HEAD,
    READING,
    WITHOUT,
    Cost,
    DocumentUnderRun,
    Ratio,
    RunCosts,
    TopicExplained,
    cost_lines,
    costliest_parts,
    document_lines,
    document_ratios,
    explain_elements,
    explain_topic,
    explained_table,
    kinds_of,
    row_lines,
    rows_without,
    share_of,
)
from inexview.core.evaluation.run_parameters import ParameterTable
from inexview.core.evaluation.scores import HEAD, RunScores, ScoringSettings, head_of
from inexview.core.formats.format import NUGGETS, FileKind, bundle_format
from inexview.core.formats.submission_xml import read_element_run
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import Variations, nothing_in_common
from inexview.core.judgements.topics import Topics
from inexview.core.measures.measure import PRESETS, preset_for
from inexview.core.project.inspection import Inspection, create_inspection, texts_near
from inexview.core.report import SEPARATED, PrintedLine
from inexview.core.wording import counted, visible

# -- output ---------------------------------------------------------------------------------------------

_FOR_PROGRAMS = (*SEPARATED, "json")


def topic_said(
    every: Sequence[tuple[Run | ElementRun, TopicExplained]], document: str | None, format: str
) -> str:
    """Return the derivations of a topic under each run; only the part about a ``document``, if given."""
    if format == "json":
        return json_text([_as_json(run, explained, document) for run, explained in every])
    if format in _FOR_PROGRAMS:
        return _for_program(*explained_table(every, document), format)
    return "".join(
        f"{line}\n" for run, explained in every for line in _lines(run.id, explained, document, format)
    )


def _for_program(head: Sequence[str], lines: Sequence[PrintedLine], format: str) -> str:
    """Return lines under their headings; as JSON a list of objects."""
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
                "rows": list(row_lines(one, document)),
            }
            for one in explained.derivations
        ],
        "document": None if explained.document is None else list(document_lines(explained.document)),
    }


def _lines(run: str, explained: TopicExplained, document: str | None, format: str) -> Iterator[str]:
    said = explained.parameters.said_for(explained.task)
    head = ", ".join(filter(None, (run, f"topic {explained.topic}", explained.task, said)))
    yield _commented(visible(head), format)
    for derivation in explained.derivations:
        yield ""
        above = (f"{derivation.measure}: {derivation.title}", f"  {derivation.formula}")
        given = _gives(derivation, document)
        told = (*above, *(f"  {one}" for one in derivation.filled), *(f"  {visible(one)}" for one in given))
        yield from (_commented(line, format) for line in told)
        yield ""
        yield _table(derivation, document).rendered(format).rstrip("\n")
    if explained.document is not None:
        yield from _document(explained.document, format)


def _gives(derivation: Derivation, document: str | None) -> Iterator[str]:
    for row in derivation.rows:
        share = share_of(derivation, row) if row.document == document else None
        if share is not None and share.filled:
            yield f"{row.document} contributes {share.filled}"


def _commented(line: str, format: str) -> str:
    """Return a line around tables; in LaTeX it is a comment."""
    return f"% {line}" if format == "latex" else line


def _table(derivation: Derivation, document: str | None) -> Table:
    """Return the rows of a derivation as a table, with the measure without each result or document."""
    placed = any(row.place for row in derivation.rows)
    rows = [
        (row.rank, row.document, *([row.place] if placed else []), *row.figures, row.adds, value)
        for row, value in rows_without(derivation, document)
    ]
    where = "element" if any(row.element for row in derivation.rows) else "offset:length"
    head = ("rank", "document", *([where] if placed else []))
    return Table((*head, *derivation.columns, ADDS, WITHOUT), rows)


def _document(under: DocumentUnderRun, format: str) -> Iterator[str]:
    yield ""
    yield from (_commented(line, format) for line in _of_document(under))
    told = under.explanation
    costly = [] if told is None else [cost for cost in told.costs if cost.loss > 0]
    if costly:
        headings = ("fault", "offset:length", "measure", "gain if corrected")
        yield "\n" + Table(headings, [_cost(cost) for cost in costly]).rendered(format).rstrip("\n")


def _of_document(under: DocumentUnderRun) -> Iterator[str]:
    yield f"document {visible(under.document)}"
    told, read = under.explanation, under.reading
    if told is None:
        yield "  it is unjudged, so it has no hits, misses or false alarms"
        return
    for name, ratio in document_ratios(under):
        until = ""
        if name == READING and read is not None:
            until = ", all is read" if read.stop is None else f", the reader stops at {read.stop}"
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
        none = f"{_commented('none', format)}\n"
        table = Table(ENTRY_HEAD[len(HEAD) + 1 :], shown).rendered(format) if shown else none
        said.append(f"{_commented(above, format)}\n{table}")
    return "\n".join(said)


def costs_said(every: Sequence[RunCosts], format: str) -> str:
    """Return the costs of runs: one table of all values for a program, else one of each kind."""
    if format in _FOR_PROGRAMS:
        return _for_program(COST_HEAD, [line for found in every for line in cost_lines(found)], format)
    return "".join(f"{part}\n" for found in every for part in _tables(found, format))


def _tables(found: RunCosts, format: str) -> Iterator[str]:
    scores = found.scores
    said = scores.parameters.said_for(scores.task)
    scored = ", ".join(filter(None, (scores.id, scores.task, said)))
    run = visible(f"{scored}: {found.measure} = {found.value:.4f}")
    yield from (_commented(line, format) for line in (run, ALONE))
    for kind in kinds_of(scores.task):
        parts = found.parts[kind]
        yield f"\n{_commented(f'{kind.value}s, gain of {found.measure} {kind.change}', format)}"
        lines = [line[len(HEAD) + 2 :] for line in cost_lines(found, [kind])]
        rows = [
            (topic, document, fault, f"{start}:{size}" if start != "" else "", gain)
            for topic, document, fault, start, size, gain in lines
        ]
        table = Table(("topic", "document", "fault", "offset:length", "gain"), rows)
        yield table.rendered(format).rstrip("\n") if parts else _commented("none", format)


def explain_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "explain",
        description="Derive the measures of a run on one topic: the formula, the formula with its numbers, "
        "the contribution of each result, and the measure without that result. With --doc, also list the "
        "relevant text that the run retrieved or missed in the document, its irrelevant text, and what "
        "correcting each passage would gain. Runs of elements need judged elements. --costs lists what cost "
        "the whole run most.",
        epilog="exit status: 0 success, 1 a run cannot be explained or no run has a judged document, 2 bad "
        "input, or an unknown topic or document",
    )
    add_scoring_arguments(parser)
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--topic", metavar="T", help="the topic")
    what.add_argument(
        "--costs",
        action="store_true",
        help="instead, list the passages, documents and topics that cost the run most over all topics, by "
        "the first -m (default: the preset's main measure); each cost comes from a full evaluation with that "
        "fault corrected",
    )
    add(
        "--most",
        type=positive,
        default=20,
        metavar="N",
        help="the number of lines of each kind with --costs (default: 20)",
    )
    add("--doc", metavar="D", help="explain only this document, with its characters")
    add(
        "--entry-points",
        action="store_true",
        help="instead, print the distance of the topic's entry points from the best entry points, and their "
        "s(x,b)",
    )
    add(
        "--screen",
        type=positive,
        default=SCREEN,
        metavar="N",
        help=f"the characters per screen, for distances in screens with --entry-points (default: {SCREEN:,})",
    )
    add("--format", choices=FORMATS, default="table", help="the output format (default: table)")
    parser.set_defaults(run=_run_explain)


def _run_explain(arguments: Namespace) -> int:
    if arguments.costs and arguments.doc is not None:
        raise InexviewError("--doc needs --topic")
    if arguments.entry_points and (arguments.costs or arguments.doc is not None):
        raise InexviewError("--entry-points needs --topic, and covers all its documents")
    settings, qrels = settings_of(arguments), judgements_of(arguments)
    paths: list[Path] = arguments.runs
    refused = False
    if arguments.best_of is not None:
        scored, refused = scored_runs(qrels, settings, arguments)
        if not scored:
            return BAD_INPUT
        paths = [scores.path for scores in scored if scores.path is not None]
    explain = _explain_elements if isinstance(qrels, ElementQrels) else _explain_passages
    status = explain(qrels, paths, settings, arguments)  # type: ignore[arg-type]  # of the kind that it takes
    return PROBLEMS if refused else status


def _explain_elements(
    qrels: ElementQrels, paths: Sequence[Path], settings: ScoringSettings, arguments: Namespace
) -> int:
    """Explain a topic under each run; return the exit status."""
    if arguments.costs:
        raise InexviewError("--costs needs judgements of characters, but these judge whole elements")
    if arguments.entry_points:
        raise InexviewError("--entry-points needs judgements of characters, but these judge whole elements")
    subset, progress = subset_of(arguments), RunCounter(len(paths))
    tell_unjudged(arguments.qrels, subset, qrels.topics)
    judged = subset.of_elements(qrels)
    every: list[tuple[Run | ElementRun, TopicExplained]] = []

    def explain(path: Path) -> None:
        run = subset.of_element_run(read_element_run(path))
        warn(run.warnings)
        explained = explain_elements(judged, run, settings, arguments.topic, arguments.doc, progress=progress)
        every.append((run, explained))

    status = _each(paths, explain)
    sys.stdout.write(topic_said(every, arguments.doc, arguments.format))
    return status


def _each(paths: Sequence[Path], explain: Callable[[Path], None]) -> int:
    """Explain run after run, report those that cannot be explained, and return the exit status.

    Raises InexviewError if none can be explained.
    """
    problems = []
    for path in paths:
        try:
            explain(path)
        except InexviewError as error:
            problems.append(str(error))
    said = tuple(dict.fromkeys(problems))
    if len(problems) == len(paths):
        raise InexviewError("\n".join(said))
    for problem in said:
        complain(problem)
    return PROBLEMS if problems else FINE


def _explain_passages(
    qrels: Qrels, paths: Sequence[Path], settings: ScoringSettings, arguments: Namespace
) -> int:
    """Explain a topic under each run; or list its entry points, or the costs of a run.

    Return the exit status.
    """
    of_judged = False
    subset, progress = subset_of(arguments), RunCounter(len(paths))
    tell_unjudged(arguments.qrels, subset, qrels.topics)
    judged = subset.of_qrels(qrels)
    every: list[tuple[Run | ElementRun, TopicExplained]] = []
    costs: list[RunCosts] = []
    entries: list[tuple[RunScores, EntryDistances]] = []
    with locator(arguments.collection, arguments.jobs, progress) as locate, progress:
        reader = RunReader(arguments, subset, qrels, locate, progress)

        def explain(path: Path) -> None:
            nonlocal of_judged
            run = reader.read(path)
            apart = nothing_in_common(judged, run)
            of_judged = of_judged or apart is None
            warn(run.warnings if apart is None else (*run.warnings, f"{path}: {apart}"))
            if arguments.costs:
                costs.append(costliest_parts(judged, run, settings, most=arguments.most, progress=progress))
            elif arguments.entry_points:
                entries.append(_entered(judged, run, settings, arguments.topic))
            else:
                every.append((run, explain_topic(judged, run, settings, arguments.topic, arguments.doc)))

        status = _each(paths, explain)
    if arguments.costs:
        said = costs_said(costs, arguments.format)
    elif arguments.entry_points:
        said = entries_said(entries, arguments.topic, arguments.screen, arguments.format)
    else:
        said = topic_said(every, arguments.doc, arguments.format)
    sys.stdout.write(said)
    return status if of_judged else PROBLEMS


def _entered(
    qrels: Qrels, run: Run, settings: ScoringSettings, topic: str
) -> tuple[RunScores, EntryDistances]:
    """Return a run's scores, and its entry points; raises InexviewError for a topic that is not judged."""
    if topic not in qrels.topics:
        raise InexviewError(f"topic {topic} is not judged")
    return score_run(qrels, run, settings), entry_distances(qrels, run, topic)


# `inexview inspect`: qrels and runs in the window, without a project.


def inspect_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "inspect",
        description="Open qrels and runs in the window, read-only. You need no project and no topic file: "
        "without one, topics are shown by number.",
        epilog="exit status: 0 the window was closed, 2 bad input (listed on stderr)",
    )
    add = parser.add_argument
    add(
        "judged", type=Path, nargs="?", metavar="QRELS",
        help="the qrels; or a benchmark or an annotation tool's file with texts, questions and passages",
    )  # fmt: skip
    add_collection_argument(
        parser,
        "the articles (default: corpus/ or articles/ in the folder of the qrels); without articles, "
        "texts are shown as dots",
    )
    add("-Q", "--qrels", type=Path, metavar="QRELS", help="the qrels; without qrels, the runs are not scored")
    add(
        "-R", "--run", type=Path, nargs="+", default=[], action="extend", dest="runs", metavar="RUN",
        help="the runs, in any format",
    )  # fmt: skip
    add("-T", "--topics", type=Path, metavar="FILE", help="the topics: a file or a folder")
    add("--task", choices=[task.value for task in Task], help="the task of runs that do not declare one")
    add(
        "--preset",
        choices=list(PRESETS),
        help="the evaluation settings of a year or track (default: inex2007, or the task's own)",
    )
    add_qrels_format_argument(parser)
    add_run_format_arguments(parser)
    add_gather_argument(parser)
    add_join_argument(parser)
    add_variations_argument(parser)
    add_parameters_argument(parser)
    add_keys_argument(parser)
    parser.set_defaults(run=_run_inspect, benchmark=None, nugget_share=1.0)


def _run_inspect(arguments: Namespace) -> int:
    """Read the files, and show them until the window is closed."""
    require_window()
    if arguments.judged is not None:
        _take_judged(arguments)
    if arguments.qrels is None and not arguments.runs:
        complain("there is nothing to inspect: name qrels (-Q) or runs (-R)")
        return BAD_INPUT
    if arguments.task is not None:
        preset_for(Task(arguments.task), arguments.preset)  # otherwise the window would use another one
    with TemporaryDirectory(prefix="inexview-", ignore_cleanup_errors=True) as folder:
        status = open_window(inspection=_inspection(arguments, Path(folder)))
    return leave(status)


def _take_judged(arguments: Namespace) -> None:
    """Use a file as the judgements, and a benchmark also as topics and collection, if none is given."""
    from inexview.core.formats.bundle_files import AS_FOUND, collection_of  # imports the reading of articles

    judged = arguments.judged
    if bundle_format(judged, FileKind.QRELS) is not None:
        arguments.benchmark, arguments.reading = judged, AS_FOUND.once(judged)
        arguments.topics = arguments.topics or judged
        arguments.collection = arguments.collection or collection_of(judged, arguments.reading)
    elif arguments.qrels is not None:
        raise DataError("is given as QRELS, and -Q gives another file: omit one", path=judged)
    arguments.qrels = arguments.qrels or judged


def _inspection(arguments: Namespace, folder: Path) -> Inspection:
    """Read the named files; raises DataError for files that cannot be read."""
    from inexview.core.formats.bundle_files import read_bundle_topics

    qrels = None if arguments.qrels is None else _qrels(arguments)
    topics: Topics | tuple[()] = ()
    if arguments.topics is not None and arguments.topics == arguments.benchmark:
        form = bundle_format(arguments.topics, FileKind.QRELS)
        assert form is not None  # it was taken for a benchmark
        topics = read_bundle_topics(arguments.topics, form=form.name, reading=arguments.reading)
    elif arguments.topics is not None:
        topics = read_topics(arguments.topics)
    options = run_options(arguments)
    runs, warnings = read_runs(arguments.runs, arguments.collection, options)
    for one in warnings:
        complain(f"warning: {one}")
    if arguments.parameters is not None:
        ParameterTable.read(arguments.parameters).of([run.id for run in runs])
    named = arguments.qrels or arguments.runs[0]
    made = create_inspection(
        folder / f"{named.name.split('.')[0] or 'inspected'}.inexview",
        collection=arguments.collection or texts_near(named, qrels, runs),
        keys=options.keys,
        qrels=qrels,
        runs=runs,
        topics=options.join.of_topics(topics),
        entry_points=options.bundle is None,
        variations=Variations.given(arguments.variations),
    )
    return replace(
        made,
        task=arguments.task and Task(arguments.task),
        preset=arguments.preset,
        qrels_path=arguments.qrels,
        qrels_format=arguments.qrels_format,
        run_options=options,
        parameters=arguments.parameters,
    )


def _qrels(arguments: Namespace) -> Qrels | ElementQrels:
    judged = judgements_of(arguments)
    if isinstance(judged, NuggetQrels):
        arguments.preset = arguments.preset or NUGGETS
    return judged
