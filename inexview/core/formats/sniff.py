"""Reads judgements and runs in whichever format they are, recognised from the file's content or named."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import beginning_of
from inexview.core.formats.format import JUDGEMENTS, RUNS, FileKind, Format, Options
from inexview.core.formats.format_registry import format_named, format_of, recognised, unknown
from inexview.core.formats.tables.text_formats import FOL_ELEMENTS, FOL_QRELS, FOL_RUN, TREC_QRELS, TREC_RUN
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection
    from inexview.core.formats.located import Locate

_PREFERENCES = re.compile(rb"\S+ \d+ \d+ \S+ -?\d+(?:\.\d+)?")
_BY_WIDTH = {
    FileKind.QRELS: {4: TREC_QRELS, 0: FOL_QRELS},
    FileKind.RUN: {6: TREC_RUN, 0: FOL_RUN},
}
"""Which reader shall say what is wrong with lines that fit no format: by the fields of most, 0 for others."""


def read_qrels(
    path: str | Path, *, collection: Collection | None = None, format: Format | str | None = None
) -> Qrels:
    """Read judgements of characters: FOL qrels, TREC qrels, or assessment XML and HARD passages, which need
    the articles.

    ``format`` is the format or its name; it is recognised otherwise.  Raises DataError (or
    DataErrors, several of them) for a file that cannot be read.
    """
    path = Path(path)
    found = judgements_format(path, format)
    if found.kind is FileKind.QRELS:
        qrels: Qrels = found.read(path, Options(collection))
        return qrels
    if collection is None:
        raise DataError("is XML: give the articles, in which its passages lie", path=path, line=1)
    from inexview.core.formats.assessment_xml.passages import read_assessed_passages  # lxml

    return read_assessed_passages(path, collection)


def read_run(
    path: str | Path,
    *,
    fol_end: bool = False,
    locate: Locate | None = None,
    collection: Collection | None = None,
    format: Format | str | None = None,
    progress: Progress = unwatched,
) -> Run:
    """Read a run of characters: an FOL run, a run of elements, a TREC run, submission XML or a HARD run.

    With ``fol_end`` the last field of an FOL run is where a passage ends.  ``locate``, for instance a
    :class:`~inexview.core.judgements.element_lookup.Locator`, finds the elements and points that runs name
    in the articles; without it they are found in ``collection``, which also holds the articles that HARD's
    bytes count in.  ``format`` is the format or its name; it is recognised otherwise.

    Raises DataError (or DataErrors, several of them) for a file that cannot be read.
    """
    path = Path(path)
    found = _format(path, format, FileKind.RUN, RUNS)
    if found.kind is FileKind.RUN:
        run: Run = found.read(path, Options(collection, fol_end, progress=progress))
        return run
    if locate is None and collection is not None:
        from inexview.core.judgements.element_lookup import Locator  # and articles, which text does not need

        locate = Locator(collection, progress=progress)
    if found is FOL_ELEMENTS:
        from inexview.core.formats.tables.fol_elements import (
            read_fol_elements,  # the parsers of XML, as below
        )

        return read_fol_elements(path, locate)
    from inexview.core.formats.submission_xml.read import read_submission

    return read_submission(path, locate)


def trec_format(path: Path, kind: FileKind) -> str | None:
    """Return the name of the TREC format of a text table that has its fields, None for another file.

    It is for those who say that they give TREC files, of which some look like HARD passages or FOL qrels.
    """
    if path.is_dir():
        return None
    beginning = beginning_of(path)
    widths = [len(line.split()) for line in beginning.lines]
    width = max(set(widths), key=widths.count, default=0)
    if kind is FileKind.QRELS:
        return TREC_QRELS.name if width == 4 else None
    other = recognised(beginning, FileKind.RUN, FileKind.SUBMISSION)
    return TREC_RUN.name if width >= 6 and (width == 6 or other is None) else None


def judgements_format(path: Path, name: Format | str | None = None) -> Format:
    """Return the format of judgements, named or recognised.

    Text that fits none is said to be qrels: their reader says what is wrong with it.  Raises DataError.
    """
    return _format(path, name, FileKind.QRELS, JUDGEMENTS)


def _format(path: Path, name: Format | str | None, kind: FileKind, kinds: tuple[FileKind, ...]) -> Format:
    """Return the named format, or the one that fits; of text that fits none, one that says why."""
    if name is not None:
        named = format_named(name) if isinstance(name, str) else name
        if named.kind not in kinds:
            raise DataError(f"is {named.kind}, not what is wanted here", field="format", value=named.name)
        return named
    if path.is_dir():
        return format_of(path, *kinds)
    beginning = beginning_of(path)
    found = recognised(beginning, *kinds)
    if found is not None:
        return found
    if beginning.xml or (beginning.lines and recognised(beginning) is not None):
        raise unknown(beginning, path, *kinds)
    if (
        kind is FileKind.QRELS
        and beginning.lines
        and beginning.matching(_PREFERENCES) == len(beginning.lines)
    ):
        raise DataError(
            "looks like preference judgements (topic, judge, sub-judge, document, preference), which are not "
            "scored here: give qrels",
            path=path,
        )
    widths = [len(line.split()) for line in beginning.lines]
    readers = _BY_WIDTH[kind]
    return readers.get(max(set(widths), key=widths.count, default=0), readers[0])
