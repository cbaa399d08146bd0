"""Quotes of passages: deterministic, bounded, blind to how white space runs and to nothing else."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inexview.core.text.search import (
    MOST_QUOTED,
    UNKNOWN,
    WINDOW,
    WORDS,
    Quote,
    QuotePlace,
    digest_of,
    find,
    first_words,
    quote_of,
    quoted,
    reads,
)

TEXT = st.text("ab é漢😀.\u00a0 \t\n\r", max_size=120)
LONG_TEXT = st.lists(st.text("abc漢", min_size=1, max_size=90), min_size=1, max_size=40).map(" \n".join)
WHITE = st.text(" \t\r\n", min_size=1, max_size=400)


def brute_force(passage: str) -> Quote:
    """The definition, over the whole passage."""
    words = [word for word in re.split("[ \t\r\n]+", passage) if word]
    first, last = " ".join(words[:WORDS]), " ".join(words[-WORDS:])
    digest = hashlib.blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return Quote(first[:MOST_QUOTED].rstrip(" "), last[-MOST_QUOTED:].lstrip(" "), digest)


@st.composite
def passages(draw, texts=TEXT):
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    return text, start, draw(st.integers(start, len(text)))


@given(passages(st.one_of(TEXT, LONG_TEXT)))
def test_a_quote_is_the_first_and_last_words_whatever_lies_around(passage):
    text, start, end = passage
    assume(start < end)
    quote = quote_of(text, start, end)
    assert quote[:3] == brute_force(text[start:end])[:3]
    words = text[start:end].strip(" \t\r\n")
    if words:
        assert (quote.others, len(words)) == (text.count(words) - 1, end - start - quote.lead - quote.trail)
    else:
        assert quote[3:] == (UNKNOWN, 0, 0)


@given(passages(st.one_of(TEXT, LONG_TEXT)))
def test_an_entry_point_is_quoted_by_the_words_that_follow_it(passage):
    text, start, _ = passage
    assert quote_of(text, start, start) == Quote(brute_force(text[start:]).first, "")
    assert reads(text, start, start, quote_of(text, start, start))


@given(st.lists(st.text("xyz", min_size=1, max_size=5), min_size=1, max_size=20), st.data())
def test_white_space_however_long_changes_no_quote(words, data):
    spread = "".join(word + data.draw(WHITE) for word in words)
    assert quote_of(spread, 0, len(spread))[:3] == quote_of(" ".join(words), 0, len(" ".join(words)))[:3]


def test_the_words_before_a_wide_gap_are_quoted_too():
    gap = " " * (WINDOW + 1)
    assert quote_of(f"one{gap}two", 0, 200)[:2] == ("one two", "one two")
    assert quote_of(f"one{gap}two{gap * 9}three", 0, 2_000)[:2] == ("one two three", "one two three")


@given(passages(LONG_TEXT))
def test_a_quote_is_bounded(passage):
    quote = quote_of(*passage)
    assert all(len(part) <= MOST_QUOTED and len(part.split(" ")) <= WORDS for part in quote[:2])
    assert len(quote.digest) in (0, 16)


@given(passages())
def test_a_passage_reads_as_it_was_quoted(passage):
    text, start, end = passage
    assert reads(text, start, end, quote_of(text, start, end))


@given(passages(st.one_of(TEXT, LONG_TEXT)), st.sampled_from("q\u00a0-"), st.data())
def test_any_other_character_is_noticed_wherever_it_stands(passage, other, data):
    text, start, end = passage
    shown = [at for at in range(start, end) if text[at] not in " \t\r\n"]
    assume(shown)
    at = data.draw(st.sampled_from(shown))
    assume(text[at] != other)
    changed = text[:at] + other + text[at + 1 :]
    assert not reads(changed, start, end, quote_of(text, start, end))


@given(st.text("xyz ", min_size=1), st.text("xyz ", min_size=1))
def test_a_quote_without_a_digest_tells_the_ends_and_nothing_between(said, says):
    before, after = "one two three four five six", "a b c d e f"
    text, changed = f"{before} {said} {after}", f"{before} {says} {after}"
    quote = quote_of(text, 0, len(text))
    assert reads(changed, 0, len(changed), Quote(*quote[:2]))
    assert reads(changed, 0, len(changed), quote) == (said.split() == says.split())


def test_two_words_and_one_of_the_same_letters_are_not_the_same_in_the_middle_either():
    words = "one two three four five six the rapist one two three four five six"
    changed = words.replace("the rapist", " therapist")
    assert quote_of(words, 0, len(words))[:2] == quote_of(changed, 0, len(words))[:2]
    assert not reads(changed, 0, len(words), quote_of(words, 0, len(words)))


def test_the_digest_never_changes_because_projects_and_files_hold_it():
    assert digest_of("A lamp\n\tburns  oil. ", 0, 20) == "a7bc5f323410eb2f"


def test_a_no_break_space_is_a_character():
    assert not reads("one\u00a0two", 0, 7, quote_of("one two", 0, 7))


def test_a_passage_past_the_end_does_not_read():
    assert not reads("one two", 0, 9, quote_of("one two", 0, 7))


def test_a_word_of_two_million_characters_is_cut():
    text = "語" * 2_000_000
    assert quote_of(text, 5, len(text))[:3] == (
        "語" * MOST_QUOTED,
        "語" * MOST_QUOTED,
        brute_force(text[5:]).digest,
    )


@given(passages(LONG_TEXT), st.text("qrs \n", max_size=30))
def test_text_put_in_before_a_passage_leaves_it_to_be_found(passage, inserted):
    text, start, end = passage
    quote = quote_of(text, start, end)
    assume(quote.first)
    moved = text[:start] + inserted + text[start:]
    found = find(moved, quote, start, end)
    if quote.others > 0 and found is None:  # no more places than before
        return
    assert found is not None
    assert quote_of(moved, found.start, found.end)[:3] == quote[:3]
    assert not found.altered
    assert found.doubtful == (start < end and quote.others > 0)


def test_what_moved_and_changed_in_the_middle_is_found_by_its_ends():
    words = "one two three four five six or seven then a b c d e f g"
    quote = quote_of(words, 0, len(words))
    moved = "Before. " + words.replace("seven", "eight")
    assert find(moved, quote, 0, len(words)) == QuotePlace(8, len(moved), 0, altered=True)
    both = f"{moved} {words}"
    assert find(both, quote, 0, len(words)) == QuotePlace(len(moved) + 1, len(both))


def test_what_changed_in_the_middle_where_it_stood_stands_nowhere_else():
    words = "one two three four five six or seven then a b c d e f g"
    changed = words.replace("seven", "eight")
    assert find(changed, quote_of(words, 0, len(words)), 0, len(words)) is None


def test_an_entry_point_is_found_where_its_words_stand_now():
    text = "Lamps burn oil. The wick was round, and burnt for nights."
    at = text.index("The wick")
    quote = quote_of(text, at, at)
    assert find("New. " + text, quote, at, at) == QuotePlace(at + 5, at + 5)
    assert find("Another text.", quote, 3, 3) is None


def test_what_moved_is_found_where_it_stands_now():
    text = "Lamps burn oil. The wick was round, and burnt for nights. Glass keeps the wind off."
    start, end = text.index("The wick"), text.index(" Glass")
    quote = quote_of(text, start, end)
    assert find("A new sentence. " + text, quote, start, end) == QuotePlace(start + 16, end + 16)


def test_of_several_places_the_nearest_of_the_same_length_is_offered():
    sentence = "The wick was round."
    text = f"{sentence} And then. {sentence} At last. {sentence}"
    quote = quote_of(text, 0, len(sentence))._replace(others=1)  # one place is new
    second = text.index(sentence, 5)
    assert find(text, quote, second + 2, second + 2 + len(sentence)) == QuotePlace(
        second, second + len(sentence), 2, doubtful=True
    )


def test_of_places_that_changed_within_the_one_most_like_in_length_is_offered_and_not_the_nearest():
    first, last = "one two three four five six", "seven eight nine ten eleven twelve"
    written = f"{first} and ten more words that no one has kept since {last}"
    short, like = f"{first} {last}", f"{first} and ten other words that no one has kept {last}"
    for text in (f"{short}. {like}.", f"{like}. {short}."):
        start = text.index(short)
        found = find(text, quote_of(written, 0, len(written)), start, start + len(written))
        place = text.index(like)
        assert found == QuotePlace(place, place + len(like), 1, altered=True)


def test_white_space_that_came_or_went_within_is_found_all_the_same():
    quote = quote_of("cold pressed oil", 0, 16)
    assert find("It is cold\n   pressed oil.", quote, 0, 16) == QuotePlace(6, 25)


def test_deleted_text_is_not_found():
    quote = quote_of("cold pressed oil", 0, 16)
    assert find("It is a warm room.", quote, 0, 16) is None
    assert find("Anything.", Quote("", ""), 0, 3) is None
    assert find("Anything.", Quote("", ""), 3, 3) is None  # an entry point after the last word


def test_a_word_that_only_begins_as_quoted_is_not_the_passage():
    quote = quote_of("the cat", 0, 7)
    assert find("the category", quote, 0, 7) == QuotePlace(0, 7)  # those seven characters do read so
    longer = quote_of("one two three four five six seven", 0, 33)
    assert find("one two three four five sixty seven", longer, 0, 33) is None


def test_looking_for_a_common_word_takes_bounded_time():
    text = "oil " * 500_000
    found = find(text, Quote("oil", "oil"), 1_000_000, 1_000_003)
    assert found is not None
    assert reads(text, found.start, found.end, Quote("oil", "oil"))


def test_a_quote_reads_as_one_line():
    assert Quote("a b", "a b").text == "a b"
    assert Quote("a b", "y z").text == "a b … y z"


@pytest.mark.parametrize(
    ("text", "most", "said"),
    [
        (". It burns\n  well. Ever so", 60, "It burns well. Ever so"),
        (") and oil", 60, "and oil"),
        ("。」灯很亮", 60, "灯很亮"),
        ("। तेल", 60, "तेल"),
        ("(see below)", 60, "(see below)"),
        ("It burns well", 8, "It burns…"),
        ("  \n ", 60, ""),
        ("...", 60, "."),
        ("", 60, ""),
    ],
)
def test_for_people_a_passage_begins_with_its_own_words(text: str, most: int, said: str) -> None:
    before = "before" * 20
    around, start, end = f"{before}{text}after", len(before), len(before + text)
    assert first_words(around, start, end, most) == said
    quote = f"“{said}”" if said else "white space" if text else ""
    assert quoted(around, start, end, most) == quote


def test_the_same_words_are_not_offered_where_they_were_before():
    text = "A rose is red. Nothing is like a rose in May."
    quote = quote_of(text, text.index("rose"), text.index("rose") + 4)
    assert quote.others == 1
    changed = text.replace("A rose", "A tulip")
    assert find(changed, quote, 2, 6) is None
    place = find("More. A rose. " + text, quote, 2, 6)
    assert place is not None
    assert place.doubtful  # one place is new, and nothing tells which


def test_words_without_a_count_are_doubtful_where_they_are_few_or_many_places_have_them():
    text = "Of tides and harbours. Neap tides follow the full moon at night."
    few, many = (
        Quote("tides", "tides"),
        Quote("Neap tides follow the full moon", "Neap tides follow the full moon"),
    )
    (few_place, many_place) = (find(text, quote, 0, 5) for quote in (few, many))
    assert few_place is not None
    assert many_place is not None
    assert (few_place.doubtful, many_place.doubtful) == (True, False)
    assert (many_place.before, many_place.after) == ("Of tides and harbours.", "at night.")


def test_white_space_at_the_ends_of_a_passage_is_kept_where_it_is_now():
    text = "Lamps burn.\n The wick is round.  Then more."
    start, end = text.index("\n"), text.index("Then")
    quote = quote_of(text, start, end)
    assert (quote.lead, quote.trail) == (2, 2)
    moved = "New. " + text
    place = find(moved, quote, start, end)
    assert place is not None
    assert moved[place.start : place.end] == text[start:end]
    single = moved.replace("  Then", " Then")
    place = find(single, quote, start, end)
    assert place is not None
    assert single[place.start : place.end] == "\n The wick is round. "
