"""What-if: the pen changes a scratch copy of the run, the figures follow, and the saved file scores alike."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from inexview.cli import main
from inexview.core.article.granularity import Granularity
from inexview.core.formats.format import FOL_RUN
from inexview.core.formats.passage_lines import write_fol_qrels
from inexview.core.judgements.runs import Task
from inexview.core.open_runs.scoring import MOST_AROUND, SOME, ScoringChoice, around, placed_runs
from inexview.gui.commands.saving import TableKind
from inexview.gui.inspect.what_if import BeforeAfter, FigureGrid, PlacesAmongRuns, WhatIfFigures
from inexview.gui.look.theme import LIGHT, style_sheet
from inexview.gui.look.widgets import in_column
from inexview.gui.services.actions import Room
from tests.gui.driving import NONE, RIGHT, answering, drag, key, place, see_runs, shown_window, text_area
from tests.gui.inspect.lamps import WORDS

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def what_if(window, qtbot):
    """Be in what-if over the judged article of topic 2, with alpha in the foreground."""
    window.session.select_run(next(run for run in window.session.runs if run.id == "alpha"))
    window.inspect.open_topic("2")
    qtbot.waitUntil(lambda: window.session.topic.id == "2")
    window.session.open_document("d1")
    qtbot.waitUntil(lambda: window.session.document_id == "d1" and window.session.reading.ready)
    key(window.article, Qt.Key.Key_W)
    assert window.book.room is Room.WHAT_IF
    yield window
    window.inspect.scratch_copies.discard()  # or it would ask


def panel(made):
    return made.inspect.scratch_panel


def shown(grid):
    return {row[0].full_text: tuple(cell.text() for cell in row[1:]) for row in grid.rows if row[0].full_text}


def test_the_pen_changes_the_copy_and_the_saved_file_scores_the_same(what_if, tmp_path, qtbot, capsys):
    before, marks = what_if.article.overlay.retrieved, what_if.session.state.marks
    assert what_if.frame.framed
    assert what_if.frame.sign.isVisible()
    assert what_if.frame.sign.style_shown == what_if.inspect.board.style(what_if.session.run)
    assert panel(what_if).isVisible()
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    after = what_if.article.overlay.retrieved
    assert after != before
    assert what_if.session.state.marks == marks
    assert what_if.session.state.finished
    key(what_if.article, Qt.Key.Key_K, SHIFT)
    assert panel(what_if).changes.count() == 2
    assert places(what_if) == {"d1": "2 → 1", "d2": "1 → 2"}
    path = tmp_path / "changed.txt"
    assert "2 changes, in no file yet" in what_if.inspect.scratch_copies.said
    what_if.late_inspect.scratch_saver.save(what_if.inspect.scratch_copies.copy, path, FOL_RUN)
    qtbot.waitUntil(lambda: "2 changes, saved" in what_if.frame._status.full_text)
    qrels = tmp_path / "qrels.txt"
    write_fol_qrels(what_if.inspect.board.qrels, qrels)
    options = ["--task=relevant-in-context", "--per-topic", "--format=csv"]
    assert main(["eval", str(qrels), str(path), *options]) == 0
    printed = {
        (row["topic"], row["measure"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(capsys.readouterr().out))
    }
    scratch_copies = what_if.inspect.scratch_copies
    figures = scratch_copies.figures(scratch_copies.copy.scratch)
    for one in figures.run:
        assert printed["all", one.name] == one.after
        assert shown(panel(what_if).run)[one.name][1] == f"{one.after:.4f}"
    for one in figures.topic:
        assert printed["2", one.name] == one.after
    assert any(one.before != one.after for one in figures.run)
    rows = panel(what_if).places.rows
    assert [row.after for row in rows] == sorted(row.after for row in rows)
    (own,) = (row for row in rows if row.scratch)
    assert (own.before, own.after) == figures.place
    decides = what_if.inspect.board.figures.deciding
    assert own.value == next(one.after for one in figures.run if one.name == decides)
    changes = BeforeAfter("A", 0.5, 0.49998), BeforeAfter("B", 0.5, 0.5 + 1e-15), BeforeAfter("C", 0.5, 0.4)
    panel(what_if).show_figures(WhatIfFigures(run=changes, topics=(1, 1)))
    told = [shown(panel(what_if).run)[one.name][2] for one in changes]
    assert told == ["0.0000", "0", "−0.1000"], "what four decimals do not show has no sign"


def test_the_name_of_the_copy_has_all_room_next_to_its_score(qtbot, monkeypatch):
    shown = PlacesAmongRuns()
    qtbot.addWidget(shown)
    shown.show_runs(placed_runs([("LM-passages", 1, 0.3), ("QL", 2, 0.5)], ("BM25-sections", 0), 0.4, 0.4))
    written = {}

    def note(painter, room, text, font, *rest, **more):
        written[text] = room.width() >= QFontMetricsF(font).horizontalAdvance(text)

    monkeypatch.setattr("inexview.gui.inspect.what_if.write", note)
    shown.resize(252, shown.sizeHint().height())
    shown.grab()
    assert written["BM25-sections"]
    assert written[" scratch"]


VALUES = st.integers(0, 5).map(lambda tenths: tenths / 10)


@given(st.lists(VALUES, max_size=9), VALUES, VALUES)
def test_places_among_the_runs_count_those_that_score_more(values, before, after):
    others = [(f"run {at}", at, value) for at, value in enumerate(values)]
    rows = placed_runs(others, ("own", 9), before, after)
    for row in rows:
        was = before if row.scratch else row.value
        beside = {"first": [*values, before], "then": [*values, after]}
        assert row.before == 1 + sum(value > was for value in beside["first"])
        assert row.after == 1 + sum(value > row.value for value in beside["then"])
    assert [row.name for row in rows].count("own") == 1
    some = around(rows, SOME)
    assert len(some) == min(len(rows), SOME)
    assert "own" in [row.name for row in some]
    assert len(rows) == min(len(values) + 1, MOST_AROUND)
    assert [row.value for row in rows] == sorted((row.value for row in rows), reverse=True)


def places(what_if):
    """What the ranked list writes before each title."""
    model = what_if.inspect.ranked.model
    rows = [model.at(model.index(row)) for row in range(model.rowCount())]
    return {row.document: row.place for row in rows}


def test_what_if_stays_over_the_article_and_the_foot_names_only_keys_that_work(qapp, campaign, qtbot):
    with shown_window(qapp, campaign, (1440, 900)) as made:
        made.inspect.board.choose(ScoringChoice(task=Task.RELEVANT_IN_CONTEXT))
        made.files.open_runs([campaign.with_name("alpha.txt")])
        qtbot.waitUntil(lambda: len(made.session.runs) == 1)
        made.session.open_topic("2", "d1")
        qtbot.waitUntil(lambda: made.session.document_id == "d1" and made.session.document is not None)
        see_runs(made)
        key(made.article, Qt.Key.Key_W)
        made.files.open_runs([campaign.with_name("beta.txt")])
        qtbot.waitUntil(lambda: len(made.session.runs) == 2)
        stage = made.inspect
        assert made.book.room is Room.WHAT_IF
        assert made.article.isVisible(), "it would be a pen without a text"
        assert not stage.up.isVisible()
        told, whole = made.frame._status, made.frame._status.text()
        assert whole.endswith("  ·  the run file and the judgements do not change")
        made.resize(700, 540)
        qtbot.waitUntil(lambda: told.text() != whole)
        assert whole.startswith(f"{told.text()}  ·  ")
        made.resize(1440, 900)
        key(made.article, Qt.Key.Key_Escape)
        key(made.article, Qt.Key.Key_E)
        QTest.mouseClick(stage.up, LEFT)
        assert stage.over_topics
        assert made.book.room is Room.EDIT
        assert made.status.keys.full_text == "Enter open topic · ? keys"


def test_undo_and_leaving_lose_nothing(what_if, qtbot):
    before = what_if.article.overlay.retrieved
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    drag(what_if.article, 50, 55)
    changed = what_if.article.overlay.retrieved
    assert panel(what_if).changes.count() == 2
    assert "2 changes" in what_if.inspect.scratch_copies.said
    assert "judgements are read-only" in what_if.status._saved.text()
    key(what_if.article, Qt.Key.Key_Escape)
    assert what_if.book.room is Room.INSPECT
    assert "every action saved" in what_if.status._saved.text()
    assert not what_if.frame.framed
    assert what_if.article.overlay.retrieved == before
    key(what_if.article, Qt.Key.Key_W)
    assert what_if.article.overlay.retrieved == changed
    key(what_if.article, Qt.Key.Key_Z, CTRL)
    key(what_if.article, Qt.Key.Key_Z, CTRL)
    key(what_if.article, Qt.Key.Key_Z, CTRL)
    assert what_if.article.overlay.retrieved == before
    assert panel(what_if).changes.count() == 0


def test_a_passage_is_dropped_with_del_and_judging_keys_do_nothing(what_if, qtbot):
    state = what_if.session.state
    at = int(what_if.article.overlay.retrieved.starts[0])
    qtbot.mouseClick(text_area(what_if.article).viewport(), LEFT, pos=place(what_if.article, at + 2))
    key(what_if.article, Qt.Key.Key_Delete)
    assert not what_if.article.overlay.retrieved
    assert places(what_if) == {"d1": "2 → –", "d2": "1"}
    what_if.session.open_document("d2")
    qtbot.waitUntil(lambda: what_if.session.document_id == "d2")
    drag(what_if.article, 0, 5, button=RIGHT)
    assert places(what_if) == {"d1": "2 → –", "d2": "1 → –"}, "what is judged not relevant is listed too"
    assert panel(what_if).run.caption.full_text == "Run · 2 topics, before 3", "a mean without it may rise"
    key(what_if.article, Qt.Key.Key_Z, CTRL)
    what_if.session.open_document("d1")
    qtbot.waitUntil(lambda: what_if.session.document_id == "d1")
    state = what_if.session.state
    for name in (Qt.Key.Key_F, Qt.Key.Key_N, Qt.Key.Key_B):
        key(what_if.article, name)
    assert what_if.session.state == state


def test_while_the_pen_is_dragged_the_figures_follow(what_if, qtbot):
    seen, told = [], what_if.inspect.stroke_effect
    what_if.article.pen.previewed.connect(
        lambda _stroke: seen.append((shown(panel(what_if).document)["R(d)"][1], told.said, told.isVisible()))
    )
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 31, 60)
    recalls, said, visible = zip(*seen, strict=True)
    assert len({*recalls}) > 2
    assert all(visible[:-1])
    assert not told.isVisible(), "the stroke is over"
    assert re.fullmatch(r"\+\d+ characters   [PRF]\(d\) 0\.\d{3} → [01]\.\d{3}", said[-2])
    what_if.resize(800, 600)  # where there is no room for all figures
    cells = [cell for row in panel(what_if).document.rows for cell in row if cell.isVisible()]
    assert cells
    qtbot.waitUntil(lambda: panel(what_if).height() < 560)
    qtbot.waitUntil(lambda: all(cell.height() >= cell.minimumSizeHint().height() for cell in cells))
    assert panel(what_if).changes.height() > 2 * cells[0].height()


def test_while_the_pen_is_dragged_the_list_follows_and_goes_back(what_if, qtbot):
    ranked = what_if.inspect.ranked
    qtbot.waitUntil(lambda: "d1" in ranked.model.costs.so_far)

    def listed() -> float:
        return ranked.model.at(ranked.model.index_of("d1")).score

    def gp() -> list[float]:
        return [*ranked._delegate.costs.so_far.values()]

    seen, before = [], listed()
    what_if.article.pen.previewed.connect(
        lambda stroke: stroke and seen.append((listed(), shown(panel(what_if).document)["F(d)"][1]))
    )
    key(what_if.article, Qt.Key.Key_1)
    area = text_area(what_if.article)
    QTest.mousePress(area.viewport(), LEFT, pos=place(what_if.article, 31))
    for at in range(33, 60, 5):
        QTest.mouseMove(area.viewport(), place(what_if.article, at))
    assert len({score for score, _ in seen}) > 2
    assert [f"{score:.4f}" for score, _ in seen] == [told for _, told in seen]
    live = gp()
    key(what_if.article, Qt.Key.Key_Escape)
    assert listed() == before
    assert gp() != live
    QTest.mouseRelease(area.viewport(), LEFT, pos=place(what_if.article, 58))
    drag(what_if.article, 31, 58)
    qtbot.waitUntil(lambda: bool(gp()) and not ranked._delegate.costs_stale)
    assert gp() == pytest.approx(live)


def test_evidence_says_whether_it_is_of_the_run_or_of_its_copy(what_if):
    def said() -> tuple[str, str]:
        saver = what_if.stage.evidence
        return saver.table(TableKind.RANKED).said, saver.page(LIGHT).body

    key(what_if.article, Qt.Key.Key_K, SHIFT)
    for one in said():
        assert "scratch copy of alpha  ·  1 change, in no file yet" in one
    key(what_if.article, Qt.Key.Key_Escape)
    table, page = said()
    assert table.startswith("alpha, ")
    assert "scratch copy" not in page


def test_effects_of_changes_use_the_deciding_measure(what_if, qtbot):
    board, topic = what_if.inspect.board, panel(what_if).topic
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    for name in ("gP[5]", "gP[1]", "MAgP"):
        board.choose(board.choice.show(board.task, (name,)))
        qtbot.waitUntil(lambda: not board.stale)
        ((measure, (_, _, change)),) = shown(topic).items()
        line = panel(what_if).changes.itemWidget(panel(what_if).changes.item(0))
        assert line.effect.text() == f"{measure} {change}"


def test_a_preview_ends_when_another_document_opens(what_if, qtbot):
    model, article = what_if.inspect.ranked.model, what_if.article
    key(article, Qt.Key.Key_K, SHIFT)  # a change, so that the list stays the same one
    key(article, Qt.Key.Key_1)
    before = model.at(model.index_of("d1")).score
    key(article, Qt.Key.Key_B)
    viewport_event(text_area(article).viewport(), QPointF(place(article, 60)))
    assert model.at(model.index_of("d1")).score != before
    key(article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: what_if.session.document_id == "d2")
    assert model.at(model.index_of("d1")).score == before


def test_the_costs_of_a_copy_that_come_late_are_not_those_of_the_run(what_if, qtbot):
    model, costs = what_if.inspect.ranked.model, what_if.inspect.ranking.costs
    key(what_if.article, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "d1" in model.costs.so_far and not costs._under_way)
    own = model.costs
    key(what_if.article, Qt.Key.Key_W)
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    assert costs._under_way
    key(what_if.article, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not costs._under_way)
    assert model.costs is own


def test_the_right_button_takes_passages_away(what_if, qtbot):
    key(what_if.article, Qt.Key.Key_1)
    spans = what_if.article.overlay.retrieved
    start, end = int(spans.starts[0]), int(spans.ends[0])
    drag(what_if.article, start, end, button=RIGHT)
    assert not what_if.article.overlay.retrieved


def test_the_entry_point_of_the_copy_is_carried_by_its_flag_or_chosen_by_a_click(what_if, qtbot):
    article, gutter = what_if.article, what_if.article.findChild(object, "article-gutter")
    (start, end), *others = spans_of(what_if)
    key(article, Qt.Key.Key_1)  # the unit: a character
    goal = start + 4
    best = what_if.session.state.bep

    def in_margin(offset):
        return gutter.mapFrom(article, text_area(article).viewport().mapTo(article, place(article, offset)))

    def s_after():
        return shown(panel(what_if).document).get("s(x,b)", ("", ""))[1]

    key(article, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: bool(s_after()))
    was = s_after()
    viewport_event(text_area(article).viewport(), QPointF(place(article, goal)))
    qtbot.waitUntil(lambda: s_after() != was)  # the figures follow before the click
    told = s_after()
    QTest.keyClick(text_area(article), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: (s_after(), article.overlay.entry) == (was, start))
    flag = QPoint(gutter.width() - 10, in_margin(start).y())
    QTest.mousePress(gutter, LEFT, pos=flag)
    viewport_event(gutter, QPointF(flag + QPoint(0, 8)))
    viewport_event(gutter, QPointF(in_margin(goal)))
    qtbot.waitUntil(lambda: s_after() == told)
    QTest.mouseRelease(gutter, LEFT, pos=in_margin(goal))
    qtbot.waitUntil(lambda: (article.overlay.entry, s_after()) == (goal, told))
    assert what_if.session.state.bep == best
    assert panel(what_if).changes.count() == 1
    key(article, Qt.Key.Key_Z, CTRL)
    assert spans_of(what_if) == [(start, end), *others]


def test_a_document_that_was_not_retrieved_is_entered_with_a_sentence(what_if):
    article = what_if.article
    key(article, Qt.Key.Key_1)
    for start, end in spans_of(what_if):
        drag(article, start, end, button=RIGHT)
    assert spans_of(what_if) == []
    key(article, Qt.Key.Key_B)
    QTest.mouseClick(text_area(article).viewport(), LEFT, pos=place(article, 7))
    sentence = article.pen_state.snapper.grow(7, 8, Granularity.SENTENCE)
    assert spans_of(what_if) == [(7, sentence[1])]
    assert article.overlay.entry == 7


def test_in_best_in_context_the_pen_says_where_the_run_enters_and_knobs_move_ends(what_if, qtbot):
    board, article = what_if.inspect.board, what_if.article
    board.choose(replace(board.choice, task=Task.BEST_IN_CONTEXT))
    qtbot.waitUntil(lambda: not board.stale)
    key(article, Qt.Key.Key_1)
    [(start, end)] = spans_of(what_if)
    said = []
    article.pen.previewed.connect(lambda stroke: stroke and said.append(what_if.inspect.stroke_effect.said))
    drag(article, end + 5, end + 12)
    assert spans_of(what_if) == [(end + 5, min(end + 5 + end - start, len(WORDS)))]
    assert article.overlay.entry == end + 5
    change = panel(what_if).changes
    assert f"entered at {end + 5}" in change.itemWidget(change.item(0)).said
    assert said[-1].startswith(f"entered at {end + 5}")
    key(article, Qt.Key.Key_Z, CTRL)
    knob, goal = place(article, end - 1, after=True), place(article, end + 7, after=True)
    viewport = text_area(article).viewport()
    QTest.mousePress(viewport, LEFT, pos=knob)
    for step in (0.4, 0.8, 1.0):
        viewport_event(viewport, QPointF(knob + (goal - knob) * step))
    QTest.mouseRelease(viewport, LEFT, pos=goal)
    assert spans_of(what_if) == [(start, end + 8)]
    assert article.overlay.entry == start


def button(what_if, row):
    """The undo of a change in the list, the last one on top."""
    return panel(what_if).changes.itemWidget(panel(what_if).changes.item(row)).undo


def spans_of(what_if):
    return list(what_if.article.overlay.retrieved)


def test_an_end_is_dragged_u_erases_and_the_copy_is_hollow_wherever_it_is_shown(what_if, qtbot):
    key(what_if.article, Qt.Key.Key_1)
    start, end = spans_of(what_if)[0]
    viewport = text_area(what_if.article).viewport()
    grip, goal = place(what_if.article, end - 1, after=True), place(what_if.article, end - 9, after=True)
    QTest.mousePress(viewport, LEFT, pos=grip)
    for step in (0.4, 0.8, 1.0):
        at = QPointF(grip + (goal - grip) * step)
        viewport_event(viewport, at)
    QTest.mouseRelease(viewport, LEFT, pos=goal)
    assert spans_of(what_if) == [(start, end - 8)]
    assert list(what_if.article.overlay.before) == [(end - 8, end)], "what was there is framed with dashes"
    assert "Dashed frame: retrieved before" in what_if.inspect.on_article.legend.accessibleDescription()
    knob = QRect(place(what_if.article, end - 9, after=True) + QPoint(-3, 8), QSize(6, 20))
    with_pen = viewport.grab(knob).toImage()
    key(what_if.article, Qt.Key.Key_U)
    assert viewport.grab(knob).toImage() != with_pen, "ends are there to drag while the pen is in the hand"
    drag(what_if.article, start, start + 4)
    assert spans_of(what_if) == [(start + 4, end - 8)]
    from_best = start + 4 - what_if.session.state.bep
    said = f"entry point, {abs(from_best)} {'before' if from_best < 0 else 'after'}"
    assert said in what_if.inspect.on_article.legend.shown(), "the entry point that the copy has by now"
    assert panel(what_if).changes.count() == 2
    lanes = {lane.name: lane for lane in what_if.article.overlay.lanes}
    assert [name for name, lane in lanes.items() if lane.hollow] == ["alpha"]
    assert list(lanes["alpha"].spans) == spans_of(what_if)
    picker, topic = what_if.inspect.picker, shown(panel(what_if).topic)
    own = picker.value(what_if.session.run)
    assert own == f"{float(next(iter(topic.values()))[1]):.3f}"
    key(what_if.article, Qt.Key.Key_Escape)
    key(what_if.article, Qt.Key.Key_Escape)
    assert not any(lane.hollow for lane in what_if.article.overlay.lanes)
    assert picker.value(what_if.session.run) != own


def viewport_event(viewport, at):
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), Qt.MouseButton.NoButton, LEFT, NONE
    )
    QApplication.sendEvent(viewport, event)


def test_any_change_is_undone_in_the_list_and_the_others_stay(what_if, qtbot):
    before = spans_of(what_if)
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    drag(what_if.article, 50, 55)
    both = spans_of(what_if)
    assert both == [*before, (33, 45), (50, 55)]
    effects = [*what_if.inspect.scratch_copies.effects()]
    qtbot.mouseClick(button(what_if, 1), LEFT)  # the first one
    assert spans_of(what_if) == [*before, (50, 55)]
    assert panel(what_if).changes.count() == 1
    assert what_if.inspect.scratch_copies.effects()[0] != 0
    assert len(effects) == 2
    drag(what_if.article, 33, 45)
    qtbot.mouseClick(panel(what_if).undo_all, LEFT)
    assert spans_of(what_if) == before
    assert panel(what_if).changes.count() == 0


def test_changes_outlive_the_run_being_read_again_or_closed(what_if, campaign, qtbot):
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    changed = spans_of(what_if)
    run = what_if.session.run
    what_if.session.add_run(replace(run))
    assert what_if.session.run is not run
    assert what_if.messages.current.text == f"{run.id} was read again, with the 1 change made to it here."
    assert panel(what_if).changes.count() == 1
    assert spans_of(what_if) == changed
    assert what_if.session.run.path == campaign.with_name("alpha.txt")
    what_if.session.close_run()
    assert "Opened again here, it has its 1 change again" in what_if.messages.current.text
    what_if.session.add_run(replace(run))
    key(what_if.article, Qt.Key.Key_W)
    assert panel(what_if).changes.count() == 1
    assert spans_of(what_if) == changed


def test_the_dialog_saves_in_the_format_that_is_chosen(what_if, tmp_path, qtbot, monkeypatch):
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    offered = []

    def choose(_parent, _title, _suggested, kinds, _first):
        offered.extend(kinds.split(";;"))
        kind = next(one for one in offered if "XML" in one)
        return str(tmp_path / "changed"), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    saved = tmp_path / "changed.xml"  # a name that the file dialog has not seen
    saved.write_text("of somebody else")
    asked = answering(monkeypatch, "Cancel")
    key(what_if.article, Qt.Key.Key_S, CTRL | SHIFT)
    assert asked == ["Replace changed.xml?"]
    answering(monkeypatch, "Replace")
    assert saved.read_text() == "of somebody else"
    key(what_if.article, Qt.Key.Key_S, CTRL | SHIFT)
    qtbot.waitUntil(lambda: saved.read_text().lstrip().startswith("<"))
    assert len(offered) > 2


def test_a_scratch_copy_is_not_lost_without_asking_when_the_window_closes(
    what_if, tmp_path, qtbot, monkeypatch, capsys
):
    asked = answering(monkeypatch, "Cancel")
    key(what_if.article, Qt.Key.Key_1)
    drag(what_if.article, 33, 45)
    changed = spans_of(what_if)
    what_if.session.close_run()  # its changes are still there, and would be lost
    assert not what_if.close()
    assert asked == ["Save the scratch copy of alpha as a run?"]
    assert what_if.isVisible()

    path = tmp_path / "saved.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    answering(monkeypatch, "Save as run…")
    assert not what_if.close()
    assert what_if.inspect.scratch_copies.unsaved, "no name was given, so the window stays"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    assert not what_if.close()
    qtbot.waitUntil(lambda: not what_if.isVisible())
    assert f"{changed[-1][0]} {changed[-1][1] - changed[-1][0]}" in path.read_text()


def test_figures_before_and_after_are_in_line_whatever_changes(qtbot):
    changed, same = FigureGrid("Document", "Doc", headed=True), FigureGrid("Topic")
    panel = QWidget()
    panel.setStyleSheet(style_sheet(LIGHT))  # the fonts are its, whatever tests ran before
    in_column(changed, same, on=panel, margins=0)
    changed.show_rows([("P(d)", "0.7269", "0.6860", "−0.0409")])
    same.show_rows([("AgP", "0.7934", "0.7934", "0")])
    qtbot.addWidget(panel)
    panel.resize(300, 200)
    with qtbot.waitExposed(panel):
        panel.show()
    for one, other in zip(changed.rows[0][1:], same.rows[0][1:], strict=True):
        assert one.geometry().right() == other.geometry().right()
    assert [grid.arrows[0].text() for grid in (changed, same)] == ["→", ""]
    assert [grid.rows[0][2].property("role") for grid in (changed, same)] == ["value", "muted"]
    panel.resize(200, 200)
    qtbot.waitUntil(lambda: changed.caption.text() == "DOC")
    assert changed.rows[0][0].text() == "P(d)"
