"""What the sample promises, and that its files are what its sources make."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.collection.collection import Collection
from inexview.core.errors import ProjectError
from inexview.core.evaluation.comparison import compare
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.formats.answer_files import read_answers
from inexview.core.formats.jsonl import read_jsonl
from inexview.core.formats.judge_files import read_model_labels
from inexview.core.formats.nugget_files import read_nugget_file, read_support
from inexview.core.formats.passage_lines import read_fol_qrels, read_fol_run
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.qrels import Pool, Qrels
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.access import ProjectInUseError
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from inexview.core.project.sample import (
    GRADES,
    aside,
    create_sample_project,
    sample_layers,
    sample_runs,
    set_aside,
)
from inexview.core.text.spans import Spans

SAMPLE = resource("sample")
OPEN = "2026003"
JUDGED = tuple(f"2026{number:03}" for number in range(1, 12) if number != 3)
RUNS = ("BM25-sections", "LM-passages", "Phrases", "QL-articles", "RRF-merged")
NO_PHRASE = {"2026004"}
"""Topics of which no article has a phrase."""
MADE = (
    "judgements-bytes.txt",
    "judgements.jsonl",
    "judgements.txt",
    "layers/second-assessor.txt",
    "model-labels.jsonl",
    "pool.xml",
    *(f"runs/{run}.txt" for run in RUNS),
    "runs/chunks/QL-chunks.jsonl",
    "runs/elements/BM25-elements.xml",
    "runs/focused/LM-focused.txt",
)
MOST_BYTES = 400_000


@pytest.fixture(scope="module")
def articles() -> dict[str, Document]:
    with closing(Collection.open(SAMPLE / "articles")) as collection:
        return {id: collection.load(id) for id in collection.ids()}


@pytest.fixture(scope="module")
def topics() -> tuple[Topic, ...]:
    return read_topics(SAMPLE / "topics.xml")


@pytest.fixture(scope="module")
def pool() -> Pool:
    return read_pool(SAMPLE / "pool.xml")


@pytest.fixture(scope="module")
def qrels() -> Qrels:
    return read_fol_qrels(SAMPLE / "judgements.txt")


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    return {run.id: run for run in map(read_fol_run, (SAMPLE / "runs").glob("*.txt"))}


# -- articles ----------------------------------------------------------------------------------------


def test_the_sample_is_light() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < MOST_BYTES


def test_there_are_many_articles_short_and_long(articles: dict[str, Document]) -> None:
    lengths = sorted(document.length for document in articles.values())
    assert 40 <= len(lengths) <= 60
    assert 1_400 <= lengths[0] < 2_500
    assert 14_000 < lengths[-2] <= lengths[-1] <= 20_000
    assert sum(4_000 <= length <= 9_000 for length in lengths) >= 5


def test_each_markup_has_several_articles(articles: dict[str, Document]) -> None:
    root_children = {
        id: {element.tag for element in document.elements if element.path.count("/") == 2}
        for id, document in articles.items()
    }
    for markup in ({"name", "body"}, {"header", "bdy"}, {"fno", "fm", "bdy"}):
        assert sum(markup <= tags for tags in root_children.values()) >= 8


def test_articles_are_read_without_a_warning_and_have_titles(articles: dict[str, Document]) -> None:
    for id, document in articles.items():
        assert document.warnings == ()
        assert document.title not in {"", id}


@pytest.mark.parametrize("kind", ["HEADING", "PARAGRAPH", "ITEM", "CAPTION", "CELL"])
def test_blocks_of_each_kind_occur(articles: dict[str, Document], kind: str) -> None:
    assert any(block.kind is BlockKind[kind] for document in articles.values() for block in document.blocks)


def test_lists_are_nested_in_each_markup(articles: dict[str, Document]) -> None:
    for id in ("1350", "2041", "co/2000/r7108"):
        levels = {block.level for block in articles[id].blocks if block.kind is BlockKind.ITEM}
        assert len(levels) > 1


def test_characters_that_trouble_offsets_occur(articles: dict[str, Document]) -> None:
    text = "".join(document.text for document in articles.values())
    for sign in "\u00a0😂🇯\u200d\ufe0f𝑥茶":
        assert sign in text
    assert any(unicodedata.combining(sign) for sign in text)


def test_comments_references_and_cdata_occur() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (SAMPLE / "articles").rglob("*.xml"))
    for mark in ("<!--", "<![CDATA[", "&#160;", "&#x1D465;", "&gt;"):
        assert mark in source


def test_links_between_articles_lead_to_articles(articles: dict[str, Document]) -> None:
    for path in (SAMPLE / "articles").rglob("*.xml"):
        for target in re.findall(r'xlink:href="([^":]+)\.xml"', path.read_text(encoding="utf-8")):
            assert target in articles, f"{path.name} links to {target}"


# -- topics, pool, judgements ------------------------------------------------------------------------


def test_every_topic_defines_relevance(topics: tuple[Topic, ...]) -> None:
    for topic in topics:
        assert topic.title
        assert topic.castitle
        assert topic.phrasetitle
        assert topic.description
        assert "elevant" in topic.narrative
        assert "not relevant" in topic.narrative


def test_pooled_documents_exist(articles: dict[str, Document], topics: tuple[Topic, ...], pool: Pool) -> None:
    for topic in topics:
        pooled = pool.documents(topic.id)
        assert 7 <= len(pooled) <= 12
        assert set(pooled) <= set(articles)


def test_all_topics_but_one_are_judged_completely(
    topics: tuple[Topic, ...], pool: Pool, qrels: Qrels
) -> None:
    assert qrels.warnings == ()
    assert sorted(topic.id for topic in topics) == sorted([*JUDGED, OPEN])
    assert qrels.topics == JUDGED
    for topic in JUDGED:
        judgements = qrels.judgements(topic)
        assert [judgement.document for judgement in judgements] == list(pool.documents(topic))
        relevant = [judgement for judgement in judgements if judgement.relevant]
        assert 3 <= len(relevant) < len(judgements)


def test_passages_are_parts_of_documents_as_the_pen_would_mark_them(
    articles: dict[str, Document], qrels: Qrels
) -> None:
    for judgement in qrels:
        document = articles[judgement.document]
        assert judgement.length == document.length
        assert judgement.rsize == judgement.passages.size < document.length
        snapper = Snapper(document)
        for start, end in judgement.passages:
            assert snapper.grow(start, end, Granularity.SENTENCE) == (start, end)
        if judgement.relevant:
            assert judgement.bep is not None
            assert snapper.entry_point_at(judgement.bep) == judgement.bep


# -- runs --------------------------------------------------------------------------------------------


def test_runs_cover_all_topics_with_passages_inside_documents(
    articles: dict[str, Document], topics: tuple[Topic, ...], runs: dict[str, Run]
) -> None:
    assert sorted(runs) == list(RUNS)
    for run in runs.values():
        assert run.warnings == ()
        lacking = NO_PHRASE if run.id == "Phrases" else set()
        assert run.topics == tuple(topic.id for topic in topics if topic.id not in lacking)
        for topic in run.topics:
            for result in run.results(topic):
                assert 0 <= result.start < result.end <= articles[result.document].length


def test_runs_are_of_clearly_different_quality(qrels: Qrels, runs: dict[str, Run]) -> None:
    table = evaluate(qrels, runs.values(), task="relevant-in-context")
    magp = {scores.id: scores.mean["MAgP"] for scores in table.runs}
    assert magp["LM-passages"] > magp["BM25-sections"] + 0.1
    assert magp["BM25-sections"] > magp["Phrases"] + 0.1


def test_some_pairs_of_runs_differ_significantly_and_others_do_not(
    qrels: Qrels, runs: dict[str, Run]
) -> None:
    table = evaluate(qrels, runs.values(), task="relevant-in-context")
    assert {pair.mark for pair in compare(table.runs, "MAgP").pairs} == {"†", "(†)", ""}


def test_the_runs_match_their_names(
    articles: dict[str, Document], topics: tuple[Topic, ...], runs: dict[str, Run]
) -> None:
    for topic in topics:
        phrases = [phrase.lower() for phrase in re.findall(r'"([^"]*)"', topic.phrasetitle)]
        for result in runs["QL-articles"].results(topic.id):
            assert (result.start, result.end) == (0, articles[result.document].length)
        for result in runs["Phrases"].results(topic.id):
            passage = articles[result.document].text[result.start : result.end].lower()
            assert any(phrase in passage for phrase in phrases)
        parts = {
            (result.document, at)
            for run in ("BM25-sections", "LM-passages")
            for result in runs[run].results(topic.id)
            for at in range(result.start, result.end)
        }
        merged = runs["RRF-merged"].results(topic.id)
        assert all((one.document, at) in parts for one in merged for at in range(one.start, one.end))


def test_the_better_run_shows_hits_misses_and_false_alarms(qrels: Qrels, runs: dict[str, Run]) -> None:
    all_three = 0
    for judgement in qrels:
        results = runs["LM-passages"].passages(judgement.topic, judgement.document)
        retrieved = Spans((result.start, result.end) for result in results)
        hits = retrieved & judgement.passages
        all_three += bool(hits and judgement.passages - hits and retrieved - hits)
    assert all_three >= 8


def test_the_focused_run_is_scored_as_one(qrels: Qrels) -> None:
    run = read_fol_run(SAMPLE / "runs" / "focused" / "LM-focused.txt")
    (scores,) = evaluate(qrels, run, task="focused").runs
    assert scores.mean["iP[0.01]"] > 0.5


# -- what lies beside them ---------------------------------------------------------------------------


def test_judgements_in_bytes_and_with_grades_are_the_same(
    articles: dict[str, Document], qrels: Qrels
) -> None:
    counted = read_fol_qrels(SAMPLE / "judgements-bytes.txt")
    recorded = read_jsonl(SAMPLE / "judgements.jsonl").records
    for one, in_bytes, record in zip(qrels, counted, recorded, strict=True):
        encoded = articles[one.document].text.encode()
        quoted = [articles[one.document].text[start:end] for start, end in one.passages]
        assert [encoded[start:end].decode() for start, end in in_bytes.passages] == quoted
        assert in_bytes.length == len(encoded)
        assert record.judgement == one
        assert bool(record.grade) <= one.relevant
    assert {record.grade for record in recorded} == {"", *GRADES}
    assert sum(bool(record.note) for record in recorded) >= 4


def test_a_second_assessor_agrees_on_much_and_not_on_all(qrels: Qrels) -> None:
    second = read_fol_qrels(SAMPLE / "layers" / "second-assessor.txt")
    assert len(second.topics) == 4
    for topic in second.topics:
        first = {one.document: one for one in qrels.judgements(topic)}
        pairs = [(first[one.document], one) for one in second.judgements(topic)]
        both, either = (
            sum(spans.size for spans in merged)
            for merged in zip(
                *((a.passages & b.passages, a.passages | b.passages) for a, b in pairs), strict=True
            )
        )
        assert 0.5 < both / either < 0.95
        assert any(a.relevant != b.relevant for a, b in pairs)


def test_a_model_labels_all_that_is_judged_and_two_of_its_quotes_are_in_no_text(
    articles: dict[str, Document], qrels: Qrels
) -> None:
    labels = read_model_labels(SAMPLE / "model-labels.jsonl").labels
    assert [(one.topic, one.document) for one in labels] == [(row.topic, row.document) for row in qrels]
    quotes = [(one.document, quote) for one in labels for quote in one.quotes]
    assert len(quotes) > 30
    assert sum(quote not in articles[document].text for document, quote in quotes) == 2
    same = sum(row.relevant == bool(one.grade) for row, one in zip(qrels, labels, strict=True))
    assert 0.6 < same / len(labels) < 0.95


def test_answers_cite_words_of_articles_with_matching_judgements(
    articles: dict[str, Document],
) -> None:
    answers = read_answers(SAMPLE / "answers.jsonl")
    assert len(answers.runs) == 2
    for answer in answers.answers:
        assert answer.topic in JUDGED
        for reference in answer.references:
            assert reference.quote in articles[reference.document].text
    support = read_support(SAMPLE / "support.jsonl", answers)
    assert set(support) == {(one.run, one.topic) for one in answers.answers}
    assert {one.topic for one in read_nugget_file(SAMPLE / "nuggets.jsonl").topics} <= set(JUDGED)


# -- making ------------------------------------------------------------------------------------------


def test_the_files_with_offsets_match_their_sources(checkout: Path, tmp_path: Path) -> None:
    script = checkout / "tools" / "make_sample.py"
    subprocess.run([sys.executable, script, "-o", tmp_path], check=True, timeout=120)
    made = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert made == sorted(MADE)
    for name in MADE:
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes(), f"{name} is out of date"


# -- the project -------------------------------------------------------------------------------------


def test_the_sample_project_has_all_topics_judged_but_one(tmp_path: Path, pool: Pool, qrels: Qrels) -> None:
    path = create_sample_project(tmp_path / "new folder" / "sample.inexview")
    with Project.open(path) as project:
        assert project.documents.warnings() == []
        for topic in JUDGED:
            states = project.histories.states(topic)
            assert all(states[document].finished for document in pool.documents(topic))
        assert project.touched(OPEN) == ()
        assert judgements_of(project).judgements == list(qrels)
        assert project.contents.scale == GRADES
        assert project.histories.log("2026010", "1650").remarks.grade == "high"
        assert project.histories.log("2026010", "1664").remarks.note.startswith("These dances")
        assert len(project.answers.of_topic("2026009")) == 2
        assert project.answers.of_topic(OPEN) == ()
        assert tuple(project.judges.models) == ("word-counter",)


def test_the_sample_project_stands_on_its_own_copies(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path / "sample.inexview")
    with Project.open(path) as project:
        assert project.contents.collection_path == tmp_path / "sample-articles"
        assert project.collection.load("co/2000/r7108").title == "Scanning Newspapers Before They Crumble"
    assert [run.stem for run in sample_runs(path)] == list(RUNS)
    assert [layer.name for layer in sample_layers(path)] == ["second-assessor.txt"]


def test_a_sample_that_is_set_aside_keeps_its_articles_and_leaves_its_name_free(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path / "sample.inexview")
    kept = aside(path)
    set_aside(path, kept)
    assert (kept.name, path.exists()) == ("sample-1.inexview", False)
    create_sample_project(path)
    assert aside(path).name == "sample-2.inexview"
    for one in (path, kept):
        with Project.open(one, read_only=True) as project:
            assert len(project.collection.ids()) == 56


def test_a_damaged_sample_is_replaced_but_not_one_open_elsewhere(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path / "sample.inexview")
    with Project.open(path), pytest.raises(ProjectInUseError):
        set_aside(path, aside(path))
    path.write_bytes(b"no project")
    set_aside(path, tmp_path / "kept.inexview")
    assert (tmp_path / "kept.inexview").read_bytes() == b"no project"


def test_a_sample_project_is_never_written_over(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path / "sample.inexview")
    before = path.read_bytes()
    with pytest.raises(ProjectError, match=r"sample\.inexview exists already"):
        create_sample_project(path)
    assert path.read_bytes() == before


def test_a_sample_whose_making_is_interrupted_is_made_again(tmp_path: Path) -> None:
    """It would stay without its judgements: what is there is opened, and never made again."""
    path = tmp_path / "sample.inexview"
    killed = (
        "import os; from pathlib import Path; "
        "from inexview.core.project import sample;"
        "sample.import_judgements = lambda *_given: os._exit(9);"
        f"sample.create_sample_project(Path({str(path)!r}))"
    )
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == 9
    assert not path.exists()
    with Project.open(create_sample_project(path)) as project:
        assert all(project.touched(topic) for topic in JUDGED)
    assert sorted(one.name for one in tmp_path.iterdir() if one.is_file()) == ["sample.inexview"]


def test_where_the_sample_cannot_be_copied_a_sentence_says_where(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder", encoding="utf-8")
    with pytest.raises(ProjectError, match="the sample cannot be copied here"):
        create_sample_project(in_the_way / "sample.inexview")
