import json

import pytest

from runtriage.redact import clean


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;never ends\nnext line", "0;never ends\nnext line"),
        ("\x1b[2J\x1b[1;1Hcleared", "cleared"),
        ("\x9b31mred", "red"),
        ("a\x00b\x07c", "abc"),
        ("10%\r50%\r100%", "10% 50% 100%"),
        ("windows\r\nlines\r\n", "windows\nlines\n"),
        ("abc\u202edef\u202c", "abcdef"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("page\x0cline\u2028paragraph", "page line paragraph"),
        ("10%\x08\x08\x08 20%", " 20%"),
        ("N\x08NA\x08AM\x08ME\x08E", "NAME"),
        ("ab\n\x08\x08c", "ab\nc"),
        ("broken \udc80 byte", "broken \ufffd byte"),
        ("kept: äöü 中文 🚀 \t tab", "kept: äöü 中文 🚀 \t tab"),
    ],
)
def test_what_a_terminal_would_act_on_is_gone(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_clean_text_can_always_be_encoded() -> None:
    everything = "".join(map(chr, (*range(0x300), *range(0xD7F0, 0xE010), *range(0xE0000, 0xE0200))))
    json.dumps(clean(everything), ensure_ascii=False).encode("utf-8")
