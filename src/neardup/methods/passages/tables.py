"""The tables between which passages are found: texts as words and sentences, and what was found."""

import pyarrow as pa

from neardup.steps.columns import integers, with_carried

# A text: the number of its words, their hashes, and where each begins and ends (characters; the end
# takes in closing marks that follow directly); and the number of the word with which each sentence
# begins. A sentence has at least one word; the first begins with word 0.
TEXTS = pa.schema(
    [
        *integers("doc", "size"),
        ("words", pa.list_(pa.int64())),
        ("starts", pa.list_(pa.int32())),
        ("ends", pa.list_(pa.int32())),
        ("sentences", pa.list_(pa.int32())),
        ("length", pa.int64()),
    ]
)

# A passage: characters, ends excluded; `words` are the words that both sides have in common, and
# `same_words` says that they are all, in the same order.
FOUND = pa.schema(
    [
        *integers("a", "b", "start_a", "end_a", "start_b", "end_b", "sentences"),
        ("similarity", pa.float64()),
        ("words", pa.int64()),
        ("same_words", pa.bool_()),
    ]
)

# A passage that very many documents share, located in the first that has it.
BOILERPLATE = pa.schema(integers("doc", "start_at", "end_at", "documents"))


def texts_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of texts for these records; extra columns are named by number."""
    return with_carried(TEXTS, records)
