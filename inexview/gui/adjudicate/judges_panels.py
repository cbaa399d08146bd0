"""The panels next to the page of Judges: judges and their figures; one document with both judgements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.answers.judges import FoundQuote, ModelLabel
from inexview.core.evaluation.judges import Bias
from inexview.core.open_runs.judges import LENGTH, RANK, InText
from inexview.core.project.judge_record import AskedOfModels
from inexview.core.report import difference_text
from inexview.core.text.spans import Spans
from inexview.core.wording import counted, in_one_line
from inexview.gui.adjudicate.judges_page import MODEL, PERSON, LayerSign
from inexview.gui.look.panels import ChoosingView, Index, ListModel, RowRole, ScrollingPanel
from inexview.gui.look.theme import READING_FAMILIES, Themed, paint_layer_sign
from inexview.gui.look.widgets import (
    CUT,
    RIGHT,
    Caption,
    Dialog,
    ElidedLabel,
    Filler,
    FlowLayout,
    KeyButton,
    PaintedChart,
    PaintedWidget,
    breakable,
    button,
    derived,
    in_column,
    in_row,
    label,
    paint_focus,
    still,
    write,
)
from inexview.gui.services.actions import ActionBook

MARGIN, ROW, BIAS_ROW = 14, 28, 22
KAPPA, TAU = 58, 52  # widths of the two columns of figures in pixels
THIRDS = {
    LENGTH: ("by length of the document", ("shortest third", "middle third", "longest third")),
    RANK: ("by best rank in a run", ("first third", "middle third", "last third")),
}
# characters shown of a reason and of a quote, and number of quotes
LONGEST_REASON, LONGEST_QUOTE, MOST_QUOTES = 600, 240, 9
NEWLINE = "\n"
PASSAGE = 15  # letter size of the text in pixels


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A person or a model in the list of judges; figures are "" for a person, or until computed."""

    name: str
    model: bool
    kappa: str
    tau: str
    current: bool

    def __str__(self) -> str:
        """Return the row as a line for screen readers."""
        figures = f", weighted κ {self.kappa}, τ {self.tau}" if self.kappa else ""
        return f"{'model' if self.model else 'person'} {self.name}{figures}"


class JudgeDelegate(Themed, QStyledItemDelegate):
    """Paints a :class:`JudgeRow`."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: JudgeRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.current and row.model:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        if row.current:
            sign = QPointF(rect.left() + MARGIN + 5, rect.center().y() + 1)
            paint_layer_sign(painter, sign, theme, MODEL if row.model else PERSON)
        text = theme.color("text")
        inside = rect.adjusted(MARGIN + 20, 0, -MARGIN, 0)
        figure = derived(option.font, factor=0.96)
        write(painter, inside, row.tau, figure, text, RIGHT)
        write(painter, inside.adjusted(0, 0, -TAU, 0), row.kappa, figure, text, RIGHT)
        name = inside.adjusted(0, 0, -(KAPPA + TAU) if row.model else 0, 0)
        write(
            painter, name, row.name, derived(option.font, bold=row.current and row.model), text, shorten=CUT
        )
        painter.restore()


class BiasBars(PaintedChart):
    """Model minus person by thirds of a quantity, as bars on both sides of a line; bars can be clicked."""

    asked = Signal(object)  # the name of a third

    def __init__(self, name: str, thirds: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(f"Model minus person, {name}")
        self._names, self._biases = thirds, tuple[Bias, ...]()
        self.setFixedHeight(3 * BIAS_ROW)

    def show_biases(self, biases: Sequence[Bias]) -> None:
        self._biases = tuple(biases)
        said = (
            f"{name} {difference_text(one.mean, 2)} of {counted(one.documents, 'document')}"
            for name, one in zip(self._names, biases, strict=False)
        )
        self.setAccessibleDescription("; ".join(said))
        self.setToolTip("\n".join(self.accessibleDescription().split("; ")))
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = int(event.position().y()) // BIAS_ROW
        if event.button() is Qt.MouseButton.LeftButton and 0 <= at < len(self._biases):
            self.asked.emit(self._biases[at].third)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        figures, bold = 54, derived(self.font(), factor=0.96, bold=True)
        zero = self.width() * 0.62
        half = min(zero - self.width() * 0.44, self.width() - figures - zero)
        largest = max((abs(one.mean) for one in self._biases if not math.isnan(one.mean)), default=0.0)
        plain = derived(self.font(), factor=0.96)
        for at, (name, one) in enumerate(zip(self._names, self._biases, strict=False)):
            row = QRectF(0, at * BIAS_ROW, self.width(), BIAS_ROW)
            write(painter, row, name, plain, theme.color("text"))
            known = not math.isnan(one.mean)
            write(
                painter, row, difference_text(one.mean, 2) if known else "–", bold, theme.color("text"), RIGHT
            )
            if known and largest:
                wide = half * one.mean / max(largest, 0.5)
                bar = QRectF(zero, row.center().y() - 4, wide, 8).normalized()
                painter.fillRect(bar, theme.color("layer_b"))
        painter.setPen(QPen(theme.color("muted"), 1))
        painter.drawLine(QPointF(zero, 0), QPointF(zero, self.height()))


FIGURES = (
    ("weighted κ", "Weighted κ, quadratic"), ("interval", "95 %, of 2,000 draws"), ("κ", "κ"),
    ("α", "α, ordinal"), ("same", "Same grade"), ("higher", "Model higher, lower"),
)  # fmt: skip


class JudgesPanel(QWidget):
    """The list of judges, and the figures of the chosen model."""

    chosen = Signal(object)  # JudgeRow
    derived = Signal(object)  # the name of a figure
    removed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.heading = Caption("Judges")
        self.model: ListModel[JudgeRow] = ListModel(self)
        self.view = ChoosingView("Judges")
        self.view.setModel(self.model)
        self._delegate = JudgeDelegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.chosen.connect(lambda index: self.chosen.emit(index.data(RowRole)))
        self.counted = Caption("Grades")
        self.values = {name: label("", "note" if name == "interval" else "value") for name, _ in FIGURES}
        self.names: dict[str, QPushButton] = {}
        self.bars = {what: BiasBars(said, thirds) for what, (said, thirds) in THIRDS.items()}
        self.read, self.found = label("", "value"), label("", "value")
        self.left_out = label("", "note", wrap=True)
        self.derivation = label("", "verdict", wrap=True)
        self.derivation.hide()
        self.remove = button("Remove this model…", "link")
        self.remove.clicked.connect(self.removed)
        self._figures = QWidget()
        self._lay_out()

    def _lay_out(self) -> None:
        figures = in_column(spacing=2)
        for name, said in FIGURES:
            made = self.names[name] = button(said, "figure")
            made.setProperty("quiet", True)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(partial(self.derived.emit, name))
            figures.addLayout(in_row(made, Filler(1), self.values[name]))
        self._bias_heads = {what: label(said, "note") for what, (said, _) in THIRDS.items()}
        bias = Caption("Model minus person")
        parts: list[QWidget] = []
        for what, bars in self.bars.items():
            bars.asked.connect(lambda third, what=what: self.derived.emit(f"{what}, {third}"))
            parts += [self._bias_heads[what], bars]
        holds = QGridLayout()
        holds.setColumnStretch(0, 1)
        for at, (said, value) in enumerate(
            (("Labels with a grade", self.read), ("Quotes found in the text", self.found))
        ):
            holds.addWidget(label(said), at, 0)
            holds.addWidget(value, at, 1, RIGHT)
        self.bias = QWidget()
        in_column(in_row((bias, 1), label("grades", "note")), *parts, on=self.bias, margins=0, spacing=4)
        in_column(
            self.counted, figures, 12, self.bias, 12, Caption("What the file holds"), holds, self.left_out,
            self.derivation, in_row(self.remove, Filler(1)), Filler(1),
            on=self._figures, margins=(MARGIN, 8, MARGIN, 8), spacing=5,
        )  # fmt: skip
        self._figures.setProperty("role", "chrome")
        self._columns = _column("κw", KAPPA - 6), _column("τ", TAU)
        columns = in_row((self.heading, 1), *self._columns, margins=(MARGIN, MARGIN, MARGIN, 2), spacing=0)
        in_column(columns, self.view, (ScrollingPanel(self._figures), 1), on=self, margins=0, spacing=4)

    def show_judges(self, rows: Sequence[JudgeRow]) -> None:
        self.heading.set_text("Judges", str(len(rows)))
        for column in self._columns:
            column.setVisible(any(row.model for row in rows))
        self.model.set_rows(rows)
        self.view.setFixedHeight(ROW * min(max(len(rows), 1), 7) + 2)
        here = next((at for at, row in enumerate(rows) if row.current and row.model), None)
        if here is not None:
            self.view.setCurrentIndex(self.model.index(here))

    def show_figures(
        self,
        documents: int,
        figures: Mapping[str, str],
        biases: Mapping[str, Sequence[Bias]],
        holds: tuple[str, str, str],
    ) -> None:
        """Show a model's figures by name, its bias, and the contents of its file; all may be empty."""
        self._figures.setVisible(bool(figures))
        self.counted.set_text("Grades", counted(documents, "document"))
        for name, value in self.values.items():
            value.setText(figures.get(name, ""))
        for what, bars in self.bars.items():
            there = what in biases
            bars.setVisible(there)
            self._bias_heads[what].setVisible(there)
            bars.show_biases(biases.get(what, ()))
        self.bias.setVisible(bool(biases))
        read, found, said = holds
        self.read.setText(read)
        self.found.setText(found)
        self.left_out.setText(said)
        self.left_out.setVisible(bool(said))

    def show_derivation(self, text: str) -> None:
        """Show the derivation of a figure; "" hides it."""
        self.derivation.setText(text)
        self.derivation.setVisible(bool(text))


def _column(text: str, width: int) -> QLabel:
    made = label(text, "note")
    made.setFixedWidth(width)
    made.setAlignment(RIGHT)
    return made


class PassageView(PaintedWidget):
    """A part of a text with the person's marks and the model's quotes."""

    def __init__(self) -> None:
        super().__init__()
        self._part = InText(0, "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_part(self, part: InText) -> None:
        self._part = part
        self.setAccessibleName(part.text)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._laid_out(width).boundingRect().height()) + 4 if self._part.text else 0

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._part.text:
            self._laid_out(self.width()).draw(QPainter(self), QPointF(0, 0))

    def _laid_out(self, width: float) -> QTextLayout:
        font = QFont(self.font())
        font.setFamilies(list(READING_FAMILIES))
        font.setPixelSize(PASSAGE)
        text = "".join(letter if letter.isprintable() else " " for letter in self._part.text)
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(self._formats(text))
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 40))
            line.setPosition(QPointF(0, top))
            top += line.height() * 1.25
        layout.endLayout()
        return layout

    def _formats(self, text: str) -> list[QTextLayout.FormatRange]:
        """Return the format of each stretch of the text; Qt counts UTF-16 units."""
        theme, part = self.theme, self._part
        base = QTextCharFormat()
        base.setForeground(theme.color("text"))
        edges = sorted({0, len(text), *(edge for span in (*part.marks, *part.quotes) for edge in span)})
        found = []
        for start, end in pairwise(edges):
            look = QTextCharFormat(base)
            if any(low <= start < high for low, high in part.marks):
                look.setBackground(theme.color("mark"))
                self._underline(
                    look, theme.color("mark_edge"), QTextCharFormat.UnderlineStyle.SingleUnderline
                )
            if any(low <= start < high for low, high in part.quotes):
                self._underline(look, theme.color("suggested"), QTextCharFormat.UnderlineStyle.DashUnderline)
            ranged = QTextLayout.FormatRange()
            ranged.start, ranged.length = _units(text[:start]), _units(text[start:end])
            ranged.format = look
            found.append(ranged)
        return found

    def _underline(self, look: QTextCharFormat, color: QColor, style: QTextCharFormat.UnderlineStyle) -> None:
        look.setUnderlineStyle(style)
        look.setUnderlineColor(color)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class LookSample(PaintedWidget):
    """A sample of the yellow of marks, or of the dashed lines of quotes."""

    def __init__(self, *, marked: bool) -> None:
        super().__init__()
        self._marked = marked
        self.setFixedSize(20, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        if self._marked:
            painter.fillRect(self.rect(), theme.color("mark"))
            painter.setPen(QPen(theme.color("mark_edge"), 2))
        else:
            painter.setPen(QPen(theme.color("suggested"), 2, Qt.PenStyle.DashLine))
        painter.drawLine(0, 13 if self._marked else 8, 20, 13 if self._marked else 8)


class JudgementCard(QFrame):
    """One judge's grade of the document, with the reason or the marked text."""

    def __init__(self, layer: int) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.name, self.grade = ElidedLabel(role="value"), label("", "value")
        self.said, self.shown = label("", wrap=True), label("", "note", wrap=True)
        in_column(
            in_row(LayerSign(layer), (self.name, 1), self.grade, spacing=6),
            self.said,
            self.shown,
            on=self,
            margins=(12, 9, 12, 9),
            spacing=5,
        )

    def show_judgement(self, name: str, grade: int, said: str, shown: str = "") -> None:
        self.name.set_text(name)
        self.grade.setText(f"grade {grade}")
        for part, text in ((self.said, said), (self.shown, shown)):
            part.setText(breakable(text))
            part.setVisible(bool(text))


class QuoteLine(QWidget):
    """A quote with its key and its place in the text; a click goes there."""

    chosen = Signal()
    nearest_wanted = Signal()

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = label(str(number), "key")
        self._number.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.quote, self.said = label("", wrap=True), label("", "note", wrap=True)
        self.ask = button("nearest words", "link")
        self.ask.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.ask.clicked.connect(self.nearest_wanted)
        self._shown: tuple[str, str, FoundQuote | None] | None = None  # document, quote, and its place
        in_row(
            (self._number, 0, Qt.AlignmentFlag.AlignTop),
            (in_column(self.quote, self.said, in_row(self.ask, Filler(1)), margins=0, spacing=2), 1),
            on=self, margins=(0, 2, 0, 4), spacing=8,
        )  # fmt: skip

    def show_quote(self, document: str, quote: str, found: FoundQuote | None) -> None:
        """Show a quote of a document; requested nearest words stay if the quote is the same."""
        if self._shown == (document, quote, found):
            return
        self._shown = document, quote, found
        self.quote.setText(breakable(f"“{in_one_line(quote, LONGEST_QUOTE)}”"))
        said = "…" if found is None else f"{'✓' if found.places else '✗'} {found.said()}"
        self.said.setText(said)
        self.ask.setVisible(found is not None and not found.places)

    def show_nearest(self, said: str) -> None:
        """Show which words of a missing quote are in the text."""
        self.said.setText(f"{self.said.text().partition(NEWLINE)[0]}{NEWLINE}{breakable(said)}")
        self.ask.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit()


class ComparedPanel(QWidget):
    """One document with the judgements of both judges, and both in its text."""

    quote_chosen = Signal(object)  # int
    nearest_wanted = Signal(object)  # int

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.heading, self.rank = Caption("This document"), label("", "note")
        self.title, self.facts = ElidedLabel(role="heading"), label("", "note", wrap=True)
        self.person, self.model = JudgementCard(PERSON), JudgementCard(MODEL)
        self.quotes_heading = Caption("Its quotes")
        self.quotes = tuple(QuoteLine(number) for number in range(1, MOST_QUOTES + 1))
        for at, line in enumerate(self.quotes):
            line.chosen.connect(partial(self.quote_chosen.emit, at))
            line.nearest_wanted.connect(partial(self.nearest_wanted.emit, at))
        self.more = label("", "note")
        self.text_heading, self.offset = Caption("In the text"), label("", "note")
        self.passage = PassageView()
        self.legend = QWidget()
        flow = FlowLayout(parent=self.legend)
        for marked, said in ((True, "marked by the person"), (False, "quoted by the model")):
            pair = QWidget()
            in_row(LookSample(marked=marked), label(said, "note"), on=pair, margins=(0, 0, 6, 0), spacing=5)
            flow.addWidget(pair)
        self.unseen = label("", wrap=True)
        self.open = KeyButton("Open there", book["open-quote"], primary=True, key="Enter")
        self.stands = KeyButton(book["grade-holds"].text(), book["grade-holds"])
        self.back = KeyButton("Back to the judges", book["back-to-judges"])
        self._lay_out()
        self.show_nothing()

    def _lay_out(self) -> None:
        self._inside = QWidget()
        self._inside.setProperty("role", "chrome")
        column = in_column(
            in_row((self.heading, 1), self.rank),
            self.title,
            self.facts,
            self.person,
            self.model,
            10,
            self.quotes_heading,
            *self.quotes,
            self.more,
            10,
            in_row((self.text_heading, 1), self.offset),
            self.passage,
            self.legend,
            self.unseen,
            on=self._inside,
            margins=(MARGIN, MARGIN, MARGIN, 8),
            spacing=6,
        )
        column.addStretch(1)
        self.foot = QWidget()
        in_column(
            label("This page changes no judgement", "note"), self.open, self.back, self.stands,
            on=self.foot, margins=(MARGIN, 2, MARGIN, MARGIN), spacing=6,
        )  # fmt: skip
        self._area = ScrollingPanel(self._inside)
        self._nothing = label(
            "Select a document of the list to see both judgements in the text.", "note", wrap=True
        )
        self._nothing.setContentsMargins(MARGIN, MARGIN, MARGIN, 0)
        in_column(self._nothing, (self._area, 1), self.foot, on=self, margins=0, spacing=0).addStretch(0)

    def show_looking(self, looking: bool) -> None:
        """Show the button that leads back while the article is open."""
        self.open.setVisible(not looking)
        self.back.setVisible(looking)

    def show_nothing(self) -> None:
        self._nothing.show()
        self._area.hide()
        self.foot.hide()

    def show_document(
        self, place: str, rank: int | None, title: str, facts: str, names: tuple[str, str], label: ModelLabel,
        grades: tuple[int, int], marks: Spans,
    ) -> None:  # fmt: skip
        """Show the judgements of both judges on a document."""
        self._nothing.hide()
        self._area.show()
        self.foot.show()
        self.heading.set_text("This document", place)
        self.rank.setText("" if rank is None else f"best rank {rank:,}")
        self.title.set_text(title)
        self.facts.setText(facts)
        self.facts.setVisible(bool(facts))
        marked = f"{counted(marks.size, 'character')} marked, in {counted(len(marks), 'place')}"
        self.person.show_judgement(names[0], grades[0], marked if marks else "nothing marked")
        reason = in_one_line(label.reason, LONGEST_REASON)
        shown = "" if label.shown is None else (
            f"It was shown characters {label.shown[0]:,} to {label.shown[1]:,} of the text."
        )  # fmt: skip
        self.model.show_judgement(names[1], grades[1], f"“{reason}”" if reason else "no reason given", shown)

    def show_quotes(self, document: str, quotes: Sequence[str], found: Sequence[FoundQuote] | None) -> None:
        """Show the quotes of a document, and their places as soon as they are found."""
        self.quotes_heading.set_text("Its quotes", str(len(quotes)))
        self.quotes_heading.setVisible(bool(quotes))
        for at, line in enumerate(self.quotes):
            line.setVisible(at < len(quotes))
            if at < len(quotes):
                line.show_quote(
                    document, quotes[at], None if found is None or at >= len(found) else found[at]
                )
        left = len(quotes) - len(self.quotes)
        self.more.setText(f"and {counted(left, 'quote')} more" if left > 0 else "")
        self.more.setVisible(left > 0)

    def show_text(self, part: InText | None, offset: str, unseen: str, problem: str = "") -> None:
        """Show both judges in the text; None while it is read, or if it cannot be read."""
        self.passage.show_part(part or InText(0, ""))
        self.passage.setVisible(part is not None)
        self.legend.setVisible(part is not None)
        self.offset.setText(offset)
        self.unseen.setText(problem or unseen)
        self.unseen.setVisible(bool(problem or unseen))


class AskedDialog(Dialog):
    """Dialog for the thresholds that models must reach, and the measure that orders the runs."""

    def __init__(self, asked: AskedOfModels, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Thresholds for models")
        self.kappa, self.tau = still(QDoubleSpinBox()), still(QDoubleSpinBox())
        for box, value, name in (
            (self.kappa, asked.kappa, "Weighted κ"),
            (self.tau, asked.tau, "τ of the runs"),
        ):
            box.setRange(0.0, 1.0)
            box.setDecimals(3)
            box.setSingleStep(0.05)
            box.setValue(value)
            box.setAccessibleName(name)
        self.measure = QLineEdit(asked.measure)
        self.measure.setAccessibleName("Runs are ordered by")
        form = QFormLayout()
        form.addRow("Weighted κ, its whole interval", self.kappa)
        form.addRow("τ of the order of the runs", self.tau)
        form.addRow("Runs are ordered by", self.measure)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        note = label("Saved in the project, for all models and topics.", "note", wrap=True)
        in_column(form, note, buttons, on=self, margins=18, spacing=12)

    @property
    def wanted(self) -> AskedOfModels:
        return AskedOfModels(self.kappa.value(), self.tau.value(), self.measure.text().strip())
