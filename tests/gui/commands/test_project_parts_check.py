"""What is said of a new project's parts is of the parts as they are now, in whichever order answers come."""

from threading import Barrier, Event

import pytest
from PySide6.QtCore import QObject

from inexview.core.project.contents import absent_documents
from inexview.core.project.project import Parts, what_it_is
from inexview.gui.commands import dialogs
from inexview.gui.commands.dialogs import PartsCheck


@pytest.fixture
def files(tmp_path):
    for name, documents in (("first", ("1", "2")), ("second", ("1",))):
        (tmp_path / name).mkdir()
        for document in documents:
            (tmp_path / name / f"{document}.xml").write_text("<article><p>x</p></article>")
    (tmp_path / "topics.xml").write_text('<inex-topic-file><topic id="7"/></inex-topic-file>')
    (tmp_path / "pool.txt").write_text("8 1\n8 2\n")
    return tmp_path


@pytest.fixture
def check(qtbot, monkeypatch):
    monkeypatch.setattr(dialogs, "AFTER", 0)
    owner = QObject()
    made = PartsCheck(owner)
    made.owner, made.notes = owner, {}
    made.noted.connect(lambda part, text, wrong, _stops: made.notes.update({part: (text, wrong)}))
    yield made
    made.close()


@pytest.fixture
def held(monkeypatch):
    """Comparing the pool with the collection takes until the test lets it go on."""
    begun, go_on = Event(), Event()

    def slow(pools, collection):
        begun.set()
        go_on.wait(30)
        return absent_documents(pools, collection)

    monkeypatch.setattr(dialogs, "absent_documents", slow)
    yield begun, go_on
    go_on.set()


def settled(qtbot, check, go_on):
    """Let the comparison go on, and whatever it says be heard."""
    go_on.set()
    both = Barrier(2)  # of all threads that there are: each has ended what it was at
    for meeting in [check._tasks._soon.submit(both.wait) for _ in range(2)]:
        meeting.result()
    qtbot.wait(20)


def test_that_all_documents_are_there_does_not_hide_a_topic_that_is_not(qtbot, check, held, files):
    begun, go_on = held
    check.look(Parts(files / "first", None, files / "pool.txt"))
    qtbot.waitUntil(begun.is_set)
    check.look(Parts(files / "first", files / "topics.xml", files / "pool.txt"))
    qtbot.waitUntil(lambda: "not in the topic file: 8" in check.notes["pool"][0])
    settled(qtbot, check, go_on)
    assert check.notes["pool"] == ("2 documents for 1 topic · not in the topic file: 8", True)


def test_no_outdated_message_on_a_replaced_collection(qtbot, check, held, files):
    begun, go_on = held
    check.look(Parts(files / "first", None, files / "pool.txt"))
    qtbot.waitUntil(begun.is_set)
    check.look(Parts(None, None, files / "pool.txt"))
    qtbot.waitUntil(lambda: check.notes["collection"] == ("", False))
    settled(qtbot, check, go_on)
    assert check.notes["pool"] == ("2 documents for 1 topic", False)


def test_a_pool_is_compared_again_with_another_collection(qtbot, check, files):
    check.look(Parts(files / "first", None, files / "pool.txt"))
    qtbot.waitUntil(lambda: "all in the collection" in check.notes.get("pool", ("",))[0])
    check.look(Parts(files / "second", None, files / "pool.txt"))
    qtbot.waitUntil(lambda: "1 not in the collection: 2" in check.notes["pool"][0])


def test_a_just_deleted_archive_keeps_its_name_in_messages(tmp_path):
    assert what_it_is(tmp_path / "articles.tar.bz2") == "tar.bz2"
