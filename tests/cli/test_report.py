"""`inexview report`: every form, the numbers of the other commands, and the command that makes it again."""

from __future__ import annotations

import json
import math
import re
import shlex
import shutil
from contextlib import closing
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import html
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFont

from inexview import report
from inexview.cli import main
from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.formats.topic_files import read_topics
from inexview.gui.charts.chart_window import in_pages, report_on_paper

RUNS = ("runs/BM25-sections.txt", "runs/LM-passages.txt")
ASKED = ["judgements.txt", *RUNS, "--task", "relevant-in-context"]


@pytest.fixture(autouse=True)
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object) -> Path:
    folder = Path(shutil.copytree(resource("sample"), tmp_path / "sample"))
    monkeypatch.chdir(folder)
    return folder


def most_apart() -> list[str]:
    """Return the topic in which the scores of the two runs differ most, and its title."""
    one, other = evaluate(
        read_qrels(Path(ASKED[0])), [read_run(Path(run)) for run in RUNS], task=ASKED[-1]
    ).runs
    most = max(one.topics, key=lambda topic: abs(one.topic(topic)["AgP"] - other.topic(topic)["AgP"]))
    return [most, next(topic.title for topic in read_topics(Path("topics.xml")) if topic.id == most)]


def table_under(page, title):
    """Return the rows of the table under a heading, as texts."""
    (table,) = page.xpath(f"//h2[.='{title}']/following-sibling::div[1]/table")
    return [[cell.text_content().strip() for cell in row.xpath("td|th")] for row in table.xpath(".//tr")]


def test_the_page_has_the_numbers_of_eval_compare_and_explain(capsys):
    assert main(["report", *ASKED, "--titles", "topics.xml", "-C", "articles", "-o", "r.html"]) == 0
    assert capsys.readouterr().out == "r.html\n"
    source = Path("r.html").read_text(encoding="utf-8")
    page = html.fromstring(source)
    assert "<script" not in source
    assert not page.xpath("//link | //img | //*[starts-with(@href, 'http')]")
    assert len(page.xpath("//figure")) == 2
    assert main(["eval", *ASKED, "--format", "json"]) == 0
    evaluated = {run["id"]: run for run in json.loads(capsys.readouterr().out)["runs"]}
    head, *means = table_under(page, "Means")
    for row in means:
        for name, cell in zip(head, row, strict=True):
            if name in evaluated[row[0]]["mean"]:
                assert cell == f"{evaluated[row[0]]['mean'][name]:.4f}"
    assert main(["compare", *ASKED, "--format", "json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["measures"]["MAgP"]["pairs"]
    cells = dict(zip(*table_under(page, "Every pair"), strict=True))
    assert cells["p"] == f"{pair['p']:.3f}"
    assert cells["difference"] == f"+{pair['difference']:.4f}"
    topics = table_under(page, "Topics where they differ most")
    assert topics[1][:2] == most_apart()
    assert (
        main(["explain", "judgements.txt", RUNS[1], *ASKED[3:], "--costs", "-m", "MAgP", "--format", "json"])
        == 0
    )
    cost = next(one for one in json.loads(capsys.readouterr().out) if one["part"] == "passage")
    shown = table_under(page, "What cost the best run most")[1]
    assert shown[:2] == [cost["topic"], cost["document"]]
    assert shown[-1] == f"+{cost['gain']:.4f}"
    with closing(Collection.open(Path("articles"))) as collection:
        text = collection.text(cost["document"])
    assert " ".join(text[cost["offset"] :].split()).startswith(shown[3].split("…")[0].strip())


@pytest.mark.parametrize("suffix", [".html", ".md", ".tex"])
def test_the_command_in_a_report_makes_it_again(suffix, capsys):
    assert main(["report", *ASKED, "--test", "t-test", "-o", f"r{suffix}"]) == 0
    first = Path(f"r{suffix}").read_text(encoding="utf-8")
    (command,) = re.findall(r"inexview report [^\n<]*", first)
    command = command.replace("&#x27;", "'")
    assert main([*shlex.split(command)[1:], "--overwrite"]) == 0
    again = Path(f"r{suffix}").read_text(encoding="utf-8")
    assert again == first
    assert "--preset inex2007" in command
    capsys.readouterr()


def test_a_pdf_has_pages_and_a_report_of_one_run_no_pairs(capsys):
    assert main(["report", *ASKED, "-o", "r.pdf"]) == 0
    assert Path("r.pdf").read_bytes().startswith(b"%PDF")
    assert main(["report", "judgements.txt", RUNS[0], "--task", "relevant-in-context", "-o", "one.md"]) == 0
    assert "Every pair" not in Path("one.md").read_text(encoding="utf-8")
    capsys.readouterr()


def test_a_pdf_is_of_paper_and_keeps_headings_with_their_tables(qapp):
    runs = sorted(map(str, Path("runs").glob("*.txt")))
    assert main(["report", "judgements.txt", *runs, *ASKED[-2:], "-C", "articles", "-o", "r.pdf"]) == 0
    (wide,) = {float(one) for one in re.findall(rb"/MediaBox \[0 0 ([\d.]+)", Path("r.pdf").read_bytes())}
    assert wide == 595, "a command and the names of runs are broken, and do not widen the page"
    made = report("judgements.txt", runs, task="relevant-in-context")
    text = report_on_paper(made, QFont("Inter"))
    in_pages(text, QSizeF(180, 267))
    layout, high = text.documentLayout(), text.pageSize().height()
    headings, block = [], text.begin()
    while block.isValid():
        if block.blockFormat().headingLevel() == 2:
            headings.append((block.text(), layout.blockBoundingRect(block).top()))
        block = block.next()
    assert [name for name, _ in headings] == [section.title for section in made.sections]
    tables = [layout.frameBoundingRect(frame) for frame in text.rootFrame().childFrames()]
    for (name, top), (_, end) in pairwise([*headings, ("", math.inf)]):
        bottom = min((table.bottom() for table in tables if top < table.top() < end), default=top)
        assert top // high == max(bottom - 1, top) // high, name
    assert layout.pageCount() > 2


def test_hostile_names_titles_and_texts_are_text_in_every_form(tmp_path, capsys):
    hostile = r"<script>alert(1)</script>&amp;```$x_1^2%\input{/etc/passwd}~#{}"
    ids = [hostile, "\u05e8\u05d9\u05e6\u05d4-\u202eevil", "long-" + "x" * 200, "plain"]
    text = f"Lamps {hostile} burn oil. " * 4
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a&b.txt").write_text(text)
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{topic} Q0 a&b 60 {len(text)} 0 0:60\n" for topic in range(9))
    )
    runs = [tmp_path / f"{at}.txt" for at in range(len(ids))]
    for at, (path, id) in enumerate(zip(runs, ids, strict=True)):
        path.write_text("".join(f"{topic} Q0 a&b 1 1 {id} {9 * at} {60 - topic}\n" for topic in range(9)))
    titles = "".join(f'<topic id="{at}"><title>{escape(hostile)}</title></topic>' for at in range(9))
    (tmp_path / "topics.xml").write_text(f"<topics>{titles}</topics>")
    asked = ["report", *map(str, (tmp_path / "qrels.txt", *runs)), *ASKED[-2:], "--title", hostile]
    asked += ["-C", str(tmp_path / "texts"), "--titles", str(tmp_path / "topics.xml")]
    for suffix in ("html", "md", "tex", "pdf"):
        assert main([*asked, "-o", f"h.{suffix}"]) == 0
    capsys.readouterr()
    page = html.parse("h.html").getroot()
    assert not page.xpath("//script | //input")
    assert page.xpath("string(//h1)") == hostile
    assert hostile in {cell.text_content() for cell in page.xpath("//td")}
    assert "\u202e" not in Path("h.html").read_text(encoding="utf-8")
    written = Path("h.md").read_text(encoding="utf-8").partition("\n````sh\n")
    assert "<script" not in written[0].replace("\\<script", "")
    assert written[2].rstrip().endswith("\n````")
    paper = Path("h.tex").read_text(encoding="utf-8")
    assert r"\input" not in paper
    assert r"\textbackslash{}input\{/etc/passwd\}\textasciitilde{}\#\{\}" in paper
    made = report(tmp_path / "qrels.txt", runs, task="relevant-in-context")
    assert hostile in report_on_paper(made, QFont("Inter")).toPlainText()


def test_where_nothing_can_be_drawn_a_page_says_so_and_has_the_rest(monkeypatch, capsys):
    monkeypatch.setattr("inexview.cli.tables.why_no_window", lambda _environ: "libEGL.so.1 is missing")
    assert main(["report", *ASKED, "-o", "r.html"]) == 0
    assert "warning: the report has no charts: libEGL.so.1 is missing" in capsys.readouterr().err
    assert "<figure" not in Path("r.html").read_text(encoding="utf-8")
    assert "Every pair" in Path("r.html").read_text(encoding="utf-8")
    assert main(["report", *ASKED, "-o", "r.pdf"]) == 2
    assert not Path("r.pdf").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            ["-o", "r.doc"],
            "r.doc: a report can be saved as .html, .pdf, .md, .tex: use one of these suffixes",
        ),
        (["-o", "judgements.txt.html", "--titles", "none.xml"], "none.xml"),
        (["-o", "topics.xml"], "topics.xml: a report can be saved as"),
    ],
)
def test_read_and_write_errors_are_reported_and_leave_no_files(given, told, capsys):
    assert main(["report", *ASKED, *given]) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_is_there_is_not_written_over_unasked(capsys):
    Path("r.md").write_text("mine")
    assert main(["report", *ASKED, "-o", "r.md"]) == 2
    assert Path("r.md").read_text() == "mine"
    assert main(["report", *ASKED, "-o", "r.md", "--overwrite"]) == 0
    assert Path("r.md").read_text().startswith("# 2 runs on judgements")
    capsys.readouterr()


def test_intervals_of_eval_are_those_of_the_report(capsys):
    assert main(["eval", *ASKED, "--intervals", "-m", "MAgP"]) == 0
    printed = {
        line.split()[0]: line.split()[2:] for line in capsys.readouterr().out.splitlines() if " MAgP " in line
    }
    assert main(["report", *ASKED, "-o", "r.md"]) == 0
    report = Path("r.md").read_text(encoding="utf-8")
    assert len(printed) == 2
    for low, mean, high in printed.values():
        assert f"{mean}" in report
        assert f"| {low} to {high} |" in report
    capsys.readouterr()


NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
NOT_FIGURES = (
    "//style | //title",
    "//*[local-name()='svg']",  # axes of charts, and drawn intervals
    "//span[@class='text']",  # excerpts of articles
    "//pre",  # the command
    "//h2[.='How to reproduce it']/following-sibling::p[1]",  # versions
    "//h2[.='How to reproduce it']/following-sibling::div[1]//td[3]",  # digests
    "//h2[.='Topics where they differ most']/following-sibling::div[1]//td[2]",  # titles of topics
)


def numbers(text: str) -> set[str]:
    return {one.replace(",", "") for one in NUMBER.findall(text)}


def sample_of_many(folder: Path) -> list[str]:
    """Write runs that return fewer and fewer results of two runs of the sample, and return all runs."""
    paths = sorted(map(str, Path("runs").glob("*.txt")))
    for name, cuts in (("LM-passages", (1, 2, 3, 5)), ("BM25-sections", (1, 2, 4))):
        lines = Path(f"runs/{name}.txt").read_text(encoding="utf-8").splitlines()
        for most in cuts:
            kept = [line.split() for line in lines if int(line.split()[3]) <= most]
            path = folder / f"{name}-first-{most}.txt"
            path.write_text("".join(f"{' '.join([*line[:5], path.stem, *line[6:]])}\n" for line in kept))
            paths.append(str(path))
    return paths


@pytest.mark.parametrize("many", [False, True])
def test_every_number_of_a_report_is_printed_by_other_commands(many, tmp_path, capfd):
    """`eval`, `compare` and `describe` do, and `explain --costs` for what cost the best run most."""
    runs = sample_of_many(tmp_path) if many else sorted(map(str, Path("runs").glob("*.txt")))
    asked = ["judgements.txt", *runs, "--task", "relevant-in-context"]
    assert main(["report", *asked, "--titles", "topics.xml", "-C", "articles", "-o", "r.html"]) == 0
    page = html.parse("r.html").getroot()
    best = page.xpath("string(//p[@class='answer']/b)").split()[0]
    (best_run,) = (run for run in runs if Path(run).stem == best)
    measures = [part for name in ("MAgP", *(f"gP[{k}]" for k in (5, 10, 25, 50))) for part in ("-m", name)]
    capfd.readouterr()
    for command in (
        ["eval", *asked, "--intervals", "--unjudged"],
        ["eval", *asked, "--per-topic", "-m", "MAgP"],
        ["compare", *asked, *measures, "--by-topic"],
        ["describe", "judgements.txt"],
        ["explain", "judgements.txt", best_run, *asked[-2:], "--costs"],
    ):
        assert main(command) == 0
    printed = "\n".join(capfd.readouterr())
    lines = printed.splitlines()
    (about,) = page.xpath("//h1/following-sibling::p[1]")
    about.text = about.text.rpartition(" · ")[0]  # the date
    for left_out in NOT_FIGURES:
        for part in page.xpath(left_out):
            if part.tag == "td":
                part.text, part[:] = "", []
            else:
                part.drop_tree()
    for row in page.xpath("//tr[td]"):
        cells = [cell.text_content() for cell in row.xpath("td")]
        heads = row.xpath("ancestor::table/thead/tr/th")
        texts = [cell for cell, head in zip(cells, heads, strict=True) if head.get("align") == "left"]
        names = [text for text in texts if text][:2]
        if names[0].endswith(".txt"):
            names = cells[:1] = [Path(names[0]).stem]
        if heads[0].text == "measure":
            names = ["MAgP", names[0]]
        about_row = [line for line in lines if all(name in line for name in names)]
        assert about_row or cells[0] == "judgements", cells
        found = numbers("\n".join(about_row or lines))
        assert numbers(" ".join(cells)) <= found, (cells, numbers(" ".join(cells)) - found)
    for part in page.xpath("//p | //li | //th | //h1 | //h2"):
        said = part.text_content()
        assert numbers(said) <= numbers(printed), said
