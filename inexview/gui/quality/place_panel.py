"""The place that a question is about: how it reads, in one document or in all that share a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QWidget

from inexview.core.text.spans import Offsets, Spans
from inexview.core.wording import counted
from inexview.gui.look.layouts import Filler, in_column
from inexview.gui.look.theme import LIGHT, READING_FAMILIES, Theme
from inexview.gui.look.widgets import Caption, FittingArea, KeyButton, breakable, label

AROUND = 90  # characters shown before and behind a place
LONGEST = 420  # characters of a place that are shown
APART = 18  # pixels between two excerpts
RULE = "The guide says: judge each fragment on its own merit, also the twentieth time."


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a document to show: all its text, what of it is marked, and the place in it.

    ``lines`` are the offsets, int64, at which a reader sees a new line begin: no character may be there.
    """

    document: str
    title: str
    text: str
    lines: Offsets
    marks: Spans
    start: int
    end: int


class PlacePanel(QWidget):
    """Excerpts, and the two answers."""

    opened = Signal(object)  # (document id, start, end)

    def __init__(self, open_there: QAction, settle: QAction) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = LIGHT
        self._excerpts: Sequence[Excerpt] = ()
        self._caption = Caption("This place")
        self._told = label("", "", wrap=True)
        self._text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._text.linkActivated.connect(self._open)
        self._rule = label(RULE, "muted", wrap=True)
        self._left = label("", "note", wrap=True)
        inside = QWidget()
        inside.setProperty("role", "chrome")
        in_column(self._told, self._text, self._rule, Filler(1), on=inside, margins=(0, 0, 4, 0), spacing=10)
        outer = in_column(
            self._caption, (FittingArea(inside), 1000), Filler(1), self._left, on=self, margins=14, spacing=9
        )
        self._answers = (
            KeyButton("Open there", open_there, primary=True, key="Enter"),
            KeyButton("Right as it is, next", settle),
        )
        for answer in self._answers:
            outer.addWidget(answer)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show()

    def show_place(self, told: str, excerpts: Sequence[Excerpt], *, shared: bool) -> None:
        self._told.setText(told)
        self._excerpts = excerpts
        among = f"This place · {counted(len(excerpts), 'document')}" if shared else "This place"
        self._caption.set_text(among)
        self._rule.setVisible(shared)
        self._show()

    def show_left(self, count: int, found: int) -> None:
        """Say how many questions have no answer yet; without any there is nothing to answer."""
        for answer in self._answers:
            answer.setVisible(found > 0)
        self._left.setText(f"{count:,} to look at; nothing here holds up the export" if count else "")

    def _show(self) -> None:
        self._text.setText("".join(self._paragraph(at, one) for at, one in enumerate(self._excerpts)))

    def _paragraph(self, at: int, one: Excerpt) -> str:
        theme = self._theme
        end = min(one.end, one.start + LONGEST)
        low, high = _at_words(one.text, max(one.start - AROUND, 0), one.start, end)
        begins = "… " if low else ""
        ends = " …" if high < len(one.text) else ""
        body = _marked(one, low, high, theme)
        marked = bool(one.marks.clip(one.start, max(one.end, one.start + 1)))
        stands = "marked" if marked else "not marked"
        color, shape = (theme.finished, "●") if marked else (theme.muted, "○")
        sign = f'<span style="color:{color}">{shape}</span>'
        look = f"color:{theme.text}; text-decoration:none"
        above = APART if at else 0
        head = (
            f'<table width="100%" cellspacing="0" cellpadding="0" style="margin-top:{above}px">'
            f"<tr><td>{sign} "
            f'<a href="{at}" style="{look}"><b>{escape(breakable(one.title))}</b></a>'
            f' <span style="color:{theme.muted}">{stands}</span></td>'
            f'<td align="right" style="color:{theme.muted}; padding-left:8px">{one.start:,}</td></tr></table>'
        )
        read = (
            f"<span style=\"font-family:'{READING_FAMILIES[0]}'; font-size:14px\">{begins}{body}{ends}</span>"
        )
        return f'{head}<p style="margin-top:6px; margin-bottom:0; line-height:130%">{read}</p>'

    def _open(self, link: str) -> None:
        one = self._excerpts[int(link)]
        self.opened.emit((one.document, one.start, one.end))


def _at_words(text: str, low: int, start: int, end: int) -> tuple[int, int]:
    """Return where an excerpt from ``low`` begins and ends, so that no word around the place is cut.

    Where there is no space, as in Chinese, it is as long as it may be.
    """
    high = min(end + AROUND, len(text))
    if low:
        low = text.find(" ", low, start) + 1 or low
    if high < len(text):
        space = text.rfind(" ", end, high)
        high = high if space < 0 else space
    return low, high


def _marked(one: Excerpt, low: int, high: int, theme: Theme) -> str:
    """Return a stretch of a document as rich text, what is marked in it as marked."""
    lines = [int(at) for at in one.lines[np.searchsorted(one.lines, low, side="right") :] if at < high]
    parts, at = [], low
    for start, end in one.marks.clip(low, high):
        look = f"background:{theme.mark}; text-decoration:underline"  # not by colour alone
        marked = f'<span style="{look}">{_in_lines(one.text, lines, start, end)}</span>'
        parts += [_in_lines(one.text, lines, at, start), marked]
        at = end
    return "".join([*parts, _in_lines(one.text, lines, at, high)])


def _in_lines(text: str, lines: Sequence[int], low: int, high: int) -> str:
    """Return text with a new line where the reader sees one: a title does not run into what follows."""
    inside = [at for at in lines if low <= at < high]
    return "<br>".join(escape(breakable(text[start:end])) for start, end in pairwise([low, *inside, high]))
