"""Does what the search dialog asks for: searches, opens passages, makes runs and pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.formats.convert.targets import check_free, write_whole
from inexview.core.formats.format import Options
from inexview.core.formats.tables.text_formats import FOL_RUN
from inexview.core.formats.xml_formats import POOL
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress
from inexview.core.project.exchange.judged_documents import finished_judgements
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import model_of
from inexview.core.retrieval.retrieval_settings import RetrievalSettings
from inexview.core.retrieval.retrieve import (
    RetrievedRankings,
    retrieve,
    run_description,
    run_of,
    usual_id,
    write_description,
)
from inexview.core.retrieval.run_fusion import pool_runs
from inexview.core.retrieval.shard import UnitRanking
from inexview.core.retrieval.svm_training import TrainingSet
from inexview.core.word_index.word_index import WordIndex, indexed_text, word_index
from inexview.core.word_index.words import SpacedText
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.finding import Align
from inexview.gui.retrieve.found_list import FoundPassage
from inexview.gui.retrieve.search_dialog import SearchDialog, WantedSearch
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.file_choice import choose_new_file
from inexview.gui.services.messages import Messages, as_sentence, sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

Answer = TypeVar("Answer")

POOLED = 50  # documents of each topic in a pool that is made here
_TEXT = 300  # characters of a passage that the list has room for
_SEARCHED = "searched"  # the id of the only topic of a search


@dataclass(eq=False)
class _Opening:
    """The dialog from when it is opened until it is closed, and the engine once there is one."""

    dialog: SearchDialog
    engine: LocalEngine | None = None
    fingerprint: str = ""
    """Of the collection when the engine was made."""
    told: list[str] = field(default_factory=list)
    """What the making of the index had to say, until it is shown."""


class RetrievalDesk(QObject):
    """Opens the dialog and serves it; the index of words is made once, at the first search."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        article: ArticleView,
        tasks: Tasks,
        messages: Messages,
        show_document: Callable[[], object],
    ) -> None:
        """``show_document`` shows the open one where something else is in its place."""
        super().__init__(window)
        self._show_document = show_document
        self._window = window
        self._session = session
        self._article = article
        self._tasks = tasks
        self._messages = messages
        self._opening: _Opening | None = None
        self._wanted: FoundPassage | None = None  # to be shown once its document is open
        session.document_opened.connect(self._show_wanted)

    @property
    def dialog(self) -> SearchDialog | None:
        return None if self._opening is None else self._opening.dialog

    def open(self) -> None:
        """Show the dialog, with the topic's title as the first query."""
        if self._opening is None:
            topic = self._session.topic
            dialog = SearchDialog("" if topic is None else topic.title, self._window)
            opening = self._opening = _Opening(dialog)
            dialog.wanted.connect(lambda wanted: self._search(opening, wanted))
            dialog.opened.connect(self._open_passage)
            dialog.run_wanted.connect(lambda settings: self._ask_run(opening, settings))
            dialog.pool_wanted.connect(lambda settings: self._ask_pool(opening, settings))
            dialog.finished.connect(self._close)
        self._opening.dialog.show()
        self._opening.dialog.activateWindow()
        self._opening.dialog.query.setFocus()

    def _close(self) -> None:
        """Let the dialog go, and its engine: the next one looks whether the index fits the collection."""
        if self._opening is not None:
            self._opening.dialog.deleteLater()
        self._opening = None

    # -- searching -----------------------------------------------------------------------------------

    def _search(self, opening: _Opening, wanted: WantedSearch) -> None:
        collection = self._session.project.collection
        topics = [Topic(_SEARCHED, wanted.query)]

        def work(progress: Progress) -> tuple[list[FoundPassage], RetrievedRankings]:
            engine = self._engine(opening, progress)
            training = self._training(wanted.settings)
            retrieved = retrieve(topics, engine, wanted.settings, progress, training=training)
            return _passages(retrieved.rankings[_SEARCHED], engine.index, collection), retrieved

        def show(answer: tuple[list[FoundPassage], RetrievedRankings]) -> None:
            if opening is self._opening:
                _show_found(opening.dialog, *answer)

        def fail() -> None:
            opening.dialog.show_found((), opening.dialog.told.text())  # not what was found before

        self._do(opening, f"Retrieving from {collection.path.name}", work, show, fail)

    def _engine(self, opening: _Opening, progress: Progress) -> LocalEngine:
        """Return the engine over the collection as it is now, making the index of words where there is none.

        Called in a worker's thread, as ``_training``.
        """
        collection = self._session.project.collection
        fingerprint = collection.fingerprint()
        if opening.engine is None or opening.fingerprint != fingerprint:
            index = word_index(collection, progress, tell=opening.told.append)
            opening.engine, opening.fingerprint = LocalEngine(index), fingerprint
        return opening.engine

    def _training(self, settings: RetrievalSettings) -> TrainingSet | None:
        """Return what is finished in the project, for a model that learns."""
        if not model_of(settings).trained:
            return None
        project = self._session.project
        return TrainingSet(project.topics, finished_judgements(project.path, project.collection))

    def _do(
        self,
        opening: _Opening,
        what: str,
        work: Callable[[Progress], Answer],
        done: Callable[[Answer], None],
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        """Work off the window's thread; the dialog takes nothing else meanwhile, and says what went wrong.

        Work goes on where the dialog is closed: it may be making the index.
        """

        def ended(told: str) -> None:
            while opening.told:
                self._messages.info(as_sentence(opening.told.pop()))
            if opening is self._opening:
                opening.dialog.set_busy(False)
                if told:
                    opening.dialog.tell(told)

        def finish(answer: Answer) -> None:
            ended("")
            done(answer)

        def fail(error: Exception) -> None:
            if opening is not self._opening or not isinstance(error, InexviewError):
                self._messages.error(error)
            ended(sentence(error))
            if opening is self._opening:
                failed()

        opening.dialog.set_busy(True)
        opening.dialog.tell(f"{what}…")
        self._tasks.run_long(what, work, finish, fail, lambda: ended("Given up."))

    # -- passages ------------------------------------------------------------------------------------

    def _open_passage(self, found: FoundPassage) -> None:
        self._wanted = found
        self._show_document()
        opened = self._session.document
        if opened is not None and opened.id == found.document:
            self._show_wanted(None)
        else:
            self._session.open_document(found.document)

    def _show_wanted(self, _opened: OpenDocument | None) -> None:
        found, self._wanted = self._wanted, None
        opened = self._session.document
        if found is not None and opened is not None and opened.id == found.document:
            self._article.reveal(found.start, found.end, align=Align.TOP)

    # -- runs and pools ------------------------------------------------------------------------------

    def _ask_run(self, opening: _Opening, settings: RetrievalSettings) -> None:
        path = self._asked_path("Make a run", f"{usual_id(settings)}.txt", "Runs (*.txt)")
        if path is not None:
            self.make_run(opening, settings, path)

    def make_run(self, opening: _Opening, settings: RetrievalSettings, path: Path) -> None:
        """Search for all topics of the project, write the run, and lay it over the judged text."""
        topics = self._session.project.topics

        def work(progress: Progress) -> Run:
            self._check_free(path)
            engine, training = self._engine(opening, progress), self._training(settings)
            run = run_of(retrieve(topics, engine, settings, progress, training=training), settings, path.stem)
            if not len(run):
                raise InexviewError(f"No topic has results; {path.name} is not written.")
            write_whole(replace(run, task=None), FOL_RUN, path, Options(), folder=False)
            where = self._session.project.collection.path
            write_description(run_description(settings, where, engine.index, training), path)
            return replace(run, path=path)

        def done(run: Run) -> None:
            self._session.add_run(run)
            self._say(opening, f"{path.name} is open: {counted(len(run), 'result')} in {path.parent}.")

        self._do(opening, f"Making {path.name}", work, done)

    def _ask_pool(self, opening: _Opening, settings: RetrievalSettings) -> None:
        path = self._asked_path("Make a pool", f"pool-{usual_id(settings)}.xml", "Pools (*.xml)")
        if path is not None:
            self.make_pool(opening, settings, path)

    def make_pool(self, opening: _Opening, settings: RetrievalSettings, path: Path) -> None:
        """Search for all topics of the project, and write the first documents of each as a pool."""
        topics = self._session.project.topics

        def work(progress: Progress) -> int:
            self._check_free(path)
            engine, training = self._engine(opening, progress), self._training(settings)
            retrieved = retrieve(topics, engine, settings, progress, training=training)
            pool = pool_runs([run_of(retrieved, settings, usual_id(settings))], POOLED)
            write_whole(pool, POOL, path, Options(), folder=False)
            return sum(map(len, pool.topics.values()))

        def done(documents: int) -> None:
            self._say(
                opening,
                f"{counted(documents, 'document')} in {path}, at most {POOLED} a topic; "
                "a new project can take them as its pool.",
            )

        self._do(opening, f"Making {path.name}", work, done)

    def _say(self, opening: _Opening, text: str) -> None:
        if opening is self._opening:
            opening.dialog.tell(text)
        else:
            self._messages.info(text)

    def _asked_path(self, title: str, name: str, kinds: str) -> Path | None:
        folder = self._session.project.path.parent
        return choose_new_file(self.dialog or self._window, title, folder / name, kinds)

    def _check_free(self, path: Path) -> None:
        """Refuse to write over the project or its articles, before any work; raises DataError."""
        project = self._session.project
        check_free(path, [project.path, project.collection.path], overwrite=True)


def _show_found(dialog: SearchDialog, found: Sequence[FoundPassage], retrieved: RetrievedRankings) -> None:
    if not retrieved.queries:
        told = ["Nothing was found: every word is a stop word, or in no document."]
    else:
        told = [f"{counted(len(found), 'result')}, the best first." if found else "Nothing was found."]
        new = sum(map(len, retrieved.rankings.values())) - len(found)
        told += [f"{new:,} more in new documents: open the project again to see them."] if new else []
        told += [as_sentence(warning.partition(": ")[2]) for warning in retrieved.warnings]
    dialog.show_found(found, " ".join(told))


def _passages(ranking: UnitRanking, index: WordIndex, collection: Collection) -> list[FoundPassage]:
    """Read the beginnings of the passages found, about a millisecond for each document."""
    texts: dict[int, SpacedText] = {}
    found = []
    columns = (ranking.number, ranking.scores, ranking.start, ranking.end)
    rows = zip(ranking.id, *(column.tolist() for column in columns), strict=True)
    for rank, (id, number, score, start, end) in enumerate(rows, 1):
        if id not in collection:  # it came after the project was opened
            continue
        if number not in texts:
            texts[number] = indexed_text(collection, *index.segment_of(number))
        text = " ".join(texts[number].between(start, min(end, start + _TEXT)).split())
        found.append(FoundPassage(rank, id, collection.title(id), score, start, end, text))
    return found
