"""The settings dialog: few things, each applied at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from inexview.core.wording import PERCENT
from inexview.gui.look.layouts import in_column
from inexview.gui.look.widgets import label, still
from inexview.gui.services.settings import (
    ADVANCE,
    APPEARANCE,
    ASSESSOR,
    LINE_SPACING,
    LINE_WIDTH,
    MOTION,
    SCALE,
    TYPEFACE,
    ZOOM,
    Setting,
    Settings,
)

MOTIONS = {"system": "Follow the desktop", "reduced": "Reduced: nothing flashes or blinks", "all": "All"}
APPEARANCES = {"system": "Follow the desktop", "light": "Light", "dark": "Dark"}
TYPEFACES = {"serif": "With serifs", "sans": "Without serifs"}


class Preferences(QDialog):
    """Appearance, size of the text, the assessor's name, and what finishing does."""

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Settings")
        self.setMinimumWidth(460)
        appearance = _choice(settings, APPEARANCE, APPEARANCES)
        motion = _choice(settings, MOTION, MOTIONS)
        scale = QSpinBox(minimum=100, maximum=200, singleStep=25, suffix=PERCENT, value=settings.get(SCALE))
        scale.valueChanged.connect(lambda value: settings.set(SCALE, value))
        zoom = QSpinBox(minimum=50, maximum=300, singleStep=10, suffix=PERCENT, value=settings.get(ZOOM))
        zoom.valueChanged.connect(lambda value: settings.set(ZOOM, value))
        width = QSpinBox(
            minimum=50, maximum=160, singleStep=10, suffix=PERCENT, value=settings.get(LINE_WIDTH)
        )
        width.valueChanged.connect(lambda value: settings.set(LINE_WIDTH, value))
        spacing = QSpinBox(
            minimum=80, maximum=160, singleStep=10, suffix=PERCENT, value=settings.get(LINE_SPACING)
        )
        spacing.valueChanged.connect(lambda value: settings.set(LINE_SPACING, value))
        for box in (scale, zoom, width, spacing):
            still(box).lineEdit().setTextMargins(9, 0, 0, 0)  # in line with the fields above and below
        typeface = _choice(settings, TYPEFACE, TYPEFACES)
        advance = QCheckBox(ADVANCE.title)
        advance.setChecked(settings.get(ADVANCE))
        advance.toggled.connect(lambda on: settings.set(ADVANCE, on))
        assessor = QLineEdit(settings.get(ASSESSOR))
        assessor.editingFinished.connect(lambda: settings.set(ASSESSOR, assessor.text().strip()))
        form = QFormLayout()
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(18)
        for name, field in (
            ("Appearance", appearance),
            ("Motion", motion),
            ("Size of everything, from the next start", scale),
            ("Size of the article's text", zoom),
            ("Typeface", typeface),
            ("Width of lines", width),
            ("Distance of lines", spacing),
            ("Assessor in new projects", assessor),
        ):
            named = label(name)
            named.setSizePolicy(
                QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding
            )  # as high as its field
            named.setBuddy(field)
            form.addRow(named, field)
        form.addRow(advance)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        in_column(label("Settings", "heading"), form, buttons, on=self, margins=(24, 20, 24, 18), spacing=16)


def _choice(settings: Settings, setting: Setting[str], told: dict[str, str]) -> QComboBox:
    """Make a list of a setting's values, each told in words; choosing one sets it."""
    box = still(QComboBox())
    for value, text in told.items():
        box.addItem(text, value)
    box.setCurrentIndex(box.findData(settings.get(setting)))
    box.currentIndexChanged.connect(lambda: settings.set(setting, box.currentData()))
    return box
