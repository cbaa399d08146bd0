"""What models judged, in a project: brought in, replaced, taken out, and compared with its assessor."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.answers.judges import Found, ModelLabel, ModelLabels, quotes_read
from inexview.core.errors import JudgementError, ProjectError
from inexview.core.judgements.topics import Topic
from inexview.core.measures.measure import MeasureError
from inexview.core.open_runs.judges import standing
from inexview.core.project.import_judgements import Layer, Taken
from inexview.core.project.journal import JournalEntry
from inexview.core.project.judge_record import KEPT, LABELS, AskedOfModels
from inexview.core.project.model_labels import (
    LONGEST,
    MOST_QUOTES,
    add_labels,
    ask_of_models,
    keep_model,
    let_stand,
    looked_in,
    person_of,
    read_labels,
    stands,
)
from inexview.core.project.project import Project
from inexview.core.project.reviews import set_grade, set_scale

TEXTS = {"d1": "Oil is old. Oil is kept dark.", "d2": "The lamp burns.", "d3": "Nothing."}
TOPICS = [Topic("q1", "about oil"), Topic("q2", "lamps")]
FIRST = ModelLabel("q1", "d1", 2, "it says so", ("is kept dark", "never"), "m", shown=(0, 11))
SECOND = ModelLabel("q1", "d2", 0, "", (), "m")


@pytest.fixture
def path(tmp_path):
    (tmp_path / "texts").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
    Project.create(
        tmp_path / "p.inexview", collection=tmp_path / "texts", topics=TOPICS, entry_points=False
    ).close()
    return tmp_path / "p.inexview"


def of_topic(path, topic="q1"):
    with Project.open(path, read_only=True) as project:
        return {model: own.labels for model, own in project.judges.of_topic(topic).items()}


def test_labels_come_back_as_they_were(path):
    other = ModelLabel("q2", "d2", None, "unsure", (), "n")
    with Project.open(path) as project:
        done = add_labels(project, ModelLabels((FIRST, SECOND, other)))
        assert (done.models, done.added, done.known, done.complete) == (("m", "n"), 3, 0, True)
        assert add_labels(project, ModelLabels((FIRST, other))).known == 2
    assert of_topic(path) == {"m": (FIRST, SECOND)}
    assert of_topic(path, "q2") == {"n": (other,)}


def test_a_later_file_of_a_model_replaces_its_earlier_labels(path):
    with Project.open(path) as project:
        add_labels(project, ModelLabels((FIRST, SECOND)))
        again = SECOND._replace(grade=3, reason="after all")
        assert add_labels(project, ModelLabels((again,))).added == 1
    assert of_topic(path) == {"m": (FIRST, again)}


def test_removed_labels_can_be_restored(path):
    with Project.open(path) as project:
        add_labels(project, ModelLabels((FIRST,)))
        keep_model(project, "m", on=False)
        assert not project.judges.models
    assert of_topic(path) == {}
    with Project.open(path) as project:
        keep_model(project, "m", on=True)
        keep_model(project, "m", on=False)
        assert add_labels(project, ModelLabels((FIRST,))).added == 1  # brought in again
    assert of_topic(path) == {"m": (FIRST,)}


def test_nothing_is_kept_that_is_too_long_or_no_text(path):
    wild = FIRST._replace(
        reason="<b>x</b>\x00\x1b[2J\ud800" + "y" * 1_000_000, quotes=("q",) * 500, model="m\n\x07" + "n" * 900
    )
    with Project.open(path) as project:
        done = add_labels(
            project, ModelLabels((wild, FIRST._replace(topic="q9"), FIRST._replace(document="")))
        )
        assert (done.added, done.topics, done.nowhere, done.cut, done.complete) == (1, ("q9",), 1, 1, False)
        assert done.said().endswith("1 topic not in the project: q9; 1 label too long, cut off")
    ((model, (label,)),) = of_topic(path).items()
    assert model.isprintable()
    assert len(label.reason) == LONGEST
    assert len(label.quotes) == MOST_QUOTES


@pytest.mark.parametrize(
    "content",
    [
        {"model": "m", "labels": [["d1", 1.5, "", [], None]]},
        {"model": "m", "labels": [["d1", 1, "", [3], None]]},
        {"model": "m", "labels": [["d1", 1, "", []]]},
        {"model": "m", "labels": [["d1", 1, "", [], [-1, 4]]]},
        {"model": 3, "labels": []},
        {"labels": []},
    ],
)
def test_invalid_rows_are_reported(path, content):
    with Project.open(path) as project, pytest.raises(ProjectError, match="row"):
        project.append([JournalEntry(LABELS, content, "q1")])
    with pytest.raises(ProjectError, match="model-labels"):
        Project.open(path)


def test_thresholds_belong_to_the_project(path):
    with Project.open(path) as project:
        assert project.judges.asked == AskedOfModels()
        ask_of_models(project, AskedOfModels(0.6, 0.8, "AP"))
        for wrong in (AskedOfModels(1.5), AskedOfModels(measure="no measure")):
            with pytest.raises((JudgementError, MeasureError)):
                ask_of_models(project, wrong)
    with Project.open(path, read_only=True) as project:
        assert project.judges.asked == AskedOfModels(0.6, 0.8, "AP")


def test_the_person_is_graded_where_anything_is(path):
    with Project.open(path) as project:
        project.mark("q1", "d1", 0, 11)
        project.finish("q1", "d1")
        project.not_relevant("q1", "d2")
        plain = person_of(project, "q1")
        assert not plain.qrels.graded
        assert list(plain.marks["d1"]) == [(0, 11)]
        set_scale(project, ["0", "1", "2", "3"])
        set_grade(project, "q1", "d1", "2")
        graded = person_of(project, "q1").qrels
        assert graded.graded
        assert [(one.document, one.rsize) for one in graded] == [("d1", 2), ("d2", 0)]
        assert graded.length.tolist() == [len(TEXTS["d1"]), len(TEXTS["d2"])]
        rows = {"d1": Taken(next(iter(plain.qrels)))}
        other = person_of(project, "q1", Layer("ben", {"q1": rows}, Path("ben.qrels")))
        assert (other.name, other.qrels.graded, [one.document for one in other.qrels]) == (
            "ben",
            False,
            ["d1"],
        )


def test_that_a_grade_stands_is_in_the_record(path):
    with Project.open(path) as project:
        let_stand(project, "q1", "d1", "m", on=True)
    with Project.open(path) as project:
        assert stands(project, "q1", "d1", "m")
        assert not stands(project, "q1", "d1", "n")
        let_stand(project, "q1", "d1", "m", on=False)
        assert not stands(project, "q1", "d1", "m")


def test_a_model_is_compared_with_the_assessor_and_its_quotes_are_shown(path):
    with Project.open(path) as project:
        project.mark("q1", "d1", 0, 11)
        project.finish("q1", "d1")
        project.not_relevant("q1", "d2")
        add_labels(project, ModelLabels((FIRST, SECOND)))
        person, labels = person_of(project, "q1").qrels, project.judges.of_topic("q1")["m"]
        own = standing("m", person, labels, [], {}, {})
        assert own.agreement.matrix.tolist() == [[1, 0], [0, 1]]
        said = (
            "What the model grades 0, the person grades 0 in 1 of 1 document; on its 1 they agree in 1 of 1."
        )
        assert own.said() == said
        ((label, found),) = quotes_read(labels.labels, project.collection)
        assert label == FIRST
        assert [one.how for one in found] == [Found.EXACT, Found.NOWHERE]


def test_passages_are_searched_in_the_pool_and_record_the_shown_text(path, tmp_path):
    file = tmp_path / "umbrela.jsonl"
    shown = {"model": "u", "query": "About  OIL", "passage": "Oil is kept dark.", "judgment": 1}
    named = {"model": "u", "query": "q1", "docid": "d2", "passage": "lamp burns", "judgment": 0}
    file.write_text("\n".join(map(json.dumps, (shown, named))), encoding="utf-8")
    with Project.open(path) as project:
        project.not_relevant("q1", "d1")
        topics = {topic.id: topic.title for topic in project.topics}
        read = read_labels(file, topics, looked_in(project), project.collection)
    assert [(label.topic, label.document, label.shown) for label in read.labels] == [
        ("q1", "d1", (12, 29)), ("q1", "d2", (4, 14)),
    ]  # fmt: skip


def test_models_are_imported_by_the_command_line(path, tmp_path, capsys):
    reasoned, bare = tmp_path / "m.jsonl", tmp_path / "bare.qrels"
    value = {"qid": "q1", "docid": "d1", "score": 2, "reason": "so", "model": "m"}
    reasoned.write_text(json.dumps(value), encoding="utf-8")
    bare.write_text("q1 0 d1 3\nq7 0 d1 1\n", encoding="utf-8")
    assert main(["import", str(path), str(reasoned)]) == 0
    assert "1 label of m imported" in capsys.readouterr().out
    assert main(["import", str(path), str(bare)]) == 2  # graded documents are no judgements of text
    assert main(["import", str(path), str(bare), "--models"]) == 1
    assert "1 topic not in the project: q7" in capsys.readouterr().out
    assert {model: [one.grade for one in own] for model, own in of_topic(path).items()} == {
        "m": [2],
        "bare": [3],
    }
    assert main(["log", str(path)]) == 0
    assert "model-labels" in capsys.readouterr().out


def test_ten_thousand_labels_come_back(path):
    chance = random.Random(3)
    labels = [
        ModelLabel("q1", f"x{at}", chance.randrange(4), "because", ("a quote",), "m") for at in range(10_000)
    ]
    with Project.open(path) as project:
        assert add_labels(project, ModelLabels(tuple(labels))).added == 10_000
        project.append([JournalEntry(KEPT, {"model": "m", "on": True})])
    assert of_topic(path) == {"m": tuple(labels)}
