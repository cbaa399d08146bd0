"""TREC's files as they are found: packed, on standard input, with words behind, with several judges."""

import gzip
import io
import json
from types import SimpleNamespace

import pytest
import pytrec_eval

from inexview.cli import common, main
from inexview.core import files as opened

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n"
RUN = "1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n1 Q0 c 3 1 r\n2 Q0 a 1 1 r\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def means(capsys, *arguments):
    assert main(["eval", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["runs"][0]["mean"]


def test_packed_files_score_as_unpacked_ones(files, capsys):
    (files / "qrels.gz").write_bytes(gzip.compress(QRELS.encode()))
    (files / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    assert means(capsys, "qrels.gz", "run.gz") == means(capsys, "qrels", "run")


def test_what_unpacks_beyond_measure_is_refused(files, capsys, monkeypatch):
    monkeypatch.setattr(opened, "_MUCH", 1 << 22)  # the test need not unpack more
    line = b"1 0 " + b"a" * 60 + b" 0\n"
    with gzip.open(files / "bomb.gz", "wb") as file:
        for _ in range(20):
            file.write(line * (1 << 14))
    assert main(["eval", "bomb.gz", "run"]) == 2
    assert "unpacks to more than 200 times its size" in capsys.readouterr().err


def test_standard_input_is_a_file(files, capsys, monkeypatch):
    plain = means(capsys, "qrels", "run")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(RUN.encode())))
    assert means(capsys, "qrels", "-") == plain
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(QRELS.encode())))
    assert means(capsys, "-", "run") == plain
    assert main(["eval", "-", "-"]) == 2
    assert "can be used only once" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1 Q0 a 1 high r\n")))
    assert main(["eval", "qrels", "-"]) == 2
    assert capsys.readouterr().err.startswith("inexview: standard input:1: field ")
    monkeypatch.setattr(common, "_MOST", 8)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(RUN.encode())))
    assert main(["eval", "qrels", "-"]) == 2
    assert "gives more than" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", None)
    assert main(["eval", "-", "run"]) == 2
    assert capsys.readouterr().err == "inexview: standard input (-) is closed: name a file\n"


def test_words_after_the_sixth_field_are_skipped_with_a_warning(files, capsys):
    plain = means(capsys, "qrels", "run")
    (files / "more").write_text("".join(f"{line} with words behind\n" for line in RUN.splitlines()))
    assert main(["eval", "qrels", "more", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["runs"][0]["mean"] == plain
    assert "fields after 6 are ignored" in err


GROUPS = "1 1 a 2\n1 2 a 0\n1 1 b 1\n1 2 c 1\n1 3 b 0\n2 1 a 1\n2 1 b -1\n2 2 c 3\n"


def by_judge(run, measures, **settings):
    """The mean over each topic's judges of what trec_eval gives for each of them."""
    judges = {}
    for topic, judge, document, grade in map(str.split, GROUPS.splitlines()):
        judges.setdefault(judge, {}).setdefault(topic, {})[document] = int(grade)
    each = [
        pytrec_eval.RelevanceEvaluator(own, measures, **settings).evaluate(run) for own in judges.values()
    ]
    for topic in run:
        scores = [own[topic] for own in each if topic in own]
        yield topic, {name: sum(own[name] for own in scores) / len(scores) for name in scores[0]}


def test_judgement_groups_are_averaged_over_the_judges_of_each_topic(files, capsys):
    (files / "groups").write_text(GROUPS)
    given = ["groups", "run", "--judgement-groups"]
    names = {"AP": "map", "P@5": "P_5", "nDCG": "ndcg", "bpref": "bpref"}
    run = {"1": {"b": 3.0, "a": 2.0, "c": 1.0}, "2": {"a": 1.0}}
    wanted = dict(by_judge(run, {"map", "P", "ndcg", "bpref"}))
    measures = [f"-m{name}" for name in names]
    assert main(["eval", *given, *measures, "--format", "json"]) == 0
    (scored,) = json.loads(capsys.readouterr().out)["runs"]
    for topic, own in wanted.items():
        for name, theirs in names.items():
            assert scored["topics"][topic][name] == pytest.approx(own[theirs], abs=1e-9)
    assert scored["counts"]["num_rel"] == 5  # a, b and c of topic 1, a and c of topic 2, whoever said so
    assert main(["eval", *given, "--topics", "2"]) == 0
    assert "the mean over 2 judgement groups" in capsys.readouterr().out
    assert main(["compare", "groups", "run", "run", "--judgement-groups"]) == 0
    assert main(["eval", *given, "--bounds"]) == 2
    assert "of one judge" in capsys.readouterr().err
    (files / "groups").write_text("1 1 a 2\n1 2 a 0\n1 2 a 1\n")
    assert main(["eval", *given]) == 2
    assert "groups:3: document a of topic 1 was judged differently on line 2" in capsys.readouterr().err


@pytest.mark.parametrize("level", [1, 2])
def test_only_judged_documents_and_the_first_few_as_by_trec_eval(files, capsys, level):
    """trec_eval's -J, -l and -M."""
    (files / "qrels").write_text("1 0 a 2\n1 0 b 0\n1 0 c 1\n1 0 d -1\n1 0 e 2\n2 0 a 1\n2 0 b 2\n")
    ranked = {"1": list("uabvdcwe"), "2": list("xyzab")}
    lines = [
        f"{topic} Q0 {document} 0 {20 - at} r\n"
        for topic in ranked
        for at, document in enumerate(ranked[topic])
    ]
    (files / "run").write_text("".join(lines))
    qrels = {"1": {"a": 2, "b": 0, "c": 1, "d": -1, "e": 2}, "2": {"a": 1, "b": 2}}
    names = {"AP": "map", "P@5": "P_5", "Rprec": "Rprec", "bpref": "bpref", "infAP": "infAP", "nDCG": "ndcg"}
    for most in (5, 100):
        run = {topic: {d: 20.0 - at for at, d in enumerate(own[:most])} for topic, own in ranked.items()}
        theirs = pytrec_eval.RelevanceEvaluator(
            qrels, {"map", "P", "Rprec", "bpref", "infAP", "ndcg"}, level, judged_docs_only_flag=True
        ).evaluate(run)
        given = ["--judged-only", "--relevant-from", str(level), "--limit", str(most), "--cut"]
        assert main(["eval", "qrels", "run", *given, *(f"-m{n}" for n in names), "--format", "json"]) == 0
        (scored,) = json.loads(capsys.readouterr().out)["runs"]
        for topic in ranked:
            for name, other in names.items():
                assert scored["topics"][topic][name] == pytest.approx(theirs[topic][other], abs=1e-9), name


def test_judgement_groups_and_preferences_are_refused_by_name(files, capsys):
    (files / "groups").write_text("1 1 a 2\n1 2 a 0\n1 1 b 1\n")
    assert main(["eval", "groups", "run", "--qrels-format", "trec-qrels"]) == 2
    assert "judges the same documents for 1 and 2 in the second field" in capsys.readouterr().err
    (files / "prefs").write_text("1 1 1 a 3\n1 1 1 b 2\n1 1 2 c 1\n")
    assert main(["eval", "prefs", "run"]) == 2
    assert "looks like preference judgements" in capsys.readouterr().err


def test_the_preset_trec_sets_the_format_and_the_task(files, capsys):
    (files / "like-hard").write_text(QRELS.replace("1 0 ", "1 7 ").replace("2 0 ", "2 7 "))
    (files / "numbers").write_text("1 7 12 2\n1 7 13 0\n")
    (files / "run-of-numbers").write_text("1 Q0 12 1 3 r\n")
    assert means(capsys, "numbers", "run-of-numbers", "--preset", "trec")["MAP"] == 1
    assert means(capsys, "like-hard", "run", "--preset", "trec") == means(capsys, "qrels", "run")


def test_with_the_preset_trec_errors_name_trecs_fields(files, capsys):
    (files / "short").write_text("1 a 1 0.5\n2 b 1 0.25\n")
    assert main(["eval", "qrels", "short", "--preset", "trec"]) == 2
    assert "short:1: has 4 fields where a TREC run has 6" in capsys.readouterr().err
    (files / "two").write_text("1 a\n")
    assert main(["eval", "two", "run", "--preset", "trec"]) == 2
    assert "looks like pool as a plain list" in capsys.readouterr().err
    assert main(["eval", "run", "qrels", "--preset", "trec"]) == 2  # the other way round
    assert "qrels" in capsys.readouterr().err


def test_grades_below_the_threshold_are_not_relevant(files, capsys):
    assert means(capsys, "qrels", "run", "--relevant-from", "2", "-m", "AP", "--topics", "1")["MAP"] == 1 / 2
    assert means(capsys, "qrels", "run", "-m", "AP", "--topics", "1")["MAP"] == (1 / 2 + 2 / 3) / 2


def test_no_characters_are_counted_where_documents_have_grades(files, capsys):
    assert main(["eval", "qrels", "run"]) == 0
    out = capsys.readouterr().out
    assert "relevant" in out
    assert "characters" not in out
