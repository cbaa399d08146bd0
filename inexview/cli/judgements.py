"""Reading judgements of either kind: passages as qrels, or elements as assessment XML."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.cli.common import complain
from inexview.cli.progress_line import Watch
from inexview.core.formats import readers
from inexview.core.formats.format import JUDGEMENTS, FileKind, Format
from inexview.core.formats.format_registry import names_of
from inexview.core.formats.recognition import reader_for
from inexview.core.formats.run_options import GENOMICS
from inexview.core.formats.tables.text_formats import GOLD_PASSAGES
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection


def add_qrels_format_argument(parser: ArgumentParser) -> None:
    names = names_of(*JUDGEMENTS)
    parser.add_argument(
        "--qrels-format",
        choices=names,
        metavar="FORMAT",
        help="what QRELS are, where it is not seen: " + ", ".join(names),
    )


def read_judgements(
    path: Path, collection: Path | None, format: Format | str | None = None
) -> Qrels | ElementQrels:
    """Read qrels, or assessments where XML (or a folder of it) is given; says what looks wrong.

    Assessments give their passages where there are some and the articles are given, else their elements.
    ``format`` is the format or its name; it is recognised otherwise.  Raises DataError for what cannot be
    read.
    """
    found = reader_for(path, FileKind.QRELS, format)
    with Watch() as watch, articles_for(found, collection) as articles:
        judged = readers.read_judgements(path, found, articles, watch)
    warn(judged.warnings)
    return judged


def preset_said(qrels: Format, arguments: Namespace) -> str | None:
    """Return the preset that is asked for, or that gold passages say where nothing else does.

    A run of their track would else be read as one of documents.
    """
    said = arguments.preset or arguments.task or arguments.run_format
    return GENOMICS if qrels is GOLD_PASSAGES and not said else arguments.preset


@contextmanager
def articles_for(format: Format | None, collection: Path | None) -> Iterator[Collection | None]:
    """Have the articles open where a format has to be read with them and they are given."""
    needed = format is not None and (format.needs_collection or format.kind is FileKind.ASSESSMENTS)
    if collection is None or not needed:
        yield None
        return
    from inexview.core.collection.collection import Collection

    with closing(Collection.open(collection)) as articles:
        yield articles


def warn(warnings: tuple[str, ...]) -> None:
    """Say on stderr what looks wrong about the data."""
    for warning in warnings:
        complain(f"warning: {warning}")
