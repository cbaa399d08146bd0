"""The target elements of a topic: what its castitle, a NEXI query, asks to be returned.

Where the target is strict (SSCAS and SVCAS of INEX 2005) only these elements count, or others that the track
took for the same: all kinds of sections, of paragraphs, and of lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from inexview.core.judgements.topics import Topic

_ALIKE = (
    frozenset({"sec", "ss1", "ss2", "ss3", "ss4", "ss5"}),
    frozenset({"p", "p1", "p2", "p3", "ip1", "ip2", "ip3", "ip4", "ip5", "ilrj", "item-none"}),
    frozenset(
        {"dl", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "la", "lb", "lc", "ld", "le", "list"}
    ),
)
_ABOUT = re.compile(r"\[[^\[\]]*\]")


def target_tags(castitle: str) -> frozenset[str]:
    """Return the tags of the elements that a NEXI query asks for; none where it asks for any.

    >>> sorted(target_tags("//article[about(.//p, XML)]//sec[about(., query)]"))
    ['sec', 'ss1', 'ss2', 'ss3', 'ss4', 'ss5']
    >>> sorted(target_tags("//article//(fm|abs)[about(., x)]")), sorted(target_tags("//*[about(., x)]"))
    (['abs', 'fm'], [])
    """
    query = castitle
    while query != (shorter := _ABOUT.sub("", query)):
        query = shorter
    last = query.strip().rpartition("/")[2].strip().strip("()")
    named = {tag.strip() for tag in last.split("|") if tag.strip()}
    if not named or "*" in named:
        return frozenset()
    return frozenset(named).union(*(alike for alike in _ALIKE if alike & named))


def targets_of(topics: Iterable[Topic]) -> Mapping[str, frozenset[str]]:
    """Return the tags of each topic's target elements; a topic without a castitle has none."""
    return {topic.id: target_tags(topic.castitle) for topic in topics}
