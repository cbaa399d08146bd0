"""Topics × runs: from the table of topics to an article, and every figure as ``inexview eval`` prints it."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication

from inexview.cli import main
from inexview.core.evaluation.charts import ENTRY_POINTS, Asked
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import LinkedPlace
from inexview.core.formats.passage_lines import write_fol_qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.in_context import score_document
from inexview.core.open_runs.scoring import TopicColumn, TopicOrder, sheet_of
from inexview.core.text.spans import Spans
from inexview.gui.commands.saving import TableKind
from inexview.gui.inspect.charts import pairs_table
from inexview.gui.inspect.topic_table import PAIR_GAP, half_of_bars, longest, name_lines
from inexview.gui.inspect.topics import ONE_RUN, _short
from inexview.gui.look.panels import RowRole
from inexview.gui.look.theme import DARK, LIGHT, SHAPE_NAMES, run_color
from inexview.gui.look.widgets import MARGIN, derived
from inexview.gui.services import tasks
from inexview.gui.services.settings import SCORING
from inexview.gui.shell.app import LinkOpener
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import click as click_text
from tests.gui.driving import drag, key
from tests.gui.inspect.lamps import RUNS

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


def page(window):
    return window.inspect.topics


def click(qtbot, window, topic, column=0):
    table = page(window).table
    index = page(window).model.index(page(window).model.row_of(topic), column)
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(index).center())


def evaluated(window, tmp_path, capsys, *options):
    """Return what the command line prints: (run, topic, measure) → the value as text."""
    qrels = tmp_path / "exported.txt"
    write_fol_qrels(window.inspect.board.qrels, qrels)
    runs = [str(run.path) for run in window.session.runs]
    task = "--task=relevant-in-context"
    assert main(["eval", str(qrels), *runs, task, "--per-topic", "--format", "csv", *options]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return {(row["run"], row["topic"], row["measure"]): row["value"] for row in rows}


def test_several_runs_are_first_seen_over_all_topics(window, qtbot):
    assert page(window).isVisible()
    assert not window.article.isVisible()
    sheet = page(window).model.sheet
    assert sheet.columns[0].name == window.session.run.id
    assert len(sheet.rows) == 3
    assert sum(sheet.outcome) == 3, "topics that both runs have"
    for name in (Qt.Key.Key_E, Qt.Key.Key_W):  # pen and what-if need a text
        qtbot.keyClick(page(window).table, name)
        assert window.frame.framed
        assert not page(window).isVisible()
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        window.inspect.show_level(over_topics=True)


def test_a_topic_begins_with_the_first_judged_document_of_the_run_not_with_one_to_do(window, qtbot):
    session, project = window.session, window.session.project
    project.reopen("2", "d1")
    qtbot.keyClick(page(window).table, Qt.Key.Key_Down)
    page(window).table.setCurrentIndex(page(window).model.index(page(window).model.row_of("2"), 0))
    qtbot.keyClick(page(window).table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.topic.id == "2" and session.document_id is not None)
    assert session.document_id == "d2"
    assert [row.document for row in project.journal.rows() if row.action == "inspected"] == []
    window.show_assess()
    project.reopen("3", "d1")
    session.open_topic("3")
    qtbot.waitUntil(lambda: session.document_id == "d1")  # the first to do: runs are hidden here


def test_the_open_document_that_is_chosen_again_is_seen(window, qtbot):
    session = window.session
    window.book["palette"].trigger()
    qtbot.keyClicks(window.popup.field, session.document_id)
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.article.isVisible()
    assert not page(window).isVisible()
    window.inspect.show_level(over_topics=True)
    window.book["retrieve"].trigger()
    dialog = window.stage.retrieval.dialog
    qtbot.keyClicks(dialog.query, "lamp")
    qtbot.keyClick(dialog.query, Qt.Key.Key_Return)
    passages = dialog.list.passages
    qtbot.waitUntil(lambda: passages.rowCount() == 2)
    documents = [passages.index(row).data(RowRole).document for row in (0, 1)]
    for _ in range(1 + documents.index(session.document_id)):
        qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert window.article.isVisible()
    assert not page(window).isVisible()
    dialog.close()


def test_the_reason_for_a_missing_figure_is_shown_next_to_an_article(window, qtbot, campaign):
    twice = campaign.with_name("twice.txt")
    twice.write_text("1 Q0 d1 1 2 twice 0 5\n1 Q0 d1 2 1 twice 9 5\n")
    board, listed = window.inspect.board, window.inspect.ranked
    window.files.open_runs([twice])
    qtbot.waitUntil(lambda: window.session.run.id == "twice")
    board.choose(replace(board.choice, task=Task.BEST_IN_CONTEXT))
    window.inspect.open_topic("1")
    qtbot.waitUntil(lambda: not board.stale and bool(board.figures.problems))
    assert listed.heading.full_text == "Topic 1 · " + board.figures.problem_of(window.session.run)
    assert board.figures.problem_of(window.session.run).endswith(", line 2")
    window.session.select_run(window.session.runs[0])
    assert listed.heading.full_text.startswith("Topic 1 · AgP ")


def test_over_all_topics_the_keyboard_goes_to_the_table_and_to_nothing_hidden(window, qtbot):
    for name in (Qt.Key.Key_Escape, Qt.Key.Key_F6, Qt.Key.Key_F7):
        page(window).save.setFocus()
        qtbot.keyClick(window, name)
        assert page(window).table.hasFocus()
    chosen = page(window).chosen
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(window.inspect.documents.hasFocus)
    assert window.session.topic.id == chosen


def test_a_link_shows_its_document_where_inspect_was_left_over_all_topics(window, qtbot, campaign):
    session = window.session
    place = LinkedPlace(campaign, session.topic.id, session.document_id, session.run.id)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(page(window).table, Qt.Key.Key_1, control)
    qtbot.keyClick(window, Qt.Key.Key_2, control)
    assert page(window).isVisible(), "as it was left"
    qtbot.keyClick(page(window).table, Qt.Key.Key_1, control)
    LinkOpener(window, place).go()
    assert window.mode is Mode.INSPECT
    assert window.article.isVisible()
    assert not page(window).isVisible()


def test_text_marked_while_editing_is_listed_as_missed(window, qtbot):
    session, model, article = window.session, window.inspect.ranked.model, window.article
    session.select_run(next(run for run in session.runs if run.id == "gamma"))  # it has nothing for topic 3
    window.inspect.open_topic("3")
    session.open_document("d2")
    qtbot.waitUntil(lambda: session.document_id == "d2" and model.stringList() == ["d1"])
    key(article, Qt.Key.Key_E)
    drag(article, 0, 20)
    key(article, Qt.Key.Key_B)
    click_text(article, 0)
    key(article, Qt.Key.Key_F)
    assert session.state.finished
    assert sorted(model.stringList()) == ["d1", "d2"]


def test_tables_and_charts_tell_parameters_that_are_not_those_of_the_preset(window, qtbot):
    board, saver = window.inspect.board, window.stage.evidence
    assert saver.table(TableKind.TOPICS).said.endswith(", inex2007")
    board.set_parameters(replace(board.parameters, beta=0.5))
    qtbot.waitUntil(lambda: not board.stale)
    told = "inex2007: β = 0.5, A = 0.1, α = 1"
    assert saver.table(TableKind.TOPICS).said.endswith(told)
    charts = window.inspect.chart_opener.open()
    charts.show_kind("Every topic")
    qtbot.waitUntil(lambda: charts.view.chart is not None and charts.view.chart.caption.endswith(told))
    charts.close()


def test_wins_ties_and_losses_are_those_that_compare_prints(window, qtbot, tmp_path, capsys):
    """Also where a third run lacks a topic of the two."""
    qrels, board = tmp_path / "exported.txt", window.inspect.board
    write_fol_qrels(board.qrels, qrels)
    runs = [str(run.path) for run in window.session.runs]
    asked = ["compare", str(qrels), *runs, "--task=relevant-in-context", "--tie=0.001", "--format=csv"]
    assert main(asked) == 0
    first, second = page(window).pair()
    printed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    row = next(row for row in printed if {row["better"], row["worse"]} == {first.id, second.id})
    qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
    saved = pairs_table(board)()
    saved_lines = [dict(zip(saved.value_head, map(str, line), strict=True)) for line in saved.values]
    assert saved_lines == printed, "the same table that can be saved in the window"
    outcome = [int(row[name]) for name in ("wins", "ties", "losses")]
    assert [*page(window).model.sheet.outcome] == outcome[:: 1 if row["better"] == first.id else -1]


def test_every_value_is_the_one_that_eval_prints(window, tmp_path, capsys):
    printed = evaluated(window, tmp_path, capsys)
    sheet, board = page(window).model.sheet, window.inspect.board
    compared = 0
    for column in sheet.columns:
        assert repr(column.mean) == printed[column.name, "all", "MAgP"]
        for topic, value in column.values.items():
            assert repr(value) == printed[column.name, topic, "AgP"]
            compared += 1
    assert compared == 8  # one run lacks a topic
    for row in window.inspect.runs.table.model().rows:
        for name, value in row.figures.items():
            assert repr(value) == printed[row.name, "all", name]
    window.inspect.runs.complete.click()
    assert board.stale


def test_missing_topics_count_as_nought_where_one_says_so(window, qtbot, tmp_path, capsys):
    rows = {row.name: row for row in window.inspect.runs.table.model().rows}
    assert rows["gamma"].coverage == "2/3"
    lacking, derived = window.inspect.runs.lacking, window.inspect.derivation
    assert lacking.text().startswith("gamma has 2 of 3 topics; with the others as 0: ")
    assert [row.name for row in window.inspect.runs.table.model().rows][-1] == "gamma", "whatever its mean"
    columns = page(window).model.sheet.columns
    assert [page(window).model.lacks(run) for run in columns] == [run.name == "gamma" for run in columns]
    assert "gamma: mean over 2 of 3 topics" in [
        page(window).model.headerData(at + 1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for at in range(len(columns))
    ]
    shown = "gamma" in [run.name for run in columns[:2]]
    assert page(window).model.sheet.lacks_topics is shown
    assert page(window).model.headerData(
        len(columns) + 1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    ) == ("Δ mean over 2 of 3 topics, which both runs have" if shown else None)
    qtbot.mouseClick(lacking, LEFT)
    told = derived.model.derivation
    assert [(row.document, row.adds) for row in told.rows][2] == ("3", 0.0)
    assert f"as 0: {told.value:.4f}." in lacking.text()
    qtbot.mouseClick(window.inspect.runs.complete, LEFT, pos=QPoint(8, 8))
    qtbot.waitUntil(lambda: not window.inspect.board.stale)
    printed = evaluated(window, tmp_path, capsys, "--complete")
    assert not any(map(page(window).model.lacks, page(window).model.sheet.columns))
    assert not page(window).model.sheet.lacks_topics
    rows = {row.name: row for row in window.inspect.runs.table.model().rows}
    assert repr(rows["gamma"].figures["MAgP"]) == printed["gamma", "all", "MAgP"] == repr(told.value)


def test_a_click_on_a_topic_opens_it_and_t_goes_back_up(window, qtbot):
    click(qtbot, window, "3")
    assert window.session.topic.id == "3"
    assert window.article.isVisible()
    assert window.inspect.picker.isVisible()
    qtbot.waitUntil(lambda: window.session.document is not None)
    qtbot.keyClick(window.article, Qt.Key.Key_T)
    assert page(window).isVisible()
    assert page(window).chosen == "3"


def test_enter_opens_the_topic_that_the_arrows_went_to(window, qtbot):
    table, model = page(window).table, page(window).model
    table.setFocus()
    page(window).show_topic(model.sheet.rows[0].topic)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    first = [model.text(0, column) for column in range(model.columnCount())]
    assert QGuiApplication.clipboard().text() == "\t".join(first)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    wanted = page(window).model.sheet.rows[1].topic
    assert page(window).chosen == wanted
    assert wanted in window.inspect.pair.open.accessibleName()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert window.session.topic.id == wanted
    assert window.article.isVisible()
    qtbot.waitUntil(lambda: window.inspect.ranked.model.rowCount() > 0)
    window.inspect.ranked.view.setFocus()
    qtbot.keyClick(window.inspect.ranked.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().endswith(" against the baseline")


def test_one_pair_rules_table_bars_test_and_list(window, qtbot):
    board = window.inspect.board
    first, second = board.current, board.baseline
    differences = {row.topic: row.difference for row in page(window).model.sheet.rows}
    qtbot.keyClick(page(window).table, Qt.Key.Key_X)
    assert (board.current, board.baseline) == (second, first)
    for row in page(window).model.sheet.rows:
        assert row.difference == pytest.approx(-differences[row.topic], nan_ok=True)
    third = next(run for run in board.runs if run not in (first, second))
    header = page(window).table.header
    assert header.sectionSize(3) == header.sectionSize(2) + PAIR_GAP
    assert header.length() == page(window).bars.width(), "the scroll bar has its room in the margin"
    x = header.sectionViewportPosition(3) + header.sectionSize(3) // 2
    qtbot.mouseClick(header.viewport(), LEFT, SHIFT, QPoint(x, 20))
    assert board.baseline is third
    assert page(window).model.sheet.columns[1].name == third.id


def click_heading(window, qtbot, key):
    """Click on the heading of a column, above its mean."""
    table = page(window).table
    section = page(window).model.sheet.keys.index(key)
    x = table.header.sectionViewportPosition(section) + table.header.sectionSize(section) // 2
    qtbot.mouseClick(table.header.viewport(), LEFT, pos=QPoint(x, 20))


def test_topics_are_sorted_by_any_column_and_the_pair_stays(window, qtbot):
    board, model = window.inspect.board, page(window).model
    pair, chosen = (board.current, board.baseline), page(window).chosen
    assert model.sheet.keys[-2:] == ("unjudged", "Judged@10")
    for by in model.sheet.keys:
        for descending in (True, False) if by != "topic" else (False, True):
            click_heading(window, qtbot, by)
            assert model.by == (by, descending)
            values = [model.sheet.value(row, by) for row in model.sheet.rows]
            known = [value for value in values if not math.isnan(value)]
            assert known == sorted(known, reverse=descending)
            assert not any(map(math.isnan, values[: len(known)])), "those without a value come last"
            if by == "topic":
                assert [row.topic for row in model.sheet.rows] == sorted("123", reverse=descending)
    assert (board.current, board.baseline) == pair
    assert page(window).chosen == chosen
    assert "by Judged@10" in page(window).order.text()
    page(window).set_order(TopicOrder.LARGEST)
    assert model.by is None


def test_topics_are_filtered_and_their_means_stay(window, qtbot):
    stage, model = window.inspect, page(window).model
    means = [column.mean for column in model.sheet.columns]
    qtbot.keyClick(page(window).table, Qt.Key.Key_Slash)
    field = page(window).filter
    assert field.hasFocus()
    qtbot.keyClicks(field, "TOPIC 2")
    assert [row.topic for row in model.sheet.rows] == ["2"]
    assert [column.mean for column in model.sheet.columns] == means
    assert len(page(window)._sorted) == len(model.all_rows) > 1, "the bars show all"
    assert stage.pair.open.accessibleName().startswith("Open topic 2")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert len(model.sheet.rows) == 3
    field.setFocus()
    lowest = min(model.sheet.columns[0].values.values())
    for typed, fits in (
        (f"<{lowest + 0.0001}", lambda row: model.sheet.columns[0].values[row.topic] <= lowest),
        ("difference>0", lambda row: row.difference > 0),
        ("judged@10<1 topic", lambda row: model.sheet.columns[0].shares["Judged@10"][row.topic] < 1),
        ("unjudged>=0 3", lambda row: row.topic == "3"),
        ("gone", lambda row: False),
    ):
        field.clear()
        qtbot.keyClicks(field, typed)
        assert {row.topic for row in model.sheet.rows} == {row.topic for row in model.all_rows if fits(row)}
    field.clear()
    qtbot.keyClicks(field, "topic 3")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.session.topic.id == "3"
    assert not stage.over_topics


def test_shares_of_judged_documents_are_those_of_a_brute_force(window, qtbot):
    board, columns = window.inspect.board, page(window).model.sheet.columns
    run = board.by_key(columns[0].key)
    for topic in run.topics:
        ranked = list(dict.fromkeys(result.document for result in run.results(topic)))
        judged = [board.qrels.judgement(topic, document) is not None for document in ranked]
        assert columns[0].shares["unjudged"][topic] == pytest.approx(1 - sum(judged) / len(judged))
        assert columns[0].shares["Judged@10"][topic] == sum(judged[:10]) / 10


def test_digits_bring_a_run_forward_and_the_order_can_be_chosen(window, qtbot):
    qtbot.keyClick(page(window).table, Qt.Key.Key_2)
    assert window.session.run is window.session.runs[1]
    page(window).set_order(TopicOrder.PROJECT)
    assert [row.topic for row in page(window).model.sheet.rows] == ["1", "2", "3"]
    page(window).set_order(TopicOrder.WORST)
    known = [row.difference for row in page(window).model.sheet.rows]
    assert known == sorted(known)


def test_a_bar_goes_to_its_topic(window, qtbot):
    bars = page(window).bars
    last = len(page(window)._sorted) - 1
    qtbot.mouseClick(bars, LEFT, pos=bars.bar(last).center().toPoint())
    assert page(window).chosen == page(window)._sorted[last]


def test_the_bars_leave_room_for_the_names_of_the_two_that_differ_most(window, qtbot):
    bars, rows = page(window).bars, page(window).model.sheet.rows
    differences = [row.difference for row in rows]
    assert max(differences) > 0 > min(differences)
    line = bars.fontMetrics().height() * 0.8
    assert bars.bar(0).top() > line
    assert bars.bar(len(rows) - 1).bottom() < bars.height() - line


def test_the_heading_of_the_differences_says_on_which_side_which_run_is_better(window, qtbot):
    table = page(window).table
    last, columns = table.model().sheet.keys.index("Δ"), table.model().sheet.columns[:2]
    left, width = table.header.sectionViewportPosition(last), table.header.sectionSize(last)
    picture = table.header.grab().toImage()
    zero = left + 6 + half_of_bars(width)
    for column, side in zip(columns, (range(int(zero), left + width), range(left, int(zero))), strict=True):
        inked = [
            x for x in range(left, left + width) for y in range(table.header.height())
            if picture.pixelColor(x, y) == run_color(table.header.theme, column.style)
        ]  # fmt: skip
        assert inked
        assert set(inked) <= set(side)


def test_a_cell_of_every_pair_chooses_both(window, qtbot):
    matrix, board = window.inspect.matrix, window.inspect.board
    assert matrix.isVisible()
    assert matrix.cell(0, 1).width() <= 64, "few columns leave names the room"
    written = QFontMetrics(derived(matrix.font(), factor=0.85, bold=True)).horizontalAdvance
    for pair, found in matrix._pairs.items():
        assert written(_short(found)) < matrix.cell(*pair).width(), "a number of topics is not cut"
    assert any("(" in _short(found) for found in matrix._pairs.values())
    matrix.repaint()
    assert not derived(matrix.font(), factor=0.85, bold=True).letterSpacing(), "others write with it too"
    qtbot.mouseClick(matrix, LEFT, pos=matrix.cell(1, 2).center().toPoint())
    assert [board.current, board.baseline] == board.scored()[1:]


def test_in_a_low_window_the_list_of_runs_has_the_room_of_every_pair(window, qtbot):
    matrix, runs = window.inspect.matrix, window.inspect.runs.table
    assert matrix.height() > 0
    window.resize(960, 540)
    qtbot.waitUntil(lambda: matrix.height() == 0)
    assert runs.viewport().height() >= len(RUNS) * runs.rowHeight(0)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: matrix.height() > 0)


def test_six_runs_have_room_for_every_pair(window, qtbot, campaign):
    matrix, board = window.inspect.matrix, window.inspect.board
    window.resize(1440, 900)
    more = [campaign.with_name(f"more{at}.txt") for at in range(4)]
    for path in more:
        path.write_text(campaign.with_name(f"{next(iter(RUNS))}.txt").read_text())
    window.files.open_runs(more)
    qtbot.waitUntil(lambda: len(board.scored()) == 7 and not board.stale)
    qtbot.waitUntil(lambda: matrix._said.startswith("Row minus column, 6 best of 7 runs. "))
    assert "† Holm, all 21 pairs." in matrix._said
    first = matrix.cell(0, 1)
    assert round((matrix.width() - MARGIN - first.left()) / first.width()) == 5
    names = QFontMetrics(derived(matrix.font(), factor=0.9))
    room = first.left() - MARGIN - 16
    assert max(names.horizontalAdvance(board.name(run)) for run in matrix._runs) <= room, "names are cut last"


def test_in_assess_and_with_one_run_there_is_no_table_of_topics(window, qtbot):
    window.set_mode(Mode.ASSESS)
    assert window.article.isVisible()
    window.set_mode(Mode.INSPECT)
    assert page(window).isVisible()
    for run in window.session.runs[1:]:
        window.session.close_run(run)
    qtbot.waitUntil(lambda: not window.inspect.board.stale)
    assert page(window).order.text().startswith(TopicOrder.PROJECT.value)
    assert window.inspect.pair.verdict.text() == ONE_RUN
    click(qtbot, window, "1")
    assert window.inspect.runs.isVisible()
    assert not window.inspect.picker.isVisible()


def test_hidden_parts_are_made_when_shown(window, qtbot):
    session, ranked, chart = window.session, window.inspect.ranked, window.inspect.pair.chart
    session.open_document("d1")
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "d1")
    window.book["all-topics"].trigger()
    ranked.heading.set_text("as it was")
    session.select_run(session.runs[1])
    assert ranked.heading.full_text == "as it was"
    curves = chart.chart.series
    window.set_mode(Mode.ASSESS)
    session.mark(40, 44)
    assert chart.chart.series is curves
    window.set_mode(Mode.INSPECT)
    qtbot.waitUntil(lambda: chart.chart.series is not curves)
    window.inspect.open_topic("1")
    assert ranked.heading.full_text.startswith("Topic 1")
    opened = next(row for row in map(ranked.model.index, range(2)) if ranked.model.at(row).document == "d1")
    assert (40, 44) in list(ranked.model.at(opened).judged)


def test_a_message_is_seen_at_both_levels(window, qtbot):
    window.messages.warn("Something is worth saying.")
    assert window.messages.isVisible()
    click(qtbot, window, "1")
    assert window.article.isVisible()
    assert window.messages.isVisible()


def test_a_figure_opens_its_derivation_and_that_leads_to_the_characters(window, qtbot):
    click(qtbot, window, "1")
    qtbot.waitUntil(lambda: window.session.document is not None)
    board, panel = window.inspect.board, window.inspect.derivation
    qtbot.mouseClick(window.inspect.why, LEFT)
    qtbot.waitUntil(lambda: panel.model.derivation is not None)
    assert panel.isVisible()
    derived = panel.model.derivation
    assert derived.value == board.figures.of_topics(board.current, "MAgP")["1"]
    assert panel.title.full_text == f"AgP {derived.value:.4f}"
    assert f"= {derived.value:.4f}" in panel.filled.text()
    assert sum(row.adds for row in derived.rows) == pytest.approx(derived.fraction.numerator)
    row = next(at for at, one in enumerate(derived.rows) if one.document == "d1")
    place = panel.rows.visualRect(panel.model.index(row, 1)).center()
    qtbot.mouseClick(panel.rows.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: window.session.document_id == "d1")
    assert window.article.overlay.retrieved.size
    in_front = board.current
    window.book["swap-runs"].trigger()
    assert board.baseline is in_front
    assert window._settings.get(SCORING)[str(window.session.project.path)]["baseline"] == str(in_front.path)
    wanted = board.figures.of_topics(board.current, "MAgP")["1"]
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.value == wanted)
    qtbot.keyClick(window.article, Qt.Key.Key_Y)
    assert not panel.isVisible()
    assert window.inspect.scores.isVisible()


def test_leaving_out_a_row_equals_a_full_evaluation(window, qtbot):
    click(qtbot, window, "2")
    board, panel = window.inspect.board, window.inspect.derivation
    window.book["derive"].trigger()
    qtbot.waitUntil(lambda: panel.model.derivation is not None)
    derived, run = panel.model.derivation, board.current
    for row in panel.model.derivation.rows:
        kept = [result for result in run.results("2") if result.document != row.document]
        others = Run.from_results(kept, id=run.id, task=Task.RELEVANT_IN_CONTEXT)
        without = evaluate(board.qrels, others)[0].topic("2")["AgP"]
        assert derived.change(row) == pytest.approx(without - derived.value)


def test_m_says_which_miss_of_how_many_it_went_to(window, qtbot):
    click(qtbot, window, "2")
    qtbot.waitUntil(lambda: window.session.document is not None)
    window.session.open_document("d1")
    qtbot.waitUntil(lambda: window.session.document_id == "d1")
    window.session.select_run(next(run for run in window.session.runs if run.id == "gamma"))
    window.article.place_caret(0)
    qtbot.keyClick(window.article, Qt.Key.Key_M)
    assert window.inspect.stepped == "miss 1 of 1 · 20 characters"
    assert window.article.caret == 10
    qtbot.keyClick(window.article, Qt.Key.Key_M)
    assert "this was the last miss of 1" in window.inspect.stepped
    assert window.article.caret == 10
    window.session.open_document("d2")
    qtbot.waitUntil(lambda: window.session.document_id == "d2")
    assert not window.inspect.stepped, "that was another document"


def test_the_ranked_list_shows_the_baselines_result_for_each_document(window, qtbot):
    click(qtbot, window, "1")
    ranked = window.inspect.ranked
    qtbot.waitUntil(lambda: ranked.model.rowCount() == 2)
    qtbot.waitUntil(lambda: window.session.catalogue.about("d1").length > 0)
    board = window.inspect.board
    found = {}
    for run in (board.current, board.baseline):
        judgement = board.qrels.judgement("1", "d1")
        spans = Spans((one.start, one.end) for one in run.passages("1", "d1"))
        found[run.id] = score_document(judgement.passages, None, spans, judgement.length, judgement.bep, 0).f
    row = next(one for one in map(ranked.model.at, map(ranked.model.index, range(2))) if one.document == "d1")
    assert row.other.rank == 2
    assert row.gained == found[board.current.id] - found[board.baseline.id]
    window.session.close_run(board.baseline)
    window.session.close_run(board.baseline)
    qtbot.waitUntil(lambda: not board.stale)
    assert ranked.model.at(ranked.model.index(0)).other is None


def test_another_of_the_measures_that_were_computed_is_shown_at_once(window, tmp_path, capsys):
    board = window.inspect.board
    board.choose(board.choice.show(board.task, ["gP[5]", "MAgP"]))
    assert not board.stale
    printed = evaluated(window, tmp_path, capsys)
    for column in page(window).model.sheet.columns:
        assert repr(column.mean) == printed[column.name, "all", "gP[5]"]
    board.choose(board.choice.show(board.task, ["MAgP", "gR[5]"]))
    assert [row.figures["gR[5]"] for row in window.inspect.runs.table.model().rows] == [
        float(printed[row.name, "all", "gR[5]"]) for row in window.inspect.runs.table.model().rows
    ]


def test_a_run_that_is_read_again_and_says_the_same_keeps_its_figures(window, campaign, qtbot):
    board, path = window.inspect.board, campaign.with_name("alpha.txt")
    before = {run.id: board.figures.of(run) for run in board.scored()}
    window.session.add_run(next(replace(run) for run in board.runs if run.path == path))
    page(window).show_all()
    qtbot.waitUntil(lambda: not board.stale and len(board.scored()) == 3)
    assert {run.id: board.figures.of(run) for run in board.scored()} == before


@pytest.mark.parametrize("name", ["LM-passages", "utampere_given30_nolinks", "UWFERBase2", "x" * 40, "a-b"])
def test_the_name_of_a_run_is_broken_only_where_a_word_of_it_ends(qapp, name):
    metrics = QFontMetrics(QFont("Inter", 9))
    for room in (40, 60, 90, 140):
        lines = name_lines(metrics, name, room)
        assert len(lines) <= 3
        assert all(metrics.horizontalAdvance(line) <= room for line in lines)
        if len(lines) == 2 and "…" not in lines[1]:
            assert "".join(lines) == name
        if len(lines) == 2:
            assert not (lines[0][-1].islower() and name[len(lines[0])].islower()), "within a word"


def test_another_topic_is_listed_once_and_another_run_explained_once(window, qtbot, monkeypatch):
    session, ranked = window.session, window.inspect.ranked
    window.inspect.open_topic("1")
    qtbot.waitUntil(lambda: session.document is not None)
    listed, explained = [], []
    monkeypatch.setattr(tasks, "SLICE", 60)  # seconds: all of a topic is read at once, however slow that is
    ranked.model.modelReset.connect(lambda: listed.append(session.topic.id))
    monkeypatch.setattr(window.inspect.scores, "set_explanation", lambda *told: explained.append(told))
    session.open_topic("2")
    assert listed == ["2"]
    qtbot.waitUntil(lambda: session.document is not None)
    explained.clear()
    session.select_run(session.runs[1])
    assert listed == ["2", "2"]
    assert len(explained) == 1
    monkeypatch.setattr(tasks, "SLICE", 0)  # seconds: one document is read at each turn
    session.open_topic("3")
    assert ranked.model.rowCount() == 0, "no one knows yet how the topic is judged"
    qtbot.waitUntil(lambda: ranked.model.rowCount() == 2)


def test_in_a_narrow_window_nothing_is_cut(window, qtbot):
    """Choosers go on in the next line, columns give way to names, and the differences stay in sight."""
    window.resize(window.minimumSizeHint().width(), 720)
    runs, table = window.inspect.runs, page(window).table
    qtbot.waitUntil(lambda: runs.width() < 300)
    for button in (runs.bar.task, runs.bar.measure, runs.bar.preset):
        assert button.width() >= button.sizeHint().width()
        assert button.geometry().right() <= runs.bar.width()
    listed, header = runs.table, runs.table.header
    hidden = {listed.model().headings[at] for at in range(header.count()) if header.isSectionHidden(at)}
    assert hidden == {"gP[5]", "topics"}
    assert runs.lacking.isVisible(), "the run that lacks a topic is named below"
    names = QFontMetrics(derived(listed.font(), bold=True)).horizontalAdvance
    assert header.sectionSize(0) >= max(map(names, RUNS))
    qtbot.waitUntil(lambda: table.header.length() <= table.viewport().width())
    mean = QFontMetrics(derived(table.header.font(), factor=0.95, bold=True)).horizontalAdvance("−0.0000")
    assert table.header.sectionSize(table.header.count() - 1) >= mean + 6, "with the room right of it"
    window.inspect.open_topic("1")
    for chip in window.inspect.ranked.chips.values():
        qtbot.waitUntil(lambda chip=chip: chip.width() >= chip.sizeHint().width())
    window.resize(1440, 900)
    window.inspect.show_level(over_topics=True)
    qtbot.waitUntil(lambda: not any(header.isSectionHidden(at) for at in range(header.count())))


def test_in_a_narrow_window_words_give_way_and_are_not_cut(window, qtbot):
    stage = window.inspect
    page, sheet = stage.topics, stage.topics.model.sheet
    wins, ties, losses = sheet.outcome
    assert window.focusWidget() is page.table, "the text that had the keyboard is not seen"
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: page.width() > 600)
    whole = f"{wins} better  ·  {ties} tied  ·  {losses} worse"
    assert page.outcome.text() == whole
    window.resize(800, 600)
    qtbot.waitUntil(lambda: page.width() < 500)  # once its layout is settled the window is no narrower
    assert page.outcome.text() in (whole, f"{wins}  ·  {ties}  ·  {losses}")
    said = f"{wins} better, {ties} tied, {losses} worse"
    assert page.outcome.toolTip() == f"3 topics that both runs have: {said}"
    few = replace(sheet, hidden=3)
    assert few.named[0] == f"topic · AgP · {len(sheet.columns)} of {len(sheet.columns) + 3} runs"
    assert longest(page.fontMetrics(), few.named, 1) == few.named[-1]


def test_the_baseline_never_has_the_colour_of_the_run_in_the_foreground(window, qtbot, campaign):
    more = [campaign.with_name(f"more{at}.txt") for at in range(4)]
    for path in more:
        path.write_text(campaign.with_name(f"{next(iter(RUNS))}.txt").read_text())
    window.files.open_runs(more)
    board, session = window.inspect.board, window.session
    qtbot.waitUntil(lambda: len(board.scored()) == 7 and not board.stale)
    own = next(iter(RUNS))  # what five of them call themselves
    files = [f"{own}.txt", *(path.name for path in more)]
    names = [*files, *(name for name in RUNS if name != own)]
    assert {column.name for column in page(window).sheet(7).columns} == {*names}
    assert {row.name for row in window.inspect.runs.table.model().rows} == {*names}
    first, last = session.runs[0], session.runs[6]  # there are six colours
    session.select_run(last)
    assert run_color(LIGHT, board.number(first)) == run_color(LIGHT, board.number(last))
    for foreground, baseline in ((last, first), (first, last), (session.runs[1], last)):
        session.select_run(foreground)
        board.compare_with(baseline)
        assert (board.current, board.baseline) == (foreground, baseline)
        for theme in (LIGHT, DARK):
            assert run_color(theme, board.style(baseline)) != run_color(theme, board.style(foreground))
        looks = [board.style(run) for run in session.runs]
        assert len({*looks}) == 7
        assert [look % len(SHAPE_NAMES) for look in looks] == [*range(7)]
    charts, asked = window.inspect.chart_opener.open(), Asked(ENTRY_POINTS, topic="1")
    qtbot.waitUntil(lambda: not window.inspect.chart_opener.charted(asked).waiting)
    session.select_run(first)  # after the distances were computed it looks otherwise
    found = window.inspect.chart_opener.charted(asked).entries.found
    assert {*found} == {board.style(run) for run in session.runs}
    charts.close()


def test_the_best_of_all_runs_is_bold_also_where_it_has_no_room(window):
    columns = [
        TopicColumn("a", "a", 0, 0.2, {"1": 0.05}, 1),
        TopicColumn("b", "b", 1, 0.2, {"1": 0.077}, 1),
        TopicColumn("c", "c", 2, 0.2, {"1": 0.216}, 1),
    ]
    model = page(window).model
    for most, bold in ((2, [False, False]), (3, [False, False, True])):
        model.set_sheet(sheet_of("AgP", columns, [("1", "")], most))
        assert [model.is_best(0, at + 1) for at in range(most)] == bold
