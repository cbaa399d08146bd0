"""The article view: reading column with its ruler, margins and find bar as one widget.

It shows a document and what is laid over it, and tells what the user wants done; it changes nothing itself,
and nothing but the user, or a call of :meth:`ArticleView.reveal`, ever moves what is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QCursor, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from inexview.core.article.document import Document
from inexview.core.article.granularity import Snapper
from inexview.gui.article.article_builder import ArticleBuilder
from inexview.gui.article.caret_pen import CaretPen
from inexview.gui.article.column.outlines import Outlined
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.article.column.word_layer import WordPlaces
from inexview.gui.article.element_strip import ElementStrip
from inexview.gui.article.finding import Finding
from inexview.gui.article.flash import Flash
from inexview.gui.article.margins.gutter import Gutter
from inexview.gui.article.margins.margin_signs import MarginSigns
from inexview.gui.article.notice import Notice
from inexview.gui.article.overlays import Beside, Channels, Overlay, Stroke, Tool
from inexview.gui.article.places import Align, Places
from inexview.gui.article.typesetting.reading_look import ReadingLook
from inexview.gui.article.typesetting.styles import Styles
from inexview.gui.look.layouts import in_column
from inexview.gui.look.theme import LIGHT, Theme

READING_SIZE = 17.0  # pixels at 100 %
LOW = 700  # pixels of height below which the legend shares the line of the strip
ZOOMS = (50, 67, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300)  # percent


class ArticleView(QWidget):
    """Shows one article.  All offsets are code points of ``Document.text``."""

    stroke_previewed = Signal(object)  # Stroke while dragging, None when it ended or was given up
    stroke_finished = Signal(object)  # Stroke
    entry_point_previewed = Signal(object)  # int | None: where it would be
    entry_point_chosen = Signal(object)  # int
    first_painted = Signal(object)  # Document
    pen_refused = Signal(object)  # None: a key asked for a stroke while the pen is not live
    got_keyboard = Signal(object)  # None: keys speak to the article now
    caret_moved = Signal(object)  # int
    pressed = Signal(object)  # None: the mouse was pressed in the text
    clicked_right = Signal(object)  # QPoint on the screen
    menu_wanted = Signal(object)  # QPoint on the screen
    moved = Signal(object)  # None: one sees other text
    jumped = Signal(object)  # (from, to): one went further than a screen, to a place
    zoomed = Signal(object)  # int: percent

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("article")
        self.setAccessibleName("Article")
        self._zoom = 100
        self._styles = Styles(theme, READING_SIZE)
        self._overlay = Overlay()
        self.subtitle = ""
        self._text_area = TextArea(self._styles, self)
        self._ruler = self._text_area.ruler
        self._places = Places(self._text_area, lambda start, end: self.jumped.emit((start, end)))
        self._building = ArticleBuilder(self._text_area, self._places, self)
        self.hand, self.ends = self._text_area.hand, self._text_area.ends
        self.gutter = Gutter(self._text_area, self._styles)
        self.margin = MarginSigns(self._text_area, self._styles)
        self.flash = Flash(self._text_area)
        self._notice = Notice(self._text_area)
        self.finding = Finding(self._text_area, self._places, self)
        self.find_bar = self.finding.bar
        self.caret_pen = CaretPen(self._text_area)
        self.outlines, self.under_title = self._text_area.outlines, self._text_area.subtitle
        self.strip = ElementStrip(self.hand, self)
        self._legend: QWidget | None = None
        self._legend_held = False  # by the strip
        self._column = in_column((self._text_area, 1), self.strip, on=self, margins=0, spacing=0)
        self.setFocusProxy(self._text_area)
        self._connect()

    def _connect(self) -> None:
        pen, text_area = self._text_area.pen, self._text_area
        pen.previewed.connect(self.stroke_previewed)
        pen.previewed.connect(self.outlines.preview)
        self.outlines.changed.connect(self._show_element)
        pen.finished.connect(lambda _: self.deselect())
        pen.pressed.connect(self.pressed)
        pen.clicked_right.connect(self.clicked_right)
        text_area.menu_wanted.connect(self.menu_wanted)
        text_area.larger_wanted.connect(lambda larger: self.zoom_in() if larger else self.zoom_out())
        pen.ghosted.connect(self.entry_point_previewed)
        pen.chosen.connect(self.entry_point_chosen)
        for drawn in (pen, self.caret_pen, self.ends):
            drawn.finished.connect(self.stroke_finished)
        self.ends.finished.connect(lambda stroke: self.reveal_some(stroke.start, stroke.end))
        self.caret_pen.chosen.connect(self.entry_point_chosen)
        self.caret_pen.refused.connect(self.pen_refused)
        for changed in (text_area.first_painted, self._building.begun, text_area.viewport_moved):
            changed.connect(self._update_view)
        text_area.first_painted.connect(self.first_painted)
        self._building.repeated.connect(lambda _: self.find_bar.announce())
        text_area.got_keyboard.connect(self.got_keyboard)
        text_area.end_wanted.connect(self._go_to_end)
        text_area.viewport_moved.connect(self.moved)
        text_area.selectionChanged.connect(self._show_selected)
        for went in (self.caret_pen.went, self.ends.went):
            went.connect(lambda offset: self.reveal_some(offset, offset + 1))
        text_area.cursorPositionChanged.connect(lambda: self.caret_moved.emit(text_area.caret()))
        self._ruler.wanted.connect(lambda offset: self.reveal(offset, align=Align.CENTER))
        self._ruler.dragged.connect(self._places.show_from)
        self.finding.found_changed.connect(lambda found: self._ruler.set_found(found.starts, found.ends))

    @property
    def hand_stroke(self) -> Stroke | None:
        """The stroke that is being drawn."""
        return self._text_area.pen.stroke

    @property
    def entry_ghost(self) -> int | None:
        """Where the entry point would be that is being chosen."""
        return self._text_area.pen.ghost

    def lay_over_text(self, widget: QWidget) -> None:
        """Give a widget its place over the text; :meth:`show_at_pointer` shows it."""
        widget.setParent(self._text_area)

    def show_at_pointer(self, widget: QWidget) -> None:
        """Show a widget below the mouse; above it, or left of it, where there is no room."""
        viewport = self._text_area.viewport()
        at, room = self._text_area.pen.point.toPoint(), viewport.rect()
        x = max(min(at.x() + 16, room.right() - widget.width() - 4), 0)
        below = at.y() + 18
        y = below if below + widget.height() < room.bottom() else at.y() - 18 - widget.height()
        widget.move(viewport.mapToParent(QPoint(x, y)))
        widget.show()

    def show_under_text(self, bar: QWidget) -> None:
        """Give a bar its place between the text and the strip: it covers neither, and moves no line."""
        self._column.insertWidget(1, bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_legend()
        super().resizeEvent(event)

    def show_legend(self, legend: QWidget) -> None:
        """Give a legend its line above the strip; in a low window it is in the strip, while that has room."""
        self._legend = legend
        self._column.insertWidget(self._column.indexOf(self.strip), legend)
        self.hand.changed.connect(self._place_legend)
        self._place_legend()

    def _place_legend(self, _: object = None) -> None:
        low = self.height() < LOW and not self.hand.live
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
        """Show another article, with ``position`` at the top of the viewport, and nothing laid over it."""
        self._notice.tell_of(document)
        self.hand.snapper = None if document is None else Snapper(document)
        self.outlines.set_document(document)
        self.set_overlay(Overlay())
        self.flash.stop()
        self._ruler.set_length(0 if document is None else document.length)
        self._building.build(document, position or 0)
        self.finding.set_document(document, position or 0)

    def put_off_building(self) -> None:
        """Build what is missing of the article in a moment: something else is to be painted first."""
        self._building.put_off()

    def show_notice(self, heading: str, text: str) -> None:
        """Show no article, and in its place why there is none."""
        self.set_document(None)
        self._notice.tell(heading, text)

    # -- how it looks --------------------------------------------------------------------------------

    def set_overlay(self, overlay: Overlay) -> None:
        """Lay other marks, entry points and runs over the text; this never scrolls."""
        self._overlay = overlay = replace(overlay, beside=self._overlay.beside)
        channels = Channels.of(overlay)
        self._text_area.set_channels(channels)
        self.gutter.set_overlay(overlay)
        self.margin.set_contested(overlay.contest is not None)
        self._ruler.set_channels(channels)
        self.outlines.set_marks(overlay.marks)
        self.hand.marks = overlay.drawn
        self._text_area.ends.sync()

    def lay_beside(self, beside: Beside) -> None:
        """Show two assessors or suggestions over the text, whatever else is laid over it later."""
        self._overlay = replace(self._overlay, beside=beside)
        self.set_overlay(self._overlay)

    @property
    def overlay(self) -> Overlay:
        """What is laid over the text."""
        return self._overlay

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        """Colour words in the text; this never scrolls."""
        self._text_area.set_words(words)

    def set_word_ticks(self, words: Sequence[WordPlaces]) -> None:
        """Show in the ruler where words are."""
        self._ruler.set_words(words)

    def set_subtitle(self, subtitle: str) -> None:
        """Write a line under the title that is not part of the text."""
        self.subtitle = subtitle
        self.under_title.set_text(subtitle)

    def set_theme(self, theme: Theme) -> None:
        if theme is not self._styles.theme:
            self._set_styles(Styles(theme, self._styles.size, self._styles.look))

    def set_look(self, look: ReadingLook) -> None:
        """Set the column in another width, typeface or spacing; the line at the top stays there."""
        if look != self._styles.look:
            self._set_styles(Styles(self._styles.theme, self._styles.size, look))

    def set_zoom(self, percent: int) -> None:
        """Change the reading size; the line at the top stays there."""
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
        if position > 0:  # it takes a moment to build so far
            self._text_area.keep_seen(styles.theme)
        self._styles = styles
        self._text_area.set_styles(styles)
        self.gutter.set_styles(styles)
        self.flash.theme = styles.theme
        self.margin.set_styles(styles)
        self.strip.set_theme(styles.theme)
        self._building.repeat(document, position, caret)

    def _show_selected(self) -> None:
        start, end = self.selection
        self.strip.hand.set_selected(start < end)

    def _show_element(self, outlined: Outlined | None) -> None:
        self.strip.show_element(outlined, whole=self.outlines.drawn)

    # -- the pen -------------------------------------------------------------------------------------

    def set_pen_live(self, live: bool) -> None:
        """Let the pen mark, or only select; a stroke that was begun is given up."""
        self._text_area.pen.give_up()
        self.hand.set_live(live)

    @property
    def choosing_entry_point(self) -> bool:
        """Whether the next click sets the entry point."""
        return self._text_area.pen.choosing

    def begin_entry_point(self) -> None:
        """Let a ghost of the entry point follow the mouse; a click sets it, Esc gives it up."""
        viewport = self._text_area.viewport()
        mouse = viewport.mapFromGlobal(QCursor.pos())
        inside = viewport.rect().contains(mouse)
        self._text_area.pen.choose_entry_point(QPointF(mouse) if inside else None)

    def set_proposal_key(self, key: str) -> None:
        """Name the key that takes the proposed entry point, beside its ghost."""
        self.gutter.proposal_key = key
        self.gutter.update()

    def copy(self) -> None:
        self._text_area.copy()

    # -- Esc -----------------------------------------------------------------------------------------

    def let_go(self) -> bool:
        """Let go of what was begun last in the article, innermost first; False where there is nothing."""
        return any(
            hold()
            for hold in (
                self._ruler.let_go,
                self.finding.let_go,
                self._let_go_of_stroke,
                self.ends.let_go,
                self._let_go_of_eraser,
                self.deselect,
            )
        )

    def _let_go_of_stroke(self) -> bool:
        busy = self._text_area.pen.busy
        self._text_area.pen.give_up()
        return busy

    def _let_go_of_eraser(self) -> bool:
        erasing = self.hand.tool is Tool.ERASE
        self.hand.take(Tool.MARK)
        return erasing

    def deselect(self) -> bool:
        """Let go of the selection; the caret stays where it is.  False where nothing was selected."""
        start, end = self.selection
        if start < end:
            self._text_area.place_caret(self._text_area.caret(), select=False)
        return start < end

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let go with Esc, where no window has a shortcut for it."""
        if event.key() == Qt.Key.Key_Escape:
            self.let_go()
        else:
            super().keyPressEvent(event)

    # -- places --------------------------------------------------------------------------------------

    @property
    def caret(self) -> int:
        return self._places.caret

    def caret_at_hand(self) -> int:
        """Return where keys go on from: the caret, brought into view if it is out of sight."""
        return self._places.caret_at_hand()

    def selection_at_hand(self) -> bool:
        """Whether something is selected that is seen; what was scrolled away is let go of."""
        start, end = self.selection
        seen = any(line.start < end and start < line.end for line in self._text_area.lines())
        if start < end and not seen:
            self.deselect()
        return start < end and seen

    @property
    def selection(self) -> tuple[int, int]:
        """The offsets of what is selected; start and end are equal where nothing is."""
        return self._text_area.selected()

    def place_caret(self, offset: int) -> None:
        """Put the caret somewhere, as soon as that is built, without moving the view."""
        self._places.place_caret(offset)

    def _go_to_end(self) -> None:
        document = self._text_area.source
        if document is not None:
            self._places.reveal(document.length, document.length, Align.NEAREST)

    def place_caret_on_screen(self, at: QPoint) -> None:
        point = QPointF(self._text_area.viewport().mapFromGlobal(at))
        self.place_caret(self._text_area.boundary_at(point))

    def caret_on_screen(self) -> QPoint:
        """Return where the caret is on the screen, below its line."""
        self._text_area.bring_caret()
        return self._text_area.viewport().mapToGlobal(self._text_area.cursorRect().bottomLeft())

    def reading_position(self) -> int:
        """Return the offset of the first line that is wholly seen, 0 at the very top."""
        return self._places.reading_position()

    @property
    def characters_in_sight(self) -> int:
        """How many characters a screen shows; 0 while the article is hidden, and maybe not laid out."""
        lines = self._text_area.visible().lines if self.isVisible() else []
        return lines[-1].end - lines[0].start if lines else 0

    def reveal(self, start: int, end: int | None = None, *, align: Align = Align.NEAREST) -> None:
        """Bring characters into view, as soon as they are built."""
        self._places.reveal(start, start if end is None else end, align)

    def reveal_some(self, start: int, end: int) -> bool:
        """Bring characters into view unless a line of them is seen whole already; True where it is."""
        return self._places.reveal_some(start, end)

    def _update_view(self, _: object = None) -> None:
        seen = self._text_area.visible()
        if seen.lines:
            self._ruler.set_view(*seen.span(self._text_area.visible_height()))
