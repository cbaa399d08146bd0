"""Work off the window's thread: results come back to it, errors too, and given-up work stays away."""

import threading
from functools import partial

import pytest
from PySide6.QtCore import QThread

from inexview.core.errors import DataError
from inexview.gui.services import tasks as module
from inexview.gui.services.tasks import Tasks, reads_on


@pytest.fixture
def failures():
    return []


@pytest.fixture
def tasks(qapp, failures):
    made = Tasks(failures.append)
    yield made
    made.close()


def test_work_runs_elsewhere_and_its_result_comes_back_here(tasks, qtbot):
    here = QThread.currentThread()
    got = []
    tasks.run(threading.get_ident, lambda ident: got.append((ident, QThread.currentThread() is here)))
    qtbot.waitUntil(lambda: bool(got))
    ident, came_back = got[0]
    assert ident != threading.get_ident()
    assert came_back


def test_an_error_is_handed_over_and_nothing_is_done(tasks, failures, qtbot):
    def work():
        raise DataError("not there", path="a.xml")

    tasks.run(work, lambda _result: pytest.fail("there is no result"))
    qtbot.waitUntil(lambda: bool(failures))
    assert str(failures[0]) == "a.xml: not there"


def test_a_task_may_take_its_errors_itself(tasks, failures, qtbot):
    own = []
    tasks.run(lambda: 1 // 0, lambda _result: None, own.append)
    qtbot.waitUntil(lambda: bool(own))
    assert isinstance(own[0], ZeroDivisionError)
    assert failures == []


def test_cancelled_work_has_no_result(tasks, qtbot):
    go_on, got = threading.Event(), []
    unwanted = tasks.run(go_on.wait, got.append)
    unwanted.cancel()
    go_on.set()
    tasks.run(lambda: "wanted", got.append)
    qtbot.waitUntil(lambda: bool(got))
    qtbot.wait(20)
    assert got == ["wanted"]


def test_awaited_work_never_queues_behind_background_work(tasks, qtbot):
    gate, got = threading.Event(), []
    for _ in range(8):
        tasks.run(gate.wait, lambda _result: got.append("title"), urgent=False)
    tasks.run(lambda: "document", got.append)
    qtbot.waitUntil(lambda: got == ["document"])
    gate.set()
    qtbot.waitUntil(lambda: len(got) == 9)


def test_background_work_begins_after_the_chosen_document_is_painted(tasks, qtbot):
    settling, begun = tasks.settling, []
    settling.unsettle()
    settling.wait(lambda: begun.append("settled") if settling.settled else pytest.fail("not yet"))
    tasks.run(lambda: begun.append("work"), lambda _result: None, when_settled=True)
    tasks.run(lambda: begun.append("given up"), lambda _result: None, when_settled=True).cancel()
    forgotten = partial(pytest.fail, "it was forgotten")
    settling.wait(forgotten)
    settling.forget(forgotten)
    urgent = threading.Event()
    tasks.run(lambda: (begun.append("urgent"), urgent.set()), lambda _result: None)
    assert urgent.wait(20), "it waits for no turn of the window"
    qtbot.waitUntil(lambda: len(begun) == 3)
    assert begun == ["urgent", "settled", "work"]
    assert settling.settled


def test_closing_leaves_alone_what_reads_from_a_drive_that_never_answers(tasks, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(module, "_reading_on", [])
    begun, answered = threading.Semaphore(0), threading.Event()
    for _ in range(2):  # as many as there are threads for what somebody waits for
        tasks.run(lambda: (begun.release(), answered.wait()), lambda _result: pytest.fail("all is closed"))
    assert all(begun.acquire(timeout=20) for _ in range(2))
    waiting = [tasks.run(lambda: pytest.fail("given up"), lambda _result: None) for _ in range(4)]
    assert not tasks.close()
    assert reads_on()
    answered.set()
    ((_tasks, left),) = module._reading_on
    for reading in left:
        reading.result(20)
    assert not reads_on()
    assert all(task.cancelled for task in waiting)


def test_closing_waits_for_what_saves_also_where_it_has_not_begun(tasks, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    saved = []

    def save(progress):
        progress("lines", 1, 2)
        saved.append("whole")
        progress("lines", 2, 2)

    gate = threading.Event()
    for _ in range(module.AT_ONCE):
        tasks.run_long("Exporting", lambda _progress: gate.wait(0.1), lambda _result: None, saves=True)
    tasks.run_long("Exporting", save, lambda _result: None, saves=True)
    assert tasks.close()
    assert saved == ["whole"]
