from pathlib import Path

from tests.command_line import Command
from tests.corpora import prose
from tests.readers.layouts import docx, pdf
from tests.reports.embedded import texts_in


def test_pages_are_named_wherever_passages_are_shown(tmp_path: Path, command: Command) -> None:
    folder, out = tmp_path / "essays", tmp_path / "out"
    folder.mkdir()
    own, shared, other = ([prose(300, seed)] for seed in range(3))
    (folder / "a.docx").write_bytes(docx([*own, *shared]))
    (folder / "b.pdf").write_bytes(pdf([*other, *other, *shared]))
    (folder / "c.txt").write_text(shared[0])
    for method in ("passages", "documents"):
        more = [] if method == "passages" else ["--threshold", "0.1"]
        assert command(method, folder, "-o", out, "--overwrite", *more).code == 0
        assert "Report of" in command("report", out).said
        matches = [match for shown in texts_in(out / "report.html").values() for match in shown.matches]
        assert any("p. 2" in match[-1] for match in matches)
    command("passages", folder, "-o", out, "--overwrite")
    assert "(p. 2) = 0–" in command("show", out).said
    assert "(p. 2) and " in command("explain", out, "a.docx", "b.pdf").said
    [first, *_] = command("explain", out, "a.docx", "b.pdf", "--json").json["passages"]
    assert (first["page_a"], first["page_b"][:2]) == ("p. 2", "p.")
    [turned, *_] = command("explain", out, "b.pdf", "a.docx", "--json").json["passages"]
    assert (turned["page_a"], turned["page_b"]) == (first["page_b"], first["page_a"])
