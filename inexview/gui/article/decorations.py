"""What is drawn beside the text but is no text: list markers, the names of facts, the subtitle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from inexview.core.article.document import BlockKind
from inexview.gui.article.lines import Line
from inexview.gui.article.pieces import Piece
from inexview.gui.article.styles import PADDING, Styles
from inexview.gui.article.text_builder import Builder
from inexview.gui.article.typography import setting_of

MARKER_GAP_EM = 0.45
LABEL_GAP_EM = 0.7
TITLES_WITHIN = 40  # pieces
SUBTITLE_PIXELS = 13.0
SUBTITLE_DROP_EM = 1.75  # from the title's last baseline
_LABELLED = (BlockKind.FIELD, BlockKind.CELL)


class Page(Protocol):
    """What the decorations have to know of the text area."""

    styles: Styles

    @property
    def builder(self) -> Builder | None:
        """What built the shown article."""

    @property
    def column_width(self) -> int:
        """The width in pixels that the text may take."""


def paint_decorations(painter: QPainter, page: Page, lines: Sequence[Line], subtitle: str) -> None:
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
        if piece.kind is BlockKind.TITLE and line.end >= piece.end and index == _last_title(builder):
            _subtitle(painter, page, line, subtitle)


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
    width = QFontMetricsF(font).horizontalAdvance(piece.marker)
    x = line.left - MARKER_GAP_EM * styles.size - width
    painter.drawText(QPointF(x, line.baseline), piece.marker)


def _label(painter: QPainter, page: Page, line: Line, piece: Piece) -> None:
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


def _subtitle(painter: QPainter, page: Page, line: Line, subtitle: str) -> None:
    font = page.styles.interface_font(SUBTITLE_PIXELS)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(page.styles.theme.color("muted"))
    y = line.baseline + SUBTITLE_DROP_EM * page.styles.size
    text = metrics.elidedText(subtitle, Qt.TextElideMode.ElideRight, page.column_width)
    painter.drawText(QPointF(PADDING, y), text)
