"""Identical records: of very many, each is paired with the first only."""


def identical_pairs(columns: str) -> str:
    """Return the SQL for these columns of all pairs x, y of the table `copies` that are identical.

    Of more than MOST copies, the others are joined apart: one join with both conditions would look at
    every copy with every other.
    """
    joined = f"select {columns} from {{copies}} x join {{copies}} y on x.first = y.first"
    return f"""
{joined} where x.rank < y.rank and x.rank <= MOST and y.rank <= MOST
union all
{joined} where x.rank = 1 and y.rank > MOST
"""
