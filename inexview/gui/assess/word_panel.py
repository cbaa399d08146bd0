"""The words that one looks for, as chips: colour and shape, the word, and how often it is here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from inexview.gui.assess.reading_words import CountedWord, ReadingWord, WordMatch
from inexview.gui.look.buttons import add_choice, button
from inexview.gui.look.flow import FlowLayout
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.symbols import paint_run_shape
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.timers import timer
from inexview.gui.look.when_seen import WhenSeen
from inexview.gui.look.widgets import Caption, KeySign, label

CHIP_HEIGHT, AROUND, LONGEST, GAP = 24, 10, 150, 5  # pixels
ROWS = 2  # of chips that are seen; a menu has the others
AT_ONCE = 3  # chips that are made in one turn: each has to be styled
TAKE_AWAY = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
SLASHED = "/"  # before and behind a regular expression, as programmers write it


def shown_word(counted: CountedWord) -> str:
    """Return a word as its chip shows it."""
    mark = SLASHED if counted.word.match is WordMatch.EXPRESSION else ""
    return f"{mark}{counted.word.text}{mark}"


def shown_count(counted: CountedWord) -> str:
    """Return how often it is there as its chip shows that."""
    if counted.problem:
        return "!"
    return f"{counted.count:,}" if counted.count is not None else "…" if counted.awaited else ""


def told(counted: CountedWord) -> str:
    count = shown_count(counted)
    found = f"{shown_word(counted)}, {count} in this document" if count else shown_word(counted)
    return counted.problem or found


class WordChip(QPushButton):
    """One word; a click goes to its next place, Del takes it away, a menu says how it is found."""

    removed = Signal(object)  # ReadingWord
    changed = Signal(object)  # (ReadingWord, WordMatch)

    def __init__(self, counted: CountedWord, style: int, theme: Theme) -> None:
        super().__init__()
        self._style = style
        self.tell(counted, theme)

    def tell(self, counted: CountedWord, theme: Theme) -> None:
        """Show a word and how often it is there; another chip would have to be styled, which takes long."""
        self.word = counted.word
        self._theme = theme
        self._count = shown_count(counted)
        room = LONGEST - 3 * AROUND - self.fontMetrics().horizontalAdvance(self._count)
        whole = shown_word(counted)
        self._text = self.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room)
        way = f"{counted.word.match.value}; right click to change it"
        left = "\nShown because its phrase is rare in this document" if counted.word.left else ""
        self.setToolTip(counted.problem or f"{whole}\n{way}{left}")
        self.setAccessibleName(told(counted))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._text + self._count)
        return QSize(width + 3 * AROUND + 8, CHIP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, color = self._theme, QColor(self._theme.words[self._style % len(self._theme.words)])
        pen = QPen(theme.color("accent"), 2) if self.hasFocus() else QPen(Qt.PenStyle.NoPen)
        painter.setPen(pen)
        painter.setBrush(theme.color("line" if self.underMouse() else "track"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 11, 11)
        middle = self.height() / 2
        paint_run_shape(painter, self._style, QRectF(AROUND, middle - 3, 6, 6), color)
        painter.setPen(color)
        left = AROUND + 11
        baseline = middle + self.fontMetrics().ascent() / 2 - 2
        painter.drawText(QPointF(left, baseline), self._text)
        dots = QPen(color, 1.3, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        dots.setDashPattern([1, 1.1])
        painter.setPen(dots)
        right = left + self.fontMetrics().horizontalAdvance(self._text)
        painter.drawLine(QPointF(left, baseline + 3), QPointF(right, baseline + 3))
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(right + 5, baseline), self._count)

    def event(self, event: QEvent) -> bool:
        """Keep Del from the window, where it erases passages."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in TAKE_AWAY
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in TAKE_AWAY:
            self.removed.emit(self.word)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer other ways to find it, and to take it away."""
        menu = self.menu_of_ways()
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu_of_ways(self) -> QMenu:
        menu = QMenu(self)
        for match in WordMatch:
            change = partial(self.changed.emit, (self.word, match))
            add_choice(menu, match.value, change, on=match is self.word.match)
        menu.addSeparator()
        menu.addAction("Take it away").triggered.connect(lambda: self.removed.emit(self.word))
        return menu


class WordPanel(QWidget):
    """All chips, and a field for one more."""

    chosen = Signal(object)  # ReadingWord: go to its next place
    added = Signal(object)  # ReadingWord
    removed = Signal(object)  # ReadingWord
    changed = Signal(object)  # (ReadingWord, WordMatch)

    def __init__(self, following: QAction) -> None:
        super().__init__()
        self.setAccessibleName("Words that you look for")
        self._theme = LIGHT
        self._words: tuple[CountedWord, ...] = ()
        self._seen = WhenSeen(self, self._show)
        self._fit_soon = timer(self, self._fit, 0)
        self._rows = ROWS
        self._inside = QWidget()
        self._chips = FlowLayout(GAP, self._inside)
        self.further = button("", "chip")
        self.further.setParent(self._inside)
        self.further.clicked.connect(self._show_further)
        self.field = QLineEdit(placeholderText="Word, begin*, or /expression/")
        self.field.setAccessibleName("Word to look for")
        self.field.setFixedHeight(CHIP_HEIGHT + GAP)
        self.field.returnPressed.connect(self._add)
        self.field.installEventFilter(self)
        self.field.hide()
        self.add = button("+ add", "link")
        self.add.setAccessibleName("Look for one more word")
        self.add.clicked.connect(self.begin)
        head = in_row(Caption("Words"), Filler(1), self.add, label("next", "note"), KeySign(following))
        self._place = QWidget()  # of one height, whether chips are in it or the field
        self._place.setMinimumWidth(0)
        in_column((self._inside, 1), self.field, on=self._place, margins=0, spacing=0)
        in_column(head, self._place, on=self, margins=0, spacing=4)
        self.set_rows(ROWS)

    def set_rows(self, rows: int) -> None:
        """Give the chips so many lines, whatever they are."""
        self._rows = rows
        self._place.setFixedHeight(rows * (CHIP_HEIGHT + GAP))
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.show_words(self._words)

    def show_words(self, words: tuple[CountedWord, ...]) -> None:
        self._words = words
        self._seen.refresh()

    def _show(self) -> None:
        words, chips = self._words, self.chips()
        for chip, counted in zip(chips, words, strict=False):
            chip.tell(counted, self._theme)
        for gone in chips[len(words) :]:
            self._chips.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        self._fit()

    def chips(self) -> list[WordChip]:
        items = (self._chips.itemAt(at) for at in range(self._chips.count()))
        return [chip for item in items if item is not None and isinstance(chip := item.widget(), WordChip)]

    def begin(self) -> None:
        """Ask for one more word, in the place of the last line of chips: nothing else moves."""
        self.field.show()
        self._fit()
        self.field.setFocus()

    def let_go(self) -> bool:
        """Ask no longer; False where nothing was asked."""
        asked = self.field.isVisible()
        self.field.clear()
        self.field.hide()
        self._fit()
        return asked

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as many chips as there is room for, and make no more of them; the last one has all others."""
        chips, rows = self.chips(), self._rows - (not self.field.isHidden())
        self._inside.setVisible(rows > 0)
        widths = [chip.sizeHint().width() for chip in chips]
        most = len(chips) + AT_ONCE
        while len(chips) < len(self._words) and self._lines(widths, 0) <= rows:
            if len(chips) == most:
                self._fit_soon.start()
                break
            chips.append(self._make(len(chips)))
            widths.append(chips[-1].sizeHint().width())
        shown = len(chips)
        while shown and self._lines(widths[:shown], len(self._words) - shown) > rows:
            shown -= 1
        for at, chip in enumerate(chips):
            chip.setVisible(at < shown)
        self.further.setVisible(shown < len(self._words))
        self._chips.invalidate()

    def _make(self, at: int) -> WordChip:
        """Make the chip of a word, behind the others and before that of the further ones."""
        chip = WordChip(self._words[at], at, self._theme)
        chip.clicked.connect(lambda: self.chosen.emit(chip.word))
        chip.removed.connect(self.removed)
        chip.changed.connect(self.changed)
        self._chips.removeWidget(self.further)
        self._chips.addWidget(chip)
        self._chips.addWidget(self.further)
        QWidget.setTabOrder(self.chips()[-2] if at else self.add, chip)
        QWidget.setTabOrder(chip, self.further)
        return chip

    def _lines(self, widths: Sequence[int], further: int) -> int:
        """Return how many lines chips of these widths take, with one more for the further ones."""
        self.further.setText(f"{further} more ▾")
        lines, left = 1, self.width()
        for width in [*widths, self.further.sizeHint().width()] if further else widths:
            if width > left and left < self.width():
                lines, left = lines + 1, self.width()
            left -= width + GAP
        return lines

    def _show_further(self) -> None:
        menu = QMenu(self)
        away = QMenu("Take away", menu)
        shown = sum(not chip.isHidden() for chip in self.chips())
        for counted in self._words[shown:]:
            action = menu.addAction(told(counted))
            action.triggered.connect(partial(self._choose, counted.word))
            away.addAction(counted.word.text).triggered.connect(partial(self._take_away, counted.word))
        menu.addSeparator()
        menu.addMenu(away)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.further.mapToGlobal(QPoint(0, self.further.height())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the field when the keyboard goes elsewhere, or with Esc."""
        if watched is self.field and event.type() is QEvent.Type.FocusOut:
            self.let_go()
        return super().eventFilter(watched, event)

    def _choose(self, word: ReadingWord, _checked: bool = False) -> None:
        self.chosen.emit(word)

    def _take_away(self, word: ReadingWord, _checked: bool = False) -> None:
        self.removed.emit(word)

    def _add(self) -> None:
        text = self.field.text().strip()
        if len(text) > 2 and text.startswith(SLASHED) and text.endswith(SLASHED):
            word = ReadingWord(text[1:-1], WordMatch.EXPRESSION)
        else:
            word = ReadingWord(text)
        self.added.emit(word)
