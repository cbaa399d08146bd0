"""What there is of each kind in a file, counted by hand: it decides what a conversion says would be lost."""

from __future__ import annotations

from dataclasses import replace

from inexview import Judgement, Qrels, Result, Run, Spans, Task
from inexview.core.formats.conversion import features
from inexview.core.formats.format import Feature
from inexview.core.judgements.elements import AssessedDocument, AssessedPassage, AssessedTopic, Assessments
from inexview.core.judgements.qrels import JudgementRecord, Records
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Submission, Submitted
from inexview.core.judgements.topics import Topic
from inexview.core.text.search import Quote

MARKED = Judgement("1", "a", 7, 100, 2, Spans([(2, 5), (8, 12)]))


def test_of_qrels():
    judged = [
        MARKED,
        Judgement("1", "b", 1, 0, None, Spans([(3, 4)])),
        Judgement("1", "c", 9, 50, None, Spans([(3, 4)])),
        Judgement("1", "d", 0, 50, None, Spans()),
        Judgement("1", "e", 3, 50, None, Spans()),
    ]
    qrels = Qrels.from_judgements(judged)
    assert features(qrels) == {
        Feature.PASSAGES: 4,
        Feature.ENTRY_POINTS: 1,
        Feature.LENGTHS: 4,
        Feature.NOT_RELEVANT: 1,
        Feature.BARE: 1,
        Feature.SIZES: 1,
    }
    grades = replace(Qrels.from_judgements(judged[3:]), graded=True)
    assert features(grades) == {Feature.LENGTHS: 2, Feature.NOT_RELEVANT: 1, Feature.GRADES: 1}


def test_of_records():
    records = (
        JudgementRecord(
            MARKED,
            quotes={(2, 5): Quote("a", "b"), (2, 2): Quote("a", "")},
            seconds=2.5,
            note="seen",
            come_back=True,
            grade="vital",
            notes={(2, 5): "here"},
            grades={(2, 5): "okay", (8, 12): "vital"},
            added=True,
        ),
        JudgementRecord(replace(MARKED, document="b"), finished=False, grade="okay"),
    )
    found = features(Records(records).qrels())
    told = {
        Feature.QUOTES: 1,
        Feature.SIGNED: 1,
        Feature.DOCUMENT_GRADES: 2,
        Feature.PASSAGE_GRADES: 2,
        Feature.NOTES: 3,
        Feature.FOUND_DOCUMENTS: 1,
        Feature.UNFINISHED: 1,
        Feature.PASSAGES: 2,
        Feature.ENTRY_POINTS: 1,
        Feature.LENGTHS: 1,
    }
    assert found == told


def test_of_assessments():
    passage = AssessedPassage("/a[1]", "/a[1]", 4)
    documents = (
        AssessedDocument("a", "ieee", "/a[1]", (passage, passage)),
        AssessedDocument("b", "ieee", passages=(passage,)),
        AssessedDocument("c"),
    )
    topics = (AssessedTopic("1", documents, pool="p", statement=Topic("1", "foxes")), AssessedTopic("2", ()))
    assert features(Assessments(topics)) == {
        Feature.STATEMENTS: 1,
        Feature.PASSAGES: 3,
        Feature.ENTRY_POINTS: 1,
        Feature.NOT_RELEVANT: 1,
        Feature.FRAMES: 2,
    }


def test_of_runs():
    listed = [("a", 0, 5), ("a", 9, 12), ("b", 4, 4), ("c", UNKNOWN, UNKNOWN)]
    results = [Result("1", name, rank, None, start, end) for rank, (name, start, end) in enumerate(listed, 1)]
    results += [Result("2", "a", 1, 0.5, 7, 8)]
    run = Run.from_results(results, id="r")
    run.size[2] = NO_LENGTH
    told = {
        Feature.OFFSETS: 3,
        Feature.ENTRIES: 1,
        Feature.UNKNOWN: 1,
        Feature.REPEATS: 1,
        Feature.SCORES: 1,
    }
    assert features(run) == told
    assert features(replace(run, task=Task.FOCUSED)) == {**told, Feature.TASK: 1}
    whole = {Feature.WHOLE if one is Feature.ENTRIES else one: count for one, count in told.items()}
    assert features(replace(run, task=Task.DOCUMENTS)) == whole


def test_of_submissions():
    results = (
        Submitted("a", "/a[1]", score=0.5),
        Submitted("a", "/a[1]/b[1]", "/a[1]/b[2]"),
        Submitted("b", "/a[1]/text()[1].0", "/a[1]/text()[1].3"),
        Submitted("c", offset=0, length=9),
    )
    submission = Submission(
        {"1": results, "2": ()},
        task=" Focused ",
        attributes=(("participant-id", "7"), ("result-type", "element")),
        fields=(("title", "yes"), ("narrative", "no")),
        description="words",
        collections=("ieee",),
    )
    assert features(submission) == {
        Feature.EMPTY_TOPICS: 1,
        Feature.REPEATS: 1,
        Feature.ELEMENT_RESULTS: 1,
        Feature.POINT_RESULTS: 2,
        Feature.FOL_RESULTS: 1,
        Feature.SCORES: 1,
        Feature.TASK: 1,
        Feature.ABOUT: 5,
    }
