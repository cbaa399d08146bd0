"""`inexview convert`: between formats; what would be lost is said first, and nothing is written half."""

from __future__ import annotations

import json
from errno import ENOSPC
from itertools import permutations
from pathlib import Path

import pytest

import inexview
from inexview import read_qrels, read_run
from inexview.cli import main
from inexview.core.formats import passage_lines
from inexview.core.formats.format import JUDGEMENTS, RUNS, FileKind, formats
from inexview.core.formats.readers import format_of
from inexview.core.formats.topic_files import read_topics
from tests.core.contents import SAMPLES, TEXTS, write_articles

QRELS = "1 Q0 12 18 46 8 8:4 12:6 35:8\n1 Q0 naïve 0 34\n2 Q0 naïve 16 34 0 0:12 17:4\n"
RUN = "1 Q0 12 1 0.5 r 6 29\n1 Q0 naïve 2 0.4 r 0 12\n2 Q0 12 1 0.9 r 12 5\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    write_articles(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "run.txt").write_text(RUN, encoding="utf-8")
    return tmp_path


def convert(*arguments):
    return main(["convert", *map(str, arguments)])


ARTICLES = ("--collection", "articles")


def test_qrels_become_assessments_and_come_back_the_same(here, capsys):
    assert convert("qrels.txt", "a.xml", *ARTICLES) == 0
    assert format_of("a.xml").name == "assessments-2007"
    assert '<passage start="/article[1]/body[1]/p[1]/text()[1].2"' in Path("a.xml").read_text("utf-8")
    assert convert("a.xml", "again.txt", *ARTICLES) == 2
    said = capsys.readouterr().err
    assert "judged elements with their exhaustivity" in said
    assert not Path("again.txt").exists()
    assert convert("a.xml", "again.txt", *ARTICLES, "--lossy") == 1
    assert list(read_qrels("again.txt")) == list(read_qrels("qrels.txt"))


def test_white_space_nodes_are_counted_or_not_as_is_asked(here):
    for how in ("keep", "strip"):
        assert convert("qrels.txt", f"{how}.xml", *ARTICLES, "--whitespace", how) == 0
        text = Path(f"{how}.xml").read_text("utf-8")
        assert f'whitespace-text-node="{how}"' in text
        assert convert(f"{how}.xml", f"{how}.txt", *ARTICLES, "--lossy") == 1
        assert list(read_qrels(f"{how}.txt")) == list(read_qrels("qrels.txt"))


def test_a_submission_says_that_its_points_leave_out_white_space_nodes_and_is_read_so(here):
    (here / "articles" / "5.xml").write_text("<article> <p>Tea</p> <p>and more</p> of it </article>")
    Path("run.txt").write_text("1 Q0 5 1 0.5 r 14 3\n")  # "of" stands in the third node, or in the first
    points = ("--result-type", "passage", *ARTICLES)
    written = {"keep": "text()[3].1", "strip": "text()[1].1"}
    for how, point in written.items():
        assert convert("run.txt", f"{how}.xml", *points, "--whitespace", how) == 0
        text = Path(f"{how}.xml").read_text("utf-8")
        assert point in text
        assert ('whitespace-text-node="strip"' in text) is (how == "strip")
        assert convert(f"{how}.xml", f"{how}.txt", *ARTICLES) == 0
        assert Path(f"{how}.txt").read_text() == "1 Q0 5 1 0.5 r 14 3\n"
    # What is written says how it counts, whatever it was made of.
    convert("strip.xml", "elements.xml", "--result-type", "element", *ARTICLES, "--lossy")
    assert "whitespace-text-node" not in Path("elements.xml").read_text("utf-8")


def test_sizes_in_assessments_count_a_run_of_white_space_as_one(here):
    Path("qrels.txt").write_text("1 Q0 12 14 46 8 6:14\n")  # "Otters  swim," has two blanks
    convert("qrels.txt", "a.xml", *ARTICLES)
    text = Path("a.xml").read_text("utf-8")
    assert 'size="13"/>' in text
    assert '<element path="/article[1]/body[1]" exhaustivity="2" size="39" rsize="13"/>' in text
    assert TEXTS["12"][6:20] == "Otters  swim,\n"


def test_losses_are_counted_from_the_content(here, capsys):
    assert convert("qrels.txt", "t.txt", "--to", "trec-qrels") == 2
    assert capsys.readouterr().err == (
        "inexview: trec-qrels cannot store 5 passages, 2 best entry points, 3 document lengths: "
        "not written; --lossy writes the rest\n"
    )
    assert convert("qrels.txt", "t.txt", "--to", "trec-qrels", "--lossy") == 1
    assert Path("t.txt").read_text("utf-8") == "1 0 12 18\n1 0 naïve 0\n2 0 naïve 16\n"


def test_losses_of_further_records_are_counted_too(here, capsys):
    Path("a.jsonl").write_text(
        '{"topic": "7", "document": "12", "length": 46, "bep": 0, "passages": [{"start": 0, "end": 6}], '
        '"added": true, "come_back": true, "note": "Ask Ada.", '
        '"origins": [{"start": 0, "end": 6, "from": "bm25", "suggested": true}], '
        '"suggestions": [{"start": 0, "end": 6, "source": "bm25", "decision": "taken"}]}'
    )
    assert convert("a.jsonl", "new.txt") == 2
    told = capsys.readouterr().err
    for said in (
        "2 notes and flags",
        "2 origins of marks and suggestions",
        "1 document that an assessor added to the pool",
    ):
        assert said in told


def test_a_run_becomes_a_submission_and_comes_back_the_same(here):
    assert convert("run.txt", "fol.xml") == 0
    assert convert("run.txt", "passages.xml", "--result-type", "passage", *ARTICLES) == 0
    for name in ("fol", "passages"):
        assert convert(f"{name}.xml", f"{name}.txt", *ARTICLES) == 0
        assert read_run(f"{name}.txt") == read_run("run.txt")


def test_results_that_are_no_elements_are_named_by_the_smallest_that_holds_them(here, capsys):
    assert convert("run.txt", "e.txt", "--to", "fol-elements", *ARTICLES) == 2
    assert "1 exact place (replaced by the smallest element that contains it)" in capsys.readouterr().err
    assert convert("run.txt", "e.txt", "--to", "fol-elements", *ARTICLES, "--lossy") == 1
    paths = [line.split()[-1] for line in Path("e.txt").read_text("utf-8").splitlines()]
    assert paths == ["/article[1]/body[1]/p[1]", "/article[1]/name[1]", "/article[1]/body[1]/p[1]"]
    assert convert("e.txt", "e.xml") == 0
    assert convert("e.xml", "e2.txt", "--to", "fol-elements") == 0
    assert Path("e2.txt").read_bytes() == Path("e.txt").read_bytes()


def test_neighbouring_elements_become_a_range_and_come_back(here, capsys):
    Path("run.txt").write_text("1 Q0 12 1 0.5 r 6 40\n1 Q0 12 2 0.4 r 6 29\n1 Q0 12 3 0.3 r 0 46\n")
    assert convert("run.txt", "r.xml", "--result-type", "range-of-elements", *ARTICLES) == 0
    text = Path("r.xml").read_text("utf-8")
    assert "<path>/article[1]/body[1]</path><rank>1<" in text  # an element is no range
    Path("run.txt").write_text("1 Q0 co/2000/r7108 1 0.5 r 3 10\n1 Q0 co/2000/r7108 2 0.4 r 3 8\n")
    (here / "articles" / "co" / "2000" / "r7108.xml").write_text(
        "<article><t>Tea</t><bdy><sec>Green</sec><sec>Black</sec><sec>White</sec></bdy></article>"
    )
    assert convert("run.txt", "s.xml", "--result-type", "range-of-elements", *ARTICLES) == 2
    assert "1 exact place" in capsys.readouterr().err  # Green and half of Black
    assert convert("run.txt", "s.xml", "--result-type", "range-of-elements", *ARTICLES, "--lossy") == 1
    results = Path("s.xml").read_text("utf-8")
    assert '<passage start="/article[1]/bdy[1]/sec[1]" end="/article[1]/bdy[1]/sec[2]"/>' in results
    assert "<path>/article[1]/bdy[1]</path>" in results
    assert convert("s.xml", "back.txt", *ARTICLES) == 0
    places = [line.split()[-2:] for line in Path("back.txt").read_text("utf-8").splitlines()]
    assert places == [["3", "10"], ["3", "15"]]


def test_ends_in_the_place_of_lengths_are_suspected_and_reread(here, capsys):
    Path("run.txt").write_text("1 Q0 12 1 0.5 r 35 46\n1 Q0 12 2 0.4 r 20 34\n")
    named = ("--result-type", "passage", *ARTICLES)
    assert convert("run.txt", "s.xml", *named) == 2
    assert "2 results are not within their document" in (said := capsys.readouterr().err)
    assert "read with --fol-end" in said
    assert convert("run.txt", "s.xml", *named, "--fol-end") == 0
    assert convert("s.xml", "back.txt", *ARTICLES) == 0
    assert [line.split()[-2:] for line in Path("back.txt").read_text().splitlines()] == [
        ["35", "11"],
        ["20", "14"],
    ]


def test_entry_points_are_points_in_a_submission_and_come_back(here):
    Path("run.txt").write_text("1 Q0 12 1 0.5 r 8\n")
    assert convert("run.txt", "s.xml", "--result-type", "passage", *ARTICLES) == 0
    assert 'start="/article[1]/body[1]/p[1]/text()[1].2" end="/article[1]/body[1]/p[1]/text()[1].2"' in Path(
        "s.xml"
    ).read_text("utf-8")
    assert convert("s.xml", "back.txt", *ARTICLES) == 0
    assert Path("back.txt").read_text().endswith(" 8 0\n")


def test_whole_documents_become_their_root(here):
    Path("run.txt").write_text("1 Q0 12 1 0.5 r\n")
    assert convert("run.txt", "e.xml", "--result-type", "element", *ARTICLES) == 0
    assert "<path>/article[1]</path>" in Path("e.xml").read_text("utf-8")


def test_without_articles_what_needs_them_says_so(here, capsys):
    for arguments in (
        ("qrels.txt", "a.xml"),
        ("qrels.txt", "h.txt", "--to", "hard-qrels", "--lossy"),
        ("run.txt", "e.txt", "--to", "fol-elements"),
    ):
        assert convert(*arguments) == 2
        assert "give the articles with --collection" in capsys.readouterr().err


def test_the_relevance_in_trec_qrels_is_rsize_or_1_as_is_asked(here, capsys):
    for asked, expected in ((), "18 0 16"), (("--binary",), "1 0 1"):
        assert convert("qrels.txt", "t.txt", "--to", "trec-qrels", "--lossy", "--overwrite", *asked) == 1
        assert " ".join(line.split()[3] for line in Path("t.txt").read_text("utf-8").splitlines()) == expected
    Path("graded.txt").write_text("1 0 a 2\n1 0 b 1\n1 0 c 0\n")
    capsys.readouterr()
    assert convert("graded.txt", "t.txt", "--to", "trec-qrels", "--overwrite", "--binary") == 2
    assert "cannot store 1 grade of relevance" in capsys.readouterr().err


def test_bytes_of_hard_become_code_points_and_come_back(here):
    Path("h.txt").write_text("1 naïve 0 13\n1 naïve 14 9\n2 12 0 0\n", encoding="utf-8")
    assert convert("h.txt", "q.txt", *ARTICLES) == 0
    assert Path("q.txt").read_text("utf-8") == "1 Q0 naïve 15 34 -1 0:12 13:3\n2 Q0 12 0 46\n"
    assert convert("q.txt", "back.txt", "--to", "hard-qrels", *ARTICLES) == 0
    assert Path("back.txt").read_bytes() == Path("h.txt").read_bytes()


def test_a_run_in_bytes_is_read_as_such_only_when_it_is_named(here):
    Path("h.txt").write_text("1 Q0 naïve 1 0.5 r 0 13\n", encoding="utf-8")
    assert convert("h.txt", "a.txt") == 0
    assert convert("h.txt", "b.txt", "--from", "hard-run", *ARTICLES) == 0
    assert Path("a.txt").read_text("utf-8").endswith(" 0 13\n")
    assert Path("b.txt").read_text("utf-8").endswith(" 0 12\n")


def test_topics_go_from_one_grammar_to_the_other_and_back(here):
    Path("t.xml").write_text(SAMPLES["topics-2009"], encoding="utf-8")
    assert convert("t.xml", "old.xml", "--to", "topics-2007") == 0
    assert convert("old.xml", "new.xml", "--to", "topics-2009") == 0
    assert format_of("old.xml").name == "topics-2007"
    assert read_topics("new.xml") == read_topics("old.xml") == read_topics("t.xml")


@pytest.mark.shared
def test_the_real_topics_of_2009_go_through_the_old_grammar_unchanged(here, shared):
    real = shared / "data" / "inex" / "INEX-2009-topics.xml"
    assert convert(real, "old/", "--to", "topics-2007") == 0
    assert len(list(Path("old").iterdir())) == 115
    assert convert("old", "new.xml", "--to", "topics-2009") == 0
    assert read_topics("new.xml") == read_topics(real)


@pytest.mark.shared
def test_the_real_line_of_the_qrels_stays_as_it_is(here, shared):
    real = shared / "data" / "inex" / "fol-qrels-2009-one-real-line.txt"
    assert convert(real, "out.txt") == 0
    assert Path("out.txt").read_text().split() == real.read_text().split()


def test_a_folder_is_written_with_a_file_for_each_topic_and_read_again(here):
    convert("qrels.txt", "a.xml", *ARTICLES)
    assert convert("a.xml", "all/", "--to", "assessments-2007") == 0
    assert sorted(file.name for file in Path("all").iterdir()) == ["1.xml", "2.xml"]
    assert convert("all", "b.xml", "--to", "assessments-2007") == 0
    assert Path("b.xml").read_bytes() == Path("a.xml").read_bytes()
    assert convert("a.xml", "all/", "--to", "assessments-2007") == 2  # something is in it


def test_no_article_is_written_over(here, capsys):
    before = Path("articles/12.xml").read_bytes()
    assert convert("qrels.txt", "articles/12.xml", *ARTICLES, "--overwrite") == 2
    assert "articles/12.xml: is also an input file" in capsys.readouterr().err
    assert Path("articles/12.xml").read_bytes() == before


def test_an_empty_folder_stays_where_the_disk_is_full(here, capsys, monkeypatch):
    def is_full(*_asked, **_how):
        raise OSError(ENOSPC, "No space left on device")

    convert("qrels.txt", "a.xml", *ARTICLES)
    Path("all").mkdir()
    monkeypatch.setattr(Path, "mkdir", is_full)
    assert convert("a.xml", "all", "--to", "assessments-2007") == 2
    assert "all: no space left" in capsys.readouterr().err
    assert list(Path("all").iterdir()) == []


def test_runs_make_a_pool_by_depth(here, capsys):
    Path("other.txt").write_text("1 Q0 a 1 0.5 r 0 9\n1 Q0 a 2 0.4 r 9 9\n1 Q0 b 3 0.3 r 0 1\n")
    assert convert("run.txt", "other.txt", "pool.txt", "--depth", 1) == 0
    assert Path("pool.txt").read_text() == "1 12\n1 a\n2 12\n"
    assert convert("other.txt", "pool.xml", "--depth", 2) == 0
    assert format_of("pool.xml") is next(format for format in formats() if format.name == "pool")
    assert convert("pool.xml", "list.txt") == 0
    assert Path("list.txt").read_text() == "1 a\n1 b\n"
    assert convert("qrels.txt", "other.txt", "p.txt", "--depth", 1) == 2
    assert "--depth needs runs" in capsys.readouterr().err


def test_a_pool_by_depth_is_the_one_that_pool_makes(here):
    Path("other.txt").write_text("1 Q0 a 1 0.5 r 0 9\n1 Q0 b 2 0.3 r 0 1\n1 Q0 12 3 0.1 r 0 1\n")
    assert convert("run.txt", "other.txt", "by-depth.xml", "--depth", 2) == 0
    assert main(["pool", "run.txt", "other.txt", "--depth", "2", "-o", "pooled.xml"]) == 0
    assert Path("by-depth.xml").read_bytes() == Path("pooled.xml").read_bytes()


def test_existing_files_are_not_overwritten_by_default(here, capsys):
    Path("out.txt").write_text("work")
    assert convert("qrels.txt", "out.txt") == 2
    assert "already exists; --overwrite replaces it" in capsys.readouterr().err
    assert Path("out.txt").read_text() == "work"
    assert convert("qrels.txt", "out.txt", "--overwrite") == 0
    assert convert("qrels.txt", "qrels.txt", "--overwrite") == 2
    assert convert("qrels.txt", "./articles/../qrels.txt", "--overwrite") == 2
    assert Path("qrels.txt").read_text("utf-8") == QRELS


def test_a_writer_that_fails_leaves_nothing_behind(here, monkeypatch):
    def fails(content, part):
        part.write_text("half")
        raise OSError(28, "No space left on device", str(part))

    monkeypatch.setattr(passage_lines, "write_fol_qrels", fails)
    before = sorted(path.name for path in here.iterdir())
    assert convert("qrels.txt", "out.txt") == 2
    assert sorted(path.name for path in here.iterdir()) == before


def test_the_suffix_tells_the_format_to_write(here):
    for name, written in (("a.xml", "assessments-2007"), ("a.jsonl", "jsonl"), ("a.txt", "fol-qrels")):
        assert convert("qrels.txt", name, *ARTICLES) == 0
        assert format_of(name).name == written


def test_a_script_converts_as_the_command_does(here):
    converted = inexview.convert("qrels.txt", "a.xml", collection="articles")
    assert (converted.lost, converted.warnings) == ((), ())
    with pytest.raises(
        inexview.DataError, match=r"qrels\.txt: trec-qrels cannot store 5 passages, .*lossy=True"
    ):
        inexview.convert("qrels.txt", "t.txt", target="trec-qrels")
    with pytest.raises(inexview.DataError, match=r"a\.xml: already exists"):
        inexview.convert("qrels.txt", "a.xml", collection="articles")
    assert inexview.convert("qrels.txt", "t.txt", target="trec-qrels", lossy=True).lost
    convert("qrels.txt", "b.xml", *ARTICLES)
    assert Path("a.xml").read_bytes() == Path("b.xml").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none.txt", "out.txt"), "none.txt: cannot be read"),
        (("articles/12.xml", "out.txt"), "is an article of a collection; expected one of"),
        (
            ("topics.xml", "out.xml"),
            "name the format to write with --to, one of topics-tab, topics-2007, topics-2009",
        ),
        (("qrels.txt", "out.pdf"), "name the format to write with --to, one of fol-qrels"),
        (("qrels.txt", "out.txt", "--to", "fol-run"), "holds judgements of characters, which fol-run"),
        (("trec.txt", "out.txt", "--to", "fol-qrels"), "judges whole documents"),
        (("qrels.txt", "run.txt", "out.txt"), "one file at a time"),
        (("qrels.txt", "out/", "--to", "fol-qrels"), "is written to a single file"),
        (("qrels.txt", "out.txt", "--from", "fol-run"), "qrels.txt:1: "),
        (("qrels.txt", "missing/out.txt"), "its folder does not exist"),
        (("qrels.txt", "."), "name a file or a folder"),
        (("qrels.txt", "articles", "--to", "assessments-2007"), "a folder that is not empty"),
        (("qrels.txt", "mine.inexview", "--to", "fol-qrels"), "has the suffix of a project"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_writes_nothing(here, capsys, arguments, said):
    (here / "topics.xml").write_text(SAMPLES["topics-2009"], encoding="utf-8")
    (here / "trec.txt").write_text(SAMPLES["trec-qrels"])
    before = sorted(path.name for path in here.iterdir())
    assert convert(*arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert sorted(path.name for path in here.iterdir()) == before


FAMILIES = [
    [format.name for format in formats(*kinds)]
    for kinds in (JUDGEMENTS, RUNS, (FileKind.TOPICS,), (FileKind.POOL,))
]


@pytest.mark.parametrize(
    ("source", "target"), [pair for family in FAMILIES for pair in permutations(family, 2)]
)
def test_any_format_goes_to_any_other_of_its_family_or_says_why_not(here, capsys, source, target):
    Path("in").write_text(SAMPLES[source], encoding="utf-8")
    status = convert("in", "out", "--from", source, "--to", target, *ARTICLES, "--lossy")
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    if status == 2:
        assert not Path("out").exists()
        assert said.err.startswith("inexview: ")
        assert any(
            why in said.err for why in ("whole documents", "not in the collection", "grades from 0 to 3")
        )
    else:
        assert Path("out").exists()


EVERY = [format.name for format in formats()]
NEEDED = (
    "--collection",
    "there are no topics to write",
    "is not in the collection, so its bytes cannot be counted",
)


@pytest.mark.parametrize("source", EVERY)
@pytest.mark.parametrize("articles", [(), ARTICLES])
def test_every_refusal_names_a_requirement_or_an_alternative(here, capsys, source, articles):
    Path("in").write_text(SAMPLES[source], encoding="utf-8")
    refused, offered = set(), set()
    for target in EVERY:
        status = convert("in", "out", "--from", source, "--to", target, *articles, "--lossy")
        if status != 2:
            Path("out").unlink()
            continue
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.startswith(("inexview: in: ", "inexview: out: "))
        if "it can become " in said:
            refused.add(target)
            offered |= set(said.partition("it can become ")[2].replace(" or ", ", ").split(", "))
        else:
            assert any(what in said for what in NEEDED)
    assert offered <= set(EVERY) - refused
    assert bool(offered) == bool(refused)


@pytest.mark.parametrize("target", ["topics-tab", "topics-2007", "topics-2009", "topics-trec"])
@pytest.mark.parametrize("character", [r"\ufffe", r"\uffff", r"\ud800", r"\udfff", r"\u0001", r"\u0000"])
def test_invalid_characters_in_topics_are_reported(target, character, here, capsys):
    for field in ("id", "title", "narrative"):
        topic = {"id": "1", "title": "olive", "narrative": "of trees"}
        topic[field] += "@"
        (here / "topics.jsonl").write_text(json.dumps(topic).replace("@", character) + "\n")
        status = convert("topics.jsonl", "out", "--to", target, "--lossy", "--overwrite")
        said = capsys.readouterr().err
        assert status in (0, 1, 2)
        assert status != 2 or said.startswith("inexview: ")
        if character.startswith(r"\ud"):
            assert said == "inexview: topics.jsonl:1: holds half a character (a lone surrogate)\n"


@pytest.mark.parametrize("target", ["fol-qrels", "trec-qrels", "jsonl", "json-qrels", "pool", "pool-list"])
def test_a_lone_surrogate_in_an_id_is_reported(target, here, capsys):
    for name in ("qid", "docno"):
        row = {"qid": "1", "docno": "a", "label": 1} | {name: "x\ud800"}
        (here / "q.jsonl").write_text(json.dumps(row) + "\n")
        assert convert("q.jsonl", "out", "--to", target, "--lossy") == 2
        assert "q.jsonl:1: holds half a character (a lone surrogate)" in capsys.readouterr().err
