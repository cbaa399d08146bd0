"""What lies beneath the text and the marks: panels, the frames of pictures, the lines of tables.

All of it hangs on lines of text, so that it moves and grows with them; nothing of it is text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from inexview.core.article.blocks import Picture
from inexview.gui.article.typesetting.lines import Line
from inexview.gui.article.typesetting.pieces import Piece
from inexview.gui.article.typesetting.styles import PADDING, Styles
from inexview.gui.article.typesetting.table_layout import Stretch
from inexview.gui.article.typesetting.text_builder import Builder
from inexview.gui.article.typesetting.typography import BOX_PADDING_EM, PICTURE_GAP_EM, ROW_PADDING_EM
from inexview.gui.look.theme import Theme, mixed

if TYPE_CHECKING:
    from inexview.gui.article.column.text_area import TextArea

BOX_RADIUS = 6.0
FRAME_RADIUS = 4.0
TINT = 0.38  # how much of the colour of tracks a panel has
LABEL_PIXELS = 11.0
BEYOND = 40.0  # pixels that a panel goes on past the edge of the viewport


def tint(theme: Theme) -> QColor:
    """Return the colour of panels and of pictures that are not there."""
    return mixed(theme.track, theme.page, TINT)


def paint_ground(painter: QPainter, page: TextArea) -> None:
    """Draw what lies beneath everything else."""
    builder, lines = page.builder, page.visible().around
    if builder is None or not lines:
        return
    pieces = builder.pieces
    held = [(line, line.piece, pieces[line.piece]) for line in lines]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for box in _boxes(page, builder, held):
        _panel(painter, page, box)
    for line, index, piece in held:
        if piece.pictures and line.first_in_block:
            _pictures(painter, page, piece, piece.pictures, _frames_top(page.styles, line, piece))
        if piece.cell is not None:
            _rules(painter, page, builder, line, index)
            _closing_rule(painter, page, builder, line)
    line, index, piece = held[-1]
    after = _line_first(builder, index).pictures_after
    if after and line.end >= builder.map.end:
        top = line.bottom + PICTURE_GAP_EM * page.styles.size
        _pictures(painter, page, piece, after, top)
    painter.restore()


def _line_first(builder: Builder, index: int) -> Piece:
    """Return the piece that began the paragraph of a piece."""
    while builder.pieces[index].join:
        index -= 1
    return builder.pieces[index]


# -- panels --------------------------------------------------------------------------------------------------


def _boxes(page: TextArea, builder: Builder, held: Sequence[tuple[Line, int, Piece]]) -> Iterator[QRectF]:
    """Yield the places of the panels that are seen; one goes on where its text does, seen or not."""
    pad = BOX_PADDING_EM * page.styles.size
    top = 0.0
    before = -1
    for at, (line, index, piece) in enumerate(held):
        if piece.box >= 0:
            if before != piece.box:
                opens = line.start <= piece.start and (
                    index == 0 or builder.pieces[index - 1].box != piece.box
                )
                top = _frames_top(page.styles, line, piece) - pad if opens else min(line.top, 0.0) - BEYOND
            if at + 1 == len(held) or held[at + 1][2].box != piece.box:
                last = _last_of_line(builder, line)
                following = builder.pieces[last + 1].box if last + 1 < len(builder.pieces) else -1
                ends = line.end >= builder.pieces[last].end and following != piece.box
                bottom = line.bottom + pad if ends else line.bottom + BEYOND
                yield QRectF(PADDING + 0.5, round(top) + 0.5, page.column_width - 1, round(bottom - top))
        before = piece.box


def _last_of_line(builder: Builder, line: Line) -> int:
    """Return the index of the last piece on a line."""
    return builder.map.piece_at(max(line.start, line.end - 1))


def _panel(painter: QPainter, page: TextArea, place: QRectF) -> None:
    # Filling a large rounded shape is slow, and in so faint a colour no one sees the corners.
    painter.fillRect(place.adjusted(0.5, BOX_RADIUS, -0.5, -BOX_RADIUS).toRect(), tint(page.styles.theme))
    for top in (place.top() + 0.5, place.bottom() - BOX_RADIUS):
        strip = QRectF(place.left() + BOX_RADIUS, top, place.width() - 2 * BOX_RADIUS, BOX_RADIUS)
        painter.fillRect(strip.toRect(), tint(page.styles.theme))
    painter.setPen(QPen(page.styles.theme.color("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place, BOX_RADIUS, BOX_RADIUS)


# -- pictures ------------------------------------------------------------------------------------------------


def _frames_top(styles: Styles, line: Line, piece: Piece) -> float:
    """Return the height at which what belongs to a piece begins: its pictures or its letters."""
    if not piece.pictures:
        return line.top
    return line.top - styles.picture_room(piece, len(piece.pictures))


def _pictures(
    painter: QPainter, page: TextArea, piece: Piece, pictures: Sequence[Picture], top: float
) -> None:
    styles = page.styles
    wide, high = styles.picture_size(piece)
    gap = PICTURE_GAP_EM * styles.size
    inset = styles.box_inset if piece.box >= 0 else 0
    in_row = styles.pictures_in_row(piece)
    beside = min(in_row, len(pictures))
    wide = min(wide, (page.column_width - 2 * inset - (beside - 1) * gap) / beside)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, in_row)
        left = PADDING + inset + column * (wide + gap)
        _frame(painter, styles, QRectF(left, top + row * (high + gap), wide, high), picture.name)


def _frame(painter: QPainter, styles: Styles, place: QRectF, name: str) -> None:
    """Draw the frame of a picture that is not there, with its file's name."""
    theme = styles.theme
    place = QRectF(
        round(place.left()) + 0.5, round(place.top()) + 0.5, round(place.width()), round(place.height())
    )
    painter.setPen(QPen(theme.color("handle"), 1))
    painter.setBrush(tint(theme))
    painter.drawRoundedRect(place, FRAME_RADIUS, FRAME_RADIUS)
    font = styles.interface_font(LABEL_PIXELS)
    metrics = QFontMetricsF(font)
    beneath = metrics.height() * 1.3 if name else 0.0
    _icon(
        painter,
        QRectF(place.left(), place.top(), place.width(), place.height() - beneath),
        theme.color("handle"),
    )
    if name:
        margin = 0.6 * styles.size
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, place.width() - 2 * margin)
        line = QRectF(
            place.left() + margin, place.bottom() - beneath - 3, place.width() - 2 * margin, beneath
        )
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, shown)


def _icon(painter: QPainter, place: QRectF, color: QColor) -> None:
    """Draw the outline of a landscape in the middle of a place: hills and a sun."""
    high = min(place.height() * 0.44, place.width() * 0.3)
    wide = high * 1.35
    box = QRectF(place.center().x() - wide / 2, place.center().y() - high / 2, wide, high)
    pen = QPen(
        color, max(1.2, high / 20), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, high / 8, high / 8)

    def at(x: float, y: float) -> QPointF:
        return QPointF(box.left() + x * wide, box.top() + y * high)

    painter.drawEllipse(at(0.72, 0.3), high * 0.1, high * 0.1)
    hills = QPainterPath()
    hills.addPolygon(
        QPolygonF([at(0.08, 0.86), at(0.36, 0.42), at(0.58, 0.72), at(0.7, 0.58), at(0.92, 0.86)])
    )
    painter.drawPath(hills)


# -- tables --------------------------------------------------------------------------------------------------


def _rules(painter: QPainter, page: TextArea, builder: Builder, line: Line, index: int) -> None:
    """Draw the line above a row of a table; the first stands out, and the one below the heading."""
    piece, styles = builder.pieces[index], page.styles
    if piece.cell is None or not line.first_in_block or (piece.cell.opening and piece.box >= 0):
        return
    headed = index > 0 and builder.pieces[index - 1].header and not piece.header
    strong = piece.cell.opening or headed
    y = round(_frames_top(styles, line, piece) - ROW_PADDING_EM * styles.size * 0.8) - 0.5
    painter.setPen(QPen(styles.theme.color("handle" if strong else "line"), 1))
    _draw_rules(painter, page, piece.cell.rules, y)


def _closing_rule(painter: QPainter, page: TextArea, builder: Builder, line: Line) -> None:
    """Draw the line below the last row of a table."""
    piece, styles = builder.pieces[_last_of_line(builder, line)], page.styles
    if piece.cell is None or piece.cell.closing is None or piece.box >= 0 or line.end < piece.end:
        return
    painter.setPen(QPen(styles.theme.color("handle"), 1))
    y = round(line.bottom + ROW_PADDING_EM * styles.size * 0.8) + 0.5
    _draw_rules(painter, page, (piece.cell.closing,), y)


def _draw_rules(painter: QPainter, page: TextArea, rules: Sequence[Stretch], y: float) -> None:
    for left, right in rules:
        painter.drawLine(QPointF(PADDING + left, y), QPointF(PADDING + min(right, page.column_width), y))
