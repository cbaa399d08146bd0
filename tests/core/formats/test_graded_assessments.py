"""Assessments of 2002–04: two grades of 0 … 3 for each element."""

import json

import pytest

from inexview import DataError
from inexview.cli import main
from inexview.core.formats.assessment_xml import read_assessed
from inexview.core.measures.elements import QUANTISATIONS

OF_2003 = """<assessments pool="1" topic="61"><file file="co/2000/r7108">
<path path="/article[1]/bdy[1]/sec[2]" exhaustiveness="3" specificity="3"/>
<path path="/article[1]" exhaustiveness="3" specificity="1"/>
<path path="/article[1]/fm[1]" exhaustiveness="0" specificity="0"/></file>
<file file="co/2000/r7109"/></assessments>"""
RUN = """<inex-submission run-id="r" task="Thorough"><topic topic-id="61">
<result><file>co/2000/r7108</file><path>/article[1]/bdy[1]/sec[2]</path></result>
<result><file>co/2000/r7108</file><path>/article[1]</path></result></topic></inex-submission>"""


def test_grades_are_read_and_what_is_not_relevant_is_left_out(tmp_path):
    path = tmp_path / "61.xml"
    path.write_text(OF_2003)
    qrels = read_assessed(path).elements()
    documents = qrels.documents("61")
    assert qrels.graded
    assert list(documents) == ["co/2000/r7108", "co/2000/r7109"]
    section, article = documents["co/2000/r7108"].values()
    assert [QUANTISATIONS["strict"](one) for one in (section, article)] == [1, 0]
    assert [QUANTISATIONS["gen"](one) for one in (section, article)] == pytest.approx([1, 3 / 9])


def test_coverage_of_2002_is_read_as_specificity_with_a_warning(tmp_path):
    path = tmp_path / "1.xml"
    path.write_text(
        '<assessments topic="1"><file file="a"><element path="/article[1]" relevance="2" coverage="L"/>'
        '<element path="/article[1]/p[1]" relevance="3" coverage="E"/></file></assessments>'
    )
    qrels = read_assessed(path).elements()
    assert [(e.exhaustivity, e.rsize) for _, e in qrels.elements("1")] == [(2, 2), (3, 3)]
    assert "coverage is read as specificity" in qrels.warnings[0]


@pytest.mark.parametrize(
    "wrong", ['exhaustiveness="4" specificity="1"', 'exhaustiveness="2" specificity="x"']
)
def test_other_grades_are_refused_with_their_line(tmp_path, wrong):
    path = tmp_path / "1.xml"
    path.write_text(
        f'<assessments topic="1"><file file="a">\n<path path="/article[1]" {wrong}/></file></assessments>'
    )
    with pytest.raises(DataError, match=r"1\.xml:2: .*expected a grade of 0, 1, 2 or 3"):
        read_assessed(path).elements()


def test_they_are_scored_by_cumulated_gain_and_not_by_characters(tmp_path, capsys):
    (tmp_path / "61.xml").write_text(OF_2003)
    (tmp_path / "run.xml").write_text(RUN)
    files = [str(tmp_path / "61.xml"), str(tmp_path / "run.xml")]
    assert main(["eval", *files, "--alpha", "0", "--format", "json"]) == 0
    mean = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
    assert mean["nxCG[10]"] == 1
    assert main(["eval", *files, "-m", "P@10"]) == 2
    assert "there is no measure 'P'" in capsys.readouterr().err
    assert main(["eval", *files]) == 0
    assert "(e·s)/9" in capsys.readouterr().out


def test_a_form_with_sizes_cannot_hold_them(tmp_path, capsys):
    (tmp_path / "61.xml").write_text(OF_2003)
    to = str(tmp_path / "out.xml")
    arguments = ["convert", str(tmp_path / "61.xml"), to, "--to", "assessments-2007", "--lossy"]
    assert main(arguments) == 2
    assert (
        "says grades of 0 to 3 and no sizes, as assessments-2007 needs; it can become "
        in capsys.readouterr().err
    )


def test_they_are_described_and_compared_by_their_own_grades(tmp_path, capsys):
    path = tmp_path / "61.xml"
    path.write_text(OF_2003)
    assert main(["describe", str(path), "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["elements"] == {"E3 S1": 1, "E3 S3": 1}
    assert said["spreads"]["characters of a relevant element"]["mean"] is None
    assert main(["agree", str(path), str(path)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("both: E3")]
    assert row.split()[2:6] == ["2", "2", "2", "2"]
