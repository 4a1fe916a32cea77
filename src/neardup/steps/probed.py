"""Which documents are tried: edited as far as two may differ, to see if a run finds them."""

SPREAD = 2654435761  # times the number of a document: the lowest are from all over the input


def probed(table: str, most: int, condition: str = "true") -> str:
    """Return the statement for the first `most` documents of a table in an order of no meaning."""
    return f"""
select doc from (
  select doc, number * {SPREAD} % {1 << 32} as place from {table} where {condition}
  order by place limit {most}
) p order by doc
"""
