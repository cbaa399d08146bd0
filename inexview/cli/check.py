"""`inexview check QRELS|RUN --collection C`: whether offsets and lengths are those of the documents."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli import check_output
from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.cli.judgements import warn
from inexview.cli.progress_line import Watch
from inexview.core.collection.collection import Collection
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.offset_check.correction import Correction, corrected, plan_for
from inexview.core.offset_check.diagnosis import Diagnosis
from inexview.core.offset_check.examine import examine
from inexview.core.offset_check.offset_files import read_offsets, write_offsets
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, Convention, Ends

_PLAIN = ", ".join(one.key for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE)
_ENDS = ", ".join(f"+{one.value}" for one in Ends if one.value)


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Describe the command."""
    parser = subparsers.add_parser(
        "check",
        description="Compare a file's document lengths and passage ends with the articles, under every way "
        "of counting that is known: code points (as inexview counts), UTF-8 bytes or UTF-16 units, white "
        "space as it is or merged, a newline more or less at the end. Says which explains the file, and "
        "names with file and line what it does not explain.",
        epilog="exit status: 0 every document fits, and code points are what it fits (or the convention that "
        "was asked for, or a corrected copy was written); 1 something does not fit; 2 bad input",
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="qrels or a run with offsets")
    add("--collection", type=Path, required=True, metavar="C", help="the articles: a folder or an archive")
    add(
        "--convention",
        metavar="NAME",
        help="judge the file by this one, not by the one that explains it best: "
        f"{_PLAIN}, each also with {_ENDS}",
    )
    add("--corrected", type=Path, metavar="OUT", help="write a copy in code points; misfits stay as they are")
    add(
        "--mixed",
        action="store_true",
        help="in the copy, turn documents that do not fit by another convention of the file that they fit",
    )
    add("--fol-end", action="store_true", help="a run's last field is where a passage ends")
    add("--format", choices=("table", "json"), default="table", help="how to print (default: table)")
    add("--all", action="store_true", help=f"list every misfit, not only the first {check_output.FIRST}")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Examine the file, say what it is, and write a corrected copy where one is wanted."""
    asked = None if arguments.convention is None else Convention.of(arguments.convention)
    collection = Collection.open(arguments.collection)
    try:
        judged = read_offsets(arguments.file, collection, fol_end=arguments.fol_end)
        warn(judged.warnings)
        with Watch() as watch:
            diagnosis = examine(judged, collection, watch)
        convention = asked or diagnosis.best
        copy = _corrected(judged, diagnosis, convention, collection, arguments)
    finally:
        collection.close()
    write = check_output.as_json if arguments.format == "json" else check_output.as_table
    write(sys.stdout, diagnosis, convention, copy, arguments)
    if diagnosis.end_for_length is not None:
        complain("warning: read this run again with --fol-end")
    return FINE if _fine(diagnosis, convention, copy, asked is not None) else PROBLEMS


def _corrected(
    judged: Qrels | Run,
    diagnosis: Diagnosis,
    convention: Convention,
    collection: Collection,
    arguments: Namespace,
) -> Correction | None:
    """Write the corrected copy, if one is wanted."""
    if arguments.corrected is None:
        return None
    plan = plan_for(diagnosis, convention, mixed=arguments.mixed)
    with Watch() as watch:
        copy = corrected(judged, plan, collection, watch)
    write_offsets(copy.judged, arguments.corrected, arguments.file)
    return copy


def _fine(diagnosis: Diagnosis, convention: Convention, copy: Correction | None, asked: bool) -> bool:
    """Tell whether nothing is left to be put right."""
    if copy is not None:
        return not copy.left.any()
    return not len(diagnosis.misfit_rows(convention)) and (asked or convention == CODE_POINTS)
