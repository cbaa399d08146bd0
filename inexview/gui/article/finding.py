"""Finding in the article: begins at the caret's place, and Esc brings back to it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, Signal
from PySide6.QtWidgets import QWidget

from inexview.core.article.document import Document
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.article.find_bar import FindBar, SearchHits, searched
from inexview.gui.article.places import Align, Places


class Finding(QObject):
    """Joins the find bar with the text."""

    found_changed = Signal(object)  # SearchHits

    def __init__(self, text_area: TextArea, places: Places, view: QWidget) -> None:
        super().__init__(view)
        self.bar = FindBar(view, text_area)
        self._view = view
        self._area = text_area
        self._places = places
        # Caret, selection and top line where it began.
        self._from: tuple[int, tuple[int, int], int] | None = None
        self.bar.found_changed.connect(self._show)
        self.bar.went_to.connect(self._go_to)
        self.bar.closed.connect(text_area.setFocus)
        text_area.pen.pressed.connect(self._stay)

    def open(self) -> None:
        """Open the find bar, with what is selected to begin with."""
        start, end = self._area.selected()
        document, caret, top = self._area.source, self._places.caret, self._places.reading_position()
        if not self.bar.isVisible():
            self._from = (caret, (start, end), top)
        seen = any(line.start <= caret <= line.end for line in self._area.lines())
        self.bar.open("" if document is None else document.text[start:end], start if seen else top)

    def set_document(self, document: Document | None, position: int) -> None:
        """Find in another article, which is left where it is: places of the one before mean nothing in it."""
        self._from = None
        self.bar.set_text(searched(document), position)

    def next(self) -> None:
        self.bar.go(1, self._places.caret)

    def previous(self) -> None:
        self.bar.go(-1, self._places.caret)

    def let_go(self) -> bool:
        """Close the bar and go back to where finding began; False where it is not open."""
        open_ = self.bar.isVisible()
        if open_:
            self.bar.close_bar()
            if self._from is not None:
                caret, selected, top = self._from
                if selected[0] < selected[1]:
                    self._area.select(*selected)
                else:
                    self._places.place_caret(caret)
                self._places.reveal(top, top, Align.TOP)
        return open_

    def _stay(self, _: object) -> None:
        """Stay where finding led to: the reader works there."""
        self._from = None

    def _show(self, found: SearchHits) -> None:
        self._area.layers.show_found(found.starts, found.ends, found.current)
        self.found_changed.emit(found)

    def _go_to(self, place: tuple[int, int]) -> None:
        start, end = place
        self._places.place_caret(start)
        self._places.reveal(start, end, Align.NEAREST)
        self.bar.uncover(self._seen(start, end))

    def _seen(self, start: int, end: int) -> Iterator[QRect]:
        """Yield where characters are seen, in pixels of the view."""
        corner = self._area.viewport().mapTo(self._view, QPoint(0, 0))
        for line in self._area.lines():
            if line.start < end and start < line.end:
                for left, right in line.stretches(max(start, line.start), min(end, line.end)):
                    box = QRectF(left, line.top, right - left, line.bottom - line.top).toAlignedRect()
                    yield box.translated(corner)
