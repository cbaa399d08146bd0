"""A table of values for a paper or a colleague: as a page, a picture, values (CSV) or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from PySide6.QtGui import QFont

from inexview.core.durable import write_complete
from inexview.core.errors import DataError
from inexview.core.evaluation.score_lines import PrintedLine, save_lines
from inexview.core.latex import escaped, latex_table
from inexview.gui.look import page_files
from inexview.gui.look.page_files import HtmlPage, save_page
from inexview.gui.look.theme import Theme

FILTER = f"{page_files.FILTER};;Values (*.csv);;LaTeX table (*.tex)"
SUFFIXES = (*page_files.SUFFIXES, ".csv", ".tex")
FIGURE = ' align="right" style="text-align:right;white-space:nowrap"'
NAME = ' align="left"'
WIDEST_NAME, LETTER = 260, 8  # pixels of a column of names, which figures would squeeze to a letter a line
BOLD = 1.2  # times as wide as another a letter of a heading is
PAGE = 45  # rows that fit on one page of paper


@dataclass(frozen=True, slots=True)
class ValueCell:
    """What a cell says, ``best`` of its row or column, with the mark of a test."""

    text: str
    best: bool = False
    mark: str = ""

    @property
    def html(self) -> str:
        text = f"<b>{escape(self.text)}</b>" if self.best else escape(self.text)
        return text + (f"<sup>{escape(self.mark)}</sup>" if self.mark else "")

    @property
    def latex(self) -> str:
        text = rf"\textbf{{{escaped(self.text)}}}" if self.best else escaped(self.text)
        return text + (f"$^{{{escaped(self.mark).replace('$', '')}}}$" if self.mark else "")


@dataclass(frozen=True, slots=True)
class ValueTable:
    """A table: ``said`` names measure, number of topics and preset, ``notes`` what its signs mean.

    The first ``names`` columns hold text, all others figures.  ``value_head`` and ``values`` are what is
    saved as CSV, with all digits; ``above`` is HTML that comes before the table on a page.
    """

    title: str
    said: str
    head: tuple[str, ...]
    rows: tuple[tuple[ValueCell, ...], ...]
    value_head: tuple[str, ...]
    values: Sequence[PrintedLine]
    names: int = 1
    notes: tuple[str, ...] = ()
    above: str = ""
    link: str = ""

    def save(self, path: Path, theme: Theme, font: QFont) -> None:
        """Write it as the suffix says.  Raises DataError (another suffix, too long a picture), OSError."""
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise DataError(f"a table is saved as {', '.join(SUFFIXES)}: name the file so", path=path)
        if suffix == ".csv":
            save_lines(path, self.value_head, self.values)
        elif suffix == ".tex":
            write_complete(path, lambda part: part.write_text(self.latex, encoding="utf-8"))
        else:
            save_page(self.page, path, theme, font)

    @property
    def page(self) -> HtmlPage:
        looks = [self._named(at) if at < self.names else FIGURE for at in range(len(self.head))]
        head = "".join(f"<th{look}>{escape(name)}</th>" for look, name in zip(looks, self.head, strict=True))
        lines = "".join(
            "<tr>"
            + "".join(f"<td{look}>{cell.html}</td>" for look, cell in zip(looks, row, strict=True))
            + "</tr>\n"
            for row in self.rows
        )
        notes = "".join(f'<p class="muted">{escape(note)}</p>\n' for note in self.notes)
        body = (
            f'<p class="muted">{escape(self.said)}</p>\n{self.above}'
            f"<table><tr>{head}</tr>\n{lines}</table>\n{notes}"
        )
        return HtmlPage(self.title, body, link=self.link)

    def _named(self, column: int) -> str:
        """Return the look of a column of names, as wide as the longest of them needs, up to WIDEST_NAME."""
        longest = max(BOLD * len(self.head[column]), *(len(row[column].text) for row in self.rows))
        return f'{NAME} width="{min(round(LETTER * longest) + LETTER, WIDEST_NAME)}"'

    @property
    def latex(self) -> str:
        caption = ". ".join([f"{self.title}: {self.said}", *(note.rstrip(".") for note in self.notes)]) + "."
        columns = "l" * self.names + "r" * (len(self.head) - self.names)
        lines = ([cell.latex for cell in row] for row in self.rows)
        return latex_table(caption, columns, self.head, lines, long=len(self.rows) > PAGE)
