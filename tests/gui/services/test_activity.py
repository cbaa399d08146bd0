"""Long work is seen while it runs, can be given up, and holds no one up."""

import threading
from time import perf_counter

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from inexview.core.errors import DataError
from inexview.gui.look.widgets import in_column
from inexview.gui.services.messages import SHOWN_AFTER, Activity, activity_sentence
from inexview.gui.services.tasks import AT_MOST_EVERY, News, Tasks


@pytest.fixture
def failures():
    return []


@pytest.fixture
def tasks(qapp, failures):
    made = Tasks(failures.append)
    yield made
    made.close()


@pytest.fixture
def activity(tasks, qtbot):
    made = Activity(tasks)
    qtbot.addWidget(made)
    made.resize(900, 40)
    return made


class Work:
    """Work that goes on, telling so, until it is let go."""

    def __init__(self, total=None):
        self.total = total
        self.told = 0
        self.enough = threading.Event()
        self.stopped = threading.Event()

    def __call__(self, progress):
        try:
            while not self.enough.wait(0.005):
                self.told += 1
                progress("articles listed", self.told * 1000, self.total)
            return "done"
        finally:
            self.stopped.set()


def shown(activity):
    return [line for line in activity.lines if line.isVisible()]


def wait_for_news(qtbot, activity):
    qtbot.waitUntil(lambda: any("articles listed" in line.news.full_text for line in shown(activity)))
    return shown(activity)[0]


def test_the_name_of_a_work_gives_way_in_a_narrow_window(tasks, activity, qtbot):
    work = Work()
    tasks.run_long(f"Indexing {'wikipedia-' * 20}2009.tar", work, lambda _done: None)
    line = wait_for_news(qtbot, activity)
    assert line.minimumSizeHint().width() < 300
    work.enough.set()


def test_long_work_shows_its_progress_and_disappears_when_done(tasks, activity, qtbot):
    work, got = Work(), []
    tasks.run_long("Indexing wiki.tar", work, got.append)
    line = wait_for_news(qtbot, activity)
    assert line.news.full_text.endswith("000 articles listed")
    assert line.accessibleName() == "Indexing wiki.tar"
    work.enough.set()
    qtbot.waitUntil(lambda: got == ["done"])
    assert activity.lines == []
    assert not activity.isVisible()


def test_short_work_is_never_shown(tasks, activity, qtbot):
    got = []
    tasks.run_long("Reading", lambda progress: progress("lines", 1, 1) or 7, got.append)
    qtbot.waitUntil(lambda: got == [7])
    qtbot.wait(SHOWN_AFTER + 50)
    assert activity.lines == []
    assert not activity.isVisible()


@pytest.mark.parametrize("how", ["click", "Esc"])
def test_cancelled_work_stops_without_an_error(tasks, activity, failures, qtbot, monkeypatch, how):
    monkeypatch.setattr("inexview.gui.services.messages.ACTIVITY_STAYS", 60)
    work, told = Work(), []
    tasks.run_long("Indexing", work, pytest.fail, given_up=lambda: told.append(line.news.full_text))
    line = wait_for_news(qtbot, activity)
    if how == "click":
        qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    else:
        line.button.setFocus()
        qtbot.keyClick(line.button, Qt.Key.Key_Escape)
    assert line.news.full_text == "stopping…"
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["cancelled"]
    assert work.stopped.is_set()
    assert failures == []
    qtbot.waitUntil(lambda: activity.lines == [])


def test_each_of_several_works_has_its_line_and_its_button(tasks, activity, qtbot):
    first, second, got = Work(), Work(10_000_000), []
    tasks.run_long("First", first, got.append)
    tasks.run_long("Second", second, got.append)
    qtbot.waitUntil(lambda: len(shown(activity)) == 2)
    qtbot.mouseClick(shown(activity)[1].button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(second.stopped.is_set)
    assert not first.stopped.is_set()
    first.enough.set()
    qtbot.waitUntil(lambda: got == ["done"])


def test_an_error_of_long_work_is_shown_like_any_other(tasks, activity, failures, qtbot):
    def work(progress):
        raise DataError("is damaged", path="x.zip")

    tasks.run_long("Indexing", work, lambda _: pytest.fail("done"))
    qtbot.waitUntil(lambda: bool(failures))
    assert str(failures[0]) == "x.zip: is damaged"
    assert activity.lines == []


def test_closing_stops_long_work_without_callbacks(qapp, qtbot):
    tasks, work = Tasks(lambda error: pytest.fail(str(error))), Work()
    tasks.run_long("Indexing", work, lambda _: pytest.fail("done"), given_up=lambda: pytest.fail("given up"))
    qtbot.waitUntil(lambda: work.told > 3)
    tasks.close()
    assert work.stopped.is_set()
    qtbot.wait(50)


def test_progress_is_shown_a_few_times_a_second_at_most(tasks, qtbot):
    heard, got = [], []

    def work(progress):
        start, told = perf_counter(), 0
        while perf_counter() - start < 0.35:
            told += 1
            progress("articles", told, None)
        return perf_counter() - start

    tasks.progressed.connect(heard.append)
    tasks.run_long("Indexing", work, got.append)
    qtbot.waitUntil(lambda: bool(got))
    assert 1 <= len(heard) <= got[0] / AT_MOST_EVERY + 1


@pytest.mark.parametrize(
    ("news", "left", "told"),
    [
        (News("articles listed", 412_000, None), None, "412,000 articles listed"),
        (News("articles read", 1, 1234), None, "1 of 1,234 articles read"),
        (News("articles read", 1, 1234), 31, "1 of 1,234 articles read · less than a minute left"),
        (News("articles read", 1, 1234), 110, "1 of 1,234 articles read · about 2 min left"),
    ],
)
def test_progress_is_worded_for_people(news, left, told):
    assert activity_sentence(news, left) == told


def test_the_line_is_seen_in_pixels_and_its_bar_grows(tasks, activity, qtbot):
    work = Work(1_000_000)
    tasks.run_long("Indexing", work, lambda _: None)
    line = wait_for_news(qtbot, activity)
    before = line.grab().toImage()
    qtbot.waitUntil(lambda: line.grab().toImage() != before)
    work.enough.set()
    qtbot.waitUntil(lambda: activity.lines == [])


def test_over_a_bar_nothing_else_moves_when_work_begins_and_ends(tasks, activity, qtbot):
    body, panel, bar = QWidget(), QWidget(), QWidget()
    bar.setFixedHeight(20)
    in_column((panel, 1), bar, on=body, margins=0, spacing=0)
    activity.lie_over(body, bar)
    qtbot.addWidget(body)
    body.resize(900, 300)
    with qtbot.waitExposed(body):
        body.show()
    before = panel.geometry()
    works = [Work(), Work()]
    for work in works:
        tasks.run_long("Indexing", work, lambda _: None)
    qtbot.waitUntil(lambda: len(shown(activity)) == 2)
    assert activity.geometry().bottomRight() == body.rect().bottomRight()
    assert activity.height() == activity.sizeHint().height() > 20
    works[0].enough.set()
    qtbot.waitUntil(lambda: len(shown(activity)) == 1)
    high = activity.sizeHint().height()
    assert activity.geometry() == QRect(450, 300 - high, 450, high)
    assert panel.geometry() == before
    body.resize(600, 200)
    assert activity.geometry() == QRect(300, 200 - high, 300, high)
    works[1].enough.set()
    qtbot.waitUntil(lambda: not activity.isVisible())
    activity.setParent(None)  # it ends by itself here
