"""The work of the doctor's window, off its thread: examining a file, reading a document, writing a copy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.formats.convert.targets import check_free
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.offset_check.diagnosis import CheckedRow, Diagnosis, Problem, misfit_line
from inexview.core.offset_check.examine import (
    Correction,
    OffsetPreview,
    corrected,
    examine,
    plan_for,
    read_offsets,
    readings,
    write_offsets,
)
from inexview.core.progress import Progress
from inexview.core.text.counting import CONVENTIONS, Convention, Ends
from inexview.core.text.spans import Ints

_READ = [one for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE]
_AT_ONCE = 1_000  # lines listed between two words on how far it is


@dataclass(frozen=True, eq=False)
class Examined:
    """A file, what is in it, and what was found."""

    path: Path
    judged: Qrels | Run
    diagnosis: Diagnosis


def examined(
    path: Path, collection: Collection, progress: Progress, *, run: Run | None = None, fol_end: bool = False
) -> Examined:
    """Read a file, unless its run is at hand, and examine it."""
    judged = run or read_offsets(path, collection, fol_end=fol_end)
    return Examined(path, judged, examine(judged, collection, progress))


def write_copy(
    file: Examined,
    convention: Convention,
    collection: Collection,
    path: Path,
    progress: Progress,
    *,
    mixed: bool,
) -> Correction:
    """Write a corrected copy, unless it would be the file itself."""
    check_free(path, [collection.path], overwrite=True)
    copy = corrected(file.judged, plan_for(file.diagnosis, convention, mixed=mixed), collection, progress)
    if copy.changed.any():
        write_offsets(copy.judged, path, file.path)
    return copy


def listed(file: Examined, convention: Convention, rows: Ints, progress: Progress) -> str:
    """Return what there is to say about rows of a file under a convention, a line each."""
    lines = []
    for at, row in enumerate(rows.tolist()):
        if at % _AT_ONCE == 0:
            progress("lines listed", at, len(rows))
        lines.append(misfit_line(file.path, file.diagnosis.check(row, convention)))
    return "\n".join(lines)


def read_passage(
    row: CheckedRow, diagnosis: Diagnosis, convention: Convention, collection: Collection
) -> tuple[str, list[OffsetPreview]]:
    """Return how a row's first passage reads, and what to say above that.

    The usual conventions are tried and ``convention``, those first under which the row fits.
    """
    where = f"Line {row.line:,}, document {row.document}"
    if row.problem is Problem.MISSING:
        return f"{where} is not in the collection.", []
    table = diagnosis.table
    first, last = int(table.ptr[row.row]), int(table.ptr[row.row + 1])
    if first < last:
        start, end = int(table.starts[first]), int(table.ends[first])
        number = last - first
        which = "its one passage" if number == 1 else f"the first of its {number:,} passages"
    elif (entry := int(table.entry[row.row])) >= 0:
        start = end = entry
        which = "its entry point"
    else:
        return f"{where}: no passage to read; only the document's length is said.", []
    characters, _ = collection.characters(row.document)
    tried = _READ if convention in _READ else [convention, *_READ]
    tried = sorted(tried, key=lambda one: (one not in row.fits, one != convention))
    return f"{where}: {which} ({start:,} to {end:,} in the file) reads", readings(
        characters, start, end, tried
    )
