"""The words of a topic that are worth looking for."""

import pytest

from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.topics import Topic, query_words, words_left_to_phrases


@pytest.mark.parametrize(
    ("title", "phrases", "wanted"),
    [
        ("olive oil health benefit", '"olive oil" "health benefit"', ("olive oil", "health benefit")),
        ("olive oil health benefit", '"olive oil"', ("olive oil", "health", "benefit")),
        ('+"Olive  Oil" effects of the -"whale oil" -lamp', "", ("Olive Oil", "effects")),
        ("alchemy in Asia, Japan", '"alchemy in Asia"', ("alchemy in Asia", "alchemy", "Asia", "Japan")),
        ("movies of tarantino", '"tarantino movie"', ("tarantino movie", "movies", "tarantino")),
        ('"plays of Shakespeare"+Macbeth', "", ("plays of Shakespeare", "plays", "Shakespeare", "Macbeth")),
        ("What is the best way to do it?", "", ("best", "way")),
        ("", "", ()),
        ("橄榄油、灯，“燃烧”？", "", ("橄榄油", "灯", "燃烧")),
        ("زيت الزيتون؟", "", ("زيت", "الزيتون")),
        ("तेल क्या है।", "", ("तेल", "क्या", "है")),
    ],
)
def test_phrases_come_first_and_empty_words_not_at_all(title, phrases, wanted):
    assert query_words(Topic("7", title=title, phrasetitle=phrases)) == wanted


@pytest.mark.parametrize(
    ("title", "phrases", "left"),
    [
        ("NASA missions", '"NASA missions"', ("NASA", "missions")),
        ('+"Olive  Oil" effects of the -"whale oil" -lamp', "", ("Olive", "Oil")),
        ("image retrieval", '"content based image retrieval" "image retrieval"', ("image", "retrieval")),
        ("alchemy in Asia", '"alchemy in Asia"', ()),
        ("olive oil", "", ()),
    ],
)
def test_the_words_of_a_term_are_left_to_it(title, phrases, left):
    assert words_left_to_phrases(Topic("7", title=title, phrasetitle=phrases)) == left


@pytest.mark.shared
def test_every_real_topic_has_some(shared):
    for topic in read_topics(shared / "data" / "inex" / "INEX-2009-topics.xml"):
        words = query_words(topic)
        assert words
        single = [word for word in (*words, *words_left_to_phrases(topic)) if " " not in word]
        assert single, "a text without the phrases has nothing to look for"
        assert not any('"' in word for word in words)
