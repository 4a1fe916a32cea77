"""Texts as files of every format that lays them out, made by the libraries people make them with."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

HEAD = "A Collection of Essays"
LINE = 60  # characters of a line in what is cut into lines here
Texts = Sequence[str]


def pdf(paragraphs: Texts, head: bool = True, columns: int = 1) -> bytes:
    """Return a PDF with a running head, page numbers, and words cut at the ends of lines."""
    from fpdf import FPDF

    class Paper(FPDF):
        def header(self) -> None:
            if not head:
                return
            self.set_font("Times", size=9)
            self.cell(text=f"{HEAD} {self.page_no()}", new_x="LMARGIN", new_y="NEXT")

        def footer(self) -> None:
            if not head:
                return
            self.set_y(-15)
            self.set_font("Times", size=9)
            self.cell(text=f"- {self.page_no()} -")

    paper = Paper()
    paper.core_fonts_encoding = "cp1252"  # beyond Latin-1, which people write with quotes and dashes
    paper.set_font("Times", size=12)
    paper.add_page()
    if columns == 1:
        for paragraph in paragraphs:
            lines = cut(paragraph)
            for line in lines:
                paper.set_font("Times", size=12)
                paper.cell(text=line, h=6, new_x="LMARGIN", new_y="NEXT")
            paper.ln(6)
    else:
        with paper.text_columns(ncols=columns, gutter=8, text_align="J") as found:
            for paragraph in paragraphs:
                found.write(f"{paragraph}\n\n")
    return bytes(paper.output())


def cut(paragraph: str) -> list[str]:
    """Cut a text into lines, and a long word at the end of one, as printers do."""
    lines: list[str] = [""]
    for word in paragraph.split():
        room = LINE - len(lines[-1]) - 1
        if len(word) <= room:
            lines[-1] = f"{lines[-1]} {word}".strip()
        elif word.isalpha() and len(word) > 6 and room > 4:
            lines[-1] += f" {word[:3]}-"
            lines.append(word[3:])
        else:
            lines.append(word)
    return lines


def docx(paragraphs: Texts) -> bytes:
    """Return a Word file with a running head and, half-way, a new page, as Word leaves a mark there."""
    from docx import Document
    from docx.enum.text import WD_BREAK
    from docx.oxml import OxmlElement

    document = Document()
    document.sections[0].header.paragraphs[0].text = HEAD
    for number, paragraph in enumerate(paragraphs):
        added = document.add_paragraph(paragraph)
        if number == len(paragraphs) // 2 > 0:
            added.insert_paragraph_before().add_run().add_break(WD_BREAK.PAGE)
            added.runs[0]._r.insert(0, OxmlElement("w:lastRenderedPageBreak"))
    return saved(document)


def odt(paragraphs: Texts) -> bytes:
    """Return an OpenDocument text; blanks in a row are counted in it, as programs do."""
    from odf.opendocument import OpenDocumentText
    from odf.text import P, SoftPageBreak

    document = OpenDocumentText()
    for number, paragraph in enumerate(paragraphs):
        if number == len(paragraphs) // 2 > 0:
            document.text.addElement(SoftPageBreak())
        document.text.addElement(P(text=paragraph))
    return saved(document)


def saved(document: Any) -> bytes:
    """Return what a library's document is as a file."""
    sink = io.BytesIO()
    document.save(sink)
    return sink.getvalue()


def rtf(paragraphs: Texts) -> bytes:
    """Return Rich Text, with a font table, a style sheet, a head and a link."""

    def written(text: str) -> str:
        safe = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
        return "".join(
            c if c < "\x80" else f"\\'{c.encode('cp1252').hex()}" if _in_cp1252(c) else f"\\u{ord(c)}?"
            for c in safe
        )

    head = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman Times;}}{\stylesheet{\s0 Normal;}}"
    head += rf"{{\header\pard {HEAD}\par}}"
    body = "".join(rf"\pard\plain\f0\fs24 {written(p)}\par" + "\r\n" for p in paragraphs)
    return f"{head}{body}}}".encode("ascii")


def _in_cp1252(char: str) -> bool:
    try:
        return len(char.encode("cp1252")) == 1
    except UnicodeEncodeError:
        return False


def epub(paragraphs: Texts) -> bytes:
    """Return an EPUB whose chapters are listed in another order than they are packed."""
    half = (len(paragraphs) + 1) // 2
    chapters = {"b.xhtml": paragraphs[half:], "a%20first.xhtml": paragraphs[:half]}
    items = '<item id="two" href="b.xhtml"/><item id="one" href="a%20first.xhtml"/>'
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/x.opf"/></rootfiles>'
        "</container>",
        "OEBPS/x.opf": f'<package xmlns:dc="d"><metadata><dc:title>{HEAD}</dc:title></metadata>'
        f"<manifest>{items}</manifest>"
        '<spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
    }
    for name, own in chapters.items():
        body = "".join(f"<p>{escape(p)}</p>\n" for p in own)
        parts[f"OEBPS/{name.replace('%20', ' ')}"] = (
            f"<?xml version='1.0'?><html><head><title>x</title></head><body>{body}</body></html>"
        )
    return zipped(parts)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of some parts, the first of which is not packed."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as package:
        for number, (name, part) in enumerate(parts.items()):
            how = zipfile.ZIP_DEFLATED if number else zipfile.ZIP_STORED
            package.writestr(zipfile.ZipInfo(name), part, how)
    return sink.getvalue()


def tei(paragraphs: Texts) -> bytes:
    """Return a TEI edition: lines, pages with running heads, and what editors add."""
    body = []
    for number, paragraph in enumerate(paragraphs, 1):
        lines = "".join(
            f'{escape(line[:-1])}<lb break="no"/>' if line.endswith("-") else f"{escape(line)}\n<lb/>"
            for line in cut(paragraph)
        )
        body.append(f'<pb n="{number}"/><fw type="header">{HEAD}</fw>\n<p>{lines}</p>\n')
    title = f"<titleStmt><title>{HEAD}</title></titleStmt>"
    source = "<sourceDesc><p>A made-up text</p></sourceDesc>"
    header = f"<teiHeader><fileDesc>{title}{source}</fileDesc></teiHeader>"
    root = '<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">'
    return f"{root}{header}<text><body>{''.join(body)}</body></text></TEI>".encode()


def alto(paragraphs: Texts) -> bytes:
    """Return ALTO: strings of lines of blocks, with a head in the margin."""

    def line(words: str) -> str:
        hyphen = '<HYP CONTENT="-"/>' if words.endswith("-") else ""
        strings = "<SP/>".join(f'<String CONTENT="{escape(w)}"/>' for w in words.rstrip("-").split())
        return f"<TextLine>{strings}{hyphen}</TextLine>"

    blocks = "".join(
        f'<TextBlock ID="b{n}">{"".join(map(line, cut(p)))}</TextBlock>'
        for n, p in enumerate(paragraphs)
    )
    head = f'<TopMargin><TextBlock ID="t">{line(HEAD)}</TextBlock></TopMargin>'
    pages = f'<Page ID="P" PHYSICAL_IMG_NR="7">{head}<PrintSpace>{blocks}</PrintSpace></Page>'
    return f'<?xml version="1.0"?><alto><Layout>{pages}</Layout></alto>'.encode()


def page(paragraphs: Texts) -> bytes:
    """Return PAGE: regions in another order than that in which they are read."""

    def region(number: int, paragraph: str) -> str:
        lines = "".join(
            "<TextLine><Word><TextEquiv><Unicode>again</Unicode></TextEquiv></Word>"
            f"<TextEquiv><Unicode>{escape(line)}</Unicode></TextEquiv></TextLine>"
            for line in cut(paragraph)
        )
        whole = "<TextEquiv><Unicode>again</Unicode></TextEquiv>"
        return f'<TextRegion id="r{number}">{lines}{whole}</TextRegion>'

    order = "".join(f'<RegionRefIndexed index="{n}" regionRef="r{n}"/>' for n in range(len(paragraphs)))
    regions = "".join(region(n, p) for n, p in reversed(list(enumerate(paragraphs))))
    words = f"<TextLine><TextEquiv><Unicode>{HEAD}</Unicode></TextEquiv></TextLine>"
    head = f'<TextRegion id="h" type="header">{words}</TextRegion>'
    reading = f"<ReadingOrder><OrderedGroup>{order}</OrderedGroup></ReadingOrder>"
    return f'<?xml version="1.0"?><PcGts><Page>{reading}{head}{regions}</Page></PcGts>'.encode()


LAYOUTS: dict[str, Callable[[Texts], bytes]] = {
    "pdf": pdf,
    "docx": docx,
    "odt": odt,
    "rtf": rtf,
    "epub": epub,
    "tei": tei,
    "alto.xml": alto,
    "page.xml": page,
}
