"""The sample with few of its topics, for tests that do much for each."""

from __future__ import annotations

import shutil
from pathlib import Path

from lxml import etree

from inexview.core.files import resource


def few_topics(folder: Path, count: int = 3) -> Path:
    """Copy the sample into a new folder, with its first topics and what is judged of these."""
    shutil.copytree(resource("sample"), folder)
    tree = etree.parse(folder / "topics.xml")
    topics = tree.findall("topic")
    for topic in topics[count:]:
        tree.getroot().remove(topic)
    tree.write(folder / "topics.xml", encoding="utf-8", xml_declaration=True)
    kept = {topic.get("id") for topic in topics[:count]}
    lines = (folder / "judgements.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    judged = "".join(line for line in lines if line.split()[0] in kept)
    (folder / "judgements.txt").write_text(judged, encoding="utf-8")
    return folder
