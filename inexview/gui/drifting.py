"""Notices marks that read otherwise now, lists them, and does what the assessor decides about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inexview.core.drift import Checked, Drift, check, quoted_documents
from inexview.core.errors import DataError
from inexview.core.late_quotes import Quoted
from inexview.core.quotes import reads
from inexview.gui.actions import ActionBook
from inexview.gui.article.view import ArticleView
from inexview.gui.drift_list import DriftWindow, heading
from inexview.gui.messages import Kind, Message, Messages
from inexview.gui.session import OpenDocument, Session
from inexview.gui.tasks import Tasks

CHANGED = "{0} is no longer as it was listed: check again."
By = dict[tuple[str, str], list[Drift]]


class Drifting(QObject):
    """Joins the check of quotes with the session; nothing is moved unless it is asked for.

    To be made when the article follows the session already: what is revealed must be shown by then.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        article: ArticleView,
        tasks: Tasks,
        messages: Messages,
        book: ActionBook,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._article = article
        self._tasks = tasks
        self._messages = messages
        self._asked: Callable[[], list[Quoted]] = self._everything
        self._offered: Message | None = None
        self._wanted: Drift | None = None  # to be revealed as soon as its document is open
        self.window = DriftWindow(window)
        self.window.show_wanted.connect(self._show)
        self.window.move_wanted.connect(self._move)
        self.window.keep_wanted.connect(self._keep)
        self.window.again_wanted.connect(lambda _: self._check())
        book.on("check-marks", self.check_all)
        session.document_opened.connect(self._on_opened)

    # -- checking ------------------------------------------------------------------------------------

    def check_all(self) -> None:
        """Compare all marks of the project with their articles, and list what reads otherwise."""
        self._asked = self._everything
        self._session.preparing.when_ready(self._check)

    def check_on_load(self) -> None:
        """Compare all marks in the background, and speak only of what reads otherwise."""
        listed = self._everything()
        if any(quoted.quotes for quoted in listed):
            self._session.preparing.when_ready(lambda: self._compare(listed, self._tell))

    def _tell(self, checked: Checked) -> None:
        """Say what was found on loading, but for what was said when the open document came up."""
        documents = {drift.document for drift in checked.drifts}
        if not documents - {self._session.document_id} or self.window.isVisible():
            return
        marks = len(checked.drifts)
        said = (
            f"{marks:,} mark{'s' * (marks > 1)} in {len(documents):,} "
            f"document{'s' * (len(documents) > 1)} read{'s' * (marks == 1)} otherwise than when made; "
            "nothing was moved."
        )
        self._messages.say(Message(Kind.WARNING, said, "List", self.check_all))

    def offer(self) -> None:
        """Offer the check where the articles come from elsewhere now."""
        if any(quoted.quotes for quoted in self._everything()):
            said = "The articles come from elsewhere now. Do the marks still read as they did?"
            self._offered = Message(Kind.WARNING, said, "Check marks", self.check_all)
            self._messages.say(self._offered)

    def _everything(self) -> list[Quoted]:
        return quoted_documents(self._session.project)

    def _here(self) -> list[Quoted]:
        topic, document = self._session.topic, self._session.document
        if topic is None or document is None:
            return []
        return [self._session.project.quoted(topic.id, document.id)]

    def _check(self) -> None:
        self._compare(self._asked(), self._show_checked)

    def _compare(self, listed: list[Quoted], done: Callable[[Checked], None]) -> None:
        collection = self._session.project.collection
        self._tasks.run_long("Checking marks", lambda progress: check(listed, collection, progress), done)

    def _show_checked(self, checked: Checked) -> None:
        self.window.set_checked(checked)
        if checked.drifts or checked.unreadable or self.window.isVisible():
            self.window.show()
            self.window.raise_()
        else:
            self._messages.info(heading(checked))

    def _on_opened(self, opened: OpenDocument) -> None:
        """Say at once that marks of this document read otherwise; or show the one that was asked for."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted.document == opened.document.id:
            self._reveal(wanted)
            return
        drifted = len(self._session.drifted)
        still_offered = self._offered is not None and self._messages.current is self._offered
        if drifted and not still_offered:
            passages = "A mark of this document reads" if drifted == 1 else f"{drifted:,} marks here read"
            said = f"{passages} otherwise than when made; nothing was moved."
            self._messages.say(Message(Kind.WARNING, said, "List", self._check_here))

    def _check_here(self) -> None:
        self._asked = self._here
        self._check()

    # -- what the list asks for ----------------------------------------------------------------------

    def _show(self, drift: Drift) -> None:
        session = self._session
        if session.topic is not None and session.topic.id == drift.topic:
            if session.document_id == drift.document:
                self._reveal(drift)
                return
            self._wanted = drift
            session.open_document(drift.document)
        else:
            self._wanted = drift
            session.open_topic(drift.topic, drift.document)

    def _reveal(self, drift: Drift) -> None:
        self._article.place_caret(drift.start)
        self._article.reveal(drift.start, drift.end)

    def _move(self, drifts: Sequence[Drift]) -> None:
        self._with_texts(drifts, self._move_in)

    def _keep(self, drifts: Sequence[Drift]) -> None:
        self._with_texts(drifts, self._keep_in)

    def _with_texts(self, drifts: Sequence[Drift], then: Callable[[Sequence[Drift], str], bool]) -> None:
        """Read the articles once more, off the window's thread, and go on with each of them."""
        by: By = {}
        for drift in drifts:
            by.setdefault((drift.topic, drift.document), []).append(drift)
        collection = self._session.project.collection

        def read() -> list[tuple[list[Drift], str | DataError]]:
            texts: list[tuple[list[Drift], str | DataError]] = []
            for (_, document), listed in by.items():
                try:
                    texts.append((listed, collection.load(document).text))
                except DataError as error:
                    texts.append((listed, error))
            return texts

        self._tasks.run(read, lambda texts: self._settle(texts, then))

    def _settle(
        self,
        texts: Sequence[tuple[list[Drift], str | DataError]],
        then: Callable[[Sequence[Drift], str], bool],
    ) -> None:
        settled = False
        for listed, text in texts:
            if isinstance(text, DataError):
                self._messages.error(text)
            elif not self._as_listed(listed):
                self._messages.warn(CHANGED.format(listed[0].document))
            else:
                settled = then(listed, text) or settled
        if settled:
            self._check()

    def _as_listed(self, listed: Sequence[Drift]) -> bool:
        """Tell whether these passages are still marked, and said what the list says."""
        quotes = self._session.project.quotes(listed[0].topic, listed[0].document)
        return all(quotes.get(drift.span) == drift.quote for drift in listed)

    def _move_in(self, listed: Sequence[Drift], text: str) -> bool:
        places = {drift.span: (drift.found.start, drift.found.end) for drift in listed if drift.found}
        if not all(reads(text, *places[drift.span], drift.quote) for drift in listed):
            self._messages.warn(CHANGED.format(listed[0].document))
            return False
        return self._session.move_marks(listed[0].topic, listed[0].document, places, text)

    def _keep_in(self, listed: Sequence[Drift], text: str) -> bool:
        spans = [drift.span for drift in listed]
        return self._session.keep_marks(listed[0].topic, listed[0].document, spans, text)
