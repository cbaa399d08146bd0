"""Which room of the window one is in: judging, looking at runs, editing judgements, or what-if."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.gui.adjudicate.adjudicate_desk import AdjudicateDesk
from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.assess_desk import AssessDesk
from inexview.gui.assess.suggestion_desk import SuggestionDesk
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.messages import Messages
from inexview.gui.shell.late_inspect import LateInspect
from inexview.gui.shell.room_frame import RoomFrame
from inexview.gui.shell.status_bar import StatusBar


class Rooms(QObject):
    """Goes from room to room, and sees to it that only what the room is for can be changed in it."""

    def __init__(
        self,
        frame: RoomFrame,
        article: ArticleView,
        assess: AssessDesk,
        inspect: LateInspect,
        adjudicate: AdjudicateDesk,
        suggestion_desk: SuggestionDesk,
        status: StatusBar,
        messages: Messages,
        book: ActionBook,
    ) -> None:
        super().__init__(frame)
        self.room = Room.ASSESS
        self.frame = frame
        self._article = article
        self._assess = assess
        self._editing = editing = inspect.editing
        self.inspect = inspect
        self._adjudicate = adjudicate
        self._suggestion_desk = suggestion_desk
        self._status = status
        self._messages = messages
        self._book = book
        editing.changed.connect(self._show_frame)
        frame.left.connect(lambda: self.enter(Room.INSPECT))
        inspect.made.connect(lambda desk: desk.scratch_copies.changed.connect(self._follow_scratch))
        frame.offer.clicked.connect(self._offer)

    def enter(self, room: Room) -> None:
        """Be in another room; who leaves editing is told what is no longer finished."""
        if room is not self.room:
            self._messages.leave()
        editing, self.room = self.room is Room.EDIT, room
        self._book.set_room(room)
        self._article.set_pen_live(room is not Room.INSPECT)
        self._assess.advances = room is Room.ASSESS
        self._assess.set_drawing(room is not Room.WHAT_IF)
        if self.inspect.desk is not None:
            self.inspect.desk.scratch_copies.set_active(room is Room.WHAT_IF)
        self._suggestion_desk.set_active(room is Room.ASSESS)
        self._adjudicate.set_active(room is Room.ADJUDICATE)
        self._status.show_room(room)
        self._show_frame()
        if editing and room is not Room.EDIT:
            self._editing.offer()

    def begin_editing(self) -> None:
        """Take the pen under the run, over an article and where judgements can change at all."""
        if self._editing.refused:
            self._messages.warn(self._editing.refused)
            return
        self.inspect().stage.stay_in_topic()
        self.enter(Room.EDIT)

    def begin_what_if(self) -> None:
        """Change a scratch copy of the run from now on."""
        if self.inspect().scratch_copies.copy is None:
            self._messages.info("No run is open: open one first.")
            return
        self.inspect().stage.stay_in_topic()
        self.enter(Room.WHAT_IF)

    def _follow_scratch(self) -> None:
        """Tell of the changes; where the run was closed there is nothing left to change."""
        if self.room is Room.WHAT_IF and self.inspect().scratch_copies.copy is None:
            self.enter(Room.INSPECT)
        else:
            self._show_frame()

    def _offer(self) -> None:
        self._book["save-scratch" if self.room is Room.WHAT_IF else "finish-again"].trigger()

    def _show_frame(self) -> None:
        editing = self._editing
        if self.room is Room.EDIT:
            said = editing.said or "the pen marks, and the figures follow it"
            self.frame.show_room("Edit judgements", said, "Finish again" if editing.reopened else "")
        elif self.room is Room.WHAT_IF:
            copied = self.inspect().scratch_copies
            self.frame.show_room("What if", copied.said, "Save as run…", style=copied.style)
        else:
            self.frame.show_room("", "")
        self._book["finish-again"].setEnabled(bool(editing.reopened))
