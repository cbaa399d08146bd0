"""Tables of values for reading, for a paper and for a program: one record, and how to write each form.

The command line prints these tables and the window saves them, with the same figures, marks and bold type.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TextIO

from inexview.core.files import write_complete

# LaTeX: escaped text, and tables for a paper with the rules of the package booktabs.

BOOKTABS = r"% needs \usepackage{booktabs}"
_MANY = 1e12  # parameters from here on are written with an exponent

_SPECIAL = str.maketrans(
    {one: f"\\{one}" for one in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "−": "$-$", "–": "--", "’": "'", "·": r"$\cdot$", "×": r"$\times$"}
    | {"∩": r"$\cap$", "∪": r"$\cup$", "∞": r"$\infty$", "†": r"$\dagger$", "‡": r"$\ddagger$"}
    | {"Δ": r"$\Delta$", "κ": r"$\kappa$", "ρ": r"$\rho$", "τ": r"$\tau$"}
    | {"α": r"$\alpha$", "β": r"$\beta$"}
    | {"…": r"\dots{}", "≥": r"$\geq$"}
)


def escaped(text: str) -> str:
    """Return text escaped so that LaTeX prints it unchanged."""
    return text.translate(_SPECIAL)


def latex_row(cells: Iterable[str]) -> str:
    """Return a row of a table, with its first cell protected from "[" and "*" after the previous line."""
    line = " & ".join(cells)
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def latex_table(
    caption: str, columns: str, head: Sequence[str], lines: Iterable[Sequence[str]], *, long: bool = False
) -> str:
    """Return a table; its cells are LaTeX, caption and head are text, ``columns`` as in tabular.

    A ``long`` one extends over several pages, with its head on each.
    """
    above = latex_row(map(escaped, head))
    body = list(map(latex_row, lines))
    tabular = "longtable" if long else "tabular"
    begin = rf"\begin{{{tabular}}}{{{columns}}}"
    title = rf"\caption{{{escaped(caption)}}}"
    lines_above = (r"\toprule", above, r"\midrule")
    if long:
        top = ["% needs \\usepackage{booktabs,longtable}", begin, title + r"\\", *lines_above]
        return "\n".join([*top, r"\endhead", r"\bottomrule", r"\endlastfoot", *body, r"\end{longtable}", ""])
    top = [BOOKTABS, r"\begin{table}", title, begin, *lines_above]
    return "\n".join([*top, *body, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


MINUS = "−"
NOTHING = "–"  # an undefined value
PAGE = 45  # rows that fit on one page of paper
READABLE = 80  # characters: in a wider table names are broken
CSV_SAFE = "csv-safe"
SEPARATED = {"csv": ",", CSV_SAFE: ",", "tsv": "\t"}
"""Formats of values with all their digits, each with its delimiter."""
_FORMULA = re.compile(r"[=+\-@\t\r](?!\d*\.?\d+\Z)")
WORD = re.compile(r"[^-_./ ]*[-_./ ]+|[^-_./ ]+")
# pixels of a column of names, which figures would squeeze to one letter per line
WIDEST_NAME, LETTER = 260, 8
BOLD = 1.2  # the width of a letter of a heading relative to others
FIGURE = ' align="right" style="text-align:right;white-space:nowrap"'
NAME = ' align="left"'
LONG = ' class="long"'  # of a heading, which may be broken anywhere
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:76em;margin:3em auto;padding:0 1em;color:#1b1f24}"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.3em .8em}.muted{color:#59636e}"
    "tr+tr{border-top:1px solid #d8dde3}td{font-variant-numeric:tabular-nums}"
)

PrintedLine = list[str | float]


# -- numbers -------------------------------------------------------------------------------------------


def figure_text(value: float, decimals: int = 4) -> str:
    """Format a measure, a dash if there is none."""
    return NOTHING if math.isnan(value) else f"{value:.{decimals}f}"


def difference_text(value: float, decimals: int = 3) -> str:
    """Format a difference with its sign, a dash if there is none."""
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return f"{'+' if value > 0 else MINUS}∞"
    return f"{'+' if value >= 0 else MINUS}{abs(value):.{decimals}f}"


# -- values --------------------------------------------------------------------------------------------


def save_lines(path: Path, head: Sequence[str], lines: Iterable[PrintedLine], *, safe: bool = False) -> None:
    """Write a CSV file of lines under headings, ``safe`` for spreadsheets.  Raises DataError, OSError."""

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="") as file:
            write_lines(file, head, lines, safe=safe)

    write_complete(path, write)


def write_lines(
    out: TextIO,
    head: Sequence[str],
    lines: Iterable[PrintedLine],
    delimiter: str = ",",
    *,
    safe: bool = False,
) -> None:
    """Write lines under their headings as CSV, or with another delimiter; ``safe`` for spreadsheets."""
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    rows = itertools.chain([head], lines)
    writer.writerows(map(_as_texts, rows) if safe else rows)


def _as_texts(row: Iterable[object]) -> list[object]:
    """Put an apostrophe before each text that a spreadsheet would interpret as a formula."""
    return [f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell for cell in row]


# -- tables --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ValueCell:
    """The text of a cell, whether it is ``best`` of its row or column, a significance mark and a count."""

    text: str
    best: bool = False
    mark: str = ""
    count: str = ""
    """The number of topics of the figure, if other figures have more: ``(99)``."""
    link: str = ""
    """The target of its link on a page."""
    picture: str = ""
    """A drawing of it on a page, after the text."""
    wraps: bool = False
    """Whether the text may be broken into several lines."""

    @property
    def said(self) -> str:
        """The cell as plain text: ``+0.0123† (99)``."""
        return f"{self.text}{self.mark} {self.count}".rstrip()

    @property
    def html(self) -> str:
        text = f"<b>{escape(self.text)}</b>" if self.best else escape(self.text)
        text = f'<a href="{escape(self.link)}">{text}</a>' if self.link else text
        text = f'<span class="text">{text}</span>' if self.wraps else text
        text += f"<sup>{escape(self.mark)}</sup>" if self.mark else ""
        return (
            text + (f' <span class="muted">{escape(self.count)}</span>' if self.count else "") + self.picture
        )

    @property
    def latex(self) -> str:
        text = rf"\textbf{{{escaped(self.text)}}}" if self.best else escaped(self.text)
        text += f"$^{{{escaped(self.mark).replace('$', '')}}}$" if self.mark else ""
        return text + (f" {{\\small {escaped(self.count)}}}" if self.count else "")


@dataclass(frozen=True, slots=True)
class ValueTable:
    """A table: ``said`` names measure, number of topics and preset, ``notes`` explain its signs.

    The first ``names`` columns contain text, all others figures.  ``value_head`` and ``values`` are saved as
    CSV, with all digits; ``above`` is HTML before the table on a page.
    """

    title: str
    said: str
    head: tuple[str, ...]
    rows: tuple[tuple[ValueCell, ...], ...]
    value_head: tuple[str, ...] = ()
    values: Sequence[PrintedLine] = ()
    names: int = 1
    notes: tuple[str, ...] = ()
    above: str = ""
    below: tuple[ValueTable, ...] = ()
    """Tables that follow it on a page and in LaTeX."""
    link: str = ""

    @property
    def text(self) -> str:
        """The table in columns, without title and notes."""
        rows = [[cell.said for cell in row] for row in self.rows]
        right = [at >= self.names for at in range(len(self.head))]
        return in_columns(self.head, rows, right, broken=self.names == 1)

    @property
    def latex(self) -> str:
        caption = ". ".join([f"{self.title}: {self.said}", *(note.rstrip(".") for note in self.notes)]) + "."
        columns = "l" * self.names + "r" * (len(self.head) - self.names)
        lines = ([cell.latex for cell in row] for row in self.rows)
        own = latex_table(caption, columns, self.head, lines, long=len(self.rows) > PAGE)
        return "\n".join([own, *(table.latex for table in self.below)])

    @property
    def html(self) -> str:
        """The content of a page's body."""
        looks = [self._named(at) if at < self.names else FIGURE for at in range(len(self.head))]
        head = "".join(
            f"<th{LONG if len(name) > READABLE / 4 else ''}{look}>{escape(name)}</th>"
            for look, name in zip(looks, self.head, strict=True)
        )
        lines = "".join(
            "<tr>"
            + "".join(f"<td{look}>{cell.html}</td>" for look, cell in zip(looks, row, strict=True))
            + "</tr>\n"
            for row in self.rows
        )
        notes = "".join(f'<p class="muted">{escape(note)}</p>\n' for note in self.notes)
        said = f'<p class="muted">{escape(self.said)}</p>\n' if self.said else ""
        rows = f"<thead><tr>{head}</tr></thead>\n<tbody>{lines}</tbody>"
        return f"{said}{self.above}<table>{rows}</table>\n{notes}" + "".join(
            f"<h2>{escape(table.title)}</h2>\n{table.html}" for table in self.below
        )

    def _named(self, column: int) -> str:
        """Return the style of a column of names, as wide as the longest of them needs, up to WIDEST_NAME."""
        longest = max([BOLD * len(self.head[column]), *(len(row[column].text) for row in self.rows)])
        return f'{NAME} width="{min(round(LETTER * longest) + LETTER, WIDEST_NAME)}"'


def html_page(
    title: str, tables: Sequence[ValueTable], *, above: str = "", below: str = "", looks: str = ""
) -> str:
    """Return a self-contained page of tables between other HTML; ``looks`` are further CSS."""
    shown = "".join(f"<h2>{escape(table.title)}</h2>\n{table.html}" for table in tables)
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>{_STYLE}{looks}</style>\n{above}{shown}{below}</html>\n"
    )


def separated(head: Sequence[str], rows: Iterable[PrintedLine], delimiter: str, *, safe: bool = False) -> str:
    """Return lines of values as CSV or TSV; ``safe`` for spreadsheets."""
    written = io.StringIO()
    write_lines(written, head, rows, delimiter, safe=safe)
    return written.getvalue()


def in_columns(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], *, broken: bool
) -> str:
    """Return cells in columns; ``right`` gives those aligned to the right.

    If long headings make the table too wide to read, ``broken`` writes them over several lines.
    """
    lines = [*(_broken(head, rows) if broken else [tuple(head)]), *map(tuple, rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    return "".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, right, strict=True)
        ).rstrip()
        + "\n"
        for line in lines
    )


def _broken(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the line of headings; several lines, broken after words, if the table would be too wide."""
    cells = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    if not rows or sum(map(max, cells, map(len, headings))) + 2 * len(cells) - 2 <= READABLE:
        return [tuple(headings)]
    columns = [_lines(WORD.findall(heading), wide) for heading, wide in zip(headings, cells, strict=True)]
    most = max(map(len, columns))
    return [*zip(*(("",) * (most - len(column)) + column for column in columns), strict=True)]


def _lines(words: Sequence[str], wide: int) -> tuple[str, ...]:
    """Break words into lines of a width, or of the longest word if that is wider."""
    wide = max(wide, *(len(word.rstrip()) for word in words))
    lines = [""]
    for word in words:
        if len((lines[-1] + word).rstrip()) > wide:
            lines.append("")
        lines[-1] += word
    return tuple(line.rstrip() for line in lines)


END_OF_SUM = re.compile(r"… [\d,]+ more\) / \S+")


def count(figure: float) -> str:
    """Format a number of characters: ``25,020``; weighted counts have at most two decimals."""
    text = f"{figure:,.2f}"
    return text.rstrip("0").rstrip(".")


def short(value: float | None) -> str:
    """Format a measure with three decimals, or a dash."""
    return NOTHING if value is None else f"{value:.3f}"


def exact(value: float) -> str:
    """Format a measure with six decimals."""
    return f"{value:.6f}"


def parameter(value: float) -> str:
    """Format a parameter for reading: ``1``, ``0.25``, ``1,000``, ``1e-7``, ``1e300``."""
    plain = f"{value:,.6f}"
    if abs(value) >= _MANY or not math.isclose(float(plain.replace(",", "")), value, rel_tol=1e-4):
        return f"{value:g}".replace("e-0", "e-").replace("e+", "e")
    return plain.rstrip("0").rstrip(".")


def loss(value: float) -> str:
    """Format a cost, with a true minus sign."""
    return f"{MINUS}{value:.3f}" if value >= 0.0005 else f"{MINUS}<0.001"


def subscripted(formula: str) -> str:
    """Return a formula with the subscripts of its letters: Nᵣₑₗ, Tᵣₑₗ, log₂."""
    for plain, small in (("Nrel", "Nᵣₑₗ"), ("Trel", "Tᵣₑₗ"), ("log2(", "log₂(")):
        formula = formula.replace(plain, small)
    return formula


def unbroken(formula: str) -> str:
    """Keep the end of a sum, ``… 27 more) / 30``, on one line."""
    return END_OF_SUM.sub(lambda end: end[0].replace(" ", "\N{NO-BREAK SPACE}"), formula)
