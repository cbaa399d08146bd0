"""`inexview index` and `inexview check`: list a collection, and compare offsets with its texts."""

from __future__ import annotations

import signal
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

from inexview.cli.common import (
    FINE,
    INTERRUPTED,
    PROBLEMS,
    Watch,
    add_collection_argument,
    add_keys_argument,
    add_overwrite_argument,
    check_outputs,
    complain,
    keys_of,
)
from inexview.cli.scoring import warn
from inexview.cli.tables import Table, TableCell, json_value, print_json
from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace, cache_folder, kept
from inexview.core.errors import DataError, InexviewError
from inexview.core.formats.bundle_files import checked_passages, read_bundle
from inexview.core.formats.format import bundle_format
from inexview.core.offset_check.diagnosis import CheckedRow, Diagnosis, Fit, misfit_line, verdict
from inexview.core.offset_check.examine import (
    Correction,
    corrected,
    examine,
    plan_for,
    read_offsets,
    write_offsets,
)
from inexview.core.progress import Cancelled, Progress, Tell
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, Convention, Ends, Form
from inexview.core.word_index.word_index import word_index
from inexview.core.wording import counted, percent, visible

_TOLD = 10  # unreadable articles that are named


def index_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "index",
        description="List a collection's articles, so that it opens immediately from then on. The list is "
        "kept in your cache folder and updated when the collection changes. Opening a collection makes this "
        "list too; this command makes it in advance. Ctrl-C stops the command. Run it again to continue.",
        epilog="exit status: 0 success, 1 done with warnings, 2 not done, 130 stopped",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--rebuild", action="store_true", help="make the list again, even if it is up to date"
    )
    instead.add_argument(
        "--forget",
        action="store_true",
        help="delete the cached list of the collection (the collection itself may be gone)",
    )
    instead.add_argument(
        "--list", action="store_true", help="show the cached lists of all collections, with their sizes"
    )
    instead.add_argument(
        "--forget-missing",
        action="store_true",
        help="delete the cached lists of collections that no longer exist in their folder (collections on "
        "unmounted drives are kept; use --forget for these)",
    )
    parser.add_argument(
        "--lengths", action="store_true", help="also read every article and store its length in characters"
    )
    parser.add_argument(
        "--words",
        action="store_true",
        help="also index the words of every article, for full-text search and inexview retrieve",
    )
    parser.add_argument(
        "collection",
        type=Path,
        nargs="?",
        metavar="COLLECTION",
        help="a folder, .zip or .tar(.gz, .bz2, .xz)",
    )
    add_keys_argument(parser)
    parser.set_defaults(run=_run_index)


def _run_index(arguments: Namespace) -> int:
    if arguments.list:
        return _list()
    if arguments.forget_missing:
        return _forget_missing()
    if arguments.collection is None:
        raise InexviewError("name a collection, or use --list or --forget-missing")
    if arguments.forget:
        freed = CachePlace(arguments.collection, small=False).forget_all()
        print(f"{arguments.collection}: {freed / 1e6:,.1f} MB deleted from {cache_folder()}")
        return FINE
    collection = Collection.open(arguments.collection, keys_of(arguments))
    try:
        with Watch() as watch, _stoppable(watch) as progress:
            return _index(collection, arguments, progress, watch.say)
    except Cancelled:
        complain("stopped; run the same command again to continue")
        return INTERRUPTED
    finally:
        collection.close()


def _index(collection: Collection, arguments: Namespace, progress: Progress, tell: Tell) -> int:
    collection.require_articles(progress)
    (collection.rebuild if arguments.rebuild else collection.prepare)(progress)
    unreadable = _note_lengths(collection, progress) if arguments.lengths else []
    lengths = collection.lengths_known  # writes them, too
    print(f"{arguments.collection}: {counted(len(collection), 'article')}, {_kept(collection)}")
    if arguments.lengths:
        print(f"lengths known: {counted(lengths, 'article')}")
    if arguments.words:
        words = word_index(collection, progress, rebuild=arguments.rebuild, tell=tell)
        size = CachePlace(collection.path, small=False).bytes_of_words()
        print(f"words: {words.words:,} in {counted(words.documents, 'article')} ({size / 1e6:,.1f} MB)")
        if words.unreadable and not unreadable:
            unreadable = [f"{counted(words.unreadable, 'article')} cannot be read, so it has no words"]
    warnings = [*collection.warnings, *unreadable]
    for warning in warnings:
        complain(warning)
    return PROBLEMS if warnings else FINE


def _list() -> int:
    """Print the stored files of each collection, and which collections are missing."""
    listed = kept()
    for one in listed:
        missing = "" if one.there else "  gone" if one.gone else "  not there now (is its drive mounted?)"
        words = one.place.bytes_of_words()
        of_them = f" ({words / 1e6:,.1f} MB of them words)" if words else ""
        print(f"{one.size / 1e6:10,.1f} MB  {one.place.collection}{of_them}{missing}")
    total = sum(one.size for one in listed)
    print(f"{total / 1e6:10,.1f} MB  of {counted(len(listed), 'collection')} in {cache_folder()}")
    return FINE


def _forget_missing() -> int:
    """Delete the stored files of missing collections, and print their names."""
    freed = 0
    for one in kept():
        if one.gone:
            freed += one.place.forget_all()
            print(f"{one.place.collection}: gone; {one.size / 1e6:,.1f} MB deleted")
    print(f"{freed / 1e6:,.1f} MB deleted from {cache_folder()}")
    return FINE


def _kept(collection: Collection) -> str:
    place = collection.place
    if place.small:
        return "so few that they are listed at every opening, and nothing is kept"
    return f"listed in {place.index} ({place.bytes_kept() / 1e6:,.1f} MB)"


def _note_lengths(collection: Collection, progress: Progress) -> list[str]:
    """Read the articles with unknown lengths, in the order of the collection."""
    problems: list[str] = []
    unreadable, total = 0, len(collection)
    for read, id in enumerate(collection.ids_as_stored(), 1):
        try:
            collection.length(id)
        except DataError as error:
            unreadable += 1
            if len(problems) < _TOLD:
                problems.append(str(error))
        progress("articles read", read, total)
    more = unreadable - len(problems)
    return problems + ([f"{counted(more, 'more article')} cannot be read"] if more else [])


@contextmanager
def _stoppable(watch: Watch) -> Iterator[Progress]:
    """Yield a progress that stops the work cleanly when Ctrl-C is pressed."""
    pressed = False

    def press(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt  # pressed again: stop at once
        pressed = True

    def progress(what: str, done: int, total: int | None) -> None:
        if pressed:
            raise Cancelled
        watch(what, done, total)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)


# `inexview check QRELS|RUN --collection C`: whether offsets and lengths are those of the documents.

_PLAIN = ", ".join(one.key for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE)
_ENDS = ", ".join(f"+{one.value}" for one in Ends if one.value)
_FORMS = ", ".join(f"+{one.value}" for one in Form if one.value)
FIRST = 10
"""The number of misfits that are listed unless all are requested."""


@dataclass(frozen=True, eq=False)
class _Checked:
    """The results for a file, the convention in which it is checked, and the copy if one was made."""

    diagnosis: Diagnosis
    convention: Convention
    copy: Correction | None
    arguments: Namespace

    def misfits(self) -> list[CheckedRow]:
        """Return the misfits that are listed."""
        every = self.diagnosis.misfits(self.convention)
        return list(islice(every, None if self.arguments.all else FIRST))


def check_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "check",
        description="Compare document lengths and passage ends in a file with the articles, under all known "
        "ways of counting: code points (inexview's own), UTF-8 bytes or UTF-16 units, white space kept or "
        "merged, with or without a newline at the end; and in other forms of the text: CR LF line ends, "
        "references unexpanded, the file with its tags, NFC and NFD, text nodes joined by blanks or without "
        "blank nodes. Report the convention that explains the file best, and list all offsets that do not "
        "fit, with file and line.",
        epilog="exit status: 0 all documents fit, and the file counts code points (or --convention, or "
        "--corrected wrote a copy); 1 something does not fit; 2 bad input",
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a file of qrels, or a run, with offsets")
    add_collection_argument(
        parser, "the articles: a folder or an archive (a benchmark contains its own texts)"
    )
    add(
        "--convention",
        metavar="NAME",
        help=f"check against this convention instead of the best one: {_PLAIN}, each also with {_ENDS}; or a "
        f"unit of another form of the text: {_FORMS}",
    )
    add(
        "--corrected",
        type=Path,
        metavar="OUT",
        help="write a corrected copy in code points, if anything needs correction; offsets that do not fit "
        "stay unchanged",
    )
    add_overwrite_argument(parser, "OUT")
    add(
        "--mixed",
        action="store_true",
        help="in the copy, convert each remaining document by another convention of the file that fits it",
    )
    add(
        "--fol-end",
        action="store_true",
        help="the last field of a run is the end of the passage, not its length",
    )
    add("--format", choices=("table", "json"), default="table", help="the output format (default: table)")
    add("--all", action="store_true", help=f"list all offsets that do not fit, not only the first {FIRST}")
    parser.set_defaults(run=_run_check)


def _run_check(arguments: Namespace) -> int:
    """Check the file, print the results, and write a corrected copy if requested."""
    if bundle_format(arguments.file) is not None:
        return _check_bundle(arguments)
    if arguments.collection is None:
        raise InexviewError("give the articles with --collection: offsets are checked against them")
    asked = None if arguments.convention is None else Convention.of(arguments.convention)
    sources = [arguments.file, arguments.collection]
    check_outputs([arguments.corrected], sources, overwrite=arguments.overwrite)
    with closing(Collection.open(arguments.collection)) as collection:
        judged = read_offsets(arguments.file, collection, fol_end=arguments.fol_end)
        warn(judged.warnings)
        with Watch() as watch:
            diagnosis = examine(judged, collection, watch)
            convention, copy = asked or diagnosis.best, None
            if arguments.corrected is not None:
                plan = plan_for(diagnosis, convention, mixed=arguments.mixed)
                copy = corrected(judged, plan, collection, watch)
                if _corrects(copy, arguments):
                    write_offsets(copy.judged, arguments.corrected, arguments.file)
    checked = _Checked(diagnosis, convention, copy, arguments)
    if arguments.format == "json":
        print_json(_as_json(checked))
    else:
        _print_table(checked)
    if diagnosis.end_for_length is not None:
        complain("warning: read this run again with --fol-end")
    return FINE if _fine(checked, convention_asked=asked is not None) else PROBLEMS


def _check_bundle(arguments: Namespace) -> int:
    """Compare the passages of a benchmark or an annotation tool's file with their quotes."""
    bundle = read_bundle(arguments.file)
    with ExitStack() as opened, Watch() as watch:
        collection = None
        if arguments.collection is not None:
            collection = opened.enter_context(closing(Collection.open(arguments.collection)))
        _, check, _ = checked_passages(bundle, collection, watch)
    fits = [{"convention": way.key, "name": way.name, "passages": count} for way, count in check.fits.items()]
    if arguments.format == "json":
        print_json(
            {
                "form": bundle.form,
                "passages": check.passages,
                "fitting": check.fitting,
                "convention": check.way.key,
                "conventions": fits,
                "found": check.found,
                "lost": check.lost,
                "unquoted": check.unquoted,
                "absent": list(check.absent),
            }
        )
    else:
        rows = [(str(one["name"]), int(str(one["passages"])), check.passages) for one in fits]
        print(f"{bundle.sentence()}; {check.sentence()}\n")
        print(Table(("offsets count", "fitting", "of"), rows).rendered("table"), end="")
        for misfit in check.misfits[: None if arguments.all else FIRST]:
            one = misfit.passage
            where = f"{arguments.file}:{one.line}" if one.line else str(arguments.file)
            print(f"{where}: topic {one.topic}, {one.document} {one.start}–{one.end}: {misfit.reads!r}, "
                  f"and the file says {one.quote!r}")  # fmt: skip
    fine = check.way == CODE_POINTS and not (check.misread or check.lost or check.absent)
    return FINE if fine else PROBLEMS


def _corrects(copy: Correction, arguments: Namespace) -> bool:
    """Return whether a copy would differ from its file, also by lengths instead of ends."""
    return bool(copy.changed.any() or arguments.fol_end)


def _fine(checked: _Checked, *, convention_asked: bool) -> bool:
    """Return whether there is nothing left to correct."""
    if checked.copy is not None:
        return not checked.copy.left.any()
    convention = checked.convention
    misfits = len(checked.diagnosis.misfit_rows(convention))
    return not misfits and (convention_asked or convention == CODE_POINTS)


def _print_table(checked: _Checked) -> None:
    print(_conventions(checked.diagnosis).rendered("table"))
    said = verdict(checked.diagnosis)
    print("\n".join((said.headline, *said.details)))
    _print_misfits(checked)
    if checked.copy is not None:
        print(f"\n{checked.arguments.corrected}: {_copied(checked.copy, checked.arguments)}")


def _conventions(diagnosis: Diagnosis) -> Table:
    fits = diagnosis.fits()
    headings = ["fit", "documents", "passages", "entry points", "edges on words"]
    rows: list[tuple[TableCell, ...]] = [
        (fit.convention.name, fit.documents, fit.passages, fit.entries, percent(fit.natural)) for fit in fits
    ]
    totals = len(diagnosis.table.starts), int((diagnosis.table.entry >= 0).sum())
    rows.append(("of", diagnosis.documents, *totals, int(diagnosis.found.edges.sum())))
    kept = [0, 1, *(2 + at for at, total in enumerate(totals) if total), *([4] if any(totals) else [])]
    return Table(tuple(headings[at] for at in kept), [tuple(row[at] for at in kept) for row in rows])


def _print_misfits(checked: _Checked) -> None:
    count = len(checked.diagnosis.misfit_rows(checked.convention))
    if not count:
        return
    does = "does" if count == 1 else "do"
    print(f"\n{counted(count, 'line')} {does} not fit {checked.convention}:")
    listed = checked.misfits()
    for misfit in listed:
        print(visible(misfit_line(checked.arguments.file, misfit)))
    if count > len(listed):
        print(f"… and {count - len(listed):,} more (--all lists them)")


def _copied(copy: Correction, arguments: Namespace) -> str:
    changed, left = int(copy.changed.sum()), int(copy.left.sum())
    said = f"written; {counted(changed, 'line')} of {len(copy.changed):,} changed"
    if not _corrects(copy, arguments):
        said = "not written, because nothing would be corrected"
    were = "it was" if left == 1 else "they were"
    return f"{said}, {counted(left, 'misfit')} left as {were}" if left else said


def _as_json(checked: _Checked) -> dict[str, Any]:
    diagnosis, copy, arguments = checked.diagnosis, checked.copy, checked.arguments
    said = verdict(diagnosis)
    suspected = diagnosis.end_for_length
    return {
        "file": str(arguments.file),
        "collection": str(arguments.collection),
        "kind": "run" if diagnosis.is_run else "qrels",
        "documents": diagnosis.documents,
        "ambiguous": diagnosis.ambiguous,
        "missing": [diagnosis.table.ids[at] for at in diagnosis.found.missing.nonzero()[0].tolist()],
        "unreadable": {diagnosis.table.ids[at]: why for at, why in diagnosis.found.unreadable.items()},
        "conventions": [_fit_json(fit) for fit in diagnosis.fits()],
        "best": diagnosis.best.key,
        "sureness": diagnosis.sureness.value,
        "rivals": [one.key for one in diagnosis.rivals],
        "parts": [{"convention": one.key, "documents": count} for one, count in diagnosis.parts],
        "end_for_length": None
        if suspected is None
        else {"results": suspected.results, "past": suspected.past, "fitting_as_ends": suspected.fitting},
        "verdict": [said.headline, *said.details],
        "convention": checked.convention.key,
        "misfit_count": len(diagnosis.misfit_rows(checked.convention)),
        "misfits": list(map(_misfit_json, checked.misfits())),
        "corrected": None
        if copy is None
        else {
            "file": str(arguments.corrected) if _corrects(copy, arguments) else None,
            "changed": int(copy.changed.sum()),
            "left": int(copy.left.sum()),
        },
    }


def _fit_json(fit: Fit) -> dict[str, Any]:
    return {
        "convention": fit.convention.key,
        "name": fit.convention.name,
        "documents": fit.documents,
        "passages_within": fit.passages,
        "entry_points_within": fit.entries,
        "natural_edges": json_value(fit.natural),
    }


def _misfit_json(misfit: CheckedRow) -> dict[str, Any]:
    return {
        "line": misfit.line,
        "topic": misfit.topic,
        "document": misfit.document,
        "problem": None if misfit.problem is None else misfit.problem.value,
        "length_in_file": misfit.said,
        "length_of_document": misfit.found,
        "last_offset": misfit.reach,
        "fits": [one.key for one in misfit.fits],
    }
