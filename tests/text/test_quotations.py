"""Quotations in the marks of many languages, and block quotations."""

import pytest

from neardup.text.quotations import quotations

LONG = "The keeper lit the lamp and wrote into his book what he had seen from the gallery. " * 13
MARKED = [
    "She said: [[“It is not known yet.”]] and left",
    "Er sagte: [[„Das ist nicht wahr und nie gewesen“]], dann ging er.",
    "Ona rzekła: [[„To nie jest prawda”]] i wyszła.",
    "Il dit : [[« Ce n’est pas vrai du tout »]] et partit.",
    "[[»Das war so und bleibt so«]], sagte er. [[»Nein, das war nie so!«]]",
    'He wrote [["the bridge is closed for good"]] in a book 5" long and 6" wide.',
    "'Twas the boys' book. [['The bridge is closed for good,']] he said. It's the dogs' tails.",
    "She said [[‘this is not what I meant at all’]] and it’s the boys’ fault.",
    "他说：[[「这座桥已经关闭了。」]]然后走了。他说：[[“这座桥已经关闭了”]]然后。",
    "Han sade: [[”Det var en gång en bro”]], och gick.",
    "Он сказал: [[«Мост закрыт навсегда»]] и ушёл.",
    "a word in “marks” is no quotation, nor is “a title”",
    "an open mark “ is none, and this goes on.\n\nAnd on.",
    "[[“One goes on and\non here.]]\n\n[[“The second ends here.”]] He stopped.",
    "Mail:\n[[> quoted text stands here\n> and goes on\n]]Mine.",
    "The text goes on and on without an end to be seen, and it never stops at all.\n\n"
    "    [[This is a block quotation which has been\n    indented by four columns.]]\n\n"
    "The text goes on and on without an end to be seen, and it never stops at all, does it?\n"
    "The text goes on and on without an end to be seen, and it never stops at all, does it?",
    f"He said: “This is it. {LONG} It was known as [[“the plate of old”]].",
    f'He said: "This is it. {LONG} It was known as [["the plate of old"]].',
    f"Er sagte: „Das ist es. {LONG} Man nannte es [[„die Platte von einst“]].",
    f"Il dit : « Le voici. {LONG} On la nommait [[« la plaque de jadis »]].",
    f"He said: “This is it. {LONG} {LONG} There it ends.” And [[“it is not known yet,”]] she said.",
    f'To "Hon. Preston of old is a letter.\n\n{LONG} [["and so on and on"]].',
    "She said [[“he told me “it is not known” and left”]] and left.",
    'She said [["he told me "it is not known" and left"]] and left.',
    "She said [[“he told me ‘the boys’ books are gone’ and left”]] and left.",
    'He wrote [["...and then it was gone"]] and [["the end of it all,"]] (p. 3).',
    'Typed [["with a space before the end "]]. He left, and nobody saw him again.',
    "Point by point, of which one has as much to say as another:\n\n  * this is a list and no quotation",
    "Er sagte: [[„Das ist nicht wahr und nie gewesen “]]",
    'the end of it (so)" and then he went home and slept" again.',
    'a 5 " pipe fits on the 6 " pipe here',
    'He said [[“this is "what I want to say”]] and left" the house',
]


@pytest.mark.parametrize("given", MARKED)
def test_quotations_are_found_with_their_marks(given: str) -> None:
    text = given.replace("[[", "").replace("]]", "")
    expected = [part.partition("]]")[0] for part in given.split("[[")[1:]]
    assert [text[found.start : found.end] for found in quotations(text)] == expected


@pytest.mark.parametrize(
    ("beside", "cited"),
    [
        (" (Hale 1998)", True),
        (" [3]", True),
        ("¹²", True),
        ("12 and", True),
        (" (p. 5)", True),
        (" (Hale 117)", True),
        (" (Hale, 117)", True),
        (" (Hale et al. 117–19)", True),
        (" (Ibid.)", True),
        (" (ebd., S. 7)", True),
        (" (Hale n.d.)", True),
        (" he said", False),
        (" (about 117)", False),
        (" (Hale)", False),
    ],
)
def test_a_reference_beside_a_quotation_is_seen(beside: str, cited: bool) -> None:
    [found] = quotations(f"“It is not known yet.”{beside}")
    assert found.cited is cited
