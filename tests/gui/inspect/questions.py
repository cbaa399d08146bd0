"""A small benchmark of two texts and two questions, and runs of chunks over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inexview.core.evaluation.chunkers import Same
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.inspection import Inspection, create_inspection
from inexview.core.project.project import Project
from inexview.core.text.spans import Spans
from inexview.gui.inspect.run_scoring import InspectedQrels
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow, Mode

WORDS = [f"w{at:04}" for at in range(400)]
TEXT = " ".join(WORDS)  # a word begins at each sixth character
QUESTION = "What does the long text say, and where does it say so?"
TOPICS = (Topic("q1", QUESTION), Topic("q2", "And what else?"))
QRELS = Qrels.from_judgements(
    [
        Judgement("q1", "long", 420, len(TEXT), None, Spans([(300, 600), (900, 1020)])),
        Judgement("q2", "short", 60, 600, None, Spans([(60, 120)])),
    ]
)
LARGE = [
    Result("q1", "long", 1, 9.5, 400, 800),
    Result("q1", "short", 2, 8.0, 0, 400),
    Result("q1", "long", 3, 7.5, 600, 1000),
    Result("q1", "long", 4, 7.0, -1, 99),
    Result("q1", "other", 5, 6.0, 0, 100),
    Result("q1", "long", 6, 5.0, 200, 600),
    Result("q1", "long", 7, 4.0, 1200, 1600),
    Result("q2", "short", 1, 3.0, 0, 400),
]
SMALL = [
    Result("q1", "long", 1, 3.5, 400, 600),
    Result("q1", "long", 2, 3.0, 1000, 1200),
    Result("q1", "long", 3, 2.5, 200, 400),
    Result("q2", "short", 1, 2.0, 0, 200),
]
RUNS = {"large": LARGE, "small": SMALL}


def run_of(name: str, results: Sequence[Result]) -> Run:
    return Run.from_results(results, id=name, task=Task.CHUNKS)


def _written(run: Run, folder: Path) -> Run:
    """Return the run as if it had been read: the window knows runs by their files."""
    path = folder / f"{run.id}.json"
    path.touch()
    return replace(run, path=path)


def make_inspection(folder: Path, runs: Sequence[Run]) -> Inspection:
    """Write the texts, and make a project that shows them."""
    texts = folder / "texts"
    texts.mkdir()
    for name, text in (("long", TEXT), ("short", TEXT[:600]), ("other", TEXT[600:900])):
        (texts / f"{name}.txt").write_text(text, encoding="utf-8")
    return create_inspection(
        folder / "questions.inexview",
        collection=texts,
        qrels=QRELS,
        runs=[_written(run, folder) for run in runs],
        topics=TOPICS,
        entry_points=False,
    )


@contextmanager
def inspected(
    qapp: QApplication,
    qtbot: QtBot,
    folder: Path,
    runs: Sequence[Run],
    size: tuple[int, int] = (1440, 900),
    by: Same | None = Same.K,
) -> Iterator[MainWindow]:
    """Show the chunks of runs for the first question, once they are scored, ``by`` what is the same."""
    inspection = make_inspection(folder, runs)
    settings = Settings(folder / "settings.ini")
    window = MainWindow(
        Project.open(inspection.project, read_only="only looked at"), settings, Appearance(qapp, settings)
    )
    window.resize(*size)
    window.show()
    try:
        InspectedQrels(inspection, window.session, window.inspect.board, window.messages, window.tasks)
        if by is not None:
            window.inspect.board.read_as_far(by=by)  # else the program chooses, by what they have read
        window.set_mode(Mode.INSPECT)
        window.files.lay(inspection.runs, (), inspection.run_options, lambda: None)
        board = window.inspect.board
        qtbot.waitUntil(lambda: len(window.session.runs) == len(runs))
        qtbot.waitUntil(lambda: len(board.figures.scores) == len(runs) and not board.stale)
        window.inspect.open_topic("q1")
        window.session.open_document("long")
        qtbot.waitUntil(lambda: window.session.document_id == "long")
        qtbot.waitUntil(lambda: not runs or bool(window.inspect.chunks.list.view.rows.rows))
        yield window
    finally:
        window.inspect.scratch_copies.discard()
        window.close()
        window.deleteLater()
