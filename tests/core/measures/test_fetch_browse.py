"""Fetch and browse, and target elements: by hand, and from the files to the figures."""

import json

import pytest
from hypothesis import given

from inexview import DataError, evaluate
from inexview.cli import main
from inexview.core.judgements.castitle import target_tags
from tests.core.oracles import characters, size_of
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of, together


@given(judged_documents(), rankings())
def test_each_article_is_scored_alone_and_averaged(judged, ranking):
    ranking = together(ranking)
    scores = evaluate(
        qrels_of({"1": judged}),
        run_of({"1": ranking}),
        task="fetch-browse",
        measures=["clusterP@1", "clusterP@3", "clusterR@3"],
    )[0].topic("1")
    precisions, recalls = [], []
    for document in dict.fromkeys(document for document, _, _ in ranking):
        own = [(start, size) for other, start, size in ranking if other == document]
        marked = judged[document][3] if document in judged and judged[document][0] > 0 else set()
        seen, shares, found = set(), [], 0
        for start, size in own:
            new = (characters(start, size) & marked) - seen
            seen |= characters(start, size)
            found += len(new)
            shares.append(len(new) / size_of(start, size) if size_of(start, size) else 0)
        precisions.append(sum(shares) / len(shares))
        recalls.append(found / judged[document][0] if marked else 0)
    assert scores["clusterP@1"] == pytest.approx(precisions[0])
    assert scores["clusterP@3"] == pytest.approx(sum(precisions[:3]) / 3)
    assert scores["clusterR@3"] == pytest.approx(sum(recalls[:3]) / 3)


def test_articles_stand_together():
    run = run_of({"1": [("a", 0, 2), ("b", 0, 2), ("a", 5, 2)]})
    with pytest.raises(DataError, match="document a is apart"):
        evaluate(qrels_of({"1": {"a": (2, 9, 0, {0, 1})}}), run, task="fetch-browse")


QRELS = """<assessments topic="1"><file name="a"><element path="/article[1]" E="2" size="100" rsize="60"/>
<element path="/article[1]/sec[1]" E="2" size="50" rsize="50"/>
<element path="/article[1]/sec[2]" E="1" size="40" rsize="10"/></file></assessments>"""


def run_xml(task, *paths):
    results = "".join(f"<result><file>a</file><path>{path}</path></result>" for path in paths)
    return (
        f'<inex-submission run-id="r" task="{task}"><topic topic-id="1">{results}</topic></inex-submission>'
    )


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.xml").write_text(QRELS)
    (tmp_path / "topics.xml").write_text(
        '<inex_topic topic_id="1" query_type="CAS" ct_no="1"><castitle>//article[about(., a)]'
        "//sec[about(., b)]</castitle></inex_topic>"
    )
    return tmp_path


def means(capsys, *arguments):
    assert main(["eval", *map(str, arguments), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["runs"][0]["mean"]


def test_a_run_for_fetch_and_browse_is_scored_by_its_articles(files, capsys):
    (files / "run.xml").write_text(run_xml("CO.FetchBrowse", "/article[1]/sec[1]", "/article[1]/sec[2]"))
    found = means(capsys, files / "qrels.xml", files / "run.xml")
    assert found["clusterP@1"] == pytest.approx((1 + 10 / 40) / 2)
    assert found["clusterR@1"] == 1


def test_strict_targets_leave_other_elements_out_of_judgements_and_run(files, capsys):
    (files / "run.xml").write_text(run_xml("VVCAS", "/article[1]", "/article[1]/sec[1]"))
    vague = means(capsys, files / "qrels.xml", files / "run.xml", "-m", "P@10", "-m", "R@10")
    assert vague["R@10"] == 1
    strict = means(
        capsys,
        files / "qrels.xml",
        files / "run.xml",
        "--strict-targets",
        files / "topics.xml",
        *("-m", "P@10", "-m", "R@10"),
    )
    assert strict == pytest.approx({"P@10": 1 / 10, "R@10": 50 / 60})


def test_a_strict_task_is_refused_until_its_targets_are_given(files, capsys):
    (files / "run.xml").write_text(run_xml("CAS.SSCAS", "/article[1]", "/article[1]/sec[1]"))
    given = [str(files / "qrels.xml"), str(files / "run.xml")]
    assert main(["eval", *given]) == 2
    assert "the task 'CAS.SSCAS' counts only elements that" in capsys.readouterr().err
    assert means(capsys, *given, "--strict-targets", files / "topics.xml", "-m", "P@10") == {"P@10": 1 / 10}


@pytest.mark.parametrize(
    ("castitle", "tags"),
    [
        ("//article[about(.//fm//au, x) and about(., y)]", {"article"}),
        ("//article[.//yr > 1999]//abs[about(., [x])]", {"abs"}),
        ("", set()),
    ],
)
def test_the_target_is_the_last_step_of_the_castitle(castitle, tags):
    assert target_tags(castitle) == tags
