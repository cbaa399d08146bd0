"""Nuggets in a project: made, filed, undone, kept, and files of them both ways."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from itertools import accumulate, permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inexview import Spans
from inexview.cli import main
from inexview.core.answers.nuggets import Importance, Nugget, NuggetFile, NuggetPlace, TopicNuggets
from inexview.core.errors import DataError, JudgementError, ProjectError
from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file, write_nugget_bank
from inexview.core.judgements.topics import Topic
from inexview.core.project.journal import JournalEntry
from inexview.core.project.nugget_record import (
    DELETE,
    FILE,
    MAKE,
    NUGGET,
    NUGGET_UNDONE,
    REWORD,
    TAKE_OUT,
    WEIGH,
    NuggetAction,
    TopicNuggetHistory,
)
from inexview.core.project.nuggets import (
    IN_REACH,
    LONGEST,
    TopicCoverage,
    add_nuggets,
    all_nuggets,
    delete_nugget,
    file_words,
    key_of,
    make_nugget,
    new_nuggets,
    redo_nuggets,
    reword_nugget,
    turn_words,
    undo_nuggets,
    weigh_nugget,
)
from inexview.core.project.project import Project
from inexview.core.project.text_changes import move_marks

TEXT = "Öl wird gepresst. Oil is pressed 😀 and kept dark. Light turns it rancid."
WORDS = Spans([(0, 17)])


@pytest.fixture
def path(tmp_path):
    (tmp_path / "texts").mkdir()
    for name in ("a", "b"):
        (tmp_path / "texts" / f"{name}.txt").write_text(TEXT, encoding="utf-8")
    topics = [Topic("q1", "oil"), Topic("q2", "water")]
    Project.create(tmp_path / "p.inexview", collection=tmp_path / "texts", topics=topics).close()
    return tmp_path / "p.inexview"


@pytest.fixture
def project(path):
    with Project.open(path) as opened:
        yield opened


def stated(project, document="a"):
    """Return the places of a document by the number of their nugget."""
    cover = TopicCoverage(project, "q1")
    numbers = {one.key: one.number for one in cover.history.nuggets}
    return {numbers[key]: [list(one) for one in own] for key, own in cover.in_document(document).items()}


def test_nuggets_are_stored_and_words_count_while_marked(path):
    with Project.open(path) as project:
        project.mark("q1", "a", 0, 30)
        made = make_nugget(project, "q1", " Oil \n is pressed ", document="a", spans=WORDS)
        assert (made.number, made.text, made.importance) == (1, "Oil is pressed", Importance.OKAY)
        weigh_nugget(project, "q1", made.key, Importance.VITAL, document="a")
        file_words(project, "q1", made.key, "a", Spans([(20, 40)]))
    with Project.open(path) as project:
        (nugget,) = project.nuggets.of("q1").nuggets
        assert nugget.vital
        assert stated(project) == {1: [[(0, 17)], [(20, 30)]]}  # what is not marked does not count
        assert not project.nuggets.of("q2").nuggets
        project.erase("q1", "a", 10, 60)
        assert stated(project) == {1: [[(0, 10)]]}
        project.clear("q1", "a")
        assert stated(project) == {}
        project.undo("q1", "a")
        project.undo("q1", "a")
        assert stated(project) == {1: [[(0, 17)], [(20, 30)]]}
    with Project.open(path, read_only=True) as project, pytest.raises(ProjectError):
        make_nugget(project, "q1", "more")


def test_the_same_words_again_are_taken_out_and_a_part_is_filed_whole(project):
    project.mark("q1", "a", 0, 30)
    key = make_nugget(project, "q1", "pressed", document="a").key
    assert turn_words(project, "q1", key, "a", Spans([(4, 8)]))
    assert turn_words(project, "q1", key, "a", Spans([(0, 30)]))
    assert stated(project) == {1: [[(0, 30)]]}
    assert not turn_words(project, "q1", key, "a", Spans([(4, 8)]))
    assert stated(project) == {1: [[(0, 4)], [(8, 30)]]}


def test_numbers_never_move_and_a_deleted_one_stays_free(project):
    keys = [make_nugget(project, "q1", f"fact {number}", document="a").key for number in (1, 2, 3)]
    delete_nugget(project, "q1", keys[2], document="a")
    delete_nugget(project, "q1", keys[0], document="a")
    assert make_nugget(project, "q1", "another", document="a").number == 4
    assert [one.number for one in project.nuggets.of("q1").nuggets] == [2, 4]
    for _ in range(3):
        undo_nuggets(project, "q1", "a")
    assert [one.number for one in project.nuggets.of("q1").nuggets] == [1, 2, 3]


def test_undo_in_one_document_leaves_what_others_did_consistent(project):
    for document in ("a", "b"):
        project.mark("q1", document, 0, 30)
    key = make_nugget(project, "q1", "pressed", document="a", spans=WORDS).key
    file_words(project, "q1", key, "b", Spans([(2, 6)]))
    undo_nuggets(project, "q1", "a")  # its words in b go with the nugget, and come back with it
    assert stated(project, "b") == {}
    assert make_nugget(project, "q1", "rival", document="b").number == 1
    with pytest.raises(JudgementError, match="nothing to redo"):
        redo_nuggets(project, "q1", "a")  # its number has another holder
    undo_nuggets(project, "q1", "b")
    redo_nuggets(project, "q1", "a")
    assert stated(project, "b") == {1: [[(2, 6)]]}


KINDS = st.sampled_from([MAKE, REWORD, WEIGH, DELETE, FILE, TAKE_OUT, "undo", "redo"])


@given(st.lists(st.tuples(KINDS, st.sampled_from("ab"), st.integers(1, 4), st.integers(0, 9)), max_size=25))
def test_a_history_is_the_result_of_its_remaining_actions(steps):
    history, done = TopicNuggetHistory(), []  # [id, action, stands]
    for at, (kind, document, nugget, start) in enumerate(steps):
        if kind in ("undo", "redo"):
            undo = kind == "undo"
            step = history.to_undo(document) if undo else history.to_redo(document)
            if step is None:
                continue
            history.turn(step.id, undo=undo)
            next(one for one in done if one[0] == step.id)[2] = not undo
        else:
            made = kind == MAKE
            key, number = (history.next_key, history.next_number) if made else (nugget, nugget)
            spans = ((start, start + 3),) if kind in (MAKE, FILE, TAKE_OUT) else ()
            action = NuggetAction(kind, document, key, number, f"t{at}", Importance.VITAL, spans)
            assert NuggetAction.from_content(json.loads(json.dumps(action.content()))) == action
            history.do(f"{at:03}", action)
            done.append([f"{at:03}", action, True])
        texts, words = {}, {}
        for _, action, stands in done:
            if not stands:
                continue
            if action.what == MAKE:
                texts[action.nugget] = action.text, action.number
            if action.nugget not in texts:
                continue
            own = words.setdefault((action.nugget, action.document), set())
            held = {at for span in action.spans for at in range(*span)}
            if action.what == DELETE:
                del texts[action.nugget]
                words = {place: held for place, held in words.items() if place[0] != action.nugget}
            elif action.what == REWORD:
                texts[action.nugget] = action.text, texts[action.nugget][1]
            elif action.what == TAKE_OUT:
                own -= held
            else:
                own |= held
        assert {one.key: (one.text, one.number) for one in history.nuggets} == texts
        numbers = [one.number for one in history.nuggets]
        assert len(numbers) == len({*numbers})
        shown = {
            (key, document): {at for span in own.filed for at in range(*span)}
            for document, by in history.places.items()
            for key, own in by.items()
        }
        assert shown == {place: held for place, held in words.items() if held}


def test_places_go_along_where_marks_are_moved_to_their_text(project):
    project.mark("q1", "a", 0, 17)
    project.mark("q1", "a", 25, 38)
    key = make_nugget(project, "q1", "pressed", document="a", spans=Spans([(3, 10), (25, 30)])).key
    add_nuggets(project, bank(Nugget("pressed", places=(NuggetPlace("a", Spans([(4, 6)])),))))
    move_marks(project, "q1", "a", {(0, 17): (50, 67)}, TEXT)
    assert stated(project) == {1: [[(25, 30)], [(53, 60)], [(54, 56)]]}
    assert project.nuggets.of("q1").to_undo("a").action.label == "move places of nuggets"
    undo_nuggets(project, "q1", "a")
    project.undo("q1", "a")
    assert stated(project) == {1: [[(3, 10)], [(25, 30)], [(4, 6)]]}
    assert project.nuggets.of("q1").nugget(key) is not None


@pytest.mark.parametrize("lost", ["nugget", "nugget-undo"])
def test_a_damaged_file_opens_without_its_invalid_rows(path, lost):
    with Project.open(path, copy=False) as project:
        project.mark("q1", "a", 0, 17)
        for text in ("pressed", "dark"):
            make_nugget(project, "q1", text, document="a", spans=WORDS)
        undo_nuggets(project, "q1", "a")
        redo_nuggets(project, "q1", "a")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (trigger,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'journal_loses_no_rows'"
        ).fetchone()
        (seq,) = connection.execute("SELECT max(seq) FROM journal WHERE action = ?", (lost,)).fetchone()
        connection.execute("DROP TRIGGER journal_loses_no_rows")
        connection.execute("DELETE FROM journal WHERE seq = ?", (seq,))
        connection.execute(trigger)
        connection.commit()
    with Project.open(path) as project:
        assert project.damage is not None
        assert [one.text for one in project.nuggets.of("q1").nuggets] == (
            ["pressed"] if lost == "nugget" else ["pressed", "dark"]
        )


def test_the_log_of_a_document_has_its_actions_on_nuggets(path, capsys):
    with Project.open(path) as project:
        for document in ("a", "b"):
            make_nugget(project, "q1", f"in {document}", document=document)
    assert main(["log", str(path), "--doc", "b"]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["action"], row["content"]["text"]) == ("nugget", "in b")


def gains(order, told):
    had, brought = set(), []
    for document in order:
        brought.append(len(told[document] - had))
        had |= told[document]
    return brought


@given(st.dictionaries(st.sampled_from("abcde"), st.frozensets(st.integers(1, 5), min_size=1), max_size=5))
def test_documents_are_ordered_by_new_nuggets(told):
    pool = sorted(told)
    brought = new_nuggets(told, [*pool, "z"])
    assert list(brought.values()) == gains(brought, told)
    had = set()
    for at, document in enumerate(brought):
        left = [one for one in pool if one not in list(brought)[:at]]
        key = lambda name: (-len(told[name] - had), -len(told[name]), pool.index(name))  # noqa: B023, E731
        assert document == min(left, key=key)
        had |= told[document]
    best = max((sum(gains(order, told)[:2]) for order in permutations(pool)), default=0)
    assert sum(list(brought.values())[:2]) >= best * (1 - 1 / 2.72)  # as a greedy choice does


def bank(*nuggets, topic="q1", question="oil"):
    return NuggetFile((TopicNuggets(topic, nuggets, question=question),))


def test_a_file_comes_in_once_and_goes_out_as_it_came(path, tmp_path, capsys):
    pressed = NuggetPlace("a", Spans([(25, 38)]), TEXT[25:38])
    file = bank(
        Nugget("pressed", Importance.OKAY, (pressed, NuggetPlace("b", Spans())), "How?", True),
        Nugget("old", Importance.FAILED),
    )
    out, again = tmp_path / "bank.jsonl", tmp_path / "again.jsonl"
    with Project.open(path) as project:
        write_nugget_bank(file.topics, out, project.collection)
    assert main(["import", str(path), str(out)]) == 0
    assert "2 nuggets with 2 places added" in capsys.readouterr().out
    assert main(["import", str(path), str(out)]) == 0
    assert "0 nuggets with 0 places added" in capsys.readouterr().out
    with Project.open(path) as project:
        assert all_nuggets(project).topics == tuple(
            TopicNuggets(
                one.topic,
                tuple(
                    Nugget(
                        n.text,
                        n.importance,
                        tuple(place._replace(quote=None) for place in n.places),
                        n.question,
                        n.all_of,
                    )
                    for n in one.nuggets
                ),
                question=one.question,
            )
            for one in file.topics
        )
        key = project.nuggets.of("q1").nuggets[0].key
        project.mark("q1", "b", 0, 17)
        file_words(project, "q1", key, "b", WORDS)  # says more than the document alone
        assert stated(project, "b") == {1: [[(0, 17)]]}
        undo_nuggets(project, "q1", "b")
        assert stated(project, "b") == {1: [[]]}
    assert main(["export", str(path), "--nuggets", "-o", str(again)]) == 0
    assert again.read_text(encoding="utf-8") == out.read_text(encoding="utf-8")
    assert main(["export", str(path), "--nuggets", "--topic", "q2", "-o", str(tmp_path / "none.jsonl")]) == 2


PLACES = st.one_of(
    st.builds(
        lambda document, start, size: NuggetPlace(document, Spans([(start, min(start + size, len(TEXT)))])),
        st.sampled_from("ab"),
        st.integers(0, len(TEXT) - 1),
        st.integers(1, 30),
    ),
    st.builds(lambda document: NuggetPlace(document, Spans()), st.sampled_from("ab")),
    st.builds(
        lambda document, start, *sizes: NuggetPlace(document, apart(start, sizes)),
        st.sampled_from("ab"),
        *[st.integers(1, 9)] * 6,
    ),
)


def apart(start, sizes):
    """Return characters that lie apart: gaps and parts of these sizes in turn."""
    edges = list(accumulate(sizes[:-1], initial=start))
    return Spans((low, min(high, len(TEXT))) for low, high in zip(edges[::2], edges[1::2], strict=False))


NUGGETS = st.builds(
    Nugget,
    st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip),
    st.sampled_from(Importance),
    st.lists(PLACES, max_size=3, unique=True).map(tuple),
    st.sampled_from(["", "How?"]),
    st.just(False),
)


@example([Nugget("0", places=tuple(NuggetPlace("a", Spans(own)) for own in ([(2, 6), (9, 12)], [(9, 12)])))])
@example([Nugget("0", Importance.VITAL, (NuggetPlace("a", Spans([(28, 29)])),))])  # reads so one byte on, too
@given(st.lists(NUGGETS, max_size=5, unique_by=lambda one: (one.question, one.text)))
@settings(max_examples=40)
def test_banks_go_through_a_project_both_ways(tmp_path_factory, nuggets):
    folder = tmp_path_factory.mktemp("bank")
    (folder / "texts").mkdir()
    for name in ("a", "b"):
        (folder / "texts" / f"{name}.txt").write_text(TEXT, encoding="utf-8")
    path = folder / "p.inexview"
    with Project.create(path, collection=folder / "texts", topics=[Topic("q1", "oil")]) as project:
        assert add_nuggets(project, bank(*nuggets)).nuggets == len(nuggets)
        file = all_nuggets(project)
        write_nugget_bank(file.topics, folder / "out.jsonl", project.collection)
        read, check = (
            placed_nuggets(read_nugget_file(folder / "out.jsonl"), project.collection)
            if (nuggets)
            else (file, None)
        )
        assert check is None or not check.misread
    found = {
        (one.question, one.text): (
            one.importance,
            [(place.document, place.spans) for place in sorted(one.places, key=lambda own: own.document)],
        )
        for topic in read.topics
        for one in topic.nuggets
    }
    assert found == {
        (one.question if one.question != one.text else "", one.text): (
            one.importance,
            [(place.document, place.spans) for place in sorted(one.places, key=lambda own: own.document)],
        )
        for one in nuggets
    }


def test_a_reference_to_a_document_alone_is_a_place_in_it(tmp_path, path):
    file = tmp_path / "ragtime.jsonl"
    listed = [{"question": "How?", "aggregator_type": "OR",
               "answers": [{"answer": "pressed", "references": ["a", "b"]}]}]  # fmt: skip
    value = {"metadata": {"run_id": "r", "topic_id": "q1"}, "nugget_bank": listed}
    file.write_text(json.dumps(value), encoding="utf-8")
    with Project.open(path) as project:
        read, _ = placed_nuggets(read_nugget_file(file), project.collection)
        assert read.topics[0].nuggets[0].places == (NuggetPlace("a", Spans()), NuggetPlace("b", Spans()))
        added = add_nuggets(project, read)
        assert (added.nuggets, added.places) == (1, 2)
        assert stated(project, "b") == {1: [[]]}


def test_a_day_with_answers_on_the_command_line(path, tmp_path, capsys):
    nuggets = [
        {"text": "pressed", "importance": "vital", "assignment": "support"},
        {"text": "dark", "importance": "vital", "assignment": "not_support"},
    ]
    assigned = tmp_path / "assigned.jsonl"
    assigned.write_text(
        json.dumps({"query": "oil", "qid": "q1", "run_id": "rag", "nuggets": nuggets}), encoding="utf-8"
    )
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        json.dumps(
            {
                "run_id": "rag",
                "topic_id": "q1",
                "references": ["a"],
                "answer": [{"text": "A.", "citations": [0]}],
            }
        ),
        encoding="utf-8",
    )
    ranking = tmp_path / "run.txt"
    ranking.write_text("q1 Q0 b 1 2 r\nq1 Q0 a 2 1 r\n", encoding="utf-8")
    assert main(["import", str(path), str(assigned), str(answers)]) == 0
    told = capsys.readouterr().out
    assert "2 nuggets with 0 places added, assigned to 1 answer" in told
    assert main(["import", str(path), str(assigned)]) == 0
    assert "0 nuggets with 0 places added\n" in capsys.readouterr().out
    with Project.open(path) as project:
        pressed, dark = (one.key for one in project.nuggets.of("q1").nuggets)
        for key, document in ((dark, "a"), (pressed, "b")):
            project.mark("q1", document, 0, 17)
            file_words(project, "q1", key, document, WORDS)
    given = ["answers", str(path), "--format", "json", "--ranking", str(ranking)]
    assert main(given) == 0
    mean = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
    assert (mean["nugget_vital_strict"], mean["cited_nugget_vital_strict"]) == (0.5, 0.5)
    assert (mean["lost_in_writing"], mean["beyond_cited"], mean["lost_in_citing"]) == (0.5, 0.5, 0.5)
    assert main([*given, "--first", "1"]) == 0
    mean = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
    assert (mean["retrieved_nugget_vital_strict"], mean["lost_in_citing"]) == (0.5, 0.5)
    with Project.open(path) as project:
        undo_nuggets(project, "q1", None)
        assert not project.nuggets.of("q1").assigned


def test_offsets_without_words_count_as_the_file_states(tmp_path, path):
    file = tmp_path / "bank.jsonl"
    offsets = {"start_offset": 26, "end_offset": 42, "encoding": "utf-8"}
    answers = [{"answer": "pressed", "references": [{"doc_id": "a", "offsets": offsets}]}]
    value = {"query_id": "q1", "nugget_bank": [{"question": "How?", "answers": answers}]}
    file.write_text(json.dumps(value), encoding="utf-8")
    with Project.open(path) as project:
        (topic,) = placed_nuggets(read_nugget_file(file), project.collection)[0].topics
    ((place,),) = (one.places for one in topic.nuggets)
    assert [TEXT[slice(*span)] for span in place.spans] == ["pressed 😀 and"]


@pytest.mark.parametrize(
    ("text", "problem"), [(" \n ", "needs a text"), ("x" * (LONGEST + 1), "at most 4,000 characters")]
)
def test_words_that_are_none_or_too_many_are_refused(project, text, problem):
    with pytest.raises(JudgementError, match=problem):
        make_nugget(project, "q1", text)
    with pytest.raises(DataError, match="field 'text'"):
        add_nuggets(project, bank(Nugget(text)))
    assert not project.nuggets


def test_missing_nuggets_are_refused(project):
    with pytest.raises(JudgementError, match="no longer exists"):
        reword_nugget(project, "q1", 7, "other")
    with pytest.raises(JudgementError, match="no topic q9"):
        weigh_nugget(project, "q9", 1, Importance.VITAL)
    with pytest.raises(JudgementError, match="has 72 characters"):
        make_nugget(project, "q1", "far", document="a", spans=Spans([(0, 900)]))
    with pytest.raises(JudgementError, match="nothing to undo"):
        undo_nuggets(project, "q1", "a")
    with pytest.raises(DataError, match="the maximum is 1,000"):
        add_nuggets(project, bank(*(Nugget(f"{at}") for at in range(1001))))
    assert add_nuggets(project, bank(Nugget("x"), topic="q9", question="")).topics == ("q9",)
    assert not project.nuggets


@pytest.mark.parametrize(
    "content",
    [
        {"what": "else", "document": None, "nugget": 1},
        {"what": MAKE, "document": 7, "nugget": 1},
        {"what": MAKE, "document": None, "nugget": -1},
        {"what": FILE, "document": "a", "nugget": 1, "spans": [[9, 3]]},
        {"what": WEIGH, "document": None, "nugget": 1, "importance": "very"},
        {"what": "bring-in", "document": None, "nugget": 0, "brought": [{"key": 1}]},
        {"what": "move", "document": "a", "nugget": 0, "spans": [[0, 3]]},
        {"what": "bring-in", "document": None, "nugget": 0, "assigned": [["r", [[1, "very"]]]]},
    ],
)
def test_a_row_that_makes_no_sense_is_named(path, content):
    with Project.open(path) as project:
        project.journal.append([JournalEntry(NUGGET, content, "q1")], "ada")
    with pytest.raises(ProjectError, match=r"\(nugget\) cannot be read"):
        Project.open(path)


def test_an_undo_of_nothing_is_a_damage(path):
    with Project.open(path) as project:
        project.journal.append([JournalEntry(NUGGET_UNDONE, {"of": "x"}, "q1")], "ada")
    with pytest.raises(ProjectError, match="no such action"):
        Project.open(path)


def test_digits_reach_nineteen_nuggets():
    assert [key_of(number) for number in (1, 9, 10, 11, 19, 20)] == ["1", "9", "00", "01", "09", "20"]
    assert len({key_of(number) for number in range(1, IN_REACH + 1)}) == IN_REACH
