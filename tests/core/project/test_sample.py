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
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.formats.passage_lines import read_fol_qrels, read_fol_run
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.qrels import Pool, Qrels
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.import_judgements import create_sample_project
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from inexview.core.text.spans import Spans

SAMPLE = resource("sample")
JUDGED = ("2026001", "2026002")
OPEN = "2026003"
MADE = (
    "judgements.txt",
    "pool.xml",
    "runs/BM25-sections.txt",
    "runs/LM-passages.txt",
    "runs/focused/LM-focused.txt",
)


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


def test_there_are_many_articles_short_and_long(articles: dict[str, Document]) -> None:
    lengths = sorted(document.length for document in articles.values())
    assert len(lengths) >= 12
    assert 1_500 <= lengths[0] < 2_500
    assert 14_000 < lengths[-2] <= lengths[-1] <= 20_000
    assert sum(4_000 <= length <= 9_000 for length in lengths) >= 5


def test_each_markup_has_several_articles(articles: dict[str, Document]) -> None:
    root_children = {
        id: {element.tag for element in document.elements if element.path.count("/") == 2}
        for id, document in articles.items()
    }
    for markup in ({"name", "body"}, {"header", "bdy"}, {"fno", "fm", "bdy"}):
        assert sum(markup <= tags for tags in root_children.values()) >= 4


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


def test_three_topics_say_what_is_relevant_and_what_is_not(topics: tuple[Topic, ...]) -> None:
    assert len(topics) == 3
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
        assert 8 <= len(pooled) <= 12
        assert set(pooled) <= set(articles)


def test_two_topics_are_judged_completely_and_the_third_is_open(
    topics: tuple[Topic, ...], pool: Pool, qrels: Qrels
) -> None:
    assert qrels.warnings == ()
    assert [topic.id for topic in topics] == [*JUDGED, OPEN]
    assert set(qrels.topics) == set(JUDGED)
    for topic in JUDGED:
        judgements = qrels.judgements(topic)
        assert [judgement.document for judgement in judgements] == list(pool.documents(topic))
        relevant = [judgement for judgement in judgements if judgement.relevant]
        assert 4 <= len(relevant) < len(judgements)


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
    assert len(runs) == 2
    for run in runs.values():
        assert run.warnings == ()
        assert run.topics == tuple(topic.id for topic in topics)
        for topic in run.topics:
            for result in run.results(topic):
                assert 0 <= result.start < result.end <= articles[result.document].length


def test_runs_are_of_clearly_different_quality(qrels: Qrels, runs: dict[str, Run]) -> None:
    table = evaluate(qrels, runs.values(), task="relevant-in-context")
    magp = {scores.id: scores.mean["MAgP"] for scores in table.runs}
    assert magp["LM-passages"] > magp["BM25-sections"] + 0.1
    assert magp["BM25-sections"] > 0.2


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


# -- making ------------------------------------------------------------------------------------------


def test_the_files_with_offsets_are_what_their_sources_make(checkout: Path, tmp_path: Path) -> None:
    script = checkout / "tools" / "make_sample.py"
    subprocess.run([sys.executable, script, "-o", tmp_path], check=True, timeout=120)
    made = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert made == sorted(MADE)
    for name in MADE:
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes(), f"{name} is out of date"


# -- the project -------------------------------------------------------------------------------------


def test_the_sample_project_has_two_topics_judged_and_one_to_judge(
    tmp_path: Path, pool: Pool, qrels: Qrels
) -> None:
    path = create_sample_project(tmp_path / "new folder" / "sample.inexview")
    with Project.open(path) as project:
        assert project.documents.warnings() == []
        for topic in JUDGED:
            states = project.histories.states(topic)
            assert all(states[document].finished for document in pool.documents(topic))
        assert project.touched(OPEN) == ()
        assert judgements_of(project).judgements == list(qrels)


def test_the_sample_project_stands_on_its_own_copies(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path / "sample.inexview")
    with Project.open(path) as project:
        assert project.contents.collection_path == tmp_path / "sample-articles"
        assert project.collection.load("co/2000/r7108").title == "Scanning Newspapers Before They Crumble"
    assert len(list((tmp_path / "sample-runs").glob("*.txt"))) == 2


def test_a_sample_project_is_never_written_over(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path / "sample.inexview")
    before = path.read_bytes()
    with pytest.raises(ProjectError, match=r"sample\.inexview exists already"):
        create_sample_project(path)
    assert path.read_bytes() == before


def test_a_sample_whose_making_is_interrupted_is_made_anew(tmp_path: Path) -> None:
    """It would stay without its judgements: what is there is opened, and never made again."""
    path = tmp_path / "sample.inexview"
    killed = (
        "import os; from pathlib import Path; "
        "from inexview.core.project import import_judgements as sample;"
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
