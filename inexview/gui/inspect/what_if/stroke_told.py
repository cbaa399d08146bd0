"""What a stroke in what-if does, said beside the mouse: so many characters, and what it moves most."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent

from inexview.core.report import MINUS
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Stroke
from inexview.gui.inspect.scoring.scratch_copies import BeforeAfter, ScratchCopies, WhatIfFigures
from inexview.gui.look.widgets import LEFT, PaintedWidget, derived, write

HIGH, EDGE, ROUND = 24, 10, 5  # pixels


class StrokeTold(PaintedWidget):
    """Lies over the text while the pen or the eraser is drawn, and lets the mouse through."""

    def __init__(self, article: ArticleView, scratch_copies: ScratchCopies) -> None:
        super().__init__()
        article.lay_over_text(self)
        self._article = article
        self._scratch_copies = scratch_copies
        self._parts: tuple[tuple[str, bool], ...] = ()  # texts, and whether they are strong
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        scratch_copies.previewed.connect(self._tell)
        article.stroke_previewed.connect(self._follow)
        article.entry_point_previewed.connect(self._follow)

    @property
    def said(self) -> str:
        return "".join(text for text, _ in self._parts)

    def _follow(self, drawn: Stroke | int | None) -> None:
        if drawn is None:
            self.hide()

    def _tell(self, figures: WhatIfFigures) -> None:
        """Say what the stroke that is being drawn does, or the entry point that is being chosen."""
        stroke, entry = self._article.hand_stroke, self._article.entry_ghost
        if stroke is not None:
            entry = self._scratch_copies.entered_by(stroke)
        if stroke is not None and entry is None:
            change = stroke.change_of(self._article.hand.marks)
            sign = MINUS if change < 0 else "+" if change else ""
            drawn = f"{sign}{counted(abs(change), 'character')}"
        elif entry is not None:
            drawn = f"entered at {entry:,}"
        else:
            self.hide()
            return
        self._parts = ((drawn, True), *_most(figures.document))
        self.resize(self.sizeHint())
        self._article.show_at_pointer(self)
        self.update()

    def _fonts(self) -> dict[bool, QFont]:
        return {strong: derived(self.font(), factor=0.92, bold=strong) for strong in (False, True)}

    def _widths(self) -> list[float]:
        fonts = self._fonts()
        return [QFontMetricsF(fonts[strong]).horizontalAdvance(text) for text, strong in self._parts]

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths())) + 2 * EDGE, HIGH)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, fonts, x = QPainter(self), self.theme, self._fonts(), float(EDGE)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text"))
        painter.drawRoundedRect(self.rect().toRectF(), ROUND, ROUND)
        for (text, strong), wide in zip(self._parts, self._widths(), strict=True):
            write(painter, QRectF(x, 0, wide + 1, HIGH), text, fonts[strong], theme.color("page"), LEFT)
            x += wide


def _most(figures: tuple[BeforeAfter, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the figure that changes most: before, and after."""
    known = [(one.before, one.after, one.name) for one in figures if one.before is not None]
    moved = [(abs(now - was), was, now, name) for was, now, name in known if now is not None]
    _, was, now, name = max(moved, default=(0.0, 0.0, 0.0, ""))
    return ((f"   {name} {was:.3f} → ", False), (f"{now:.3f}", True)) if was != now else ()
