"""The right panel of Adjudicate: the place one is at and its choices, the others, and what is still open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QLineEdit, QSizePolicy, QWidget

from inexview.core.evaluation.agreement import agree_among
from inexview.core.judgements.qrels import Qrels
from inexview.core.project.exchange.project_judgements import judgement_of
from inexview.core.project.judging.adjudication import LAYERS, Difference, Place, choices
from inexview.core.project.judging.document_state import DocumentState, Ruling
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted, percent
from inexview.gui.adjudicate.disputes import figure, paint_progress
from inexview.gui.article.overlays import Contest, ContestedPlace
from inexview.gui.look.panels import ScrollingPanel, scrolling
from inexview.gui.look.theme import LAYER_LOOKS, Themed, paint_layer_bar, paint_layer_sign
from inexview.gui.look.widgets import (
    CUT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    FlowLayout,
    KeyButton,
    KeySign,
    derived,
    in_column,
    in_row,
    key_text,
    label,
    paint_focus,
    with_key,
    write,
)
from inexview.gui.services.actions import ActionBook

ROW, KEY, WORDS, NUMBER = 33, 20, 126, 48
LEAST_PLACES = 4  # lines of the list of places


class RulingButton(Themed, QAbstractButton):
    """One choice: its key, its words, what it marks within the place, and how many characters that are."""

    def __init__(self, action: QAction, words: str, symbol: str = "", *, layer: int | None = None) -> None:
        """``layer`` is the one whose marks it takes; what is made of several has a ``symbol``."""
        super().__init__()
        self.setText(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._action, self._symbol, self._layer = action, symbol, layer
        self._spans, self._place, self._told = EMPTY, (0, 1), ""
        self.taken = False
        self.clicked.connect(action.trigger)
        action.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(220, ROW)

    def show_choice(self, spans: Spans, place: Span, told: str, *, taken: bool, possible: bool) -> None:
        """Show what the choice would mark of a place, and whether it was made."""
        self._spans, self._place, self._told = spans, place, told
        self.taken = taken
        self.setEnabled(possible)
        said = ", ".join(filter(None, (self.text(), told, "taken" if taken else "")))
        self.setAccessibleName(with_key(said, self._key))
        self.update()

    @property
    def _key(self) -> str:
        return key_text(self._action)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), theme.color("selected"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        middle, wide = self.height() / 2, float(self.width())
        painter.drawRoundedRect(QRectF(0.5, middle - 10, KEY, 20), 4, 4)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        key = QRectF(0.5, middle - 10, KEY, 20)
        small = derived(self.font(), factor=0.88)
        write(painter, key, self._key, small, theme.color("muted"), Qt.AlignmentFlag.AlignCenter)
        if self._layer is not None:
            paint_layer_sign(painter, QPointF(KEY + 15, middle), theme, self._layer)
        else:
            room = QRectF(KEY + 8, 0, 14, self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), self._symbol)
        words = QRectF(KEY + 26, 0, WORDS - KEY - 26, self.height())
        write(painter, words, self.text(), derived(self.font(), bold=self.taken), theme.color("text"))
        told = f"✓ {self._told}" if self.taken else self._told
        write(painter, self.rect(), told, derived(self.font(), bold=True), theme.color("text"), RIGHT)
        self._paint_scale(painter, QRectF(WORDS, middle - 5, wide - WORDS - NUMBER - 8, 10))
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), theme)

    def _paint_scale(self, painter: QPainter, room: QRectF) -> None:
        start, end = self._place
        if room.width() < 20 or start >= end:
            return
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(QPointF(room.left(), room.center().y()), QPointF(room.right(), room.center().y()))
        scale = room.width() / (end - start)
        for first, last in self._spans:
            box = QRectF(room.left() + (first - start) * scale, room.top(), (last - first) * scale, 10)
            if self._layer is not None:
                paint_layer_bar(painter, box, self.theme, self._layer)
            else:
                painter.setPen(QPen(self.theme.color("mark_edge"), 1))
                painter.setBrush(self.theme.color("mark"))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place of the list; of the entry points, ``span`` is None."""

    span: Span | None
    words: str
    signs: str
    """The letters of those who marked there."""
    size: int | None
    """The characters that differ, or between entry points; None where only one has set any."""
    settled: bool
    current: bool

    @property
    def told(self) -> str:
        return "–" if self.size is None else f"{self.size:,}"


class PlaceList(Themed, QWidget):
    """The places of the document; a click goes to one, and so do the arrows, which keep the keyboard."""

    chosen = Signal(object)  # PlaceLine
    walked = Signal(object)  # PlaceLine

    LINE = 26

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[PlaceLine, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        return QSize(200, max(len(self.lines), 1) * self.LINE)

    def set_lines(self, lines: Sequence[PlaceLine]) -> None:
        self.lines = tuple(lines)
        self.setFixedHeight(self.sizeHint().height())
        told = "; ".join(
            f"{'settled' if one.settled else 'open'}, {one.words}, {one.told}" for one in self.lines
        )
        self.setAccessibleName(f"Places of this document: {told}")
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go up and down the list; with Enter to the text."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        current = next((at for at, line in enumerate(self.lines) if line.current), -1)
        if event.key() in steps and self.lines:
            at = min(max(current + steps[Qt.Key(event.key())], 0), len(self.lines) - 1)
            self.walked.emit(self.lines[at])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current >= 0:
            self.chosen.emit(self.lines[current])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = int(event.position().y()) // self.LINE
        if event.button() is Qt.MouseButton.LeftButton and 0 <= row < len(self.lines):
            self.chosen.emit(self.lines[row])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # words in their own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, line in enumerate(self.lines):
            self._paint_line(painter, line, QRectF(0, at * self.LINE, self.width(), self.LINE))
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)

    def _paint_line(self, painter: QPainter, line: PlaceLine, rect: QRectF) -> None:
        theme, middle = self.theme, rect.center().y()
        if line.current:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        paint_progress(painter, QPointF(rect.left() + 11, middle), theme, settled=line.settled)
        font = derived(self.font(), factor=0.94, bold=not line.settled)
        color = theme.color("muted" if line.settled else "text")
        write(painter, rect.adjusted(0, 0, -4, 0), line.told, font, color, RIGHT)
        number = QRectF(22, rect.top(), 46, rect.height())
        if line.span is None:
            write(painter, number, "▶", font, theme.color("muted" if line.settled else "bep"), RIGHT)
        else:
            write(painter, number, f"{line.span[0]:,}", font, color, RIGHT)
        most = 3 if any(LAYER_LOOKS[2].letter in one.signs for one in self.lines) else 2
        signs = rect.right() - 44 - 14 * most
        room = rect.adjusted(78, 0, signs - rect.right() - 12, 0)
        plain = derived(self.font(), factor=0.94)
        write(painter, room, line.words, plain, theme.color("muted"), shorten=CUT)
        for layer, look in enumerate(LAYER_LOOKS):
            if look.letter in line.signs:
                paint_layer_sign(painter, QPointF(signs + 14 * layer, middle), theme, layer)


class WholeLines(ScrollingPanel):
    """Scrolls the list of places; no line is cut at its foot before one scrolls."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        self.setMinimumHeight(LEAST_PLACES * PlaceList.LINE)

    def show_line(self, at: int) -> None:
        """Bring a line into sight, also of a list that has just become longer."""
        if (inside := self.widget()) is not None and (column := inside.layout()) is not None:
            column.activate()
        self.event(QEvent(QEvent.Type.LayoutRequest))
        self.ensureVisible(0, int((at + 0.5) * PlaceList.LINE), 0, PlaceList.LINE // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setViewportMargins(0, 0, 0, self.height() % PlaceList.LINE)


FIGURES = ("Characters ∩/∪", "κ over characters", "Third layer so far")
"""Of a document between two layers; what three need is called otherwise."""
LOW = 600  # pixels of height, below which the list has the room of what the card of keys says too
ACTIONS = {
    Ruling.A: "take-a",
    Ruling.B: "take-b",
    Ruling.UNION: "take-union",
    Ruling.INTERSECTION: "take-intersection",
    Ruling.C: "take-c",
    Ruling.MAJORITY: "take-majority",
}


@dataclass(frozen=True, slots=True)
class RulingShown:
    """What a choice would mark at a place, and whether it was made."""

    spans: Spans = EMPTY
    told: str = ""
    taken: bool = False
    possible: bool = False


class WhyField(QLineEdit):
    """Takes a word for the record; Enter and Esc give the keyboard back."""

    done = Signal()

    def let_go(self) -> bool:
        """Give the keyboard back, before anything else is let go of."""
        self.done.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit()
        else:
            super().keyPressEvent(event)


class RulingPanel(QWidget):
    """Shows one place and the document; what is chosen is done by its listener."""

    place_chosen = Signal(object)  # Span | None: the entry points
    place_walked = Signal(object)  # the same, while the keyboard stays in the list

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self._at = Caption("This place")
        self._span = label("", "muted")
        self._help = QWidget()
        words = {
            Ruling.UNION: ("union", "∪"),
            Ruling.INTERSECTION: ("intersection", "∩"),
            Ruling.MAJORITY: ("two of three", "⅔"),
        }
        self.rulings = {
            ruling: RulingButton(book[ACTIONS[ruling]], *words[ruling])
            if ruling in words
            else RulingButton(book[ACTIONS[ruling]], f"{ruling}'s", layer=LAYERS.index(ruling))
            for ruling in ACTIONS
        }
        self.places = PlaceList()
        self.places.chosen.connect(lambda line: self.place_chosen.emit(line.span))
        self.places.walked.connect(lambda line: self.place_walked.emit(line.span))
        self._figures = [(ElidedLabel(name, role="muted"), label("–", "value")) for name in FIGURES]
        self.why = WhyField()
        self.why.setPlaceholderText("A word for the record, if you like")
        self.why.setAccessibleName("Why, for this place")
        self.warning = label("", "warning", wrap=True)
        self.open = label("", "note", wrap=True)
        self.settle = KeyButton("Settled, next", book["settle"], primary=True)
        self.later = KeyButton("Come back later, next", book["settle-later"])
        foot = in_column(
            self.warning, self.open, self.settle, self.later, margins=(MARGIN, 2, MARGIN, MARGIN), spacing=6
        )
        in_column((scrolling(self._upper(book)), 1), foot, on=self, margins=0, spacing=0)

    def _upper(self, book: ActionBook) -> QWidget:
        """Return what scrolls in a low window: the place with its choices, then the document."""
        upper = QWidget()
        upper.setProperty("role", "chrome")
        column = in_column(
            in_row(self._at, Filler(1), self._span),
            4,
            *self.rulings.values(),
            on=upper,
            margins=(MARGIN, MARGIN, MARGIN, 8),
            spacing=0,
        )
        self._offer(choices(2))
        shift = label("Shift with a number: all places left here", "note", wrap=True)
        in_column(_pen_state(book), shift, on=self._help, margins=(0, 7, 0, 6), spacing=7)
        column.addWidget(self._help)
        column.addSpacing(14)
        column.addWidget(Caption("In this document, largest first", briefer=("In this document",)))
        column.addSpacing(4)
        holder = QWidget()
        holder.setProperty("role", "chrome")
        in_column(self.places, Filler(1), on=holder, margins=0)
        self._scroll = WholeLines(holder)
        column.addWidget(self._scroll, 1)
        column.addSpacing(14)
        column.addWidget(Caption("This document"))
        column.addSpacing(7)
        grid = QGridLayout()
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        for at, (name, value) in enumerate(self._figures):
            grid.addWidget(name, at, 0)
            grid.addWidget(value, at, 1, Qt.AlignmentFlag.AlignRight)
        column.addLayout(grid)
        column.addSpacing(18)
        column.addWidget(Caption("Why · this place"))
        column.addSpacing(7)
        column.addWidget(self.why)
        return upper

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._help.setVisible(self.height() >= LOW)

    def show_place(
        self, title: str, span: Span | None, rulings: Sequence[tuple[Ruling, RulingShown]]
    ) -> None:
        """Show the place one is at, and what each choice would make of it."""
        self._at.set_text(title)
        self._span.setText("" if span is None else f"{span[0]:,}:{span[1] - span[0]:,}")
        for ruling, shown in rulings:
            self.rulings[ruling].show_choice(
                shown.spans, span or (0, 0), shown.told, taken=shown.taken, possible=shown.possible
            )
        self._offer([ruling for ruling, _ in rulings])

    def _offer(self, offered: Sequence[Ruling]) -> None:
        for ruling, button in self.rulings.items():
            button.setVisible(ruling in offered)

    def show_document(
        self, lines: Sequence[PlaceLine], figures: Sequence[tuple[str, str]], left: str
    ) -> None:
        """Show the places, the figures of the document, and what is still open."""
        self.places.set_lines(lines)
        current = next((at for at, line in enumerate(lines) if line.current), None)
        if current is not None:
            self._scroll.show_line(current)
        for (name, value), (what, told) in zip(self._figures, figures, strict=True):
            name.set_text(what)
            value.setText(told)
        self.open.setText(left)
        self.open.setVisible(bool(left))

    def show_warning(self, told: str) -> None:
        """Say that a layer was marked in another text; nothing where it was not."""
        self.warning.setText(told)
        self.warning.setVisible(bool(told))

    def show_nothing(self, told: str) -> None:
        """Show that there is nothing to settle, and why."""
        offered = [ruling for ruling, button in self.rulings.items() if not button.isHidden()]
        self.show_place("This place", None, [(ruling, RulingShown()) for ruling in offered])
        self.show_document((), [(name.full_text, "–") for name, _ in self._figures], told)
        self.why.clear()
        self.why.setEnabled(False)


def _pen_state(book: ActionBook) -> FlowLayout:
    """Return the keys with which one draws what no choice makes."""
    pen_state = FlowLayout()
    for action, words in (("mark", "draw"), ("erase", "erase"), ("entry-point", "entry point")):
        pair = QWidget()
        in_row(KeySign(book[action]), label(words, "muted"), on=pair, margins=(0, 0, 4, 0), spacing=4)
        pen_state.addWidget(pair)
    return pen_state


# What article and panel show of a document in dispute, made of the difference and what was taken so far.

SHORT = {
    Ruling.A: "A's",
    Ruling.B: "B's",
    Ruling.C: "C's",
    Ruling.MAJORITY: "2 of 3",
    Ruling.UNION: "∪",
    Ruling.INTERSECTION: "∩",
    Ruling.PEN: "drawn",
    Ruling.ALONE: "as it is",
}
PARTS_IN_WORDS = 60  # characters of a place that its line shows at most

Rulings = Mapping[Span, Ruling | None]
"""What was taken for each place, None while it is open."""


def contest_of(difference: Difference, taken: Rulings, third: DocumentState, current: Span | None) -> Contest:
    """Return what the article shows of the layers."""
    places = tuple(
        ContestedPlace(place.span, number, SHORT.get(taken[place.span] or Ruling.AGREED, ""))
        for number, place in enumerate(difference.places, 1)
    )
    entries = difference.entries if difference.entries_apart and third.bep is None else ()
    return Contest(tuple(marks or EMPTY for marks in difference.marks), places, current, entries)


def rulings_of(
    difference: Difference, place: Place | None, taken: Rulings, third: DocumentState
) -> tuple[str, list[tuple[Ruling, RulingShown]]]:
    """Return what the panel calls a place (None: the entry points), and what each choice makes of it."""
    if place is None:
        return _entry_rulings(difference, third)
    at = difference.places.index(place) + 1
    shown = []
    for ruling in choices(len(difference.names)):
        spans = place.chosen(ruling)
        told = "–" if spans is None else f"{spans.size:,}"
        made = taken[place.span] is ruling
        shown.append((ruling, RulingShown(spans or EMPTY, told, taken=made, possible=spans is not None)))
    return f"This place · {at} of {len(difference.places)}", shown


def _entry_rulings(
    difference: Difference, third: DocumentState
) -> tuple[str, list[tuple[Ruling, RulingShown]]]:
    shown = []
    for ruling in choices(len(difference.names)):
        offset = difference.entry(ruling)
        made = offset is not None and third.bep == offset and difference.entries_apart
        apart = difference.entries_apart and offset is not None
        told = f"at {offset:,}" if apart else "none" if ruling in LAYERS else ""
        told = told if difference.entries_apart else ""
        shown.append((ruling, RulingShown(EMPTY, told, taken=made, possible=apart)))
    return "The best entry point" if difference.entries_apart else "No difference here", shown


def lines_of(
    difference: Difference, taken: Rulings, third: DocumentState, text: str, current: Span | None
) -> list[PlaceLine]:
    """Return a line for each place, and one for the entry points where they are a difference."""
    lines = []
    for place in difference.places:
        signs = "".join(name for name, spans in zip(LAYERS, place.marks, strict=False) if spans)
        words = " ".join(text[place.start : min(place.end, place.start + PARTS_IN_WORDS)].split())
        settled = bool(taken[place.span])
        lines.append(PlaceLine(place.span, words, signs, place.disputed, settled, current == place.span))
    if difference.entries_apart:
        entries = zip(LAYERS, difference.entries, strict=False)
        there = {name: entry for name, entry in entries if entry is not None}
        signs, words = "".join(there), "entry points apart"
        apart: int | None = max(there.values()) - min(there.values())
        if len(there) == 1:  # nothing to be apart from
            words, apart = f"only {signs} has an entry point", None
        settled = third.bep is not None or not (third.relevant or not all(taken.values()))
        lines.append(PlaceLine(None, words, signs, apart, settled, current is None))
    return lines


def figures_of(difference: Difference, third: DocumentState, length: int) -> list[tuple[str, str]]:
    """Return ∩/∪ and κ over the document's characters, and how much is settled to be relevant, with names."""
    size, judged = third.marks.size, [one for one in difference.states if one is not None]
    layers = [Qrels.from_judgements([judgement_of("", "", one, length)]) for one in judged]
    share = f"{size:,} of {length:,} ({percent(size / length if length else 0, 1)})"
    so_far = "Third layer so far" if len(difference.names) == 2 else "Settled so far"
    overlap = kappa = "–"
    if len(layers) > 1:
        both = difference.common.size
        either = both + difference.disputed
        overlap = f"{both:,} / {either:,} = {figure(both / either)}" if either else "–"
        among = agree_among(layers)
        if len(layers) == 2:
            kappa = figure(among.pairs[0, 1].overall.compared["characters"].kappa)
        else:
            kappa = figure(among.fleiss_characters)
    what = "Fleiss’ κ, characters" if len(layers) > 2 else "κ over characters"
    return [("Characters ∩/∪", overlap), (what, kappa), (so_far, share)]


def still_open(places: int, entry: bool, *, finished: bool) -> str:
    """Say what of a document is still to be settled."""
    if finished:
        return "This document is settled."
    left = [counted(places, "place")] if places else []
    left += ["the entry point"] if entry else []
    return f"Still open here: {', '.join(left)}" if left else "Nothing is open here."
