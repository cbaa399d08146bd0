"""Notices marks that read differently now, lists them, and does what the assessor decides about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inexview.core.project.judging.action_quotes import Quoted
from inexview.core.project.text_changes import Drift, TextComparison, drifts_in
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.finding import Align
from inexview.gui.look.layouts import timer
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks
from inexview.gui.text_changes.decide import Deciding, Decision
from inexview.gui.text_changes.list_panel import DriftWindow, heading
from inexview.gui.text_changes.quote_check import DriftCheck, TopicDocument


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
        self._messages = messages
        self._check = DriftCheck(session, tasks, messages.error)
        self._deciding = Deciding(session, tasks, messages)
        self._asked: Callable[[], Iterable[Quoted | None]] = self._check.everything
        self._listed: TextComparison | None = None
        self._order: dict[TopicDocument, int] = {}
        self._offered: Message | None = None
        self._told: Message | None = None  # of a mark of the open document
        self._wanted: Drift | None = None  # to be revealed as soon as its document is open
        self._stale: set[TopicDocument] = set()  # documents in the list in which something was done since
        self._follow = False  # whether the article shall show what is next in the list
        self._refreshing = timer(self, self._refresh, 0)
        self._parent = window
        self._book = book
        self._deciding.decided.connect(self._on_decided)
        session.document_opened.connect(self._on_opened)
        session.state_changed.connect(self._on_state)
        session.part_judged.connect(self._on_state)

    @cached_property
    def window(self) -> DriftWindow:
        """The list, made when there is something to list."""
        window = DriftWindow(self._parent, self._book)
        window.show_wanted.connect(self._show)
        window.again_wanted.connect(lambda _: self._check_asked())
        for signal, decision in (
            (window.move_wanted, Decision.MOVE),
            (window.keep_wanted, Decision.KEEP),
            (window.remove_wanted, Decision.REMOVE),
        ):
            signal.connect(partial(self._deciding.decide, decision))
        return window

    @property
    def _seen(self) -> bool:
        """Whether the list is on the screen."""
        return self._listed is not None and self.window.isVisible()

    # -- checking ------------------------------------------------------------------------------------

    def check_all(self) -> None:
        """Compare all marks of the project with their articles, and list what reads differently."""
        self._asked = self._check.everything
        self._session.preparation.when_ready(self._check_asked)

    def check_new(self) -> None:
        """Compare in the background what was not compared yet, and speak only of what reads differently.

        What lacks a quote has one from then on.
        """
        self._check.look_up(self._check.everything_new(), self._compare_new)

    def _compare_new(self, listed: list[Quoted]) -> None:
        if listed:
            self._session.preparation.when_ready(lambda: self._check.compare(listed, self._tell))

    def _tell(self, checked: TextComparison) -> None:
        """Say what was found, but for what was said when the open document came up."""
        documents = {drift.document for drift in checked.drifts}
        if not documents - {self._session.document_id} or self._seen:
            return
        marks = len(checked.drifts)
        said = (
            f"{marks:,} mark{'s' * (marks > 1)} in {len(documents):,} "
            f"document{'s' * (len(documents) > 1)} read{'s' * (marks == 1)} differently than when made; "
            "nothing was moved."
        )
        self._messages.say(Message(MessageKind.WARNING, said, "List", self.check_all))

    def offer(self) -> None:
        """Offer the check where the articles come from elsewhere now."""
        said = "The articles come from elsewhere now. Do the marks still read as they did?"
        self._offered = Message(MessageKind.WARNING, said, "Check marks", self.check_all)
        self._check.look_for_quotes(partial(self._messages.say, self._offered))

    def _none_here(self) -> str:
        """Say that no mark of the open document reads differently, and how many cannot be compared."""
        lacking = sum(quoted.unquoted for quoted in self._here() if quoted is not None)
        if lacking:
            cannot = f"{counted(lacking, 'mark')} here cannot be compared, because no quote was kept"
            return f"No mark that can be compared reads differently. {cannot}."
        return "Every mark of this document reads as it did when it was made."

    def _here(self) -> Iterable[Quoted]:
        topic, document = self._session.topic, self._session.document
        if topic is None or document is None:
            return []
        return [self._session.project.histories.quoted(topic.id, document.id)]

    def _check_asked(self) -> None:
        self._check.look_up(self._asked(), lambda listed: self._check.compare(listed, self._show_checked))

    def _show_checked(self, checked: TextComparison) -> None:
        seen = self._seen
        self._order.clear()
        self._note_order(checked.drifts)
        if checked.drifts or checked.unreadable or checked.resized or seen:
            self._listed = checked
            self.window.set_checked(checked)
            self.window.show()
            self.window.raise_()
        else:
            self._messages.info(heading(checked))

    def _check_here(self) -> None:
        self._asked = self._here
        self._check_asked()

    # -- the list follows what is done ---------------------------------------------------------------

    def _on_state(self, change: StateChanged) -> None:
        self._outdate({(change.topic_id, document) for document in change.documents})

    def _on_decided(self, pair: TopicDocument) -> None:
        self._messages.withdraw(self._told)  # it was of the mark that was decided on
        self._follow = True
        self._outdate({pair})

    def _outdate(self, pairs: set[TopicDocument]) -> None:
        if self._seen:
            self._stale |= pairs
            self._refreshing.start()

    def _refresh(self) -> None:
        """Compare again what was changed, and nothing else: undo brings a mark back into the list."""
        pairs, self._stale = self._stale, set()
        listed = [self._session.project.histories.quoted(*pair) for pair in sorted(pairs)]
        self._check.compare(listed, lambda fresh: self._merge(pairs, fresh))

    def _merge(self, pairs: set[TopicDocument], fresh: TextComparison) -> None:
        if self._listed is None:
            return
        drifts = [one for one in self._listed.drifts if _pair(one) not in pairs]
        drifts += fresh.drifts
        self._note_order(fresh.drifts)
        drifts.sort(key=lambda one: (self._order[_pair(one)], one.start, one.end))
        self._listed = replace(self._listed, drifts=tuple(drifts))
        self.window.set_checked(self._listed)
        follow, self._follow = self._follow, False
        for drift in self.window.selected() if follow else ():
            if self._is_open(drift):
                self._reveal(drift)

    def _note_order(self, drifts: Iterable[Drift]) -> None:
        """Remember where documents are in the list, for those that undo brings back."""
        for drift in drifts:
            self._order.setdefault(_pair(drift), len(self._order))

    # -- showing -------------------------------------------------------------------------------------

    def _on_opened(self, opened: OpenDocument) -> None:
        """Say at once that marks of this document read differently; or show the one that was asked for."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted.document == opened.document.id:
            self._reveal(wanted)
            return
        drifted = len(self._session.drifted)
        still_offered = self._offered is not None and self._messages.current is self._offered
        if drifted and not still_offered:
            passages = "A mark of this document reads" if drifted == 1 else f"{drifted:,} marks here read"
            said = f"{passages} differently than when made; nothing was moved."
            drifts = self._while(lambda: bool(self._session.drifted))
            self._messages.say(Message(MessageKind.WARNING, said, "List", self._check_here, stands=drifts))

    def _show(self, drift: Drift) -> None:
        session = self._session
        if self._is_open(drift):
            self._reveal(drift)
        elif session.topic is not None and session.topic.id == drift.topic:
            self._wanted = drift
            session.open_document(drift.document)
        else:
            self._wanted = drift
            session.open_topic(drift.topic, drift.document)

    def _is_open(self, drift: Drift) -> bool:
        topic = self._session.topic
        return topic is not None and (topic.id, self._session.document_id) == _pair(drift)

    def _reveal(self, drift: Drift) -> None:
        """Show a mark high up, where the list does not cover it."""
        self._article.place_caret(drift.start)
        self._article.reveal(drift.start, drift.end, align=Align.TOP)

    def tell_of(self, span: Span) -> None:
        """Say of a passage of the open document what it said, if it reads differently now."""
        quote = self._session.drifted.get(span)
        if quote is not None:
            said = f"This mark reads differently than when it was made; it said “{quote.text}”"
            drifts = self._while(lambda: span in self._session.drifted)
            self._told = Message(MessageKind.WARNING, said, "Decide…", self._check_here, stands=drifts)
            self._messages.say(self._told)

    def _while(self, holds: Callable[[], bool]) -> Callable[[], bool]:
        """Return what tells whether something still holds of the document that is open now."""
        here = self._session.while_here()
        return lambda: here() and holds()

    def go_to_next(self) -> None:
        """Go to the next mark of the document that reads differently."""
        spans = sorted(self._session.drifted)
        if not spans:
            self._messages.info(self._none_here(), self._session.while_here())
            return
        caret = self._article.caret_at_hand()
        span = next((one for one in spans if one[0] > caret), spans[0])
        self._article.place_caret(span[0])
        self._article.reveal(*span)
        self.tell_of(span)

    # -- deciding at the caret -----------------------------------------------------------------------

    def decide_here(self, decision: Decision) -> None:
        """Decide on the mark at the caret that reads differently."""
        topic, document = self._session.topic, self._session.document
        caret = self._article.caret
        at_caret = [span for span in self._session.drifted if span[0] <= caret <= span[1]]
        if topic is None or document is None or not at_caret:
            self._messages.info(
                "The mark at the caret reads as it did when it was made, or there is none. “Next mark that "
                "reads differently” goes to one that does not.",
                self._session.while_here(),
            )
            return
        quotes = {span: self._session.drifted[span] for span in at_caret[:1]}
        (drift,) = drifts_in(topic.id, document.id, document.text, quotes)
        if decision is Decision.MOVE and not drift.movable:
            self._messages.warn(
                "The text of this mark is nowhere in the article: keep it, or remove it."
                if drift.found is None
                else "The same words may have been elsewhere before: look at the place, and mark it by hand.",
                self._session.while_here(),
            )
            return
        self._deciding.decide(decision, [drift])


def _pair(drift: Drift) -> TopicDocument:
    return drift.topic, drift.document
