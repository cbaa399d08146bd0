"""What scripts and notebooks call: a text with its marks, the window, runs, pools and reports."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexview
from inexview import (
    Collection,
    Document,
    Evaluation,
    InexviewError,
    Qrels,
    Run,
    Spans,
    evaluate,
    fuse,
    pool,
    read_qrels,
    read_run,
    report,
    retrieve,
    show,
)
from inexview.cli import main
from inexview.core.files import LinkedPlace

SAMPLE = Path(__file__).parent.parent / "resources" / "sample"
JUDGED, LM = SAMPLE / "judgements.txt", SAMPLE / "runs" / "LM-passages.txt"
BM25 = SAMPLE / "runs" / "BM25-sections.txt"
ARTICLE = SAMPLE / "articles" / "wikipedia-2009" / "2041.xml"
TEXTS = {
    "oil": "Olive oil is pressed.\r\n\r\nIt is kept dark.",
    "lamp": "A lamp burns oil \N{PILE OF POO} <b>.",
}


# -- texts ---------------------------------------------------------------------------------------------


@given(st.dictionaries(st.text(min_size=1).filter(str.strip), st.text(), min_size=1, max_size=4))
def test_texts_are_documents_and_collections_to_the_character(texts):
    for id, text in texts.items():
        assert Document.from_text(text, id=id).text == text


def test_a_collection_of_texts_lasts_as_long_as_it_is_used():
    collection = Collection.of(TEXTS)
    path = collection.path
    assert {id: collection.load(id).text for id in collection.ids()} == TEXTS
    assert Document.from_text(TEXTS["oil"], title="Oil").title == "Oil"
    assert len(Document.from_text("A.\n\nB.").blocks) == 2
    assert Document.from_text("A <\n\nB.", title="T")._repr_html_() == "<h2>T</h2><p>A &lt;</p><p>B.</p>"
    collection.close()
    del collection
    gc.collect()
    assert not path.parent.exists()
    for wrong in ({}, {"a": 1}, {" ": "x"}, {1: "x"}):
        with pytest.raises(InexviewError, match="collection"):
            Collection.of(wrong)


# -- a text with its marks -------------------------------------------------------------------------------


def shown_characters(html, looks):
    """Return the offsets, in the text that is shown, of the characters with one of these looks."""
    offsets, at, listed = [], 0, re.findall(r"<p style[^>]*>(.*?)</p>", html, flags=re.DOTALL)
    for part in re.findall(
        r"<span class='bep'.*?</span>|<span class='([a-z-]+)' [^>]*>(.*?)</span>|([^<]+)",
        "".join(listed),
        flags=re.DOTALL,
    ):
        look, marked, plain = part
        size = len(unescape(marked or plain))
        offsets += range(at, at + size) if look in looks else []
        at += size
    return offsets, at


@given(
    st.text(st.sampled_from("ab<&\n ."), min_size=1, max_size=60).filter(str.strip),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
    st.booleans(),
)
def test_every_character_has_the_style_of_its_kind(text, relevant, retrieved, has_run):
    document = Document.from_text(text, id="d")
    spans = [
        Spans((min(pair), max(pair)) for pair in listed).clip(0, len(text))
        for listed in (relevant, retrieved)
    ]
    relevant, retrieved = spans
    rows = [("q", "d", 1, start, end) for start, end in relevant] or [("q", "d", 0, -1, -1)]
    results = [("q", "d", 1.0, start, end) for start, end in retrieved] or [("q", "other", 1.0, 0, 1)]
    marked = show(document, Qrels.of(rows), Run.of(results) if has_run else None)
    assert marked.relevant == relevant
    blank = [  # blocks without a letter are not shown
        at
        for block in document.blocks
        if not text[block.start : block.end].strip()
        for at in range(block.start, block.end)
    ]
    places = [at for at in range(len(text)) if at not in blank]

    def expected(look):
        return [places.index(at) for at in places if look(at)]

    if not has_run:
        assert shown_characters(marked.html, ["judged"]) == (expected(lambda at: at in relevant), len(places))
        return
    assert shown_characters(marked.html, ["hit"])[0] == expected(
        lambda at: at in relevant and at in retrieved
    )
    assert shown_characters(marked.html, ["miss"])[0] == expected(
        lambda at: at in relevant and at not in retrieved
    )
    assert shown_characters(marked.html, ["false-alarm"])[0] == expected(
        lambda at: at not in relevant and at in retrieved
    )


def test_a_text_of_the_sample_is_shown_and_saved(tmp_path):
    marked = show(ARTICLE, JUDGED, LM, topic="2026001")
    assert repr(marked) == "<MarkedText: 3,160 characters relevant, 1,747 retrieved>"
    assert marked._repr_html_() == marked.html
    assert "2041 · topic 2026001 · 3,160 of 7,734 characters relevant · 1,747 retrieved" in marked.html
    assert "▶" in marked.html
    assert "<script" not in marked.html
    assert "http" not in marked.html
    marked.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "0 of 7,734" in show(ARTICLE).html


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: show(ARTICLE, JUDGED),
            r"2041 is there for 3 topics \(2026001, 2026002, 2026011\): name one",
        ),
        (lambda: show(ARTICLE, run=[LM, BM25]), "one run can be shown, and 2 are given"),
        (lambda: show(Document.from_text("abc"), [("q", "document", 1, 0, 9)]), "judged passage ends at 9"),
        (
            lambda: show(Document.from_text("abc"), None, [("q", "document", 1, 0, 9)]),
            "retrieved passage ends at 9",
        ),
        (lambda: inexview.open(JUDGED, topic="1"), "a place can be named in a project only"),
    ],
)
def test_show_reports_what_it_cannot_display(make, said):
    with pytest.raises(InexviewError, match=said):
        make()


# -- the window ------------------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch):
    """Return the commands that are started."""
    commands = []
    monkeypatch.setattr(subprocess, "Popen", lambda command: commands.append(command))
    return commands


def test_the_window_opens_at_a_place_of_a_project(started):
    inexview.open("oil.inexview", topic="7", document="d 1", at=12)
    assert started[0][:3] == [sys.executable, "-m", "inexview"]
    place = LinkedPlace.parse(started[0][3])
    assert (place.topic, place.document, place.at) == ("7", "d 1", 12)


def test_the_window_opens_data_with_and_without_files(started):
    inexview.open(JUDGED, [LM], collection=SAMPLE / "articles", task="focused")
    assert started[0][3:] == [
        "inspect", "-Q", str(JUDGED), "-R", str(LM), "-C", str(SAMPLE / "articles"), "--task", "focused",
    ]  # fmt: skip
    passages = Run.of([("1", "oil", 0.5, 0, 5)], id="mine")
    texts = Collection.of(TEXTS)
    inexview.open([("1", "oil", 1, 0, 9)], [passages, {"1": {"lamp": 2.0}}], collection=texts)
    _, _, _, _, _, qrels, _, first, second, _, collection = started[1]
    assert read_qrels(qrels).judgement("1", "oil").passages == Spans([(0, 9)])
    assert read_run(first) == passages
    assert read_run(second).documents("1", 9) == ["lamp"]
    assert collection == str(texts.path)
    inexview.open({"1": {"lamp": 2}})
    assert read_qrels(started[2][5]).graded
    assert len(started[2]) == 6


# -- runs, pools and reports -------------------------------------------------------------------------------


def test_a_run_of_texts_is_that_of_the_command(tmp_path, capsys):
    run = retrieve({"1": "olive oil", "2": "lamp", "3": "nothing"}, TEXTS, stemmer="porter")
    assert [(one.topic, one.document) for one in run] == [("1", "oil"), ("1", "lamp"), ("2", "lamp")]
    made = retrieve(
        SAMPLE / "topics.xml",
        SAMPLE / "articles",
        model="QL",
        unit="passage:50/25",
        depth=9,
        collection_weight=0.5,
    )
    out = tmp_path / "ql.txt"
    command = ["retrieve", str(SAMPLE / "articles"), str(SAMPLE / "topics.xml"), "--model", "QL"]
    command += ["--unit", "passage:50/25", "--depth", "9", "-p", "collection_weight=0.5", "-o", str(out)]
    assert main(command) in (0, 1), capsys.readouterr().err
    written = read_run(out)
    assert [(one.topic, one.document, one.start, one.end) for one in written] == [
        (one.topic, one.document, one.start, one.end) for one in made
    ]
    with closing(Collection.open(SAMPLE / "articles")) as texts:
        assert retrieve({"1": "olive"}, texts, depth=2).documents("1", 9)


def test_runs_are_fused_and_pooled_as_by_the_commands(tmp_path, capsys):
    fused = fuse([LM, BM25], method="combmnz", depth=7)
    assert main(
        ["fuse", str(LM), str(BM25), "--method", "combmnz", "--depth", "7", "-o", str(tmp_path / "f.txt")]
    ) in (0, 1)
    assert [one.document for one in read_run(tmp_path / "f.txt")] == [one.document for one in fused]
    pooled = pool([read_run(LM), BM25], depth=3)
    assert all(len(own) <= 6 for own in pooled.topics.values())
    assert pool([LM], depth=3, method="move-to-front", qrels=JUDGED, per_topic=2).documents("2026001")
    with pytest.raises(InexviewError, match="method = 'best'"):
        fuse([LM], method="best")


def test_a_report_is_that_of_the_command(tmp_path):
    made = report(JUDGED, [LM, BM25], task="relevant-in-context")
    assert main(["report", str(JUDGED), str(LM), str(BM25), "--task", "relevant-in-context", "--no-costs",
                 "-o", str(tmp_path / "r.md")]) in (0, 1)  # fmt: skip
    written = (tmp_path / "r.md").read_text("utf-8")
    assert made.answer in written
    assert "inexview report" in made.markdown
    asked = report(
        {"1": {"a": 1}}, [Run.of({"1": {"a": 1.0}}, id=name) for name in "xy"], measures=["P@1", "AP"]
    )
    assert "QRELS" in asked.markdown
    with pytest.raises(InexviewError, match="runs of different tasks cannot be compared: documents, focused"):
        report(JUDGED, [Run.of([("2026001", "2041", 1.0, 0, 5)], task="focused"), {"2026001": {"2041": 1.0}}])


# -- what was evaluated ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scored() -> Evaluation:
    return evaluate(JUDGED, [LM, BM25], task="relevant-in-context")


def test_an_evaluation_prints_short_and_is_a_table(scored):
    mean = f"{scored[0].mean['MAgP']:.4f}"
    assert repr(scored[0]) == f"<RunScores 'LM-passages': MAgP {mean} over 10 topics>"
    assert repr(scored).startswith("<Evaluation of <RunScores 'LM-passages'")
    assert len(scored) == 2
    assert list(scored) == list(scored.runs)
    shown = scored._repr_html_()
    assert f"<td>{mean}</td>" in shown
    assert "<th>gP[5]</th>" in shown


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_evaluation_is_a_frame(scored, library):
    pytest.importorskip(library)
    frame = scored.frame(library)
    columns = zip(
        *(frame[name].to_list() for name in ("run_id", "query_id", "measure", "value")), strict=True
    )
    values = {tuple(key): value for *key, value in columns}
    assert len(values) == len(frame)
    for one in scored:
        for topic in one.topics:
            own = one.topic(topic)
            assert own == {name: values[one.id, topic, name] for name in own}


def test_a_comparison_prints_short_and_is_a_table_and_a_frame(scored):
    compared = inexview.compare(scored.runs, "MAgP")
    assert repr(compared) == "<Comparison of 2 runs by MAgP: 1 pair>"
    assert "<table" in compared._repr_html_()
    pytest.importorskip("pandas")
    frame = compared.frame()
    assert frame[["better", "worse"]].to_numpy().tolist() == [["LM-passages", "BM25-sections"]]
    assert frame.difference.item() == compared.pairs[0].difference
    assert frame.p.item() == compared.pairs[0].p


def test_an_evaluation_is_plotted(scored):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = scored.plot("gP[5]")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["LM-passages", "BM25-sections"]
    assert axes.get_xlabel() == "gP[5]"
    (mean,) = axes.lines[1].get_xdata()
    assert mean == pytest.approx(scored[0].mean["gP[5]"])
    assert scored.plot(ax=axes) is axes
    pyplot.close("all")


def test_judgements_and_runs_are_plotted():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    run, qrels = read_run(LM), read_qrels(JUDGED)
    axes = run.plot("2026001")
    (line,) = axes.lines
    assert line.get_ydata().tolist() == [one.score for one in run.results("2026001")]
    assert len(run.plot().lines) == len(run.topics)
    judged, relevant = qrels.plot().containers
    assert [bar.get_width() for bar in judged] == [len(qrels.judgements(topic)) for topic in qrels.topics]
    assert sum(bar.get_width() for bar in relevant) == sum(one.relevant for one in qrels)
    pyplot.close("all")


def test_a_missing_matplotlib_is_reported(scored, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(InexviewError, match=r"matplotlib is not installed: pip install 'inexview\[plot\]'"):
        scored.plot()


def test_marked_text_is_readable_in_a_dark_notebook_on_a_light_desktop():
    """Text on the mark has a colour of its own: a notebook says which of the two it is."""
    style = show(ARTICLE, JUDGED, topic="2026001").html.partition("</style>")[0]
    for dark in ("@media (prefers-color-scheme:dark)", "[data-jp-theme-light=false] .inexview,.vscode-dark"):
        assert dark in style
    assert "background:var(--mark);color:var(--ink)" in style
    assert style.count("--ink:") == 4
