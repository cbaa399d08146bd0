"""Dialogs that create a project, with checks of its parts, and that restore a copy of one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from inexview.core.collection.collection import Collection
from inexview.core.errors import JudgementError
from inexview.core.files import folder_is_there, is_there, project_path
from inexview.core.formats.format import JSONL, Feature, Format
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.progress import Progress
from inexview.core.project.contents import absent_documents, unknown_topics
from inexview.core.project.document_state import read_grades
from inexview.core.project.judgement_export import LEFT_IN_PROJECT, JudgingTally, export_formats
from inexview.core.project.project import NewProject, Parts, what_it_is
from inexview.core.project.recovery import CopyContents, copy_contents, restore_copy, save_salvaged
from inexview.core.wording import PERCENT, counted, some_named
from inexview.gui.look.panels import FittingArea
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import (
    Caption,
    Dialog,
    ElidedLabel,
    Filler,
    breakable,
    in_column,
    in_row,
    label,
    still,
    timer,
)
from inexview.gui.services.messages import activity_sentence, sentence
from inexview.gui.services.settings import (
    ADVANCE,
    APPEARANCE,
    ASSESSOR,
    EXPORT,
    FOLDER,
    LINE_SPACING,
    LINE_WIDTH,
    MOTION,
    PACKED,
    PROJECTS,
    SCALE,
    TYPEFACE,
    ZOOM,
    Setting,
    Settings,
    archive_files,
    choose_file,
)
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

AFTER = 500  # milliseconds without a key press, because a half-typed path leads to other folders
SHOWN = 3  # missing documents that are named


class PartsCheck(QObject):
    """Checks the parts of a project while they are chosen."""

    # part, description, whether it looks wrong, whether it cannot be used
    noted = Signal(str, str, bool, bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = Parts()
        self._wanted = Parts()
        self._known: dict[str, Any] = {}  # what was read, by part
        self._under_way: dict[str, BackgroundTask] = {}
        self._tasks = Tasks(lambda _error: None, self)
        self._tasks.progressed.connect(self._hear)
        self._soon = timer(self, self._look, AFTER)

    def look(self, parts: Parts) -> None:
        self._wanted = parts
        self._soon.start()

    def close(self) -> None:
        """Stop checking, and cancel the listing of a collection."""
        self._soon.stop()
        self._tasks.close()
        self._forget("collection")

    def _look(self) -> None:
        """Check each part that has changed."""
        before, self._parts = self._parts, self._wanted
        for part, read in (
            ("collection", self._list),
            ("topics", partial(self._read, "topics", read_topics)),
            ("pool", partial(self._read, "pool", read_pool)),
        ):
            path: Path | None = getattr(self._parts, part)
            if path != getattr(before, part):
                self._forget(part)
                if part in self._under_way:
                    self._under_way.pop(part).cancel()
                self._tell(part, "")
                if path is not None and is_there(path):
                    self._under_way[part] = read(path)
        self._compare()  # the previous comparison belongs to other parts

    # -- single parts --------------------------------------------------------------------------------

    def _list(self, path: Path) -> BackgroundTask:
        self._tell("collection", f"{what_it_is(path)} · looking through it…")

        def work(progress: Progress) -> Collection:
            collection = Collection.open(path)
            try:
                collection.prepare(progress)
            except BaseException:
                collection.close()
                raise
            return collection

        return self._tasks.run_long(
            str(path), work, partial(self._take_collection, path), partial(self._fail, "collection")
        )

    def _hear(self, task: LongTask) -> None:
        if task is self._under_way.get("collection") and task.news is not None:
            path = Path(task.what)
            self._tell("collection", f"{what_it_is(path)} · {activity_sentence(task.news)}…")

    def _take_collection(self, path: Path, collection: Collection) -> None:
        self._known["collection"] = collection
        number, notes = len(collection), collection.warnings
        told = f"{what_it_is(path)} · {counted(number, 'article')}" if number else "has no documents"
        self._tell("collection", told + _notes_of(notes, path), wrong=bool(notes), stops=not number)
        self._compare()

    def _read(self, part: str, read: Callable[[Path], Any], path: Path) -> BackgroundTask:
        self._tell(part, "reading…")
        return self._tasks.run(lambda: read(path), partial(self._take, part), partial(self._fail, part))

    def _take(self, part: str, content: Any) -> None:
        self._known[part] = content
        if part == "topics":
            told = counted(len(content), "topic") + _notes_of(content.warnings, self._parts.topics)
            self._tell("topics", told, wrong=bool(content.warnings))
        self._compare()

    # -- comparison of parts -------------------------------------------------------------------------

    def _compare(self) -> None:
        """Describe the pool, and check its topics and documents as far as they are known."""
        pool: Pool | None = self._known.get("pool")
        topics: Topics | None = self._known.get("topics")
        collection: Collection | None = self._known.get("collection")
        if pool is None:
            return
        if "pool" in self._under_way:
            self._under_way.pop("pool").cancel()  # its inputs have changed
        if topics is not None and (unknown := unknown_topics(pool.topics, {topic.id for topic in topics})):
            named = some_named(unknown, SHOWN)
            self._tell("pool", f"{_pooled(pool)} · not in the topic file: {named}", wrong=True)
            return
        notes = _notes_of(pool.warnings, self._parts.pool)
        self._tell("pool", _pooled(pool) + notes, wrong=bool(notes))
        if collection is not None:
            pools = {topic: pool.documents(topic) for topic in pool.topics}
            self._under_way["pool"] = self._tasks.run(
                lambda: absent_documents(pools, collection), partial(self._take_absent, pool)
            )

    def _take_absent(self, pool: Pool, absent: dict[str, list[str]]) -> None:
        lacking = list(dict.fromkeys(name for names in absent.values() for name in names))
        if lacking:
            told = f"{_pooled(pool)} · {len(lacking):,} not in the collection: {some_named(lacking, SHOWN)}"
            self._tell("pool", told, wrong=True)
        else:
            notes = _notes_of(pool.warnings, self._parts.pool)
            self._tell("pool", f"{_pooled(pool)}, all in the collection{notes}", wrong=bool(notes))

    def _fail(self, part: str, error: Exception) -> None:
        first = sentence(error).splitlines()[0]
        self._tell(part, _placed(first, getattr(self._parts, part)), stops=True)

    def _tell(self, part: str, text: str, *, wrong: bool = False, stops: bool = False) -> None:
        self.noted.emit(part, text, wrong or stops, stops)

    def _forget(self, part: str) -> None:
        known = self._known.pop(part, None)
        if isinstance(known, Collection):
            known.close()


def _pooled(pool: Pool) -> str:
    number = sum(len(documents) for documents in pool.topics.values())
    return f"{counted(number, 'document')} for {counted(len(pool.topics), 'topic')}"


def _notes_of(warnings: Sequence[str], path: Path | None) -> str:
    """Return the first warning without the path, which is shown above, and the number of others."""
    if not warnings:
        return ""
    more = f" (and {len(warnings) - 1:,} more)" if len(warnings) > 1 else ""
    return f" · {_placed(warnings[0], path)}{more}"


def _placed(text: str, path: Path | None) -> str:
    """Return a message without its path, which is shown above; a line number becomes "line N"."""
    return re.sub(r"^:(\d+)(:\d+)?: ", r"line \1: ", text.removeprefix(str(path))).lstrip(":/ ")


class PathField(QWidget):
    """A field for a path, a button to choose it, and below them a note on what it contains."""

    def __init__(
        self, name: str, hint: str, choices: dict[str, Callable[[], str]], *, noted: bool = True
    ) -> None:
        super().__init__()
        self.line = QLineEdit(placeholderText=hint)
        self.line.setAccessibleName(name)
        button = QPushButton("Choose…")
        button.setAccessibleName(f"Choose {name}")
        button.setAutoDefault(False)
        button.setFixedWidth(104)  # the same width with or without a menu
        if len(choices) == 1:
            (ask,) = choices.values()
            button.clicked.connect(lambda: self._take(ask()))
        else:
            menu = QMenu(button)
            for text, ask in choices.items():
                menu.addAction(text).triggered.connect(partial(self._ask, ask))
            button.setMenu(menu)
        row = in_row((self.line, 1), button)
        self.note = label(role="note", wrap=True)
        in_column(row, self.note, on=self, margins=0, spacing=3)
        self.note.ensurePolished()
        # one line from the start, so that nothing moves
        self.note.setMinimumHeight(self.note.fontMetrics().height())
        self.note.setVisible(noted)

    def show_note(self, text: str, *, wrong: bool) -> None:
        self.note.setText(breakable(text))
        set_look(self.note, "wrong", wrong)
        self.line.setAccessibleDescription(text)

    def _ask(self, ask: Callable[[], str], _checked: bool = False) -> None:
        self._take(ask())

    def _take(self, path: str) -> None:
        if path:
            self.line.setText(path)

    @property
    def path(self) -> Path | None:
        text = self.line.text().strip()
        return Path(os.path.expanduser(text)) if text else None  # noqa: PTH111 - Path raises for ~unknown


class NewProjectDialog(Dialog):
    """Asks for the parts of a project; a note next to the button says what is still missing."""

    def __init__(
        self,
        settings: Settings,
        parent: QWidget | None = None,
        parts: Parts | NewProject = Parts(),  # noqa: B008
    ) -> None:
        """``parts`` are filled in, all of them after a failed attempt to create a project."""
        super().__init__(parent)
        self.setWindowTitle("New project")
        self.setMinimumWidth(620)
        self._settings = settings
        texts = f"XML or text (*.xml *.txt *.tsv *.jsonl *.json *.csv {PACKED});;All files (*)"
        self.collection = PathField("collection", "folder or archive of XML articles, or other texts", {
            "Folder…": self._ask_folder, "Archive…": lambda: self._ask_file("Collection", archive_files()),
        })  # fmt: skip
        self.topics = PathField("topics", "lines of id, tab, question – or topics of INEX, TREC, BEIR", {
            "File…": lambda: self._ask_file("Topics", texts), "Folder…": self._ask_folder,
        })  # fmt: skip
        self.pool = PathField("pool", "optional; without one, the pool is the collection", {
            "File…": lambda: self._ask_file("Pool", texts),
        })  # fmt: skip
        self.path = PathField("project file", "where judgements will be kept", {
            "File…": self._ask_project,
        }, noted=False)  # fmt: skip
        self.assessor = QLineEdit(settings.get(ASSESSOR), placeholderText="your name, kept with every action")
        self.assessor.setAccessibleName("assessor")
        self.grades = QLineEdit(placeholderText="optional, lowest first: okay, vital – or 0–3")
        self.grades.setAccessibleName("grades")
        self.grades.textChanged.connect(lambda _text: self._allow())
        self._missing = label("", "muted", wrap=True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._create = self._buttons.addButton("Create", QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._unfit: set[str] = set()  # parts that cannot be used
        self._looking = PartsCheck(self)
        self._looking.noted.connect(self._tell)
        self._build()
        self._create.setDefault(True)  # other buttons in the dialog return the default to it
        for field, path in ((self.collection, parts.collection), (self.topics, parts.topics),
                            (self.pool, parts.pool)):  # fmt: skip
            field.line.setText("" if path is None else str(path))
        if isinstance(parts, NewProject):
            self.path.line.setText(str(parts.path))
            self.grades.setText(", ".join(parts.grades))
        self._check()

    def _build(self) -> None:
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(18)
        for name, field in (("Collection", self.collection), ("Topics", self.topics), ("Pool", self.pool),
                            ("Project file", self.path), ("Assessor", self.assessor),
                            ("Grades", self.grades)):  # fmt: skip
            named = label(name)
            named.setAlignment(Qt.AlignmentFlag.AlignTop)
            named.setContentsMargins(0, 7, 0, 0)  # aligned with the line, not centred on line and note
            form.addRow(named, field)
        in_column(
            label("New project", "heading"),
            form,
            Filler(1),
            self._missing,
            self._buttons,
            on=self,
            margins=(24, 22, 24, 20),
            spacing=16,
        )
        for field in (self.collection, self.topics, self.pool, self.path):
            field.line.textChanged.connect(self._check)

    def chosen(self) -> NewProject:
        """Return the chosen parts, after the dialog was accepted."""
        path, collection, topics = self.path.path, self.collection.path, self.topics.path
        if path is None or collection is None or topics is None:
            raise ValueError("the dialog was not accepted")
        assessor = self.assessor.text().strip()
        self._settings.set(ASSESSOR, assessor)
        return NewProject(
            project_path(path), collection, topics, self.pool.path, assessor, read_grades(self.grades.text())
        )

    def done(self, result: int) -> None:
        self._looking.close()
        super().done(result)

    def _tell(self, part: str, text: str, wrong: bool, stops: bool) -> None:
        """Show a note below a field; an unreadable part prevents creating the project."""
        field: PathField = getattr(self, part)
        field.show_note(text, wrong=wrong)
        self._unfit = {*self._unfit, part} if stops else self._unfit - {part}
        self._allow()

    def _check(self) -> None:
        self._looking.look(Parts(self.collection.path, self.topics.path, self.pool.path))
        self._allow()

    def _allow(self) -> None:
        """Enable the button unless a part is missing or cannot be used."""
        missing = self._first_problem()
        self._missing.setText(missing)
        self._create.setEnabled(not missing)

    def _first_problem(self) -> str:
        for part, name, unfit in (
            ("collection", "collection", "This collection cannot be used."),
            ("topics", "topic file", "These topics cannot be read."),
        ):
            path: Path | None = getattr(self, part).path
            if path is None:
                return f"Choose the {name}."
            if not is_there(path):
                return f"The {name} is not there."
            if part in self._unfit:
                return unfit
        if self.pool.path is not None and not is_there(self.pool.path):
            return "The pool is not there."
        if self.pool.path is not None and "pool" in self._unfit:
            return "This pool cannot be read; without one, the pool is the collection."
        if self.path.path is None:
            return "Choose a place for the project file."
        if folder_is_there(self.path.path):
            return "The project file is a folder; give it a name."
        if not folder_is_there(self.path.path.absolute().parent):
            return "The folder for the project file does not exist."
        if is_there(project_path(self.path.path)):
            return "A project file of this name exists already. Choose another name."
        try:
            read_grades(self.grades.text())
        except JudgementError as error:
            return f"{str(error).capitalize()}."
        return ""

    def _ask_folder(self) -> str:
        path = QFileDialog.getExistingDirectory(self, "Folder", self._settings.get(FOLDER))
        if path:
            self._settings.set(FOLDER, path)
        return path

    def _ask_file(self, what: str, kinds: str) -> str:
        path = choose_file(self, what, kinds, self._settings)
        return "" if path is None else str(path)

    def _ask_project(self) -> str:
        start = str(Path(self._settings.get(FOLDER) or str(Path.home())) / "judgements.inexview")
        path, _ = QFileDialog.getSaveFileName(self, "Project file", start, PROJECTS)
        return path


NONE = (
    "There is no copy of this project yet. inexview makes copies when you open and close it, and every ten "
    "minutes of work."
)


class RestoreDialog(Dialog):
    """Lists copies, newest first; existing files are not changed."""

    chosen = Signal(object)  # Callable[[Path], object]: writes the choice to a new file

    def __init__(self, path: Path, tasks: Tasks, parent: QWidget | None, *, damaged: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("Restore")
        self.resize(720, 420)
        self._path = path
        self._contents: Sequence[CopyContents] = ()
        self._status = label(f"Reading the copies of {path.name} …", wrap=True)
        self.copies = QListWidget()
        self.copies.setAccessibleName("Copies of the project, newest first")
        self.copies.setUniformItemSizes(True)
        self.copies.itemDoubleClicked.connect(self._restore)
        self.restore = QPushButton("Restore as a new file…")
        self.restore.setDefault(True)
        self.restore.setEnabled(False)
        self.restore.clicked.connect(self._restore)
        self.salvage = QPushButton("Save what can be read…")
        self.salvage.setToolTip("The readable rows of the file, and rows that only its copies have")
        self.salvage.clicked.connect(self._salvage)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.restore, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.salvage, QDialogButtonBox.ButtonRole.ActionRole)
        self.salvage.setVisible(damaged)  # an undamaged file can be read completely
        buttons.rejected.connect(self.reject)
        in_column(
            label("Restore", "heading"),
            self._status,
            (self.copies, 1),
            label("The file that is open is not changed.", "note"),
            buttons,
            on=self,
            margins=(24, 20, 24, 18),
            spacing=10,
        )
        reading = tasks.run(lambda: copy_contents(path), self._show)
        self.finished.connect(lambda _result: reading.cancel())

    def _show(self, contents: Sequence[CopyContents]) -> None:
        self._contents = contents
        self._status.setText(f"Copies of {self._path.name}, newest first:" if contents else NONE)
        for one in contents:
            QListWidgetItem(f"{one.copy.time.astimezone():%d %B %Y, %H:%M:%S}\n{one}", self.copies)
        with_more = (row for row, one in enumerate(contents) if one.not_in_file)
        self.copies.setCurrentRow(next(with_more, 0))
        self.restore.setEnabled(bool(contents))
        self.copies.setFocus()

    def _restore(self) -> None:
        row = self.copies.currentRow()
        if row >= 0:
            self.accept()
            self.chosen.emit(partial(restore_copy, self._contents[row].copy.path))

    def _salvage(self) -> None:
        self.accept()
        self.chosen.emit(partial(save_salvaged, self._path))


# The dialogs for exporting judgements and for the settings of the program.

INDENT = 24  # pixels: notes are aligned with the text of their button
LOOKING = "Looking through the judgements…"


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices of the dialog: a format, the topics (None: all), and whether each topic gets a file."""

    target: Format
    topics: tuple[str, ...] | None
    folder: bool
    lost: tuple[str, ...]
    """What the format cannot store, as the dialog says."""
    suggested: bool = True
    """Whether to write marks that were made from suggestions."""
    own: bool = False
    """Whether to write the assessor's own judgements instead of a settled third layer."""


class ExportDialog(Dialog):
    """Asks for a format and topics; below each format is what it cannot store."""

    def __init__(
        self,
        topics: Sequence[Topic],
        current: str | None,
        settings: Settings,
        parent: QWidget,
        targets: Sequence[Format] = (),
    ) -> None:
        super().__init__(parent)
        self._targets = targets or export_formats()
        self.setWindowTitle("Export judgements")
        self.setMinimumWidth(560)
        self._settings = settings
        self._tallies: Mapping[str, JudgingTally] | None = None
        box = still(QComboBox())
        box.setAccessibleName("Topics")
        box.addItem(f"All {len(topics):,} topics", None)
        for topic in sorted(topics, key=lambda topic: topic.id != current):
            box.addItem(
                f"Only {topic.id} · {topic.title}"
                if topic.title not in ("", topic.id)
                else f"Only {topic.id}",
                topic.id,
            )
        box.setVisible(len(topics) > 1)
        self.topics = box
        self._formats = QButtonGroup(self)
        self._notes: list[ElidedLabel] = []
        self.folder = QCheckBox("A folder, with a file for each topic")
        self.without = QCheckBox()
        self.without.hide()  # hidden unless there is something to leave out
        self.own = QCheckBox()
        self.own.hide()  # hidden unless something is settled
        room = self.folder.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.folder.setSizePolicy(room)
        self.status = label(LOOKING, "muted", wrap=True)
        self.status.setMinimumHeight(2 * self.status.fontMetrics().lineSpacing() + 2)
        self.status.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._export = self._buttons.addButton("Export…", QDialogButtonBox.ButtonRole.AcceptRole)
        self._build()
        self._export.setDefault(True)  # other buttons in the dialog return the default to it
        self._show()
        self.resize(self.sizeHint())
        self._formats.button(self._formats.checkedId()).setFocus()

    def _build(self) -> None:
        holder = QWidget()
        in_column(self._choices(), on=holder, margins=0)
        in_column(
            label("Export judgements", "heading"),
            self.topics,
            Caption("Format"),
            FittingArea(holder),
            self.folder,
            self.without,
            self.own,
            Filler(0),
            self.status,
            self._buttons,
            on=self,
            margins=(24, 22, 24, 20),
            spacing=14,
        )
        self.topics.currentIndexChanged.connect(self._show)
        self._formats.buttonToggled.connect(self._show)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def _choices(self) -> QVBoxLayout:
        """Make a button for each writable format, with a note below on what it cannot store."""
        choices = QVBoxLayout()
        choices.setSpacing(2)
        last = self._settings.get(EXPORT)
        for at, format in enumerate(self._targets):
            button = QRadioButton(format.title[0].upper() + format.title[1:])
            button.setChecked(format.name == last or at == 0)
            self._formats.addButton(button, at)
            note = ElidedLabel(role="note")
            choices.addWidget(button)
            choices.addLayout(in_column(note, margins=(INDENT, 0, 0, 9)))
            self._notes.append(note)
        return choices

    # -- contents ------------------------------------------------------------------------------------

    def show_news(self, text: str) -> None:
        self.status.setText(text)

    def show_tallies(self, tallies: Mapping[str, JudgingTally]) -> None:
        self._tallies = tallies
        self._show()

    @property
    def choice(self) -> Choice:
        target, topic = self._target, self.topics.currentData()
        return Choice(
            target,
            None if topic is None else (topic,),
            not self.folder.isHidden() and self.folder.isChecked(),
            self._tally.lost(target),
            not self.without.isChecked(),
            not self.own.isHidden() and self.own.isChecked(),
        )

    def accept(self) -> None:
        """Remember the format for the next time."""
        self._settings.set(EXPORT, self._target.name)
        super().accept()

    @property
    def _target(self) -> Format:
        return self._targets[self._formats.checkedId()]

    @property
    def _tally(self) -> JudgingTally:
        topic, tallies = self.topics.currentData(), self._tallies or {}
        if topic is None:
            return reduce(add, tallies.values(), JudgingTally())
        return tallies.get(topic, JudgingTally())

    def _show(self) -> None:
        target, tally = self._target, self._tally
        several = self.topics.currentData() is None and self.topics.count() > 2
        self.folder.setVisible(target.folder and several)
        for at, (format, note) in enumerate(zip(self._targets, self._notes, strict=True)):
            said = _note(format, tally) if self._tallies is not None else ""
            note.set_text(said)
            set_look(note, "wrong", bool(tally.lost(format)))
            self._formats.button(at).setAccessibleDescription(said)
        self.without.setVisible(tally.suggested > 0)
        documents = counted(tally.suggested, "document")
        self.without.setText(f"Leave out marks that came from suggestions ({documents})")
        self.own.setVisible(tally.settled > 0)
        settled = counted(tally.settled, "document")
        self.own.setText(f"My own judgements, not the merged ones ({settled})")
        self._export.setEnabled(tally.documents(target) > 0)
        if self._tallies is not None:
            self.status.setText(_summary(target, tally))


def _note(format: Format, tally: JudgingTally) -> str:
    notes = 0 if format is JSONL else tally.holds.get(Feature.NOTES, 0)
    lost = [*tally.lost(format), *[Feature.NOTES.counted(notes)] * bool(notes)]
    if lost:
        return f"cannot store {', '.join(lost)}"
    if format is JSONL:
        return "stores everything: documents not finished, quotes, who judged what and when"
    return "stores all judgements"


def _summary(target: Format, tally: JudgingTally) -> str:
    documents = tally.documents(target)
    if not documents:
        held = "worked on" if target is JSONL else "finished"
        return f"There is nothing to export yet: {target.title} hold what is {held}."
    if target is JSONL:
        said = counted(documents, "document")
        return f"{said}, {tally.begun:,} of them not finished." if tally.begun else f"{said}."
    said = f"{counted(documents, 'finished document')}."
    if left := tally.begun + tally.untouched:
        said += f" Left out: {left:,} that {'is' if left == 1 else 'are'} not finished."
    own = [one.counted(number) for one, number in tally.holds.items() if one in LEFT_IN_PROJECT and number]
    return f"{said} These stay in the project: {', '.join(own)}." if own else said


MOTIONS = {"system": "Follow the desktop", "reduced": "Reduced: nothing flashes or blinks", "all": "All"}
APPEARANCES = {"system": "Follow the desktop", "light": "Light", "dark": "Dark"}
TYPEFACES = {"serif": "With serifs", "sans": "Without serifs"}


class Preferences(Dialog):
    """Appearance, text size, the assessor's name, and the behaviour of Finish."""

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Settings")
        self.setMinimumWidth(460)
        appearance = _choice(settings, APPEARANCE, APPEARANCES)
        motion = _choice(settings, MOTION, MOTIONS)
        scale, zoom = _percent(settings, SCALE, 100, 200, 25), _percent(settings, ZOOM, 50, 300)
        width, spacing = _percent(settings, LINE_WIDTH, 50, 160), _percent(settings, LINE_SPACING, 80, 160)
        typeface = _choice(settings, TYPEFACE, TYPEFACES)
        advance = QCheckBox(ADVANCE.title)
        advance.setChecked(settings.get(ADVANCE))
        advance.toggled.connect(lambda on: settings.set(ADVANCE, on))
        assessor = QLineEdit(settings.get(ASSESSOR))
        assessor.editingFinished.connect(lambda: settings.set(ASSESSOR, assessor.text().strip()))
        form = QFormLayout()
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(18)
        for name, field in (
            ("Appearance", appearance),
            ("Motion", motion),
            ("Interface size, from the next start", scale),
            ("Size of the article's text", zoom),
            ("Typeface", typeface),
            ("Width of lines", width),
            ("Line spacing", spacing),
            ("Assessor in new projects", assessor),
        ):
            named = label(name)
            as_high_as_field = QSizePolicy.Policy.Expanding
            named.setSizePolicy(QSizePolicy.Policy.Preferred, as_high_as_field)
            named.setBuddy(field)
            form.addRow(named, field)
        form.addRow(advance)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        in_column(label("Settings", "heading"), form, buttons, on=self, margins=(24, 20, 24, 18), spacing=16)


def _percent(settings: Settings, setting: Setting[int], low: int, high: int, step: int = 10) -> QSpinBox:
    """Make a field for a setting in per cent."""
    box = QSpinBox(minimum=low, maximum=high, singleStep=step, suffix=PERCENT, value=settings.get(setting))
    box.valueChanged.connect(lambda value: settings.set(setting, value))
    still(box).lineEdit().setTextMargins(9, 0, 0, 0)  # aligned with the other fields
    return box


def _choice(settings: Settings, setting: Setting[str], told: dict[str, str]) -> QComboBox:
    """Make a list of a setting's values with their labels; choosing one sets it."""
    box = still(QComboBox())
    for value, text in told.items():
        box.addItem(text, value)
    box.setCurrentIndex(box.findData(settings.get(setting)))
    box.currentIndexChanged.connect(lambda: settings.set(setting, box.currentData()))
    return box
