"""Judgements come into a project a few at a time, and come to the same as all at once."""

import threading
from itertools import count

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.topics import Topic
from inexview.core.project.import_judgements import import_judgements, make_ready
from inexview.core.project.project import Project
from inexview.core.text.counting import CODE_POINTS
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.services.session import import_steps, start_import
from inexview.gui.services.tasks import FEWEST, Tasks

TOPICS = [Topic(str(number), "a topic") for number in (1, 2, 3)]


@pytest.fixture
def articles(tmp_path):
    folder = tmp_path / "articles"
    folder.mkdir()
    for number in range(70):
        text = "<article><name>x</name><body><p>Some text of a length.</p></body></article>"
        (folder / f"{number}.xml").write_text(text)
    return folder


@pytest.fixture
def project(tmp_path, articles):
    with Project.create(tmp_path / "mine.inexview", collection=articles, topics=TOPICS) as made:
        yield made


def judgement(topic, document):
    marks = Spans([(2, 9), (12, 17)]) if document % 3 == 0 else EMPTY
    length = 24 if document != 7 else 31
    return Judgement(str(topic), str(document), marks.size, length, 2 if marks else None, marks)


@pytest.fixture
def qrels():
    """Judgements of three topics (and one that no one knows), their lines mixed."""
    return Qrels.from_judgements(
        judgement(topic, document) for document in range(150) for topic in (3, 1, 2, 99)
    )


@pytest.fixture
def tasks(qapp):
    made = Tasks(lambda error: pytest.fail(str(error)))
    yield made
    made.close()


def states(project):
    return {topic.id: dict(project.histories.states(topic.id)) for topic in TOPICS}


def begin(tasks, project, judged, done=lambda _: pytest.fail("done"), given_up=lambda: pytest.fail("up")):
    start_import(tasks, project, judged, "mine.txt", done, given_up)


def test_it_comes_to_the_same_as_all_at_once(project, qrels, tasks, qtbot, tmp_path, articles):
    got = []
    begin(tasks, project, qrels, got.append)
    qtbot.waitUntil(lambda: bool(got))
    with Project.create(tmp_path / "other.inexview", collection=articles, topics=TOPICS) as other:
        at_once = import_judgements(other, qrels)
        assert states(project) == states(other)
    assert (got[0].documents, got[0].unchanged) == (at_once.documents, at_once.unchanged) == (210, 0)
    assert set(got[0].warnings) == set(at_once.warnings)


def test_documents_are_read_in_another_thread_and_the_first_are_quoted(
    project, qrels, tasks, qtbot, monkeypatch
):
    text, threads, got = Collection.text, set(), []

    def noted(collection, document):
        threads.add(threading.current_thread())
        return text(collection, document)

    monkeypatch.setattr(Collection, "text", noted)
    begin(tasks, project, qrels, got.append)
    qtbot.waitUntil(lambda: bool(got))
    assert threads
    assert threading.main_thread() not in threads
    assert project.histories.quoted("3", "0").lacking == ()
    assert project.histories.quoted("3", "69").lacking == ((2, 9), (12, 17), (2, 2))


def test_the_window_has_its_turn_between_the_steps(project, qrels):
    ready = make_ready(qrels, {"1", "2", "3"}, CODE_POINTS, lambda _: "", check=False)
    news = [news.done for news in import_steps(project, ready)]
    assert news[0] == FEWEST
    assert news == sorted(news)
    assert news[-1] == 600


def test_a_slow_disk_is_not_waited_for_at_every_judgement(project, qrels, monkeypatch):
    ready = make_ready(qrels, {"1", "2", "3"}, CODE_POINTS, lambda _: "", check=False)
    monkeypatch.setattr("inexview.gui.services.session.perf_counter", count().__next__)
    assert [news.done for news in import_steps(project, ready)] == [*range(FEWEST, 601, FEWEST)]


def test_imported_judgements_stay_when_the_import_is_cancelled(project, qrels, tasks, qtbot, monkeypatch):
    monkeypatch.setattr("inexview.gui.services.tasks.SLICE", 0.0005)  # one step at a time
    given_up, writing = [], []

    def give_up(task):
        if task.what.startswith("Importing"):
            writing.append(task)
            task.give_up()

    tasks.progressed.connect(give_up)
    begin(tasks, project, qrels, given_up=lambda: given_up.append(1))
    qtbot.waitUntil(lambda: given_up == [1])
    taken = sum(map(len, states(project).values()))
    assert taken == writing[0].news.done == FEWEST


def test_closing_ends_it_in_order(project, qrels, qapp, qtbot):
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    begin(tasks, project, qrels)
    tasks.close()
    qtbot.wait(30)


def test_graded_qrels_are_refused_as_ever(project, qapp, qtbot):
    failures = []
    tasks = Tasks(failures.append)
    graded = Qrels.from_judgements([judgement(1, 3)])
    object.__setattr__(graded, "graded", True)
    begin(tasks, project, graded)
    qtbot.waitUntil(lambda: bool(failures))
    assert "grade whole documents" in str(failures[0])
    tasks.close()
