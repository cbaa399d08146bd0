"""The documents in dispute: which are listed, which comes next, and which are taken over as they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inexview.core.project.judging.adjudication import LAYERS, Difference
from inexview.core.wording import counted
from inexview.gui.adjudicate.dispute_list import DisputeRow
from inexview.gui.adjudicate.layer_comparison import DisputeStage, LayerComparison
from inexview.gui.article.article_view import ArticleView
from inexview.gui.look.late_part import LatePart
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.undo_offer import offering_undo

if TYPE_CHECKING:
    from inexview.gui.adjudicate.dispute_panel import DisputePanel

LOOKED_AT = 200  # documents whose titles are asked for first


class DisputeWalk(QObject):
    """Keeps the left panel true and goes along its list."""

    def __init__(
        self,
        session: Session,
        comparison: LayerComparison,
        article: ArticleView,
        messages: Messages,
        book: ActionBook,
    ) -> None:
        super().__init__(article)
        self._book = book
        self._panel = LatePart(self._make_panel)
        self.set_theme = self._panel.set_theme
        self._session = session
        self._comparison = comparison
        self._article = article
        self._messages = messages

    @property
    def panel(self) -> DisputePanel:
        return self._panel()

    def _make_panel(self) -> DisputePanel:
        from inexview.gui.adjudicate.dispute_panel import DisputePanel  # with a second layer only

        panel = DisputePanel(self._book)
        panel.document_chosen.connect(self.open)
        panel.list_chosen.connect(self._list)
        panel.layers_chosen.connect(self._comparison.choose)
        return panel

    # -- the list ------------------------------------------------------------------------------------

    def show(self) -> None:
        """List the documents, and say how far they are."""
        comparison, catalogue = self._comparison, self._session.catalogue
        stages = {name: comparison.stage(one) for name, one in comparison.differences.items()}
        counts = {stage: sum(one is stage for one in stages.values()) for stage in DisputeStage}
        found = comparison.differences
        disputed = sum(one.disputed for one in found.values())
        done = sum(found[name].disputed for name, stage in stages.items() if stage is DisputeStage.SETTLED)
        self.panel.show_progress(counts, done / disputed if disputed else 0.0)
        rows = [
            DisputeRow(
                name,
                catalogue.about(name).title,
                one.disputed_of,
                _told(one),
                comparison.settled(name),
                comparison.begun(name),
                name == self._session.document_id,
            )
            for name, one in found.items()
            if stages[name] is self.panel.shown
        ]
        self.panel.show_rows(rows)
        self._session.look_at([row.document for row in rows[:LOOKED_AT]])

    def show_layers(self) -> None:
        """Show which layers there are, and how far those that are compared agree."""
        comparison = self._comparison
        names = [layer.name for layer in comparison.layers]
        self.panel.show_layers(names, [names.index(layer.name) for layer in comparison.compared])
        self.panel.show_agreement(comparison.agreement)

    def _list(self, stage: DisputeStage) -> None:
        self.panel.shown = stage
        self.show()

    # -- going ---------------------------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Open the next document of the list (1), or the one before (-1)."""
        rows = self.panel.model.rows
        here = self.panel.model.row_of(self._session.opening.wanted or self._session.document_id)
        at = here + step if here >= 0 else 0
        if 0 <= at < len(rows):
            self._session.open_document(rows[at].document)

    def open(self, document: str) -> None:
        """Open a document; from now on the keys speak to the article."""
        self._session.open_document(document)
        self._article.setFocus()

    def settle(self) -> None:
        """Finish the third layer of the open document, and go on."""
        if self._comparison.difference is not None and self._session.judge(self._comparison.finish):
            self.next()

    def flag(self) -> None:
        """Flag the open document to come back to, and go on."""
        if self._session.record.set_flag(on=True):
            self.next()

    def next(self) -> None:
        """Open the next document of the list that is not settled, after this one and round."""
        found, here = self._comparison.differences, self._session.document_id
        names = list(found)
        after = names.index(here) + 1 if here in found else 0
        walked = (*names[after:], *names[:after])
        following = next((name for name in walked if self._is_next(name, found[name])), None)
        if following is None:
            self._tell_done()
        else:
            self.open(following)

    def _is_next(self, name: str, difference: Difference) -> bool:
        here = self._session.document_id
        return self._comparison.stage(difference) is DisputeStage.TO_SETTLE and name != here

    def _tell_done(self) -> None:
        """Say what is left to do when nothing is disputed any more."""
        comparison = self._comparison
        left = [
            name
            for name, one in comparison.differences.items()
            if comparison.stage(one) is DisputeStage.AGREED and not comparison.settled(name)
        ]
        if all(comparison.stage(one) is DisputeStage.ALONE for one in comparison.differences.values()):
            self._messages.info("No document of this topic was judged by more than one of them.")
            return
        if not left:
            self._messages.info("Every document of this topic is settled.")
            return
        documents = counted(len(left), "document")
        told = f"All differences are settled. {documents} on which all agree can be taken over."
        self._messages.say(Message(MessageKind.INFO, told, "Take over", partial(self._take, tuple(left))))

    def take_over(self) -> None:
        """Take the documents over that are listed, where nothing of them is disputed."""
        if not self._comparison.compared:
            return  # nothing is listed, and no panel made
        rows = self.panel.model.rows
        if self.panel.shown in (DisputeStage.AGREED, DisputeStage.ALONE):
            self._take(tuple(row.document for row in rows if not row.settled))
        else:
            self._messages.info("These differ: each wants a look. Choose “Agreed” first.")

    def _take(self, documents: tuple[str, ...]) -> None:
        if not documents:
            return
        first, *others = documents
        taken = self._session.judge(
            lambda topic, _document: self._comparison.take_over(topic, documents), first, others
        )
        if taken:
            told = f"{counted(len(documents), 'document')} taken over."
            self._messages.say(offering_undo(self._session, self._messages, told, first))


def _told(difference: Difference) -> str:
    """Return what a list says of a document at its right."""
    if difference.alone is not None:
        judged = zip(LAYERS, difference.states, strict=False)
        return f"only {next(letter for letter, state in judged if state is not None)}"
    if not difference.disputed and difference.entries_apart:
        return "entry point"
    return f"{difference.disputed:,}" if difference.disputed else ""
