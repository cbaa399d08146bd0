"""Judgements of others beside those of a project: read, compared, settled, exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from inexview import cli
from inexview.core.answers.nuggets import Importance, Nugget, NuggetPlace, TopicNuggets
from inexview.core.errors import DataError
from inexview.core.evaluation.agreement import agree
from inexview.core.formats.jsonl import read_jsonl, write_jsonl
from inexview.core.formats.passage_lines import write_fol_qrels
from inexview.core.project.document_state import Ruling
from inexview.core.project.import_judgements import differences, named_apart, own_layer, read_layer, settled
from inexview.core.project.journal import JournalEntry
from inexview.core.project.judgement_export import (
    Wanted,
    export,
    judgements_of,
    options_for,
    records_of,
    tallies,
)
from inexview.core.project.nuggets import make_nugget, others_nuggets, take_nugget
from inexview.core.project.project import Project
from inexview.core.project.reviews import decisions, finishing, settling, settling_entry
from inexview.core.text.counting import CODE_POINTS, UTF16_UNITS
from inexview.core.text.spans import EMPTY, Spans
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_project


@pytest.fixture
def ada(tmp_path: Path):
    """Ada's project: d1 and d2 are relevant, d3 is not."""
    with Project.open(make_project(tmp_path / "ada")) as project:
        project.mark(TOPIC, "d1", 0, 20)
        project.set_bep(TOPIC, "d1", 0)
        project.finish(TOPIC, "d1")
        project.mark(TOPIC, "d2", 3, 12)
        project.set_bep(TOPIC, "d2", 3)
        project.finish(TOPIC, "d2")
        project.not_relevant(TOPIC, "d3")
        yield project


@pytest.fixture
def bob(tmp_path: Path) -> Path:
    """Bob's project: d1 otherwise, d2 alike, d3 open, d1 of another topic."""
    path = make_project(tmp_path / "bob")
    with Project.open(path, assessor="bob") as project:
        project.mark(TOPIC, "d1", 10, 30)
        project.set_bep(TOPIC, "d1", 10)
        project.finish(TOPIC, "d1")
        project.mark(TOPIC, "d2", 3, 12)
        project.set_bep(TOPIC, "d2", 3)
        project.finish(TOPIC, "d2")
        project.mark(TOPIC, "d3", 0, 5)
        project.not_relevant(OTHER_TOPIC, "d1")
    return path


def layer_of(path: Path, project: Project, convention=CODE_POINTS):
    return read_layer(path, {topic.id for topic in project.topics}, convention, project.collection)


def test_the_own_layer_has_the_lengths_that_the_articles_had_when_they_were_judged(ada: Project) -> None:
    ada.mark(OTHER_TOPIC, "d1", 0, 4)
    judged = own_layer(ada, TOPIC).judged
    assert {name: one.judgement.length for name, one in judged[TOPIC].items()} == dict.fromkeys(
        ("d1", "d2", "d3"), len(TEXT)
    )
    assert own_layer(ada, OTHER_TOPIC).judged == {}


def test_a_layer_holds_what_another_project_has_finished(ada: Project, bob: Path) -> None:
    layer = layer_of(bob, ada)
    assert layer.name == "bob"
    assert sorted(layer.judged[TOPIC]) == ["d1", "d2"]
    assert layer.state(TOPIC, "d1").marks == Spans([(10, 30)])
    assert layer.state(TOPIC, "d3") is None


def test_a_layer_of_a_damaged_project_says_so(ada: Project, bob: Path) -> None:
    assert layer_of(bob, ada).warnings == ()
    content = bytearray(bob.read_bytes())
    content[100:4096] = b"\x7f" * 3996  # what says where its tables are; the rows can still be found
    bob.write_bytes(content)
    (warning,) = layer_of(bob, ada).warnings
    assert warning.startswith(f"{bob}: the project file is damaged")


def test_differences_come_by_disputed_characters(ada: Project, bob: Path) -> None:
    found = differences((own_layer(ada, TOPIC), layer_of(bob, ada)), TOPIC, ada.pool(TOPIC))
    assert [(one.document, one.disputed, one.agreed) for one in found] == [
        ("d1", 20, False),
        ("d3", 0, False),
        ("d2", 0, True),
    ]
    assert found[1].alone is not None


@pytest.mark.parametrize("convention", [CODE_POINTS, UTF16_UNITS], ids=str)
def test_agreement_of_layers_equals_that_of_their_exports(
    ada: Project, bob: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], convention
) -> None:
    mine = own_layer(ada, TOPIC)
    with Project.open(bob) as other:
        other.set_convention(convention)
        for project, name in ((ada, "a.txt"), (other, "b.txt")):
            project_qrels = judgements_of(project).judgements
            write_fol_qrels([one for one in project_qrels if one.topic == TOPIC], tmp_path / name)
    layer = layer_of(tmp_path / "b.txt", ada, convention)
    (shown,) = agree(mine.qrels(TOPIC), layer.qrels(TOPIC)).topics
    assert layer.state(TOPIC, "d1").marks == Spans([(10, 30)])
    if convention == CODE_POINTS:
        assert cli.main(["agree", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--format", "json"]) == 0
        told = json.loads(capsys.readouterr().out)["topics"][TOPIC]
        for what in ("documents", "characters"):
            assert told[what]["overlap"] == shown.compared[what].overlap
            assert told[what]["both"] == shown.compared[what].both
            kappa = told[what]["kappa"]
            assert kappa == shown.compared[what].kappa or (kappa is None and what == "documents")


def test_settled_marks_are_separate_and_have_a_source(ada: Project, bob: Path, tmp_path: Path) -> None:
    mine, layer = own_layer(ada, TOPIC), layer_of(bob, ada)
    before = ada.state(TOPIC, "d1")
    of = differences((mine, layer), TOPIC)[0]
    ada.do(TOPIC, "d1", settling(of, of.start, of.places, Ruling.B))
    assert not settled(ada, TOPIC, "d1")
    ada.do(TOPIC, "d1", settling_entry(of, ada.histories.third(TOPIC, "d1").state, 10, Ruling.B))
    third = ada.do(TOPIC, "d1", finishing(of, ada.histories.third(TOPIC, "d1"), len(TEXT)))
    assert settled(ada, TOPIC, "d1")
    assert tallies(ada)[TOPIC].settled == 1
    assert third.marks == Spans([(10, 30)])
    assert ada.state(TOPIC, "d1") == before
    assert own_layer(ada, TOPIC).state(TOPIC, "d1").marks == Spans([(0, 20)])
    for own, marks, names in ((False, (10, 30), ["bob"]), (True, (0, 20), [])):
        wanted, out = Wanted(target_of("jsonl"), own=own), tmp_path / f"{own}.jsonl"
        export(ada, wanted).write(out, options_for(ada, wanted))
        record = next(one for one in read_jsonl(out) if one.judgement.document == "d1")
        assert list(record.judgement.passages) == [marks]
        assert [origin.name for _, origin in record.origins] == names
    with Project.open(ada.path, read_only=True) as again:
        assert [one.taken for one in decisions(again.histories.third(TOPIC, "d1"))] == [
            Ruling.B,
            Ruling.B,
            Ruling.AGREED,
        ]
        assert again.can_undo(TOPIC, "d1", third=True) == "settle"
        assert again.state(TOPIC, "d1") == before
    ada.mark(TOPIC, "d1", 36, 40)  # one's own goes on by itself
    assert ada.histories.third(TOPIC, "d1").state == third
    ada.undo(TOPIC, "d1")
    for _ in range(3):
        ada.undo(TOPIC, "d1", third=True)
    assert ada.state(TOPIC, "d1") == before
    assert ada.histories.third(TOPIC, "d1").state.untouched
    ada.redo(TOPIC, "d1", third=True)
    assert ada.histories.third(TOPIC, "d1").state.marks == Spans([(10, 30)])


def test_in_an_older_journal_what_followed_a_settling_belongs_to_the_third_layer(
    ada: Project, bob: Path
) -> None:
    of = differences((own_layer(ada, TOPIC), layer_of(bob, ada)), TOPIC)[0]
    before = ada.state(TOPIC, "d1")
    content = settling(of, of.start, of.places, Ruling.B).content()
    del content["apart"]
    ada.append([JournalEntry("settle", content, TOPIC, "d1")])
    ada.mark(TOPIC, "d1", 36, 40)
    assert ada.state(TOPIC, "d1") == before
    assert ada.histories.third(TOPIC, "d1").state.marks == Spans([(10, 30), (36, 40)])
    ada.undo(TOPIC, "d1", third=True)
    ada.undo(TOPIC, "d1", third=True)
    ada.mark(TOPIC, "d1", 36, 40)
    assert ada.state(TOPIC, "d1").marks == before.marks | Spans([(36, 40)])


def target_of(name: str):
    from inexview.core.formats.format import format_named

    return format_named(name)


def test_a_layer_of_another_text_says_so(ada: Project, bob: Path) -> None:
    layer = layer_of(bob, ada)
    assert layer.differs(TOPIC, "d1", TEXT) == ""
    assert layer.differs(TOPIC, "d1", TEXT.replace("jumps", "jumped")) == (
        "1 passage reads differently from the text that bob marked"
    )
    taken = replace(layer.judged[TOPIC]["d1"], quotes={})
    bare = replace(layer, judged={TOPIC: {"d1": taken}})
    assert "bob judged an article of 42 characters" in bare.differs(TOPIC, "d1", TEXT + "!")
    assert layer.differs(TOPIC, "d9", TEXT) == ""


def test_records_are_a_layer_and_name_their_assessor(ada: Project, bob: Path, tmp_path: Path) -> None:
    with Project.open(bob, read_only=True) as project:
        write_jsonl(records_of(project), tmp_path / "bob.jsonl")
    layer = layer_of(tmp_path / "bob.jsonl", ada)
    assert layer.name == "bob"
    assert sorted(layer.judged[TOPIC]) == ["d1", "d2"]


def test_what_judges_no_topic_of_the_project_is_no_layer(ada: Project, tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text("7 Q0 d1 0 42 -1\n")
    with pytest.raises(DataError, match="judges no topic of this project"):
        layer_of(path, ada)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{} Q0 elsewhere 0 42 -1\n", "document.* = 'elsewhere': judges no document of this collection"),
        ("{} Q0 d1 1 9 lamps 0 5\n", "other.txt: looks like FOL run"),
        ("", "other.txt: holds no judgement: the file is empty"),
    ],
)
def test_a_layer_of_another_collection_is_refused(ada: Project, tmp_path: Path, written, told) -> None:
    path = tmp_path / "other.txt"
    path.write_text(written.format(TOPIC))
    with pytest.raises(DataError, match=told):
        layer_of(path, ada)


def test_documents_that_the_collection_lacks_are_named(ada: Project, tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text(f"{TOPIC} Q0 elsewhere 0 42 -1\n{TOPIC} Q0 d1 0 42 -1\n")
    assert "1 document not in the collection, such as elsewhere" in layer_of(path, ada).warnings


def test_no_two_layers_have_one_name(ada: Project, bob: Path) -> None:
    layer = layer_of(bob, ada)
    names = [one.name for one in named_apart([layer, layer, replace(layer, path=None)])]
    assert names == ["bob", "bob (test)", "bob (2)"]


def test_a_layer_has_the_nuggets_of_its_project_and_of_a_file(
    ada: Project, bob: Path, tmp_path: Path
) -> None:
    with Project.open(bob, assessor="bob") as project:
        make_nugget(project, TOPIC, "a fact", document="d1", spans=Spans([(10, 20)]))
        make_nugget(project, OTHER_TOPIC, "another")
    bank = tmp_path / "bank.jsonl"
    assert cli.main(["export", str(bob), "--nuggets", "-o", str(bank)]) == 0
    for path in (bob, bank):
        layer = layer_of(path, ada)
        facts = {topic: [one.text for one in own.nuggets] for topic, own in layer.nuggets.items()}
        assert facts == {TOPIC: ["a fact"], OTHER_TOPIC: ["another"]}
        (place,) = layer.nuggets[TOPIC].nuggets[0].places
        assert (place.document, list(place.spans)) == ("d1", [(10, 20)])
    assert (layer.name, layer.judged) == ("bank", {})


def test_a_file_of_nuggets_for_other_topics_is_no_layer(ada: Project, tmp_path: Path) -> None:
    bank = tmp_path / "bank.jsonl"
    bank.write_text(json.dumps({"qid": "elsewhere", "nuggets": [{"text": "a fact"}]}), encoding="utf-8")
    with pytest.raises(DataError, match="has nuggets for no topic of this project"):
        layer_of(bank, ada)


def test_places_of_others_end_where_the_document_does_and_need_a_finished_one(ada: Project) -> None:
    nugget = Nugget(
        "a fact",
        Importance.OKAY,
        (
            NuggetPlace("d1", Spans([(2, 6), (10, 10**6)])),
            NuggetPlace("d4", Spans([(0, 3)])),
            NuggetPlace("d2", EMPTY),
        ),
    )
    (other,) = others_nuggets([(1, "bob", TopicNuggets(TOPIC, (nugget,)))])
    assert [list(place) for place in other.places_in("d1", 12)] == [[(2, 6), (10, 12)]]
    assert [list(place) for place in other.places_in("d2", 12)] == [[]]
    done = take_nugget(ada, TOPIC, other, document="d1")
    assert (done.nuggets, done.places) == (1, 2)  # d4 is not finished
    assert {*ada.nuggets.of(TOPIC).places} == {"d1", "d2"}
    again = take_nugget(ada, TOPIC, other)
    assert (again.nuggets, again.places) == (0, 0)


def test_labels_of_a_model_are_refused_as_a_layer_with_a_hint(ada: Project, tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text(f"{TOPIC} Q0 d1 3 0.9 m\n{TOPIC} Q0 d2 0 0.5 m\n", encoding="utf-8")
    with pytest.raises(DataError, match="holds a model's judgements: use Import a model’s judgements"):
        layer_of(labels, ada)
