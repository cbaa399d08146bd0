"""What Ctrl+C copies: the rows of the list that has the keyboard, else what is selected in the article."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView

from inexview.gui.article.article_view import ArticleView


def copy(article: ArticleView) -> None:
    """Put it on the clipboard; nothing selected leaves that as it is."""
    focused = QApplication.focusWidget()
    lines = rows_told(focused) if isinstance(focused, QAbstractItemView) else []
    if lines:
        QGuiApplication.clipboard().setText("\n".join(lines))
    else:
        article.copy()


def rows_told(view: QAbstractItemView) -> list[str]:
    """Return the chosen rows: of a table its cells with tabs between, of a list what is read aloud."""
    chosen = {index.row(): index for index in view.selectedIndexes()}
    current = view.currentIndex()
    indexes = [chosen[row] for row in sorted(chosen)] or ([current] if current.isValid() else [])
    return [_told(view, index) for index in indexes]


def _told(view: QAbstractItemView, index: QModelIndex) -> str:
    if isinstance(view, QTableView) and (columns := view.horizontalHeader().count()) > 1:
        shown = [at for at in range(columns) if not view.isColumnHidden(at)]
        return "\t".join(str(index.siblingAtColumn(at).data() or "") for at in shown)
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)  # also of a list that a table shows
    return str(said or index.data() or "")
