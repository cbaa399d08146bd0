"""The offset doctor, on files counted in every convention and against counting by hand."""

from __future__ import annotations

import re
import tarfile
from contextlib import closing
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.passage_lines import read_fol_qrels, read_fol_run, write_fol_qrels, write_fol_run
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run
from inexview.core.offset_check.diagnosis import Problem, Sureness, verdict
from inexview.core.offset_check.examine import (
    corrected,
    examine,
    plan_for,
    sample_of,
    suspicion,
    write_offsets,
)
from inexview.core.progress import Cancelled
from inexview.core.text.counting import (
    CODE_POINTS,
    CONVENTIONS,
    UTF8_BYTES,
    UTF16_UNITS,
    Convention,
    Ends,
    Unit,
)
from inexview.core.text.spans import EMPTY, Spans
from tests.miscounted import articles, counted_in, in_code_points, judgements, run_in
from tests.opened import opened
from tests.scales import length_of

USUAL = [one for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE]
PLAIN = [one for one in USUAL if one.unit is not Unit.UTF16_UNITS]  # the articles have no such characters


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("articles")


@pytest.fixture(scope="module")
def texts(place):
    return articles(place)


@pytest.fixture(scope="module")
def collection(place, texts):
    with closing(Collection.open(place)) as collection:
        collection.prepare()
        yield collection


@pytest.fixture(scope="module")
def judged(texts):
    return judgements(texts)


# -- which convention ----------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.key)
def test_the_convention_of_qrels_is_found_and_turned_back(convention, judged, texts, collection):
    qrels = counted_in(convention, judged, texts)
    diagnosis = examine(qrels, collection)
    assert diagnosis.best == convention
    assert diagnosis.fitting(convention) == diagnosis.documents == len(texts)
    assert diagnosis.sureness is Sureness.SURE
    assert not len(diagnosis.misfit_rows(convention))
    turned = corrected(qrels, plan_for(diagnosis), collection)
    assert turned.judged == in_code_points(judged, texts)
    assert not turned.left.any()


@pytest.mark.parametrize("convention", USUAL, ids=lambda one: one.key)
def test_the_convention_of_a_run_is_found_by_the_edges_of_its_passages(convention, judged, texts, collection):
    run = run_in(convention, judged, texts)
    diagnosis = examine(run, collection)
    assert diagnosis.best == convention
    assert diagnosis.fit(convention).natural == 1
    turned = corrected(run, plan_for(diagnosis), collection).judged
    assert turned == run_in(CODE_POINTS, judged, texts)


def test_ambiguous_offsets_count_as_code_points_with_a_message(tmp_path):
    texts = articles(tmp_path, 5, plain=5)
    diagnosis = examine(counted_in(UTF8_BYTES, judgements(texts), texts), opened(tmp_path))
    assert diagnosis.best == CODE_POINTS
    assert diagnosis.sureness is Sureness.SURE  # whatever it is, it reads the same
    assert diagnosis.ambiguous == 5
    assert "5 of 5 fit more than one convention" in " ".join(verdict(diagnosis).details)


EVEN = "é ab cd  ef"  # 11 code points, and as many bytes when white space is merged, which stand elsewhere


def where_both_lengths_fit(folder, count):
    """Examine passages [2, 4) of so many equal articles: "ab" in code points, " a" in bytes, merged."""
    for number in range(count):
        (folder / f"{number}.xml").write_text(f"<a>{EVEN}</a>", encoding="utf-8")
    rows = [Judgement("1", str(number), 2, len(EVEN), 2, Spans([(2, 4)])) for number in range(count)]
    return examine(Qrels.from_judgements(rows), opened(folder))


def test_one_passage_that_may_be_read_in_two_ways_leaves_it_open(tmp_path):
    merged = Convention.of("bytes+merged")
    assert length_of(EVEN, CODE_POINTS) == length_of(EVEN, merged)
    diagnosis = where_both_lengths_fit(tmp_path, 1)
    assert diagnosis.best == CODE_POINTS
    assert diagnosis.sureness is Sureness.OPEN
    assert merged in diagnosis.rivals
    said = verdict(diagnosis)
    assert said.headline.endswith("but other ways of counting as well.")
    assert said.details[0].startswith(f"Other ways explain as much, but give other text ({merged} or ")


def test_many_passages_on_words_in_one_way_only_settle_it(tmp_path):
    diagnosis = where_both_lengths_fit(tmp_path, 10)
    assert diagnosis.best == CODE_POINTS
    assert diagnosis.rivals == ()
    assert diagnosis.sureness is Sureness.SURE


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        (1, "1 document is not in the collection (a0)."),
        (3, "3 documents are not in the collection (a0, a1, a2)."),
        (4, "4 documents are not in the collection (a0, a1, a2, …)."),
    ],
)
def test_documents_that_are_not_there_are_counted_and_the_first_ones_named(
    absent, said, judged, texts, collection
):
    there = in_code_points(judged, texts)
    more = [replace(judged[0], document=f"a{number}") for number in range(absent)]
    diagnosis = examine(Qrels.from_judgements([*there, *more]), collection)
    assert said in verdict(diagnosis).details


def test_a_file_of_another_collection_is_explained_by_nothing(judged, texts, collection):
    strange = [replace(one, length=one.length + 1000 + at) for at, one in enumerate(judged)]
    diagnosis = examine(Qrels.from_judgements(strange), collection)
    assert diagnosis.sureness is Sureness.NONE
    assert "belong together" in verdict(diagnosis).headline


def test_a_mixed_file_is_reported_by_parts_and_read_document_by_document(judged, texts, collection):
    in_bytes = counted_in(UTF8_BYTES, judged[:5], texts)
    mixed = Qrels.from_judgements([*in_bytes, *in_code_points(judged[5:], texts)])
    diagnosis = examine(mixed, collection)
    assert diagnosis.parts == ((CODE_POINTS, 7), (UTF8_BYTES, 5))
    assert verdict(diagnosis).headline.startswith("The file is mixed: 7 of 12 documents fit code points")
    assert corrected(mixed, plan_for(diagnosis, mixed=True), collection).judged == in_code_points(
        judged, texts
    )
    alone = corrected(mixed, plan_for(diagnosis), collection)
    assert alone.judged == mixed
    assert alone.left.sum() == 5
    assert not alone.changed.any()


@given(data=st.data())
@settings(max_examples=25)
def test_fits_are_those_counted_by_hand(data, texts, collection):
    rows = []
    for document, text in [*texts.items()][:4]:
        length = data.draw(st.sampled_from([length_of(text, one) for one in CONVENTIONS]) | st.just(0))
        end = data.draw(st.integers(1, length + 3))
        rows.append(Judgement("1", document, end, length, 0, Spans([(0, end)])))
    diagnosis = examine(Qrels.from_judgements(rows), collection)
    for convention in CONVENTIONS:
        fits = [
            row.length in (0, found := length_of(texts[row.document], convention))
            and row.passages.ends[-1] <= found
            for row in rows
        ]
        assert diagnosis.fitting_rows(convention).tolist() == fits
        assert diagnosis.fitting(convention) == sum(fits)
    misfits = {one.document: one.fits for one in diagnosis.misfits(CODE_POINTS)}
    for document, fits in misfits.items():
        row = next(row for row in rows if row.document == document)
        lengths = {one: length_of(texts[document], one) for one in CONVENTIONS}
        said = {one: length for one, length in lengths.items() if row.length in (0, length)}
        assert set(fits) & set(CONVENTIONS) == {
            one for one, length in said.items() if row.passages.ends[-1] <= length
        }


# -- what is left --------------------------------------------------------------------------------------


def test_misfits_are_named_with_line_lengths_and_what_would_fit(tmp_path, judged, texts, collection):
    rows = [*in_code_points(judged, texts)]
    rows[3] = next(iter(counted_in(UTF8_BYTES, judged[3:4], texts)))
    rows[7] = replace(rows[7], passages=Spans([(0, rows[7].length + 5)]))
    rows.append(Judgement("2009001", "999", 0, 70, None, EMPTY))
    write_fol_qrels(rows, tmp_path / "qrels.txt")
    diagnosis = examine(read_fol_qrels(tmp_path / "qrels.txt"), collection)
    length, past, missing = diagnosis.misfits(CODE_POINTS)
    assert (length.line, length.problem, length.said) == (4, Problem.LENGTH, rows[3].length)
    assert length.found == len(texts[length.document])
    assert UTF8_BYTES in length.fits
    assert (past.line, past.problem, past.reach) == (8, Problem.PAST_END, rows[7].length + 5)
    assert (missing.line, missing.problem, missing.found) == (13, Problem.MISSING, None)
    assert "1 document is not in the collection (999)." in verdict(diagnosis).details


def test_an_unreadable_document_is_named_and_the_others_are_read(tmp_path):
    texts = articles(tmp_path, 3)
    (tmp_path / "2.xml").write_text("<article><p>no end", encoding="utf-8")
    diagnosis = examine(in_code_points(judgements(texts), texts), opened(tmp_path))
    (misfit,) = diagnosis.misfits(CODE_POINTS)
    assert (misfit.document, misfit.problem) == ("2", Problem.UNREADABLE)
    assert "2" in misfit.why
    assert diagnosis.documents == diagnosis.fitting(CODE_POINTS) == 2


def test_misfits_stay_untouched_in_the_corrected_copy(judged, texts, collection):
    in_bytes = [*counted_in(UTF8_BYTES, judged, texts)]
    in_bytes[0] = replace(in_bytes[0], length=in_bytes[0].length + 77)
    qrels = Qrels.from_judgements(in_bytes)
    turned = corrected(qrels, plan_for(examine(qrels, collection)), collection)
    assert turned.left.tolist() == [True] + [False] * 11
    assert turned.judged.at(0) == in_bytes[0]
    assert [*turned.judged][1:] == [*in_code_points(judged, texts)][1:]


def test_correcting_keeps_the_text_of_passages(judged, texts, collection):
    qrels, same = (counted_in(UTF8_BYTES, judged, texts) for _ in range(2))
    run, same_run = (run_in(UTF8_BYTES, judged, texts) for _ in range(2))
    corrected(qrels, UTF8_BYTES, collection)
    corrected(run, UTF8_BYTES, collection)
    assert qrels == same
    assert run == same_run


def test_sizes_are_those_of_the_corrected_passages(judged, texts, collection):
    wrong = replace(counted_in(UTF8_BYTES, judged, texts), rsize=np.full(12, 7))
    turned = corrected(wrong, UTF8_BYTES, collection).judged
    assert [one.rsize for one in turned] == [one.passages.size for one in judged]


def test_a_relevant_row_without_passages_keeps_its_size(texts, collection):
    row = Judgement("1", "1", 30, length_of(texts["1"], UTF8_BYTES), 4, EMPTY)
    turned = corrected(Qrels.from_judgements([row]), UTF8_BYTES, collection).judged.at(0)
    assert (turned.rsize, turned.length) == (30, len(texts["1"]))


def test_an_entry_point_at_the_beginning_stays_one_and_none_stays_none(texts, collection):
    length = length_of(texts["1"], UTF8_BYTES)
    listed = [
        Judgement(topic, "1", 3, length, bep, Spans([(0, 3)])) for topic, bep in (("1", 0), ("2", None))
    ]
    turned = corrected(Qrels.from_judgements(listed), UTF8_BYTES, collection).judged
    assert [one.bep for one in turned] == [0, None]


def test_a_result_has_changed_where_its_beginning_has_or_only_its_size(tmp_path):
    (tmp_path / "1.xml").write_text("<a>é and é or é</a>", encoding="utf-8")  # é is two bytes
    spans = [(0, 1), (0, 2), (3, 6), (3, 9)]
    results = [Result("1", "1", rank, None, start, end) for rank, (start, end) in enumerate(spans, 1)]
    turned = corrected(Run.from_results(results), UTF8_BYTES, opened(tmp_path))
    assert [(one.start, one.end) for one in turned.judged.results("1")] == [(0, 1), (0, 1), (2, 5), (2, 7)]
    assert turned.changed.tolist() == [False, True, True, True]


def test_an_end_behind_an_added_newline_comes_to_the_documents_end(texts, collection):
    more = Convention(ends=Ends.NEWLINE_MORE)
    length = length_of(texts["1"], more)
    row = Judgement("1", "1", length, length, 0, Spans([(0, length)]))
    turned = corrected(Qrels.from_judgements([row]), more, collection).judged.at(0)
    assert turned.passages == Spans([(0, length - 1)])


def test_empty_passages_stay_empty_inside_a_character(tmp_path):
    (tmp_path / "1.xml").write_text("<a>漢字</a>", encoding="utf-8")
    run = Run.from_results([Result("1", "1", 1, None, 1, 1), Result("1", "1", 2, None, 1, 4)])
    turned = corrected(run, UTF8_BYTES, opened(tmp_path)).judged
    assert [(one.start, one.end) for one in turned.results("1")] == [(0, 0), (0, 2)]


def test_entry_points_and_unknown_passages_of_runs_are_unchanged(tmp_path, texts, collection):
    at = texts["1"].index("o")
    there = len(texts["1"][:at].encode())
    path = tmp_path / "run.txt"
    path.write_text(f"1 Q0 1 1 3 r {there}\n1 Q0 1 2 2 r X X\n1 Q0 1 3 1 r {there} 1\n", encoding="utf-8")
    turned = corrected(read_fol_run(path), UTF8_BYTES, collection)
    write_offsets(turned.judged, tmp_path / "new.txt", path)
    assert (tmp_path / "new.txt").read_text().splitlines() == [
        f"1 Q0 1 1 3 r {at}",
        "1 Q0 1 2 2 r X X",
        f"1 Q0 1 3 1 r {at} 1",
    ]


def test_a_corrected_copy_never_overwrites_its_source(tmp_path, judged, texts, collection):
    path = tmp_path / "qrels.txt"
    write_fol_qrels(counted_in(UTF8_BYTES, judged, texts), path)
    before = path.read_bytes()
    turned = corrected(read_fol_qrels(path), UTF8_BYTES, collection)
    with pytest.raises(DataError, match="would overwrite"):
        write_offsets(turned.judged, tmp_path / "." / "qrels.txt", path)
    assert path.read_bytes() == before


def test_a_disk_that_is_full_leaves_the_corrected_copy_as_it_was(tmp_path, judged, texts, monkeypatch):
    path = tmp_path / "qrels.txt"
    write_offsets(in_code_points(judged[:1], texts), path)
    before = path.read_bytes()

    def half(_qrels, file):
        Path(file).write_text("1 Q0 1", encoding="utf-8")
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("inexview.core.formats.passage_lines.write_fol_qrels", half)
    with pytest.raises(OSError, match="No space left"):
        write_offsets(in_code_points(judged, texts), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# -- runs ----------------------------------------------------------------------------------------------


def test_a_run_with_ends_for_lengths_is_recognised(tmp_path, judged, texts, collection):
    run = run_in(CODE_POINTS, judged, texts)
    assert examine(run, collection).end_for_length is None
    path = tmp_path / "run.txt"
    write_fol_run(replace(run, size=run.start + run.size), path)
    suspected = examine(read_fol_run(path), collection).end_for_length
    assert suspected is not None
    assert suspected.fitting == suspected.results == len(run)
    told = examine(read_fol_run(path, fol_end=True), collection)
    assert (told.best, told.misfit_rows(CODE_POINTS).tolist()) == (CODE_POINTS, [])


def test_what_runs_past_the_end_is_a_misfit_of_a_run(texts, collection):
    results = [
        Result("1", document, rank, None, 0, len(text) + (rank == 3))
        for rank, (document, text) in enumerate(texts.items(), 1)
    ]
    (misfit,) = examine(Run.from_results(results), collection).misfits(CODE_POINTS)
    assert (misfit.problem, misfit.reach) == (Problem.PAST_END, len(texts["3"]) + 1)


def test_files_without_offsets_are_refused(collection):
    ranking = Run.from_results([Result("1", "1", 1, 0.5, -1, -1)])
    with pytest.raises(DataError, match="no offsets"):
        examine(ranking, collection)
    graded = replace(Qrels.from_judgements([Judgement("1", "1", 1, 0, None, EMPTY)]), graded=True)
    with pytest.raises(DataError, match="whole documents"):
        examine(graded, collection)
    with pytest.raises(DataError, match="whole documents"):
        examine(replace(ranking, by_score=True), collection)


# -- how it goes ---------------------------------------------------------------------------------------


def test_progress_counts_documents_and_can_stop_the_work(judged, texts, collection):
    qrels = counted_in(UTF8_BYTES, judged, texts)
    heard = []
    examine(qrels, collection, lambda *news: heard.append(news))
    assert heard[0] == ("documents read", 0, 12)
    assert heard[-1] == ("documents read", 12, 12)

    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        examine(qrels, collection, stop)
    with pytest.raises(Cancelled):
        corrected(qrels, UTF8_BYTES, collection, stop)


def test_each_document_is_read_once(judged, texts, place, monkeypatch):
    read = []
    scan = Collection.scan
    monkeypatch.setattr(Collection, "scan", lambda self, id: [read.append(id), scan(self, id)][1])
    twice = [*judged, *(replace(one, topic="2009002") for one in judged)]
    diagnosis = examine(counted_in(UTF16_UNITS, twice, texts), opened(place))
    assert sorted(read, key=int) == list(texts)
    assert diagnosis.documents == 12
    assert len(diagnosis.table) == 24


def test_an_archive_is_read_in_its_own_order(judged, texts, place, tmp_path, monkeypatch):
    path = tmp_path / "articles.tar.gz"
    stored = ["7", "3", "12", "1", "9", "2", "11", "4", "10", "5", "8", "6"]
    with tarfile.open(path, "w:gz") as archive:
        for id in stored:
            archive.add(place / f"{id}.xml", f"{id}.xml")
    read = []
    scan, characters = Collection.scan, Collection.characters
    monkeypatch.setattr(Collection, "scan", lambda self, id: [read.append(id), scan(self, id)][1])
    monkeypatch.setattr(Collection, "characters", lambda self, id: [read.append(id), characters(self, id)][1])
    collection = Collection.open(path)
    qrels = counted_in(UTF8_BYTES, judged, texts)
    assert examine(qrels, collection).best == UTF8_BYTES
    assert corrected(qrels, UTF8_BYTES, collection).judged == in_code_points(judged, texts)
    assert read == [*stored, *stored]
    collection.close()


def test_a_sample_is_as_large_as_asked_and_prefers_documents_with_passages(judged, texts, collection):
    silent = [Judgement("1", one.document, 0, one.length, None, EMPTY) for one in judged[:6]]
    qrels = Qrels.from_judgements([*silent, *in_code_points(judged[6:], texts)])
    few = sample_of(qrels, collection, 4)
    read = {few.table.ids[at] for at in np.flatnonzero(few.found.lengths[:, 0] >= 0)}
    assert len(read) == 4
    assert read <= {one.document for one in judged[6:]}
    assert sample_of(qrels, collection, 9).documents == 9


# -- real articles -------------------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize("convention", PLAIN, ids=lambda one: one.key)
def test_real_articles_tell_the_conventions_apart(shared, convention):
    collection = opened(shared / "data" / "wikipedia-2009")
    texts = {id: collection.load(id).text for id in collection.ids()[::3]}
    judged = judgements(texts)
    qrels = counted_in(convention, judged, texts)
    diagnosis = examine(qrels, collection)
    assert diagnosis.best == convention
    assert diagnosis.sureness is Sureness.SURE
    assert re.search(r"\bfit\b", verdict(diagnosis).headline)
    assert corrected(qrels, plan_for(diagnosis), collection).judged == in_code_points(judged, texts)


# -- a quick look --------------------------------------------------------------------------------------


def test_a_file_in_order_raises_no_suspicion(judged, texts, collection):
    assert suspicion(in_code_points(judged, texts), collection) is None
    assert suspicion(run_in(CODE_POINTS, judged, texts), collection) is None


def test_another_convention_is_suspected_from_a_few_documents(judged, texts, collection, monkeypatch):
    monkeypatch.setattr("inexview.core.offset_check.examine.SAMPLE", 6)
    for file in (counted_in(UTF8_BYTES, judged, texts), run_in(UTF8_BYTES, judged, texts)):
        assert suspicion(file, collection) == (
            "its offsets seem to count UTF-8 bytes, and are read as code points"
        )


def test_the_projects_own_convention_is_not_doubted(judged, texts, collection):
    in_bytes = counted_in(UTF8_BYTES, judged, texts)
    assert suspicion(in_bytes, collection, expected=UTF8_BYTES) is None
    assert suspicion(in_code_points(judged, texts), collection, expected=UTF8_BYTES) == (
        "its offsets seem to count code points, and are read as UTF-8 bytes"
    )


def test_lengths_that_nothing_explains_are_suspected(judged, texts, collection):
    strange = [replace(one, length=one.length + 1000 + at) for at, one in enumerate(judged)]
    said = suspicion(Qrels.from_judgements(strange), collection)
    assert said == "only 0 of 12 checked documents fit the length in the file"


def test_ends_for_lengths_are_suspected(judged, texts, collection):
    run = run_in(CODE_POINTS, judged, texts)
    assert "last field" in (suspicion(replace(run, size=run.start + run.size), collection) or "")


def test_a_quick_look_never_indexes_the_collection(judged, texts, place):
    fresh = opened(place)
    assert suspicion(counted_in(UTF8_BYTES, judged, texts), fresh) is None
    assert not fresh.ready


def test_nothing_is_suspected_where_nothing_can_be_compared(texts, collection):
    assert suspicion(Run.from_results([Result("1", "1", 1, 0.5, -1, -1)]), collection) is None
    unknown = Qrels.from_judgements([Judgement("1", "elsewhere", 3, 7, 0, Spans([(0, 3)]))])
    assert suspicion(unknown, collection) is None
