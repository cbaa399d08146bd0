"""The actions of nuggets, as the window lists all of its own: menu, name, key, and what does it."""

from __future__ import annotations

from functools import partial
from typing import Any

from inexview.gui.services.actions import ASSESSING, FILE, GO, JUDGE, VIEW, Action, Room

_BESIDE = (Room.NUGGETS,)

NUGGET_FILES: tuple[Action[Any], ...] = (
    Action("open-nuggets", FILE, "Import nuggets…", "Take nuggets and their places from a file",
           lambda w: w.assess.nuggets.files.ask, judges=True),
    Action("export-nuggets", FILE, "Export nuggets…", "Write a NuggetBank: nuggets, their words and offsets",
           lambda w: w.assess.nuggets.files.ask_export),
)  # fmt: skip


def _digit(digit: int) -> Action[Any]:
    """Return the action of a digit; 0 waits for a second one."""
    text = f"File under nugget {digit}" if digit else "Nugget 10 to 19: 0, then a digit"
    tip = "The current mark or the selected words; again: remove them"
    return Action(f"nugget-{digit}", JUDGE, text, tip, lambda w: partial(w.assess.nuggets.press, digit),
                  (str(digit),), rooms=_BESIDE, judges=True, starts_group=digit == 1)  # fmt: skip


NUGGET_ACTIONS: tuple[Action[Any], ...] = (
    *(_digit(digit) for digit in (*range(1, 10), 0)),
    Action("file-selected", JUDGE, "File under the selected nugget", "Again: remove it from that nugget",
           lambda w: w.assess.nuggets.file_under_selected, ("L",), rooms=_BESIDE, judges=True),
    Action("new-nugget", JUDGE, "New nugget…",
           "From the marked or selected words; Enter: okay, Shift+Enter: vital",
           lambda w: w.assess.nuggets.begin_new, ("+",), rooms=ASSESSING, judges=True),
    Action("weigh-nugget", JUDGE, "Vital or okay", "Change the importance of the selected nugget",
           lambda w: w.assess.nuggets.weigh, ("V",), rooms=_BESIDE, judges=True),
    Action("reword-nugget", JUDGE, "Reword nugget…", "Change the words of the selected nugget",
           lambda w: w.assess.nuggets.begin_rewording, ("F2",), rooms=_BESIDE, judges=True),
    Action("delete-nugget", JUDGE, "Delete nugget", "With its places; its number stays free",
           lambda w: w.assess.nuggets.delete, ("Shift+Del",), rooms=_BESIDE, judges=True),
    Action("next-nugget", GO, "Next nugget", "Select the nugget below",
           lambda w: partial(w.assess.nuggets.step, 1), ("Alt+PgDown",), rooms=_BESIDE),
    Action("previous-nugget", GO, "Previous nugget", "Select the nugget above",
           lambda w: partial(w.assess.nuggets.step, -1), ("Alt+PgUp",), rooms=_BESIDE),
    Action("next-nugget-place", GO, "Next place of the nugget", "Go to the next place of the selected nugget",
           lambda w: partial(w.assess.nuggets.step_place, 1), ("Alt+]",), rooms=_BESIDE),
    Action("previous-nugget-place", GO, "Previous place of the nugget",
           "Go to the previous place of the selected nugget",
           lambda w: partial(w.assess.nuggets.step_place, -1), ("Alt+[",), rooms=_BESIDE),
    Action("wider-unit", JUDGE, "Larger unit", "Strokes grow to the next larger unit",
           lambda w: partial(w.assess.nuggets.step_unit, 1), ("Alt+Up",), rooms=_BESIDE),
    Action("narrower-unit", JUDGE, "Smaller unit", "Strokes grow to the next smaller unit",
           lambda w: partial(w.assess.nuggets.step_unit, -1), ("Alt+Down",), rooms=_BESIDE),
    Action("nugget-panel", VIEW, "Nuggets", "Show the nuggets of the topic beside the text",
           lambda w: w.assess.nuggets.toggle, ("Shift+V",), checkable=True, rooms=ASSESSING),
)  # fmt: skip
