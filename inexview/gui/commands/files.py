"""Commands that open files: runs, qrels, layers and suggestions, read off the window's thread."""

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
from inexview.core.project.import_judgements import Imported, Layer, read_layer
from inexview.core.project.journal import ProjectGoneError
from inexview.core.project.project import check_collection, some_documents
from inexview.core.project.recovery import NewerCopy, newer_copy
from inexview.core.project.reviews import Suggestions
from inexview.core.text.counting import CODE_POINTS
from inexview.core.wording import counted
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
    """Reads files that speak of articles."""

    def _read_file(
        self, path: Path, read: Callable[[Progress], Content], take: Callable[[Content], None]
    ) -> None:
        """Read a file that speaks of articles, once the collection is indexed."""
        self._session.preparation.when_ready(
            lambda: self._tasks.run_long(f"Reading {path.name}", read, take),
            lambda: self._messages.warn(f"{path.name} cannot be read: the collection is not indexed."),
        )


NAMED = 100  # missing documents of a run that are named: of many runs each turn of the window stays short


def _missing(run: Run, collection: Collection) -> tuple[list[str], int]:
    """Return the documents of a run that are not in the collection, and how many it names."""
    named = dict.fromkeys(run.document.strings())
    return collection.lacking(named), len(named)


class LayerOpener(FileCommand):
    """Reads layers, and opens those again that were open with the project."""

    def __init__(self, context: Context, controller: AdjudicateController) -> None:
        super().__init__(context)
        self._controller = controller
        self._asked: list[Path] = []  # layers stand in this order, whichever is read first
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._offer)
        controller.comparison.layers_changed.connect(self._keep)

    def ask(self) -> None:
        """Ask for the judgements of another assessor, or of several, and open them."""
        for path in choose_files(
            self._window, "Open another assessor’s layer", JUDGEMENT_FILES, self._settings
        ):
            self.open(path)

    def open_again(self) -> None:
        """Open what was open with the project; what is gone by now is passed over."""
        kept = [Path(name) for name in self._settings.get(LAYERS).get(str(self._session.project.path), [])]

        def open_all(there: list[Path]) -> None:
            for path in there:
                self.open(path, enter=False)

        if kept:
            self._tasks.run(lambda: [path for path in kept if is_there(path)], open_all)

    def open(self, path: Path, *, enter: bool = True) -> None:
        """Read a layer once the collection can be read, and compare it."""
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
        """Say that layers changed on disk; what one is settling stays as it is until one wants them read."""
        names = " and ".join(path.name for path in paths)
        said = f"{names} {'have' if len(paths) > 1 else 'has'} changed on disk."
        self._messages.say(Message(MessageKind.WARNING, said, "Read again", lambda: self._read_again(paths)))

    def _read_again(self, paths: tuple[Path, ...]) -> None:
        for path in paths:
            self.open(path, enter=False)


def _without_marks(layer: Layer) -> Iterator[str]:
    """Yield what a layer has that marks nothing, and where it is seen."""
    if layer.answers:
        yield f"{counted(len(layer.answers), 'answer')} judged; compare them in the Answer view"
    if nuggets := sum(len(topic.nuggets) for topic in layer.nuggets.values()):
        yield f"{counted(nuggets, 'nugget')}, seen beside the documents that you finished"


KINDS = (
    f"Runs, JSON lines, models’ judgements (*.txt *.run *.xml *.res *.jsonl *.json *.csv {PACKED})"
    ";;All files (*)"
)


class SuggestionOpener(FileCommand):
    """Reads a file of suggestions, and has them shown."""

    def __init__(self, context: Context, suggestion_controller: SuggestionController) -> None:
        super().__init__(context)
        self._suggestions = suggestion_controller

    def ask(self) -> None:
        path = choose_file(self._window, "Open suggestions", KINDS, self._settings)
        if path is not None:
            self.open(path)

    def open(self, path: Path) -> None:
        """Read suggestions once the collection can be read, and turn them on."""
        from inexview.core.project.model_labels import (
            looked_in,
            read_any_suggestions,  # here: a cold start needs no reader
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
        """Turn suggestions on, and tell how many there are."""
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
            said = f"{counted(within, 'passage')} suggested by {suggestions.source}; the journal says so."
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
    """What files are read for: the kinds asked for, and what is called when they are there.

    A file that was asked for in a later turn is taken as it is read then, whichever reading ends first.
    """

    turn: int
    asked: Sequence[FileKind]
    then: Callable[[], None]
    changed: bool = False
    """Whether it is about runs that are open: one that is closed meanwhile stays closed."""


class Files(Controller):
    """Opens runs and follows their files, and imports judgements into the session's project."""

    check_wanted = Signal(object)  # Path of a file whose offsets look wrong
    project_wanted = Signal(object)  # Parts: somebody brought what a project is made of
    brought = Signal(object, object)  # Apart, Path: what is taken into the project elsewhere

    def __init__(self, context: Context, reload: Callable[[], None]) -> None:
        """``reload`` shows what an import has changed."""
        super().__init__(context)
        self._reload = reload
        self._run_options = AS_SEEN
        self._doubts: dict[Path, str] = {}  # why offsets of the files read last look wrong
        self._turns = count()
        self._newest: dict[Path, int] = {}  # the turn in which a file was asked for last
        self._front: Path | None = None
        """The run that was in the foreground before the last ones came."""
        self._unlooked: list[Run] = []  # runs of which it is not known whether their documents are there
        self._unread: set[Path] = set()  # files of runs that are gone or spoilt
        self._answers: set[Path] = set()  # files of runs that are answers
        self._said_unread: Message | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(lambda paths: self._bring_in(paths, RUNS, self._stay, changed=True))
        self._watch.gone.connect(self._tell_gone)
        context.session.runs_changed.connect(lambda _runs: self._follow())
        context.session.preparation.changed.connect(self._look_for_documents)

    def _take_runs(self, runs: Sequence[Run], then: Callable[[], None] = lambda: None) -> list[Message]:
        """Lay runs over the text, and return what looks wrong."""
        self._front = None if self._session.run is None else self._session.run.path
        if not runs:
            return []
        runs = self._session.add_run(*runs)  # all at once: lists and figures are made again once
        self._unlooked += runs
        self._look_for_documents()
        then()
        offers = self._offer_answers(runs)
        several = [Message(MessageKind.INFO, QUERIES)] if any(run.queries for run in runs) else []
        return [*(message for run in runs for message in self._wrong_with(run)), *several, *offers]

    def _offer_answers(self, runs: Sequence[Run]) -> list[Message]:
        """Offer to judge answers that were opened as runs, if the project has no answer of theirs."""
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
        """Go back to the run that was in the foreground before runs were taken."""
        there = (run for run in self._session.runs if run.path is not None and run.path == self._front)
        self._session.select_run(next(there, self._session.run))

    # -- their files ---------------------------------------------------------------------------------

    def _follow(self) -> None:
        self._watch.watch(self._paths)
        self._note_read(self._unread - self._paths)

    def _tell_gone(self, paths: Sequence[Path]) -> None:
        """Say of files that are there no more that their runs are shown all the same."""
        names = ", ".join(path.name for path in paths)
        stay = "is gone; its run stays" if len(paths) == 1 else "are gone; their runs stay"
        back = "it is back" if len(paths) == 1 else "they are back"
        self._messages.warn(f"{names} {stay} as read before, and will be read again when {back}.")
        self._note_unread({*paths})

    @property
    def _paths(self) -> set[Path]:
        return {run.path for run in self._session.runs if run.path is not None}

    def _note_unread(self, paths: Set[Path]) -> None:
        """Keep what was just said of files that cannot be read, for as long as it is so."""
        if paths:
            self._unread |= paths
            self._said_unread = self._messages.current

    def _note_read(self, paths: Set[Path]) -> None:
        """Take back what was said of files, once all that could not be read were read again or closed."""
        if self._unread and self._unread <= paths:
            self._messages.withdraw(self._said_unread)
        self._unread -= paths

    # -- what looks wrong ----------------------------------------------------------------------------

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
        """Once the collection is known, say which documents of runs are not there."""
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
        """Read runs off the window's thread and lay them over the text, the first of them on top.

        What turns out to be something else is offered for what it is.
        """
        self._bring_in(paths, RUNS, then)

    def lay(
        self, runs: Sequence[Run], lacking: Sequence[str], options: RunOptions, then: Callable[[], None]
    ) -> None:
        """Lay runs over the text that have been read already; tell what is lacking, and looks wrong.

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
        # here: a cold start need not wait for any reader
        from inexview.core.formats.conversion import look

        options = self._run_options if asked is RUNS else AS_SEEN
        errand = _Errand(next(self._turns), asked, then, changed)
        self._tasks.run(lambda: look(paths, options), lambda files: self._go_on(files, errand))

    def _go_on(self, files: Sequence[Incoming], errand: _Errand) -> None:
        """Read what can be read here, once the articles are at hand that it speaks of."""
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
            """Return what was read, and the judgements if a chunker's list is to be handed out by them."""
            from inexview.core.formats.chunk_runs import names_no_question  # here as well
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
        """Do something when the collection is ready; where that was given up, say so and offer to go on."""
        again = partial(self._when_indexed, preparation, work, otherwise)
        message = Message(MessageKind.WARNING, otherwise, "Index the collection", again)
        preparation.when_ready(work, lambda: self._messages.say(message))

    def _take_all(
        self, read: Sequence[Read], judged: Qrels | None, errand: _Errand, said: Sequence[Message]
    ) -> None:
        """Take what was read, and tell all about it, with what the article that is open said of a run."""
        read = [one for one in read if self._is_wanted(one.path, errand)]
        self._note_read({one.path for one in read if isinstance(one.content, Run)})
        before = self._messages.current
        said = [*said, *self._take(read, judged, errand.asked, errand.then)]
        shown = self._messages.current
        self._messages.say_all(said if shown is None or shown is before else [*said, shown])
        unread = {one.path for one in read if not isinstance(one.content, Run)}
        self._note_unread(unread & self._paths)

    def _is_wanted(self, path: Path, errand: _Errand) -> bool:
        """Tell whether a file was not asked for again since, and its run was not closed since."""
        is_open = any(run.path == path for run in self._session.runs)
        return self._newest[path] == errand.turn and (is_open or not errand.changed)

    def _offer_project(self, parts: Sequence[Incoming]) -> list[Message]:
        """Say that these files are what projects are made of, and offer to make one."""
        from inexview.core.project.project import Parts  # here as well

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
        """Open what was asked for, and return what there is to say of the rest."""
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
        """Return a run with the project's ids: runs of benchmarks name questions by texts, texts by files.

        A chunker's whole list is handed out to the questions by what is ``judged``.
        """
        project = self._session.project
        known = {topic.id for topic in project.topics} & set(run.topics)
        if known and run.task is not Task.CHUNKS:
            return run
        from inexview.core.formats.chunk_runs import Asked, adopted, handed_out  # here as well

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
        said = f"{run.path} holds no judgements: it is a run, which can be laid over the text."
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
        start = partial(
            start_import, self._tasks, self._session.project, qrels, name, told, self._tell_given_up
        )
        said = f"Nothing of {name} was imported: the collection is not indexed."
        self._when_indexed(self._session.preparation, start, said)

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


# Notices and questions of the window: the collection, articles that changed, a project file that is gone.


class _File(NamedTuple):
    """The file that a document was read from, as it is now."""

    path: Path | None = None
    stamp: str | None = None
    replaced: bool = False
    """Whether it is an archive, and another one than was listed."""
    changed: bool = False
    """Whether it is a document's own, and another one than was read."""

    @classmethod
    def of(cls, collection: Collection, document: str, mark: tuple[int, int] | None) -> _File:
        """Look at the file of a document that was read with this mark; None says that it was not read."""
        path, stamp, changed = None, None, False
        with suppress(DataError):  # it is gone: what was read of it is there
            path = collection.file_of(document)
            changed = mark is not None and collection.mark(document) != mark
            stamp = None if path is None else archive_stamp(path)
        return cls(path, stamp, collection.replaced(), changed)


NOTHING = _File()


class ReplacedArticles(Controller):
    """Looks at the archive, or at the file of the open article, and says once a topic that it has changed.

    What is shown stays until one wants the new text, and also then where that cannot be read.
    """

    reopen_wanted = Signal()  # the new articles can be read

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._action = context.book["load-articles"]
        self._message: Message | None = None
        self._file = NOTHING  # of which it was told
        self._asking = False
        self._ask_again: Callable[[_File], None] | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(lambda _paths: self._ask(self._take_changed))
        session = context.session
        for shown in (session.preparation.changed, session.document_opened, session.document_failed):
            shown.connect(self._look)
        session.topic_changed.connect(lambda _topic: self._forget())  # and say it again in another topic
        self._action.setEnabled(False)
        self._look()

    def _look(self, _shown: object = None) -> None:
        self._ask(self._take)

    def _take(self, file: _File) -> None:
        """Watch the file of what is shown now, and say if it has changed."""
        self._watch.watch([file.path])
        if not file.replaced:  # what was said was of the article before
            self._messages.withdraw(self._message)
            self._forget()
        if self._message is None:
            self._tell(file)

    def _take_changed(self, file: _File) -> None:
        """Say it again where it changed once more, and no longer where it is as it was."""
        if self._file.stamp == file.stamp:
            return  # it is said already
        self._messages.withdraw(self._message)
        self._forget()
        if (failed := self._session.failed) is not None:
            self._session.opening.open(failed.document_id)
        self._tell(file)

    def _forget(self) -> None:
        self._message, self._file = None, NOTHING
        self._action.setEnabled(False)

    def _ask(self, take: Callable[[_File], None]) -> None:
        """Look at the file that what is shown was read from, off this thread: its place may not answer."""
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
        """Look whether the new articles can be read; by then another document may be open."""
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
    """Keeps article, message and menu true while a collection is indexed, and where that was given up."""

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
        """Say why there is nothing to list, and nothing to open: the pool, or that there is no index yet."""
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
    """Looks whenever another topic is opened, or the collection has been listed."""

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
        """Tell of them, once what is said already has been read or can no longer be taken back there."""
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
    """Writes new project files; the one that is open stays as it is."""

    open_wanted = Signal(object)  # Path of a project to open beside this window
    open_instead = Signal(object)  # Path of a project to open in place of this window

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._project = context.session.project
        context.session.saving.elsewhere_wanted.connect(self.save_elsewhere)
        self._saved = False  # elsewhere

    def compare_with_copies(self) -> None:
        """Warn if a copy has actions that the file lacks, because an older file was put back."""
        path = self._project.path
        if self._project.damage is None:  # which tells that too
            self._tasks.run(lambda: newer_copy(path), self._tell_newer_copy, urgent=False)

    def _tell_newer_copy(self, newer: NewerCopy | None) -> None:
        if newer is not None:
            text = as_sentence(f"{newer}. Was an older file put back? Restoring the copy writes a new file")
            self._messages.say(Message(MessageKind.WARNING, text, "Restore…", self.restore, holds=True))

    def tell_read_only(self) -> None:
        """Say why nothing can be judged in a project that is only read, and what can be done."""
        project = self._project
        if project.read_only:
            said = as_sentence(project.read_only_reason)
            offer = ("Restore…", self.restore) if project.damage is not None else ("", None)
            self._messages.say(Message(MessageKind.WARNING, said, *offer))

    def restore(self) -> None:
        damaged = self._project.damage is not None
        ask_restore(self._window, self._project.path, self._tasks, self.open_wanted.emit, damaged=damaged)

    def save_elsewhere(self) -> None:
        """Ask for another file, write there all that was done, and go on with it."""
        path = self._save()
        if path is not None:
            self.open_instead.emit(path)

    def may_close(self) -> bool:
        """Offer to save elsewhere where the project file is gone; False where the window shall stay."""
        if self._saved:
            return True
        try:
            self._project.check_file()
        except ProjectGoneError as error:
            question = "Save all that was done to another file?"
            detail = f"{error}. Without that it may be lost when this window is closed."
            answer = ask_which(self._window, question, detail, SAVE_ELSEWHERE, CLOSE)
            return self._save() is not None if answer == SAVE_ELSEWHERE else answer == CLOSE
        except ProjectError as error:  # another program has written to it since: what is there stays
            log.warning("%s", error)
        return True

    def _save(self) -> Path | None:
        """Write all that was done to another file, and return where; None where that was not done."""
        path = ask_new_file(self._window, self._project.path, "Save all that was done to another file")
        if path is None:
            return None
        from inexview.core.project.recovery import save_elsewhere  # here: hardly anybody needs it

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
    """Show the copies of a project; what is restored is handed to ``opened``.

    Of a file that is not ``damaged`` nothing is offered to be saved.
    """

    def write(how: Callable[[Path], object]) -> None:
        target = ask_new_file(parent, path, "Restore as a new file")
        if target is None:
            return

        def show(_written: object) -> None:
            opened(target)

        tasks.run(lambda: how(target), show, saves=True)

    from inexview.gui.commands.dialogs import RestoreDialog  # here: hardly anybody needs it

    dialog = RestoreDialog(path, tasks, parent, damaged=damaged)
    dialog.chosen.connect(write)
    dialog.open()
    return dialog


def ask_new_file(parent: QWidget | None, near: Path, title: str) -> Path | None:
    suggested = near.with_name(f"{near.stem}-restored{near.suffix}")
    folder = suggested if folder_is_there(suggested.parent) else Path.home() / suggested.name
    name, _ = QFileDialog.getSaveFileName(parent, title, str(folder), PROJECTS)
    return project_path(Path(name)) if name else None
