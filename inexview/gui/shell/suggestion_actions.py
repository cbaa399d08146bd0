"""The rows of the menus for suggestions: on and off, and what one does with each."""

from __future__ import annotations

from functools import partial

from inexview.gui.services.actions import FILE, GO, JUDGE, Room
from inexview.gui.shell.window_action import WindowAction as Action

_HERE = (Room.ASSESS,)


def suggestion_files() -> tuple[Action, ...]:
    return (
        Action("open-suggestions", FILE, "Open suggestions…",
               "Show what a run or JSON lines suggest, to take or refuse; the journal says so",
               lambda w: w.suggestions.ask),
        Action("close-suggestions", FILE, "Turn suggestions off", "Show none; the journal says so",
               lambda w: w.suggestion_desk.turn_off),
    )  # fmt: skip


def suggestion_decisions() -> tuple[Action, ...]:
    return (
        Action("take-suggestion", JUDGE, "Take the suggestion",
               "Mark what is suggested; with text selected, mark that in its place",
               lambda w: w.suggestion_desk.take, ("Y",), starts_group=True, rooms=_HERE, judges=True),
        Action("change-suggestion", JUDGE, "Change the suggestion",
               "Select what is suggested: change its ends, then take it", lambda w: w.suggestion_desk.change,
               ("Alt+Y",), rooms=_HERE),
        Action("refuse-suggestion", JUDGE, "Refuse the suggestion", "Leave it unmarked, and show it no more",
               lambda w: w.suggestion_desk.refuse, ("Shift+Y",), rooms=_HERE, judges=True),
    )  # fmt: skip


def suggestion_steps() -> tuple[Action, ...]:
    return (
        Action("next-suggestion", GO, "Next suggestion", "Go to the next one that is not decided about",
               lambda w: partial(w.suggestion_desk.step, 1), ("Q",), rooms=_HERE),
        Action("previous-suggestion", GO, "Previous suggestion", "Go to the one before",
               lambda w: partial(w.suggestion_desk.step, -1), ("Shift+Q",), rooms=_HERE),
    )  # fmt: skip
