"""Runs can be told apart: by colour, also for colour-blind eyes, and where colours repeat by shape."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from inexview.gui.look.theme import DARK, DASHES, LIGHT, SHAPE_NAMES, lane_color, paint_run_shape, run_color
from tests.gui.look.test_theme import contrast, luminance

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
JUDGED = ("mark_edge", "miss", "false_alarm", "bep", "text")

# Machado, Oliveira, Fernandes, A physiologically-based model for simulation of color vision deficiency,
# IEEE TVCG 15(6), 2009: severity 1.0, in linear light.
EYES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# Oklab (Ottosson 2020): a distance of 0.02 is just seen side by side.
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def seen(color: QColor, eyes: str) -> np.ndarray:
    channels = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return TO_LAB @ np.cbrt(TO_CONES @ np.clip(EYES[eyes] @ linear, 0, 1))


def distance(one: QColor, other: QColor, eyes: str) -> float:
    return float(np.linalg.norm(seen(one, eyes) - seen(other, eyes)))


@THEMES
@pytest.mark.parametrize("eyes", EYES)
def test_the_colours_of_runs_are_far_apart(theme, eyes):
    for one, other in combinations(map(QColor, theme.runs), 2):
        assert distance(one, other, eyes) >= 0.1


@THEMES
def test_no_run_looks_like_a_judgement_or_a_false_alarm(theme):
    for style in range(len(theme.runs)):
        for token in JUDGED:
            assert distance(run_color(theme, style), theme.color(token), "normal") >= 0.1


# Of the first eight runs those that some eyes may take for what is judged, light and dark, and what tells
# them apart then: drawn in one ink it is tested with the text (test_painting) and the list (test_ranked).
SECOND_SIGNS = {
    "mark": ("none is needed", set(), set()),
    "mark_edge": (
        "a bar of its own: above the run's in the list, left of it in the ruler",
        {1, 5, 7},
        {2},
    ),
    "miss": ("dots, where a hit has the run's solid line", {1, 5, 7}, {1, 2, 7}),
    "false_alarm": ("a double line", {0, 1, 5, 6, 7}, {1, 3, 7}),
    "bep": ("a filled flag and a solid tick, where the run's are hollow and dashed", {1, 2, 5, 7}, {1, 2, 7}),
    "finished": ("a disc, where these runs have other shapes", {0, 1, 5, 6, 7}, {0, 1, 2, 6, 7}),
}


@pytest.mark.parametrize("token", SECOND_SIGNS)
def test_judged_text_differs_from_eight_runs_by_colour_or_a_second_sign(token):
    for theme, leaning in zip((LIGHT, DARK), SECOND_SIGNS[token][1:], strict=True):
        judged = theme.color(token)
        far = {
            style
            for style in range(8)
            if all(distance(run_color(theme, style), judged, eyes) >= 0.1 for eyes in EYES)
        }
        assert {*range(8)} - far == leaning
        assert token != "finished" or all(SHAPE_NAMES[style % 7] != "circle" for style in leaning)


@THEMES
@pytest.mark.parametrize("ground", ["window", "page", "raised", "selected"])
def test_the_name_of_a_run_can_be_read_in_its_colour(theme, ground):
    below = luminance(theme.color(ground))
    for style in range(len(theme.runs)):
        light, dark = sorted((luminance(run_color(theme, style)), below), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@THEMES
def test_forty_runs_have_looks_of_their_own(theme):
    looks = {(run_color(theme, style).name(), style % len(SHAPE_NAMES)) for style in range(40)}
    lines = {(run_color(theme, style).name(), DASHES[style % len(DASHES)]) for style in range(40)}
    assert len(looks) == len(lines) == 40


def test_each_shape_is_drawn_otherwise(qapp):
    drawn = set()
    for style in range(len(SHAPE_NAMES)):
        image = QImage(16, 16, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        paint_run_shape(painter, style, QRectF(2, 2, 12, 12), QColor("black"))
        painter.end()
        drawn.add(bytes(image.constBits()))
    assert len(drawn) == len(SHAPE_NAMES)


@THEMES
def test_what_find_found_can_be_read(theme):
    assert contrast(theme, "text", "found") >= 4.5


@THEMES
def test_lanes_are_seen_and_in_the_dark_quieter_than_the_pen(theme):
    for style in range(len(theme.runs)):
        lane, page = luminance(lane_color(theme, style)), luminance(theme.color("page"))
        seen_by = (max(lane, page) + 0.05) / (min(lane, page) + 0.05)
        assert seen_by >= 3
        assert theme is LIGHT or seen_by < 0.75 * contrast(theme, "mark_edge", "page")
