"""Every form of today's files, as somebody brings it: opened, judged, exported as it came, and evaluated.

A form is dropped on the start window; what it holds is judged with mouse and keys; the figures that Inspect
shows are those of ``inexview eval`` on the file that was exported.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QRadioButton

from inexview.cli import main
from inexview.core.formats.bundle_files import without_suffix
from inexview.core.formats.format import format_named
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.project.inspection import create_inspection
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.inspect.runs import RunTable
from inexview.gui.shell.benchmark_window import BenchmarkWindow
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drag, drop, file_named, key, told

pytestmark = pytest.mark.shared


@dataclass(frozen=True)
class Brought:
    """A file or folder of a form, what is judged in it, and how that goes out again."""

    path: str
    topic: str
    document: str
    stretch: str
    """The words that are marked."""
    written: str = "jsonl"
    """The format of the export."""
    out: str = "out.jsonl"
    topics: str = ""
    """The topics of a bare collection: a file beside it; without one, the test's own."""

    def __str__(self) -> str:
        return self.path.replace("/", "-")


COLD, AROMA, DARK = "Cold pressing", "keeps the aroma", "Keep oil dark"
BENCHMARKS = (
    Brought("beir", "q1", "d2", DARK, "beir-qrels", "test.tsv"),
    Brought("brat", "brat", "a", AROMA, "brat", "brat"),
    Brought("brat/a.ann", "a", "a", AROMA, "brat", "a"),
    Brought("chroma", "oil-0", "oil", AROMA, "chroma", "out.csv"),
    Brought("chroma/questions_df.csv", "oil-0", "oil", COLD, "chroma", "out.csv"),
    Brought("contractnli/train.json", "nda-1", "1", COLD, "contract-nli", "out.json"),
    Brought("doccano/all.jsonl", "all", "1", AROMA, "doccano", "all.jsonl"),
    Brought("labelstudio/export.json", "export", "a", COLD, "label-studio", "export.json"),
    Brought("legalbenchrag", "cuad-0", "cuad/a", COLD, "legalbench-rag", "cuad.json"),
    Brought("legalbenchrag/benchmarks/cuad.json", "cuad-0", "cuad/a", AROMA, "legalbench-rag", "cuad.json"),
    Brought("prodigy/p.jsonl", "p", "1", COLD, "prodigy", "p.jsonl"),
    Brought("scifact", "1", "1", "B.", "fol-qrels", "out.txt"),
    Brought("squad/dev.json", "1", "Oil-0", COLD, "squad", "out.json"),
)
COLLECTIONS = (
    Brought("textfolder", "t", "contracts/a", AROMA, "fol-qrels", "out.txt"),
    Brought("mdfolder", "t", "a", COLD),
    Brought("htmlfolder", "t", "a", "pressed from olives", "trec-qrels", "out.txt"),
    Brought("beir/corpus.jsonl", "q1", "d1", COLD, "beir-qrels", "out.tsv", topics="queries.jsonl"),
    Brought("msmarco/collection.tsv", "1048585", "1", DARK, "trec-qrels", "out.txt", topics="queries.tsv"),
    Brought("msmarco/docs.json", "1048585", "msmarco_v2.1_doc_00_0", COLD, topics="queries.tsv"),
    Brought("msmarco/seg.json", "1048585", "msmarco_v2.1_doc_00_0#1_100", "within a day"),
    Brought("scifact/corpus.jsonl", "t", "1", "B."),
)


@pytest.fixture
def forms(shared, tmp_path) -> Path:
    """Return a copy of the forms, beside which something is written."""
    if not (shared / "data" / "forms").is_dir():
        pytest.skip("no forms of today among the shared data")
    return Path(shutil.copytree(shared / "data" / "forms", tmp_path / "forms"))


def dropped(application, qtbot, path: Path) -> BenchmarkWindow:
    """Drop a path on the start window, and return the window that says what it holds."""
    assert drop(application.show_start(), path)

    def shown() -> list[BenchmarkWindow]:
        tops = QApplication.topLevelWidgets()
        return [one for one in tops if isinstance(one, BenchmarkWindow) and one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()))
    return shown()[0]


def entered(application, qtbot):
    """Return the window that opens, in which a document is shown."""
    qtbot.waitUntil(lambda: bool(application.windows))
    window = application.windows[0]
    qtbot.waitUntil(lambda: window.session.document is not None)
    return window


def made_of(application, qtbot, forms: Path, brought: Brought):
    """Make a project of a benchmark by its key, and return its window."""
    shown = dropped(application, qtbot, forms / brought.path)
    with file_named(shown, forms.parent / "mine.inexview"):
        QTest.keyClick(shown, Qt.Key.Key_P)
    return entered(application, qtbot)


def made_with(application, qtbot, forms: Path, brought: Brought):
    """Make a project of a collection, which the dialog for new projects has already, and of topics."""
    path, topics = forms / brought.path, forms.parent / "topics.tsv"
    topics.write_text(f"{brought.topic}\tolive oil\n", encoding="utf-8")
    topics = path.with_name(brought.topics) if brought.topics else topics
    asked: list[str] = []

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, NewProjectDialog):
            return
        if not asked:
            asked.append(dialog.collection.line.text())
            QTest.keyClicks(dialog.topics.line, str(topics))
            QTest.keyClicks(dialog.path.line, str(forms.parent / "mine.inexview"))
        elif dialog._create.isEnabled():
            looking.stop()
            QTest.mouseClick(dialog._create, Qt.MouseButton.LeftButton)

    looking = QTimer(interval=20)
    looking.timeout.connect(fill)
    looking.start()
    assert drop(application.show_start(), path)
    window = entered(application, qtbot)
    assert asked == [str(path)]
    return window


def judge(window, qtbot, brought: Brought) -> tuple[int, int]:
    """Mark the words with the mouse and finish the document; return where they are."""
    session = window.session
    session.open_topic(brought.topic)
    session.open_document(brought.document)
    qtbot.waitUntil(lambda: session.document_id == brought.document and session.document is not None)
    qtbot.waitUntil(lambda: window.article.document is session.document)
    start = session.document.text.index(brought.stretch)
    span = start, start + len(brought.stretch)
    drag(window.article, *span)
    if not session.state.finished:
        if session.project.contents.entry_points:
            key(window.article, Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier)
        key(window.article, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: session.project.state(brought.topic, brought.document).finished)
    assert any(a <= span[0] and span[1] <= b for a, b in session.project.state(
        brought.topic, brought.document).marks)  # fmt: skip
    return span


def exported(window, qtbot, out: Path, name: str, *, lossy: bool) -> None:
    """Write what is judged by the dialog for exports."""
    QTest.keyClick(window.article, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog, title = window.exporter.dialog, format_named(name).title
    buttons = dialog.findChildren(QRadioButton)
    button = next(one for one in buttons if one.text()[1:] == title[1:])
    qtbot.waitUntil(lambda: button.accessibleDescription() != "")
    assert ("passage" in button.accessibleDescription()) is lossy
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    with file_named(window, out):
        QTest.keyClick(button, Qt.Key.Key_Return)
    told(qtbot, window.messages, f"in {out}")
    assert out.exists()


def check_figures(window, qtbot, capsys, *evaluated: object) -> None:
    """Compare the figures of the only run, those in the table and all others, with the command line's."""
    board = window.inspect.board
    qtbot.waitUntil(lambda: len(board.figures.scores) == 1 and not board.stale)
    (scores,) = board.figures.scores.values()
    asked = [part for name in scores.names for part in ("-m", name)]
    assert main(["eval", *map(str, evaluated), *asked, "--format", "json"]) == 0, capsys.readouterr().err
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert dict(scores.mean) == run["mean"]
    assert len(run["mean"]) > 2
    model = window.findChild(RunTable).model()
    figures = {name: model.index(0, column).data() for column, name in enumerate(model.headings)}
    shown = {name: value for name, value in figures.items() if name in run["mean"]}
    assert shown
    assert shown == {name: f"{run['mean'][name]:.4f}" for name in shown}


RUNS = (
    ("beir", "beir/run.trec", "run.trec"),
    ("beir", "beir/run.trec.gz", "run.trec.gz"),
    ("beir", "beir/run.json", "run.json"),
    ("beir", "es/search.json", "q1.json"),
    ("labelstudio/export.json", "chunks/haystack.json", "export.json"),
    ("labelstudio/export.json", "chunks/langchain.json", "export.json"),
    ("labelstudio/export.json", "chunks/llamaindex_docstore.json", "export.json"),
    ("fever/dev.jsonl", "beir/run.json", "run.json"),
)
"""What is looked at, and a run that is dropped there; a run of one question is called as its topic."""


@pytest.mark.parametrize(("judged", "source", "name"), RUNS, ids=[source for _, source, _ in RUNS])
def test_runs_can_be_dropped_on_an_inspection(application, qtbot, forms, capsys, judged, source, name):
    run = forms.parent / "runs" / name
    run.parent.mkdir()
    data = (forms / source).read_bytes()
    if judged.startswith("fever"):
        data = data.replace(b"q1", b"1").replace(b"d2", b"Olive_oil")
    run.write_bytes(data)
    for beside in (forms / judged).glob("run.*"):
        beside.unlink()  # or it would be opened with the rest of the folder
    shown = dropped(application, qtbot, forms / judged)
    QTest.keyClick(shown, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(application.windows))
    window = application.windows[0]
    assert drop(window, run)
    qtbot.waitUntil(lambda: len(window.session.runs) == 1)
    check_figures(window, qtbot, capsys, forms / judged, run)


def test_questions_are_named_by_their_texts_in_the_window_too(application, qtbot, forms, capsys):
    """So a run of LegalBench-RAG does, and names documents by their files."""
    asked = {"query": "Consider x; how is oil pressed?", "text": "x", "file_path": "corpus/cuad/a.txt"}
    run = forms.parent / "found.json"
    run.write_text(json.dumps({**asked, "span": [30, 60]}), encoding="utf-8")
    QTest.keyClick(dropped(application, qtbot, forms / "legalbenchrag"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(application.windows))
    assert drop(application.windows[0], run)
    qtbot.waitUntil(lambda: len(application.windows[0].session.runs) == 1)
    check_figures(application.windows[0], qtbot, capsys, forms / "legalbenchrag", run)


def test_a_chunkers_whole_list_is_handed_out_in_the_window_too(application, qtbot, forms, capsys):
    """When it is dropped, and again when its file changes."""
    judged, chunks = forms / "legalbenchrag", forms.parent / "chunks.json"
    text = (judged / "corpus" / "cuad" / "a.txt").read_text(encoding="utf-8")

    def cut(size: int) -> None:
        listed = [
            {"file_path": "cuad/a.txt", "text": text[at : at + size], "start_index": at}
            for at in range(0, len(text), size)
        ]
        chunks.write_text(json.dumps(listed), encoding="utf-8")

    def chunks_of(window) -> list[int]:
        (run,) = window.session.runs
        return [result.start for result in run.results("cuad-0")]

    cut(20)
    QTest.keyClick(dropped(application, qtbot, judged), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(application.windows))
    window = application.windows[0]
    assert drop(window, chunks)
    told(qtbot, window.messages, "its 7 chunks name no question")
    assert chunks_of(window) == [20, 40, 60]
    check_figures(window, qtbot, capsys, judged, chunks)
    cut(30)
    qtbot.waitUntil(lambda: chunks_of(window) == [30, 60])
    check_figures(window, qtbot, capsys, judged, chunks)


JUDGED = (
    ("msmarco/collection.tsv", "msmarco/qrels.dev.tsv", "msmarco/run.msmarco.tsv"),
    ("beir/corpus.jsonl", "quepid/ratings.csv", "es/search.json"),
    ("beir/corpus.jsonl", "beir/qrels.json", "beir/run.json"),
    ("beir/corpus.jsonl", "beir/qrels/test.tsv", "beir/run.trec"),
)


@pytest.mark.parametrize(("collection", "judged", "run"), JUDGED, ids=[judged for _, judged, _ in JUDGED])
def test_qrels_and_runs_of_today_are_inspected(application, qtbot, forms, capsys, collection, judged, run):
    source, qrels = forms / run, read_qrels(forms / judged)
    path = source.with_name("oil.json") if "es/" in run else source  # of the question that was asked
    source.rename(path)
    made = create_inspection(
        forms.parent / "seen.inexview", collection=forms / collection, qrels=qrels, runs=[read_run(path)]
    )
    window = application.open_inspection(made)
    check_figures(window, qtbot, capsys, forms / judged, path)


def test_a_benchmark_without_its_texts_becomes_no_project(application, qtbot, forms):
    shown = dropped(application, qtbot, forms / "fever" / "dev.jsonl")
    with file_named(shown, forms.parent / "mine.inexview"):
        QTest.keyClick(shown, Qt.Key.Key_P)
    told(qtbot, application.start.messages, "has no texts in its folder")
    assert not (forms.parent / "mine.inexview").exists()


@pytest.mark.parametrize("brought", [*BENCHMARKS, *COLLECTIONS], ids=str)
def test_a_form_is_opened_judged_exported_and_evaluated(application, qtbot, forms, brought, capsys):
    making = made_of if brought in BENCHMARKS else made_with
    window = making(application, qtbot, forms, brought)
    start, end = judge(window, qtbot, brought)
    out, run = forms.parent / "out" / brought.out, forms.parent / "run.jsonl"
    out.parent.mkdir()
    of_documents = brought.written in ("trec-qrels", "beir-qrels")
    exported(window, qtbot, out, brought.written, lossy=of_documents)
    named = [(one.topic, without_suffix(one.document), one) for one in read_qrels(out)]
    (judged,) = (one for *name, one in named if name == [brought.topic, brought.document])
    assert judged.relevant
    if of_documents:
        return  # the passages stay in the project
    assert judged.passages.overlap([start], [end]).tolist() == [end - start]
    chunk = {"query_id": brought.topic, "document": brought.document, "start_index": max(start - 3, 0)}
    run.write_text(json.dumps({**chunk, "text": "x" * 9, "score": 0.5, "run_id": "mine"}), encoding="utf-8")
    assert drop(window, run)
    qtbot.waitUntil(lambda: len(window.session.runs) == 1)
    window.set_mode(Mode.INSPECT)
    check_figures(window, qtbot, capsys, out, run)
