"""What a drawing holds."""

import xml.etree.ElementTree as ElementTree

HOSTILE = "<script>alert('x')</script>\"&'"


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def all_of(svg: str, name: str) -> list[ElementTree.Element]:
    return list(tree(svg).iter(f"{{http://www.w3.org/2000/svg}}{name}"))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in all_of(svg, "text")]
