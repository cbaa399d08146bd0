"""`inexview import`: take judgements of any format over into a project."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.cli.judgements import warn
from inexview.cli.progress_line import Watch
from inexview.cli.project_damage import tell_damage
from inexview.core.errors import InexviewError
from inexview.core.formats.format import JUDGEMENTS, Format
from inexview.core.formats.format_registry import format_named, names_of
from inexview.core.formats.readers import read_for_project
from inexview.core.formats.recognition import format_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.offset_check.examine import suspicion
from inexview.core.project.exchange.import_judgements import make_ready, telling_absent
from inexview.core.project.exchange.takeover import take
from inexview.core.project.project import Project
from inexview.core.wording import counted

_DESCRIPTION = (
    "Take judgements over into a project, as the window does: qrels counted in the project's convention, "
    "assessment XML, or JSON lines with their quotes and documents not finished. What the assessor "
    "judged differently stays, unless --replace; each document is one step that can be undone. What is left "
    "out is listed on stderr."
)


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "import",
        description=_DESCRIPTION,
        epilog="exit status: 0 everything was taken over, 1 something was left out or looks wrong, 2 a file "
        "was not taken over at all",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project; no window may have it open")
    add("files", type=Path, nargs="+", metavar="FILE", help="judgements, or a folder of assessment XML")
    add(
        "--from",
        dest="source",
        choices=names_of(*JUDGEMENTS),
        metavar="FORMAT",
        help=f"what the files are, where that is not seen: {', '.join(names_of(*JUDGEMENTS))}",
    )
    add("--replace", action="store_true", help="take over also where the assessor judged differently")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Read all files, then take them over one after another, and say what became of each.

    Where one of them cannot be read, none is taken over.
    """
    with Project.open(arguments.project) as project:
        status = tell_damage(project)
        formats = [_format(file, arguments.source) for file in arguments.files]
        read = [_read(project, *named) for named in zip(arguments.files, formats, strict=True)]
        for file, judged in zip(arguments.files, read, strict=True):
            status = max(status, _take(project, file, judged, arguments.replace))
    return status


def _format(file: Path, named: str | None) -> Format:
    format = format_named(named) if named else format_of(file)
    if format.kind not in JUDGEMENTS:
        raise InexviewError(f"{file}: {format.title}; only judgements can be imported")
    return format


def _read(project: Project, file: Path, format: Format) -> tuple[Qrels | Records, str | None]:
    """Read judgements; with them what speaks against their offsets, if anything does."""
    collection = project.collection
    with Watch() as watch:
        judged = read_for_project(file, format, collection, watch)
        doubt = None
        if isinstance(judged, Qrels) and not format.needs_collection:
            doubt = suspicion(judged, collection, expected=project.convention)
    return judged, doubt


def _take(project: Project, file: Path, read: tuple[Qrels | Records, str | None], replace: bool) -> int:
    collection, (judged, doubt) = project.collection, read
    with Watch() as watch:
        topics = {topic.id for topic in project.topics}
        ready = make_ready(judged, topics, project.convention, lambda id: collection.scan(id).text, watch)
        ready = telling_absent(ready, topics, collection)
    taken = take(project, ready, replace=replace)
    warn(judged.warnings)
    if doubt is not None:
        complain(f"warning: {file}: {doubt}")
    warn(taken.warnings)
    so_before = f"{taken.unchanged:,} {'was' if taken.unchanged == 1 else 'were'} judged so already"
    print(f"{file}: {counted(taken.documents, 'document')} taken over, {so_before}")
    return PROBLEMS if judged.warnings or doubt is not None or taken.warnings else FINE
