"""Like sentences are those that a comparison with every other sentence finds."""

from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document
from inexview.core.project.quality_report import SentenceIndex, compared_sentences

WORDS = st.lists(
    st.sampled_from(["a", "bb", "cc", "dd", "fff", "ggg", "hhh", "iiii", "jjjj", "kkkkk"]),
    min_size=6,
    max_size=9,
)


def article(*paragraphs, id="1"):
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return Document.from_bytes(f"<article><name>T</name><body>{body}</body></article>".encode(), name=id)


def found(documents, document):
    index = SentenceIndex()
    for other in documents:
        index.put(other.id, compared_sentences(other))
    return [
        (sentence.start, like.document, like.start, like.same)
        for sentence in compared_sentences(document)
        for like in index.like(sentence, document.id)
    ]


def compared_with_each(documents, document):
    hits = []
    for sentence in compared_sentences(document):
        mine = set(sentence.words)
        for other in documents:
            for there in compared_sentences(other) if other.id != document.id else ():
                yours = set(there.words)
                if there.key == sentence.key:
                    hits.append((sentence.start, other.id, there.start, True))
                elif len(mine & yours) / len(mine | yours) >= 0.8:
                    hits.append((sentence.start, other.id, there.start, False))
    return hits


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=2, max_size=4))
def test_the_index_finds_the_results_of_brute_force(texts):
    documents = [
        article(*(" ".join(words) for words in paragraphs), id=str(number))
        for number, paragraphs in enumerate(texts)
    ]
    for document in documents:
        assert found(documents, document) == compared_with_each(documents, document)


def test_case_and_punctuation_do_not_count_and_one_word_more_is_nearly_the_same():
    first = article("Oleic acid slows a gene that drives cancers.", id="1")
    same = article("Oleic acid slows a gene, that drives “Cancers”", id="2")
    near = article("Oleic acid slows a gene that drives several cancers.", id="3")
    other = article("Oleic acid is found in many oils and in most meats.", id="4")
    assert found([first, same, near, other], first) == [(1, "2", 1, True), (1, "3", 1, False)]


def test_nearly_the_same_are_sentences_with_four_fifths_of_their_words_in_both():
    """Eight words of ten, also where the longest are in one only; seven of nine are too few."""
    eight = "aaa bbb ccc ddd eee fff ggg hhh"
    texts = {
        "8 of 10": f"{eight} longest another",
        "8 of 9": f"{eight} longest",
        "7 of 9": f"{eight[4:]} longest",
        "7 of 8": eight[4:],
        "6 of 8": eight[8:],
        "8 of 11": f"{eight} longest another more",
    }
    first = article(eight, id="1")
    others = [article(text, id=name) for name, text in texts.items()]
    near = ["8 of 10", "8 of 9", "7 of 8"]
    assert [(name, same) for _, name, _, same in found(others, first)] == [(name, False) for name in near]
    for other in others:
        assert bool(found([first], other)) is (other.id in near), "nor the other way round"


def test_chinese_and_japanese_are_compared_by_their_characters():
    first = article("橄榄油是从橄榄树的果实中榨取的油。", id="1")
    same = article("另一句话在这里。橄榄油是从橄榄树的果实中榨取的油！", id="2")
    assert [(document, like) for _, document, _, like in found([first, same], first)] == [("2", True)]
