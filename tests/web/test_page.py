"""Pages: nothing but their own style and scripts."""

import re

from neardup.web.page import page


def test_the_policy_of_a_page_forbids_all_but_its_style() -> None:
    import base64
    import hashlib

    whole = page("T")
    [style] = re.findall(r"<style>(.*?)</style>", whole, re.S)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;;" in whole
    assert whole.index("Content-Security-Policy") < whole.index("<style>")
