"""The left panel of Adjudicate: agreement, progress, and the disputed documents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
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
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from inexview.core.evaluation.agreement import SeveralAgreement, TopicAgreement, agree_on_document
from inexview.core.project.document_state import DocumentState, Ruling
from inexview.core.project.reviews import LAYERS, Difference, Place, choices
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, percent
from inexview.gui.adjudicate.adjudicate_controller import DisputeRow, DisputeState
from inexview.gui.article.overlays import Contest, ContestedPlace
from inexview.gui.look.panels import (
    ChoosingView,
    Index,
    ListModel,
    RowRole,
    ScrollingPanel,
    chip_button,
)
from inexview.gui.look.theme import LAYER_LOOKS, Theme, Themed, paint_layer_bar, paint_layer_sign
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    FlowLayout,
    KeyButton,
    KeySign,
    PaintedWidget,
    ThinBar,
    beside_scroll_bar,
    derived,
    in_column,
    in_row,
    key_text,
    label,
    paint_focus,
    still,
    with_key,
    write,
)
from inexview.gui.services.actions import ActionBook

PAIR_ROW, BAR, COLUMNS = 21, 8, (0.44, 0.66, 0.83, 1.0)  # the right ends of A, B, ∩/∪ and κ
TABLE_ROW, TABLE_COLUMNS = 20, (0.42, 0.58, 0.84, 1.0)  # of ∩/∪ and κ of documents and of characters
APART = 7  # pixels at least between figures
ALL = "Fleiss’ κ"
AT_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
WHAT = ("documents", "characters")


def figure(value: float) -> str:
    """Return a share or a κ in display form."""
    return "–" if math.isnan(value) else f"{value:.3f}".replace("-", "−")


class AgreementFigures(PaintedWidget):
    """A row of figures for each compared unit; the figures equal those of `inexview agree`."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, self._height)

    def _painter(self) -> tuple[QPainter, QFont, QFont]:
        """Return a painter, and the fonts of normal and of emphasised figures."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small, bold = derived(self.font(), factor=0.92), derived(self.font(), factor=0.96, bold=True)
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        return painter, small, bold


class AgreementView(AgreementFigures):
    """Two rows of figures and a bar."""

    def __init__(self) -> None:
        super().__init__(3 * PAIR_ROW + BAR + 30)
        self._agreement: TopicAgreement | None = None

    def show_agreement(self, agreement: TopicAgreement | None) -> None:
        self._agreement = agreement
        rows = "" if agreement is None else "; ".join(" ".join(row) for row in self.rows())
        self.setAccessibleName(f"Agreement: {rows or 'no document was judged by both'}")
        self.update()

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return the rows: unit, A's number, B's number, ∩/∪, κ."""
        found = []
        compared = {} if self._agreement is None else self._agreement.compared
        for what in WHAT:
            if (counted := compared.get(what)) is not None:
                a, b = counted.both + counted.only_a, counted.both + counted.only_b
                found.append((what, f"{a:,}", f"{b:,}", figure(counted.overlap), figure(counted.kappa)))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, small, bold = self._painter()
        rows, text = self.rows(), self.theme.color("text")
        plain = QFontMetricsF(small)
        ends = self._columns(rows, plain, QFontMetricsF(bold))
        for at, heading in enumerate(("A", "B", "∩/∪", "κ")):
            painter.drawText(QRectF(0, 0, ends[at], PAIR_ROW), AT_RIGHT, heading)
            if at < 2:
                paint_layer_sign(painter, QPointF(ends[at] - 17, PAIR_ROW / 2), self.theme, at)
        for number, (what, *figures) in enumerate(rows, 1):
            top = number * PAIR_ROW
            named = QRectF(0, top, ends[0] - plain.horizontalAdvance(figures[0]) - APART, PAIR_ROW)
            write(painter, named, what, small, text, LEFT, CUT)
            for at, told in enumerate(figures):
                painter.setFont(bold if at > 1 else small)
                painter.drawText(QRectF(0, top, ends[at], PAIR_ROW), AT_RIGHT, told)
        self._paint_shares(painter)

    def _columns(
        self, rows: Sequence[tuple[str, ...]], plain: QFontMetricsF, bold: QFontMetricsF
    ) -> list[float]:
        """Return the right ends of the columns; long figures move them closer together."""
        fonts = (plain, plain, bold, bold)
        widths = [
            max((font.horizontalAdvance(row[at]) for row in rows), default=0.0)
            for at, font in enumerate(fonts, 1)
        ]
        named = max(map(plain.horizontalAdvance, WHAT))
        ends = [share * self.width() for share in COLUMNS]
        before = [named, *ends[:-1]]
        if any(end - width < edge + APART for end, width, edge in zip(ends, widths, before, strict=True)):
            ends = [self.width() - sum(APART + width for width in widths[at:]) for at in range(1, 5)]
        return ends

    def _paint_shares(self, painter: QPainter) -> None:
        counted = None if self._agreement is None else self._agreement.compared.get("characters")
        if counted is None or not counted.either:
            return
        top, width = 3.0 * PAIR_ROW + 5, float(self.width())
        only_a, both = (width * part / counted.either for part in (counted.only_a, counted.both))
        paint_layer_bar(painter, QRectF(0, top, only_a, BAR), self.theme, 0)
        painter.fillRect(QRectF(only_a, top, both, BAR), self.theme.color("mark_edge"))
        rest = QRectF(only_a + both, top, width - only_a - both, BAR)
        paint_layer_bar(painter, rest, self.theme, 1)
        painter.setFont(derived(self.font(), factor=0.86))
        painter.setPen(self.theme.color("muted"))
        below = QRectF(0, top + BAR, width, PAIR_ROW)
        middle = Qt.AlignmentFlag.AlignVCenter
        for side, told in (
            (Qt.AlignmentFlag.AlignLeft, f"{counted.only_a:,} only A"),
            (Qt.AlignmentFlag.AlignHCenter, f"{counted.both:,} both"),
            (Qt.AlignmentFlag.AlignRight, f"{counted.only_b:,} only B"),
        ):
            painter.drawText(below, int(side | middle), told)


class AgreementTable(AgreementFigures):
    """A row of figures for each pair, and one for all."""

    def __init__(self) -> None:
        super().__init__(6 * TABLE_ROW + 4)
        self._agreement: SeveralAgreement | None = None

    def show_agreement(self, agreement: SeveralAgreement | None) -> None:
        self._agreement = agreement
        told = "; ".join(f"{who}: {', '.join(filter(None, figures))}" for who, *figures in self.rows())
        self.setAccessibleName(f"Agreement, ∩/∪ and κ of documents, of characters: {told}")
        self.update()

    def rows(self) -> list[tuple[str, ...]]:
        """Return the rows: layers, ∩/∪ and κ of documents, ∩/∪ and κ of characters."""
        found = self._agreement
        if found is None:
            return []
        rows: list[tuple[str, ...]] = []
        for pair, own in found.pairs.items():
            compared = [own.overall.compared.get(what) for what in WHAT]
            figures = [
                figure(value) for one in compared if one is not None for value in (one.overlap, one.kappa)
            ]
            rows.append((" ".join(LAYER_LOOKS[at].letter for at in pair), *figures))
        rows.append((ALL, "", figure(found.fleiss_documents), "", figure(found.fleiss_characters)))
        return rows

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, small, bold = self._painter()
        ends = [share * self.width() for share in TABLE_COLUMNS]
        for at, what in enumerate(WHAT):
            painter.drawText(QRectF(0, 0, ends[2 * at + 1], TABLE_ROW), AT_RIGHT, what)
        for end, heading in zip(ends, ("∩/∪", "κ") * 2, strict=True):
            painter.drawText(QRectF(0, TABLE_ROW, end, TABLE_ROW), AT_RIGHT, heading)
        for number, (whose, *figures) in enumerate(self.rows(), 2):
            row = QRectF(0, number * TABLE_ROW, self.width(), TABLE_ROW)
            self._paint_whose(painter, whose, row)
            painter.setFont(bold if whose == ALL else small)
            for end, told in zip(ends, figures, strict=False):
                painter.drawText(QRectF(0, row.top(), end, TABLE_ROW), AT_RIGHT, told)

    def _paint_whose(self, painter: QPainter, whose: str, row: QRectF) -> None:
        painter.setPen(self.theme.color("text"))
        painter.setFont(derived(self.font(), factor=0.92))
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        if whose == ALL:
            painter.drawText(row, middle, whose)
            return
        x = row.left() + 5
        for layer, look in enumerate(LAYER_LOOKS):
            if look.letter in whose:
                paint_layer_sign(painter, QPointF(x, row.center().y()), self.theme, layer)
                painter.setPen(self.theme.color("text"))
                painter.drawText(row.adjusted(x + 8, 0, 0, 0), middle, look.letter)
                x += 30


# The list of judged documents: state, title, and disputed characters.

HEIGHT, TEXT_LEFT, EDGE, FIGURE, BARS = 31, 34, 14, 46, 78


class DisputeModel(ListModel[DisputeRow]):
    """The rows of one list."""

    def set_rows(self, rows: Sequence[DisputeRow]) -> None:
        """Show rows; keep the scroll position if the documents are the same."""
        same = [one.document for one in rows] == [one.document for one in self.rows]
        if same and rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
        else:
            super().set_rows(rows)

    def row_of(self, document: str | None) -> int:
        """Return the row of a document; -1 if it is not listed."""
        return next((at for at, row in enumerate(self.rows) if row.document == document), -1)


class DisputeHeadings(PaintedWidget):
    """The column heading above the bars and figures of a :class:`DisputeDelegate`."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(16)
        self.layers, self.figure = 2, FIGURE

    def show_columns(self, layers: int, figure: int) -> None:
        """Set the width of the figures; three layers are stacked and need no letters."""
        self.layers, self.figure = layers, figure
        self.setFixedWidth(figure + BARS)
        self.setAccessibleName("Only A, only B, characters that differ" if layers == 2 else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, small = QPainter(self), derived(self.font(), factor=0.92)
        muted, room = self.theme.color("muted"), QRectF(self.rect())
        write(painter, room, "differ", small, muted, RIGHT)
        if self.layers == 2:
            zero = BARS / 2
            write(painter, room.adjusted(0, 0, zero - room.width() - 5, 0), "A", small, muted, RIGHT)
            write(painter, room.adjusted(zero + 6, 0, 0, 0), "B", small, muted)


class DisputeDelegate(Themed, QStyledItemDelegate):
    """Paints a :class:`DisputeRow`; half of the bar's width stands for ``largest`` characters."""

    largest = 1
    figure = FIGURE  # pixels of a figure beside bars; equal in all rows, so that the bars are aligned

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: DisputeRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(
            Qt.LayoutDirection.LayoutDirectionAuto
        )  # titles keep their writing direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.current:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        middle = rect.center().y() + 1
        at = QPointF(rect.left() + 18, middle)
        paint_progress(painter, at, theme, settled=row.settled, begun=row.begun)
        inside = rect.adjusted(TEXT_LEFT, 0, -beside_scroll_bar(option.widget, EDGE), 0)
        color = theme.color("muted" if row.settled else "text")
        write(painter, inside, row.told, derived(option.font, factor=0.96), color, RIGHT)
        bars = BARS if any(row.disputed_of) else 0
        wide = self.figure if bars else figure_wide(option.font, row)
        if bars:
            self._paint_bars(painter, QPointF(inside.right() - wide - BARS / 2, middle), row)
        title = inside.adjusted(0, 0, -wide - bars - 8, 0)
        write(painter, title, row.title, derived(option.font, bold=row.current), color, shorten=CUT)
        painter.restore()

    def _paint_bars(self, painter: QPainter, zero: QPointF, row: DisputeRow) -> None:
        """Paint the disputed characters: two layers left and right of a line, three layers stacked."""
        painter.setOpacity(0.5 if row.settled else 1.0)
        if len(row.disputed_of) > 2:
            self._paint_stack(painter, zero, row.disputed_of)
            painter.setOpacity(1.0)
            return
        scale = (BARS / 2 - 2) / max(self.largest, 1)
        left, right = (size * scale for size in row.disputed_of)
        top = zero.y() - 3
        paint_layer_bar(painter, QRectF(zero.x() - left, top, left, 6), self.theme, 0)
        paint_layer_bar(painter, QRectF(zero.x() + 1, top, right, 6), self.theme, 1)
        painter.setOpacity(1.0)
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(zero.x(), top - 2), QPointF(zero.x(), top + 8))

    def _paint_stack(self, painter: QPainter, middle: QPointF, sizes: Sequence[int]) -> None:
        left, scale = middle.x() - BARS / 2 + 12, (BARS - 14) / max(self.largest, 1)
        for layer, size in enumerate(sizes):
            top = middle.y() - 10 + 7 * layer
            paint_layer_bar(painter, QRectF(left, top, size * scale, 5), self.theme, layer)
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(left - 1, middle.y() - 11), QPointF(left - 1, middle.y() + 10))


def figure_wide(font: QFont, row: DisputeRow) -> int:
    """Return the width in pixels of the right part of a row, including a gap."""
    return QFontMetrics(derived(font, factor=0.96)).horizontalAdvance(row.told) + 6


def paint_progress(
    painter: QPainter, centre: QPointF, theme: Theme, *, settled: bool, begun: bool = False
) -> None:
    """Paint a state: a ring (open), a half-filled ring (begun), a tick (done)."""
    if settled:
        painter.setPen(QPen(theme.color("finished"), 1.7))
        painter.drawPolyline([centre + QPointF(-4, 0), centre + QPointF(-1, 3), centre + QPointF(4, -3.5)])
        return
    ring = QRectF(centre.x() - 4.5, centre.y() - 4.5, 9, 9)
    color = theme.color("accent" if begun else "muted")
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(ring)
    if begun:
        painter.setBrush(color)
        painter.drawPie(ring, 90 * 16, 180 * 16)


class LayerBox(QComboBox):
    """A box to choose an assessor; it shortens long names itself, because Qt cuts within a letter."""

    def shown_text(self) -> str:
        """Return the name, shortened to fit."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room.width() - 2
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class DisputePanel(QWidget):
    """Agreement, progress, and one of four lists of documents."""

    document_chosen = Signal(object)  # document id
    layers_chosen = Signal(object)  # tuple[int, …]: positions of the compared layers
    list_chosen = Signal(object)  # DisputeState

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.shown = DisputeState.TO_SETTLE
        self._agreed_on = Caption("Agreement")
        self.agreement = AgreementView()
        self.among = AgreementTable()
        self._choice = QWidget()
        self.boxes = tuple(still(LayerBox()) for _ in LAYER_LOOKS)
        self._disputed = Caption("Disputed")
        self._bar = ThinBar()
        self.told = label("", "", wrap=True)
        self._chips = QButtonGroup(self)
        self.model = DisputeModel(self)
        self.view = ChoosingView("Documents in which the layers differ")
        self._delegate = DisputeDelegate(self.view)
        self._head = ElidedLabel(role="note")
        self._columns = DisputeHeadings()
        self.take_over = KeyButton("Accept all of these", book["take-over"])
        self._build()
        self.show_layers((), ())
        self.show_agreement(None)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.chosen.connect(lambda index: self.document_chosen.emit(index.data(RowRole).document))
        self._chips.buttonClicked.connect(lambda chip: self.list_chosen.emit(chip.property("shown")))
        for box, look in zip(self.boxes, LAYER_LOOKS, strict=True):
            box.setAccessibleName(f"Assessor {look.letter}")
            box.activated.connect(
                lambda _at: self.layers_chosen.emit(
                    tuple(place for box in self.boxes if (place := box.currentData()) is not None)
                )
            )

    def _build(self) -> None:
        chips = FlowLayout()
        for stage in DisputeState:
            made = chip_button(stage.value)
            made.setProperty("shown", stage)
            self._chips.addButton(made)
            chips.addWidget(made)
        choice = QHBoxLayout(self._choice)
        choice.setContentsMargins(0, 0, 0, 0)
        choice.setSpacing(4)
        for box, look in zip(self.boxes, LAYER_LOOKS, strict=True):
            choice.addWidget(label(look.letter, "muted"))
            choice.addWidget(box, 1)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(3)
        head = in_column(
            self._agreed_on,
            self._choice,
            self.agreement,
            self.among,
            6,
            self._disputed,
            self._bar,
            self.told,
            chips,
            in_row((self._head, 1), self._columns, spacing=4),
            margins=(MARGIN, MARGIN, MARGIN, 4),
            spacing=7,
        )
        in_column(
            head,
            (self.view, 1),
            in_column(self.take_over, margins=(MARGIN, 6, MARGIN, MARGIN)),
            on=self,
            margins=0,
            spacing=0,
        )

    def show_layers(self, names: Sequence[str], chosen: Sequence[int]) -> None:
        """Offer a choice if there are more than two layers; one of them may be left out."""
        self._choice.setVisible(len(names) > 2)
        for at, box in enumerate(self.boxes):
            box.clear()
            for place, name in enumerate(names):
                box.addItem(name, place)
            if at > 1:
                box.addItem("–", None)
            box.setCurrentIndex(chosen[at] if at < len(chosen) else box.count() - 1)
            box.setToolTip(box.currentText())

    def show_agreement(self, agreement: TopicAgreement | SeveralAgreement | None) -> None:
        """Show the agreement of the layers; of three layers, that of each pair."""
        several = isinstance(agreement, SeveralAgreement)
        self.agreement.setVisible(not several)
        self.among.setVisible(several)
        if isinstance(agreement, SeveralAgreement):
            judged = agreement.documents
            self.among.show_agreement(agreement)
        else:
            judged = 0 if agreement is None else agreement.judged.both
            self.agreement.show_agreement(agreement)
        self._agreed_on.set_text(f"Agreement · {counted(judged, 'document')}")

    def show_progress(self, counts: Mapping[DisputeState, int], share: float) -> None:
        """Show the length of each list, and the settled share of the disputed characters."""
        settled, open_ = counts[DisputeState.SETTLED], counts[DisputeState.TO_SETTLE]
        disputed = settled + open_
        self._disputed.set_text(f"Disputed · {counted(disputed, 'document')}")
        self._bar.show_share(settled / disputed if disputed else 1.0)
        self.told.setText(
            f"{settled:,} settled, {open_:,} to go · {percent(share)} of the characters"
            if disputed
            else "They do not differ."
        )
        for chip in self._chips.buttons():
            stage = chip.property("shown")
            chip.setText(f"{stage.value} {counts[stage]:,}")
            chip.setChecked(stage is self.shown)
            chip.setVisible(stage is not DisputeState.ALONE or counts[stage] > 0)

    def show_rows(self, rows: Sequence[DisputeRow]) -> None:
        barred = [row for row in rows if any(row.disputed_of)]
        self._delegate.largest = max((max(row.disputed_of) for row in barred), default=1)
        wide = max((figure_wide(self.view.font(), row) for row in barred), default=0)
        self._delegate.figure = max(FIGURE, wide)
        layers = len(barred[0].disputed_of) if barred else 0
        self._columns.show_columns(layers, self._delegate.figure)
        self._columns.setVisible(bool(barred))
        self.model.set_rows(rows)
        taking = self.shown in (DisputeState.AGREED, DisputeState.ALONE)
        left = sum(not row.settled for row in rows)
        self.take_over.setVisible(taking and left > 0)
        self.take_over.set_text(f"Take over {left:,} as they are" if left > 1 else "Take it over as it is")
        heads = {DisputeState.AGREED: "All say the same", DisputeState.ALONE: "Only one judged these"}
        self._head.set_text(heads.get(self.shown, "Largest first"))
        at = next((at for at, row in enumerate(rows) if row.current), -1)
        if at >= 0:
            self.view.scrollTo(self.model.index(at))


# The right panel of Adjudicate: the current place and its choices, the other places, and the open ones.

ROW, KEY, WORDS, NUMBER = 33, 20, 126, 48
LEAST_PLACES = 4  # lines of the list of places
FADED = 0.4  # opacity of the drawing of an unavailable choice; its text stays readable


class RulingButton(Themed, QAbstractButton):
    """A choice: its key, its text, its marks within the place, and their number of characters."""

    def __init__(self, action: QAction, words: str, symbol: str = "", *, layer: int | None = None) -> None:
        """``layer`` is the layer whose marks it uses; a combination of layers has a ``symbol``."""
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
        self._spans, self._place, self._told = spans, place, told
        self.taken = taken
        self.setEnabled(possible)
        said = ", ".join(filter(None, (self.text(), told, "taken" if taken else "")))
        self.setAccessibleName(with_key(said, key_text(self._action)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), theme.color("selected"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        middle, wide = self.height() / 2, float(self.width())
        painter.drawRoundedRect(QRectF(0.5, middle - 10, KEY, 20), 4, 4)
        color = theme.color("text" if self.isEnabled() else "muted")
        key = QRectF(0.5, middle - 10, KEY, 20)
        small = derived(self.font(), factor=0.88)
        write(painter, key, key_text(self._action), small, theme.color("muted"), Qt.AlignmentFlag.AlignCenter)
        if self._layer is not None:
            paint_layer_sign(painter, QPointF(KEY + 15, middle), theme, self._layer)
        else:
            room = QRectF(KEY + 8, 0, 14, self.height())
            painter.setPen(color)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), self._symbol)
        words = QRectF(KEY + 26, 0, WORDS - KEY - 26, self.height())
        write(painter, words, self.text(), derived(self.font(), bold=self.taken), color)
        told = f"✓ {self._told}" if self.taken else self._told
        write(painter, self.rect(), told, derived(self.font(), bold=True), color, RIGHT)
        painter.setOpacity(1.0 if self.isEnabled() else FADED)
        self._paint_scale(painter, QRectF(WORDS, middle - 5, wide - WORDS - NUMBER - 8, 10))
        painter.setOpacity(1.0)
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
    """A place in the list; ``span`` is None for the entry points."""

    span: Span | None
    words: str
    signs: str
    """The letters of the layers that marked this place."""
    size: int | None
    """The number of differing characters, or between entry points; None if only one entry point is set."""
    settled: bool
    current: bool

    @property
    def told(self) -> str:
        return "–" if self.size is None else f"{self.size:,}"


class PlaceList(Themed, QWidget):
    """The places of the document; a click or the arrow keys go to a place, and the list keeps the focus."""

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
        """Step up and down the list; Enter moves the focus to the text."""
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
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # text keeps its writing direction
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
    """Scrolls the list of places; unscrolled, it cuts no line at the bottom."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        self.setMinimumHeight(LEAST_PLACES * PlaceList.LINE)

    def show_line(self, at: int) -> None:
        """Scroll to a line, even if the list has just grown."""
        if (inside := self.widget()) is not None and (column := inside.layout()) is not None:
            column.activate()
        self.event(QEvent(QEvent.Type.LayoutRequest))
        self.ensureVisible(0, int((at + 0.5) * PlaceList.LINE), 0, PlaceList.LINE // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setViewportMargins(0, 0, 0, self.height() % PlaceList.LINE)


FIGURES = ("Characters ∩/∪", "κ over characters", "Third layer so far")
"""The labels of figures between two layers; three layers have other labels."""
LOW = 600  # pixels of height below which the list replaces the hints that the shortcut card also shows
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
    """The marks that a choice would make at a place, and whether it was chosen."""

    spans: Spans = EMPTY
    told: str = ""
    taken: bool = False
    possible: bool = False


class WhyField(QLineEdit):
    """A field for the optional reason of a ruling; Enter and Esc return the focus."""

    done = Signal()

    def dismiss(self) -> bool:
        """Return the focus first, before Esc cancels anything else."""
        self.done.emit()
        return True


class RulingPanel(QWidget):
    """Shows a place and its document; the controller carries out the choices."""

    place_chosen = Signal(object)  # Span | None: the entry points
    place_walked = Signal(object)  # the same, while the list keeps the focus

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
        self._figures = [(label(name, "muted"), ElidedLabel("–", role="value")) for name in FIGURES]
        self.why = WhyField()
        self.why.returnPressed.connect(self.why.done)
        self.why.setPlaceholderText("Reason (optional, recorded)")
        self.why.setAccessibleName("Why, for this place")
        self.warning = label("", "warning", wrap=True)
        self.open = label("", "note", wrap=True)
        self.settle = KeyButton("Settled, next", book["settle"], primary=True)
        self.later = KeyButton("Come back later, next", book["settle-later"])
        foot = in_column(
            self.warning, self.open, self.settle, self.later, margins=(MARGIN, 2, MARGIN, MARGIN), spacing=6
        )
        in_column((ScrollingPanel(self._upper(book)), 1), foot, on=self, margins=0, spacing=0)

    def _upper(self, book: ActionBook) -> QWidget:
        """Return the part that scrolls in a low window: the place with its choices, then the document."""
        shift = label("Shift with a number: all open places of this document", "note", wrap=True)
        pen = FlowLayout()
        for action, words in (("mark", "draw"), ("erase", "erase"), ("entry-point", "entry point")):
            pair = QWidget()
            in_row(KeySign(book[action]), label(words, "muted"), on=pair, margins=(0, 0, 4, 0), spacing=4)
            pen.addWidget(pair)
        in_column(pen, shift, on=self._help, margins=(0, 7, 0, 6), spacing=7)
        holder = QWidget()
        holder.setProperty("role", "chrome")
        in_column(self.places, Filler(1), on=holder, margins=0)
        self._scroll = WholeLines(holder)
        grid = QGridLayout()
        grid.setVerticalSpacing(5)
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(1, 1)
        for at, (name, value) in enumerate(self._figures):
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(name, at, 0)
            grid.addWidget(value, at, 1)
        upper = QWidget()
        upper.setProperty("role", "chrome")
        in_column(
            in_row(self._at, Filler(1), self._span),
            4,
            *self.rulings.values(),
            self._help,
            14,
            Caption("In this document, largest first", briefer=("In this document",)),
            4,
            (self._scroll, 1),
            14,
            Caption("This document"),
            7,
            grid,
            18,
            Caption("Why · this place"),
            7,
            self.why,
            on=upper,
            margins=(MARGIN, MARGIN, MARGIN, 8),
            spacing=0,
        )
        self._offer(choices(2))
        return upper

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._help.setVisible(self.height() >= LOW)

    def show_place(
        self, title: str, span: Span | None, rulings: Sequence[tuple[Ruling, RulingShown]]
    ) -> None:
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
        self, lines: Sequence[PlaceLine], figures: Sequence[tuple[str, str, str]], left: str
    ) -> None:
        self.places.set_lines(lines)
        current = next((at for at, line in enumerate(lines) if line.current), None)
        if current is not None:
            self._scroll.show_line(current)
        for (name, value), (what, told, brief) in zip(self._figures, figures, strict=True):
            name.setText(what)
            value.set_text(told, briefer=(brief,))
        self.open.setText(left)
        self.open.setVisible(bool(left))

    def show_warning(self, told: str) -> None:
        """Show a warning if a layer was marked in another version of the text."""
        self.warning.setText(told)
        self.warning.setVisible(bool(told))

    def show_nothing(self, told: str) -> None:
        offered = [ruling for ruling, button in self.rulings.items() if not button.isHidden()]
        self.show_place("This place", None, [(ruling, RulingShown()) for ruling in offered])
        self.show_document((), [(name.text(), "–", "–") for name, _ in self._figures], told)
        self.why.clear()
        self.why.setEnabled(False)


# The display of a disputed document in article and panel, from its difference and the rulings so far.

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
PARTS_IN_WORDS = 60  # maximum characters of a place in its line

Rulings = Mapping[Span, Ruling | None]
"""The ruling for each place; None while it is open."""


def contest_of(difference: Difference, taken: Rulings, third: DocumentState, current: Span | None) -> Contest:
    """Return the layers as the article shows them."""
    places = tuple(
        ContestedPlace(place.span, number, SHORT.get(taken[place.span] or Ruling.AGREED, ""))
        for number, place in enumerate(difference.places, 1)
    )
    entries = difference.entries if difference.entries_apart and third.bep is None else ()
    return Contest(tuple(marks or EMPTY for marks in difference.marks), places, current, entries)


def rulings_of(
    difference: Difference, place: Place | None, taken: Rulings, third: DocumentState
) -> tuple[str, list[tuple[Ruling, RulingShown]]]:
    """Return the panel's title of a place (None: the entry points), and the result of each choice."""
    shown, apart = [], difference.entries_apart
    for ruling in choices(len(difference.names)):
        if place is not None:
            spans = place.chosen(ruling)
            told, made = "–" if spans is None else f"{spans.size:,}", taken[place.span] is ruling
            shown.append((ruling, RulingShown(spans or EMPTY, told, taken=made, possible=spans is not None)))
            continue
        offset = difference.entry(ruling)
        possible = apart and offset is not None
        told = f"at {offset:,}" if possible else "none" if apart and ruling in LAYERS else ""
        made = possible and third.bep == offset
        shown.append((ruling, RulingShown(EMPTY, told, taken=made, possible=possible)))
    if place is None:
        return "The best entry point" if apart else "No difference here", shown
    return f"This place · {difference.places.index(place) + 1} of {len(difference.places)}", shown


def lines_of(
    difference: Difference, taken: Rulings, third: DocumentState, text: str, current: Span | None
) -> list[PlaceLine]:
    """Return a line for each place, and one for the entry points if they differ."""
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
        if len(there) == 1:  # no other entry point to measure a distance to
            words, apart = f"only {signs} has an entry point", None
        settled = third.bep is not None or not (third.relevant or not all(taken.values()))
        lines.append(PlaceLine(None, words, signs, apart, settled, current is None))
    return lines


def figures_of(difference: Difference, third: DocumentState, length: int) -> list[tuple[str, str, str]]:
    """Return ∩/∪ and κ over characters, and the settled ones, each with a label and a text for less room."""
    marks = [one.marks for one in difference.states if one is not None]
    overlap = share = kappa = "–"
    if len(marks) > 1:
        agreed = agree_on_document(marks, length)
        if agreed.either:
            share = figure(agreed.both / agreed.either)
            overlap = f"{agreed.both:,} / {agreed.either:,} = {share}"
        kappa = figure(agreed.kappa)
    size, what = third.marks.size, "Fleiss’ κ, characters" if len(marks) > 2 else "κ over characters"
    settled = f"{size:,} of {length:,}"
    whole = f"{settled} ({percent(size / length if length else 0, 1)})"
    so_far = "Third layer so far" if len(difference.names) == 2 else "Settled so far"
    return [("Characters ∩/∪", overlap, share), (what, kappa, kappa), (so_far, whole, settled)]


def still_open(places: int, entry: bool, *, finished: bool) -> str:
    """Return in words how many places of a document are still open."""
    if finished:
        return "This document is settled."
    left = [counted(places, "place")] if places else []
    left += ["the entry point"] if entry else []
    return f"Still open here: {', '.join(left)}" if left else "Nothing is open here."
