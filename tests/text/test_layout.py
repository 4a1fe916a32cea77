from neardup.text.layout import assembled, joined, place_of, without_running_heads


def test_running_heads_go_and_what_is_in_the_text_stays() -> None:
    words = ["Once upon a time", "there was a ferry", "that left at noon", "and came home", "at night"]
    pages = [f"My Essay {n}\n{text}\n{text}, {text}\n- {n} -" for n, text in enumerate(words, 1)]
    assert without_running_heads(pages) == [f"{text}\n{text}, {text}" for text in words]


def test_heads_may_differ_from_left_to_right_and_from_chapter_to_chapter() -> None:
    sides = ["The Title", "Chapter One", "The Title", "Chapter One", "The Title", "Chapter One"]
    pages = [f"{head}\nWords of page {'abcdef'[n]}" for n, head in enumerate(sides)]
    assert without_running_heads(pages) == [f"Words of page {letter}" for letter in "abcdef"]


def test_what_stands_at_the_top_of_far_pages_is_no_running_head() -> None:
    pages = [f"Own words {'abcdefghij'[n]}\nmore" for n in range(10)]
    for at in (0, 4, 9):
        pages[at] = "A refrain\nmore and more"
    assert without_running_heads(pages)[4] == "A refrain\nmore and more"


def test_a_single_page_keeps_all_its_lines() -> None:
    assert without_running_heads(["Title\n1\nText"]) == ["Title\n1\nText"]


def test_a_word_that_a_page_cut_belongs_to_the_first() -> None:
    text, starts = assembled("\fIt was extra-\n\fordinary, they said.", ["p. 1", "p. 2"])
    assert text == "It was extraordinary,\nthey said."
    assert place_of(starts, text.index("extra"), text.index("they") - 1) == "p. 1"
    assert place_of(starts, text.index("they"), len(text)) == "p. 2"


def test_only_words_are_joined() -> None:
    assert joined("the years 1914-\n1918, Anglo-\nSaxon, and –\nyes") == (
        "the years 1914-\n1918, Anglo-\nSaxon, and –\nyes"
    )
    assert joined("Anglo\ufffeSaxon, exam\ufffeple") == "Anglo-Saxon, example"  # PDFium's mark


def test_pages_are_told_from_the_first_to_the_last() -> None:
    starts = "5\tp. iv\n20\tp. 1\n20\tp. 2\n90\tnotes"
    assert place_of(starts, 0, 3) is None
    assert place_of(starts, 5, 21) == "p. iv–2"
    assert place_of(starts, 20, 20) == "p. 2"  # page 1 is empty
    assert place_of(starts, 30, 95) == "p. 2–notes"
    assert place_of(None, 0, 3) is None
    assert place_of("what somebody's own column holds", 0, 3) is None
