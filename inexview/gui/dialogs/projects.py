"""Dialogs that make a project, with checks of its parts, and that restore a copy of one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QWidget,
)

from inexview.core.collection.collection import Collection
from inexview.core.errors import JudgementError
from inexview.core.files import folder_is_there, is_there, project_path
from inexview.core.formats.pool_files import read_pool
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.topics import Topics
from inexview.core.progress import Progress
from inexview.core.project.contents import absent_documents, unknown_topics
from inexview.core.project.judging.document_state import read_grades
from inexview.core.project.project_parts import NewProject, Parts, what_it_is
from inexview.core.project.recovery.salvage import CopyContents, copy_contents, restore_copy, save_salvaged
from inexview.core.wording import counted, some_named
from inexview.gui.look.layouts import in_column, in_row, timer
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import ElidedLabel, label
from inexview.gui.services.file_choice import PACKED, PROJECTS, archive_files, choose_file
from inexview.gui.services.messages import activity_sentence, sentence
from inexview.gui.services.settings import ASSESSOR, FOLDER, Settings
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

AFTER = 500  # milliseconds without a key: a path that is being typed leads to other folders first
SHOWN = 3  # documents named that are not there


@dataclass(frozen=True, slots=True)
class PartStatus:
    """What is said of a part of a project, and whether it looks wrong, or even keeps one from making it."""

    part: str
    text: str
    wrong: bool = False
    stops: bool = False


class PartsCheck(QObject):
    """Says of each part what it is."""

    told = Signal(object)  # PartStatus

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = Parts()
        self._wanted = Parts()
        self._collection: Collection | None = None
        self._topics: Topics | None = None
        self._pool: Pool | None = None
        self._under_way: dict[str, BackgroundTask] = {}
        self._tasks = Tasks(lambda _error: None, self)
        self._tasks.progressed.connect(self._hear)
        self._soon = timer(self, self._look, AFTER)

    def look(self, parts: Parts) -> None:
        """Look at these parts, as soon as no one types any more."""
        self._wanted = parts
        self._soon.start()

    def close(self) -> None:
        """Look no more; what is being listed is given up."""
        self._soon.stop()
        self._tasks.close()
        self._forget_collection()

    def _look(self) -> None:
        """Look at each part that is another now."""
        before, self._parts = self._parts, self._wanted
        if self._parts.collection != before.collection:
            self._forget_collection()
            self._begin("collection", self._parts.collection, self._list)
        if self._parts.topics != before.topics:
            self._topics = None
            self._begin("topics", self._parts.topics, self._read_topics)
        if self._parts.pool != before.pool:
            self._pool = None
            self._begin("pool", self._parts.pool, self._read_pool)
        else:
            self._compare()  # with what it was compared with it has nothing to do any more

    def _begin(self, part: str, path: Path | None, read: Callable[[Path], BackgroundTask]) -> None:
        if part in self._under_way:
            self._under_way.pop(part).cancel()
        self._tell(part, "")
        if path is not None and is_there(path):
            self._under_way[part] = read(path)

    # -- each part -----------------------------------------------------------------------------------

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
        self._collection = collection
        number, notes = len(collection), collection.warnings
        told = f"{what_it_is(path)} · {counted(number, 'article')}" if number else "holds no XML files at all"
        self._tell("collection", told + _notes_of(notes, path), wrong=bool(notes), stops=not number)
        self._compare()

    def _read_topics(self, path: Path) -> BackgroundTask:
        self._tell("topics", "reading…")
        return self._tasks.run(lambda: read_topics(path), self._take_topics, partial(self._fail, "topics"))

    def _take_topics(self, topics: Topics) -> None:
        self._topics = topics
        told = counted(len(topics), "topic") + _notes_of(topics.warnings, self._parts.topics)
        self._tell("topics", told, wrong=bool(topics.warnings))
        self._compare()

    def _read_pool(self, path: Path) -> BackgroundTask:
        self._tell("pool", "reading…")
        return self._tasks.run(lambda: read_pool(path), self._take_pool, partial(self._fail, "pool"))

    def _take_pool(self, pool: Pool) -> None:
        self._pool = pool
        self._compare()

    # -- together ------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Say what the pool is, and whether its topics and documents are there, as far as can be told now."""
        pool, topics, collection = self._pool, self._topics, self._collection
        if pool is None:
            return
        if "pool" in self._under_way:
            self._under_way.pop("pool").cancel()  # what is known has changed since that began
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
        self.told.emit(PartStatus(part, text, wrong or stops, stops))

    def _forget_collection(self) -> None:
        if self._collection is not None:
            self._collection.close()
        self._collection = None


def _pooled(pool: Pool) -> str:
    number = sum(len(documents) for documents in pool.topics.values())
    return f"{counted(number, 'document')} for {counted(len(pool.topics), 'topic')}"


def _notes_of(warnings: Sequence[str], path: Path | None) -> str:
    """Say the first of the warnings without the path, which is above, and how many more there are."""
    if not warnings:
        return ""
    more = f" (and {len(warnings) - 1:,} more)" if len(warnings) > 1 else ""
    return f" · {_placed(warnings[0], path)}{more}"


def _placed(text: str, path: Path | None) -> str:
    """Return what is said of a path without it, since it is above; a line is called one."""
    return re.sub(r"^:(\d+)(:\d+)?: ", r"line \1: ", text.removeprefix(str(path))).lstrip(":/ ")


class PathField(QWidget):
    """A line for a path, a button that asks for it, and below them what lies there (``noted``)."""

    def __init__(
        self, name: str, hint: str, choices: dict[str, Callable[[], str]], *, noted: bool = True
    ) -> None:
        super().__init__()
        self.line = QLineEdit(placeholderText=hint)
        self.line.setAccessibleName(name)
        button = QPushButton("Choose…")
        button.setAccessibleName(f"Choose {name}")
        button.setAutoDefault(False)
        button.setFixedWidth(104)  # alike, with a menu or without
        if len(choices) == 1:
            (ask,) = choices.values()
            button.clicked.connect(lambda: self._take(ask()))
        else:
            menu = QMenu(button)
            for text, ask in choices.items():
                menu.addAction(text).triggered.connect(partial(self._ask, ask))
            button.setMenu(menu)
        row = in_row((self.line, 1), button)
        self.note = ElidedLabel(role="note", parent=self)  # takes its room at once, so that nothing jumps
        in_column(row, self.note, on=self, margins=0, spacing=3)
        self.note.setVisible(noted)

    def show_note(self, text: str, *, wrong: bool) -> None:
        """Say below the line what lies there."""
        self.note.set_text(text)
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


class NewProjectDialog(QDialog):
    """Asks for the parts of a project; says at once, beside the button, what is still missing."""

    def __init__(
        self,
        settings: Settings,
        parent: QWidget | None = None,
        parts: Parts | NewProject = Parts(),  # noqa: B008
    ) -> None:
        """``parts`` are there already, all of them where a project could not be made of what was told."""
        super().__init__(parent)
        self.setWindowTitle("New project")
        self.setMinimumWidth(620)
        self._settings = settings
        texts = f"XML or text (*.xml *.txt *.tsv *.jsonl *.json *.csv {PACKED});;All files (*)"
        self.collection = PathField("collection", "folder, .zip or .tar(.gz, .bz2, .xz) of XML articles", {
            "Folder…": self._ask_folder, "Archive…": lambda: self._ask_file("Collection", archive_files()),
        })  # fmt: skip
        self.topics = PathField("topics", "topics of INEX, TREC or BEIR: a file or a folder", {
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
        self._unfit: set[str] = set()  # parts that no project can be made of
        self._looking = PartsCheck(self)
        self._looking.told.connect(self._tell)
        self._build()
        self._create.setDefault(True)  # in the dialog now, which gives it back what another button took
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
            named.setContentsMargins(0, 7, 0, 0)  # on the line, not in the middle of line and note
            form.addRow(named, field)
        in_column(
            label("New project", "heading"),
            form,
            self._missing,
            self._buttons,
            on=self,
            margins=(24, 22, 24, 20),
            spacing=16,
        )
        for field in (self.collection, self.topics, self.pool, self.path):
            field.line.textChanged.connect(self._check)

    def chosen(self) -> NewProject:
        """Return what was told; only after the dialog was accepted."""
        path, collection, topics = self.path.path, self.collection.path, self.topics.path
        if path is None or collection is None or topics is None:
            raise ValueError("the dialog was not accepted")
        assessor = self.assessor.text().strip()
        self._settings.set(ASSESSOR, assessor)
        return NewProject(project_path(path), collection, topics, self.pool.path, assessor, self._grades())

    def _grades(self) -> tuple[str, ...]:
        return read_grades(self.grades.text())

    def done(self, result: int) -> None:
        self._looking.close()
        super().done(result)

    def _tell(self, told: PartStatus) -> None:
        """Say below a field what is there; with what cannot be read, no project can be made."""
        field: PathField = getattr(self, told.part)
        field.show_note(told.text, wrong=told.wrong)
        self._unfit = {*self._unfit, told.part} if told.stops else self._unfit - {told.part}
        self._allow()

    def _check(self) -> None:
        self._looking.look(Parts(self.collection.path, self.topics.path, self.pool.path))
        self._allow()

    def _allow(self) -> None:
        """Let a project be made unless something is lacking or cannot be used."""
        missing = self._first_problem()
        self._missing.setText(missing)
        self._create.setEnabled(not missing)

    def _first_problem(self) -> str:
        for field, name in ((self.collection, "collection"), (self.topics, "topic file")):
            if field.path is None:
                return f"Choose the {name}."
            if not is_there(field.path):
                return f"The {name} is not there."
            if "collection" in self._unfit and field is self.collection:
                return "This collection cannot be used."
            if "topics" in self._unfit and field is self.topics:
                return "These topics cannot be read."
        if self.pool.path is not None and not is_there(self.pool.path):
            return "The pool is not there."
        if self.pool.path is not None and "pool" in self._unfit:
            return "This pool cannot be read; without one, the pool is the collection."
        if self.path.path is None:
            return "Choose where the project file will be."
        if folder_is_there(self.path.path):
            return "The project file is a folder; give it a name."
        if not folder_is_there(self.path.path.absolute().parent):
            return "The folder for the project file does not exist."
        if is_there(project_path(self.path.path)):
            return "There is a project file of this name already; choose another."
        try:
            self._grades()
        except JudgementError as error:
            return f"{str(error).capitalize()}."
        return ""

    def _folder(self) -> str:
        return self._settings.get(FOLDER)

    def _ask_folder(self) -> str:
        path = QFileDialog.getExistingDirectory(self, "Folder", self._folder())
        if path:
            self._settings.set(FOLDER, path)
        return path

    def _ask_file(self, what: str, kinds: str) -> str:
        path = choose_file(self, what, kinds, self._settings)
        return "" if path is None else str(path)

    def _ask_project(self) -> str:
        start = str(Path(self._folder() or str(Path.home())) / "judgements.inexview")
        path, _ = QFileDialog.getSaveFileName(self, "Project file", start, PROJECTS)
        return path


NONE = (
    "There is no copy of this project yet. Copies are made when it is opened and closed, and every ten "
    "minutes of work."
)


class RestoreDialog(QDialog):
    """Lists copies, newest first; nothing that is there is changed."""

    chosen = Signal(object)  # Callable[[Path], object]: writes what was chosen to a new file

    def __init__(self, path: Path, tasks: Tasks, parent: QWidget | None, *, damaged: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("Restore")
        self.resize(720, 420)
        self._path = path
        self._contents: Sequence[CopyContents] = ()
        self._told = label(f"Reading the copies of {path.name} …", wrap=True)
        self.copies = QListWidget()
        self.copies.setAccessibleName("Copies of the project, newest first")
        self.copies.setUniformItemSizes(True)
        self.copies.itemDoubleClicked.connect(self._restore)
        self.restore = QPushButton("Restore as a new file…")
        self.restore.setDefault(True)
        self.restore.setEnabled(False)
        self.restore.clicked.connect(self._restore)
        self.salvage = QPushButton("Save what can be read…")
        self.salvage.setToolTip("What the file itself still holds, and rows that only its copies still have")
        self.salvage.clicked.connect(self._salvage)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.restore, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.salvage, QDialogButtonBox.ButtonRole.ActionRole)
        self.salvage.setVisible(damaged)  # all of a sound file can be read
        buttons.rejected.connect(self.reject)
        in_column(
            label("Restore", "heading"),
            self._told,
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
        self._told.setText(f"Copies of {self._path.name}, newest first:" if contents else NONE)
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
