"""Layers beneath and over the text: frames, words, marks, runs, outlines; and their painting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTextCursor,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from inexview.core.article.blocks import BlockKind, Picture
from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.overlays import (
    Channels,
    Contest,
    DrawnPlace,
    MarkLooks,
    OutlineLevel,
    Outlines,
    Stroke,
    SuggestionGhost,
    Tool,
    levels,
    paint_outlines,
    stretch,
)
from inexview.gui.article.pen import MarkEnd, MarkEnds, PenState
from inexview.gui.article.styles import (
    BOX_PADDING_EM,
    PADDING,
    PICTURE_GAP_EM,
    ROW_PADDING_EM,
    Piece,
    Stretch,
    Styles,
    setting_of,
)
from inexview.gui.article.text_document import Builder, Line, ReadingEdit, line_of
from inexview.gui.look.theme import Theme, mixed, nugget_color, run_color

MOST_SEEN = 80  # coloured words on one screen, each as costly as a line; all have dotted lines
_HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)  # there only the line below a word is coloured


@dataclass(frozen=True, slots=True, eq=False)
class WordPlaces:
    """All places of one word: ``starts`` and ``ends`` of shape (n,); ``style`` chooses colour and shape."""

    style: int
    starts: Offsets
    ends: Offsets


class WordLayer(QObject):
    """Colours the letters of words in the visible lines, after each change of these lines.

    Document and layout are not changed: Qt draws these letters as selections without a background, so that a
    word is added to 2,000,000 characters in the time of one painting.
    """

    def __init__(self, area: ReadingEdit) -> None:
        super().__init__(area)
        self._area = area
        self._marks: Spans = EMPTY
        self.words: tuple[WordPlaces, ...] = ()
        self._shown: tuple[object, ...] = ()  # the current selections

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self.words = tuple(words)

    def set_marks(self, marks: Spans) -> None:
        """Set the marks, on whose background the colour of a word is mixed with that of the text."""
        self._marks = marks

    def show(self, lines: Sequence[Line], builder: Builder | None, theme: Theme) -> None:
        if not self.words or builder is None or not lines:
            self._shown = ()
            if self._area.extraSelections():
                self._area.setExtraSelections([])
            return
        seen = [
            (word.style, start, end, start in self._marks)
            for word, start, end in self._seen(lines[0].start, lines[-1].end)
        ]
        shown = (builder, theme, seen)
        if shown == self._shown:  # usually because of a mark elsewhere
            return
        self._shown = shown
        colors = [(QColor(color), mixed(color, theme.text, theme.word_in_mark)) for color in theme.words]
        selections = []
        for style, start, end, marked in seen:
            if builder.pieces[builder.map.piece_at(start)].kind in _HEADINGS:
                continue
            cursor = QTextCursor(self._area.document())
            cursor.setPosition(builder.map.to_position(start))
            cursor.setPosition(builder.map.to_position(end, at_end=True), QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format.setForeground(colors[style % len(colors)][marked])
            selections.append(selection)
        self._area.setExtraSelections(selections)

    def _seen(self, start: int, end: int) -> Iterator[tuple[WordPlaces, int, int]]:
        """Yield the places of words between two offsets, the first place of every word first."""
        room = MOST_SEEN
        for word in self.words:
            first = int(word.ends.searchsorted(start, side="right"))
            behind = min(int(word.starts.searchsorted(end, side="left")), first + room)
            room -= max(behind - first, 0)
            for at in range(first, behind):
                yield word, int(word.starts[at]), int(word.ends[at])


# Below the text and the marks: panels, frames of pictures, rules of tables.
#
# They are attached to lines of text, with which they move and grow.

BOX_RADIUS = 6.0
FRAME_RADIUS = 4.0
TINT = 0.38  # opacity of the colour of tracks in a panel
LABEL_PIXELS = 11.0
BEYOND = 40.0  # pixels by which a panel extends beyond the viewport


def tint(theme: Theme) -> QColor:
    return mixed(theme.track, theme.page, TINT)


def paint_ground(painter: QPainter, page: ReadingEdit) -> None:
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
    while builder.pieces[index].join:
        index -= 1
    after = builder.pieces[index].pictures_after
    if after and line.end >= builder.map.end:
        top = line.bottom + PICTURE_GAP_EM * page.styles.size
        _pictures(painter, page, piece, after, top)
    painter.restore()


# -- panels --------------------------------------------------------------------------------------------------


def _boxes(page: ReadingEdit, builder: Builder, held: Sequence[tuple[Line, int, Piece]]) -> Iterator[QRectF]:
    """Yield the rectangles of visible panels, which extend with their text beyond the viewport."""
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
    return builder.map.piece_at(max(line.start, line.end - 1))


def _panel(painter: QPainter, page: ReadingEdit, place: QRectF) -> None:
    # Filling a large rounded shape is slow, and corners are invisible in so faint a colour.
    painter.fillRect(place.adjusted(0.5, BOX_RADIUS, -0.5, -BOX_RADIUS).toRect(), tint(page.styles.theme))
    for top in (place.top() + 0.5, place.bottom() - BOX_RADIUS):
        strip = QRectF(place.left() + BOX_RADIUS, top, place.width() - 2 * BOX_RADIUS, BOX_RADIUS)
        painter.fillRect(strip.toRect(), tint(page.styles.theme))
    painter.setPen(QPen(page.styles.theme.color("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place, BOX_RADIUS, BOX_RADIUS)


# -- pictures ------------------------------------------------------------------------------------------------


def _frames_top(styles: Styles, line: Line, piece: Piece) -> float:
    """Return the y at which a piece starts, with its pictures or letters."""
    if not piece.pictures:
        return line.top
    return line.top - styles.picture_room(piece, len(piece.pictures))


def _pictures(
    painter: QPainter, page: ReadingEdit, piece: Piece, pictures: Sequence[Picture], top: float
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
        left = page.left_edge + inset + column * (wide + gap)
        _frame(painter, styles, QRectF(left, top + row * (high + gap), wide, high), picture.name)


def _frame(painter: QPainter, styles: Styles, place: QRectF, name: str) -> None:
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
    """Draw the outline of a landscape with hills and a sun in the middle of a rectangle."""
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


def _rules(painter: QPainter, page: ReadingEdit, builder: Builder, line: Line, index: int) -> None:
    """Draw the rule above a row of a table; the first rule and the one below the heading are stronger."""
    piece, styles = builder.pieces[index], page.styles
    if piece.cell is None or not line.first_in_block or (piece.cell.opening and piece.box >= 0):
        return
    headed = index > 0 and builder.pieces[index - 1].header and not piece.header
    strong = piece.cell.opening or headed
    y = round(_frames_top(styles, line, piece) - ROW_PADDING_EM * styles.size * 0.8) - 0.5
    painter.setPen(QPen(styles.theme.color("handle" if strong else "line"), 1))
    _draw_rules(painter, page, piece.cell.rules, y)


def _closing_rule(painter: QPainter, page: ReadingEdit, builder: Builder, line: Line) -> None:
    piece, styles = builder.pieces[_last_of_line(builder, line)], page.styles
    if piece.cell is None or piece.cell.closing is None or piece.box >= 0 or line.end < piece.end:
        return
    painter.setPen(QPen(styles.theme.color("handle"), 1))
    y = round(line.bottom + ROW_PADDING_EM * styles.size * 0.8) + 0.5
    _draw_rules(painter, page, (piece.cell.closing,), y)


def _draw_rules(painter: QPainter, page: ReadingEdit, rules: Sequence[Stretch], y: float) -> None:
    for left, right in rules:
        painter.drawLine(QPointF(page.left_edge + left, y), QPointF(page.left_edge + right, y))


# Decorations next to the text: list markers, labels of facts, the subtitle.

MARKER_GAP_EM = 0.45
LABEL_GAP_EM = 0.7
TITLES_WITHIN = 40  # pieces
SUBTITLE_PIXELS = 13.0
SUBTITLE_DROP_EM = 1.75  # below the title's last baseline
_LABELLED = (BlockKind.FIELD, BlockKind.CELL)


class Subtitle:
    """The line below the title, which is not part of the article's text."""

    BETWEEN = " · "

    def __init__(self, page: ReadingEdit) -> None:
        self._page = page
        self.text = ""

    @property
    def ground(self) -> QWidget:
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
        left, parts = self._placed(title)
        painter.setFont(self._font())
        painter.setPen(self._page.styles.theme.color("muted"))
        elided, width = Qt.TextElideMode.ElideRight, self._page.column_width
        shown = QFontMetricsF(self._font()).elidedText(self.BETWEEN.join(parts), elided, width)
        painter.drawText(QPointF(left, self._baseline(title)), shown)

    def _placed(self, title: Line) -> tuple[float, list[str]]:
        """Return the x of the subtitle, aligned with the title, and its first parts, those that fit."""
        metrics, width = QFontMetricsF(self._font()), self._page.column_width
        parts = self.text.split(self.BETWEEN)
        while len(parts) > 1 and metrics.horizontalAdvance(self.BETWEEN.join(parts)) > width:
            parts.pop()
        wide = min(metrics.horizontalAdvance(self.BETWEEN.join(parts)), width)
        return self._page.left_edge + (width - wide if title.leftward else 0), parts

    def part_at(self, at: QPoint) -> str:
        """Return the part at a point, of those between the dots; "" if none."""
        title = _end_of_title(self._page)
        metrics = QFontMetricsF(self._font())
        if title is None or not 0 <= self._baseline(title) + metrics.descent() - at.y() <= metrics.height():
            return ""
        begin, parts = self._placed(title)
        left, before = at.x() - begin, ""
        for part in parts:
            begins = metrics.horizontalAdvance(before)
            before += part
            if begins <= left < metrics.horizontalAdvance(before):
                return part
            before += self.BETWEEN
        return ""


def paint_decorations(
    painter: QPainter, page: ReadingEdit, lines: Sequence[Line], subtitle: Subtitle
) -> None:
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
                font = page.styles.font(setting_of(piece.kind, piece.level))
                painter.setFont(font)
                painter.setPen(page.styles.theme.color("muted"))
                gap = MARKER_GAP_EM * page.styles.size
                width = QFontMetricsF(font).horizontalAdvance(piece.marker)
                x = line.right + gap if line.leftward else line.left - gap - width
                painter.drawText(QPointF(x, line.baseline), piece.marker)
    if (title := _end_of_title(page)) is not None:
        subtitle.paint(painter, title)


def _end_of_title(page: ReadingEdit) -> Line | None:
    """Return the last line of the title if it is visible or right above the visible text."""
    builder = page.builder
    if builder is None:
        return None
    last = _last_title(builder)
    ends = (line for line in page.visible().around if line.piece == last)
    return next((line for line in ends if line.end >= builder.pieces[last].end), None)


def _last_title(builder: Builder) -> int:
    """Return the index of the last piece of the title, which is near the start."""
    for index, piece in enumerate(builder.pieces[:TITLES_WITHIN]):
        following = builder.pieces[index + 1].kind if index + 1 < len(builder.pieces) else None
        if piece.kind is BlockKind.TITLE and following is not BlockKind.TITLE:
            return index
    return -1


def _label(painter: QPainter, page: ReadingEdit, line: Line, piece: Piece) -> None:
    """Paint the label of a fact in a column to its left."""
    styles = page.styles
    left = page.left_edge + (styles.box_inset if piece.box >= 0 else 0)
    font = styles.font(setting_of(BlockKind.FIELD, 0, boxed=piece.box >= 0))
    metrics = QFontMetricsF(font)
    room = line.left - left - LABEL_GAP_EM * styles.size
    painter.setFont(font)
    painter.setPen(styles.theme.color("muted"))
    text = metrics.elidedText(piece.marker, Qt.TextElideMode.ElideRight, room)
    painter.drawText(QPointF(left, line.baseline), text)


Draw = Callable[[Sequence[DrawnPlace]], None]

HATCH = 0.3  # opacity of a suggestion's colour if keys act on it
BAND = 6  # pixels of the current place's background above and below its lines
HATCHED = 0.45  # opacity of the lines over what the eraser would erase
UNREAD = 0.55  # opacity of the veil over unread text


class OverlayPainter(MarkLooks):
    """Draws with one painter and theme; lengths scale with ``scale`` (1 at a reading size of 17 pixels)."""

    def __init__(self, painter: QPainter, theme: Theme, scale: float, lines: Sequence[Line]) -> None:
        super().__init__(painter, theme, scale)
        self._lines = lines

    # -- below the text ------------------------------------------------------------------------------

    def backgrounds(self, channels: Channels) -> None:
        """Draw the marks, with the underlines of the run or of the assessors."""
        if channels.overlay.contest is not None:
            self._paint_band(channels.overlay.contest)
        run = run_color(self._theme, channels.overlay.style)
        self._each(channels.judged, self.marked)
        self._each(channels.hits, partial(self.hit, run=run))
        self._each(channels.misses, self.missed)
        self._each(channels.unjudged, partial(self.unjudged, run=run))
        self.suggestions(channels.overlay.beside.suggested)
        if channels.overlay.contest is not None:
            shown = channels.overlay.contest.open - channels.judged
            for layer in range(len(channels.overlay.contest.layers)):
                self._each(channels.overlay.contest.only(layer) & shown, partial(self.layer, number=layer))
            if len(channels.overlay.contest.layers) > 2:
                self._each(channels.overlay.contest.several & shown, partial(self.double, token="muted"))

    def suggestions(self, ghosts: Sequence[SuggestionGhost]) -> None:
        """Draw brackets around suggestions, hatching in the current one, and dashes under quotes."""
        color = self._theme.color("suggested")
        self._painter.save()
        for ghost in ghosts:
            spans = Spans([ghost.span])
            places = [place[1:] for place in self._segments(spans.starts, spans.ends)]
            if ghost.current:
                hatch = QColor(color)
                hatch.setAlphaF(HATCH)
                for line, left, right in places:
                    box = QRectF(left, line.top, right - left, line.bottom - line.top)
                    self._painter.setBrushOrigin(box.topLeft())  # so that it moves with the text
                    self._painter.fillRect(box, QBrush(hatch, Qt.BrushStyle.FDiagPattern))
            if ghost.quoted:
                pen = QPen(color, max(1.8, 1.8 * self._scale), Qt.PenStyle.CustomDashLine)
                pen.setDashPattern([3.2, 1.6])
                self._painter.setPen(pen)
                for line, left, right in places:
                    low = line.bottom + 2
                    self._painter.drawLine(QPointF(left, low), QPointF(right, low))
                continue
            self._painter.setPen(QPen(color, 2.5 if ghost.current else 1.5))
            for line, left, right in places:
                if line.start <= ghost.span[0] < line.end:
                    self._bracket(left - 2, line, 5)
                if line.start < ghost.span[1] <= line.end:
                    self._bracket(right + 1, line, -5)
        self._painter.restore()

    def _bracket(self, x: float, line: Line, arm: int) -> None:
        top, bottom = round(line.top) - 1, round(line.bottom) + 2
        self._painter.drawPolyline(
            [QPointF(x + arm, top), QPointF(x, top), QPointF(x, bottom), QPointF(x + arm, bottom)]
        )

    def _paint_band(self, contest: Contest) -> None:
        if contest.current is not None and (band := band_of(self._lines, contest.current)):
            place = QRect(0, band[0], self._painter.window().width(), band[1] - band[0])
            self._painter.fillRect(place, self._theme.color("selected"))

    def found(self, starts: Offsets, ends: Offsets, current: int | None) -> None:
        """Draw the found places, the current one (an index) with an outline."""
        color, outline = self._theme.color("found"), self._theme.color("finished")
        for index, line, left, right in self._segments(starts, ends):
            place = QRectF(left - 1, line.top + 1, right - left + 2, line.bottom - line.top - 1)
            self._painter.fillRect(place, color)
            if index == current:
                self._painter.setPen(QPen(outline, 2))
                self._painter.setBrush(Qt.BrushStyle.NoBrush)  # instead of the brush of the marks
                self._painter.drawRect(place)

    def words(self, words: Sequence[WordPlaces]) -> None:
        """Draw a dotted line in the colour of a word under each of its places."""
        thick = max(1.5, 1.5 * self._scale)
        for word in words:
            color = QColor(self._theme.words[word.style % len(self._theme.words)])
            pen = QPen(color, thick, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([1, 1.1])
            self._painter.setPen(pen)
            for _, line, left, right in self._segments(word.starts, word.ends):
                y = line.baseline + 3.5 * self._scale
                self._painter.drawLine(QPointF(left, y), QPointF(right, y))

    def preview(self, stroke: Stroke) -> None:
        """Draw the effect of the pen: a light background with a dashed outline."""
        erasing = stroke.tool is Tool.ERASE
        fill = self._theme.color("erase" if erasing else "preview")
        pen = QPen(
            self._theme.color("erase_edge" if erasing else "preview_edge"), 1, Qt.PenStyle.CustomDashLine
        )
        pen.setDashPattern([4, 3])
        self._painter.save()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(pen)
        self._painter.setBrush(fill)
        for _, line, left, right in self._segments(*_one(stroke)):
            box = QRectF(
                round(left) - 1.5,
                round(line.top) + 0.5,
                round(right - left) + 3,
                round(line.bottom - line.top),
            )
            self._painter.drawRoundedRect(box, 3, 3)
        self._painter.restore()

    # -- above the text ------------------------------------------------------------------------------

    def false_alarms(self, channels: Channels) -> None:
        self._each(channels.false_alarms, self.false_alarm)

    def before(self, spans: Spans, color: QColor) -> None:
        """Draw a dashed frame around what was retrieved before the changes."""
        pen = QPen(color, 1.2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 3])

        def draw(places: Sequence[DrawnPlace]) -> None:
            self._painter.setPen(pen)
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
            for line, left, right in places:
                self._painter.drawRoundedRect(
                    QRectF(left - 1, line.top, right - left + 2, line.bottom - line.top + 1), 3, 3
                )

        self._each(spans, draw)

    def unread(self, spans: Spans) -> None:
        """Fade the text that a reader does not reach."""
        self._each(spans, partial(self.wash, strength=UNREAD))

    def stop(self, offset: int) -> None:
        """Draw a bar with two feet behind the character at which a reader stops."""
        line = line_of(self._lines, offset - 1)
        if line is None:
            return
        x, foot = round(line.x(offset, at_end=True)) + 1.0, max(3.0, 4 * self._scale)
        self._painter.setPen(
            QPen(self._theme.color("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        )
        self._painter.drawLine(QPointF(x, line.top - 2), QPointF(x, line.bottom + 2))
        for y in (line.top - 2, line.bottom + 2):
            self._painter.drawLine(QPointF(x - foot, y), QPointF(x + 1, y))

    def cut(self, offset: int) -> None:
        """Draw a bar with feet on both sides where a chunk's border cuts a passage."""
        line = line_of(self._lines, offset)
        if line is None:
            return
        x, foot = round(line.x(offset)) + 0.0, max(3.0, 3.5 * self._scale)
        self._painter.setPen(
            QPen(self._theme.color("miss"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        )
        self._painter.drawLine(QPointF(x, line.top - 3), QPointF(x, line.bottom + 4))
        for y in (line.top - 3, line.bottom + 4):
            self._painter.drawLine(QPointF(x - foot, y), QPointF(x + foot, y))

    def ends(self, place: Span, color: QColor) -> None:
        """Draw brackets at both ends of a chunk."""
        self._painter.setPen(QPen(color, 2))
        start, end = place
        for offset, at_end in ((start, False), (end - 1, True)):
            line = line_of(self._lines, offset)
            if line is not None:
                x = line.x(offset + 1, at_end=True) + 1 if at_end else line.x(offset) - 1
                self._bracket(round(x), line, -5 if at_end else 5)

    def filed(self, spans: Spans, layer: int | None) -> None:
        """Underline words in the colour of their nugget, with a bar at each end."""
        color = self._theme.color(nugget_color(layer, current=True))
        self._each(spans, partial(self._line, color=color, thickness=3))
        self._painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        for start, end in spans:
            for offset, at_end in ((start, False), (end - 1, True)):
                line = line_of(self._lines, offset)
                if line is not None:
                    x = round(line.x(offset + 1, at_end=True)) + 1 if at_end else round(line.x(offset)) - 1
                    self._painter.drawLine(QPointF(x, line.top), QPointF(x, line.bottom + 2))

    def hand(self, mark: Span) -> None:
        """Draw both ends of the current mark in the accent colour: its start hollow, its end filled."""
        self._knob(MarkEnd(*mark, False), self._theme.color("mark_edge"), filled=False)
        self._knob(MarkEnd(*mark, True), self._theme.color("accent"), filled=True)

    def hatched(self, stroke: Stroke) -> None:
        color = self._theme.color("erase_edge")
        color.setAlphaF(HATCHED)
        for _, line, left, right in self._segments(*_one(stroke)):
            room = QRectF(left, line.top, right - left, line.bottom - line.top)
            self._painter.fillRect(room, QBrush(color, Qt.BrushStyle.BDiagPattern))

    def tick(self, offset: int, color: QColor, *, dashed: bool = False) -> None:
        """Draw a thin vertical line at the character of an entry point."""
        line = line_of(self._lines, offset)
        if line is None:
            return
        x = round(line.x(offset)) - 1.0
        pen = QPen(color, 2, Qt.PenStyle.CustomDashLine if dashed else Qt.PenStyle.SolidLine)
        if dashed:
            pen.setDashPattern([1.5, 1])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        self._painter.setPen(pen)
        self._painter.drawLine(QPointF(x, line.top - 2), QPointF(x, line.bottom + 2))

    def handle(self, end: MarkEnd) -> None:
        self._knob(end, self._theme.color("mark_edge"), filled=end.at_end)

    def handles(self, spans: Spans, color: QColor) -> None:
        """Draw handles at both ends of every span."""
        for row in spans.sharing(self._lines[0].start, self._lines[-1].end) if self._lines else ():
            start, end = int(spans.starts[row]), int(spans.ends[row])
            for at_end in (False, True):
                self._knob(MarkEnd(start, end, at_end), color, filled=False)

    def _knob(self, end: MarkEnd, color: QColor, *, filled: bool) -> None:
        """Draw an end as a bar with a knob."""
        line = line_of(self._lines, end.end - 1 if end.at_end else end.start)
        if line is None:
            return
        x = round(line.x(end.offset, at_end=end.at_end))
        self._painter.save()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(QPen(color, 2))
        self._painter.drawLine(QPointF(x, line.top), QPointF(x, line.bottom + 1))
        self._painter.setBrush(color if filled else self._theme.color("page"))
        self._painter.drawEllipse(QPointF(x, line.bottom + 3 if end.at_end else line.top - 3), 3.5, 3.5)
        self._painter.restore()

    # -- from spans to segments ----------------------------------------------------------------------

    def _each(self, spans: Spans, *draws: Draw) -> None:
        if not spans:
            return
        places = [(line, left, right) for _, line, left, right in self._segments(spans.starts, spans.ends)]
        for draw in draws:
            draw(places)

    def _segments(self, starts: Offsets, ends: Offsets) -> Iterator[tuple[int, Line, float, float]]:
        """Yield (index of the span, line, left, right) for each part of a span on a visible line.

        The spans, shape (n,), are sorted and disjoint; the visible ones are found by binary search.
        """
        if not self._lines:
            return
        index = int(np.searchsorted(ends, self._lines[0].start, side="right"))
        stop = int(np.searchsorted(starts, self._lines[-1].end, side="left"))
        visible = list(zip(starts[index:stop].tolist(), ends[index:stop].tolist(), strict=True))
        at = 0
        for line in self._lines:
            while at < len(visible) and visible[at][1] <= line.start:
                at += 1
            following = at
            while following < len(visible) and visible[following][0] < line.end:
                start, end = visible[following]
                for left, right in line.stretches(max(start, line.start), min(end, line.end)):
                    if right > left:
                        yield index + following, line, left, right
                following += 1


def band_of(lines: Sequence[Line], span: Span) -> tuple[int, int] | None:
    """Return top and bottom of the visible lines of a passage, None if none is visible."""
    held = [line for line in lines if line.start < span[1] and span[0] < line.end]
    return (round(held[0].top) - BAND, round(held[-1].bottom) + BAND) if held else None


def changed_band(lines: Sequence[Line], before: Spans, after: Spans) -> tuple[int, int] | None:
    """Return top and bottom of the visible lines with changed marks, None if there are none."""
    if not lines:
        return None
    before, after = (marks.clip(lines[0].start, lines[-1].end) for marks in (before, after))
    changed = before ^ after
    if not changed:
        return None
    overlap = changed.overlap([line.start for line in lines], [line.end for line in lines])
    held = [lines[at] for at in np.flatnonzero(overlap).tolist()]
    return (round(held[0].top) - BAND, round(held[-1].bottom) + BAND) if held else None


def _one(stroke: Stroke) -> tuple[Offsets, Offsets]:
    return np.array([stroke.start], np.int64), np.array([stroke.end], np.int64)


NOTHING = np.empty(0, np.int64)
AROUND = 8  # pixels above and below its lines that an overlay may reach
FAINT, FOOT = 0.55, 3.0  # edges of units: opacity, and length in pixels of the hook at a start


class TextLayers:
    """Paints marks, runs, words, outlines and the pen's preview, and repaints changed lines."""

    def __init__(self, area: ReadingEdit, pen_state: PenState, ends: MarkEnds, outlines: Outlines) -> None:
        self._area, self._pen_state, self._ends, self._outlines = area, pen_state, ends, outlines
        self.words = WordLayer(area)
        self.subtitle = Subtitle(area)
        self.edges = UnitEdges(area, pen_state)
        self.channels = Channels()
        self._preview: Stroke | None = None
        self._ghost: int | None = None
        self._outlined: list[OutlineLevel] = []
        self._search_hits: tuple[Offsets, Offsets, int | None] = (NOTHING, NOTHING, None)

    # -- contents ------------------------------------------------------------------------------------

    def show_channels(self, channels: Channels) -> None:
        before, self.channels = self.channels.overlay, channels
        if not channels.overlay.differs_by_marks(before):
            self._area.viewport().update()
        elif band := changed_band(self._area.lines(), before.marks, channels.overlay.marks):
            self._update_between(*band)

    def show_found(self, starts: Offsets, ends: Offsets, current: int | None) -> None:
        """Show the found places; ``current`` is the index of the current one."""
        self._search_hits = (starts, ends, current)
        self._area.viewport().update()

    def show_preview(self, stroke: Stroke | None) -> None:
        old, self._preview = self._preview, stroke
        strokes = [edge for edge in (old, stroke) if edge is not None]
        start = min(one.start for one in strokes)
        end = max(one.end for one in strokes)
        if old is not None and stroke is not None and old.tool is stroke.tool:
            if old.start == stroke.start:
                start = min(old.end, stroke.end)
            elif old.end == stroke.end:
                end = max(old.start, stroke.start)
        lines = [line for line in self._area.lines() if line.start <= end and line.end >= start]
        if lines:
            top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
            self._update_between(top - AROUND, bottom + AROUND)

    def show_ghost(self, offset: int | None) -> None:
        self._ghost = offset
        self._area.viewport().update()

    def show_outlines(self) -> None:
        area, old = self._area, self._outlined
        self._outlined = levels(self._outlines)
        if old == self._outlined:
            return
        if not old or not self._outlined:
            area.viewport().update()
        elif found := stretch(area.lines(), self._outlines, {*old} ^ {*self._outlined}):
            self._update_between(*found)

    def _update_between(self, top: float, bottom: float) -> None:
        viewport = self._area.viewport()
        viewport.update(QRectF(0, top, viewport.width(), bottom - top).toAlignedRect())

    # -- painting ------------------------------------------------------------------------------------

    def paint_beneath(self, painter: QPainter, lines: list[Line]) -> None:
        area = self._area
        overlays = self._overlays(painter, lines)
        paint_ground(painter, area)
        overlays.backgrounds(self.channels)
        overlays.found(*self._search_hits)
        if (preview := self._preview or self._ends.offer) is not None:
            overlays.preview(preview)
        overlays.words(self.words.words)
        paint_decorations(painter, area, lines, self.subtitle)
        paint_outlines(painter, area.styles.theme, area.column_width, area.lines(), self._outlines)

    def paint_above(self, painter: QPainter, lines: list[Line]) -> None:
        theme, overlay = self._area.styles.theme, self.channels.overlay
        overlays = self._overlays(painter, lines)
        overlays.false_alarms(self.channels)
        if self._preview is not None and self._preview.tool is Tool.ERASE:
            overlays.hatched(self._preview)
        overlays.before(overlay.before, run_color(overlays._theme, overlay.style))
        overlays.unread(overlay.unread)
        if overlay.stop is not None:
            overlays.stop(overlay.stop)
        for cut in overlay.cuts:
            overlays.cut(cut)
        if overlay.chosen is not None and overlay.chosen[0] < overlay.chosen[1]:
            overlays.ends(overlay.chosen, run_color(theme, overlay.style))
        self.edges.paint(painter, theme)
        if overlay.entry is not None:
            overlays.tick(overlay.entry, run_color(theme, overlay.style), dashed=True)
        if overlay.bep is not None:
            overlays.tick(overlay.bep, theme.color("bep"))
        if overlay.pen_on_run and self._pen_state.tool is Tool.MARK:
            overlays.handles(overlay.drawn, run_color(theme, overlay.style))
        overlays.filed(overlay.beside.filed, overlay.beside.filed_by)
        if (held := self._ends.held) is not None:
            overlays.handle(held)
        elif (hand := overlay.beside.in_hand) is not None:
            overlays.hand(hand)
        if (hovered := self._ends.hovered) is not None:
            overlays.handle(hovered)
        if self._ghost is not None:
            own = run_color(theme, overlay.style) if overlay.pen_on_run else theme.color("bep")
            overlays.tick(self._ghost, own, dashed=True)

    def _overlays(self, painter: QPainter, lines: list[Line]) -> OverlayPainter:
        styles = self._area.styles
        return OverlayPainter(painter, styles.theme, styles.size / 17, lines)


class UnitEdges(QObject):
    """Shows the starts of units while the key that chose the unit is held.

    It watches the keys of the text area; a unit chosen with the mouse shows no edges.
    """

    def __init__(self, text_area: ReadingEdit, pen_state: PenState) -> None:
        super().__init__(text_area)
        self._text_area = text_area
        self._pen_state = pen_state
        self._down = False  # whether a key is down
        self._shown = False
        text_area.installEventFilter(self)
        pen_state.changed.connect(lambda _: self._show())

    @property
    def starts(self) -> list[int]:
        pen_state, lines = self._pen_state, self._text_area.lines()
        return (
            unit_starts(pen_state.snapper, lines, pen_state.unit)
            if self._shown and pen_state.snapper is not None
            else []
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Track keys on their way to shortcuts, and their releases."""
        if event.type() is QEvent.Type.ShortcutOverride:
            self._down = True
        elif event.type() is QEvent.Type.FocusOut:
            self._down = False
            self._show()
        elif isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyRelease:
            self._down = self._down and event.isAutoRepeat()
            self._show()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        shown = self._down and self._pen_state.holds and self._pen_state.live
        if shown or shown is not self._shown:
            self._shown = shown
            self._text_area.viewport().update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        starts = self.starts
        if not starts:
            return
        color = theme.color("accent")
        color.setAlphaF(FAINT)
        painter.setPen(QPen(color, 1))
        for line in self._text_area.lines():
            way = -FOOT if line.leftward else FOOT
            for start in starts:
                if line.start <= start < line.end:
                    x = line.x(start) - way / 3
                    corners = ((way, line.top), (0.0, line.top), (0.0, line.bottom), (way, line.bottom))
                    painter.drawPolyline([QPointF(x + aside, y) for aside, y in corners])


def unit_starts(snapper: Snapper, lines: Sequence[Line], unit: Granularity) -> list[int]:
    """Return the starts of units in some lines; empty for characters."""
    if not lines or unit is Granularity.CHARACTER:
        return []
    first, end = lines[0].start, lines[-1].end
    starts = [at] if (at := snapper.grow(first, first + 1, unit)[0]) >= first else []
    while (at := snapper.start_after(at, unit)) < end and (not starts or at > starts[-1]):
        if at >= first:
            starts.append(at)
    return starts
