"""All topics under runs of chunks: the two ways of comparing, what is said of them, and the budgets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview.core.evaluation.chunkers import BUDGETS, MEASURES, Same
from inexview.core.evaluation.comparison import compare
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.open_runs.scoring import ScoringChoice
from inexview.core.project.contents import ChosenParameters
from inexview.core.report import difference_text
from tests.gui.inspect.questions import QRELS, RUNS, inspected, run_of


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with inspected(qapp, qtbot, tmp_path, [run_of(*run) for run in RUNS.items()], by=None) as made:
        made.session.select_run(made.session.runs[0])
        made.inspect.show_level(over_topics=True)
        qtbot.waitUntil(lambda: made.inspect.board.choice.reading.by is Same.CHARACTERS)
        settled(made, qtbot)
        yield made


def settled(window, qtbot):
    board = window.inspect.board
    qtbot.waitUntil(lambda: not board.stale and window.inspect.chunkers.found is not None)


def means_of(measure):
    scores = evaluate(QRELS, [run_of(*run) for run in RUNS.items()], preset="chunks", measures=[measure])
    return {one.id: one.mean_of(measure) for one in scores}


def shown_means(window):
    board = window.inspect.board
    return {run.id: board.figures.of(run)[board.figures.deciding] for run in board.runs}


def test_runs_that_read_unlike_amounts_are_compared_at_the_same_characters(window):
    switch = window.inspect.topics.switch
    assert switch.why.text() == "Set so because at k = 5 they read 900 and 400 characters."
    assert [way.text() for way in switch.ways.values()] == ["same k 5", "same characters 2,000"]
    assert switch.ways[Same.CHARACTERS].isChecked()
    assert shown_means(window) == pytest.approx(means_of("char_rec(budget=2000)"))
    assert window.inspect.runs.bar.chunks.text().startswith("2,000 characters")


def test_the_key_changes_over_and_the_line_warns(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: window.inspect.board.choice.reading.same is Same.K)
    settled(window, qtbot)
    switch = window.inspect.topics.switch
    qtbot.waitUntil(lambda: switch.why.property("role") == "warning")
    assert switch.why.text() == "At k = 5 they read 900 and 400 characters."
    assert shown_means(window) == pytest.approx(means_of("char_rec@5"))
    QTest.mouseClick(switch.ways[Same.CHARACTERS], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.inspect.board.choice.reading.same is Same.CHARACTERS)
    for _ in range(9):  # held
        QTest.keyClick(window, Qt.Key.Key_C)
    settled(window, qtbot)
    assert window.inspect.board.choice.reading.same is Same.K


def test_both_comparisons_agree_with_the_command_line(window, qtbot):
    panel = window.inspect.pair.chunkers
    qtbot.waitUntil(lambda: "do not differ significantly" in panel.verdict.text())
    assert "at k = 5 they read 400 and 900 characters" in panel.verdict.text()  # the better one first
    assert window.inspect.pair.chart.isHidden()
    series = {one.name: one.y[-1] for one in panel.chart.chart.series}
    assert series == pytest.approx(means_of("char_rec"))  # all that each of them retrieves


def test_a_budget_is_chosen_by_a_click(window, qtbot):
    panel = window.inspect.pair.chunkers
    qtbot.waitUntil(lambda: panel.budget_shown(0) is not None)
    listed = [panel.budget_shown(row).characters for row in range(len(BUDGETS))]
    assert listed == list(BUDGETS)
    of_500 = compare(
        list(evaluate(QRELS, [run_of(*run) for run in RUNS.items()], preset="chunks",
                      measures=["char_rec(budget=500)"])),
        "char_rec(budget=500)",
    )  # fmt: skip
    assert panel.budget_shown(0).means == pytest.approx(of_500.means.tolist())
    QTest.mouseClick(panel.budget_button(0), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.inspect.board.choice.reading.characters == 500)
    settled(window, qtbot)
    assert window.inspect.topics.switch.ways[Same.CHARACTERS].text() == "same characters 500"


def test_the_other_run_in_front_turns_the_pair(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: window.inspect.board.current.id == "small")
    settled(window, qtbot)
    qtbot.waitUntil(lambda: "400 and 900" in window.inspect.topics.switch.why.text())


def test_choices_are_stored(window):
    choice = window.inspect.board.choice
    again = ScoringChoice.from_kept(choice.kept(), ChosenParameters())
    assert again.reading == choice.reading
    assert ScoringChoice.from_kept({"same": "?", "k": "x"}, ChosenParameters()).reading.by is None


def test_one_run_is_compared_with_nothing(qapp, qtbot, tmp_path):
    with inspected(qapp, qtbot, tmp_path, [run_of("large", RUNS["large"])], by=None) as window:
        window.inspect.show_level(over_topics=True)
        assert window.inspect.topics.switch.isHidden()
        assert window.inspect.pair.chunkers.isHidden()
        QTest.keyClick(window, Qt.Key.Key_C)
        assert window.inspect.board.choice.reading.by is None


def test_what_both_read_and_every_measure_stand_below_the_runs(window, qtbot):
    tables = window.inspect.both_ways
    qtbot.waitUntil(lambda: tables.isVisible())
    first, second = (run_of(*run) for run in RUNS.items())
    assert tables.read.texts(0) == ["characters read", "900", "400"]
    for row, name in enumerate(MEASURES):
        wanted = [
            compare(list(evaluate(QRELS, [first, second], preset="chunks", measures=[measure])), measure)
            .difference(0, 1)
            .mean
            for measure in (f"{name}@5", f"{name}(budget=2000)")
        ]
        texts = tables.measures.texts(row)
        assert texts[0] == name
        assert [text.rstrip("†") for text in texts[1:]] == [difference_text(one, 4) for one in wanted]
    window.inspect.show_level(over_topics=False)
    assert not tables.isVisible()
