"""Query variations: scores of topics are means over their queries, against a slow program."""

from __future__ import annotations

import csv
import io
import random
import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from inexview import Qrels, Run, compare, evaluate
from inexview.cli import main
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation import testing
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_report import command_of
from inexview.core.evaluation.scores import CurveKind, ScoringSettings
from inexview.core.evaluation.sweeps import difficulty_by_topic, sweep_of, sweep_tables
from inexview.core.judgements.runs import Task
from inexview.core.judgements.subsets import Variations, in_topics

QUERIES = {"101": ("101-1", "101-2", "101-3"), "102": ("102-1", "102-2"), "103": ("103-1",)}
SETTINGS = ScoringSettings(task=Task.DOCUMENTS, variations=Variations())


def judged():
    return Qrels.of({topic: {f"d{n}": n % 3 for n in range(9)} for topic in QUERIES})


def run(name, seed, queries=None):
    chance = random.Random(seed)
    asked = queries or [query for own in QUERIES.values() for query in own]
    made = {query: {f"d{n}": chance.random() for n in range(12)} for query in asked}
    return replace(Run.of(made), id=name, task=Task.DOCUMENTS)


def test_a_topic_has_the_mean_of_its_queries_by_the_topics_judgements():
    own = run("a", 1)
    found = score_run(judged(), own, SETTINGS)
    assert found.topics == tuple(QUERIES)
    assert found.queries == (3, 2, 1)
    copied = Qrels.of(
        {query: {f"d{n}": n % 3 for n in range(9)} for queries in QUERIES.values() for query in queries}
    )
    single = evaluate(copied, own, task="documents")[0]
    for at, (topic, queries) in enumerate(QUERIES.items()):
        for row, name in enumerate(found.names):
            values = [single.topic(query)[name] for query in queries]
            assert found.values[row, at] == pytest.approx(statistics.fmean(values))
            deviation = statistics.stdev(values) if len(values) > 1 else 0
            assert found.inside[row, at] == pytest.approx(deviation)
        assert found.counts.topics[topic].num_ret == 12 * len(queries)
    assert (found.counts.topics_judged, found.counts.topics_in_run, found.counts.num_q) == (3, 3, 3)
    assert "mean over its queries (6 queries)" in found.notes[-1]


def test_judgements_of_a_query_itself_come_first_and_a_table_says_other_topics():
    table = Variations({"x": "101", "y": "101", "z": "102"})
    qrels = Qrels.of({"101": {"d1": 1, "d2": 0}, "y": {"d2": 1}, "103": {"d1": 1}})
    expanded = table.judgements(qrels, ["x", "y", "z", "103"])
    assert {(one.topic, one.document, one.rsize) for one in expanded} == {
        ("x", "d1", 1), ("x", "d2", 0), ("y", "d2", 1), ("103", "d1", 1),
    }  # fmt: skip
    found = score_run(qrels, run("a", 2, ["x", "y"]), replace(SETTINGS, variations=table))
    assert found.topics == ("101",)
    assert found.counts.topics_missing == 1
    assert Variations().judgements(qrels, ["y", "103", "7-1"]) is qrels


def test_missing_queries_are_left_out_and_missing_topics_count_as_asked():
    own = run("a", 3, ["101-1", "101-2"])
    assert score_run(judged(), own, SETTINGS).topics == ("101",)
    whole = score_run(judged(), own, replace(SETTINGS, complete=True))
    assert {*whole.topics} == {*QUERIES}
    assert whole.topic("102")["AP"] == whole.topic("102")["P@5"] == 0


def test_runs_are_compared_topic_by_topic_and_difficulty_tells_the_spread_inside():
    scored = [score_run(judged(), run(f"a-k={n}", n), SETTINGS) for n in range(3)]
    assert len(compare(scored, "MAP").topics) == 3
    sweep = sweep_of(scored, "MAP")
    rows = {one.topic: one for one in sweep.difficulty}
    for at, topic in enumerate(QUERIES):
        name = scored[0].mean_names.index("MAP")
        assert rows[topic].queries == len(QUERIES[topic])
        assert rows[topic].inside == pytest.approx(statistics.fmean(own.inside[name, at] for own in scored))
    table = sweep_tables(sweep)[-1]
    assert table.head[:4] == ("topic", "queries", "s.d. inside", "mean")
    assert "between the queries of a topic" in table.notes[0]


def test_topics_of_single_queries_are_as_hard_as_of_grouped_scores():
    """The window groups what it shows; the command line averages first: the figures are the same."""
    copied = Qrels.of(
        {query: {f"d{n}": n % 3 for n in range(9)} for queries in QUERIES.values() for query in queries}
    )
    runs = [run(f"a-k={n}", n) for n in range(4)]
    queries = sweep_of(list(evaluate(copied, runs, task="documents")), "MAP")
    topics = sweep_of([score_run(judged(), own, SETTINGS) for own in runs], "MAP")
    groups = in_topics(queries.comparison.topics)
    assert [*groups] == [*QUERIES]
    grouped = difficulty_by_topic(queries, groups)
    for one, other in zip(grouped, topics.difficulty, strict=True):
        assert (one.topic, one.queries) == (other.topic, other.queries)
        assert (one.mean, one.deviation, one.inside, one.upper) == pytest.approx(
            (other.mean, other.deviation, other.inside, other.upper)
        )


@pytest.mark.parametrize(
    ("ids", "topics"),
    [
        (["101-1", "101-2", "102-1"], ["101", "102"]),
        (["101.a", "101.b", "102.a", "102.b"], ["101", "102"]),
        (["UQV100.001.1", "UQV100.001.2", "UQV100.002.1"], ["UQV100.001", "UQV100.002"]),
        (["2009-001", "2009-002"], []),
        (["2009001", "2009002"], []),
        (["101-1", "102-1", "103-1"], []),
        (["101-1", "101-2", "102"], []),
        ([], []),
    ],
)
def test_queries_are_known_by_their_ids_where_all_are(ids, topics):
    assert [*in_topics(ids)] == topics


def test_a_table_is_read_and_invalid_tables_are_refused(tmp_path):
    path = tmp_path / "queries.tsv"
    path.write_text("query\ttopic\ttext\n1\t101\told oil\n2\t101\tlamp oil\n")
    assert Variations.read(path).table == {"1": "101", "2": "101"}
    for text, said in [
        ("", "is empty"),
        ("query\n", "needs a header line"),
        ("query,topic\n1,2\n1,3\n", ":3: field 'query' = '1': is repeated"),
        ("query,topic\n1\n", ":2: has 1 value, and the headings are 2"),
    ]:
        path.write_text(text)
        with pytest.raises(DataError) as refused:
            Variations.read(path)
        assert said in str(refused.value)


def test_curves_by_rank_are_of_single_queries():
    with pytest.raises(InexviewError, match="one query for each topic"):
        score_run(judged(), run("a", 1), replace(SETTINGS, curve=CurveKind.ROC))


def test_a_script_gives_variations_as_the_command_line_does(tmp_path, capsys):
    """``evaluate`` and ``inexview eval`` have the same digits, whichever way the queries are given."""
    qrels, runs = tmp_path / "qrels.txt", [tmp_path / "a.run", tmp_path / "b.run"]
    qrels.write_text("".join(f"{topic} 0 d{n} {n % 3}\n" for topic in QUERIES for n in range(9)))
    for seed, path in enumerate(runs):
        listed = (
            f"{one.topic} Q0 {one.document} {one.rank} {one.score} {path.stem}\n" for one in run("", seed)
        )
        path.write_text("".join(listed))
    table = {query: topic for topic, queries in QUERIES.items() for query in queries}
    written = tmp_path / "queries.csv"
    written.write_text("query,topic\n" + "".join(f"{query},{topic}\n" for query, topic in table.items()))
    for given, option in [("ids", "ids"), (table, str(written)), (written, str(written))]:
        asked = ["eval", str(qrels), *map(str, runs), "--task", "documents", "--variations", option]
        assert main([*asked, "--format", "csv"]) == 0
        lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        evaluated = evaluate(qrels, runs, task="documents", variations=given)
        printed = {
            (line["run"], line["measure"]): float(line["value"]) for line in lines if line["topic"] == "all"
        }
        means = {(own.id, name): value for own in evaluated for name, value in own.mean.items()}
        assert means.items() <= printed.items()
        assert len(evaluated[0].topics) == 3


def test_the_command_of_a_report_says_which_queries_ask_for_a_topic():
    scores = [score_run(judged(), run("a", 1), SETTINGS)]
    given = Variations({"101-1": "101"}, Path("queries.csv"))
    for variations, option in [(Variations(), "--variations ids"), (given, "--variations queries.csv")]:
        settings = replace(SETTINGS, variations=variations)
        assert option in command_of("qrels.txt", scores, settings, testing.Testing(), ["MAP"])
