"""Where the columns of a table are, and which of its cells share a line.

A QTextTable is laid out as a whole, which stalls the window on a long one, and puts characters of its own
between the cells.  A row is instead one paragraph whose cells are parted by one tab each, with tab stops
where the columns begin; the last cell of a row may wrap, and hangs under its own beginning.  A cell that
reaches over several columns keeps their stops free; below one that reaches down the rows begin further right.

All cells of a table have to be measured before its first row can be placed, which is done in steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from inexview.core.article.blocks import Block
from inexview.gui.article.typesetting.steps import Steps, stepwise

TextMeasure = Callable[[str, bool], float]  # (text, bold) -> pixels
Stretch = tuple[int, int]  # left and right, in pixels

GAP = "mm"  # between two columns
BETWEEN_HEADINGS = "\u2003"  # em space: where columns do not fit, what they are called is on one line
DENSE = 0.85  # the letters of a table that has no room otherwise
LAST_COLUMN_AT_LEAST = 0.35  # of the width, where it has to wrap
LONGEST_MEASURED = 300  # characters; a longer cell wraps whatever its width
LABEL_SHARE = 0.3  # of the width, for what a column is called where each cell has a line of its own
MOST_REACHING = 64  # cells that reach down into one row and are still minded
MEASURED, SEEN = 25, 150  # cells that are measured, or only looked at, in one step


@dataclass(frozen=True, slots=True)
class Cell:
    """How one block of a table lies in its row; lengths in pixels.

    ``join`` is what Qt shows between it and the piece before, "" where it begins a line.  For the first of
    a line ``tabs`` are the tab stops of that line, ``left`` where it begins, ``hanging`` where lines go on.
    ``label``: what its column is called, where it has a line of its own.  ``rules``: the stretches of the
    line above its row, for the first of a row; ``opening`` tells that it is the line above the table.
    ``closing``: the line below the table, for the last.
    """

    join: str
    left: int = 0
    hanging: int = 0
    tabs: tuple[int, ...] = ()
    dense: bool = False
    label: str = ""
    rules: tuple[Stretch, ...] = ()
    opening: bool = False
    closing: Stretch | None = None


def set_tables(
    cells: Sequence[Block], text: str, width: int, measure: TextMeasure, inset: int = 0
) -> Iterator[Cell | None]:
    """Yield how each block lies of tables that follow each other, or are in each other's cells.

    Between them come Nones, after each step of the work that has to be done before.
    ``width`` is what there is room for, ``inset`` how far in from the left all of it is; in a panel,
    which keeps an inset, letters are small.
    """
    segments = [list(group) for _, group in groupby(cells, key=lambda cell: cell.table)]
    parts: dict[int, list[Block]] = {}
    last: dict[int, int] = {}
    for number, segment in enumerate(segments):
        parts.setdefault(segment[0].table, []).extend(segment)
        last[segment[0].table] = number
    tables: dict[int, _Table] = {}
    around: list[int] = []  # tables that go on after the one that is in them
    for number, segment in enumerate(segments):
        name = segment[0].table
        while around and (around[-1] == name or last[around[-1]] < number):
            around.pop()
        if name not in tables:
            shift = round(len(around) * measure(GAP, False))
            room = max(width - shift, width // 2)
            tables[name] = _Table(parts[name], text, room, measure, inset + shift)
            yield from tables[name].prepare(small=inset > 0)
        around.append(name)
        yield from tables[name].set(segment, closes=last[name] == number)


class _Table:
    """One table: where its columns begin, what they are called, and which rows a line parts."""

    def __init__(self, cells: list[Block], text: str, width: int, measure: TextMeasure, inset: int) -> None:
        self._cells, self._text = cells, text
        self._inset, self._width = inset, width
        self._measure = measure
        self._first = cells[0]
        self._columns = sorted({cell.column for cell in cells})
        self._starts: dict[int, int] = {}
        self._dense = False
        self._labels: dict[int, str] = {}
        self._above = _stretches_above(cells, self._columns)
        self._free = next(self._above)  # of the row that was asked about last

    def prepare(self, *, small: bool) -> Steps[None]:
        """Find out where its columns begin, before anything of it is set."""
        widths = yield from _widths(self._cells, self._text, self._width, self._measure)
        self._dense = small
        for scale in (DENSE,) if small else (1.0, DENSE):
            self._starts = yield from self._fit(widths, scale)
            if self._starts:
                self._dense = scale < 1
                break
        else:
            self._labels = _labels(self._cells, self._text)

    def set(self, cells: Sequence[Block], *, closes: bool) -> Iterator[Cell]:
        """Yield how each block lies of a part of the table that nothing interrupts."""
        for _, group in groupby(cells, key=lambda cell: cell.row):
            row = list(group)
            before: Block | None = None
            for cell in row:
                closing = self._across if closes and cell is cells[-1] else None
                if before is not None and before.column == cell.column:
                    yield Cell(" ", dense=self._dense, closing=closing)
                elif before is not None and self._starts:
                    yield Cell("\t", dense=self._dense, closing=closing)
                elif before is not None and before.header and cell.header:
                    yield Cell(BETWEEN_HEADINGS, dense=self._dense, closing=closing)
                else:
                    yield replace(self._beginning(cell, row, before), closing=closing)
                before = cell

    def _beginning(self, cell: Block, row: Sequence[Block], before: Block | None) -> Cell:
        """Return how a cell lies that begins a line: its row's, or where the columns do not fit its own."""
        opening = cell is self._first
        rules = self._rules(cell.row) if before is None else ()
        if self._starts:
            left, *tabs = (self._starts[column] for column in sorted({each.column for each in row}))
            hanging = tabs[-1] if tabs else left
            return Cell("", left, hanging, tuple(tabs), self._dense, rules=rules, opening=opening)
        label = "" if cell.header or cell.column == self._columns[0] else self._labels.get(cell.column, "")
        left = self._inset
        if label:
            left += round(LABEL_SHARE * self._width)
        elif before is not None:
            left += round(self._measure(GAP, False))
        return Cell("", left, left, dense=self._dense, label=label, rules=rules, opening=opening)

    # -- lines between rows --------------------------------------------------------------------------

    def _rules(self, row: int) -> tuple[Stretch, ...]:
        """Return the stretches of the line above a row; none runs through a cell that reaches down."""
        while self._free[0] < row:
            self._free = next(self._above)
        free = self._free[1]
        if not self._starts or len(free) == len(self._columns):
            return (self._across,)
        stretches: list[Stretch] = []
        for index in free:
            begin, end = self._extent(index)
            if stretches and stretches[-1][1] >= begin:
                begin = stretches.pop()[0]
            stretches.append((begin, end))
        return tuple(stretches)

    def _extent(self, index: int) -> Stretch:
        begins = [self._starts[column] for column in self._columns]
        end = begins[index + 1] if index + 1 < len(begins) else self._inset + self._width
        return begins[index], end

    @property
    def _across(self) -> Stretch:
        return self._inset, self._inset + self._width

    # -- columns -------------------------------------------------------------------------------------

    def _fit(self, widths: dict[tuple[int, int], float], scale: float) -> Steps[dict[int, int]]:
        """Return where each column begins, in pixels, or nothing where they do not fit."""
        index_of = {column: index for index, column in enumerate(self._columns)}
        alone = _alone_in_row(self._cells)
        columns = [0.0] * len(self._columns)
        wide: list[tuple[int, int, float]] = []  # cells over several columns: first, behind the last, width
        for cell in stepwise(self._cells, SEEN):
            if cell is None:
                yield
                continue
            first, behind = index_of[cell.column], index_of[cell.column] + 1
            while behind < len(columns) and self._columns[behind] < cell.column + cell.column_span:
                behind += 1
            needs = scale * widths[cell.row, cell.column]
            if behind - first == 1 and cell.row not in alone:
                columns[first] = max(columns[first], needs)
            elif behind < len(columns) and cell.row not in alone:  # else it may wrap at the right edge
                wide.append((first, behind, needs))
        gap = scale * self._measure(GAP, False)
        for first, behind, needs in sorted(wide, key=lambda each: each[1] - each[0]):
            lacking = needs - sum(columns[first:behind]) - gap * (behind - first - 1)
            columns[behind - 1] += max(lacking, 0.0)
        starts = [float(self._inset)]
        for column_width in columns[:-1]:
            starts.append(starts[-1] + column_width + gap)
        room = self._inset + self._width - starts[-1]
        if columns[-1] > room and room < LAST_COLUMN_AT_LEAST * self._width:
            return {}
        return {column: round(start) for column, start in zip(self._columns, starts, strict=True)}


def _widths(
    cells: Iterable[Block], text: str, width: int, measure: TextMeasure
) -> Steps[dict[tuple[int, int], float]]:
    """Return the width in pixels of each cell, by row and column."""
    widths: dict[tuple[int, int], float] = {}
    for cell in stepwise(cells, MEASURED):
        if cell is None:
            yield
            continue
        words = " ".join(text[cell.start : cell.end][: LONGEST_MEASURED + 1].split())
        found = measure(words, cell.header) if len(words) <= LONGEST_MEASURED else 2.0 * width
        key = (cell.row, cell.column)
        widths[key] = widths.get(key, 0.0) + found
    return widths


def _alone_in_row(cells: Iterable[Block]) -> set[int]:
    """Return the rows that have only one cell, which may run on to the right edge."""
    first: dict[int, int] = {}
    several = {cell.row for cell in cells if first.setdefault(cell.row, cell.column) != cell.column}
    return set(first) - several


def _labels(cells: Iterable[Block], text: str) -> dict[int, str]:
    """Return what each column is called: its heading cell, of several the lowest above the first data."""
    labels: dict[int, str] = {}
    heading_row: dict[int, int] = {}
    first_column = min((cell.column for cell in cells), default=0)
    for cell in cells:
        if not cell.header:
            if cell.column != first_column:
                break
            continue
        words = " ".join(text[cell.start : cell.end].split())
        for column in range(cell.column, cell.column + cell.column_span):
            same = heading_row.get(column) == cell.row
            labels[column] = f"{labels[column]} {words}" if same else words
            heading_row[column] = cell.row
    return labels


def _stretches_above(cells: Iterable[Block], columns: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield for each row the indices of the columns that no cell from above reaches into."""
    reaching: list[Block] = []
    every = list(range(len(columns)))
    for row, group in groupby(cells, key=lambda cell: cell.row):
        reaching = [cell for cell in reaching if cell.row + cell.row_span > row]
        taken: set[int] = set()
        for cell in reaching:
            behind = bisect_left(columns, cell.column + cell.column_span)
            taken.update(range(bisect_left(columns, cell.column), behind))
        yield row, [index for index in every if index not in taken] if taken else every
        reaching.extend(cell for cell in group if cell.row_span > 1)
        del reaching[MOST_REACHING:]
