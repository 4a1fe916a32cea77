"""Pairs of documents in a terminal: the command that says more of one, and what 1 may mean."""

from shlex import quote

import pyarrow as pa
import pyarrow.compute as pc

from neardup.results.folder import ResultFolder
from neardup.steps.pair_kinds import NEAR_DUPLICATE

ALL_COMMON = "near-duplicates at 1.000 have all in common that is compared, yet their texts differ"


def differ_at_one(pairs: pa.Table) -> bool:
    """Return whether pairs have all in common that is compared, without being identical."""
    if not {"kind", "similarity"} <= {*pairs.column_names}:
        return False
    return bool(
        pc.any(
            pc.and_(pc.equal(pairs["kind"], NEAR_DUPLICATE), pc.equal(pairs["similarity"], 1))
        ).as_py()
    )


def explaining(result: ResultFolder, folder: str) -> list[str]:
    """Return the command that explains the first pair of a result, if it has any."""
    first = result.pairs.slice(0, 1).to_pylist()
    return [f"explain {folder} {quote(pair['id_a'])} {quote(pair['id_b'])}" for pair in first]
