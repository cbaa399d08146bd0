"""Judgements as a project takes them over: the passages of any format, of JSON lines all that they say."""

from __future__ import annotations

from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.format import FileKind, Format
from inexview.core.formats.sniff import read_qrels
from inexview.core.formats.tables.jsonl import read_jsonl
from inexview.core.formats.tables.text_formats import JSONL
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.progress import Progress, unwatched

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
        return read_jsonl(path)
    if format is None or format.kind is not FileKind.ASSESSMENTS:
        return read_qrels(path, collection=collection, format=None if format is None else format.name)
    from inexview.core.formats.assessment_xml.passages import holds_passages, read_assessed_passages  # lxml

    if not holds_passages(path):
        raise DataError(ONLY_ELEMENTS, path=path)
    return read_assessed_passages(path, collection, progress)
