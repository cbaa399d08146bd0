"""Judgements of any format: as a project takes them over, and as runs are scored by them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import DataError
from inexview.core.formats.format import FileKind, Format, Options
from inexview.core.formats.sniff import judgements_format, read_qrels
from inexview.core.formats.tables.text_formats import JSONL
from inexview.core.judgements.assessed_files import Assessments
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.progress import Progress, unwatched

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection

ONLY_ELEMENTS = (
    "says how far whole elements are relevant (INEX 2002–2005), and not which of their characters: it cannot "
    "be shown as passages; `inexview eval` scores runs of elements by it"
)


def read_judged(
    path: Path, format: Format | None, collection: Collection, progress: Progress = unwatched
) -> Qrels | Records:
    """Read judgements of passages; ``format`` is what they were recognised as, None where by nothing.

    Raises DataError for what cannot be read, or judges elements only, and Cancelled.
    """
    if format is JSONL:
        from inexview.core.formats.tables.jsonl import read_jsonl

        return read_jsonl(path)
    judged = read_judgements(path, format or judgements_format(path), collection, progress)
    if isinstance(judged, ElementQrels):
        raise DataError(ONLY_ELEMENTS, path=path)
    return judged


def read_judgements(
    path: Path, format: Format, collection: Collection | None, progress: Progress = unwatched
) -> Qrels | ElementQrels:
    """Read what runs are scored by: passages, or the elements of assessments that have none.

    Without the articles, assessments give their elements too.  Raises DataError for what cannot be read, and
    Cancelled.
    """
    if format.kind is not FileKind.ASSESSMENTS:
        return read_qrels(path, collection=collection, format=format)
    assessments: Assessments = format.read(path, Options())
    if collection is None or not assessments.holds_passages:
        return assessments.elements()
    from inexview.core.formats.assessment_xml.passages import found_passages  # lxml

    return found_passages(assessments, collection, progress)
