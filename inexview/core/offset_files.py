"""Files of offsets: qrels or a run, whichever a file holds."""

from __future__ import annotations

from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.fol_qrels import write_fol_qrels
from inexview.core.formats.fol_runs import write_fol_run
from inexview.core.formats.sniff import read_qrels, read_run
from inexview.core.qrels import Qrels
from inexview.core.runs import Run


def read_offsets(path: Path, *, fol_end: bool = False) -> Qrels | Run:
    """Read qrels or a run; with ``fol_end``, a run's last field is where a passage ends.

    Raises DataError (or DataErrors, several of them) for a file that is neither.
    """
    try:
        return read_run(path, fol_end=fol_end)
    except DataError as error:
        problem = error
    try:
        return read_qrels(path)
    except DataError:
        raise problem from None


def write_offsets(judged: Qrels | Run, path: Path, source: Path | None = None) -> None:
    """Write FOL qrels or an FOL run.  Raises DataError where that would overwrite what it was made of."""
    if source is not None and path.resolve() == source.resolve():
        raise DataError(
            "the corrected copy would overwrite what it was made of; name another file", path=path
        )
    if isinstance(judged, Qrels):
        write_fol_qrels(judged, path)
    else:
        write_fol_run(judged, path)
