"""The sweep in Inspect, by keys and mouse: what it says is what `inexview sweep` prints."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from lxml import html
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inexview.cli import main
from inexview.core.evaluation.run_parameters import parameters_of
from inexview.core.evaluation.sweeps import lead_said, sweep_of
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.open_runs.scoring import ScoringChoice
from inexview.core.project.project import Project
from inexview.core.report import figure_text
from inexview.core.wording import today
from inexview.gui.inspect.sweep import BEST, DEVIATION, INSIDE, MEAN, NOT_SCORED, SPREAD, TOPIC
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import file_named, shown_window, told

K, B, TOPICS = (0.5, 1, 2), (0.4, 0.75), 11


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    """The window in Inspect, with a sweep of six runs over eleven topics."""
    articles = tmp_path / "articles"
    articles.mkdir()
    for name in "abc":
        (articles / f"{name}.xml").write_text(f"<article><p>{'lamp oil ' * 30}</p></article>")
    path = tmp_path / "lamps.inexview"
    topics = [Topic(str(at), f"question {at}") for at in range(TOPICS)]
    with Project.create(path, collection=articles, topics=topics, assessor="ada") as project:
        for topic in topics:
            for name in "abc":
                project.mark(topic.id, name, 0, 44)
                project.set_bep(topic.id, name, 0)
                project.finish(topic.id, name)
    chance, files = random.Random(3), []
    for k in K:
        for b in B:
            run = f"lm-k={k}-b={b}"
            lines = []
            for topic in topics:
                miss = min(0.1 + 0.25 * abs(k - 1) + (b - 0.4) / 2 + chance.random() * 0.2, 0.95)
                for rank, name in enumerate("abc", 1):
                    start = round(miss * 44)
                    lines.append(f"{topic.id} Q0 {name} {rank} {9 - rank} {run} {start} 44\n")
            files.append(tmp_path / f"{run}.txt")
            files[-1].write_text("".join(lines))
    with shown_window(qapp, path) as made:
        made.resize(1440, 900)
        made.inspect.board.choose(ScoringChoice(task=Task.RELEVANT_IN_CONTEXT))
        made.files.open_runs(files)
        qtbot.waitUntil(lambda: len(made.session.runs) == 6)
        made.set_mode(Mode.INSPECT)
        qtbot.waitUntil(lambda: len(made.inspect.board.figures.scores) == 6 and not made.inspect.board.stale)
        yield made


def swept(qtbot, window):
    """Press V, and return what is found."""
    QTest.keyClick(window, Qt.Key.Key_V)
    qtbot.waitUntil(lambda: window.inspect.sweep_finder.found is not None)
    return window.inspect.sweep_finder.found


def brute(window):
    """Return the sweep as the core finds it of the runs that are open."""
    board = window.inspect.board
    scores = [board.figures.scores[run] for run in board.runs]
    baseline = list(board.runs).index(board.baseline)
    parameters = parameters_of([run.id for run in board.runs])
    return sweep_of(scores, board.figures.deciding, parameters=parameters, baseline=baseline)


def test_v_shows_the_sweep_and_esc_returns_to_the_pairs(qtbot, window):
    inspect = window.inspect
    assert inspect.topics.sweep.isVisible()
    assert not inspect.both_ways.isVisible(), "these are no runs of chunks"
    found = swept(qtbot, window)
    assert inspect.sweep.isVisible()
    assert inspect.right.shown is inspect.sweep_panel
    core = brute(window)
    assert inspect.sweep_panel.answer.text() == core.said == found.said
    assert inspect.sweep.title.full_text == "MAgP over k, one line per b"
    assert [one.worse for one in found.countings] == [one.worse for one in core.countings]
    if found.baseline != found.best:
        assert inspect.sweep_panel.lead.text() == lead_said(core)
    rows = inspect.sweep.model.rows
    assert [one.mean for one in rows] == [one.mean for one in core.difficulty]
    shown = inspect.sweep.model.index(0, MEAN).data()
    assert shown == figure_text(core.difficulty[0].mean)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(inspect.topics.isVisible)
    assert inspect.right.shown is inspect.pair


def test_arrows_walk_the_points_and_enter_brings_a_run_forward(qtbot, window):
    found = swept(qtbot, window)
    chart = window.inspect.sweep.chart
    chart.setFocus()
    told = []
    chart.told.connect(told.append)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert "the best" in told[-1]
    QTest.keyClick(chart, Qt.Key.Key_Left)
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert "from the best" in told[-1]
    for _ in range(9):  # no further than the ends
        QTest.keyClick(chart, Qt.Key.Key_Left)
    for _ in range(9):
        QTest.keyClick(chart, Qt.Key.Key_Down)
    assert told[-1].startswith("k 0.5, b 0.75: MAgP ")
    QTest.keyClick(chart, Qt.Key.Key_Return)
    assert window.session.run.id == "lm-k=0.5-b=0.75"
    QTest.keyClick(chart, Qt.Key.Key_Right)
    QTest.keyClick(chart, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert window.inspect.board.baseline.id == "lm-k=1-b=0.75"
    qtbot.waitUntil(lambda: window.inspect.sweep_finder.found not in (None, found))
    assert window.inspect.sweep_finder.found.baseline == 3


def test_a_click_at_a_point_chooses_its_run(qtbot, window):
    found = swept(qtbot, window)
    chart = window.inspect.sweep.chart
    worst = int(found.comparison.order[-1])
    place = chart.place_of(worst)
    QTest.mouseMove(chart, place.toPoint())
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.toPoint())
    assert window.session.run is window.inspect.sweep_finder.runs[worst]
    assert chart.point_of(worst) is not None


def test_axes_are_swapped_and_lines_taken_away(qtbot, window):
    swept(qtbot, window)
    sweep = window.inspect.sweep
    QTest.keyClick(window, Qt.Key.Key_X, Qt.KeyboardModifier.ShiftModifier)
    assert sweep.title.full_text == "MAgP over b, one line per k"
    sweep.show_over("k", "")
    assert [one.name for one in sweep.chart.chart.series] == ["MAgP"]
    assert not sweep.swap.isVisible()
    sweep.swap_axes()
    assert sweep.title.full_text == "MAgP over k"


def test_topics_are_sorted_by_headings_and_opened_by_enter(qtbot, window):
    found = swept(qtbot, window)
    sweep = window.inspect.sweep
    for column in (TOPIC, DEVIATION, SPREAD, BEST, MEAN):
        place = sweep.table.header.sectionViewportPosition(column) + 8
        for _ in range(2):
            QTest.mouseClick(
                sweep.table.header.viewport(),
                Qt.MouseButton.LeftButton,
                pos=sweep.table.header.rect().center().__class__(place, 8),
            )
        assert len(sweep.model.rows) == TOPICS
    means = [one.mean for one in sweep.model.rows]
    assert means in (sorted(means), sorted(means, reverse=True))
    sweep.table.setFocus()
    sweep.table.selectRow(1)
    chosen = sweep.table.chosen
    assert chosen in {one.topic for one in found.difficulty}
    QTest.keyClick(sweep.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.topic is not None and window.session.topic.id == chosen)
    assert not window.inspect.over_topics


def test_comparing_the_best_leads_to_the_pair(qtbot, window):
    inspect = window.inspect
    inspect.board.compare_with(inspect.board.runs[5])
    found = swept(qtbot, window)
    assert inspect.sweep_panel.compare.isVisible()
    window.book["compare-best"].trigger()
    assert window.session.run is inspect.sweep_finder.runs[found.best]
    assert inspect.right.shown is inspect.pair


def test_runs_that_are_not_a_sweep_are_reported(qtbot, window):
    for _ in range(4):
        window.session.close_run()
    qtbot.waitUntil(lambda: len(window.inspect.board.figures.scores) == 2 and not window.inspect.board.stale)
    QTest.keyClick(window, Qt.Key.Key_V)
    assert "at least three runs" in window.messages.current.text
    assert not window.inspect.sweep.isVisible()


def test_v_before_the_figures_are_there_says_so(qtbot, window, monkeypatch):
    runs = window.session.runs
    for run in runs[1:]:
        window.session.close_run(run)
    qtbot.waitUntil(lambda: len(window.inspect.board.runs) == 1 and not window.inspect.board.stale)
    window.session.add_run(*runs[1:])
    QTest.keyClick(window, Qt.Key.Key_V)
    assert window.messages.current.text == NOT_SCORED
    qtbot.waitUntil(lambda: len(window.inspect.board.figures.scores) == 6 and not window.inspect.board.stale)
    swept(qtbot, window)
    assert window.inspect.sweep.isVisible()


def test_in_a_small_window_heading_and_columns_are_whole(qtbot, window):
    swept(qtbot, window)
    page = window.inspect.sweep
    assert not page.table.isColumnHidden(SPREAD)
    window.resize(960, 540)
    qtbot.waitUntil(lambda: page.table.isColumnHidden(SPREAD))
    qtbot.waitUntil(lambda: "…" not in page.title.text())
    panel, runs = window.inspect.sweep_panel, window.inspect.runs.table
    for cells, allows in zip(panel._way_cells, panel._allows, strict=True):
        assert cells[0].width() >= cells[0].sizeHint().width()
        assert allows.height() >= allows.heightForWidth(allows.width())
    assert runs.header.length() <= runs.viewport().width()
    for column in range(1, runs.header.count()):
        assert runs.isColumnHidden(column) or runs.columnWidth(column) >= runs._widths[column]
    assert page.table.header.length() <= page.table.viewport().width()
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: not page.table.isColumnHidden(SPREAD))


def test_numbers_stay_in_sight_next_to_long_ids(qtbot, window):
    runs = window.session.runs
    for run in runs:
        window.session.close_run(run)
    window.session.add_run(*(replace(run, id=f"{'y' * 500}-{run.id}") for run in runs))
    qtbot.waitUntil(lambda: len(window.inspect.board.figures.scores) == 6 and not window.inspect.board.stale)
    swept(qtbot, window)
    panel = window.inspect.sweep_panel
    qtbot.waitUntil(lambda: "yyy" in panel.answer.text() and panel.answer.height() > 60)
    window.grab()  # lays out
    for number in [*(cells[1] for cells in panel._way_cells), *(share for _, share in panel._picked)]:
        assert number.mapTo(panel, number.rect().topRight()).x() < panel.width()


def test_runs_that_are_closed_leave_the_sweep_and_nothing_breaks(qtbot, window):
    swept(qtbot, window)
    for left in range(5, -1, -1):
        window.session.close_run()
        qtbot.waitUntil(lambda left=left: len(window.session.runs) == left)
    assert not window.inspect.sweep.isVisible()


def test_the_sweep_is_saved_as_evidence(qtbot, window, tmp_path, monkeypatch):
    swept(qtbot, window)
    path = tmp_path / "sweep.html"
    monkeypatch.setattr("inexview.gui.commands.saving.choose_new_file", lambda *_asked: path)
    window.book["save-evidence"].trigger()
    said = path.read_text(encoding="utf-8")
    assert "MAgP over k, one line per b" in said
    assert "Tukey’s HSD, 6 runs" in said
    assert "Topics by difficulty" in said
    board = window.inspect.board
    assert f"Relevant in context, {next(iter(board.figures.scores.values())).said}" in said
    assert f"Judgements: {window.session.project.path}" in said
    assert all(str(run.path) in said for run in board.runs)
    assert today() in said


@pytest.mark.parametrize("key", [Qt.Key.Key_V, Qt.Key.Key_Escape, Qt.Key.Key_T])
def test_held_keys_end_in_a_state_that_is_one(qtbot, window, key):
    swept(qtbot, window)
    for _ in range(7):
        QTest.keyClick(window, key)
    inspect = window.inspect
    shown = [page for page in (inspect.sweep, inspect.topics) if page.isVisible()]
    assert len(shown) <= 1
    if shown == [inspect.sweep]:
        assert inspect.right.shown is inspect.sweep_panel


def test_every_number_on_the_page_is_printed_by_the_command(qtbot, window, tmp_path, capsys):
    board, qrels = window.inspect.board, tmp_path / "judged.txt"
    board.compare_with(board.runs[5])
    found = swept(qtbot, window)
    qtbot.waitUntil(lambda: window.inspect.sweep_finder.found.baseline == 5)
    assert main(["export", str(window.session.project.path), "-o", str(qrels)]) == 0
    files = [str(tmp_path / f"{run.id}.txt") for run in board.runs]
    options = ["--task", "relevant-in-context", "--baseline", board.baseline.id]
    capsys.readouterr()
    assert main(["sweep", str(qrels), *files, *options, "--format", "html"]) == 0
    page = html.fromstring(capsys.readouterr().out)
    runs, ways, picked, topics = (
        [[cell.text_content() for cell in row.xpath("th|td")] for row in table.xpath(".//tr")][1:]
        for table in page.xpath("//table")
    )
    printed = page.text_content()
    panel, model = window.inspect.sweep_panel, window.inspect.sweep.model
    found = window.inspect.sweep_finder.found
    for text in (panel.answer.text(), panel.lead.text(), panel.picked_note.text()):
        assert text in printed
    shown = [[cell.text() for cell in cells] for cells in panel._way_cells]
    assert shown == [[name, *numbers] for name, _, *numbers in ways]
    shares = [share.text() for _, share in panel._picked if share.text()]
    assert shares == [share for _, share in picked]
    chart = window.inspect.sweep.chart
    points = {
        found.comparison.runs[chart.run_at(line, at)]: figure_text(value)
        for line, series in enumerate(chart.chart.series)
        for at, value in enumerate(series.y)
    }
    assert points == {run: mean for run, _, _, _, mean, _ in runs}
    rows = {one.topic: one for one in model.rows}
    shown = [
        [name, *map(figure_text, (one.mean, one.deviation, one.least, one.lower, one.upper, one.largest))]
        for name, one in ((row[0], rows[row[0]]) for row in topics)
    ]
    assert shown == [row[:7] for row in topics]
    assert [model.best_with(rows[row[0]]) for row in topics] == [row[-1] for row in topics]


def listed(window):
    """Return the runs of the list by what its columns of parameters say."""
    model = window.inspect.runs.table.model()
    return [(model.index(row, 1).data(), model.index(row, 2).data()) for row in range(model.rowCount())]


def test_the_list_has_a_column_for_each_parameter_and_sorts_by_it(qtbot, window):
    table = window.inspect.runs.table
    assert table.model().headings[:4] == ("run", "k", "b", "MAgP")
    assert not table.isColumnHidden(1)
    assert not table.cells.whole_names, "what the columns say is not written twice"
    assert {row.name for row in table.model().rows} == {f"k={k} b={b}" for k in K for b in B}
    header = table.header
    for _ in range(2):
        place = QPoint(header.sectionViewportPosition(1) + 8, header.height() // 2)
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [k for k, _ in listed(window)] == ["0.5", "0.5", "1", "1", "2", "2"]
    assert table.figure_at(table.visualRect(table.model().index(0, 1)).center()) is None
    table.resize(190, table.height())
    assert table.isColumnHidden(1)
    assert table.cells.whole_names


def test_slash_filters_the_runs_and_esc_empties_the_filter(qtbot, window):
    found, runs = swept(qtbot, window), window.inspect.runs
    QTest.keyClick(window, Qt.Key.Key_Slash)
    field = runs.filter.field
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "b=0.5.. k>=1")
    base = window.inspect.board.baseline.id.removeprefix("lm-")
    assert {*listed(window)} == {("1", "0.75"), ("2", "0.75"), tuple(re.findall(r"[\d.]+", base))}
    assert runs.filter.count.text() == "2 of 6"
    assert window.inspect.sweep_finder.found is found, "a filter changes no test"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert runs.table.hasFocus()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert len(listed(window)) == 6
    assert window.inspect.sweep.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.inspect.topics.isVisible)


def test_a_parameter_that_is_not_known_is_named_and_hides_nothing(qtbot, window):
    window.book["filter-runs"].trigger()
    runs = window.inspect.runs
    qtbot.keyClicks(runs.filter.field, "mu=3")
    assert runs.filter.problem.text().startswith("'mu=3': 'mu' is not a parameter")
    assert len(listed(window)) == 6
    runs.filter.field.setText("nothing such")
    assert runs.filter.count.text() == "0 of 6"
    assert len(listed(window)) == 1, "the baseline"
    assert runs.filter.isVisible()
    assert runs.complete.isVisible()


def test_another_way_of_counting_changes_sentence_chart_and_evidence(qtbot, window, tmp_path, monkeypatch):
    found, inspect = swept(qtbot, window), window.inspect
    panel, chart = inspect.sweep_panel, inspect.sweep.chart
    before = chart.grab().toImage()
    qtbot.mouseClick(panel._way_cells[3][0], Qt.MouseButton.LeftButton, pos=QPoint(10, 8))
    now = inspect.sweep_finder.found
    assert (found.way, now.way) == (0, 3)
    assert panel.answer.text() == replace(brute(window), way=3).said
    assert chart.grab().toImage() != before
    qtbot.keyClick(panel._way_cells[3][0], Qt.Key.Key_Up)
    assert inspect.sweep_finder.found.way == 2
    inspect.board.compare_with(inspect.board.runs[5])
    qtbot.waitUntil(lambda: inspect.sweep_finder.found.baseline == 5)
    assert inspect.sweep_finder.found.way == 2, "it stays"
    path = tmp_path / "sweep.html"
    monkeypatch.setattr("inexview.gui.commands.saving.choose_new_file", lambda *_asked: path)
    window.book["save-evidence"].trigger()
    assert f"worse than the best: {found.countings[2].name}" in path.read_text(encoding="utf-8")


def test_nothing_of_the_panel_is_there_before_its_figures(qtbot, window):
    window.inspect.sweep_panel.show_all()
    QTest.keyClick(window, Qt.Key.Key_V)
    panel = window.inspect.sweep_panel
    assert panel.answer.text() == "computing…"
    shown = [head for head in (*panel._heads, panel._of_baseline, panel.interval) if head.isVisible()]
    assert shown == []
    qtbot.waitUntil(lambda: window.inspect.sweep_finder.found is not None)
    assert panel._heads[0].isVisible()


def test_runs_that_the_list_hides_are_grey_in_the_chart(qtbot, window):
    swept(qtbot, window)
    chart, field = window.inspect.sweep.chart, window.inspect.runs.filter.field
    place = chart.place_of(0).toPoint()
    before = chart.grab().toImage().pixelColor(place)
    field.setText("k>=1")
    assert chart.grab().toImage().pixelColor(place) == chart.theme.color("rest") != before
    field.clear()
    assert chart.grab().toImage().pixelColor(place) == before


def test_queries_of_one_topic_are_one_row_and_single_queries_on_asking(qtbot, qapp, window):
    """Six topics of two queries each but the last, by the ids of the queries."""
    found, page = swept(qtbot, window), window.inspect.sweep
    assert not page.grouping.isVisible()
    topics = tuple(f"{at // 2}-{at % 2}" for at in range(TOPICS))
    named = replace(found, comparison=replace(found.comparison, topics=topics), difficulty=tuple(
        replace(one, topic=topics[int(one.topic)]) for one in found.difficulty
    ))  # fmt: skip
    window.inspect.sweep_finder.found = named
    page.show_all()
    assert "6 topics of 11 queries over all 6 runs" in page.heading.full_text
    rows = {one.topic: one for one in page.model.rows}
    scores = named.comparison.scores
    assert rows["1"].mean == pytest.approx(scores[:, 2:4].mean())
    assert rows["1"].inside == pytest.approx(scores[:, 2:4].std(axis=1, ddof=1).mean())
    assert rows["5"].inside == 0
    assert not page.table.isColumnHidden(INSIDE)
    opened = []
    page.table.opened.disconnect(window.inspect.open_topic)
    page.table.opened.connect(opened.append)
    row = next(at for at, one in enumerate(page.model.rows) if one.topic == "3")
    page.table.selectRow(row)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert opened == ["3-0"]
    assert page.model.index(row, TOPIC).data() == "question 3 · 2 queries"
    qtbot.mouseClick(page.grouping, Qt.MouseButton.LeftButton)
    assert len(page.model.rows) == TOPICS
    assert page.table.isColumnHidden(INSIDE)


def test_runs_that_set_the_same_keep_their_names(qtbot, window):
    """k=1 and k=1.0 are one value, and two runs."""
    runs = window.session.runs
    for run in runs:
        window.session.close_run(run)
    ids = ["lm-k=1", "lm-k=1.0", "lm-k=2"]
    window.session.add_run(*(replace(run, id=id) for run, id in zip(runs[:3], ids, strict=True)))
    board, table = window.inspect.board, window.inspect.runs.table
    qtbot.waitUntil(lambda: len(board.figures.scores) == 3 and not board.stale)
    assert sorted(table.cells.name_of(row) for row in table.model().rows) == ["k=1", "k=1.0", "k=2"]


def test_a_long_name_of_the_baseline_is_cut_in_the_note_below_the_runs(qtbot, window):
    runs, panel = window.session.runs, window.inspect.runs
    for run in runs:
        window.session.close_run(run)
    window.session.add_run(*(replace(run, id=f"{'y' * 500}-{run.id}") for run in runs))
    board = window.inspect.board
    qtbot.waitUntil(lambda: len(board.figures.scores) == 6 and not board.stale)
    board.compare_with(board.runs[5])
    qtbot.waitUntil(lambda: "correction" in panel.note.text())
    assert "…" in panel.note.text()
    assert len(panel.note.text()) < 250


def test_a_filter_outlives_runs_that_are_closed_and_opened(qtbot, window):
    """Of the runs that are left it shows those that fit; of a single one there is nothing to filter."""
    runs, panel = window.session.runs, window.inspect.runs
    window.book["filter-runs"].trigger()
    qtbot.keyClicks(panel.filter.field, "k=2")
    assert panel.filter.count.text() == "2 of 6"
    for run in runs[:4]:
        window.session.close_run(run)
    qtbot.waitUntil(lambda: panel.filter.count.text().endswith(" of 2"))
    window.session.close_run(runs[4])
    qtbot.waitUntil(lambda: len(window.session.runs) == 1)
    window.session.close_run(runs[5])
    qtbot.waitUntil(lambda: panel.empty.isVisible())
    window.session.add_run(*runs)
    qtbot.waitUntil(lambda: panel.filter.count.text() == "2 of 6")
    QTest.keyClick(panel.filter.field, Qt.Key.Key_Escape)
    assert panel.filter.field.text() == ""
    assert len(panel.table.model().rows) == 6


def columns(window):
    """Return what the list of runs shows of parameters: headings, and the cells of each run."""
    table = window.inspect.runs.table
    model = table.model()
    heads = [model.headings[at] for at in model.parameters]
    return heads, {row.name: [str(row.settings.get(name, "")) for name in heads] for row in model.rows}


def test_parameters_of_a_table_are_columns_a_sweep_and_kept(qapp, qtbot, window, tmp_path, capsys):
    table = tmp_path / "sizes.csv"
    sizes = {f"lm-k={k}-b={b}": 10 * at for at, (k, b) in enumerate((k, b) for k in K for b in B)}
    table.write_text("run,size\n" + "".join(f"{name},{size}\n" for name, size in sizes.items()))
    assert columns(window)[0] == ["k", "b"]
    with file_named(window, table):
        window.book["run-parameters"].trigger()
    assert told(qtbot, window.messages, "sizes.csv").button == "Read run ids"
    board = window.inspect.board
    assert columns(window)[0] == ["size"]
    assert board.named.parameters.settings == tuple({"size": float(size)} for size in sizes.values())
    found = swept(qtbot, window)
    assert found.parameters.names == ("size",)
    assert "read from sizes.csv: size has 6 values" in window.inspect.sweep.about.full_text
    measure = board.figures.deciding
    files = [str(run.path) for run in window.session.runs]
    assert main(["export", str(window.session.project.path), "-o", str(tmp_path / "q.txt")]) == 0
    asked = ["sweep", str(tmp_path / "q.txt"), *files, "--task", "relevant-in-context", "-m", measure]
    capsys.readouterr()
    assert main([*asked, "--parameters", str(table)]) == 0
    printed = capsys.readouterr().out
    listed = {tuple(line.split()[:2]) for line in printed.splitlines() if line.startswith("lm-")}
    assert {(name, str(size)) for name, size in sizes.items()} <= listed
    with shown_window(
        qapp, window.session.project.path, read_only=True
    ) as other:  # settings lie beside the project
        assert other.inspect.board.choice.table == str(table)
        qtbot.waitUntil(lambda: other.inspect.board.table is not None)


def test_a_table_of_other_runs_is_refused(qtbot, window, tmp_path):
    table = tmp_path / "other.csv"
    table.write_text("run,size\nnone,3\n")
    with file_named(window, table):
        window.book["run-parameters"].trigger()
    told(qtbot, window.messages, "contains none of the runs; the first run is 'lm-k=0.5-b=0.4'")
    assert columns(window)[0] == ["k", "b"]
