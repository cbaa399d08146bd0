"""`inexview experiment`, and `inexview retrieve --tune`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.formats.readers import read_run
from tests.few_topics import few_topics


@pytest.fixture
def sample(tmp_path: Path, qapp: object) -> Path:
    return few_topics(tmp_path / "sample")


def test_seven_models_on_the_sample(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", str(sample / "experiment.toml")]) == 0
    said = capsys.readouterr()
    out = sample / "experiment-results"
    assert said.out == f"{out / 'report.html'}: 7 runs\n"
    assert "only 2 topics" in said.err
    assert "--" not in said.err  # an experiment has no options
    runs = sorted(out.glob("runs/*.txt"))
    assert [read_run(path).id.partition("-")[0] for path in runs] == [
        "BM25", "MM", "QL", "QWD", "RMD", "RMP", "TFIDF",
    ]  # fmt: skip
    described = json.loads((out / "runs" / f"{read_run(runs[1]).id}.txt.json").read_text())
    assert described["model"] == "MM"
    html, latex = (out / "report.html").read_text(), (out / "report.tex").read_text()
    assert main(["eval", str(sample / "judgements.txt"), *map(str, runs), "--task", "passages"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    header = next(line.split() for line in lines if line.startswith("run "))
    column = header.index("charBpref[12000]")
    ids = {read_run(path).id for path in runs}
    rows = [line.split() for line in lines if line]
    printed = {row[0]: row[column] for row in rows if row[0] in ids}
    assert set(printed) == ids
    for run, figure in printed.items():  # the report has what eval prints
        assert re.search(rf"<td[^>]*>{run}</td><td[^>]*>(<b>)?{figure}<", html)
        assert re.search(rf"{run} & (\\textbf{{)?{figure}", latex)
    means, pairs = re.split(r"<h2>(?:Means|Every pair)", html)[1:]
    assert means.count("<b>") == 3  # the best of each measure
    assert pairs.partition("<h2>")[0].count("<tr>") == 1 + 21
    assert "How the runs were made" in html
    assert "<svg" in html


def latex_tables(source: str) -> list[list[list[str]]]:
    """Read the tables of a LaTeX source as a compiler would: rows of cells; fails where it would."""
    code = re.sub(r"(?m)(?<!\\)%.*$", "", source)
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", code):
        assert kind == "begin" or opened.pop() == name
        opened += [name] if kind == "begin" else []
    assert opened == []
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", code):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    tables = []
    for columns, body in re.findall(r"(?s)\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", code):
        plain = re.sub(r"\\(top|mid|bottom)rule", "", body).strip()
        assert plain.endswith(r"\\")
        rows = [re.split(r"(?<!\\)&", row) for row in re.split(r"(?<!\\)\\\\\s", plain + "\n")[:-1]]
        assert {len(row) for row in rows} == {len(columns)}
        assert not [row for row in rows if row[0].lstrip().startswith(("[", "*"))]
        tables.append([[printed(cell) for cell in row] for row in rows])
    return tables


def printed(cell: str) -> str:
    """Return what LaTeX prints for a cell; fails where it would not take it."""
    text = re.sub(r"\\textbf\{(.*)\}$", r"\1", cell.strip())
    signs = {
        r"$\infty$": "∞", r"\dots{}": "…",
        r"\textbackslash{}": "\0", r"\textasciitilde{}": "\1", r"\textasciicircum{}": "\2", "$-$": "−",
        "$<$": "<", "$>$": ">", "{}": "", "--": "–",
    }  # fmt: skip
    for sign, meant in signs.items():
        text = text.replace(sign, meant)
    bare = re.sub(r"\\[&%$#_{}]", "", text)
    assert not re.search(r"[&%$#_{}\\~^]", bare), cell
    return re.sub(r"\\(.)", r"\1", text).translate({0: "\\", 1: "~", 2: "^"})


def test_the_latex_report_compiles_whatever_runs_and_topics_are_called(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wild, other = r"[b]_50%&#{x}$~^\y", "*plain<1>"
    text = (sample / "experiment.toml").read_text().partition("[[run]]")[0]
    text = text.replace("Seven models on the sample", r"100 % of \\models \r & #1_a").replace("1500", "20")
    runs = (f"[[run]]\nid = '{id}'\nmodel = '{model}'\n" for id, model in ((wild, "QL"), (other, "BM25")))
    (sample / "experiment.toml").write_text(text + "".join(runs))
    for name in ("topics.xml", "judgements.txt"):
        said = (sample / name).read_text()
        (sample / name).write_text(said.replace("2026001", "top_1%#$"))
    assert main(["experiment", str(sample / "experiment.toml")]) == 0
    source = (sample / "experiment-results" / "report.tex").read_text()
    systems, pairs, topics = latex_tables(source)
    assert [row[0] for row in systems] == ["run", wild, other]
    assert {*pairs[1][:2]} == {wild, other}
    assert topics[0] == ["topic", wild, other]
    assert topics[1][0] == "top_1%#$"
    assert len(source.splitlines()[1]) == 0  # the title is one comment, whatever ends a line in it


def test_a_folder_with_results_is_not_written_into_unasked(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sample / "experiment-results").mkdir()
    (sample / "experiment-results" / "mine.txt").write_text("mine")
    assert main(["experiment", str(sample / "experiment.toml")]) == 2
    assert "--overwrite writes into it" in capsys.readouterr().err


@pytest.mark.parametrize(("made", "said"), [(b"title = '\xb8'", "is not UTF-8"), (None, "(Is a directory)")])
def test_a_file_that_is_not_text_is_refused_in_plain_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], made: bytes | None, said: str
) -> None:
    path = tmp_path if made is None else tmp_path / "experiment.toml"
    if made is not None:
        path.write_bytes(made)
    assert main(["experiment", str(path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "codec" not in told
    assert "Errno" not in told


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('title = "', "title = ", "cannot be read as TOML"),
        ("qrels = ", "qrel = ", "field 'qrel' = ''"),
        ('topics = "topics.xml"', "topics = 3", "field 'topics' = '3': must be a text in quotes"),
        ('task = "passages"', 'task = "thorough!"', "field 'task' = 'thorough!': must be one of"),
        ('model = "QL"', 'model = "TFIDF"', "is used as the id of two runs"),
        ("collection_weight = 0.8", "collection_weight = 8", "collection_weight = 8: it must be from"),
        ("depth = 1500", 'depth = "all"', "field 'depth' = 'all': must be a whole number"),
        ('model = "QL"', 'model = "LSI"', "model = 'LSI': it must be one of TFIDF"),
        (
            "[defaults]",
            'share = "50-20"\n[defaults]',
            "field 'share' = '50-20': a share of 0.5 … 0.2: it must rise",
        ),
        ("[defaults]", 'share = "all"\n[defaults]', "'all' is not a share: write it like 0-35"),
        ('fields = ["title"]', "fields = [1]", "must be a list of texts in quotes"),
        ("measures = [", 'measures = ["iP[", ', "'iP[' is not a measure: write it like"),
    ],
)
def test_an_invalid_experiment_is_reported_with_its_field(
    before: str, after: str, said: str, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = sample / "experiment.toml"
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))
    assert main(["experiment", str(file)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert str(file) in error
    assert not (sample / "experiment-results").exists()


def test_a_run_is_tuned_on_judged_topics(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = sample / "tuned.txt"
    command = ["retrieve", str(sample / "articles"), str(sample / "topics.xml"), "-o", str(out)]
    tune = ["--model", "QL", "--tune", "charBpref[12000]"]
    assert main([*command, *tune]) == 2
    assert "--tune needs --qrels" in capsys.readouterr().err
    assert main([*command, *tune, "--qrels", str(sample / "judgements.txt")]) == 0
    said = capsys.readouterr().out
    found = re.match(r"charBpref\[12000\] (\S+) on training topics, (\S+) on topics not seen", said)
    assert found is not None
    chosen = said.rpartition("collection_weight=")[2].split()[0]
    assert f'"collection_weight": {chosen}' in Path(f"{out}.json").read_text()
