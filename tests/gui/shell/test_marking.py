"""Marking and erasing with mouse and keys, to the qrels that are read back."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview import read_qrels
from inexview.core.article.granularity import Granularity
from inexview.core.formats.format import FOL_QRELS
from inexview.core.judgements.topics import Topic
from inexview.gui.article.overlays import Tool
from inexview.gui.commands.dialogs import Choice
from tests.gui.driving import (
    ALT,
    LEFT,
    NONE,
    RIGHT,
    click,
    double_click,
    drag,
    key,
    marked,
    place,
    text_area,
)
from tests.gui.shell.lenses import drag_over, find, go_to, text_of
from tests.projects import project_of

CASES = {
    "11": ("was ground for", "Glass was ground for weeks.", "First, sand", "First, sand and soda."),
    "12": ("lamps burn", "Its lamps burn all night.", "gave it", "Argand gave it a round wick."),
    "13": ("needs a", "It needs a steady hand.", "hurries", "No one hurries."),
}


def test_mark_erase_undo_entry_point_finish_export_and_read_back(window, qtbot, tmp_path):
    for document_id in CASES:
        judge_and_read_back(window, qtbot, document_id, tmp_path / f"{document_id}.txt")


def test_a_drag_marks_one_sentence_in_a_cell_an_item_and_a_caption(open_window, qtbot, tmp_path):
    parts = {
        "<table><caption>{}</caption><tr><td>{}</td><td>Wide. Cells.</td></tr></table>": (
            "The lamps are listed. None is lit.",
            "It burns oil. It glows at night.",
        ),
        "<normallist><item>{}</item></normallist>": ("First of all, sand. Then comes soda.",),
        "<figure><caption>{}</caption></figure>": ("A lens was cast. It broke soon.",),
    }
    (tmp_path / "own").mkdir()
    body = "".join(markup.format(*texts) for markup, texts in parts.items())
    xml = f"<article><name>Lamps</name><body>{body}</body></article>"
    window = open_window(project_of(tmp_path / "own", {"1": xml}, Topic("7", "lamps")))
    wanted = []
    for text in (text for texts in parts.values() for text in texts):
        second = text.split(". ")[1]
        drag_over(window, second[2:6])
        wanted.append(second)
        assert sorted(marked(window)) == sorted(wanted)
    key(window.article, Qt.Key.Key_4)
    drag_over(window, "burns oil")
    assert any("It burns oil. It glows at night." in one for one in marked(window))
    tips = {name: button.toolTip() for name, button in window.article.strip.pen_state.units.items()}
    for unit in (Granularity.SENTENCE, Granularity.PARAGRAPH):
        assert all(word in tips[unit] for word in ("cells", "list items", "captions"))


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
    window.exporter.export(Choice(FOL_QRELS, None, folder=False, lost=()), exported)
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
    assert sizes[4] == len("was"), "without the white space around it"
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


def test_whole_elements_one_after_another_become_one_passage(window, qtbot):
    go_to(qtbot, window, "11")
    for words in ("First, sand", "Second, fire"):
        window.article.place_caret(find(window, words))
        key(window.article, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert len(window.session.state.marks) == 1
    key(window.article, Qt.Key.Key_U, Qt.KeyboardModifier.ShiftModifier)
    assert marked(window) == ["First, sand and soda."]
    window.article.place_caret(find(window, "Glass was"))
    key(window.article, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert marked(window) == ["Glass was ground for weeks. Then it was polished.\nFirst, sand and soda."]


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
    assert window.article.pen_state.tool is Tool.ERASE
    drag_over(window, "lathe")
    assert marked(window) == []
    key(window.article, Qt.Key.Key_H)
    assert window.article.pen_state.tool is Tool.MARK


def test_scores_and_figures_follow_the_pen_before_it_is_lifted(window, qtbot):
    go_to(qtbot, window, "12")
    seen = []
    window.article.pen.previewed.connect(lambda _s: seen.append(window.assess.panel.facts.value("Marked")))
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
    qtbot.waitUntil(lambda: window.session.document_id not in (None, "12"))
    assert window.session.project.state("7", "12").finished


def test_selecting_with_the_keyboard_and_h_marks_the_whole_sentence(window, qtbot):
    go_to(qtbot, window, "13")
    window.article.place_caret(find(window, "steady"))
    for _ in range(4):
        key(window.article, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    key(window.article, Qt.Key.Key_H)
    assert marked(window) == ["It needs a steady hand."]


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


def test_strokes_and_visited_passages_are_announced(window, qtbot, monkeypatch):
    heard = []
    monkeypatch.setattr(
        "inexview.gui.assess.assess_controller.announce", lambda _widget, text: heard.append(text)
    )
    go_to(qtbot, window, "12")
    drag_over(window, "lamps burn")
    key(window.article, Qt.Key.Key_BracketRight)
    assert heard == [
        "1 passage, 25 characters; no best entry point",
        "passage 1 of 1, 25 characters",
    ]


def test_keys_go_from_the_title_past_the_conversion_warning(window, qtbot):
    go_to(qtbot, window, "11")
    for step in (Qt.Key.Key_Down, Qt.Key.Key_Right):
        key(window.article, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
        key(window.article, step, Qt.KeyboardModifier.ControlModifier)
        assert window.article.caret == find(window, "The first lens")
    key(window.article, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert window.article.caret == find(window, "Lens")
