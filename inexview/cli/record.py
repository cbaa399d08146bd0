"""The record of a project: `inexview log` and `inexview restore`, and warnings of damage for all commands."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.cli.common import FINE, PROBLEMS, Watch, complain
from inexview.core.errors import InexviewError
from inexview.core.project.journal import ROW_SCHEMAS
from inexview.core.project.journal_rows import Row
from inexview.core.project.nugget_record import NUGGET
from inexview.core.project.recovery import copies_folder, copy_contents, restore_copy, save_salvaged
from inexview.core.wording import some_named

if TYPE_CHECKING:
    from inexview.core.project.project import Project


def tell_damage(project: Project) -> int:
    """Print on stderr which rows of a project cannot be read, or are only in a copy; return the exit status.

    It is 0 if nothing is damaged and no copy has more.
    """
    if project.damage is not None:
        complain(str(project.damage))
        return PROBLEMS
    newer = project.newer_copy
    if newer is None:
        return FINE
    complain(
        f"{project.path}: {newer}; perhaps an older file was put back. `inexview restore` lists the copies, "
        "and writes one to a new file"
    )
    return PROBLEMS


# The topics of a project that are selected for a command.

_NAMED = 8  # topics of a project that are named in an error about a missing one


def check_topics(project: Project, wanted: Iterable[str]) -> None:
    """Raise InexviewError for a topic that is not in the project."""
    known = [topic.id for topic in project.topics]
    for topic in wanted:
        if topic not in known:
            has = some_named(known, _NAMED)
            raise InexviewError(f"{project.path}: there is no topic '{topic}'; its topics are {has}")


def note_pooled_texts(project: Project) -> None:
    """Store the digests of the pooled documents' texts, if the collection is available."""
    from inexview.core.project.project import note_texts, read_texts, unread_texts

    with suppress(InexviewError), Watch() as watch:
        note_texts(project, read_texts(project.collection, unread_texts(project), watch))


# `inexview log`: every action of a project, as JSON lines.


def log_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "log",
        description="Print all actions in a project, one JSON object per line: seq, id, time (UTC), "
        "assessor, topic, document, action, step (shared by actions done together), content. The project may "
        "be open in a window.",
        epilog="exit status: 0 success, 1 the project is damaged (its readable part is printed), 2 bad input",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project")
    add("--topic", metavar="TOPIC", help="print only actions in this topic")
    add("--doc", "--document", dest="document", metavar="ID", help="print only actions on this document")
    add(
        "--action",
        action="append",
        choices=sorted(ROW_SCHEMAS),
        metavar="NAME",
        help="print only these actions; may be repeated: " + ", ".join(sorted(ROW_SCHEMAS)),
    )
    parser.set_defaults(run=_run_log)


def _run_log(arguments: Namespace) -> int:
    from inexview.core.project.project import Project  # here, because `inexview restore` does not need it

    with Project.open(arguments.project, read_only=True) as project:
        check_topics(project, [] if arguments.topic is None else [arguments.topic])
        for row in project.journal.rows():
            if (
                arguments.topic in (None, row.topic)
                and arguments.document in (None, row.document, _open_document(row))
                and (arguments.action is None or row.action in arguments.action)
            ):
                told = {name: value for name, value in row._asdict().items() if value is not None}
                print(json.dumps({**told, "content": row.values()}, ensure_ascii=False))
        return tell_damage(project)


def _open_document(row: Row) -> str | None:
    """Return the document that was open during an action on nuggets, which belong to the topic."""
    said = row.values().get("document") if row.action == NUGGET else None
    return said if isinstance(said, str) else None


# `inexview restore`: list the copies of a project, restore one, or recover the contents of a damaged file.


def restore_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "restore",
        description="List the backup copies of a project, and what each has that the project file lacks. "
        "Write one copy, or the readable part of a damaged file, to a new file. Existing files are never "
        f"changed. The copies are in {copies_folder()}.",
        epilog="exit status: 0 success, 1 something is lost or there is no copy, 2 not written",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project file, which may be damaged")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--copy", type=int, metavar="N", help="write the copy with this number (1 is the newest)"
    )
    what.add_argument(
        "--salvage",
        action="store_true",
        help="recover the readable rows of the file, and lost rows from its copies; uncertain documents "
        "become not finished",
    )
    add("-o", "--output", "--out", type=Path, metavar="NEW.inexview", help="the file to write")
    parser.set_defaults(run=_run_restore)


def _run_restore(arguments: Namespace) -> int:
    """List the copies, or write a new file."""
    path: Path = arguments.project
    if not arguments.salvage and arguments.copy is None:
        if arguments.output is not None:
            raise InexviewError("choose what to write: --copy N or --salvage")
        return _list(path)
    if arguments.output is None:
        raise InexviewError("name a new file with -o; existing files are never overwritten")
    return _salvage(path, arguments.output) if arguments.salvage else _restore(path, arguments)


def _list(path: Path) -> int:
    contents = copy_contents(path)
    for number, one in enumerate(contents, 1):
        print(f"{number:>2}  {one.copy.time.astimezone():%Y-%m-%d %H:%M:%S}  {one}")
    if not contents:
        complain(f"{path}: there is no copy in {copies_folder()}")
        return PROBLEMS
    return FINE


def _restore(path: Path, arguments: Namespace) -> int:
    contents = copy_contents(path)
    if not 0 < arguments.copy <= len(contents):
        raise InexviewError(f"--copy {arguments.copy}: there are {len(contents)} copies, counted from 1")
    chosen = contents[arguments.copy - 1]
    restore_copy(chosen.copy.path, arguments.output)
    print(f"{arguments.output}: the copy of {chosen.copy.time.astimezone():%Y-%m-%d %H:%M:%S}, {chosen}")
    return FINE


def _salvage(path: Path, output: Path) -> int:
    damage = save_salvaged(path, output)
    given = f", {len(damage.copied):,} of them only in its copies" if damage.copied else ""
    print(f"{output}: {damage.rows:,} rows{given}")
    for line in damage.lines:
        complain(line)
    if not damage.complete:
        complain(f"{path}: the original number of rows is unknown, so further rows may be lost")
    return PROBLEMS if damage.lines or not damage.complete else FINE
