"""What files say that nothing here uses is told once for each kind, with the first line."""

from __future__ import annotations

import pytest

from inexview.core.formats.assessment_xml import read_assessed
from inexview.core.formats.submission_xml import read_submission_content
from inexview.core.formats.topic_files import read_pool, read_topics

TOPICS = """<inex-topic-file>
<topic id="1" type="CO" ct_no="1"><title>otters <b>swim</b></title>
<mmtitle>src:1</mmtitle></topic>
<topic id="2" type="CO"><title>tea</title><mmtitle>src:2</mmtitle></topic>
<about>2009</about>
</inex-topic-file>
"""
ASSESSMENTS = """<assessments pool="7" topic="414" version="2">
<inex_topic topic_id="414"><title>tea</title><InitialTopicStatement>x</InitialTopicStatement></inex_topic>
<file collection="w" name="12" time="9"><best-entry-point path="/article[1]"/>
<passage start="/article[1]" end="/article[1]" size="28" colour="red"/>
<note>why</note><note>so</note></file>
</assessments>
"""
POOL = """<pool topic="7" depth="100"><file file="12345" collection="w"><element path="/article[1]"/>
<path path="/article[1]"/></file><file file="9" collection="w"/></pool>
"""
SUBMISSION = """<inex-submission run-id="R" task="Focused" participant-id="19">
<thanks>all</thanks>
<topic topic-id="414" time="3"><result><file>12</file><path>/article[1]</path><rank>1</rank>
<snippet>tea <b>is</b></snippet></result>
<result id="2"><file>12</file><fol offset="0" length="90" unit="c"/><rank>2</rank></result></topic>
</inex-submission>
"""


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (
            read_topics,
            TOPICS,
            [
                "2: the attribute 'type' of <topic> is ignored (2 times)",
                "3: <mmtitle> is ignored (2 times)",
                "5: <about> is ignored",
            ],
        ),
        (
            read_assessed,
            ASSESSMENTS,
            [
                "2: <InitialTopicStatement> is ignored",
                "3: the attribute 'time' of <file> is ignored",
                "4: the attribute 'colour' of <passage> is ignored",
                "5: <note> is ignored (2 times)",
            ],
        ),
        (
            read_pool,
            POOL,
            [
                "1: the attribute 'depth' of <pool> is ignored",
                "1: the attribute 'collection' of <file> is ignored (2 times)",
                "1: <element> is ignored",
            ],
        ),
        (
            read_submission_content,
            SUBMISSION,
            [
                "2: <thanks> is ignored",
                "3: the attribute 'time' of <topic> is ignored",
                "4: <snippet> is ignored",
                "4: <b> is ignored",
                "5: the attribute 'id' of <result> is ignored",
                "5: the attribute 'unit' of <fol> is ignored",
            ],
        ),
    ],
)
def test_each_kind_is_reported_once(tmp_path, read, text, told):
    path = tmp_path / "file.xml"
    path.write_text(text)
    assert list(read(path).warnings) == [f"{path}:{sentence}" for sentence in told]


def test_a_file_with_many_unknown_names_is_reported_in_few_lines(tmp_path):
    path = tmp_path / "pool.xml"
    path.write_text(
        '<pool topic="7">' + "".join(f"<x{at}/>" for at in range(500)) + '<file file="9"/></pool>'
    )
    warnings = read_pool(path).warnings
    assert len(warnings) == 21
    assert warnings[-1] == f"{path}:1: 480 more kinds of data ignored, from this line on"
