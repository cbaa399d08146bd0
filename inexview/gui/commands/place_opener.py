"""Opens a document at a place of it: the place is shown once the document is."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.core.article.document import Document
from inexview.core.text.text_quotes import Span
from inexview.gui.article.article_view import Align, ArticleView
from inexview.gui.services.session import Session


class PlaceOpener(QObject):
    """Goes to the place that was asked for last, as soon as its document has been painted."""

    def __init__(self, session: Session, article: ArticleView) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._wanted: tuple[str, Span] | None = None
        article.first_painted.connect(self._on_painted)
        session.document_failed.connect(self._forget)

    def open(self, document: str, span: Span) -> None:
        if document == self._session.document_id and self._session.document is not None:
            self._show(span)
        else:
            self._wanted = (document, span)
            self._session.open_document(document)

    def _on_painted(self, document: Document) -> None:
        if self._wanted is not None and self._wanted[0] == document.id:
            wanted, self._wanted = self._wanted, None
            self._show(wanted[1])

    def _forget(self, _problem: object) -> None:
        self._wanted = None

    def _show(self, span: Span) -> None:
        self._article.place_caret(span[0])
        self._article.reveal(*span, align=Align.CENTER)
