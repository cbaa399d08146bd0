"""How a reader likes the column of text: its width, its typeface, the distance of its lines."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.gui.look.theme import INTERFACE_FAMILIES, READING_FAMILIES
from inexview.gui.services.settings import LINE_SPACING, LINE_WIDTH, TYPEFACE, Settings

LOOK_SETTINGS = (LINE_WIDTH, LINE_SPACING, TYPEFACE)


@dataclass(frozen=True, slots=True)
class ReadingLook:
    """Width and distance of lines as shares of the usual ones; ``sans`` sets text without serifs."""

    width: float = 1.0
    spacing: float = 1.0
    sans: bool = False

    @classmethod
    def of(cls, settings: Settings) -> ReadingLook:
        return cls(
            settings.get(LINE_WIDTH) / 100, settings.get(LINE_SPACING) / 100, settings.get(TYPEFACE) == "sans"
        )

    def families(self, families: tuple[str, ...]) -> tuple[str, ...]:
        """Return the typefaces that text is set in where it would be set in these."""
        return INTERFACE_FAMILIES if self.sans and families is READING_FAMILIES else families
