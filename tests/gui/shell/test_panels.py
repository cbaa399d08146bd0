"""Room: what gives way in a small window, and what never does."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project
from inexview.gui.look.flow import FlowLayout
from inexview.gui.services.appearance import Appearance
from inexview.gui.services.settings import PANELS, Settings
from inexview.gui.shell.main_window import MainWindow, Mode
from inexview.gui.shell.panels import fitted


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot, qapp, tmp_path, settings):
    project = Project.open(create_sample_project(tmp_path / "sample.inexview"))
    made = MainWindow(project, settings, Appearance(qapp, settings))
    made.resize(1440, 900)
    made.show()
    qtbot.waitUntil(lambda: made.session.document is not None)
    yield made
    made.close()
    made.deleteLater()


def shows(window, size):
    window.resize(*size)
    window.grab()
    return (window.width(), window.height())


@pytest.mark.parametrize("size", [(1024, 700), (900, 600), (1920, 1080)])
@pytest.mark.parametrize("mode", list(Mode))
def test_the_window_is_as_small_as_one_makes_it_and_the_article_keeps_most(window, size, mode):
    window.set_mode(mode)
    assert shows(window, size) == size
    assert window.article.width() >= 0.36 * size[0]


def test_panels_take_back_their_width_when_the_window_grows(window):
    shows(window, (1000, 700))
    narrow = window.assess.pool.width()
    shows(window, (1440, 900))
    assert narrow <= 300
    assert window.assess.panel.width() == 328


def test_only_what_the_user_drags_is_kept(window, settings, qtbot):
    shows(window, (1000, 700))
    window.set_mode(Mode.INSPECT)
    assert settings.get(PANELS) == {}
    handle = window._panels.handle(1)
    start = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(handle, start - QPoint(40, 0))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=start - QPoint(40, 0))
    assert settings.get(PANELS)["inspect"][0] < 300


def test_a_panel_never_takes_more_than_its_share():
    assert fitted([900, 100, 328], 1000) == [300, 400, 300]
    assert fitted([10, 100, 10], 1000) == [230, 520, 250]


def test_a_message_covers_neither_the_buttons_nor_the_pool(window):
    shows(window, (1024, 700))
    window.messages.warn("A sentence that is long enough to want all the width that it can get. " * 2)
    bar = window.messages
    assert bar.mapTo(window, QPoint(0, 0)).x() >= window.article.mapTo(window, QPoint(0, 0)).x()
    assert bar.geometry().right() <= window.article.width()
    assert bar.geometry().bottom() <= window.article.height()


def test_the_narrative_comes_before_the_rules(window):
    panel = window.assess.panel
    shows(window, (1440, 1600))
    assert panel._rules.isVisible()
    shows(window, (1024, 600))
    assert not panel._rules.isVisible()
    assert panel._area.height() >= 0.18 * panel.height()


def test_chips_go_on_in_a_second_line(qtbot):
    box = QWidget()
    qtbot.addWidget(box)
    flow = FlowLayout(parent=box)
    chips = [QPushButton("a chip with a count") for _ in range(4)]
    for chip in chips:
        flow.addWidget(chip)
    width = chips[0].sizeHint().width()
    box.resize(2 * width + 20, 200)
    box.show()
    assert chips[0].y() == chips[1].y() < chips[2].y() == chips[3].y()
    assert flow.heightForWidth(5 * width) < flow.heightForWidth(2 * width + 20) < flow.heightForWidth(width)


def test_the_topic_is_written_out_where_there_is_room_and_shortened_where_not(window):
    shows(window, (1440, 900))
    window.top.set_topic("7 · oil lamps")
    shows(window, (1440, 900))
    assert window.top.topic.text().startswith("7 · oil lamps ")
    window.top.set_topic("7 · " + "oil lamps and their wicks " * 4)
    wide = shortened(window, (1440, 900))
    assert "…" in wide
    assert len(shortened(window, (850, 600))) < len(wide)


def shortened(window, size):
    shows(window, size)
    return window.top.topic.text()
