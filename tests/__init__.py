"""Tests are a package, so that two of them may have one name and helpers are found from the checkout."""
