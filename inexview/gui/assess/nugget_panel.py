"""The nugget panel of Assess: the list, the line for a new nugget, and the places of the selected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.answers.nuggets import Importance
from inexview.core.project.nuggets import IN_REACH
from inexview.core.wording import counted
from inexview.gui.look.panels import ChoosingView, Index, ListModel, RowRole
from inexview.gui.look.theme import (
    LAYER_LOOKS,
    Theme,
    Themed,
    nugget_color,
    paint_importance,
    paint_layer_sign,
    paint_waiting,
)
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeySign,
    PaintedWidget,
    beside_scroll_bar,
    derived,
    in_column,
    in_row,
    key_text,
    label,
    paint_focus,
    rule,
    write,
)

EDGE = 16  # pixels between the panel's edge and its contents
KEY, SIGN, TEXT = 16, 44, 61  # pixels from the left: key, importance, text
HERE, ALL = 30, 28  # widths of the two columns of places, in pixels
ABOVE = 6  # pixels above and below the text of a row
BOX = 22  # least width of a key, in pixels
MOST_LINES = 2
LONGEST_SHOWN = 400  # characters that are laid out in lines
PLACES_SEEN = 5  # rows
BEFORE, AFTER = 14, 10  # pixels before an importance's sign, and behind its text


@dataclass(frozen=True, slots=True)
class NuggetRow:
    """One nugget as the list shows it."""

    key: int
    number: int
    typed: str
    """The digits that file a span under it."""
    text: str
    importance: Importance
    here: int
    """Places in the open document."""
    all: int
    layer: int | None = None
    """The index of the assessor's layer; None for the project's own nuggets."""

    @property
    def vital(self) -> bool:
        return self.importance is Importance.VITAL

    @property
    def tooltip(self) -> str:
        return self.text[:1000]

    def __str__(self) -> str:
        here, every = counted(self.here, "place"), f"{self.all:,} in all"
        return f"{self.typed} · {self.importance.value}: {self.text[:LONGEST_SHOWN]} · {here} here, {every}"


@dataclass(frozen=True, slots=True)
class LayerHead:
    """The heading above the nuggets of another assessor."""

    name: str
    layer: int
    nuggets: int

    def __str__(self) -> str:
        return f"{self.name} · {counted(self.nuggets, 'nugget')}"


class FoldedRow(str):
    """The row that replaces the okay nuggets if there is not enough height for them: "6 okay"."""

    __slots__ = ()


ListedRow = NuggetRow | FoldedRow | LayerHead


def lines_of(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Return the lines of a text in a width in pixels, at most two; words that are too long are cut."""
    left, lines = text[:LONGEST_SHOWN], list[str]()
    while left and len(lines) < MOST_LINES:
        if metrics.horizontalAdvance(left) <= width or len(lines) == MOST_LINES - 1:
            lines.append(metrics.elidedText(left, CUT, width))
            break
        fits = max(_fitting(left, metrics, width), 1)
        blank = left.rfind(" ", 0, fits + 1)
        at = blank if blank > 0 else fits
        lines.append(left[:at].rstrip())
        left = left[at:].lstrip()
    return lines or [""]


def _fitting(text: str, metrics: QFontMetrics, width: int) -> int:
    """Return the number of characters that fit into the width."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if metrics.horizontalAdvance(text[:middle]) <= width else (low, middle - 1)
    return low


class NuggetDelegate(Themed, QStyledItemDelegate):
    """Paints a row: key, importance, text, and numbers of places here and in all documents."""

    selected = 0
    """The key of the selected nugget."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, self.height_of(index.data(RowRole), option.font, self._width(option)))

    def height_of(self, row: ListedRow, font: QFont, width: int) -> int:
        """Return the height of a row in a list of the given width."""
        lines = len(self._lines(row, font, width)) if isinstance(row, NuggetRow) else 1
        return lines * QFontMetrics(font).height() + 2 * ABOVE

    def _width(self, option: QStyleOptionViewItem) -> int:
        view = option.widget
        return view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()

    def _lines(self, row: NuggetRow, font: QFont, width: int) -> list[str]:
        metrics = QFontMetrics(_weighted(font, vital=row.vital))
        return lines_of(row.text, metrics, max(width - TEXT - HERE - ALL - EDGE, 20))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, theme, rect = index.data(RowRole), self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if isinstance(row, NuggetRow):
            self._paint_row(painter, option, row)
        elif isinstance(row, LayerHead):
            paint_layer_sign(
                painter, QPointF(rect.left() + KEY + 5, rect.center().y() + 0.5), theme, row.layer
            )
            room, said = rect.adjusted(KEY + 16, 0, -EDGE, 0), derived(option.font, bold=True)
            write(painter, room, str(row), said, theme.color(LAYER_LOOKS[row.layer].token), LEFT, CUT)
        else:
            write(painter, rect.adjusted(TEXT, 0, 0, 0), str(row), option.font, theme.color("muted"), LEFT)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        painter.restore()

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, row: NuggetRow) -> None:
        theme, rect = self.theme, option.rect
        current = row.key == self.selected
        if current:
            painter.fillRect(rect, theme.color("selected"))
            edge = theme.color(nugget_color(row.layer, current=True))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), edge)
        small = derived(option.font, factor=0.9)
        middle = rect.center().y() + 0.5
        left = QPointF(rect.left() + KEY, middle)
        paint_typed(
            painter, left, row.typed, small, theme, framed=row.layer is None and row.number <= IN_REACH
        )
        paint_importance(painter, QPointF(rect.left() + SIGN + 5, middle), theme, vital=row.vital)
        font = _weighted(option.font, vital=row.vital)
        lines, high = self._lines(row, option.font, self._width(option)), QFontMetrics(font).height()
        top = rect.top() + (rect.height() - len(lines) * high) // 2
        for at, line in enumerate(lines):
            room = QRect(rect.left() + TEXT, top + at * high, rect.width() - TEXT - HERE - ALL - EDGE, high)
            write(painter, room, line, font, theme.color("text"), LEFT)
        right = rect.right() - beside_scroll_bar(option.widget, EDGE) + 1
        every = QRect(right - ALL, rect.top(), ALL, rect.height())
        here = every.translated(-HERE, 0)
        write(painter, every, f"{row.all:,}", option.font, theme.color("muted"), RIGHT)
        told = f"{row.here:,}" if row.here else "–"
        write(painter, here, told, derived(option.font, bold=True), theme.color("text"), RIGHT)


def paint_typed(
    painter: QPainter, left: QPointF, key: str, font: QFont, theme: Theme, *, framed: bool = True
) -> None:
    """Draw the digits of a nugget in a frame of fixed width, or without a frame."""
    painter.save()
    wide = max(QFontMetricsF(font).horizontalAdvance(key) + 8, BOX)
    high = QFontMetricsF(font).height() + 3
    sign = QRectF(left.x(), left.y() - high / 2, wide, high)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("raised"))
    if framed:
        painter.drawRoundedRect(sign, 4, 4)
    painter.setPen(theme.color("muted"))
    painter.setFont(font)
    side = Qt.AlignmentFlag.AlignCenter if framed else LEFT
    painter.drawText(sign, int(side), key)
    painter.restore()


def _weighted(font: QFont, *, vital: bool) -> QFont:
    weighted = QFont(font)
    weighted.setWeight(QFont.Weight.Medium if vital else QFont.Weight.Normal)
    return weighted


class RowsView(ChoosingView):
    """A list as high as its rows, up to a maximum number of them."""

    def __init__(self, name: str, most: int = 0) -> None:
        super().__init__(name)
        self._most = most
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(ChoosingView.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def rows_height(self) -> int:
        """Return the height of all rows, or of the rows that are visible."""
        count = self.model().rowCount() if self.model() is not None else 0
        count = min(count, self._most) if self._most else count
        return sum(self.sizeHintForRow(row) for row in range(count))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.rows_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
            self.updateGeometry()


class NuggetView(RowsView):
    """The list of nuggets; pointing at a row shows where the nugget is stated."""

    pointed = Signal(object)  # int | None: the key of a nugget

    def __init__(self) -> None:
        super().__init__("Nuggets")
        self.rows: ListModel[ListedRow] = ListModel(self)
        self.setModel(self.rows)
        self.delegate = NuggetDelegate(self)
        self.setItemDelegate(self.delegate)
        self.entered.connect(self._point)

    def show_rows(self, rows: Sequence[ListedRow], selected: int) -> None:
        """Replace the rows; the scroll position stays if their number does."""
        other = selected != self.delegate.selected
        self.delegate.selected = selected
        if list(rows) != list(self.rows.rows):
            before = self.rows.rows
            same = [getattr(one, "text", one) for one in rows] == [
                getattr(one, "text", one) for one in before
            ]
            if same and len(rows) == len(before):
                self.rows.rows = rows
                self.rows.dataChanged.emit(self.rows.index(0), self.rows.index(len(rows) - 1))
            else:
                at = self.verticalScrollBar().value()
                self.rows.set_rows(rows)
                self.verticalScrollBar().setValue(at)
                self.updateGeometry()
        self.viewport().update()
        if other and (index := self.index_of(selected)).isValid():
            self.scrollTo(index)

    def height_of(self, rows: Sequence[ListedRow]) -> int:
        """Return the height that these rows would have."""
        font, width = self.font(), self.viewport().width()
        return sum(self.delegate.height_of(row, font, width) for row in rows)

    def index_of(self, key: int) -> QModelIndex:
        found = (at for at, row in enumerate(self.rows.rows) if getattr(row, "key", None) == key)
        at = next(found, None)
        return QModelIndex() if at is None else self.rows.index(at)

    def _point(self, index: Index) -> None:
        row = index.data(RowRole)
        self.pointed.emit(row.key if isinstance(row, NuggetRow) else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)


# The line for a new nugget, and for the text of an existing one.


class NuggetField(QLineEdit):
    """Takes the text of a nugget: Enter saves it, Shift+Enter as vital, Esc discards it."""

    kept = Signal(object)  # bool: as vital
    dropped = Signal()

    def dismiss(self) -> bool:
        self.dropped.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.kept.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)


class KeyBox(PaintedWidget):
    """The key in a frame, as in the rows of the list."""

    def __init__(self) -> None:
        super().__init__()
        self._typed = "+"
        self.setFixedSize(TEXT - KEY, self.fontMetrics().height() + 6)

    def show_typed(self, typed: str) -> None:
        self._typed = typed
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        font = derived(self.font(), factor=0.9)
        paint_typed(QPainter(self), QPointF(0.5, self.height() / 2), self._typed, font, self.theme)


class ImportanceCounts(PaintedWidget):
    """The numbers of vital and okay nuggets, with their signs."""

    def __init__(self) -> None:
        super().__init__()
        self._parts = ("0 vital", "0 okay")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_counts(self, vital: int, okay: int) -> None:
        self._parts = f"{vital:,} vital", f"{okay:,} okay"
        self.setAccessibleName(", ".join(self._parts))
        self.updateGeometry()
        self.update()

    @property
    def _letters(self) -> QFont:
        return derived(self.font(), factor=0.9)

    def _wide(self, parts: Sequence[str]) -> int:
        metrics = QFontMetrics(self._letters)
        return sum(metrics.horizontalAdvance(part) + BEFORE + AFTER for part in parts)

    @property
    def _briefly(self) -> Sequence[str]:
        return [part.partition(" ")[0] for part in self._parts]

    def sizeHint(self) -> QSize:
        return QSize(self._wide(self._parts), QFontMetrics(self._letters).height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._wide(self._briefly), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics, at = QPainter(self), QFontMetrics(self._letters), 0
        parts = self._parts if self._wide(self._parts) <= self.width() else self._briefly
        for part, vital in zip(parts, (True, False), strict=True):
            paint_importance(painter, QPointF(at + 5, self.height() / 2), self.theme, vital=vital)
            room = QRect(at + BEFORE, 0, metrics.horizontalAdvance(part) + 2, self.height())
            write(painter, room, part, self._letters, self.theme.color("muted"), LEFT)
            at += BEFORE + metrics.horizontalAdvance(part) + AFTER


class NewNuggetLine(QWidget):
    """Shows the words that a new nugget would start with; open, it is a field for its text."""

    wanted = Signal()  # a click
    turned = Signal()  # opened, or closed again

    def __init__(self) -> None:
        super().__init__()
        self._box = KeyBox()
        self._said = ElidedLabel(role="muted")
        self.field = NuggetField()
        self.field.setAccessibleName("Words of the nugget")
        self.field.setMaxLength(4_000)
        in_row(self._box, (self._said, 1), (self.field, 1), on=self, margins=(KEY, 3, EDGE, 3), spacing=0)
        self.field.hide()
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def open(self) -> bool:
        return not self.field.isHidden()

    def say(self, words: str, *, key: str, briefer: Sequence[str] = ()) -> None:
        if not self.open:
            self._box.show_typed(key)
            self._said.set_text(words, briefer=briefer)

    def begin(self, words: str, *, typed: str, select: bool) -> None:
        """Open the field with a text; ``typed`` is the key in front of it."""
        self._box.show_typed(typed)
        self._said.hide()
        self.field.setText(words)
        self.field.setCursorPosition(0)
        self.field.show()
        self.turned.emit()  # there may have been no space for the line
        self.field.setFocus()
        if select:
            self.field.selectAll()
        else:
            self.field.end(False)

    def end(self) -> None:
        self.field.hide()
        self._said.show()
        self.turned.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and not self.open:
            self.wanted.emit()


# The places of the selected nugget, and the marks under no nugget.


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place of the selected nugget; ``start`` None means the document as a whole."""

    document: str
    title: str
    start: int | None
    end: int
    words: str
    here: bool = False

    @property
    def tooltip(self) -> str:
        return f"{self.title} · {self.words}" if self.words else self.title

    def __str__(self) -> str:
        where = "the document as a whole" if self.start is None else f"at {self.start:,}"
        return f"{self.title}, {where}: {self.words}"


class PlaceDelegate(Themed, QStyledItemDelegate):
    """Paints document, offset and first words in columns."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, QFontMetrics(option.font).height() + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: PlaceRow = index.data(RowRole)
        theme, rect = self.theme, option.rect.adjusted(EDGE, 0, -beside_scroll_bar(option.widget, EDGE), 0)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, theme.color("selected"))
        bold = derived(option.font, bold=True)
        title, at = rect.width() * 34 // 100, QFontMetrics(bold).horizontalAdvance("000,000")
        write(
            painter,
            QRect(rect.left(), rect.top(), title, rect.height()),
            row.title,
            bold if row.here else option.font,
            theme.color("text"),
            LEFT,
            CUT,
        )
        where = QRect(rect.left() + title + 4, rect.top(), at, rect.height())
        said = "whole" if row.start is None else f"{row.start:,}"
        write(painter, where, said, bold, theme.color("text"), RIGHT)
        words = QRect(where.right() + 9, rect.top(), rect.right() - where.right() - 8, rect.height())
        write(painter, words, row.words, option.font, theme.color("muted"), LEFT, CUT)
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(option.rect), theme)
        painter.restore()


class UnfiledLine(PaintedWidget):
    """Shows the number of marks under no nugget, with the sign that they have in the margin."""

    def __init__(self) -> None:
        super().__init__()
        self._said = ElidedLabel(role="muted")
        in_row((self._said, 1), on=self, margins=(26, 2, 0, 2))

    def show_count(self, count: int) -> None:
        are = "mark is" if count == 1 else "marks are"
        self._said.set_text(
            f"{count:,} {are} under no nugget, and may stay so", briefer=(f"{count:,} under no nugget",)
        )
        self.setVisible(count > 0)
        self.update()

    @property
    def said(self) -> str:
        return "" if self.isHidden() else self._said.full_text

    def paintEvent(self, event: QPaintEvent) -> None:
        ring = QRectF(0, self.height() / 2 - 9.5, 19, 19)
        paint_waiting(QPainter(self), ring, derived(self.font(), factor=0.85), self.theme)


class SameWords(ElidedLabel):
    """Links to a document with the same words that are not marked yet."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__(role="note")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.wanted.emit()
        else:
            super().keyPressEvent(event)


class NuggetPanel(QWidget):
    """The whole panel; if there are no nuggets, only the line for a new one."""

    chosen = Signal(object)  # int: the key of a nugget
    pointed = Signal(object)  # int | None
    place_chosen = Signal(object)  # PlaceRow
    unfolded = Signal()

    def __init__(self, next_place: QAction, new: QAction) -> None:
        super().__init__()
        self._new = new
        self._caption = Caption("Nuggets")
        self._caption.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._counts = ImportanceCounts()
        self._columns = label("here    all", "note")
        self._line = rule()
        self.view = NuggetView()
        self.new_line = NewNuggetLine()
        self._rest = QWidget()
        self._places_caption = Caption("Places")
        self.places: ListModel[PlaceRow] = ListModel(self)
        self.places_view = RowsView("Places of the selected nugget", PLACES_SEEN)
        self.places_view.setModel(self.places)
        self.places_view.setItemDelegate(PlaceDelegate(self.places_view))
        self.places_view.setUniformItemSizes(True)
        self.same = SameWords()
        self._found, self._here = ElidedLabel(role="value"), ElidedLabel(role="value")
        self.unfiled = UnfiledLine()
        self._folded = self._full = self._unfolded = False
        self._selected = 0
        self._rows: Sequence[NuggetRow] = ()
        self._others: Sequence[NuggetRow | LayerHead] = ()
        self._build(next_place)
        self.show_nuggets((), 0, full=False)
        self.view.chosen.connect(self._choose)
        self.view.pointed.connect(self.pointed)
        self.places_view.chosen.connect(lambda index: self.place_chosen.emit(index.data(RowRole)))

    def _build(self, next_place: QAction) -> None:
        for value in (self._found, self._here):
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._head = QWidget()
        in_row(
            self._caption,
            Filler(1),
            self._counts,
            10,
            self._columns,
            on=self._head,
            margins=(EDGE, 6, EDGE, 4),
        )
        self._key, self._next = KeySign(next_place), label("next", "note")
        self._places_head = QWidget()
        in_row(
            (self._places_caption, 1), self._next, self._key, on=self._places_head,
            margins=(EDGE, 0, EDGE, 2), spacing=5,
        )  # fmt: skip
        facts = QWidget()
        in_column(
            in_row(label("Found in this document"), (self._found, 1)),
            in_row(label("Places here, in all"), (self._here, 1)),
            4,
            self.unfiled,
            on=facts,
            margins=(EDGE, 6, EDGE, 0),
            spacing=4,
        )
        same = QWidget()
        in_row((self.same, 1), on=same, margins=(EDGE, 0, EDGE, 0))
        in_column(self._places_head, self.places_view, same, facts, on=self._rest, margins=0, spacing=2)
        in_column(
            self._head,
            self._line,
            self.view,
            self.new_line,
            Filler(1),
            self._rest,
            on=self,
            margins=0,
            spacing=0,
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    # -- display -------------------------------------------------------------------------------------

    @property
    def folded(self) -> bool:
        """Whether the okay nuggets are folded into one row."""
        return self._folded

    def show_nuggets(
        self,
        rows: Sequence[NuggetRow],
        selected: int,
        *,
        full: bool,
        others: Sequence[NuggetRow | LayerHead] = (),
    ) -> None:
        """Show nuggets of the topic and of other assessors; without ``full`` only the line for a new one."""
        self._rows, self._others, self._selected, self._full = rows, others, selected, full
        for widget in (self._head, self._line, self.view, self._rest):
            widget.setVisible(full)
        vital = sum(row.vital for row in rows)
        self._caption.set_text(f"Nuggets · {len(rows):,}", briefer=("Nuggets",))
        self._counts.show_counts(vital, len(rows) - vital)
        here = [row for row in rows if row.here]
        found, had = sum(row.vital for row in here), len(here)
        self._found.set_text(
            f"{had:,} of {len(rows):,}, vital {found:,} of {vital:,}", briefer=(f"{had:,} of {len(rows):,}",)
        )
        self._here.set_text(f"{sum(row.here for row in rows):,} of {sum(row.all for row in rows):,}")
        self._fit()

    def show_places(self, number: str, places: Sequence[PlaceRow]) -> None:
        """Show the places of the selected nugget."""
        told = counted(len(places), "place")
        self._places_caption.set_text(f"Nugget {number} · {told}" if number else "No nugget selected")
        for widget in (self._key, self._next):
            widget.setVisible(len(places) > 1)
        if list(places) != list(self.places.rows):
            self.places.set_rows(places)
            self.places_view.updateGeometry()
        self._fit()

    def say_new(self, words: str) -> None:
        """Show the words that a new nugget would start with."""
        key = key_text(self._new)
        if words:
            self.new_line.say(f"new: “{words}”", key=key)
        elif self._full:
            self.new_line.say("new: mark words first", key=key)
        else:
            told = f"No nuggets yet: mark words and press {key}"
            self.new_line.say(f"{told}, or open a file of nuggets", key=key, briefer=(told, "No nuggets yet"))

    # -- height --------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if (index := self.view.index_of(self._selected)).isValid():
            self.view.scrollTo(index)

    def _fit(self) -> None:
        """If the height is too small, fold first the places, then the okay nuggets."""
        if not self._full:
            return
        others = self._others
        rows: Sequence[ListedRow] = [*self._rows, *others]
        vital = [row for row in self._rows if row.vital or row.key == self._selected]
        okay = len(self._rows) - len(vital)
        self._show_folded_places(folded=False)
        if self._needed(rows) > self.height():
            self._show_folded_places(folded=True)
        self._folded = self._needed(rows) > self.height() and okay > 1 and not self._unfolded
        if self._folded:
            rows = [*vital, FoldedRow(f"{okay:,} okay"), *others]
            self._show_folded_places(folded=False)  # as many as fit
            self._show_folded_places(folded=self._needed(rows) > self.height())
        self.view.show_rows(rows, self._selected)

    def _show_folded_places(self, *, folded: bool) -> None:
        self.places_view.setVisible(not folded and bool(self.places.rows))

    def _needed(self, rows: Sequence[ListedRow]) -> int:
        """Return the height at which no part has to scroll."""
        parts = (self._head, self._line, self.new_line, self._rest)
        return sum(part.sizeHint().height() for part in parts) + self.view.height_of(rows)

    def _choose(self, index: Index) -> None:
        row = index.data(RowRole)
        if isinstance(row, NuggetRow):
            self.chosen.emit(row.key)
        elif not isinstance(row, LayerHead):
            self._unfolded = True
            self._fit()
            self.unfolded.emit()
