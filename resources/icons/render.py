"""Render the program's mark to the PNG sizes that desktops ask for: ``python resources/icons/render.py``."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

HERE = Path(__file__).parent
SIZES = (16, 32, 48, 128, 256)


def main() -> None:
    """Write ``inexview-SIZE.png`` for each size."""
    application = QGuiApplication(["render", "-platform", "offscreen"])
    renderer = QSvgRenderer(str(HERE / "inexview.svg"))
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        image.save(str(HERE / f"inexview-{size}.png"))
    application.quit()


if __name__ == "__main__":
    main()
