"""`inexview restore`: list the copies of a project, restore one, or save what a damaged file has left."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.core.errors import InexviewError
from inexview.core.project.recovery.copies import copies_folder
from inexview.core.project.recovery.copy_contents import copy_contents
from inexview.core.project.recovery.rescue import restore_copy, save_salvaged


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "restore",
        description="List the copies of a project with what each has that the file has not; write one of "
        "them, or what can be read of a damaged file, to a new file. Nothing that is there is changed. "
        f"The copies are in {copies_folder()}.",
        epilog="exit status: 0 fine, 1 something is lost or there is no copy, 2 not written",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project, damaged or not")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--copy", type=int, metavar="N", help="write the copy of this number, 1 is the newest")
    what.add_argument(
        "--salvage",
        action="store_true",
        help="write what can be read of the file, with the rows that only its copies still have; documents "
        "in doubt are not finished",
    )
    add("-o", "--output", "--out", type=Path, metavar="NEW.inexview", help="the file to write")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """List, or write a new file."""
    path: Path = arguments.project
    if not arguments.salvage and arguments.copy is None:
        if arguments.output is not None:
            raise InexviewError("say what to write: --copy N, or --salvage")
        return _list(path)
    if arguments.output is None:
        raise InexviewError("name the new file with -o; nothing is written over")
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
        complain(f"{path}: the file does not tell how many rows there were; further ones may be lost")
    return PROBLEMS if damage.lines or not damage.complete else FINE
