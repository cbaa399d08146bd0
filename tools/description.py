"""The description of a package: the README without what only a checkout has, its pictures and pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[.*\n\n?", re.MULTILINE)
LINK_WITHIN = re.compile(r"\[([^]]+)\]\((?!https?://|#)[^)]+\)")


class DescriptionHook(MetadataHookInterface):
    """Gives package indexes a description in which no link is broken."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description in ``metadata``."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = LINK_WITHIN.sub(r"\1", PICTURE.sub("", text))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
