"""The window that shows what a benchmark or an annotation tool's file contains, before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from inexview.core.benchmarks.bundle import Bundle
from inexview.core.benchmarks.forms import FORMS
from inexview.core.files import shown_path
from inexview.core.formats.benchmark_look import BenchmarkLook, ShownQuestion, check_passages, look_at
from inexview.core.formats.bundle_files import BenchmarkReading
from inexview.core.offset_check.quotes import quote_verdict
from inexview.core.wording import counted, some_named
from inexview.gui.look.theme import READING_FAMILIES, set_look
from inexview.gui.look.widgets import (
    Caption,
    Dialog,
    ElidedLabel,
    Filler,
    KeyButton,
    KeySign,
    Recolored,
    ThinBar,
    button,
    in_column,
    in_row,
    key_label,
    label,
    rule,
    timer,
)
from inexview.gui.services.actions import FILE, GO, Action, ActionBook
from inexview.gui.services.messages import sentence
from inexview.gui.services.settings import PACKED, SUFFIXES, Settings, choose_files, choose_folder
from inexview.gui.services.tasks import LongTask, News, Tasks
from inexview.gui.shell.passage_differences import (
    READING_PIXELS,
    CheckSign,
    DifferenceLegend,
    DifferenceRow,
)
from inexview.gui.shell.start_window import GUIDE

SIZE = (1240, 800)
BESIDE = 1200  # pixels from which the right panel is next to the table instead of below it
COLUMN_WIDTH, SIDE_WIDTH, BUTTON_WIDTH = 840, 376, 262
NAME_WIDTH, COUNT_WIDTH = 84, 64  # widths of the first two columns of the table in pixels
SHOWN_AFTER = 300  # milliseconds: a shorter check shows no progress
SHOWN_DIFFERENCES = 4  # differences shown at a time
NO_BREAK = "\N{NO-BREAK SPACE}"
RUN_FILES = f"Runs (*.txt *.run *.xml *.res *.json *.jsonl *.csv *.tsv {PACKED});;All files (*)"

LOOK: Action[Any] = Action(
    "look-at-benchmark", FILE, "Look at it", "Open it in Inspect; nothing is written", lambda w: w.take_look
)
MAKE: Action[Any] = Action(
    "make-of-benchmark", FILE, "Make a project…", "Make a project of it; the files do not change",
    lambda w: w.make_project, ("P",),
)  # fmt: skip
NEXT: Action[Any] = Action(
    "next-shown", GO, "Next", "Show another question, or the next difference", lambda w: w.show_next, ("J",)
)
PREVIOUS: Action[Any] = Action(
    "previous-shown", GO, "Back", "Show the question or the difference before", lambda w: w.show_previous,
    ("Shift+J",),
)  # fmt: skip


class Wanted(NamedTuple):
    """How to read a benchmark, and the runs to open with it."""

    reading: BenchmarkReading
    runs: tuple[Path, ...]


class FoundRow(QWidget):
    """One layer of a benchmark: number, files, and remarks."""

    def __init__(self, name: str, link: QPushButton | None) -> None:
        super().__init__()
        self.number = label("", "count")
        self.number.setFixedWidth(COUNT_WIDTH)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        heading = label(name, "value")
        heading.setFixedWidth(NAME_WIDTH)
        self.source = ElidedLabel(role="value", shorten=Qt.TextElideMode.ElideMiddle)
        self.about = ElidedLabel(role="note")
        top = Qt.AlignmentFlag.AlignTop
        row = in_row((heading, 0, top), (self.number, 0, top), 16, spacing=0, on=self, margins=(0, 10, 0, 10))
        row.addLayout(in_column(self.source, self.about, spacing=3), 1)
        if link is not None:
            row.addWidget(link, 0, top)

    def show_found(self, number: int | None, source: str, about: str) -> None:
        self.number.setText("…" if number is None else f"{number:,}")
        self.source.set_text(source)
        self.about.set_text(about)


class CheckLine(QWidget):
    """The result of checking passages against their quotes: a sign, a sentence, a note, and progress."""

    def __init__(self) -> None:
        super().__init__()
        self.sign = CheckSign()
        self.said = label("", "check")
        self.note = label("", "muted", wrap=True)
        # so that nothing below it moves
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing() + 2)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.bar, self.key = ThinBar(), key_label("Esc")
        self.bar.setMaximumWidth(200)
        self.act = button("", "link")
        top = Qt.AlignmentFlag.AlignTop
        first = in_row(self.said, self.act, (self.bar, 1), self.key, Filler(1), spacing=10)
        in_row(
            (self.sign, 0, top), (in_column(first, self.note, spacing=4), 1), on=self, margins=0, spacing=9
        )

    def show_state(self, fine: bool | None, said: str, note: str = "", act: str = "") -> None:
        self.sign.show_fine(fine)
        self.said.setText(said)
        set_look(self.said, "fine", {True: "yes", False: "no", None: ""}[fine])
        self.note.setText(note)
        self.act.setText(act)
        self.act.setVisible(bool(act))
        self.show_work(None, working=False)

    def show_work(self, share: float | None, *, working: bool = True) -> None:
        self.bar.show_share(share)
        self.bar.setVisible(working)
        self.key.setVisible(working)


class Differences(QWidget):
    """The passages that differ from their quotes, a few at a time, and their treatment in a project."""

    moved = Signal(object)  # bool

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self._look: BenchmarkLook | None = None
        self.at = 0
        self.rows: list[DifferenceRow] = []
        self.caption = Caption("")
        self._rows = in_column(spacing=0, margins=0)
        self.leave, self.take = QRadioButton(), QRadioButton("Use the place where each answer is")
        choice = QButtonGroup(self)
        for one in (self.leave, self.take):
            choice.addButton(one)
        self.leave.setChecked(True)
        self.take.toggled.connect(self.moved.emit)
        self._flagged, self._found = label("", "note", wrap=True), label("", "note", wrap=True)
        heading = in_row((self.caption, 1), label("next", "muted"), KeySign(book[NEXT.id]), spacing=6)
        in_column(
            heading, DifferenceLegend(), rule(), self._rows, 12, label("In the project", "value"), 4,
            self.leave, _indented(self._flagged), 6, self.take, _indented(self._found),
            on=self, margins=0, spacing=4,
        )  # fmt: skip

    def show_look(self, look: BenchmarkLook) -> None:
        check = look.check
        self._look, self.at = look, 0
        self.leave.setText(f"Leave the {check.misread:,} as the file counts them" if check.misread > 1 else
                           "Leave it as the file counts it")  # fmt: skip
        flagged = "Its document is flagged" if check.misread == 1 else "Their documents are flagged"
        self._flagged.setText(f"{flagged} to come back to, with a note.")
        for part in (self.take, self._found):
            part.setVisible(check.elsewhere > 0)
        self._found.setText(f"{_found(look)} The files do not change.")
        self._show()

    def step(self, by: int) -> None:
        misfits = () if self._look is None else self._look.check.misfits
        if misfits:
            self.at = (self.at + by) % len(misfits)
            self._show()

    def _show(self) -> None:
        assert self._look is not None
        check = self._look.check
        first = self.at - self.at % SHOWN_DIFFERENCES
        shown = check.misfits[first : first + SHOWN_DIFFERENCES]
        if [row.misfit for row in self.rows] != [*shown]:
            for row in self.rows:
                self._rows.removeWidget(row)
                row.deleteLater()
            self.rows = [DifferenceRow(misfit) for misfit in shown]
            for number, row in enumerate(self.rows):
                row.pressed.connect(partial(self._choose, first + number))
                self._rows.addWidget(row)
        for number, row in enumerate(self.rows):
            row.show_current(current=first + number == self.at)
        which = f"{self.at + 1:,} of " if len(check.misfits) > SHOWN_DIFFERENCES else ""
        self.caption.set_text(f"{which}{check.misread:,} read{'s' * (check.misread == 1)} differently")

    def _choose(self, at: int) -> None:
        self.at = at
        self._show()


def _indented(part: QLabel) -> QWidget:
    held = QWidget()
    in_row((part, 1), on=held, margins=(22, 0, 0, 0))
    return held


def _found(look: BenchmarkLook) -> str:
    """Return how many of the differing passages occur once elsewhere in their text."""
    check = look.check
    shifts = {one.place[0] - one.start for one in check.misfits if one.place is not None}
    where = ""
    if len(shifts) == 1 and (shift := shifts.pop()):
        where = f", {counted(abs(shift), 'character')} further {'on' if shift > 0 else 'back'}"
    if check.elsewhere == check.misread:
        return f"Found once{' each' * (check.misread > 1)}{where}."
    return f"{check.elsewhere:,} of the {check.misread:,} are found once{where}; the others stay."


class BenchmarkWindow(Recolored, Dialog):
    """Shows what was found and whether passages match their quotes, and offers two ways to continue.

    Nothing is written before one of them is chosen.
    """

    looked_at = Signal(object)  # Wanted
    made = Signal(object)  # Wanted
    asked = Signal(object)  # str: the id of an action

    def __init__(
        self,
        path: Path,
        bundle: Bundle,
        reading: BenchmarkReading,
        settings: Settings,
        parent: QWidget | None,
        *,
        runs: Sequence[Path] = (),
    ) -> None:
        """``runs`` were opened together with it."""
        super().__init__(parent)
        self.setWindowTitle(path.name)
        self.path, self._bundle, self._reading = path, bundle, reading
        self._settings = settings
        self.look: BenchmarkLook | None = None
        """The result of the check, None before it."""
        self._added = tuple(runs)  # in addition to those of the folder
        self._at = 0
        self._checking: LongTask | None = None
        self._tasks = Tasks(self._tell, self)
        self._tasks.progressed.connect(self._go_on)
        self._late = timer(self, self._show_checking, SHOWN_AFTER)
        self.book = ActionBook(self, settings, (LOOK, MAKE, NEXT, PREVIOUS, GUIDE))
        self._build()
        self.book.bind(self)
        self.resize(*SIZE)
        self.take(bundle, reading)
        self.wear()
        self.look_at.setFocus()

    # -- parts ---------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._below = in_column(margins=0)
        left, column = QWidget(), QWidget()
        left.setProperty("role", "page")
        column.setMaximumWidth(COLUMN_WIDTH)
        in_column(
            self._crumbs(), 6, self._heading(), 10, self._checked_line(), 6, self._ways(), 20,
            Caption("What was found"), 6, rule(), *self._table(), 4, self._rest(), self._below, Filler(1),
            on=column, margins=(0, 32, 0, 24), spacing=4,
        )  # fmt: skip
        in_row(Filler(1), (column, 100), Filler(1), on=left, margins=(40, 0, 40, 0), spacing=0)
        self._side = self._right()
        self._body, self._beside = _scrolled(left), _scrolled(self._side)
        self._beside.setFixedWidth(SIDE_WIDTH)
        in_column(
            (in_row((self._body, 1), rule(upright=True), self._beside, spacing=0), 1), self._foot(),
            on=self, margins=0, spacing=0,
        )  # fmt: skip
        for one in self.findChildren(QPushButton):
            one.setAutoDefault(False)  # Enter presses only the focused button

    def _crumbs(self) -> QWidget:
        crumbs, back = QWidget(), button("Start", "link")
        back.clicked.connect(self.reject)
        where = ElidedLabel(shown_path(self.path), role="muted", shorten=Qt.TextElideMode.ElideMiddle)
        in_row(back, key_label("Esc"), label("▸", "muted"), (where, 1), on=crumbs, margins=0, spacing=8)
        return crumbs

    def _heading(self) -> QLabel:
        self.said = label("", "title", wrap=True)
        return self.said

    def _checked_line(self) -> CheckLine:
        self.check = CheckLine()
        self.check.act.clicked.connect(self._act_on_check)
        return self.check

    def _ways(self) -> QWidget:
        self.look_at = KeyButton("Look at it", self.book[LOOK.id], primary=True, key="Enter")
        self.make = KeyButton("Make a project…", self.book[MAKE.id])
        self._opens = label("", "muted", wrap=True)
        stays = label("To judge and keep your work. The files do not change.", "muted", wrap=True)
        for part in (self.look_at, self.make, self._opens, stays):
            part.setFixedWidth(BUTTON_WIDTH)
        for said in (self._opens, stays):
            said.setMinimumHeight(2 * said.fontMetrics().lineSpacing() + 2)
            said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.make.setAccessibleDescription(stays.text())
        ways = QWidget()
        in_row(
            in_column(self.look_at, self._opens, spacing=6), in_column(self.make, stays, spacing=6),
            Filler(1), on=ways, margins=0, spacing=12,
        )  # fmt: skip
        return ways

    def _table(self) -> list[QWidget]:
        self.change_texts, self.add_runs = button("", "link"), button("Add…", "link")
        self.change_texts.clicked.connect(self._change_texts)
        self.add_runs.clicked.connect(self._ask_runs)
        self.add_runs.setAccessibleName("Add runs")
        links = {"Texts": self.change_texts, "Runs": self.add_runs}
        self.found = {
            name: FoundRow(name, links.get(name)) for name in ("Texts", "Questions", "Passages", "Runs")
        }
        return [part for row in self.found.values() for part in (row, rule())]

    def _rest(self) -> QWidget:
        rest = QWidget()
        self.unread = ElidedLabel(role="note")
        self.otherwise = button("Read it as something else…", "link")
        self.otherwise.clicked.connect(self._ask_form)
        in_row(self.unread, self.otherwise, Filler(1), on=rest, margins=0, spacing=4)
        return rest

    def _right(self) -> QWidget:
        """Return the part next to the table: the differences, or a question with its passages."""
        side, self._sampled = QWidget(), QWidget()
        side.setProperty("role", "chrome")
        self.differences = Differences(self.book)
        self.differences.moved.connect(self._move)
        self._caption = Caption("")
        self.sample = QLabel()
        self.sample.setTextFormat(Qt.TextFormat.RichText)
        self.sample.setWordWrap(True)
        self.place, self._facts = ElidedLabel(role="note"), ElidedLabel(role="note")
        self._several = QWidget()
        another = label("another", "muted"), KeySign(self.book[NEXT.id])
        in_row(*another, on=self._several, margins=0, spacing=6)
        heading = in_row((self._caption, 1), self._several, spacing=6)
        in_column(heading, self.sample, 6, self.place, self._facts, on=self._sampled, margins=0, spacing=4)
        in_column(self.differences, self._sampled, Filler(1), on=side, margins=(20, 24, 20, 20))
        return side

    def _foot(self) -> QWidget:
        foot = QWidget()
        foot.setObjectName("status-bar")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        foot.setFixedHeight(30)
        keys = (
            (key_label("Enter"), "look at it"),
            (KeySign(self.book[MAKE.id]), "make a project"),
            (KeySign(self.book[NEXT.id]), "next"),
        )
        hints = [in_row(key, label(does, "status"), spacing=5) for key, does in keys]
        guide = button("Guide", "link")
        guide.clicked.connect(self.book[GUIDE.id].trigger)
        in_row(
            label("Nothing written yet", "value"), *hints, Filler(1), guide, KeySign(self.book[GUIDE.id]),
            on=foot, margins=(14, 0, 14, 0), spacing=18,
        )  # fmt: skip
        return foot

    # -- reading and checking -------------------------------------------------------------------------

    def take(self, bundle: Bundle, reading: BenchmarkReading) -> None:
        """Show the contents of a benchmark, and start to check it."""
        self._bundle, self._reading, self.look, self._at = bundle, reading, None, 0
        self._show_found()
        self._show_side()
        self._check()

    def _check(self) -> None:
        self.check.show_state(None, "")
        work = partial(check_passages, self._bundle, self._reading)
        self._checking = self._tasks.run_long(
            "Checking", work, self._show_checked, self._not_checked, self._show_stopped
        )
        self._late.start()

    def _show_checking(self) -> None:
        if self._checking is not None:
            self._go_on(self._checking)

    def _go_on(self, task: LongTask) -> None:
        if task is not self._checking or self._late.isActive() or task.stopping:
            return
        news = task.news or News("passages checked", 0, len(self._bundle.passages))
        if news.what == "passages checked":
            said = f"checking {news.done:,} of {news.total:,} …"
        else:
            said = f"checking; {news.done:,} {news.what} …"
        self.check.show_state(None, said)
        self.check.show_work(news.done / news.total if news.total else None)

    def _end_check(self) -> None:
        self._checking = None
        self._late.stop()

    def _show_checked(self, look: BenchmarkLook) -> None:
        self._end_check()
        self.look, self._reading = look, look.reading
        verdict = quote_verdict(self._bundle, look.check, look.better_way)
        better = "" if look.better_way is None else "Count so"
        self.check.show_state(verdict.fine, verdict.headline, verdict.detail, better)
        self._show_found()
        if look.check.misread:
            self.differences.show_look(look)
        self._show_side()
        self.recolor()

    def _not_checked(self, error: Exception) -> None:
        self._end_check()
        self.check.show_state(False, "The passages could not be checked", sentence(error), "Check again")

    def _show_stopped(self) -> None:
        self._end_check()
        self.check.show_state(None, "The passages are not checked", "", "Check them")

    def _act_on_check(self) -> None:
        better = None if self.look is None else self.look.better_way
        if better is not None:
            self._reading = replace(self._reading, way=better)
        self._check()

    def _tell(self, error: Exception) -> None:
        """Report a problem with another file or format."""
        self.check.show_state(False, "That failed; the earlier data are still here", sentence(error))

    # -- contents ------------------------------------------------------------------------------------

    def _show_heading(self) -> None:
        """Show the kind and size; for a corpus judged by documents, all its texts."""
        bundle = self._bundle
        texts = 0 if self.look is None else self.look.texts.number
        counts = (
            counted(len(bundle.questions), "question"),
            counted(len(bundle.documents) or texts, "document"),
            counted(len(bundle.passages), "passage"),
        )
        said = ", ".join(part.replace(" ", NO_BREAK) for part in counts)
        self.said.setText(f"{bundle.form}:\n{said}")

    def _show_found(self) -> None:
        bundle, look = self._bundle, self.look
        self._show_heading()
        corpus, used = bundle.corpus, () if look is None else look.files.used
        name = some_named([_within(path, bundle.path) for path in used], 3) or bundle.path.name
        if bundle.texts or corpus is not None:
            source = name if corpus is None else _within(corpus, bundle.path)
            about = "" if look is None else _of_texts(look)
            if bundle.suffix:
                kept = "with" if self._reading.suffixes else "without"
                about += f" Ids are paths {kept} {bundle.suffix}."
            self.found["Texts"].show_found(None if look is None else look.texts.number, source, about)
        else:
            missing = "Without texts, scores are computed from offsets, and no text is shown."
            self.found["Texts"].show_found(0, "none here; add their folder", missing)
        self.change_texts.setText("Add…" if corpus is None else "Change…")
        self.change_texts.setVisible(not bundle.texts)
        self.change_texts.setAccessibleName("Add texts" if corpus is None else "Change texts")
        first, last = (bundle.questions[at].id for at in (0, -1)) if bundle.questions else ("", "")
        ids = f"Ids are {first} to {last}." if first != last else f"Its id is {first}." if first else ""
        none = "none here"
        questions, passages = len(bundle.questions), len(bundle.passages)
        self.found["Questions"].show_found(questions, name if questions else none, ids)
        said = "" if look is None else _of_passages(look)
        self.found["Passages"].show_found(passages, name if passages else none, said)
        self._show_runs()
        unread = () if look is None else look.files.unread
        self.unread.set_text(f"Not read: {some_named(unread, 3)}." if unread else "")
        self.unread.setVisible(bool(unread))

    @property
    def runs(self) -> tuple[Path, ...]:
        """The runs of the folder, and those that were added."""
        found = () if self.look is None else self.look.files.runs
        return tuple(dict.fromkeys((*found, *self._added)))

    def _show_runs(self) -> None:
        runs, row = self.runs, self.found["Runs"]
        if runs:
            row.show_found(
                len(runs),
                some_named([_in_folder(run, self.path) for run in runs], 4),
                "They are read when you open them.",
            )
        else:
            row.show_found(
                0, "none in the folder" if self.path.is_dir() else "none", "Add some now or later."
            )
        with_runs = {0: "", 1: " with the run", 2: " with both runs"}.get(
            len(runs), f" with {len(runs)} runs"
        )
        self._opens.setText(f"Opens Inspect{with_runs}. Nothing is written.")
        self.look_at.setAccessibleDescription(self._opens.text())

    def _change_texts(self) -> None:
        """Offer other texts and, if texts have a suffix, other ids."""
        if not self._bundle.suffix:
            self._ask_texts()
            return
        menu = QMenu(self)
        for suffixes in (False, True):
            kept = "with" if suffixes else "without"
            offered = menu.addAction(f"Ids are paths {kept} {self._bundle.suffix}")
            offered.setCheckable(True)
            offered.setChecked(suffixes is self._reading.suffixes)
            offered.triggered.connect(partial(self._keep_suffixes, suffixes))
        menu.addSeparator()
        menu.addAction("Texts of another folder…").triggered.connect(self._ask_texts)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.change_texts.mapToGlobal(self.change_texts.rect().bottomLeft()))

    def _keep_suffixes(self, suffixes: bool, _checked: bool = False) -> None:
        self._settings.set(SUFFIXES, suffixes)
        self._read(replace(self._reading, suffixes=suffixes))

    def _ask_texts(self) -> None:
        folder = choose_folder(self, "Where are the texts?", self._settings)
        if folder is not None:
            self._read(replace(self._reading, texts=folder))

    def _ask_runs(self) -> None:
        chosen = choose_files(self, "Add runs", RUN_FILES, self._settings)
        self._added += tuple(path for path in chosen if path not in self.runs)
        self._show_runs()

    def _ask_form(self) -> None:
        menu = QMenu(self)
        for form in FORMS:
            menu.addAction(form.title).triggered.connect(
                partial(self._read, replace(self._reading, form=form.name, way=None))
            )
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.otherwise.mapToGlobal(self.otherwise.rect().bottomLeft()))

    def _read(self, reading: BenchmarkReading, _checked: bool = False) -> None:
        """Read the files in another way; earlier contents stay until that is done."""

        def take(bundle: Bundle | Path) -> None:
            if isinstance(bundle, Bundle):
                self.take(bundle, reading)

        self._stop()
        self._tasks.run_long("Reading", lambda _progress: look_at(self.path, reading), take)

    # -- the right side ------------------------------------------------------------------------------

    def _show_side(self) -> None:
        look = self.look
        differ = look is not None and look.check.misread > 0 and look.better_way is None
        self.differences.setVisible(differ)
        sampled = not differ and look is not None and bool(look.samples)
        self._sampled.setVisible(sampled)
        self._several.setVisible(look is not None and len(look.samples) > 1)
        # so that nothing moves then
        seen = differ or sampled or (look is None and bool(self._bundle.passages))
        self._side.setVisible(seen)
        self._beside.setVisible(self._is_beside and seen)
        self._caption.set_text(f"One of {counted(len(self._bundle.questions), 'question')}")

    def recolor(self) -> None:
        if self.look is not None and self.look.samples:
            shown = self.look.samples[self._at]
            self.sample.setText(self._html(shown))
            places = " · ".join(f"{one.start:,}–{one.end:,}" for one in shown.passages)
            sizes = ", ".join(f"{one.end - one.start:,}" for one in shown.passages)
            self.place.set_text(f"{places} in {shown.document}")
            self._facts.set_text(
                f"{shown.id} · {counted(len(shown.passages), 'passage')} of {sizes} characters"
            )

    def _html(self, question: ShownQuestion) -> str:
        theme, families = self.theme, ", ".join(f"'{name}'" for name in READING_FAMILIES[:2])
        muted = theme.color("muted").name()
        mark = f"background:{theme.mark}"

        def lines(text: str) -> str:
            return escape(text).replace("\n", "<br>")

        parts = [f'<p style="font-size:15px; font-weight:600">{escape(question.text)}</p>']
        for one in question.passages:
            before, after = lines(f"… {one.before}" if one.before else ""), lines(f"{one.after} …")
            parts.append(
                f'<p style="font-family:{families}; font-size:{READING_PIXELS}px; line-height:120%">'
                f'<span style="color:{muted}">{before}</span>'
                f'<span style="{mark}">{lines(one.text)}</span>'
                f'<span style="color:{muted}">{after}</span></p>'
            )
        return "".join(parts)

    def show_next(self) -> None:
        self._step(1)

    def show_previous(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self.differences.isVisibleTo(self):
            self.differences.step(by)
        elif self.look is not None and self.look.samples:
            self._at = (self._at + by) % len(self.look.samples)
            self.recolor()

    def _move(self, moved: bool) -> None:
        self._reading = replace(self._reading, move=moved)

    # -- ways to continue ----------------------------------------------------------------------------

    def take_look(self) -> None:
        """Open it in Inspect; passages are imported at their offsets."""
        wanted = Wanted(replace(self._reading, move=False), self.runs)
        self.accept()
        self.looked_at.emit(wanted)

    def make_project(self) -> None:
        """Ask for a project's name; this window stays, in case the dialog is cancelled."""
        self.made.emit(Wanted(self._reading, self.runs))

    def reject(self) -> None:
        """Cancel a visible check first; otherwise close the window."""
        if self._checking is not None and not self._late.isActive() and not self._checking.stopping:
            self._stop()
        else:
            super().reject()

    def _stop(self) -> None:
        if self._checking is not None:
            self._checking.give_up()

    def done(self, result: int) -> None:
        """Stop all background work."""
        self._late.stop()
        self._tasks.close()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused button with Enter, ignoring repetitions of a held key."""
        focused = self.focusWidget()
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif isinstance(focused, QAbstractButton) and not event.isAutoRepeat():
            focused.click()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the right panel below the table if the window is narrow."""
        super().resizeEvent(event)
        beside = self.width() >= BESIDE
        if beside == self._is_beside:
            return
        if beside:
            self._below.removeWidget(self._side)
            self._beside.setWidget(self._side)
        else:
            self._below.addWidget(self._beside.takeWidget())
        self._show_side()

    @property
    def _is_beside(self) -> bool:
        return self._beside.widget() is not None


def _scrolled(inner: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setWidget(inner)
    return area


def _within(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder)) if folder in path.parents else shown_path(path)


def _in_folder(run: Path, folder: Path) -> str:
    """Return the path of a run relative to the folder, or its name if it is elsewhere."""
    return str(run.relative_to(folder)) if folder in run.parents else run.name


def _of_texts(look: BenchmarkLook) -> str:
    texts = look.texts
    if not texts.read:
        return ""
    those = "" if texts.read == texts.number else f"{counted(texts.read, 'text')} with passages: "
    return f"{those}{counted(texts.characters, 'character')}; the longest has {texts.longest:,}."


def _of_passages(look: BenchmarkLook) -> str:
    if not look.median:
        return ""
    said = f"Median {counted(look.median, 'character')}."
    if look.most == 1:
        return f"{said} Each question has one."
    single = f"{counted(look.single, 'question')} {'has' if look.single == 1 else 'have'} one"
    return f"{said} {f'{single}, none has' if look.single else 'No question has'} more than {look.most:,}."
