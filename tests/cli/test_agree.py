"""`inexview agree`: the tables of HiXEval §2.2, in every format, and what is said about bad input."""

import csv
import io
import json
from types import SimpleNamespace

import pytest

from inexview.cli import main
from inexview.cli.tables import Table
from inexview.core.project.project import Project
from tests.projects import TOPIC, make_project

A = "1 Q0 x 30 100 0 0:30\n1 Q0 y 0 50\n1 Q0 z 0 50\n7 Q0 x 0 100\n"
B = "1 Q0 x 40 100 24 20:40\n1 Q0 y 10 50 5 0:10\n2 Q0 x 0 100\n"
ELEMENTS = """<assessments topic="202"><file collection="ieee" name="co/r1">
<element path="/article[1]" E="{grade}" size="1,000" rsize="400"/></file></assessments>"""


@pytest.fixture
def files(tmp_path):
    a, b = tmp_path / "a.qrels", tmp_path / "b.qrels"
    a.write_text(A, encoding="utf-8")
    b.write_text(B, encoding="utf-8")
    return str(a), str(b)


def test_the_table_shows_all_topics_and_each(files, capsys):
    assert main(["agree", *files]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "all topics         A   B   ∩   ∪     ∩/∪       κ  mean ∩/∪  mean κ",
        "documents judged   3   2   2   3  0.6667       –         –       –",
        "documents          1   2   1   2  0.5000  0.0000    0.5000  0.0000",
        "S1                 1   1   0   2  0.0000       –    0.0000       –",
        "S2                 0   1   0   1  0.0000       –    0.0000       –",
        "S3                 0   0   0   0       –       –         –       –",
        "characters        30  50  10  70  0.1429  0.0000    0.1429  0.0000",
        "",
        "grades  judged by both        κ  κ linear  κ quadratic",
        "S                    2  -0.3333    0.0000       0.3333",
        "",
        "topic  judged by both  documents      S1      S2  S3  characters       κ  BEPs apart (median)",
        "1                   2     0.5000  0.0000  0.0000   –      0.1429  0.0000                   24",
        "all                 2     0.5000  0.0000  0.0000   –      0.1429  0.0000                   24",
    ]
    assert "only A judged 1 topic (7); left out" in err
    assert "only B judged 1 topic (2); left out" in err


def test_projects_agree_as_the_qrels_that_they_export(tmp_path, capsys):
    exported, projects = [], []
    for name, passages in (("ada", [(0, 9), (20, 30)]), ("ben", [(4, 25)])):
        path = make_project(tmp_path / name)
        with Project.open(path) as project:
            for start, end in passages:
                project.mark(TOPIC, "d1", start, end)
            project.set_bep(TOPIC, "d1", passages[0][0])
            project.finish(TOPIC, "d1")
            project.not_relevant(TOPIC, "d2")
            project.mark(TOPIC, "d3", 0, 5)
        out = tmp_path / f"{name}.qrels"
        main(["export", str(path), "-o", str(out), "--to", "fol-qrels", "--lossy"])
        exported.append(str(out))
        projects.append(str(path))
    capsys.readouterr()
    assert main(["agree", *exported]) == 0
    expected = capsys.readouterr().out
    assert "documents judged   2   2   2" in expected
    for given in (projects, [projects[0], exported[1]]):
        assert main(["agree", *given]) == 0
        out, err = capsys.readouterr()
        assert out == expected
        assert f"{projects[0]}: 2 documents not finished; left out" in err
    assert main(["agree", *projects, exported[0]]) == 0


def test_json_holds_every_count(files, capsys):
    assert main(["agree", *files, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["only_a"], told["only_b"]) == (["7"], ["2"])
    assert told["topics"]["1"]["characters"] == {
        "a": 30, "b": 50, "both": 10, "either": 70, "neither": 80, "overlap": 10 / 70, "kappa": 0.0,
    }  # fmt: skip
    assert told["overall"]["S3"]["overlap"] is None
    assert told["overall"]["entry_distances"] == {"documents": 1, "median": 24.0}


@pytest.mark.parametrize(("format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_csv_and_tsv_are_a_line_for_each_topic_and_thing_with_all_digits(files, capsys, format, delimiter):
    assert main(["agree", *files, "--format", format]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter=delimiter))
    (characters,) = [row for row in rows if (row["topic"], row["what"]) == ("1", "characters")]
    assert float(characters["overlap"]) == 10 / 70
    (nothing,) = [row for row in rows if (row["topic"], row["what"]) == ("all", "S3")]
    assert nothing["overlap"] == ""


def test_latex_is_tabulars(files, capsys):
    assert main(["agree", *files, "--format", "latex"]) == 0
    out = capsys.readouterr().out
    assert out.count(r"\begin{tabular}") == out.count(r"\end{tabular}") == 3
    assert r"$\cap$/$\cup$" in out


def test_assessments_of_elements_are_compared_by_element_and_grade(tmp_path, capsys):
    paths = []
    for name, grade in (("a.xml", "1"), ("b.xml", "2")):
        path = tmp_path / name
        path.write_text(ELEMENTS.format(grade=grade), encoding="utf-8")
        paths.append(str(path))
    assert main(["agree", *paths, "--format", "json"]) == 0
    overall = json.loads(capsys.readouterr().out)["overall"]
    assert overall["elements"]["overlap"] == 1
    assert overall["E1"] == {
        "a": 1, "b": 0, "both": 0, "either": 1, "neither": None, "overlap": 0.0, "kappa": None,
    }  # fmt: skip
    assert overall["S2"]["both"] == 1
    assert "characters" not in overall
    assert main(["agree", *paths]) == 0
    assert "BEP" not in capsys.readouterr().out


def test_elements_and_passages_cannot_be_compared(files, tmp_path, capsys):
    path = tmp_path / "a.xml"
    path.write_text(ELEMENTS.format(grade="1"), encoding="utf-8")
    assert main(["agree", files[0], str(path)]) == 2
    assert "one assessor judged elements and the other passages" in capsys.readouterr().err


def test_no_topic_in_common_is_a_problem_and_says_so(tmp_path, files, capsys):
    other = tmp_path / "c.qrels"
    other.write_text("9 Q0 x 0 100\n", encoding="utf-8")
    assert main(["agree", files[0], str(other)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "no topic in common" in err


@pytest.mark.parametrize("missing", [0, 1])
def test_a_file_that_is_not_there_is_named(files, capsys, missing):
    given = list(files)
    given[missing] += "-absent"
    assert main(["agree", *given]) == 2
    assert given[missing] in capsys.readouterr().err


def test_documents_relevant_without_passages_are_reported_as_left_out(tmp_path, files, capsys):
    bare = tmp_path / "bare.qrels"
    bare.write_text("1 Q0 x 30 100\n", encoding="utf-8")
    assert main(["agree", files[0], str(bare)]) == 0
    assert "1 document relevant without passages" in capsys.readouterr().err


def test_a_table_escapes_what_latex_would_take_for_commands():
    table = Table(("run_id", "P@10 %"), [("a&b\\c", 0.5), ("d~^{}", float("nan")), ("<†>", 1.0)], decimals=2)
    assert table.rendered("latex").splitlines()[3:8] == [
        r"run\_id & P@10 \% \\",
        r"\midrule",
        r"a\&b\textbackslash{}c & 0.50 \\",
        r"d\textasciitilde{}\textasciicircum{}\{\} & -- \\",
        r"$<$$\dagger$$>$ & 1.00 \\",
    ]


def test_names_over_a_wide_table_are_broken_where_words_end():
    long = "university-of-waterloo-run-07"
    rows = [("LM", 0.25, 0.5, f"{'x' * 60}")]
    assert Table(("run", "MAgP", long, "why"), rows, names=True).rendered("table").splitlines() == [
        "             university-",
        "                     of-",
        "               waterloo-",
        "run    MAgP       run-07  why",
        f"LM   0.2500       0.5000  {'x' * 60}",
    ]
    assert (
        Table(("run", "MAgP", long), [("LM", 0.25, 0.5)])
        .rendered("table")
        .startswith(f"run    MAgP  {long}\n")
    )


def test_three_assessors_are_compared_pair_by_pair_and_together(files, tmp_path, capsys):
    third = tmp_path / "c.qrels"
    third.write_text("1 Q0 x 30 100 0 0:30\n1 Q0 y 0 50\n")
    assert main(["agree", *files, str(third)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 6
    assert out[-2].startswith("mean of the pairs")
    assert out[-1].startswith("all, Fleiss' κ")
    assert main(["agree", *files, str(third), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [pair["documents"] for pair in told["pairs"]] == [0.5, 1.0, 0.5]
    assert told["fleiss"]["judged"] == 2
    assert main(["agree", files[0]]) == 2


def test_grades_of_trec_qrels_are_compared_with_weights(tmp_path, capsys):
    for name, grades in (("a", (2, 0, 1)), ("b", (1, 0, 1))):
        lines = (f"1 0 {document} {grade}\n" for document, grade in zip("xyz", grades, strict=True))
        (tmp_path / name).write_text("".join(lines))
    assert main(["agree", str(tmp_path / "a"), str(tmp_path / "b"), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["overall"]["grades"]["grade"]
    assert told["items"] == 3
    assert told["kappa"] == pytest.approx(1 - (1 / 3) / (6 / 9))
    assert told["linear"] == pytest.approx(1 - (1 / 3) / (7 / 9))


JUDGED_TWICE = {
    # path: (E, size, rsize) of the first and of the second assessor
    "/article[1]": ((2, 1000, 400), (2, 1000, 300)),  # S2 by the first, S1 by the second
    "/article[1]/bdy[1]": ((2, 800, 400), (1, 800, 300)),  # S2, S2
    "/article[1]/bdy[1]/sec[1]": ((1, 300, 300), (1, 300, 300)),  # S3, S3
    "/article[1]/bdy[1]/sec[2]": ((1, 200, 100), None),  # S2
    "/article[1]/bdy[1]/sec[3]": (None, (2, 300, 30)),  # S1
}


def test_tables_2_and_3_of_hixeval_on_made_judgements(tmp_path, capsys):
    """Table 2 is over what either assessor judged relevant, table 3 over exactly what both did."""
    for at, name in enumerate(("a.xml", "b.xml")):
        elements = "".join(
            f'<element path="{path}" E="{own[at][0]}" size="{own[at][1]}" rsize="{own[at][2]}"/>'
            for path, own in JUDGED_TWICE.items()
            if own[at] is not None
        )
        text = f'<assessments topic="1"><file collection="ieee" name="x">{elements}</file></assessments>'
        (tmp_path / name).write_text(text)
    assert main(["agree", str(tmp_path / "a.xml"), str(tmp_path / "b.xml"), "--format", "json"]) == 0
    topic = json.loads(capsys.readouterr().out)["topics"]["1"]
    found = {
        what: own["overlap"] for what, own in topic.items() if isinstance(own, dict) and "overlap" in own
    }
    assert found["documents"] == 1
    assert found["elements"] == 3 / 5
    table_2 = {"E1": 1 / 3, "E2": 1 / 3, "S1": 0.0, "S2": 1 / 3, "S3": 1.0}
    assert {name: found[name] for name in table_2} == pytest.approx(table_2)
    table_3 = {"both: E1": 1 / 2, "both: E2": 1 / 2, "both: S1": 0.0, "both: S2": 1 / 2, "both: S3": 1.0}
    assert {name: found[name] for name in table_3} == pytest.approx(table_3)


def test_three_assessors_of_elements_are_compared_by_elements(tmp_path, capsys):
    relevant = {"a": (("x", "12"), ("y", "1")), "b": (("x", "1"), ("y", "")), "c": (("x", "2"), ("y", ""))}
    for name, documents in relevant.items():
        files = "".join(
            f'<file collection="ieee" name="{document}">'
            + "".join(f'<element path="/article[1]/sec[{n}]" E="2" size="9" rsize="9"/>' for n in numbers)
            + "</file>"
            for document, numbers in documents
        )
        (tmp_path / f"{name}.xml").write_text(f'<assessments topic="1">{files}</assessments>')
    files = [str(tmp_path / f"{name}.xml") for name in relevant]
    assert main(["agree", *files, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [pair["elements"] for pair in told["pairs"]] == pytest.approx([1 / 3, 1 / 3, 0])
    assert [pair["documents"] for pair in told["pairs"]] == [1 / 2, 1 / 2, 1]
    assert told["mean"]["elements"] == pytest.approx(2 / 9)
    # of six judgements four say relevant; the pairs of x agree, one of three pairs of y does
    assert told["fleiss"]["documents_kappa"] == pytest.approx((2 / 3 - 5 / 9) / (1 - 5 / 9))
    assert told["fleiss"]["elements_kappa"] is None
    (tmp_path / "qrels").write_text("1 Q0 x 9 20 0 0:9\n")
    assert main(["agree", *files, str(tmp_path / "qrels")]) == 2
    assert "of the same kind" in capsys.readouterr().err


def test_judgements_come_from_standard_input_and_in_a_format_that_is_named(tmp_path, capsys, monkeypatch):
    text = "1 7 12 2\n1 7 13 0\n"
    (tmp_path / "grades").write_text(text)
    for command in (["describe", "-"], ["agree", "-", str(tmp_path / "grades")]):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        assert main([*command, "--qrels-format", "trec-qrels", "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)
    assert main(["agree", "-", "-"]) == 2
    assert "can be used only once" in capsys.readouterr().err


@pytest.fixture
def runs(tmp_path):
    """Two runs of a group; the second is better by A's judgements."""
    found = {"lm-1": "y", "lm-2": "x"}
    for name, document in found.items():
        (tmp_path / name).write_text(f"1 Q0 {document} 1 1 {name} 0 30\n")
    return [str(tmp_path / name) for name in found]


@pytest.mark.parametrize(("more", "judged"), [([], 2), (["--best-of", "^[a-z]+"], 1)])
def test_what_runs_found_is_a_part_of_the_judgements(files, runs, more, judged, capsys):
    part = ["--found-by", *runs, "--task", "focused", *more, "--format", "json"]
    assert main(["describe", files[0], *part]) == 0
    assert json.loads(capsys.readouterr().out)["total"]["judged"] == judged
    assert main(["agree", *files, *part]) == 0
    assert json.loads(capsys.readouterr().out)["overall"]["documents judged"]["both"] == judged


@pytest.mark.parametrize("more", [[], ["--best-of", "^[a-z]+"]])
def test_one_bad_run_does_not_keep_the_others_from_finding(files, runs, more, tmp_path, capsys):
    (tmp_path / "bad").write_text("1 Q0 y 1 1 bad 0 30\n1 Q0 y\n")
    part = ["--task", "focused", *more, "--format", "json", "--found-by"]
    for command in (["describe", files[0]], ["agree", *files]):
        assert main([*command, *part, *runs]) == 0
        whole = capsys.readouterr().out
        assert main([*command, *part, runs[0], str(tmp_path / "bad"), runs[1]]) == 1
        output = capsys.readouterr()
        assert output.out == whole
        assert output.err.startswith(f"inexview: {tmp_path / 'bad'}:2: ")
        assert main([*command, *part, str(tmp_path / "bad")]) == 2
        assert f"{tmp_path / 'bad'}:2: " in capsys.readouterr().err


def test_the_best_of_no_runs_is_refused(files, capsys):
    assert main(["agree", *files, "--best-of", "x"]) == 2
    assert "--found-by" in capsys.readouterr().err


@pytest.mark.parametrize("both", [False, True], ids=["over what is read", "twice the same file"])
def test_inputs_and_outputs_are_never_overwritten(files, tmp_path, capsys, both):
    new = str(tmp_path / "new")
    more = ["--union", new, "--intersection", new] if both else ["--intersection", files[1]]
    assert main(["agree", *files, *more]) == 2
    said = "is given as two output files" if both else "is also an input file"
    assert said in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.qrels": A, "b.qrels": B}
