"""Does what the search dialog asks for: searches, opens passages, makes runs and pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.formats.convert.targets import write_whole
from inexview.core.formats.format import Options
from inexview.core.formats.tables.text_formats import FOL_RUN
from inexview.core.formats.xml_formats import POOL
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress
from inexview.core.project.judged_documents import finished_judgements
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import model_of
from inexview.core.retrieval.pooling_methods import pool_runs
from inexview.core.retrieval.retrieval_settings import RetrievalSettings
from inexview.core.retrieval.retrieve import RetrievedRankings, retrieve, run_of
from inexview.core.retrieval.run_description import usual_id
from inexview.core.retrieval.svm_training import TrainingSet
from inexview.core.word_index.construction import word_index
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.places import Align
from inexview.gui.retrieve.found_list import FoundPassage
from inexview.gui.retrieve.search_dialog import SearchDialog, WantedSearch
from inexview.gui.services.messages import Messages, as_sentence, sentence
from inexview.gui.services.session import Session
from inexview.gui.services.session_events import OpenDocument
from inexview.gui.services.tasks import Tasks

Answer = TypeVar("Answer")

POOLED = 50  # documents of each topic in a pool that is made here
_TEXT = 300  # characters of a passage that the list has room for
_SEARCHED = "searched"  # the id of the only topic of a search


class RetrievalDesk(QObject):
    """Opens the dialog and serves it; the index of words is made once, at the first search."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        article: ArticleView,
        tasks: Tasks,
        messages: Messages,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._article = article
        self._tasks = tasks
        self._messages = messages
        self._engine: LocalEngine | None = None
        self._wanted: FoundPassage | None = None  # to be shown once its document is open
        self.dialog: SearchDialog | None = None
        session.document_opened.connect(self._show_wanted)

    def open(self) -> None:
        """Show the dialog, with the topic's title as the first query."""
        if self.dialog is None:
            topic = self._session.topic
            dialog = SearchDialog("" if topic is None else topic.title, self._window)
            dialog.wanted.connect(self._search)
            dialog.opened.connect(self._open_passage)
            dialog.run_wanted.connect(self._ask_run)
            dialog.pool_wanted.connect(self._ask_pool)
            dialog.finished.connect(self._close)
            self.dialog = dialog
        self.dialog.show()
        self.dialog.activateWindow()
        self.dialog.query.setFocus()

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog = None
        self._engine = None  # it is opened again, and seen to fit the collection, with the next dialog

    # -- searching -----------------------------------------------------------------------------------

    def _search(self, wanted: WantedSearch) -> None:
        collection = self._session.project.collection
        topics = [Topic(_SEARCHED, wanted.query)]

        def work(progress: Progress) -> tuple[list[FoundPassage], RetrievedRankings]:
            retrieved = self._retrieved(topics, wanted.settings, progress)
            return _passages(retrieved, collection), retrieved

        self._do(f"Retrieving from {collection.path.name}", work, self._show_found)

    def _retrieved(
        self, topics: Sequence[Topic], settings: RetrievalSettings, progress: Progress
    ) -> RetrievedRankings:
        """Search in a worker's thread, making the index of words first where there is none."""
        if self._engine is None:
            self._engine = LocalEngine(word_index(self._session.project.collection, progress))
        training = None
        if model_of(settings).trained:
            project = self._session.project
            training = TrainingSet(project.topics, finished_judgements(project.path, project.collection))
        return retrieve(topics, self._engine, settings, progress, training=training)

    def _show_found(self, answer: tuple[list[FoundPassage], RetrievedRankings]) -> None:
        found, retrieved = answer
        if self.dialog is None:
            return
        odd = [as_sentence(warning.partition(": ")[2]) for warning in retrieved.warnings]
        told = f"{counted(len(found), 'result')}, the best first." if found else "Nothing was found."
        self.dialog.show_found(found, " ".join([told, *odd]))

    def _do(self, what: str, work: Callable[[Progress], Answer], done: Callable[[Answer], None]) -> None:
        """Work off the window's thread; the dialog takes nothing else meanwhile, and says what went wrong."""

        def ended(told: str) -> None:
            if self.dialog is not None:
                self.dialog.set_busy(False)
                if told:
                    self.dialog.tell(told)

        def finish(answer: Answer) -> None:
            ended("")
            done(answer)

        def fail(error: Exception) -> None:
            if not isinstance(error, InexviewError):
                self._messages.error(error)
            ended(sentence(error))

        if self.dialog is not None:
            self.dialog.set_busy(True)
            self.dialog.tell(f"{what}…")
        self._tasks.run_long(what, work, finish, fail, lambda: ended("Given up."))

    # -- passages ------------------------------------------------------------------------------------

    def _open_passage(self, found: FoundPassage) -> None:
        self._wanted = found
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

    def _ask_run(self, settings: RetrievalSettings) -> None:
        path = self._asked_path("Make a run", f"{usual_id(settings)}.txt", "Runs (*.txt)")
        if path is not None:
            self.make_run(settings, path)

    def make_run(self, settings: RetrievalSettings, path: Path) -> None:
        """Search for all topics of the project, write the run, and lay it over the judged text."""
        topics = self._session.project.topics

        def work(progress: Progress) -> Run:
            run = run_of(self._retrieved(topics, settings, progress), settings, path.stem)
            write_whole(replace(run, task=None), FOL_RUN, path, Options(), folder=False)
            return replace(run, path=path)

        def done(run: Run) -> None:
            self._session.add_run(run)
            self._say(f"{path.name} is open: {counted(len(run), 'result')} in {path.parent}.")

        self._do(f"Making {path.name}", work, done)

    def _ask_pool(self, settings: RetrievalSettings) -> None:
        path = self._asked_path("Make a pool", f"pool-{usual_id(settings)}.xml", "Pools (*.xml)")
        if path is not None:
            self.make_pool(settings, path)

    def make_pool(self, settings: RetrievalSettings, path: Path) -> None:
        """Search for all topics of the project, and write the first documents of each as a pool."""
        topics = self._session.project.topics

        def work(progress: Progress) -> int:
            run = run_of(self._retrieved(topics, settings, progress), settings, usual_id(settings))
            pool = pool_runs([run], POOLED)
            write_whole(pool, POOL, path, Options(), folder=False)
            return sum(map(len, pool.topics.values()))

        def done(documents: int) -> None:
            self._say(
                f"{counted(documents, 'document')} in {path}, at most {POOLED} a topic; "
                "a new project can take them as its pool."
            )

        self._do(f"Making {path.name}", work, done)

    def _say(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.tell(text)
        else:
            self._messages.info(text)

    def _asked_path(self, title: str, name: str, kinds: str) -> Path | None:
        folder = self._session.project.path.parent
        parent = self.dialog or self._window
        chosen, _ = QFileDialog.getSaveFileName(parent, title, str(folder / name), kinds)
        return Path(chosen) if chosen else None


def _passages(retrieved: RetrievedRankings, collection: Collection) -> list[FoundPassage]:
    """Read the beginnings of the passages found, about a millisecond for each document."""
    ranking = retrieved.rankings[_SEARCHED]
    texts: dict[str, str] = {}
    found = []
    columns = zip(
        ranking.id, ranking.scores.tolist(), ranking.start.tolist(), ranking.end.tolist(), strict=True
    )
    for rank, (id, score, start, end) in enumerate(columns, 1):
        if id not in texts:
            texts[id] = collection.scan(id).text
        text = " ".join(texts[id][start : min(end, start + _TEXT)].split())
        found.append(FoundPassage(rank, id, collection.title(id), score, start, end, text))
    return found
