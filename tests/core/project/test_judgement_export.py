"""What is judged in a project, in every format: read back as it was, and what is lost is said before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.formats.conversion import Conversion, convert, read_content
from inexview.core.formats.format import (
    ASSESSMENTS_2005,
    ASSESSMENTS_2007,
    BUNDLE_QRELS,
    FOL_QRELS,
    GOLD_PASSAGES,
    GRADED_QRELS,
    HARD_QRELS,
    JSONL,
    Feature,
    Format,
    Options,
)
from inexview.core.formats.readers import format_of
from inexview.core.judgements.elements import Assessments
from inexview.core.progress import Cancelled
from inexview.core.project.document_state import ActionKind, JudgingAction
from inexview.core.project.judgement_export import (
    JudgingTally,
    Wanted,
    export,
    export_formats,
    options_for,
    tallies,
)
from inexview.core.project.project import Project
from inexview.core.project.reviews import set_grade, set_scale
from inexview.core.text.counting import UTF8_BYTES
from inexview.core.text.spans import Spans
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_project
from tests.scales import from_code_points

MARKS = Spans([(2, 9), (20, len(TEXT))])
RECOGNISED = {GOLD_PASSAGES: HARD_QRELS}  # without aspects the lines are the same
BEHIND_THE_FOX = len(TEXT) - 5


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_project(tmp_path)
    with Project.open(path) as project:
        project.do(TOPIC, "d1", JudgingAction(ActionKind.MARK, tuple(MARKS)))
        project.set_bep(TOPIC, "d1", BEHIND_THE_FOX)
        project.finish(TOPIC, "d1")
        project.not_relevant(TOPIC, "d3")
        project.mark(TOPIC, "d2", 0, 4)
        project.mark(OTHER_TOPIC, "d1", 0, 3)
        project.set_bep(OTHER_TOPIC, "d1", 0)
        project.finish(OTHER_TOPIC, "d1")
    return path


def written(project: Project, target: Format, out: Path, **asked) -> Path:
    wanted = Wanted(target, **asked)
    export(project, wanted).write(out, options_for(project, wanted))
    return out


@pytest.mark.parametrize("target", export_formats(), ids=lambda format: format.name)
def test_exports_are_in_their_format_with_the_same_documents(path, tmp_path, target):
    with Project.open(path) as project:
        out = written(project, target, tmp_path / f"out{target.suffix}")
        assert format_of(out) is RECOGNISED.get(target, target)
        content = target.read(out, Options(project.collection))
    judged = (
        {(topic.topic, one.name): one.relevant for topic, one in content.documents()}
        if isinstance(content, Assessments)
        else {(one.topic, one.document): one.relevant for one in content}
    )
    wanted = {(TOPIC, "d3"): False, (TOPIC, "d1"): True, (OTHER_TOPIC, "d1"): True}
    if not target.carries & {Feature.NOT_RELEVANT, Feature.GRADES}:
        del wanted[TOPIC, "d3"]
    assert judged == wanted


@pytest.mark.parametrize("target", [FOL_QRELS, HARD_QRELS, JSONL, ASSESSMENTS_2007], ids=lambda one: one.name)
def test_passages_come_back_to_the_character_from_every_format_that_carries_them(path, tmp_path, target):
    with Project.open(path) as project:
        out = written(project, target, tmp_path / f"out{target.suffix}")
        to_fol = Conversion(target, FOL_QRELS, Options(project.collection))
        qrels = convert(read_content(out, to_fol), to_fol).content
    assert qrels.judgement(TOPIC, "d1").passages == MARKS


@pytest.mark.parametrize("target", export_formats(), ids=lambda format: format.name)
def test_reported_losses_are_the_actual_losses(path, target):
    with Project.open(path) as project:
        told = sum(tallies(project).values(), JudgingTally()).lost(target)
        assert told == export(project, Wanted(target)).converted.lost
    assert bool(told) == (
        target in (*GRADED_QRELS, HARD_QRELS, ASSESSMENTS_2005, GOLD_PASSAGES, *BUNDLE_QRELS)
    )


@pytest.mark.parametrize("target", export_formats(), ids=lambda format: format.name)
def test_lost_grades_are_reported_too(path, target):
    with Project.open(path) as project:
        set_scale(project, ["okay", "vital"])
        set_grade(project, TOPIC, "d1", "vital")
        set_grade(project, TOPIC, "d1", "okay", (2, 9))
        told = sum(tallies(project).values(), JudgingTally()).lost(target)
        assert told == export(project, Wanted(target)).converted.lost
    assert ("1 grade of a document" in told) == (target not in (*GRADED_QRELS, JSONL))


def test_tallies_of_topics_add_up():
    one = JudgingTally({Feature.PASSAGES: 1}, finished=2, begun=3, untouched=4, suggested=5)
    other = JudgingTally({Feature.PASSAGES: 10, Feature.ENTRY_POINTS: 1}, 20, 30, 40, 50)
    assert one + other == JudgingTally({Feature.PASSAGES: 11, Feature.ENTRY_POINTS: 1}, 22, 33, 44, 55)


def test_tallies_count_finished_begun_and_untouched_documents(path):
    with Project.open(path) as project:
        counted = tallies(project)
    assert [(one.finished, one.begun, one.untouched) for one in counted.values()] == [(2, 1, 0), (1, 0, 0)]
    assert counted[TOPIC].documents(JSONL) == 3
    assert counted[TOPIC].documents(FOL_QRELS) == 2


def test_one_topic_can_be_exported_alone(path, tmp_path):
    with Project.open(path) as project:
        out = written(project, FOL_QRELS, tmp_path / "out.txt", topics=(OTHER_TOPIC,))
    assert out.read_text() == f"{OTHER_TOPIC} Q0 d1 3 {len(TEXT)} 0 0:3\n"


def test_open_documents_are_left_out_save_from_json_lines(path):
    with Project.open(path) as project:
        assert export(project, Wanted(FOL_QRELS)).left_out == ((TOPIC, "d2"),)
        everything = export(project, Wanted(JSONL))
    assert (everything.left_out, everything.begun) == ((), ((TOPIC, "d2"),))


def test_documents_to_do_are_left_out_of_every_file(path):
    with Project.open(path) as project:
        project.undo(TOPIC, "d3")
        assert export(project, Wanted(FOL_QRELS)).left_out == ((TOPIC, "d3"), (TOPIC, "d2"))
        everything = export(project, Wanted(JSONL))
    assert (everything.left_out, everything.begun) == (((TOPIC, "d3"),), ((TOPIC, "d2"),))


def test_fol_qrels_count_by_the_projects_convention_and_bytes_are_bytes(path, tmp_path):
    with Project.open(path) as project:
        project.set_convention(UTF8_BYTES)
        fol = written(project, FOL_QRELS, tmp_path / "fol.txt").read_text().splitlines()
        hard = written(project, HARD_QRELS, tmp_path / "hard.txt").read_text()
    start, entry = (int(from_code_points(TEXT, at, UTF8_BYTES)) for at in (20, BEHIND_THE_FOX))
    end = len(TEXT.encode())
    assert fol[1].split()[5:] == [str(entry), "2:7", f"{start}:{end - start}"]
    assert f"{TOPIC} d1 {start} {end - start}\n" in hard


def test_assessments_repeat_their_topics_and_can_be_a_folder_of_them(path, tmp_path):
    wanted = Wanted(ASSESSMENTS_2007)
    with Project.open(path) as project:
        exported = export(project, wanted)
        exported.write(tmp_path / "all", options_for(project, wanted), folder=True)
    files = sorted((tmp_path / "all").iterdir())
    assert [file.name for file in files] == [f"{TOPIC}.xml", f"{OTHER_TOPIC}.xml"]
    text = files[0].read_text(encoding="utf-8")
    assert "<narrative>Any fox.</narrative>" in text
    assert 'pool="test"' in text


def test_a_document_that_is_gone_is_named_as_lost_where_the_articles_are_needed(path):
    (path.parent / "articles" / "d1.xml").unlink()
    with Project.open(path) as project:
        converted = export(project, Wanted(ASSESSMENTS_2007)).converted
        assert converted.lost == ("2 judged documents that are not in the collection",)
        missing = "the document is not in the collection; it is skipped (d1)"
        assert converted.warnings == (f"{path}: {missing}",) * 2, "a project has no lines to name"
        assert export(project, Wanted(FOL_QRELS)).documents == 3


def test_without_the_collection_only_formats_that_need_no_article_can_be_written(path):
    (path.parent / "articles").rename(path.parent / "elsewhere")
    with Project.open(path) as project:
        assert export(project, Wanted(FOL_QRELS)).documents == 3
        with pytest.raises(DataError, match="articles"):
            export(project, Wanted(ASSESSMENTS_2007))


def test_a_cancelled_export_keeps_the_old_file(path, tmp_path):
    def stop(what: str, done: int, total: int | None) -> None:
        if what == "judgements written":
            raise Cancelled

    out = tmp_path / "out.jsonl"
    out.write_text("before")
    with Project.open(path) as project:
        exported = export(project, Wanted(JSONL))
        with pytest.raises(Cancelled):
            exported.write(out, Options(progress=stop))
    assert out.read_text() == "before"
    assert not list(tmp_path.glob(".*part"))


def test_a_project_that_is_written_to_meanwhile_is_read_as_it_was_at_one_moment(path):
    with Project.open(path) as project, ThreadPoolExecutor(1) as reader:

        def read() -> list[int]:
            counts = []
            for _ in range(20):
                with Project.beside(path, project.collection) as beside:
                    counts.append(sum(1 for _ in beside.journal.rows()))
            return counts

        reading = reader.submit(read)
        while not reading.done():
            project.mark(TOPIC, "d2", 0, 5)
            project.clear(TOPIC, "d2")
        assert reading.result() == sorted(reading.result())


def test_a_project_open_in_a_window_can_be_read_without_closing_its_collection(path):
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d2")
        with Project.beside(path, project.collection) as beside:
            assert beside.histories.states(TOPIC) == project.histories.states(TOPIC)
            assert beside.read_only
        project.not_relevant(TOPIC, "d2")
        assert project.collection.load("d1").text == TEXT
    with Project.open(path) as project:
        assert project.state(TOPIC, "d2").finished
