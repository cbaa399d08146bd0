"""Commands that open files: runs, qrels, layers and suggestions, read in background threads."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.collection.collection import Collection
from inexview.core.collection.listing import archive_stamp
from inexview.core.errors import DataError, InexviewError, ProjectError
from inexview.core.files import folder_is_there, is_there, project_path
from inexview.core.formats.format import ANSWERS, AS_SEEN, JUDGEMENTS, RUNS, Apart, FileKind, RunOptions
from inexview.core.judgements.qrels import Qrels, Records
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress
from inexview.core.project.document_list import NOT_THERE
from inexview.core.project.import_judgements import Imported, Layer, Ready, read_layer
from inexview.core.project.journal import ProjectGoneError
from inexview.core.project.project import check_collection, some_documents
from inexview.core.project.recovery import NewerCopy, newer_copy
from inexview.core.project.reviews import Suggestions
from inexview.core.text.counting import CODE_POINTS
from inexview.core.wording import counted, some_named
from inexview.gui.adjudicate.adjudicate_controller import AdjudicateController
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.assess.suggestion_controller import SuggestionController
from inexview.gui.services.document_record import FileWatch
from inexview.gui.services.messages import (
    Message,
    MessageKind,
    as_sentence,
    ask,
    ask_which,
    sentence,
)
from inexview.gui.services.opening import Preparation
from inexview.gui.services.session import start_import
from inexview.gui.services.settings import JUDGEMENTS as JUDGEMENT_FILES
from inexview.gui.services.settings import LAYERS, PACKED, PROJECTS, choose_file, choose_files
from inexview.gui.services.settings import RUNS as RUNS_KEPT
from inexview.gui.services.tasks import Tasks

if TYPE_CHECKING:
    from inexview.core.formats.conversion import Incoming, Read
    from inexview.gui.commands.dialogs import RestoreDialog


Content = TypeVar("Content")


class FileCommand(Controller):
    """Base of commands that read files about articles."""

    def _read_file(
        self, path: Path, read: Callable[[Progress], Content], take: Callable[[Content], None]
    ) -> None:
        """Read a file about articles, once the collection is indexed."""
        self._session.preparation.when_ready(
            lambda: self._tasks.run_long(f"Reading {path.name}", read, take),
            lambda: self._messages.warn(f"{path.name} cannot be read: the collection is not indexed."),
        )


NAMED = 100  # missing documents of a run that are named; listing all of many runs would take too long


def _missing(run: Run, collection: Collection) -> tuple[list[str], int]:
    """Return the documents of a run that are not in the collection, and the number it names."""
    named = dict.fromkeys(run.document.strings())
    return collection.lacking(named), len(named)


class LayerOpener(FileCommand):
    """Opens layers, also those that were open with the project."""

    def __init__(self, context: Context, controller: AdjudicateController) -> None:
        super().__init__(context)
        self._controller = controller
        self._asked: list[Path] = []  # the order of layers, whichever is read first
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._offer)
        controller.comparison.layers_changed.connect(self._keep)

    def ask(self) -> None:
        """Ask for the judgements of one or more other assessors, and open them."""
        for path in choose_files(
            self._window, "Open another assessor’s layer", JUDGEMENT_FILES, self._settings
        ):
            self.open(path)

    def open_again(self) -> None:
        """Open the layers that were open with the project; skip missing files."""
        kept = [Path(name) for name in self._settings.get(LAYERS).get(str(self._session.project.path), [])]

        def open_all(there: list[Path]) -> None:
            for path in there:
                self.open(path, enter=False)

        if kept:
            self._tasks.run(lambda: [path for path in kept if is_there(path)], open_all)

    def open(self, path: Path, *, enter: bool = True) -> None:
        """Read a layer once the collection is ready, and compare it."""
        project = self._session.project
        if os.path.realpath(path) == str(project.path):
            self._messages.warn(f"{path.name} is this project: open that of another assessor.")
            return
        if path not in (layer.path for layer in self._controller.comparison.opened):
            self._asked = [*(one for one in self._asked if one != path), path]
        topics, convention = {topic.id for topic in project.topics}, project.convention
        collection, answered = project.collection, project.answers.every()
        self._read_file(
            path,
            lambda progress: read_layer(path, topics, convention, collection, progress, answered=answered),
            lambda layer: self._take(path, layer, enter=enter),
        )

    def _take(self, path: Path, layer: Layer, *, enter: bool) -> None:
        comparison = self._controller.comparison
        later = self._asked[self._asked.index(path) :]
        comparison.add(layer, before=later)
        if layer.warnings:
            said = f"{layer.name} is open. Problems in its file:"
            self._messages.say(Message.listing(MessageKind.WARNING, said, layer.warnings))
        if not layer.judged and enter:
            self._messages.info(f"{layer.name} is open: {'; '.join(_without_marks(layer))}.")
        elif enter and not comparison.compared:
            self._messages.info(
                f"{layer.name} is open. Nothing is finished in this topic yet to compare it with: "
                "judge, or open a further layer."
            )
        elif enter:
            self._controller.wanted.emit(True)

    def _keep(self) -> None:
        paths = [layer.path for layer in self._controller.comparison.opened if layer.path]
        self._settings.remember(LAYERS, self._session.project.path, [str(path.resolve()) for path in paths])
        self._watch.watch(paths)

    def _offer(self, paths: tuple[Path, ...]) -> None:
        """Report layers that changed on disk; they are read again only on request."""
        names = " and ".join(path.name for path in paths)
        said = f"{names} {'have' if len(paths) > 1 else 'has'} changed on disk."
        self._messages.say(Message(MessageKind.WARNING, said, "Read again", lambda: self._read_again(paths)))

    def _read_again(self, paths: tuple[Path, ...]) -> None:
        for path in paths:
            self.open(path, enter=False)


def _without_marks(layer: Layer) -> Iterator[str]:
    """Yield a line for each part of a layer that has no marks, with the place where it is shown."""
    if layer.answers:
        yield f"{counted(len(layer.answers), 'answer')} judged; compare them in the Answer view"
    if nuggets := sum(len(topic.nuggets) for topic in layer.nuggets.values()):
        yield f"{counted(nuggets, 'nugget')}, seen beside the documents that you finished"


KINDS = (
    f"Runs, JSON lines, models’ judgements (*.txt *.run *.xml *.res *.jsonl *.json *.csv {PACKED})"
    ";;All files (*)"
)


class SuggestionOpener(FileCommand):
    """Reads a file of suggestions, and shows them."""

    def __init__(self, context: Context, suggestion_controller: SuggestionController) -> None:
        super().__init__(context)
        self._suggestions = suggestion_controller

    def ask(self) -> None:
        path = choose_file(self._window, "Open suggestions", KINDS, self._settings)
        if path is not None:
            self.open(path)

    def open(self, path: Path) -> None:
        """Read suggestions once the collection is ready, and turn them on."""
        from inexview.core.project.model_labels import (
            looked_in,
            read_any_suggestions,  # imported here to shorten a cold start
        )

        project = self._session.project
        topics, documents = {topic.id: topic.title for topic in project.topics}, looked_in(project)
        collection = project.collection
        self._read_file(
            path,
            lambda progress: read_any_suggestions(path, topics, documents, collection, progress),
            self.take,
        )

    def take(self, suggestions: Suggestions) -> None:
        """Turn suggestions on, and report their number."""
        self._suggestions.turn_on(suggestions)
        if self._suggestions.shown is None:
            return
        topics = {topic.id for topic in self._session.project.topics}
        if not topics & (suggestions.passages.keys() | {topic for topic, _ in suggestions.said}):
            self._messages.warn(f"{suggestions.source} has no suggestions for the topics of this project.")
        elif suggestions.warnings:
            said = f"{suggestions.source} is open. Problems in its file:"
            self._messages.say(Message.listing(MessageKind.WARNING, said, suggestions.warnings))
        else:
            within, past = self._suggestions.count_all()
            number, source = counted(within, "passage"), suggestions.source
            said = f"{number} suggested by {source} (recorded in the project)."
            if past:
                more = "1 more reaches" if past == 1 else f"{past:,} more reach"
                self._messages.warn(f"{said} {more} past the end of the document, and cannot be shown.")
            else:
                self._messages.info(said)


def _grades_documents(judged: Qrels | Records) -> bool:
    return isinstance(judged, Qrels) and judged.graded


STAYS = " Its run stays as it was."
QUERIES = (
    "The runs have several queries for each topic. The score of a topic is the mean over its queries; choose "
    "the query that is shown above the list of documents."
)


@dataclass(frozen=True, slots=True)
class _Errand:
    """A request to read files: the requested kinds, and the function to call at the end.

    If a file is requested again, only the latest reading is used.
    """

    turn: int
    asked: Sequence[FileKind]
    then: Callable[[], None]
    changed: bool = False
    """Whether it re-reads open runs; runs closed meanwhile stay closed."""


class Files(Controller):
    """Opens runs and follows changes of their files, and imports judgements into the project."""

    check_wanted = Signal(object)  # Path of a file whose offsets look wrong
    project_wanted = Signal(object)  # Parts: files were opened that make a project
    brought = Signal(object, object)  # Apart, Path: imported by another controller

    def __init__(self, context: Context, reload: Callable[[], None]) -> None:
        """``reload`` shows the changes by an import."""
        super().__init__(context)
        self._reload = reload
        self._run_options = AS_SEEN
        self._doubts: dict[Path, str] = {}  # reasons why offsets of recently read files look wrong
        self._turns = count()
        self._newest: dict[Path, int] = {}  # the turn in which a file was last requested
        self._front: Path | None = None
        """The current run before the last ones were opened."""
        self._unlooked: list[Run] = []  # runs whose documents are not checked yet
        self._unread: set[Path] = set()  # files of runs that are missing or unreadable
        self._answers: set[Path] = set()  # files of runs that are answers
        self._said_unread: Message | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(lambda paths: self._bring_in(paths, RUNS, self._stay, changed=True))
        self._watch.gone.connect(self._tell_gone)
        context.session.runs_changed.connect(lambda _runs: self._follow())
        context.session.preparation.changed.connect(self._look_for_documents)

    def _take_runs(self, runs: Sequence[Run], then: Callable[[], None] = lambda: None) -> list[Message]:
        """Show runs, and return warnings."""
        self._front = None if self._session.run is None else self._session.run.path
        if not runs:
            return []
        runs = self._session.add_run(*runs)  # all at once, so that lists and figures update once
        self._unlooked += runs
        self._look_for_documents()
        then()
        offers = self._offer_answers(runs)
        several = [Message(MessageKind.INFO, QUERIES)] if any(run.queries for run in runs) else []
        return [*(message for run in runs for message in self._wrong_with(run)), *several, *offers]

    def _offer_answers(self, runs: Sequence[Run]) -> list[Message]:
        """Offer to import answers that were opened as runs, if the project does not have them."""
        kept = {answer.run for answer in self._session.project.answers.every().answers}
        paths = {run.path: None for run in runs if run.path in self._answers and run.id not in kept}
        said = "{} is open as a run. You can also import its answers and judge them."
        return [
            Message(
                MessageKind.INFO,
                said.format(path.name),
                "Import answers",
                partial(self.brought.emit, Apart.ANSWERS, path),
            )
            for path in paths
            if path is not None
        ]

    def _stay(self) -> None:
        """Select the run that was current before runs were opened."""
        there = (run for run in self._session.runs if run.path is not None and run.path == self._front)
        self._session.select_run(next(there, self._session.run))

    # -- changes of files ----------------------------------------------------------------------------

    def _follow(self) -> None:
        self._watch.watch(self._paths)
        self._note_read(self._unread - self._paths)

    def _tell_gone(self, paths: Sequence[Path]) -> None:
        """Report missing files of runs, which stay open."""
        names = ", ".join(path.name for path in paths)
        stay = "is gone; its run stays" if len(paths) == 1 else "are gone; their runs stay"
        back = "it is back" if len(paths) == 1 else "they are back"
        self._messages.warn(f"{names} {stay} as read before, and will be read again when {back}.")
        self._note_unread({*paths})

    @property
    def _paths(self) -> set[Path]:
        return {run.path for run in self._session.runs if run.path is not None}

    def _note_unread(self, paths: Set[Path]) -> None:
        """Remember files that were reported as unreadable."""
        if paths:
            self._unread |= paths
            self._said_unread = self._messages.current

    def _note_read(self, paths: Set[Path]) -> None:
        """Withdraw the report once all unreadable files are read again or closed."""
        if self._unread and self._unread <= paths:
            self._messages.withdraw(self._said_unread)
        self._unread -= paths

    # -- warnings ------------------------------------------------------------------------------------

    def _wrong_with(self, run: Run) -> list[Message]:
        known = {topic.id for topic in self._session.project.topics}
        if not known & {*run.topics, *run.queries}:
            said = (
                f"{run.path}: none of its {len(run.topics):,} topics is in this project, "
                f"so there is nothing to show for {run.id}."
            )
            return [Message(MessageKind.WARNING, said)]
        if (doubt := self._doubts.get(run.path or Path())) is not None:
            check = partial(self.check_wanted.emit, run.path)
            return [
                Message(MessageKind.WARNING, f"{run.path} is open, but {doubt}.", "Check offsets…", check)
            ]
        if run.warnings:
            return [
                Message.listing(MessageKind.WARNING, f"{run.id} is open. Problems in its file:", run.warnings)
            ]
        return []

    def _look_for_documents(self) -> None:
        """Report missing documents of runs, once the collection is ready."""
        if not self._session.preparation.ready:
            return
        runs, self._unlooked = self._unlooked, []
        for run in runs:
            look_for = partial(_missing, run, self._session.project.collection)
            self._tasks.run(
                look_for, partial(lambda run, found: self._tell_missing(run, *found), run), urgent=False
            )

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

    # -- runs and judgements -------------------------------------------------------------------------

    def ask_runs(self, then: Callable[[], None]) -> None:
        """Ask for runs and open them; ``then`` is called when they are open."""
        kinds = f"Runs (*.txt *.run *.xml *.res *.json *.csv *.tsv {PACKED});;All files (*)"
        paths = choose_files(self._window, "Open run", kinds, self._settings)
        if paths:
            self.open_runs(paths, then)

    def open_runs(self, paths: Sequence[Path], then: Callable[[], None] = lambda: None) -> None:
        """Read runs in a background thread and show them, the first as the current run.

        For files that are something else, offer what they are.
        """
        self._bring_in(paths, RUNS, then)

    def lay(
        self, runs: Sequence[Run], lacking: Sequence[str], options: RunOptions, then: Callable[[], None]
    ) -> None:
        """Show runs that were read already, and report missing files and other problems.

        Further runs are read with the same ``options``.
        """
        self._run_options = options
        said = [Message(MessageKind.WARNING, one) for one in lacking]
        self._messages.say_all([*said, *self._take_runs(runs, then)])

    def read_kept(self) -> None:
        kept: list[str] = self._settings.get(RUNS_KEPT).get(str(self._session.project.path), [])
        if kept:
            self._bring_in([Path(path) for path in kept], RUNS, self._stay)

    def ask_import(self) -> None:
        kinds = f"Judgements (*.txt *.qrels *.xml *.jsonl *.json *.csv *.tsv {PACKED});;All files (*)"
        path = choose_file(self._window, "Import qrels", kinds, self._settings)
        if path is not None:
            self.import_qrels(path)

    def import_qrels(self, path: Path) -> None:
        self._bring_in([path], JUDGEMENTS, lambda: None)

    def _bring_in(
        self,
        paths: Sequence[Path],
        asked: Sequence[FileKind],
        then: Callable[[], None],
        *,
        changed: bool = False,
    ) -> None:
        # imported here to shorten a cold start
        from inexview.core.formats.conversion import look

        options = self._run_options if asked is RUNS else AS_SEEN
        errand = _Errand(next(self._turns), asked, then, changed)
        self._tasks.run(lambda: look(paths, options), lambda files: self._go_on(files, errand))

    def _go_on(self, files: Sequence[Incoming], errand: _Errand) -> None:
        """Read the files that can be read now, or once the articles that they need are indexed."""
        parts = [file for file in files if file.holds in (FileKind.TOPICS, FileKind.POOL) or file.archive]
        apart = [file for file in files if file.apart is not None]
        files = [file for file in files if file not in parts and file.apart is None]
        for file in apart:
            self.brought.emit(file.apart, file.path)
        said = self._offer_project(parts)
        if not files:
            self._messages.say_all(said)
            self._note_unread({part.path for part in parts} & self._paths)
            return
        self._answers |= {file.path for file in files if file.format is ANSWERS}
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
        project = self._session.project
        path, collection, convention = project.path, project.collection, project.convention

        def work(progress: Progress) -> tuple[list[Read], Qrels | None]:
            """Return what was read, and the judgements if a chunker's list must be assigned to questions."""
            from inexview.core.formats.chunk_runs import names_no_question  # imported here as well
            from inexview.core.formats.conversion import read_all
            from inexview.core.offset_check.examine import suspicion
            from inexview.core.project.judgement_export import finished_judgements

            def doubt_of(content: Run | Qrels) -> str | None:
                expected = convention if isinstance(content, Qrels) else CODE_POINTS
                return suspicion(content, collection, expected=expected)

            read = read_all(files, errand.asked, collection, progress, doubt_of)
            lists = any(isinstance(one.content, Run) and names_no_question(one.content) for one in read)
            return read, finished_judgements(path, collection) if lists else None

        what = f"Reading {files[0].path.name}" if len(files) == 1 else f"Reading {len(files)} files"
        self._tasks.run_long(what, work, lambda read: self._take_all(*read, errand, said))

    def _when_indexed(self, preparation: Preparation, work: Callable[[], object], otherwise: str) -> None:
        """Run work when the collection is ready; if indexing was cancelled, offer to resume it."""
        again = partial(self._when_indexed, preparation, work, otherwise)
        message = Message(MessageKind.WARNING, otherwise, "Index the collection", again)
        preparation.when_ready(work, lambda: self._messages.say(message))

    def _take_all(
        self, read: Sequence[Read], judged: Qrels | None, errand: _Errand, said: Sequence[Message]
    ) -> None:
        """Open what was read, and report everything in one message."""
        read = [one for one in read if self._is_wanted(one.path, errand)]
        self._note_read({one.path for one in read if isinstance(one.content, Run)})
        before = self._messages.current
        said = [*said, *self._take(read, judged, errand.asked, errand.then)]
        shown = self._messages.current
        self._messages.say_all(said if shown is None or shown is before else [*said, shown])
        unread = {one.path for one in read if not isinstance(one.content, Run)}
        self._note_unread(unread & self._paths)

    def _is_wanted(self, path: Path, errand: _Errand) -> bool:
        """Return whether a file was not requested again, and its run was not closed."""
        is_open = any(run.path == path for run in self._session.runs)
        return self._newest[path] == errand.turn and (is_open or not errand.changed)

    def _offer_project(self, parts: Sequence[Incoming]) -> list[Message]:
        """Report files that belong to a new project, and offer to create one."""
        from inexview.core.project.project import Parts  # imported here as well

        if not parts:
            return []
        told = "; ".join(f"{part.path.name} holds {part.holds or 'articles'}" for part in parts)
        stays = STAYS if self._paths.intersection(part.path for part in parts) else ""
        said = f"{told}: what a project is made of. It cannot be added to one that is there.{stays}"
        found = {part.holds: part.path for part in parts}
        wanted = Parts(found.get(None), found.get(FileKind.TOPICS), found.get(FileKind.POOL))
        offer = partial(self.project_wanted.emit, wanted)
        return [Message(MessageKind.WARNING, said, "New project…", offer)]

    def _take(
        self,
        read: Sequence[Read],
        judged: Qrels | None,
        asked: Sequence[FileKind],
        then: Callable[[], None],
    ) -> list[Message]:
        """Open what was requested, and return messages about the rest."""
        runs = [self._as_here(one.content, judged) for one in read if isinstance(one.content, Run)]
        qrels = [one.content for one in read if isinstance(one.content, Qrels | Records)]
        self._doubts = {one.path: one.doubt for one in read if one.doubt is not None}
        if asked is RUNS:
            said = [*self._take_runs(runs, then), *map(self._offer_import, qrels)]
        else:
            said = [self._offer_run(run) for run in runs]
            said += [self._offer_import(taken) for taken in qrels if _grades_documents(taken)]
            for taken in qrels:
                if not _grades_documents(taken):
                    self._take_qrels(taken)
        errors = []
        for one in read:
            if isinstance(one.content, Exception):
                errors.append(sentence(one.content).splitlines())
                errors[-1][0] += STAYS if one.path in self._paths else ""
        return [*(Message.listing(MessageKind.ERROR, first, others) for first, *others in errors), *said]

    def _as_here(self, run: Run, judged: Qrels | None) -> Run:
        """Return a run with the project's ids instead of texts of questions and names of files.

        A chunker's whole list is assigned to the questions by what is ``judged``.
        """
        project = self._session.project
        known = {topic.id for topic in project.topics} & set(run.topics)
        if known and run.task is not Task.CHUNKS:
            return run
        from inexview.core.formats.chunk_runs import Asked, adopted, handed_out  # imported here as well

        pools = (project.pool(topic.id) for topic in project.topics) if project.contents.has_pool else ()
        documents = tuple(dict.fromkeys(id for pool in pools for id in pool))
        run = adopted(run, Asked.of_topics(project.topics, documents))
        return run if known or judged is None else handed_out(run, judged)

    def _offer_import(self, qrels: Qrels | Records) -> Message:
        stays = STAYS if qrels.path in self._paths else ""
        if _grades_documents(qrels):
            said = f"{qrels.path} grades whole documents; it does not say which text is relevant.{stays}"
            bring = partial(self.brought.emit, Apart.LABELS, qrels.path)
            return Message(MessageKind.WARNING, said, "Bring in as a model’s", bring)
        said = f"{qrels.path} is not a run: it has judgements, which you can import.{stays}"
        return Message(MessageKind.WARNING, said, "Import", lambda: self._take_qrels(qrels))

    def _offer_run(self, run: Run) -> Message:
        said = f"{run.path} holds no judgements: it is a run, which can be shown over the text."
        return Message(
            MessageKind.WARNING,
            said,
            "Open it",
            lambda: self._messages.say_all(self._take_runs([run])),
        )

    def _take_qrels(self, qrels: Qrels | Records) -> None:
        if not self._trusted(qrels):
            return
        name = qrels.path.name if qrels.path else "judgements"
        told = partial(self._tell_taken, qrels)
        agree = partial(self._agreed, name)
        start = partial(
            start_import, self._tasks, self._session.project, qrels, name, told, self._tell_given_up, agree
        )
        said = f"Nothing of {name} was imported: the collection is not indexed."
        self._when_indexed(self._session.preparation, start, said)

    def _agreed(self, name: str, ready: Ready, absent: Sequence[str]) -> bool:
        """Ask whether to import the other judgements, where some documents are not in the collection."""
        topics = {topic.id for topic in self._session.project.topics}
        kept = len({one.judgement.document for one in ready.taken if one.judgement.topic in topics})
        number, named = kept + len(absent), some_named(absent)
        if not kept:
            self._messages.warn(
                f"Nothing of {name} was imported: none of its {counted(number, 'judged document')} is in the "
                f"collection: {named}"
            )
            return False
        question = f"{len(absent):,} of {number:,} judged documents are not in the collection."
        detail = f"{name} may be about another collection. These documents cannot be opened: {named}"
        return ask(self._window, question, detail, f"Import the other {kept:,}")

    def _tell_given_up(self) -> None:
        self._reload()
        self._messages.warn("The import was cancelled. You can undo what was imported, document by document.")

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
        """Ask whether to import qrels whose passages look shifted; otherwise offer to check them."""
        doubt = self._doubts.get(qrels.path or Path())
        if doubt is None:
            return True
        question = f"Import {qrels.path.name if qrels.path else 'these qrels'} anyway?"
        detail = f"It looks as if passages would be shifted: {doubt}."
        if ask(self._window, question, detail, "Import", "Check offsets…"):
            return True
        self.check_wanted.emit(qrels.path)
        return False


# Messages and questions of the window: the collection, changed articles, a missing project file.


class _File(NamedTuple):
    """The file of a document, in its current state."""

    path: Path | None = None
    stamp: str | None = None
    replaced: bool = False
    """Whether it is an archive that was replaced since it was listed."""
    changed: bool = False
    """Whether it is a document's own file that changed since it was read."""

    @classmethod
    def of(cls, collection: Collection, document: str, mark: tuple[int, int] | None) -> _File:
        """Return the state of a document's file; ``mark`` is that of its reading, None if it was not read."""
        path, stamp, changed = None, None, False
        with suppress(DataError):  # it is gone, but what was read is still there
            path = collection.file_of(document)
            changed = mark is not None and collection.mark(document) != mark
            stamp = None if path is None else archive_stamp(path)
        return cls(path, stamp, collection.replaced(), changed)


NOTHING = _File()


class ReplacedArticles(Controller):
    """Watches the archive, or the file of the open article, and reports changes once per topic.

    The shown text stays until the user loads the new one, and if that cannot be read.
    """

    reopen_wanted = Signal()  # the new articles can be read

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._action = context.book["load-articles"]
        self._message: Message | None = None
        self._file = NOTHING  # the file of the last report
        self._asking = False
        self._ask_again: Callable[[_File], None] | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(lambda _paths: self._ask(self._take_changed))
        session = context.session
        for shown in (session.preparation.changed, session.document_opened, session.document_failed):
            shown.connect(self._look)
        session.topic_changed.connect(lambda _topic: self._forget())  # report it again in another topic
        self._action.setEnabled(False)
        self._look()

    def _look(self, _shown: object = None) -> None:
        self._ask(self._take)

    def _take(self, file: _File) -> None:
        """Watch the file of the shown article, and report if it has changed."""
        self._watch.watch([file.path])
        if not file.replaced:  # the report was about the previous article
            self._messages.withdraw(self._message)
            self._forget()
        if self._message is None:
            self._tell(file)

    def _take_changed(self, file: _File) -> None:
        """Report another change, and withdraw the report if the file is as before."""
        if self._file.stamp == file.stamp:
            return  # it is reported already
        self._messages.withdraw(self._message)
        self._forget()
        if (failed := self._session.failed) is not None:
            self._session.opening.open(failed.document_id)
        self._tell(file)

    def _forget(self) -> None:
        self._message, self._file = None, NOTHING
        self._action.setEnabled(False)

    def _ask(self, take: Callable[[_File], None]) -> None:
        """Check the file of the shown article in a background thread: its drive may not answer."""
        session = self._session
        here, collection = session.document_id, session.preparation.collection
        if not session.preparation.ready or here is None or self._asking:
            self._ask_again = take if self._asking else None
            return
        mark = None if session.document is None else session.opening.mark_of(here)

        def have(file: _File) -> None:
            self._asking = False
            again, self._ask_again = self._ask_again, None
            if again is not None:
                self._ask(again)
            elif session.document_id == here:
                take(file)

        self._asking = True
        self._tasks.run(lambda: _File.of(collection, here, mark), have, of_articles=True)

    def _tell(self, file: _File) -> None:
        if file.path is not None and (file.replaced or file.changed):
            self._offer(file, MessageKind.WARNING, f"{file.path.name} has changed on disk.")

    def _offer(self, file: _File, kind: MessageKind, why: str) -> None:
        told = f"{why} You still see the old text."
        self._message, self._file = Message(kind, told, "Load the new one", self.load), file
        self._action.setEnabled(True)
        self._messages.say(self._message)

    def load(self) -> None:
        """Check that the new articles can be read; meanwhile another document may open."""
        project, here, file = self._session.project, self._session.document_id, self._file
        if file.path is None or here is None:
            return
        collection, wanted = project.collection, some_documents(project)

        def check(progress: Progress) -> None:
            if collection.path.is_file():
                check_collection(collection.path, wanted, progress, collection.keys)
            else:
                collection.scan(here)

        self._tasks.run_long(
            f"Looking through {file.path.name}",
            check,
            lambda _nothing: self.reopen_wanted.emit(),
            lambda error: self._offer(file, MessageKind.ERROR, sentence(error)),
        )


OPENS_LATER = (
    "opens as soon as it is known where in the collection it lies. This is found out once, and kept for the "
    "next time. Lists, topics and runs can be looked at meanwhile."
)
HOW_TO = (
    "File ▸ Collection ▸ Index the collection finds out which articles there are, and where each of them is."
)


class CollectionNotices(Controller):
    """Keeps article, message and menu up to date while a collection is indexed, or if that stops."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._preparation = context.session.preparation
        self.replaced = ReplacedArticles(context)
        self._action = context.book["index-collection"]
        self._preparation.changed.connect(self._show)
        self._preparation.warned.connect(self._warn)
        context.session.document_awaited.connect(self._show_awaited)

    def start(self) -> None:
        self._preparation.start()
        self._show()

    def _show(self) -> None:
        preparation = self._preparation
        self._action.setEnabled(not preparation.ready and not preparation.under_way)
        if preparation.problem:
            told = (
                f"{preparation.name} is not indexed, so its articles cannot be opened. {preparation.problem}"
            )
            self._messages.say(Message(MessageKind.WARNING, told, "Index the collection", preparation.start))
        self.show_page()

    def _warn(self, warnings: Sequence[str]) -> None:
        first, *others = [as_sentence(warning) for warning in warnings]
        self._messages.say(Message.listing(MessageKind.WARNING, first, others))

    def show_page(self) -> None:
        """Show why nothing is listed or opened: an empty pool, or a missing index."""
        session, preparation = self._session, self._preparation
        if session.pool or session.document_id is not None:
            return
        if session.pool_is_known:
            if session.topic is not None:
                told = f"The pool has no documents for topic {session.topic.id}."
                self._article.show_notice("Nothing to judge", told)
        elif preparation.under_way:
            self._article.show_notice(f"Indexing {preparation.name}", f"The first article {OPENS_LATER}")
        else:
            self._article.show_notice(f"{preparation.name} is not indexed", HOW_TO)

    def _show_awaited(self, document_id: str) -> None:
        self._article.show_notice(
            f"Indexing {self._preparation.name}", f"Document {document_id} {OPENS_LATER}"
        )


class MissingDocuments(Controller):
    """Reports missing documents of a topic's pool, after opening a topic or indexing."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._untold: tuple[Topic | None, Sequence[str]] | None = None
        context.session.topic_changed.connect(lambda _topic: self._look())
        context.session.preparation.changed.connect(self._look)
        context.messages.cleared.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def _look(self) -> None:
        project, topic = self._session.project, self._session.topic
        if project.contents.has_pool and self._session.preparation.ready:
            pool, collection = self._session.pool, project.collection
            self._tasks.run(
                lambda: [name for name in pool if name not in collection],
                lambda missing: self._note(topic, missing),
                urgent=False,
            )

    def _note(self, topic: Topic | None, missing: Sequence[str]) -> None:
        self._session.catalogue.note_unreadable(missing, NOT_THERE)
        self._untold = (topic, missing) if missing else None
        self._tell()

    def _tell(self, _: object = None) -> None:
        """Report them after the current message, which may offer an undo."""
        current = self._messages.current
        unread = current is not None and (current.kind is not MessageKind.INFO or current.is_offer)
        if self._untold is None or unread:
            return
        (topic, missing), self._untold = self._untold, None
        if topic is not None and topic == self._session.topic:
            told = f"Topic {topic.id}: not in the collection, so that no one can judge them:"
            self._messages.say(Message.listing(MessageKind.WARNING, told, missing))


log = logging.getLogger(__name__)
SAVE_ELSEWHERE, CLOSE = "Save elsewhere…", "Close without saving"


class ProjectRescue(Controller):
    """Writes new project files; the open one does not change."""

    open_wanted = Signal(object)  # Path of a project to open in another window
    open_instead = Signal(object)  # Path of a project to open in place of this window

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._project = context.session.project
        context.session.saving.elsewhere_wanted.connect(self.save_elsewhere)
        self._saved = False  # elsewhere

    def compare_with_copies(self) -> None:
        """Warn if a copy has actions that the file lacks, because an older file was restored."""
        path = self._project.path
        if self._project.damage is None:  # otherwise the damage is reported with it
            self._tasks.run(lambda: newer_copy(path), self._tell_newer_copy, urgent=False)

    def _tell_newer_copy(self, newer: NewerCopy | None) -> None:
        if newer is not None:
            text = as_sentence(f"{newer}. Was an older file put back? Restoring the copy writes a new file")
            self._messages.say(Message(MessageKind.WARNING, text, "Restore…", self.restore, holds=True))

    def tell_read_only(self) -> None:
        """Report why nothing can be judged in a read-only project, and what to do."""
        project = self._project
        if project.read_only:
            said = as_sentence(project.read_only_reason)
            offer = ("Restore…", self.restore) if project.damage is not None else ("", None)
            self._messages.say(Message(MessageKind.WARNING, said, *offer))

    def restore(self) -> None:
        damaged = self._project.damage is not None
        ask_restore(self._window, self._project.path, self._tasks, self.open_wanted.emit, damaged=damaged)

    def save_elsewhere(self) -> None:
        """Ask for another file, save all actions there, and continue with it."""
        path = self._save()
        if path is not None:
            self.open_instead.emit(path)

    def may_close(self) -> bool:
        """Offer to save elsewhere if the project file is gone; return False if the window must stay."""
        if self._saved:
            return True
        try:
            self._project.check_file()
        except ProjectGoneError as error:
            question = "Save all that was done to another file?"
            detail = f"{error}. Without that it may be lost when this window is closed."
            answer = ask_which(self._window, question, detail, SAVE_ELSEWHERE, CLOSE)
            return self._save() is not None if answer == SAVE_ELSEWHERE else answer == CLOSE
        except ProjectError as error:  # another program has written to it: that file stays as it is
            log.warning("%s", error)
        return True

    def _save(self) -> Path | None:
        """Save all actions to another file, and return its path; None if that was not done."""
        path = ask_new_file(self._window, self._project.path, "Save all that was done to another file")
        if path is None:
            return None
        # imported here, because it is rarely needed
        from inexview.core.project.recovery import save_elsewhere

        try:
            save_elsewhere(self._project.journal, path)
        except InexviewError as error:
            self._messages.error(error)
            return None
        self._saved = True
        return path


def ask_restore(
    parent: QWidget | None,
    path: Path,
    tasks: Tasks,
    opened: Callable[[Path], object],
    *,
    damaged: bool = True,
) -> RestoreDialog:
    """Show the copies of a project; ``opened`` is called with the restored file.

    Saving of readable rows is offered only for a ``damaged`` file.
    """

    def write(how: Callable[[Path], object]) -> None:
        target = ask_new_file(parent, path, "Restore as a new file")
        if target is None:
            return

        def show(_written: object) -> None:
            opened(target)

        tasks.run(lambda: how(target), show, saves=True)

    from inexview.gui.commands.dialogs import RestoreDialog  # imported here, because it is rarely needed

    dialog = RestoreDialog(path, tasks, parent, damaged=damaged)
    dialog.chosen.connect(write)
    dialog.open()
    return dialog


def ask_new_file(parent: QWidget | None, near: Path, title: str) -> Path | None:
    suggested = near.with_name(f"{near.stem}-restored{near.suffix}")
    folder = suggested if folder_is_there(suggested.parent) else Path.home() / suggested.name
    name, _ = QFileDialog.getSaveFileName(parent, title, str(folder), PROJECTS)
    return project_path(Path(name)) if name else None
