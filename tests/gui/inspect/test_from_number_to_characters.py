"""One number of the sample is followed with the mouse from the topics to its characters, against the core."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.evaluation.explain import explain
from inexview.core.judgements.runs import Task
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.core.text.spans import Spans
from inexview.gui.inspect.ranked_columns import RankedColumn
from inexview.gui.inspect.ranked_rows import RankedKey
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import shown_window

LEFT = Qt.MouseButton.LeftButton
TOPIC, DOCUMENT = "2026001", "2041"


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    path = create_sample_project(tmp_path / "olive.inexview")
    with shown_window(qapp, path) as made:
        made.resize(1440, 900)
        board = made.inspect.board
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        made.files.open_runs(sample_runs(path))
        qtbot.waitUntil(lambda: len(made.session.runs) == 2)
        made.set_mode(Mode.INSPECT)
        qtbot.waitUntil(lambda: len(board.figures.scores) == 2 and not board.stale)
        yield made


def click_cell(qtbot, table, row, column):
    place = table.visualRect(table.model().index(row, column)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)


def figure_place(window, row, key):
    """Return where a figure of the ranked list is."""
    view = window.inspect.ranked.view
    rect = view.visualRect(window.inspect.ranked.model.index(row))
    placed = view.itemDelegate().places(rect.toRectF(), window.inspect.ranked.font())
    column, left, right = next(one for one in placed.columns if key in (one[0].above, one[0].below))
    y = rect.top() + rect.height() * (0.25 if key is column.above else 0.75)
    return QPoint(round((left + right) / 2), round(y))


def test_from_a_mean_to_the_characters_that_made_it(window, qtbot):
    session, stage, board = window.session, window.inspect.stage, window.inspect.board
    panel, table = stage.derivation, stage.topics.table
    evaluated = evaluate(board.qrels, session.runs, task=Task.RELEVANT_IN_CONTEXT)

    # the mean of the run in the foreground
    column = 1
    run = board.by_key(stage.topics.model.sheet.columns[column - 1].key)
    scores = evaluated[session.runs.index(run)]
    x = table.header.sectionViewportPosition(column) + 10
    qtbot.mouseClick(table.header.viewport(), LEFT, pos=QPoint(x, table.header.height() - 8))
    assert panel.isVisible()
    derived = panel.model.derivation
    assert derived.measure == "MAgP"
    assert derived.value == scores.mean["MAgP"]
    assert [row.adds for row in derived.rows] == scores.per_topic("AgP").tolist()
    others = [
        value for topic, value in zip(scores.topics, scores.per_topic("AgP"), strict=True) if topic != TOPIC
    ]
    at = next(place for place, row in enumerate(derived.rows) if row.document == TOPIC)
    left = panel._explained.left_out("MAgP", derived.rows[at])
    assert left == pytest.approx(sum(others) / len(others) - scores.mean["MAgP"])

    # a value of the table: the topic opens, derived for that run
    row = stage.topics.model.row_of(TOPIC)
    click_cell(qtbot, table, row, column)
    qtbot.waitUntil(lambda: session.topic.id == TOPIC and session.run is run)
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.topic == TOPIC)
    derived = panel.model.derivation
    assert derived.value == scores.topic(TOPIC)["AgP"]
    assert panel.rows.horizontalHeader().length() <= panel.rows.viewport().width(), "it need not scroll"
    assert len(panel.model.figures(0)) == len(panel.model.columns) > 3
    assert sum(one.adds for one in derived.rows) == pytest.approx(derived.fraction.numerator)

    # a document that went into it
    at = panel.model.place_of(DOCUMENT)
    s_of_d = derived.rows[at].figures[1]
    click_cell(qtbot, panel.rows, at, 1)
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == DOCUMENT)
    ranked = window.inspect.ranked
    place = ranked.model.index_of(DOCUMENT).row()
    assert ranked.model.at(ranked.model.index(place)).score == pytest.approx(s_of_d, abs=1e-12)

    # its S(d), from the list
    assert RankedColumn.SCORE in ranked.wanted
    qtbot.mouseClick(ranked.view.viewport(), LEFT, pos=figure_place(window, place, RankedKey.SCORE))
    derived = panel.model.derivation
    assert derived.measure == "F(d)"
    assert derived.value == pytest.approx(s_of_d, abs=1e-12)
    judged = board.qrels.judgement(TOPIC, DOCUMENT).passages
    retrieved = Spans((one.start, one.end) for one in run.passages(TOPIC, DOCUMENT))
    told = explain(judged, retrieved, length=session.document.length)
    assert [(one.start, one.end) for one in derived.rows] == list(told.hits)
    assert derived.fraction.numerator == pytest.approx(told.f.numerator)
    assert derived.fraction.denominator == pytest.approx(told.f.denominator)

    # its characters
    click_cell(qtbot, panel.rows, 0, 1)
    start, end = next(iter(told.hits))
    assert window.article.flash.span == (start, end)
    assert window.article.caret == start
    title = panel.model.index(0, 1).data()
    assert title
    assert " ".join(session.document.text[start:end].split()).startswith(title[:20])


def test_each_figure_of_what_is_in_front_is_derived_by_a_click(window, qtbot):
    session, stage = window.session, window.inspect.stage
    panel, board, ranked = stage.derivation, window.inspect.board, window.inspect.ranked
    runs = window.inspect.runs.list.table
    row = next(at for at, one in enumerate(window.inspect.runs.list.model.rows) if one.name == session.run.id)
    click_cell(qtbot, runs, row, 2)
    assert panel.model.derivation.measure == window.inspect.runs.list.model.measures[1]
    qtbot.mouseClick(panel.close_button, LEFT)
    assert not panel.isVisible()
    stage.open_topic(TOPIC)
    qtbot.waitUntil(lambda: session.topic.id == TOPIC)
    session.open_document(DOCUMENT)
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == DOCUMENT)
    scores = board.scores(session.run).topic(TOPIC)

    for one in window.inspect.scores.rows.rows:
        qtbot.mouseClick(one, LEFT)
        assert panel.isVisible()
        assert panel.model.derivation.measure == one.measure.title
        assert panel.model.derivation.value == one.reading.value
        qtbot.mouseClick(panel.close_button, LEFT)

    cell = stage.picker.cell(session.runs.index(session.run)).center().toPoint()
    qtbot.mouseClick(stage.picker, LEFT, pos=cell)
    qtbot.waitUntil(lambda: panel.isVisible() and panel.model.derivation is not None)
    assert panel.model.derivation.value == scores["AgP"]
    qtbot.mouseClick(panel.close_button, LEFT)

    qtbot.waitUntil(lambda: ranked.model.costs.measure == "AgP")
    place = ranked.model.index_of(DOCUMENT).row()
    rank = ranked.model.at(ranked.model.index(place)).rank
    qtbot.mouseClick(ranked.view.viewport(), LEFT, pos=figure_place(window, place, RankedKey.SO_FAR))
    qtbot.waitUntil(
        lambda: panel.model.derivation is not None and panel.model.derivation.measure == f"gP[{rank}]"
    )
    assert panel.model.derivation.value == ranked.model.costs.so_far[DOCUMENT]
    qtbot.mouseClick(ranked.view.viewport(), LEFT, pos=figure_place(window, place, RankedKey.CHANGE))
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.measure == "AgP")
    assert panel.rows.currentIndex().row() == panel.model.place_of(DOCUMENT)
    left = panel._explained.left_out("AgP", panel.model.row(panel.rows.currentIndex().row()))
    assert left == ranked.model.costs.left_out[DOCUMENT]
