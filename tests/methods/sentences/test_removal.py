"""dedup of sentences: of identical lines, paragraphs and sentences one stays, and nothing else goes."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import whole_runs

import neardup
from neardup.methods.sentences.removal import reaches

LINES = [f"Line number {n} of all the lines that there are." for n in range(5)]
SHORT = ["ok", "- 1 -"]
BREAK = {"lines": "\n", "paragraphs": "\n\n"}
OWN = "And one that is only here, at the end."


def cleaned(texts: list[str], folder: Path, split: Any, **chosen: Any) -> list[str]:
    """Write texts, remove what is repeated in them, and read what is left."""
    corpus = folder / "corpus.jsonl"
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    corpus.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    result = neardup.sentences(corpus, split=split, workers=1, memory="64MB")
    done = neardup.dedup(result, folder / "clean", mode="remove", **chosen)
    left = [json.loads(line)["text"] for line in (folder / "clean" / corpus.name).open()]
    assert done.kept == len(left)
    assert sum(map(len, left)) <= sum(map(len, texts)) - (done.characters or 0)
    return left


@pytest.mark.parametrize("split", ["lines", "paragraphs"])
@whole_runs(4)
@given(
    documents=st.lists(
        st.lists(st.sampled_from(LINES + SHORT), min_size=1, max_size=6), min_size=1, max_size=12
    )
)
def test_each_line_stays_once_and_short_ones_always(
    split: str, documents: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    seen: set[str] = set()
    expected = []
    for lines in documents:
        kept = []
        for line in lines:
            if line in SHORT or line not in seen:
                kept.append(line)
            seen.add(line)
        expected += [kept] if kept else []
    between = BREAK[split]
    left = cleaned([between.join(lines) for lines in documents], tmp_path_factory.mktemp("x"), split)
    assert [text.split(between) for text in left] == expected


def test_sentences_are_cut_out_and_paragraphs_stay_apart(tmp_path: Path) -> None:
    one, two, three, four = LINES[:4]
    first = f"{one}\n\n{two} {three}\n\n{four}"
    left = cleaned([first, f"{four} {two}\n\nBye.", two], tmp_path, "sentences")
    assert left == [first, "Bye."]


def test_a_document_of_which_too_little_is_left_goes(tmp_path: Path) -> None:
    texts = ["\n".join(LINES), "\n".join([*LINES, "ok"]), f"{LINES[0]}\n{OWN}"]
    assert cleaned(texts, tmp_path, "lines", least_left=0.1) == [texts[0], OWN]


def test_what_stays_is_chosen_and_told(tmp_path: Path) -> None:
    texts = [LINES[0], "\n".join(LINES[:3])]
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    result = neardup.sentences(tmp_path / "a.jsonl", split="lines")
    done = neardup.dedup(result, tmp_path / "clean", mode="annotate", keep="longest")
    size = len(LINES[0])
    assert (done.what, done.removed, done.characters, done.kept) == ("repeated line", 1, size, 1)
    noted = [json.loads(line) for line in (tmp_path / "clean" / "a.jsonl").open()]
    assert noted[0]["neardup_passages"] == [
        {"start": 0, "end": size, "keeper": "1", "keeper_start": 0, "keeper_end": size}
    ]
    assert noted[1]["neardup_passages"] is None
    wrongs: list[dict[str, Any]] = [
        {"threshold": 0.5}, {"clusters": "star"}, {"least_left": 2}, {"add": "cluster"}
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(neardup.NeardupError):
            neardup.dedup(result, tmp_path / "wrong", **wrong)
    with pytest.raises(neardup.SettingsError, match="as a whole"):
        neardup.dedup(neardup.documents(texts), tmp_path / "wrong", least_left=0.5)


def test_nothing_is_cut_out_of_old_documents(tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("\n".join([*LINES[:3], OWN]))
    (tmp_path / "old.txt").write_text("\n".join([*LINES[1:], LINES[4]]))
    result = neardup.sentences(tmp_path / "new.txt", against=tmp_path / "old.txt", split="lines")
    done = neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert [path.name for path in done.files] == ["new.txt"]
    assert done.files[0].read_text() == f"{LINES[0]}\n{OWN}"


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([" ", "\n", "\n\n"])), max_size=8))
def test_what_is_cut_leaves_all_other_words(pieces: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in pieces).rstrip()
    spans = [(at, at + 1) for at, word in enumerate(text) if word == "b"]
    found = reaches(text, spans)
    left = "".join(c for at, c in enumerate(text) if not any(s <= at < e for s, e in found))
    assert Counter(left.split()) == Counter(word for word, _ in pieces if word == "a")
    assert left == left.strip()
    assert all(end <= start for (_, end), (start, _) in pairwise(found))
