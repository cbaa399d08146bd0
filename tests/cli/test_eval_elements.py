"""`inexview eval ASSESSMENTS.xml RUN`: HiXEval and XCG of runs of elements."""

import csv
import io
import json

import pytest

from inexview.cli import main

ASSESSMENTS = """<assessments pool="1" topic="202">
<file collection="ieee" name="co/r1">
<element path="/article[1]" E="2" size="1,000" rsize="400"/>
<element path="/article[1]/bdy[1]" E="2" size="800" rsize="400"/>
<element path="/article[1]/bdy[1]/sec[1]" E="1" size="400" rsize="400"/>
</file>
<file collection="ieee" name="co/r2"/>
</assessments>
"""
RUN = """202 Q0 co/r1 1 0.9 R /article[1]/bdy[1]
202 Q0 co/r1 2 0.8 R /article[1]/bdy[1]/sec[1]
202 Q0 co/r2 3 0.7 R /article[1]
202 Q0 co/r9 4 0.6 R /article[1]
777 Q0 co/r9 1 0.6 R /article[1]
"""


@pytest.fixture
def files(tmp_path):
    assessments, run = tmp_path / "202.xml", tmp_path / "run.txt"
    assessments.write_text(ASSESSMENTS, encoding="utf-8")
    run.write_text(RUN, encoding="utf-8")
    return str(assessments), str(run)


def told(capsys):
    return json.loads(capsys.readouterr().out)


def test_xcg_of_a_run_worked_by_hand(files, capsys):
    # gen: article 0.8, bdy 1.0, sec 1.0; ideal (overlap on): sec, the deeper of equals, and nothing else
    arguments = ["eval", *files, "--task", "thorough", "-m", "nxCG[10]", "-m", "gr[10]", "-m", "MAep"]
    assert main([*arguments, "--format", "json"]) == 0
    run = told(capsys)["runs"][0]
    assert run["mean"] == {"nxCG[10]": 1.0, "gr[10]": 1.0, "MAep": 1.0}
    # overlap off: ideal 1.0, 1.0, 0.8, the run gains 1.0, 1.0, 0, 0
    assert main([*arguments, "--format", "json", "--alpha", "0"]) == 0
    run = told(capsys)["runs"][0]
    assert run["mean"] == pytest.approx({"nxCG[10]": 2 / 2.8, "gr[10]": 2 / 2.8, "MAep": 2 / 3})
    assert run["topics"]["202"]["Aep"] == pytest.approx(2 / 3)


def test_the_quantisation_can_be_chosen_and_is_printed(files, capsys):
    arguments = ["eval", *files, "-m", "gr[10]", "--alpha", "0", "--quantisation", "genLifted"]
    assert main([*arguments, "--format", "json"]) == 0
    said = told(capsys)
    assert said["parameters"]["quantisation"] == "genLifted"
    # (e + 1)·s: article 1.2, bdy 1.5, sec 2
    assert said["runs"][0]["mean"]["gr[10]"] == pytest.approx(3.5 / 4.7)


def test_the_table_says_that_xcg_is_reconstructed(files, capsys):
    for format in ("table", "latex"):
        assert main(["eval", *files, "-m", "MAep", "--format", format]) == 0
        out = capsys.readouterr().out
        alpha = "α" if format == "table" else r"$\alpha$"
        assert f"Aep: XCG, reconstructed from the paper; quantisation gen, overlap on, {alpha} = 1" in out


def test_hixeval_is_the_default(files, capsys):
    assert main(["eval", *files, "--format", "json"]) == 0
    said = told(capsys)
    assert said["preset"] == "hixeval2005"
    run = said["runs"][0]
    # rval: 400 of 800 new, then nothing new
    assert run["mean"]["P@10"] == pytest.approx(0.5 / 10)
    assert run["mean"]["R@10"] == 1.0
    assert run["mean"]["MAP"] == pytest.approx(0.5)
    assert run["mean"]["iMAP"] == pytest.approx(0.5)


def test_the_counts_are_those_of_documents_and_judged_elements(files, capsys):
    assert main(["eval", *files, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    counts = json.loads(out)["runs"][0]["counts"]
    assert counts["num_q"] == counts["topics_judged"] == counts["topics_ignored"] == 1
    assert (counts["num_ret"], counts["num_rel"], counts["num_rel_ret"], counts["unjudged"]) == (3, 1, 1, 1)
    assert (counts["ret_size"], counts["rel_size"], counts["rel_ret_size"]) == (800, 400, 400)
    assert counts["results"] == 4
    assert "1 topic was not judged (777)" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "iP[0.01]"], "there is no measure 'iP'"),
        (
            ["--task", "best-in-context"],
            "score the tasks thorough, focused, fetch-browse, not best-in-context",
        ),
        (["--quantisation", "strict", "--alpha", "2"], "alpha = 2.0"),
    ],
)
def test_invalid_settings_exit_2(files, capsys, arguments, said):
    assert main(["eval", *files, *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_run_of_passages_is_no_run_of_elements(files, tmp_path, capsys):
    passages = tmp_path / "passages.txt"
    passages.write_text("202 Q0 co/r1 1 0.9 R 0 100\n", encoding="utf-8")
    assert main(["eval", files[0], str(passages)]) == 2
    assert f"{passages}:1: has 8 fields where a run of elements has 7" in capsys.readouterr().err


def test_xcg_needs_assessments_of_elements(tmp_path, capsys):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 Q0 d 10 20 0 0:10\n", encoding="utf-8")
    run.write_text("1 Q0 d 1 1.0 R 0 10\n", encoding="utf-8")
    assert main(["eval", str(qrels), str(run), "--task", "thorough", "-m", "nxCG[10]"]) == 2
    assert "nxCG needs judged elements: give assessment XML" in capsys.readouterr().err


def test_runs_of_elements_can_be_compared(files, tmp_path, capsys):
    other = tmp_path / "other.txt"
    other.write_text(RUN.replace("bdy[1]/sec[1]", "fm[1]").replace(" R ", " S "), encoding="utf-8")
    assert main(["compare", *files, str(other), "-m", "MAep", "--alpha", "0", "--format", "json"]) == 0
    assert told(capsys)["measures"]["MAep"]["means"] == pytest.approx([2 / 3, 1 / 3])


def test_with_the_articles_the_passages_of_assessments_are_judged(tmp_path, capsys):
    articles = tmp_path / "articles"
    articles.mkdir()
    (articles / "12.xml").write_text(
        "<article><p>Otters swim.</p><p>Stones sink.</p></article>", encoding="utf-8"
    )
    assessments, run = tmp_path / "414.xml", tmp_path / "run.txt"
    assessments.write_text(
        '<assessments topic="414"><file collection="wikipedia" name="12">'
        '<best-entry-point path="/article[1]/p[1]"/>'
        '<passage start="/article[1]/p[1]" end="/article[1]/p[1]" size="12"/>'
        '<element path="/article[1]" exhaustivity="2" size="24" rsize="12"/></file></assessments>',
        encoding="utf-8",
    )
    run.write_text("414 Q0 12 1 1.0 R 6 12\n", encoding="utf-8")
    arguments = ["eval", str(assessments), str(run), "--task", "focused", "-m", "P[1]", "-m", "R[1]"]
    assert main([*arguments, "--collection", str(articles), "--format", "json"]) == 0
    assert told(capsys)["runs"][0]["mean"] == {"P[1]": 0.5, "R[1]": 0.5}
    agree = ["agree", str(assessments), str(assessments), "--format", "json"]
    assert main(agree) == 0
    assert "elements" in told(capsys)["overall"]
    assert main([*agree, "--collection", str(articles)]) == 0
    assert told(capsys)["overall"]["characters"]["both"] == 12
    # Without its elements nothing is left to score by: all was 0, and no one said why.
    assessments.write_text("\n".join(assessments.read_text().split("<element")[:1]) + "</file></assessments>")
    assert main([*arguments, "--collection", str(articles)]) == 0
    capsys.readouterr()
    for command in (arguments, agree, ["describe", str(assessments)]):
        assert main(command) == 2
        assert "marks passages, not elements: give the articles with" in capsys.readouterr().err


def test_a_run_of_elements_is_explained_with_what_each_element_adds(files, capsys):
    arguments = ["explain", *files, "--topic", "202", "-m", "nxCG[10]", "-m", "MAep", "--alpha", "0"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "= Σ xG up to rank 10 / Σ xI up to rank 10" in said
    assert "= 2 / 2.8000 = 0.7143" in said
    first, second = (line.split() for line in said.splitlines() if line.split()[1:2] == ["co/r9"])
    assert first[2] == second[2] == "/article[1]"
    assert float(first[-1]) == pytest.approx(2 / 2.8, abs=1e-4), "it is of no use, and does no harm"
    assert main([*arguments, "--format", "csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {line["element"] for line in lines if line["document"] == "co/r9"} == {"/article[1]"}
    assert {line["measure"] for line in lines} == {"nxCG[10]", "Aep"}
    assert main([*arguments, "--doc", "co/r1"]) == 0
    assert "co/r9" not in capsys.readouterr().out
    assert main([*arguments, "--doc", "nowhere"]) == 2
    assert "neither judged nor retrieved" in capsys.readouterr().err


def test_grades_without_characters_are_scored_shown_and_compared_by_xcg(tmp_path, capsys):
    """Assessments of 2003 have no HiXEval, which the preset's table is of."""
    (tmp_path / "judged.xml").write_text(
        '<assessments pool="1" topic="91"><file file="co/r7108">'
        '<path path="/article[1]" exhaustiveness="2" specificity="1"/>'
        '<path path="/article[1]/bdy[1]" exhaustiveness="3" specificity="3"/></file></assessments>'
    )
    for name, path in (("deep", "/article[1]/bdy[1]"), ("whole", "/article[1]")):
        (tmp_path / f"{name}.xml").write_text(
            f'<inex-submission run-id="{name}" task="CO"><topic topic-id="91"><result><file>co/r7108</file>'
            f"<path>{path}</path></result></topic></inex-submission>"
        )
    files = [str(tmp_path / f"{name}.xml") for name in ("judged", "deep", "whole")]
    assert main(["eval", *files, "--task", "thorough"]) == 0
    out = capsys.readouterr().out
    assert "nxCG[10]" in out
    assert "characters" not in out
    assert main(["compare", *files, "--task", "thorough"]) == 0
    assert "nxCG[10] on 1 topic" in capsys.readouterr().out
