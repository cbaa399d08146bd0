"""The commands that read files: runs and judgements, off the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inexview.core.formats.format import JUDGEMENTS, RUNS, FileKind
from inexview.core.formats.run_options import AS_SEEN
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.judgements.runs import Run
from inexview.core.project.exchange.takeover import Imported
from inexview.core.wording import counted
from inexview.gui.commands.file_command import FileCommand
from inexview.gui.commands.open_run_files import OpenRunFiles
from inexview.gui.services.file_choice import PACKED, choose_file, choose_files
from inexview.gui.services.messages import Message, MessageKind, Messages, ask, sentence
from inexview.gui.services.preparation import Preparation
from inexview.gui.services.session import Session, start_import
from inexview.gui.services.settings import RUNS as RUNS_KEPT
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks

if TYPE_CHECKING:
    from inexview.gui.commands.incoming_file import Incoming, Read

STAYS = " Its run stays as it was read before."


@dataclass(frozen=True, slots=True)
class _Errand:
    """What files are read for: the kinds asked for, and what is called when they are there.

    A file that was asked for in a later turn is taken as it is read then, whichever reading ends first.
    """

    turn: int
    asked: Sequence[FileKind]
    then: Callable[[], None]
    changed: bool = False
    """Whether it is about runs that are open: one that is closed meanwhile stays closed."""


class Files(FileCommand):
    """Opens runs, and imports judgements into the session's project."""

    check_wanted = Signal(object)  # Path of a file whose offsets look wrong
    project_wanted = Signal(object)  # Parts: somebody brought what a project is made of

    def __init__(
        self,
        window: QWidget,
        session: Session,
        messages: Messages,
        tasks: Tasks,
        settings: Settings,
        reload: Callable[[], None],
    ) -> None:
        """``reload`` shows what an import has changed."""
        super().__init__(window, session, messages, tasks, settings)
        self._reload = reload
        self.run_options = AS_SEEN
        """How runs are to be read, where somebody said so."""
        self._runs = OpenRunFiles(session, messages, tasks, self)
        self._runs.changed.connect(lambda paths: self._bring_in(paths, RUNS, self._runs.stay, changed=True))
        self._runs.check_wanted.connect(self.check_wanted)
        self._doubts: dict[Path, str] = {}  # why offsets of the files read last look wrong
        self._turns = count()
        self._newest: dict[Path, int] = {}  # the turn in which a file was asked for last

    # -- runs and judgements -------------------------------------------------------------------------

    def ask_runs(self, then: Callable[[], None]) -> None:
        """Ask for runs and open them; ``then`` is called when they are open."""
        kinds = f"Runs (*.txt *.run *.xml *.res *.json *.csv *.tsv {PACKED});;All files (*)"
        paths = choose_files(self._window, "Open run", kinds, self._settings)
        if paths:
            self.open_runs(paths, then)

    def open_runs(self, paths: Sequence[Path], then: Callable[[], None] = lambda: None) -> None:
        """Read runs off the window's thread and lay them over the text, the first of them on top.

        What turns out to be something else is offered for what it is.
        """
        self._bring_in(paths, RUNS, then)

    def lay(self, runs: Sequence[Run], lacking: Sequence[str], then: Callable[[], None]) -> None:
        """Lay runs over the text that have been read already; tell what is lacking, and looks wrong."""
        said = [Message(MessageKind.WARNING, one) for one in lacking]
        self._messages.say_all([*said, *self._runs.take(runs, self._doubts, then)])

    def read_kept(self) -> None:
        """Open the runs that were open when the project was left."""
        kept: list[str] = self._settings.get(RUNS_KEPT).get(str(self._session.project.path), [])
        if kept:
            self._bring_in([Path(path) for path in kept], RUNS, self._runs.stay)

    def ask_import(self) -> None:
        """Ask for judgements and take them into the project."""
        kinds = f"Judgements (*.txt *.qrels *.xml *.jsonl *.json *.csv *.tsv {PACKED});;All files (*)"
        path = choose_file(self._window, "Import qrels", kinds, self._settings)
        if path is not None:
            self.import_qrels(path)

    def import_qrels(self, path: Path) -> None:
        """Read judgements off the window's thread and take them into the project."""
        self._bring_in([path], JUDGEMENTS, lambda: None)

    def _bring_in(
        self,
        paths: Sequence[Path],
        asked: Sequence[FileKind],
        then: Callable[[], None],
        *,
        changed: bool = False,
    ) -> None:
        # here: a cold start need not wait for any reader
        from inexview.gui.commands.incoming_file import look

        options = self.run_options if asked is RUNS else AS_SEEN
        errand = _Errand(next(self._turns), asked, then, changed)
        self._tasks.run(lambda: look(paths, options), lambda files: self._go_on(files, errand))

    def _go_on(self, files: Sequence[Incoming], errand: _Errand) -> None:
        """Read what can be read here, once the articles are at hand that it speaks of."""
        parts = [file for file in files if file.holds in (FileKind.TOPICS, FileKind.POOL) or file.archive]
        files = [file for file in files if file not in parts]
        said = self._offer_project(parts)
        if not files:
            self._messages.say_all(said)
            self._runs.note_unread({part.path for part in parts} & self._runs.paths)
            return
        for file in files:
            self._newest[file.path] = max(errand.turn, self._newest.get(file.path, 0))
        preparation, read = self._session.preparation, partial(self._read, files, errand, said)
        if any(file.needs_articles for file in files):
            names = ", ".join(file.path.name for file in files if file.needs_articles)
            otherwise = (
                f"{names} speaks of places in the articles, and can be read once the collection is indexed."
            )
            self._when_indexed(preparation, read, otherwise)
        else:
            read()

    def _read(self, files: Sequence[Incoming], errand: _Errand, said: Sequence[Message]) -> None:
        from inexview.gui.commands.incoming_file import read_all  # here as well

        collection, convention = self._session.project.collection, self._session.project.convention
        what = f"Reading {files[0].path.name}" if len(files) == 1 else f"Reading {len(files)} files"
        self._tasks.run_long(
            what,
            lambda progress: read_all(files, errand.asked, collection, progress, convention),
            lambda read: self._take_all(read, errand, said),
        )

    def _when_indexed(self, preparation: Preparation, work: Callable[[], object], otherwise: str) -> None:
        """Do something when the collection is ready; where that was given up, say so and offer to go on."""
        again = partial(self._when_indexed, preparation, work, otherwise)
        message = Message(MessageKind.WARNING, otherwise, "Index the collection", again)
        preparation.when_ready(work, lambda: self._messages.say(message))

    def _take_all(self, read: Sequence[Read], errand: _Errand, said: Sequence[Message]) -> None:
        """Take what was read, and tell all about it, with what the article that is open said of a run."""
        read = [one for one in read if self._is_wanted(one.path, errand)]
        self._runs.note_read({one.path for one in read if isinstance(one.content, Run)})
        before = self._messages.current
        said = [*said, *self._take(read, errand.asked, errand.then)]
        shown = self._messages.current
        self._messages.say_all(said if shown is None or shown is before else [*said, shown])
        unread = {one.path for one in read if not isinstance(one.content, Run)}
        self._runs.note_unread(unread & self._runs.paths)

    def _is_wanted(self, path: Path, errand: _Errand) -> bool:
        """Tell whether a file was not asked for again since, and its run was not closed since."""
        is_open = any(run.path == path for run in self._session.runs)
        return self._newest[path] == errand.turn and (is_open or not errand.changed)

    def _offer_project(self, parts: Sequence[Incoming]) -> list[Message]:
        """Say that these files are what projects are made of, and offer to make one."""
        from inexview.gui.dialogs.project_parts import Parts  # here as well

        if not parts:
            return []
        told = "; ".join(f"{part.path.name} holds {part.holds or 'articles'}" for part in parts)
        stays = STAYS if self._runs.paths.intersection(part.path for part in parts) else ""
        said = f"{told}: what a project is made of. It cannot be added to one that is there.{stays}"
        found = {part.holds: part.path for part in parts}
        wanted = Parts(found.get(None), found.get(FileKind.TOPICS), found.get(FileKind.POOL))
        offer = partial(self.project_wanted.emit, wanted)
        return [Message(MessageKind.WARNING, said, "New project…", offer)]

    def _take(
        self, read: Sequence[Read], asked: Sequence[FileKind], then: Callable[[], None]
    ) -> list[Message]:
        """Open what was asked for, and return what there is to say of the rest."""
        runs = [one.content for one in read if isinstance(one.content, Run)]
        qrels = [one.content for one in read if isinstance(one.content, Qrels | Records)]
        self._doubts = {one.path: one.doubt for one in read if one.doubt is not None}
        if asked is RUNS:
            said = [*self._runs.take(runs, self._doubts, then), *map(self._offer_import, qrels)]
        else:
            said = [self._offer_run(run) for run in runs]
            for judged in qrels:
                self._take_qrels(judged)
        errors = []
        for one in read:
            if isinstance(one.content, Exception):
                errors.append(sentence(one.content).splitlines())
                errors[-1][0] += STAYS if one.path in self._runs.paths else ""
        return [*(Message.listing(MessageKind.ERROR, first, others) for first, *others in errors), *said]

    def _offer_import(self, qrels: Qrels | Records) -> Message:
        stays = STAYS if qrels.path in self._runs.paths else ""
        said = f"{qrels.path} is no run: it holds judgements, which can be taken into the project.{stays}"
        return Message(MessageKind.WARNING, said, "Import", lambda: self._take_qrels(qrels))

    def _offer_run(self, run: Run) -> Message:
        said = f"{run.path} holds no judgements: it is a run, which can be laid over the text."
        return Message(
            MessageKind.WARNING,
            said,
            "Open it",
            lambda: self._messages.say_all(self._runs.take([run], self._doubts)),
        )

    def _take_qrels(self, qrels: Qrels | Records) -> None:
        if not self._trusted(qrels):
            return
        name = qrels.path.name if qrels.path else "judgements"
        told = partial(self._tell_taken, qrels)
        start = partial(
            start_import, self._tasks, self._session.project, qrels, name, told, self._tell_given_up
        )
        said = f"Nothing of {name} was imported: the collection is not indexed."
        self._when_indexed(self._session.preparation, start, said)

    def _tell_given_up(self) -> None:
        self._reload()
        self._messages.warn(
            "The import was given up; what had been taken over by then can be undone document by document."
        )

    def _tell_taken(self, qrels: Qrels | Records, taken: Imported) -> None:
        self._reload()
        now = "is" if taken.documents == 1 else "are"
        said = (
            f"{counted(taken.documents, 'judgement')} {now} in the project now, and can be undone document "
            "by document."
            if taken.documents
            else f"Nothing new in {qrels.path.name if qrels.path else 'these judgements'}: "
            "the project stays as it is."
        )
        warnings = (*qrels.warnings, *taken.warnings)
        if warnings:
            self._messages.say(Message.listing(MessageKind.WARNING, said, warnings))
        else:
            self._messages.info(said)

    def _trusted(self, qrels: Qrels | Records) -> bool:
        """Ask whether qrels shall be taken over whose passages would be shifted; else have them checked."""
        doubt = self._doubts.get(qrels.path or Path())
        if doubt is None:
            return True
        question = f"Import {qrels.path.name if qrels.path else 'these qrels'} all the same?"
        detail = f"It looks as if passages would be shifted: {doubt}."
        if ask(self._window, question, detail, "Import", "Check offsets…"):
            return True
        self.check_wanted.emit(qrels.path)
        return False
