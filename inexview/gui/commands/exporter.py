"""Writes what is judged in any format that carries it, off the window's thread, and whole or not at all."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.errors import InexviewError
from inexview.core.formats.convert.targets import check_free
from inexview.core.formats.format import Options
from inexview.core.formats.tables.text_formats import JSONL
from inexview.core.progress import Progress
from inexview.core.project.exchange.judgement_export import Exported, JudgingTally, Wanted, export, tallies
from inexview.core.project.project import Project
from inexview.core.wording import counted
from inexview.gui.commands.file_command import FileCommand
from inexview.gui.dialogs.export_dialog import Choice, ExportDialog
from inexview.gui.services.file_choice import choose_new_file
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence, ask
from inexview.gui.services.messages import activity_sentence as news_sentence
from inexview.gui.services.session import Session
from inexview.gui.services.settings import FOLDER, Settings
from inexview.gui.services.tasks import LongTask, Tasks


class Exporter(FileCommand):
    """Asks how, and where to, and writes; the project is read beside the window meanwhile."""

    def __init__(
        self, window: QWidget, session: Session, messages: Messages, tasks: Tasks, settings: Settings
    ) -> None:
        super().__init__(window, session, messages, tasks, settings)
        self.dialog: ExportDialog | None = None  # that is open

    def ask(self) -> None:
        """Ask how judgements shall be written, and say of each format what it cannot carry."""
        session = self._session
        current = None if session.topic is None else session.topic.id
        dialog = ExportDialog(session.project.topics, current, self._settings, self._window)
        counting = Tasks(self._messages.error, dialog)
        counting.progressed.connect(partial(_show_news, dialog))
        path, collection = session.project.path, session.project.collection

        def work(progress: Progress) -> dict[str, JudgingTally]:
            with Project.beside(path, collection) as project:
                return tallies(project, progress)

        def failed(error: Exception) -> None:
            dialog.show_news("What is judged could not be read.")
            self._messages.error(error)

        counting.run_long("Counting", work, dialog.show_tallies, failed)
        dialog.finished.connect(lambda _result: self._close(counting))
        dialog.accepted.connect(lambda: self._ask_path(dialog.choice))
        dialog.open()
        self.dialog = dialog

    def _close(self, counting: Tasks) -> None:
        counting.close()
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog = None

    def _ask_path(self, choice: Choice) -> None:
        """Ask for a file, or for a folder, and export to it."""
        project, folder = self._session.project, self._settings.get(FOLDER)
        start = Path(folder or project.path.parent)
        path: Path | None
        if choice.folder:
            name = QFileDialog.getExistingDirectory(self._window, "An empty folder", str(start))
            path = Path(name) if name else None
        else:
            suffix = choice.target.suffix
            kinds = f"{choice.target.title} (*{suffix});;All files (*)"
            of = f".{choice.topics[0]}" if choice.topics else ""
            proposed = start / f"{project.path.stem}{of}.{_called(choice)}{suffix}"
            path = choose_new_file(self._window, "Export judgements", proposed, kinds)
        if path is not None:
            self._settings.set(FOLDER, str(path if choice.folder else path.parent))
            self.export(choice, path)

    def export(self, choice: Choice, path: Path) -> None:
        """Write what is judged; what is lost beyond what was said before is asked about first."""
        project = self._session.project
        try:
            sources = [project.path, project.collection.path]
            check_free(path, sources, overwrite=True, folder=choice.folder)
        except InexviewError as error:
            self._messages.error(error)
            return
        wanted = Wanted(choice.target, choice.topics, suggested=choice.suggested, own=choice.own)
        source, collection = project.path, project.collection

        def work(progress: Progress) -> tuple[Exported, bool]:
            with Project.beside(source, collection) as beside:
                exported = export(beside, wanted, progress)
            agreed = set(exported.converted.lost) <= set(choice.lost)
            if agreed:
                exported.write(path, Options(collection, progress=progress), folder=choice.folder)
            return exported, agreed

        self._tasks.run_long(
            f"Exporting to {path.name}",
            work,
            lambda made: (self._tell if made[1] else partial(self._ask_loss, choice))(made[0], path),
            given_up=self._tell_given_up,
            saves=True,
        )

    def _ask_loss(self, choice: Choice, exported: Exported, path: Path) -> None:
        """Write what was brought into the format, once it is agreed that something is lost."""
        lost = ", ".join(exported.converted.lost)
        question = f"Export to {path.name} all the same?"
        if not ask(self._window, question, f"{exported.target.title} cannot carry {lost}.", "Export"):
            self._tell_given_up()
            return
        collection = self._session.project.collection

        def work(progress: Progress) -> Exported:
            exported.write(path, Options(collection, progress=progress), folder=choice.folder)
            return exported

        told = partial(self._tell, path=path)
        self._tasks.run_long(
            f"Exporting to {path.name}", work, told, given_up=self._tell_given_up, saves=True
        )

    def _tell(self, exported: Exported, path: Path) -> None:
        finished = "document" if exported.target is JSONL else "finished document"
        said = (
            f"{counted(exported.documents, finished)} {'is' if exported.documents == 1 else 'are'} in {path}."
        )
        if exported.begun:
            said += f" Not finished: {len(exported.begun):,}."
        if exported.left_out:
            why = "they are to do" if exported.target is JSONL else "they are not finished"
            said += f" Left out, because {why}: {len(exported.left_out):,}."
        left = [f"topic {topic}, document {document}" for topic, document in exported.left_out]
        warnings = [as_sentence(warning) for warning in exported.converted.warnings]
        if left or warnings:
            self._messages.say(Message.listing(MessageKind.WARNING, said, [*warnings, *left]))
        else:
            self._messages.info(said)

    def _tell_given_up(self) -> None:
        self._messages.info("The export was given up; nothing was written.")


def _show_news(dialog: ExportDialog, task: LongTask) -> None:
    if task.news is not None:
        dialog.show_news(f"{news_sentence(task.news)}…")


def _called(choice: Choice) -> str:
    """Return what a file of this format is commonly called."""
    return (
        "judgements"
        if choice.target is JSONL
        else "qrels"
        if choice.target.suffix == ".txt"
        else "assessments"
    )
