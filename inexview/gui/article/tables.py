"""Where the columns of a table stand, and which of its cells share a line.

A QTextTable is laid out as a whole, which stalls the window on a long one, and puts characters of its own
between the cells.  A row is instead one paragraph whose cells are parted by one tab each, with tab stops
where the columns begin; the last column may wrap, and hangs under its own beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from inexview.core.document import Block

Measure = Callable[[str, bool], float]  # (text, bold) -> pixels

GAP = "mm"  # between two columns
LAST_COLUMN_AT_LEAST = 0.35  # of the width, where it has to wrap
LONGEST_MEASURED = 300  # characters; a longer cell wraps whatever its width


@dataclass(frozen=True, slots=True)
class Cell:
    """How one block of a table stands in its row.

    ``join`` is what Qt shows between it and the piece before, "" where it begins a line.  For the first of
    a line ``tabs`` are the tab stops of that line, ``left`` where it begins, ``hanging`` where lines go on.
    """

    join: str
    left: int = 0
    hanging: int = 0
    tabs: tuple[int, ...] = ()


def set_table(cells: Sequence[Block], text: str, width: int, measure: Measure) -> Iterator[Cell]:
    """Yield how each block of one table stands; ``width`` is what there is room for, in pixels.

    Where the columns do not fit, every cell stands on a line of its own, all but a row's first set in.
    """
    starts = _column_starts(cells, text, width, measure)
    before: Block | None = None
    for index, cell in enumerate(cells):
        same_row = before is not None and before.row == cell.row
        if before is not None and same_row and before.column == cell.column:
            yield Cell(" ")
        elif not starts:
            left = round(measure(GAP, False)) if same_row else 0
            yield Cell("", left=left, hanging=left)
        elif same_row:
            yield Cell("\t")
        else:
            columns = sorted({other.column for other in _row(cells, index)})
            left, *tabs = (starts[column] for column in columns)
            yield Cell("", left=left, hanging=tabs[-1] if tabs else left, tabs=tuple(tabs))
        before = cell


def _row(cells: Sequence[Block], index: int) -> Iterator[Block]:
    row = cells[index].row
    while index < len(cells) and cells[index].row == row:
        yield cells[index]
        index += 1


def _column_starts(cells: Sequence[Block], text: str, width: int, measure: Measure) -> list[int]:
    """Return where each column begins, in pixels, or nothing where they do not fit."""
    widths: dict[tuple[int, int], float] = {}
    for cell in cells:
        key = (cell.row, cell.column)
        words = " ".join(text[cell.start : cell.end][: LONGEST_MEASURED + 1].split())
        found = measure(words, cell.header) if len(words) <= LONGEST_MEASURED else 2.0 * width
        widths[key] = widths.get(key, 0.0) + found
    columns = [0.0] * (max(column for _, column in widths) + 1)
    for (_, index), cell_width in widths.items():
        columns[index] = max(columns[index], cell_width)
    starts = [0.0]
    for column in columns[:-1]:
        starts.append(starts[-1] + column + measure(GAP, False))
    room = width - starts[-1]
    if columns[-1] > room and room < LAST_COLUMN_AT_LEAST * width:
        return []
    return [round(start) for start in starts]
