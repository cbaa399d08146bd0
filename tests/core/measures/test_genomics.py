"""The measures of TREC Genomics, character by character and result by result, as their definitions say."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import InexviewError, Result, Run, evaluate
from inexview.cli import main
from inexview.core.evaluation.explain import explain_run
from inexview.core.formats.passage_lines import read_genomics_run, read_gold_passages
from inexview.core.judgements.qrels import AspectQrels, GoldPassage
from tests.core.strategies import qrels_of, run_of

DOCUMENTS = ["a", "b", "c"]


def gold_passage(document, start, size, aspects):
    return GoldPassage("1", document, start, start + size, frozenset(aspects))


GOLD = st.lists(
    st.builds(
        gold_passage,
        st.sampled_from(DOCUMENTS),
        st.integers(0, 30),
        st.integers(0, 12),
        st.lists(st.sampled_from("xyz"), max_size=2),
    ),
    min_size=1,
    max_size=6,
)
RESULT = st.tuples(st.sampled_from([*DOCUMENTS, "d"]), st.integers(0, 40), st.integers(0, 15))
RESULTS = st.lists(RESULT, min_size=1, max_size=10)


def by_hand(gold, results):
    relevant = {(own.document, at) for own in gold for at in range(own.start, own.end)}
    numerator = denominator = 0
    passage2, seen = 0.0, set()
    for document, start, size in results:
        for at in range(start, start + size):
            here = (document, at)
            if here in relevant and here not in seen:
                seen.add(here)
                numerator, denominator = numerator + 1, denominator + 1
                passage2 += numerator / denominator
            elif here not in relevant:
                denominator += 1
    common = read = points = hits = ranked = 0
    passage = aspect = 0.0
    met, told = set(), set()
    places = {own[1:4] for own in gold}
    for document, start, size in results:
        read += size
        shown = set(range(start, start + size))
        own = next((g for g in gold if g.document == document and shown & set(range(g.start, g.end))), None)
        if own is None:
            ranked += 1
            continue
        common += len(shown & set(range(own.start, own.end)))
        points += 1
        passage += common / read
        met.add(own[1:4])
        if new := (own.aspects or {""}) - told:
            hits, ranked = hits + 1, ranked + 1
            aspect += len(new) * hits / ranked
            told |= new
    documents = list(dict.fromkeys(document for document, _, _ in results))
    flags = [document in {own.document for own in gold} for document in documents]
    average = sum(sum(flags[: at + 1]) / (at + 1) for at, hit in enumerate(flags) if hit)
    aspects = set().union(*(own.aspects or {""} for own in gold))
    return {
        "DOCUMENT": average / len({own.document for own in gold}),
        "PASSAGE": passage / (points + len(places - met)),
        "PASSAGE2": passage2 / len(relevant) if relevant else 0,
        "ASPECT": aspect / len(aspects),
    }


@given(GOLD, RESULTS)
def test_every_measure_is_that_of_its_definition(gold, results):
    run = Run.from_results(
        Result("1", document, rank, None, start, start + size)
        for rank, (document, start, size) in enumerate(results, 1)
    )
    scores = evaluate(AspectQrels.of_gold(gold), run, task="aspects", preset="genomics2007")[0]
    assert scores.topic("1") == pytest.approx(by_hand(gold, results), abs=1e-12)
    for told in explain_run(AspectQrels.of_gold(gold), run, "1", task="aspects").derivations:
        assert told.value == scores.topic("1")[told.measure]
        assert told.fraction.value == pytest.approx(told.value)
        assert [(row.document, row.place) for row in told.rows] == [
            (document, f"{start}:{size}") for document, start, size in results
        ]


def test_other_judgements_have_no_aspects():
    qrels, run = qrels_of({"1": {"a": (1, 9, 0, {0})}}), run_of({"1": [("a", 0, 2)]})
    with pytest.raises(InexviewError, match="gold passages"):
        evaluate(qrels, run, task="aspects")


def test_files_of_the_track_are_scored_over_every_gold_topic(tmp_path, capsys):
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.txt"
    gold.write_text("200\t123\t10\t10\tCell Line|Blood\n200\t124\t0\t5\tBlood\n201\t7\t0\t5\tBone\n")
    run.write_text("200 124 2 0 5\n200 123 1 10 10\n")
    assert main(["eval", str(gold), str(run), "--preset", "genomics2007", "--format", "json"]) == 0
    said = capsys.readouterr()
    assert "no result for 1 of 2 judged topics (201); it counts as 0" in said.err
    (told,) = json.loads(said.out)["runs"]
    assert told["topics"]["200"] == {"DOCUMENT": 1, "PASSAGE2": 1, "PASSAGE": 1, "ASPECT": 1}
    assert told["mean"]["PASSAGE2"] == 0.5
    assert main(["eval", str(gold), str(run), "--preset", "genomics2007"]) == 0
    capsys.readouterr()
    run.write_text("200 124 2 0x 5\n")
    assert main(["eval", str(gold), str(run), "--preset", "genomics2007"]) == 2
    assert "run.txt:1: field 'offset' = '0x': is not a whole number" in capsys.readouterr().err


def test_results_are_ordered_by_rank_document_offset_and_length(tmp_path):
    path = tmp_path / "run"
    path.write_text("1 b 1 0.5 3 4 mine\n1 a 1 0.7 9 2 mine\n1 a 1 0.1 3 4 mine\n1 c 0 1 1 1 mine\n")
    run = read_genomics_run(path)
    assert run.id == "mine"
    assert [(one.document, one.start) for one in run.results("1")] == [("c", 1), ("a", 3), ("a", 9), ("b", 3)]


def test_files_are_read_as_the_tracks_scorer_reads_them(tmp_path, capsys):
    """Lines without aspects are no gold; a passage that comes twice is one; one of no length is never met."""
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.txt"
    gold.write_text(
        "1\ta\t0\t4\tx|y\n1\tb\t5\t5\tz\n1\tb\t5\t5\tz\n1\tc\t0\t0\tx\n1\td\t0\t9\n1\te\t0\t2\t\n"
    )
    run.write_text("1 d 1 0 9 mine\n1 a 2 2 0 mine\n1 a 3 0 4 mine\n")
    assert main(["eval", str(gold), str(run), "--preset", "genomics2007", "--format", "json"]) == 0
    said = capsys.readouterr()
    (told,) = json.loads(said.out)["runs"]
    assert told["id"] == "mine"
    assert main(["eval", str(gold), str(run), "--format", "json"]) == 0  # gold passages say the preset
    again = capsys.readouterr()
    assert (again.err, json.loads(again.out)["runs"]) == (said.err, [told])
    assert told["mean"] == pytest.approx(
        {
            "DOCUMENT": 1 / 2 / 4,  # of a, b, c and e; a at 2
            "PASSAGE": 4 / 13 / (1 + 3),
            "PASSAGE2": sum(n / (9 + n) for n in range(1, 5)) / 11,
            "ASPECT": 2 * 1 / 3 / 4,  # of x, y, z and the blank one, behind two that meet nothing
        }
    )
    assert f"{gold}:4: a gold passage is empty" in said.err
    assert f"{gold}:5: a line without a field of aspects is skipped" in said.err


def test_an_invalid_gold_standard_is_reported_with_its_line(tmp_path):
    path = tmp_path / "gold"
    path.write_text("1 Q0 a 4 10 0 0:4\n")
    with pytest.raises(InexviewError, match="gold:1: has 1 field between tabs where gold passages have 5"):
        read_gold_passages(path)
    path.write_text("\n")
    with pytest.raises(InexviewError, match="holds no gold passage"):
        read_gold_passages(path)
