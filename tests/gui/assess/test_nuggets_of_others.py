"""Nuggets of another assessor's layer: seen where one is done, in their colour, read and taken over."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inexview import Spans
from inexview.cli import main
from inexview.core.answers.nuggets import Importance
from inexview.core.judgements.topics import Topic
from inexview.core.project.nuggets import file_words, make_nugget
from inexview.core.project.project import Project
from inexview.gui.assess.nugget_panel import LayerHead, NuggetRow
from inexview.gui.services.actions import Room
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import key, shown_window, text_area, told
from tests.projects import article, project_of

Key = Qt.Key
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
ARTICLES = {
    "1": article("Lamp", "One lamp burns. Two lamps glow in the dark. Three is out."),
    "2": article("Light", "Nothing here. Two lamps glow in the dark. The end."),
}
TOPICS = Topic("7", "lamps"), Topic("8", "other")
BURNS, GLOW, OUT = "One lamp burns.", "Two lamps glow in the dark.", "Three is out."


def span(project, document, words):
    start = project.documents.text(document).index(words)
    return start, start + len(words)


def make_project(folder, assessor, nuggets, finished=("1",)):
    """Make a project in which places are marked and filed: (text, importance, (document, words) …)."""
    folder.mkdir()
    path = project_of(folder, ARTICLES, *TOPICS)
    with Project.open(path, assessor=assessor) as project:
        for text, importance, *places in nuggets:
            nugget = make_nugget(project, "7", text, importance=importance)
            for document, words in places:
                own = span(project, document, words)
                project.mark("7", document, *own)
                file_words(project, "7", nugget.key, document, Spans([own]))
        for document in finished:
            project.mark("7", document, 0, 4)
            project.set_bep("7", document, 0)
            project.finish("7", document)
    return path


VITAL, OKAY = Importance.VITAL, Importance.OKAY


@pytest.fixture
def ben(tmp_path):
    nuggets = ("it glows", VITAL, ("1", GLOW), ("2", GLOW)), ("third is out", OKAY, ("1", OUT))
    return make_project(tmp_path / "ben", "ben", nuggets, finished=("1", "2"))


@pytest.fixture
def window(qtbot, qapp, tmp_path, ben, request):
    own, finished = getattr(request, "param", ((("one burns", OKAY, ("1", BURNS)),), ("1",)))
    path = make_project(tmp_path / "ada", "ada", own, finished)
    with shown_window(qapp, path, (1440, 900)) as made:
        qtbot.waitUntil(lambda: made.session.document is not None)
        made.layers.open(ben, enter=False)
        qtbot.waitUntil(lambda: bool(made.adjudicate.comparison.opened))
        show(made, qtbot, "1")
        yield made


def show(window, qtbot, document):
    window.session.open_document(document)
    qtbot.waitUntil(lambda: window.session.document_id == document)
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    window.article.setFocus()


def signs(window):
    """Return figures in the margin, with the layer of those that are of another assessor."""
    about = [sign.about for sign in window.article.margin.signs() if hasattr(sign.about, "nugget")]
    return [(one.key, one.layer) for one in about if one.key]


def rows(window):
    return [str(row) for row in window.assess.panel.nuggets.view.rows.rows]


def underlined(window):
    beside, text = window.article.overlay.beside, window.session.document.text
    return [text[slice(*part)] for part in beside.filed], beside.filed_by


def choose(window, at):
    """Click on a row of the list."""
    view = window.assess.panel.nuggets.view
    place = view.visualRect(view.rows.index(at)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))


def text_of(window):
    return "" if window.messages.current is None else window.messages.current.text


def test_over_a_finished_document_list_margin_and_text_show_them(window):
    assert signs(window) == [("1", None), ("1", 1), ("2", 1)]
    assert rows(window) == [
        "1 · okay: one burns · 1 place here, 1 in all",
        "ben · 2 nuggets",
        "1 · vital: it glows · 1 place here, 1 in all",  # what is in document 2 is not seen yet
        "2 · okay: third is out · 1 place here, 1 in all",
    ]
    choose(window, 2)
    assert underlined(window) == ([GLOW], 1)
    assert [place.document for place in window.assess.panel.nuggets.places.rows] == ["1"]
    sign = next(sign for sign in window.article.margin.signs() if getattr(sign.about, "layer", None) == 1)
    assert sign.about.told == "ben · 1 · vital: it glows"
    assert window.article.margin.grab().toImage() is not None
    choose(window, 0)
    assert underlined(window) == ([BURNS], None)
    choose(window, 1)  # the name is no nugget
    assert underlined(window) == ([BURNS], None)


def test_before_a_document_is_finished_nothing_of_it_is_seen(window, qtbot):
    show(window, qtbot, "2")
    assert signs(window) == []
    assert rows(window) == ["1 · okay: one burns · 0 places here, 1 in all"]
    key(window.article, Key.Key_N)
    show(window, qtbot, "2")
    assert signs(window) == [("1", 1)]
    assert rows(window)[2] == "1 · vital: it glows · 1 place here, 2 in all"
    window.book["undo"].trigger()
    assert signs(window) == []
    assert len(rows(window)) == 1


def test_keys_reach_them_and_change_none(window, qtbot, ben):
    before = window.session.project.nuggets.of("7").version
    for _ in range(2):
        key(window.article, Key.Key_PageDown, ALT)
    assert underlined(window) == ([GLOW], 1)
    for name, modifier in (
        (Key.Key_V, Qt.KeyboardModifier.NoModifier),
        (Key.Key_F2, Qt.KeyboardModifier.NoModifier),
        (Key.Key_Delete, SHIFT),
        (Key.Key_L, Qt.KeyboardModifier.NoModifier),
    ):
        window.messages.settle()
        key(window.article, name, modifier)
        assert text_of(window) == "This nugget is from ben: you can read it, and copy it (Shift+L)."
    assert window.session.project.nuggets.of("7").version == before
    key(window.article, Key.Key_BracketRight, ALT)
    assert window.article.caret == span(window.session.project, "1", GLOW)[0]
    with Project.open(ben, read_only=True) as other:
        assert [one.text for one in other.nuggets.of("7").nuggets] == ["it glows", "third is out"]


def test_taking_one_over_copies_places_of_finished_documents_and_is_undone(window, qtbot):
    own = window.session.project.nuggets.of("7")
    key(window.article, Key.Key_L, SHIFT)
    assert text_of(window) == "First select a nugget of another assessor."
    choose(window, 2)
    key(window.article, Key.Key_L, SHIFT)
    assert text_of(window) == "Nugget 1: copied from ben with 1 place."
    assert [(one.text, one.vital) for one in own.nuggets] == [("one burns", False), ("it glows", True)]
    assert [*own.places] == ["1"]  # document 2 is still to be judged
    choose(window, 3)
    key(window.article, Key.Key_L, SHIFT)
    assert text_of(window) == "Nugget 1: in your list already, with all its places."
    key(window.article, Key.Key_Z, CTRL)
    assert [one.text for one in own.nuggets] == ["one burns"]
    key(window.article, Key.Key_Y, CTRL)
    assert [one.text for one in own.nuggets] == ["one burns", "it glows"]


def test_while_one_adjudicates_all_have_their_colours_and_leave_nothing_behind(window, qtbot):
    window.set_mode(Mode.ADJUDICATE)
    assert signs(window) == [("1", 0), ("1", 1), ("2", 1)]
    lanes = 8 + 6  # pixels, beside which the figures are
    assert all(sign.place.left() >= lanes for sign in window.article.margin.signs())
    sign = window.article.margin.signs()[1].place.center().toPoint()
    QTest.mouseClick(window.article.margin, Qt.MouseButton.LeftButton, pos=sign)
    assert underlined(window) == ([GLOW], 1)
    window.set_mode(Mode.INSPECT)
    assert signs(window) == []
    assert underlined(window)[0] == []
    window.set_mode(Mode.ASSESS)
    window.book["close-layers"].trigger()
    assert signs(window) == [("1", None)]
    assert len(rows(window)) == 1


@pytest.mark.parametrize("window", [((), ("1",))], indirect=True)
def test_without_nuggets_of_ones_own_theirs_are_listed_and_digits_stay_units(window, qtbot):
    panel = window.assess.panel.nuggets
    assert window.book.room is Room.ASSESS
    assert [type(row) for row in panel.view.rows.rows] == [LayerHead, NuggetRow, NuggetRow]
    key(window.article, Key.Key_4)
    assert window.article.pen_state.unit.value == "paragraph"
    show(window, qtbot, "2")
    assert not panel.view.isVisible()
    show(window, qtbot, "1")
    assert panel.view.isVisible()
    key(window.article, Key.Key_V, SHIFT)
    assert not panel.view.isVisible()
    assert signs(window) == []


def test_another_topic_shows_none(window, qtbot):
    choose(window, 2)
    window.session.open_topic("8")
    qtbot.waitUntil(lambda: window.session.topic.id == "8")
    assert window.assess.nuggets.others == ()
    assert signs(window) == []


@pytest.mark.parametrize("window", [((), ("1",))], indirect=True)
def test_a_file_of_nuggets_is_a_layer_of_its_own(window, qtbot, tmp_path, ben):
    bank = tmp_path / "bank.jsonl"
    assert main(["export", str(ben), "--nuggets", "-o", str(bank)]) == 0
    window.book["close-layers"].trigger()
    assert not window.assess.panel.nuggets.view.isVisible()
    window.layers.open(bank)
    told(qtbot, window.messages, "bank is open: 2 nuggets, seen beside the documents that you finished.")
    assert rows(window)[0] == "bank · 2 nuggets"
    assert signs(window) == [("1", 1), ("2", 1)]
    assert window.mode is Mode.ASSESS, "there is nothing to settle"
    assert not window.book["adjudicate"].isEnabled()
