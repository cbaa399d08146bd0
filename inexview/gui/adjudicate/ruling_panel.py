"""The right panel of Adjudicate: the place one is at, the others of the document, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from inexview.core.project.judging.adjudication import LAYERS, choices
from inexview.core.project.judging.decisions import Ruling
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Span
from inexview.gui.adjudicate.ruling_rows import PlaceLine, PlaceList, RulingButton, WholeLines
from inexview.gui.look.flow import FlowLayout
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.panel_parts import MARGIN, scrolling
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import Caption, ElidedLabel, KeyButton, KeySign, label
from inexview.gui.services.actions import ActionBook

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
        self._build(book)

    def _build(self, book: ActionBook) -> None:
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
        in_column(_hand(book), shift, on=self._help, margins=(0, 7, 0, 6), spacing=7)
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

    def set_theme(self, theme: Theme) -> None:
        self.places.theme = theme
        self.places.update()
        for row in self.rulings.values():
            row.theme = theme
            row.update()

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


def _hand(book: ActionBook) -> FlowLayout:
    """Return the keys with which one draws what no choice makes."""
    hand = FlowLayout()
    for action, words in (("mark", "draw"), ("erase", "erase"), ("entry-point", "entry point")):
        pair = QWidget()
        in_row(KeySign(book[action]), label(words, "muted"), on=pair, margins=(0, 0, 4, 0), spacing=4)
        hand.addWidget(pair)
    return hand
