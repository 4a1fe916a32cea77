"""Wikitext to text: by examples, by pages made from pieces whose text is known, and by bad pages."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup.text import wikitext
from neardup.text.wikitext import clean, outlined

EXAMPLES = {
    "'''Bold''' and ''italic'' and '''''both'''''.": "Bold and italic and both.",
    "A [[link]] and [[Target|another]].": "A link and another.",
    "An ''[[Target|italic link]]''s end.": "An italic links end.",
    "Seen.<ref>Not seen.</ref> Seen.<ref name=a /> Seen.": "Seen. Seen. Seen.",
    "A<!-- comment --> b.": "A b.",
    "{{Infobox|a={{b|c}}}}Text.": "Text.",
    "Born ({{IPA|x}}; 1 May) here.": "Born (1 May) here.",
    "Born ({{IPA|x}}) here.": "Born here.",
    "Before {{cite}}, after.": "Before, after.",
    "{|\n! Head\n|-\n| Cell\n|}\nText.": "Text.",
    "{| \n| {| \n| inner\n|}\n| outer\n|}\nText.": "Text.",
    "== Heading ==\nText.\n=== Next ===\nMore.": "Text.\n\nMore.",
    "One line\nand the next.\n\nA paragraph.": "One line and the next.\n\nA paragraph.",
    "* [[Only]] [[links]]\n* A [[link]] in prose.\n* [http://x.org Site]": "A link in prose.",
    "# First.\n# Second.": "First.\n\nSecond.",
    "[[File:A.jpg|thumb|A [[caption]] of it]]Text.": "Text.",
    "[[Datei:A.jpg|mini|Bild]]Text.": "Text.",
    "Text.\n[[Category:Things]]\n[[fr:Chose]]\n[[zh-yue:Chose]]": "Text.",
    "See [[:Category:Things]] and [[:fr:Chose|this]].": "See Category:Things and this.",
    "A [http://x.org label] and [http://x.org] end.": "A label and end.",
    "It is {{convert|5|km|mi}} and {{lang|fr|ici}}.": "It is 5 km and ici.",
    "It is {{nowrap|a [[b]] c}}.": "It is a b c.",
    "Raw <nowiki>[[not a link]]</nowiki> text.": "Raw [[not a link]] text.",
    "x<sub>2</sub> a<br />b <small>c</small>": "x2 a\n\nb c",
    "5&nbsp;km &ndash; &lt;b&gt; &amp; 3 < 4": "5 km – <b> & 3 < 4",
    "__NOTOC__Text.": "Text.",
    "<math>x^2 {{</math>Text.": "Text.",
    "<gallery>\nFile:A.jpg|B\n</gallery>\nText.": "Text.",
    "Text.\n----\nMore.": "Text.\n\nMore.",
    "{{{parameter|default}}}Text.": "Text.",
    "{{a|{{{b}}}}}Text.": "Text.",
    "Mīsts [[Daugpiļs]] 東京は[[日本]]の首都。": "Mīsts Daugpiļs 東京は日本の首都。",
    "Кот [[Файл:A.jpg|мини|Кот]]спит.": "Кот спит.",
    "": "",
}  # fmt: skip


@pytest.mark.parametrize("source", EXAMPLES)
def test_examples(source: str) -> None:
    assert clean(source.encode(), ["Datei", "Файл"]) == EXAMPLES[source]


def test_headings_are_told_beside_the_text() -> None:
    source = """= Top =
Lead &amp; é.
== ''Its'' [[a|history]]<ref>x</ref> == <!-- old -->
* [[Only]] [[links]]
=== #1 &ndash; {{nowrap|a b}} ===
{|
== No heading ==
|}
More.
=== uneven ==
a == b"""
    text, headings = outlined(source.encode())
    assert text == "Lead & é.\n\nMore.\n\na == b"
    named = [("", 1, "Top"), ("Lead & é.", 2, "Its history"), ("Lead & é.", 3, "#1 – a b")]
    assert list(headings) == [
        *((len(before), level, name) for before, level, name in named),
        (text.index("\n\na =="), 2, "uneven"),
    ]


@given(st.text("aZ9,.() =", max_size=20), st.integers(1, 7))
def test_plain_headings_are_named_as_others_are(line: str, level: int) -> None:
    ways = []
    for plain in (wikitext.PLAIN, re.compile(rb"(?!)")):  # the second one matches nothing
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(wikitext, "PLAIN", plain)
            ways.append(list(outlined(f"Text.\n{'=' * level}{line}{'=' * level}\nMore.".encode())[1]))
    assert ways[0] == ways[1]


WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "délta", "漢字", "x1"]), min_size=1, max_size=4
)
PROSE = WORDS.map(" ".join).map(lambda text: (text, text))
HIDDEN = st.recursive(
    PROSE.map(lambda piece: piece[0]),
    lambda inner: st.one_of(
        inner.map(lambda s: "{{t|" + s + "}}"),
        inner.map(lambda s: "[[File:a.jpg|" + s + "]]"),
        inner.map(lambda s: "<!-- " + s.replace("-->", "") + " -->"),
        inner.map(lambda s: "{{a|b={{c}}|" + s + "|}}"),
    ),
    max_leaves=4,
)
REMOVED = st.one_of(
    HIDDEN.map(lambda s: "{{x|" + s + "}}"),
    HIDDEN.map(lambda s: "<ref>" + s + "</ref>"),
    HIDDEN.map(lambda s: "<math>" + s.replace("<", "") + "</math>"),
    HIDDEN.map(lambda s: "[[Image:" + s.replace("[", "(").replace("]", ")") + "]]"),
).map(lambda source: (source, ""))
SHOWN = st.recursive(
    PROSE,
    lambda inner: st.one_of(
        PROSE.map(lambda p: (f"'''{p[0]}'''", p[1])),
        inner.map(lambda p: (f"<span class=a>{p[0]}</span>", p[1])),
        inner.map(lambda p: (f"[[Target|{p[0]}]]" if "[" not in p[0] else p[0], p[1])),
        st.tuples(inner, REMOVED, inner).map(
            lambda ps: (" ".join(p[0] for p in ps), f"{ps[0][1]} {ps[2][1]}")
        ),
    ),
    max_leaves=6,
)
BLOCKS = st.one_of(
    SHOWN.map(lambda p: (p[0], p[1])),
    WORDS.map(lambda words: (f"== {' '.join(words)} ==", "")),
    HIDDEN.map(lambda s: ("{|\n| " + s.replace("\n", " ") + "\n|}", "")),
    WORDS.map(lambda words: ("* " + " ".join(f"[[{w}]]" for w in words), "")),
    WORDS.map(lambda words: ("* word " + " ".join(words), "word " + " ".join(words))),
)


@settings(max_examples=300)
@given(st.lists(BLOCKS, max_size=6))
def test_pages_made_of_known_pieces(blocks: list[tuple[str, str]]) -> None:
    source = "\n\n".join(source for source, _ in blocks)
    wanted = "\n\n".join(text for _, text in blocks if text)
    assert clean(source.encode()) == wanted


@given(st.text("{}[]|<>!-='*#:\n a/refnowiki&;_", max_size=60))
def test_no_page_breaks_it(source: str) -> None:
    assert "\n\n\n" not in clean(source.encode())


BOMBS = {
    "templates nested": "{{a|" * 1_000 + "x" + "}}" * 1_000 + "\n\nText.",
    "templates unbalanced": "{{a|" * 1_000 + "\n\nText.",
    "deep": "{{" * 200_000 + "\n\nText.",
    "links": "[[" * 200_000 + "\n\nText.",
    "links nested": "[[a|" * 100_000 + "b" + "]]" * 100_000 + "\n\nText.",
    "tables": "{|\n" * 100_000 + "\n\nText.",
    "references": "<ref>" * 100_000 + "\n\nText.",
    "comments": "<!--" * 100_000 + "--> \n\nText.",
    "tags": "<a" * 300_000 + "\n\nText.",
    "inline templates": "{{nowrap|" * 50_000 + "x" + "}}" * 50_000 + "\n\nText.",
    "headings": "=" * 100_000 + "x" + " = x" * 100_000 + "\n\nText.",
    "closings": "}}]]|}" * 100_000 + "\n\nText.",
}


@pytest.mark.parametrize("name", BOMBS)
def test_time_grows_with_the_text_whatever_is_in_it(name: str) -> None:
    clean(b"compile")
    begun = time.process_time()
    text = clean(BOMBS[name].encode())
    assert time.process_time() - begun < 2
    assert text.endswith("Text.")
    assert "{{a|" not in text and "<ref>" not in text
