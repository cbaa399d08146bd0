"""One number of the sample is followed with the mouse from the topics to its characters, against the core."""

import math
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.evaluation.explain import CostKind, costliest_parts, explain
from inexview.core.evaluation.run_derivations import name_of_point
from inexview.core.evaluation.scores import CurveKind
from inexview.core.evaluation.variants import Fault, RankingFault, effects_of_faults, ranking_of
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import parse
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.core.text.spans import Spans
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.inspect.derivation import COMPUTING
from inexview.gui.inspect.ranked_table import RankedColumn, RankedKey
from inexview.gui.inspect.run_scoring import FigureAsked, FigureLevel, FigureOf
from inexview.gui.look.theme import RelevanceState
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drag, place, shown_window, text_area

LEFT = Qt.MouseButton.LeftButton
TOPIC, DOCUMENT = "2026001", "2041"


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    path = create_sample_project(tmp_path / "olive.inexview")
    with shown_window(qapp, path) as made:
        made.resize(1440, 900)
        board = made.inspect.board
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        made.files.open_runs(sample_runs(path)[:2])
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
    session, stage, board = window.session, window.inspect, window.inspect.board
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
    left = derived.change(derived.rows[at])
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


def test_each_figure_of_the_current_run_is_derived_by_a_click(window, qtbot):
    session, stage = window.session, window.inspect
    panel, board, ranked = stage.derivation, window.inspect.board, window.inspect.ranked
    runs = window.inspect.runs.table
    row = next(
        at for at, one in enumerate(window.inspect.runs.table.model().rows) if one.name == session.run.id
    )
    click_cell(qtbot, runs, row, 2)
    assert panel.model.derivation.measure == window.inspect.runs.table.model().measures[1]
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
        for row in panel.model.rows:  # an entry point is named by the words that follow it
            assert panel._title(row)[:12] in " ".join(session.document.text[row.start :].split())
        qtbot.mouseClick(panel.close_button, LEFT)
    qtbot.mouseClick(window.inspect.scores.rows.rows[0], LEFT)
    for one, beside in zip(window.inspect.scores.rows.rows, panel.bars.rows, strict=True):
        qtbot.mouseClick(beside, LEFT)  # the scores stay in sight, and the next is one click away
        assert beside.reading == one.reading
        assert panel.model.derivation.measure == one.measure.title
    window.resize(window.width(), 600)
    assert not panel.bars.isVisible()
    window.resize(window.width(), 900)
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
    left = panel.model.derivation.change(panel.model.rows[panel.rows.currentIndex().row()])
    assert left == ranked.model.costs.left_out[DOCUMENT]
    whole = evaluate(board.qrels, session.runs, task=board.task)[session.runs.index(session.run)]
    others = sum(
        value for one, value in zip(whole.topics, whole.per_topic("AgP"), strict=True) if one != TOPIC
    )
    mean = (others + scores["AgP"] + left) / len(whole.topics)
    assert panel.given.text().splitlines()[-1] == (
        f"Left out, AgP would be {scores['AgP'] + left:.4f}, MAgP {mean:.4f}."
    )


def test_figures_of_the_pair_are_derived_by_a_click_y_and_the_menu(window, qtbot):
    session, stage, board = window.session, window.inspect, window.inspect.board
    panel, pair, table = stage.derivation, stage.pair, stage.topics.table
    qtbot.waitUntil(lambda: board.pairs.differences()[board.current].tested)
    found = board.pairs.differences()[board.current]
    low, _ = found.interval

    def derived(measure, value):
        assert panel.isVisible()
        assert panel.model.derivation.measure == measure
        assert panel.model.derivation.value == pytest.approx(value, abs=1e-12)
        closed = panel.model.derivation
        qtbot.mouseClick(panel.close_button, LEFT)
        assert pair.isVisible()
        return closed

    qtbot.mouseClick(pair.facts["Δ mean"], LEFT)
    rows = derived("Δ MAgP", found.mean).rows
    assert sum(row.adds for row in rows) / len(rows) == pytest.approx(found.mean)
    qtbot.mouseClick(pair.facts["p"], LEFT)
    derived("p", found.pair.p)
    qtbot.mouseClick(pair.facts["95 % CI"], LEFT)
    derived("95 % from", low)
    qtbot.mouseClick(stage.topics.outcome, LEFT)
    one, other = (board.scores(run) for run in (board.current, board.baseline))
    derived("better", sum(one.topic(topic)["AgP"] > other.topic(topic)["AgP"] for topic in found.topics))
    middle = QPoint(pair.chart.width() // 3, pair.chart.height() // 2)
    qtbot.mouseMove(pair.chart, middle)
    scores = board.scores(board.current)
    at = round(pair.chart.read_at * (len(scores.levels) - 1))
    level = float(scores.levels[at])
    qtbot.mouseClick(pair.chart, LEFT, pos=middle)
    derived(name_of_point(scores, CurveKind.INTERPOLATED, at, level), scores.mean_curve[at])
    x = table.header.sectionViewportPosition(3) + 20
    qtbot.mouseClick(table.header.viewport(), LEFT, pos=QPoint(x, table.header.height() - 8))
    derived("Δ MAgP", found.mean)
    runs = window.inspect.runs.table
    current = next(at for at, row in enumerate(runs.model().rows) if row.name == session.run.id)
    assert runs.model().headings[3:] == ("vs base",), "both have all topics"
    click_cell(qtbot, runs, current, 3)
    derived("Δ MAgP", found.mean)

    # Y derives what the mouse is on, also of a run that is not in front
    behind = runs.visualRect(runs.model().index(1 - current, 1)).center()
    qtbot.mouseMove(runs.viewport(), behind)
    QTest.keyClick(table, Qt.Key.Key_Y)
    other = board.scores(board.current)
    assert other.id == runs.model().rows[1 - current].name
    derived("MAgP", other.mean["MAgP"])
    board.swap()
    QApplication.sendEvent(runs.viewport(), QEvent(QEvent.Type.Leave))

    # without the topic that differs most
    topic = found.topics[found.largest(1)[0]]
    rest = board.pairs.without(topic, board.current, board.baseline)
    for cell, measure, value in ((1, "Δ MAgP", rest.mean), (2, "p", rest.pair.p)):
        qtbot.mouseClick(pair._cells[0][cell], LEFT)
        assert panel.note.text() == f"Without topic {topic}."
        assert topic not in [row.document for row in panel.model.rows]
        derived(measure, value)
    qtbot.mouseClick(pair.verdict, LEFT)
    derived("p (corrected)", found.pair.p_corrected)
    heading = QPoint(table.header.sectionViewportPosition(0) + 20, table.header.height() - 8)
    qtbot.mouseClick(table.header.viewport(), LEFT, pos=heading)
    derived("topics", len(found.topics))

    # the menu of a difference in the table, then its documents
    at = table.visualRect(table.model().index(table.model().row_of(TOPIC), 3)).center()
    point = table.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, point)
    QApplication.sendEvent(table.viewport(), event)
    menu = next(one for one in table.findChildren(QMenu) if one.isVisible())
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.topic == TOPIC)
    assert session.topic.id == TOPIC
    values = [board.scores(run).topic(TOPIC)["AgP"] for run in (board.current, board.baseline)]
    assert panel.model.derivation.value == pytest.approx(values[0] - values[1])
    one = next(row for row in panel.model.derivation.rows if row.document == DOCUMENT)
    without = panel.model.derivation.change(one)
    assert not math.isnan(without)

    # alone it differs from nothing
    session.close_run(board.baseline)
    stage.derive(FigureAsked(FigureLevel.TOPIC, of=FigureOf.LEAD))
    assert panel.model.derivation is None
    assert panel.note.text() == "This topic has no figure for this run."
    assert panel.note.isVisible()


def test_precision_over_the_ranks_is_drawn_and_leads_to_a_document(window, qtbot):
    session, panel = window.session, window.inspect.derivation
    window.inspect.open_topic(TOPIC)
    session.open_document("1107")
    qtbot.waitUntil(lambda: session.document_id == "1107")
    window.book["derive"].trigger()
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.curve.isVisible())
    rows, curve = panel.model.rows, panel.curve
    at = panel.model.columns.index("gP[r]")
    heights = [curve.place(row).y() for row in range(len(rows))]
    by_precision = sorted(range(len(rows)), key=lambda row: -rows[row].figures[at])
    assert [heights[row] for row in by_precision] == sorted(heights)  # the highest is uppermost
    adds = [row for row in range(len(rows)) if rows[row].adds and rows[row].document != "1107"]
    assert f"gP[r] {rows[adds[0]].figures[at]:.4f}" in curve.text_of(adds[0])
    qtbot.mouseClick(curve, LEFT, pos=curve.place(adds[0]).toPoint())
    qtbot.waitUntil(lambda: session.document_id == rows[adds[0]].document)

    # under another run nothing of the one before is told while its own is computed
    session.select_run(window.inspect.board.baseline)
    assert (panel.title.full_text, panel.model.derivation) == (COMPUTING, None)
    qtbot.waitUntil(lambda: panel.model.derivation is not None)

    panel.open(FigureAsked(FigureLevel.DOCUMENT, "F(d)"))
    qtbot.waitUntil(lambda: panel.title.full_text.startswith("F(d)"))
    assert not curve.isVisible()


def test_a_miss_shows_its_cost_for_document_and_topic(window, qtbot):
    session, board = window.session, window.inspect.board
    window.inspect.open_topic(TOPIC)
    qtbot.waitUntil(lambda: session.topic.id == TOPIC)
    session.open_document("1107")
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "1107")
    listed = window.inspect.scores.costs
    qtbot.waitUntil(lambda: listed.heading.text() == "AgP")
    run, settings = session.run, board.choice.settings(Task.RELEVANT_IN_CONTEXT)
    costs = [line.cost for line in listed.model.rows]
    faults = [RankingFault("1107", cost.fault, cost.start, cost.end) for cost in costs]
    effects = effects_of_faults(board.qrels, ranking_of(run, TOPIC), settings, faults)
    names, values = effects.names, effects.right
    before = board.scores(run).topic(TOPIC)["AgP"]
    gains = (values[names.index("AgP")] - before).tolist()
    assert [line.gain for line in listed.model.rows] == pytest.approx(gains)
    assert max(gains) > 0
    missed = next(cost for cost in window.inspect.on_article.costs.gains if cost.fault is Fault.MISSED)
    viewport = text_area(window.article).viewport()
    at = place(window.article, missed.start + 1)
    QTest.mouseMove(viewport, at)
    QTest.mouseMove(viewport, at + QPoint(2, 0))
    told = window.article.strip.readout.full_text.split("  ·  ")
    assert told[:2] == ["missed", f"{missed.start}:{missed.end - missed.start}"]
    assert told[2] == f"{-missed.loss:+.4f} F(d)".replace("-", "−")
    gain = window.inspect.on_article.costs.gains[missed]
    assert told[3] == f"{-gain:+.4f} AgP".replace("-", "−")
    assert told[4] in ("retrieved by 0 of 1 others", "retrieved by 1 of 1 others")


def test_a_cost_has_its_number_in_the_margin_and_leads_there_and_back(window, qtbot):
    session, listed, margin = window.session, window.inspect.scores.costs, window.article.margin
    window.inspect.open_topic(TOPIC)
    session.open_document("1107")
    qtbot.waitUntil(lambda: session.document_id == "1107" and bool(listed.model.rows))
    numbers = sorted(sign.about.number for sign in margin.signs())
    assert set(numbers) <= {line.number for line in listed.model.rows}

    third = listed.model.rows[2].cost
    qtbot.mouseClick(listed.view.viewport(), LEFT, pos=listed.view.visualRect(listed.model.index(2)).center())
    qtbot.waitUntil(lambda: any(sign.about.current for sign in margin.signs()))
    (sign,) = (sign for sign in margin.signs() if sign.about.current)
    assert sign.about.number == 3
    assert third.start <= sign.span[0] < third.end
    assert not session.document.text[sign.span[0]].isspace()
    assert margin.rect().contains(sign.place.toAlignedRect())

    window.article.reveal(listed.model.rows[0].cost.start)
    other = next(one for one in margin.signs() if one.about.number != 3)
    wanted = []
    listed.wanted.connect(wanted.append)
    qtbot.mouseClick(margin, LEFT, pos=other.place.center().toPoint())
    cost = listed.model.rows[other.about.number - 1].cost
    assert [(one.start, one.end) for one in wanted] == [(cost.start, cost.end)]

    begin = other.span[0]  # two that begin alike are side by side
    margin.set_numbers((NumberedPlace(1, (begin, begin + 5), ""), NumberedPlace(2, (begin, begin + 9), "")))
    first, second = (one.place for one in margin.signs())
    assert first.top() == second.top()
    assert first.right() < second.left() < second.right() <= margin.width()

    window.set_mode(Mode.ASSESS)
    assert not margin.signs()


def test_what_if_derives_before_after_and_change(window, qtbot):
    session, stage = window.session, window.inspect
    panel, scratch, scratch_copies = (
        stage.derivation,
        window.inspect.scratch_panel,
        window.inspect.scratch_copies,
    )
    stage.open_topic(TOPIC)
    qtbot.waitUntil(lambda: session.topic.id == TOPIC)
    session.open_document("1107")
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "1107")
    window.book["what-if"].trigger()
    missed = session.state.marks - window.inspect.ranking.here().passages
    start, end = next(iter(missed))
    scratch_copies.stroke(Stroke(Tool.MARK, start, end))
    figures = scratch_copies.figures(scratch_copies.copy.scratch)
    grids = (scratch.document, figures.document), (scratch.topic, figures.topic), (scratch.run, figures.run)
    for grid, shown in grids:
        one = next(each for each in shown if each.before != each.after)
        row = next(cells for cells in grid.rows if cells[0].text() == one.name)
        for cell, value in zip(row[1:], (one.before, one.after, one.after - one.before), strict=True):
            qtbot.mouseClick(cell, LEFT)
            assert panel.isVisible()
            qtbot.waitUntil(lambda: panel.model.derivation is not None)
            assert panel.model.derivation.value == pytest.approx(value, abs=1e-12)
            qtbot.mouseClick(panel.close_button, LEFT)
            assert scratch.isVisible()
    rank = scratch.run.rows[len(figures.run)]
    qtbot.mouseClick(rank[2], LEFT)
    assert panel.model.derivation.value == figures.place[1]
    qtbot.mouseClick(panel.close_button, LEFT)
    line = scratch.changes.itemWidget(scratch.changes.item(0))
    qtbot.mouseClick(line.effect, LEFT)
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.topic == TOPIC)
    assert panel.model.derivation.value == pytest.approx(scratch_copies.effects()[0], abs=1e-12)
    scratch_copies.undo()
    qtbot.waitUntil(lambda: scratch.changes.count() == 0)
    QTest.keyClick(panel, Qt.Key.Key_Y)  # the line that the mouse was on is gone
    assert scratch.isVisible()


def test_from_what_cost_a_run_most_to_its_place(window, qtbot):
    session, stage, board = window.session, window.inspect, window.inspect.board
    panel, run = stage.costliest, session.run
    own = replace(board.choice.settings(board.task), measures=(parse("MAgP"),))
    qtbot.mouseClick(stage.pair.costliest, LEFT)
    qtbot.waitUntil(lambda: panel.isVisible() and panel.found is not None)
    wanted = costliest_parts(board.qrels, run, own)
    assert panel.found.value == board.scores(run).mean["MAgP"]
    assert panel.found.parts == wanted.parts

    # the costliest place, from over all topics
    part = next(one for one in wanted.parts[CostKind.PLACE] if one.topic != session.topic.id)
    row = wanted.parts[CostKind.PLACE].index(part)
    assert f"+{part.gain:.4f}" in panel.model.index(row, 0).data()
    panel.view.scrollTo(panel.model.index(row, 0))
    qtbot.mouseClick(
        panel.view.viewport(), LEFT, pos=panel.view.visualRect(panel.model.index(row, 0)).center()
    )
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == part.document)
    assert session.topic.id == part.topic
    qtbot.waitUntil(lambda: window.article.caret == part.start)
    assert panel.isVisible(), "one goes on to the next"

    # topics and documents
    for kind in (CostKind.TOPIC, CostKind.DOCUMENT):
        qtbot.mouseClick(panel.chips[kind], LEFT)
        assert panel.model.rows == wanted.parts[kind]
    part = wanted.parts[CostKind.DOCUMENT][0]
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=panel.view.visualRect(panel.model.index(0, 0)).center())
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == part.document)

    # another run, chosen while a derivation is in the list's place
    other = next(one for one in session.runs if one is not run)
    stage.derive(FigureAsked(FigureLevel.TOPIC))
    session.select_run(other)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.found is not None and panel.found.run == other.id)
    assert panel.found.parts == costliest_parts(board.qrels, other, own).parts
    assert panel.title.full_text == f"What cost {other.id} most"
    little = panel.title.fontMetrics().horizontalAdvance("What cost most") + 4
    panel.title.resize(little, panel.title.height())
    assert panel.title.text() == "What cost most", "in little room the name gives way, and not the end"
    qtbot.mouseClick(panel.close_button, LEFT)
    assert not panel.isVisible()


def points_at(stage, view):
    """Move the mouse to the first row of a list, and tell whether it is there: its place may yet change."""
    at = view.visualRect(view.model().index(0, 0)).center()
    QTest.mouseMove(view.viewport(), at)
    QTest.mouseMove(view.viewport(), at + QPoint(1, 0))
    return stage.clicks.pointed is not None and stage.clicks.pointed == stage.costliest.figure_at(at)


def test_counts_sizes_ranks_and_prices_are_derived(window, qtbot):
    session, stage, board = window.session, window.inspect, window.inspect.board
    panel, ranked, costs = stage.derivation, window.inspect.ranked, window.inspect.scores.costs
    stage.open_topic(TOPIC)
    qtbot.waitUntil(lambda: session.topic.id == TOPIC)
    session.open_document(DOCUMENT)
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == DOCUMENT)
    qtbot.waitUntil(lambda: costs.heading.text() == "AgP")

    def derived(measure, value):
        qtbot.waitUntil(lambda: panel.isVisible() and panel.model.derivation is not None)
        assert panel.model.derivation.measure == measure
        assert panel.model.derivation.value == pytest.approx(value, abs=1e-12)
        qtbot.mouseClick(panel.close_button, LEFT)

    # the line under the title
    line, ground = window.article.under_title, text_area(window.article).viewport()
    window.article.reveal(0)
    judged, retrieved = session.state.marks, window.inspect.ranking.here().passages
    parts = {
        "rank": window.inspect.ranking.here().rank,
        "hits": (judged & retrieved).size,
        "misses": (judged - retrieved).size,
        "false alarms": (retrieved - judged).size,
    }
    found = {}
    for y in range(0, ground.height(), 3):
        for x in range(0, ground.width(), 3):
            if part := line.part_at(QPoint(x, y)):
                found.setdefault(part, QPoint(x + 2, y + 3))
    for name, value in parts.items():
        at = found[f"{name} {value:,}"]
        qtbot.mouseClick(ground, LEFT, pos=at)
        derived(name, value)

    # sizes and ranks of the ranked list
    ranked.show_columns(frozenset({RankedColumn.SIZE, RankedColumn.GAIN}))
    place = ranked.model.index_of(DOCUMENT).row()
    for key, measure, value in (
        (RankedKey.SIZE, "size", retrieved.size),
        (RankedKey.RSIZE, "hits", parts["hits"]),
        (RankedKey.THERE, "rank", ranked.model.at(ranked.model.index(place)).other.rank),
    ):
        qtbot.mouseClick(ranked.view.viewport(), LEFT, pos=figure_place(window, place, key))
        derived(measure, value)

    # what a fault costs its document, and the topic
    listed = costs.view
    rect = listed.visualRect(costs.model.index(0, 0))
    cost = costs.model.rows[0]
    for x, measure, value in (
        (rect.center().x(), f"Δ {cost.cost.measure}", cost.cost.loss),
        (rect.right() - 20, "Δ AgP", cost.gain),
    ):
        QTest.mouseMove(listed.viewport(), QPoint(x, rect.center().y()))
        QTest.keyClick(listed, Qt.Key.Key_Y)
        derived(measure, value)

    # what cost the run most: passages, documents, topics
    stage.toggle_costliest()
    qtbot.waitUntil(lambda: stage.costliest.found is not None)
    for kind, listing in stage.costliest.found.parts.items():
        stage.costliest.show_kind(kind)
        view, part = stage.costliest.view, listing[0]
        qtbot.waitUntil(partial(points_at, stage, view))
        QTest.keyClick(view, Qt.Key.Key_Y)
        qtbot.waitUntil(lambda: panel.isVisible() and panel.model.derivation is not None)
        told = panel.model.derivation
        row = panel.model.rows[panel.rows.currentIndex().row()]
        assert row.document == part.topic
        if kind is CostKind.TOPIC:
            assert panel.model.derivation.change(row) == pytest.approx(part.gain, abs=1e-12)
        else:
            assert (told.measure, told.value) == ("Δ MAgP", pytest.approx(part.gain, abs=1e-12))
            assert row.adds / len(board.figures.topics) == pytest.approx(part.gain, abs=1e-12)
        qtbot.mouseClick(panel.close_button, LEFT)

    # the rows of a derivation
    stage.derive(FigureAsked(FigureLevel.RUN))
    row = panel.model.place_of(TOPIC)
    QTest.mouseMove(panel.rows.viewport(), panel.rows.visualRect(panel.model.index(row, 2)).center())
    QTest.keyClick(panel.rows, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.topic == TOPIC)
    own = next(at for at, one in enumerate(panel.model.rows) if one.document == DOCUMENT)
    QTest.mouseMove(panel.rows.viewport(), panel.rows.visualRect(panel.model.index(own, 2)).center())
    QTest.keyClick(panel.rows, Qt.Key.Key_Y)
    derived("F(d)", window.inspect.scores.rows.rows[2].reading.value)

    # a document that nobody judged has a size
    def unjudged_in(topic):
        return [
            result.document
            for result in session.run.results(topic)
            if board.qrels.judgement(topic, result.document) is None
        ]

    stage.open_topic(next(topic for topic in board.qrels.topics if unjudged_in(topic)))
    there = partial(ranked.model.index_of, unjudged_in(session.topic.id)[0])
    qtbot.waitUntil(lambda: there().isValid() and ranked.model.at(there()).retrieved is not None)
    place = next(
        at for at in range(ranked.model.rowCount())
        if ranked.model.at(ranked.model.index(at)).state is RelevanceState.UNJUDGED
    )  # fmt: skip
    unjudged = ranked.model.at(ranked.model.index(place))
    session.open_document(unjudged.document)
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == unjudged.document)
    ranked.view.scrollTo(ranked.model.index(place))
    qtbot.mouseClick(ranked.view.viewport(), LEFT, pos=figure_place(window, place, RankedKey.SIZE))
    derived("size", unjudged.retrieved.size)

    # under the title a pen draws
    window.article.reveal(0)
    at = found[f"rank {parts['rank']}"]
    qtbot.waitUntil(lambda: line.part_at(at).startswith("rank "))
    window.book["what-if"].trigger()
    qtbot.mouseClick(ground, LEFT, pos=at)
    assert not panel.isVisible()
    window.inspect.scratch_copies.discard()
    window.book["what-if"].trigger()


def test_what_cost_most_says_while_it_is_by_the_judgements_of_before(window, qtbot):
    stage, board = window.inspect, window.inspect.board
    costliest = stage.costliest
    stage.open_topic("2026001")
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: window.session.document_id == "2041" and not board.stale)
    qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: costliest.found is not None)
    before = costliest.note.text()
    assert before.startswith("Gain of")
    area = text_area(window.article)
    qtbot.keyClick(area, Qt.Key.Key_E)
    qtbot.waitUntil(lambda: bool(area.visible().lines))
    first = area.visible().lines[0].start
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):  # one of them changes it
        drag(window.article, first, first + 9, button=button)
    assert costliest.note.text() == COMPUTING
    qtbot.waitUntil(lambda: costliest.note.text().startswith("Gain of"))
    assert costliest.note.text() != before, "the document is finished no more"


def test_a_derivation_waits_for_changed_judgements(window, qtbot):
    stage, board, area = window.inspect, window.inspect.board, text_area(window.article)
    stage.open_topic("2026001")
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: window.session.document_id == "2041" and bool(area.visible().lines))
    qtbot.waitUntil(lambda: not board.stale)
    qtbot.keyClick(area, Qt.Key.Key_E)
    qtbot.keyClick(area, Qt.Key.Key_Y)
    derived = stage.derivation
    qtbot.waitUntil(lambda: derived.title.full_text.startswith("AgP "))
    before = derived.title.full_text
    first = area.visible().lines[0].start
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):  # one of them changes it
        drag(window.article, first, first + 9, button=button)
    assert (derived.title.full_text, derived.note.text()) == (before, COMPUTING)
    qtbot.waitUntil(lambda: not board.stale and derived.note.text() != COMPUTING)
    value = board.figures.of_topic(window.session.run, "2026001")
    qtbot.waitUntil(lambda: derived.title.full_text == f"AgP {value:.4f}")
    assert derived.title.full_text != before


def test_esc_closes_why_and_then_what_cost_most(window, qtbot):
    stage = window.inspect
    before = stage.right.shown
    for key in (Qt.Key.Key_D, Qt.Key.Key_Y):
        shift = Qt.KeyboardModifier.ShiftModifier if key is Qt.Key.Key_D else Qt.KeyboardModifier.NoModifier
        qtbot.keyClick(window, key, shift)
        assert stage.right.shown in (stage.costliest, stage.derivation)
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert stage.right.shown is before
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert stage.right.shown is before
    assert window.mode is Mode.INSPECT
