"""What was found in a file: the verdict, the conventions, the lines, and how a line's passage reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSplitter, QTextBrowser, QWidget

from inexview.core.offset_check.diagnosis import Diagnosis, verdict
from inexview.core.offset_check.examine import OffsetPreview
from inexview.core.text.counting import Convention
from inexview.core.wording import counted
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import ElidedLabel, label
from inexview.gui.offset_check.fits_table import FitsTable
from inexview.gui.offset_check.rows_table import RowsTable

_SEEN = str.maketrans({"\n": "↵", "\r": "↵", "\t": "⇥"})


class Findings(QWidget):
    """Shows a diagnosis; choosing a convention lists what does not fit that one."""

    judged_by = Signal(object)  # Convention
    read = Signal(object)  # CheckedRow: the line whose passage shall be read
    copy_wanted = Signal(object)  # Ints: the rows to be told of, with file and line

    def __init__(self) -> None:
        super().__init__()
        self._diagnosis: Diagnosis | None = None
        self.headline = label("", "heading", wrap=True)
        self.details = label("", "muted", wrap=True)
        self.as_ends = QPushButton("Read the last field as an end", autoDefault=False)
        self.fits = FitsTable()
        self.listed = ElidedLabel(role="value")
        self.copy = QPushButton("Copy the list", autoDefault=False)
        self.copy.setProperty("role", "small")
        self.copy.setToolTip("Every line that does not fit, with the file and its number, as text")
        self.rows = RowsTable()
        self.pane = ReadingPane()
        self._build()
        self.fits.chosen.connect(self._judge_by)
        self.rows.chosen.connect(self.read)
        self.rows.copy_wanted.connect(self.copy_wanted)
        self.copy.clicked.connect(lambda: self.copy_wanted.emit(self.rows.lines.rows))

    def _build(self) -> None:
        first = in_row(
            (in_column(self.headline, self.details, spacing=4), 1),
            (self.as_ends, 0, Qt.AlignmentFlag.AlignTop),
        )
        listing = in_row((self.listed, 1), self.copy)
        self.pane.setMinimumWidth(220)
        below = QSplitter()
        below.setChildrenCollapsible(False)
        below.setHandleWidth(1)
        below.addWidget(self.rows)
        below.addWidget(self.pane)
        below.setStretchFactor(0, 1)
        below.setSizes([600, 400])
        in_column(first, self.fits, listing, (below, 1), on=self, margins=(0, 4, 0, 0), spacing=10)

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        """Show what was found, judged by the convention that explains it best."""
        self._diagnosis = diagnosis
        said = verdict(diagnosis)
        self.headline.setText(said.headline)
        self.details.setText("  ".join(said.details))
        self.details.setVisible(bool(said.details))
        self.as_ends.setVisible(diagnosis.end_for_length is not None)
        self.fits.show_fits(diagnosis)
        self._judge_by(self.fits.convention)

    @property
    def convention(self) -> Convention:
        """The convention by which the file is judged now."""
        return self.fits.convention

    def _judge_by(self, convention: Convention) -> None:
        """List what does not fit; where all fits, everything, to be looked at."""
        if self._diagnosis is None:
            return
        rows = self._diagnosis.misfit_rows(convention)
        self.copy.setVisible(len(rows) > 0)
        if len(rows):
            does = "does" if len(rows) == 1 else "do"
            listed = f"{counted(len(rows), 'line')} {does} not fit {convention}"
        else:
            rows = np.arange(len(self._diagnosis.table))
            all_of = "The one line fits" if len(rows) == 1 else f"All {len(rows):,} lines fit"
            listed = f"{all_of} {convention}"
        self.listed.set_text(listed)
        self.rows.show_rows(self._diagnosis, convention, rows)
        self.judged_by.emit(convention)


class ReadingPane(QTextBrowser):
    """Shows readings below one another: what reads well is the right one."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("How the passage reads")
        self.setOpenLinks(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(14)
        self._theme = LIGHT
        self._shown: tuple[str, Sequence[OffsetPreview], Collection[Convention]] = ("", (), ())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.show_readings(*self._shown)

    def show_readings(
        self, heading: str, readings: Sequence[OffsetPreview], fitting: Collection[Convention] = ()
    ) -> None:
        """Show how a passage reads; ``fitting`` are the conventions under which its line fits."""
        self._shown = heading, readings, fitting
        parts = [f'<p style="color:{self._theme.muted}">{escape(heading)}</p>']
        parts += [self._as_html(reading) for reading in readings]
        self.setHtml("".join(parts))

    def _as_html(self, reading: OffsetPreview) -> str:
        names = "; ".join(convention.name for convention in reading.conventions)
        fits = any(convention in self._shown[2] for convention in reading.conventions)
        sign = f' <span style="color:{self._theme.finished}">✓&nbsp;fits</span>' if fits else ""
        where = f"{reading.start:,}" if reading.start == reading.end else f"{reading.start:,}–{reading.end:,}"
        return (
            f'<p style="margin-top:12px; margin-bottom:2px"><b>{escape(names)}</b>'
            f' <span style="color:{self._theme.muted}">&nbsp; {where}</span>{sign}</p>'
            f'<p style="margin-top:3px; line-height:140%">{self._words(reading)}</p>'
        )

    def _words(self, reading: OffsetPreview) -> str:
        muted = f'<span style="color:{self._theme.muted}">%s</span>'
        if reading.past_end and not reading.first:
            return muted % "past the end of the document"
        words = (
            f'<span style="background:{self._theme.mark}">{_visible(reading.first)}'
            + (muted % " … " + _visible(reading.last) if reading.last else "")
            + "</span>"
        )
        if reading.start == reading.end:
            words = f'<span style="color:{self._theme.bep}"><b>▸</b></span>'
        tail = " ¶ past the end of the document" if reading.past_end else reading.after
        return muted % _visible(reading.before) + words + muted % _visible(tail)


def _visible(text: str) -> str:
    """Return HTML in which white space can be seen where it matters."""
    return escape(text.translate(_SEEN)).replace("  ", "&nbsp; ")
