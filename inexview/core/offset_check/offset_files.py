"""Files of offsets: qrels or a run, whichever a file holds."""

from __future__ import annotations

import os
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.convert.targets import write_whole
from inexview.core.formats.format import JUDGEMENTS, RUNS, FileKind, Format, Options
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.formats.recognition import first_look
from inexview.core.formats.tables.text_formats import FOL_QRELS, FOL_RUN
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Submission


def read_offsets(path: Path, collection: Collection | None = None, *, fol_end: bool = False) -> Qrels | Run:
    """Read qrels or a run; with ``fol_end``, a run's last field is where a passage ends.

    ``collection`` holds the articles, which some formats need.  Raises DataError (or DataErrors, several of
    them) for a file that is neither, or that names its passages by points.
    """
    if path.is_dir():
        raise DataError("is a folder: name one of the files in it, qrels or a run", path=path)
    found = first_look(path).reader(FileKind.RUN, (*JUDGEMENTS, *RUNS))
    if found.kind is FileKind.ASSESSMENTS or _names_places(path, found):
        raise DataError("names passages by points and elements: there are no offsets to check", path=path)
    if found.kind is FileKind.QRELS:
        return read_qrels(path, collection=collection, format=found)
    return read_run(path, collection=collection, fol_end=fol_end, format=found)


def _names_places(path: Path, format: Format) -> bool:
    """Tell whether a submission names elements or points; raises DataError where it cannot be read."""
    if format.kind is not FileKind.SUBMISSION:
        return False
    content: Submission = format.read(path, Options())
    return any(result.first for result in content.results())


def write_offsets(judged: Qrels | Run, path: Path, source: Path | None = None) -> None:
    """Write FOL qrels or an FOL run, whole or not at all.

    Raises DataError where that would overwrite what it was made of, and OSError where it cannot be written.
    """
    if source is not None and os.path.realpath(path) == os.path.realpath(source):
        raise DataError(
            "the corrected copy would overwrite what it was made of; name another file", path=path
        )
    target = FOL_QRELS if isinstance(judged, Qrels) else FOL_RUN
    write_whole(judged, target, path, Options(), folder=False)
