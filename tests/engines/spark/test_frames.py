"""DataFrames go in and come out."""

from typing import Any

import pytest
from tests.corpora import stories

import neardup
from neardup.errors import InputError


@pytest.mark.slow
def test_a_dataframe_goes_in_and_dataframes_come_out(spark: Any) -> None:
    texts = stories(6, 4)
    rows = [(f"n{n}", text, n) for n, text in enumerate([*texts, texts[0], None])]
    frame = spark.createDataFrame(rows, "name string, body string, year int").coalesce(1)
    result: Any = neardup.documents(
        frame, engine=spark, text_column="body", id_column="name", columns=["year"], keep="first"
    )
    assert [tuple(row) for row in result.pairs.select("id_a", "id_b", "similarity").collect()] == [
        ("n0", "n6", 1.0)
    ]
    assert result.documents.where("id = 'n3'").first()["year"] == 3
    assert result.counts["skipped.no text"] == 1
    assert result.run["input"] == {"kind": "dataframe"}
    assert result.local().pairs.num_rows == result.to_arrow().num_rows == len(result.to_pandas()) == 1
    with pytest.raises(InputError, match="for Spark's engine"):
        neardup.documents(frame)
    with pytest.raises(InputError, match="no column"):
        neardup.documents(frame, engine=spark, text_column="boddy")
