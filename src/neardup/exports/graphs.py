"""Documents and their pairs as a graph: GraphML for NetworkX, igraph and yEd, GEXF for Gephi."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.exports.xml import attribute, safe
from neardup.result import Result

NODE = {"label": "string", "title": "string", "source": "string", "cluster": "long", "old": "boolean"}
EDGE = {"weight": "double", "kind": "string"}


@dataclass(frozen=True)
class Graph:
    """The documents that are in a pair, and the pairs; a pair of sentences counts for its documents.

    The weight of an edge is the similarity of the pair, or the number of pairs that two documents have.
    """

    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]

    @classmethod
    def of(cls, result: Result) -> "Graph":
        """Take the graph from a result."""
        if not result.has("pairs"):
            raise result.lacks("pairs")
        edges = links(result.pairs)
        ids = dict.fromkeys(row[side] for row in edges for side in ("id_a", "id_b"))
        known = attributes(result)
        return cls([{"label": given, **known.get(given, {})} for given in ids], edges)

    def numbers(self) -> dict[str, int]:
        """Return the numbers of the nodes, by the ids of documents."""
        return {node["label"]: number for number, node in enumerate(self.nodes)}


def links(pairs: pa.Table) -> list[dict[str, Any]]:
    """Return each two documents once, with a weight and, if they are one pair, its kind."""
    pairs = pairs.filter(pc.not_equal(pairs["id_a"], pairs["id_b"]))
    if "similarity" not in pairs.column_names:
        counted = pairs.group_by(["id_a", "id_b"], use_threads=False).aggregate([([], "count_all")])
        return counted.rename_columns(["id_a", "id_b", "weight"]).to_pylist()  # type: ignore[no-any-return]
    names = ["id_a", "id_b", "similarity", *(["kind"] if "kind" in pairs.column_names else [])]
    rows = pairs.select(names).rename_columns(["weight" if n == "similarity" else n for n in names])
    return rows.to_pylist()  # type: ignore[no-any-return]


def attributes(result: Result) -> dict[str, dict[str, Any]]:
    """Return what is known of documents, by their ids."""
    names = [n for n in ("id", *NODE) if n in result.documents.column_names]
    found = {row.pop("id"): row for row in result.documents.select(names).to_pylist()}
    if result.has("clusters"):
        for row in result.clusters.select(["id", "cluster"]).to_pylist():
            found[row["id"]]["cluster"] = row["cluster"]
    return found


def as_graphml(graph: Graph) -> Iterator[str]:
    """Yield the parts of a GraphML file."""
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for side, names in (("node", NODE), ("edge", EDGE)):
        for name, kind in names.items():
            yield f'<key id="{side}-{name}" for="{side}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="undirected">\n'
    for number, node in enumerate(graph.nodes):
        yield f'<node id="n{number}">{"".join(data("node", node))}</node>\n'
    numbers = graph.numbers()
    for edge in graph.edges:
        ends = f'source="n{numbers[edge["id_a"]]}" target="n{numbers[edge["id_b"]]}"'
        yield f"<edge {ends}>{''.join(data('edge', edge))}</edge>\n"
    yield "</graph>\n</graphml>\n"


def data(side: str, values: dict[str, Any]) -> Iterator[str]:
    """Yield the data of a node or an edge; what is missing is left out."""
    for name in NODE if side == "node" else EDGE:
        if values.get(name) is not None:
            yield f'<data key="{side}-{name}">{safe(as_text(values[name]))}</data>'


def as_gexf(graph: Graph) -> Iterator[str]:
    """Yield the parts of a GEXF file."""
    yield '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n<graph defaultedgetype="undirected">\n'
    for side, names in (("node", NODE), ("edge", EDGE)):
        yield f'<attributes class="{side}">\n'
        for name, kind in names.items():
            if name not in ("label", "weight"):
                yield f'<attribute id="{name}" title="{name}" type="{kind}"/>\n'
        yield "</attributes>\n"
    yield "<nodes>\n"
    for number, node in enumerate(graph.nodes):
        yield f'<node id="n{number}" label={attribute(node["label"])}>{values_of(NODE, node)}</node>\n'
    yield "</nodes>\n<edges>\n"
    numbers = graph.numbers()
    for number, edge in enumerate(graph.edges):
        ends = f'source="n{numbers[edge["id_a"]]}" target="n{numbers[edge["id_b"]]}"'
        own = f'id="e{number}" {ends} weight="{edge["weight"]}"'
        yield f"<edge {own}>{values_of(EDGE, edge)}</edge>\n"
    yield "</edges>\n</graph>\n</gexf>\n"


def values_of(names: dict[str, str], values: dict[str, Any]) -> str:
    """Write the values of a node or an edge that have no place of their own."""
    found = "".join(
        f'<attvalue for="{name}" value={attribute(as_text(values[name]))}/>'
        for name in names
        if name not in ("label", "weight") and values.get(name) is not None
    )
    return f"<attvalues>{found}</attvalues>" if found else ""


def as_text(value: object) -> str:
    """Write a value as text; truth is in small letters."""
    return str(value).lower() if isinstance(value, bool) else str(value)
