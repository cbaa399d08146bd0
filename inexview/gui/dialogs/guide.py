"""The user guide, as it lies in ``resources/guide``, in a window of its own."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl
from PySide6.QtGui import (
    QImage,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)
from PySide6.QtWidgets import QListWidget, QTextBrowser, QWidget

from inexview.core.resources import resource
from inexview.gui.look.layouts import in_row
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import Recolored, SideWindow, fit_to_screen
from inexview.gui.services.actions import MENUS, ActionBook

FIRST = "index.md"
KEYS_PAGE = "keys.md"
AROUND = 34  # pixels around a page
BAR = 24  # and for a scroll bar that may come
ORDER = (
    FIRST,
    "assess.md",
    "adjudicate.md",
    "inspect.md",
    "files.md",
    "command-line.md",
)  # others follow by name


def keys_page(book: ActionBook) -> str:
    lines = ["# All keys", "", "Every key can be changed under Help ▸ All keys.", ""]
    for menu in MENUS:
        lines += [f"## {menu.replace('&', '')}", ""]
        for record in book.of_menu(menu):
            keys = ", ".join(f"`{key}`" for key in book.keys(record.id)) or "–"
            lines.append(f"- {keys} **{record.text.rstrip('…')}**: {record.tip}")
        lines.append("")
    return "\n".join(lines)


class _Page(QTextBrowser):
    """Shows Markdown files of the guide, and the generated page of keys."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self._book = book
        self.setOpenExternalLinks(False)
        self.setSearchPaths([str(resource("guide"))])
        self.document().setDocumentMargin(AROUND)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Make the page of keys; read all others from the guide's folder."""
        if kind == QTextDocument.ResourceType.MarkdownResource and QUrl(name).fileName() == KEYS_PAGE:
            return keys_page(self._book)
        found = super().loadResource(kind, name)
        if kind == QTextDocument.ResourceType.ImageResource and isinstance(found, QByteArray):
            return self._fitting(QImage.fromData(found))
        return found

    def _fitting(self, picture: QImage) -> QImage:
        """Return a picture no wider than the page, sharp also on a screen of fine pixels."""
        scale = self.devicePixelRatioF()
        room = max(int((self.viewport().width() - 2 * AROUND - BAR) * scale), 1)
        if picture.width() > room:
            picture = picture.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(scale)
        return picture


def breathe(document: QTextDocument, theme: Theme) -> None:
    """Give a page made of Markdown, which Qt sets tight, the spacing of a book, and tables quiet lines."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()  # or the page is laid out again with each paragraph
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format()
            table.setBorderBrush(theme.color("line"))
            table.setBorderCollapse(True)
            table.setBorder(1)
            table.setCellPadding(6)
            frame.setFormat(table)
    block = document.begin()
    while block.isValid():
        form = block.blockFormat()
        heading = form.headingLevel()
        code = form.hasProperty(QTextFormat.Property.BlockCodeFence)
        form.setTopMargin(20 if heading else 0)
        form.setBottomMargin(0 if code else 8 if not block.textList() else 4)
        if not code:
            form.setLineHeight(140, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(form)
        block = block.next()
    cursor.endEditBlock()


class GuideWindow(Recolored, SideWindow):
    """Pages on the left, the page on the right."""

    def __init__(self, book: ActionBook, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("inexview guide")
        self.resize(980, 720)
        fit_to_screen(self)
        self.page = _Page(book)
        self.list = QListWidget()
        self.list.setFixedWidth(150)  # the page needs the room in a window that is not wide
        self.list.setAccessibleName("Pages of the guide")
        found = {path.name for path in resource("guide").glob("*.md")}
        self._names = [*(name for name in ORDER if name in found), *sorted(found - {*ORDER}), KEYS_PAGE]
        self.list.addItems([_title(name) for name in self._names])
        for row in range(self.list.count()):
            self.list.item(row).setSizeHint(QSize(0, 30))
        self.list.currentRowChanged.connect(self._show)
        self.page.sourceChanged.connect(self._follow)
        book.keys_changed.connect(self._reload_keys)
        body = QWidget()
        in_row(self.list, (self.page, 1), on=body, margins=(10, 10, 0, 0))
        self.setCentralWidget(body)
        self.list.setCurrentRow(0)
        self.wear()

    def go_to(self, page: str) -> None:
        self.list.setCurrentRow(self._names.index(page))

    def recolor(self) -> None:
        self._reload()

    def _reload_keys(self) -> None:
        if self.page.source().fileName() == KEYS_PAGE:
            self._reload()

    def _reload(self) -> None:
        """Make the page again, where one was in it."""
        bar = self.page.verticalScrollBar()
        place = bar.value()
        self.page.reload()
        breathe(self.page.document(), self.theme)
        bar.setValue(place)

    def _show(self, row: int) -> None:
        self.page.setSource(QUrl(self._names[row]), QTextDocument.ResourceType.MarkdownResource)
        breathe(self.page.document(), self.theme)

    def _follow(self, source: QUrl) -> None:
        if source.fileName() in self._names:
            self.list.setCurrentRow(self._names.index(source.fileName()))


def open_guide(window: QWidget, book: ActionBook, page: str = "") -> None:
    """Show the guide of a window, which has one at a time, at a page, else where it was."""
    guide = window.findChild(GuideWindow)
    if guide is None:
        guide = GuideWindow(book, window)
    if page:
        guide.go_to(page)
    guide.show()
    guide.raise_()
    guide.activateWindow()


def _title(name: str) -> str:
    if name == KEYS_PAGE:
        return "All keys"
    for line in (resource("guide") / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return name.removesuffix(".md")
