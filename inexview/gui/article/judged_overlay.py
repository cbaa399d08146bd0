"""What is judged of the open document, as it lies over the text where no run does."""

from __future__ import annotations

from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Overlay
from inexview.gui.services.session import Session


def show_judged(article: ArticleView, session: Session) -> None:
    """Paint the marks and the best entry point of the open document, and say what it is."""
    document, state = session.document, session.state
    if document is not None:
        article.set_overlay(Overlay(state.marks, state.bep))
        told = [document.id, f"{document.length:,} characters"]
        contents, topic = session.project.contents, session.topic
        if contents.has_pool and topic is not None and not contents.is_pooled(topic.id, document.id):
            told.append("not in the pool")  # until it is judged
        told.append(article.under_title.found(document.id))
        article.set_subtitle(" · ".join(filter(None, told)))
