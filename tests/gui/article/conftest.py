"""What the tests of the article view share."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inexview.gui.article.article_view import ArticleView


@pytest.fixture
def view(qtbot: QtBot) -> ArticleView:
    made = ArticleView()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made
