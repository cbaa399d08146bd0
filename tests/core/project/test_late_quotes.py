"""Quotes noted later: of what was judged without its text at hand, when somebody reads it; no one's work."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

import pytest

from inexview.core.errors import ProjectError
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Qrels, Records
from inexview.core.progress import Cancelled
from inexview.core.project.document_state import UNTOUCHED, JudgingAction, apply
from inexview.core.project.history import QUOTES, late_quotes
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.journal import Journal, JournalEntry
from inexview.core.project.judgement_export import records_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import note_opened
from inexview.core.project.text_changes import NOTED_TOGETHER, check, note_quotes, quoted_documents
from inexview.core.text.search import Quote, quote_of, quotes_of
from inexview.core.text.spans import Spans
from tests.projects import TEXT, TOPIC, make_project

QUICK = TEXT.index("The quick"), TEXT.index(" over")
ENTRY = (QUICK[0], QUICK[0])
DOCUMENTS = ("d1", "d2", "d3")


def judgement(document: str, length: int = len(TEXT)) -> Judgement:
    return Judgement(TOPIC, document, QUICK[1] - QUICK[0], length, QUICK[0], Spans([QUICK]))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a project with judgements that were imported without reading any article."""
    path = make_project(tmp_path)
    with Project.open(path) as project:
        import_judgements(project, Qrels.from_judgements(map(judgement, DOCUMENTS)), check=False)
    return path


def rewrite(path: Path, document: str, text: str) -> None:
    (path.parent / "articles" / f"{document}.xml").write_text(f"<article>{text}</article>", encoding="utf-8")


def note_all(project: Project) -> None:
    check(quoted_documents(project), project.collection, note=partial(note_quotes, project))


# -- who notes them ---------------------------------------------------------------------------------------


def test_an_import_without_the_articles_has_no_quotes(project):
    assert project.histories.quotes(TOPIC, "d1") == {}
    checked = check(quoted_documents(project), project.collection)
    assert (checked.documents, checked.passages, checked.unquoted, checked.noted) == (0, 0, 3, 0)


def test_opening_a_document_records_missing_quotes(path):
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1", text=TEXT)
    with Project.open(path, read_only=True) as project:
        assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [QUICK, ENTRY])
        assert project.histories.quotes(TOPIC, "d2") == {}


def test_a_check_records_missing_quotes_and_the_next_one_compares_them(path):
    with Project.open(path) as project:
        checked = check(quoted_documents(project), project.collection, note=partial(note_quotes, project))
        assert (checked.unquoted, checked.noted, checked.drifts) == (3, 3, ())
    rewrite(path, "d2", TEXT.replace("quick", "QUICK"))
    with Project.open(path, read_only=True) as project:
        checked = check(quoted_documents(project), project.collection)
        assert (checked.passages, checked.unquoted) == (3, 0)
        assert [(drift.document, drift.span) for drift in checked.drifts] == [("d2", QUICK)]


def test_json_lines_quote_passages_never_read_before(path):
    with Project.open(path, read_only=True) as project:
        assert [record.quotes for record in records_of(project, read_lengths=False)] == [{}] * 3
        assert [record.quotes for record in records_of(project)] == [quotes_of(TEXT, [QUICK, ENTRY])] * 3


def test_a_quote_without_a_digest_gets_one_as_long_as_it_reads_right(tmp_path):
    path = make_project(tmp_path)
    old = {QUICK: Quote("The quick 🦊 jumps", "The quick 🦊 jumps")}
    other = {QUICK: Quote("The slow 🦊 jumps", "The slow 🦊 jumps")}
    with Project.open(path) as project:
        records = Records(
            (JudgementRecord(judgement("d1"), quotes=old), JudgementRecord(judgement("d2"), quotes=other))
        )
        import_judgements(project, records, check=False)
        assert project.histories.quotes(TOPIC, "d1") == old
        note_all(project)
        assert project.histories.quotes(TOPIC, "d1")[QUICK] == quote_of(TEXT, *QUICK)
        assert project.histories.quotes(TOPIC, "d2")[QUICK] == other[QUICK]


# -- what they are not ------------------------------------------------------------------------------------


def test_noting_is_no_step_and_changes_no_time_and_no_state(project):
    before = records_of(project)
    undo = project.can_undo(TOPIC, "d1")
    note_all(project)
    after = records_of(project)
    assert [(one.begun, one.changed, one.seconds, one.assessor) for one in after] == [
        (one.begun, one.changed, one.seconds, one.assessor) for one in before
    ]
    assert project.can_undo(TOPIC, "d1") == undo == "import judgement"
    assert project.undo(TOPIC, "d1") == UNTOUCHED
    assert project.histories.quotes(TOPIC, "d1") == {}
    project.redo(TOPIC, "d1")
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [QUICK, ENTRY])


def test_a_project_that_is_only_read_notes_nothing(path):
    with Project.open(path, read_only=True) as project:
        note_all(project)
        assert project.histories.quotes(TOPIC, "d1") == {}


def test_the_same_check_again_writes_nothing(path):
    with Project.open(path) as project:
        note_all(project)
        note_all(project)
        note_opened(project, TOPIC, "d1", text=TEXT)
    assert len(rows(path)) == 1


def test_changes_since_the_text_was_read_are_kept(project):
    listed = quoted_documents(project)
    late = [one for quoted in listed if (one := late_quotes(quoted, TEXT)) is not None]
    project.erase(TOPIC, "d1", *QUICK)
    note_quotes(project, late)
    assert (project.histories.quotes(TOPIC, "d1").keys(), project.histories.quotes(TOPIC, "d2").keys()) == (
        {ENTRY} & project.histories.quotes(TOPIC, "d1").keys(),
        {QUICK, ENTRY},
    )


def test_a_mark_made_again_is_quoted_by_its_own_step(project):
    note_all(project)
    project.erase(TOPIC, "d1", *QUICK)
    changed = TEXT.replace("quick", "QUICK")
    note_opened(project, TOPIC, "d1", text=changed)
    project.mark(TOPIC, "d1", *QUICK)
    assert project.histories.quotes(TOPIC, "d1")[QUICK] == quote_of(changed, *QUICK)


def test_passages_of_a_document_with_another_length_are_reported_without_quotes(tmp_path):
    path = make_project(tmp_path)
    with Project.open(path) as project:
        import_judgements(project, Qrels.from_judgements([judgement("d1", 57)]), check=False)
        checked = check(quoted_documents(project), project.collection, note=partial(note_quotes, project))
        ((topic, document, why),) = checked.resized
        assert (topic, document, checked.noted) == (TOPIC, "d1", 0)
        assert why.startswith("it has 42 characters, but had 57 when it was judged; its passages")
        assert project.histories.quotes(TOPIC, "d1") == {}


# -- how they are kept ------------------------------------------------------------------------------------


def rows(path: Path) -> list[tuple[str, str | None, str]]:
    connection = sqlite3.connect(path)
    try:
        query = f"SELECT action, document, content FROM journal WHERE action = '{QUOTES}' ORDER BY seq"
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_an_inexview_that_knows_no_late_quotes_passes_their_rows_by(path):
    """It takes rows about no document for what it knows, and passes others by; see Contents.take."""
    with Project.open(path) as project:
        note_all(project)
        states = project.histories.states(TOPIC)
    ((_, document, _),) = rows(path)
    assert document is None
    connection = sqlite3.connect(path)
    query = "SELECT action FROM journal WHERE document IS NOT NULL"
    assert {action for (action,) in connection.execute(query)} == {"import"}
    connection.close()
    action = JudgingAction.from_content("import", {"spans": [list(QUICK)], "bep": QUICK[0], "finished": True})
    assert states["d1"] == apply(UNTOUCHED, action)


def test_quotes_are_saved_in_portions_and_kept_on_cancellation(tmp_path):
    count = NOTED_TOGETHER + 10
    path = make_project(tmp_path, documents=count)
    names = [f"d{number}" for number in range(1, count + 1)]
    with Project.open(path) as project:
        import_judgements(project, Qrels.from_judgements(map(judgement, names)), check=False)

        def stop(what: str, done: int, total: int | None) -> None:
            if done == count - 5:
                raise Cancelled

        handed = []
        with pytest.raises(Cancelled):
            check(quoted_documents(project), project.collection, stop, handed.append)
        assert [len(late) for late in handed] == [NOTED_TOGETHER, 5]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"documents": []},
        {"documents": {"d1": {}}},
        {"documents": {"d1": {"step": "x", "quotes": [[1, 2, "a"]]}}},
        {"documents": {"d1": {"step": "x", "quotes": [[1, 2, "a", "b"]], "digests": ["c", "d"]}}},
    ],
)
def test_a_row_that_makes_no_sense_is_named(path, content):
    journal = Journal.open(path, read_only=False)
    journal.start_writing()
    journal.append([JournalEntry(QUOTES, content, TOPIC)], "ada")
    journal.close()
    with (
        Project.open(path) as project,
        pytest.raises(ProjectError, match=r"row \d+ \(quotes\) cannot be read"),
    ):
        project.histories.quotes(TOPIC, "d1")
