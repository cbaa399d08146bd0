"""The whole way with real events: mark, erase, undo, entry point, finish, export, read back, inspect."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview import Spans, read_qrels
from inexview.core.formats.tables.text_formats import FOL_QRELS
from inexview.core.project.project import Project
from inexview.gui.article.notice import Notice
from inexview.gui.article.overlays import Tool
from inexview.gui.dialogs.export_dialog import Choice
from inexview.gui.dialogs.guide import GuideWindow
from inexview.gui.services.appearance import Appearance
from inexview.gui.services.room import Room
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.gui.driving import (
    ALT,
    LEFT,
    NONE,
    RIGHT,
    click,
    double_click,
    drag,
    key,
    place,
    see_runs,
    text_area,
)

TOPICS = """<?xml version="1.0"?>
<inex-topic-file>
<topic id="7" ct_no="1"><title>lenses</title><castitle>//article[about(., lenses)]</castitle>
<phrasetitle>"lens"</phrasetitle><description>How lenses were made.</description>
<narrative>Relevant is what says how a lens was made.</narrative></topic>
<topic id="8" ct_no="2"><title>oil</title><castitle></castitle><phrasetitle></phrasetitle>
<description>Oil.</description><narrative>Anything on oil.</narrative></topic>
</inex-topic-file>
"""
WIKI_2006 = """<article><name id="11">Lens 🔭</name><conversionwarning>0</conversionwarning><body>
<p>The first lens was cast. It was 𝒳-shaped, says Dr. Vell; e\u0301tude in glass.
A third sentence\u00a0ends here.</p>
<section><title>Making</title>
<p>Glass was ground for weeks. Then it was polished.</p>
<normallist><item>First, sand and soda.</item><item>Second, fire &amp; patience.</item></normallist></section>
</body></article>"""
WIKI_2009 = """<article><header><title>Lamp</title><id>12</id></header><bdy>
<p>A lamp burns oil. <person confidence="0.8"><link>Argand</link></person> gave it a round wick.</p>
<sec><st>Light</st><p>東京 is bright. Its lamps burn all night.\r\nA new line in the source. Last one.</p>
<table><row><col>Year</col><col>Lamps</col></row><row><col>1784</col><col>one</col></row></table></sec>
</bdy></article>"""
IEEE = """<article><fno>R7108</fno><fm><tig><atl>On grinding</atl></tig>
<au><fnm>A.</fnm><snm>Mol</snm></au></fm>
<bdy><sec><st>Tools</st><ip1>A lathe turns. It needs a steady hand.</ip1>
<p>Water cools the glass. No one hurries.</p>
</sec></bdy></article>"""


@pytest.fixture
def project_path(tmp_path):
    collection = tmp_path / "articles"
    collection.mkdir()
    for name, xml in (("11", WIKI_2006), ("12", WIKI_2009), ("13", IEEE)):
        (collection / f"{name}.xml").write_bytes(xml.encode("utf-8"))
    (tmp_path / "topics.xml").write_text(TOPICS, encoding="utf-8")
    path = tmp_path / "lenses.inexview"
    pool = tmp_path / "pool.txt"
    pool.write_text("".join(f"{topic} {document}\n" for topic in (7, 8) for document in (11, 12, 13)))
    topics = tmp_path / "topics.xml"
    Project.create(path, collection=collection, topics=topics, pool=pool, assessor="ada").close()
    return path


@pytest.fixture
def open_window(qtbot, qapp, settings):
    opened = []

    def open_project(path: Path) -> MainWindow:
        window = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
        window.resize(1300, 900)
        window.show()
        opened.append(window)
        qtbot.waitUntil(lambda: window.session.document is not None)
        settle(qtbot, window)
        return window

    yield open_project
    for window in opened:
        window.close()
        window.deleteLater()


@pytest.fixture
def window(open_window, project_path):
    return open_window(project_path)


def settle(qtbot, window):
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    window.article.setFocus()


def go_to(qtbot, window, document_id):
    window.session.open_document(document_id)
    qtbot.waitUntil(lambda: window.session.document.id == document_id)
    settle(qtbot, window)


def text_of(window, span):
    return window.session.document.text[span[0] : span[1]]


def marked(window):
    return [text_of(window, span) for span in window.session.state.marks]


def find(window, words):
    return window.session.document.text.index(words)


def drag_over(window, words, **how):
    start = find(window, words)
    drag(window.article, start, start + len(words), **how)


CASES = {
    "11": ("was ground for", "Glass was ground for weeks.", "First, sand", "First, sand and soda."),
    "12": ("lamps burn", "Its lamps burn all night.", "gave it", "Argand gave it a round wick."),
    "13": ("needs a", "It needs a steady hand.", "hurries", "No one hurries."),
}


def test_mark_erase_undo_entry_point_finish_export_and_read_back(window, qtbot, tmp_path):
    for document_id in CASES:
        judge_and_read_back(window, qtbot, document_id, tmp_path / f"{document_id}.txt")


def judge_and_read_back(window, qtbot, document_id, exported):
    go_to(qtbot, window, document_id)
    words, sentence, more_words, more = CASES[document_id]
    drag_over(window, words)
    assert marked(window) == [sentence]
    drag_over(window, more_words)
    assert sorted(marked(window)) == sorted([sentence, more])
    drag_over(window, words, button=RIGHT)
    assert marked(window) == [more]
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert sorted(marked(window)) == sorted([sentence, more])
    key(window.article, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == [more]

    key(window.article, Qt.Key.Key_F)
    assert not window.session.state.finished
    assert "best entry point" in window.messages.current.text

    key(window.article, Qt.Key.Key_B)
    click(window.article, find(window, more_words))
    assert window.session.state.bep == find(window, more)
    before = window.session.state
    key(window.article, Qt.Key.Key_F)
    assert window.session.project.state("7", document_id).finished

    window.messages.clear()
    window.exporting.export(Choice(FOL_QRELS, None, folder=False, lost=()), exported)
    qtbot.waitUntil(exported.exists)
    read = read_qrels(exported).judgement("7", document_id)
    document = window.session.project.collection.load(document_id)
    assert read.passages == before.marks
    assert (read.bep, read.rsize, read.length) == (before.bep, len(more), len(document.text))
    assert [document.text[start:end] for start, end in read.passages] == [more]
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "Left out" in window.messages.current.text


def triple_click(window, words):
    viewport, point = text_area(window.article).viewport(), place(window.article, find(window, words))
    QTest.mouseClick(viewport, LEFT, NONE, point)
    double_click(viewport, point)
    QTest.mousePress(viewport, LEFT, NONE, point)
    QTest.mouseRelease(viewport, LEFT, NONE, point)


def test_a_triple_click_is_one_step_of_undo(window, qtbot):
    go_to(qtbot, window, "11")
    triple_click(window, "was ground for")
    assert marked(window) == ["Glass was ground for weeks. Then it was polished."]
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == []
    assert not window.book["undo"].isEnabled()


def test_a_triple_click_on_a_marked_sentence_takes_nothing_back_that_was_done_before(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "First, sand")
    drag_over(window, "was ground for")
    triple_click(window, "was ground for")
    assert marked(window) == ["Glass was ground for weeks. Then it was polished.\nFirst, sand and soda."]
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == ["Glass was ground for weeks.", "First, sand and soda."]


def test_a_triple_click_with_the_eraser_is_one_step_too(window, qtbot):
    go_to(qtbot, window, "11")
    triple_click(window, "was ground for")
    key(window.article, Qt.Key.Key_U)
    triple_click(window, "was ground for")
    assert marked(window) == []
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == ["Glass was ground for weeks. Then it was polished."]


def test_further_clicks_and_the_key_of_elements_go_through_what_holds_a_place_and_round(window, qtbot):
    go_to(qtbot, window, "11")
    triple_click(window, "was ground for")
    viewport, point = text_area(window.article).viewport(), place(window.article, find(window, "was ground"))
    sizes = [window.session.state.marks.size]
    told = [window.messages.current.text]
    for _ in range(5):
        QTest.mousePress(viewport, LEFT, NONE, point)
        QTest.mouseRelease(viewport, LEFT, NONE, point)
        sizes.append(window.session.state.marks.size)
        told.append(window.messages.current.text)
    assert told == [
        f"{name} at this place"
        for name in (
            *("paragraph · 3 of 6", "section · 4 of 6", "body · 5 of 6", "article · 6 of 6"),
            *("word · 1 of 6", "sentence · 2 of 6"),
        )
    ]
    assert sizes[:4] == sorted(sizes[:4])
    assert marked(window) == ["Glass was ground for weeks."]
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == []
    window.article.place_caret(find(window, "First, sand"))
    taken = []
    for _ in range(6):
        key(window.article, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
        taken.append(marked(window)[0].strip().split()[-1])
    assert taken == ["soda.", "patience.", "patience.", "patience.", "patience.", "soda."]
    assert window.messages.current.text == "item · 1 of 5 at this place"
    assert len(window.session.project.histories.of("7", "11").done) == 1


def test_alt_drags_exactly_also_past_characters_that_qt_counts_twice(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "𝒳-shaped, says Dr", modifiers=ALT)
    assert marked(window) == ["𝒳-shaped, says Dr"]
    drag_over(window, "says", button=RIGHT, modifiers=ALT)
    assert marked(window) == ["𝒳-shaped, ", " Dr"]


def test_a_mark_crosses_paragraph_heading_and_list(window, qtbot):
    go_to(qtbot, window, "11")
    start, end = find(window, "third sentence"), find(window, "sand and")
    drag(window.article, start, end + 4)
    ((first, last),) = window.session.state.marks
    assert window.session.document.text[first:].startswith("A third sentence")
    assert window.session.document.text[:last].endswith("sand and soda.")


def test_erasing_the_middle_splits_and_marking_it_joins(window, qtbot):
    go_to(qtbot, window, "11")
    drag(window.article, find(window, "first lens"), find(window, "ends here"))
    assert len(window.session.state.marks) == 1
    drag_over(window, "shaped", button=RIGHT, modifiers=ALT)
    assert len(window.session.state.marks) == 2
    drag_over(window, "shaped", modifiers=ALT)
    assert len(window.session.state.marks) == 1


def test_the_eraser_is_a_tool_too(window, qtbot):
    go_to(qtbot, window, "13")
    drag_over(window, "lathe")
    key(window.article, Qt.Key.Key_U)
    assert window.article.hand.tool is Tool.ERASE
    drag_over(window, "lathe")
    assert marked(window) == []
    key(window.article, Qt.Key.Key_H)
    assert window.article.hand.tool is Tool.MARK


def test_scores_and_figures_follow_the_pen_before_it_is_lifted(window, qtbot):
    go_to(qtbot, window, "12")
    seen = []
    window.article.stroke_previewed.connect(lambda _s: seen.append(window.assess.panel.facts.value("Marked")))
    drag_over(window, "lamps burn")
    length = len(window.session.document.text)
    wanted = f"25 of {length:,}"
    assert any(value.startswith(wanted) for value in seen)
    assert window.assess.panel.facts.value("Marked").startswith(wanted)


def test_everything_by_keyboard(window, qtbot):
    go_to(qtbot, window, "12")
    window.article.place_caret(find(window, "lamps burn"))
    key(window.article, Qt.Key.Key_S)
    assert marked(window) == ["Its lamps burn all night."]
    assert window.article.caret == find(window, "A new line")
    window.article.place_caret(find(window, "lamps burn"))
    key(window.article, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert window.session.state.bep == find(window, "Its lamps")
    key(window.article, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.state.bep is None
    key(window.article, Qt.Key.Key_B)
    key(window.article, Qt.Key.Key_B)
    assert window.session.state.bep == find(window, "Its lamps")
    key(window.article, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: window.session.document.id != "12")
    assert window.session.project.state("7", "12").finished


def test_selecting_with_the_keyboard_and_h_marks_the_whole_sentence(window, qtbot):
    go_to(qtbot, window, "13")
    window.article.place_caret(find(window, "steady"))
    for _ in range(4):
        key(window.article, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    key(window.article, Qt.Key.Key_H)
    assert marked(window) == ["It needs a steady hand."]


def test_not_relevant_takes_one_key_clears_marks_and_is_one_step(window, qtbot):
    go_to(qtbot, window, "13")
    drag_over(window, "lathe")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document.id != "13")
    state = window.session.project.state("7", "13")
    assert (state.finished, state.relevant, state.bep) == (True, False, None)
    go_to(qtbot, window, "13")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == ["A lathe turns."]


def test_any_edit_un_finishes(window, qtbot):
    go_to(qtbot, window, "13")
    key(window.article, Qt.Key.Key_N)
    go_to(qtbot, window, "13")
    assert window.session.state.finished
    drag_over(window, "lathe")
    assert not window.session.state.finished


def test_a_document_opens_where_it_was_left_with_its_history_after_a_restart(
    window, open_window, project_path, qtbot
):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    window.close()
    again = open_window(project_path)
    go_to(qtbot, again, "11")
    assert marked(again) == ["Glass was ground for weeks."]
    key(again.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(again) == []


def test_a_window_is_closed_once_however_often_it_is_asked(window):
    told = []
    window.closed.connect(told.append)
    assert window.close()
    again = QCloseEvent()
    QApplication.sendEvent(window, again)
    assert again.isAccepted()
    assert told == [window]


def test_without_its_entry_point_a_document_is_not_finished_and_one_click_mends_that(window, qtbot):
    go_to(qtbot, window, "12")
    drag_over(window, "lamps burn")
    key(window.article, Qt.Key.Key_F)
    assert not window.session.state.finished
    qtbot.mouseClick(window.messages._button, LEFT)
    assert window.session.state.bep == find(window, "Its lamps")
    assert window.messages.current is None
    key(window.article, Qt.Key.Key_F)
    assert window.session.project.state("7", "12").finished


def test_all_documents_done_is_said(window, qtbot):
    for document_id in ("11", "12", "13"):
        go_to(qtbot, window, document_id)
        key(window.article, Qt.Key.Key_N)
        qtbot.wait(5)
    assert "All documents" in window.messages.current.text


def test_the_palette_opens_documents_and_does_commands(window, qtbot):
    qtbot.waitUntil(lambda: window.assess.pool.model.about("13").title == "On grinding")
    key(window.article, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.popup.field, "grinding")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.id == "13")
    key(window.article, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.popup.field, "inspect")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.mode is Mode.INSPECT


def test_topics_are_chosen_from_a_list_that_says_how_far_each_is(window, qtbot):
    key(window.article, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    entry = window.popup.view.model().rows[1]
    assert (entry.text, entry.note) == ("8  oil", "0 of 3 finished")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Down)
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.session.topic.id == "8"
    assert "Anything on oil." in window.assess.panel.text.text()


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


def test_a_run_lies_over_the_judged_text_and_is_scored(inspecting, qtbot):
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
    window.article.stroke_previewed.connect(
        lambda _stroke: seen.append(window.inspect.scores.rows.rows[1].reading.value)
    )
    window.book["edit-judgements"].trigger()
    drag_over(window, "A new line in the source.")
    assert 10 / 51 in [pytest.approx(value) for value in seen]


def test_a_run_that_names_documents_that_are_not_there_says_so(inspecting, qtbot):
    message = inspecting.messages
    told = "1 of the 3 documents of careful are not in the collection:"
    qtbot.waitUntil(lambda: message.current is not None and told in message.current.text)
    assert message.current.text.endswith("404")


def test_inspect_is_read_only_until_one_asks_for_the_pen(inspecting, qtbot):
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
    assert window.rooms.room is Room.EDIT
    assert window.frame.framed
    drag_over(window, "A new line in the source.")
    assert "A new line in the source." in " ".join(marked(window))
    assert "1 document changed since finished" in window.inspect.editing.said
    assert window.inspect.stage.note.text() == window.inspect.editing.said
    assert window.inspect.editing.said in window.inspect.runs.list.note.text()
    key(window.article, Qt.Key.Key_Escape)
    assert window.rooms.room is Room.INSPECT
    assert not window.frame.framed
    assert not window.session.state.finished
    assert "1 document was changed since finished" in window.messages.current.text
    qtbot.mouseClick(window.messages._button, LEFT)
    assert window.session.state.finished
    assert window.inspect.editing.said == ""
    assert window.inspect.stage.note.isHidden()


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
    qtbot.waitUntil(lambda: window.session.document.id == "13")
    assert window.article.overlay.entry == 0


def test_a_ranked_document_that_is_not_there_is_told_in_its_place_and_blocks_nothing(inspecting, qtbot):
    window = inspecting
    window.session.open_document("404")
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert "404" in notice_of(window).text()
    assert notice_of(window).isVisible()
    assert QApplication.activeModalWidget() is None
    window.session.open_document("12")
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert not notice_of(window).isVisible()


def notice_of(window):
    return window.article.findChild(Notice)


@pytest.fixture
def broken(project_path, open_window, qtbot):
    (project_path.parent / "articles" / "12.xml").write_text("<article>\n<name>Lamp</article>")
    window = open_window(project_path)
    go_to(qtbot, window, "11")
    return window


def test_a_document_that_is_no_xml_says_so_in_its_place_and_one_goes_on_from_it(broken, qtbot):
    window = broken
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert "12.xml:2" in notice_of(window).text()
    assert window.article.document is None
    assert window.assess.panel.facts.value("Marked") == "–"
    drag_nowhere = text_area(window.article).viewport()
    qtbot.mouseClick(drag_nowhere, LEFT)
    key(window.article, Qt.Key.Key_H)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "13")
    assert not window.session.project.state("7", "12").finished
    key(window.article, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    key(window.article, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "11")


def test_when_only_the_unreadable_document_is_left_that_is_said(broken, qtbot):
    window = broken
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document is not None)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.failed is not None)
    key(window.article, Qt.Key.Key_F)
    assert "cannot be read" in window.messages.current.text


def test_e_selects_the_sentence_and_then_one_more_each_time(window, qtbot):
    go_to(qtbot, window, "12")
    window.article.place_caret(find(window, "lamps burn"))
    selected = []
    for _ in range(3):
        key(window.article, Qt.Key.Key_E)
        selected.append(" ".join(text_of(window, window.article.selection).split()))
    assert selected == [
        "Its lamps burn all night.",
        "Its lamps burn all night. A new line in the source.",
        "Its lamps burn all night. A new line in the source. Last one.",
    ]
    key(window.article, Qt.Key.Key_H)
    assert len(marked(window)) == 1


def test_a_topic_without_a_pool_says_so(qtbot, open_window, project_path, tmp_path):
    pool = tmp_path / "pool-of-one-topic.txt"
    pool.write_text("7 11\n")
    path = tmp_path / "half.inexview"
    topics = tmp_path / "topics.xml"
    Project.create(path, collection=tmp_path / "articles", topics=topics, pool=pool).close()
    window = open_window(path)
    key(
        window.article, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    assert window.session.topic.id == "8"
    assert "no documents" in notice_of(window).text()
    assert window.assess.panel.facts.value("Marked") == "–"
    key(window.article, Qt.Key.Key_N)
    key(window.article, Qt.Key.Key_J)
    assert window.session.document is None


def test_pressing_j_fast_skips_as_many_documents_as_it_is_pressed(window, qtbot):
    go_to(qtbot, window, "11")
    key(window.article, Qt.Key.Key_J)
    key(window.article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: window.session.document.id == "13")


def test_what_the_pen_did_and_the_passage_gone_to_are_announced(window, qtbot, monkeypatch):
    heard = []
    monkeypatch.setattr("inexview.gui.assess.assess_desk.announce", lambda _widget, text: heard.append(text))
    go_to(qtbot, window, "12")
    drag_over(window, "lamps burn")
    key(window.article, Qt.Key.Key_BracketRight)
    assert heard == [
        "1 passage, 25 characters; no best entry point",
        "passage 1 of 1, 25 characters",
    ]


def test_while_inspecting_the_line_under_the_title_says_how_the_run_found_the_document(inspecting):
    area = text_area(inspecting.article)
    assert area.subtitle.text == "rank 1 · hits 10 · misses 15 · false alarms 10 · 12 · careful"
    inspecting.set_mode(Mode.ASSESS)
    assert area.subtitle.text.startswith("12 · ")


def test_a_run_that_runs_past_the_end_or_overlaps_itself_is_told_in_its_document(window, qtbot, tmp_path):
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


def test_why_a_project_can_only_be_read_is_said(open_window, project_path, monkeypatch):
    real = Project.open
    monkeypatch.setattr(Project, "open", lambda path: real(path, read_only=True))
    window = open_window(project_path)
    assert window.messages.current.text.startswith(f"{project_path} was opened read-only")
    assert "read-only" in window.status._saved.toolTip()


def test_who_finished_too_fast_goes_back_with_undo_and_one_click(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document.id == "12")
    assert "1 passage was taken away" in window.messages.current.text
    qtbot.mouseClick(window.messages._button, LEFT)
    qtbot.waitUntil(lambda: window.session.document.id == "11")
    assert marked(window) == ["Glass was ground for weeks."]


def test_undo_goes_back_over_the_documents_judged_in_a_row(window, qtbot):
    go_to(qtbot, window, "11")
    for following in ("12", "13"):
        key(window.article, Qt.Key.Key_N)
        qtbot.waitUntil(lambda wanted=following: window.session.document.id == wanted)
    for before in ("12", "11"):
        key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda wanted=before: window.session.document.id == wanted)
        assert not window.session.state.finished
    assert "Undone in Lens" in window.messages.current.text
    assert not window.book["undo"].isEnabled()


def test_undo_takes_back_what_was_done_here_before_what_was_done_elsewhere(window, qtbot):
    go_to(qtbot, window, "13")
    drag_over(window, "needs a")
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    go_to(qtbot, window, "13")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.id == "13"
    assert marked(window) == []
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.id == "11")
    assert marked(window) == []


def test_undo_leaves_what_was_done_on_an_earlier_day_to_the_last(open_window, project_path, qtbot):
    with Project.open(project_path) as project:
        project.mark("7", "12", 5, 20)
    window = open_window(project_path)
    go_to(qtbot, window, "11")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document.id == "12")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.id == "11")
    assert not window.session.state.finished
    assert window.session.project.state("7", "12").relevant
    go_to(qtbot, window, "12")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.state.relevant


def test_what_a_run_found_in_an_unjudged_document_is_no_false_alarm(inspecting, qtbot):
    window = inspecting
    window.session.open_document("13")
    qtbot.waitUntil(lambda: window.session.document.id == "13")
    channels = text_area(window.article).layers.channels
    assert channels.unjudged.size
    assert not channels.false_alarms
    window.session.not_relevant()
    assert text_area(window.article).layers.channels.false_alarms.size


def test_a_message_covers_neither_the_text_nor_the_strip_and_moves_no_line(window, qtbot):
    """The bar takes its room from below the text."""
    area, strip, bar = text_area(window.article), window.article.strip, window.messages
    first = area.lines()[0].start
    below = strip.geometry()
    window.messages.warn("Something that matters. " * 12)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.height() > 30)
    qtbot.waitUntil(lambda: not bar.geometry().intersects(area.geometry()))
    assert not bar.geometry().intersects(strip.geometry())
    qtbot.waitUntil(lambda: strip.geometry() == below)
    assert area.lines()[0].start == first
    window.messages.clear()
    qtbot.waitUntil(lambda: area.geometry().bottom() + 1 == strip.geometry().top())
    assert area.lines()[0].start == first


def test_alt_opens_the_menus_and_each_has_its_letter(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_G, ALT)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert menu.title() == "&Go"
    menu.close()


def test_f1_opens_the_page_of_where_one_is(window, qtbot):
    QTest.keyClick(text_area(window.article), Qt.Key.Key_F1)
    guide = window.findChild(GuideWindow)
    assert guide.page.source().fileName() == "assess.md"
    guide.close()
