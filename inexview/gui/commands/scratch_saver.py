"""Saves a scratch run as a file in any format for runs, off the window's thread, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.formats.convert.conversion import Conversion, convert
from inexview.core.formats.convert.targets import check_free, write_whole
from inexview.core.formats.format import RUNS, Format, Options
from inexview.core.formats.format_registry import formats
from inexview.core.formats.tables.text_formats import FOL_RUN
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress
from inexview.core.wording import counted
from inexview.gui.commands.file_command import FileCommand
from inexview.gui.inspect.scoring.scratch_copies import ScratchCopies, ScratchCopy
from inexview.gui.services.file_choice import choose_new_file_of_kind
from inexview.gui.services.messages import Messages, ask_which
from inexview.gui.services.session import Session
from inexview.gui.services.settings import FOLDER, Settings
from inexview.gui.services.tasks import Tasks

SAVE, DISCARD = "Save as run…", "Discard"


class ScratchSaver(FileCommand):
    """Asks for name and format of a run file, and writes the scratch copy to it."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        scratch_copies: ScratchCopies,
        messages: Messages,
        tasks: Tasks,
        settings: Settings,
    ) -> None:
        super().__init__(window, session, messages, tasks, settings)
        self._scratch_copies = scratch_copies

    def ask(self) -> None:
        """Ask where to save the scratch copy of the run in the foreground."""
        copy = self._scratch_copies.copy
        if copy is not None:
            self._ask(copy)

    def may_close(self) -> bool:
        """Ask once what shall become of changes that are in no file; False where the window shall stay.

        Where they are to be saved the window closes once that is done.
        """
        unsaved = self._scratch_copies.unsaved
        if not unsaved:
            return True
        names = ", ".join(copy.scratch.base.id for copy in unsaved)
        changes = counted(sum(len(copy.scratch.changes) for copy in unsaved), "change")
        question = f"Save the scratch copy of {names} as a run?"
        answer = ask_which(self._window, question, f"Its {changes} would be lost.", SAVE, DISCARD)
        if answer == SAVE:
            self._save_and_close()
        return answer == DISCARD

    def _save_and_close(self) -> None:
        """Ask where to save one copy after another, and close the window after the last of them."""
        unsaved = self._scratch_copies.unsaved
        if unsaved:
            self._ask(unsaved[0], self._save_and_close)
        else:
            self._window.close()

    def _ask(self, copy: ScratchCopy, done: Callable[[], object] = lambda: None) -> None:
        """Ask where to save a scratch copy, and in which format."""
        base = copy.scratch.base
        beside = self._session.project.path.parent if base.path is None else base.path.parent
        start = Path(self._settings.get(FOLDER) or beside)
        targets = [FOL_RUN, *(one for one in formats(*RUNS) if one is not FOL_RUN)]
        kinds = {f"{target.title} (*{target.suffix})": target for target in targets}
        proposed = start / f"{base.id}-what-if{FOL_RUN.suffix}"
        chosen = choose_new_file_of_kind(self._window, "Save as run", proposed, ";;".join(kinds))
        if chosen is not None:
            path, kind = chosen
            self._settings.set(FOLDER, str(path.parent))
            self.save(copy, path, kinds.get(kind, FOL_RUN), done)

    def save(
        self, copy: ScratchCopy, path: Path, target: Format, done: Callable[[], object] = lambda: None
    ) -> None:
        """Write a scratch copy, and then do what is to be ``done``; the file of an open run is refused."""
        scratch, collection = copy.scratch, self._session.project.collection
        run, changes = scratch.run(f"{scratch.base.id}-what-if"), scratch.changes
        sources = [one.path for one in self._session.runs if one.path is not None]
        try:
            check_free(path, [self._session.project.path, collection.path, *sources], overwrite=True)
        except InexviewError as error:
            self._messages.error(error)
            return

        def work(progress: Progress) -> tuple[str, ...]:
            return write_run(run, path, target, Options(collection, progress=progress))

        def tell(lost: tuple[str, ...]) -> None:
            self._scratch_copies.note_saved(copy, changes)
            without = f"; this format cannot carry {', '.join(lost)}" if lost else ""
            self._messages.info(f"The scratch copy is saved as {path.name}{without}.")
            done()

        self._tasks.run_long(f"Saving {path.name}", work, tell, saves=True)


def write_run(run: Run, path: Path, target: Format, options: Options) -> tuple[str, ...]:
    """Write a run in a format, and return what that cannot carry; raises DataError and OSError."""
    if not len(run):
        raise DataError("nothing is retrieved: there is no run to save", path=path)
    converted = convert(run, Conversion(FOL_RUN, target, options))
    write_whole(converted.content, target, path, options, folder=False)
    return converted.lost
