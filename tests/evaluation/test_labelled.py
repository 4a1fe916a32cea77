"""Labels of pairs and clusters."""

from pathlib import Path

import pytest
from tests.corpora import labelled_forum, write

from neardup.errors import InputError
from neardup.evaluation.tune import tune


def test_all_labels_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", [{"id": i, "title": f"{i} one two"} for i in "abc"])
    labels = tmp_path / "labels.csv"
    labels.write_text("id_a,id_b,label\na,b,1\nb,a,0\nc,c,1\na,c,maybe\n")
    with pytest.raises(InputError) as caught:
        tune(str(source), labels, fields="title")
    said = str(caught.value)
    assert said.startswith("3 labels cannot be used")
    for part in ("labelled otherwise in", "paired with itself", "'maybe'"):
        assert part in said
    with pytest.raises(InputError, match=r"this folder has no PostLinks\.xml"):
        tune(str(source), tmp_path)
    labels.write_text("id_a,id_b,label\na,b,1\n")
    with pytest.raises(InputError, match="no pair of threads that are there is labelled wrong"):
        tune(str(source), labels, fields="title")


def test_labels_may_be_clusters_or_labelled_pairs(tmp_path: Path) -> None:
    source, _, right = labelled_forum(tmp_path)
    clusters = tmp_path / "clusters.csv"
    clusters.write_text(
        "id,cluster\n" + "".join(f"{a},{n}\n{b},{n}\n" for n, (a, b) in enumerate(right))
    )
    assert (
        tune(str(source), clusters, fields="title,body", starts=5, max_shared=[0]).best.tuning.f1 == 1.0
    )
    pairs = tmp_path / "pairs.csv"
    rows = [f"{a},{b},1\n" for a, b in right] + [f"t{n}-0,t{n + 1}-0,0\n" for n in range(50)]
    pairs.write_text("id_a,id_b,label\n" + "".join(rows))
    assert (
        tune(str(source), pairs, fields="title,body", starts=5, max_shared=[0]).counts[
            "other_for_tuning"
        ]
        <= 50
    )
