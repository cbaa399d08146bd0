"""Another theme while windows are open: what was hidden looks as if it had been made under it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QLineEdit, QListWidget, QPushButton, QWidget

from inexview.gui.look.theme import DARK, LIGHT
from inexview.gui.look.widgets import Caption, in_column, label
from inexview.gui.services.settings import APPEARANCE, Appearance, Settings


def furnish(part):
    """Put into a widget what the style sheet gives a look, and one note that is hidden."""
    rows = QListWidget()
    rows.addItems([str(number) for number in range(40)])
    inner = QWidget()
    in_column(label("hidden", "note"), on=inner)
    inner.hide()
    parts = (Caption("Heading"), QPushButton("Button"), QLineEdit("line"), QCheckBox("check"), rows, inner)
    for each in parts:
        each.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    in_column(*parts, on=part)
    part.resize(300, 400)
    return part


def note_of(part):
    return next(one for one in part.findChildren(QLabel) if one.text() == "hidden")


@pytest.mark.parametrize("kind", [QWidget, QDialog], ids=["a page", "a dialog"])
def test_hidden_widgets_get_the_theme_when_shown(qtbot, qapp, tmp_path, kind):
    settings = Settings(tmp_path / "settings.ini")
    settings.set(APPEARANCE, "light")
    appearance = Appearance(qapp, settings)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 500)
    window.show()
    page = furnish(kind(window))
    page.show()
    note_of(page).parentWidget().show()
    light = page.grab().toImage()
    note_of(page).parentWidget().hide()
    page.hide()
    for theme in (DARK, LIGHT, DARK):
        settings.set(APPEARANCE, theme.name)
    assert appearance.theme is DARK
    assert note_of(page).palette().windowText().color() == LIGHT.color("muted")  # no work for who looks away
    page.show()
    made = furnish(kind(window))
    made.show()
    assert page.grab().toImage() == made.grab().toImage() != light
    note_of(page).parentWidget().show()
    assert note_of(page).palette().windowText().color() == DARK.color("muted")


def test_visible_widgets_get_the_theme_at_once(qtbot, qapp, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    settings.set(APPEARANCE, "dark")
    appearance = Appearance(qapp, settings)
    page, made = furnish(QWidget()), furnish(QWidget())
    for part in (page, made):
        qtbot.addWidget(part)
    page.show()
    settings.set(APPEARANCE, "light")
    made.show()
    assert page.grab().toImage() == made.grab().toImage()
    assert appearance.theme is LIGHT
