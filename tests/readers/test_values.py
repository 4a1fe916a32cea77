"""Values that are none: they do no harm, and those that are one are read as before."""

import pytest

from neardup.readers.values import address_in, number_in


@pytest.mark.parametrize("text", ["0", "-0", "+7", "007", "-12", str(2**63 - 1), str(1 - 2**63)])
def test_numbers_are_read(text: str) -> None:
    assert number_in(text) == number_in(text.encode()) == int(text)


@pytest.mark.parametrize(
    "text", [None, "", "--5", "+-5", "²", "٣", "1.5", "1_000", " 1", "9" * 26, "9" * 5000, str(2**63)]
)
def test_what_is_no_number_that_a_table_holds_is_none(text: str | None) -> None:
    assert number_in(text) is None


def test_a_number_behind_thousands_of_zeros_is_one() -> None:
    assert number_in("0" * 5000 + "12") == 12


def test_what_is_no_address_is_none() -> None:
    assert address_in("http://[x") is None
    found = address_in(" http://example.com/a ")
    assert found is not None
    assert found.netloc == "example.com"
