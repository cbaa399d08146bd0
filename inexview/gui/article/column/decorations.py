"""What is drawn beside the text but is no text: list markers, the names of facts, the subtitle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from inexview.core.article.blocks import BlockKind
from inexview.gui.article.typesetting.lines import Line
from inexview.gui.article.typesetting.pieces import Piece
from inexview.gui.article.typesetting.styles import PADDING, Styles
from inexview.gui.article.typesetting.text_builder import Builder
from inexview.gui.article.typesetting.typography import setting_of

if TYPE_CHECKING:
    from inexview.gui.article.column.text_area import TextArea

MARKER_GAP_EM = 0.45
LABEL_GAP_EM = 0.7
TITLES_WITHIN = 40  # pieces
SUBTITLE_PIXELS = 13.0
SUBTITLE_DROP_EM = 1.75  # from the title's last baseline
_LABELLED = (BlockKind.FIELD, BlockKind.CELL)


class Subtitle:
    """The line under the title: it is no text of the article, and knows which of its parts is where."""

    BETWEEN = " · "

    def __init__(self, page: TextArea) -> None:
        self._page = page
        self.text = ""
        self.found: Callable[[str], str] = lambda _document: ""
        """What may be told of the runs that found a document; nothing while one judges blind."""

    @property
    def ground(self) -> QWidget:
        """What it is painted on."""
        return self._page.viewport()

    def set_text(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.ground.update()

    def _font(self) -> QFont:
        return self._page.styles.interface_font(SUBTITLE_PIXELS)

    def _baseline(self, title: Line) -> float:
        return title.baseline + SUBTITLE_DROP_EM * self._page.styles.size

    def paint(self, painter: QPainter, title: Line) -> None:
        """Write it below the last line of the title."""
        left, shown = self._placed(title)
        painter.setFont(self._font())
        painter.setPen(self._page.styles.theme.color("muted"))
        painter.drawText(QPointF(left, self._baseline(title)), shown)

    def _placed(self, title: Line) -> tuple[float, str]:
        """Return where it begins, on the side on which the title begins, and as much of it as has room."""
        metrics, width = QFontMetricsF(self._font()), self._page.column_width
        shown = metrics.elidedText(self.text, Qt.TextElideMode.ElideRight, width)
        free = width - metrics.horizontalAdvance(shown) if title.leftward else 0
        return PADDING + free, shown

    def part_at(self, at: QPoint) -> str:
        """Return the part that is at a point, of those between the dots; empty where there is none."""
        title = _end_of_title(self._page)
        metrics = QFontMetricsF(self._font())
        if title is None or not 0 <= self._baseline(title) + metrics.descent() - at.y() <= metrics.height():
            return ""
        left, before = at.x() - self._placed(title)[0], ""
        for part in self.text.split(self.BETWEEN):
            begins = metrics.horizontalAdvance(before)
            before += part
            if begins <= left < metrics.horizontalAdvance(before):
                return part
            before += self.BETWEEN
        return ""


def paint_decorations(painter: QPainter, page: TextArea, lines: Sequence[Line], subtitle: Subtitle) -> None:
    builder = page.builder
    if builder is None:
        return
    for line in lines:
        index = line.piece
        piece = builder.pieces[index]
        if line.first_in_block and piece.marker:
            if piece.kind in _LABELLED:
                _label(painter, page, line, piece)
            else:
                _marker(painter, page.styles, line, piece)
    if (title := _end_of_title(page)) is not None:
        subtitle.paint(painter, title)


def _end_of_title(page: TextArea) -> Line | None:
    """Return the last line of the title, in sight or right above it: what is below may be seen."""
    builder = page.builder
    if builder is None:
        return None
    last = _last_title(builder)
    ends = (line for line in page.visible().around if line.piece == last)
    return next((line for line in ends if line.end >= builder.pieces[last].end), None)


def _last_title(builder: Builder) -> int:
    """Return the index of the first piece that is a title and is followed by none; titles come early."""
    for index, piece in enumerate(builder.pieces[:TITLES_WITHIN]):
        following = builder.pieces[index + 1].kind if index + 1 < len(builder.pieces) else None
        if piece.kind is BlockKind.TITLE and following is not BlockKind.TITLE:
            return index
    return -1


def _marker(painter: QPainter, styles: Styles, line: Line, piece: Piece) -> None:
    font = styles.font(setting_of(piece.kind, piece.level))
    painter.setFont(font)
    painter.setPen(styles.theme.color("muted"))
    gap = MARKER_GAP_EM * styles.size
    width = QFontMetricsF(font).horizontalAdvance(piece.marker)
    x = line.right + gap if line.leftward else line.left - gap - width
    painter.drawText(QPointF(x, line.baseline), piece.marker)


def _label(painter: QPainter, page: TextArea, line: Line, piece: Piece) -> None:
    """Write what a fact is called in a column left of it."""
    styles = page.styles
    left = PADDING + (styles.box_inset if piece.box >= 0 else 0)
    font = styles.font(setting_of(BlockKind.FIELD, 0, boxed=piece.box >= 0))
    metrics = QFontMetricsF(font)
    room = line.left - left - LABEL_GAP_EM * styles.size
    painter.setFont(font)
    painter.setPen(styles.theme.color("muted"))
    text = metrics.elidedText(piece.marker, Qt.TextElideMode.ElideRight, room)
    painter.drawText(QPointF(left, line.baseline), text)
