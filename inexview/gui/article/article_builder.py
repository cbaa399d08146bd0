"""Building the article that is shown: slice by slice, and again where its look or its width is another."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from inexview.core.article.document import Document
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.article.places import Align, Places
from inexview.gui.article.typesetting.text_builder import Builder
from inexview.gui.look.timers import timer

PATIENCE, BREATH = 100, 30  # milliseconds for the first painting, and for what others do after it
SETTLED = 150  # milliseconds after which a window is as wide as it will be


class ArticleBuilder(QObject):
    """Gives the text area its builders; of the article that is built again, the line at the top stays."""

    begun = Signal(object)  # None: other lines are seen
    repeated = Signal(object)  # None: the same article was built again

    def __init__(self, text_area: TextArea, places: Places, parent: QObject) -> None:
        super().__init__(parent)
        self._text_area = text_area
        self._places = places
        self._fitting = timer(self, self._fit_tables, SETTLED)
        text_area.column_changed.connect(lambda _: self._fitting.start())
        text_area.first_painted.connect(
            self._on_painted, Qt.ConnectionType.QueuedConnection
        )  # all is painted

    def build(self, document: Document | None, position: int) -> None:
        """Build a document; until the position is there to be shown, the page is blank."""
        area = self._text_area
        old = area.builder
        if old is not None:
            old.stop()
        self._places.forget()
        if document is None:
            area.show_builder(None, veiled=False)
        else:
            builder = Builder(document, area.styles, self, area.column_width)
            builder.grew.connect(self._on_grew)
            builder.start(area.viewport().height())
            area.show_builder(builder, veiled=position > 0)
            if position > 0:
                self._places.reveal(position, position, Align.TOP)
            builder.go_on(0 if position > 0 else PATIENCE)
        self.begun.emit(None)

    def repeat(self, document: Document | None, position: int, caret: int) -> None:
        """Build the document again where the look of the text is another."""
        if document is not None:
            self.build(document, position)
            self._places.place_caret(caret)
            self.repeated.emit(None)

    def _on_grew(self, builder: Builder) -> None:
        if builder is self._text_area.builder:
            self._places.settle()
            self._text_area.grow()

    def _on_painted(self, _document: Document) -> None:
        self.put_off()

    def put_off(self) -> None:
        """Build what is missing in a moment: something else is to be painted first."""
        if self._text_area.builder is not None:
            self._text_area.builder.go_on(BREATH)

    def _fit_tables(self) -> None:
        """Set the columns of tables again once the window is as wide as it will be."""
        area, places = self._text_area, self._places
        if area.builder is None or not area.builder.tabular or area.builder.width == area.column_width:
            return
        if area.pen.busy:
            self._fitting.start()
        else:
            area.keep_seen(area.styles.theme)
            self.repeat(area.source, places.reading_position(), places.caret)
