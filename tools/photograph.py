"""Photograph the window on the sample project, for the README and the guide: ``python tools/photograph.py``.

Each picture is the program itself, driven with real mouse events, so that the pictures stay true.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LOGNAME"] = "ada"  # who judges

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from inexview.cli import main as command_line
from inexview.core.answers.judges import ModelLabel, ModelLabels
from inexview.core.answers.nuggets import Importance
from inexview.core.article.document import Document
from inexview.core.benchmarks.forms import open_bundle
from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import ELSEWHERE
from inexview.core.evaluation.run_report import Reported, report_of
from inexview.core.files import resource
from inexview.core.formats.passage_lines import read_fol_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.model_labels import add_labels
from inexview.core.project.nuggets import file_words, make_nugget
from inexview.core.project.project import Project
from inexview.core.project.reviews import set_grade, set_scale
from inexview.core.project.sample import create_sample_project, sample_layers, sample_runs
from inexview.core.text.spans import Spans
from inexview.core.wording import today
from inexview.gui.article.bars import Align
from inexview.gui.article.text_area import TextArea
from inexview.gui.charts.chart_window import report_on_paper
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.services.settings import APPEARANCE, ASSESSOR, Settings
from inexview.gui.shell.app import Application
from inexview.gui.shell.benchmark_window import BenchmarkWindow
from inexview.gui.shell.main_window import MainWindow, Mode

PICTURES = Path(__file__).resolve().parent.parent / "resources" / "guide" / "pictures"
SIZE = (1440, 900)
WORDS = "oil", "health", "cholesterol", "fat", "heart"
COPIES = 600  # of the sample's articles, for a collection that takes a while to index
EDGE, PAGE = 24, 672  # pixels around a page, and of a page down to its charts
FINER = 1.5  # pixels of the picture of a page for each of the page
SETTLED = 700  # milliseconds until titles, figures and curves are there


def main() -> None:
    """Take every picture, light and dark."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    qt = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ[ELSEWHERE] = str(Path(folder) / "cache")
        settings = Settings(Path(folder) / "settings.ini")
        settings.set(ASSESSOR, "Ada")
        application = Application(qt, settings)
        project = create_sample_project(Path(folder) / "olive-oil-2026.inexview")
        for theme in ("light", "dark"):
            settings.set(APPEARANCE, theme)
            window = application.open_project(project)
            assert window is not None
            window.resize(*SIZE)
            wait(SETTLED)
            take_assess(window, theme)
            take_inspect(window, project, theme)
            take_adjudicate(window, sample_layers(project)[0], theme)
            if theme == "light":
                take_questions(window)
                take_furniture(window)
                take_outline(window)
                take_doctor(window, shutil.copy(resource("sample") / "judgements-bytes.txt", folder))
            window.close()
            take_start(application, theme)
        settings.set(APPEARANCE, "light")
        take_benchmark(application, project, Path(folder))
        take_differences(application, Path(folder))
        take_collection(application, Path(folder))
        take_judges(application, Path(folder))
        take_answer(application, project)
        take_nuggets(application, project)
        take_sweep(application, project, Path(folder))
        take_drift(application, project)
        take_indexing(application, Path(folder))


def take_start(application: Application, theme: str) -> None:
    """The three ways in, and a project that was opened before."""
    start = application.show_start()
    start.resize(*SIZE)
    wait(SETTLED)
    save(start, f"start-{theme}")


def take_assess(window: MainWindow, theme: str) -> None:
    """A document half judged, with the pen down; then the palette and the topics."""
    window.session.open_topic("2026003")
    wait(SETTLED)
    window.session.open_document("4105")
    wait(SETTLED)
    ready(window, "4105")
    text = window.session.document.text
    cause = text.index("Paper is a felt of plant fibres")
    window.session.mark(cause, text.index(".", cause) + 1)
    second = text.index("In the early 1980s")
    window.session.mark(second, text.index("\n\n", second) if "\n\n" in text[second:] else second + 200)
    window.session.set_entry_point(cause)
    area = window.article.findChild(TextArea)
    lines = [line for line in area.visible().lines if line.start >= text.index("The figures startled")]
    hold_pen(
        area,
        QPoint(int(lines[0].left) + 2, middle(lines[0])),
        QPoint(int(lines[1].right) - 90, middle(lines[1])),
    )
    save(window, f"assess-{theme}")
    QTest.keyClick(area, Qt.Key.Key_Escape)
    release(area)
    if theme == "light":
        window.book["palette"].trigger()
        QTest.keyClicks(window.popup.field, "entry")
        wait(100)
        save(window, "palette-light")
        window.popup.dismiss()


def take_inspect(window: MainWindow, project: Path, theme: str) -> None:
    """A run over judged text."""
    board = window.inspect.board
    board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
    window.files.open_runs(sample_runs(project)[::-1])
    wait(SETTLED)
    window.set_mode(Mode.INSPECT)
    wait(SETTLED)
    window.session.open_topic("2026001")
    wait(SETTLED)
    window.session.open_document("2041")
    wait(2 * SETTLED)
    ready(window, "2041")
    window.article.reveal(window.article.overlay.entry - 120, align=Align.TOP)
    wait(200)
    save(window, f"inspect-{theme}")


def take_adjudicate(window: MainWindow, layer: Path, theme: str) -> None:
    """Two assessors side by side, the largest place settled."""
    window.session.open_topic("2026002")
    window.layers.open(layer)
    wait(2 * SETTLED)
    QTest.keyClick(window.article.findChild(TextArea, "article-text"), Qt.Key.Key_3)
    wait(SETTLED)
    save(window, f"adjudicate-{theme}")
    window.book["undo"].trigger()
    window.book["close-layers"].trigger()
    wait(SETTLED)


def take_questions(window: MainWindow) -> None:
    """Which run is best and on which topics; what cost most in one of them; why; its entry points."""
    window.set_mode(Mode.INSPECT)
    window.inspect.show_level(over_topics=True)
    wait(2 * SETTLED)
    save(window, "question-topics-light")
    window.inspect.open_topic("2026001")
    window.session.open_document("1107")
    ready(window, "1107")
    window.book["next-false-alarm"].trigger()
    wait(200)
    save(window, "question-characters-light")
    window.book["derive"].trigger()
    wait(SETTLED)
    save(window, "question-why-light")
    window.book["derive"].trigger()
    charts = window.inspect.chart_opener.open()
    charts.resize(900, 600)
    charts.show_kind("Entry points")
    wait(SETTLED)
    save(charts, "chart-light")
    charts.close()


def take_furniture(window: MainWindow) -> None:
    """An article with a table, its caption and lists within lists, read as in print."""
    window.set_mode(Mode.ASSESS)
    window.session.open_document("it/2003/f6024")
    ready(window, "it/2003/f6024")
    window.article.reveal(window.session.document.text.index("We bought 62 bottles") - 25, align=Align.TOP)
    wait(200)
    save(window, "furniture-light")


def take_outline(window: MainWindow) -> None:
    """The section around the best entry point, outlined and named."""
    window.session.open_document("2041")
    ready(window, "2041")
    window.article.place_caret(window.article.overlay.bep)
    window.book["outlines"].trigger()
    for _ in range(2):
        window.book["element-outward"].trigger()
    window.article.reveal(window.article.overlay.bep - 420, align=Align.TOP)
    wait(200)
    save(window, "outline-light")
    window.book["outlines"].trigger()


def take_doctor(window: MainWindow, qrels: str) -> None:
    """Qrels that count bytes."""
    doctor = window.check_offsets(Path(qrels))
    wait(2 * SETTLED)
    save(doctor, "doctor-light")
    doctor.close()


def take_answer(application: Application, project: Path) -> None:
    """An answer of which some citations are judged."""
    window = application.open_project(project)
    assert window is not None
    window.resize(*SIZE)
    window.session.open_topic("2026009")
    wait(SETTLED)
    window.set_mode(Mode.ANSWER)
    wait(SETTLED)
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_V):
        QTest.keyClick(window, key)
        wait(SETTLED)
    save(window, "answer-light")
    window.close()


LEAST = 240  # characters of a paragraph that is a document of its own
RUNS = "BM25", "LM", "TFIDF", "dense", "hybrid"


def take_sweep(application: Application, project: Path, folder: Path) -> None:
    """A sweep of BM25 over the sample's topics, and the first page of a report on three of its runs."""
    sample, runs = resource("sample"), []
    for k1 in (0.3, 0.6, 0.9, 1.2, 2, 3):
        for b in (0.1, 0.4, 0.75):
            runs.append(folder / f"bm25-k1={k1}-b={b}.txt")
            asked = ["retrieve", str(sample / "articles"), str(sample / "topics.xml"), "-o", str(runs[-1])]
            asked += ["--model", "BM25", "-p", f"k1={k1}", "-p", f"b={b}", "--run-id", runs[-1].stem]
            command_line([*asked, "--task", "relevant-in-context"])
    window = application.open_project(project)
    assert window is not None
    window.resize(*SIZE)
    for run in window.session.runs:
        window.session.close_run(run)
    board = window.inspect.board
    board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
    window.files.open_runs(runs)
    wait(SETTLED)
    window.set_mode(Mode.INSPECT)
    while len(board.figures.scores) < len(runs) or board.stale:
        wait(20)
    board.compare_with(board.runs[0])
    window.inspect.toggle_sweep()
    while window.inspect.sweep_finder.found is None:
        wait(20)
    wait(SETTLED)
    save(window, "sweep-light")
    compared = [board.figures.scores[run] for run in board.scored()[:: len(runs) // 3]]
    report = report_of(
        Reported(
            title="Three BM25 runs on the sample",
            date=today(),
            scores=compared,
            qrels=sample / "judgements.txt",
            measures=board.figures.measures,
            command="inexview report judgements.txt runs/*.txt -o report.html",
        )
    )
    paper = report_on_paper(report, window.article.font())
    size = QSizeF(paper.textWidth() + 2 * EDGE, PAGE) * FINER
    image = QImage(size.toSize(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.scale(FINER, FINER)
    painter.translate(EDGE, EDGE)
    paper.drawContents(painter, QRectF(0, 0, paper.textWidth(), PAGE - 2 * EDGE))
    painter.end()
    image.save(str(PICTURES / "report-light.png"))
    window.close()


def take_judges(application: Application, folder: Path) -> None:
    """A model beside an assessor who graded the paragraphs of the sample's articles by their words."""
    chance = random.Random(3)
    texts = folder / "paragraphs"
    texts.mkdir()
    grades: dict[str, int] = {}
    for article in sorted(resource("sample").glob("articles/**/*.xml")):
        for at, paragraph in enumerate(Document.from_file(article).text.split("\n"), 1):
            if len(paragraph) >= LEAST:
                name = f"{article.stem}-{at}"
                (texts / f"{name}.txt").write_text(paragraph, encoding="utf-8")
                grades[name] = min(sum(paragraph.lower().count(word) for word in WORDS), 3)
    path, topic = folder / "paragraphs.inexview", Topic("1", "olive oil and health")
    pool = Pool({topic.id: tuple(map(PooledDocument, grades))})
    with Project.create(path, collection=texts, topics=[topic], pool=pool, entry_points=False) as made:
        set_scale(made, ["0", "1", "2", "3"])
        labels = []
        for name, grade in grades.items():
            text = made.documents.text(name)
            end = text.find(". ") + 1 or len(text)
            if grade:
                made.mark(topic.id, name, 0, end)
                made.finish(topic.id, name)
                set_grade(made, topic.id, name, str(grade))
            else:
                made.not_relevant(topic.id, name)
            given = grade if chance.random() < 0.7 else max(grade + chance.choice((-1, 1, 2)), 0) % 4
            said = "Names an effect on health." if given > 1 else "Is about oil, and not about health."
            quotes = (text[: max(end - 1, 30)], *(("It lowers cholesterol",) if given > 2 else ()))
            labels.append(ModelLabel(topic.id, name, given, said, quotes, "umbrela-70b", shown=(0, 400)))
        add_labels(made, ModelLabels(tuple(labels)))
    runs = [folder / f"{name}.run" for name in RUNS]
    for noise, run in enumerate(runs, 1):
        ranked = sorted(grades, key=lambda name: chance.gauss(-grades[name], noise))
        lines = (f"1 Q0 {name} {rank} {1 / rank} {run.stem}" for rank, name in enumerate(ranked, 1))
        run.write_text("\n".join(lines) + "\n", encoding="utf-8")
    window = application.open_project(path)
    assert window is not None
    window.resize(*SIZE)
    window.files.open_runs(runs)
    wait(2 * SETTLED)
    window.set_mode(Mode.JUDGES)
    wait(4 * SETTLED)
    QTest.keyClick(window.judges.page.view, Qt.Key.Key_Down)
    wait(SETTLED)
    save(window, "judges-light")


NUGGETS = (
    ("About a quarter of the books in large libraries are brittle", "The Library of Congress reckoned", True),
    ("Acid breaks the chains of cellulose", "Water can break the link", True),
    ("Surveys of the 1980s found it", "In the early 1980s", False),
    ("Not everybody trusts the fold test", "The writer", False),
    ("Alum and rosin size made paper acid", "", True),
    ("Microfilm keeps the words", "", False),
)


def take_nuggets(application: Application, project: Path) -> None:
    """A document of which marks are filed under nuggets, and one waits."""
    window = application.open_project(project)
    assert window is not None
    window.resize(*SIZE)
    window.session.open_topic("2026003")
    wait(SETTLED)
    window.session.open_document("4105")
    ready(window, "4105")
    opened, text = window.session.project, window.session.document.text
    window.session.clear()
    for words, begins, vital in NUGGETS:
        importance = Importance.VITAL if vital else Importance.OKAY
        nugget = make_nugget(opened, "2026003", words, importance=importance, document="4105")
        at = text.find(begins) if begins else -1
        if at >= 0:
            sentence = (at, text.index(".", at) + 1)
            window.session.mark(*sentence)
            file_words(opened, "2026003", nugget.key, "4105", Spans([sentence]))
    window.assess.nuggets.refresh()
    window.assess.nuggets.select(opened.nuggets.of("2026003").nuggets[0].key)
    startled = text.index("The figures startled")
    window.session.mark(startled, text.index(".", startled) + 1)
    window.article.place_caret(startled + 4)
    wait(SETTLED)
    save(window, "nuggets-light")
    window.close()


def take_drift(application: Application, project: Path) -> None:
    """Marks in an article that somebody has edited since."""
    (article,) = project.with_name(f"{project.stem}-articles").glob("**/4105.xml")
    text = article.read_text(encoding="utf-8")
    text = text.replace("Almost all of them were", "Nearly all were")
    article.write_text(text.replace("Paper is a felt", "Paper is a mat"), encoding="utf-8")
    window = application.open_project(project)
    assert window is not None
    window.resize(*SIZE)
    window.session.open_topic("2026003", "4105")
    ready(window, "4105")
    window.book["check-marks"].trigger()
    wait(2 * SETTLED)
    save(window.drifting.window, "drift-light")
    window.drifting.window.close()
    window.close()


def take_indexing(application: Application, folder: Path) -> None:
    """A large collection while it is indexed: the sample's articles, many times over."""
    articles = folder / "articles.tar.bz2"
    with tarfile.open(articles, "w:bz2", compresslevel=1) as archive:
        for part in range(COPIES):
            archive.add(resource("sample") / "articles", f"part-{part:04}")
    sample = resource("sample")
    with Project.create(
        folder / "olive-oil-large.inexview",
        collection=Collection.open(articles),  # not listed yet
        topics=sample / "topics.xml",
    ) as made:
        path = made.path
    window = application.open_project(path)
    assert window is not None
    window.resize(*SIZE)
    while not (window.activity.isVisible() and any(line.news.full_text for line in window.activity.lines)):
        wait(20)
    wait(100)
    save(window, "indexing-light")
    window.close()


def take_benchmark(application: Application, project: Path, folder: Path) -> None:
    """What a file of an annotation tool holds; then the chunks of two runs over one of its texts."""
    os.environ["HOME"] = str(folder)  # so that its name says ~
    benchmark = folder / "olive-oil.json"
    export = ["export", str(project), "--to", "label-studio", "--lossy", "-o", str(benchmark)]
    assert command_line(export) in {0, 1}  # what is not finished is left out, and said
    shown = opened_benchmark(application, benchmark)
    save(shown, "benchmark-light")
    QTest.keyClick(shown, Qt.Key.Key_Return)
    while not application.windows:
        wait(20)
    (window,) = application.windows
    window.resize(*SIZE)
    wait(SETTLED)
    runs = [chunks_of(benchmark, folder, *sizes) for sizes in ((800, 400), (400, 0))]
    window.open_run(*runs)
    while len(window.session.runs) < len(runs):
        wait(20)
    window.inspect.open_topic("2026001")
    wait(SETTLED)
    window.session.open_document("1163")
    ready(window, "1163")
    window.article.reveal(int(window.session.state.marks.starts[0]), align=Align.TOP)
    window.messages.close_message()
    wait(SETTLED)
    save(window, "chunks-light")
    window.close()


def take_differences(application: Application, folder: Path) -> None:
    """A benchmark in the form of LegalBench-RAG, one text of which was changed after it was judged."""
    benchmark = folder / "olive-oil"
    (benchmark / "benchmarks").mkdir(parents=True)
    (benchmark / "corpus").mkdir()
    texts = {}
    tests: dict[str, list[dict[str, object]]] = {}
    titles = {topic.id: topic.title for topic in read_topics(resource("sample") / "topics.xml")}
    for one in read_fol_qrels(resource("sample") / "judgements.txt"):
        (article,) = resource("sample").glob(f"articles/**/{one.document}.xml")
        name = f"{article.stem}.txt"
        text = texts.setdefault(name, Document.from_file(article).text)
        tests.setdefault(titles[one.topic], []).extend(
            {"file_path": name, "span": [start, end], "answer": text[start:end]}
            for start, end in one.passages
        )
    changed = "1163.txt"
    cut = texts[changed].index("\n", 400)
    for name, text in texts.items():
        shown = f"{text[:cut]}  {text[cut:]}" if name == changed else text
        (benchmark / "corpus" / name).write_text(shown, encoding="utf-8")
    asked = [{"query": query, "snippets": snippets} for query, snippets in tests.items()]
    (benchmark / "benchmarks" / "olive-oil.json").write_text(json.dumps({"tests": asked}), encoding="utf-8")
    shown = opened_benchmark(application, benchmark)
    save(shown, "differences-light")
    shown.reject()


def opened_benchmark(application: Application, path: Path) -> BenchmarkWindow:
    """Open a benchmark, and return its window once its passages are checked."""
    application.show_start()
    application.looker.open_benchmark(path)
    shown: list[BenchmarkWindow] = []
    while not shown or shown[0].look is None:
        wait(20)
        shown = [
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, BenchmarkWindow) and one.isVisible()
        ]
    shown[0].resize(*SIZE)
    wait(SETTLED)
    return shown[0]


def take_collection(application: Application, folder: Path) -> None:
    """A folder of texts that was dropped: a new project with it as its collection."""
    texts = folder / "essays"
    texts.mkdir()
    for article in sorted(resource("sample").glob("articles/**/*.xml")):
        text = Document.from_file(article).text
        (texts / f"{article.stem}.txt").write_text(text, encoding="utf-8")

    def save_dialog() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, NewProjectDialog)
        wait(SETTLED)
        save(dialog, "collection-light")
        dialog.reject()

    application.show_start()
    os.chdir(folder)
    application.looker.open_brought([Path(texts.name)])
    QTimer.singleShot(2 * SETTLED, save_dialog)
    wait(4 * SETTLED)


def chunks_of(benchmark: Path, folder: Path, size: int, overlap: int) -> Path:
    """Rank chunks of ``size`` characters by how many of a few words about oil they have."""
    bundle = open_bundle(benchmark)
    assert bundle is not None
    lines: list[str] = []
    for question in bundle.questions:
        found = [
            (sum(text[start : start + size].lower().count(word) for word in WORDS), document, start)
            for document, text in bundle.texts.items()
            for start in range(0, max(len(text) - overlap, 1), size - overlap)
        ]
        for _, document, start in sorted(found, key=lambda one: (-one[0], one[1:]))[:10]:
            text = bundle.texts[document][start : start + size]
            place = {"source": document, "start_index": start}
            lines.append(json.dumps({"query_id": question.id, "page_content": text, "metadata": place}))
    path = folder / f"{size}-{overlap}.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def wait(milliseconds: int) -> None:
    """Let the program run; unlike QTest.qWait, this lets its other threads run as well."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def ready(window: MainWindow, document: str) -> None:
    """Wait until a document is on the screen, and what comes with it."""
    while window.session.document_id != document:
        wait(20)
    wait(SETTLED)


def hold_pen(area: TextArea, begin: QPoint, end: QPoint) -> None:
    """Press at one place and move to another without letting go."""
    viewport = area.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin)
    for step in range(1, 5):
        at = QPointF(begin + (end - begin) * step / 4)
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            at,
            viewport.mapToGlobal(at),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(viewport, move)
    wait(50)


def release(area: TextArea) -> None:
    """Let the pen go after it was given up."""
    QTest.mouseRelease(area.viewport(), Qt.MouseButton.LeftButton)


def middle(line: object) -> int:
    """Return the height of the middle of a line."""
    return round((line.top + line.bottom) / 2)  # type: ignore[attr-defined]


def save(widget: QWidget, name: str) -> None:
    """Write a picture of a widget."""
    path = PICTURES / f"{name}.png"
    widget.grab().save(str(path))
    print(path)


if __name__ == "__main__":
    main()
