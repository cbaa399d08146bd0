"""Submissions in XML: FOL results, elements in a collection, tasks in any spelling, and what is refused."""

from __future__ import annotations

import re
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.formats.columns import shortened
from inexview.core.formats.readers import read_run
from inexview.core.formats.submission_xml import read_element_run, task_named
from inexview.core.judgements.elements import ElementRun, Locator
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Task
from inexview.core.text.spans import Spans
from tests.opened import opened_locator

FRAME = '<inex-submission participant-id="19" run-id="R" task="{task}">{topics}</inex-submission>'


def read(tmp_path, topics, task="Focused", **options):
    path = tmp_path / "run.xml"
    path.write_text(FRAME.format(task=task, topics=topics))
    return read_run(path, **options)


def result(inside, file="a", rank=None, rsv=None):
    rank = "" if rank is None else f"<rank>{rank}</rank>"
    rsv = "" if rsv is None else f"<rsv>{rsv}</rsv>"
    return f"<result><file> {file} </file>{inside}{rank}{rsv}</result>\n"


def fol(offset, length):
    return f'<fol offset="{offset}" length="{length}"/>'


def test_fol_results_are_read_by_rank_with_task_and_run_id(tmp_path):
    first, second = result(fol(0, 4), file="b.xml", rank=1), result(fol(5, 3), rank=2, rsv=0.5)
    topics = f'<topic topic-id="414">{second}{first}</topic>'
    run = read(tmp_path, topics, task=" Relevant In Context ")
    assert (run.id, run.task, run.topics) == ("R", Task.RELEVANT_IN_CONTEXT, ("414",))
    assert run.results("414") == [Result("414", "b", 1, None, 0, 4), Result("414", "a", 2, 0.5, 5, 8)]


def test_without_every_rank_the_order_is_that_of_the_file(tmp_path):
    topics = f'<topic topic-id="414">{result(fol(5, 3))}{result(fol(0, 4), file="b", rank=1)}</topic>'
    run = read(tmp_path, topics)
    assert [found.document for found in run.results("414")] == ["a", "b"]
    assert "run.xml:1: a result has no rank; its topic is ranked in file order" in run.warnings[0]


def test_scores_without_ranks_order_nothing_and_ranks_may_begin_anywhere(tmp_path):
    scored = result(fol(1, 1), rsv=0.1) + result(fol(2, 1), rsv=0.9)
    ranked = result(fol(3, 1), rank=7) + result(fol(4, 1), rank=0) + result(fol(5, 1), rank=7)
    run = read(tmp_path, f'<topic topic-id="1">{scored}</topic><topic topic-id="2">{ranked}</topic>')
    assert [found.start for found in run.results("1")] == [1, 2]
    assert [found.start for found in run.results("2")] == [4, 3, 5]
    assert run.warnings == ()


def test_text_around_the_results_is_skipped(tmp_path):
    topics = (
        '<topic-fields title="yes" castitle="no"/><description>two &amp; three</description>'
        "<collections><collection>wikipedia</collection></collections><topic topic-id=' 414 '>"
        "<collections><collection>ieee</collection></collections><!-- best -->"
        f"{result(fol(0, 4), file='co/2000/r7108')}</topic><topic topic-id='415'/>"
    )
    run = read(tmp_path, topics)
    assert run.results("414") == [Result("414", "co/2000/r7108", 1, None, 0, 4)]


def test_a_topic_without_results_is_left_out_of_the_mean(tmp_path):
    run = read(tmp_path, f'<topic topic-id="1">{result(fol(0, 4))}</topic><topic topic-id="2"/>')
    assert (run.topics, run.results("2")) == (("1",), [])
    judged = [Judgement(topic, "a", 4, 9, 0, Spans([(0, 4)])) for topic in ("1", "2")]
    scores = evaluate(Qrels.from_judgements(judged), run)[0]
    assert (scores.topics, scores.mean["MAiP"], scores.counts.topics_missing) == (("1",), 1, 1)


def test_a_topic_without_elements_is_not_in_the_run(tmp_path):
    path = tmp_path / "run.xml"
    topics = f'<topic topic-id="1"/><topic topic-id="2">{result("<path>/article[1]</path>")}</topic>'
    path.write_text(FRAME.format(task="CO.Thorough", topics=topics))
    assert read_element_run(path).topics == ("2",)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("Focused", Task.FOCUSED),
        ("CO.Focussed", Task.FOCUSED),
        ("RelevantInContext", Task.RELEVANT_IN_CONTEXT),
        (" bestincontext ", Task.BEST_IN_CONTEXT),
        ("COS.Thorough", Task.THOROUGH),
        (" co. THOROUGH ", Task.THOROUGH),
        ("Best In\tContext", Task.BEST_IN_CONTEXT),
        ("Thorough", Task.THOROUGH),
        ("something else", None),
        ("", None),
    ],
)
def test_tasks_are_known_in_every_spelling_seen(name, task):
    assert task_named(name) == task


ARTICLE = "<article><name>Tea</name><body><p>Green tea.</p><p>Black tea.</p></body></article>"


@pytest.fixture
def locate(tmp_path):
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "a.xml").write_text(ARTICLE)
    return opened_locator(tmp_path / "articles")


@pytest.mark.parametrize(
    ("inside", "span"),
    [
        ("<path>/article[1]/body[1]/p[2]</path>", (13, 23)),
        ('<passage start="/article[1]/body[1]/p[1]" end="/article[1]/body[1]/p[2]"/>', (3, 23)),
        ("<path>/article[1]</path>", (0, 23)),
        ("<path>/article[1]/name[1]</path><path>/article[1]/body[1]/p[1]</path>", (0, 13)),
        ("<in>x</in> <path>\n /article/body/p </path>", (3, 13)),
        (
            '<passage start="/article[1]/body[1]/p[1]/text()[1].6" '
            'end="/article[1]/body[1]/p[2]/text()[1].5"/>',
            (9, 18),
        ),
    ],
)
def test_elements_and_passages_between_them_are_found_in_the_collection(tmp_path, locate, inside, span):
    run = read(tmp_path, f'<topic topic-id="1">{result(inside)}</topic>', locate=locate)
    (found,) = run.results("1")
    assert (found.start, found.end) == span


def test_a_text_run_of_elements_is_looked_up_too(tmp_path, locate):
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 a 1 0.5 r /article[1]/body[1]/p[2]\n1 Q0 a 2 0.4 r /article[1]/body[1]/p[7]\n")
    run = read_run(path, locate=locate)
    assert [(found.start, found.end) for found in run.results("1")] == [(13, 23), (-1, -1)]
    assert "run.txt:2: a path matches nothing in the article" in run.warnings[0]
    with pytest.raises(DataError, match=r"run\.txt:1: names elements: give the articles with --collection"):
        read_run(path)


def test_elements_are_found_in_the_collection_where_no_locator_is_given(tmp_path):
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "a.xml").write_text("<article><p>Tea.</p></article>")
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 r /article[1]/p[1]\n")
    answers = f'<topic topic-id="1">{result("<path>/article[1]/p[1]</path>")}</topic>'
    with closing(Collection.open(tmp_path / "articles")) as collection:
        for run in (
            read_run(tmp_path / "run.txt", collection=collection),
            read(tmp_path, answers, collection=collection),
        ):
            assert (run.results("1")[0].start, run.results("1")[0].end) == (0, 4)


def test_an_element_found_only_without_the_wrappers_of_2009_is_warned_of(tmp_path):
    (tmp_path / "articles").mkdir()
    article = '<article><person wordnetid="1" confidence="0.8"><bdy>Tea.</bdy></person></article>'
    (tmp_path / "articles" / "a.xml").write_text(article)
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 r /article[1]/bdy[1]\n")
    run = read_run(tmp_path / "run.txt", locate=Locator(tmp_path / "articles"))
    assert (run.results("1")[0].start, run.results("1")[0].end) == (0, 4)
    assert "run.txt:1: a path matched only after skipping the semantic elements" in run.warnings[0]


def test_a_path_that_leads_to_nothing_is_an_unknown_passage_and_warned_of(tmp_path, locate):
    inside = "<path>/article[1]/body[1]/p[9]</path>"
    run = read(tmp_path, f'<topic topic-id="1">{result(inside)}</topic>', locate=locate)
    assert not run.results("1")[0].known
    (warning,) = run.warnings
    assert (
        "run.xml:1: a path matches nothing in the article: an unknown passage (a /article[1]/body" in warning
    )


def test_a_long_folder_does_not_hide_the_error():
    said = shortened("/" + "deep/" * 60 + "broken.xml:1:15: this is not well-formed XML")
    assert said.startswith("/deep/deep")
    assert said.endswith("broken.xml:1:15: this is not well-formed XML")
    assert len(said) == 240


@pytest.mark.parametrize(
    ("file", "said"),
    [("missing", "has no document 'missing'"), ("broken", "broken.xml:1:15: this is not well-formed XML")],
)
def test_an_article_that_cannot_be_read_is_warned_of_once_with_its_own_error(tmp_path, locate, file, said):
    (tmp_path / "articles" / "broken.xml").write_text("<article><p></article>")
    inside = "<path>/article[1]</path>"
    results = result(inside) + 2 * result(inside, file=file) + result(inside)
    run = read(tmp_path, f'<topic topic-id="1">{results}</topic>', locate=locate)
    assert [found.known for found in run.results("1")] == [True, False, False, True]
    (warning,) = run.warnings
    assert "run.xml:2: an article cannot be read; its passages are unknown" in warning
    assert said in warning


@pytest.mark.parametrize(
    ("topics", "error"),
    [
        (
            f'<topic topic-id="1">{result("<path>/article[1]</path>")}</topic>',
            ":1: names elements: give the articles",
        ),
        (f'<topic topic-id="1">{result("")}</topic>', ":1: the result has neither"),
        (
            f'<topic topic-id="1">{result(fol("12x", 3))}</topic>',
            ":1: field 'offset' = '12x': is not a number",
        ),
        (f'<topic topic-id="1">{result(fol(1, -3))}</topic>', ":1: field 'length' = '-3': is not a number"),
        (f'<topic topic-id="1">{result(fol(10**13, 3))}</topic>', ":1: field 'offset' = '10000000000000'"),
        (f'<topic topic-id="1">{result(fol(1, 3), rsv="NaN")}</topic>', ":1: field 'rsv' = 'NaN'"),
        (f'<topic topic-id="1">{result(fol(1, 3), file="")}</topic>', ":1: field 'file' = ''"),
        (f'<topic topic-id="1">{result(fol(1, 3))}{result(fol(4, 3), file="")}</topic>', "'file' = ''"),
        (f'<topic topic-id="1">{result(fol(1, 3), file="é" * 2049)}</topic>', "is longer than 4096 bytes"),
        ("<topic/>", ":1: a <topic> without a topic-id"),
        (
            f'<topic topic-id="1">{result(fol(1, 3))}</topic>\n<topic topic-id="1"/>',
            ":3: field 'topic-id' = '1': appears twice in the file",
        ),
        (f'<topic topic-id="1">{result(fol("9" * 5000, 3))}</topic>', ":1: field 'offset' = '9999"),
        (f'<topic topic-id="1">{result(fol(1, 3), rsv="1_0")}</topic>', ":1: field 'rsv' = '1_0'"),
        (f'<topic topic-id="1">{result(fol(1, 3), rank="NaN")}</topic>', ":1: field 'rank' = 'NaN'"),
        (f'<topic topic-id="1">{result(fol(1, 3), rank="9" * 5000)}</topic>', ":1: field 'rank' = '9999"),
        ("", "holds no <topic> with results"),
        (result(fol(1, 3)) + f'<topic topic-id="1">{result(fol(1, 3))}</topic>', ":1: a <result> outside of"),
        ('<topic topic-id="1">' + result('<passage start="/a"/>') + "</topic>", ":1: the result has neither"),
        ("<topic", "this is not well-formed XML"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_line_and_field(tmp_path, topics, error):
    with pytest.raises(DataError) as raised:
        read(tmp_path, topics)
    assert str(tmp_path / "run.xml") in str(raised.value)
    assert error in str(raised.value)


@pytest.mark.parametrize("offset", ["X", "-1"])
def test_a_passage_that_the_collection_does_not_hold_is_unknown_as_in_text(tmp_path, offset):
    run = read(tmp_path, f'<topic topic-id="1">{result(fol(offset, 0))}{result(fol(3, 4))}</topic>')
    assert [(found.start, found.end) for found in run.results("1")] == [(-1, -1), (3, 7)]


def test_a_topic_without_an_id_is_the_only_error(tmp_path):
    with pytest.raises(DataError) as raised:
        read(tmp_path, f"<topic>{result(fol(1, 2))}</topic>")
    assert str(raised.value).endswith("run.xml:1: a <topic> without a topic-id")


# Runs of elements, as submission XML and as text, and what is said about bad ones.

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
        (
            XML.replace("<path>/article[1]</path>", "", 1),
            ":4: field 'path' = '': the result is not an element",
        ),
        (XML.replace("<file>b</file>", ""), ":8: field 'file' = '': is not the name of a document"),
        (XML.replace('topic-id="203"', ""), ":7: a <topic> without a topic-id"),
        (XML.replace("</inex-submission>", ""), "ends before the first one is closed"),
        ("<inex-submission/>", "holds no <topic> with results"),
    ],
)
def test_unreadable_content_is_reported_with_file_and_line(tmp_path, text, said):
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
