"""TREC's topics in SGML and in lines, BEIR's queries, and INEX's of 2002."""

import bz2
import gzip
import lzma
import re

import pytest

from inexview import DataError
from inexview.core.formats.recognition import format_of
from inexview.core.formats.topic_files import read_topics

SGML = """
<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in &amp; profit
from crime.

<narr> Narrative:
A relevant document names one.

Vague references are not relevant.
</top>

<top>
<num> Number: 302 </num>
<dom> Domain: Medical
<title> Poliomyelitis</title>
<con> Concept(s): polio
</top>
"""


def test_tags_need_no_end_and_labels_are_no_text(tmp_path):
    path = tmp_path / "topics.txt"
    path.write_text(SGML)
    first, second = read_topics(path)
    assert (first.id, first.title) == ("301", "International Organized Crime")
    assert first.description == "Identify organizations that participate in & profit from crime."
    assert first.narrative == "A relevant document names one.\n\nVague references are not relevant."
    assert (second.id, second.title, second.others) == (
        "302",
        "Poliomyelitis",
        (("dom", "Medical"), ("con", "polio")),
    )


def test_queries_of_beir_are_json_lines(tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "7", "text": "what  is\\nXML"}\n\n{"text": "Rücken", "_id": "q9"}\n')
    assert format_of(path).name == "topics-tab"
    assert [(one.id, one.title) for one in read_topics(path)] == [("7", "what is XML"), ("q9", "Rücken")]
    for line, problem in (
        ('{"_id": "8"}', "3: field 'text' = 'None': is not the words of a query"),
        ('{"_id": "8", "text": 1}', "3: field 'text' = '1': is not the words of a query"),
        ('{"text": "x"}', "3: field '_id' = '': a topic needs an id"),
        ('{"_id": "8", "text": "x"', "3: is no line of JSON"),
        ("[1]", "3: is no JSON object"),
    ):
        path.write_text(f'{{"_id": "7", "text": "x"}}\n\n{line}\n')
        with pytest.raises(DataError, match=re.escape(f"queries.jsonl:{problem}")):
            read_topics(path)


def test_lines_are_an_id_and_a_title(tmp_path):
    path = tmp_path / "queries.tsv"
    path.write_text("7\twhat is  XML\n\n9\tRücken\n", encoding="utf-8")
    assert [(topic.id, topic.title) for topic in read_topics(path)] == [("7", "what is XML"), ("9", "Rücken")]
    path.write_bytes(b"7\tR\xfccken\n")
    topics = read_topics(path)
    assert topics[0].title == "Rücken"
    assert "is not UTF-8" in topics.warnings[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<top>\n<title> no number\n</top>", "topics.txt:1: field 'num' = '': a topic needs an id"),
        ("7\tone\nno tab\n", "topics.txt:2: expected an id, a tab and a title"),
        (
            "<top><num>1<title>a</top>\n<top><num>1<title>b</top>",
            "topics.txt:2: field 'id' = '1': another topic",
        ),
        (
            "<top>\n<num>1<title>a\n<num>2<title>b\n</top>",
            "topics.txt:1: field 'num' = '2': one <top> has two <num>",
        ),
        ("7\tone\n8\tt\x1fwo\n", "topics.txt:2: holds the byte 0x1f: this is a binary file"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path, content, said):
    path = tmp_path / "topics.txt"
    path.write_text(content)
    with pytest.raises(DataError) as raised:
        read_topics(path)
    assert said in str(raised.value)


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_topics_are_read_as_what_they_hold(tmp_path, packed):
    path, plain = tmp_path / "topics", tmp_path / "plain"
    for number in range(20):  # some of these have a tab behind what looks like an id
        plain.write_text(SGML.replace("301", str(number)), encoding="utf-8")
        path.write_bytes(packed(plain.read_bytes()))
        assert list(read_topics(path)) == list(read_topics(plain))


def test_topics_of_2002_say_target_words_and_context(tmp_path):
    path = tmp_path / "topic.xml"
    path.write_text(
        '<INEX-Topic topic-id="01" query-type="CAS" ct-no="5"><Title><te>article</te><cw>XML</cw>'
        "<ce>fm/tig/atl</ce></Title><Description>Find  them.</Description><Narrative>All.</Narrative>"
        "<Keywords>XML, query</Keywords></INEX-Topic>"
    )
    (topic,) = read_topics(path)
    assert (topic.id, topic.query_type, topic.ct_no) == ("01", "CAS", "5")
    assert (topic.title, topic.description) == ("article XML fm/tig/atl", "Find them.")
    assert (topic.narrative, topic.keywords) == ("All.", "XML, query")
