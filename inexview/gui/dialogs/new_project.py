"""The dialog that makes a project: a collection, topics, and a pool if there is one."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from inexview.core.errors import JudgementError
from inexview.core.file_presence import folder_is_there, is_there
from inexview.core.project.judging.grades import read_grades
from inexview.core.project_name import project_path
from inexview.gui.dialogs.collection_finder import ARCHIVES
from inexview.gui.dialogs.project_parts import NewProject, Parts
from inexview.gui.dialogs.project_parts_check import PartsCheck, PartStatus
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import ElidedLabel, label
from inexview.gui.services.file_choice import PACKED, PROJECTS, choose_file
from inexview.gui.services.settings import ASSESSOR, FOLDER, Settings


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
            "Folder…": self._ask_folder, "Archive…": lambda: self._ask_file("Collection", ARCHIVES),
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
