"""Runs of elements, as submission XML and as text, and what is said about bad ones."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError
from inexview.core.formats.submission_xml import read_element_run
from inexview.core.judgements.elements import ElementRun
from inexview.core.judgements.runs import Task

XML = """<?xml version="1.0"?>
<inex-submission participant-id="19" run-id="R1" task=" CO.Thorough ">
 <topic topic-id="202">
  <result><file>co/2000/r7108</file><path>/article[1]</path><rank>2</rank><rsv>0.4</rsv></result>
  <result><file>co/2000/r7108.xml</file><path>/article[1]/bdy</path><rank>1</rank><rsv>0.5</rsv></result>
 </topic>
 <topic topic-id="203">
  <result><file>b</file><path>/article[1]</path><rsv>0.1</rsv></result>
  <result><file>a</file><path>/article[1]</path><rank>1</rank></result>
 </topic>
</inex-submission>
"""
TEXT = "202 Q0 co/1 1 0.5 R1 /article[1]/bdy[1]\r\n\r\n202 Q0 co/1 2 0.4 R1 /article[1]\r\n"


def written(tmp_path, text, name="run.txt"):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_submission_xml_is_ranked_by_rank_where_every_result_has_one(tmp_path):
    run = read_element_run(written(tmp_path, XML))
    assert (run.id, run.task, run.topics) == ("R1", Task.THOROUGH, ("202", "203"))
    assert run.rankings["202"] == (("co/2000/r7108", "/article[1]/bdy[1]"), ("co/2000/r7108", "/article[1]"))
    assert run.rankings["203"] == (("b", "/article[1]"), ("a", "/article[1]"))


def test_text_is_ranked_as_it_stands(tmp_path):
    run = read_element_run(written(tmp_path, TEXT))
    assert (run.id, run.task) == ("R1", None)
    assert run.rankings == {"202": (("co/1", "/article[1]/bdy[1]"), ("co/1", "/article[1]"))}


def test_a_run_without_a_name_is_called_as_its_file(tmp_path):
    text = XML.replace('run-id="R1"', "").replace(" CO.Thorough ", "SSCAS")
    run = read_element_run(written(tmp_path, text, "mine.xml"))
    assert (run.id, run.task) == ("mine", None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("202 Q0 d 1 0.5 R1 17 30\n", ":1: has 8 fields where a run of elements has 7"),
        ("202 Q0 d 1 0.5 R1 17\n", ":1: field 'path' = '17': is not the path of an element"),
        ("202 Q0 d 1 nan R1 /a\n", ":1: field 'rsv' = 'nan': is not a finite number"),
        (f"202 Q0 d 1 1 R1 {'/a' * 300}\n", ":1: field 'path' = '/a/a"),
        ("\n \n", "holds no result"),
        ("", "holds no result"),
        (XML.replace("<path>/article[1]</path>", "", 1), ":4: field 'path' = '': the result is no element"),
        (XML.replace("<file>b</file>", ""), ":8: field 'file' = '': is not the name of a document"),
        (XML.replace('topic-id="203"', ""), ":7: a <topic> without a topic-id"),
        (XML.replace("</inex-submission>", ""), "ends before the first one is closed"),
        ("<inex-submission/>", "holds no <topic> with results"),
    ],
)
def test_what_cannot_be_read_is_said_with_file_and_line(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(DataError, match=re.escape(said)) as caught:
        read_element_run(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"absent\.txt"):
        read_element_run(tmp_path / "absent.txt")


@given(st.text() | st.tuples(st.sampled_from([XML, TEXT]), st.integers(0, 400), st.text(max_size=4)))
def test_whatever_a_file_holds_it_is_read_or_refused_with_its_name(tmp_path_factory, noise):
    if isinstance(noise, tuple):  # a real run with something in it overwritten
        run, at, inserted = noise
        noise = run[:at] + inserted + run[at + len(inserted) :]
    path = tmp_path_factory.getbasetemp() / "noise.run"
    path.write_bytes(noise.encode("utf-8", "surrogatepass"))
    try:
        got = read_element_run(path)
    except DataError as error:
        got = error
    assert got.rankings if isinstance(got, ElementRun) else "noise.run" in str(got)
