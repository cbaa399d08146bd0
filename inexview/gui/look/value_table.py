"""A table of values as a file: a page, a picture, values (CSV) or LaTeX."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QFont

from inexview.core.durable import write_complete
from inexview.core.errors import DataError
from inexview.core.report import ValueTable, save_lines
from inexview.gui.look import page_files
from inexview.gui.look.page_files import HtmlPage, save_page
from inexview.gui.look.theme import Theme

FILTER = f"{page_files.FILTER};;Values (*.csv);;LaTeX table (*.tex)"
SUFFIXES = (*page_files.SUFFIXES, ".csv", ".tex")


def page_of(table: ValueTable) -> HtmlPage:
    return HtmlPage(table.title, table.html, link=table.link)


def save_table(table: ValueTable, path: Path, theme: Theme, font: QFont) -> None:
    """Write a table as the suffix says.  Raises DataError (another suffix, too long a picture), OSError."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise DataError(f"a table is saved as {', '.join(SUFFIXES)}: name the file so", path=path)
    if suffix == ".csv":
        save_lines(path, table.value_head, table.values)
    elif suffix == ".tex":
        write_complete(path, lambda part: part.write_text(table.latex, encoding="utf-8"))
    else:
        save_page(page_of(table), path, theme, font)
