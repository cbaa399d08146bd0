"""Colours: all that is read can be read, light and dark."""

from itertools import product

import pytest
import shiboken6
from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QMainWindow

from inexview.core.text.spans import EMPTY
from inexview.gui.adjudicate.disputes import KEY, RulingButton
from inexview.gui.adjudicate.disputes import WORDS as WORDS_END
from inexview.gui.look.theme import DARK, LIGHT, load_fonts, mixed
from inexview.gui.services.settings import APPEARANCE, Appearance, Settings
from tests.gui.driving import wear

WORDS = ("text", "muted", "accent", "bep", "hit", "miss", "false_alarm", "finished", "warning")
GROUNDS = ("window", "page", "raised")
PAIRS = [
    *((word, ground) for word in WORDS for ground in GROUNDS),
    *((word, "selected") for word in ("text", "muted", "accent")),
    *((price, row) for price in ("miss", "false_alarm", "bep") for row in ("selected", "track")),
    *(("text", ground) for ground in ("mark", "preview", "erase", "found", "selection", "track")),
    ("muted", "track"),
    ("on_accent", "accent"),
]


def luminance(color):
    channels = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(color, ground):
    """Return the contrast ratio of WCAG 2.2."""
    light, dark = sorted((luminance(color), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def contrast(theme, one, other):
    return ratio(theme.color(one), theme.color(other))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(("word", "ground"), PAIRS)
def test_words_contrast_with_their_background(theme, word, ground):
    assert contrast(theme, word, ground) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_words_that_one_looks_for_can_be_read_on_the_page_and_on_a_mark(theme):
    for color in theme.words:
        for ground, letters in (
            ("page", QColor(color)),
            ("mark", mixed(color, theme.text, theme.word_in_mark)),
        ):
            light, dark = sorted((luminance(letters), luminance(theme.color(ground))), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (color, ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_choice_that_cannot_be_taken_can_be_read(qtbot, qapp, theme):
    wear(theme)
    choice = RulingButton(QAction("Union"), "union", "∪")
    qtbot.addWidget(choice)
    choice.resize(choice.sizeHint())
    choice.show_choice(EMPTY, (0, 9), "120", taken=False, possible=False)
    shown = choice.grab(QRect(0, 2, choice.width(), choice.height() - 6)).toImage()
    ground = QColor(shown.pixelColor(WORDS_END - 4, 2))
    columns = (
        range(KEY + 26, WORDS_END - 4),
        range(shown.width() - 40, shown.width()),
        range(KEY + 8, KEY + 22),
    )
    for part in columns:
        ratios = (ratio(shown.pixelColor(x, y), ground) for x, y in product(part, range(shown.height())))
        assert max(ratios) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_bars_contrast_with_their_track(theme):
    for bar in ("mark_edge", "finished", "hit", "bep"):
        assert contrast(theme, bar, "track") >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_grey_curves_are_visible_and_important_ones_stand_out(theme):
    for ground in ("page", "window"):
        grey = contrast(theme, "rest", ground)
        assert grey >= 3
        for color in theme.runs:
            light, dark = sorted((luminance(QColor(color)), luminance(theme.color(ground))), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 1.3 * grey


def test_an_appearance_goes_with_the_settings_that_it_follows(qapp, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    appearance = Appearance(qapp, settings)
    shiboken6.delete(settings)
    assert not shiboken6.isValid(appearance)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_completions_of_a_file_dialog_are_readable(qtbot, qapp, tmp_path, theme):
    settings = Settings(tmp_path / "settings.ini")
    settings.set(APPEARANCE, theme.name)
    appearance = Appearance(qapp, settings)
    (tmp_path / "runs").mkdir()
    dialog = QFileDialog(None, "Open", str(tmp_path), options=QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "r")
    qtbot.waitUntil(lambda: line.completer().completionCount() > 0)
    line.completer().complete()
    popup = line.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    shown = popup.grab().toImage()
    assert shown.pixelColor(shown.width() - 3, 3) == theme.color("raised")
    popup.hide()
    assert appearance.theme == theme


def test_a_window_is_built_without_the_sheet_and_shown_with_it(qapp, tmp_path):
    appearance = Appearance(qapp, Settings(tmp_path / "settings.ini"))
    worn = qapp.styleSheet()
    with appearance.building():
        assert not qapp.styleSheet()
    assert worn == qapp.styleSheet() != ""


def test_a_second_window_leaves_the_first_its_sheet(qtbot, qapp, tmp_path):
    appearance = Appearance(qapp, Settings(tmp_path / "settings.ini"))
    first = QMainWindow()
    qtbot.addWidget(first)
    first.show()
    with appearance.building():
        assert qapp.styleSheet()


def test_missing_scripts_of_fonts_cause_no_output(qtbot, qapp, qtlog):
    before = qapp.font()
    load_fonts(qapp)
    shown = QLabel("यह तेल ไทย தமிழ்")
    qtbot.addWidget(shown)
    shown.setFont(qapp.font())
    shown.grab()
    qapp.setFont(before)
    assert not [one.message for one in qtlog.records if "OpenType" in one.message]
