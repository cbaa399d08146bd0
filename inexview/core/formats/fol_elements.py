"""Runs of elements in text (INEX 2009–2010): ``topic Q0 document rank rsv run-id /article[1]/bdy[1]/sec[3]``.

The order of the file is the ranking.  The elements are looked up in the articles.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from inexview.core.formats.columns import Fields
from inexview.core.formats.located import Locate, located
from inexview.core.formats.problems import Problems, read_names
from inexview.core.formats.run_blocks import (
    RunBlock,
    Stretches,
    lines_of,
    read_run_blocks,
    read_scores,
)
from inexview.core.runs import Run

FIELDS = 7


def read_fol_elements(path: str | Path, locate: Locate | None = None) -> Run:
    """Read a run of elements; ``locate`` finds them in the articles.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    return read_run_blocks(path, partial(_read_block, locate=locate))


def _read_block(fields: Fields, problems: Problems, *, locate: Locate | None) -> RunBlock:
    rows = lines_of(FIELDS, "a run of elements", fields, problems)
    line = fields.number[rows]
    document = read_names("document", fields.column(2, rows), line, problems)
    paths = fields.column(6, rows)
    spans = np.zeros((len(line), 2), dtype=np.int64)
    for row, (name, number) in enumerate(zip(document.strings(), line.tolist(), strict=True)):
        if problems.full:
            break
        element = paths.text(row)
        if element.startswith("/"):
            spans[row] = located(locate, name, element, element, number, problems)
        else:
            problems.error("is not the path of an element", line=number, field="path", value=element)
    return RunBlock(
        topic=Stretches.of(read_names("topic", fields.column(0, rows), line, problems), line),
        run=Stretches.of(read_names("run-id", fields.column(5, rows), line, problems), line),
        document=document,
        score=read_scores("rsv", fields.column(4, rows), line, problems),
        start=spans[:, 0].copy(),
        size=spans[:, 1].copy(),
        line=line,
    )
