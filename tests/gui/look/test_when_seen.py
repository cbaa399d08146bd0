from PySide6.QtWidgets import QWidget

from inexview.gui.look.layouts import PAINTED, WhenSeen


def test_what_no_one_sees_is_made_once_when_it_is_shown(qtbot):
    window, made = QWidget(), []
    qtbot.addWidget(window)
    panel = QWidget(window)
    seen = WhenSeen(panel, lambda: made.append(panel.isVisible()))
    seen.refresh()
    seen.refresh()
    assert not made
    window.show()
    assert made == [True]
    panel.hide()
    panel.show()
    assert len(made) == 1
    seen.refresh()
    assert len(made) == 2
    seen.refresh_after_others()
    assert len(made) == 2  # others are made and painted first
    qtbot.waitUntil(lambda: len(made) == 3)
    seen.refresh_after_others()
    seen.refresh()
    qtbot.wait(2 * PAINTED)
    assert len(made) == 4  # at once, and not once more
