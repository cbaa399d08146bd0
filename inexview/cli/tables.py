"""The output of commands: tables to read, CSV, TSV or LaTeX, and charts as in the window."""

from __future__ import annotations

import json
import math
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inexview.cli.common import complain
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.scores import CurveKind, RunScores
from inexview.core.files import write_complete
from inexview.core.report import (
    BOOKTABS,
    CSV_SAFE,
    NOTHING,
    SEPARATED,
    escaped,
    in_columns,
    latex_row,
    separated,
)
from inexview.core.wording import counted, distinct_names, visible
from inexview.system_libraries import why_no_window

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from inexview.core.evaluation.charts import Chart
    from inexview.core.evaluation.run_report import Report


FORMATS = ("table", "json", *SEPARATED, "latex")

TableCell = str | int | float | None


def json_value(value: TableCell) -> TableCell:
    """Return None for NaN and infinities, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def print_json(value: object) -> None:
    sys.stdout.write(json_text(value))


def json_fields(record: Any) -> dict[str, TableCell]:
    return {name: json_value(value) for name, value in asdict(record).items()}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under headings; ``decimals`` is the number of decimals of numbers for people.

    A cell that is None or NaN is a missing value.  Headings that are ``names`` may be long: if they make the
    table wide, they are broken over several lines.
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[TableCell, ...]]
    decimals: int = 4
    names: bool = False

    def rendered(self, format: str) -> str:
        """Return the table in one of FORMATS except json, ending in a line end."""
        if format in SEPARATED:
            return self._separated(format)
        return self._latex() if format == "latex" else self._aligned()

    def _separated(self, format: str) -> str:
        """Return values with all their digits, for programs."""
        rows = (["" if _missing(cell) or cell is None else cell for cell in row] for row in self.rows)
        return separated(self.headings, rows, SEPARATED[format], safe=format == CSV_SAFE)

    def _aligned(self) -> str:
        rows = [tuple(self._shown(cell, NOTHING) for cell in row) for row in self.rows]
        right = [self._is_numeric(at) for at in range(len(self.headings))]
        return in_columns(self.headings, rows, right, broken=self.names)

    def _latex(self) -> str:
        columns = "".join("r" if self._is_numeric(at) else "l" for at in range(len(self.headings)))
        lines = [BOOKTABS, f"\\begin{{tabular}}{{{columns}}}", r"\toprule"]
        lines.append(latex_row(map(escaped, self.headings)))
        lines.append(r"\midrule")
        lines += [latex_row(escaped(self._shown(cell, "--")) for cell in row) for row in self.rows]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"

    def _shown(self, cell: TableCell, missing: str) -> str:
        if _missing(cell):
            return missing
        return f"{cell:.{self.decimals}f}" if isinstance(cell, float) else visible(str(cell))

    def _is_numeric(self, at: int) -> bool:
        return all(isinstance(row[at], int | float) or _missing(row[at]) for row in self.rows)


def _missing(cell: TableCell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


# Charts drawn by commands as in the window, without a screen.

# The window's modules are imported where they are used: no command needs them otherwise.
_OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


def chart_file(text: str) -> Path:
    """Return the path of a chart, if charts can be saved in its format; for argparse."""
    from inexview.core.evaluation.charts import CHART_SUFFIXES

    path = Path(text)
    if path.suffix.lower() not in CHART_SUFFIXES:
        raise ArgumentTypeError(f"{text!r}: a chart can be saved as {', '.join(CHART_SUFFIXES)}")
    return path


def draw_curves(runs: list[RunScores], kind: CurveKind, path: Path) -> None:
    """Draw a curve of each run: the mean over topics, or that of the only scored topic.

    Raises DataError if there is nothing to draw.
    """
    from inexview.core.evaluation.charts import ChartedRun, precision_over_recall, ranking_curve

    names = distinct_names([scores.id for scores in runs], [str(scores.path) for scores in runs])
    named = enumerate(zip(names, runs, strict=True))
    charted = [ChartedRun(name, style, scores) for style, (name, scores) in named]
    topics = {topic for scores in runs for topic in scores.topics}
    if not kind.averages and len(topics) > 1:
        problem = f"{kind.value} has no mean over topics, and these are {counted(len(topics), 'topic')}"
        raise DataError(f"{problem}: write them as .csv", path=path)
    topic = next(iter(topics), "") if len(topics) == 1 else ""
    if kind is CurveKind.INTERPOLATED:
        chart = precision_over_recall(charted, (), topic)
    else:
        chart = ranking_curve(charted, kind, (), topic)
    if not any(len(series.x) for series in chart.series):
        raise DataError("nothing to draw: none of these measures has such a curve", path=path)
    draw_chart(chart, path)


def draw_chart(chart: Chart, path: Path, *, safe: bool = False) -> None:
    """Write a chart in the format of its suffix, CSV ``safe`` for spreadsheets.

    Raises InexviewError if drawing is impossible, and OSError.
    """
    if path.suffix.lower() == ".csv":  # needs no libraries for drawing
        chart.save_values(path, safe=safe)
        return
    font = _drawing_font()
    from inexview.gui.charts.chart_window import save_chart

    save_chart(chart, path, font)


def save_report(report: Report, path: Path) -> None:
    """Write a report in the format of its suffix; if drawing is impossible, a page has no charts, with a
    warning.

    Raises InexviewError if a PDF cannot be drawn, and OSError.
    """
    suffix = path.suffix.lower()
    if suffix in (".md", ".tex"):
        text = report.markdown if suffix == ".md" else report.latex
        write_complete(path, lambda part: part.write_text(text, encoding="utf-8"))
        return
    try:
        font = _drawing_font()
    except InexviewError as error:
        if suffix == ".pdf":
            raise
        complain(f"warning: the report has no charts: {error}")
        write_complete(path, lambda part: part.write_text(report.html(), encoding="utf-8"))
        return
    from inexview.gui.charts.chart_window import save_drawn_report

    save_drawn_report(report, path, font)


def _drawing_font() -> QFont:
    """Return the font for drawing, with Qt off screen.  Raises InexviewError if that is impossible."""
    if (problem := why_no_window({**os.environ, **_OFFSCREEN})) is not None:
        raise InexviewError(problem)
    os.environ.update(_OFFSCREEN)  # nothing is shown, and there may be no screen
    from PySide6.QtGui import QGuiApplication

    from inexview.gui.look.theme import load_fonts

    application = QGuiApplication.instance()
    if application is None:
        application = QGuiApplication([])
        load_fonts(application)
    return QGuiApplication.font()
