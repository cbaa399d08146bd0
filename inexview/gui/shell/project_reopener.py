"""Opens a project again in place of its window, and goes to a place that a link or a command names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inexview.core.errors import InexviewError
from inexview.core.files import is_there
from inexview.core.project.linked_place import LinkedPlace
from inexview.core.project.project_actions import add_topics
from inexview.core.project.project_parts import check_collection, last_place, some_documents
from inexview.core.wording import counted
from inexview.gui.article.finding import Align
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.file_choice import PACKED, ask_collection, choose_file
from inexview.gui.services.messages import Message, MessageKind, sentence
from inexview.gui.shell.main_window import MainWindow, Mode

if TYPE_CHECKING:
    from inexview.core.judgements.qrels import Pool
    from inexview.core.judgements.topics import Topics
    from inexview.core.project.inspection import Inspection
    from inexview.core.project.project import Project
    from inexview.gui.shell.app import Application


SOON = 0.3  # seconds; a place that does not answer by then is not where a dialog is to begin


# Goes to a place that a link or the command line names: topic, document, run, offset.


class LinkOpener(QObject):
    """Opens a place in a window, step by step as each is there; says what of it is not."""

    def __init__(self, window: MainWindow, place: LinkedPlace) -> None:
        super().__init__(window)
        self._window = window
        self._place = place
        self._lacking: list[str] = []

    def go(self) -> None:
        """Begin; what takes long is gone on with when it is there."""
        window, place, session = self._window, self._place, self._window.session
        if place.topic is not None and place.topic not in {topic.id for topic in session.project.topics}:
            window.messages.warn(
                f"The project has no topic {place.topic}: the link shows what was left open."
            )
            return
        session.document_opened.connect(self._shown)
        session.document_failed.connect(self._end)
        if place.topic is not None or place.document is not None:
            window.inspect.stage.stay_in_topic()
        if place.run is not None:
            self._lay(place.run)
        here = session.topic is None or place.topic in (None, session.topic.id)
        if not here and place.topic is not None:
            session.open_topic(place.topic, place.document)
        elif place.document is not None and (
            session.document is None or session.document.id != place.document
        ):
            session.open_document(place.document)
        elif session.opening.wanted is None:
            self._reveal()

    def _lay(self, run: str) -> None:
        """Show a run that is open, by its id, or open it as a file."""
        window = self._window
        path = os.path.realpath(run)
        opened = next(
            (
                one
                for one in window.session.runs
                if one.id == run or (one.path is not None and os.path.realpath(one.path) == path)
            ),
            None,
        )
        if opened is not None:
            window.session.select_run(opened)
            window.book["inspect"].trigger()
        elif is_there(Path(run)):
            window.open_run(Path(run))
        else:
            self._warn(f"The run {run} is not open, and there is no file of this name.")

    def _warn(self, told: str) -> None:
        """Say what is not there, with all that was not before."""
        self._lacking.append(told)
        self._window.messages.warn("\n".join(self._lacking))

    def _shown(self, opened: OpenDocument) -> None:
        if self._place.document in (None, opened.document.id):
            self._reveal()

    def _reveal(self) -> None:
        document = self._window.session.document
        at = self._place.at
        if at is not None and document is not None:
            if at > document.length:
                self._warn(
                    f"{document.id} has {document.length:,} characters: its end is shown, not offset {at:,}."
                )
            self._window.article.reveal(min(at, document.length), align=Align.TOP)
        self._end()

    def _end(self, _problem: object = None) -> None:
        """Give the way up: what is opened later has nothing to do with it."""
        session = self._window.session
        session.document_opened.disconnect(self._shown)
        session.document_failed.disconnect(self._end)
        self.deleteLater()


TOPICS = f"Topics (*.xml *.txt *.tsv *.jsonl {PACKED});;All files (*)"
POOLS = f"Pools (*.xml *.txt {PACKED});;All files (*)"


class ProjectReopener:
    """What is shown is made afresh, so that nothing of the articles that were open is left in it."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def offer_finding(self, project: Project, error: Exception) -> None:
        """Say that the articles of a project are gone, and offer to look for them."""
        safe = f"The judgements are safe in {project.path.name}: where are the articles now?"
        text = f"{sentence(error)} {safe}"
        self._application.front_messages().say(
            Message(MessageKind.ERROR, text, "Find them…", lambda: self.find_collection(project))
        )

    def find_collection(self, project: Project) -> None:
        """Ask where the articles of a project are now, and open it with them."""
        application = self._application
        found: list[tuple[Path, Path]] = []
        tasks = application.front_tasks()
        tasks.wait_for(tasks.run(lambda: last_place(project), found.append), SOON)
        was, near = found[0] if found else (Path("the collection"), project.path.parent)
        chosen = ask_collection(application.front(), was, near)
        if chosen is None:
            return
        wanted = some_documents(project)
        window = next((window for window in application.windows if window.session.project is project), None)
        application.front_tasks().run_long(
            f"Looking through {chosen.name}",
            lambda progress: check_collection(chosen, wanted, progress),
            lambda _nothing: self.move(project, window, chosen),
            None if window is not None else lambda error: self.offer_finding(project, error),
        )

    def move(self, project: Project, window: MainWindow | None, path: Path) -> None:
        """Open a project again with its articles from elsewhere."""
        if window is None or window.close():
            self._open(
                project, lambda moved: moved.drifting.offer(), lambda opened: opened.set_collection(path)
            )

    def add_topics(self, window: MainWindow) -> None:
        """Ask for topics and their pool, add them to the project of a window, and show it afresh."""
        settings = self._application.settings
        from inexview.core.formats.pool_files import read_pool  # here: a project is opened without
        from inexview.core.formats.topic_files import read_topics

        topics = choose_file(window, "Add topics", TOPICS, settings)
        if topics is None:
            return
        pool = None
        if window.session.project.contents.has_pool:
            pool = choose_file(window, "Pool of these topics", POOLS, settings)
            if pool is None:
                window.messages.info("No topic was added: this project needs the pool of its documents.")
                return
        window.tasks.run_long(
            f"Reading {topics.name}",
            lambda _progress: (read_topics(topics), None if pool is None else read_pool(pool)),
            lambda read: self._add(window, *read),
        )

    def _add(self, window: MainWindow, topics: Topics, pool: Pool | None) -> None:
        try:
            added = add_topics(window.session.project, topics, pool)
        except InexviewError as error:
            window.session.saving.failed(error, "topics")
            return
        if added.topics:
            window.session.saving.done()
            self.again(window, None)
        messages = self._application.front_messages()
        number = f"{counted(len(added.topics), 'topic')} added"
        warnings = [*topics.warnings, *(() if pool is None else pool.warnings), *added.warnings]
        if warnings:
            messages.say(Message.listing(MessageKind.WARNING, f"{number}. Look at these:", warnings))
        else:
            messages.info(f"{number}, {counted(added.documents, 'document')} to judge.")

    def again(self, window: MainWindow, inspection: Inspection | None) -> None:
        """Open the project of a window again, at the place and in the room that one is in."""
        session, mode = window.session, window.mode
        topic, here = session.topic, session.document_id
        if not window.close():
            return
        if inspection is not None:
            self._application.open_inspection(inspection)
            return

        def go_back(opened: MainWindow) -> None:
            if topic is None:
                return
            opened.session.open_topic(topic.id, here)  # where one was is not kept of a project only read
            if here is not None:
                opened.session.open_document(here)
            if mode is not Mode.ASSESS:
                opened.set_mode(mode)

        self._open(session.project, go_back)

    def _open(
        self,
        project: Project,
        then: Callable[[MainWindow], object],
        change: Callable[[Project], object] = lambda _project: None,
    ) -> None:
        read_only = project.read_only_reason or False
        self._application.open_file(project.path, read_only=read_only, change=change, then=then)
