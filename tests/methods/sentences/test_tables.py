"""Pairs of sentences in the order of those who mend them."""

import pyarrow as pa

from neardup.methods.sentences.tables import others_first


def test_what_an_editor_acts_on_comes_before_templates_and_references() -> None:
    kinds = ["reference", "identical", "template", "copy edit", "factual drift", "copy edit"]
    table = pa.table(
        {
            "kind": kinds,
            "doc_a": [0, 0, 0, 3, 0, 0],
            "doc_b": [1, 1, 2, 3, 2, 1],
            "distance": [0.0, 0.0, 0.1, 0.01, 0.2, 0.1],
            "confidence": [0.5] * 6,
            "sentence_a": [0] * 6,
            "sentence_b": [0] * 6,
        }
    )
    found = others_first(table)
    right = ["factual drift", "copy edit", "identical", "copy edit", "template", "reference"]
    assert found["kind"].to_pylist() == right
    assert found["doc_a"].to_pylist()[3] == 3, "pairs within a document come behind the others"
