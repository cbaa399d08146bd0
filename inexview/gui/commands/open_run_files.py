"""The open runs and their files: what looks wrong with a run, and what has become of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inexview.core.collection.collection import Collection
from inexview.core.judgements.runs import Run
from inexview.core.wording import counted
from inexview.gui.services.file_watch import FileWatch
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

NAMED = 100  # missing documents of a run that are named: of many runs each turn of the window stays short


class OpenRunFiles(QObject):
    """Lays runs over the text, and follows their files for as long as they are open."""

    check_wanted = Signal(object)  # Path of a file whose offsets look wrong
    changed = Signal(object)  # list[Path]: files that are to be read again

    def __init__(self, session: Session, messages: Messages, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._messages, self._tasks = session, messages, tasks
        self._front: Path | None = None
        """The run that was in the foreground before the last ones came."""
        self._unlooked: list[Run] = []  # runs of which it is not known whether their documents are there
        self._unread: set[Path] = set()  # files of runs that are gone or spoilt
        self._said_unread: Message | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(self.changed)
        self._watch.gone.connect(self._tell_gone)
        session.runs_changed.connect(lambda _runs: self._follow())
        session.preparation.changed.connect(self._look_for_documents)

    def take(
        self, runs: Sequence[Run], doubts: Mapping[Path, str], then: Callable[[], None] = lambda: None
    ) -> list[Message]:
        """Lay runs over the text, and return what looks wrong: ``doubts`` say why offsets of files do."""
        self._front = None if self._session.run is None else self._session.run.path
        if not runs:
            return []
        self._session.add_run(*runs)  # all at once: lists and figures are made again once
        self._unlooked += runs
        self._look_for_documents()
        then()
        return [message for run in runs for message in self._wrong_with(run, doubts)]

    def stay(self) -> None:
        """Go back to the run that was in the foreground before runs were taken."""
        there = (run for run in self._session.runs if run.path is not None and run.path == self._front)
        self._session.select_run(next(there, self._session.run))

    # -- their files ---------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Watch the files of the runs that are open."""
        self._watch.watch(self.paths)
        self.note_read(self._unread - self.paths)

    def _tell_gone(self, paths: Sequence[Path]) -> None:
        """Say of files that are there no more that their runs are shown all the same."""
        names = ", ".join(path.name for path in paths)
        stay = "is gone; its run stays" if len(paths) == 1 else "are gone; their runs stay"
        back = "it is back" if len(paths) == 1 else "they are back"
        self._messages.warn(f"{names} {stay} as read before, and will be read again when {back}.")
        self.note_unread({*paths})

    @property
    def paths(self) -> set[Path]:
        """The files of the runs that are open."""
        return {run.path for run in self._session.runs if run.path is not None}

    def note_unread(self, paths: Set[Path]) -> None:
        """Keep what was just said of files that cannot be read, for as long as it is so."""
        if paths:
            self._unread |= paths
            self._said_unread = self._messages.current

    def note_read(self, paths: Set[Path]) -> None:
        """Take back what was said of files, once all that could not be read were read again or closed."""
        if self._unread and self._unread <= paths:
            self._messages.withdraw(self._said_unread)
        self._unread -= paths

    # -- what looks wrong ----------------------------------------------------------------------------

    def _wrong_with(self, run: Run, doubts: Mapping[Path, str]) -> list[Message]:
        """Return what looks wrong about a run."""
        known = {topic.id for topic in self._session.project.topics}
        if not known & set(run.topics):
            said = (
                f"{run.path}: none of its {len(run.topics):,} topics is in this project, "
                f"so there is nothing to show for {run.id}."
            )
            return [Message(MessageKind.WARNING, said)]
        if (doubt := doubts.get(run.path or Path())) is not None:
            check = partial(self.check_wanted.emit, run.path)
            return [
                Message(MessageKind.WARNING, f"{run.path} is open, but {doubt}.", "Check offsets…", check)
            ]
        if run.warnings:
            return [
                Message.listing(
                    MessageKind.WARNING, f"{run.id} is open. What is wrong in its file:", run.warnings
                )
            ]
        return []

    def _look_for_documents(self) -> None:
        """Once the collection is known, say which documents of runs are not there."""
        if not self._session.preparation.ready:
            return
        runs, self._unlooked = self._unlooked, []
        for run in runs:
            look_for = partial(_missing, run, self._session.project.collection)
            self._tasks.run(look_for, partial(self._take_missing, run), urgent=False)

    def _take_missing(self, run: Run, found: tuple[list[str], int]) -> None:
        self._tell_missing(run, *found)

    def _tell_missing(self, run: Run, missing: Sequence[str], documents: int) -> None:
        if not missing:
            return
        if len(missing) == 1:
            (one,) = missing
            self._messages.say_also(
                Message(MessageKind.WARNING, f"Document {one} of {run.id} is not in the collection.")
            )
            return
        named = counted(documents, "document")
        said = f"{len(missing):,} of the {named} of {run.id} are not in the collection:"
        listed = (
            [*missing[:NAMED], f"… and {len(missing) - NAMED:,} more"] if len(missing) > NAMED else missing
        )
        self._messages.say_also(Message.listing(MessageKind.WARNING, said, listed))


def _missing(run: Run, collection: Collection) -> tuple[list[str], int]:
    """Return the documents of a run that are not in the collection, and how many it names."""
    named = dict.fromkeys(run.document.strings())
    return collection.lacking(named), len(named)
