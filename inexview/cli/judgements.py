"""Reading judgements of either kind: passages as qrels, or elements as assessment XML."""

from __future__ import annotations

from pathlib import Path

from inexview.cli.common import complain
from inexview.core.element_qrels import ElementQrels
from inexview.core.formats.blocks import first_line
from inexview.core.formats.sniff import read_qrels
from inexview.core.qrels import Qrels


def read_judgements(path: Path, collection: Path | None) -> Qrels | ElementQrels:
    """Read qrels, or assessments where XML (or a folder of it) is given; says what is odd.

    Assessments give their passages where there are some and the articles are given, else their elements.
    Raises DataError for what cannot be read.
    """
    judged: Qrels | ElementQrels
    if path.is_dir() or first_line(path).startswith(b"<"):
        judged = _read_xml(path, collection)
    else:
        judged = read_qrels(path)
    warn(judged.warnings)
    return judged


def _read_xml(path: Path, collection: Path | None) -> Qrels | ElementQrels:
    from inexview.core.formats.assessments import read_assessments  # lxml, which text does not need

    if collection is not None:
        from inexview.core.collection import Collection
        from inexview.core.formats.assessed_passages import holds_passages, read_assessed_passages

        if holds_passages(path):
            return read_assessed_passages(path, Collection.open(collection))
    return read_assessments(path)


def warn(warnings: tuple[str, ...]) -> None:
    """Say on stderr what is odd about the data."""
    for warning in warnings:
        complain(f"warning: {warning}")
