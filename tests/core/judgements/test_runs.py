"""FOL runs: read, written, ranked, refused with file, line and field, and warned of."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, Result, Run, Task, evaluate, read_qrels, read_run, write_run
from inexview.core.errors import DataErrors
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN

NAMES = st.from_regex(r"[A-Za-z0-9/_.-]{1,12}", fullmatch=True)
OFFSETS = st.integers(0, 10**12 // 2)


@st.composite
def results(draw):
    topics = draw(st.lists(NAMES, unique=True, min_size=1, max_size=4))
    listed = []
    for topic in topics:
        for rank in range(1, draw(st.integers(1, 5)) + 1):
            start, size = draw(OFFSETS), draw(OFFSETS)
            span = draw(st.just((start, start + size)) | st.just((-1, -1)))
            score = draw(st.floats(allow_nan=False, allow_infinity=False))
            listed.append(Result(topic, draw(NAMES), rank, score, *span))
    return listed


@given(results(), NAMES)
def test_written_files_are_read_back_equal(tmp_path_factory, listed, run_id):
    path = tmp_path_factory.mktemp("runs") / "run.txt"
    run = Run.from_results(listed, id=run_id)
    write_run(run, path)
    read = read_run(path)
    assert read == run
    assert [result for topic in read.topics for result in read.results(topic)] == listed
    again = path.with_name("again.txt")
    write_run(read, again)
    assert again.read_bytes() == path.read_bytes()
    for result in listed:
        assert result in read.passages(result.topic, result.document)


def read(tmp_path, text, **options):
    path = tmp_path / "run.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_run(path, **options)


LINE = "2009001 Q0 1528075 1 0.93 run-7 126 28761\n"


def test_the_order_of_the_file_is_the_ranking(tmp_path):
    run = read(tmp_path, "1 Q0 b 7 0.5 r 3 4\n1 Q0 a 2 0.9 r 0 2\n")
    assert run.results("1") == [Result("1", "b", 1, 0.5, 3, 7), Result("1", "a", 2, 0.9, 0, 2)]
    assert (run.id, run.task, run.topics, run.warnings) == ("r", None, ("1",), ())


@pytest.mark.parametrize("unknown", ["X X", "-1 -1", "X 12", "-1 12", "X"])
def test_passages_that_the_collection_does_not_hold_are_known_as_such(tmp_path, unknown):
    run = read(tmp_path, f"1 Q0 a 1 0.5 r 3 4\n1 Q0 b 2 0.4 r {unknown}\n")
    assert [result.known for result in run.results("1")] == [True, False]


def test_lines_without_a_length_are_entry_points(tmp_path):
    run = read(tmp_path, "1 Q0 a 1 0.5 r 30\n1 Q0 b 2 0.4 r 4\n")
    assert [(result.start, result.end) for result in run.results("1")] == [(30, 30), (4, 4)]
    assert run.size.tolist() == [NO_LENGTH, NO_LENGTH]


def test_entry_points_have_no_precision(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 Q0 a 5 50 0 0:5\n")
    qrels, run = read_qrels(tmp_path / "qrels.txt"), read(tmp_path, "1 Q0 a 1 0.5 r 0\n")
    assert evaluate(qrels, run, task="best-in-context")[0].mean["MAgP"] == 1
    for task in ("focused", "relevant-in-context", "thorough"):
        with pytest.raises(DataError, match=r"run\.txt:1: .* has no length"):
            evaluate(qrels, run, task=task)


def test_topics_that_are_interleaved_are_put_together_with_a_warning(tmp_path):
    run = read(tmp_path, "1 Q0 a 1 9 r 0 1\n2 Q0 b 1 8 r 0 1\n1 Q0 c 2 7 r 0 1\n2 Q0 d 2 6 r 0 1\n")
    assert run.topics == ("1", "2")
    assert [result.document for result in run.results("1")] == ["a", "c"]
    assert [result.document for result in run.results("2")] == ["b", "d"]
    assert [warning for warning in run.warnings if "run.txt:3: a topic continues here" in warning]


def test_another_run_id_is_warned_of(tmp_path):
    run = read(tmp_path, "1 Q0 a 1 9 r 0 1\n1 Q0 b 2 8 other 0 1\n")
    assert run.id == "r"
    assert [warning for warning in run.warnings if "run.txt:2: the run id differs from r" in warning]


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + LINE.encode(),
        LINE.replace("\n", "\r\n"),
        LINE.replace(" ", "\t"),
        LINE.replace(" ", "  "),
        LINE.replace("\n", " \t\n\n"),
        LINE.rstrip("\n"),
    ],
    ids=["byte order mark", "CRLF", "tabs", "several blanks", "trailing blanks", "no last newline"],
)
def test_any_white_space_parts_the_fields(tmp_path, text):
    assert read(tmp_path, text) == read(tmp_path, LINE)


@given(st.lists(st.tuples(results(), st.booleans()), min_size=1, max_size=1))
def test_a_crooked_file_gives_the_same_run_as_a_straight_one(tmp_path_factory, drawn):
    ((listed, crlf),) = drawn
    straight = tmp_path_factory.mktemp("runs") / "run.txt"
    write_run(Run.from_results(listed, id="r"), straight)
    crooked = straight.with_name("crooked.txt")
    text = straight.read_text().replace(" ", "  ", 1).replace("\n", " \r\n" if crlf else "\t\n")
    crooked.write_text("\n" + text, newline="")
    assert read_run(crooked) == read_run(straight)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("1 Q0 d 1 0.5 r 12x 5", ":2: field 'offset' = '12x': is not a whole number of characters"),
        ("1 Q0 d 1 0.5 r -5 5", ":2: field 'offset' = '-5': is not a whole number"),
        ("1 Q0 d 1 0.5 r 5 -5", ":2: field 'length' = '-5': is not a whole number"),
        ("1 Q0 d 1 0.5 r 5 1.5", ":2: field 'length' = '1.5': is not a whole number"),
        ("1 Q0 d 1 0.5 r 5 X", ":2: field 'length' = 'X': is not a whole number"),
        ("1 Q0 d 1 0.5 r 99999999999999999999 5", ":2: field 'offset' = '99999999999999999999': is not"),
        ("1 Q0 d 1 0.5 r 5 9999999999999", ":2: field 'length' = '9999999999999': is larger than any"),
        ("1 Q0 d 1 nan r 5 5", ":2: field 'rsv' = 'nan': is not a finite number"),
        ("1 Q0 d 1 -inf r 5 5", ":2: field 'rsv' = '-inf': is not a finite number"),
        ("1 Q0 d 1 1e999 r 5 5", ":2: field 'rsv' = '1e999': is not a finite number"),
        ("1 Q0 d 1 high r 5 5", ":2: field 'rsv' = 'high': is not a number"),
        ("1 Q0 d one 0.5 r 5 5", ":2: field 'rank' = 'one': is not a rank"),
        ("1 Q0 d 1 r 5 5", ":2: field 'rsv' = 'r': is not a number"),
        ("1 Q0 d 1 0.5", ":2: has 5 fields where a run has 8 (or 7, without a length)"),
        ("1 Q0 d 1 0.5 r 5 5 5", ":2: has 9 fields where a run has 8"),
    ],
)
@pytest.mark.parametrize("gap", [" ", "\t "])
def test_what_cannot_be_read_is_refused_with_file_line_and_field(tmp_path, line, error, gap):
    with pytest.raises(DataError) as raised:
        read(tmp_path, LINE + line.replace(" ", gap) + "\n")
    assert f"{tmp_path / 'run.txt'}{error}" in str(raised.value)


def test_errors_come_in_the_order_of_the_lines_and_up_to_a_limit(tmp_path):
    with pytest.raises(DataError) as raised:
        read(tmp_path, LINE + "1 Q0 d 1 0.5 r 5 x\n1 Q0 d 1 x r 5 5\n" + "1 Q0 d 1 0.5 r x 5\n" * 50)
    lines = [error.line for error in raised.value.errors]
    assert len(lines) == 20
    assert lines == sorted(lines)
    assert raised.value.more


def test_huge_offsets_are_read_exactly(tmp_path):
    run = read(tmp_path, f"1 Q0 d 1 0.5 r {2**32 + 1} {2**33 + 5}\n1 Q0 e 2 0.4 r 999999999999 1\n")
    assert run.start.tolist() == [2**32 + 1, 999999999999]
    assert run.size.tolist() == [2**33 + 5, 1]


def test_an_end_in_the_place_of_the_length_is_reread(tmp_path):
    run = read(tmp_path, "1 Q0 d 1 0.5 r 100 150\n1 Q0 e 2 0.4 r X X\n", fol_end=True)
    assert [(result.start, result.end) for result in run.results("1")] == [(100, 150), (-1, -1)]
    with pytest.raises(DataError, match=r"run\.txt:1: field 'end' = '99': lies before"):
        read(tmp_path, "1 Q0 d 1 0.5 r 100 99\n", fol_end=True)


def test_ends_in_the_place_of_lengths_are_suspected(tmp_path):
    (tmp_path / "qrels.txt").write_text("".join(f"1 Q0 d{at} 0 1000\n" for at in range(20)))
    qrels = read_qrels(tmp_path / "qrels.txt")
    lines = "".join(f"1 Q0 d{at} {at + 1} 0.5 r {500 + at} {900 + at}\n" for at in range(20))
    (warning,) = [
        text
        for text in evaluate(qrels, read(tmp_path, lines), task="focused")[0].warnings
        if "past the end" in text
    ]
    assert "20 results run past the end" in warning
    assert "--fol-end" in warning
    fits = evaluate(qrels, read(tmp_path, lines, fol_end=True), task="focused")[0]
    assert not any("past the end" in text for text in fits.warnings)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\x00\x01\x02" * 50], ids=["empty", "blank", "binary"])
def test_files_without_results_are_refused(tmp_path, content):
    with pytest.raises(DataError):
        read(tmp_path, content)


def test_a_million_lines_are_read(tmp_path):
    lines = 1_000_000
    path = tmp_path / "run.txt"
    with path.open("w") as file:
        file.writelines(
            f"{at // 1000} Q0 {at * 7919 % 99991} {at % 1000 + 1} {lines - at} r {at} {at % 997}\n"
            for at in range(lines)
        )
    run = read_run(path)
    at = np.arange(lines)
    assert len(run.topics) == 1000
    assert np.array_equal(run.start, at)
    assert np.array_equal(run.size, at % 997)
    assert np.array_equal(run.score, lines - at)
    assert np.array_equal(run.line, at + 1)
    assert [run.document[row] for row in (0, 1, lines - 1)] == ["0", "7919", str((lines - 1) * 7919 % 99991)]


def test_a_run_knows_its_results_by_topic_and_document():
    listed = [
        Result("1", "a", 1, None, 0, 2),
        Result("1", "b", 2, None, 0, 2),
        Result("1", "a", 3, None, 5, 9),
    ]
    run = Run.from_results(listed, id="r", task=Task.FOCUSED)
    assert run.passages("1", "a") == [listed[0], listed[2]]
    assert run.passages("1", "c") == run.passages("2", "a") == run.results("2") == []
    assert (len(run), repr(run)) == (3, "<Run 'r' of 1 topics and 3 results>")


RESULTS = st.lists(
    st.builds(
        Result,
        topic=st.sampled_from(["1", "2"]),
        document=st.sampled_from(["a", "b", "a name of more than eight bytes"]),
        rank=st.just(0),
        score=st.sampled_from([None, 0.5, 1.0]),
        start=st.sampled_from([-1, 0, 4]),
        end=st.sampled_from([3, 4]),
    ),
    max_size=3,
)


@given(RESULTS, RESULTS)
def test_runs_are_equal_where_all_their_results_are(one, other):
    first, second = (Run.from_results(results, id="r") for results in (one, other))
    alike = first.topics == second.topics and all(
        first.results(topic) == second.results(topic) for topic in first.topics
    )
    assert (first == second) is alike
    assert first == Run.from_results(one, id="r")
    assert first != replace(first, id="other")


def test_where_ends_in_the_place_of_lengths_make_results_overlap_the_error_says_so_first(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 Q0 d 4 100 0 0:4\n")
    qrels = read_qrels(tmp_path / "qrels.txt")
    lines = "".join(f"1 Q0 d {n} 0.5 r {10 * n} {10 * n + 9}\n" for n in range(1, 9))
    with pytest.raises(DataErrors) as raised:
        evaluate(qrels, read(tmp_path, lines), task="focused")
    first, *others = raised.value.errors
    assert "fit if their last field is the end of the passage: use --fol-end" in first.problem
    assert all("overlaps the result" in error.problem for error in others)
    assert evaluate(qrels, read(tmp_path, lines, fol_end=True), task="focused")[0].warnings == ()


def test_runs_are_equal_if_all_results_are():
    def run_with(**changes) -> Run:
        given = {"topic": "1", "document": "a", "rank": 1, "score": 0.5, "start": 3, "end": 9, **changes}
        return Run.from_results([Result(**given), Result("1", "b", 2, None, 0, 4)], id="r")

    assert run_with() == run_with()
    other = {"topic": "2", "document": "c", "score": 0.6, "start": 2, "end": 8}
    for changes in (*({name: value} for name, value in other.items()), {"score": None}):
        assert run_with(**changes) != run_with(), changes
    assert replace(run_with(), id="s") != run_with()
    assert replace(run_with(), task=Task.FOCUSED) != run_with()


def test_a_result_that_the_collection_does_not_hold_begins_and_ends_nowhere():
    run = Run.from_results([Result("1", "a", 1, None, UNKNOWN, UNKNOWN), Result("1", "b", 2, None, 3, 9)])
    assert [(one.start, one.end) for one in run.results("1")] == [(UNKNOWN, UNKNOWN), (3, 9)]


@given(RESULTS)
def test_results_of_a_document_come_together_at_its_best_rank(listed):
    run = Run.from_results(listed, id="r")
    made, best = run.together(Task.RELEVANT_IN_CONTEXT), run.together(Task.BEST_IN_CONTEXT)
    for topic in run.topics:
        groups: dict[str, list[Result]] = {}
        for one in run.results(topic):
            groups.setdefault(one.document, []).append(one)
        expected = [one for group in groups.values() for one in group]
        assert [replace(one, rank=0) for one in made.results(topic)] == [
            replace(one, rank=0) for one in expected
        ]
        assert [one.document for one in best.results(topic)] == list(groups)
        assert [replace(one, rank=0) for one in best.results(topic)] == [
            replace(group[0], rank=0) for group in groups.values()
        ]
    assert run.together(Task.FOCUSED) is run
    assert made.gathered
