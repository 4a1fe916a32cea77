"""Valid files of every format, to be spoilt: small, made here, with texts that repeat each other."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
from tests.readers.layouts import LAYOUTS
from tests.readers.samples import encoded, http, packed, record

LATIN = "ferry harbour noon lamp bridge evening clock year stone river baker window winter letter garden"
OTHER = 'größer naïve señor Ærø œuvre 漢字 東京 мост река 🦊 №5 O\'Neill e-mail 3.14 &amp; "quoted"'
WORDS = tuple(f"{LATIN} {OTHER}".split(" "))
ROWS = 6


def texts_of(rng: Random) -> list[str]:
    """Return some texts, of which two are nearly the same."""
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(8, 40))) for _ in range(ROWS - 1)]
    return [*texts, f"{texts[0]} once more"]


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def rows_of(rng: Random) -> list[dict[str, object]]:
    dates = [f"2020-01-{day:02}" for day in range(1, 29)]
    return [
        {"id": f"r{n}", "text": text, "date": rng.choice(dates), "score": rng.randint(-5, 99)}
        for n, text in enumerate(texts_of(rng))
    ]


def table(kind: str) -> Callable[[Random], bytes]:
    return lambda rng: encoded(kind, rows_of(rng))


def html_lines(rng: Random) -> bytes:
    rows = [{"id": n, "html": f"<p>{escaped(t)}</p>"} for n, t in enumerate(texts_of(rng))]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def dictionary(rng: Random) -> bytes:
    sink = io.BytesIO()
    columns = pa.Table.from_pylist(rows_of(rng))
    folded = columns.set_column(1, "text", columns["text"].dictionary_encode())
    pq.write_table(folded, sink, row_group_size=3, compression=rng.choice(["snappy", "gzip", "none"]))
    return sink.getvalue()


def arrow_packed(rng: Random) -> bytes:
    sink = io.BytesIO()
    rows = pa.Table.from_pylist(rows_of(rng) * 20)
    options = pa.ipc.IpcWriteOptions(compression=rng.choice(["zstd", "lz4"]))
    start = rng.choice([pa.ipc.new_file, pa.ipc.new_stream])
    with start(sink, rows.schema, options=options) as writer:
        writer.write_table(rows, max_chunksize=40)
    return sink.getvalue()


def html(rng: Random) -> bytes:
    paragraphs = "".join(f'<p class="x{n}">{escaped(t)}</p>\n' for n, t in enumerate(texts_of(rng)))
    charset = rng.choice(["", '<meta charset="utf-8">', '<meta charset="windows-1252">'])
    head = f"<head>{charset}<title>A page</title><link rel=canonical href='http://example.com/a'></head>"
    return f"<!doctype html><html>{head}<body>{paragraphs}</body></html>".encode()


def laid_out(kind: str) -> Callable[[Random], bytes]:
    """Return what makes a file of people's formats; some fonts have no letters but Latin ones."""

    def made(rng: Random) -> bytes:
        texts = texts_of(rng)
        if kind == "pdf":
            texts = [text.encode("latin-1", "ignore").decode("latin-1") for text in texts]
        return LAYOUTS[kind](texts)

    return made


def page_of(rng: Random) -> bytes:
    body = html(rng)
    match rng.randrange(4):
        case 0:
            return http(packed(body, "gz"), Content_Encoding="gzip")
        case 1:
            cut = len(body) // 2
            chunks = b"".join(b"%x\r\n%b\r\n" % (len(c), c) for c in (body[:cut], body[cut:], b""))
            return http(chunks, Transfer_Encoding="chunked")
        case 2:
            return http(packed(body, "zst"), Content_Encoding="zstd")
    return http(body)


def warc(rng: Random) -> bytes:
    pages = [record("response", page_of(rng)) for _ in range(2)]
    texts = [record("conversion", text.encode(), "text/plain") for text in texts_of(rng)]
    return b"".join([record("warcinfo", b"software: x\r\n", "application/warc-fields"), *pages, *texts])


def warc_members(rng: Random) -> bytes:
    return b"".join(packed(record("conversion", t.encode(), "text/plain"), "gz") for t in texts_of(rng))


def arc(rng: Random) -> bytes:
    head = b"1 0 Archive\n"
    parts = [b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain %d\n%b\n" % (len(head), head)]
    for number in range(3):
        body = http(html(rng))
        address = b"http://example.com/%d 1.2.3.4 20200101000000 text/html" % number
        parts.append(b"%b %d\n%b\n" % (address, len(body), body))
    return b"".join(parts)


def trec(rng: Random) -> bytes:
    pieces = [
        f"<DOC>\n<DOCNO> D-{n} </DOCNO>\n<HEADLINE>Title {n}</HEADLINE>\n"
        f"<TEXT>{escaped(t)}</TEXT>\n</DOC>\n"
        for n, t in enumerate(texts_of(rng))
    ]
    return "".join(pieces).encode()


def trec_web(rng: Random) -> bytes:
    header = b"http://example.com/\nHTTP/1.0 200 OK\nContent-Type: text/html; charset=utf-8\n"
    return b"".join(
        b"<DOC>\n<DOCNO>W%d</DOCNO>\n<DOCHDR>\n%b</DOCHDR>\n%b\n</DOC>\n" % (n, header, html(rng))
        for n in range(3)
    )


def wikipedia(rng: Random) -> bytes:
    pages = [
        f"  <page>\n<title>T{n}</title><ns>0</ns><id>{n}</id><revision><id>{n}1</id>"
        f"<timestamp>2020-01-01T00:00:00Z</timestamp><text bytes='9'>== H ==\n'''{escaped(t)}''' "
        f"[[File:a.png|thumb|x]] {{{{Infobox|a=b}}}} [[link|word]]</text></revision>\n  </page>\n"
        for n, t in enumerate(texts_of(rng))
    ]
    site = "<siteinfo><base>http://en.example.org/wiki/Main</base></siteinfo>\n"
    return f"<mediawiki>\n{site}{''.join(pages)}</mediawiki>\n".encode()


def posts(rng: Random) -> bytes:
    rows = []
    for n, text in enumerate(texts_of(rng), 1):
        kind = (
            f'PostTypeId="2" ParentId="{n - 1}"' if n % 3 == 0 else 'PostTypeId="1" AcceptedAnswerId="3"'
        )
        body = escaped(f"<p>{text}</p>")
        rows.append(
            f'  <row Id="{n}" {kind} Score="{n}" Title="T{n}" Body="{body}" Tags="&lt;a&gt;" />\n'
        )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{"".join(rows)}</posts>\n'.encode()


def history(rng: Random) -> bytes:
    rows = [
        f'  <row Id="{n}" PostHistoryTypeId="{rng.choice("12345")}" PostId="{n // 2}" '
        f'RevisionGUID="g{n}" CreationDate="2020" Text="{escaped(text)}" />\n'
        for n, text in enumerate(texts_of(rng))
    ]
    return f"<posthistory>\n{''.join(rows)}</posthistory>\n".encode()


def text(rng: Random) -> bytes:
    return "\n".join(texts_of(rng)).encode(rng.choice(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))


def members(rng: Random) -> dict[str, bytes]:
    lines, page = table("jsonl")(rng), html(rng)
    return {"a.jsonl": lines, "b/page.html": page, "b/a.txt.gz": packed(lines[:99], "gz")}


def zipped(rng: Random) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        for name, data in members(rng).items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return sink.getvalue()


def tarred(rng: Random) -> bytes:
    sink = io.BytesIO()
    form = rng.choice([tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
    with tarfile.open(fileobj=sink, mode="w", format=form) as archive:
        for name, data in members(rng).items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return sink.getvalue()


SAMPLES: dict[str, Callable[[Random], bytes]] = {
    "a.jsonl": table("jsonl"),
    "html.jsonl": html_lines,
    "a.json": table("json"),
    "a.csv": table("csv"),
    "a.tsv": table("tsv"),
    "a.parquet": table("parquet"),
    "dictionary.parquet": dictionary,
    "a.arrow": table("arrow"),
    "a.arrows": table("arrows"),
    "packed.arrow": arrow_packed,
    "a.html": html,
    "a.pdf": laid_out("pdf"),
    "a.docx": laid_out("docx"),
    "a.odt": laid_out("odt"),
    "a.rtf": laid_out("rtf"),
    "a.epub": laid_out("epub"),
    "a.tei": laid_out("tei"),
    "alto.xml": laid_out("alto.xml"),
    "page.xml": laid_out("page.xml"),
    "a.warc": warc,
    "members.warc.gz": warc_members,
    "a.arc": arc,
    "a.trec": trec,
    "a.trecweb": trec_web,
    "wiki.xml": wikipedia,
    "Posts.xml": posts,
    "PostHistory.xml": history,
    "a.txt": text,
    "a.zip": zipped,
    "a.tar": tarred,
}
