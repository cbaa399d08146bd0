"""What cost most in this document: a short numbered list, dearest first; a line leads to its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.variants import RankingFault
from inexview.core.text.text_quotes import words_begin
from inexview.gui.article.margin_signs import NumberedPlace
from inexview.gui.inspect.document.cost_lines import CostDelegate, CostLine, CostModel, row_height
from inexview.gui.inspect.figures.figure_asked import OPEN, FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figures import count
from inexview.gui.look.layouts import Filler, in_column
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import INSET, ChoosingView, label

MOST = 10  # lines; one more says how many there are besides


@dataclass(frozen=True, slots=True)
class SpanWanted:
    """The text ``[start, end)`` of the open document shall come into sight."""

    start: int
    end: int


class CostView(ChoosingView):
    """The list, as high as its lines."""

    def __init__(self) -> None:
        super().__init__("What cost most here")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def fit(self) -> None:
        self.setFixedHeight(sum(self.sizeHintForRow(row) for row in range(self.model().rowCount())))


class CostList(QWidget):
    """The list, or one sentence where nothing cost anything."""

    wanted = Signal(object)  # SpanWanted
    numbered = Signal(object)  # tuple[NumberedPlace, ...]: the lines that are in sight

    def __init__(self) -> None:
        super().__init__()
        self.model = CostModel(self)
        self.view = CostView()
        self.view.setModel(self.model)
        self._delegate = CostDelegate(self.model, self.view)
        self.view.setItemDelegate(self._delegate)
        self.heading = label("", "muted")
        """What the last column is of; beside the caption of the list."""
        self.note = label("", "muted", wrap=True)
        self.note.setContentsMargins(INSET, 0, INSET, 0)
        self.note.setToolTip("Faults of this document that are not listed; A and M go through them all")
        in_column(self.view, self.note, Filler(1), on=self, margins=0, spacing=0)
        self._dear: list[Cost] = []
        self._article = self._nothing = self._measure = ""
        self._gains: Mapping[Cost, float] = {}
        line = row_height(self.fontMetrics())
        self.setMinimumHeight(line)
        self.setMaximumHeight((MOST + 1) * line)  # whatever is in it: nothing below it jumps
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.view.chosen.connect(lambda index: self.choose(index.row() + 1))
        self.show_costs((), "", nothing="")

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.view.viewport().update()

    def show_costs(self, costs: Sequence[Cost], article: str, *, nothing: str) -> None:
        """Show the dearest of these costs, or ``nothing`` where none of them costs anything."""
        self._dear = [cost for cost in costs if cost.loss > 0]
        self._article, self._nothing = article, nothing
        self._show()

    def show_gains(self, measure: str, gains: Mapping[Cost, float]) -> None:
        """Show beside each cost what it costs the topic by a measure, as far as that is known."""
        self._measure, self._gains = measure, gains
        self.heading.setText(measure if gains and self._dear else "")
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        line, note = row_height(self.fontMetrics()), self.fontMetrics().height()
        shown = self._dear[: min(MOST, max((self.height() - note) // line, 1))]
        more = len(self._dear) - len(shown)
        lines = tuple(
            CostLine.of(cost, at, self._article, self._measure, self._gains.get(cost))
            for at, cost in enumerate(shown, 1)
        )
        if lines != self.model.rows:
            if [one.cost for one in lines] != [one.cost for one in self.model.rows]:
                self._delegate.current = 0
            self.model.set_rows(lines)
            self._tell_numbers()
        self.view.setVisible(bool(lines))
        self.note.setText(f"and {count(more)} that cost less" if more else "" if lines else self._nothing)
        self.note.setVisible(bool(self.note.text()) and (self.height() > line + note or not lines))
        self.view.fit()

    def hasHeightForWidth(self) -> bool:
        """Give way to what is above it where the window is low: fewer lines are listed then."""
        return False

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return None
        line = self.model.rows[index.row()]
        cost, wide = line.cost, self._delegate.topic_width(self.view.font(), line)
        own = at.x() < self.view.viewport().width() - wide
        place = RankingFault(OPEN, cost.fault, cost.start, cost.end)
        if own:
            return FigureAsked(FigureLevel.DOCUMENT, f"Δ {cost.measure}", cost=cost)
        return FigureAsked(FigureLevel.TOPIC, "", of=FigureOf.MENDED, mending=place)

    def choose(self, number: int) -> None:
        """Lead to the place with a number, and show which it was."""
        cost = self.model.rows[number - 1].cost
        self._delegate.current = number
        self.view.viewport().update()
        self._tell_numbers()
        self.wanted.emit(SpanWanted(cost.start, cost.end))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_numbers()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tell_numbers()

    def _tell_numbers(self) -> None:
        """Number the places in the text as well, as long as the list is in sight."""
        shown = self.model.rows if self.isVisible() else ()
        self.numbered.emit(tuple(map(self._place_of, shown)))

    def _place_of(self, line: CostLine) -> NumberedPlace:
        cost, current = line.cost, line.number == self._delegate.current
        begin = words_begin(self._article, cost.start, cost.end)
        return NumberedPlace(line.number, (begin, max(begin, cost.end)), line.told, current)
