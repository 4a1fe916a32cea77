"""The tables between which passages are found: texts as words and sentences, and what was found."""

import pyarrow as pa

from neardup.steps.columns import schema_of, with_carried

# A text: the number of its words, their hashes, and where each begins and ends (characters; the end
# takes in closing marks that follow directly); and the number of the word with which each sentence
# begins. A sentence has at least one word; the first begins with word 0. `disguised` says that words may
# hide from the comparison.
TEXTS = schema_of(
    "doc size int64, words [int64], starts ends sentences [int32], length int64, disguised bool"
)

# A passage: characters, ends excluded; `words` are the words that both sides have in common,
# `same_words` says that they are all, in the same order, and `summary` that one side sums the other up.
# `matched_a` and `matched_b` are the runs of these words on each side: start, end, start, end, …;
# `references` says that both sides are of reference lists.
FOUND = schema_of(
    "a b start_a end_a start_b end_b sentences int64, similarity float64, words int64, "
    "same_words summary bool, matched_a matched_b [int32], references bool"
)

# A passage that very many documents share, located in the first that has it.
BOILERPLATE = schema_of("doc start_at end_at documents int64")


def texts_schema(records: pa.Schema, *own: pa.Field) -> pa.Schema:
    """Return the schema of texts for these records, with more columns; those of users have numbers."""
    return with_carried(pa.schema([*TEXTS, *own]), records)
