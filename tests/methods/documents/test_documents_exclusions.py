"""documents: what is excluded is not compared, as if texts were without it."""

from typing import Any

import pytest
from tests.corpora import prose

import neardup

TASK = prose(60, seed=700)
QUOTED = f"“{prose(40, seed=702)}”"
LIST = (
    "References\n\nHale, M. (1998). Iron bridges. Leeds: Orme.\nAdams, R. (2011). Tides. London: Carr."
)


def run(texts: Any, **chosen: Any) -> neardup.Result:
    return neardup.documents(texts, workers=1, memory="64MB", threshold=0.3, **chosen)


def texts(*common: str) -> list[dict[str, str]]:
    own = {f"d{n}": prose(40, seed=n) for n in range(6)}
    own["d5"] = f"{own['d4']} {prose(10, seed=99)}"
    return [{"id": n, "text": "\n\n".join([*common[:1], t, *common[1:]])} for n, t in own.items()]


@pytest.mark.parametrize(
    ("common", "chosen"),
    [
        ((TASK,), {"exclude": [TASK]}),
        ((QUOTED,), {"exclude_quoted": True}),
        ((TASK, LIST), {"exclude": [TASK], "exclude_bibliography": True}),
    ],
)
@pytest.mark.parametrize("shingle", ["word:5", "char:9"])
def test_pairs_are_those_of_texts_without_it(
    common: tuple[str, ...], chosen: dict[str, Any], shingle: str
) -> None:
    bare, result = run(texts(), shingle=shingle), run(texts(*common), shingle=shingle, **chosen)
    assert result.pairs.to_pylist() == bare.pairs.to_pylist() and bare.pairs.num_rows == 1
    assert result.counts["excluded"] == 6 * len(common)
    assert run(texts(*common), shingle=shingle).pairs.num_rows > 1
    lengths = [len(one["text"]) for one in texts(*common)]
    assert result.documents["length"].to_pylist() == lengths


def test_a_text_of_nothing_else_is_skipped() -> None:
    result = run([*texts(), {"id": "task", "text": TASK}], exclude=[TASK], max_shared=20)
    assert result.skipped["problem"].to_pylist() == ["only excluded text"]


def test_what_differs_in_what_is_excluded_is_not_identical() -> None:
    own = prose(40, seed=1)
    same = [{"id": n, "text": f"{own}\n\n{QUOTED}"} for n in "ab"]
    other = {"id": "c", "text": f"{own}\n\n“{prose(40, seed=703)}”"}
    found = run([*same, other], exclude_quoted=True).pairs.to_pylist()
    kinds = {row["id_a"] + row["id_b"]: (row["kind"], row["similarity"]) for row in found}
    close = ("near-duplicate", 1.0)
    assert kinds == {"ab": ("identical", 1.0), "ac": close, "bc": close}
