"""`inexview export`: write a project's judgements in any format that carries them; check marks."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS, complain
from inexview.cli.convert import add_white_space_argument, agreed
from inexview.cli.judgements import warn
from inexview.cli.outputs import add_overwrite_argument, check_outputs
from inexview.cli.progress_line import Watch
from inexview.cli.project_damage import tell_damage
from inexview.cli.project_topics import check_topics
from inexview.core.errors import DataError, InexviewError
from inexview.core.formats.convert.targets import is_folder
from inexview.core.formats.format import JUDGEMENTS, FileKind, Format
from inexview.core.formats.format_registry import format_named, names_of
from inexview.core.formats.tables.text_formats import FOL_QRELS, JSONL
from inexview.core.formats.xml_formats import ASSESSMENTS_2007
from inexview.core.project.exchange.judgement_export import Exported, Wanted, export, options_for
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.standing import Standing
from inexview.core.project.project import Project
from inexview.core.project.text_changes import check, quoted_documents
from inexview.core.wording import counted

_SUFFIXES = {format.suffix: format for format in (JSONL, ASSESSMENTS_2007)}
_DESCRIPTION = (
    "Write the judgements of a project: those of finished documents, counted in the project's convention, or "
    "as JSON lines all that is known, with the quotes of the passages and documents not finished. What is "
    "left out is listed on stderr; what the format cannot carry is said first, and then nothing is written "
    "without --lossy. The project may be open in a window meanwhile."
)


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "export",
        description=_DESCRIPTION,
        epilog="exit status: 0 everything is written and reads as it was marked, 1 documents were left out, "
        "are not finished, something is lost, or marks read differently now, 2 not written",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project")
    add("-o", "--output", "--out", metavar="FILE", help="the file to write, or the folder/ of assessments")
    add(
        "--to",
        "--format",
        dest="format",
        choices=names_of(*JUDGEMENTS),
        metavar="FORMAT",
        help=f"{', '.join(names_of(*JUDGEMENTS))} (where it is not given: {JSONL.name} for .jsonl, "
        f"{ASSESSMENTS_2007.name} for .xml and folders, else {FOL_QRELS.name})",
    )
    add("--topic", action="append", metavar="TOPIC", help="only this topic; may be given several times")
    add(
        "--without-suggested",
        action="store_true",
        help="leave out what was marked from suggestions, and documents in which nothing else is marked",
    )
    add(
        "--own",
        action="store_true",
        help="the project's own assessor's judgements, also where a third layer settles a document",
    )
    add("--text", action="store_true", help="write the text of each passage too, in JSON lines")
    add("--lossy", action="store_true", help="write although the format cannot carry all of it")
    add_overwrite_argument(parser, "FILE")
    add_white_space_argument(parser)
    add(
        "--check",
        action="store_true",
        help="compare every mark with its article, and list those whose text no longer reads as it did",
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Write what is asked for, and say what is left out and what reads differently."""
    if arguments.output is None and not arguments.check:
        raise InexviewError("there is nothing to do: name a file to write with -o, or ask for --check")
    with Project.open(arguments.project, read_only=True) as project:
        status = tell_damage(project)
        if arguments.output is not None:
            status = max(status, _export(project, arguments))
        if arguments.check:
            status = max(status, _check(project))
    return status


def _export(project: Project, arguments: Namespace) -> int:
    output, folder = Path(arguments.output), is_folder(Path(arguments.output), arguments.output)
    if Path(os.path.realpath(output)) == project.path:
        raise DataError("the judgements would overwrite the project; name another file", path=output)
    target = _target(output, arguments.format, folder=folder)
    if arguments.text and target is not JSONL:
        raise InexviewError(
            f"--text writes JSON lines, and not {target.name}: name a file that ends in .jsonl"
        )
    if not folder or target.kind is FileKind.ASSESSMENTS:
        articles = [project.contents.collection_path]
        check_outputs([output], articles, overwrite=arguments.overwrite, folder=folder)
    check_topics(project, arguments.topic or ())
    wanted = Wanted(
        target,
        arguments.topic,
        strip=arguments.whitespace == "strip",
        suggested=not arguments.without_suggested,
        texts=arguments.text,
        own=arguments.own,
    )
    with Watch() as watch:
        exported = export(project, wanted, watch)
        watch.hide()
        warn(exported.converted.warnings)
        if not agreed(exported.converted.lost, target, lossy=arguments.lossy):
            return BAD_INPUT
        if not exported.documents:  # an empty file would take the place of what may lie there
            _tell_left_out(project, exported.left_out)
            raise DataError("there is nothing to export yet: not written", path=output)
        exported.write(output, options_for(project, wanted, watch), folder=folder)
    return max(_tell(project, exported, output), PROBLEMS if exported.converted.lost else FINE)


def _target(output: Path, named: str | None, *, folder: bool) -> Format:
    if named is not None:
        return format_named(named)
    return ASSESSMENTS_2007 if folder else _SUFFIXES.get(output.suffix.lower(), FOL_QRELS)


def _tell(project: Project, exported: Exported, output: Path) -> int:
    """Say what was written, and which documents were left out or are not finished."""
    if exported.target is JSONL:
        begun = exported.begun
        print(f"{output}: {counted(exported.documents, 'document')}, {len(begun):,} of them not finished")
        for topic, document in begun:
            complain(f"not finished: topic {topic}, document {document}")
    else:
        print(f"{output}: {counted(exported.documents, 'judged document')}")
    _tell_left_out(project, exported.left_out)
    return PROBLEMS if exported.left_out or exported.begun else FINE


def _tell_left_out(project: Project, left_out: Iterable[tuple[str, str]]) -> None:
    for topic, document in left_out:
        complain(f"left out: topic {topic}, document {document}: {_why(project.state(topic, document))}")


def _check(project: Project) -> int:
    listed = quoted_documents(project)
    with Watch() as watch:
        checked = check(listed, project.collection, watch)
    for drift in checked.drifts:
        complain(f"topic {drift.topic}, document {drift.document}: {drift}")
    for topic, document, why in checked.unreadable:
        complain(f"topic {topic}, document {document}: cannot be checked: {why}")
    for topic, document, why in checked.resized:
        complain(f"topic {topic}, document {document}: {why}, and its passages have no quotes to compare")
    number = len(checked.drifts)
    print(
        f"{counted(checked.passages, 'marked passage')} in {counted(checked.documents, 'article')} compared: "
        f"{number:,} no longer {'reads as it did' if number == 1 else 'read as they did'}"
    )
    if checked.unquoted:
        print(f"{counted(checked.unquoted, 'passage')} without a quote to compare")
    return PROBLEMS if checked.drifts or checked.unreadable or checked.resized else FINE


def _why(state: DocumentState) -> str:
    if state.untouched:
        return Standing.TO_DO.value
    if state.finished:
        return "all that is marked in it was suggested"
    return f"{Standing.BEGUN.value} ({counted(len(state.marks), 'passage')} marked)"
