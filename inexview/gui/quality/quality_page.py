"""The page of the quality report: distributions, questions, and the place that a question is about."""

from __future__ import annotations

from statistics import median

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QVBoxLayout, QWidget

from inexview.core.project.judging.quality_report import QualityFinding, QualityReport
from inexview.core.wording import counted, duration, percent
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.lists import Index, RowRole
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import Caption, ElidedLabel, KeyButton, ProgressRing, label, rule, scrolling
from inexview.gui.quality.distributions import PassageChart, TimeChart
from inexview.gui.quality.finding_list import FindingDelegate, FindingModel, ReportLine
from inexview.gui.quality.judging_order import JudgingOrder
from inexview.gui.quality.place_panel import PlacePanel
from inexview.gui.services.actions import ActionBook

UNTIMED = "How long they took is not known: they were not judged here."
SIDES = ((220, 318), (240, 328))  # pixels, least and most of left and right
SHARES = (3, 4, 3)  # of the width, where there is less
INSIDE = 10  # pixels from the edge of the list to its words: the heading is in line with them
ROOM_FOR_EXPORT = 1000  # pixels from which the button is beside the title


class FindingView(QListView):
    """The list; Return opens the place, arrows go from line to line."""

    moved = Signal(object)  # ReportLine | None
    chosen = Signal(object)  # ReportLine

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.moved.emit(current.data(RowRole) if current.isValid() else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line that one is at in sight."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Return; letters stay free for the window's keys."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().data(RowRole))
        elif event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)


class QualityPage(QWidget):
    """Shows a report; what it asks is answered by its listener."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._ring = ProgressRing()
        self._finished, self._pace = ElidedLabel(role="value"), ElidedLabel(role="muted")
        self._times, self._order, self._passages = TimeChart(), JudgingOrder(), PassageChart()
        self._legends = {self._times: label("", "note"), self._order: label("", "note")}
        self._figures = {name: label("", "value") for name in ("Passages", "Marked", "Median passage")}
        self._parts: dict[QWidget, QWidget] = {}  # each chart's, with its heading
        self._untimed = label(UNTIMED, "note", wrap=True)
        self._pool = Caption("Pool")
        self._over, self._title = Caption("Quality report"), label("", "report-title", wrap=True)
        self._told, self._unread = label("", "lead", wrap=True), ""
        self.model = FindingModel(self)
        self.view = FindingView()
        self._delegate = FindingDelegate(self.view)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Places that may be worth a second look")
        self.place = PlacePanel(book["open-finding"], book["right-as-it-is"])
        self._build(book)

    def _build(self, book: ActionBook) -> None:
        left = scrolling(self._left())
        for widget, (least, most) in zip((left, self.place), SIDES, strict=True):
            widget.setMinimumWidth(least)
            widget.setMaximumWidth(most)
        in_row(
            (left, SHARES[0]),
            rule(upright=True),
            (self._middle(book), SHARES[1]),
            rule(upright=True),
            (self.place, SHARES[2]),
            on=self,
            margins=0,
            spacing=0,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave exporting to its key and the menu where the title needs the room."""
        super().resizeEvent(event)
        self._export.setVisible(self.width() >= ROOM_FOR_EXPORT)

    def _left(self) -> QWidget:
        """Return the pool in figures."""
        left = QWidget()
        left.setProperty("role", "chrome")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        far = in_row(self._ring, (in_column(self._finished, self._pace, spacing=1), 1))
        column = in_column(self._pool, far, on=left, margins=14, spacing=9)
        charts = (self._times, self._order, self._passages)
        for chart, brief in zip(charts, ("Times", "In order", "Passages"), strict=True):
            legend = (self._legends[chart],) if chart in self._legends else ()
            heading = Caption(chart.accessibleName(), briefer=(brief,))
            part = self._parts[chart] = QWidget()
            in_column(in_row((heading, 1), *legend), chart, on=part, margins=(0, 10, 0, 0), spacing=9)
            column.addWidget(part)
            if chart is self._order:
                column.addWidget(self._untimed)
        column.addSpacing(10)
        for name, value in self._figures.items():
            column.addLayout(in_row((label(name), 1), value))
        column.addStretch(1)
        return left

    def _middle(self, book: ActionBook) -> QVBoxLayout:
        """Return the findings under their heading."""
        self._export = KeyButton("Export qrels…", book["export-qrels"])
        self._export.setMaximumWidth(190)
        above = in_row(
            (in_column(self._over, self._title), 1), (self._export, 0, Qt.AlignmentFlag.AlignBottom)
        )
        return in_column(
            in_column(above, self._told, margins=(INSIDE, 0, INSIDE, 0), spacing=12),
            (self.view, 1),
            margins=(34, 16, 34, 10),
            spacing=12,
        )

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        for part in (self._ring, self._times, self._order, self._passages, self.place):
            part.set_theme(theme)
        ring = f'<span style="color:{theme.accent}">○</span>'
        relevant = f'<span style="color:{theme.finished}">■</span> relevant'
        for chart, text in (
            (self._times, f"{relevant} &nbsp;□ not"),
            (self._order, f"— median &nbsp;{ring} listed"),
        ):
            self._legends[chart].setTextFormat(Qt.TextFormat.RichText)
            self._legends[chart].setText(text)
        self.view.viewport().update()

    def show_reading(self, topic: str) -> None:
        self._over.set_text(f"Quality report · topic {topic}")
        self._title.setText("Reading what is judged…")
        self._told.setText("")

    def show_report(self, report: QualityReport, documents: int, unread: int) -> None:
        """Show a report of a pool of so many documents; ``unread`` finished ones are not in it."""
        relevant, finished = len(report.relevant), report.finished
        whole = max(documents, 1)
        self._ring.set_parts(relevant / whole, (finished - relevant) / whole)
        self._finished.set_text(f"{relevant:,} relevant, {finished - relevant:,} not")
        middle = report.median_time
        spent = sum(report.times.values())
        days = len({*report.days.values()})
        over = f" in {days} days" if days > 1 else ""
        self._pace.set_text("" if middle is None else f"{duration(spent)}{over} · {duration(middle)} each")
        self._pool.set_text(f"Pool · {counted(documents, 'document')}")
        every = "The document is finished" if documents == 1 else f"All {documents:,} documents are finished"
        some = f"{finished:,} of {documents:,} documents are finished"
        self._title.setText(every if finished == documents else some)
        lacking = f" {counted(unread, 'finished document')} cannot be read: not in these figures."
        self._unread = lacking if unread else ""
        for chart in (self._times, self._order):
            self._parts[chart].setVisible(bool(report.times))
        self._parts[self._passages].setVisible(bool(report.sizes))
        self._untimed.setVisible(bool(finished) and not report.times)
        listed = [finding.document for finding in report.findings]
        self._times.show_report(report, listed)
        self._order.show_report(report, listed)
        self._passages.show_report(report)
        marked = sum(report.sizes)
        share = marked / report.characters if report.characters else 0.0
        size = f"{median(report.sizes):,.0f} characters" if report.sizes else "–"
        told = (
            f"{len(report.sizes):,} in {counted(relevant, 'document')}",
            f"{marked:,} characters ({percent(share, 1)})",
            size,
        )
        for value, text in zip(self._figures.values(), told, strict=True):
            value.setText(text)
        self._figures["Marked"].setToolTip(f"of the {report.characters:,} in relevant documents")

    def show_left(self, left: int, found: int) -> None:
        """Say how many of the questions have no answer yet."""
        seen = f" You have answered {found - left:,}." if found > left else ""
        asked = (
            f"{counted(found, 'place')} may be worth a second look. Each is a question, and “right as it is” "
            f"answers it as well as a change does.{seen}"
            if found
            else "Nothing here asks for a second look."
        )
        self._told.setText(asked + self._unread)
        self.place.show_left(left, found)

    def finding(self) -> QualityFinding | None:
        index = self.view.currentIndex()
        line: ReportLine | None = index.data(RowRole) if index.isValid() else None
        return None if line is None else line.finding

    def go_to(self, row: int) -> None:
        """Highlight a line; the first where there is none at that row."""
        row = row if row >= 0 else self.model.next_open(0)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))
