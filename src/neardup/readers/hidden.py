"""What nobody sees in a Word file or an OpenDocument text: hidden, white on white, or tiny letters."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from neardup.readers.xml_text import Attributes, Dialect, Walk

WHITE = re.compile("#?(?:f[0-9a-f]){3}", re.IGNORECASE)
NO_COLOURS = ("", "auto", "none", "white", "transparent")
TINY_HALVES = re.compile("[0-4]")  # of a point: at most 2 pt
TINY = re.compile(r"[01](?:\.\d+)?pt|2(?:\.0+)?pt")
# which may be dark: a style says so
ON_A_GROUND = frozenset(("tc", "txbxContent", "table-cell", "text-box", "section"))
PARAGRAPHS = ("p", "h")
SUSPECT = re.compile(
    rb'(?i)vanish|"#?(?:f[0-9a-f]){3}"|display="none"|:sz \w+:val="[0-4]"|font-size="[012](?:\.\d+)?pt"'
)
MOST_PARENTS = 20
Look = Mapping[str, bool]
PLAIN: Look = {}


class Looks(dict[str, tuple[str, Look]]):
    """How the letters of each style look, and what it is based on, by its id; pages may be dark."""

    is_dark = False

    def of(self, style: str) -> Look:
        """Return how letters of a style look, with all that it inherits."""
        chain: list[Look] = []
        while style in self and len(chain) < MOST_PARENTS:
            style, look = self[style]
            chain.insert(0, look)
        return {key: value for look in chain for key, value in look.items()}


def _is_dark(colour: str | None) -> bool:
    return (colour or "") not in NO_COLOURS and not WHITE.fullmatch(colour or "")


def of_word(name: str, own: Attributes) -> Look:
    """Return what a property of a Word file makes of letters."""
    value = own.get("val", "")
    if name == "vanish":
        return {"gone": value not in ("0", "false", "off")}
    if name == "color":
        return {"white": bool(WHITE.fullmatch(value))}
    if name == "sz":
        return {"tiny": bool(TINY_HALVES.fullmatch(value))}
    is_shaded = name == "highlight" and _is_dark(value)
    if name == "shd":
        is_shaded = value not in ("clear", "nil", "") or _is_dark(own.get("fill"))
    return {"shaded": True} if is_shaded else PLAIN


def of_open(own: Attributes) -> Look:
    """Return what the properties of an OpenDocument style make of letters."""
    found = {"shaded": True} if _is_dark(own.get("background-color")) else {}
    if "color" in own or "use-window-font-color" in own:
        found["white"] = bool(WHITE.fullmatch(own.get("color", "")))
    if "font-size" in own:
        found["tiny"] = bool(TINY.fullmatch(own["font-size"]))
    return found | ({"gone": own["display"] == "none"} if "display" in own else {})


def word_looks(styles: bytes) -> Looks:
    """Return how the styles of a Word file look."""
    found, style = Looks(), ""

    def listed(path: Sequence[str], own: Attributes) -> None:
        nonlocal style
        if path[-1] == "style":
            style = own.get("styleId", "")
            found[style] = ("", PLAIN)
        elif path[-1] == "basedOn" and style:
            found[style] = (own.get("val", ""), found[style][1])
        elif path[-3:-1] in (["style", "rPr"], ["style", "pPr"]):
            found[style] = (found[style][0], {**found[style][1], **of_word(path[-1], own)})

    Walk(Dialect(frozenset(), look=listed), styles)
    return found


def open_looks(*parts: bytes) -> Looks:
    """Return how the styles of an OpenDocument text look, those of letters and of paragraphs apart."""
    found, style = Looks(), ""

    def listed(path: Sequence[str], own: Attributes) -> None:
        nonlocal style
        if path[-1] == "style":
            family = own.get("family", "")
            style = f"{family} {own.get('name', '')}"
            found[style] = (f"{family} {own.get('parent-style-name', '')}", PLAIN)
        elif path[-1] == "page-layout-properties":
            found.is_dark |= _is_dark(own.get("background-color"))
        elif path[-2:-1] == ["style"] and path[-1] in ("text-properties", "paragraph-properties"):
            found[style] = (found[style][0], {**found[style][1], **of_open(own)})

    for part in parts:
        Walk(Dialect(frozenset(), look=listed), part)
    return found


def seen(
    dialect: Dialect, is_dark: bool, own_look: Callable[[Sequence[str], Attributes], Look | None]
) -> Dialect:
    """Return the dialect that leaves out what no reader sees.

    `own_look` says how letters look below an element, None if it is not about that.
    """
    opened: list[tuple[int, Look]] = []  # how deep elements are, and how letters look in them

    def look(path: Sequence[str], own: Attributes) -> None:
        nonlocal is_dark
        depth = len(path)
        while opened and opened[-1][0] >= depth:
            opened.pop()
        is_dark |= path[-1] == "background" and _is_dark(own.get("color"))
        if path[-1] in PARAGRAPHS:
            ground = {"shaded": True} if is_dark or not ON_A_GROUND.isdisjoint(path) else PLAIN
            opened.append((depth, ground))
        elif path[-1] in ("r", "span") and opened:
            opened.append((depth, opened[-1][1]))
        if opened and (found := own_look(path, own)):
            opened[-1] = (opened[-1][0], {**opened[-1][1], **found})

    def unseen(depth: int) -> str | None:
        while opened and opened[-1][0] > depth:
            opened.pop()
        now = opened[-1][1] if opened else PLAIN
        if now.get("gone") or now.get("tiny"):
            return ""
        return " " if now.get("white") and not now.get("shaded") else None

    return replace(dialect, look=look, unseen=unseen)


def seen_in_word(dialect: Dialect, styles: Looks) -> Dialect:
    """Return the dialect of a Word file without what no reader sees."""

    def own_look(path: Sequence[str], own: Attributes) -> Look | None:
        if path[-3:-1] not in (["p", "pPr"], ["r", "rPr"]):
            return None
        given = path[-1] in ("pStyle", "rStyle")
        return styles.of(own.get("val", "")) if given else of_word(path[-1], own)

    return seen(dialect, styles.is_dark, own_look)


def seen_in_open(dialect: Dialect, styles: Looks) -> Dialect:
    """Return the dialect of an OpenDocument text without what no reader sees."""

    def own_look(path: Sequence[str], own: Attributes) -> Look | None:
        families = {"p": "paragraph", "h": "paragraph", "span": "text"}
        family = families.get(path[-1])
        return styles.of(f"{family} {own.get('style-name', '')}") if family else None

    return seen(dialect, styles.is_dark, own_look)
