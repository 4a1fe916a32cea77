"""Which units are tried: edited as far as two may differ, to see if a run finds them."""

SPREAD = 2654435761  # times the number of a unit: the lowest are from all over the input


def probed(
    table: str, most: int, condition: str = "true", unit: str = "doc", number: str = "number"
) -> str:
    """Return the statement for the first `most` units of a table in an order of no meaning."""
    return f"""
select {unit} from (
  select {unit}, {number} * {SPREAD} % {1 << 32} as place from {table} where {condition}
  order by place limit {most}
) p order by {unit}
"""
