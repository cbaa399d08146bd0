"""A run over the judged text: what it found, what it scores, and who may change anything."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inexview import Spans
from inexview.gui.inspect.run_scoring import FigureAsked, FigureLevel
from inexview.gui.services.actions import Room
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import (
    LEFT,
    double_click,
    key,
    marked,
    place,
    see_runs,
    text_area,
)
from tests.gui.shell.lenses import drag_over, find, go_to, notice_of, text_of

RUN = """7 Q0 12 1 9.5 careful {start} {length}
7 Q0 13 2 8.5 careful 0 9999
7 Q0 404 3 7.5 careful 10 20
"""


@pytest.fixture
def inspecting(window, qtbot, tmp_path):
    go_to(qtbot, window, "12")
    drag_over(window, "lamps burn")
    key(window.article, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    start, length = find(window, "Its lamps") - 10, 20
    (tmp_path / "careful.txt").write_text(RUN.format(start=start, length=length))
    window.open_run(tmp_path / "careful.txt")
    qtbot.waitUntil(lambda: window.session.run is not None)
    see_runs(window)
    return window


def test_a_run_is_shown_over_the_judged_text_and_scored(inspecting, qtbot):
    window = inspecting
    assert window.mode is Mode.INSPECT
    overlay = window.article.overlay
    assert overlay.retrieved == Spans([(overlay.bep - 10, overlay.bep + 10)])
    assert overlay.entry == overlay.bep - 10
    p, r, f, s = (row.reading for row in window.inspect.scores.rows.rows)
    assert (p.ratio.numerator, p.ratio.denominator) == (10, 20)
    assert (r.ratio.numerator, r.ratio.denominator) == (10, 25)
    assert f.value == pytest.approx(2 * 0.5 * 0.4 / 0.9)
    length = len(window.session.document.text)
    assert s.value == pytest.approx(0.1 * length / (0.1 * length + 10))


def test_scores_change_while_the_pen_is_dragged(inspecting, qtbot):
    window, seen = inspecting, []
    window.article.pen.previewed.connect(
        lambda _stroke: seen.append(window.inspect.scores.rows.rows[1].reading.value)
    )
    window.book["edit-judgements"].trigger()
    drag_over(window, "A new line in the source.")
    assert 10 / 51 in [pytest.approx(value) for value in seen]


def test_documents_of_a_run_missing_from_the_collection_are_reported(inspecting, qtbot):
    message = inspecting.messages
    told = "Document 404 of careful is not in the collection."
    qtbot.waitUntil(lambda: message.current is not None and told in message.current.text)


def test_inspect_is_read_only_until_editing_is_turned_on(inspecting, qtbot):
    window = inspecting
    window.session.set_entry_point(find(window, "Its lamps"))
    assert window.session.finish()
    before = marked(window)
    area = text_area(window.article).viewport()
    spot = place(window.article, find(window, "new line"))
    double_click(area, spot)
    assert text_of(window, window.article.selection) == "new"
    for name in (Qt.Key.Key_H, Qt.Key.Key_S, Qt.Key.Key_U, Qt.Key.Key_N, Qt.Key.Key_Delete):
        key(window.article, name)
    drag_over(window, "A new line in the source.")
    assert marked(window) == before
    assert window.session.state.finished
    key(window.article, Qt.Key.Key_E)
    assert window.book.room is Room.EDIT
    assert window.frame.framed
    drag_over(window, "A new line in the source.")
    assert "A new line in the source." in " ".join(marked(window))
    assert "1 document changed since finished" in window.inspect.editing.said
    assert window.inspect.note.text() == window.inspect.editing.said
    assert window.inspect.editing.said in window.inspect.runs.note.text()
    key(window.article, Qt.Key.Key_Escape)
    assert window.book.room is Room.INSPECT
    assert not window.frame.framed
    assert not window.session.state.finished
    assert "1 document was changed since finished" in window.messages.current.text
    window.book["undo"].trigger()
    assert window.session.state.finished
    assert window.messages.current is None, "there is nothing to finish any more"
    window.book["redo"].trigger()
    window.inspect.editing.offer()
    qtbot.mouseClick(window.messages._button, LEFT)
    assert window.session.state.finished
    assert window.inspect.editing.said == ""
    assert window.inspect.note.isHidden()


def test_in_assess_the_run_is_hidden(inspecting):
    assert not inspecting.status._blind.isVisible()
    inspecting.set_mode(Mode.ASSESS)
    assert inspecting.article.overlay.retrieved is None
    assert inspecting.status._blind.text() == "Run hidden while you judge"
    inspecting.book["close-run"].trigger()
    assert not inspecting.status._blind.isVisible()


def test_the_pool_follows_what_became_of_it_while_one_inspected(inspecting, qtbot):
    pool = inspecting.assess.pool
    inspecting.show_assess()
    pool.view.selectAll()
    assert pool.view.selected_count() > 1
    see_runs(inspecting)
    assert pool.view.selected_count() < 2, "N would judge what nobody sees"
    inspecting.session.open_topic("8")
    qtbot.waitUntil(lambda: inspecting.session.document is not None and inspecting.session.reading.ready)
    inspecting.session.not_relevant()
    inspecting.session.close_run()
    here = inspecting.session.document_id
    inspecting.book["next-document"].trigger()  # no run: by the pool, which nobody sees
    qtbot.waitUntil(lambda: inspecting.session.document_id != here)
    assert pool.model.progress().finished == 1
    inspecting.session.open_topic("7")
    inspecting.show_assess()
    assert pool.model.progress().finished == 0
    assert pool.model.current == inspecting.session.document_id


def test_a_click_in_the_ranking_opens_the_document_at_its_first_passage(inspecting, qtbot):
    window = inspecting
    view = window.inspect.ranked.view
    index = window.inspect.ranked.model.index(1)
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
    qtbot.waitUntil(lambda: window.session.document_id == "13")
    assert window.article.overlay.entry == 0


def test_a_missing_ranked_document_is_reported_in_its_place(inspecting, qtbot):
    window = inspecting
    window.session.open_document("404")
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert "404" in notice_of(window).text()
    assert notice_of(window).isVisible()
    assert QApplication.activeModalWidget() is None
    window.session.open_document("12")
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert not notice_of(window).isVisible()


def test_the_explanation_disappears_for_an_unreadable_document(inspecting, qtbot):
    stage = inspecting.inspect
    stage.derive(FigureAsked(FigureLevel.DOCUMENT, "F(d)"))
    assert stage.derivation.title.full_text.startswith("F(d) ")
    inspecting.session.open_document("404")
    qtbot.waitUntil(lambda: inspecting.session.failed is not None)
    assert stage.derivation.isVisible()
    assert stage.derivation.title.full_text == "No figure"


def test_the_subtitle_shows_how_the_run_retrieved_the_document(inspecting):
    area = text_area(inspecting.article)
    assert area.layers.subtitle.text == "rank 1 · hits 10 · misses 15 · false alarms 10 · 12 · careful"
    inspecting.set_mode(Mode.ASSESS)
    assert area.layers.subtitle.text.startswith("12 · ")


def test_passages_past_the_end_and_overlaps_are_reported_in_the_document(window, qtbot, tmp_path):
    lines = ("7 Q0 12 1 9 odd 0 30", "7 Q0 12 2 8 odd 20 30", "7 Q0 12 3 7 odd 60 99999")
    (tmp_path / "odd.txt").write_text("\n".join(lines) + "\n")
    go_to(qtbot, window, "12")
    window.open_run(tmp_path / "odd.txt")
    qtbot.waitUntil(lambda: window.messages.current is not None)
    see_runs(window)
    told = window.messages.current.text
    assert "odd.txt, topic 7, 12: 1 of its 3 results here overlap" in told
    assert f"1 end past the article's {window.session.document.length:,} characters" in told
    window.messages.clear()
    window.session.mark(0, 10)
    assert window.messages.current is None


def test_retrieved_text_of_an_unjudged_document_is_not_a_false_alarm(inspecting, qtbot):
    window = inspecting
    window.session.open_document("13")
    qtbot.waitUntil(lambda: window.session.document_id == "13")
    channels = text_area(window.article).layers.channels
    assert channels.unjudged.size
    assert not channels.false_alarms
    window.session.not_relevant()
    assert text_area(window.article).layers.channels.false_alarms.size
