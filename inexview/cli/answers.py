"""`inexview answers FILE…`: how well citations support answers, and which nuggets answers lack."""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inexview.cli.common import (
    FINE,
    PROBLEMS,
    Watch,
    add_collection_argument,
    add_overwrite_argument,
    check_outputs,
    complain,
)
from inexview.cli.scoring import (
    add_qrels_format_argument,
    articles_for,
    joined_judgements,
    positive,
    read_judgements,
    warn,
)
from inexview.cli.tables import FORMATS, Table, TableCell, json_fields, json_value, print_json
from inexview.core.answers.answers import Answer, Answers, Reference
from inexview.core.answers.figures import AnswerFigure, Judged, figures_of, means_of
from inexview.core.answers.nuggets import FIRST_RESULTS, NuggetFile, text_of_results
from inexview.core.answers.support import SupportJudgements
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.files import write_complete
from inexview.core.formats.answer_files import placed_references, read_answers
from inexview.core.formats.format import FileKind
from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file, read_support, write_support
from inexview.core.formats.readers import format_to_read
from inexview.core.judgements.qrels import Qrels
from inexview.core.text.spans import Spans
from inexview.core.wording import counted

if TYPE_CHECKING:
    from inexview.core.project.project import Project

HEAD = ("run", "topic", "figure", "value", "answers", "unjudged", "low", "high")
ALL = "all"


def answers_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "answers",
        description="Measure how well the cited passages support answers, how many citations hit relevant "
        "text, and which nuggets the answers contain. Each figure uses only judged items, and shows how many "
        "are unjudged.",
        epilog="exit status: 0 success, 1 an answer cites a passage that it does not list, 2 bad input",
    )
    add = parser.add_argument
    add(
        "answers",
        type=Path,
        nargs="+",
        metavar="ANSWERS",
        help="answers of TREC RAG, RAGTIME, ALCE, …; or a project with answers, judgements and nuggets",
    )
    add("-Q", "--qrels", type=Path, help="qrels of characters or documents, for citation hits")
    add("--support", type=Path, metavar="FILE", help="judgements of support for citations, as JSON lines")
    add(
        "--nuggets",
        type=Path,
        metavar="FILE",
        help="nuggets with their assignments to answers, or with their passages",
    )
    add(
        "--share",
        type=_share,
        default=1.0,
        metavar="S",
        help="the share of a nugget's passage that must be cited for the nugget to count, from 0 (any) to 1 "
        "(all; default)",
    )
    add(
        "--ranking",
        type=Path,
        metavar="RUN",
        help="the run that retrieved the passages; shows which nuggets it retrieved but answers did not cite",
    )
    add(
        "--first",
        type=positive,
        default=FIRST_RESULTS,
        metavar="K",
        help=f"the number of results of --ranking to use (default: {FIRST_RESULTS})",
    )
    add(
        "--support-out",
        type=Path,
        metavar="FILE",
        help="write the project's judgements of support to this file",
    )
    add_overwrite_argument(parser, "FILE")
    add("--per-topic", action="store_true", help="also print each topic")
    add("--format", choices=FORMATS, default="table", help="the output format (default: table)")
    add_collection_argument(
        parser, "the texts, to locate passages and nuggets that are given only by their words"
    )
    add_qrels_format_argument(parser)
    parser.set_defaults(run=_run_answers, join_ids=[])


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def _run_answers(arguments: Namespace) -> int:
    check_outputs([arguments.support_out], arguments.answers, overwrite=arguments.overwrite)
    read = [_read(path, arguments) for path in arguments.answers]
    files = [one.answers for one in read]
    for file in read:
        warn(file.answers.warnings)
        if file.named:
            answers = counted(len(file.named), "answer")
            warn((f"{file.answers.path}: {answers} judged with run names visible, not blind",))
    _refuse_repeats(files)
    qrels = next((one.qrels for one in read if one.qrels is not None), None)
    if arguments.qrels is not None:
        judged = joined_judgements(
            read_judgements(arguments.qrels, arguments.collection, arguments.qrels_format), arguments
        )
        if not isinstance(judged, Qrels):
            raise InexviewError(f"{arguments.qrels}: judges elements; judgements of characters are needed")
        qrels = judged
    places, nuggets = _in_texts(files, arguments)
    for project in (one.nuggets for one in read if one.nuggets is not None):
        topics = () if nuggets is None else nuggets.topics
        nuggets = replace(nuggets or project, topics=(*topics, *project.topics))
    support = None if arguments.support is None else _support(files, arguments.support)
    own = {key: judged for one in read for key, judged in (one.support or {}).items()}
    if any(one.support is not None for one in read):
        support = {**own, **(support or {})}
    if arguments.support_out is not None:
        every = Answers(tuple(_every(files)))
        named = frozenset[tuple[str, str]]().union(*(one.named for one in read))
        write_complete(arguments.support_out, lambda part: write_support(own, every, part, named))
    against = Judged(support, qrels, nuggets, arguments.share, _retrieved(arguments))
    scored = {
        (answer.run, answer.topic): figures_of(answer, against, references)
        for answer, references in zip(_every(files), places, strict=True)
    }
    if nuggets is not None and not any("nugget" in name for own in scored.values() for name in own):
        complain(f"warning: {nuggets.path}: no nugget is assigned to these answers or has a passage")
    _print(files, scored, arguments)
    broken = any(sentence.broken for answer in _every(files) for sentence in answer.sentences)
    return PROBLEMS if broken else FINE


def _retrieved(arguments: Namespace) -> dict[str, dict[str, Spans]] | None:
    """Return the characters of the ranking's first results, by topic and document."""
    if arguments.ranking is None:
        return None
    from inexview.core.formats.readers import read_run  # here, because most calls read none

    with articles_for(
        format_to_read(arguments.ranking, FileKind.RUN, None, None), arguments.collection
    ) as articles:
        run = read_run(arguments.ranking, collection=articles)
    warn(run.warnings)
    return {topic: text_of_results(run, topic, arguments.first) for topic in run.topics}


class _Read(NamedTuple):
    """Answers, and from a project its assessor's judgements of them and of documents."""

    answers: Answers
    support: Mapping[tuple[str, str], SupportJudgements] | None = None
    qrels: Qrels | None = None
    nuggets: NuggetFile | None = None
    named: frozenset[tuple[str, str]] = frozenset()
    """Answers, by run and topic, that were judged with the name of their run shown."""


def _read(path: Path, arguments: Namespace) -> _Read:
    from inexview.core.project.import_judgements import is_project  # here, because most calls read no project

    if not is_project(path):
        return _Read(read_answers(path))
    from inexview.core.project.judgement_export import judgements_of
    from inexview.core.project.project import Project

    with Project.open(path, read_only=True) as project:
        if not project.answers:
            raise InexviewError(f"{path}: has no answers: import them with `inexview import {path} ANSWERS`")
        judged = judgements_of(project, code_points=True, own=True)
        if arguments.collection is None:
            arguments.collection = project.contents.collection_path
        return _Read(
            replace(project.answers.every(), path=path),
            project.answers.judged(),
            Qrels.from_judgements(judged.judgements) if judged.judgements else None,
            _nuggets_of(project) if project.nuggets else None,
            frozenset(
                (answer.run, answer.topic)
                for answer, state in project.answers.states()
                if state.judged.count and project.answers.named(answer.topic, answer.run)
            ),
        )


def _nuggets_of(project: Project) -> NuggetFile:
    """Return the nuggets of a project, with their assignments to answers."""
    from inexview.core.project.nuggets import all_nuggets, assigned_nuggets

    placed = all_nuggets(project)
    assigned = (one for topic in project.topics for one in assigned_nuggets(project, topic))
    return replace(placed, topics=(*assigned, *placed.topics))


def _every(files: Sequence[Answers]) -> Iterator[Answer]:
    for file in files:
        yield from file.answers


def _refuse_repeats(files: Sequence[Answers]) -> None:
    seen: dict[tuple[str, str], Path | None] = {}
    for file in files:
        for answer in file.answers:
            key = answer.run, answer.topic
            if key in seen:
                problem = f"run {answer.run} answers topic {answer.topic} in {seen[key]} too"
                raise InexviewError(f"{file.path}:{answer.line}: {problem}")
            seen[key] = file.path


def _in_texts(
    files: Sequence[Answers], arguments: Namespace
) -> tuple[Sequence[Sequence[Reference]], NuggetFile | None]:
    """Return the references of every answer, and the nuggets, with places if the texts are given."""
    nuggets = None if arguments.nuggets is None else read_nugget_file(arguments.nuggets)
    answers = list(_every(files))
    if arguments.collection is None:
        return [answer.references for answer in answers], nuggets
    with closing(Collection.open(arguments.collection)) as collection, Watch() as watch:
        places = placed_references(answers, collection, watch)
        if nuggets is not None:
            nuggets, _ = placed_nuggets(nuggets, collection, watch)
            warn(nuggets.warnings)
    return places, nuggets


def _support(files: Sequence[Answers], path: Path) -> dict[tuple[str, str], SupportJudgements]:
    """Return the judgements of the answers of all files."""
    found: dict[tuple[str, str], SupportJudgements] = {}
    for file in files:
        found |= read_support(path, file)
    if not found:
        complain(f"warning: {path}: judges none of these answers")
    return found


# -- printed -------------------------------------------------------------------------------------------

Scored = Mapping[tuple[str, str], Mapping[str, AnswerFigure]]


def _print(files: Sequence[Answers], scored: Scored, arguments: Namespace) -> None:
    runs = list(dict.fromkeys(run for file in files for run in file.runs))
    of_run = {run: [own for (name, _), own in scored.items() if name == run] for run in runs}
    if arguments.format == "json":
        print_json({"runs": [_as_json(run, of_run[run], scored, arguments) for run in runs]})
    elif arguments.format in ("table", "latex"):
        _print_tables(runs, of_run, files, scored, arguments)
    else:
        lines = [line for run in runs for line in _lines(run, of_run[run], scored, arguments)]
        print(Table(HEAD, lines).rendered(arguments.format), end="")


def _print_tables(
    runs: Sequence[str],
    of_run: Mapping[str, Sequence[Mapping[str, AnswerFigure]]],
    files: Sequence[Answers],
    scored: Scored,
    arguments: Namespace,
) -> None:
    names = list(dict.fromkeys(name for own in scored.values() for name in own))
    rows: list[tuple[TableCell, ...]] = []
    for run in runs:
        means = means_of(of_run[run])
        values = (means[name].value if name in means else None for name in names)
        rows.append((run, len(of_run[run]), *values))
    print(Table(("run", "answers", *names), rows, names=True).rendered(arguments.format), end="")
    if arguments.per_topic:
        lines = [
            (run, topic, *(own[name].value if name in own else None for name in names))
            for (run, topic), own in scored.items()
        ]
        print("\n" + Table(("run", "topic", *names), lines, names=True).rendered(arguments.format), end="")
    if arguments.format == "table":
        for answers in files:
            for run in answers.runs:
                print(_said(answers, run, means_of(of_run[run])))


def _said(answers: Answers, run: str, means: Mapping[str, Any]) -> str:
    """Return a summary of a system's answers, and of their unjudged parts."""
    own = answers.of_run(run).values()
    sentences = sum(len(answer.sentences) for answer in own)
    citations = sum(len(sentence.citations) for answer in own for sentence in answer.sentences)
    parts = counted(len(own), "answer"), counted(sentences, "sentence"), counted(citations, "citation")
    unjudged = [f"{name} {mean.unjudged:,}" for name, mean in means.items() if mean.unjudged]
    left = f"; not judged: {', '.join(unjudged)}" if unjudged else ""
    return f"{run}: {', '.join(parts)}{left}"


def _lines(
    run: str, own: Sequence[Mapping[str, AnswerFigure]], scored: Scored, arguments: Namespace
) -> Iterator[tuple[TableCell, ...]]:
    if arguments.per_topic:
        for (name, topic), figures in scored.items():
            for one in figures.values() if name == run else ():
                yield run, topic, one.name, one.value, 1, one.unjudged, one.low, one.high
    for name, mean in means_of(own).items():
        yield run, ALL, name, mean.value, mean.answers, mean.unjudged, math.nan, math.nan


def _as_json(
    run: str, own: Sequence[Mapping[str, AnswerFigure]], scored: Scored, arguments: Namespace
) -> dict[str, Any]:
    said: dict[str, Any] = {
        "id": run,
        "answers": len(own),
        "mean": {name: json_value(mean.value) for name, mean in means_of(own).items()},
        "unjudged": {name: mean.unjudged for name, mean in means_of(own).items()},
    }
    if arguments.per_topic:
        said["topics"] = {
            topic: {one.name: json_fields(one) for one in figures.values()}
            for (name, topic), figures in scored.items()
            if name == run
        }
    return said
