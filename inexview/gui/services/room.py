"""The rooms of the window: what one does in each of them."""

from __future__ import annotations

from enum import Enum


class Room(Enum):
    """What the window is used for; an action may belong to some of them only."""

    ASSESS = "assess"
    ADJUDICATE = "adjudicate"  # where two assessors differ, a third layer is made
    INSPECT = "inspect"  # read-only
    EDIT = "edit"  # Inspect with the pen: judgements change under a run
    WHAT_IF = "what-if"  # Inspect with the pen on a scratch copy of the run
    REPORT = "report"  # the quality report
    SEARCH = "search"  # finding documents of the collection

    @property
    def has_article(self) -> bool:
        return self not in (Room.REPORT, Room.SEARCH)


JUDGING = (Room.ASSESS, Room.EDIT)
SETTING = (*JUDGING, Room.ADJUDICATE)
"""Where the project's judgements change."""
DRAWING = (*SETTING, Room.WHAT_IF)
UNITS = (*JUDGING, Room.WHAT_IF)
"""Where the digits choose what strokes grow to; elsewhere they mean something else."""
INSPECTING = (Room.INSPECT, Room.EDIT, Room.WHAT_IF)
