"""Fetch and browse, and target elements: by hand, and from the files to the figures."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, evaluate
from inexview.cli import main
from inexview.core.evaluation.evaluate import score_element_run
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.formats.submission_xml import task_named
from inexview.core.judgements.elements import ElementJudgement, ElementQrels, ElementRun
from inexview.core.judgements.subsets import Subset
from inexview.core.judgements.topics import Topic, target_tags, targets_of
from inexview.core.measures.measure import parse
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
    with pytest.raises(DataError, match="document a is not next to"):
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


ELEMENTS = {
    "/article[1]": range(40),
    "/article[1]/bdy[1]": range(4, 40),
    "/article[1]/bdy[1]/sec[1]": range(4, 20),
    "/article[1]/bdy[1]/sec[1]/p[1]": range(4, 9),
    "/article[1]/bdy[1]/sec[1]/ss1[1]": range(10, 20),
    "/article[1]/bdy[1]/sec[1]/ss1[1]/ip1[1]": range(12, 17),
    "/article[1]/bdy[1]/sec[2]": range(21, 40),
    "/article[1]/bdy[1]/sec[2]/p[1]": range(22, 30),
}
TARGETS = {
    "//article//sec[about(., b)]": {"sec", "ss1"},
    "//article[about(., a)]//(bdy|p)": {"bdy", "p", "ip1"},
}


@pytest.mark.parametrize("task", ["SSCAS", "CO.SVCAS", "VSCAS", "CAS.VVCAS"])
@given(
    marked=st.dictionaries(st.sampled_from("abc"), st.sets(st.integers(0, 39)), min_size=1),
    ranking=st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(sorted(ELEMENTS))), max_size=9, unique=True
    ),
    castitle=st.sampled_from(sorted(TARGETS)),
)
def test_each_task_of_2005_counts_only_its_targets(task, marked, ranking, castitle):
    """HiXEval by characters: the first letter of the task decides what counts, the second one nothing."""
    strict = task.rpartition(".")[2].startswith("S")

    def counts(path):
        return not strict or path.rpartition("/")[2].partition("[")[0] in TARGETS[castitle]

    judged = {
        document: {path: own for path, own in ELEMENTS.items() if marks & {*own}}
        for document, marks in marked.items()
    }
    qrels = ElementQrels(
        (
            "1",
            document,
            [ElementJudgement(p, 2, len(own), len({*own} & marked[document])) for p, own in there.items()],
        )
        for document, there in judged.items()
    )
    run = ElementRun(
        "r", {"1": tuple(ranking)}, task_named(task), unknown_task="" if task_named(task) else task
    )
    subset = Subset(targets=targets_of([Topic("1", castitle=castitle)]) if strict else None)
    settings = ScoringSettings(measures=(parse("P@3"), parse("R@3"), parse("MAP")))
    scores = score_element_run(subset.of_elements(qrels), subset.of_element_run(run), settings)
    there = {
        (d, at) for d, own in judged.items() for p, e in own.items() if counts(p) for at in {*e} & marked[d]
    }
    seen, shares, found = set(), [], []
    for document, path in ranking:
        if counts(path):
            here = {(document, at) for at in ELEMENTS[path]} & there
            shares.append(len(here - seen) / len(ELEMENTS[path]))
            seen |= here
            found.append(len(seen))
    precisions = [sum(shares[:r]) / r for r in range(1, len(shares) + 1)]
    gaining = [p for p, share in zip(precisions, shares, strict=True) if share > 0]
    recall = found[-1] / len(there) if there and found else 0
    own = scores.topic("1")
    assert own["P@3"] == pytest.approx(sum(shares[:3]) / 3)
    assert own["R@3"] == pytest.approx(found[:3][-1] / len(there) if there and found else 0)
    assert own["AP"] == pytest.approx(sum(gaining) / len(gaining) * recall if gaining else 0)


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
