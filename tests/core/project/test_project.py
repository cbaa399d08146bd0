"""A project: what is done is kept, in order, and can be undone; what cannot be done loses nothing."""

from __future__ import annotations

import hashlib
import shutil
import socket
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, JudgementError, ProjectError
from inexview.core.judgements.qrels import Judgement, Pool, PooledDocument, Qrels
from inexview.core.project.document_state import (
    UNTOUCHED,
    ActionKind,
    DocumentState,
    JudgingAction,
    Suggestion,
)
from inexview.core.project.history import REDO, UNDO
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.journal import check_content, places_folder
from inexview.core.project.judgement_export import records_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import Suggestions, last_opened, note_left, note_opened, note_suggestions
from inexview.core.text.counting import CODE_POINTS
from inexview.core.text.spans import Spans
from tests.core.judging_worker import states_after
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_collection, make_project, make_topics

LENGTH = len(TEXT)


def reopened(path: Path) -> Project:
    return Project.open(path, read_only=True)


# -- what it is about ------------------------------------------------------------------------------------


def test_a_project_stands_alone_with_its_topics_and_pool(path: Path) -> None:
    for name in ("topics.xml", "pool.txt"):
        (path.parent / name).unlink()
    with Project.open(path) as project:
        assert [topic.id for topic in project.topics] == [TOPIC, OTHER_TOPIC]
        assert project.topics[0].narrative == "Any fox."
        assert project.pool(TOPIC) == ("d3", "d1", "d2")
        assert project.pool(OTHER_TOPIC) == ("d1",)
        assert (project.assessor, project.convention) == ("ada", CODE_POINTS)
        assert project.documents.warnings() == []


def test_all_that_a_topic_of_2009_says_is_written_as_the_schema_has_it(tmp_path: Path) -> None:
    topics = tmp_path / "topics.xml"
    topics.write_text(
        '<inex-topic-file><topic id="2009011" ct_no="5" query_type="CAS"><title>olive oil</title>'
        "<castitle>//food[about(., olive oil)]</castitle><phrasetitle>&quot;olive oil&quot;</phrasetitle>"
        "<description>Health.</description><narrative>Any.</narrative></topic></inex-topic-file>",
        encoding="utf-8",
    )
    path = tmp_path / "olive.inexview"
    with Project.create(path, collection=make_collection(tmp_path / "articles"), topics=topics) as project:
        (topic,) = project.topics
        (written,) = (row for row in project.journal.rows() if row.action == "topic")
    assert (topic.query_type, topic.ct_no) == ("CAS", "5")
    check_content(written.action, written.values())
    with Project.open(path) as project:
        assert project.topics == (topic,)


def test_without_a_pool_the_pool_is_the_collection(tmp_path: Path) -> None:
    with Project.open(make_project(tmp_path, pooled=False)) as project:
        assert not project.contents.has_pool
        assert project.pool(TOPIC) == project.pool(OTHER_TOPIC) == ("d1", "d2", "d3", "d4", "d5")


def test_pool_paths_and_passages_are_kept(tmp_path: Path) -> None:
    pooled = PooledDocument("d1", ("/article[1]",), (("/article[1]/p[1]", "/article[1]/p[1]/text()[1].3"),))
    path = tmp_path / "p.inexview"
    Project.create(
        path,
        collection=make_collection(tmp_path / "c"),
        topics=make_topics(tmp_path / "t"),
        pool=Pool({TOPIC: (pooled,)}),
    ).close()
    with reopened(path) as project:
        assert project.contents.pooled(TOPIC) == (pooled,)


def test_pooled_documents_that_are_not_in_the_collection_are_kept_and_warned_of(tmp_path: Path) -> None:
    pool = Pool({TOPIC: (PooledDocument("d1"), PooledDocument("gone")), "77": (PooledDocument("d1"),)})
    with Project.create(
        tmp_path / "p.inexview",
        collection=make_collection(tmp_path / "c"),
        topics=make_topics(tmp_path / "t"),
        pool=pool,
    ) as project:
        assert project.pool(TOPIC) == ("d1", "gone")
        assert project.documents.missing(TOPIC) == ("gone",)
        assert len(project.documents.warnings()) == 2
        assert "topic 77" in project.documents.warnings()[0]
        assert "gone" in project.documents.warnings()[1]
        with pytest.raises(DataError):
            project.mark(TOPIC, "gone", 0, 1)


def test_project_and_collection_may_move_together(path: Path, tmp_path: Path) -> None:
    shutil.move(path.parent, tmp_path / "moved")
    with Project.open(tmp_path / "moved" / path.name) as project:
        assert project.contents.collection_path == tmp_path / "moved" / "articles"
        assert project.documents.length("d1") == LENGTH


def test_a_project_may_move_away_from_its_collection(
    path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "a" / "b" / path.name
    elsewhere.parent.mkdir(parents=True)
    shutil.move(path, elsewhere)
    with Project.open(elsewhere) as project:
        assert project.contents.collection_path == path.parent / "articles"


def test_no_row_tells_a_place_a_process_or_a_machine(tmp_path: Path) -> None:
    """Also where files from elsewhere were imported, or suggest something, and the articles have moved."""
    private, far = tmp_path / "ada" / "private", tmp_path / "a" / "b" / "c"
    far.mkdir(parents=True)
    private.mkdir(parents=True)
    articles = make_collection(private / "articles")
    path = far / "study.inexview"
    qrels = Qrels.from_judgements([Judgement(TOPIC, "d1", 4, LENGTH, 2, Spans([(2, 6)]))])
    listed = {TOPIC: {"d2": (Suggestion(0, 4, "machine", None),)}}
    with Project.create(path, collection=articles, topics=make_topics(private / "topics.xml")) as project:
        import_judgements(project, replace(qrels, path=private / "ben.qrels"))
        note_suggestions(project, Suggestions("machine", listed, private / "machine.jsonl"), on=True)
        articles.rename(private / "moved")
        project.set_collection(private / "moved")
        said = [row.content for row in project.journal.rows() if row.action == "session"]
        assert said == ["{}"]
    told = path.read_bytes()
    for word in (str(tmp_path), "private", "pid", socket.gethostname()):
        assert word.encode() not in told
    assert b'"ben.qrels"' in told
    with reopened(path) as project:
        assert project.contents.collection_path == private / "moved"
    other = shutil.copytree(private / "moved", far / "moved")
    place = places_folder() / project.contents.id
    place.unlink()  # as on another machine
    with reopened(path) as project:
        assert project.contents.collection_path == other, "beside the project, under its name"


def test_a_missing_collection_is_reported_and_can_be_replaced(path: Path, tmp_path: Path) -> None:
    (path.parent / "articles").rename(tmp_path / "renamed")
    with Project.open(path) as project:
        assert str(path.parent / "articles") in project.documents.warnings()[-1]
        with pytest.raises(DataError):
            project.set_collection(tmp_path / "nowhere")
        project.set_collection(tmp_path / "renamed")
        assert project.documents.warnings() == []
    with reopened(path) as project:
        assert project.contents.collection_path == tmp_path / "renamed"
        assert project.documents.length("d1") == LENGTH


def test_a_former_collection_is_closed_unless_borrowed(path: Path, tmp_path: Path, monkeypatch) -> None:
    other = shutil.copytree(path.parent / "articles", tmp_path / "other")
    closed: list[Collection] = []
    close = Collection.close

    def note(collection: Collection) -> None:
        closed.append(collection)
        close(collection)

    monkeypatch.setattr(Collection, "close", note)
    with Project.open(path) as project:
        before = project.collection
        beside = Project.beside(path, before)
        beside.set_collection(other)
        beside.close(keep_articles=True)
        assert closed == []
        project.set_collection(other)
        assert closed == [before]
        assert project.documents.length("d1") == LENGTH
    assert closed == [before, project.collection]
    beside.documents.close()


def test_a_collection_that_cannot_be_noted_is_closed_again(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = shutil.copytree(path.parent / "articles", tmp_path / "other")
    closed: list[Path] = []
    close = Collection.close

    def note(collection: Collection) -> None:
        closed.append(collection.path)
        close(collection)

    def full(_project: Project, _entries: object) -> None:
        raise ProjectError("the disk is full")

    monkeypatch.setattr(Collection, "close", note)
    with Project.open(path) as project:
        before = project.collection
        monkeypatch.setattr(Project, "append", full)
        with pytest.raises(ProjectError):
            project.set_collection(other)
        assert (closed, project.collection) == ([other], before)


@pytest.mark.parametrize("missing", ["articles", "topics.xml", "pool.txt"])
def test_a_project_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path, missing: str) -> None:
    make_project(tmp_path)
    (tmp_path / missing).rename(tmp_path / "away")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError, match=missing):
        Project.create(
            tmp_path / "new.inexview",
            collection=tmp_path / "articles",
            topics=tmp_path / "topics.xml",
            pool=tmp_path / "pool.txt",
        )
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_is_there_is_never_overwritten_by_a_new_project(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(ProjectError, match="a file of this name already exists"):
        Project.create(path, collection=path.parent / "articles", topics=path.parent / "topics.xml")
    assert path.read_bytes() == before


def test_a_new_project_makes_no_folder(path: Path) -> None:
    new = path.parent / "jugdements" / "new.inexview"
    with pytest.raises(ProjectError, match="its folder does not exist"):
        Project.create(new, collection=path.parent / "articles", topics=path.parent / "topics.xml")
    assert not new.parent.exists()


@pytest.mark.parametrize("name", ["a b.inexview", "50%25.inexview", "what?#1.inexview", "狐🦊.inexview"])
def test_a_project_may_be_called_anything(path: Path, name: str) -> None:
    path.rename(path.with_name(name))
    with Project.open(path.with_name(name)) as project:
        project.mark(TOPIC, "d1", 0, 3)
    with reopened(path.with_name(name)) as project:
        assert project.state(TOPIC, "d1").marks.size == 3


# -- judging ---------------------------------------------------------------------------------------------


def test_each_command_returns_the_new_state_and_is_there_after_reopening(project: Project) -> None:
    assert project.mark(TOPIC, "d1", 3, 9).marks == Spans([(3, 9)])
    assert project.erase(TOPIC, "d1", 5, 6).marks == Spans([(3, 5), (6, 9)])
    assert project.set_bep(TOPIC, "d1", 0).bep == 0
    assert project.finish(TOPIC, "d1").finished
    with reopened(project.path) as other:
        assert other.state(TOPIC, "d1") == DocumentState((3, 5, 6, 9), 0, finished=True)
        assert other.state(OTHER_TOPIC, "d1") == UNTOUCHED
        assert [step.label for step in other.histories.of(TOPIC, "d1").done] == [
            "mark 6 characters",
            "erase 1 character",
            "set best entry point",
            "finish",
        ]
        assert {step.assessor for step in other.histories.of(TOPIC, "d1").done} == {"ada"}


def test_several_spans_are_one_step(project: Project) -> None:
    project.do(TOPIC, "d1", JudgingAction(ActionKind.MARK, ((0, 3), (5, 9))))
    assert project.do(TOPIC, "d1", JudgingAction(ActionKind.ERASE, ((1, 2), (6, 7)))).marks.size == 5
    assert project.undo(TOPIC, "d1").marks == Spans([(0, 3), (5, 9)])
    assert project.undo(TOPIC, "d1") == UNTOUCHED


def test_forbidden_actions_leave_no_trace(project: Project) -> None:
    project.mark(TOPIC, "d1", 0, 5)
    with pytest.raises(JudgementError, match="best entry point"):
        project.finish(TOPIC, "d1")
    with pytest.raises(JudgementError, match=f"document's {LENGTH} characters"):
        project.mark(TOPIC, "d1", 0, LENGTH + 1)
    with pytest.raises(JudgementError, match="no topic 1"):
        project.mark("1", "d1", 0, 5)
    assert len(project.histories.of(TOPIC, "d1").done) == 1
    with reopened(project.path) as other:
        assert len(other.histories.of(TOPIC, "d1").done) == 1


def test_offsets_are_code_points_up_to_the_very_last(project: Project) -> None:
    assert project.documents.length("d1") == LENGTH
    assert project.mark(TOPIC, "d1", 0, LENGTH).marks.size == LENGTH


def test_states_list_only_documents_with_work(project: Project) -> None:
    project.mark(TOPIC, "d2", 0, 1)
    states = project.histories.states(TOPIC)
    assert list(states) == ["d2"]
    assert states["d3"] == UNTOUCHED
    assert project.touched(OTHER_TOPIC) == ()


def test_a_document_that_goes_unread_costs_no_history(project: Project) -> None:
    project.state(TOPIC, "d3")
    assert project.touched(TOPIC) == ()


def test_undo_and_redo_are_per_document_and_survive_reopening(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        project.set_bep(TOPIC, "d1", 2)
        project.mark(TOPIC, "d2", 0, 9)
        project.undo(TOPIC, "d1")
    with Project.open(path) as project:
        assert project.state(TOPIC, "d2").marks.size == 9
        assert project.can_undo(TOPIC, "d1") == "mark 5 characters"
        assert project.can_redo(TOPIC, "d1") == "set best entry point"
        assert project.redo(TOPIC, "d1").bep == 2
        assert project.can_redo(TOPIC, "d1") is None
        with pytest.raises(JudgementError, match="nothing to redo"):
            project.redo(TOPIC, "d1")
        project.undo(TOPIC, "d1")
        project.erase(TOPIC, "d1", 0, 1)
        assert project.can_redo(TOPIC, "d1") is None
        assert project.can_undo(TOPIC, "d3") is None
        with pytest.raises(JudgementError, match="nothing to undo"):
            project.undo(TOPIC, "d3")


def test_a_bulk_action_is_one_step_in_all_its_documents(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        project.not_relevant(TOPIC, "d1", "d2", "d3")
        assert all(project.state(TOPIC, name) == DocumentState(finished=True) for name in ("d1", "d2", "d3"))
        assert project.can_undo(TOPIC, "d2") == "not relevant, 3 documents"
    with Project.open(path) as project:
        assert set(project.histories.turned_by(UNDO, TOPIC, "d2", third=False)) == {"d1", "d2", "d3"}
        project.undo(TOPIC, "d2")
        assert project.state(TOPIC, "d1").marks.size == 5
        assert project.state(TOPIC, "d3") == UNTOUCHED
        assert set(project.histories.turned_by(REDO, TOPIC, "d3", third=False)) == {"d1", "d2", "d3"}
        assert project.redo(TOPIC, "d3").finished
        assert project.state(TOPIC, "d1").finished


def test_undoing_a_bulk_step_leaves_documents_alone_that_were_worked_on_since(project: Project) -> None:
    project.not_relevant(TOPIC, "d1", "d2")
    project.mark(TOPIC, "d2", 0, 5)
    assert project.histories.turned_by(UNDO, TOPIC, "d1", third=False) == ("d1",)
    project.undo(TOPIC, "d1")
    assert project.state(TOPIC, "d1") == UNTOUCHED
    assert project.state(TOPIC, "d2").marks.size == 5
    with reopened(project.path) as other:
        assert other.histories.states(TOPIC) == project.histories.states(TOPIC)
        assert other.can_redo(TOPIC, "d1") == "not relevant, 2 documents"


def test_a_bulk_step_counts_only_the_documents_it_changes(project: Project) -> None:
    project.not_relevant(TOPIC, "d1")
    project.not_relevant(TOPIC, "d1", "d2")
    assert project.can_undo(TOPIC, "d1") == "not relevant"
    assert project.can_undo(TOPIC, "d2") == "not relevant"


# -- reading ---------------------------------------------------------------------------------------------


def test_a_document_is_left_where_it_was_last_left(path: Path) -> None:
    with Project.open(path) as project:
        assert project.histories.log(TOPIC, "d1").reading.position is None
        note_opened(project, TOPIC, "d1")
        note_left(project, TOPIC, "d1", 7)
        note_opened(project, TOPIC, "d2")
        assert project.histories.log(TOPIC, "d1").reading.position == 7
        assert [row.action for row in project.journal.rows_of(TOPIC, "d1")] == ["opened", "left"]
        note_opened(project, TOPIC, "d1")
        note_left(project, TOPIC, "d1", 12)
    with reopened(path) as project:
        assert project.histories.log(TOPIC, "d1").reading.position == 12
        assert project.histories.log(TOPIC, "d2").reading.position is None
        assert last_opened(project) == (TOPIC, "d1")
        assert project.touched(TOPIC) == ()


def test_the_row_of_an_opening_says_which_text_was_read(path: Path) -> None:
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1", text="naïve \ud800")
        *_, row = project.journal.rows_of(TOPIC, "d1")
    text = "naïve \ud800".encode("utf-8", "surrogatepass")
    assert row.values() == {"length": 7, "digest": hashlib.blake2b(text, digest_size=16).hexdigest()}


def test_viewed_documents_are_recorded_before_the_next_judgement(path: Path) -> None:
    with Project.open(path) as project:
        before = project.journal.last
        note_opened(project, TOPIC, "d1", soon=True)
        note_left(project, TOPIC, "d2", 7, soon=True)
        begun = datetime.now(UTC).isoformat(timespec="microseconds")
        assert project.journal.last == before
        project.not_relevant(TOPIC, "d1", "d2")
        *_, opened, left, first, second = project.journal.rows()
        assert [row.action for row in (opened, left, first, second)] == [
            "opened",
            "left",
            *["not-relevant"] * 2,
        ]
        assert opened.time <= left.time <= begun <= first.time == second.time
        assert (opened.step, left.step, second.step) == (None, None, first.step)
        assert project.histories.log(TOPIC, "d2").reading.position == 7
        note_left(project, TOPIC, "d1", 9, soon=True)
        project.write_waiting()
        assert project.histories.log(TOPIC, "d1").reading.position == 9
        note_left(project, TOPIC, "d1", 11, soon=True)
    with reopened(path) as project:
        assert project.histories.log(TOPIC, "d1").reading.position == 11


def test_a_given_text_avoids_loading_the_document(path: Path) -> None:
    shutil.rmtree(path.parent / "articles")
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1", text=TEXT)
        assert project.mark(TOPIC, "d1", 0, LENGTH).relevant


def test_the_time_spent_survives_reopening(path: Path) -> None:
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1")
        project.mark(TOPIC, "d1", 0, 3)
        running = project.histories.log(TOPIC, "d1").reading.seconds
        note_left(project, TOPIC, "d1", 0)
        spent = project.histories.log(TOPIC, "d1").reading.seconds
        assert spent > running > 0
        assert project.histories.log(TOPIC, "d2").reading.seconds == 0
    with reopened(path) as project:
        assert project.histories.log(TOPIC, "d1").reading.seconds == spent


# -- two windows, no permission --------------------------------------------------------------------------


def test_a_project_open_elsewhere_names_its_user_and_can_be_read(project: Project) -> None:
    project.mark(TOPIC, "d1", 0, 3)
    with pytest.raises(
        ProjectError, match=r"open in another window \(process \d+ on .+, ada, since .+ UTC\)"
    ):
        Project.open(project.path)
    with Project.open(project.path, read_only=True) as reader:
        assert reader.state(TOPIC, "d1").marks.size == 3
        with pytest.raises(ProjectError, match=r"nothing was changed.*read-only"):
            reader.mark(TOPIC, "d1", 0, 9)
        assert reader.state(TOPIC, "d1").marks.size == 3
        project.mark(TOPIC, "d1", 5, 9)
    assert project.state(TOPIC, "d1").marks.size == 7


def test_a_project_of_two_names_is_written_to_under_one_at_a_time(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = tmp_path / "machine"
    machine.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(machine))
    other = tmp_path / "elsewhere" / "other.inexview"
    other.parent.mkdir()
    other.hardlink_to(path)
    for one, another in ((path, other), (other, path)):
        with Project.open(one) as project:
            with pytest.raises(ProjectError, match="open in another window"):
                Project.open(another)
            with Project.open(another, read_only=True) as reader:
                project.mark(TOPIC, "d1", 0, 3)
                assert reader.path == another
    assert list(machine.iterdir()) == []
    machine.rmdir()
    Project.open(other).close()  # a machine without such a folder


def test_a_closed_project_is_one_file_and_free_for_others(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 3)
    assert sorted(file.name for file in path.parent.iterdir() if "inexview" in file.name) == [path.name]
    Project.open(path).close()


def test_a_closed_project_is_complete_in_one_file_despite_readers(
    path: Path,
) -> None:
    with Project.open(path) as project, Project.open(path, read_only=True) as reader:
        assert reader.state(TOPIC, "d1") == UNTOUCHED
        project.mark(TOPIC, "d1", 0, 3)
        project.close()
        shutil.copy(path, path.with_name("copy.inexview"))
        with reopened(path.with_name("copy.inexview")) as copy:
            assert copy.state(TOPIC, "d1").marks.size == 3


# -- everything, at random, with reopening ---------------------------------------------------------------


class ProjectMachine(RuleBasedStateMachine):
    """Commands at random on two documents, one of them in bulk, beside the states that were returned."""

    folder: Path

    def __init__(self) -> None:
        super().__init__()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.path = make_project(self.folder)
        self.project = Project.open(self.path)
        self.snapshots = {name: [UNTOUCHED] for name in ("d1", "d2")}
        self.at = dict.fromkeys(self.snapshots, 0)

    documents = st.sampled_from(["d1", "d2"])
    offsets = st.integers(0, LENGTH - 1)

    def note(self, document: str, state: DocumentState) -> None:
        if state != self.snapshots[document][self.at[document]]:
            self.snapshots[document] = [*self.snapshots[document][: self.at[document] + 1], state]
            self.at[document] += 1

    @rule(document=documents, one=offsets, two=offsets)
    def mark(self, document: str, one: int, two: int) -> None:
        self.note(document, self.project.mark(TOPIC, document, min(one, two), max(one, two) + 1))

    @rule(document=documents, one=offsets, two=offsets)
    def erase(self, document: str, one: int, two: int) -> None:
        self.note(document, self.project.erase(TOPIC, document, min(one, two), max(one, two) + 1))

    @rule(document=documents, offset=st.none() | offsets)
    def set_bep(self, document: str, offset: int | None) -> None:
        self.note(document, self.project.set_bep(TOPIC, document, offset))

    @rule(document=documents)
    def not_relevant(self, document: str) -> None:
        self.note(document, self.project.not_relevant(TOPIC, document))

    @rule(document=documents)
    def undo(self, document: str) -> None:
        if self.at[document]:
            self.at[document] -= 1
            assert self.project.undo(TOPIC, document) == self.snapshots[document][self.at[document]]

    @rule(document=documents)
    def redo(self, document: str) -> None:
        if self.at[document] < len(self.snapshots[document]) - 1:
            self.at[document] += 1
            assert self.project.redo(TOPIC, document) == self.snapshots[document][self.at[document]]

    @rule()
    def reopen(self) -> None:
        self.project.close()
        self.project = Project.open(self.path)

    @invariant()
    def stands_as_it_should(self) -> None:
        for document, snapshots in self.snapshots.items():
            history = self.project.histories.of(TOPIC, document)
            assert history.state == snapshots[self.at[document]]
            assert list(history.states()) == snapshots[1 : self.at[document] + 1]
            assert states_after((*history.done, *history.undone)) == snapshots[1:]

    def teardown(self) -> None:
        self.project.close()


def test_a_reopened_project_equals_itself_after_random_use(tmp_path: Path) -> None:
    class InFolder(ProjectMachine):
        folder = tmp_path / "random"

    run_state_machine_as_test(InFolder, settings=settings(max_examples=15, stateful_step_count=25))


def test_a_document_that_no_pool_had_is_added_when_it_is_judged_and_known_as_added(tmp_path: Path) -> None:
    path = make_project(tmp_path)
    with Project.open(path) as project:
        before = tuple(project.pool(TOPIC))
        assert "d5" not in before
        note_opened(project, TOPIC, "d5")
        assert tuple(project.pool(TOPIC)) == before, "to read it is not to judge it"
        project.mark(TOPIC, "d5", 0, 4)
        assert tuple(project.pool(TOPIC)) == (*before, "d5")
        project.mark(TOPIC, before[0], 0, 4)
        project.undo(TOPIC, "d5")
        project.not_relevant(TOPIC, "d5", before[1], "d4")
    with Project.open(path) as project:
        assert tuple(project.pool(TOPIC)) == (*before, "d5", "d4")
        assert [name for name in project.pool(TOPIC) if project.contents.is_added(TOPIC, name)] == [
            "d5",
            "d4",
        ]
        assert not project.contents.is_added(OTHER_TOPIC, "d5")
        records = {one.judgement.document: one for one in records_of(project)}
        assert (records["d5"].added, records[before[1]].added) == (True, False)


def test_without_a_pool_nothing_is_added_to_it(tmp_path: Path) -> None:
    with Project.open(make_project(tmp_path, pooled=False)) as project:
        project.mark(TOPIC, "d5", 0, 4)
        assert not project.contents.is_added(TOPIC, "d5")


@pytest.mark.parametrize(
    ("project", "relative"),
    [("judging", "../articles"), ("", "articles"), ("anna/judging", None), ("anna/a/b", None)],
)
def test_a_row_tells_where_a_near_collection_is_and_of_a_far_one_its_name_alone(
    tmp_path: Path, project: str, relative: str | None
) -> None:
    """What is further up is of this machine, and of who works on it; its place is in the user's settings."""
    folder = tmp_path / project
    folder.mkdir(parents=True, exist_ok=True)
    articles, topics = make_collection(tmp_path / "articles", 2), make_topics(tmp_path / "topics.xml")
    with Project.create(folder / "p.inexview", collection=articles, topics=topics, assessor="ada") as made:
        rows = [row.values() for row in made.journal.rows() if row.action == "collection"]
        assert rows == [{"name": "articles", "relative": relative}]
        assert made.contents.collection_path == articles
    with Project.open(folder / "p.inexview", read_only=True) as opened:
        assert opened.contents.collection_path == articles
