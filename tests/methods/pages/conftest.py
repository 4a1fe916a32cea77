"""A corpus of pages on two sites, and what is found in it."""

import pytest
from tests.methods.pages.sites import two_sites

import neardup


@pytest.fixture(scope="module")
def corpus() -> list[dict[str, str]]:
    return two_sites()


@pytest.fixture(scope="module")
def result(corpus: list[dict[str, str]]) -> neardup.Result:
    return neardup.pages(corpus)
