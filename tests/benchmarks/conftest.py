"""A long benchmark takes as long as it takes."""

import faulthandler

import pytest


@pytest.fixture(autouse=True)
def without_a_limit(request: pytest.FixtureRequest) -> None:
    """Stop the clock of ``faulthandler_timeout``: making 659,388 articles takes a quarter of an hour."""
    if request.node.get_closest_marker("long"):
        faulthandler.cancel_dump_traceback_later()
