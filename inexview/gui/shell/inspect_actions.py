"""The rows of the menus for Inspect: what changes under a run, and going through what a run did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from inexview.gui.inspect.document.text_steps import PassageKind
from inexview.gui.services.actions import GO, INSPECTING, JUDGE, Room
from inexview.gui.shell.window_action import WindowAction as Action

if TYPE_CHECKING:
    from inexview.gui.shell.main_window import MainWindow


def changes_under_runs() -> tuple[Action, ...]:
    """Return what changes judgements while a run is over the text, or a scratch copy of the run."""
    return (
        Action("edit-judgements", JUDGE, "Edit judgements",
               "Take the pen under the run; the figures follow it",
               lambda w: w.rooms.begin_editing, ("E",), starts_group=True, rooms=(Room.INSPECT,)),
        Action("leave-editing", JUDGE, "Leave editing", "Put the pen away: judgements cannot change any more",
               lambda w: partial(w.rooms.enter, Room.INSPECT), rooms=(Room.EDIT,)),
        Action("finish-again", JUDGE, "Finish changed documents again",
               "Those that were finished before they were changed here",
               lambda w: w.inspect.editing.finish_again, rooms=(Room.INSPECT, Room.EDIT)),
        Action("what-if", JUDGE, "What if…", "Change a scratch copy of the run; the figures follow it",
               lambda w: w.rooms.begin_what_if, ("W",), rooms=(Room.INSPECT,)),
        Action("leave-what-if", JUDGE, "Leave what-if", "The scratch copy stays as long as the window",
               lambda w: partial(w.rooms.enter, Room.INSPECT), rooms=(Room.WHAT_IF,)),
        Action("undo-scratch", JUDGE, "Undo change", "Take the last change of the scratch copy back",
               lambda w: w.inspect.scratch_copies.undo, ("Ctrl+Z",), rooms=(Room.WHAT_IF,)),
        Action("enter-elsewhere", JUDGE, "Move entry point", "Then click, or press it again for the caret",
               lambda w: w.assess.entry_points.choose, ("B",), rooms=(Room.WHAT_IF,)),
        Action("rank-up", JUDGE, "One rank up", "Move the document up in the scratch copy",
               lambda w: partial(w.inspect.scratch_copies.move, -1), ("Shift+K",), rooms=(Room.WHAT_IF,)),
        Action("rank-down", JUDGE, "One rank down", "Move the document down in the scratch copy",
               lambda w: partial(w.inspect.scratch_copies.move, 1), ("Shift+J",), rooms=(Room.WHAT_IF,)),
        Action("save-scratch", JUDGE, "Save as run…", "Write the scratch copy as a run file",
               lambda w: w.late_inspect.scratch_saver.ask, ("Ctrl+Shift+S",), rooms=(Room.WHAT_IF,)),
    )  # fmt: skip


def run_steps() -> tuple[Action, ...]:
    """Return what goes from topic to topic, run to run, and from one to the next of what a run did."""
    return (
        Action("all-topics", GO, "All topics", "Topics × runs: who is better on which topics",
               lambda w: partial(w.inspect.stage.show_level, over_topics=True), ("T",), starts_group=True,
               rooms=(Room.INSPECT, Room.EDIT)),
        Action("open-chosen-topic", GO, "Open topic", "Go into the topic that is chosen in the table",
               lambda w: w.inspect.stage.open_chosen_topic, rooms=(Room.INSPECT, Room.EDIT)),
        Action("swap-runs", GO, "Swap run and baseline", "Exchange the two runs that are compared",
               lambda w: w.inspect.board.swap, ("X",), rooms=(Room.INSPECT,)),
        *(_run(number) for number in range(1, 10)),
        Action("next-hit", GO, "Next hit", "Go to the next relevant text that the run found",
               lambda w: partial(w.inspect.step_passage, PassageKind.HIT, 1), ("H",), starts_group=True,
               rooms=(Room.INSPECT,)),
        Action("previous-hit", GO, "Previous hit", "Go to the hit before",
               lambda w: partial(w.inspect.step_passage, PassageKind.HIT, -1), ("Shift+H",),
               rooms=(Room.INSPECT,)),
        Action("next-miss", GO, "Next miss", "Go to the next relevant text that the run missed",
               lambda w: partial(w.inspect.step_passage, PassageKind.MISS, 1), ("M",), rooms=INSPECTING),
        Action("previous-miss", GO, "Previous miss", "Go to the miss before",
               lambda w: partial(w.inspect.step_passage, PassageKind.MISS, -1), ("Shift+M",),
               rooms=INSPECTING),
        Action("next-false-alarm", GO, "Next false alarm", "Go to the next text that the run took wrongly",
               lambda w: partial(w.inspect.step_passage, PassageKind.FALSE_ALARM, 1), ("A",),
               rooms=INSPECTING),
        Action("previous-false-alarm", GO, "Previous false alarm", "Go to the false alarm before",
               lambda w: partial(w.inspect.step_passage, PassageKind.FALSE_ALARM, -1), ("Shift+A",),
               rooms=INSPECTING),
        Action("next-entry", GO, "Next entry point",
               "Go to where the run, or the best reader, begins to read",
               lambda w: partial(w.inspect.step_passage, PassageKind.ENTRY_POINT, 1), ("P",),
               rooms=INSPECTING),
        Action("previous-entry", GO, "Previous entry point", "Go to the entry point before",
               lambda w: partial(w.inspect.step_passage, PassageKind.ENTRY_POINT, -1), ("Shift+P",),
               rooms=INSPECTING),
        Action("derive", GO, "Why this figure", "Formula, numbers, rows, and what leaving one out does",
               lambda w: w.inspect.stage.toggle_derivation, ("Y",), rooms=INSPECTING),
        Action("dearest", GO, "What cost most", "Passages, documents and topics that cost the run most",
               lambda w: w.inspect.stage.toggle_dearest, ("Shift+D",), rooms=(Room.INSPECT,)),
    )  # fmt: skip


def _run(number: int) -> Action:
    def bring_forward(w: MainWindow) -> Callable[[], object]:
        return partial(w.inspect.stage.bring_forward, number)

    text = f"Run {number} to the front"
    return Action(
        f"run-{number}", GO, text, "Lay another run over the text", bring_forward, (str(number),),
        rooms=(Room.INSPECT,),
    )  # fmt: skip
