"""The palette: begins with recent documents, offers only what makes sense, and says what it does not know."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.project import document_list
from inexview.core.project.project import Project, add_pool, withdraw
from tests.gui.driving import LEFT, key, shown_window
from tests.projects import article, make_project, project_of

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    (tmp_path / "p").mkdir()
    with shown_window(qapp, make_project(tmp_path / "p")) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None)
        yield shown


def offered(window):
    key(window.article, Qt.Key.Key_K, CTRL)
    entries = window.popup.view.model().rows
    return [entry.note if entry.note == "recent" else entry.text for entry in entries], entries


def go_to(qtbot, window, document):
    window.session.open_document(document)
    qtbot.waitUntil(lambda: window.session.document_id == document)


def test_it_begins_with_the_documents_read_last_and_return_goes_back(window, qtbot):
    for document in ("d1", "d2", "d3", "d1"):
        go_to(qtbot, window, document)
    texts, entries = offered(window)
    assert texts[:3] == ["recent", "recent", "Mark relevant"]
    assert [entry.words for entry in entries[:2]] == ["d3", "d2"]
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == "d3")


@pytest.mark.parametrize("document", ["d1", "d2"])
@pytest.mark.parametrize("page", ["quality", "search"])
def test_a_document_that_is_chosen_is_seen_whatever_was_in_its_place(window, qtbot, page, document):
    go_to(qtbot, window, "d1")
    getattr(window.stage, page).toggle()
    assert not window.article.isVisible()
    window.book["palette"].trigger()
    QTest.keyClicks(window.popup.field, document)
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == document)
    assert window.article.isVisible()


def test_a_document_read_last_is_offered_once(window, qtbot):
    for document in ("d1", "d2"):
        go_to(qtbot, window, document)
    offered(window)
    QTest.keyClicks(window.popup.field, "d1")
    assert [entry.words for entry in window.popup.view.model().rows if entry.words == "d1"] == ["d1"]


def test_commands_that_make_no_sense_now_are_not_offered(window, qtbot):
    without, _ = offered(window)
    window.popup.dismiss()
    senseless = {"Close run", "Next miss", "Erase mark", "Erase all marks", "Go to best entry point"}
    assert not senseless & {*without}
    window.session.mark(2, 6)
    window.session.set_entry_point(2)
    marked, _ = offered(window)
    assert {"Erase mark", "Erase all marks", "Go to best entry point"} <= {*marked}
    assert "Close run" not in marked


def test_in_inspect_nothing_is_offered_that_judges(window):
    window.book["inspect"].trigger()
    texts, _ = offered(window)
    assert "Finish, next" not in texts
    assert "Assess" in texts


def test_titles_of_a_pool_as_long_as_a_collection_are_read_once_and_then_found(
    qapp, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setattr(document_list, "LONG", 3)
    (tmp_path / "p").mkdir()
    with shown_window(qapp, make_project(tmp_path / "p", pooled=False)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        qtbot.waitUntil(lambda: window.session.pool.titled)
        assert window.session.titles.unknown(window.session.pool, window.session.catalogue) == 0
        qtbot.keyClicks(window.assess.pool.filter, "title d4")
        qtbot.waitUntil(lambda: window.assess.pool.model.rowCount() == 1)
        assert window.assess.pool.model.document_at(0) == "d4"


@pytest.fixture
def many_topics(qapp, qtbot, tmp_path):
    """Show a project of six topics, of which "2" is finished, "3" is not, and the others have no pool."""
    topics = [Topic(str(number), f"lamps of kind {number}", narrative="All.") for number in range(1, 7)]
    path = project_of(tmp_path, {"11": article("Lamps", "A wick.")}, *topics)
    with Project.open(path) as project:
        for id in ("1", "4", "5", "6"):
            withdraw(project, ["11"], id)
        project.not_relevant("2", "11")
    with shown_window(qapp, path) as shown:
        qtbot.waitUntil(lambda: shown.session.topic is not None)
        yield shown


def listed(window):
    return [entry.text.split()[0] for entry in window.popup.view.model().rows]


def test_topics_with_work_come_first_and_those_without_a_pool_are_behind_a_line(many_topics, qtbot):
    window = many_topics
    window.session.open_topic("2")
    key(window.article, Qt.Key.Key_T, CTRL)
    rows = window.popup.view.model().rows
    assert [(row.text, row.note) for row in rows] == [
        ("3  lamps of kind 3", "0 of 1 finished"),
        ("2  lamps of kind 2", "1 of 1 finished"),
        ("4 topics without a pool…", ""),
    ]
    view = window.popup.view
    assert view.currentIndex().row() == 1, "the open topic"
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(2)).center())
    assert window.popup.isVisible()
    assert listed(window) == ["3", "2", "1", "4", "5", "6"]
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.session.topic.id == "1"
    key(window.article, Qt.Key.Key_T, CTRL)
    assert listed(window) == ["3", "2", "1", "3"], "the open topic is never hidden"
    QTest.keyClicks(window.popup.field, "kind 5")
    assert listed(window) == ["5"], "what is typed finds those that are hidden"
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.session.topic.id == "5"


def test_a_topic_is_found_by_typing(many_topics, qtbot):
    window = many_topics
    key(window.article, Qt.Key.Key_K, CTRL)
    assert not [row for row in window.popup.view.model().rows if row.text.startswith("6 ")]
    QTest.keyClicks(window.popup.field, "kind 6")
    assert listed(window) == ["6"]
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.session.topic.id == "6"


def test_a_single_topic_without_a_pool_is_shown(many_topics):
    window = many_topics
    pool = Pool({id: (PooledDocument("11"),) for id in ("1", "4", "5")})
    add_pool(window.session.project, pool)
    window.session.open_topic("2")
    key(window.article, Qt.Key.Key_T, CTRL)
    assert listed(window) == ["1", "3", "4", "5", "2", "6"]
