"""The dialogs that ask how to export judgements, and for the settings of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from inexview.core.formats.format import JSONL, Feature, Format
from inexview.core.judgements.topics import Topic
from inexview.core.project.exchange.judgement_export import LEFT_IN_PROJECT, JudgingTally, export_formats
from inexview.core.wording import PERCENT, counted
from inexview.gui.look.layouts import Filler, in_column
from inexview.gui.look.panels import FittingArea
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import Caption, ElidedLabel, fit_to_screen, label, still
from inexview.gui.services.settings import (
    ADVANCE,
    APPEARANCE,
    ASSESSOR,
    EXPORT,
    LINE_SPACING,
    LINE_WIDTH,
    MOTION,
    SCALE,
    TYPEFACE,
    ZOOM,
    Setting,
    Settings,
)

INDENT = 24  # pixels: notes begin below the words of their button
LOOKING = "Looking through the judgements…"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the dialog was told: a format, the topics (None: all), and whether each shall have its file."""

    target: Format
    topics: tuple[str, ...] | None
    folder: bool
    lost: tuple[str, ...]
    """What the dialog said that the format cannot carry."""
    suggested: bool = True
    """Whether marks that were taken from suggestions are written, too."""
    own: bool = False
    """Whether the assessor's own judgements are written where a third layer settles a document."""


class ExportDialog(QDialog):
    """Asks for a format and for topics; what a format cannot carry is below its name."""

    def __init__(
        self, topics: Sequence[Topic], current: str | None, settings: Settings, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export judgements")
        self.setMinimumWidth(560)
        self._settings = settings
        self._tallies: Mapping[str, JudgingTally] | None = None
        self.topics = _topics_box(topics, current)
        self._formats = QButtonGroup(self)
        self._notes: list[ElidedLabel] = []
        self.folder = QCheckBox("A folder, with a file for each topic")
        self.without = QCheckBox()
        self.without.hide()  # unless there is something to leave out
        self.own = QCheckBox()
        self.own.hide()  # unless anything is settled
        room = self.folder.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.folder.setSizePolicy(room)
        self._told = label(LOOKING, "muted", wrap=True)
        self._told.setMinimumHeight(2 * self._told.fontMetrics().lineSpacing() + 2)
        self._told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._export = self._buttons.addButton("Export…", QDialogButtonBox.ButtonRole.AcceptRole)
        self._build()
        self._export.setDefault(True)  # in the dialog now, which gives it back what another button took
        self._show()
        self.resize(self.sizeHint())
        fit_to_screen(self)  # the formats scroll where it is low
        self._formats.button(self._formats.checkedId()).setFocus()

    def _build(self) -> None:
        holder = QWidget()
        in_column(self._choices(), on=holder, margins=0)
        in_column(
            label("Export judgements", "heading"),
            self.topics,
            Caption("Format"),
            FittingArea(holder),
            self.folder,
            self.without,
            self.own,
            Filler(0),
            self._told,
            self._buttons,
            on=self,
            margins=(24, 22, 24, 20),
            spacing=14,
        )
        self.topics.currentIndexChanged.connect(self._show)
        self._formats.buttonToggled.connect(self._show)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def _choices(self) -> QVBoxLayout:
        """Make a button for each format that can be written, and below it room for what it cannot carry."""
        choices = QVBoxLayout()
        choices.setSpacing(2)
        last = self._settings.get(EXPORT)
        for at, format in enumerate(export_formats()):
            button = QRadioButton(format.title[0].upper() + format.title[1:])
            button.setChecked(format.name == last or at == 0)
            self._formats.addButton(button, at)
            note = ElidedLabel(role="note")
            choices.addWidget(button)
            choices.addLayout(in_column(note, margins=(INDENT, 0, 0, 9)))
            self._notes.append(note)
        return choices

    # -- what is known -------------------------------------------------------------------------------

    def show_news(self, text: str) -> None:
        self._told.setText(text)

    def show_tallies(self, tallies: Mapping[str, JudgingTally]) -> None:
        """Say what is judged (by topic), and what of it each format cannot carry."""
        self._tallies = tallies
        self._show()

    @property
    def told(self) -> str:
        """What is said of how much there is to write."""
        return self._told.text()

    @property
    def choice(self) -> Choice:
        target, topic = self._target, self.topics.currentData()
        return Choice(
            target,
            None if topic is None else (topic,),
            not self.folder.isHidden() and self.folder.isChecked(),
            self._tally.lost(target),
            not self.without.isChecked(),
            not self.own.isHidden() and self.own.isChecked(),
        )

    def accept(self) -> None:
        """Remember the format for the next time."""
        self._settings.set(EXPORT, self._target.name)
        super().accept()

    @property
    def _target(self) -> Format:
        return export_formats()[self._formats.checkedId()]

    @property
    def _tally(self) -> JudgingTally:
        topic, tallies = self.topics.currentData(), self._tallies or {}
        return (
            reduce(add, tallies.values(), JudgingTally())
            if topic is None
            else tallies.get(topic, JudgingTally())
        )

    def _show(self) -> None:
        target, tally = self._target, self._tally
        several = self.topics.currentData() is None and self.topics.count() > 2
        self.folder.setVisible(target.folder and several)
        for at, (format, note) in enumerate(zip(export_formats(), self._notes, strict=True)):
            said = _note(format, tally) if self._tallies is not None else ""
            note.set_text(said)
            set_look(note, "wrong", bool(tally.lost(format)))
            self._formats.button(at).setAccessibleDescription(said)
        self.without.setVisible(tally.suggested > 0)
        documents = counted(tally.suggested, "document")
        self.without.setText(f"Leave out what was marked from suggestions ({documents})")
        self.own.setVisible(tally.settled > 0)
        settled = counted(tally.settled, "document")
        self.own.setText(f"My own judgements, not what was settled between layers ({settled})")
        self._export.setEnabled(tally.documents(target) > 0)
        if self._tallies is not None:
            self._told.setText(_summary(target, tally))


def _topics_box(topics: Sequence[Topic], current: str | None) -> QComboBox:
    """Return the choice of topics: all, then the one that is open, likely to be wanted, and the others."""
    box = still(QComboBox())
    box.setAccessibleName("Topics")
    box.addItem(f"All {len(topics):,} topics", None)
    for topic in sorted(topics, key=lambda topic: topic.id != current):
        box.addItem(f"Only {topic.id} · {topic.title}" if topic.title else f"Only {topic.id}", topic.id)
    box.setVisible(len(topics) > 1)
    return box


def _note(format: Format, tally: JudgingTally) -> str:
    notes = 0 if format is JSONL else tally.holds.get(Feature.NOTES, 0)
    lost = [*tally.lost(format), *[Feature.NOTES.counted(notes)] * bool(notes)]
    if lost:
        return f"cannot carry {', '.join(lost)}"
    if format is JSONL:
        return "carries all that is known: documents not finished, quotes, who judged what and when"
    return "carries all that is judged"


def _summary(target: Format, tally: JudgingTally) -> str:
    """Say how much there is to write, and what stays in the project."""
    documents = tally.documents(target)
    if not documents:
        held = "worked on" if target is JSONL else "finished"
        return f"There is nothing to export yet: {target.title} hold what is {held}."
    if target is JSONL:
        said = counted(documents, "document")
        return f"{said}, {tally.begun:,} of them not finished." if tally.begun else f"{said}."
    said = f"{counted(documents, 'finished document')}."
    if left := tally.begun + tally.untouched:
        said += f" Left out: {left:,} that {'is' if left == 1 else 'are'} not finished."
    own = [one.counted(number) for one, number in tally.holds.items() if one in LEFT_IN_PROJECT and number]
    return f"{said} These stay in the project: {', '.join(own)}." if own else said


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
