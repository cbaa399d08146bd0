"""Opens a project again in place of its window: with articles from elsewhere, or that were replaced."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import InexviewError
from inexview.core.project.pool_addition import add_topics
from inexview.core.project.project import Project
from inexview.core.project.project_parts import check_collection, some_documents
from inexview.core.wording import counted
from inexview.gui.services.file_choice import PACKED, ask_collection, choose_file
from inexview.gui.services.messages import Message, MessageKind, sentence
from inexview.gui.shell.main_window import MainWindow, Mode

if TYPE_CHECKING:
    from inexview.core.judgements.qrels import Pool
    from inexview.core.judgements.topics import Topics
    from inexview.core.project.inspection import Inspection
    from inexview.core.project.project import Project
    from inexview.gui.shell.app import Application


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
        chosen = ask_collection(application.front(), project.contents.collection_path)
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
