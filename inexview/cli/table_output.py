"""Tables on stdout: aligned for reading, or as CSV, TSV or LaTeX for a program or a paper."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inexview.cli.common import visible
from inexview.core.latex import escaped

FORMATS = ("table", "json", "csv", "tsv", "latex")

READABLE = 80  # characters: of a table that is wider names are broken
WORD = re.compile(r"[^-_./ ]*[-_./ ]+|[^-_./ ]+")

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
    """Rows of cells under headings; ``decimals`` is how many places numbers get where people read them.

    A cell that is None or NaN is a value that does not exist.  Headings that are ``names`` may be long: where
    they make the table wide, people read them over several lines.
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[TableCell, ...]]
    decimals: int = 4
    names: bool = False

    def rendered(self, format: str) -> str:
        """Return the table in one of FORMATS but json, ending in a line end."""
        if format == "csv":
            return self._separated(",")
        if format == "tsv":
            return self._separated("\t")
        return self._latex() if format == "latex" else self._aligned()

    def _separated(self, delimiter: str) -> str:
        """Return values with all their digits, for programs."""
        written = io.StringIO()
        writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
        writer.writerow(self.headings)
        writer.writerows(["" if _missing(cell) else cell for cell in row] for row in self.rows)
        return written.getvalue()

    def _aligned(self) -> str:
        rows = [tuple(self._shown(cell, "–") for cell in row) for row in self.rows]
        lines = [*(_broken(self.headings, rows) if self.names else [self.headings]), *rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.headings))]
        right = [self._is_numeric(at) for at in range(len(self.headings))]
        return "".join(
            "  ".join(
                cell.rjust(width) if number else cell.ljust(width)
                for cell, width, number in zip(line, widths, right, strict=True)
            ).rstrip()
            + "\n"
            for line in lines
        )

    def _latex(self) -> str:
        columns = "".join("r" if self._is_numeric(at) else "l" for at in range(len(self.headings)))
        lines = [f"\\begin{{tabular}}{{{columns}}}", r"\hline"]
        lines.append(" & ".join(escaped(heading) for heading in self.headings) + r" \\")
        lines.append(r"\hline")
        lines += [" & ".join(escaped(self._shown(cell, "--")) for cell in row) + r" \\" for row in self.rows]
        return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"

    def _shown(self, cell: TableCell, missing: str) -> str:
        if _missing(cell):
            return missing
        return f"{cell:.{self.decimals}f}" if isinstance(cell, float) else visible(str(cell))

    def _is_numeric(self, at: int) -> bool:
        return all(isinstance(row[at], int | float) or _missing(row[at]) for row in self.rows)


def _broken(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the line of headings; where that makes a table too wide, several, broken where words end."""
    cells = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    if not rows or sum(map(max, cells, map(len, headings))) + 2 * len(cells) - 2 <= READABLE:
        return [tuple(headings)]
    columns = [_lines(WORD.findall(heading), wide) for heading, wide in zip(headings, cells, strict=True)]
    most = max(map(len, columns))
    return [*zip(*(("",) * (most - len(column)) + column for column in columns), strict=True)]


def _lines(words: Sequence[str], wide: int) -> tuple[str, ...]:
    """Put words into lines of a width, or of the longest word where that is wider."""
    wide = max(wide, *(len(word.rstrip()) for word in words))
    lines = [""]
    for word in words:
        if len((lines[-1] + word).rstrip()) > wide:
            lines.append("")
        lines[-1] += word
    return tuple(line.rstrip() for line in lines)


def _missing(cell: TableCell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
