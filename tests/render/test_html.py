from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from runtriage.model.report import CheckpointModel, EvidenceModel, Report
from runtriage.render.html import LARGEST, Frame, document
from tests.render.build import of_workload, report
from tests.render.large import HOSTILE, full

pytestmark = pytest.mark.usefixtures("untouched_world")

TAGS = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "div", "span", "time", "main", "section", "h1", "h2", "h3",
    "h4", "p", "b", "small", "code", "pre", "bdi", "dl", "dt", "dd", "ul", "ol", "li", "nav", "svg", "path", "rect", "circle",
    "text", "figure", "figcaption", "article", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "br", "i",
    "footer",
}  # fmt: skip


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.comments: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def test_nothing_on_the_page_runs_or_loads_anything() -> None:
    page = Page(document(full(HOSTILE)))
    assert set(page.tags) <= TAGS
    assert page.comments == []
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name not in {"src", "srcset", "style", "data", "action", "formaction", "xlink:href"}
        assert name != "href" or re.fullmatch(r"#[a-z-]+", value)


def test_text_of_a_run_changes_no_element_of_the_page() -> None:
    harmless, hostile = Page(document(full("a" * 40))), Page(document(full("<b x=y>&lt;/b>" + "a" * 26)))
    assert harmless.tags == hostile.tags
    assert [name for name, _ in harmless.attributes] == [name for name, _ in hostile.attributes]


def test_a_page_allows_its_own_style_and_nothing_else() -> None:
    page = document(report())
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert ("content", policy) in Page(page).attributes
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_characters_that_steer_a_display_are_written_out() -> None:
    page = document(report(summary="run \u202egnp.exe \x1b[2J end \u2066x"))
    assert "run [U+202E]gnp.exe ␛[2J end [U+2066]x" in page
    assert not set(page) & set("\u202e\x1b\u2066\u200b")


@given(st.text(max_size=300))
@settings(max_examples=25, deadline=None)
def test_any_text_gives_a_page_that_can_be_written(text: str) -> None:
    page = Page(document(report(summary=text, target=text, next_commands=[text])))
    assert "".join(page.words).encode()
    assert set(page.tags) <= TAGS


@pytest.mark.parametrize("text", ["rank 37 ran out of memory while it evaluated", "x" * 3_000, HOSTILE * 4])
def test_a_run_of_64_ranks_stays_under_300_kilobytes(text: str) -> None:
    page = document(full(text))
    assert len(page.encode()) < LARGEST
    assert "in the JSON document of this report" in page


def test_a_word_of_a_megabyte_is_cut_and_said_to_be() -> None:
    word = "w" * 1_000_000
    page = document(report(summary=word, evidence=[EvidenceModel(id="e1", claim=word, citation=report().evidence[0].citation, excerpt=word)]))  # fmt: skip
    assert len(page.encode()) < LARGEST
    assert "998,000 characters more" in page


def test_a_command_too_long_to_show_whole_is_not_shown_in_part() -> None:
    page = document(report(next_commands=["rm -rf " + "a" * 5_000, "ls"]))
    assert "rm -rf" not in page
    assert ">ls</code>" in page
    assert "1 more commands" in page


def test_cited_lines_are_marked_in_their_context() -> None:
    item = replace(report().evidence[0], context=["before", "the <cited> one", "after"], context_first_line=88411)
    page = document(report(evidence=[item]))
    assert '<div class="cited"><i>88412</i><code>the &lt;cited&gt; one</code></div>' in page
    assert "<div><i>88411</i><code>before</code></div>" in page


def test_the_window_of_a_long_context_holds_the_cited_line() -> None:
    item = report().evidence[0]
    long = replace(item, context=[f"line {n}" for n in range(2_001)], context_first_line=87412)
    page = document(report(evidence=[long]))
    assert '<div class="cited"><i>88412</i><code>line 1000</code></div>' in page
    assert "line 100<" not in page


def test_a_run_without_a_failure_has_a_verdict_and_no_timeline() -> None:
    content = {
        "run_status": "completed",
        "primary_cause": None,
        "failure_mode": None,
        "summary": "Completed after step 100.",
        "plan": [],
    }
    page = document(report(**content, evidence=[], ruled_out=[], next_commands=[], root_evidence=None))
    assert "<h1>Completed after step 100.</h1>" in page
    assert '<body class="good">' in page
    assert 'id="timeline"' not in page
    assert 'id="plan"' not in page


def test_sections_stand_in_the_order_a_person_reads_them() -> None:
    page = document(full())
    names = ["verdict", "timeline", "curves", "evidence", "plan", "ruled-out", "checkpoints", "coverage"]
    places = [page.index(f'id="{name}"') for name in names]
    assert places == sorted(places)


def test_a_checkpoint_says_when_it_was_written_as_people_write_it() -> None:
    item = CheckpointModel(path="ckpt/step-400", step=400, time="2026-05-01T08:14:59+00:00")
    assert ">2026-05-01 08:14 UTC</td>" in document(report(checkpoints=[item]))
    assert ">yesterday</td>" in document(report(checkpoints=[replace(item, time="yesterday")]))


def test_a_run_that_may_go_on_has_no_verdict_yet() -> None:
    waiting = report(abstained="the log goes on")
    assert "<b>No verdict.</b>" in document(waiting)
    assert '<div class="notice live"><b>No verdict yet.</b>' in document(waiting, Frame(live=True))


def test_same_report_same_bytes() -> None:
    again = Report.from_json(full().to_json())
    assert document(full()) == document(again)


def test_a_workload_of_a_platform_has_a_section_with_the_source_of_each_signal() -> None:
    page = " ".join(Page(document(of_workload())).words)
    for words in ("container was killed", "get_events", "3 OOM_KILLED failures in the last 24h", "Recovery owner:"):
        assert words in page
    assert "{'" not in page


def test_text_of_a_workload_changes_no_element_of_the_page() -> None:
    harmless, hostile = Page(document(of_workload("a" * 40))), Page(document(of_workload(HOSTILE)))
    assert harmless.tags == hostile.tags


def test_a_page_cut_to_its_limit_still_has_its_workload() -> None:
    page = document(of_workload("a" * 400_000, target="x" * 400_000))
    assert len(page.encode()) <= LARGEST
    assert 'id="workload"' in page
