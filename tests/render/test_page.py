"""Pages as Markdown and for a terminal."""

from __future__ import annotations

import pytest

from runtriage.model.page import Block, Heading, Items, Links, Page, Paragraph, Sample
from runtriage.render.page import markdown, terminal


def _page(*blocks: Block) -> Page:
    return Page("oom/x", "Full", "oom", True, blocks)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert\\(1\\)&lt;/script&gt;"),
        ("[a](b) `c` *d*", "\\[a\\]\\(b\\) \\`c\\` \\*d\\*"),
        ("see https://example.org", "see :&#47;&#47;".replace("see ", "see https") + "example.org"),
        ("WWW.example.org", "WWW&#46;example.org"),
        ("1. one", "1\\. one"),
        ("- one", "\\- one"),
        ("two\n# lines", "two \\# lines"),
        ("ask @someone", "ask @\u200bsomeone"),
    ],
)
def test_no_text_acts_as_markup(text: str, written: str) -> None:
    assert markdown(_page(Paragraph(text))) == f"{written}\n"
    assert markdown(_page(Items("", (text,)))) == f"- {written}\n"
    assert markdown(_page(Heading(text, 2))) == f"## {written}\n"


def test_a_sample_cannot_close_its_block() -> None:
    assert markdown(_page(Sample("```\n# out", "made"))) == "Source: made\n\n````text\n```\n# out\n````\n"


def test_an_address_cannot_close_its_link() -> None:
    assert markdown(_page(Links(("https://example.org/a>b<c",)))) == "- <https://example.org/a%3Eb%3Cc>\n"


def test_control_characters_reach_neither_terminal_nor_file() -> None:
    page = _page(
        Paragraph("a\x1b[31m"), Sample("b\x1b]0;t\x07", "c\x9b"), Items("d\x08", ("e\u202e",)), Links(("f\x1b",))
    )
    for written in (terminal(page), markdown(page)):
        assert written.replace("\n", "").isprintable()
        assert written.count("\ufffd") == 7
