"""The window that checks offsets: a file, the conventions, the verdict, and the lines that do not fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from html import escape
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QWidget,
)

from inexview.core.errors import InexviewError
from inexview.core.offset_check.diagnosis import (
    NO_ROWS,
    CheckedRow,
    Diagnosis,
    Fit,
    Problem,
    Sureness,
    fitting_names,
    problem_in_words,
    verdict,
)
from inexview.core.offset_check.examine import (
    Correction,
    Examined,
    OffsetPreview,
    examined,
    listed,
    read_passage,
    write_copy,
)
from inexview.core.progress import Progress
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, Convention
from inexview.core.text.spans import Ints
from inexview.core.wording import counted, percent
from inexview.gui.look.panels import Index, RowTableModel, set_up_rows
from inexview.gui.look.theme import set_role
from inexview.gui.look.widgets import (
    LEFT,
    RIGHT,
    Dialog,
    Drops,
    ElidedLabel,
    Filler,
    Recolored,
    ThinBar,
    in_column,
    in_row,
    label,
    still,
)
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.settings import PACKED, Settings, choose_file, choose_new_file
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

T = TypeVar("T")

ROW = 28
FEWEST, MOST = 3, 9  # minimum and preferred number of visible rows
_BAR, _HIGH, _GAP, _EDGE = 120, 8, 12, 9  # pixels
_SHARE = Qt.ItemDataRole.UserRole  # the share that a bar shows; None without a bar
_EDGES_TIP = (
    "How many starts, ends and entry points fall where a word or an element begins or ends.\n"
    "Read rightly, nearly all do; read wrongly, they cut words."
)


class _Bars(QStyledItemDelegate):
    """Paints a number with a bar in proportion to it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = option.palette
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, palette.color(QPalette.ColorRole.Highlight))
        inside = option.rect.adjusted(_EDGE, 0, -_EDGE, 0)
        part = index.data(_SHARE)
        if part is not None:
            bar = QRectF(inside.left(), inside.center().y() - _HIGH / 2 + 1, _BAR, _HIGH)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.color(QPalette.ColorRole.Mid))
            painter.drawRoundedRect(bar, 3, 3)
            painter.setClipRect(bar.adjusted(0, 0, float(part) * _BAR - _BAR, 0))
            painter.setBrush(palette.color(QPalette.ColorRole.Accent))
            painter.drawRoundedRect(bar, 3, 3)
            painter.restore()
            inside.adjust(_BAR + _GAP, 0, 0, 0)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignVCenter), index.data())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        bar = 0 if index.data(_SHARE) is None else _BAR + _GAP
        return QSize(bar + option.fontMetrics.horizontalAdvance(index.data()) + 2 * _EDGE + 4, ROW)


class FitsTable(QTableWidget):
    """A row for each convention; the window judges by the selected one.

    Bars show what distinguishes the conventions: the number of documents with the stated length or, if the
    file states no lengths, of passage ends that cut no word.
    """

    chosen = Signal(object)  # Convention

    def __init__(self) -> None:
        super().__init__(0, 3)
        self._conventions: list[Convention] = []
        set_up_rows(self, "Conventions", height=ROW)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for column in (1, 2):
            self.setItemDelegateForColumn(column, _Bars(self))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setDefaultAlignment(LEFT)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        self.currentCellChanged.connect(self._tell)

    def show_fits(self, diagnosis: Diagnosis) -> None:
        """Show how well each convention fits; the best one is first and selected."""
        fits = diagnosis.fits()
        self.blockSignals(True)
        self._conventions = [fit.convention for fit in fits]
        of = counted(diagnosis.documents, "document")
        self.setHorizontalHeaderLabels(["Counted in", f"Fits, of {of}", "Edges on words"])
        self.model().setHeaderData(2, Qt.Orientation.Horizontal, _EDGES_TIP, Qt.ItemDataRole.ToolTipRole)
        self.setRowCount(len(fits))
        for row, fit in enumerate(fits):
            for column, item in enumerate(_items(fit, diagnosis)):
                self.setItem(row, column, item)
        self.setCurrentCell(0, 0)
        self.blockSignals(False)
        self.updateGeometry()

    @property
    def convention(self) -> Convention:
        return self._conventions[max(self.currentRow(), 0)] if self._conventions else CODE_POINTS

    def sizeHint(self) -> QSize:
        return self._size(min(max(self.rowCount(), 1), MOST))

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size with a few rows; the others scroll."""
        return self._size(min(max(self.rowCount(), 1), FEWEST))

    def _size(self, rows: int) -> QSize:
        return QSize(400, self.horizontalHeader().sizeHint().height() + ROW * rows + 2)

    def _tell(self, row: int, _column: int, before: int, _before: int) -> None:
        if row >= 0 and row != before:
            self.chosen.emit(self._conventions[row])


def _items(fit: Fit, diagnosis: Diagnosis) -> tuple[QTableWidgetItem, ...]:
    """Return the cells of a convention; for ones as good as the best, whether they read other text."""
    name, documents = QTableWidgetItem(fit.convention.name), QTableWidgetItem(f"{fit.documents:,}")
    edges = QTableWidgetItem(percent(fit.natural))
    best = diagnosis.best
    as_good = fit.convention != best and fit.documents == diagnosis.fitting(best)
    if as_good and diagnosis.reads_alike(fit.convention, best):
        edges.setText("reads the same")
    elif not diagnosis.has_lengths and not math.isnan(fit.natural):
        edges.setData(_SHARE, fit.natural)
    if diagnosis.has_lengths:
        documents.setData(_SHARE, fit.documents / max(diagnosis.documents, 1))
    do = "fits" if fit.entries == 1 else "fit"
    tip = (
        f"{counted(fit.documents, 'document')}, {counted(fit.passages, 'passage')} and "
        f"{counted(fit.entries, 'entry point')} {do}"
    )
    for item in (name, documents, edges):
        item.setToolTip(tip)
    return name, documents, edges


_COLUMNS = {  # heading and tooltip
    "Line": "Its number in the file",
    "Topic": "",
    "Document": "",
    "Said": "The document's length in the file, or how far its passages reach",
    "Found": "The document's length, counted so",
    "Would fit": "The ways of counting under which the line would be right",
}
_NUMBERS = (0, 3, 4)
_DOCUMENT, _WOULD_FIT = 2, 5  # columns whose texts may be too long
# pixels of the column of fits, before the column of documents gets more than its heading needs
_FITTING = 100
_MEASURED = 40  # rows measured for the widths of columns
_UNREAD = {Problem.MISSING: "missing", Problem.UNREADABLE: "unreadable"}


def cells(row: CheckedRow) -> tuple[str, ...]:
    """Return the texts of a row: its length, or the end of its passages if that is wrong."""
    said = "–" if row.said is None else f"{row.said:,}"
    if row.reach is not None and (row.said is None or row.problem is Problem.PAST_END):
        said = f"up to {row.reach:,}"
    unread = _UNREAD.get(row.problem) if row.problem else None
    return (
        f"{row.line:,}" if row.line else "–",
        row.topic,
        row.document,
        said,
        unread or f"{row.found:,}",
        "–" if unread else _shortly(row),
    )


def _shortly(row: CheckedRow) -> str:
    """Return the first convention that a row would fit, and the number of others."""
    if not row.fits:
        return "none"
    more = len(row.fits) - 1
    return f"{row.fits[0]} +{more}" if more else str(row.fits[0])


class RowsModel(RowTableModel):
    """Reads rows when they are shown, because a run may have a million that do not fit."""

    rows: Ints = NO_ROWS  # the shown rows of the file
    headings = tuple(_COLUMNS)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._diagnosis: Diagnosis | None = None
        self._convention = CODE_POINTS

    def show_rows(self, diagnosis: Diagnosis, convention: Convention, rows: Ints) -> None:
        self.beginResetModel()
        self._diagnosis, self._convention, self.rows = diagnosis, convention, rows
        self.endResetModel()

    def at(self, row: int) -> CheckedRow:
        assert self._diagnosis is not None
        return self._diagnosis.check(int(self.rows[row]), self._convention)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.ToolTipRole:
                return list(_COLUMNS.values())[section] or None
            if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
                return int(RIGHT)
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return int(RIGHT)
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(self.at(index.row()))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            row = self.at(index.row())
            fits = "" if row.problem in _UNREAD else f"\nWould fit: {fitting_names(row)}"
            return f"Document {row.document}: {problem_in_words(row)}{fits}"
        return None


class RowsTable(QTableView):
    """Shows the rows; the selected one is displayed in every convention next to them."""

    chosen = Signal(object)  # CheckedRow
    copy_wanted = Signal(object)  # Ints: the selected rows

    def __init__(self) -> None:
        super().__init__()
        self.lines = RowsModel(self)
        self.setModel(self.lines)
        set_up_rows(self, "Lines of the file", height=26, several=True)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMinimumSize(450, 120)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setDefaultAlignment(LEFT)
        header.setResizeContentsPrecision(_MEASURED)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_DOCUMENT, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_WOULD_FIT, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentRowChanged.connect(self._tell)

    def show_rows(self, diagnosis: Diagnosis, convention: Convention, rows: Ints) -> None:
        self.lines.show_rows(diagnosis, convention, rows)
        self._make_room()
        if len(rows):
            self.selectRow(0)
            self.scrollToTop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        header = self.horizontalHeader()
        others = sum(self.columnWidth(at) for at in range(len(_COLUMNS)) if at not in (_DOCUMENT, _WOULD_FIT))
        room = self.viewport().width() - others - _FITTING
        least = header.sectionSizeHint(_DOCUMENT)
        self.setColumnWidth(_DOCUMENT, max(least, min(self.sizeHintForColumn(_DOCUMENT), room)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy whole lines: a single cell would lack its line number."""
        if event.matches(QKeySequence.StandardKey.Copy):
            chosen = sorted(index.row() for index in self.selectionModel().selectedRows())
            self.copy_wanted.emit(self.lines.rows[chosen])
        else:
            super().keyPressEvent(event)

    def _tell(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self.lines.at(current.row()))


_SEEN = str.maketrans({"\n": "↵", "\r": "↵", "\t": "⇥"})


class Findings(QWidget):
    """Shows a diagnosis; choosing a convention lists the lines that do not fit it."""

    judged_by = Signal(object)  # Convention

    def __init__(self) -> None:
        super().__init__()
        self._diagnosis: Diagnosis | None = None
        self.headline = label("", "heading", wrap=True)
        self.details = label("", "muted", wrap=True)
        self.as_ends = QPushButton("Read the last field as an end", autoDefault=False)
        self.fits = FitsTable()
        self.listed = ElidedLabel(role="value")
        self.copy = QPushButton("Copy the list", autoDefault=False)
        self.copy.setProperty("role", "small")
        self.copy.setToolTip("Every line that does not fit, with the file and its number, as text")
        self.rows = RowsTable()
        self.pane = ReadingPane()
        self._build()
        self.fits.chosen.connect(self._judge_by)

    def _build(self) -> None:
        first = in_row(
            (in_column(self.headline, self.details, spacing=4), 1),
            (self.as_ends, 0, Qt.AlignmentFlag.AlignTop),
        )
        listing = in_row((self.listed, 1), self.copy)
        self.pane.setMinimumWidth(220)
        below = QSplitter()
        below.setChildrenCollapsible(False)
        below.setHandleWidth(1)
        below.addWidget(self.rows)
        below.addWidget(self.pane)
        below.setStretchFactor(0, 1)
        below.setSizes([600, 400])
        in_column(first, self.fits, listing, (below, 1), on=self, margins=(0, 4, 0, 0), spacing=10)

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        """Show a diagnosis, judged by the convention that fits best."""
        self._diagnosis = diagnosis
        said = verdict(diagnosis)
        self.headline.setText(said.headline)
        self.details.setText("  ".join(said.details))
        self.details.setVisible(bool(said.details))
        self.as_ends.setVisible(diagnosis.end_for_length is not None)
        self.fits.show_fits(diagnosis)
        self._judge_by(self.fits.convention)

    def _judge_by(self, convention: Convention) -> None:
        """List the lines that do not fit; if all fit, list all lines."""
        if self._diagnosis is None:
            return
        rows = self._diagnosis.misfit_rows(convention)
        self.copy.setVisible(len(rows) > 0)
        if len(rows):
            does = "does" if len(rows) == 1 else "do"
            listed = f"{counted(len(rows), 'line')} {does} not fit {convention}"
        else:
            rows = self._diagnosis.every_row()
            all_of = "The one line fits" if len(rows) == 1 else f"All {len(rows):,} lines fit"
            listed = f"{all_of} {convention}"
        self.listed.set_text(listed)
        self.rows.show_rows(self._diagnosis, convention, rows)
        self.judged_by.emit(convention)


class ReadingPane(Recolored, QTextBrowser):
    """Shows readings of a passage below each other: the readable one is right."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("How the passage reads")
        self.setOpenLinks(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(14)
        self._shown: tuple[str, Sequence[OffsetPreview], Container[Convention]] = ("", (), ())
        self.wear()

    def recolor(self) -> None:
        self.show_readings(*self._shown)

    def show_readings(
        self, heading: str, readings: Sequence[OffsetPreview], fitting: Container[Convention] = ()
    ) -> None:
        """Show the readings of a passage; ``fitting`` are the conventions that its line fits."""
        self._shown = heading, readings, fitting
        parts = [f'<p style="color:{self.theme.muted}">{escape(heading)}</p>']
        parts += [self._as_html(reading) for reading in readings]
        self.setHtml("".join(parts))

    def _as_html(self, reading: OffsetPreview) -> str:
        names = "; ".join(convention.name for convention in reading.conventions)
        fits = any(convention in self._shown[2] for convention in reading.conventions)
        sign = f' <span style="color:{self.theme.finished}">✓&nbsp;fits</span>' if fits else ""
        where = f"{reading.start:,}" if reading.start == reading.end else f"{reading.start:,}–{reading.end:,}"
        return (
            f'<p style="margin-top:12px; margin-bottom:2px"><b>{escape(names)}</b>'
            f' <span style="color:{self.theme.muted}">&nbsp; {where}</span>{sign}</p>'
            f'<p style="margin-top:3px; line-height:140%">{self._words(reading)}</p>'
        )

    def _words(self, reading: OffsetPreview) -> str:
        muted = f'<span style="color:{self.theme.muted}">%s</span>'
        if reading.past_end and not reading.first:
            return muted % "past the end of the document"
        words = (
            f'<span style="background:{self.theme.mark}">{_visible(reading.first)}'
            + (muted % " … " + _visible(reading.last) if reading.last else "")
            + "</span>"
        )
        if reading.start == reading.end:
            words = f'<span style="color:{self.theme.bep}"><b>▸</b></span>'
        tail = " ¶ past the end of the document" if reading.past_end else reading.after
        return muted % _visible(reading.before) + words + muted % _visible(tail)


def _visible(text: str) -> str:
    """Return HTML in which white space is visible at the ends."""
    return escape(text.translate(_SEEN)).replace("  ", "&nbsp; ")


ABOUT = (
    "inexview counts the characters of an article as Unicode code points. Other programs counted bytes, or "
    "white space otherwise; then passages are shifted. Here the lengths and passages of a file are compared "
    "with the articles themselves."
)


class Hint(QWidget):
    """A message, below it the purpose of the window, and a button to choose a file."""

    def __init__(self) -> None:
        super().__init__()
        self.status = label("", "value", wrap=True)
        self._about = label(ABOUT, "muted", wrap=True)
        self.choose = QPushButton("Choose a file…", autoDefault=False)
        self.choose.setProperty("role", "primary")
        column = in_column(Filler(0), on=self, spacing=12)
        for text in (self.status, self._about):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            text.setMaximumWidth(560)
            row = QHBoxLayout()
            row.addWidget(text)
            column.addLayout(row)
        column.addSpacing(6)
        column.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()

    def tell(self, text: str, *, wrong: bool = False) -> None:
        """Show a message; with ``wrong`` it is an error about a file, and replaces everything else."""
        self.status.setText(text)
        self._about.setVisible(not wrong)
        self.choose.setText("Choose another file…" if wrong else "Choose a file…")


class Working(QWidget):
    """The progress of the work, and a button to cancel it."""

    def __init__(self) -> None:
        super().__init__()
        self.status = label("", "muted")
        self.cancel = QPushButton("Cancel", autoDefault=False)
        self._bar = ThinBar()
        self._bar.setFixedWidth(320)
        column = in_column(Filler(0), on=self, spacing=12)
        for widget in (self.status, self._bar, self.cancel):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()

    def begin(self, text: str) -> None:
        self.status.setText(text)
        self._bar.show_share(None)

    def show_news(self, task: LongTask) -> None:
        if task.news is not None:
            done, total = task.news.done, task.news.total
            of = "" if total is None else f" of {total:,}"
            self.status.setText(f"{done:,}{of} {task.news.what}")
            self._bar.show_share(done / total if total else None)


SIZE = (1060, 730)
_HINT, _WORK, _RESULT = range(3)


class DoctorWindow(Dialog):
    """Examines a run or qrels against the project's collection, and writes a corrected copy."""

    opened = Signal(object)  # Path of a corrected copy to open in the main window

    def __init__(
        self,
        session: Session,
        tasks: Tasks,
        settings: Settings,
        parent: QWidget,
        path: Path | None = None,
    ) -> None:
        """Examine the file at ``path``, by default the current run if there is one."""
        super().__init__(parent)
        self.setWindowTitle("Check offsets")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        self._session = session
        self._project = session.project
        self._collection = session.project.collection
        self._tasks = tasks
        self._settings = settings
        self._runs = [run for run in session.runs if run.path is not None]
        self._working: LongTask | None = None
        self._reading: BackgroundTask | None = None
        self._written: Path | None = None
        self.file: Examined | None = None
        self.files = still(QComboBox())
        self.files.setAccessibleName("File to check")
        self.choose = QPushButton("Choose a file…", autoDefault=False)
        self.hint = Hint()
        self.working = Working()
        self.findings = Findings()
        self.status = label("", "muted", wrap=True)
        self.show_copy = QPushButton("Open the copy", autoDefault=False)
        self.mixed = QCheckBox("each document by the convention that it fits")
        self.use = QPushButton("Use for the project's qrels", autoDefault=False)
        self.write = QPushButton("Write corrected copy…", autoDefault=False)
        self._pages = QStackedWidget()
        self._build()
        self._connect()
        self._offer(session, path)

    # -- building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        choosing = in_row((self.files, 1), self.choose, spacing=10)
        for page in (self.hint, self.working, self.findings):
            self._pages.addWidget(page)
        close = QPushButton("Close", autoDefault=False)
        close.clicked.connect(self.close)
        in_column(
            choosing,
            (self._pages, 1),
            in_row((self.status, 1), self.show_copy, spacing=10),
            in_row(self.mixed, Filler(0), self.use, self.write, close, spacing=10),
            on=self,
            margins=(22, 20, 22, 18),
            spacing=12,
        )

    def _connect(self) -> None:
        self.files.activated.connect(self._take_run)
        for choose in (self.choose, self.hint.choose):
            choose.clicked.connect(self._ask)
        drops = Drops(self)
        drops.others.connect(lambda paths: self.examine(paths[0]))
        drops.projects.connect(lambda _paths: self._show_hint("That is a project, not a run and not qrels."))
        self.working.cancel.clicked.connect(self._give_up)
        self.findings.as_ends.clicked.connect(self._reread)
        self.findings.judged_by.connect(lambda _convention: self._show_buttons())
        self.findings.rows.chosen.connect(self._read)
        self.findings.rows.copy_wanted.connect(self._copy)
        self.findings.copy.clicked.connect(lambda: self._copy(self.findings.rows.lines.rows))
        self.mixed.toggled.connect(self._show_buttons)
        self.use.clicked.connect(self._use)
        self.write.clicked.connect(self._ask_copy)
        self.show_copy.clicked.connect(lambda: self.opened.emit(self._written))
        self._tasks.progressed.connect(self._show_news)

    def _offer(self, session: Session, path: Path | None) -> None:
        """Offer the open runs; examine the given file, or the current run."""
        for run in self._runs:
            self.files.addItem(f"{run.id}   {run.path}", run)
        self.files.setCurrentIndex(-1)
        self.files.setPlaceholderText("An open run, or a file of your choice")
        self._show_hint("Choose a run or qrels to check against the articles.")
        if path is not None:
            self.examine(path)
        elif (at := next((at for at, run in enumerate(self._runs) if run is session.run), -1)) >= 0:
            self.files.setCurrentIndex(at)
            self._take_run(at)

    # -- the file ------------------------------------------------------------------------------------

    def _ask(self) -> None:
        kinds = f"Runs and qrels (*.txt *.run *.qrels *.res {PACKED});;All files (*)"
        path = choose_file(self, "Check offsets", kinds, self._settings)
        if path is not None:
            self.examine(path)

    def _take_run(self, at: int) -> None:
        if at < len(self._runs):
            run = self._runs[at]
            assert run.path is not None
            self._examine(run.path, at)
        else:
            self._examine(Path(self.files.itemData(at)))

    def examine(self, path: Path) -> None:
        at = next((at for at in range(self.files.count()) if self.files.itemData(at) == str(path)), -1)
        if at < 0:
            self.files.addItem(str(path), str(path))
            at = self.files.count() - 1
        self.files.setCurrentIndex(at)
        self._examine(path)

    def _examine(self, path: Path, run: int = -1, *, fol_end: bool = False) -> None:
        self._stop()
        self.file = None
        self._say("")
        self._pages.setCurrentIndex(_WORK)
        self._show_buttons()
        self.working.begin(f"Reading {path.name}…")
        collection, known = self._collection, self._runs[run] if run >= 0 else None
        self._start(
            f"Checking {path.name}",
            lambda progress: examined(path, collection, progress, run=known, fol_end=fol_end),
            self._show,
        )

    def _start(
        self, what: str, work: Callable[[Progress], T], done: Callable[[T], None], *, saves: bool = False
    ) -> None:
        def finish(result: T) -> None:
            self._working = None
            done(result)
            self._show_buttons()

        def stop(text: str, *, wrong: bool = False) -> None:
            self._working = None
            self._show_hint(text, wrong=wrong)

        self._working = self._tasks.run_long(
            what,
            work,
            finish,
            lambda error: stop(sentence(error), wrong=True),
            lambda: stop("Cancelled. Nothing was changed."),
            saves=saves,
        )

    def _reread(self) -> None:
        if self.file is not None:
            self._examine(self.file.path, fol_end=True)

    def _give_up(self) -> None:
        if self._working is not None:
            self._working.give_up()

    def _show_hint(self, text: str, *, wrong: bool = False) -> None:
        self.hint.tell(text, wrong=wrong)
        self._pages.setCurrentIndex(_HINT if self.file is None else _RESULT)
        if self.file is None:
            self.hint.choose.setFocus()
        else:
            self._say(text)
        self._show_buttons()

    def _show_news(self, task: LongTask) -> None:
        if task is self._working:
            self.working.show_news(task)

    # -- results -------------------------------------------------------------------------------------

    def _show(self, file: Examined) -> None:
        self.file = file
        self.findings.show_diagnosis(file.diagnosis)
        self.mixed.setChecked(len(file.diagnosis.parts) > 1)
        self._pages.setCurrentIndex(_RESULT)
        self.findings.fits.setFocus()

    def _read(self, row: CheckedRow) -> None:
        """Show the readings of a row's first passage, whose document is read in a background thread."""
        if self._reading is not None:
            self._reading.cancel()
        if self.file is None:
            return
        diagnosis, convention, collection = (
            self.file.diagnosis,
            self.findings.fits.convention,
            self._collection,
        )
        pane = self.findings.pane
        self._reading = self._tasks.run(
            lambda: read_passage(row, diagnosis, convention, collection),
            # Runs state no lengths, and a passage that ends within its document proves little.
            lambda read: pane.show_readings(*read, () if row.said is None else row.fits),
            lambda error: pane.show_readings(sentence(error), ()),
        )

    def _copy(self, rows: Ints) -> None:
        """Copy lines, each with file and number, to the clipboard; there may be a million of them."""
        file = self.file
        if file is None:
            return
        convention = self.findings.fits.convention

        def copy(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._say(f"{counted(len(rows), 'line')} copied.")

        self._start(
            f"Listing what does not fit in {file.path.name}",
            lambda progress: listed(file, convention, rows, progress),
            copy,
        )

    def _show_buttons(self) -> None:
        file, convention = self.file, self.findings.fits.convention
        self.show_copy.setVisible(self._written is not None)
        self.mixed.setVisible(file is not None and len(file.diagnosis.parts) > 1)
        useful = False
        if file is not None and file.diagnosis.end_for_length is None:
            mixed = len(file.diagnosis.parts) > 1 and self.mixed.isChecked()
            fits = bool(file.diagnosis.fitting_rows(convention).any())
            useful = fits and (convention != CODE_POINTS or mixed)
        self.write.setVisible(file is not None)
        trusted = file is not None and file.diagnosis.sureness is not Sureness.NONE
        set_role(self.write, "primary" if trusted else "")
        self.write.setEnabled(useful and self._working is None)
        self.write.setToolTip(
            "The file with offsets in code points; offsets that do not fit stay"
            if useful
            else "Nothing to change: the file is in code points, or nothing fits"
        )
        # The convention of qrels may be kept; runs are always read as code points.
        self.use.setVisible(file is not None and not file.diagnosis.is_run)
        in_use = convention == self._project.convention
        of_the_text = convention in CONVENTIONS
        self.use.setEnabled(of_the_text and not in_use and not self._project.read_only)
        self.use.setToolTip(
            f"The project's qrels count {convention} already"
            if in_use
            else "A project counts the text itself: write a corrected copy and import that"
            if not of_the_text
            else f"Read and write qrels in {convention}; judgements stay as they are"
        )

    def _use(self) -> None:
        """Set the selected convention for reading and writing the project's qrels."""
        try:
            self._session.use_convention(self.findings.fits.convention)
        except InexviewError as error:
            self._say(sentence(error))
            return
        self._say(f"Qrels of the project count {self.findings.fits.convention} from now on.")
        self._show_buttons()

    # -- the copy ------------------------------------------------------------------------------------

    def _ask_copy(self) -> None:
        if self.file is None:
            return
        source = self.file.path
        proposed = source.with_name(f"{source.stem}.code-points{source.suffix}")
        path = choose_new_file(self, "Write corrected copy", proposed, "Text (*.txt);;All files (*)")
        if path is not None:
            self.write_copy(path)

    def write_copy(self, path: Path) -> None:
        file, convention, collection = self.file, self.findings.fits.convention, self._collection
        if file is None:
            return
        mixed = not self.mixed.isHidden() and self.mixed.isChecked()
        self._start(
            f"Correcting {file.path.name}",
            lambda progress: write_copy(file, convention, collection, path, progress, mixed=mixed),
            lambda copy: self._say_written(path, copy),
            saves=True,
        )
        self._say(f"Writing {path.name}…")
        self._show_buttons()

    def _say_written(self, path: Path, copy: Correction) -> None:
        changed, left = int(copy.changed.sum()), int(copy.left.sum())
        if not changed:
            self._say("Nothing to correct: no copy was written.")
            return
        kept = f", {counted(left, 'misfit')} left as {'it was' if left == 1 else 'they were'}" if left else ""
        self._say(f"{path.name}: {counted(changed, 'line')} changed{kept}.", written=path)

    def _say(self, text: str, *, written: Path | None = None) -> None:
        self._written = written
        self.status.setText(text)
        self.status.setVisible(bool(text))

    def _stop(self) -> None:
        for task in (self._working, self._reading):
            if task is not None:
                task.cancel()
        self._working = self._reading = None

    def done(self, result: int) -> None:
        """Cancel running work, however the window is closed."""
        self._stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)
