"""The window of the offset doctor: a file, the conventions, the verdict, and what does not fit."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from inexview.core.errors import InexviewError
from inexview.core.offset_check.diagnosis import CheckedRow, Sureness
from inexview.core.offset_check.examine import Correction
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS
from inexview.core.text.spans import Ints
from inexview.core.wording import counted
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.theme import Theme, set_role
from inexview.gui.look.widgets import Drops, fit_to_screen, label, still
from inexview.gui.offset_check.examination import Examined, examined, listed, read_passage, write_copy
from inexview.gui.offset_check.findings_pane import Findings
from inexview.gui.offset_check.hint import Hint, Working
from inexview.gui.services.file_choice import PACKED, choose_file, choose_new_file
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

SIZE = (1060, 730)
_HINT, _WORK, _RESULT = range(3)


class DoctorWindow(QDialog):
    """Examines a run or qrels against the project's collection, and writes a corrected copy."""

    opened = Signal(object)  # Path: a corrected copy, to be opened in the main window

    def __init__(
        self,
        session: Session,
        tasks: Tasks,
        settings: Settings,
        appearance: Appearance,
        parent: QWidget,
        path: Path | None = None,
    ) -> None:
        """Examine the file at ``path``, or else the run that is looked at, if there is one."""
        super().__init__(parent)
        self.setWindowTitle("Check offsets")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        fit_to_screen(self)
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
        self.told = label("", "muted", wrap=True)
        self.show_copy = QPushButton("Open the copy", autoDefault=False)
        self.mixed = QCheckBox("each document by the convention that it fits")
        self.use = QPushButton("Use for the project's qrels", autoDefault=False)
        self.write = QPushButton("Write corrected copy…", autoDefault=False)
        self._pages = QStackedWidget()
        self._build()
        self._connect()
        self.set_theme(appearance.theme)
        appearance.changed.connect(self.set_theme)
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
            in_row((self.told, 1), self.show_copy, spacing=10),
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
        self.findings.read.connect(self._read)
        self.findings.copy_wanted.connect(self._copy)
        self.mixed.toggled.connect(self._show_buttons)
        self.use.clicked.connect(self._use)
        self.write.clicked.connect(self._ask_copy)
        self.show_copy.clicked.connect(lambda: self.opened.emit(self._written))
        self._tasks.progressed.connect(self._show_news)

    def set_theme(self, theme: Theme) -> None:
        self.findings.pane.set_theme(theme)

    def _offer(self, session: Session, path: Path | None) -> None:
        """Offer the open runs; examine the file that is asked for, or the run that is looked at."""
        for run in self._runs:
            self.files.addItem(f"{run.id}   {run.path}", run)
        self.files.setCurrentIndex(-1)
        self.files.setPlaceholderText("An open run, or a file of your choice")
        self._show_hint("Choose a run or qrels to hold against the articles.")
        if path is not None:
            self.examine(path)
        elif (at := next((at for at, run in enumerate(self._runs) if run is session.run), -1)) >= 0:
            self.files.setCurrentIndex(at)
            self._take_run(at)

    # -- what is examined ----------------------------------------------------------------------------

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
        self._told("")
        self._pages.setCurrentIndex(_WORK)
        self._show_buttons()
        self.working.begin(f"Reading {path.name}…")
        collection, known = self._collection, self._runs[run] if run >= 0 else None
        self._working = self._tasks.run_long(
            f"Checking {path.name}",
            lambda progress: examined(path, collection, progress, run=known, fol_end=fol_end),
            self._show,
            self._fail,
            self._given_up,
        )

    def _reread(self) -> None:
        if self.file is not None:
            self._examine(self.file.path, fol_end=True)

    def _give_up(self) -> None:
        if self._working is not None:
            self._working.give_up()

    def _given_up(self) -> None:
        self._working = None
        self._show_hint("Given up; nothing was changed.")

    def _fail(self, error: Exception) -> None:
        self._working = None
        self._show_hint(sentence(error), wrong=True)

    def _show_hint(self, text: str, *, wrong: bool = False) -> None:
        self.hint.tell(text, wrong=wrong)
        self._pages.setCurrentIndex(_HINT if self.file is None else _RESULT)
        if self.file is None:
            self.hint.choose.setFocus()
        if self.file is not None:
            self._told(text)
        self._show_buttons()

    def _show_news(self, task: LongTask) -> None:
        if task is self._working:
            self.working.show_news(task)

    # -- what was found ------------------------------------------------------------------------------

    def _show(self, file: Examined) -> None:
        self._working = None
        self.file = file
        self.findings.show_diagnosis(file.diagnosis)
        self.mixed.setChecked(len(file.diagnosis.parts) > 1)
        self._pages.setCurrentIndex(_RESULT)
        self._show_buttons()
        self.findings.fits.setFocus()

    def _read(self, row: CheckedRow) -> None:
        """Show how a row's first passage reads; its document is read off the window's thread."""
        if self._reading is not None:
            self._reading.cancel()
        if self.file is None:
            return
        diagnosis, convention, collection = self.file.diagnosis, self.findings.convention, self._collection
        pane = self.findings.pane
        self._reading = self._tasks.run(
            lambda: read_passage(row, diagnosis, convention, collection),
            # Runs say no lengths: that a passage ends within its document tells little.
            lambda read: pane.show_readings(*read, () if row.said is None else row.fits),
            lambda error: pane.show_readings(sentence(error), ()),
        )

    def _copy(self, rows: Ints) -> None:
        """Put lines, each with the file and its number, on the clipboard; there may be a million of them."""
        file = self.file
        if file is None:
            return
        convention = self.findings.convention
        self._working = self._tasks.run_long(
            f"Listing what does not fit in {file.path.name}",
            lambda progress: listed(file, convention, rows, progress),
            lambda text: self._say_copied(text, len(rows)),
            self._fail,
            self._given_up,
        )

    def _say_copied(self, text: str, lines: int) -> None:
        self._working = None
        QGuiApplication.clipboard().setText(text)
        self._told(f"{counted(lines, 'line')} copied.")
        self._show_buttons()

    def _show_buttons(self) -> None:
        """Offer only what makes sense now."""
        file = self.file
        self.show_copy.setVisible(self._written is not None)
        self.mixed.setVisible(file is not None and len(file.diagnosis.parts) > 1)
        useful = False
        if file is not None and file.diagnosis.end_for_length is None:
            convention = self.findings.convention
            mixed = len(file.diagnosis.parts) > 1 and self.mixed.isChecked()
            fits = bool(file.diagnosis.fitting_rows(convention).any())
            useful = fits and (convention != CODE_POINTS or mixed)
        self.write.setVisible(file is not None)
        trusted = file is not None and file.diagnosis.sureness is not Sureness.NONE
        set_role(self.write, "primary" if trusted else "")
        self._show_use()
        self.write.setEnabled(useful and self._working is None)
        self.write.setToolTip(
            "The file's offsets in code points; what does not fit stays as it is"
            if useful
            else "Nothing would be changed: the file is in code points, or nothing fits"
        )

    def _show_use(self) -> None:
        """Offer to keep the convention of qrels; runs are read as code points, whatever they are."""
        file, convention = self.file, self.findings.convention
        self.use.setVisible(file is not None and not file.diagnosis.is_run)
        in_use = convention == self._project.convention
        of_the_text = convention in CONVENTIONS
        self.use.setEnabled(of_the_text and not in_use and not self._project.read_only)
        self.use.setToolTip(
            f"The project's qrels count {convention} already"
            if in_use
            else "A project counts the text itself: write a corrected copy and import that"
            if not of_the_text
            else f"Have qrels read and written in {convention}; judgements stay as they are"
        )

    def _use(self) -> None:
        """Have the project's qrels read and written in the selected convention."""
        try:
            self._session.use_convention(self.findings.convention)
        except InexviewError as error:
            self._told(sentence(error))
            return
        self._told(f"Qrels of the project count {self.findings.convention} from now on.")
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
        """Write the corrected copy, read in the selected convention."""
        file, convention, collection = self.file, self.findings.convention, self._collection
        if file is None:
            return
        mixed = not self.mixed.isHidden() and self.mixed.isChecked()
        self._working = self._tasks.run_long(
            f"Correcting {file.path.name}",
            lambda progress: write_copy(file, convention, collection, path, progress, mixed=mixed),
            lambda copy: self._say_written(path, copy),
            self._fail,
            self._given_up,
            saves=True,
        )
        self._told(f"Writing {path.name}…")
        self._show_buttons()

    def _say_written(self, path: Path, copy: Correction) -> None:
        self._working = None
        changed, left = int(copy.changed.sum()), int(copy.left.sum())
        if not changed:
            self._told("Nothing to correct: no copy was written.")
            self._show_buttons()
            return
        kept = f", {counted(left, 'misfit')} left as {'it was' if left == 1 else 'they were'}" if left else ""
        self._told(f"{path.name}: {counted(changed, 'line')} changed{kept}.", written=path)
        self._show_buttons()

    def _told(self, text: str, *, written: Path | None = None) -> None:
        self._written = written
        self.told.setText(text)
        self.told.setVisible(bool(text))

    # -- closing -------------------------------------------------------------------------------------

    def _stop(self) -> None:
        for task in (self._working, self._reading):
            if task is not None:
                task.cancel()
        self._working = self._reading = None

    def done(self, result: int) -> None:
        """Stop what is under way, however the window is left."""
        self._stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)
