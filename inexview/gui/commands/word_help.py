"""Joins the words that one looks for with their chips and keys."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.words import ReadingWord, ReadingWords, WordPanel

LONGEST_SELECTION = 100  # characters that are taken for a word


class WordHelp(QObject):
    """Does what chips and keys ask for."""

    def __init__(self, article: ArticleView, words: ReadingWords, panel: WordPanel) -> None:
        super().__init__(article)
        self._article = article
        self.words = words
        self._panel = panel
        words.changed.connect(panel.show_words)
        panel.added.connect(self._add)
        panel.removed.connect(words.remove)
        panel.changed.connect(lambda changed: words.change(*changed))
        panel.chosen.connect(lambda word: words.step(1, word))

    def let_go(self) -> bool:
        """Ask for a word no longer; False where none was asked for."""
        asked = self._panel.let_go()
        if asked:
            self._article.setFocus()
        return asked

    def ask(self) -> None:
        """Take what is selected, or ask."""
        start, end = self._article.selection
        document = self._article.document
        if document is not None and start < end <= start + LONGEST_SELECTION:
            self.words.add(ReadingWord(document.text[start:end]))
        else:
            self._panel.begin()

    def _add(self, word: ReadingWord) -> None:
        if self.words.add(word) or not word.text:
            self._article.setFocus()
