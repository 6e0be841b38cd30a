from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.model.report import Recurrence, RootCause
from runtriage.render.markdown import code, document, text
from tests.render.build import of_workload, report

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


def test_what_the_platform_says_and_what_was_seen_before_is_told() -> None:
    shown = document(
        report(platform_lines=["Workflow next: resume `it`"], recurrence=Recurrence(note="3rd time <b>today</b>"))
    )
    assert "\n- Workflow next: resume \\`it\\`\n" in shown
    assert "\n- Seen before: 3rd time &lt;b&gt;today&lt;/b&gt;\n" in shown


def test_a_workload_of_a_platform_is_told_with_the_source_of_each_signal() -> None:
    shown = document(of_workload("killed <img src=x>"))
    assert "\n- killed &lt;img src=x&gt; \\(source: get\\_events\\)\n" in shown
    assert "Recovery owner: user" in shown
