"""Every action of the window, each in one row: menu, name, key, and what does it.

The order is that of the menus.  What does an action is looked up when a window starts: one in which an action
does nothing does not start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from inexview.core.article.granularity import Granularity
from inexview.core.project.document_state import Ruling
from inexview.gui.article.overlays import Tool
from inexview.gui.commands.reading import copy_selection
from inexview.gui.services.actions import (
    DRAWING,
    EDIT,
    FILE,
    GO,
    HELP,
    INSPECTING,
    JUDGE,
    JUDGING,
    SETTING,
    UNITS,
    VIEW,
    Room,
)
from inexview.gui.shell.start_window import NEW, OPEN, QUIT, SAMPLE
from inexview.gui.text_changes import Decision

if TYPE_CHECKING:
    from inexview.gui.services.actions import Action as AnyAction
    from inexview.gui.shell.main_window import MainWindow

    # Where mypy has to infer whose an action is, it passes over a handler that is only a chain of names.
    Action: TypeAlias = AnyAction[MainWindow]
else:
    from inexview.gui.services.actions import Action


# The rows of the menus for a second assessor: layers, rulings, and going from difference to difference.

_ADJUDICATING = (Room.ADJUDICATE,)


def layer_files() -> tuple[Action, ...]:
    return (
        Action("open-layer", FILE, "Open another assessor’s layer…",
               "Lay the judgements of another assessor beside these: a project, qrels or JSON lines",
               lambda w: w.layers.ask, starts_group=True),
        Action("close-layers", FILE, "Close layers", "Leave the other assessors' judgements alone",
               lambda w: w.adjudicate.comparison.close),
    )  # fmt: skip


def rulings() -> tuple[Action, ...]:
    """Return what settles places and documents."""
    return (
        *(_ruling(number, ruling, name) for number, (ruling, name) in enumerate(_CHOICES.items(), 1)),
        *(_rest(number, ruling, name) for number, (ruling, name) in enumerate(_CHOICES.items(), 1)),
        Action("settle", JUDGE, "Settled, next", "Finish the third layer of this document",
               lambda w: w.adjudicate.walk.settle, ("F",), rooms=_ADJUDICATING, judges=True),
        Action("settle-later", JUDGE, "Come back later, next", "Flag this document, and go to the next one",
               lambda w: w.adjudicate.walk.flag, ("C",), rooms=_ADJUDICATING, judges=True),
        Action("take-over", JUDGE, "Take over the documents of this list",
               "Finish all on which all agree, or which only one judged, as they are",
               lambda w: w.adjudicate.walk.take_over, rooms=_ADJUDICATING, judges=True),
    )  # fmt: skip


def difference_steps() -> tuple[Action, ...]:
    return (
        Action("next-place", GO, "Next difference", "Go to the next place that is not settled",
               lambda w: partial(w.adjudicate.step_place, 1), ("N",), rooms=_ADJUDICATING),
        Action("previous-place", GO, "Previous difference", "Go to the place before that is not settled",
               lambda w: partial(w.adjudicate.step_place, -1), ("Shift+N",), rooms=_ADJUDICATING),
    )  # fmt: skip


def adjudicate_mode() -> Action:
    return Action("adjudicate", VIEW, "Adjudicate", "Settle where assessors differ",
                  lambda w: w.adjudicate.enter, ("Ctrl+3",), checkable=True, anywhere=True)  # fmt: skip


_CHOICES = {
    Ruling.A: ("a", "A's", "what the first assessor marked"),
    Ruling.B: ("b", "B's", "what the second assessor marked"),
    Ruling.UNION: ("union", "the union", "what any of them marked"),
    Ruling.INTERSECTION: ("intersection", "the intersection", "what all marked"),
    Ruling.C: ("c", "C's", "what the third assessor marked"),
    Ruling.MAJORITY: ("majority", "two of three", "what at least two of three marked"),
}


def _ruling(number: int, ruling: Ruling, names: tuple[str, str, str]) -> Action:
    name, words, what = names
    return Action(f"take-{name}", JUDGE, f"Take {words}", f"Mark here {what}",
                  lambda w: partial(w.adjudicate.rule, ruling), (str(number),), starts_group=number == 1,
                  rooms=_ADJUDICATING, judges=True)  # fmt: skip


def _rest(number: int, ruling: Ruling, names: tuple[str, str, str]) -> Action:
    name, words, _ = names
    told = f"{words[0].upper()}{words[1:]} for all places left"
    return Action(f"rest-{name}", JUDGE, told, "All that is still open in this document",
                  lambda w: partial(w.adjudicate.rule_rest, ruling), (f"Shift+{number}",),
                  rooms=_ADJUDICATING, judges=True)  # fmt: skip


# The rows of the menus for Inspect: what changes under a run, and going through what a run did.


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
               lambda w: partial(w.inspect.step_passage, "hit", 1), ("H",), starts_group=True,
               rooms=(Room.INSPECT,)),
        Action("previous-hit", GO, "Previous hit", "Go to the hit before",
               lambda w: partial(w.inspect.step_passage, "hit", -1), ("Shift+H",),
               rooms=(Room.INSPECT,)),
        Action("next-miss", GO, "Next miss", "Go to the next relevant text that the run missed",
               lambda w: partial(w.inspect.step_passage, "miss", 1), ("M",), rooms=INSPECTING),
        Action("previous-miss", GO, "Previous miss", "Go to the miss before",
               lambda w: partial(w.inspect.step_passage, "miss", -1), ("Shift+M",),
               rooms=INSPECTING),
        Action("next-false-alarm", GO, "Next false alarm", "Go to the next text that the run took wrongly",
               lambda w: partial(w.inspect.step_passage, "false alarm", 1), ("A",),
               rooms=INSPECTING),
        Action("previous-false-alarm", GO, "Previous false alarm", "Go to the false alarm before",
               lambda w: partial(w.inspect.step_passage, "false alarm", -1), ("Shift+A",),
               rooms=INSPECTING),
        Action("next-entry", GO, "Next entry point",
               "Go to where the run, or the best reader, begins to read",
               lambda w: partial(w.inspect.step_passage, "entry point", 1), ("P",),
               rooms=INSPECTING),
        Action("previous-entry", GO, "Previous entry point", "Go to the entry point before",
               lambda w: partial(w.inspect.step_passage, "entry point", -1), ("Shift+P",),
               rooms=INSPECTING),
        Action("derive", GO, "Why this figure", "Formula, numbers, rows, and what leaving one out does",
               lambda w: w.inspect.stage.toggle_derivation, ("Y",), rooms=INSPECTING),
        Action("dearest", GO, "What cost most", "Passages, documents and topics that cost the run most",
               lambda w: w.inspect.stage.toggle_costliest, ("Shift+D",), rooms=(Room.INSPECT,)),
    )  # fmt: skip


def _run(number: int) -> Action:
    def bring_forward(w: MainWindow) -> Callable[[], object]:
        return partial(w.inspect.stage.bring_forward, number)

    text = f"Run {number} to the front"
    return Action(
        f"run-{number}", GO, text, "Lay another run over the text", bring_forward, (str(number),),
        rooms=(Room.INSPECT,),
    )  # fmt: skip


# The rows of the menus for suggestions: on and off, and what one does with each.

_ASSESSING = (Room.ASSESS,)


def suggestion_files() -> tuple[Action, ...]:
    return (
        Action("open-suggestions", FILE, "Open suggestions…",
               "Show what a run or JSON lines suggest, to take or refuse; the journal says so",
               lambda w: w.suggestions.ask),
        Action("close-suggestions", FILE, "Turn suggestions off", "Show none; the journal says so",
               lambda w: w.suggestion_controller.turn_off),
    )  # fmt: skip


def suggestion_decisions() -> tuple[Action, ...]:
    return (
        Action("take-suggestion", JUDGE, "Take the suggestion",
               "Mark what is suggested; with text selected, mark that in its place",
               lambda w: w.suggestion_controller.take, ("Y",), starts_group=True, rooms=_ASSESSING,
               judges=True),
        Action("change-suggestion", JUDGE, "Change the suggestion",
               "Select what is suggested: change its ends, then take it",
               lambda w: w.suggestion_controller.change,
               ("Alt+Y",), rooms=_ASSESSING),
        Action("refuse-suggestion", JUDGE, "Refuse the suggestion", "Leave it unmarked, and show it no more",
               lambda w: w.suggestion_controller.refuse, ("Shift+Y",), rooms=_ASSESSING, judges=True),
    )  # fmt: skip


def suggestion_steps() -> tuple[Action, ...]:
    return (
        Action("next-suggestion", GO, "Next suggestion", "Go to the next one that is not decided about",
               lambda w: partial(w.suggestion_controller.step, 1), ("Q",), rooms=_ASSESSING),
        Action("previous-suggestion", GO, "Previous suggestion", "Go to the one before",
               lambda w: partial(w.suggestion_controller.step, -1), ("Shift+Q",), rooms=_ASSESSING),
    )  # fmt: skip


def _file() -> tuple[Action, ...]:
    return (
        NEW,
        OPEN,
        SAMPLE,
        Action("start-window", FILE, "Start window", "Recent projects, new project, sample",
               lambda w: partial(w.asked.emit, "start-window")),
        Action("open-run", FILE, "Open run…", "Lay a run over the judged text",
               lambda w: partial(w.files.ask_runs, partial(w.show_inspect, opened=True)), ("Ctrl+R",),
               starts_group=True),
        Action("close-run", FILE, "Close run", "Take the current run out of the window",
               lambda w: w.session.close_run),
        Action("import-qrels", FILE, "Import qrels…", "Take judgements from a qrels file into this project",
               lambda w: w.files.ask_import, starts_group=True),
        Action("export-qrels", FILE, "Export qrels…",
               "Write what is judged: qrels, assessments or JSON lines", lambda w: lambda: w.exporter.ask(),
               ("Ctrl+E",)),
        Action("compare-judgements", FILE, "Score runs by a second layer…",
               "What order of the runs follows from another assessor's judgements",
               lambda w: lambda: w.inspect.chart_opener.second.ask()),
        Action("save-evidence", FILE, "Save evidence…",
               "What is on the screen as a page, a PDF or a picture",
               lambda w: lambda: w.stage.evidence.ask(), ("Ctrl+Alt+E",)),
        Action("save-table", FILE, "Save a table…",
               "Runs, topics and runs, every pair or the ranked documents: for a paper, as values or a page",
               lambda w: lambda: w.stage.evidence.offer_tables(), ("Ctrl+Alt+S",)),
        *layer_files(),
        *suggestion_files(),
        Action("check-offsets", FILE, "Check offsets…",
               "See in which convention a run or qrels count, and write a corrected copy",
               lambda w: w.check_offsets),
        Action("find-collection", FILE, "Find the collection…",
               "Say where the articles are, if they were moved",
               lambda w: partial(w.asked.emit, "find-collection")),
        Action("index-collection", FILE, "Index the collection",
               "Find out where each article lies, if that was given up",
               lambda w: w.session.preparation.start),
        Action("load-articles", FILE, "Load the changed articles",
               "Read the articles again, if their file changed while it is open",
               lambda w: w.collection_notices.replaced.load),
        Action("check-marks", FILE, "Check marks against the articles…",
               "List the marks whose text no longer reads as when they were made",
               lambda w: w.drifting.check_all),
        Action("retrieve", FILE, "Retrieve passages…",
               "Rank the collection's passages by a retrieval model; make runs and pools",
               lambda w: lambda: w.stage.retrieval.open(), ("Ctrl+Alt+F",)),
        Action("add-topics", FILE, "Add topics…",
               "Add topics to this project, with the pool of their documents",
               lambda w: partial(w.asked.emit, "add-topics"), judges=True),
        Action("choose-convention", FILE, "How qrels count…",
               "Say which characters the offsets of qrels count", lambda w: w.chooser.choose_convention),
        Action("choose-grades", FILE, "Grades…", "Say which grades documents and passages may have",
               lambda w: w.assess.grading.choose),
        Action("restore", FILE, "Restore…", "List the copies of this project, and restore one as a new file",
               lambda w: w.project_rescue.restore, starts_group=True),
        Action("save-elsewhere", FILE, "Save to another file…",
               "Write all that was done to another project file, and go on with that",
               lambda w: w.project_rescue.save_elsewhere),
        Action("save", FILE, "Save", "Nothing to do: every action is saved as it is done",
               lambda w: w.session.saving.save, ("Ctrl+S",)),
        QUIT,
    )  # fmt: skip


def _edit() -> tuple[Action, ...]:
    return (
        Action("undo", EDIT, "Undo", "Take back the last action in this document", lambda w: w.assess.undo,
               ("Ctrl+Z",), rooms=SETTING, judges=True),
        Action("redo", EDIT, "Redo", "Do again what was taken back", lambda w: w.assess.redo,
               ("Ctrl+Y", "Ctrl+Shift+Z"), rooms=SETTING, judges=True),
        Action("let-go", EDIT, "Let go",
               "Give up what was begun last: a list, a stroke, the eraser, a selection", lambda w: w.let_go,
               ("Esc",), anywhere=True),
        Action("copy", EDIT, "Copy", "Copy the selected text, or the rows of the list that has the keyboard",
               lambda w: partial(copy_selection, w.article), ("Ctrl+C",),
               starts_group=True),
        Action("copy-link", EDIT, "Copy link to this place",
               "A link that opens topic, document, run and line", lambda w: w.stage.links.copy,
               ("Ctrl+Shift+L",)),
        Action("copy-path", EDIT, "Copy element path",
               "The path of the outlined element, or that at the caret",
               lambda w: w.element_commands.copy_path, ("Ctrl+Shift+C",)),
        Action("copy-span", EDIT, "Copy element span", "Copy offset:length of that element",
               lambda w: w.element_commands.copy_span, ("Ctrl+Alt+C",)),
        Action("find", EDIT, "Find in article…", "Find text in this article",
               lambda w: w.article.finding.open, ("Ctrl+F",)),
        Action("find-next", EDIT, "Find next", "Go to the next place found", lambda w: w.article.finding.next,
               ("F3",)),
        Action("find-previous", EDIT, "Find previous", "Go to the place found before",
               lambda w: w.article.finding.previous, ("Shift+F3",)),
    )  # fmt: skip


def _judge() -> tuple[Action, ...]:
    return (
        Action("mark", JUDGE, "Mark relevant", "Mark the selection; without one, take the marker pen",
               lambda w: partial(w.assess.draw, Tool.MARK), ("H",), rooms=DRAWING, judges=True),
        Action("erase", JUDGE, "Erase mark", "Erase the selection; without one, take the eraser",
               lambda w: partial(w.assess.draw, Tool.ERASE), ("U",), rooms=DRAWING, judges=True),
        Action("mark-sentence", JUDGE, "Mark sentence, go on",
               "The sentence at the caret; then to the next one", lambda w: w.article.caret_pen.mark_sentence,
               ("S",), rooms=DRAWING, judges=True),
        Action("erase-passage", JUDGE, "Erase passage at caret",
               "Erase the whole marked passage at the caret", lambda w: w.article.caret_pen.erase_passage,
               ("Del",), rooms=DRAWING, judges=True),
        Action("end-more", JUDGE, "Longer mark",
               "Take one sentence (the unit in the hand) more at the mark's end",
               lambda w: partial(w.article.ends.move_nearest, 1), (".",), rooms=DRAWING, judges=True),
        Action("end-less", JUDGE, "Shorter mark",
               "Give one sentence (the unit in the hand) back at the mark's end",
               lambda w: partial(w.article.ends.move_nearest, -1), (",",), rooms=DRAWING, judges=True),
        Action("grow-selection", JUDGE, "Select by sentence", "Sentence at the caret, then one more",
               lambda w: partial(w.article.caret_pen.extend_selection, Granularity.SENTENCE), ("E",),
               rooms=SETTING),
        Action("mark-element", JUDGE, "Mark whole element", "Mark the outlined element, or that at the caret",
               lambda w: partial(w.article.caret_pen.stroke_element, Tool.MARK), ("Shift+H",), rooms=DRAWING,
               judges=True),
        Action("erase-element", JUDGE, "Erase whole element", "Erase all marks within that element",
               lambda w: partial(w.article.caret_pen.stroke_element, Tool.ERASE), ("Shift+U",), rooms=DRAWING,
               judges=True),
        Action("select-element", JUDGE, "Select whole element", "The outlined element, or that at the caret",
               lambda w: w.article.caret_pen.select_element, ("Shift+E",)),
        Action("unit-character", JUDGE, "Exact characters", "Strokes take what is dragged over",
               lambda w: partial(w.article.pen_state.choose, Granularity.CHARACTER), ("1", "X"),
               checkable=True,
               rooms=UNITS, starts_group=True),
        Action("unit-word", JUDGE, "Snap to words", "Strokes grow to words; held, only one",
               lambda w: partial(w.article.pen_state.choose, Granularity.WORD), ("2",), checkable=True,
               rooms=UNITS),
        Action("unit-sentence", JUDGE, "Snap to sentences",
               "Whole sentences, also of cells, list items and captions; held, only one",
               lambda w: partial(w.article.pen_state.choose, Granularity.SENTENCE), ("3",), checkable=True,
               rooms=UNITS),
        Action("unit-paragraph", JUDGE, "Snap to paragraphs",
               "Whole paragraphs, cells, list items and captions; held, only one",
               lambda w: partial(w.article.pen_state.choose, Granularity.PARAGRAPH), ("4",), checkable=True,
               rooms=UNITS),
        Action("unit-element", JUDGE, "Snap to elements", "Strokes grow to elements; held, only one",
               lambda w: partial(w.article.pen_state.choose, Granularity.ELEMENT), ("5",), checkable=True,
               rooms=UNITS),
        Action("entry-point", JUDGE, "Set best entry point", "Then click, or press it again for the caret",
               lambda w: w.assess.entry_points.choose, ("B",), starts_group=True, rooms=SETTING, judges=True),
        Action("entry-point-caret", JUDGE, "Best entry point at caret",
               "Set the best entry point at the caret", lambda w: w.article.caret_pen.choose_entry_point,
               ("Ctrl+B",), rooms=SETTING, judges=True),
        Action("entry-point-first", JUDGE, "Best entry point at first mark",
               "Set the best entry point at the first marked character",
               lambda w: w.assess.entry_points.take_first_mark, ("Alt+B",), rooms=JUDGING, judges=True),
        Action("remove-entry-point", JUDGE, "Remove best entry point", "Take it away",
               lambda w: w.assess.entry_points.remove, ("Shift+B",), rooms=SETTING, judges=True),
        Action("finish", JUDGE, "Finish, next", "Judged completely: what is not marked is not relevant",
               lambda w: w.assess.finish, ("F",), starts_group=True, rooms=JUDGING, judges=True),
        Action("not-relevant", JUDGE, "Not relevant, next",
               "Finish without marks; all that is selected in the list", lambda w: w.assess.not_relevant,
               ("N",), rooms=JUDGING, judges=True),
        Action("withdraw", JUDGE, "Withdraw from the pool",
               "It is to be judged no longer, or all that is selected; what is judged stays",
               lambda w: w.assess.withdraw, rooms=JUDGING, judges=True),
        Action("reopen", JUDGE, "Reopen", "Go back to judging this finished document",
               lambda w: w.session.reopen, ("Shift+F",), rooms=JUDGING, judges=True),
        Action("come-back", JUDGE, "Flag to come back", "Flag this document, or take its flag away",
               lambda w: w.assess.come_back.turn, ("C",), rooms=JUDGING, judges=True),
        Action("note", JUDGE, "Note…", "Note something about the passage at the caret, or the document",
               lambda w: w.assess.panel.note.begin, ("Alt+N",), rooms=(Room.ASSESS,)),
        Action("grade-higher", JUDGE, "Grade higher", "The passage at the caret, or else the document",
               lambda w: partial(w.assess.grading.step, 1), ("R",), rooms=JUDGING, judges=True),
        Action("grade-lower", JUDGE, "Grade lower", "The passage at the caret, or else the document",
               lambda w: partial(w.assess.grading.step, -1), ("Shift+R",), rooms=JUDGING, judges=True),
        Action("clear", JUDGE, "Erase all marks", "Erase all marks and the best entry point of this document",
               lambda w: w.session.clear, ("Ctrl+Shift+Del",), rooms=JUDGING, judges=True),
        Action("keep-drifted", JUDGE, "Keep as it reads now",
               "Leave a mark that reads differently where it is, and remember how it reads now",
               lambda w: partial(w.drifting.decide_here, Decision.KEEP), starts_group=True, rooms=JUDGING,
               judges=True),
        Action("move-drifted", JUDGE, "Mark where it is now",
               "Move a mark that reads differently to where its text is now, and the best entry point in it",
               lambda w: partial(w.drifting.decide_here, Decision.MOVE), rooms=JUDGING, judges=True),
        Action("remove-drifted", JUDGE, "Remove the drifted mark",
               "Take a mark that reads differently away, and the best entry point in it",
               lambda w: partial(w.drifting.decide_here, Decision.REMOVE), rooms=JUDGING, judges=True),
        *changes_under_runs(),
        *rulings(),
        *suggestion_decisions(),
    )  # fmt: skip


def _go() -> tuple[Action, ...]:
    return (
        *difference_steps(),
        *suggestion_steps(),
        Action("next-document", GO, "Next document", "Open the next document of the list",
               lambda w: partial(w.steps.step, 1), ("J", "Ctrl+PgDown")),
        Action("previous-document", GO, "Previous document", "Open the document before",
               lambda w: partial(w.steps.step, -1), ("K", "Ctrl+PgUp")),
        Action("next-todo", GO, "Next document to do", "The next one that is not finished",
               lambda w: w.steps.open_next_to_do, ("Ctrl+J",)),
        Action("next-unit", GO, "Next sentence", "Or other unit in the hand; with Shift, select to there",
               lambda w: partial(w.article_keys.step, None, 1), ("Ctrl+Right", "Ctrl+Shift+Right"),
               starts_group=True),
        Action("previous-unit", GO, "Previous sentence",
               "Or other unit in the hand; with Shift, select to there",
               lambda w: partial(w.article_keys.step, None, -1), ("Ctrl+Left", "Ctrl+Shift+Left")),
        Action("next-paragraph", GO, "Next paragraph", "The caret goes there; with Shift, select to there",
               lambda w: partial(w.article_keys.step, Granularity.PARAGRAPH, 1),
               ("Ctrl+Down", "Ctrl+Shift+Down")),
        Action("previous-paragraph", GO, "Previous paragraph",
               "The caret goes there; with Shift, select to there",
               lambda w: partial(w.article_keys.step, Granularity.PARAGRAPH, -1),
               ("Ctrl+Up", "Ctrl+Shift+Up")),
        Action("context-menu", GO, "Menu at the caret", "What one can do there",
               lambda w: w.article_keys.open_at_caret, ("Shift+F10",)),
        Action("back", GO, "Back", "To the document or place before this one",
               lambda w: partial(w.back_and_forward.go, -1), ("Alt+Left",), starts_group=True),
        Action("forward", GO, "Forward", "To where you went back from",
               lambda w: partial(w.back_and_forward.go, 1), ("Alt+Right",)),
        Action("search-collection", GO, "Find in the collection…",
               "Documents that hold some words, also those outside the pool",
               lambda w: lambda: w.stage.search.toggle(), ("Ctrl+Shift+F",),
               rooms=(Room.ASSESS, Room.REPORT, Room.SEARCH)),
        Action("quality-report", GO, "Quality report", "See which places may be worth a second look",
               lambda w: lambda: w.stage.quality.toggle(), ("Alt+Q",), starts_group=True,
               rooms=(Room.ASSESS, Room.REPORT, Room.SEARCH)),
        Action("open-finding", GO, "Open there", "Open the place that is asked about",
               lambda w: lambda: w.stage.quality.open(), rooms=(Room.REPORT,)),
        Action("right-as-it-is", GO, "Right as it is, next", "Answer the question, and go to the next one",
               lambda w: lambda: w.stage.quality.settle(), ("Y",), rooms=(Room.REPORT,)),
        Action("choose-topic", GO, "Choose topic…", "Show the topics and how far each one is",
               lambda w: w.chooser.choose_topic, ("Ctrl+T",), starts_group=True, anywhere=True),
        Action("next-topic", GO, "Next topic", "Go to the next topic",
               lambda w: partial(w.session.step_topic, 1), ("Ctrl+Alt+Down",)),
        Action("previous-topic", GO, "Previous topic", "Go to the topic before",
               lambda w: partial(w.session.step_topic, -1), ("Ctrl+Alt+Up",)),
        Action("next-passage", GO, "Next passage", "Go to the next marked passage",
               lambda w: partial(w.assess.step_passage, 1), ("]",), starts_group=True),
        Action("previous-passage", GO, "Previous passage", "Go to the marked passage before",
               lambda w: partial(w.assess.step_passage, -1), ("[",)),
        Action("next-drifted", GO, "Next mark that reads differently",
               "Go to the next mark of this document whose text is no longer what it was",
               lambda w: w.drifting.go_to_next, ("D",)),
        Action("same-sentence", GO, "Same sentence elsewhere", "To where that at the caret was judged, too",
               lambda w: w.stage.sentences.follow_caret, ("=",), rooms=(Room.ASSESS,)),
        Action("next-word", GO, "Next word", "Go to the next place of a word that you look for",
               lambda w: partial(w.word_help.words.step, 1), ("W",), rooms=(Room.ASSESS,)),
        Action("previous-word", GO, "Previous word", "Go to the place before of a word that you look for",
               lambda w: partial(w.word_help.words.step, -1), ("Shift+W",), rooms=(Room.ASSESS,)),
        Action("add-word", GO, "Look for a word…", "Colour a word, or what is selected, wherever it occurs",
               lambda w: w.word_help.ask, ("Alt+W",), rooms=(Room.ASSESS,)),
        Action("go-entry-point", GO, "Go to best entry point", "Show the best entry point",
               lambda w: w.assess.entry_points.go, ("G",)),
        *run_steps(),
        Action("focus-pool", GO, "To the document list", "Put the keyboard on the list of documents",
               lambda w: w.steps.focus_list, ("F6",), starts_group=True),
        Action("focus-article", GO, "To the article", "Put the keyboard on the article",
               lambda w: w.stage.take_keyboard, ("F7",)),
        Action("filter", GO, "Filter documents", "Show only documents whose title holds some text",
               lambda w: w.steps.filter, ("/",)),
    )  # fmt: skip


def _view() -> tuple[Action, ...]:
    return (
        Action("assess", VIEW, "Assess", "Judge: mark the relevant text of the pool's documents",
               lambda w: w.show_assess, ("Ctrl+1",), checkable=True, anywhere=True),
        adjudicate_mode(),
        Action("inspect", VIEW, "Inspect", "See a run over the judged text, and its scores",
               lambda w: w.show_inspect, ("Ctrl+2",), checkable=True, anywhere=True),
        Action("palette", VIEW, "Find a command or document…", "Type what you want to do or read",
               lambda w: w.chooser.open, ("Ctrl+K",), starts_group=True, anywhere=True),
        Action("reader", VIEW, "What a reader reads",
               "T2I: passages first, then the rest, until patience ends",
               lambda w: w.inspect.on_article.toggle_reading, ("R",), checkable=True, starts_group=True,
               rooms=(Room.INSPECT,)),
        Action("charts", VIEW, "Charts…", "Charts of the open runs, to read off and to save",
               lambda w: w.inspect.chart_opener.open, ("Ctrl+G",), rooms=INSPECTING),
        Action("zoom-in", VIEW, "Larger text", "Larger text in the article", lambda w: w.article.zoom_in,
               ("Ctrl++", "Ctrl+=")),
        Action("zoom-out", VIEW, "Smaller text", "Smaller text in the article", lambda w: w.article.zoom_out,
               ("Ctrl+-",)),
        Action("zoom-reset", VIEW, "Normal text size", "Text in the article as it was made",
               lambda w: w.article.zoom_reset, ("Ctrl+0",)),
        Action("outlines", VIEW, "Outline elements",
               "Outline and name the element under the mouse or the caret",
               lambda w: w.element_commands.toggle, ("O",), checkable=True, starts_group=True),
        Action("element-outward", VIEW, "Outline what holds it", "Go to the parent of the outlined element",
               lambda w: w.element_commands.go_outward, ("Alt+Up",)),
        Action("element-inward", VIEW, "Outline what it holds", "Go to a child of the outlined element",
               lambda w: w.element_commands.go_inward, ("Alt+Down",)),
        Action("element-next", VIEW, "Outline the next element",
               "Go to the next element with the same parent",
               lambda w: partial(w.element_commands.go_sideways, 1), ("Alt+Shift+Right",)),
        Action("element-previous", VIEW, "Outline the element before",
               "Go to the element before with the same parent",
               lambda w: partial(w.element_commands.go_sideways, -1), ("Alt+Shift+Left",)),
        Action("theme-system", VIEW, "Follow the desktop", "Light or dark as the desktop is",
               lambda w: partial(w.look.choose_theme, "system"), checkable=True, starts_group=True,
               anywhere=True),
        Action("theme-light", VIEW, "Light", "Dark text on light paper",
               lambda w: partial(w.look.choose_theme, "light"), checkable=True, anywhere=True),
        Action("theme-dark", VIEW, "Dark", "Light text on dark paper",
               lambda w: partial(w.look.choose_theme, "dark"), checkable=True, anywhere=True),
        Action("toggle-panels", VIEW, "Only the article", "Hide or show all that is around it",
               lambda w: w.text_alone.toggle, ("F9",), checkable=True, starts_group=True),
        Action("full-screen", VIEW, "Full screen", "Use the whole screen", lambda w: w.toggle_full_screen,
               ("F11",), checkable=True, anywhere=True),
    )  # fmt: skip


def _help() -> tuple[Action, ...]:
    return (
        Action("guide", HELP, "User guide", "The page of the guide about what one does here",
               lambda w: w.open_guide, ("F1",)),
        Action("keys", HELP, "Keys", "The main keys beside the text", lambda w: w.key_panel.toggle, ("?",)),
        Action("all-keys", HELP, "All keys…", "Every key here; each can be changed", lambda w: w.open_keys,
               ("Ctrl+F1",)),
        Action("settings", HELP, "Settings…", "Assessor, appearance, what finishing does",
               lambda w: w.look.open_preferences, ("Ctrl+,",)),
        Action("about", HELP, "About inexview", "Version, licence, where your files are",
               lambda w: partial(w.asked.emit, "about")),
    )  # fmt: skip


ACTIONS = (*_file(), *_edit(), *_judge(), *_go(), *_view(), *_help())
"""The rows of all menus, in order."""
