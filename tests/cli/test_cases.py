"""Small inputs that people reported to other tools, each with its right outcome (see `cases/README.md`)."""

from __future__ import annotations

import gzip
import io
import json
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from inexview import Collection, InexviewError, evaluate, read_qrels, read_run
from inexview.cli import main
from inexview.core.errors import DocumentError
from inexview.core.formats.topic_files import read_topics
from inexview.core.project.project import Project

pytestmark = pytest.mark.shared


@pytest.fixture
def cases(shared, monkeypatch):
    monkeypatch.chdir(shared / "cases")
    return shared / "cases"


@pytest.fixture
def scores(cases, capsys):
    """Score a run; return its means in the order of the measures, the exit status and what stderr says."""

    def score(folder, qrels, run, *options):
        asked = ["eval", f"{folder}/{qrels}", f"{folder}/{run}", "--format", "json", *options]
        status = main(asked)
        out, said = capsys.readouterr()
        means = list(json.loads(out)["runs"][0]["mean"].values()) if out else []
        return means, status, said

    return score


def said_of(capsys, *command):
    """Run a command; return its exit status, and what it prints on stdout and on stderr."""
    status = main([*map(str, command)])
    return status, *capsys.readouterr()


def test_01_topics_that_differ_by_a_suffix_are_reported_and_joined(scores):
    _, status, said = scores("01-topic-suffix", "qrels.txt", "run.txt", "-m", "AP")
    assert status == 1
    assert "no topic of the run is judged: ids are spelt differently, '145979' for '145979.1'" in said
    assert "--join-ids topics=suffix joins 2 of 2" in said
    joined = scores("01-topic-suffix", "qrels.txt", "run.txt", "-m", "AP", "--join-ids", "topics=suffix")
    assert joined == ([1], 0, "")


def test_02_ids_with_hashes_are_whole_and_comments_passed_over(scores):
    means, status, _ = scores("02-hash-ids", "qrels.txt", "run.txt", "-m", "P@1", "-m", "nDCG", "-m", "AP")
    assert status == 0
    assert means == pytest.approx([0, 0.6309, 0.5], abs=5e-5)


def test_04_ties_are_broken_as_trec_eval_does(scores, capsys):
    for run, value in (("run1.txt", 1.0), ("run2.txt", 0.6309)):
        means, _, _ = scores("04-ties", "qrels.txt", run, "-m", "nDCG")
        assert means == pytest.approx([value], abs=5e-5)
        _, out, _ = said_of(capsys, "eval", "04-ties/qrels.txt", f"04-ties/{run}")
        assert "highest document id first, as trec_eval" in out


def test_05_a_rank_column_that_contradicts_the_scores_is_reported(scores):
    means, status, said = scores("05-rank-score", "qrels.txt", "run.txt", "-m", "P@1")
    assert (status, means) == (0, [1])
    assert "run.txt:1: ranks and scores disagree" in said
    means, status, said = scores("05-rank-score", "qrels.txt", "run-rank0.txt", "-m", "P@1")
    assert (status, means) == (0, [1])
    assert "the rank is 0 on every line: ranked by score" in said


def test_06_scores_that_are_no_numbers_are_refused_with_their_line(scores):
    for run in ("run.txt", "run-inf.txt"):
        _, status, said = scores("06-nan", "qrels.txt", run)
        assert status == 2
        assert f"{run}:1: field 'score' = " in said
    assert scores("06-nan", "qrels.txt", "run-sci.txt", "-m", "P@1")[0] == [1]


def test_07_a_line_with_a_field_too_few_is_refused_with_its_line(scores):
    _, status, said = scores("07-malformed", "qrels.txt", "run.txt")
    assert status == 2
    assert "run.txt:2: has 5 fields where a TREC run has 6" in said


def test_08_means_are_over_the_topics_that_trec_eval_takes(scores):
    means, _, said = scores("08-average", "qrels.txt", "run.txt", "-m", "AP")
    assert means == [0.5]
    assert "5" in said
    assert scores("08-average", "qrels.txt", "run.txt", "-m", "AP", "--complete")[0] == [0.25]


def test_09_grades_below_0_are_not_judged(scores, capsys):
    assert scores("09-negative", "qrels.txt", "run.txt", "-m", "AP")[0] == pytest.approx([0.2])
    assert scores("09-negative", "qrels.txt", "run.txt", "-m", "AP", "--judged-only")[0] == pytest.approx(
        [0.5]
    )
    status, out, said = said_of(capsys, "describe", "09-negative/qrels.txt", "--format", "json")
    described = json.loads(out)
    assert (status, described["total"]["judged"], described["grades"]) == (0, 2, {"0": 1, "1": 1})
    assert "pooled, but not judged" in said


def test_10_a_run_of_ms_marco_is_read(scores):
    means, status, _ = scores("10-msmarco-run", "qrels.tsv", "run.tsv", "-m", "RR", "-m", "P@1")
    assert (status, means) == (0, [0.75, 0.5])
    _, status, said = scores("10-msmarco-run", "qrels-2col.tsv", "run.tsv")
    assert status == 2
    assert "looks like pool as a plain list" in said


def test_11_a_document_that_comes_twice_is_refused_with_both_lines(scores):
    _, status, said = scores("11-dup-run", "qrels.txt", "run.txt")
    assert status == 2
    assert "result 2" in said
    assert "retrieves the same document as the result on line 1" in said


def test_13_tabs_blanks_and_line_ends_may_be_mixed(scores):
    means, status, _ = scores("13-mixed-blanks", "qrels.txt", "run.txt", "-m", "RR")
    assert (status, means) == (0, [0.5])


def test_14_diversity_qrels_are_called_so(scores):
    _, status, said = scores("14-ndeval", "qrels.ndeval.txt", "run.txt")
    assert status == 2
    assert "subtopics (diversity qrels, ndeval), for --preset diversity" in said
    _, status, said = scores("14-ndeval", "qrels.ndeval.txt", "run.txt", "--judgement-groups")
    assert status == 0
    assert "if they are subtopics (diversity qrels, ndeval), --preset diversity scores by them" in said
    means, status, said = scores(
        "14-ndeval", "qrels.ndeval.txt", "run.txt", "--preset", "diversity", "-m", "strec@20"
    )
    assert (status, len(means), "subtopics" in said) == (0, 1, False)


def test_15_prels_are_called_so(scores, capsys):
    assert "looks like prels of the Million Query track" in scores("15-prels", "prels.txt", "run.txt")[2]
    assert "prels of the Million Query track" in said_of(capsys, "describe", "15-prels/prels.txt")[2]


def test_16_utf_16_is_refused_and_a_byte_order_mark_read(scores):
    assert "is in UTF-16: save it as UTF-8" in scores("16-utf16", "qrels.txt", "run.txt")[2]
    assert scores("16-utf16", "qrels-bom.txt", "run-bom.txt", "-m", "AP")[0] == [1]


def test_17_packed_qrels_runs_and_topics_are_read(scores, tmp_path, capsys):
    assert scores("17-gz", "qrels.txt.gz", "run.trec.gz", "-m", "AP")[0] == [1]
    out = tmp_path / "topics.xml"
    assert said_of(capsys, "convert", "17-gz/topics.tsv.gz", out, "--to", "topics-2009")[0] == 0
    assert out.read_text(encoding="utf-8").count("<title>") == 2


def test_19_an_object_of_objects_is_a_run_or_qrels(scores):
    assert scores("19-json", "qrels.json", "run.json", "-m", "AP")[:2] == ([1], 0)


def test_20_words_after_the_last_field_are_skipped(scores):
    means, status, said = scores("20-extra-fields", "qrels5.txt", "run.txt", "-m", "AP")
    assert (status, means) == (0, [1])
    assert "qrels5.txt:1: fields after 4 are ignored" in said
    assert "run.txt:1: fields after 6 are ignored" in said


TOPICS = {
    "21-topics-number-attr/web.xml": [
        ("1", "harbour silting", "why do harbours silt up", "seeking causes of silting in tidal harbours"),
        ("2", "dredging cost", "what does dredging cost", "seeking figures"),
    ],
    "21-topics-number-attr/faceted.xml": [
        ("1", "harbour silting", "Find out why harbours silt up.", ""),
    ],
    "23-topics-fire/fire.txt": [
        (
            "176",
            "Mayor harbour opening",
            "Opening of the harbour by the mayor",
            "Relevant documents tell of the opening of the harbour.",
        ),
        ("177", "Ferry timetable", "Times of the ferry", "Relevant documents give times."),
    ],
    "24-topics-query-tag/microblog.txt": [
        ("MB051", "harbour budget cuts", "", ""),
        ("MB052", "ferry delays", "", ""),
    ],
    "25-topics-zh-tsv/zh.tsv": [
        ("1", "港口为什么会淤积？", "", ""),
        ("3", "渡轮时刻表", "", ""),
        ("4", "疏浚的费用", "", ""),
    ],
    "26-topics-ja-tsv/ja.tsv": [
        ("0", "港が浅くなる理由は何ですか", "", ""),
        ("3", "最長の 橋 はどこですか", "", ""),
    ],
    "26-topics-ja-tsv/oneword.tsv": [
        ("1", "alchemy", "", ""),
        ("2", "photosynthesis", "", ""),
        ("3", "bread", "", ""),
    ],
    "27-topics-jsonl-id-title/topics.jsonl": [
        ("464", "Why do harbours silt up, and what is done against it?", "", ""),
        ("200", "What does dredging cost?", "", ""),
    ],
    "27-topics-jsonl-id-title/beir.jsonl": [("464", "Why do harbours silt up?", "", "")],
    "29-topics-ct-flat/ct.xml": [
        ("1", "A 40-year-old fisherman with a fever of 3 days. He works in the harbour.", "", ""),
        ("2", "A 60-year-old woman with a sore throat.", "", ""),
    ],
    "30-topics-colon/mq.txt": [
        ("1", "harbour silting causes", "", ""),
        ("2", "ferry timetable island winter", "", ""),
    ],
    "57-xrai-topic/177.xml": [
        (
            "177",
            "Difference of two harbours or silt detection in unordered harbours.",
            "Find elements that describe how silt is found.",
            "n",
        ),
    ],
    "72-indri-topics/q.xml": [("1", "harbour silt", "", "")],
}


@pytest.mark.parametrize("file", TOPICS)
def test_21_to_72_topics_are_read_as_they_are_published(cases, tmp_path, capsys, file):
    out, project = tmp_path / "out.xml", tmp_path / "made.inexview"
    assert said_of(capsys, "convert", file, out, "--to", "topics-2009")[0] in (0, 1)
    assert said_of(capsys, "new", "-C", "articles", "--topics", file, project)[0] in (0, 1)
    with closing(Project.open(project)) as opened:
        for topics in (read_topics(out), opened.topics):
            listed = [(topic.id, topic.title, topic.description, topic.narrative) for topic in topics]
            assert listed == TOPICS[file]


def test_32_two_topics_of_one_id_are_refused_with_the_line(cases, tmp_path, capsys):
    status, _, said = said_of(
        capsys, "convert", "32-topics-dup-id/t.tsv", tmp_path / "t.xml", "--to", "topics-2009"
    )
    assert (status, "t.tsv:2: field 'id' = '237'" in said) == (2, True)


def test_33_offsets_in_utf_16_units_are_known_and_corrected(cases, tmp_path, capsys):
    folder, out = "33-emoji-utf16", tmp_path / "corrected.txt"
    given = (f"{folder}/qrels.txt", "-C", f"{folder}/articles", "--corrected", out)
    status, told, _ = said_of(capsys, "check", *given)
    assert (status, "UTF-16" in told) == (0, True)
    assert out.read_text(encoding="utf-8") == Path(folder, "expected-code-points.txt").read_text(
        encoding="utf-8"
    )


def test_37_a_passage_past_the_end_is_reported_with_its_line(cases, capsys):
    status, out, said = said_of(capsys, "check", "37-past-end/qrels.txt", "-C", "37-past-end/articles")
    assert (status, "qrels.txt:1" in out + said) == (1, True)
    status, out, said = said_of(
        capsys, "eval", "37-past-end/qrels.txt", "37-past-end/run.txt", "--task", "focused"
    )
    assert "--fol-end" in said


def test_41_a_submission_of_the_efficiency_task_says_its_task(scores, cases):
    means: dict[str, list[float]] = {}
    for run in ("run.xml", "run-paths-right.xml"):
        asked = ("-C", "articles", "-m", "MAiP")
        means[run], status, said = scores(".", "articles-qrels.txt", f"41-efficiency/{run}", *asked)
        assert status == 0
        assert ("a path ends with a stray >" in said) == (run == "run.xml")
    assert means["run.xml"] == means["run-paths-right.xml"]
    assert means["run.xml"][0] > 0


def test_43_a_snippet_submission_is_called_so(scores):
    _, status, said = scores(".", "articles-qrels.txt", "43-snippet/run.xml")
    assert (status, "looks like a snippet submission of INEX" in said) == (2, True)


def test_44_a_thorough_submission_finds_text_once(scores):
    asked = ("-C", "articles")
    _, status, _ = scores(".", "articles-qrels.txt", "44-indri/run.xml", *asked)
    assert status == 0


def test_45_entry_points_without_a_length_ask_for_their_task(scores):
    _, status, said = scores(".", "articles-qrels.txt", "45-bep7/run.txt")
    assert (status, "--task" in said) == (2, True)
    assert scores(".", "articles-qrels.txt", "45-bep7/run.txt", "--task", "best-in-context")[1] == 0


def test_46_agreement_does_not_rise_where_a_mark_is_shifted(cases, capsys):
    agreed = {}
    for other in ("exact", "shifted"):
        files = ("46-agree-monotone/five.txt", f"46-agree-monotone/one-{other}.txt")
        status, out, _ = said_of(capsys, "agree", *files, "--format", "json")
        assert status == 0
        characters = json.loads(out)["overall"]["characters"]
        agreed[other] = (round(characters["overlap"], 4), round(characters["kappa"], 4))
    assert agreed == {"exact": (0.2, 0.2248), "shifted": (0.1765, 0.186)}


def test_48_agreement_over_nothing_is_no_number(cases, capsys):
    for first, second in (("none", "none2"), ("none", "zero-length"), ("none", "other-topic")):
        status, out, _ = said_of(
            capsys, "agree", f"48-agree-empty/{first}.txt", f"48-agree-empty/{second}.txt"
        )
        assert status in (0, 1)
        assert "nan" not in out


def test_49_judgements_past_the_end_are_cut_off_with_a_warning(cases, tmp_path, capsys):
    project = tmp_path / "made.inexview"
    assert (
        said_of(capsys, "new", "-C", "articles", "--topics", "26-topics-ja-tsv/oneword.tsv", project)[0] == 0
    )
    status, _, said = said_of(capsys, "import", project, "49-import-past-end/qrels.txt")
    assert (status, "past the end" in said) == (1, True)
    with closing(Project.open(project)) as opened:
        for name in ("7001", "7002"):
            marks = opened.state("1", name).marks
            assert marks.size
            assert int(marks.ends[-1]) <= opened.collection.load(name).length


def test_52_the_text_of_each_passage_can_be_exported(cases, tmp_path, capsys):
    project, out = tmp_path / "made.inexview", tmp_path / "judged.jsonl"
    assert (
        said_of(capsys, "new", "-C", "articles", "--topics", "26-topics-ja-tsv/oneword.tsv", project)[0] == 0
    )
    assert said_of(capsys, "import", project, "articles-qrels.txt")[0] == 0
    said_of(capsys, "export", project, "-o", out, "--text")
    (record,) = [
        one for one in map(json.loads, out.read_text(encoding="utf-8").splitlines()) if one["passages"]
    ]
    with closing(Collection.open("articles")) as articles:
        assert [one["text"] for one in record["passages"]] == [articles.load("7001").text[62:116]]


def test_53_dicts_of_dicts_are_evaluated(cases):
    qrels = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
    run = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}
    scores = evaluate(qrels, run, measures=["nDCG@10", "RR"])[0]
    assert list(scores.mean.values()) == pytest.approx([0.815465, 0.75])
    assert evaluate("19-json/qrels.json", Path("19-json/run.json"), measures="AP")[0].values.tolist() == [[1]]
    for given in ((3, run), (qrels, 3), (qrels, [3]), ({"Q0": 1}, run), ({"Q0": {"D0": "high"}}, run)):
        with pytest.raises(InexviewError):
            evaluate(*given)


def test_54_judgements_may_be_used_twice_and_paths_be_paths(cases):
    qrels, run = read_qrels(Path("17-gz/qrels.txt.gz")), read_run("17-gz/run.trec.gz")
    for _ in range(2):
        assert evaluate(qrels, run, task="documents", measures=["nDCG@10"])[0].mean == {"nDCG@10": 1}


def test_55_differing_ids_are_reported_side_by_side_and_joined(scores):
    zeros = ("55-ids-differ", "qrels-leading-zero.txt", "run.txt", "-m", "AP")
    _, status, said = scores(*zeros)
    assert (status, "'51' for '051' and '52' for '052'; --join-ids topics=zeros joins 2 of 2" in said) == (
        1,
        True,
    )
    assert scores(*zeros, "--join-ids", "topics=zeros") == ([1], 0, "")
    files = (".", "articles-qrels.txt", "55-ids-differ/run-xml-suffix.txt", "--task", "focused", "-m", "MAiP")
    means, status, said = scores(*files)
    assert (means, status) == ([0], 1)
    assert "no document of the run is judged: ids are spelt differently, '7001.xml' for '7001'" in said
    assert "--join-ids documents=folder,extension joins 2 of 2" in said
    means, status, said = scores(*files, "--join-ids", "documents=folder,extension")
    assert (status, said, means[0] > 0) == (0, "", True)


def test_58_a_run_comes_from_standard_input(cases, capsys, monkeypatch):
    data = (cases / "58-stdin" / "run.txt").read_bytes()
    for given in (data, gzip.compress(data)):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(given)))
        status, out, _ = said_of(capsys, "eval", "58-stdin/qrels.txt", "-", "-m", "AP")
        assert (status, "1.0000" in out) == (0, True)


@pytest.mark.parametrize(
    ("folder", "name", "title"),
    [
        ("62-tei", "tei1", "Letter from the quay"),
        ("63-jats", "PMC1", "Silt in tidal harbours"),
    ],
)
def test_62_and_63_articles_of_other_vocabularies_have_their_titles(cases, folder, name, title):
    with closing(Collection.open(f"{folder}/articles")) as articles:
        assert (articles.title(name), articles.load(name).title) == (title, title)


def test_64_a_folder_of_pages_or_texts_is_a_collection(cases, tmp_path, capsys):
    for folder in ("html", "txt"):
        collection = f"64-other-collections/{folder}"
        made = tmp_path / f"{folder}.inexview"
        command = ("new", "-C", collection, "--topics", "17-gz/topics.tsv.gz", made)
        assert said_of(capsys, *command)[0] == 0
        assert made.exists()
        assert said_of(capsys, "index", collection)[0] == 0


def test_65_unreadable_articles_are_reported_with_line_and_column(cases):
    with closing(Collection.open("65-malformed/articles")) as articles:
        assert articles.load("7").title == "Good"
        for name in ("1", "2", "3", "4", "5"):
            with pytest.raises(DocumentError) as raised:
                articles.load(name)
            assert (raised.value.line is None) is False
            assert (raised.value.column is None) is False


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("brat.ann", "annotations of brat"),
    ],
)
def test_68_files_of_other_tools_are_called_by_their_names(cases, tmp_path, capsys, file, name):
    path, qrels = f"68-span-json/{file}", "20-extra-fields/qrels.txt"
    for command in (
        ["describe", path],
        ["eval", path, "20-extra-fields/run.txt"],
        ["eval", qrels, path],
        ["convert", path, tmp_path / "out.txt"],
        ["check", path, "-C", "articles"],
        ["agree", qrels, path],
        ["pool", path, "--depth", "1", "-o", tmp_path / "pool.txt"],
    ):
        status, _, said = said_of(capsys, *command)
        assert (status, f"{file}: looks like {name}" in said) == (2, True), command


def test_70_a_topic_id_of_any_length_is_read(scores, capsys):
    assert scores("70-long-topic-id", "qrels.txt", "run.txt", "-m", "AP")[:2] == ([1], 0)
    assert said_of(capsys, "describe", "70-long-topic-id/qrels.txt")[0] == 0


def test_74_a_model_is_compared_with_people(cases, capsys):
    status, out, _ = said_of(
        capsys, "agree", "74-agree-llm/human.txt", "74-agree-llm/machine.txt", "--format", "json"
    )
    assert status == 0
    agreed = json.loads(out)["overall"]["grades"]["grade"]
    assert agreed["kappa"] < agreed["linear"] < agreed["quadratic"]
    assert agreed["items"] == 60
