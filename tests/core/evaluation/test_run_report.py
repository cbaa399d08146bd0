"""The report on runs: its answer, and that each of its numbers is what evaluating and comparing give."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from lxml import html

from inexview import compare
from inexview.core.evaluation import testing as ways
from inexview.core.evaluation.comparison import interval_text
from inexview.core.evaluation.explain import CostKind, CostlyPart, Fault, RunCosts
from inexview.core.evaluation.run_report import CostlyPlace, Reported, costly_places, report_of, usual_title
from inexview.core.report import difference_text, figure_text
from tests.core.evaluation.test_comparison import sweep

HOSTILE = "<script>alert(1)</script> | `x` _y_ & $\\end{document}"


def scored(means, *, topics=40, spread=0.1, shared=0.2, seed=5):
    """Return made scores of runs with these means, which vary together from topic to topic."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, shared, topics)
    made = []
    for scores, mean in zip(sweep(len(means), topics), means, strict=True):
        noise = rng.normal(0, spread, topics)
        values = np.clip(mean + hard + noise - noise.mean() - hard.mean(), 0, 1)
        made.append(replace(scores, values=values[None, :]))
    return made


def reported(runs, **named):
    usual = {
        "title": "Runs",
        "date": "29 Nov 2026",
        "qrels": None,
        "measures": ["MAiP"],
        "command": "inexview",
    }
    return report_of(Reported(scores=runs, **{**usual, **named}))


def section(report, title):
    return next(one for one in report.sections if one.title == title)


def test_the_answer_says_no_more_than_the_tests_show():
    clear = reported(scored([0.3, 0.6, 0.4]))
    assert (
        clear.answer == "run1 is best, 0.5995, and significantly better than each of the other two runs."
        or (
            re.fullmatch(
                r"run1 is best, 0\.\d{4}, and significantly better than each of the other two runs\.",
                clear.answer,
            )
        )
    )
    assert clear.more == ""
    some = reported(scored([0.3, 0.6, 0.595]))
    assert some.answer.endswith("significantly better than one of the other two runs.")
    assert some.more.startswith("Its lead over run2 (")
    assert "is not significant (p = " in some.more
    assert "may be anything from" in some.notes[0]
    none = reported(scored([0.5, 0.502, 0.501]))
    assert re.fullmatch(
        r"run\d has the highest MAiP, 0\.\d{4}, but is not significantly better than any other run\.",
        none.answer,
    )
    few = reported(scored([0.3, 0.6], topics=5))
    assert few.answer.endswith(", but 5 topics are too few for a meaningful test.")
    one = reported(scored([0.3]))
    assert re.fullmatch(r"run0 has MAiP 0\.\d{4} on 40 topics\.", one.answer)
    assert not [part for part in one.sections if part.title == "Every pair"]


def test_a_lead_significant_only_without_correction_has_both_p():
    for seed in range(60):
        runs = scored([0.5, 0.537, 0.46, 0.45], seed=seed)
        pair = compare(runs, "MAiP").difference(1, 0).pair
        if pair.mark == "(†)" and pair.better == 1:
            said = reported(runs).more
            assert f"is significant as a single comparison (p = {pair.p:.3f})" in said
            assert f"but not among six (p = {pair.p_corrected:.3f})" in said
            return
    pytest.fail("no such pair was made")


def test_the_numbers_are_those_of_evaluation_and_comparison():
    runs = scored([0.3, 0.45, 0.5, 0.52, 0.31])
    report = reported(runs)
    compared = compare(runs, "MAiP")
    means = {row[0].text: row for row in section(report, "Means").table.rows}
    for run in runs:
        values = run.per_topic("MAiP")
        low, high = scipy.stats.t.interval(0.95, len(values) - 1, values.mean(), scipy.stats.sem(values))
        assert means[run.id][1].text == figure_text(run.mean_of("MAiP"))
        assert means[run.id][2].text == f"{low:.4f} to {high:.4f}"
    assert list(means) == [runs[at].id for at in compared.order.tolist()]
    table = section(report, "Every pair").table
    assert len(table.rows) == 10
    for row in table.rows:
        cells = dict(zip(table.head, row, strict=True))
        names = [run.id for run in runs]
        pair = compared.between(names.index(cells["better"].text), names.index(cells["worse"].text))
        assert cells["difference"].text == difference_text(pair.difference, 4)
        assert cells["difference"].mark == pair.mark
        interval = cells["95 %, all 10 pairs"]
        assert ('fill="#fff"' in interval.picture) is not pair.significant
        place = compared.place(names.index(cells["better"].text), names.index(cells["worse"].text))
        assert interval.text == interval_text(*compared.at_once[place])
    assert "hold for all 10 pairs at once" in section(report, "Every pair").said
    topics = section(report, "Topics where they differ most").table
    for topic, *values, spread, _relevant in topics.rows:
        own = {run.id: run.per_topic("MAiP")[run.topics.index(topic.text)] for run in runs}
        assert dict(zip(topics.head[1:-2], (one.text for one in values), strict=True)) == {
            name: figure_text(value) for name, value in own.items()
        }
        assert spread.text == figure_text(max(own.values()) - min(own.values()))


def test_a_geometric_mean_has_the_interval_of_its_logarithms():
    (run,) = scored([0.4])
    run = replace(run, geometric=frozenset(run.mean_names))
    values = np.log(np.maximum(run.per_topic("MAiP"), 0.00001))
    ends = scipy.stats.t.interval(0.95, len(values) - 1, values.mean(), scipy.stats.sem(values))
    assert run.interval_of("MAiP") == pytest.approx(np.exp(ends), abs=1e-12)
    assert all(
        map(np.isnan, replace(run, values=run.values[:, :1], topics=run.topics[:1]).interval_of("MAiP"))
    )


@pytest.mark.parametrize("count", [9, 12, 30])
def test_with_many_runs_the_best_is_compared_with_each_other_run(count):
    report = reported(scored(np.linspace(0.3, 0.6, count).tolist()))
    table = section(report, "The best run against each other").table
    assert len(table.rows) == count - 1
    assert f"95 %, all {count * (count - 1) // 2} pairs" in table.head
    assert "95 % interval" not in table.head
    assert {f"run{count - 1}"} == {row[0].text for row in table.rows}
    assert [one.title for one in report.sections].count("Every pair") == (count <= 12)
    assert len(section(report, "Topics where they differ most").table.head) == 1 + 8 + 2


def test_what_runs_and_titles_are_called_is_text_wherever_it_stands():
    runs = [
        replace(run, id=f"{HOSTILE}{at}", path=Path(f"/x/{at}<i>.txt"))
        for at, run in enumerate(scored([0.3, 0.6]))
    ]
    place = CostlyPlace("1", HOSTILE, "missed", 0.1, HOSTILE)
    report = reported(
        runs,
        title=HOSTILE,
        command=f"inexview '{HOSTILE}'",
        title_of=lambda _topic: HOSTILE,
        link_of=lambda topic: f'inexview:///x?topic={topic}"><img>',
        places_of=lambda _at: (place,),
    )
    page = html.fromstring(report.html())
    assert page.xpath("//script | //img | //i") == []
    assert HOSTILE in page.xpath("string(//h1)")
    assert page.xpath("//td[contains(., $id)]", id=f"{HOSTILE}1")
    assert all(link.startswith("inexview:///x?topic=") for link in page.xpath("//@href | //@src"))
    assert "<script" not in re.sub(r"\\.", "", report.markdown.partition("```sh")[0])
    assert not re.search(r"(?<!\\)\|[^|]*alert[^|]*(?<!\\)`", report.markdown.partition("```sh")[0])
    assert report.latex.count("\\end{document}") == 1
    assert r"\textbackslash{}end\{document\}" in report.latex


def test_names_turn_no_text_around_and_hold_what_can_be_written():
    runs = [replace(run, id=f"\u202e\udce9{at}") for at, run in enumerate(scored([0.3, 0.6]))]
    report = reported(runs)
    for form in (report.html(), report.markdown, report.latex.replace("\\textbackslash{}", "\\")):
        form.encode("utf-8")
        assert "\u202e" not in form
        assert "\\u202e\\udce91" in form.replace("\\\\", "\\")


def test_caveats_of_the_figures_are_listed():
    runs = [replace(run, id=f"bm25-k1={at}-b=0.4") for at, run in enumerate(scored([0.5, 0.51]), 1)]
    counts = runs[0].counts
    unjudged = replace(counts, total=replace(counts.total, num_ret=100, unjudged=40), topics_missing=1)
    judged = replace(counts, total=replace(counts.total, num_ret=100, unjudged=3, ties=7))
    runs = [replace(runs[0], counts=unjudged), replace(runs[1], counts=judged)]
    said = " ".join(section(reported(runs), "Caveats").lines)
    assert "The ids contain parameters" in said
    assert "40.0\N{NO-BREAK SPACE}% of the documents of bm25-k1=1-b=0.4 are unjudged" in said
    assert "--complete counts them as 0" in said
    assert "bm25-k1=2-b=0.4: some results have equal scores" in said
    plain = reported(scored([0.5, 0.51]))
    assert not [part for part in plain.sections if part.title == "Caveats"]


def test_without_a_pair_that_can_be_tested_nothing_is_drawn_or_claimed():
    report = reported(scored([0.5, 0.6], topics=1), testing=ways.Testing())
    assert "are too few for a meaningful test" in report.answer
    assert "This does not show that they are equal." in report.notes
    assert "∞" not in report.answer + report.more


def test_costs_are_listed_with_the_beginning_of_the_text():
    (run,) = scored([0.5])
    text = "Frogs. They croak at night " + "and by day " * 40
    parts = (
        CostlyPart(CostKind.PLACE, 0.2, "1", "d1", Fault.MISSED, 5, 30),
        CostlyPart(CostKind.PLACE, 0.1, "1", "d1", Fault.MISSED, 27, 400),
        CostlyPart(CostKind.PLACE, 0.1, "1", "gone", Fault.MISSED, 0, 9),
    )
    costs = RunCosts(run, {kind: parts if kind is CostKind.PLACE else () for kind in CostKind})
    short, long, gone = costly_places(costs, lambda id: text if id == "d1" else "")
    assert short.excerpt == "They croak at night and"[: len(short.excerpt)]
    assert short.said.endswith("at 5, 25 characters")
    assert long.excerpt.startswith("and by day and")
    assert long.excerpt.endswith("…")
    assert len(long.excerpt) <= 161
    assert gone.excerpt == ""


def test_a_report_has_a_title_of_its_own():
    runs = scored([0.5, 0.6])
    assert usual_title(runs, Path("a/qrels-2009.txt")) == "2 runs on qrels-2009"
    assert usual_title(runs, None) == "2 runs"
