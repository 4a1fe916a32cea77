"""Where duplicates come from."""

import pytest

from neardup.retrieval.origins import origin


@pytest.mark.parametrize(
    ("a", "b", "similarity", "kind"),
    [
        ("http://x.org/a", "https://www.x.org/a/", 0.9, "URL variation"),
        ("http://x.org", "http://X.ORG:80/index.html", 0.9, "URL variation"),
        ("http://x.org/a?b=1&sid=7", "http://x.org/a?SID=8&b=1", 0.9, "URL variation"),
        ("http://x.org/a;jsessionid=12", "http://x.org/a", 0.9, "URL variation"),
        ("http://x.org/%7Ejoe/", "http://x.org/~joe", 0.9, "URL variation"),
        ("http://x.org/a#one", "x.org/a", 0.9, "URL variation"),
        ("http://x.org/a", "http://x.org/print?page=a", 1.0, "URL variation"),
        ("http://x.org/a", "http://x.org/b", 0.9, "editorial variation"),
        ("http://x.org/a?page=1", "http://x.org/a?page=2", None, "editorial variation"),
        ("http://x.org/a/b.html", "http://mirror.net/a/b.html", 1.0, "mirror"),
        ("http://x.org/", "http://y.org/", 1.0, "other"),
        ("http://x.org:8080/a", "http://x.org/b", 0.9, "other"),
        ("http://x.org/a", "http://y.org/b", 0.9, "other"),
        ("http://x.org/a", None, 0.9, "unknown"),
        ("http://x.org/a", "http://[half", 0.9, "unknown"),
        ("http:///a", "http://x.org/a", 0.9, "unknown"),
    ],
)
def test_origins(a: str, b: str | None, similarity: float | None, kind: str) -> None:
    assert origin(a, b, similarity) == kind
    assert origin(b, a, similarity) == kind
