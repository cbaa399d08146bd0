"""Passages that read differently from their quotes: how, and what all of them have in common."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.benchmarks import bundle as bundle_module
from inexview.core.benchmarks.bundle import Bundle, QuotedPassage, placed
from inexview.core.offset_check.quotes import (
    Piece,
    common_cause,
    difference,
    quote_verdict,
)
from inexview.core.text.counting import Convention, Unit

TEXT = "No licence is granted. Each party keeps its own rights.\nThe moon has no air, and no water at all."
QUOTES = ("No licence is granted.", "Each party keeps its own rights.", "no water at all")


def bundle(text: str, *, after: str = "", by: int = 0, document: str = "a/nda") -> Bundle:
    """Return passages about a text; those from ``after`` on are ``by`` characters before where they are."""
    first = text.index(after) if after else 0
    at = [(text.index(quote), quote) for quote in QUOTES]
    passages = tuple(
        QuotedPassage(
            "1", document, start - by * (start >= first), start - by * (start >= first) + len(quote), quote
        )
        for start, quote in at
    )
    return Bundle("x", Path("x"), passages=passages, texts={document: text})


def test_a_change_of_the_text_is_the_cause_of_all_that_is_behind_it():
    held = bundle(TEXT, after="Each", by=2)
    _, check = placed(held)
    cause = common_cause(held, check)
    assert cause is not None
    assert (cause.shift, cause.after, cause.others) == (2, len(QUOTES[0]), 0)
    assert quote_verdict(held, check).detail == (
        "All 2 are in nda after character 22, and all match 2 characters further on. "
        "The text was probably changed after it was judged."
    )


def test_of_more_than_are_listed_the_cause_is_known_too(monkeypatch):
    monkeypatch.setattr(bundle_module, "LISTED", 2)
    texts = dict.fromkeys("abc", TEXT)
    passages = tuple(
        QuotedPassage("1", name, TEXT.index(quote) - 1, TEXT.index(quote) - 1 + len(quote), quote)
        for name in texts
        for quote in QUOTES[1:]
    )
    held = Bundle("x", Path("x"), passages=passages, texts=texts)
    _, check = placed(held)
    assert (len(check.misfits), check.misread, check.shift, check.texts) == (2, 6, 1, 3)
    assert quote_verdict(held, check).detail == (
        "In all 3 texts, passages match 1 character further on: offsets probably count from another start."
    )


@pytest.mark.parametrize("by", [2, -1])
def test_each_difference_lists_extra_and_missing_text(by):
    _, check = placed(bundle(TEXT, after="Each", by=by))
    shown = difference(check.misfits[0])
    read = [text for piece, text in shown.read if piece is Piece.READ]
    missing = [text for piece, text in shown.quoted if piece is Piece.MISSING]
    assert (read, missing) == (([".·"], ["s."]) if by == 2 else (["⏎"], ["E"]))
    assert shown.read[0 if by == 2 else -1][0] is Piece.READ


def test_no_cause_is_claimed_where_one_behind_fits_or_two_differ_in_how_far():
    held = bundle(TEXT, by=0)
    first = held.passages[0]
    moved = first._replace(start=first.start + 1, end=first.end + 1)
    held = Bundle("x", Path("x"), passages=(moved, *held.passages[1:]), texts=held.texts)
    _, check = placed(held)
    assert common_cause(held, check) is None
    assert quote_verdict(held, check).headline == "2 of 3 passages match their answers, 1 differs"


def test_only_passages_found_once_are_moved():
    text = f"{TEXT} No licence is granted."
    held = bundle(text, by=-3)
    passages, check = placed(held, move=True)
    assert (check.misread, check.elsewhere, check.moved) == (3, 2, True)
    assert [one.place is None for one in check.misfits] == [True, False, False]
    assert [text[one.start : one.end] for one in passages[1:]] == [*QUOTES[1:]]
    assert passages[0].start == 3
    assert "2 are taken where their text is" in next(check.warnings())


def test_another_way_of_counting_is_proposed_where_none_fits():
    text = "🌒🌒 " + TEXT
    held = bundle(text, by=-2)  # as JavaScript counts
    _, check = placed(held, way=Convention())
    better = Convention(Unit.UTF16_UNITS)
    verdict = quote_verdict(held, check, better)
    assert (check.fitting, check.fits[better]) == (0, 3)
    assert verdict.fine is False
    assert verdict.detail == "3 of 3 fit as UTF-16 units."


def test_judgements_of_whole_documents_have_no_passages_to_check():
    held = Bundle("x", Path("x"), qrels=Path("qrels/test.tsv"))
    verdict = quote_verdict(held, placed(held)[1])
    assert verdict.fine is None
    assert "test.tsv" in verdict.detail


def test_a_passage_past_the_end_reads_nothing():
    held = Bundle("x", Path("x"), passages=(QuotedPassage("1", "d", 400, 410, "no air"),), texts={"d": TEXT})
    _, check = placed(held)
    (one,) = check.misfits
    assert one.reads is None
    assert difference(one).read == ()
    assert one.place == (TEXT.index("no air"), TEXT.index("no air") + 6)


def test_where_a_quote_differs_inside_its_words_around_are_shown():
    quote = TEXT.replace("own", "old")[:60]
    held = Bundle("x", Path("x"), passages=(QuotedPassage("1", "d", 0, 60, quote),), texts={"d": TEXT})
    _, check = placed(held)
    shown = difference(check.misfits[0])
    assert (Piece.READ, "wn") in shown.read
    assert (Piece.MISSING, "ld") in shown.quoted


@given(
    st.text("ab \n", min_size=1, max_size=60),
    st.integers(0, 60),
    st.integers(0, 60),
    st.text("ab \n", max_size=60),
)
def test_a_difference_omits_only_marked_parts(text, start, end, quote):
    held = Bundle("x", Path("x"), passages=(QuotedPassage("1", "d", start, end, quote),), texts={"d": text})
    _, check = placed(held)
    for one in check.misfits:
        shown = difference(one)
        for line, whole in ((shown.read, one.reads or ""), (shown.quoted, quote)):
            if all(piece is not Piece.LEFT_OUT and "…" not in part for piece, part in line):
                signs = "".join(part for _, part in line).replace("·", " ").replace("⏎", "\n")
                assert signs == whole
        if one.place is not None:
            assert text[slice(*one.place)].split() == quote.split()


def test_the_verdict_on_the_real_benchmark(shared, tmp_path):
    import shutil

    from inexview.core.formats.benchmark_look import check_passages, look_at

    folder = tmp_path / "legal"
    shutil.copytree(shared / "data" / "legalbenchrag", folder)
    path = folder / "corpus" / "contractnli" / "BT_NDA.txt"
    tests = json.loads((folder / "benchmarks" / "contractnli.json").read_text())["tests"]
    spans = sorted(
        tuple(one["span"])
        for test in tests
        for one in test["snippets"]
        if one["file_path"].endswith(path.name)
    )
    text = path.read_text(encoding="utf-8")
    cut = spans[-1][0] - 5
    path.write_text(text[:cut] + "xx" + text[cut:], encoding="utf-8")
    read = look_at(folder)
    assert isinstance(read, Bundle)
    look = check_passages(read)
    cause = common_cause(read, look.check)
    assert cause is not None
    assert (cause.number, cause.shift, cause.others) == (look.check.misread, 2, 14)
    assert look.check.elsewhere == look.check.misread
