"""Tags as the formats name them, whatever case and namespace they are in."""

from __future__ import annotations


class PlainNames(dict[str, str]):
    """The plain name of each tag: ``<INEX-Submission>`` and ``<i:inex-submission>`` are one.

    Looking up a tag that was looked up before takes no call.
    """

    def __missing__(self, tag: str) -> str:
        name = self[tag] = plain_name(tag)
        return name


def plain_name(tag: str) -> str:
    """Return a tag in lower case without its namespace, as expat (``i:tag``) or lxml (``{…}tag``) tell it."""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()
