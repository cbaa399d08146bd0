"""Assessment XML of 2005 and of 2006–2007, and what is said about bad files."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError
from inexview.core.formats.assessment_xml import read_assessed
from inexview.core.judgements.elements import ElementJudgement, ElementQrels, ancestors, canonical_path

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
def test_what_cannot_be_read_is_said_with_file_and_line(tmp_path, old, new, said):
    assert old in IEEE
    path = written(tmp_path, IEEE.replace(old, new, 1))
    with pytest.raises(DataError, match=re.escape(said)) as caught:
        read_assessed(path).elements()
    assert str(path) in str(caught.value)


def test_all_errors_of_a_file_are_said_at_once(tmp_path):
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


def test_what_is_judged_twice_alike_is_kept_once():
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
def test_what_was_judged_is_read_back(tmp_path_factory, documents, of_2005):
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


def test_a_second_entry_point_and_an_unknown_way_to_count_white_space_are_told(tmp_path):
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
    assert (
        "a.xml:1: whitespace-text-node is neither keep nor strip, and taken for keep (perhaps)" in white_space
    )
    assert "a.xml:4: a second best entry point of a document is left out (d)" in entry
