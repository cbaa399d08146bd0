"""One parser for the names of measures that INEX, trec_eval and ir_measures write."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inexview import evaluate, read_qrels, read_run
from inexview.core.measures.measure import Measure, MeasureError, parse, resolve

RANKED = ("ranked", "first-hits", "incomplete", "false-alarms")

SPELLINGS = {
    ("nDCG", 10): ("nDCG@10", "nDCG[10]", "ndcg_cut_10", "ndcg_cut.10", "ndcg@10", "nDCG(cutoff=10)"),
    ("nDCG", None): ("nDCG", "ndcg"),
    ("R", 100): ("R@100", "Recall@100", "recall_100", "recall.100", "R[100]"),
    ("P", 5): ("P@5", "P_5", "P.5", "Precision@5", "p@5"),
    ("RR", 10): ("RR@10", "MRR@10", "mrr_10"),
    ("RR", None): ("RR", "MRR", "recip_rank"),
    ("AP", None): ("AP", "MAP", "map"),
    ("AP", 100): ("AP@100", "MAP@100", "map_cut_100"),
    ("success", 5): ("Success@5", "success_5", "Hit@5", "hit_rate@5", "Hits@5"),
    ("Judged", 10): ("Judged@10", "judged_10"),
    ("iprec", 0.1): ("IPrec@0.1", "iprec_at_recall_0.10", "iprec[0.10]"),
    ("AP11", None): ("AP11", "11pt_avg"),
    ("gmAP", None): ("gmAP", "gm_map", "GMAP"),
    ("Rprec", None): ("Rprec", "rprec", "R_prec"),
    ("bpref", None): ("bpref", "Bpref"),
    ("infAP", None): ("infAP", "infap"),
}


@pytest.mark.parametrize(
    ("meant", "text"), [(meant, text) for meant, many in SPELLINGS.items() for text in many]
)
def test_a_measure_is_known_by_each_of_its_spellings_and_printed_as_given(
    meant: tuple[str, float | None], text: str
) -> None:
    record, measure = resolve(parse(text), RANKED)
    assert (record.name, measure.cutoff) == meant
    usual = Measure(*meant)
    assert record.label(measure.cutoff) in (text, resolve(usual, RANKED)[0].label(usual.cutoff))
    assert text in (record.label(measure.cutoff), record.label(measure.cutoff, mean=True))


@pytest.mark.parametrize("text", ["iP[0.01]", "iP@0.01", "ip@0.01"])
def test_inex_names_are_read_with_brackets_and_with_an_at_sign(text: str) -> None:
    record, measure = resolve(parse(text), ("focused",))
    assert (record.name, measure.cutoff) == ("iP", 0.01)
    assert record.label(0.01) == text


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("AP(rel=2)@100", {"relevant_from": 2}),
        ("P(rel=3)@5", {"relevant_from": 3}),
        ("RBP(p=0.5)", {"persistence": 0.5}),
        ("RBP(rel=2, p=0.5)", {"relevant_from": 2, "persistence": 0.5}),
        ("nDCG(dcg='exp-log2')@10", {"gain": "exponential"}),
        ('nDCG(dcg="log2")', {"gain": "linear"}),
    ],
)
def test_a_measure_has_parameters_of_its_own(text: str, changes: dict[str, object]) -> None:
    record, measure = resolve(parse(text), RANKED)
    assert dict(record.changes) == changes
    assert record.label(measure.cutoff) == text
    assert parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ndgc@10", "did you mean nDCG?"),
        ("Recal@5", "did you mean recall"),
        ("AP(x=2)", "AP has no parameter 'x': it takes rel"),
        ("nDCG(rel=2)@5", "nDCG has no parameter 'rel': it takes dcg"),
        ("P", "P needs a cut-off: write it like P@5"),
        ("bpref@5", "bpref takes no cut-off"),
        ("RBP(p=7)", "persistence = 7"),
        ("nDCG(dcg=linear)", "not a parameter: write it like rel=2"),
        ("MAgP", "no measure 'MAgP' for this task (it is one of in-context)"),
        ("AP(", "is not a measure"),
        ("P@1e999", "is not a rank"),
        ("[10]", "is not a measure"),
    ],
)
def test_an_invalid_measure_is_refused_with_a_hint(text: str, problem: str) -> None:
    with pytest.raises(MeasureError) as refused:
        resolve(parse(text), RANKED)
    assert problem in str(refused.value)


QRELS = "1 0 a 1\n1 0 b 2\n1 0 c 0\n1 0 d -1\n2 0 a 0\n2 0 e 3\n"
RUN = "1 Q0 c 1 9 r\n1 Q0 a 2 8 r\n1 Q0 x 3 7 r\n1 Q0 d 4 6 r\n1 Q0 b 5 5 r\n2 Q0 z 1 9 r\n2 Q0 e 2 8 r\n"


def scored(tmp_path: Path, *measures: str) -> dict[str, float]:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text(QRELS, encoding="utf-8")
    run.write_text(RUN, encoding="utf-8")
    (scores,) = evaluate(read_qrels(qrels), read_run(run), measures=measures)
    return dict(scores.mean)


def test_cut_offs_and_parameters_count_as_worked_out_by_hand(tmp_path: Path) -> None:
    values = scored(
        tmp_path, "MRR@1", "MRR@2", "map_cut_2", "AP(rel=2)", "Judged@4", "RBP(p=0.5)", "P(rel=2)@5", "map"
    )
    assert values == pytest.approx(
        {
            "MRR@1": 0.0,
            "MRR@2": (1 / 2 + 1 / 2) / 2,
            "map_cut_2": (1 / 2 / 2 + 1 / 2) / 2,  # of topic 1's two relevant documents one is within 2
            "AP(rel=2)": (1 / 5 + 1 / 2) / 2,
            "Judged@4": (2 / 4 + 1 / 4) / 2,  # the grade below 0 is pooled, not judged
            "RBP(p=0.5)": (0.5 * (0.5 + 0.5**4) + 0.5 * 0.5) / 2,
            "P(rel=2)@5": 1 / 5,
            "map": ((1 / 2 + 2 / 5) / 2 + 1 / 2) / 2,
        },
        abs=1e-12,
    )


def test_one_measure_with_two_parameters_is_computed_with_each(tmp_path: Path) -> None:
    values = scored(tmp_path, "P(rel=1)@5", "P(rel=2)@5", "P(rel=3)@5")
    assert list(values.values()) == pytest.approx([0.3, 0.2, 0.1], abs=1e-12)


@pytest.mark.shared
def test_the_tracker_case_of_mrr_at_ten(shared: Path) -> None:
    folder = shared / "cases" / "59-mrr10"
    qrels, run = read_qrels(folder / "qrels.txt"), read_run(folder / "run.txt")
    assert evaluate(qrels, run, measures="MRR@10")[0].mean == {"MRR@10": 0.0}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="ir_measures 0.4 parses names with ast.Num")
def test_ir_measures_reads_the_same_names_and_computes_the_same(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    names = ["AP(rel=2)@100", "nDCG@10", "RR@10", "R@100", "Success@5", "P(rel=2)@5"]
    values = scored(tmp_path, *names)
    qrels = [
        ir_measures.Qrel(*(t, d, int(g))) for t, _, d, g in (line.split() for line in QRELS.splitlines())
    ]
    run = [ir_measures.ScoredDoc(t, d, float(s)) for t, _, d, _, s, _ in map(str.split, RUN.splitlines())]
    for name in names:
        (theirs,) = ir_measures.calc_aggregate([ir_measures.parse_measure(name)], qrels, run).values()
        assert values[name] == pytest.approx(theirs, abs=1e-12), name
