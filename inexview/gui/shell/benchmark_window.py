"""What a benchmark or an annotation tool's file holds, before anything is made of it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QWidget

from inexview.core.formats.bundle_files import BenchmarkLook, ShownQuestion
from inexview.core.report import count
from inexview.core.text.search import quoted
from inexview.core.wording import counted
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import (
    Caption,
    ElidedLabel,
    Filler,
    Recolored,
    fit_to_screen,
    in_column,
    in_row,
    label,
)

SHOWN_MISFITS = 5
LONGEST = 60  # characters of a passage that reads differently
SAMPLE_WIDTH = 330
NO_BREAK = "\N{NO-BREAK SPACE}"


class BenchmarkWindow(Recolored, QDialog):
    """Says in a sentence what was found and whether its passages read as their texts, and offers two ways on.

    Nothing is written before one of them is taken.
    """

    looked_at = Signal()
    made = Signal()

    def __init__(self, look: BenchmarkLook, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(look.bundle.path.name)
        self.resize(980, 600)
        fit_to_screen(self)
        self._look, self._at = look, 0
        kind, _, counts = look.bundle.sentence().partition(": ")
        counts = ", ".join(part.replace(" ", NO_BREAK) for part in counts.split(", "))
        self.said = label(f"{kind}:\n{counts}", "title", wrap=True)
        self.look_at, looking = self._way("Look at it", "Opens Inspect. Nothing is written.")
        self.look_at.setDefault(True)
        self.look_at.clicked.connect(self._look_at)
        told = "To judge, and to keep what you did. The files stay as they are."
        self.make, making = self._way("Make a project…", told)
        self.make.clicked.connect(self._make)
        for key, act in ((Qt.Key.Key_P, self._make), (Qt.Key.Key_J, self._show_another)):
            QShortcut(QKeySequence(key), self).activated.connect(act)
        self.sample = QLabel()
        self.sample.setTextFormat(Qt.TextFormat.RichText)
        self.sample.setWordWrap(True)
        self.sample.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.place = ElidedLabel(role="note")
        self.checked = self._check()
        left = in_column(
            ElidedLabel(str(look.bundle.path), role="note"),
            self.said,
            self.checked,
            in_row(
                in_column(self.look_at, looking, spacing=6),
                in_column(self.make, making, spacing=6),
                Filler(1),
            ),
            Caption("What was found"),
            self._found(),
            Filler(1),
            spacing=14,
        )
        in_row((left, 1), self._side(), on=self, margins=(40, 32, 0, 0), spacing=32)
        self.wear()
        self.look_at.setFocus()

    def _way(self, text: str, consequence: str) -> tuple[QPushButton, QLabel]:
        button = QPushButton(text)
        button.setMinimumWidth(210)
        button.setAccessibleDescription(consequence)
        said = label(consequence, "note", wrap=True)
        said.setMinimumWidth(210)
        return button, said

    def _check(self) -> QLabel:
        """Return what is said of all passages."""
        check = self._look.check
        wrong = bool(check.misread or check.lost or check.absent)
        said = check.sentence()
        made = label(f"{'⚠' if wrong else '✓'}  {said[:1].upper()}{said[1:]}", "saved", wrap=True)
        set_look(made, "wrong", wrong)
        return made

    def _misfits(self) -> list[QWidget]:
        """Return the passages that read differently, each as the file quotes it and as the text reads."""
        check = self._look.check
        if not check.misread:
            return []
        parts: list[QWidget] = [Caption(f"{count(check.misread)} differ; nothing is moved")]
        for passage, reads in check.misfits[:SHOWN_MISFITS]:
            told = "there is no such place" if reads is None else f"reads {_quoted(reads)}"
            parts += [
                ElidedLabel(
                    f"{count(passage.start)}–{count(passage.end)} in {passage.document}", role="value"
                ),
                ElidedLabel(f"file {_quoted(passage.quote or '')}", role="note"),
                ElidedLabel(told, role="note"),
            ]
        if check.misread > SHOWN_MISFITS:
            parts.append(label(f"and {count(check.misread - SHOWN_MISFITS)} more", "note"))
        return parts

    def _found(self) -> QWidget:
        bundle, look = self._look.bundle, self._look
        texts = bundle.path.name if bundle.texts else str(bundle.corpus or "not here")
        at_most = counted(look.most, "passage")
        answers = f"{look.median:,} characters in the median; a question has {at_most} at most"
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(20)
        grid.setColumnStretch(2, 1)
        rows = (
            ("Texts", len(bundle.documents), texts),
            ("Questions", len(bundle.questions), bundle.path.name),
            ("Passages", len(bundle.passages), answers),
        )
        for row, (name, number, said) in enumerate(rows):
            grid.addWidget(label(name, "value"), row, 0)
            grid.addWidget(label(count(number), "value"), row, 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(ElidedLabel(said, role="note"), row, 2)
        return table

    def _side(self) -> QScrollArea:
        """Return one of the questions beside it, with what answers it."""
        inner = QWidget()
        self.another = QPushButton("another  J")
        self.another.setProperty("role", "plain")
        self.another.clicked.connect(self._show_another)
        several = len(self._look.samples) > 1
        self.another.setVisible(several)
        heading = in_row(
            (Caption(f"One of {counted(len(self._look.bundle.questions), 'question')}"), 1), self.another
        )
        parts = in_column(*self._misfits(), heading, self.sample, self.place, Filler(1), spacing=8)
        in_column(parts, on=inner, margins=(20, 28, 20, 20))
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.setFixedWidth(SAMPLE_WIDTH)
        area.setVisible(bool(self._look.samples or self._look.check.misread))
        return area

    def sizeHint(self) -> QSize:
        return QSize(980, 600)

    def recolor(self) -> None:
        if self._look.samples:
            shown = self._look.samples[self._at]
            self.sample.setText(self._html(shown))
            places = " · ".join(f"{one.start:,}–{one.end:,}" for one in shown.passages)
            self.place.set_text(f"{places} in {shown.document}")

    def _html(self, question: ShownQuestion) -> str:
        mark, muted = self.theme.color("mark").name(), self.theme.color("muted").name()

        def lines(text: str) -> str:
            return escape(text).replace("\n", "<br>")

        parts = [f"<p><b>{escape(question.text)}</b></p>"]
        for one in question.passages:
            before, after = lines(f"… {one.before}" if one.before else ""), lines(f"{one.after} …")
            parts.append(
                f'<p><span style="color:{muted}">{before}</span>'
                f'<span style="background:{mark}">{lines(one.text)}</span>'
                f'<span style="color:{muted}">{after}</span></p>'
            )
        return "".join(parts)

    def _show_another(self) -> None:
        if self._look.samples:
            self._at = (self._at + 1) % len(self._look.samples)
            self.recolor()

    def _look_at(self) -> None:
        self.accept()
        self.looked_at.emit()

    def _make(self) -> None:
        self.made.emit()  # it stays until there is a name for the project: that question can be taken back


def _quoted(text: str) -> str:
    return quoted(text, 0, len(text), LONGEST)
