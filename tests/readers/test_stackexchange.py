"""Dumps of Stack Exchange: threads, posts and revisions, whole or damaged."""

import gzip
import os
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from neardup.errors import InputError
from neardup.readers import stackexchange
from neardup.readers.fields import with_fields
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource

FIELDS = with_fields(ReaderSettings(), ["title", "body", "answer"])


def row(**facts: Any) -> str:
    written = (f'{name}="{escape(str(v))}"' for name, v in facts.items())
    return f"  <row {' '.join(written)} />".replace("\n", "&#xA;").replace("\r", "&#xD;") + "\n"


def dump(kind: str, *rows: str) -> bytes:
    return f'\ufeff<?xml version="1.0" encoding="utf-8"?>\n<{kind}>\n{"".join(rows)}</{kind}>\n'.encode()


POSTS = dump(
    "posts",
    row(Id=1, PostTypeId=1, AcceptedAnswerId=4, CreationDate="2011-01-01", Score=7,
        Body="<p>How do I <em>boil</em> an egg &amp; when?</p>\n<p>Thanks.</p>", Title="Eggs & <b>",
        AnswerCount=2),
    row(Id=2, PostTypeId=2, ParentId=1, Score=9, Body="<p>Not at all.</p>"),
    row(Id=3, PostTypeId=1, Score=-1, Body="<p>Tea?</p>", Title="Tea", AnswerCount=2),
    row(Id=4, PostTypeId=2, ParentId=1, Score=1, Body="<p>For six minutes.</p>"),
    row(Id=5, PostTypeId=2, ParentId=3, Score=3, Body="<p>Yes.</p>"),
    row(Id=6, PostTypeId=2, ParentId=3, Score=3, Body="<p>No.</p>"),
    row(Id=7, PostTypeId=6, Body="<p>A nomination.</p>", Title="It has a title"),
    row(Id=8, PostTypeId=2, ParentId=99, Score=3, Body="<p>To nobody.</p>"),
    row(Id=9, PostTypeId=1, Score=0, Body="", Title="No answer yet"),
)  # fmt: skip

HISTORY = dump(
    "posthistory",
    row(Id=1, PostHistoryTypeId=2, PostId=1, RevisionGUID="a", Text="How do I boil\r\nan egg?"),
    row(Id=2, PostHistoryTypeId=1, PostId=1, RevisionGUID="a", Text="Eggs"),
    row(Id=3, PostHistoryTypeId=3, PostId=1, RevisionGUID="a", Text="<food>"),
    row(Id=4, PostHistoryTypeId=5, PostId=1, RevisionGUID="b", Text="How do I boil two eggs?"),
    row(Id=5, PostHistoryTypeId=4, PostId=1, RevisionGUID="c", Text="Two eggs"),
    row(Id=6, PostHistoryTypeId=8, PostId=1, RevisionGUID="d", Text="How do I boil an egg?"),
)


def test_links_of_a_post_are_a_field(tmp_path: Path) -> None:
    linked = '<a href="https://www.eggs.example/boil?for=6">so</a> or <a href="/questions/3">so</a>'
    posts, history = tmp_path / "Posts.xml", tmp_path / "PostHistory.xml"
    posts.write_bytes(dump("posts", row(Id=1, PostTypeId=1, Body=linked), row(Id=2, PostTypeId=1)))
    text = "See [this](http://eggs.example/) and <https://eggs.example/>, please."
    history.write_bytes(dump("posthistory", row(Id=1, PostHistoryTypeId=2, PostId=1, Text=text)))
    settings = with_fields(ReaderSettings(), ["title", "body", "links"])
    links = [r["links"] for r in rows_of(posts, settings)]
    assert links == ["eggs.example/boil?for=6\n/questions/3", None]
    assert [r["links"] for r in rows_of(history, settings)] == ["eggs.example"]


def rows_of(path: Path, settings: ReaderSettings = FIELDS) -> list[dict[str, Any]]:
    source = FileSource.open([path], settings)
    return [r for split in source.splits() for b in source.read(split) for r in b.to_pylist()]


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    path = tmp_path / "Posts.xml"
    path.write_bytes(POSTS)
    return path


def test_a_thread_is_a_question_with_its_accepted_or_best_answer(posts: Path) -> None:
    rows = rows_of(posts)
    good = [r for r in rows if r["problem"] is None]
    assert [(r["id"], r["title"], r["text"], r["answer"]) for r in good] == [
        ("1", "Eggs & <b>", "How do I boil an egg & when?\n\nThanks.", "For six minutes."),
        ("3", "Tea", "Tea?", "Yes."),
        ("9", "No answer yet", None, None),
    ]
    assert [(r["score"], r["answers"]) for r in good] == [(7, 2), (-1, 2), (0, None)]
    bad = [(r["id"], r["problem"]) for r in rows if r["problem"]]
    assert bad == [("7", "no question or answer"), ("8", "no question")]


def test_what_the_editor_wrote_for_an_image_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "Posts.xml"
    images = (f'<img src="a.png" alt="{told}">' for told in ("enter image description here", "An egg"))
    rows = (row(Id=i, PostTypeId=1, Body=image) for i, image in enumerate(images))
    path.write_bytes(dump("posts", *rows))
    assert [r["text"] for r in rows_of(path)] == [None, "An egg"]


def test_without_fields_every_post_is_a_document(posts: Path) -> None:
    rows = rows_of(posts, ReaderSettings())
    assert [r["id"] for r in rows if r["text"]] == ["1", "2", "3", "4", "5", "6", "8"]


def test_another_field_may_take_the_place_of_the_text(posts: Path) -> None:
    rows = rows_of(posts, with_fields(ReaderSettings(), ["answer", "body"]))
    assert (rows[0]["text"], rows[0]["body"][:8]) == ("For six minutes.", "How do I")


def test_fields_that_a_dump_does_not_have_are_named(posts: Path) -> None:
    with pytest.raises(InputError, match="no fields 'question', 'best'"):
        rows_of(posts, with_fields(ReaderSettings(), ["question", "best"]))


def test_a_revision_has_the_title_of_its_time(tmp_path: Path) -> None:
    path = tmp_path / "PostHistory.xml"
    path.write_bytes(HISTORY)
    assert [(r["id"], r["title"], r["text"]) for r in rows_of(path)] == [
        ("1@1", "Eggs", "How do I boil\nan egg?"),
        ("1@4", "Eggs", "How do I boil two eggs?"),
        ("1@6", "Two eggs", "How do I boil an egg?"),
    ]


def test_parts_of_a_dump_give_all_threads_once(posts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rows_of(posts)
    monkeypatch.setattr(stackexchange, "SPLIT_BYTES", 100)
    assert len(FileSource.open([posts], FIELDS).splits()) > 5
    parts = rows_of(posts)
    assert [r["id"] for r in parts] == [r["id"] for r in whole]
    assert [r["answer"] for r in parts] == [r["answer"] for r in whole]


def test_a_packed_dump_reads_alike_and_a_damaged_one_as_far_as_it_goes(
    posts: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "Posts.xml.gz"
    packed.write_bytes(gzip.compress(POSTS))
    assert [r["id"] for r in rows_of(packed)] == [r["id"] for r in rows_of(posts)]
    cut = tmp_path / "cut.xml"
    cut.write_bytes(POSTS[: POSTS.index(b'<row Id="4"') + 40])
    rows = rows_of(cut)
    assert [(r["id"], r["problem"]) for r in rows] == [("1", None), ("3", None), ("4", "truncated")]
    broken = tmp_path / "broken.xml"
    broken.write_bytes(POSTS.replace(b'<row Id="3"', b'<row Id="3" Tags="\xff"'))
    assert [r["problem"] for r in rows_of(broken)][1] == "invalid UTF-8"


def test_a_row_that_is_too_large_is_skipped(posts: Path) -> None:
    settings = with_fields(ReaderSettings(max_record=200), ["title", "body", "answer"])
    assert rows_of(posts, settings)[0]["problem"] == "too large"


def test_a_thread_goes_with_all_of_its_answers(posts: Path, tmp_path: Path) -> None:
    file, target = find([posts])[0], tmp_path / "out" / "Posts.xml"
    target.parent.mkdir()
    keep = np.array([True, False, True, True, True])
    assert stackexchange.rewrite(file, target, Decisions(keep), FIELDS) == 4
    assert [r["id"] for r in rows_of(target)] == ["1", "7", "8", "9"]
    assert target.read_bytes().startswith(POSTS[:50])
    assert target.read_bytes().endswith(b"</posts>\n")
    assert b'<row Id="5"' not in target.read_bytes()
    whole = tmp_path / "whole.xml"
    stackexchange.rewrite(file, whole, Decisions(), FIELDS)
    assert whole.read_bytes() == POSTS


def test_a_file_that_is_cut_off_meanwhile_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To touch what a mapping no longer has would end the process."""
    monkeypatch.setattr(stackexchange, "STEP", 7)
    path = tmp_path / "Posts.xml"
    path.write_bytes(b"one\ntwo three\nfour\nfive")
    data = stackexchange.Anywhere(path)
    whole = path.read_bytes()
    for wanted in (b"\n", b"three", b"five", b"six"):
        for at in range(len(whole) + 1):
            assert data.find(wanted, at) == whole.find(wanted, at)
            assert data.find(wanted, 0, at) == whole.find(wanted, 0, at)
            assert data[at : at + 9] == whole[at : at + 9]
    os.truncate(path, 5)
    assert (len(data), data.find(b"five", 0), data[4:20]) == (len(whole), -1, b"t")
