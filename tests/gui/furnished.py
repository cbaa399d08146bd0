"""Articles with the furniture of each markup: panels, pictures, tables with spans, formulas, references."""

from __future__ import annotations

from inexview.core.article.document import Document

WIKIPEDIA_2006 = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><name id="1">Oil lamp</name>
<conversionwarning>0</conversionwarning><body>
<template name="infobox lamp"><template_parameter name="fuel">Olive oil</template_parameter>
<template_parameter name="light"><image xlink:href="../pictures/Small.jpg"/>Little 😀</template_parameter>
</template>
<p>A lamp that burns oil.</p>
<figure><image xlink:href="../pictures/Lamp.jpg"/><caption>A lamp of clay.</caption></figure>
<p>It says <math>\\alpha = 0.8</math> here.</p>
<definitionlist><definitionitem><term>Wick</term><definition>What burns.</definition></definitionitem>
</definitionlist>
<table><tr><th>Town</th><th colspan="2">Lamps</th></tr><tr><td rowspan="2">Delft</td><td>12</td>
<td>13</td></tr>
<tr><td>14</td><td>15</td></tr><tr><td>Ulm</td><td>16</td><td>17</td></tr></table>
<p>The end.</p><figure><image xlink:href="Last.jpg"/></figure></body></article>"""

WIKIPEDIA_2009 = """<article><header><title>Oil lamp</title><id>7</id><categories><category>Lamps</category>
<category>Oil</category></categories></header><bdy>
<Infobox_Lamp><name>Clay lamp</name><used_since>Antiquity</used_since></Infobox_Lamp>
A lamp.<ref>A. Holt, On Lamps, 1997, which is a footnote.</ref> It burns<ref>2</ref>.
<image src="Lamp.jpg"><caption>A lamp of clay.</caption></image>
<p>One\n<math>E = mc^2</math>\ntwo.</p>
<table class="infobox"><row><header>Born</header><col>1879</col></row>
<row><header>Died</header><col>1955</col></row></table>
<table><row><col>Outer</col><col><table><row><col>inner</col><col>cell</col></row></table></col>
<col>more</col></row>
</table><reflist><entry>One.</entry><entry>Two.</entry></reflist></bdy></article>"""

IEEE = """<article><fno>R7</fno><fm><hdr><hdr1><ti>COMPUTER</ti></hdr1><hdr2><obi>Vol. 30</obi>
<pp>1-9</pp></hdr2></hdr>
<tig><atl>On Lamps</atl></tig><au><fnm>Ada</fnm> <snm>Holt</snm><aff>Crete</aff></au><abs>
<p>We light.</p></abs></fm>
<bdy><sec><st>1 Lamps</st><p>See [<ref>1</ref>]. So <tf>x<sub>1</sub> = 2</tf> follows.<fn><p>A note.</p>
</fn></p>
<fig><art file="r7x1.gif"/><no>Figure 1.</no><fgc>The lamp.</fgc></fig>
<tbl><no>Table 1.</no><title>Times</title><tgroup cols="3"><colspec colname="c1"/><colspec colname="c2"/>
<colspec colname="c3"/><thead><row><entry morerows="1">Vessel</entry>
<entry namest="c2" nameend="c3">Hours</entry></row>
<row><entry>Alpha</entry><entry>Beta</entry></row></thead><tbody><row><entry>One</entry><entry>12</entry>
<entry>17</entry></row>
</tbody></tgroup></tbl></sec></bdy><bm><bib><bibl><h>References</h><bb>R. Ek, <ti>Light</ti>.</bb></bibl>
</bib>
<vt><p><b>Ada Holt</b> lives.</p></vt></bm></article>"""

FURNISHED = {"2006": WIKIPEDIA_2006, "2009": WIKIPEDIA_2009, "ieee": IEEE}


def furnished(markup: str) -> Document:
    """Return the furnished article in a markup."""
    return Document.from_bytes(FURNISHED[markup].encode(), name="7")


def wide_table() -> Document:
    """Return a table whose cells are too long to be beside each other."""
    words = "many words that take a good deal of room in this cell, more of them than half a line has"
    rows = "".join(
        f"<row><col>{town}</col><col>{words} one</col><col>{words} two</col><col>{words} three</col></row>"
        for town in ("Delft", "Ulm")
    )
    heads = "".join(f"<header>{name}</header>" for name in ("Town", "First", "Second", "Third"))
    return Document.from_bytes(
        f"<article><bdy><table><row>{heads}</row>{rows}</table></bdy></article>".encode()
    )


def long_table(rows: int) -> Document:
    """Return an article with a table of so many rows, in which each fourth cell of towns reaches down."""
    made = [
        "<article><bdy><p>Lamps.</p><p>Before.</p><table><row><header>Town</header>",
        '<header colspan="2">Lamps</header></row>',
    ]
    for row in range(rows):
        town = "" if row % 4 else f'<col rowspan="4">Town {row}</col>'
        made.append(f"<row>{town}<col>{row} lamps</col><col>of clay {7 * row}</col></row>")
    return Document.from_bytes("".join([*made, "</table><p>After.</p></bdy></article>"]).encode(), name="7")
