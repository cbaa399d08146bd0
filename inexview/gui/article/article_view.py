"""The article view: reading column with ruler, margins and find bar as one widget.

It shows a document with overlays and signals the user's wishes, but changes nothing itself. Only the user, or
a call of :meth:`ArticleView.reveal`, scrolls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QCursor, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QWidget

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.judgements.runs import found_briefly
from inexview.core.text.spans import EMPTY
from inexview.gui.article.bars import Align, ElementStrip, FindBar, Places
from inexview.gui.article.margins import Gutter, MarginSigns
from inexview.gui.article.overlays import Beside, Channels, Outlined, Overlay, Stroke, Tool, outline
from inexview.gui.article.styles import ReadingLook, Styles
from inexview.gui.article.text_area import TextArea
from inexview.gui.article.text_document import Builder
from inexview.gui.article.text_layers import WordPlaces
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import Recolored, in_column, timer
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks

PATIENCE, BREATH = 100, 30  # milliseconds for the first painting, and for the work of others after it
SETTLED = 150  # milliseconds after which a window has its final width


SHOWN = 900  # milliseconds
AROUND = 2.0  # pixels
LEAST = 1  # characters: an empty place flashes with the character after it


class Flash(QWidget):
    """Outlines the passage that a jump led to for a moment; ignores the mouse.

    With reduced motion it stays until the caret moves away.
    """

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area.viewport())
        self.span: tuple[int, int] | None = None
        self.still = False
        self._kept = False
        self._text_area = text_area
        self.over = timer(self, self.stop, SHOWN)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        text_area.viewport_moved.connect(lambda _: self._fit())
        text_area.cursorPositionChanged.connect(self._leave)

    def begin(self, start: int, end: int) -> None:
        self.span = start, max(end, start + LEAST)
        self._fit()
        self.show()
        self.raise_()
        if not self.still and not self._kept:
            self.over.start()

    def keep(self, kept: bool) -> None:
        """Set whether later outlines stay until the next one."""
        self._kept = kept

    def stop(self) -> None:
        self.span = None
        self.over.stop()
        self.hide()

    def set_still(self, still: bool) -> None:
        self.still = still

    def _leave(self) -> None:
        if self.still and not self._kept:
            self.stop()

    def _fit(self) -> None:
        if self.span is not None:
            self.setGeometry(self._text_area.viewport().rect())
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self._text_area.lines()
        if self.span is None or not lines:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = outline(lines, *self.span, self._text_area.column_width, AROUND)
        painter.strokePath(shape, QPen(self._text_area.styles.theme.color("accent"), 2.5))


TOP = 60  # pixels above the notice


class Notice(QLabel):
    """A heading and a sentence in place of an article, as wide as the column, which can be copied."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)  # widgets in the viewport would scroll with an article
        self._column = area.viewport()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._column.installEventFilter(self)
        self.hide()

    def tell_of(self, document: Document | None) -> None:
        """Hide for an article, unless it has no text."""
        self.hide()
        if document is not None and not document.text.strip():
            self.tell("No text", "This article is empty: nothing can be marked in it.")

    def tell(self, heading: str, text: str) -> None:
        paragraphs = "".join(f'<p style="line-height:145%">{escape(line)}</p>' for line in text.splitlines())
        self.setText(f'<p style="font-size:20px; font-weight:600">{escape(heading)}</p>{paragraphs}')
        self.setAccessibleName(f"{heading}. {text}")
        self._place()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        room = self._column.geometry().adjusted(0, TOP, 0, 0)
        room.setHeight(min(self.heightForWidth(room.width()), room.height()))
        self.setGeometry(room)


class CaretPen(QObject):
    """The pen of the keyboard: strokes the selection, or the unit at the caret or the outline.

    Like the pen of the mouse it only signals strokes.
    """

    finished = Signal(object)  # Stroke
    chosen = Signal(object)  # int: the entry point
    went = Signal(object)  # int: target of a step

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area)
        self._text_area = text_area
        # the last stroked element, and the place it was chosen at
        self._stroked_element: tuple[Tool, int, int] | None = None
        self._before_element = EMPTY  # the marks before it

    @property
    def _snapper(self) -> Snapper | None:
        return self._text_area.pen_state.snapper

    def _draw(self, stroke: Stroke) -> None:
        if self._text_area.pen_state.live:
            self.finished.emit(stroke)

    # -- strokes -------------------------------------------------------------------------------------

    def stroke_selection(self, tool: Tool) -> None:
        """Mark or erase the selection, grown to the current unit."""
        start, end = self._text_area.selected()
        if start < end:
            self._stroke(tool, start, end, self._text_area.pen_state.unit)

    def mark_sentence(self) -> None:
        """Mark the selection, or else the sentence at the caret and go to the next one."""
        start, end = self._text_area.selected()
        if start < end:
            self.stroke_selection(Tool.MARK)
            return
        if self._text_area.bring_caret():  # text that is out of view is never marked
            return
        at = self._text_area.character_at_caret()
        self._stroke(Tool.MARK, at, at + 1, Granularity.SENTENCE)
        if self._text_area.pen_state.live:
            self.step(Granularity.SENTENCE, 1)

    # -- moving --------------------------------------------------------------------------------------

    def step(self, unit: Granularity, step: int, *, select: bool = False, sideways: bool = False) -> None:
        """Go to the start of the next (1) or previous (-1) unit; ``select`` extends the selection.

        With ``sideways``, go right (1) or left (-1); in Arabic and Hebrew left is forward.
        """
        if self._snapper is not None:
            self._text_area.bring_caret(selecting=select)
            step *= self._text_area.onward(self._text_area.caret()) if sideways else 1
            onward = self._snapper.reach_after if select else self._snapper.stop_after
            back = self._snapper.start_before if select else self._snapper.stop_before
            to = (onward if step > 0 else back)(self._text_area.caret(), unit)
            self._text_area.place_caret(to, select=select)
            self.went.emit(to)

    def _stroke(self, tool: Tool, start: int, end: int, unit: Granularity) -> None:
        stroke = self._text_area.pen_state.stroke(tool, start, end, unit)
        if stroke is not None:
            self._text_area.place_caret(self._text_area.caret(), select=False)
            self._draw(stroke)

    def erase_passage(self) -> None:
        """Erase the passage whose end is held, or else the one at the caret."""
        if (held := self._text_area.ends.held) is not None:
            self._draw(Stroke(Tool.ERASE, held.start, held.end))
            return
        if self._text_area.bring_caret():
            return
        caret = self._text_area.character_at_caret()
        for start, end in self._text_area.pen_state.marks:
            if start <= caret < end:
                self._draw(Stroke(Tool.ERASE, start, end))

    def stroke_element(self, tool: Tool) -> None:
        """Mark or erase the outlined element, or else the one at the caret.

        Repeated at the same place, it takes the next wider element, and after the widest the narrowest.
        """
        outlines, marks = self._text_area.outlines, self._text_area.pen_state.marks
        again = self._stroked_element == (tool, *outlines.pointed)
        stroke, told = self._over_outlined(tool), ""
        if again and stroke is not None and stroke.applied_to(marks) == marks:
            told = outlines.go_round()
            stroke = self._over_outlined(tool)
        else:
            self._before_element = marks
        if stroke is not None:
            self._stroked_element = (tool, *outlines.pointed)
            start, end = self._text_area.pen_state.settled(
                tool, stroke.start, stroke.end, self._before_element
            )
            self._draw(Stroke(tool, start, end, bool(told), told))

    def _over_outlined(self, tool: Tool) -> Stroke | None:
        outlined = self._text_area.outlines.at_hand()
        if outlined is None or not outlined.size:
            return None
        return Stroke(tool, outlined.element.start, outlined.element.end)

    # -- the best entry point ------------------------------------------------------------------------

    def choose_entry_point(self) -> None:
        """Choose the start of the sentence at the caret; in units of characters the caret itself."""
        if self._snapper is None or not self._text_area.pen_state.live:
            return
        self._text_area.pen.give_up()
        at = self._text_area.character_at_caret()
        exact = self._text_area.pen_state.unit is Granularity.CHARACTER
        self.chosen.emit(self._text_area.caret() if exact else self._snapper.entry_point_at(at))

    # -- selecting -----------------------------------------------------------------------------------

    def extend_selection(self, granularity: Granularity) -> None:
        """Grow the selection to whole words, sentences, paragraphs or elements; if whole, by one more."""
        snapper, document = self._snapper, self._text_area.source
        if snapper is None or document is None:
            return
        start, end = self._text_area.selected()
        if start == end:
            start = self._text_area.character_at_caret()
            end = start + 1
        wanted = snapper.grow(start, end, granularity)
        reach = end
        while wanted == (start, end) and reach < document.length:  # beyond the gap between two sentences
            reach += 1
            wanted = snapper.grow(start, reach, granularity)
        self._text_area.select(*wanted)

    def select(self, start: int, end: int) -> None:
        self._text_area.select(start, end)

    def select_element(self) -> None:
        """Select the outlined element, or else the one at the caret."""
        outlined = self._text_area.outlines.at_hand()
        if outlined is not None:
            self._text_area.select(outlined.element.start, outlined.element.end)


READING_SIZE = 17.0  # pixels at 100 %
LOW = 700  # pixels of height below which the legend shares the line of the strip
ZOOMS = (50, 67, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300)  # percent


class ArticleView(Recolored, QWidget):
    """Shows one article. All offsets are code points of ``Document.text``."""

    stroke_finished = Signal(object)  # Stroke
    entry_point_chosen = Signal(object)  # int
    first_painted = Signal(object)  # Document
    got_keyboard = Signal(object)  # None: the article has the focus
    caret_moved = Signal(object)  # int
    menu_wanted = Signal(object)  # QPoint on the screen
    moved = Signal(object)  # None: the visible text changed
    jumped = Signal(object)  # (from, to): a jump of more than a screen
    zoomed = Signal(object)  # int: percent

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("article")
        self.setAccessibleName("Article")
        self._zoom = 100
        self._styles = Styles(LIGHT, READING_SIZE)
        self._overlay = Overlay()
        self.subtitle = ""
        self._text_area = TextArea(self._styles, self)
        self._ruler = self._text_area.ruler
        self._places = Places(self._text_area, lambda start, end: self.jumped.emit((start, end)))
        self._fitting = timer(self, self._fit_tables, SETTLED)
        self.pen, self.pen_state = self._text_area.pen, self._text_area.pen_state
        self.ends = self._text_area.ends
        self.gutter = Gutter(self._text_area)
        self.margin = MarginSigns(self._text_area)
        self.flash = Flash(self._text_area)
        self._notice = Notice(self._text_area)
        self.find_bar = FindBar(self, self._text_area, self._places)
        self.caret_pen = CaretPen(self._text_area)
        self.outlines, self.under_title = self._text_area.outlines, self._text_area.layers.subtitle
        self.strip = ElementStrip(self.pen_state, self)
        self._legend: QWidget | None = None
        self._legend_held = False  # whether the strip holds the legend
        self._column = in_column((self._text_area, 1), self.strip, on=self, margins=0, spacing=0)
        self.setFocusProxy(self._text_area)
        self._connect()
        self.wear()

    def _connect(self) -> None:
        pen, text_area = self.pen, self._text_area
        pen.previewed.connect(self.outlines.preview)
        self.outlines.changed.connect(self._show_element)
        pen.finished.connect(lambda _: self.deselect())
        text_area.menu_wanted.connect(self.menu_wanted)
        text_area.larger_wanted.connect(lambda larger: self.zoom_in() if larger else self.zoom_out())
        pen.chosen.connect(self.entry_point_chosen)
        for drawn in (pen, self.caret_pen, self.ends):
            drawn.finished.connect(self.stroke_finished)
        self.ends.finished.connect(lambda stroke: self.reveal_some(stroke.start, stroke.end))
        self.caret_pen.chosen.connect(self.entry_point_chosen)
        for changed in (text_area.first_painted, text_area.viewport_moved):
            changed.connect(self._update_view)
        text_area.first_painted.connect(self.first_painted)
        text_area.first_painted.connect(  # when everything is painted
            lambda _document: self.put_off_building(), Qt.ConnectionType.QueuedConnection
        )
        text_area.column_changed.connect(lambda _: self._fitting.start())
        text_area.got_keyboard.connect(self.got_keyboard)
        text_area.end_wanted.connect(self._go_to_end)
        text_area.viewport_moved.connect(self.moved)
        text_area.selectionChanged.connect(self._show_selected)
        for went in (self.caret_pen.went, self.ends.went):
            went.connect(lambda offset: self.reveal_some(offset, offset + 1))
        text_area.cursorPositionChanged.connect(lambda: self.caret_moved.emit(text_area.caret()))
        self._ruler.wanted.connect(lambda offset: self.reveal(offset, align=Align.CENTER))
        self._ruler.dragged.connect(self._places.show_from)
        self.find_bar.found_changed.connect(lambda found: self._ruler.set_found(found.starts, found.ends))

    def lay_over_text(self, widget: QWidget) -> None:
        """Place a widget over the text; :meth:`show_at_pointer` shows it."""
        widget.setParent(self._text_area)

    def show_at_pointer(self, widget: QWidget) -> None:
        """Show a widget below the mouse; above or to the left of it if space is short."""
        viewport = self._text_area.viewport()
        at, room = self.pen.point.toPoint(), viewport.rect()
        x = max(min(at.x() + 16, room.right() - widget.width() - 4), 0)
        below = at.y() + 18
        y = below if below + widget.height() < room.bottom() else at.y() - 18 - widget.height()
        widget.move(viewport.mapToParent(QPoint(x, y)))
        widget.show()

    def show_under_text(self, bar: QWidget) -> None:
        """Place a bar between text and strip, where it covers neither and moves no line."""
        self._column.insertWidget(1, bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_legend()
        super().resizeEvent(event)

    def show_legend(self, legend: QWidget) -> None:
        """Place a legend above the strip; in a low window inside the strip while it fits."""
        self._legend = legend
        self._column.insertWidget(self._column.indexOf(self.strip), legend)
        self.pen_state.changed.connect(self._place_legend)
        self._place_legend()

    def _place_legend(self, _: object = None) -> None:
        low = self.height() < LOW and not self.pen_state.live
        if self._legend is None or low is self._legend_held:
            return
        self._legend_held = low
        self.strip.hold(self._legend if low else None)
        if not low:
            shown = not self._legend.isHidden()
            self._column.insertWidget(self._column.indexOf(self.strip), self._legend)
            self._legend.setVisible(shown)

    # -- the document --------------------------------------------------------------------------------

    @property
    def document(self) -> Document | None:
        return self._text_area.source

    def set_document(self, document: Document | None, position: int | None = None) -> None:
        """Show another article without overlays, with ``position`` at the top of the viewport."""
        self._notice.tell_of(document)
        self.pen_state.snapper = None if document is None else Snapper(document)
        self.outlines.set_document(document)
        self.set_overlay(Overlay())
        self.flash.stop()
        self._ruler.set_length(0 if document is None else document.length)
        self._build(document, position or 0)
        self.find_bar.set_document(document, position or 0)

    def _build(self, document: Document | None, position: int) -> None:
        """Build a document; the page is blank until the position is built."""
        area = self._text_area
        if area.builder is not None:
            area.builder.stop()
        self._places.forget()
        if document is None:
            area.show_builder(None, veiled=False)
        else:
            builder = Builder(document, area.styles, self, area.column_width)
            builder.grew.connect(self._grow)
            builder.start(area.viewport().height())
            area.show_builder(builder, veiled=position > 0)
            if position > 0:
                self._places.reveal(position, position, Align.TOP)
            builder.go_on(0 if position > 0 else PATIENCE)
        self._update_view()

    def _build_again(self, document: Document | None, position: int, caret: int) -> None:
        """Build the document again for another style or width, keeping the top line in place."""
        if document is not None:
            self._build(document, position)
            self._places.place_caret(caret)
            self.find_bar.announce()

    def _grow(self, builder: Builder) -> None:
        if builder is self._text_area.builder:
            self._places.settle()
            self._text_area.grow()

    def put_off_building(self) -> None:
        """Delay building the rest of the article, so that something else is painted first."""
        if self._text_area.builder is not None:
            self._text_area.builder.go_on(BREATH)

    def _fit_tables(self) -> None:
        """Lay out the columns of tables again once the window has its final width."""
        area = self._text_area
        if area.builder is None or not area.builder.tabular or area.builder.width == area.column_width:
            return
        if area.pen.busy:
            self._fitting.start()
        else:
            area.keep_seen(area.styles.theme)
            self._build_again(area.source, self.reading_position(), self.caret)

    def show_notice(self, heading: str, text: str) -> None:
        """Show a notice in place of the article."""
        self.set_document(None)
        self._notice.tell(heading, text)

    # -- appearance ----------------------------------------------------------------------------------

    def set_overlay(self, overlay: Overlay) -> None:
        """Show other marks, entry points and runs over the text; this never scrolls."""
        self._overlay = overlay = replace(overlay, beside=self._overlay.beside)
        channels = Channels.of(overlay)
        self._text_area.set_channels(channels)
        self.gutter.set_overlay(overlay)
        self.margin.set_contest(overlay.contest)
        self._ruler.set_channels(channels)
        self.outlines.set_marks(overlay.marks)
        self.pen_state.marks = overlay.drawn
        self._text_area.ends.sync()

    def lay_beside(self, beside: Beside) -> None:
        """Show two assessors or suggestions over the text, in addition to later overlays."""
        self._overlay = replace(self._overlay, beside=beside)
        self.set_overlay(self._overlay)

    @property
    def overlay(self) -> Overlay:
        return self._overlay

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        """Colour words in the text; this never scrolls."""
        self._text_area.set_words(words)

    def set_word_ticks(self, words: Sequence[WordPlaces]) -> None:
        """Show the places of words in the ruler."""
        self._ruler.set_words(words)

    def set_subtitle(self, subtitle: str) -> None:
        """Show a line under the title that is not part of the text."""
        self.subtitle = subtitle
        self.under_title.set_text(subtitle)

    def recolor(self) -> None:
        self.set_theme(self.theme)

    def set_theme(self, theme: Theme) -> None:
        if theme is not self._styles.theme:
            self._set_styles(Styles(theme, self._styles.size, self._styles.look))

    def set_look(self, look: ReadingLook) -> None:
        """Set column width, typeface or spacing, keeping the top line in place."""
        if look != self._styles.look:
            self._set_styles(Styles(self._styles.theme, self._styles.size, look))

    def set_zoom(self, percent: int) -> None:
        """Change the reading size, keeping the top line in place."""
        percent = min(max(percent, ZOOMS[0]), ZOOMS[-1])
        if percent != self._zoom:
            self._zoom = percent
            self._set_styles(Styles(self._styles.theme, READING_SIZE * percent / 100, self._styles.look))
            self.zoomed.emit(percent)

    def zoom_in(self) -> None:
        self.set_zoom(min((step for step in ZOOMS if step > self._zoom), default=self._zoom))

    def zoom_out(self) -> None:
        self.set_zoom(max((step for step in ZOOMS if step < self._zoom), default=self._zoom))

    def zoom_reset(self) -> None:
        self.set_zoom(100)

    def _set_styles(self, styles: Styles) -> None:
        document, position, caret = self.document, self.reading_position(), self.caret
        if position > 0:  # building up to there takes a moment
            self._text_area.keep_seen(styles.theme)
        self._styles = styles
        self._text_area.set_styles(styles)
        self._text_area.viewport_moved.emit(None)  # paint the margins in the new style
        self._build_again(document, position, caret)

    def _show_selected(self) -> None:
        start, end = self.selection
        self.strip.pen_state.set_selected(start < end)

    def _show_element(self, outlined: Outlined | None) -> None:
        self.strip.show_element(outlined, whole=self.outlines.drawn)

    # -- the pen -------------------------------------------------------------------------------------

    def set_pen_live(self, live: bool) -> None:
        """Enable the pen, or only selecting; a stroke in progress is cancelled."""
        self.pen.give_up()
        self.pen_state.set_live(live)

    def begin_entry_point(self) -> None:
        """Show a ghost of the entry point at the mouse; a click sets it, Esc cancels."""
        viewport = self._text_area.viewport()
        mouse = viewport.mapFromGlobal(QCursor.pos())
        inside = viewport.rect().contains(mouse)
        self.pen.choose_entry_point(QPointF(mouse) if inside else None)

    def set_proposal_key(self, key: str) -> None:
        """Show the key that accepts the proposed entry point next to its ghost."""
        self.gutter.proposal_key = key
        self.gutter.update()

    def copy(self) -> None:
        self._text_area.copy()

    # -- Esc -----------------------------------------------------------------------------------------

    def dismiss(self) -> bool:
        """Cancel what was begun last in the article; return False if there is nothing to cancel."""
        if self._ruler.dismiss() or self.find_bar.dismiss():
            return True
        if self.pen.busy:
            self.pen.give_up()
            return True
        if self.ends.dismiss():
            return True
        if self.pen_state.tool is Tool.ERASE:
            self.pen_state.take(Tool.MARK)
            return True
        return self.deselect()

    def deselect(self) -> bool:
        """Clear the selection without moving the caret; return whether there was one."""
        start, end = self.selection
        if start < end:
            self._text_area.place_caret(self._text_area.caret(), select=False)
        return start < end

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    # -- places --------------------------------------------------------------------------------------

    @property
    def caret(self) -> int:
        return self._places.caret

    def caret_at_hand(self) -> int:
        """Return the position for keys: the caret, moved into view if necessary."""
        return self._places.caret_at_hand()

    def selection_at_hand(self) -> bool:
        """Return whether visible text is selected; clear a selection that is out of view."""
        start, end = self.selection
        seen = any(line.start < end and start < line.end for line in self._text_area.lines())
        if start < end and not seen:
            self.deselect()
        return start < end and seen

    @property
    def selection(self) -> tuple[int, int]:
        """The offsets of the selection; start and end are equal if nothing is selected."""
        return self._text_area.selected()

    def place_caret(self, offset: int) -> None:
        """Place the caret as soon as its position is built, without scrolling."""
        self._places.place_caret(offset)

    def _go_to_end(self) -> None:
        document = self._text_area.source
        if document is not None:
            self._places.reveal(document.length, document.length, Align.NEAREST)

    def place_caret_on_screen(self, at: QPoint) -> None:
        point = QPointF(self._text_area.viewport().mapFromGlobal(at))
        self.place_caret(self._text_area.boundary_at(point))

    def caret_on_screen(self) -> QPoint:
        """Return the position of the caret on the screen, below its line."""
        self._text_area.bring_caret()
        return self._text_area.viewport().mapToGlobal(self._text_area.cursorRect().bottomLeft())

    def reading_position(self) -> int:
        """Return the offset of the first fully visible line, 0 at the very top."""
        return self._places.reading_position()

    @property
    def characters_in_sight(self) -> int:
        """Return the number of characters on the screen; 0 while the article is hidden."""
        lines = self._text_area.visible().lines if self.isVisible() else []
        return lines[-1].end - lines[0].start if lines else 0

    def reveal(self, start: int, end: int | None = None, *, align: Align | float = Align.NEAREST) -> None:
        self._places.reveal(start, start if end is None else end, align)

    def line_of(self, offset: int) -> QRectF | None:
        """Return the rectangle of the line of an offset, in pixels of this view; None if out of view."""
        viewport = self._text_area.viewport()
        for line in self._text_area.lines():
            if line.start <= offset < line.end:
                corner = viewport.mapTo(self, QPoint(0, 0))
                return QRectF(
                    line.left + corner.x(),
                    line.top + corner.y(),
                    line.right - line.left,
                    line.bottom - line.top,
                )
        return None

    def reveal_some(self, start: int, end: int) -> bool:
        """Scroll to characters unless a whole line of them is visible; return whether one was."""
        return self._places.reveal_some(start, end)

    def _update_view(self, _: object = None) -> None:
        seen = self._text_area.visible()
        if seen.lines:
            self._ruler.set_view(*seen.span(self._text_area.visible_height()))


@dataclass(frozen=True, slots=True)
class Context:
    """The services that the controllers of one window share."""

    window: QWidget
    session: Session
    article: ArticleView
    tasks: Tasks
    messages: Messages
    settings: Settings
    book: ActionBook


class Controller(QObject):
    """Base of objects that do a part of a window's work; owned by the window."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context, self._window, self._book = context, context.window, context.book
        self._session, self._article, self._tasks = context.session, context.article, context.tasks
        self._messages, self._settings = context.messages, context.settings


def show_judged(article: ArticleView, session: Session) -> None:
    """Show the marks of the open document if no run is shown, and its state in the subtitle."""
    document, state = session.document, session.state
    if document is not None:
        article.set_overlay(Overlay(state.marks, state.bep))
        told = [document.id, f"{document.length:,} characters"]
        contents, topic = session.project.contents, session.topic
        if contents.has_pool and topic is not None and not contents.is_pooled(topic.id, document.id):
            told.append("not in the pool")  # until it is judged
        told.append(found_briefly(session.findings.get(document.id, {})))
        article.set_subtitle(" · ".join(filter(None, told)))
