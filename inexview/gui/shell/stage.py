"""What fills the window between its bars: the article with its panels, or a page that takes their place."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from inexview.gui.article.article_view import ArticleView
from inexview.gui.commands.place_opener import PlaceOpener
from inexview.gui.look.theme import Theme
from inexview.gui.quality.quality_desk import QualityDesk
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell.rooms import Rooms


class Stage(QStackedWidget):
    """The rooms with an article first, then the quality report."""

    def __init__(
        self,
        rooms: Rooms,
        article: ArticleView,
        session: Session,
        tasks: Tasks,
        settings: Settings,
        book: ActionBook,
    ) -> None:
        super().__init__()
        self._rooms = rooms
        self._article = article
        self.quality = QualityDesk(session, tasks, settings, book)
        self.opener = PlaceOpener(session, article)
        self.addWidget(rooms.frame)
        self.addWidget(self.quality.page)
        self.quality.wanted.connect(self.show_report)
        self.quality.place_wanted.connect(lambda place: self.opener.open(*place))

    def let_go(self) -> bool:
        """Go back to the article; False where one is there."""
        return self.quality.let_go()

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.quality.page.set_theme(theme)

    def show_report(self, shown: bool) -> None:
        """Go to the quality report, or back to the pool."""
        if shown == self.quality.active:
            return
        self.setCurrentIndex(1 if shown else 0)
        self._rooms.enter(Room.REPORT if shown else Room.ASSESS)
        self.quality.set_active(shown)
        if not shown:
            self._article.setFocus()
