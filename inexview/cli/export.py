"""`inexview export`: write a project's finished documents as FOL qrels."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.core.errors import DataError
from inexview.core.formats.fol_qrels import write_fol_qrels
from inexview.core.judging import DocumentState
from inexview.core.project import Project


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Describe the command."""
    parser = subparsers.add_parser(
        "export",
        description="Write the judgements of all finished documents as FOL qrels. Documents that are not "
        "finished are left out and listed on stderr. The project may be open in a window meanwhile.",
        epilog="exit status: 0 everything is written, 1 written but documents were left out, 2 not written",
    )
    parser.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="QRELS", help="the file to write")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Write the qrels, and say what is left out."""
    if arguments.output.resolve() == arguments.project.resolve():
        raise DataError("the qrels would overwrite the project; name another file", path=arguments.output)
    with Project.open(arguments.project, read_only=True) as project:
        judgements, left_out = project.judgements()
        write_fol_qrels(judgements, arguments.output)
        print(f"{arguments.output}: {len(judgements):,} judged documents")
        for topic, document in left_out:
            complain(f"left out: topic {topic}, document {document}: {_why(project.state(topic, document))}")
    return PROBLEMS if left_out else FINE


def _why(state: DocumentState) -> str:
    if state.untouched:
        return "not judged yet"
    passages = len(state.marks)
    return f"not finished ({passages:,} passage{'' if passages == 1 else 's'} marked)"
