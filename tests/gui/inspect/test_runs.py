"""The table of runs: choosing and removing with mouse and keys, what it shows, and tasks of runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.measures.measure import PRESETS, parse, resolve
from inexview.core.open_runs.scoring import ScoringChoice, usual
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project
from inexview.gui.inspect.runs import RunRow, RunTable, write_whole
from inexview.gui.look.theme import DARK, LIGHT
from inexview.gui.look.widgets import derived
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import shown_window, wear

MEASURES = ("MAgP", "gP[5]", "gP[10]")
ROWS = (
    RunRow(
        key="a",
        name="LM-p100",
        style=0,
        figures={"MAgP": 0.18743, "gP[5]": 0.3122, "gP[10]": 0.2715},
        covered=68,
        judged=68,
        difference=0.0172,
        mark="(†)",
    ),
    RunRow(key="b", name="BM25-sec", style=1, figures={"MAgP": 0.1702}, covered=66, judged=68, baseline=True),
    RunRow(key="c", name="MM-0.1", style=2, told=lambda: "/runs/mm.txt"),
)


@pytest.fixture
def runs(qtbot):
    made = RunTable()
    qtbot.addWidget(made)
    made.show_runs(ROWS, MEASURES)
    made.resize(480, 280)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def told(runs):
    said = []
    for signal in (runs.chosen, runs.removed, runs.baselined):
        signal.connect(said.append)
    return said


def click(qtbot, runs, row, column=0):
    place = runs.visualRect(runs.model().index(row, column)).center()
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_click_chooses_a_run_and_the_arrow_keys_the_next(qtbot, runs, told):
    click(qtbot, runs, 1, column=2)
    qtbot.keyClick(runs, Qt.Key.Key_Down)
    assert told == ["b", "c"]
    assert runs.current_key == "c"


def test_more_columns_and_rows_are_shown_at_once_whatever_was_there(qtbot, runs):
    many = [replace(ROWS[0], key=f"{at}", name=f"run {at}") for at in range(40)]
    runs.resize(480, 200)
    for rows, measures in ((ROWS[:1], ()), ((), ()), (ROWS, MEASURES[:1]), (many, (*MEASURES, "gP[25]"))):
        runs.show_runs(rows, measures)
        runs.set_current(many[-1].key)
        runs.resize(runs.width() + 1, runs.height())  # an error there fails the test
        QApplication.sendPostedEvents()
    assert runs.model().headings == ("run", *MEASURES, "gP[25]", "vs base")


def test_columns_that_say_nothing_are_not_there(runs):
    complete = [replace(row, covered=68, judged=68, difference=None) for row in ROWS]
    runs.show_runs(complete, MEASURES)
    assert runs.model().headings == ("run", *MEASURES)
    runs.show_runs([replace(complete[0], difference=0.1), *complete[1:]], MEASURES)
    assert runs.model().headings == ("run", *MEASURES, "vs base")
    runs.show_runs([replace(complete[0], covered=66), *complete[1:]], MEASURES)
    assert runs.model().headings == ("run", *MEASURES, "topics")


def test_choices_by_the_program_are_not_signalled(runs, told):
    runs.set_current("b")
    assert runs.current_key == "b"
    runs.set_current(None)
    assert runs.current_key is None
    assert told == []


def test_delete_removes_the_current_run_and_nothing_where_there_is_none(qtbot, runs, told):
    qtbot.keyClick(runs, Qt.Key.Key_Delete)
    runs.set_current("b")
    qtbot.keyClick(runs, Qt.Key.Key_Delete)
    assert told == ["b"]


def test_the_context_menu_removes_the_run_under_the_mouse(qtbot, runs, told):
    place = runs.visualRect(runs.model().index(2, 0)).center()
    viewport = runs.viewport()
    QApplication.sendEvent(
        viewport,
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place)),
    )
    menu = runs.findChild(QMenu)
    qtbot.waitUntil(menu.isVisible)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[0]).center())
    assert told == ["c"]


def test_the_current_run_stays_current_when_another_is_loaded(runs, told):
    runs.set_current("b")
    runs.show_runs((*ROWS, RunRow(key="d", name="New", style=3)), MEASURES)
    assert runs.current_key == "b"
    assert told == []


def test_figures_have_four_decimals_and_missing_ones_a_dash(runs):
    shown = [[runs.model().index(row, column).data() for column in range(6)] for row in range(3)]
    assert shown == [
        ["LM-p100", "0.1874", "0.3122", "0.2715", "68", "+0.0172(†)"],
        ["BM25-sec", "0.1702", "–", "–", "66/68", "baseline"],
        ["MM-0.1", "–", "–", "–", "–", "–"],
    ]


def test_a_screen_reader_hears_the_shape_and_the_measure(runs):
    role = Qt.ItemDataRole.AccessibleTextRole
    assert runs.model().index(1, 0).data(role) == "BM25-sec, shown as triangle"
    assert runs.model().index(0, 1).data(role) == "MAgP 0.1874"


def test_a_line_under_the_names_makes_the_rows_higher(runs):
    high = runs.rowHeight(0)
    runs.show_runs(
        (*ROWS[:2], RunRow(key="c", name="MM-0.1", style=2, said="results overlap, line 3")), MEASURES
    )
    assert runs.rowHeight(0) > high


def test_a_name_without_a_line_under_it_is_level_with_its_figures(runs, monkeypatch):
    runs.show_runs((*ROWS[:2], replace(ROWS[2], said="no task declared")), MEASURES)
    levels = {}

    def note(painter, room, text, font, *rest, **more):
        levels[text] = QRectF(room).center().y()

    monkeypatch.setattr("inexview.gui.inspect.runs.write", note)
    runs.grab()
    middle = [runs.rowViewportPosition(row) + runs.rowHeight(row) / 2 for row in range(3)]
    assert levels["BM25-sec"] == pytest.approx(middle[1], abs=1.5)
    assert levels["MM-0.1"] < middle[2] - 4


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_it_round(qtbot, runs, told):
    def names():
        return [row.key for row in runs.model().rows]

    def click_heading(column):
        header = runs.header
        x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, header.height() // 2))

    runs.set_current("b")
    assert names() == ["a", "b", "c"]
    click_heading(1)
    assert names() == ["b", "a", "c"]  # runs without the figure stay last
    click_heading(4)
    assert names() == ["a", "b", "c"]
    click_heading(0)
    assert names() == ["c", "a", "b"]
    assert runs.current_key == "b"
    assert told == []


def test_shift_and_a_click_make_a_run_the_baseline(qtbot, runs, told):
    place = runs.visualRect(runs.model().index(0, 0)).center()
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, shift, place)
    assert told == ["a"]


def test_each_run_is_painted_in_its_own_colour(runs):
    for theme in (LIGHT, DARK):
        wear(theme)
        picture = runs.viewport().grab().toImage()
        scale = picture.devicePixelRatio()
        for row in ROWS:
            place = runs.visualRect(runs.model().index(row.style, 0))
            shape = (place.left() + 14 + 5) * scale, (place.center().y() + 1) * scale
            assert picture.pixelColor(*map(int, shape)).name() == theme.runs[row.style]


def test_the_best_run_is_in_sight_again_when_the_list_gets_its_room(qtbot, runs):
    many = [
        replace(ROWS[0], key=f"{at}", name=f"run {at}", figures={"MAgP": 1 / (at + 1)}) for at in range(9)
    ]
    runs.resize(480, 130)
    runs.show_runs(many, MEASURES[:1])
    runs.set_current("6")
    best = runs.model().index(0, 0)
    qtbot.waitUntil(lambda: runs.visualRect(best).top() < 0)
    runs.resize(480, 700)
    qtbot.waitUntil(lambda: runs.visualRect(best).top() == 0)


def test_other_measures_give_way_to_names(qtbot, runs):
    name = "LIA-relevance-feedback-ten"
    runs.show_runs([replace(ROWS[0], name=name), *ROWS[1:]], (*MEASURES, "gP[25]"))
    headings = runs.model().headings
    wide = QFontMetrics(derived(runs.font(), bold=True)).horizontalAdvance(name)
    runs.resize(420, 280)
    qtbot.waitUntil(lambda: runs.columnWidth(0) >= wide)
    shown = [name for at, name in enumerate(headings) if not runs.isColumnHidden(at)]
    assert shown == ["run", MEASURES[0], "topics", "vs base"]
    runs.resize(370, 280)
    qtbot.waitUntil(lambda: runs.isColumnHidden(headings.index("topics")))
    assert runs.columnWidth(0) >= wide
    runs.resize(1000, 280)
    qtbot.waitUntil(lambda: not any(runs.isColumnHidden(at) for at in range(len(headings))))


@pytest.mark.parametrize("room", [90, 140, 600])
def test_of_an_error_words_are_cut_and_never_its_line(qtbot, room):
    picture, font = QPixmap(room, 30), QFont("Inter", 9)
    for text, end in (
        ("results of one document lie apart, line 120,433", ", line 120,433"),
        ("no task declared", ""),
    ):
        written = []

        class Told(QPainter):
            def drawText(self, *given, written=written):
                written.append(given[-1])

        painter = Told(picture)
        write_whole(painter, QRectF(0, 0, room, 20), text, font, QColor("black"))
        painter.end()
        assert "".join(written).endswith(end)
        assert (
            sum(QFontMetricsF(font).horizontalAdvance(one) for one in written)
            <= max(room, QFontMetricsF(font).horizontalAdvance(end)) + 1
        )


# What the runs panel says of tasks: those that are not known, and what each task is scored with.

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
    return {row.name: row for row in window.inspect.runs.table.model().rows}


def test_a_run_of_an_unknown_task_says_so_and_shows_no_figure(window):
    shown = rows(window)
    assert set(shown) == {"Focused", "XYZ"}
    assert shown["Focused"].figures
    assert shown["XYZ"].said == "task XYZ is not known"
    assert not shown["XYZ"].figures
    for task in Task:
        assert task.value in shown["XYZ"].told()


@pytest.mark.parametrize("task", [Task.FOCUSED, Task.BEST_IN_CONTEXT, Task.RELEVANT_IN_CONTEXT])
def test_the_document_score_is_shown_only_for_tasks_that_use_it(window, qtbot, task):
    board = window.inspect.board
    board.choose(ScoringChoice(task=task, preset="inex2010"))
    qtbot.waitUntil(lambda: board.figures.task is task and not board.stale)
    reads = task is Task.RELEVANT_IN_CONTEXT
    scored = next(scores for scores in board.figures.scores.values())
    assert ("T2I" in scored.parameters.said_for(task)) is reads
    assert ("T2I" in rows(window)["Focused"].told()) is reads
    offered = [action.text() for action in window.inspect.runs.bar.preset.choices.actions()]
    assert any("T2I" in text for text in offered) is reads


def test_without_a_run_it_says_so_and_offers_to_open_one(monkeypatch, window, qtbot):
    runs, asked = window.inspect.runs, []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *given: asked.append(given) or ([], ""))
    for run in window.session.runs:
        window.session.close_run(run)
    qtbot.waitUntil(lambda: not runs.table.isVisible())
    assert "No run is open" in runs.empty.text()
    qtbot.mouseClick(runs.add, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert len(asked) == 1


def test_the_measure_that_decides_is_shown_where_topics_were_hidden_before(window):
    table = window.inspect.runs.table
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


def test_work_continues_by_keyboard_after_choosing_the_task(qapp, qtbot, tmp_path):
    path = create_sample_project(tmp_path / "olive.inexview")
    for name in ("alpha", "beta"):
        (tmp_path / f"{name}.txt").write_text(f"2026001 Q0 2041 1 1 {name} 7 23\n")
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.preparation.ready and window.session.document is not None)
        window.files.open_runs([tmp_path / "alpha.txt", tmp_path / "beta.txt"])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        window.set_mode(Mode.INSPECT)
        stage, runs = window.inspect, window.inspect.runs
        qtbot.waitUntil(runs.ask.isVisible)
        assert not runs.complete.isVisible(), "there is no mean yet"
        focused = next(one for one in runs.ask.findChildren(QPushButton) if one.text() == "Focused")
        qtbot.mouseClick(focused, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(stage.topics.table.hasFocus)
        assert runs.complete.isVisible()
        runs.table.setFocus()
        qtbot.keyClick(runs.table, Qt.Key.Key_Return)
        assert not stage.over_topics, "Enter opens the topic, also from the list of runs"
