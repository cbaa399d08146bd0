"""Which format a file of judgements or results is in, told by its first line."""

from __future__ import annotations

from pathlib import Path

from inexview.core.formats.fol_qrels import read_fol_qrels
from inexview.core.formats.fol_runs import read_fol_run
from inexview.core.qrels import Qrels
from inexview.core.runs import Run


def read_qrels(path: str | Path) -> Qrels:
    """Read qrels in the FOL format.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    return read_fol_qrels(path)


def read_run(path: str | Path, *, fol_end: bool = False, collection: str | Path | None = None) -> Run:
    """Read a run in the FOL format.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    return read_fol_run(path, fol_end=fol_end)
