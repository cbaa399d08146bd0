"""Warnings of many runs: condensed where many say the same, untouched where few do."""

from __future__ import annotations

import pickle
from pathlib import Path

from inexview.core.wording import CountedSentence, condensed


def of(*names_and_sentences):
    return [(Path(name), [f"{name}{sentence}" for sentence in own]) for name, *own in names_and_sentences]


def test_warnings_of_a_few_runs_are_shown_separately():
    given = of(("a", ": 3 results run past"), ("b", ": 4 results run past"), ("c", ": 5 results run past"))
    assert condensed(given) == [
        "a: 3 results run past",
        "b: 4 results run past",
        "c: 5 results run past",
    ]


def test_many_runs_that_say_the_same_are_counted_and_the_first_ones_named():
    given = of(*((f"r{at}", f": {at + 7} results run past") for at in range(40)))
    assert condensed(given) == ["40 runs (r0, r1, r2, …): in each 7 to 46 results run past"]


def test_a_common_count_is_shown_once():
    given = of(*((f"r{at}", ": 2 topics were not judged (8, 9): ignored") for at in range(4)))
    assert condensed(given) == ["4 runs (r0, r1, r2, …): in each 2 topics were not judged (8, 9): ignored"]


def test_warnings_in_singular_and_plural_are_merged():
    def told(counts):
        names = [f"r{at}" for at in range(len(counts))]
        given = [
            CountedSentence(n, "result runs", "results run", name)
            for n, name in zip(counts, names, strict=True)
        ]
        return condensed([(Path(name), [said]) for name, said in zip(names, given, strict=True)])

    assert told([1, 2]) == ["r0: 1 result runs", "r1: 2 results run"]
    assert told([1, 3, 2, 1]) == ["4 runs (r0, r1, r2, …): in each 1 to 3 results run"]
    assert told([1, 1, 1, 1]) == ["4 runs (r0, r1, r2, …): in each 1 result runs"]


def test_what_another_process_says_of_its_runs_is_of_the_same_kind():
    said = CountedSentence(1, "result runs", "results run", "a")
    sent = pickle.loads(pickle.dumps(said))
    assert (type(sent), sent, sent.many, sent.number) == (CountedSentence, said, "results run", 1)


def test_lines_of_one_file_are_one_run_and_the_first_line_is_named():
    lines = (
        ":3: a topic continues here",
        ":9: a topic continues here",
        ": a topic continues here: 5 more such lines",
    )
    assert condensed(of(("a", *lines))) == [f"a{line}" for line in lines]
    assert condensed(of(*((name, *lines) for name in "abcd"))) == [
        "4 runs (a:3, b:3, c:3, …): a topic continues here"
    ]


def test_what_differs_between_runs_is_kept_apart_and_in_order():
    given = of(*((name, f": no result for topic {name}", ": 1 odd") for name in "abcd"))
    assert condensed(given) == [
        "a: no result for topic a",
        "4 runs (a, b, c, …): in each 1 odd",
        "b: no result for topic b",
        "c: no result for topic c",
        "d: no result for topic d",
    ]
