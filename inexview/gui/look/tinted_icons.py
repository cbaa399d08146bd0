"""The icons of the program in the colours of the window, sharp on fine screens too."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap

from inexview.core.resources import resource
from inexview.gui.look.theme import Theme

FINE = 3  # pixels of the picture for each of the window


@lru_cache(maxsize=64)
def tinted(name: str, color: str, size: int) -> QImage:
    """Return an icon of ``resources/icons`` in one colour, ``size`` pixels wide and high."""
    whole = size * FINE
    image = QIcon(str(resource("icons") / f"{name}.svg")).pixmap(QSize(whole, whole), 1.0).toImage()
    image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(color))
    painter.end()
    image.setDevicePixelRatio(FINE)
    return image


def chip_icon(name: str, theme: Theme, token: str, size: int) -> QIcon:
    """Return an icon for a button that can be chosen, and then has another colour behind it."""
    icon = QIcon()
    for color, state in ((getattr(theme, token), QIcon.State.Off), (theme.on_accent, QIcon.State.On)):
        image = tinted(name, color, size)
        icon.addPixmap(QPixmap.fromImage(image, Qt.ImageConversionFlag.AutoColor), QIcon.Mode.Normal, state)
    return icon
