from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.model.report import RootCause
from runtriage.render.markdown import code, document, text
from tests.render.build import report

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_text_of_a_run_cannot_become_markup() -> None:
    hostile = "<img src=x> [click](http://evil) @everyone **bold** `code` | cell\n# heading"
    shown = document(report(root_cause=RootCause(proximate="", root=hostile)))
    assert "<img" not in shown
    assert "[click](" not in shown
    assert "\n# heading" not in shown


@given(st.text())
def test_a_code_block_cannot_be_closed_from_inside(content: str) -> None:
    lines = code(content).split("\n")
    assert lines[0].rstrip("abcdefghijklmnopqrstuvwxyz") == lines[-1]
    assert lines[-1] not in lines[1:-1]


@given(st.text(max_size=200))
def test_escaped_text_stays_on_one_line(content: str) -> None:
    assert "\n" not in text(content)
