"""Topic files of both grammars, and what is wrong with them in the wild."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.formats.format import FileKind
from inexview.core.formats.readers import format_of
from inexview.core.formats.topic_files import read_topics, write_topic_lines
from inexview.core.judgements.topics import Topic

OLD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE inex_topic SYSTEM "topic.dtd">
<inex_topic topic_id="414" query_type="CAS" ct_no="3">
<InitialTopicStatement>hip hop</InitialTopicStatement>
<title>hip hop
   beat</title><castitle>//*[about(., hip hop) and .//@y &lt; 3]</castitle>
<description>caf\xe9</description>
<narrative>First paragraph
  goes on.

  Second.</narrative><keywords>rap</keywords></inex_topic>"""

NEW = """<!DOCTYPE inex-topic-file [
<!ENTITY lt "lessthan"><!ENTITY gt "greaterthan"><!ENTITY amp "ampersand">
]>
<inex-topic-file>
<topic id="2009001" ct_no="186"><title>Nobel prize</title><castitle>//a[b &lt; c]</castitle>
<phrasetitle>"Nobel prize"</phrasetitle><description>d &amp; e</description><narrative> n </narrative></topic>
<topic id="2009002" ct_no="187"><title>best movie</title></topic>
</inex-topic-file>"""


def written(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_text(text, encoding=encoding)
    return path


def test_a_topic_of_2003_to_2007_is_read_with_tidied_texts(tmp_path: Path) -> None:
    (topic,) = read_topics(written(tmp_path, "414.xml", OLD, "latin-1"))
    assert topic == Topic(
        id="414",
        title="hip hop beat",
        castitle="//*[about(., hip hop) and .//@y < 3]",
        description="café",
        narrative="First paragraph goes on.\n\nSecond.",
        keywords="rap",
        query_type="CAS",
        ct_no="3",
        others=(("InitialTopicStatement", "hip hop"),),
    )


def test_topics_of_2008_to_2010_keep_the_meaning_of_entities_they_redefine(tmp_path: Path) -> None:
    first, second = read_topics(written(tmp_path, "topics.xml", NEW))
    assert (first.castitle, first.description, first.phrasetitle) == ("//a[b < c]", "d & e", '"Nobel prize"')
    assert (second.id, second.title, second.narrative) == ("2009002", "best movie", "")


@pytest.mark.shared
def test_the_real_topics_of_2009_are_read_all_115(shared: Path) -> None:
    topics = read_topics(shared / "data" / "inex" / "INEX-2009-topics.xml")
    assert len(topics) == 115
    assert [topic.id for topic in topics] == [str(2009001 + number) for number in range(115)]
    assert all(topic.title and topic.description and topic.narrative for topic in topics)
    assert not any("lessthan" in topic.castitle or "ampersand" in topic.narrative for topic in topics)


def test_a_folder_of_topics_is_read_in_the_order_of_the_numbers_in_its_names(tmp_path: Path) -> None:
    for number in (10, 9, 100):
        written(
            tmp_path, f"topic-{number}.xml", f'<inex_topic topic_id="{number}"><title>t</title></inex_topic>'
        )
    assert [topic.id for topic in read_topics(tmp_path)] == ["9", "10", "100"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<topics/>", "no topic is here"),
        ('<topics>\n<topic ct_no="1"/></topics>', r"bad\.xml:2: field 'id' = '': a topic needs an id"),
        ('<topics><topic id=" "/></topics>', "field 'id' = ''"),
        (
            '<topics>\n<topic id="1"><title>x</title></topic>\n<topic id="1"/></topics>',
            "bad.xml:3: .*same id",
        ),
        ("<topics><topic", r"bad\.xml:1:\d+: this is not well-formed XML"),
        ("", "bad.xml"),
    ],
)
def test_a_file_that_is_no_topic_file_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_topics(written(tmp_path, "bad.xml", text))


def test_a_missing_topic_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.xml: cannot be read"):
        read_topics(tmp_path / "none.xml")


def test_an_external_entity_is_never_opened(tmp_path: Path) -> None:
    secret = written(tmp_path, "secret.txt", "do not read")
    text = (
        f'<!DOCTYPE t [<!ENTITY x SYSTEM "{secret.as_uri()}">]><topic id="1"><title>a &x; b</title></topic>'
    )
    try:
        topics = read_topics(written(tmp_path, "topic.xml", text))
    except DataError:
        return
    assert "do not read" not in topics[0].title


# TREC's topics in SGML and in lines, BEIR's queries, and INEX's of 2002.

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
        ('{"_id": "8"}', "3: field 'title' = '': has no title and no query"),
        ('{"_id": "8", "text": 1}', "3: field 'text' = '1': is not a query text"),
        ('{"text": "x"}', "3: field '_id' = '': a topic needs an id"),
        ('{"_id": "8", "text": "x"', "4: is not valid JSON: Expecting ',' delimiter"),
        ("[1]", "3: is not a JSON object"),
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
def test_unreadable_topics_are_reported_with_their_line(tmp_path, content, said):
    path = tmp_path / "topics.txt"
    path.write_text(content)
    with pytest.raises(DataError) as raised:
        read_topics(path)
    assert said in str(raised.value)


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_topics_are_recognised_by_content(tmp_path, packed):
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


HARBOUR = ("7", "harbour silting", "", "")
FULL = ("7", "harbour silting", "why harbours silt up", "causes only")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<t><topic number="7"><query>harbour silting</query></topic></t>', HARBOUR),
        ('<t><topic qid="7"><title>harbour silting</title></topic></t>', HARBOUR),
        ("<t><topic><number>7</number><title>harbour silting</title></topic></t>", HARBOUR),
        ("<t><topic><num>Number: 7</num><text>harbour silting</text></topic></t>", HARBOUR),
        ('<t><topic number="7">\n  harbour\n silting </topic></t>', HARBOUR),
        ('<t><topic number="7"><a>harbour</a><b>silting</b></topic></t>', ("7", "harbour; silting", "", "")),
        (
            '<t><topic id="7"><query>harbour silting</query><question>why harbours silt up</question>'
            "<narrative>causes only</narrative></topic></t>",
            FULL,
        ),
        ("<queries><query><qid>7</qid><content>harbour silting</content></query></queries>", HARBOUR),
        ('<queries><query id="7">harbour silting</query></queries>', HARBOUR),
        ("<parameters><query><number>7</number><text>harbour silting</text></query></parameters>", HARBOUR),
        (
            "<parameters><query><type>indri</type><number>7</number>"
            "<text>#weight( 0.8 #combine(harbour) 0.2 #1(silting.(title)) )</text></query></parameters>",
            HARBOUR,
        ),
        ("<TOPICS><TOPIC><NUM>7</NUM><TITLE>harbour silting</TITLE></TOPIC></TOPICS>", HARBOUR),
        (
            "<topics><top lang='en'><num>7</num><title>harbour silting</title>"
            "<desc>why harbours silt up</desc><narr>causes only</narr></top></topics>",
            FULL,
        ),
        ("<top>\n<num> 7 </num>\n<EN-title> harbour &amp; silt</EN-title>", ("7", "harbour & silt", "", "")),
        ("<top>\n<num> Number: 7 </num>\n<query> harbour silting </query>\n</top>", HARBOUR),
        ('<top number="7">\n<title> harbour silting\n</top>', HARBOUR),
        ("<top>\n<identifier>7</identifier>\n<title>harbour silting</title></top>", HARBOUR),
        ('{"id": "7", "title": "harbour silting"}', HARBOUR),
        ('{"id": 7, "title": "harbour silting"}', HARBOUR),
        ('{"qid": "7", "query": "harbour silting"}', HARBOUR),
        ('{"topic_id": "7", "title": "harbour silting", "problem_statement": "why harbours silt up", '
         '"narrative": "causes only"}', FULL),
        ('{"_id": "7", "text": "harbour silting", "metadata": {"description": "why harbours silt up", '
         '"narrative": "causes only"}}', FULL),
        ('[{"number": "7", "query": "harbour silting"}]', HARBOUR),
        ('{"queries": [{"number": "7", "text": "#combine(harbour silting)"}]}', HARBOUR),
        ('{"7": {"title": "harbour silting"}}', HARBOUR),
        ("qid,query\n7,harbour silting\n", HARBOUR),
        ("query_id\ttext\n7\tharbour silting\n", HARBOUR),
        ('id,title,description,narrative\n7,harbour silting,"why harbours silt up",causes only\n', FULL),
        ("7:harbour silting\n", HARBOUR),
        ("7:1:harbour silting\n", HARBOUR),
        ("7 harbour silting\n", HARBOUR),
        ("# made by hand\n7\tharbour silting\n", HARBOUR),
        ("seven days\tharbour silting\n", ("seven days", *HARBOUR[1:])),
    ],
)  # fmt: skip
def test_topics_are_read_as_others_write_them(tmp_path, content, expected):
    path = tmp_path / "topics"
    path.write_text(content, encoding="utf-8")
    (topic,) = read_topics(path)
    assert (topic.id, topic.title, topic.description, topic.narrative) == expected
    assert format_of(path).kind is FileKind.TOPICS


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("1\talchemy\n2\tbread\n", FileKind.TOPICS),
        ("1\t\u6e21\u8f6e2008\n2\t\u758f\u6d5a\n", FileKind.TOPICS),
        ("1\td12\n2\td14\n", FileKind.POOL),
        ("1\t7187157\n2\t4339068\n", FileKind.POOL),
        ("1 alchemy\n1 bread\n", FileKind.POOL),
        ("12:harbour silting causes\n13:ferry\n", FileKind.TOPICS),
        ("12 harbour silting causes\n13 ferry timetable island winter\n", FileKind.TOPICS),
    ],
)
def test_lines_of_few_words_are_topics_or_a_pool(tmp_path, lines, kind):
    path = tmp_path / "file"
    path.write_text(lines, encoding="utf-8")
    assert format_of(path).kind is kind


def test_a_topic_without_text_is_reported(tmp_path):
    path = tmp_path / "topics.xml"
    path.write_text('<topics>\n<topic id="1"><title>tea</title></topic>\n<topic id="2"/></topics>')
    topics = read_topics(path)
    assert [topic.id for topic in topics] == ["1", "2"]
    assert topics.warnings == (f"{path}:3: topic 2 has no title, and no other text",)
    path.write_text("<top>\n<num> Number: 7 </num>\n<desc> how tea grows </desc>\n</top>\n")
    assert read_topics(path).warnings == (f"{path}:1: topic 7 has no title, only a description",)


def test_only_a_label_at_the_beginning_of_a_field_is_left_out(tmp_path):
    file = tmp_path / "topics.trec"
    file.write_text(
        "<top><num> Number: 301\n<title> Topic: history of the topic: maps\n<desc> a summary: short\n</top>\n"
    )
    (topic,) = read_topics(file)
    assert (topic.id, topic.title, topic.description) == (
        "301",
        "history of the topic: maps",
        "a summary: short",
    )


def test_a_list_that_would_begin_as_json_does_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "topics.txt"
    for topic in (Topic("{", '"'), Topic("{}", "lamps"), Topic("[[10]", "lamps")):
        with pytest.raises(DataError, match="begins the file as JSON does"):
            write_topic_lines([topic], path)
    listed = (Topic("7", "lamps"), Topic("{", '"'))
    write_topic_lines(listed, path)
    assert read_topics(path).listed == listed
