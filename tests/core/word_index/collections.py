"""Small collections of made-up articles, and a plain model of their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from hypothesis import strategies as st

from inexview.core.collection.collection import Collection

VOCABULARY = ["oil", "olive", "lamp", "lens", "light", "lighthouse", "Öl", "naïve", "3.14", "don't"]

texts = st.lists(st.sampled_from([*VOCABULARY, "OIL", ".", "\n"]), max_size=40).map(" ".join)
collections = st.lists(texts, min_size=1, max_size=8)


@contextmanager
def written(folder: Path, articles: Mapping[str, str]) -> Iterator[Collection]:
    """Write articles of one paragraph each, and have the collection open."""
    folder.mkdir(parents=True, exist_ok=True)
    for id, text in articles.items():
        (folder / f"{id}.xml").write_text(f"<article><p>{text}</p></article>", "utf-8")
    with closing(Collection.open(folder)) as collection:
        yield collection


def plain_words(text: str) -> list[tuple[str, int, int]]:
    """Return words as they are compared, with their characters: what stands between blanks."""
    found = re.finditer(r"[^\s.]+(?:\.[0-9]+)?", text)
    return [(word[0].lower(), word.start(), word.end()) for word in found]
