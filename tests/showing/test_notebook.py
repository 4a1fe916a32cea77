"""What a notebook shows: results with their texts, explanations in colour, help that is enough."""

import inspect
from pathlib import Path

import pytest

import neardup

A = "The ferries stay in harbour <b>this morning</b> because of the storm, and all tickets are changed."
B = "The ferries stay in harbour this afternoon because of the storm, and all tickets are changed."


def test_the_public_names_are_all_that_tab_shows() -> None:
    assert dir(neardup) == sorted([*neardup.__all__, "__version__"])


@pytest.mark.parametrize("name", ["documents", "passages", "sentences", "threads", "pages"])
def test_help_explains_every_argument(name: str) -> None:
    function = getattr(neardup, name)
    for argument in inspect.signature(function).parameters:
        assert argument in function.__doc__, argument
    assert "Settings:\n    " in function.__doc__
    assert "encoding ('auto'): The encoding of text" in function.__doc__
    assert ">>>" not in function.__doc__.partition("Settings:")[2]


def test_a_result_shows_its_pairs_first_with_their_texts_and_a_plot() -> None:
    page = neardup.documents([A, B], threshold=0.2)._repr_html_()
    assert page.index("similarity") < page.index("<svg") < page.index("All counts")
    assert "The ferries stay in harbour &lt;b&gt;this morning" in page
    assert "<b>this" not in page


def test_texts_that_are_gone_are_left_out(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"text": "the same words here"}\n{"text": "the same words here"}\n')
    result = neardup.documents(corpus, output=tmp_path / "out")
    assert "the same words" in result._repr_html_()
    corpus.unlink()
    page = result._repr_html_()
    assert "identical" in page
    assert "the same words" not in page


def test_a_result_without_pairs_is_shown_too() -> None:
    assert "0 pairs" in neardup.documents(["one two three", "four five six"])._repr_html_()


def test_two_texts_are_shown_with_their_differences_in_colour() -> None:
    found = neardup.documents([A, B], threshold=0.2)
    first = found.pairs.slice(0, 1).to_pylist()[0]
    page = found.explain(first["id_a"], first["id_b"])._repr_html_()
    assert 'color:#600"> &lt;b&gt;this morning' in page
    assert 'color:#040"> this afternoon </ins>because of' in page


def test_passages_sentences_and_threads_are_explained_in_colour() -> None:
    passages = neardup.passages([f"{A} {B}", f"{A} {B} And then nothing at all."])
    sentences = neardup.sentences([A, B], max_distance=0.4)
    fields = {"title": 0.5, "body": 0.5}
    texts = [{"title": "Ferries", "body": A}, {"title": "Ferries", "body": B}]
    threads = neardup.threads(texts, fields=fields, threshold=0.2)
    for result, marked in ((passages, "1. "), (sentences, "<del"), (threads, "body (0.5, shingles:3)")):
        pair = result.pairs.slice(0, 1).to_pylist()[0]
        page = result.explain(pair["id_a"], pair["id_b"])._repr_html_()
        assert marked in page
        assert page.count("<table") >= 1
