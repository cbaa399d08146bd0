"""Files of other tools are called by their names, and what is read is not taken for one of them."""

from __future__ import annotations

import pytest

from inexview.core.formats.text_files import beginning_of, foreign_name
from tests.core.contents import SAMPLES

FOREIGN = [
    ("10 d1 0 1 0.1659\n10 d2 1 2 1\n", "prels"),
    ("10 GX1 0 -1 .5\n", "prels"),
    ("1 1 2 d 1\n1 1 2 e 0.5\n", "preference judgements"),
    ("T1\tRelevant 4 8;12 15\tquay old\nR1\tPart Arg1:T1 Arg2:T2\nA1\tSure T1\n", "brat"),
    (
        "#FORMAT=WebAnno TSV 3.3\n\n#Text=A quay\n1-1\t0-1\tA\t_\t\n1-2\t2-6\tquay\tX\t\n",
        "WebAnno",
    ),
    ("2 qid:10 1:0.5 2:1\n0 qid:10 1:0.25 2:0 # d\n", "LETOR"),
    ("1\td1\thow old\tthe quay is old\n", "candidates of MS MARCO"),
    ('{"qid": "1", "nuggets": []}', "nuggets"),
    ('{"query": "q", "passage": "p", "judgment": 2}', "UMBRELA"),
    ('{"_id": "1", "title": "Oil", "text": "Oil is pressed"}', "a collection of BEIR"),
    ("user_input,retrieved_contexts,response\n", "Ragas"),
    ('{"judgmentRatings": []}', "OpenSearch"),
    ("<inex-snippet-submission><topic topic-id='1'/></inex-snippet-submission>", "snippet submission"),
    ("<xmi:XMI xmlns:xmi='http://www.omg.org/XMI'/>", "XMI"),
    ("<collection><source>x</source><document><infon/></document></collection>", "BioC"),
]


@pytest.mark.parametrize(("text", "name"), FOREIGN, ids=[name for _, name in FOREIGN])
def test_a_file_of_another_tool_is_called_by_its_name(tmp_path, text, name):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    assert name in (foreign_name(beginning_of(path)) or "")


OURS = [
    *SAMPLES.values(),
    '{"hits": {"d1": 1.5}, "root": {"d2": 1}}',  # topics of these names
    '{"1": {"a": 1}}',
    '{"_id": "1", "text": "how is oil stored"}',
    "1 0 a 1 0.5\n",  # with the confidence of a judge
    "1 0 7 1\n",
    "1 Q0 d 0 9\n1 Q0 e 1 9 1 1:1\n",
    "T1 Q0 d 1 2.5 r\n",
    "301\tA title of some words\n",
]


@pytest.mark.parametrize("text", OURS)
def test_recognised_files_are_not_reported_as_foreign(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    assert foreign_name(beginning_of(path)) is None
