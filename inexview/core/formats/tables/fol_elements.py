"""Runs of elements in text (INEX 2009–2010): ``topic Q0 document rank rsv run-id /article[1]/bdy[1]/sec[3]``.

The order of the file is the ranking.  The elements are looked up in the articles when all have been read.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from inexview.core.formats.located import NEEDS_ARTICLES, Locate, located
from inexview.core.formats.problems import Problems
from inexview.core.formats.tables.columns import LineFields
from inexview.core.formats.tables.run_blocks import RunBlock, lines_of, read_columns, read_run_blocks
from inexview.core.judgements.runs import UNKNOWN, Run
from inexview.core.text.spans import Ints

FIELDS = 7


def read_fol_elements(path: str | Path, locate: Locate | None = None) -> Run:
    """Read a run of elements; ``locate`` finds them in the articles.

    Raises DataErrors, naming file, line and field, for what cannot be read; Cancelled where the search in
    the articles is given up.
    """
    elements = _Elements()

    def read_block(fields: LineFields, problems: Problems) -> RunBlock:
        if locate is None and not elements.paths:
            problems.error(NEEDS_ARTICLES, line=int(fields.number[0]))
        return _read_block(fields, elements, problems)

    run = read_run_blocks(path, read_block)
    assert locate is not None  # or else there was an error
    problems = Problems(path)
    paths = elements.of_lines(run.line)
    start, size = located(locate, run.document.strings(), paths, paths, run.line, problems)
    return replace(run, start=start, size=size, warnings=(*run.warnings, *problems.warnings))


class _Elements:
    """The paths of a file's lines; equal ones are one string."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self._lines: list[Ints] = []
        self._known: dict[str, str] = {}

    def add(self, paths: list[str], lines: Ints) -> None:
        """Take the paths of further lines."""
        self.paths += [self._known.setdefault(path, path) for path in paths]
        self._lines.append(lines)

    def of_lines(self, lines: Ints) -> list[str]:
        """Return the paths of lines in any order."""
        return [self.paths[at] for at in np.searchsorted(np.concatenate(self._lines), lines).tolist()]


def _read_block(fields: LineFields, elements: _Elements, problems: Problems) -> RunBlock:
    rows = lines_of(FIELDS, "a run of elements", fields, problems)
    line = fields.number[rows]
    paths = fields.column(6, rows)
    bad = paths.data[paths.starts] != ord("/")
    problems.fields("is not the path of an element", "path", bad, paths, line)
    elements.add(paths.texts(), line)
    start, size = np.full(len(line), UNKNOWN, np.int64), np.zeros(len(line), np.int64)
    return read_columns(fields, rows, start, size, problems)
