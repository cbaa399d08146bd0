"""Which format a file of judgements or results is in, told by its beginning."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import DataError
from inexview.core.formats import trec
from inexview.core.formats.blocks import first_lines
from inexview.core.formats.fol_qrels import read_fol_qrels
from inexview.core.formats.fol_runs import read_fol_run
from inexview.core.qrels import Qrels
from inexview.core.runs import Run

if TYPE_CHECKING:
    from inexview.core.formats.located import Locate


def read_qrels(path: str | Path) -> Qrels:
    """Read FOL qrels (INEX 2008–2010) or TREC qrels.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    lines = first_lines(path)
    if lines and lines[0].startswith(b"<"):
        raise DataError("is XML: assessments of elements are no qrels of passages", path=path, line=1)
    if _usual_width(lines) == trec.QRELS_FIELDS:
        return trec.read_trec_qrels(path)
    return read_fol_qrels(path)


def read_run(path: str | Path, *, fol_end: bool = False, locate: Locate | None = None) -> Run:
    """Read an FOL run, a run of elements, a TREC run or a submission in XML (INEX 2006–2008).

    With ``fol_end`` the last field of an FOL run is where a passage ends.  ``locate``, for instance a
    :class:`~inexview.core.locating.Locator`, finds the elements and points that runs name in the articles.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    lines = first_lines(path)
    if lines and lines[0].startswith(b"<"):
        from inexview.core.formats.submission import read_submission  # lxml, which text does not need

        return read_submission(path, locate)
    if _usual_width(lines) == trec.RUN_FIELDS:
        return trec.read_trec_run(path)
    if lines and lines[0].split()[-1].startswith(b"/"):
        from inexview.core.formats.fol_elements import read_fol_elements  # as above

        return read_fol_elements(path, locate)
    return read_fol_run(path, fol_end=fol_end)


def _usual_width(lines: list[bytes]) -> int:
    """Return how many fields most of the lines have."""
    widths = Counter(len(line.split()) for line in lines)
    return widths.most_common(1)[0][0] if widths else 0
