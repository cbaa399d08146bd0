"""Marks whose text has become another: told on opening, listed, moved or kept as the assessor decides."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview.core.collection.collection import Collection
from inexview.core.formats.format import JSONL
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.project.document_state import DocumentState
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.project import Project
from inexview.core.project.reviews import note_opened
from inexview.core.project.text_changes import TextComparison, keep_marks
from inexview.core.text.counting import UTF8_BYTES
from inexview.core.text.spans import Spans
from inexview.gui import text_changes
from inexview.gui.assess.passages import DRIFTED
from inexview.gui.commands.dialogs import Choice
from inexview.gui.services.settings import Appearance
from inexview.gui.shell.app import Application
from inexview.gui.shell.main_window import MainWindow
from inexview.gui.text_changes import MIDDLE
from tests.gui.driving import LEFT, double_click, drag, key, text_area, told
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_project

QUICK = TEXT.index("The quick"), TEXT.index(" over")
MOVED = QUICK[0] + 6, QUICK[1] + 6


def rewrite(path: Path, document: str, text: str) -> None:
    (path.parent / "articles" / f"{document}.xml").write_text(f"<article>{text}</article>", encoding="utf-8")


@pytest.fixture
def path(tmp_path) -> Path:
    """Return a project with marks in d1 and d3, and an entry point in d1, which has grown before it since."""
    path = make_project(tmp_path)
    with Project.open(path) as project:
        for document in ("d1", "d3"):
            project.mark(TOPIC, document, *QUICK)
        project.set_bep(TOPIC, "d1", QUICK[0])
        project.mark(OTHER_TOPIC, "d1", *QUICK)
        note_opened(project, TOPIC, "d1")
    rewrite(path, "d1", "Once. " + TEXT)
    return path


@pytest.fixture
def window(qtbot, qapp, settings, path):
    opened = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    checked = checks_of(opened)
    opened.resize(1300, 900)
    with qtbot.waitActive(opened):
        opened.show()
        opened.activateWindow()
    at(qtbot, opened, "d1")
    qtbot.waitUntil(lambda: bool(checked))
    yield opened
    opened.close()
    opened.deleteLater()


def checks_of(window: MainWindow) -> list[TextComparison]:
    """Return a list that what is found on loading comes into, once it is said."""
    tell, checked = window.drifting._tell, []

    def told(found: TextComparison) -> None:
        tell(found)
        checked.append(found)

    window.drifting._tell = told
    return checked


def at(qtbot, window: MainWindow, document: str) -> None:
    """Wait until a document is there to be seen."""
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == document)
    qtbot.waitUntil(lambda: text_area(window.article).lines() != [])


def listed(qtbot, window: MainWindow, rows: int) -> None:
    """Wait until the list shows so many passages."""
    drifts = window.drifting.window
    qtbot.waitUntil(lambda: drifts.isVisible() and drifts.model.rowCount() == rows)


def cells(window: MainWindow, row: int) -> list[str]:
    model = window.drifting.window.model
    return [model.index(row, column).data() for column in range(model.columnCount())]


def click(
    window: MainWindow,
    row: int,
    *,
    double: bool = False,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    view = window.drifting.window.view
    place = view.visualRect(view.model().index(row, 2)).center()
    QTest.mouseClick(view.viewport(), LEFT, keys, place)
    if double:
        double_click(view.viewport(), place)


def first_row(window: MainWindow) -> str:
    passages = window.assess.panel.passages.passages
    return passages.index(0).data()


# -- on opening -------------------------------------------------------------------------------------------


def test_loading_a_project_compares_all_marks_and_reports_changed_ones(qtbot, qapp, settings, path):
    rewrite(path, "d3", "Twice. " + TEXT)
    again = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    again.show()
    assert told(qtbot, again.messages, "2 documents").text == (
        "3 marks in 2 documents read differently now; nothing was moved."
    )
    again.messages.current.action()
    listed(qtbot, again, 3)
    again.close()
    again.deleteLater()


def test_loading_reports_nothing_if_all_marks_are_unchanged(qtbot, settings, qapp, path):
    rewrite(path, "d1", TEXT)
    window = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    checked = checks_of(window)
    window.show()
    qtbot.waitUntil(lambda: bool(checked))
    assert checked[0].passages == 3
    assert checked[0].drifts == ()
    window.close()
    window.deleteLater()


def test_a_changed_document_is_reported_on_opening_and_its_mark_is_not_moved(window):
    assert window.messages.current.text.startswith("A mark of this document reads differently")
    assert list(window.session.state.marks) == [QUICK]
    assert first_row(window).startswith(f"1 · {QUICK[0]}")
    assert DRIFTED in first_row(window)
    assert "it was “The quick 🦊 jumps”" in window.assess.panel.passages.passages.index(0).data(
        Qt.ItemDataRole.ToolTipRole
    )


def test_messages_of_a_document_end_with_it_but_unread_warnings_stay(window, qtbot):
    told(qtbot, window.messages, "A mark of this document reads differently")
    area = text_area(window.article)
    for _ in range(2):
        QTest.keyClick(area, Qt.Key.Key_J)
        qtbot.waitUntil(lambda: window.session.opening.wanted is None)
        assert window.session.document_id != "d1"
        current = window.messages.current
        assert current is None or "this document" not in current.text
    window.session.open_document("d1")
    told(qtbot, window.messages, "A mark of this document reads differently")
    QTest.keyClick(
        area, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    told(qtbot, window.messages, "The link is copied")
    window.messages._timer.timeout.emit()  # it was shown long enough
    told(qtbot, window.messages, "A mark of this document reads differently")
    window.book["next-drifted"].trigger()
    window.book["keep-drifted"].trigger()
    qtbot.waitUntil(lambda: not window.session.drifted)
    qtbot.waitUntil(lambda: window.messages.current is None)


def test_an_unchanged_document_is_not_reported(qtbot, window):
    window.messages.clear()
    window.session.open_document("d3")
    at(qtbot, window, "d3")
    assert window.messages.current is None
    assert DRIFTED not in first_row(window)


def test_the_message_lists_the_marks_of_this_document(qtbot, window):
    QTest.mouseClick(window.messages._button, LEFT)
    listed(qtbot, window, 1)
    assert cells(window, 0) == [
        TOPIC,
        "d1",
        f"{QUICK[0]}:{QUICK[1] - QUICK[0]}",
        "The quick 🦊 jumps",
        ("Once. " + TEXT)[slice(*QUICK)].strip(),
        f"{MOVED[0]}:{MOVED[1] - MOVED[0]}: “Once. A title. […] over it, twice.”",
    ]


# -- the whole project ------------------------------------------------------------------------------------


@pytest.fixture
def checked(qtbot, window) -> MainWindow:
    window.book["check-marks"].trigger()
    listed(qtbot, window, 2)
    return window


def test_a_check_lists_the_marks_of_all_topics(checked):
    assert [cells(checked, row)[:2] for row in range(2)] == [[TOPIC, "d1"], [OTHER_TOPIC, "d1"]]


def test_texts_have_the_room_of_a_small_window_and_names_are_whole(qtbot, checked):
    window, view = checked.drifting.window, checked.drifting.window.view
    long_id = replace(window.model.rows[0], document="wiki-2009-part-000621")
    window.set_checked(TextComparison(1, 1, 0, (long_id,), ()))
    window.resize(880, 300)
    qtbot.waitUntil(lambda: view.horizontalHeader().length() == view.viewport().width())
    widths = [view.columnWidth(column) for column in range(6)]
    assert widths[1] >= view.fontMetrics().horizontalAdvance(long_id.document)
    assert min(widths[3:]) >= 150


def test_a_check_without_findings_is_reported_without_a_list(qtbot, window, path):
    rewrite(path, "d1", TEXT)
    window.book["check-marks"].trigger()
    told(qtbot, window.messages, "reads as it did")
    assert not window.drifting.window.isVisible()


def test_a_double_click_opens_the_document_there(qtbot, checked):
    checked.session.open_document("d3")
    at(qtbot, checked, "d3")
    click(checked, 0, double=True)
    at(qtbot, checked, "d1")
    qtbot.waitUntil(lambda: checked.article.caret == QUICK[0])


def test_a_double_click_opens_the_document_of_another_topic(qtbot, checked):
    click(checked, 1, double=True)
    qtbot.waitUntil(lambda: checked.session.topic.id == OTHER_TOPIC)
    at(qtbot, checked, "d1")


def test_marking_where_it_stands_is_one_step_that_undo_takes_back(qtbot, checked):
    click(checked, 0)
    QTest.mouseClick(checked.drifting.window.move_button, LEFT)
    listed(qtbot, checked, 1)
    session = checked.session
    assert list(session.state.marks) == [MOVED]
    assert session.state.bep == MOVED[0]
    assert first_row(checked).startswith(f"1 · {MOVED[0]}")
    assert DRIFTED not in first_row(checked)
    assert checked.book["undo"].text() == "Undo move 1 passage"
    checked.book["undo"].trigger()
    assert list(session.state.marks) == [QUICK]
    assert DRIFTED in first_row(checked)


def test_keeping_takes_the_sign_away_and_nothing_else(qtbot, checked):
    before = checked.session.state
    click(checked, 0)
    QTest.mouseClick(checked.drifting.window.keep_button, LEFT)
    listed(qtbot, checked, 1)
    assert checked.session.state == before
    assert DRIFTED not in first_row(checked)


def test_several_are_settled_at_once(qtbot, checked):
    checked.drifting.window.view.selectAll()
    QTest.mouseClick(checked.drifting.window.move_button, LEFT)
    listed(qtbot, checked, 0)
    project = checked.session.project
    assert [list(project.state(topic, "d1").marks) for topic in (TOPIC, OTHER_TOPIC)] == [[MOVED], [MOVED]]


def test_what_changed_since_it_was_listed_is_left_alone(qtbot, checked, path, monkeypatch):
    warned: list[str] = []  # that the open article has changed on disk may be said in its place at once
    monkeypatch.setattr(checked.messages, "warn", warned.append)
    rewrite(path, "d1", "Twice. Once. " + TEXT)
    click(checked, 0)
    QTest.mouseClick(checked.drifting.window.move_button, LEFT)
    qtbot.waitUntil(lambda: warned == ["d1 is no longer as it was listed: check again."])
    assert list(checked.session.state.marks) == [QUICK]


def test_looking_up_pauses_at_each_document_be_it_marked_or_compared_already_or_not(qtbot, checked):
    check, project = checked.drifting._check, checked.session.project
    project.not_relevant(TOPIC, "d2")
    assert [quoted and (quoted.topic, quoted.document) for quoted in check.everything()] == [
        (TOPIC, "d1"), (TOPIC, "d3"), None, (OTHER_TOPIC, "d1")
    ]  # fmt: skip
    assert list(check.everything_new()) == [None] * 4
    project.mark(TOPIC, "d2", *QUICK)
    (new,) = filter(None, check.everything_new())
    assert (new.topic, new.document) == (TOPIC, "d2")


def test_a_passage_found_nowhere_cannot_be_moved(qtbot, window, path):
    rewrite(path, "d1", "Another text altogether, and quite as long as it was.")
    window.book["check-marks"].trigger()
    listed(qtbot, window, 2)
    assert cells(window, 0)[5] == "nowhere in the article"
    assert not window.drifting.window.move_button.isEnabled()
    assert window.drifting.window.keep_button.isEnabled()


def test_a_mark_is_not_offered_where_its_words_may_have_been_before(qtbot, window, path):
    word = TEXT.index("quick"), TEXT.index("quick") + len("quick")
    again = TEXT + " A quick look, and a quick end."
    rewrite(path, "d2", again)
    window.session.open_document("d2")
    at(qtbot, window, "d2")
    window.session.judge(lambda topic, document: window.session.project.mark(topic, document, *word))
    rewrite(path, "d2", "A quick word. " + again.replace("The quick", "The sly", 1))
    window.book["check-marks"].trigger()
    listed(qtbot, window, 3)
    row = next(row for row in range(3) if cells(window, row)[1] == "d2")
    assert cells(window, row)[5].startswith("gone, or at ")
    click(window, row)
    qtbot.waitUntil(lambda: window.drifting.window.keep_button.isEnabled())
    assert not window.drifting.window.move_button.isEnabled()


def select_two(qtbot, window: MainWindow, path: Path) -> None:
    """Have three marks listed and select the second and the third with the mouse."""
    rewrite(path, "d3", "Twice. " + TEXT)
    window.book["check-marks"].trigger()
    listed(qtbot, window, 3)
    click(window, 1)
    click(window, 2, keys=Qt.KeyboardModifier.ControlModifier)
    assert documents_selected(window) == [(TOPIC, "d3"), (OTHER_TOPIC, "d1")]


def documents_selected(window: MainWindow) -> list[tuple[str, str]]:
    return [(drift.topic, drift.document) for drift in window.drifting.window.selected()]


def test_a_second_check_keeps_the_selection(qtbot, window, path):
    select_two(qtbot, window, path)
    before = window.drifting.window.model.rows
    QTest.mouseClick(window.drifting.window.again_button, LEFT)
    qtbot.waitUntil(lambda: window.drifting.window.model.rows is not before)
    assert documents_selected(window) == [(TOPIC, "d3"), (OTHER_TOPIC, "d1")]
    assert window.drifting.window.keep_button.isEnabled()


def test_decisions_elsewhere_keep_the_selection(qtbot, window, path):
    select_two(qtbot, window, path)
    window.session.open_document("d1")
    at(qtbot, window, "d1")
    session, text = window.session, window.session.document.text
    session.judge(lambda topic, document: keep_marks(session.project, topic, document, [QUICK], text))
    listed(qtbot, window, 2)
    assert documents_selected(window) == [(TOPIC, "d3"), (OTHER_TOPIC, "d1")]


def test_a_click_shows_a_mark_in_the_article_and_lets_it_be(qtbot, checked):
    checked.session.open_document("d3")
    at(qtbot, checked, "d3")
    click(checked, 0)
    at(qtbot, checked, "d1")
    qtbot.waitUntil(lambda: checked.article.caret == QUICK[0])
    assert list(checked.session.state.marks) == [QUICK]


def test_arrow_keys_show_the_selected_row(qtbot, checked):
    view = checked.drifting.window.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: checked.session.topic.id == OTHER_TOPIC)


def test_removing_is_one_step_and_undo_brings_the_mark_back_into_the_list(qtbot, checked):
    click(checked, 0)
    checked.drifting.window.view.setFocus()
    QTest.keyClick(checked.drifting.window.view, Qt.Key.Key_Delete)
    listed(qtbot, checked, 1)
    assert checked.session.state == DocumentState()
    assert checked.book["undo"].text() == "Undo remove 1 passage"
    checked.book["undo"].trigger()
    listed(qtbot, checked, 2)
    assert cells(checked, 0)[:3] == [TOPIC, "d1", f"{QUICK[0]}:{QUICK[1] - QUICK[0]}"]


def test_a_decision_reads_only_the_article_that_it_is_about(qtbot, checked, monkeypatch):
    text, read = Collection.text, set()

    def noted(own, document):
        if "text_changes" in sys._getframe(1).f_globals["__name__"]:  # others may read ahead meanwhile
            read.add(document)
        return text(own, document)

    monkeypatch.setattr(Collection, "text", noted)
    click(checked, 0)
    QTest.mouseClick(checked.drifting.window.keep_button, LEFT)
    listed(qtbot, checked, 1)
    assert read == {"d1"}


def test_the_effects_of_buttons_are_reported_in_the_words_of_the_actions(checked):
    drifts, book = checked.drifting.window, checked.book
    for button, name in (
        (drifts.move_button, "move-drifted"),
        (drifts.keep_button, "keep-drifted"),
        (drifts.remove_button, "remove-drifted"),
        (drifts.again_button, "check-marks"),
    ):
        assert button.toolTip() == book[name].toolTip() != ""
    assert drifts.close_button.toolTip()


LONG = f"{TEXT} Paper is a felt of plant fibres, and so was the lamp that burnt oil for nights. {TEXT}"


def test_changes_within_passages_and_of_entry_points_are_listed_as_such(qtbot, window, path):
    project = window.session.project
    rewrite(path, "d2", LONG)
    project.mark(TOPIC, "d2", 10, len(LONG))
    project.set_bep(TOPIC, "d2", 2)
    rewrite(path, "d2", LONG.replace("lamp", "wick").replace("A title. ", "A tutle. ", 1))
    window.book["check-marks"].trigger()
    listed(qtbot, window, 4)
    (entry,) = (row for row in range(4) if cells(window, row)[2] == "entry point 2")
    assert cells(window, entry)[3:] == [
        "title. The quick 🦊 jumps over",
        "tutle. The quick 🦊 jumps over",
        str(LONG.rindex("title.")),
    ]
    assert cells(window, entry + 1)[4:] == [MIDDLE, "nowhere as it was"]


# -- in the article ---------------------------------------------------------------------------------------


def test_a_key_goes_to_the_next_changed_mark_and_shows_its_old_text(window):
    window.article.place_caret(0)
    window.messages.clear()
    window.book["next-drifted"].trigger()
    assert window.article.caret == QUICK[0]
    assert "it was “The quick 🦊 jumps”" in window.messages.current.text
    assert window.messages.current.button == "Decide…"


def test_the_passage_list_shows_the_old_text_of_a_changed_passage(window):
    window.messages.clear()
    window.assess.panel.passage_chosen.emit(QUICK)
    assert "it was “The quick 🦊 jumps”" in window.messages.current.text


def test_a_decision_at_the_caret_is_one_step(qtbot, window):
    history = window.session.project.can_undo
    for action, marks, bep in (
        ("move-drifted", [MOVED], MOVED[0]),
        ("keep-drifted", [QUICK], QUICK[0]),
        ("remove-drifted", [], None),
    ):
        window.book["next-drifted"].trigger()
        before = history(TOPIC, "d1")
        window.book[action].trigger()
        qtbot.waitUntil(lambda before=before: history(TOPIC, "d1") != before)
        assert (list(window.session.state.marks), window.session.state.bep) == (marks, bep), action
        assert not window.session.drifted
        assert window.messages.current is None, "what was said of the mark is true no longer"
        window.book["undo"].trigger()
        assert (list(window.session.state.marks), window.session.state.bep) == ([QUICK], QUICK[0])
        assert window.session.drifted


def test_the_absence_of_changed_marks_is_reported(qtbot, window):
    window.session.open_document("d3")
    at(qtbot, window, "d3")
    window.book["next-drifted"].trigger()
    assert "has changed text" in window.messages.current.text
    window.book["remove-drifted"].trigger()
    assert "The mark at the caret reads as it did" in window.messages.current.text
    assert list(window.session.state.marks) == [QUICK]


# -- what was never read ----------------------------------------------------------------------------------


def test_imported_passages_are_quoted_silently_in_the_background(
    qtbot, qapp, settings, tmp_path, monkeypatch
):
    noted, note, take = [], text_changes.note_quotes, text_changes.DriftCheck._take

    def note_now(project, late, *, soon):
        noted.append(opened.tasks.settling.settled)
        note(project, late, soon=soon)

    def take_while_painting(self, found):
        opened.tasks.settling.unsettle()
        take(self, found)

    monkeypatch.setattr(text_changes, "note_quotes", note_now)
    monkeypatch.setattr(text_changes.DriftCheck, "_take", take_while_painting)
    path = make_project(tmp_path / "other")
    given = [Judgement(TOPIC, name, 17, len(TEXT), QUICK[0], Spans([QUICK])) for name in ("d1", "d2")]
    with Project.open(path) as project:
        import_judgements(project, Qrels.from_judgements(given), check=False)
    opened = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    opened.show()
    project = opened.session.project
    qtbot.waitUntil(lambda: len(noted) > 0)
    last = project.journal.last
    assert all(project.histories.quoted(TOPIC, name).lacking for name in ("d1", "d2")), (
        "with the first action"
    )
    opened.session.record.set_flag(on=True)
    qtbot.waitUntil(lambda: all(not project.histories.quoted(TOPIC, name).lacking for name in ("d1", "d2")))
    assert project.journal.last > last
    assert project.can_undo(TOPIC, "d2") == "import judgement"
    assert opened.messages.current is None
    assert noted
    assert all(noted), "none while the window had to paint"
    opened.close()
    opened.deleteLater()


# -- a collection that moved ------------------------------------------------------------------------------


def test_when_the_collection_is_pointed_to_again_the_check_is_offered(
    qtbot, qapp, settings, path, tmp_path, monkeypatch
):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # the application's goes with this test
    (path.parent / "articles").rename(tmp_path / "elsewhere")
    application = Application(qapp, settings)
    project = Project.open(path)
    project.close()  # as the program does, after it found no articles
    application.move(project, None, tmp_path / "elsewhere")
    (opened,) = application.windows
    at(qtbot, opened, "d1")
    qtbot.waitUntil(lambda: opened.messages.current.button == "Check marks")
    opened.messages.current.action()
    listed(qtbot, opened, 2)
    opened.close()
    opened.deleteLater()
    application.tasks.close()


# -- JSON lines -------------------------------------------------------------------------------------------


def test_json_lines_go_out_and_come_back_with_their_quotes(qtbot, window, tmp_path):
    output = tmp_path / "judged.txt"
    window.exporter.export(Choice(JSONL, None, folder=False, lost=()), output)
    told(qtbot, window.messages, "Not finished: 3.")
    for document in ("d1", "d3"):
        window.session.project.clear(TOPIC, document)
    window.files.import_qrels(output)
    qtbot.waitUntil(lambda: window.session.state_of("d3").relevant)
    assert list(window.session.state_of("d1").marks) == [QUICK]
    assert not window.session.state_of("d1").finished
    quotes = window.session.project.histories.quotes(TOPIC, "d1")
    assert quotes[QUICK].first == "The quick 🦊 jumps"  # as it was marked, not as it reads now
    at(qtbot, window, "d1")
    assert DRIFTED in first_row(window)


# -- outlines and conventions in the whole window ----------------------------------------------------------


def test_a_mark_is_quoted_as_it_is_made(qtbot, window):
    window.session.open_document("d2")
    at(qtbot, window, "d2")
    drag(window.article, TEXT.index("quick"), TEXT.index(" over"))
    (span,) = window.session.state.marks
    quote = window.session.project.histories.quotes(TOPIC, "d2")[span]
    assert quote.first.startswith("The quick 🦊 jumps over")


@pytest.mark.parametrize("rooms", [("assess",), ("inspect", "edit-judgements")])
def test_one_key_marks_the_outlined_element_and_its_rsize_follows(qtbot, window, rooms):
    window.session.open_document("d2")
    at(qtbot, window, "d2")
    for name in rooms:
        window.book[name].trigger()
    key(window.article, Qt.Key.Key_O)
    window.article.place_caret(0)
    assert window.article.strip.path.full_text == "/article[1]/name[1]"
    key(window.article, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.state.marks == Spans([(0, 8)])
    assert window.article.strip.facts.full_text == "size 8 · rsize 8 (100.0\N{NO-BREAK SPACE}%)"


def test_the_convention_is_shown_and_chosen_in_the_window(qtbot, window):
    assert window.status._counting.text() == "qrels in code points"
    QTest.mouseClick(window.status._counting, LEFT)
    QTest.keyClicks(window.popup.field, "UTF-8 bytes")
    QTest.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.status._counting.text() == "qrels in UTF-8 bytes"
    assert window.session.project.convention == UTF8_BYTES
