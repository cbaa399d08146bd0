"""Tables on stdout: aligned for reading, or as CSV, TSV or LaTeX for a program or a paper."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inexview.cli.common import visible
from inexview.core.latex import BOOKTABS, escaped, latex_row
from inexview.core.report import CSV_SAFE, NOTHING, SEPARATED, in_columns, separated

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
