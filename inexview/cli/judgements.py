"""Reading judgements of either kind: passages as qrels, or elements as assessment XML."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.cli.common import complain
from inexview.cli.progress_line import Watch
from inexview.core.formats.format import FileKind, Format
from inexview.core.formats.sniff import judgements_format, read_qrels
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.qrels import Qrels

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection


def read_judgements(path: Path, collection: Path | None, format: str | None = None) -> Qrels | ElementQrels:
    """Read qrels, or assessments where XML (or a folder of it) is given; says what is odd.

    Assessments give their passages where there are some and the articles are given, else their elements.
    ``format`` names the format, which is recognised otherwise.  Raises DataError for what cannot be read.
    """
    judged: Qrels | ElementQrels
    found = judgements_format(path, format)
    if found.kind is FileKind.ASSESSMENTS:
        judged = _read_xml(path, collection)
    else:
        with articles_for(found, collection) as articles:
            judged = read_qrels(path, collection=articles, format=found.name)
    warn(judged.warnings)
    return judged


@contextmanager
def articles_for(format: Format | None, collection: Path | None) -> Iterator[Collection | None]:
    """Have the articles open that a format counts its bytes in, where they are given; none for another."""
    if collection is None or format is None or not format.needs_collection:
        yield None
        return
    from inexview.core.collection.collection import Collection

    with closing(Collection.open(collection)) as articles:
        yield articles


def _read_xml(path: Path, collection: Path | None) -> Qrels | ElementQrels:
    from inexview.core.formats.assessment_xml.parse import read_assessed  # lxml, which text does not need

    assessments = read_assessed(path)
    if collection is None or not assessments.holds_passages:
        return assessments.elements()
    from inexview.core.collection.collection import Collection
    from inexview.core.formats.assessment_xml.passages import found_passages

    with Watch() as watch, closing(Collection.open(collection)) as articles:
        return found_passages(assessments, articles, watch)


def warn(warnings: tuple[str, ...]) -> None:
    """Say on stderr what is odd about the data."""
    for warning in warnings:
        complain(f"warning: {warning}")
