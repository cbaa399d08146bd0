"""Reading judgements of either kind: passages as qrels, or elements as assessment XML."""

from __future__ import annotations

from pathlib import Path

from inexview.cli.common import complain
from inexview.core.element_qrels import ElementQrels
from inexview.core.formats.blocks import first_line
from inexview.core.formats.sniff import read_qrels
from inexview.core.qrels import Qrels


def read_judgements(path: Path) -> Qrels | ElementQrels:
    """Read qrels, or assessments of elements where XML (or a folder of it) is given; says what is odd.

    Raises DataError for what cannot be read.
    """
    judged: Qrels | ElementQrels
    if path.is_dir() or first_line(path).startswith(b"<"):
        from inexview.core.formats.assessments import read_assessments  # lxml, which text does not need

        judged = read_assessments(path)
    else:
        judged = read_qrels(path)
    warn(judged.warnings)
    return judged


def warn(warnings: tuple[str, ...]) -> None:
    """Say on stderr what is odd about the data."""
    for warning in warnings:
        complain(f"warning: {warning}")
