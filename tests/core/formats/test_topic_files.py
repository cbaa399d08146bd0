"""Topic files of both grammars, and what is wrong with them in the wild."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.formats.topic_files import read_topics
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
