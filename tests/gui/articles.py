"""Small articles for the tests of the article view: three markups, and characters that are out of the way."""

from __future__ import annotations

from inexview.core.article.document import Document

# Emoji, mathematical letters, combining marks, NBSP, U+2028, CJK, a character beyond plane 1.
ODD = "Odd 😀 one 𝒜𝒷 two e\u0301a\u0308 three\u00a0four\u2028five 漢字 𠮷 six."

WIKIPEDIA_2006 = f"""<?xml version="1.0" encoding="UTF-8"?>\r
<article>\r
<name id="7">Olive oil</name>\r
<conversionwarning>0</conversionwarning>\r
<body>\r
<p><emph3>Olive oil</emph3> is a fat. It is pressed   from\r
<collectionlink>olives</collectionlink>. {ODD} Lamps burn it.</p>\r
<section><title>Health</title>\r
<p>It is said to be healthy. Not everybody agrees.</p>\r
<normallist><item>First thing to know.</item><item>Second thing 😀 to know.</item></normallist>\r
</section></body></article>""".encode()

WIKIPEDIA_2009 = f"""<article><header><title>Olive oil</title><id>7</id></header><bdy>
<p><b>Olive oil</b> is a fat. It is pressed   from
<link>olives</link>. {ODD} Lamps burn it.</p>
<sec><st>Health</st><p>It is said to be healthy. Not everybody agrees.</p>
<list><entry>First thing to know.</entry><entry>Second thing 😀 to know.</entry></list>
<table><caption>Smoke points</caption><row><header>Oil</header><header>Point</header></row>
<row><col>Olive 😀</col><col>190 degrees</col></row><row><col>Palm</col><col>235 degrees</col></row></table>
<p>The end is near.</p></sec></bdy></article>""".encode()

IEEE = f"""<article><fno>X7</fno><fm><tig><atl>Olive oil</atl></tig></fm><bdy>
<sec><st>Introduction</st><p><b>Olive oil</b> is a fat. It is pressed   from
olives. {ODD} Lamps burn it.</p></sec>
<sec><st>Health</st><p>It is said to be healthy. Not everybody agrees.</p>
<l1><li>First thing to know.</li><li>Second thing 😀 to know.</li></l1></sec></bdy></article>""".encode()

MARKUPS = {"2006": WIKIPEDIA_2006, "2009": WIKIPEDIA_2009, "ieee": IEEE}


def small(markup: str = "2009") -> Document:
    """Return the small article in a markup."""
    return Document.from_bytes(MARKUPS[markup], name="7")


def long(paragraphs: int = 120) -> Document:
    """Return an article of many screens; paragraph n begins "Paragraph n begins."."""
    body = "".join(
        f"<p>Paragraph {n} begins. It goes on with a sentence that is long enough to fill a line. "
        f"Then 😀 it comes to its end, which is not very far from here.</p>\n"
        for n in range(paragraphs)
    )
    return Document.from_bytes(
        f"<article><header><title>Long</title></header><bdy>\n{body}</bdy></article>".encode(), name="long"
    )


def span_of(document: Document, words: str) -> tuple[int, int]:
    """Return where the words stand in the text."""
    start = document.text.index(words)
    return start, start + len(words)
