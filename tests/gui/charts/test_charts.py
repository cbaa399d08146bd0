"""Charts of the sample's runs: what is drawn is what is scored, and what is saved is what eval prints."""

import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from inexview import DataError, Task, evaluate, read_qrels, read_run
from inexview.cli import main
from inexview.core.evaluation.charts import (
    CHOICES,
    Charted,
    ChartedRun,
    ChartMarks,
    difference_by_topic,
    precision_over_recall,
    ranking_curve,
    runs_by_judgements,
    runs_by_two_measures,
    two_orderings,
    values_by_topic,
)
from inexview.core.evaluation.evaluate import entry_distances, score_run
from inexview.core.evaluation.scores import CurveKind, ScoringSettings
from inexview.core.files import resource
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.charts.chart_painter import ChartPainter
from inexview.gui.charts.chart_window import ChartWindow, save_chart
from inexview.gui.look.theme import LIGHT
from tests.gui.driving import see_runs, shown_window

SAMPLE = resource("sample")
FILES = [SAMPLE / "runs" / f"{name}.txt" for name in ("LM-passages", "BM25-sections")]
JUDGED = len(read_qrels(SAMPLE / "judgements.txt").topics)
TASK = "relevant-in-context"
FOUND = np.linspace(0, 1, 11), np.arange(1.0, 12.0)


@pytest.fixture(scope="module")
def runs():
    qrels = read_qrels(SAMPLE / "judgements.txt")
    scores = evaluate(qrels, [read_run(file) for file in FILES], task=TASK).runs
    return [ChartedRun(one.id, style, one) for style, one in enumerate(scores)]


def curved(kind):
    """Return the runs with the points of a curve."""
    qrels, settings = read_qrels(SAMPLE / "judgements.txt"), ScoringSettings(task=Task(TASK), curve=kind)
    scores = [score_run(qrels, read_run(file), settings) for file in FILES]
    return [ChartedRun(one.id, style, one) for style, one in enumerate(scores)]


def chart_of(kind, runs, pair=()):
    return {
        "curves": lambda: precision_over_recall(runs, pair),
        "topics": lambda: values_by_topic(runs, "AgP", pair),
        "differences": lambda: difference_by_topic(runs[0], runs[1], "AgP"),
        "two": lambda: runs_by_two_measures(runs, "gP[5]", "AgP", pair),
    }[kind]()


KINDS = ("curves", "topics", "differences", "two")


def printed(capsys, *more):
    assert main(["eval", str(SAMPLE / "judgements.txt"), *map(str, FILES), "--task", TASK, *more]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("topics", ("-m", "AgP", "--per-topic", "--format", "csv")),
        ("differences", ("-m", "AgP", "--per-topic", "--format", "csv")),
        ("two", ("-m", "gP[5]", "-m", "AgP", "--format", "csv")),
    ],
)
def test_saved_values_equal_the_output_of_eval_in_every_digit(runs, tmp_path, capsys, kind, more):
    save_chart(chart_of(kind, runs), tmp_path / "chart.csv", QFont())
    assert (tmp_path / "chart.csv").read_text() == printed(capsys, *more)


def test_a_curve_is_saved_as_eval_writes_it(runs, tmp_path, capsys):
    save_chart(chart_of("curves", runs), tmp_path / "chart.csv", QFont())
    printed(capsys, "--curve", str(tmp_path / "curve.csv"))
    assert (tmp_path / "chart.csv").read_text() == (tmp_path / "curve.csv").read_text()


def test_the_texts_of_a_drawing_are_as_wide_in_any_font(qapp, runs, tmp_path):
    save_chart(chart_of("two", runs), tmp_path / "chart.svg", QFont())
    drawn = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    texts = re.findall(r"<text ([^>]*)>([^<]+)</text>", drawn)
    assert texts
    for attributes, said in texts:
        font = QFont(re.search('font-family="([^"]*)"', attributes)[1].split(","))
        font.setPixelSize(round(float(re.search('font-size="([^"]*)"', attributes)[1])))
        font.setWeight(QFont.Weight(int(re.search('font-weight="([^"]*)"', attributes)[1])))
        wide = float(re.search('textLength="([^"]*)"', attributes)[1])
        assert wide == pytest.approx(QFontMetricsF(font).horizontalAdvance(unescape(said)), abs=0.01)


@pytest.mark.parametrize("kind", [kind for kind in CurveKind if kind is not CurveKind.INTERPOLATED])
def test_every_other_curve_is_saved_as_eval_writes_it(tmp_path, capsys, kind):
    runs = curved(kind)
    for topic in ("", "2026002") if kind.averages else ("2026002",):
        chart = ranking_curve(runs, kind, (), topic)
        save_chart(chart, tmp_path / "chart.csv", QFont())
        printed(
            capsys, "--curve", str(tmp_path / "curve.csv"), "--curve-of", kind, "--per-topic", "--overwrite"
        )
        head, *lines = (tmp_path / "curve.csv").read_text().splitlines()
        wanted = [line for line in lines if f",{topic or 'all'}," in line]
        assert (tmp_path / "chart.csv").read_text().splitlines() == [head, *wanted]
        assert chart.caption.endswith(
            f"topic {topic} · inex2007" if topic else f"· {JUDGED} topics · inex2007"
        )


def test_a_saw_tooth_has_the_interpolated_curve_next_to_it():
    runs = curved(CurveKind.SAW_TOOTH)
    saw, interpolated, *_ = ranking_curve(runs, CurveKind.SAW_TOOTH, (), "2026001").series
    assert not saw.faint
    assert interpolated.faint
    highest = [saw.y[saw.x >= level - 1e-9].max(initial=0.0) for level in interpolated.x]
    assert interpolated.y.tolist() == pytest.approx(highest)


def test_unreached_shares_are_not_drawn_and_infinite_in_the_table(tmp_path, runs):
    chart = ranking_curve(curved(CurveKind.EFFORT), CurveKind.EFFORT, (), "2026001")
    assert all(np.isfinite(series.y).all() for series in chart.series)
    assert any(line[-1] == np.inf for line in chart.lines)
    save_chart(chart, tmp_path / "chart.tex", QFont())
    assert r"$\infty$" in (tmp_path / "chart.tex").read_text()


def test_shares_of_text_stand_for_no_document_though_there_are_as_many_of_these():
    eleven = tuple(map(str, range(11)))
    runs = [replace(run, documents={"2026001": eleven}) for run in curved(CurveKind.EFFORT)]
    runs = [replace(run, scores=replace(run.scores, points={"2026001": FOUND})) for run in runs]
    chart = ranking_curve(runs, CurveKind.EFFORT, (), "2026001")
    assert [series.names for series in chart.series] == [(), ()]


def test_the_mean_of_a_geometric_measure_is_geometric_in_a_chart():
    qrels = read_qrels(SAMPLE / "judgements.txt")
    scores = evaluate(
        qrels, [read_run(file) for file in FILES], task="documents", measures=["gmAP", "AP"]
    ).runs
    runs = [ChartedRun(one.id, style, one) for style, one in enumerate(scores)]
    chart = runs_by_two_measures(runs, "AP", "gmAP", ())
    assert [series.y.tolist() for series in chart.series] == [[one.mean["GMAP"]] for one in scores]
    assert any(one.mean["GMAP"] != one.mean["MAP"] for one in scores)


@pytest.mark.parametrize("kind", KINDS)
def test_every_chart_says_measure_topics_and_preset(runs, kind):
    chart = chart_of(kind, runs)
    assert chart.caption.endswith(f"· {JUDGED} topics · inex2007")
    assert chart.title


@pytest.mark.parametrize("width", [84.0, 174.0])
@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_light_vectors_as_wide_as_a_column_and_have_no_title_inside(
    qapp, runs, tmp_path, kind, width
):
    chart = chart_of(kind, runs, (0, 1))
    save_chart(chart, tmp_path / "chart.png", QFont("Inter"), width=width)
    image = QImage(str(tmp_path / "chart.png")).convertToFormat(QImage.Format.Format_RGB32)
    assert image.width() / image.dotsPerMeterX() * 1000 == pytest.approx(width, abs=0.5)
    assert image.dotsPerMeterX() * 0.0254 == pytest.approx(300, abs=1)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    colors = {f"#{pixel & 0xFFFFFF:06x}" for pixel in np.unique(pixels).tolist()}
    assert {LIGHT.page, LIGHT.runs[0], LIGHT.runs[1]} <= colors
    save_chart(chart, tmp_path / "chart.svg", QFont("Inter"), width=width)
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert root.tag.endswith("svg")
    assert float(root.get("width").removesuffix("mm")) == pytest.approx(width, abs=0.5)
    named = {child.tag.rpartition("}")[2]: child.text for child in root}
    assert named["title"] == chart.title
    drawn = [text for part in root.iter() if part.tag.endswith("}text") for text in part.itertext()]
    assert chart.title not in "".join(drawn)
    assert not [part for part in root.iter() if part.tag.endswith(("}image", "}pattern"))]
    save_chart(chart, tmp_path / "chart.pdf", QFont("Inter"), width=width)
    assert b"/Subtype /Image" not in (tmp_path / "chart.pdf").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(317, 197), (900, 520)])
def test_each_axis_of_numbers_has_three_of_them_that_do_not_meet(qapp, runs, kind, size):
    chart, room = chart_of(kind, runs, (0, 1)), QRectF(0, 0, *size)
    painter = ChartPainter(chart, room, LIGHT, QFont("Inter"), titled=size[0] > 400)
    metrics = QFontMetricsF(painter.small_font)
    for axis, across in ((painter.chart.x, True), (painter.chart.y, False)):
        marks = axis.named_places()
        assert len(marks) >= 3 or not axis.ticks
        for one, other in pairwise(marks):
            first, second = (
                painter.at(*((at, axis.low) if across else (axis.low, at))) for at, _ in (one, other)
            )
            words = max(metrics.horizontalAdvance(text) for _, text in (one, other))
            assert second.x() - first.x() > words if across else first.y() - second.y() > metrics.height() / 2


def test_topics_are_named_where_all_have_room(qapp, runs):
    chart = chart_of("differences", runs, (0, 1))
    assert chart.x.names == chart.series[0].names
    wide, narrow = (
        ChartPainter(replace(chart, x=replace(chart.x, names=names)), QRectF(0, 0, 600, 400), LIGHT, QFont())
        for names in (chart.x.names, [f"topic {at}" for at in range(120)])
    )
    assert wide._named > 0
    assert narrow._named == 0
    assert wide.plot.bottom() < narrow.plot.bottom()


@pytest.mark.parametrize(
    ("means", "low", "high"),
    [((0.05, 0.6), 0.0, 0.648), ((0.4, 0.5), 0.385, 0.515), ((0.3, 0.3), 0.0, 0.324), ((), 0.0, 1.0)],
)
def test_a_scatter_begins_at_nought_only_where_that_is_near(means, low, high):
    values, runs = np.array(means, dtype=float), [(str(at), at) for at in range(len(means))]
    chart = two_orderings(runs, ("AP", values), ("P@5", values), str)
    for axis in (chart.x, chart.y):
        assert (axis.low, axis.high) == pytest.approx((low, high))


def test_orders_that_disagree_have_a_true_minus(runs):
    values = np.array([0.1, 0.2, 0.3])
    chart = two_orderings([(name, 0) for name in "abc"], ("AP", values), ("P@5", values[::-1]), str)
    assert chart.caption == "means of 3 runs, τ = −1.000, ρ = −1.000"


def test_the_rest_is_grey(qapp, runs):
    three = [*runs, ChartedRun("third", 2, runs[1].scores)]
    chart = precision_over_recall(three, (0, 1))
    assert (chart.x.title, chart.y.title) == ("gR", "gP"), "they are scored in context"
    laid = ChartPainter(chart, QRectF(0, 0, 900, 520), LIGHT, QFont())
    drawn = [laid.color(series).name() for series in chart.series]
    assert drawn == [LIGHT.runs[0], LIGHT.runs[1], LIGHT.rest]


def test_long_names_of_runs_leave_the_rest_of_a_title_its_room(qapp, runs):
    first, second = (replace(run, name=f"{letter * 120}-run") for run, letter in zip(runs, "mn", strict=True))
    font = QFont()
    for chart, rest in (
        (difference_by_topic(first, second, "AgP"), " minus "),
        (values_by_topic([first, second], "AgP", (0,)), f"{len(first.scores.topics)} topics, by "),
    ):
        laid = ChartPainter(chart, QRectF(0, 0, 700, 520), LIGHT, font)
        text = chart.title if rest in chart.title else chart.x.title
        told = laid._fitted(text, font, 500)
        assert QFontMetricsF(font).horizontalAdvance(told) <= 500
        assert rest in told
        assert told.count("…") == text.count("-run")


def test_differences_are_those_of_the_topics_and_largest_first(runs):
    (series,) = difference_by_topic(runs[0], runs[1], "AgP").series
    first, second = (run.scores.per_topic("AgP") for run in runs)
    assert series.y.tolist() == pytest.approx(sorted(first - second, reverse=True))
    at = runs[0].scores.topics.index(series.names[0])
    assert series.y[0] == first[at] - second[at]


def test_a_latex_table_has_the_best_in_bold_and_a_caption(runs, tmp_path):
    save_chart(chart_of("topics", runs), tmp_path / "chart.tex", QFont())
    text = (tmp_path / "chart.tex").read_text()
    best = np.maximum(*(run.scores.per_topic("AgP") for run in runs))
    for value in best:
        assert rf"\textbf{{{value:.4f}}}" in text
    assert rf"\caption{{AgP of every topic: AgP $\cdot$ {JUDGED} topics $\cdot$ inex2007. The best" in text
    assert r"\toprule" in text


def test_judgements_that_order_no_run_have_no_tau(runs):
    means = {run.style: np.array([0.1 + run.style, 0.0, 0.1 + run.style, 0.0]) for run in runs}
    said = runs_by_judgements(runs, means, "MAgP", 1, ()).caption
    assert said == "τ(A, B) = –, τ(A, union) = 1.000, τ(A, intersection) = – · 1 topic that both judged"


def test_runs_of_one_name_stay_two_in_a_latex_table(runs, tmp_path):
    alike = [replace(run, scores=replace(run.scores, id="LM")) for run in runs]
    save_chart(chart_of("topics", alike), tmp_path / "chart.tex", QFont())
    text = (tmp_path / "chart.tex").read_text()
    assert "topic & measure & " + " & ".join(file.name for file in FILES) in text
    for run in alike:
        assert all(f"{value:.4f}" in text for value in run.scores.per_topic("AgP").tolist())


def test_stars_are_explained_where_they_are(runs, tmp_path):
    (starred_run,) = (run.scores for run in runs if run.name == "LM-passages")
    mean = f"{starred_run.mean['MAgP']:.4f}"
    by_run = {(starred_run.id, str(starred_run.path)): "(†)"}
    marks = ChartMarks("MAgP", by_run, "(†) differs from BM25-sections")
    for kind, starred in (("topics", True), ("curves", False)):
        save_chart(replace(chart_of(kind, runs), marks=marks), tmp_path / "chart.tex", QFont())
        text = (tmp_path / "chart.tex").read_text()
        assert (rf"\textbf{{{mean}}}$^{{(\dagger)}}$" in text) is starred
        assert (r"($\dagger$) differs from BM25-sections." in text) is starred


def test_a_page_and_a_pdf_hold_the_chart_and_nothing_of_a_name_is_taken_for_html(qapp, runs, tmp_path):
    hostile = "<script>alert(1)</script>"
    scores = replace(runs[0].scores, id=hostile)
    chart = values_by_topic([replace(runs[0], name=hostile, scores=scores), runs[1]], "AgP", ())
    save_chart(chart, tmp_path / "chart.html", QFont("Inter"))
    text = (tmp_path / "chart.html").read_text()
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "<svg" in text
    assert repr(float(runs[1].scores.per_topic("AgP")[0])) in text
    save_chart(chart, tmp_path / "chart.pdf", QFont("Inter"))
    assert (tmp_path / "chart.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(OSError, match="none"):
        save_chart(chart, tmp_path / "none" / "chart.pdf", QFont("Inter"))


def test_another_suffix_is_refused(runs, tmp_path):
    with pytest.raises(DataError, match=r"a chart is saved as \.png, \.svg, \.pdf, \.html, \.csv, \.tex"):
        save_chart(chart_of("two", runs), tmp_path / "chart.doc", QFont())


def test_pointing_reads_off_and_a_click_wants_the_topic(qtbot, runs, tmp_path):
    window = ChartWindow(lambda _asked: Charted(runs, "AgP", (0, 1)), None)
    qtbot.addWidget(window)
    window.show_kind("Every topic")
    window.resize(900, 600)
    window.show()
    qtbot.waitExposed(window)
    view = window.view
    laid = ChartPainter(view.chart, QRectF(view.rect()), LIGHT, view.font())
    finer = runs[0].scores.levels is not None and len(runs[0].scores.levels) > 11
    assert (window.kinds.findText("Precision over recall, 11 levels") >= 0) is finer
    series = view.chart.series[0]
    place = laid.at(float(series.x[0]), float(series.y[0])).toPoint()
    at = QPointF(place)
    button, none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, at, view.mapToGlobal(at), button, button, none)
    QApplication.sendEvent(view, move)
    said = f"{series.name}, {series.names[0]}: AgP {series.y[0]:.4f}"
    qtbot.waitUntil(lambda: window.readout.full_text == said)
    with qtbot.waitSignal(window.topic_wanted) as wanted:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    assert wanted.args == [series.names[0]]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert window.readout.full_text.startswith(f"{series.name}, {series.names[1]}: ")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.topic_wanted) as wanted:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert wanted.args == [view.chart.series[1].names[1]]
    window.save_as(tmp_path / "chart.csv")
    assert window.readout.full_text == "chart.csv is written."
    window.save_as(tmp_path / "none" / "chart.csv")
    assert "No such file" in window.readout.full_text
    qtbot.keyClick(window.kinds, Qt.Key.Key_Escape)
    assert not window.isVisible()


def derived_is_drawn(qtbot, window, view):
    """Point at the first value of a chart and ask why: what is derived is what is drawn."""
    panel = window.inspect.derivation
    series = next(one for one in view.chart.series if not one.faint)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Y)
    drawn = pytest.approx(float(series.y[0]))
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.value == drawn)
    assert panel.isVisible()
    qtbot.mouseClick(panel.close_button, Qt.MouseButton.LeftButton)


def saved_as_printed(qtbot, window, path, capsys):
    """Save what has a command of its own as CSV: to the last digit it is what the command prints."""
    charts, judged = window.inspect.chart_opener.window, str(SAMPLE / "judgements.txt")
    given = [judged, *(str(run.path) for run in window.inspect.board.scored()), "--task", TASK]
    window.inspect.show_level(over_topics=True)  # without an article a screen is what the command takes
    charts.show_kind("Entry points")
    qtbot.waitUntil(lambda: charts.view.chart is not None and charts.view.chart.listing)
    assert "a screen is 2,000 characters" in charts.view.chart.caption
    screen = re.search(r"a screen is ([\d,]+) characters", charts.view.chart.caption)[1].replace(",", "")
    charts.save_as(path / "entries.csv")
    more = ["--topic", charts.asked().topic, "--entry-points", "--screen", screen, "--format", "csv"]
    capsys.readouterr()
    assert main(["explain", *given, *more]) == 0
    assert (path / "entries.csv").read_text() == capsys.readouterr().out
    charts.save_as(path / "entries.tex")
    assert (
        r"run & rank & document & length & distance & screens & s(x,b) \\"
        in (path / "entries.tex").read_text()
    )
    charts.show_kind("Stability")
    qtbot.waitUntil(lambda: charts.view.chart is not None and charts.view.chart.title.startswith("Stab"))
    charts.save_as(path / "halves.csv")
    measures = [word for name in (charts.asked().measure, charts.asked().other) for word in ("-m", name)]
    printed = path / "printed.csv"
    assert main(["compare", *given, *measures, "--stability-chart", str(printed)]) == 0
    assert (path / "halves.csv").read_text() == printed.read_text()


def test_a_value_that_is_clicked_leads_to_its_topic_run_or_entry_point(qapp, qtbot, tmp_path):
    project = create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, project) as window:
        window.files.open_runs(sample_runs(project)[:2])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        see_runs(window)
        board, stage = window.inspect.board, window.inspect
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        qtbot.waitUntil(lambda: len(board.scored()) == 2)
        window.book["charts"].trigger()
        charts = window.inspect.chart_opener.window
        view = charts.view

        charts.show_kind("Every topic")
        window.session.open_topic("2026002")
        qtbot.waitUntil(lambda: window.session.document is not None)
        open_topic = window.session.topic
        stage.show_level(over_topics=True)
        at = view.chart.series[0].names.index(open_topic.id)
        for _ in range(at + 1):
            qtbot.keyClick(view, Qt.Key.Key_Right)
        assert f"{open_topic.title} ({open_topic.id}): " in charts.readout.full_text
        qtbot.keyClick(view, Qt.Key.Key_Return)
        assert not stage.over_topics  # also where it is the topic that is open already

        charts.show_kind("Two measures")
        qtbot.keyClick(view, Qt.Key.Key_Right)
        qtbot.keyClick(view, Qt.Key.Key_Down)
        qtbot.keyClick(view, Qt.Key.Key_Return)
        assert board.name(window.session.run) == view.chart.series[1].name

        charts.show_kind("Entry points")
        qtbot.waitUntil(lambda: view.chart is not None and view.chart.listing)
        found = entry_distances(board.qrels, board.scored()[0], view.chart.topic)
        far = int(found.entry.argmax())
        for _ in range(far + 1):
            qtbot.keyClick(view, Qt.Key.Key_Right)
        document, entry = found.documents[far], int(found.entry[far])
        qtbot.waitUntil(lambda: window.session.catalogue.about(document).title != document)
        qtbot.keyClick(view, Qt.Key.Key_Right)
        qtbot.keyClick(view, Qt.Key.Key_Left)
        title = window.session.catalogue.about(document).title
        assert f": {title} ({document}), rank " in charts.readout.full_text
        stage.show_level(over_topics=True)
        qtbot.keyClick(view, Qt.Key.Key_Return)
        assert not stage.over_topics
        qtbot.waitUntil(lambda: window.session.document_id == document)
        qtbot.waitUntil(lambda: window.article.caret == entry)
        charts.close()


def test_the_derivation_of_a_mean_stays_open_over_tasks_with_other_levels(qapp, qtbot, tmp_path):
    project = create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, project) as window:
        window.files.open_runs(sample_runs(project)[:2])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        see_runs(window)
        board, panel = window.inspect.board, window.inspect.derivation
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT, preset="inex2007"))
        qtbot.waitUntil(lambda: len(board.scored()) == 2)
        window.book["charts"].trigger()
        view = window.inspect.chart_opener.window.view
        for _ in range(6):
            qtbot.keyClick(view, Qt.Key.Key_Right)
        qtbot.keyClick(view, Qt.Key.Key_Y)
        run = board.current

        def scored_for(task):
            scores = board.scores(run)
            return not board.stale and scores is not None and scores.task is task

        half = pytest.approx(board.scores(run).mean_curve[5])
        qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.value == half)
        for asked, other in ((6, Task.FOCUSED), (0, Task.PASSAGES), (80, Task.RELEVANT_IN_CONTEXT)):
            for _ in range(asked - 6):  # of 101 levels
                qtbot.keyClick(view, Qt.Key.Key_Right)
            qtbot.keyClick(view, Qt.Key.Key_Y)
            board.choose(replace(board.choice, task=other))
            qtbot.waitUntil(lambda other=other: scored_for(other))
            if other is Task.PASSAGES:
                qtbot.waitUntil(lambda: panel.model.derivation is None)  # it has no curve
                board.choose(replace(board.choice, task=Task.FOCUSED))
                qtbot.waitUntil(lambda: scored_for(Task.FOCUSED))
        window.inspect.chart_opener.window.close()


def test_the_charts_of_the_open_runs_follow_the_table(qapp, qtbot, tmp_path, capsys):
    project = create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, project) as window:
        window.files.open_runs(sample_runs(project)[:2])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        see_runs(window)
        board = window.inspect.board
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        qtbot.waitUntil(lambda: len(board.scored()) == 2)
        window.book["charts"].trigger()
        charts = window.inspect.chart_opener.window
        assert charts.view.chart.title == "Precision over recall"
        charts.show_kind("Every topic")
        shown = {series.name: series.y.tolist() for series in charts.view.chart.series}
        assert shown.keys() == {run.id for run in window.session.runs}
        assert charts.view.chart.series[0].style == board.style(board.scored()[0])
        charts.view.wanted.emit("2026002", None)
        qtbot.waitUntil(lambda: window.session.topic.id == "2026002")
        qtbot.waitUntil(lambda: window.session.document is not None)
        there = [one for one in CHOICES if charts.kinds.findText(one.title) >= 0]
        assert [one.title for one in CHOICES if one not in there] == ["Precision over recall, 11 levels"]
        for choice in there[:-1]:  # each, whatever has to be computed for it; the last needs other judgements
            charts.show_kind(choice.title)
            qtbot.waitUntil(lambda: charts.view.chart is not None)
            assert charts.view.chart.series
            assert re.search(r"\btopics?\b.* · inex2007$", charts.view.chart.caption), choice.title
            derived_is_drawn(qtbot, window, charts.view)
        saved_as_printed(qtbot, window, tmp_path, capsys)
        charts.show_kind("Two measures")
        qtbot.waitUntil(lambda: charts.view.chart is not None and "τ = " in charts.view.chart.caption)
        qtbot.mouseClick(charts.view, Qt.MouseButton.LeftButton, pos=QPoint(80, 12))
        panel = window.inspect.derivation
        qtbot.waitUntil(lambda: panel.model.derivation is not None)
        assert panel.model.derivation.measure == "τ"
        assert f"τ = {panel.model.derivation.value:.3f}" in charts.view.chart.caption
        charts.show_kind("Entry points")
        charts.topic.setCurrentText("2026002")  # another one is open since one of its values was derived
        control = window.inspect.chart_opener.entry_control
        assert control.isVisible()
        qtbot.waitUntil(lambda: charts.view.chart is not None)
        assert charts.view.chart.caption.startswith("A = 0.1 · ")
        qtbot.mouseClick(control.window_form, Qt.MouseButton.LeftButton)  # seen at once, scored soon
        control.slider.setValue(control.slider.maximum() // 2)
        assert re.match(r"n = \d+ · ", charts.view.chart.caption)
        qtbot.waitUntil(lambda: board.parameters.n == control.values()[1])
        run = board.scored()[0]
        retrieved = entry_distances(board.qrels, run, "2026002")
        _, own, *_ = charts.view.chart.series
        assert own.y.tolist() == retrieved.scores(board.parameters).tolist()
        qtbot.waitUntil(lambda: not board.stale)
        charts.show_kind("Saw-tooth")
        qtbot.waitUntil(lambda: charts.view.chart is not None and charts.view.chart.title.startswith("Saw"))
        chart = charts.view.chart
        assert chart.topic == "2026002"
        charts.view.wanted.emit(chart.series[0].names[2], None)
        qtbot.waitUntil(lambda: window.session.document_id == chart.series[0].names[2])
        charts.show_kind("Recall over ranks")
        assert charts.asked().topic == ""
        charts.close()
