"""What the runs panel says of tasks: those that are not known, and what each task is scored with."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.measures.measure import parse, resolve
from inexview.core.measures.presets import PRESETS
from inexview.core.open_runs.scoring import ScoringChoice, usual
from inexview.core.project.exchange.import_judgements import create_sample_project
from inexview.core.project.project import Project
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import shown_window

SUBMISSION = """<inex-submission participant-id="1" run-id="{task}" task="{task}">
<topic topic-id="1"><result><file>d</file><path>/article[1]/p[1]</path><rank>1</rank></result></topic>
</inex-submission>"""


@pytest.fixture
def window(qapp, qtbot: QtBot, tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    (articles / "d.xml").write_text("<article><p>A lamp burns oil.</p><p>It is empty.</p></article>")
    path = tmp_path / "lamps.inexview"
    with Project.create(path, collection=articles, topics=[Topic("1", "lamps")], assessor="ada") as project:
        project.mark("1", "d", 2, 6)
        project.set_bep("1", "d", 2)
        project.finish("1", "d")
    for task in ("Focused", "XYZ"):
        (tmp_path / f"{task}.xml").write_text(SUBMISSION.format(task=task))
    with shown_window(qapp, path) as made:
        made.files.open_runs([tmp_path / "Focused.xml", tmp_path / "XYZ.xml"])
        qtbot.waitUntil(lambda: len(made.session.runs) == 2)
        made.set_mode(Mode.INSPECT)
        settle(made, qtbot)
        yield made


def settle(window, qtbot):
    board = window.inspect.board
    qtbot.waitUntil(lambda: bool(board.figures.scores) and not board.stale)


def rows(window):
    return {row.name: row for row in window.inspect.runs.list.model.rows}


def test_a_run_of_an_unknown_task_says_so_and_shows_no_figure(window):
    shown = rows(window)
    assert set(shown) == {"Focused", "XYZ"}
    assert shown["Focused"].figures
    assert shown["XYZ"].said == "task XYZ is not known"
    assert not shown["XYZ"].figures
    for task in Task:
        assert task.value in shown["XYZ"].told()


@pytest.mark.parametrize("task", [Task.FOCUSED, Task.BEST_IN_CONTEXT, Task.RELEVANT_IN_CONTEXT])
def test_how_documents_are_read_is_said_only_where_the_task_reads_them(window, qtbot, task):
    board = window.inspect.board
    board.choose(ScoringChoice(task=task, preset="inex2010"))
    qtbot.waitUntil(lambda: board.figures.task is task and not board.stale)
    reads = task is Task.RELEVANT_IN_CONTEXT
    scored = next(scores for scores in board.figures.scores.values())
    assert ("T2I" in scored.parameters.said_for(task)) is reads
    assert ("T2I" in rows(window)["Focused"].told()) is reads
    offered = [action.text() for action in window.inspect.runs.bar.preset.choices.actions()]
    assert any("T2I" in text for text in offered) is reads


def test_the_measure_that_decides_is_shown_where_topics_were_hidden_before(window):
    table = window.inspect.runs.list.table
    assert table.model().headings[1] == window.inspect.board.figures.deciding
    table.setColumnHidden(1, True)  # topics are there before a task is known, and give way in a narrow list
    table.fit()
    assert not table.isColumnHidden(1)


@pytest.mark.parametrize(
    ("preset", "task"), [(name, task) for name, preset in PRESETS.items() for task in preset.tasks]
)
def test_the_measure_that_decides_is_the_one_by_which_the_command_line_compares(preset, task):
    reported = PRESETS[preset].tasks[task]
    record, wanted = resolve(parse(reported.main), reported.families)
    assert usual(reported)[0] == record.label(wanted.cutoff, mean=True)


def test_who_answers_which_task_it_is_goes_on_by_keyboard(qapp, qtbot, tmp_path):
    path = create_sample_project(tmp_path / "olive.inexview")
    for name in ("alpha", "beta"):
        (tmp_path / f"{name}.txt").write_text(f"2026001 Q0 2041 1 1 {name} 7 23\n")
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.preparation.ready and window.session.document is not None)
        window.files.open_runs([tmp_path / "alpha.txt", tmp_path / "beta.txt"])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        window.set_mode(Mode.INSPECT)
        stage, runs = window.inspect.stage, window.inspect.runs.list
        qtbot.waitUntil(runs.ask.isVisible)
        focused = next(one for one in runs.ask.findChildren(QPushButton) if one.text() == "Focused")
        qtbot.mouseClick(focused, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(stage.topics.table.hasFocus)
        runs.table.setFocus()
        qtbot.keyClick(runs.table, Qt.Key.Key_Return)
        assert not stage.over_topics, "Enter opens the topic, also from the list of runs"
