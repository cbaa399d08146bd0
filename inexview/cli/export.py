"""`inexview export`: write a project's judgements as FOL qrels or JSON lines; check marks by their quotes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.cli.progress import Watch
from inexview.core.drift import check, quoted_documents
from inexview.core.errors import DataError, InexviewError
from inexview.core.formats.fol_qrels import write_fol_qrels
from inexview.core.formats.jsonl import write_jsonl
from inexview.core.judging import DocumentState
from inexview.core.project import Project

FOL, JSONL = "fol-qrels", "jsonl"


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Describe the command."""
    parser = subparsers.add_parser(
        "export",
        description="Write the judgements of a project: as FOL qrels those of finished documents, counted in "
        "the project's convention, or as JSON lines all that is known, with the quotes of the passages "
        "and the documents still open. What is left out is listed on stderr. The project may be open in a "
        "window meanwhile.",
        epilog="exit status: 0 everything is written and reads as it was marked, 1 documents were left out, "
        "are not finished, or marks read otherwise now, 2 not written",
    )
    parser.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--format",
        choices=(FOL, JSONL),
        help=f"{FOL}, or {JSONL}: one JSON object for each document (as FILE ends in .jsonl, unless given)",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare every mark with its article, and list those whose text no longer reads as it did",
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Write what is asked for, and say what is left out and what reads otherwise."""
    if arguments.output is None and not arguments.check:
        raise InexviewError("there is nothing to do: name a file to write with -o, or ask for --check")
    status = FINE
    with Project.open(arguments.project, read_only=True) as project:
        if arguments.output is not None:
            status = _export(project, arguments.output, arguments.format)
        if arguments.check:
            status = max(status, _check(project))
    return status


def _export(project: Project, output: Path, format: str | None) -> int:
    if output.resolve() == project.path:
        raise DataError("the judgements would overwrite the project; name another file", path=output)
    if (format or (JSONL if output.suffix == ".jsonl" else FOL)) == JSONL:
        return _export_records(project, output)
    judgements, left_out = project.judgements()
    write_fol_qrels(judgements, output)
    print(f"{output}: {len(judgements):,} judged documents")
    _tell_left_out(project, left_out)
    return PROBLEMS if left_out else FINE


def _export_records(project: Project, output: Path) -> int:
    records = project.records()
    write_jsonl(records, output)
    unfinished = [one.judgement for one in records if not one.finished]
    print(f"{output}: {len(records):,} documents, {len(unfinished):,} of them not finished")
    for judgement in unfinished:
        complain(f"not finished: topic {judgement.topic}, document {judgement.document}")
    untouched = [
        (topic, document)
        for topic, document in project.judgements(read_lengths=False).left_out
        if project.state(topic, document).untouched
    ]
    _tell_left_out(project, untouched)
    return PROBLEMS if unfinished or untouched else FINE


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
    print(
        f"{checked.passages:,} marked passages in {checked.documents:,} articles compared: "
        f"{len(checked.drifts):,} no longer read as they did"
    )
    if checked.unquoted:
        print(f"{checked.unquoted:,} passages carry no quote to compare")
    return PROBLEMS if checked.drifts or checked.unreadable else FINE


def _why(state: DocumentState) -> str:
    if state.untouched:
        return "not judged yet"
    passages = len(state.marks)
    return f"not finished ({passages:,} passage{'' if passages == 1 else 's'} marked)"
