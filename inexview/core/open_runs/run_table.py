"""The table of runs: its columns, each declared once for the window, the command line and what is saved.

A column says its heading, what it shows of runs, by which number it sorts them, and when it is worth its
room.  A new one in :func:`run_columns` is in the window, in ``inexview eval``, and in what both write for a
paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from inexview.core.evaluation.scores import mean_cells
from inexview.core.report import NOTHING, ValueCell, difference_text

TOPICS, DIFFERENCE = "topics", "vs base"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """What the table knows of a run: its means by measure, and over how many judged topics they are."""

    name: str
    figures: Mapping[str, float] = field(default_factory=dict)
    covered: int | None = None
    """How many judged topics its figures are over; None where it has none."""
    judged: int = 0
    difference: float | None = None
    """Its mean less the baseline's, with the test's mark, and on how many topics where others have more."""
    mark: str = ""
    shared: str = ""
    baseline: bool = False

    @property
    def complete(self) -> bool:
        """Whether it has results for every judged topic."""
        return self.covered is None or self.covered >= self.judged

    @property
    def coverage(self) -> str:
        """The topics covered: 68, or 66/68 where some are missing."""
        if self.covered is None:
            return NOTHING
        return str(self.covered) if self.complete else f"{self.covered}/{self.judged}"

    @property
    def compared(self) -> ValueCell:
        """The difference from the baseline, with its mark; bold where it holds."""
        if self.baseline:
            return ValueCell("baseline")
        if self.difference is None:
            return ValueCell(NOTHING)
        text = difference_text(self.difference, 4)
        return ValueCell(text, best=self.mark == "†", mark=self.mark, count=self.shared)


@dataclass(frozen=True, slots=True)
class RunColumn:
    """One column; ``number`` is what it sorts a run by, None where the run has no value."""

    heading: str
    cells: Callable[[Sequence[RunLine]], list[ValueCell]]
    number: Callable[[RunLine], float | None] = lambda _line: None
    wanted: Callable[[Sequence[RunLine]], bool] = lambda _lines: True

    def text(self, line: RunLine) -> str:
        """Return what it shows of one run by itself, without the number of topics."""
        (cell,) = self.cells([line])
        return cell.text + cell.mark


def run_columns(measures: Sequence[str]) -> tuple[RunColumn, ...]:
    """Return the columns after the run's name, in order: the measures, then what is told of all of them."""
    return (
        *map(_measure_column, measures),
        RunColumn(
            TOPICS,
            lambda lines: [ValueCell(line.coverage) for line in lines],
            lambda line: line.covered,
            lambda lines: any(not line.complete for line in lines),
        ),
        RunColumn(
            DIFFERENCE,
            lambda lines: [line.compared for line in lines],
            lambda line: line.difference,
            lambda lines: any(line.difference is not None for line in lines),
        ),
    )


def _measure_column(measure: str) -> RunColumn:
    """Return the column of a measure's mean; the best is bold, and one of fewer topics says of how many."""

    def cells(lines: Sequence[RunLine]) -> list[ValueCell]:
        there = [line for line in lines if measure in line.figures]
        judged = max((line.judged for line in there), default=0)
        means = mean_cells(
            [line.figures[measure] for line in there], [line.covered or 0 for line in there], judged
        )
        shown = dict(zip(map(id, there), means, strict=True))
        return [shown.get(id(line), ValueCell(NOTHING)) for line in lines]

    return RunColumn(measure, cells, lambda line: line.figures.get(measure))


def run_rows(
    lines: Sequence[RunLine], columns: Sequence[RunColumn]
) -> tuple[tuple[str, ...], tuple[tuple[ValueCell, ...], ...]]:
    """Return headings and rows of the table as it is printed and saved."""
    cells = [[ValueCell(line.name) for line in lines], *(column.cells(lines) for column in columns)]
    return ("run", *(column.heading for column in columns)), tuple(zip(*cells, strict=True))
