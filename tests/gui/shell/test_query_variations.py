"""Runs with several queries of a topic in Inspect have the figures of ``eval --variations``."""

import csv
import io
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from inexview import Run, evaluate, read_qrels, read_run, write_run
from inexview.cli import main
from inexview.core.files import resource
from inexview.core.judgements.runs import Task
from inexview.core.judgements.subsets import Variations
from inexview.core.project.inspection import create_inspection
from inexview.core.project.sample import create_sample_project
from inexview.gui.commands.files import QUERIES
from tests.gui.driving import see_runs, shown_window, told

SAMPLE = resource("sample")
TOPIC, FIRST, SECOND = "2026001", "2026001-1", "2026001-2"


def of_queries(name, folder, written="{}-{}"):
    """Write a run of the sample as one of two queries of each topic; the second misses every other result."""
    run = read_run(SAMPLE / "runs" / f"{name}.txt")
    results = [
        replace(result, topic=written.format(topic, number), rank=0)
        for topic in run.topics
        for number in (1, 2)
        for result in run.results(topic)[:: (1, 2)[number - 1]]
    ]
    path = folder / f"{name}.txt"
    write_run(replace(Run.from_results(results, id=name, task=run.task), task=run.task), path)
    return path


@pytest.fixture
def runs(tmp_path):
    return [of_queries(name, tmp_path) for name in ("LM-passages", "BM25-sections")]


def evaluated(capsys, runs, variations="ids"):
    asked = ["eval", str(SAMPLE / "judgements.txt"), *map(str, runs), "--task", "relevant-in-context"]
    assert main([*asked, "--variations", variations, "--per-topic", "--format", "csv"]) == 0
    lines = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return {(line["run"], line["topic"], line["measure"]): float(line["value"]) for line in lines}


def scored(qtbot, window, number=2):
    board = window.inspect.board
    qtbot.waitUntil(lambda: not board.stale and len(board.scored()) == number)
    return board


def shown_documents(window):
    return window.inspect.documents.rows.stringList()


def choose_query(qtbot, window, query):
    """Choose a query by the keyboard, from the menu of its button."""
    button = window.inspect.query
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = button.choices
    qtbot.waitUntil(menu.isVisible)
    for action in menu.actions():
        qtbot.keyClick(menu, Qt.Key.Key_Down)
        if action.text() == query:
            break
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.run.queries[TOPIC] == query)


def check_window(qtbot, window, expected):
    """Compare the means, the topics and the shown query with what eval prints, and choose another query."""
    board = scored(qtbot, window)
    for run in board.runs:
        for name, value in board.figures.of(run).items():
            assert value == expected[run.id, "all", name]
        by_topic = board.figures.of_topics(run, "MAgP")
        assert by_topic == {topic: expected[run.id, topic, "AgP"] for topic in by_topic}
        assert len(by_topic) == 10
    window.inspect.open_topic(TOPIC)
    assert window.inspect.query.isVisible()
    assert window.inspect.query.text() == f"Query {FIRST} ▾"
    whole = read_run(SAMPLE / "runs" / f"{window.session.run.id}.txt")
    listed = list(dict.fromkeys(whole.documents(TOPIC, len(whole))))
    qtbot.waitUntil(lambda: shown_documents(window)[: len(listed)] == listed)
    single = evaluate(SAMPLE / "judgements.txt", whole, task="relevant-in-context")[0].topic(TOPIC)["AgP"]
    run = window.session.run
    assert board.figures.of_topic(run, TOPIC) == pytest.approx(single)
    assert expected[run.id, TOPIC, "AgP"] != pytest.approx(single, abs=1e-3)
    assert window.inspect.ranked.heading.full_text.startswith(f"Query {FIRST} · AgP")
    choose_query(qtbot, window, SECOND)
    board = scored(qtbot, window)
    halved = list(dict.fromkeys(result.document for result in whole.results(TOPIC)[::2]))
    qtbot.waitUntil(lambda: shown_documents(window)[: len(halved)] == halved)
    assert board.figures.of(window.session.run)["MAgP"] == expected[run.id, "all", "MAgP"]
    both = (board.figures.of_topic(window.session.run, TOPIC) + single) / 2
    assert both == pytest.approx(expected[run.id, TOPIC, "AgP"])
    assert all(run.queries[TOPIC] == SECOND for run in window.session.runs)


def test_inspected_runs_of_queries_are_scored_by_topic(application, qtbot, tmp_path, capsys, runs):
    expected = evaluated(capsys, runs)
    made = create_inspection(
        tmp_path / "q.inexview",
        collection=SAMPLE / "articles",
        qrels=read_qrels(SAMPLE / "judgements.txt"),
        runs=[read_run(path) for path in runs],
    )
    assert not [sentence for sentence in made.lacking if "no topic of the run" in sentence]
    window = application.open_inspection(replace(made, task=Task.RELEVANT_IN_CONTEXT))
    assert [topic.id for topic in window.session.project.topics] == [
        *read_qrels(SAMPLE / "judgements.txt").topics
    ]
    told(qtbot, window.messages, QUERIES)
    check_window(qtbot, window, expected)
    window.close()


def test_runs_of_queries_open_in_a_project(qapp, qtbot, tmp_path, capsys, runs):
    expected = evaluated(capsys, runs)
    with shown_window(qapp, create_sample_project(tmp_path / "sample.inexview")) as window:
        window.files.open_runs(runs)
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        see_runs(window)
        board = window.inspect.board
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        check_window(qtbot, window, expected)


def test_a_table_of_queries_and_topics(application, qtbot, tmp_path, capsys):
    paths = [of_queries("LM-passages", tmp_path, "q{1}of{0}")]
    table = tmp_path / "queries.csv"
    queries = read_run(paths[0]).topics
    table.write_text("query,topic\n" + "".join(f"{query},{query[4:]}\n" for query in queries))
    expected = evaluated(capsys, paths, str(table))
    made = create_inspection(
        tmp_path / "q.inexview",
        collection=SAMPLE / "articles",
        qrels=read_qrels(SAMPLE / "judgements.txt"),
        runs=[read_run(path) for path in paths],
        variations=Variations.read(table),
    )
    window = application.open_inspection(replace(made, task=Task.RELEVANT_IN_CONTEXT))
    board = scored(qtbot, window, 1)
    assert board.figures.of(window.session.run)["MAgP"] == expected["LM-passages", "all", "MAgP"]
    window.inspect.open_topic(TOPIC)
    assert window.inspect.query.text() == f"Query q1of{TOPIC} ▾"
    window.close()


def test_features_that_need_one_query_per_topic_explain_it(application, qtbot, tmp_path, runs):
    made = create_inspection(
        tmp_path / "q.inexview",
        collection=SAMPLE / "articles",
        qrels=read_qrels(SAMPLE / "judgements.txt"),
        runs=[read_run(path) for path in runs],
    )
    window = application.open_inspection(replace(made, task=Task.RELEVANT_IN_CONTEXT))
    scored(qtbot, window)
    window.inspect.toggle_costliest()
    qtbot.waitUntil(lambda: "several queries" in window.inspect.costliest.note.text())
    window.inspect.toggle_costliest()
    window.inspect.open_topic(TOPIC)
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.inspect.scratch_copies.scorer() is None
    window.close()
