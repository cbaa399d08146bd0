"""A second assessor's judgements: what order of the runs follows, as eval and agree print it."""

import csv
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFont

from inexview import Judgement, Spans, Task, evaluate, read_qrels, read_run, write_qrels
from inexview.cli import main
from inexview.core.evaluation.agreement import kendall_tau
from inexview.core.evaluation.charts import CHOICES, Asked
from inexview.core.files import resource
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.charts.chart_window import save_chart, save_table
from inexview.gui.commands.saving import TableKind
from inexview.gui.look.theme import LIGHT
from tests.gui.driving import see_runs, shown_window

LEFT = Qt.MouseButton.LeftButton
SAMPLE = resource("sample")


def second_assessor(path):
    """Write judgements of someone who marks the first half of each passage, and one document more."""
    rows = []
    for one in read_qrels(SAMPLE / "judgements.txt"):
        marks = Spans([(start, start + (end - start) // 2) for start, end in one.passages])
        rows.append(Judgement(one.topic, one.document, marks.size, one.length, one.bep, marks))
    write_qrels(rows, path)
    return path


def test_the_chart_and_the_views_are_scored_by_whom_one_chooses(qapp, qtbot, tmp_path, capsys):
    second = second_assessor(tmp_path / "second.txt")
    files = {"A": SAMPLE / "judgements.txt", "B": second}
    for how in ("union", "intersection"):
        files[how] = tmp_path / f"{how}.txt"
        assert main(["agree", *map(str, (files["A"], second)), f"--{how}", str(files[how])]) == 0
    capsys.readouterr()
    project = create_sample_project(tmp_path / "sample.inexview")
    paths = sample_runs(project)[:2]
    with shown_window(qapp, project) as window:
        window.files.open_runs(paths)
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        see_runs(window)
        board, chart_opener = window.inspect.board, window.inspect.chart_opener
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        qtbot.waitUntil(lambda: len(board.scored()) == 2 and not board.stale)
        chart_opener.show_judgements()
        assert "Choose a second assessor" in chart_opener.window.view.nothing
        qapp.sendEvent(chart_opener.window.view, QEvent(QEvent.Type.Leave))
        assert not chart_opener.window.readout.full_text, "there is nothing to point at"
        assert not chart_opener.window.view.grab().isNull()
        chart_opener.second.open(second)
        qtbot.waitUntil(lambda: chart_opener.window.view.chart is not None)
        runs = [read_run(path) for path in paths]
        expected = {
            name: [
                one.mean["MAgP"] for one in evaluate(read_qrels(path), runs, task="relevant-in-context").runs
            ]
            for name, path in files.items()
        }
        judged = len(read_qrels(files["A"]).topics)
        chart = chart_opener.window.view.chart
        shown = {
            series.name: dict(zip(series.names, series.y.tolist(), strict=True)) for series in chart.series
        }
        for at, run in enumerate(runs):
            assert shown[run.id] == {name: values[at] for name, values in expected.items()}
        assert f"τ(A, B) = {kendall_tau(expected['A'], expected['B']):.3f}" in chart.caption
        assert chart.caption.endswith(f"{judged} topics that both judged · inex2007")

        view, panel = chart_opener.window.view, window.inspect.derivation
        qtbot.mouseClick(view, LEFT, pos=QPoint(80, 12))  # the line that says τ
        qtbot.waitUntil(lambda: panel.model.derivation is not None)
        assert panel.measures.text().startswith("τ(A, B)")
        for name in ("B", "union", "intersection"):
            offered = panel.measures.choices.actions()
            next(action for action in offered if action.text() == f"τ(A, {name})").trigger()
            derived, wanted = panel.model.derivation, kendall_tau(expected["A"], expected[name])
            assert derived.value == wanted
            assert f"τ(A, {name}) = {wanted:.3f}" in chart.caption
            by_run = {row.document: row.figures for row in derived.rows}
            assert by_run == {run.id: (expected["A"][at], expected[name][at]) for at, run in enumerate(runs)}
            assert sum(row.adds for row in derived.rows) / derived.fraction.denominator == wanted
        save_chart(chart, tmp_path / "chart.csv", QFont())
        saved = (tmp_path / "chart.csv").read_text()
        lines = list(csv.DictReader(saved.splitlines()))
        for line in lines:
            at = [run.id for run in runs].index(line["run"])
            assert float(line["value"]) == expected[line["judgements"]][at]
        assert len(lines) == 8
        best_first = [str(run.path) for run in board.scored()]
        given = ["compare", str(files["A"]), *best_first, "--second", str(second), "--format", "csv"]
        assert main([*given, "--task", "relevant-in-context"]) == 0
        assert saved == capsys.readouterr().out

        table = window.stage.evidence.table(TableKind.JUDGED)
        save_table(table, tmp_path / "table.csv", LIGHT, QFont())
        assert saved == (tmp_path / "table.csv").read_text()
        assert [cell.text for cell in table.rows[0]][1:] == [
            f"{expected[name][expected['A'].index(max(expected['A']))]:.4f}" for name in files
        ]
        assert r"$\tau$(A, B)" in table.latex

        for name in ("intersection", "A"):
            qtbot.waitUntil(lambda: view.chart is not None)
            series = view.chart.series[0]
            at = series.names.index(name)
            place = view.painter_of().at(float(series.x[at]), float(series.y[at])).toPoint()
            qtbot.mouseClick(view, LEFT, pos=place)
            qtbot.waitUntil(lambda: not board.stale)
            figures = [board.figures.of(run)["MAgP"] for run in window.session.runs]
            assert figures == expected[name]
            other, stage = name == "intersection", window.inspect
            for noted in (window.inspect.runs.note, stage.note):
                assert noted.text().startswith("Scored by intersection") is other
            assert window.stage.evidence.table(TableKind.RUNS).said.endswith(
                ", judgements: intersection" if other else ", inex2007"
            )
            curves = next(one for one in CHOICES if one.title == "Precision over recall")
            drawn = Asked(curves).chart(chart_opener.charted(Asked()))
            assert drawn.caption.endswith(" · judgements: intersection" if other else " · inex2007")
        chart_opener.window.close()


def test_the_second_judgements_may_be_a_project(qapp, qtbot, tmp_path):
    other = create_sample_project(tmp_path / "other.inexview")
    with shown_window(qapp, create_sample_project(tmp_path / "sample.inexview")) as window:
        see_runs(window)
        second = window.inspect.chart_opener.second
        second.open(other)
        qtbot.waitUntil(lambda: second.qrels is not None)
        own = read_qrels(SAMPLE / "judgements.txt")
        judged = {(one.topic, one.document): list(one.passages) for one in second.qrels}
        assert judged == {(one.topic, one.document): list(one.passages) for one in own}
