"""Files inspected without a project: straight into Inspect, with the figures of `inexview eval`."""

import math
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from inexview.cli.scoring import read_runs
from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import score_element_run, score_run
from inexview.core.evaluation.explain import explain_elements, explain_run
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.variants import Fault
from inexview.core.files import resource
from inexview.core.formats.format import RunOptions
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.formats.submission_xml import read_element_run
from inexview.core.judgements.elements import ElementJudgement, ElementQrels
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import parse
from inexview.core.project.inspection import NOT_HERE, create_inspection
from inexview.core.project.recovery import copies_folder
from inexview.gui.inspect.ranked_table import Filter
from inexview.gui.inspect.run_scoring import NEEDS_CHARACTERS, FigureOf
from inexview.gui.inspect.runs import RunsPanel
from inexview.gui.look.theme import RelevanceState
from inexview.gui.services.settings import RECENT, RUNS
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drop

SAMPLE = resource("sample")
TREC_RUN = ("2041", "3342", "3310")


def test_it_opens_over_the_topics_and_shows_what_eval_prints(application, qtbot, tmp_path):
    qrels = read_qrels(SAMPLE / "judgements.txt")
    runs = [read_run(path) for path in sorted((SAMPLE / "runs").glob("*.txt"))]
    inspection = create_inspection(
        tmp_path / "judgements.inexview", collection=SAMPLE / "articles", qrels=qrels, runs=runs
    )
    window = application.open_inspection(replace(inspection, task=Task.RELEVANT_IN_CONTEXT))
    board = window.inspect.board
    assert window.mode is Mode.INSPECT
    qtbot.waitUntil(lambda: window.inspect.over_topics)
    assert [run.id for run in window.session.runs] == [run.id for run in runs]
    qtbot.waitUntil(lambda: not board.stale and bool(board.scored()))
    settings = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    for run in runs:
        scores = score_run(qrels, run, settings)
        assert dict(board.figures.of(run)).items() <= scores.mean.items()
    window.inspect.open_topic("2026001")
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "2041")
    before = window.session.state
    window.book["edit-judgements"].trigger()
    window.session.mark(0, 40)
    assert window.session.state == before
    assert "read-only" in window.messages.current.text
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    window.close()
    assert application.settings.get(RECENT) == []
    assert application.settings.get(RUNS).keys() <= {str(inspection.project)}


SECTIONS = (
    "/article[1]",
    "/article[1]/bdy[1]/sec[1]",
    "/article[1]/bdy[1]/sec[2]",
    "/article[1]/bdy[1]/sec[3]",
)
ELEMENT_RUNS = {"careful": "31 20 3x", "broad": "0 1x 23"}
"""The sections that a run retrieves for each topic, by number; x: of a document that is not judged."""


def judged_elements(*, graded):
    highest = 3 if graded else 2
    sizes = [(3, 1), (3, 3), (3, 2)] if graded else [(1000, 400), (400, 400), (300, 100)]
    own = [
        ElementJudgement(path, 2, *size, highest=highest) for path, size in zip(SECTIONS, sizes, strict=False)
    ]
    # 3342 is judged, not relevant, and no run holds it
    judged = [(topic, "2041", own) for topic in "123"]
    return ElementQrels([*judged, ("1", "3342", []), ("3", "2077", [])])


def choose_first(qtbot, question, text):
    """Click the button that is above all others, once it is the one with this text."""
    offers = {one: one.text() for one in question.findChildren(QPushButton)}

    def first():
        return min(offers, key=lambda one: one.mapTo(question, QPoint()).y())

    qtbot.waitUntil(lambda: offers[first()] == text)
    qtbot.mouseClick(first(), Qt.MouseButton.LeftButton)


def test_the_task_is_asked_once_for_a_file_of_judgements(application, qtbot, tmp_path):
    judged = SAMPLE / "judgements.txt"
    runs = [read_run(SAMPLE / "runs" / "LM-passages.txt")]
    asked = []
    for turn in ("first", "second"):
        made = create_inspection(
            tmp_path / f"{turn}.inexview", collection=SAMPLE / "articles", qrels=read_qrels(judged), runs=runs
        )
        window = application.open_inspection(replace(made, qrels_path=judged))
        qtbot.waitUntil(lambda window=window: len(window.session.runs) == 1)
        question, board = window.inspect.runs.ask, window.inspect.board
        asked.append(question.isVisibleTo(window))
        if asked[-1]:
            choose_first(qtbot, question, "Relevant in context")
        assert board.task is Task.RELEVANT_IN_CONTEXT
        window.close()
    assert asked == [True, False]


def element_runs(folder):
    """Write runs of elements, a line for each digit."""
    for name, topics in ELEMENT_RUNS.items():
        lines = [
            f"{topic} Q0 {'2077' if section == 'x' else '2041'} {rank} {9 - rank} {name} "
            f"{SECTIONS[0 if section == 'x' else int(section)]}"
            for topic, listed in enumerate(topics.split(), 1)
            for rank, section in enumerate(listed, 1)
        ]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [folder / f"{name}.txt" for name in ELEMENT_RUNS]


@pytest.mark.parametrize("graded", [False, True])
def test_runs_are_scored_and_derived_by_judged_elements(application, qtbot, tmp_path, graded):
    qrels, paths = judged_elements(graded=graded), element_runs(tmp_path)
    runs, _ = read_runs(paths, SAMPLE / "articles")
    runs[1] = replace(runs[1], task=Task.THOROUGH)  # a submission says it, lines of text do not
    inspection = create_inspection(
        tmp_path / "elements.inexview", collection=SAMPLE / "articles", qrels=qrels, runs=runs
    )
    assert inspection.lacking[0].startswith("The judgements are of elements, not characters")
    window = application.open_inspection(inspection)
    board, stage = window.inspect.board, window.inspect
    qtbot.waitUntil(lambda: stage.over_topics and not board.stale and len(board.scored()) == 2)
    assert board.task is Task.THOROUGH
    assert board.choice.preset_of(board.task).name == "hixeval2005"
    own = ScoringSettings(task=Task.THOROUGH)
    for run, path in zip(runs, paths, strict=True):
        scores = score_element_run(qrels, read_element_run(path), own)
        assert dict(board.figures.of(run)).items() <= scores.mean.items()

    # another measure; the table of topics, and a topic derived by its elements
    board.choose(board.choice.show(Task.THOROUGH, ["nxCG[10]", "MAep"]))
    qtbot.waitUntil(lambda: not board.stale and board.figures.deciding == "nxCG[10]")
    named = ScoringSettings(task=Task.THOROUGH, measures=(parse("nxCG[10]"), parse("Aep")))
    expected = [score_element_run(qrels, read_element_run(path), named) for path in paths]
    shown = {column.name: column.values for column in stage.topics.model.sheet.columns}
    for scores in expected:
        assert [shown[scores.id][topic] for topic in "123"] == scores.per_topic("nxCG[10]").tolist()
    stage.open_topic("1")
    window.session.select_run(runs[0])
    window.book["derive"].trigger()
    panel = stage.derivation
    qtbot.waitUntil(lambda: panel.model.derivation is not None)
    told = explain_elements(qrels, read_element_run(paths[0]), named, "1")
    derived = panel.model.derivation
    assert derived.value == expected[0].topic("1")["nxCG[10]"]
    assert [row.element for row in derived.rows] == [SECTIONS[3], SECTIONS[1]]
    assert panel.model.place(0) == SECTIONS[3]
    assert derived.without == told.derivations[0].without
    assert not any(map(math.isnan, derived.without))
    panel._choose_whose(FigureOf.LEAD)
    values = [scores.topic("1")["nxCG[10]"] for scores in expected]
    lead = values[0] - values[1]
    qtbot.waitUntil(lambda: panel.model.derivation is not None and panel.model.derivation.value == lead)

    # charts of scores are there; what needs characters says so
    window.book["charts"].trigger()
    charts = window.inspect.chart_opener.window
    for kind, there in (("Every topic", True), ("Differences", True), ("Two measures", True), ("ROC", False)):
        charts.show_kind(kind)
        assert (charts.view.chart is not None) is there
        assert there or charts.view.nothing == NEEDS_CHARACTERS
    charts.close()
    window.book["derive"].trigger()
    window.book["dearest"].trigger()
    assert stage.costliest.note.text() == NEEDS_CHARACTERS
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert " · elements judged · " in window.article.subtitle
    ranked = window.inspect.ranked.model
    states = {ranked.at(ranked.index(at)).document: ranked.at(ranked.index(at)).state for at in range(1)}
    assert states == {"2041": RelevanceState.RELEVANT}
    window.book["what-if"].trigger()
    assert (
        window.inspect.scratch_copies.figures(window.inspect.scratch_copies.copy.scratch).missing
        == NEEDS_CHARACTERS
    )
    qtbot.keyClick(window, Qt.Key.Key_Escape)


def test_documents_that_trec_qrels_call_relevant_are_not_called_unjudged(application, qtbot, tmp_path):
    (tmp_path / "qrels").write_text("1 0 2041 2\n1 0 3342 0\n1 0 2077 1\n1 0 3310 -1\n")
    (tmp_path / "run").write_text("".join(f"1 Q0 {one} 1 {5 - at} r\n" for at, one in enumerate(TREC_RUN)))
    qrels = read_qrels(tmp_path / "qrels")
    runs, _ = read_runs([tmp_path / "run"], SAMPLE / "articles", RunOptions(preset="trec"))
    inspection = create_inspection(
        tmp_path / "trec.inexview", collection=SAMPLE / "articles", qrels=qrels, runs=runs
    )
    window = application.open_inspection(inspection)
    board, ranked = window.inspect.board, window.inspect.ranked.model
    qtbot.waitUntil(lambda: not board.stale and len(board.scored()) == 1)
    window.inspect.open_topic("1")
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: ranked.rowCount() == 4)
    rows = [ranked.at(ranked.index(at)) for at in range(4)]
    assert [(row.document, row.state, row.rank) for row in rows] == [
        ("2041", RelevanceState.RELEVANT, 1),
        ("3342", RelevanceState.NOT_RELEVANT, 2),
        ("3310", RelevanceState.UNJUDGED, 3),
        ("2077", RelevanceState.RELEVANT, None),
    ]
    assert ranked.how_many(Filter.UNJUDGED) == 1
    qtbot.waitUntil(lambda: " · relevant, no passage is marked · " in window.article.subtitle)
    reason = window.inspect.scores.rows.rows[0].reading.reason
    assert reason == "relevant, no passage is marked"
    window.book["derive"].trigger()
    derivation = window.inspect.derivation.model
    qtbot.waitUntil(lambda: derivation.derivation is not None)
    expected = score_run(qrels, runs[0], ScoringSettings()).topic("1")
    assert derivation.derivation.value == expected[derivation.derivation.measure] == 0.5


def test_documents_as_wholes_have_no_parameters_of_passages_and_cost_as_wholes(application, qtbot, tmp_path):
    (tmp_path / "qrels").write_text("1 0 2041 1\n1 0 3342 1\n1 0 3310 0\n")
    (tmp_path / "run").write_text("1 Q0 3310 1 9 r\n1 Q0 2041 2 8 r\n")
    runs, _ = read_runs([tmp_path / "run"], SAMPLE / "articles", RunOptions(preset="trec"))
    made = create_inspection(
        tmp_path / "trec.inexview",
        collection=SAMPLE / "articles",
        qrels=read_qrels(tmp_path / "qrels"),
        runs=runs,
    )
    window = application.open_inspection(made)
    inspect = window.inspect
    qtbot.waitUntil(lambda: not inspect.board.stale and len(inspect.board.scored()) == 1)
    assert inspect.runs.table.model().headings == ("run", *inspect.board.figures.measures)
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "2041")
    scores = inspect.scores
    assert scores.box.isHidden()
    assert scores.preset.isHidden()
    assert [row.measure.title for row in scores.rows.rows if not row.isHidden()] == ["P(d)", "R(d)"]
    window.book["dearest"].trigger()
    panel = inspect.costliest
    qtbot.waitUntil(lambda: panel.found is not None)
    assert [chip.text() for chip in panel.chips.values() if not chip.isHidden()] == [
        "Documents 2",
        "Topics 0",
    ]
    assert [part.document for part in panel.model.rows] == ["3342", "3310"]


# A document that the collection lacks, one with another length, one whose rsize is not what is marked, one
# that says where to enter and not what is relevant.
OWN_WORDS = """\
1 Q0 elsewhere 100 5000 300 300:100
1 Q0 2041 200 90000 700 700:200
1 Q0 3342 300 3000 100 100:200
1 Q0 3310 100 4000 50
1 Q0 2077 60 9000 400 400:60
"""


@pytest.mark.parametrize("task", [Task.RELEVANT_IN_CONTEXT, Task.BEST_IN_CONTEXT])
def test_each_document_is_scored_by_its_qrels_lines(application, qtbot, tmp_path, task):
    (tmp_path / "qrels").write_text(OWN_WORDS)
    places = {"elsewhere": ["250 100"], "2041": ["650 100", "X X"], "3342": ["150 90"], "3310": ["20 80"],
              "2077": ["X X", "420 20"]}  # fmt: skip
    single = task is Task.BEST_IN_CONTEXT
    results = [(name, at) for name, found in places.items() for at in (found[:1] if single else found)]
    (tmp_path / "run").write_text(
        "".join(f"1 Q0 {name} {rank} {9 - rank} r {at}\n" for rank, (name, at) in enumerate(results, 1))
    )
    qrels, run = read_qrels(tmp_path / "qrels"), read_run(tmp_path / "run")
    made = create_inspection(
        tmp_path / "own.inexview", collection=SAMPLE / "articles", qrels=qrels, runs=[run]
    )
    window = application.open_inspection(replace(made, task=task))
    board, ranked = window.inspect.board, window.inspect.ranked.model
    qtbot.waitUntil(lambda: not board.stale and bool(board.scored()))
    window.inspect.open_topic("1")
    qtbot.waitUntil(lambda: ranked.rowCount() == len(places))
    told = explain_run(qrels, run, "1", task=task, measures=["AgP"], document="2077")
    expected = {row.document: row.figures[1] for row in told.derivations[0].rows}
    assert expected.keys() == places.keys()
    assert all(expected.values()) or not single
    for at in range(ranked.rowCount()):
        row = ranked.at(ranked.index(at))
        assert (row.score or 0.0) == pytest.approx(expected[row.document], abs=1e-12), row.document
    here = told.document.explanation
    assert (here.s if single else here.f).value == pytest.approx(expected["2077"], abs=1e-12)
    window.session.open_document("2077")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "2077")
    shown = {"P(d)": here.precision, "R(d)": here.recall, "F(d)": here.f, "s(x,b)": here.s}
    qtbot.waitUntil(
        lambda: (
            {one.measure.title: one.reading.value for one in window.inspect.scores.rows.rows}
            == pytest.approx({name: ratio.value for name, ratio in shown.items()}, abs=1e-12)
        )
    )


def test_without_articles_a_document_is_scored_and_its_costs_are_named_by_offsets(
    application, qtbot, tmp_path
):
    (tmp_path / "qrels").write_text("1 Q0 long 300 3000 100 100:200 2000:100\n1 Q0 other 50 900 10 10:50\n")
    (tmp_path / "run").write_text("1 Q0 long 1 9 r 150 250\n1 Q0 nowhere 2 8 r 40 20\n")
    qrels, run = read_qrels(tmp_path / "qrels"), read_run(tmp_path / "run")
    made = create_inspection(tmp_path / "own.inexview", collection=None, qrels=qrels, runs=[run])
    window = application.open_inspection(replace(made, task=Task.RELEVANT_IN_CONTEXT))
    board, costs = window.inspect.board, window.inspect.scores.costs.model
    assert window.messages.current.text == NOT_HERE
    qtbot.waitUntil(lambda: not board.stale and bool(board.scored()))
    window.session.open_document("long")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "long")
    qtbot.waitUntil(lambda: len(costs.rows) == 3)
    assert {line.cost.fault for line in costs.rows} == {Fault.MISSED, Fault.FALSE_ALARM}
    told = explain_run(qrels, run, "1", task=Task.RELEVANT_IN_CONTEXT, document="long").document.explanation
    shown = [one.reading.value for one in window.inspect.scores.rows.rows]
    assert shown == pytest.approx([told.precision.value, told.recall.value, told.f.value, told.s.value])
    assert sorted(line.title for line in costs.rows if "–" in line.title) == [
        "100–150", "2,000–2,100", "300–400",
    ]  # fmt: skip
    assert window.session.document.length == 3000
    window.session.open_document("nowhere")  # no qrels give its length
    qtbot.waitUntil(lambda: window.session.document.id == "nowhere")
    assert window.session.document.length == 60


def test_without_articles_no_indexing_is_reported(application, qtbot, tmp_path, monkeypatch):
    (tmp_path / "qrels").write_text("1 Q0 long 300 3000 100 100:200 2000:100\n")
    qrels, go_on, prepare = read_qrels(tmp_path / "qrels"), threading.Event(), Collection.prepare

    def held(collection, progress):
        assert go_on.wait(60)
        prepare(collection, progress)

    monkeypatch.setattr(Collection, "prepare", held)
    made = create_inspection(tmp_path / "own.inexview", collection=None, qrels=qrels, runs=[])
    window = application.open_inspection(made)
    assert window.session.preparation.under_way
    assert not window.activity.lines  # a line for each long work, shown or about to be
    go_on.set()
    qtbot.waitUntil(lambda: window.session.preparation.ready)


def test_one_run_begins_at_the_document_that_costs_most(application, qtbot, tmp_path):
    (tmp_path / "qrels").write_text("1 0 2041 1\n1 0 3342 1\n1 0 3310 0\n")
    (tmp_path / "run").write_text("1 Q0 3310 1 9 r\n1 Q0 2041 2 8 r\n")
    runs, _ = read_runs([tmp_path / "run"], None, RunOptions(preset="trec"))
    qrels = read_qrels(tmp_path / "qrels")
    made = create_inspection(tmp_path / "trec.inexview", collection=None, qrels=qrels, runs=runs)
    window = application.open_inspection(made)
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "3342")
    assert window.mode is Mode.INSPECT


def test_judgements_that_change_or_vanish_are_noticed(application, qtbot, tmp_path):
    path = tmp_path / "qrels"
    before = "1 Q0 2041 200 9000 100 100:200\n1 Q0 3342 100 3000 50 50:100\n"
    path.write_text(before)
    (tmp_path / "run").write_text("1 Q0 2041 1 9 r 100 200\n1 Q0 3310 2 8 r 0 50\n")
    qrels, run = read_qrels(path), read_run(tmp_path / "run")
    made = create_inspection(
        tmp_path / "own.inexview", collection=SAMPLE / "articles", qrels=qrels, runs=[run]
    )
    window = application.open_inspection(replace(made, task=Task.RELEVANT_IN_CONTEXT, qrels_path=path))
    board, session = window.inspect.board, window.session
    qtbot.waitUntil(lambda: not board.stale and bool(board.scored()))
    session.open_document("2041")
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "2041")

    def mean():
        return board.figures.of(run)["MAgP"]

    def by_now():
        return score_run(read_qrels(path), run, ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)).mean["MAgP"]

    assert mean() == by_now()
    path.write_text("1 Q0 2041 300 9000 100 100:300\n1 Q0 3310 50 4000 0 0:50\n2 Q0 3342 9 3000 7 7:9\n")
    qtbot.waitUntil(lambda: session.state.edges == (100, 400))
    qtbot.waitUntil(lambda: not board.stale and mean() == by_now())
    assert session.project.state("1", "3310").relevant
    assert not session.project.state("1", "3342").finished
    assert [topic.id for topic in session.project.topics] == ["1", "2"]
    assert not copies_folder().exists()
    assert window.messages.current.text == "qrels has changed and was read again."
    path.unlink()
    qtbot.waitUntil(lambda: "qrels is gone." in window.messages.current.text)
    assert session.state.edges == (100, 400)
    path.write_text("1 Q0 2041 x 9000 100 100:300\n")
    qtbot.waitUntil(lambda: "stay as they were." in window.messages.current.text
                    and "qrels:1" in window.messages.current.text)  # fmt: skip
    path.write_text(before)
    qtbot.waitUntil(lambda: session.state.edges == (100, 300))
    qtbot.waitUntil(lambda: not board.stale and mean() == by_now())
    assert window.messages.current.text == "qrels has changed and was read again."


def test_a_run_that_changes_is_read_again_as_it_was_read(application, qtbot, tmp_path):
    path, options = tmp_path / "run.txt", RunOptions(fol_end=True)
    path.write_text("1 Q0 2041 1 5 mine 10 40\n")
    runs, _ = read_runs([path], None, options)
    made = create_inspection(tmp_path / "i.inexview", collection=SAMPLE / "articles", qrels=None, runs=runs)
    window = application.open_inspection(replace(made, run_options=options))
    window.files.open_runs([path])
    qtbot.waitUntil(lambda: window.session.runs != tuple(runs) or window.session.runs[0] is not runs[0])
    assert window.session.runs[0].size.tolist() == [30]
    path.write_text("200 2041 1 5.5 5 10 mine\n")
    window.files.lay((), (), RunOptions(preset="genomics2007"), lambda: None)
    window.files.open_runs([path])
    qtbot.waitUntil(lambda: window.session.runs[0].topics == ("200",))
    assert window.session.runs[0].task is Task.ASPECTS


def test_ordinary_rankings_are_grouped_by_document_with_a_message(application, qtbot, tmp_path):
    lines = "1 Q0 2041 1 0.9 r 0 5\n1 Q0 3342 2 0.8 r 0 4\n1 Q0 2041 3 0.7 r 10 5\n"
    (tmp_path / "qrels.txt").write_text("1 Q0 2041 5 100 10 10:5\n1 Q0 3342 4 50 0 0:4\n", encoding="utf-8")
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(lines.replace(" r ", f" {name} "), encoding="utf-8")
    options = RunOptions(task=Task.RELEVANT_IN_CONTEXT, gather=True)
    runs, _ = read_runs([tmp_path / "one.txt"], None, options)
    made = create_inspection(
        tmp_path / "seen.inexview",
        collection=SAMPLE / "articles",
        qrels=read_qrels(tmp_path / "qrels.txt"),
        runs=runs,
    )
    window = application.open_inspection(replace(made, task=Task.RELEVANT_IN_CONTEXT, run_options=options))
    assert drop(window, tmp_path / "two.txt")
    board = window.inspect.board
    qtbot.waitUntil(lambda: len(board.figures.scores) == 2 and not board.stale)
    first, second = (scores.mean for scores in board.figures.scores.values())
    assert first == second
    panel = window.findChild(RunsPanel)
    assert "the results of each document together at its best rank" in panel.note.text()
