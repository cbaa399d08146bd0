"""Assessment XML of 2005 and of 2006–2007, and what is said about bad files."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.cli import main
from inexview.core.article.document import Document
from inexview.core.article.elements import LONGEST_PATH, Paths
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.assessment_xml import (
    assess,
    found_passages,
    read_assessed,
    scaled_sizes,
    write_assessments,
)
from inexview.core.formats.readers import read_qrels
from inexview.core.judgements.elements import (
    ElementJudgement,
    ElementQrels,
    Locator,
    ancestors,
    canonical_path,
)
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.measures.elements import QUANTISATIONS
from inexview.core.text.counting import Convention, Scale
from inexview.core.text.spans import Spans
from tests.opened import opened

IEEE = """<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "assessments.dtd">
<assessments pool="42" topic="202">
  <file collection="ieee" name="co/2000/r7108">
    <element path="/article[1]" E="1" size="13,556" rsize="5,494"/>
    <element path="/article[1]/bdy[1]" E="?" size="1,000,000" rsize="17"/>
  </file>
  <file collection="ieee" name="co/2001/r1000"/>
</assessments>
"""
WIKIPEDIA = """<assessments pool="7" topic="414" version="2" whitespace-text-node="strip">
  <file collection="wikipedia" name="12345">
    <best-entry-point path="/article[1]/body[1]/p[3]"/>
    <passage start="/article[1]/body[1]/p[3]/text()[1].0" end="/article[1]/body[1]/p[3]" size="120"/>
    <element path="/article[1]/body[1]/p[3]" exhaustivity="2" size="120" rsize="120"/>
  </file>
</assessments>
"""


def written(tmp_path, text, name="assessments.xml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ieee_assessments_of_2005_with_thousands_separators(tmp_path):
    qrels = read_assessed(written(tmp_path, IEEE)).elements()
    assert qrels.topics == ("202",)
    documents = qrels.documents("202")
    assert list(documents) == ["co/2000/r7108", "co/2001/r1000"]
    assert list(documents["co/2000/r7108"].values()) == [
        ElementJudgement("/article[1]", 1, 13556, 5494),
        ElementJudgement("/article[1]/bdy[1]", 0, 1_000_000, 17),
    ]
    assert documents["co/2001/r1000"] == {}
    assert qrels.warnings == ()


def test_wikipedia_assessments_of_2006(tmp_path):
    qrels = read_assessed(written(tmp_path, WIKIPEDIA)).elements()
    assert list(qrels.elements("414")) == [
        ("12345", ElementJudgement("/article[1]/body[1]/p[3]", 2, 120, 120))
    ]


def test_a_folder_holds_a_topic_in_each_file(tmp_path):
    written(tmp_path, WIKIPEDIA, "b.xml")
    written(tmp_path, IEEE, "a.xml")
    written(tmp_path, "not XML", "readme.txt")
    assert read_assessed(tmp_path).elements().topics == ("202", "414")


def test_the_topic_may_stand_in_the_topic_itself(tmp_path):
    text = WIKIPEDIA.replace('topic="414"', "").replace("<file", '<inex_topic topic_id="9"/><file', 1)
    assert read_assessed(written(tmp_path, text)).elements().topics == ("9",)


def test_more_relevant_characters_than_characters_is_a_warning_with_its_line(tmp_path):
    path = written(tmp_path, IEEE.replace('rsize="5,494"', 'rsize="20000"'))
    (warning,) = read_assessed(path).elements().warnings
    assert warning.startswith(f"{path}:5: ")
    assert "rsize 20000 > size 13556" in warning


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('E="1"', 'E="3"', ":5: field 'exhaustivity' = '3': exhaustivity must be ?, 1 or 2"),
        ('size="13,556"', 'size="13,5"', ":5: field 'size' = '13,5': expected a number of characters"),
        ('rsize="17"', 'rsize="-17"', ":6: field 'rsize' = '-17': expected a number of characters"),
        ('rsize="17"', 'rsize="99999999999999999999"', ":6: field 'rsize' = '99999999999999999999'"),
        ('rsize="17"', f'rsize="{"9" * 5000}"', ":6: field 'rsize' = '99999"),
        ('rsize="17"', 'rsize="١٧"', ":6: field 'rsize' = '١٧': expected a number of characters"),
        ('rsize="17"', "", ":6: field 'rsize' = '': expected a number of characters"),
        ('path="/article[1]"', 'path="article"', ":5: field 'path' = 'article': expected a path such as"),
        ('name="co/2001/r1000"', "", ":8: <file> needs the attribute 'name'"),
        ('topic="202"', "", ":3: <assessments> needs the attribute 'topic'"),
        ("</assessments>", "", ": this is not well-formed XML"),
        ('co/2001/r1000"', 'co/2000/r7108"', "field 'file' = 'co/2000/r7108': judged twice and differently"),
        (
            "/article[1]/bdy[1]",
            "/article[1]",
            "field 'path' = '/article[1]': judged twice and differently in document co/2000/r7108",
        ),
    ],
)
def test_unreadable_content_is_reported_with_file_and_line(tmp_path, old, new, said):
    assert old in IEEE
    path = written(tmp_path, IEEE.replace(old, new, 1))
    with pytest.raises(DataError, match=re.escape(said)) as caught:
        read_assessed(path).elements()
    assert str(path) in str(caught.value)


def test_all_errors_of_a_file_are_reported_together(tmp_path):
    path = written(tmp_path, IEEE.replace('E="1"', 'E="4"').replace('rsize="17"', 'rsize="x"'))
    with pytest.raises(DataError) as caught:
        read_assessed(path).elements()
    assert len(str(caught.value).splitlines()) == 2


def test_a_file_of_something_else_judges_nothing(tmp_path):
    with pytest.raises(DataError, match="no document is judged here"):
        read_assessed(written(tmp_path, "<topics/>")).elements()


def test_paths_get_their_positions_and_know_their_ancestors():
    assert canonical_path(" /article/bdy[2]/p/ ") == "/article[1]/bdy[2]/p[1]"
    assert canonical_path("article") is None
    assert canonical_path("/a[1]" * 300) is None
    assert list(ancestors("/a[1]/b[2]/c[3]")) == ["/a[1]/b[2]", "/a[1]"]
    assert list(ancestors("/a[1]")) == []


def test_equal_repeated_judgements_are_kept_once():
    element = ElementJudgement("/a[1]", 1, 10, 5)
    qrels = ElementQrels([("1", "x", [element, element]), ("1", "x", [element])])
    assert list(qrels.elements("1")) == [("x", element)]
    assert qrels.documents("2") == {}


STEPS = st.tuples(st.sampled_from(["sec", "p", "it"]), st.integers(1, 30)).map(lambda s: f"/{s[0]}[{s[1]}]")
ELEMENTS = st.builds(
    lambda steps, grade, size, share: ElementJudgement(
        "/article[1]" + "".join(steps), grade, size, size * share // 10
    ),
    st.lists(STEPS, max_size=5),
    st.integers(0, 2),
    st.integers(0, 10**9),
    st.integers(0, 10),
)
DOCUMENTS = st.dictionaries(
    st.from_regex(r"[a-z]{2}/[0-9]{4}/[a-z0-9]{1,5}", fullmatch=True),
    st.lists(ELEMENTS, max_size=5, unique_by=lambda element: element.path),
    min_size=1,
    max_size=5,
)


@given(DOCUMENTS, st.booleans())
def test_judgements_are_read_back(tmp_path_factory, documents, of_2005):
    number, grade = ("{:,}", "E") if of_2005 else ("{}", "exhaustivity")
    lines = ['<assessments pool="1" topic="7">']
    for document, elements in documents.items():
        lines.append(f'<file collection="c" name="{document}">')
        lines.extend(
            f'<element path="{e.path}" {grade}="{"?12"[e.exhaustivity]}" size="{number.format(e.size)}" '
            f'rsize="{number.format(e.rsize)}"/>'
            for e in elements
        )
        lines.append("</file>")
    path = written(tmp_path_factory.getbasetemp(), "\n".join([*lines, "</assessments>"]), "round.xml")
    got = read_assessed(path).elements().documents("7")
    assert {document: list(elements.values()) for document, elements in got.items()} == documents


@given(st.text() | st.tuples(st.integers(0, len(IEEE)), st.text(max_size=4), st.integers(0, 9)))
def test_whatever_a_file_holds_it_is_read_or_refused_with_its_name(tmp_path_factory, noise):
    if isinstance(noise, tuple):  # real assessments with something in them overwritten
        at, inserted, lost = noise
        noise = IEEE[:at] + inserted + IEEE[at + lost :]
    path = tmp_path_factory.getbasetemp() / "noise.xml"
    path.write_bytes(noise.encode("utf-8", "surrogatepass"))
    try:
        got = read_assessed(path).elements()
    except DataError as error:
        got = error
    assert got.topics if isinstance(got, ElementQrels) else "noise.xml" in str(got)


def test_second_entry_points_and_unknown_white_space_rules_are_reported(tmp_path):
    text = """<assessments topic="1" version="2" whitespace-text-node="perhaps">
<file name="d">
<best-entry-point path="/a[1]"/>
<best-entry-point path="/a[1]/b[1]"/>
</file></assessments>"""
    (tmp_path / "a.xml").write_text(text)
    assessments = read_assessed(tmp_path / "a.xml")
    ((topic, document),) = assessments.documents()
    assert (topic.strip, document.entry) == (False, "/a[1]")
    white_space, entry = assessments.warnings
    assert "a.xml:1: whitespace-text-node is neither keep nor strip; keep is used (perhaps)" in white_space
    assert "a.xml:4: a document has a second best entry point, which is ignored (d)" in entry


# Assessments made of qrels: sizes as the files of 2006–2007 count them.


@given(st.text(" \n\tab\u00a0é😀", max_size=30), st.data())
def test_the_size_of_a_passage_is_its_length_with_runs_of_white_space_as_one(text, data):
    edges = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    passages = data.draw(st.lists(edges, max_size=6))
    starts, ends = np.array(passages, np.int64).reshape(-1, 2).T
    sizes = [len(re.sub(r"[ \t\n]+", " ", text[start:end])) for start, end in passages]
    assert scaled_sizes(Scale(text, Convention(merged=True)), starts, ends).tolist() == sizes


def test_passages_under_a_tag_of_a_megabyte_are_not_named(tmp_path):
    """2,000 of them took 3.9 GB for each side."""
    tag = "a" * 1_000_000
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "1.xml").write_text(f"<article><{tag}>{'<p>ab</p>' * 100}</{tag}></article>")
    (tmp_path / "articles" / "2.xml").write_text("<article><p>ab</p></article>")
    marks = " ".join(f"{2 * at}:1" for at in range(100))
    (tmp_path / "qrels.txt").write_text(f"7 Q0 1 100 200 0 {marks}\n7 Q0 2 1 2 0 0:1\n")
    collection = Collection.open(tmp_path / "articles")
    made = assess(read_qrels(tmp_path / "qrels.txt"), collection)
    assert [document.name for document in made.topics[0].documents] == ["2"]
    assert re.search(
        r"qrels\.txt:1: its passages cannot be written as points \(the path of .*; it is skipped",
        made.warnings[0],
    )
    points = Locator(collection).points(["1", "2"], np.array([0, 0]), np.array([1, 1]))
    assert points.first == [None, "/article[1]/p[1]/text()[1].0"]
    assert f"more than {LONGEST_PATH:,} are not written" in points.unreadable["1"]


# Passages of assessment XML, found in the articles.

ARTICLE = (
    "<article><name>Otters</name><body><p>Otters  swim,\nand <b>hold</b> hands.</p>"
    "<p>They sleep.</p></body></article>"
)
TEXT = "OttersOtters  swim,\nand hold hands.They sleep."
P1, P2 = "/article[1]/body[1]/p[1]", "/article[1]/body[1]/p[2]"


@pytest.fixture
def collection(tmp_path):
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "12.xml").write_bytes(ARTICLE.encode())
    return opened(folder)


def assessed(tmp_path, inside, *, strip="keep", name="12"):
    path = tmp_path / "assessments.xml"
    path.write_text(
        f'<assessments pool="1" topic="414" version="2" whitespace-text-node="{strip}">\n'
        f'<file collection="wikipedia" name="{name}">\n{inside}\n</file>\n</assessments>\n',
        encoding="utf-8",
    )
    return path


def test_passages_and_entry_point_become_offsets(tmp_path, collection):
    path = assessed(
        tmp_path,
        f'<best-entry-point path="{P1}"/>'
        f'<passage start="{P1}/text()[1].8" end="{P1}/b[1]" size="14"/>'
        f'<passage start="{P2}" end="{P2}" size="11"/>',
    )
    qrels = read_qrels(path, collection=collection)
    judgement = qrels.judgement("414", "12")
    first, second = TEXT.index("swim"), TEXT.index("They")
    assert judgement.passages == Spans([(first, TEXT.index(" hands")), (second, len(TEXT))])
    assert judgement.bep == TEXT.index("Otters", 1)
    assert judgement.rsize == judgement.passages.size == 14 + 11
    assert judgement.length == len(TEXT)
    assert judgement.passage_count == 2


def test_an_empty_file_is_judged_not_relevant(tmp_path, collection):
    judgement = read_qrels(assessed(tmp_path, ""), collection=collection).judgement("414", "12")
    assert (judgement.rsize, judgement.bep, judgement.relevant) == (0, None, False)


def test_sizes_count_white_space_as_one_and_differences_are_warned_of(tmp_path, collection):
    path = assessed(tmp_path, f'<passage start="{P1}" end="{P1}" size="28"/>')
    assert read_qrels(path, collection=collection).warnings == ()  # 29 characters, two blanks counted once
    path = assessed(tmp_path, f'<passage start="{P1}" end="{P1}" size="29"/>')
    (warning,) = read_qrels(path, collection=collection).warnings
    assert warning == f"{path}:3: the passage has another size in the article (28, not 29)"


def test_passages_that_overlap_are_warned_of_and_count_once(tmp_path, collection):
    listed = f'<passage start="{P1}" end="{P1}" size="28"/>'
    listed += f'<passage start="{P1}/b[1]" end="{P1}/b[1]" size="4"/>'
    path = assessed(tmp_path, listed)
    qrels = read_qrels(path, collection=collection)
    assert qrels.warnings == (f"{path}:2: passages overlap (12)",)
    assert (qrels.judgement("414", "12").rsize, qrels.judgement("414", "12").passage_count) == (29, 2)


def element(path, size, rsize):
    return f'<element path="{path}" exhaustivity="2" size="{size}" rsize="{rsize}"/>'


def test_sizes_of_elements_are_recomputed_and_differences_are_warned_of(tmp_path, collection):
    passage = f'<passage start="{P1}/text()[1].8" end="{P1}/b[1]" size="14"/>'
    right = element("/article[1]", 45, 14) + element(P1, 28, 14) + element(f"{P1}/b[1]", 4, 4)
    assert read_qrels(assessed(tmp_path, passage + right), collection=collection).warnings == ()
    wrong = element(P1, 27, 14) + element(f"{P1}/b[1]", 4, 1) + element(f"{P1}/b[2]", 4, 4)
    path = assessed(tmp_path, passage + wrong)
    nowhere, size, rsize = read_qrels(path, collection=collection).warnings
    assert size == f"{path}:2: the element has another size in the article ({P1}: 28, not 27)"
    assert rsize == f"{path}:2: the passages give the element another rsize ({P1}/b[1]: 4, not 1)"
    assert nowhere == f"{path}:2: the element matches nothing in the article ({P1}/b[2])"


def test_what_leads_nowhere_is_warned_of_and_the_document_stays_relevant(tmp_path, collection):
    path = assessed(
        tmp_path,
        '<best-entry-point path="/article[1]/body[1]/p[9]"/>'
        f'<passage start="{P2}" end="/article[1]/body[1]/p[9]" size="40"/>',
    )
    qrels = read_qrels(path, collection=collection)
    judgement = qrels.judgement("414", "12")
    assert (judgement.rsize, len(judgement.passages), judgement.bep) == (40, 0, None)
    assert len(qrels.warnings) == 2
    assert all("matches nothing in the article" in warning for warning in qrels.warnings)


def test_documents_that_the_collection_does_not_hold_are_left_out_with_a_warning(tmp_path, collection):
    qrels = read_qrels(assessed(tmp_path, "", name="13"), collection=collection)
    assert len(qrels) == 0
    assert "not in the collection; it is skipped (13)" in qrels.warnings[0]


def test_a_size_that_is_no_number_is_refused_with_its_line(tmp_path, collection):
    path = assessed(tmp_path, f'<passage start="{P2}" end="{P2}" size="many"/>')
    with pytest.raises(DataError, match=":3: field 'size' = 'many'"):
        read_qrels(path, collection=collection)


def test_a_document_judged_twice_and_differently_is_refused(tmp_path, collection):
    path = assessed(
        tmp_path,
        f'</file><file collection="wikipedia" name="12"><passage start="{P2}" end="{P2}" size="11"/>',
    )
    with pytest.raises(DataError, match="judged twice and differently"):
        read_qrels(path, collection=collection)


def test_assessments_say_whether_they_hold_passages(tmp_path):
    assert read_assessed(assessed(tmp_path, '<passage start="/a" end="/a" size="1"/>')).holds_passages
    assert read_assessed(tmp_path).holds_passages
    assert not read_assessed(assessed(tmp_path, "")).holds_passages


@given(start=st.integers(0, len(TEXT) - 1), length=st.integers(1, len(TEXT)))
def test_any_passage_named_by_its_points_is_read_back(tmp_path_factory, start, length):
    folder = tmp_path_factory.getbasetemp() / "named"
    folder.mkdir(exist_ok=True)
    (folder / "12.xml").write_bytes(ARTICLE.encode())
    end = min(start + length, len(TEXT))
    paths = Paths(Document.from_bytes(ARTICLE.encode()))
    points = f'start="{paths.point_at(start)}" end="{paths.point_at(end, end=True)}"'
    size = len(" ".join(f"|{TEXT[start:end]}|".split())) - 2
    path = assessed(tmp_path_factory.getbasetemp(), f'<passage {points} size="{size}"/>')
    qrels = read_qrels(path, collection=opened(folder))
    assert qrels.judgement("414", "12").passages == Spans([(start, end)])
    assert qrels.warnings == ()


def test_articles_are_only_scanned_and_where_they_lie_is_not_found_out_unwatched(
    tmp_path, collection, monkeypatch
):
    watched = []
    monkeypatch.setattr(Collection, "load", lambda *_: pytest.fail("its blocks are not needed"))
    monkeypatch.setattr(Collection, "at_hand", lambda *_: False)
    monkeypatch.setattr(Collection, "prepare", lambda _, progress: watched.append(progress))
    path = assessed(tmp_path, f'<passage start="{P2}" end="{P2}" size="11"/>')
    news = []

    def progress(what, done, total):
        news.append((what, done, total))

    qrels = found_passages(read_assessed(path), collection, progress)
    assert qrels.judgement("414", "12").rsize == 11
    assert watched == [progress]
    assert news == [("judged documents found", 0, 1)]


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted), max_size=3))
def test_assessments_from_qrels_have_recomputable_sizes(tmp_path_factory, pairs):
    folder = tmp_path_factory.getbasetemp() / "made"
    (folder / "articles").mkdir(parents=True, exist_ok=True)
    (folder / "articles" / "12.xml").write_text(ARTICLE)
    collection = opened(folder / "articles")
    passages = Spans((start, end) for start, end in pairs if start < end)
    bep = min((start for start, _ in passages), default=None)
    qrels = Qrels.from_judgements([Judgement("1", "12", passages.size, len(TEXT), bep, passages)])
    write_assessments(assess(qrels, collection), folder / "a.xml")
    found = read_qrels(folder / "a.xml", collection=collection)
    assert (found.at(0), found.warnings) == (qrels.at(0), ())


# Assessments of 2002–04: two grades of 0 … 3 for each element.

OF_2003 = """<assessments pool="1" topic="61"><file file="co/2000/r7108">
<path path="/article[1]/bdy[1]/sec[2]" exhaustiveness="3" specificity="3"/>
<path path="/article[1]" exhaustiveness="3" specificity="1"/>
<path path="/article[1]/fm[1]" exhaustiveness="0" specificity="0"/></file>
<file file="co/2000/r7109"/></assessments>"""
RUN = """<inex-submission run-id="r" task="Thorough"><topic topic-id="61">
<result><file>co/2000/r7108</file><path>/article[1]/bdy[1]/sec[2]</path></result>
<result><file>co/2000/r7108</file><path>/article[1]</path></result></topic></inex-submission>"""


def test_grades_are_read_without_irrelevant_elements(tmp_path):
    path = tmp_path / "61.xml"
    path.write_text(OF_2003)
    qrels = read_assessed(path).elements()
    documents = qrels.documents("61")
    assert qrels.graded
    assert list(documents) == ["co/2000/r7108", "co/2000/r7109"]
    section, article = documents["co/2000/r7108"].values()
    assert [QUANTISATIONS["strict"](one) for one in (section, article)] == [1, 0]
    assert [QUANTISATIONS["gen"](one) for one in (section, article)] == pytest.approx([1, 3 / 9])


def test_coverage_of_2002_is_read_as_specificity_with_a_warning(tmp_path):
    path = tmp_path / "1.xml"
    path.write_text(
        '<assessments topic="1"><file file="a"><element path="/article[1]" relevance="2" coverage="L"/>'
        '<element path="/article[1]/p[1]" relevance="3" coverage="E"/></file></assessments>'
    )
    qrels = read_assessed(path).elements()
    assert [(e.exhaustivity, e.rsize) for _, e in qrels.elements("1")] == [(2, 2), (3, 3)]
    assert "coverage is read as specificity" in qrels.warnings[0]


@pytest.mark.parametrize(
    "wrong", ['exhaustiveness="4" specificity="1"', 'exhaustiveness="2" specificity="x"']
)
def test_other_grades_are_refused_with_their_line(tmp_path, wrong):
    path = tmp_path / "1.xml"
    path.write_text(
        f'<assessments topic="1"><file file="a">\n<path path="/article[1]" {wrong}/></file></assessments>'
    )
    with pytest.raises(DataError, match=r"1\.xml:2: .*expected a grade of 0, 1, 2 or 3"):
        read_assessed(path).elements()


def test_they_are_scored_by_cumulated_gain_and_not_by_characters(tmp_path, capsys):
    (tmp_path / "61.xml").write_text(OF_2003)
    (tmp_path / "run.xml").write_text(RUN)
    files = [str(tmp_path / "61.xml"), str(tmp_path / "run.xml")]
    assert main(["eval", *files, "--alpha", "0", "--format", "json"]) == 0
    mean = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
    assert mean["nxCG[10]"] == 1
    assert main(["eval", *files, "-m", "P@10"]) == 2
    assert "there is no measure 'P'" in capsys.readouterr().err
    assert main(["eval", *files]) == 0
    assert "(e·s)/9" in capsys.readouterr().out


def test_a_form_with_sizes_cannot_hold_them(tmp_path, capsys):
    (tmp_path / "61.xml").write_text(OF_2003)
    to = str(tmp_path / "out.xml")
    arguments = ["convert", str(tmp_path / "61.xml"), to, "--to", "assessments-2007", "--lossy"]
    assert main(arguments) == 2
    assert (
        "has grades from 0 to 3 and no sizes, but assessments-2007 needs sizes; it can become "
        in capsys.readouterr().err
    )


def test_they_are_described_and_compared_by_their_own_grades(tmp_path, capsys):
    path = tmp_path / "61.xml"
    path.write_text(OF_2003)
    assert main(["describe", str(path), "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["elements"] == {"E3 S1": 1, "E3 S3": 1}
    assert said["spreads"]["characters of a relevant element"]["mean"] is None
    assert main(["agree", str(path), str(path)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("both: E3")]
    assert row.split()[2:6] == ["2", "2", "2", "2"]
