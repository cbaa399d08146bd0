"""Which room of the window one is in: judging, looking at runs, or editing judgements under a run."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.assess_desk import AssessDesk
from inexview.gui.inspect.editing import Editing
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.room import Room
from inexview.gui.shell.room_frame import RoomFrame
from inexview.gui.shell.status_bar import StatusBar


class Rooms(QObject):
    """Goes from room to room, and sees to it that only what the room is for can be changed in it."""

    def __init__(
        self,
        frame: RoomFrame,
        article: ArticleView,
        assess: AssessDesk,
        editing: Editing,
        status: StatusBar,
        book: ActionBook,
    ) -> None:
        super().__init__(frame)
        self.room = Room.ASSESS
        self.frame = frame
        self._article = article
        self._assess = assess
        self._editing = editing
        self._status = status
        self._book = book
        editing.changed.connect(self._show_frame)
        frame.left.connect(lambda: self.enter(Room.INSPECT))
        frame.offer.clicked.connect(book["finish-again"].trigger)
        book.on("edit-judgements", lambda: self.enter(Room.EDIT))
        book.on("leave-editing", lambda: self.enter(Room.INSPECT))
        book.on("finish-again", editing.finish_again)

    def enter(self, room: Room) -> None:
        """Be in another room; who leaves editing is told what is no longer finished."""
        editing, self.room = self.room is Room.EDIT, room
        self._book.set_room(room)
        self._article.set_pen_live(room is not Room.INSPECT)
        self._assess.advances = room is Room.ASSESS
        self._status.show_room(room)
        self._show_frame()
        if editing and room is not Room.EDIT:
            self._editing.offer()

    def _show_frame(self) -> None:
        editing = self._editing
        if self.room is Room.EDIT:
            said = editing.said or "the pen marks, and the figures follow it"
            self.frame.show_room("Edit judgements", said, "Finish again" if editing.reopened else "")
        else:
            self.frame.show_room("", "")
        self._book["finish-again"].setEnabled(bool(editing.reopened))
