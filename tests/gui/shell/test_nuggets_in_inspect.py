"""Inspect by nuggets and by subtopics: offered where they are there, with the numbers of `inexview eval`."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from inexview import Spans
from inexview.cli import explain, main
from inexview.core.answers.nuggets import Importance
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.inspection import read_again
from inexview.core.project.nuggets import delete_nugget, file_words, make_nugget
from inexview.core.project.project import Project
from inexview.gui.inspect.run_scoring import FigureAsked, FigureLevel
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drop, see_runs, shown_window
from tests.projects import article, project_of

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
ARTICLES = {
    str(number): article(f"Text {number}", " ".join(random.Random(number).choices(WORDS, k=40)))
    for number in range(1, 9)
}
TOPICS = Topic("7", "letters"), Topic("8", "more")


@pytest.fixture
def path(tmp_path):
    """Return a project in which each of two topics has six nuggets with places at random, two without."""
    made = project_of(tmp_path, ARTICLES, *TOPICS)
    chance = random.Random(4)
    with Project.open(made) as project:
        for topic in ("7", "8"):
            for number in range(6):
                weight = chance.choice([Importance.VITAL, Importance.OKAY])
                nugget = make_nugget(project, topic, f"fact {number}", importance=weight)
                for document in chance.sample([*ARTICLES], 3 if number < 4 else 0):
                    start = chance.randrange(10, 100)
                    project.mark(topic, document, start, start + 30)
                    file_words(project, topic, nugget.key, document, Spans([(start, start + 30)]))
            for document in ("1", "2"):
                if not project.state(topic, document).finished:
                    project.set_bep(topic, document, 0)
                    project.finish(topic, document)
    return made


def runs_of(folder):
    """Write a ranking of documents, and one of passages."""
    chance, ranked, passages = random.Random(5), folder / "ranked.run", folder / "passages.run"
    orders = {topic: chance.sample([*ARTICLES], 8) for topic in ("7", "8")}
    listed = [(topic, rank, doc) for topic, order in orders.items() for rank, doc in enumerate(order, 1)]
    ranked.write_text("".join(f"{topic} Q0 {doc} {rank} {10 - rank} docs\n" for topic, rank, doc in listed))
    passages.write_text(
        "".join(f"{topic} Q0 {doc} {rank} {10 - rank} parts {10 * rank} 70\n" for topic, rank, doc in listed)
    )
    return ranked, passages


def evaluated(capsys, judged, run, texts, *more):
    capsys.readouterr()
    assert (
        main(["eval", str(judged), str(run), "-C", str(texts), "--per-topic", "--format", "json", *more]) <= 1
    )
    return json.loads(capsys.readouterr().out)["runs"][0]


def scored(window, qtbot, preset=None):
    board = window.inspect.board
    qtbot.waitUntil(
        lambda: (
            not board.stale
            and board.task is not None
            and (preset is None or board.choice.preset_of(board.task).name == preset)
            and bool(board.scored())
        )
    )
    return board.scores(window.session.run)


def presets(window):
    return [action.text().split()[0] for action in window.inspect.runs.bar.preset.choices.actions()]


def choose(window, qtbot, name):
    bar = window.inspect.runs.bar
    qtbot.mouseClick(bar.preset, Qt.MouseButton.LeftButton)
    menu = bar.preset.choices
    qtbot.waitUntil(menu.isVisible)
    action = next(action for action in menu.actions() if action.text().startswith(name))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


@pytest.mark.parametrize("task", [Task.DOCUMENTS, Task.PASSAGES])
def test_the_nuggets_of_a_project_score_runs_as_eval_does(qapp, qtbot, tmp_path, path, capsys, task):
    run = runs_of(tmp_path)[task is Task.PASSAGES]
    bank = tmp_path / "bank.jsonl"
    main(["export", str(path), "--nuggets", "-o", str(bank)])
    expected = evaluated(capsys, bank, run, path.parent / "articles", "--task", task.value)
    with shown_window(qapp, path, (1440, 900)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        drop(window, run)
        qtbot.waitUntil(lambda: bool(window.session.runs))
        see_runs(window)
        window.inspect.runs.bar.choose_task(task)
        scored(window, qtbot)
        assert "nuggets" in presets(window)
        choose(window, qtbot, "nuggets")
        scores = scored(window, qtbot, "nuggets")
        assert len(scores.mean) > 10
        assert {name: expected["mean"][name] for name in scores.mean} == scores.mean
        assert window.inspect.board.figures.measures[0] == "nugget_vital@10"
        for name in scores.names:
            own = dict(zip(scores.topics, scores.per_topic(name).tolist(), strict=True))
            assert own == {topic: values[name] for topic, values in expected["topics"].items()}
        window.inspect.open_topic("7")
        window.inspect.derive(FigureAsked(FigureLevel.TOPIC))
        value = scores.per_topic("nugget_vital@10")[scores.topics.index("7")]
        box = window.inspect.derivation
        qtbot.waitUntil(lambda: any(f"{value:.4f}" in one.text() for one in box.findChildren(QLabel)))


def test_changed_nuggets_are_scored_again_and_missing_ones_reported(qapp, qtbot, tmp_path, path):
    with shown_window(qapp, path, (1440, 900)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        drop(window, runs_of(tmp_path)[0])
        qtbot.waitUntil(lambda: bool(window.session.runs))
        see_runs(window)
        window.inspect.runs.bar.choose_task(Task.DOCUMENTS)
        scored(window, qtbot)
        choose(window, qtbot, "nuggets")
        before = scored(window, qtbot, "nuggets").mean
        window.set_mode(Mode.ASSESS)
        project = window.session.project
        first = project.nuggets.of("7").nuggets[0]
        delete_nugget(project, "7", first.key)
        window.assess.nuggets.refresh()
        see_runs(window)
        qtbot.waitUntil(lambda: not window.inspect.board.stale)
        assert scored(window, qtbot, "nuggets").mean != before
        choose(window, qtbot, "trec")
        scored(window, qtbot, "trec")
        assert window.inspect.board.figures.measures[0] == "MAP"
        choose(window, qtbot, "nuggets")
        scored(window, qtbot, "nuggets")
        window.set_mode(Mode.ASSESS)
        for topic in ("7", "8"):
            for nugget in project.nuggets.of(topic).nuggets:
                delete_nugget(project, topic, nugget.key)
        window.assess.nuggets.refresh()
        see_runs(window)
        board = window.inspect.board
        qtbot.waitUntil(lambda: not board.stale and board.figures.nothing == "no nugget has a passage yet")
        choose(window, qtbot, "trec")
        scored(window, qtbot, "trec")
        assert presets(window) == ["trec"]


def test_a_project_without_nuggets_offers_none(qapp, qtbot, tmp_path):
    path = project_of(tmp_path, ARTICLES, *TOPICS)
    with Project.open(path) as project:
        project.not_relevant("7", "1")
    with shown_window(qapp, path, (1440, 900)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        drop(window, runs_of(tmp_path)[0])
        qtbot.waitUntil(lambda: bool(window.session.runs))
        see_runs(window)
        window.inspect.runs.bar.choose_task(Task.DOCUMENTS)
        scored(window, qtbot)
        assert presets(window) == ["trec"]


def inspected(monkeypatch, *arguments):
    """Return what `inexview inspect` would show; its project stays."""
    kept = []
    monkeypatch.setattr(explain, "open_window", lambda *, inspection: kept.append(inspection) or 0)
    monkeypatch.setattr(explain, "leave", lambda status: status)
    monkeypatch.setattr(explain, "require_window", lambda: None)
    folder = arguments[0].parent / "shown"
    folder.mkdir()

    class Kept:
        def __init__(self, **_about): ...
        def __enter__(self):
            return str(folder)

        def __exit__(self, *_about): ...

    monkeypatch.setattr(explain, "TemporaryDirectory", Kept)
    assert main(["inspect", *map(str, arguments)]) == 0
    return kept[0]


DIVERSITY = "7 1 1 1\n7 2 2 1\n7 1 2 1\n7 3 5 1\n8 1 4 1\n8 2 4 0\n8 2 6 1\n"


@pytest.mark.parametrize("kind", ["nuggets", "diversity"])
def test_files_of_nuggets_and_of_subtopics_are_inspected(
    application, qtbot, tmp_path, path, capsys, monkeypatch, kind
):
    run, texts = runs_of(tmp_path)[0], path.parent / "articles"
    judged = tmp_path / ("bank.jsonl" if kind == "nuggets" else "div.qrels")
    if kind == "nuggets":
        main(["export", str(path), "--nuggets", "-o", str(judged)])
    else:
        judged.write_text(DIVERSITY)
    given = ["--task", "documents", *(["--preset", "diversity"] if kind == "diversity" else [])]
    expected = evaluated(capsys, judged, run, texts, *given)
    made = inspected(monkeypatch, judged, "-R", run, "-C", texts, *given)
    window = application.open_inspection(made)
    scores = scored(window, qtbot, kind)
    assert {name: expected["mean"][name] for name in scores.mean} == scores.mean
    qtbot.waitUntil(lambda: len(presets(window)) == 2)
    assert presets(window) == ["trec", kind]
    again = read_again(made, window.session.project.collection)
    assert again == made.qrels
    assert again != replace(made, qrels=None).qrels
