"""What is judged of the open document, as it lies over the text where no run does."""

from __future__ import annotations

from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Overlay
from inexview.gui.services.session import Session


def show_judged(article: ArticleView, session: Session) -> None:
    """Paint the marks and the best entry point of the open document, and say how long it is."""
    document, state = session.document, session.state
    if document is not None:
        article.set_overlay(Overlay(state.marks, state.bep))
        article.set_subtitle(f"{document.id} · {document.length:,} characters")
