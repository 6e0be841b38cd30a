"""Pages about failure modes."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.api.pages import documents, main, pages
from runtriage.model.page import Finder, Page
from runtriage.model.taxonomy import PRIMARY_CLASSES, modes
from runtriage.render.page import markdown, terminal
from runtriage.signatures import load
from runtriage.signatures.pages import pages as from_catalogue

COMMITTED = Path(__file__).parents[2] / "docs" / "failure-modes"


@pytest.fixture(scope="module")
def known() -> dict[str, Page]:
    return pages()


def test_the_committed_pages_are_current() -> None:
    committed = {
        path.relative_to(COMMITTED).as_posix(): path.read_text(encoding="utf-8") for path in COMMITTED.rglob("*.md")
    }
    wanted = documents()
    stale = sorted(name for name in committed.keys() | wanted.keys() if committed.get(name) != wanted.get(name))
    assert not stale, "run: make docs"


def test_every_mode_has_a_page_and_the_index_links_to_it_under_its_class() -> None:
    written = documents()
    assert written.keys() == {"README.md", *(f"{mode}.md" for mode in modes())}
    parts = written["README.md"].split("\n## ")
    assert [part.partition("\n")[0] for part in parts[1:]] == list(PRIMARY_CLASSES)
    for part in parts[1:]:
        own = [mode.id for mode in modes().values() if mode.primary_class == part.partition("\n")[0]]
        assert {f"]({mode}.md)" in part for mode in own} == {True}


def test_a_page_holds_meaning_text_source_look_alike_fixes_and_references_of_its_signatures(
    known: dict[str, Page],
) -> None:
    signature = load().signatures["oom/batch-memlimit.scheduler"]
    page = terminal(known[signature.mode])
    assert " ".join(signature.explain.split()) in " ".join(page.split())
    assert "Source: LSF 10.1\n    TERM_MEMLIMIT: job killed after reaching LSF memory usage limit." in page
    assert "TERM_RUNLIMIT: job killed after reaching LSF run time limit. (the limit of time)" in page
    catalogue = load()
    for fix in (catalogue.fixes[name] for name in signature.fixes):
        assert f"risk={fix.risk} | expected impact={fix.expected_impact} | validate={fix.validate}" in page
    assert all(link in page for link in signature.references)


def test_a_mode_that_only_a_detector_finds_names_it_and_its_fixes(known: dict[str, Page]) -> None:
    fixes = load().fixes
    page = terminal(known["div/overfitting"])
    assert "detector overfitting: An evaluation loss that turned upwards" in page
    assert fixes["use-best-checkpoint"].validate in page
    assert "detector exceptions: " in terminal(known["nccl/unhandled-exception"])
    assert "detector exits: " in terminal(known["crash/sigpipe"])


def test_a_page_says_so_when_nothing_finds_its_mode() -> None:
    alone = from_catalogue({})["div/overfitting"]
    assert not alone.recognised
    assert "Nothing recognises it yet" in terminal(alone)
    found = from_catalogue({"div/overfitting": [Finder("mine", "A curve.", ())]})["div/overfitting"]
    assert found.recognised
    assert "Nothing recognises it yet" not in terminal(found)


def test_every_fix_a_detector_names_is_in_the_catalogue() -> None:
    from runtriage.detect.known import finders

    known = load().fixes
    assert not {fix for found in finders().values() for finder in found for fix in finder.fixes} - known.keys()


def test_every_detector_names_the_fixes_of_each_of_its_modes() -> None:
    from runtriage.detect.engine import detectors

    silent = {(rule.id, mode) for rule in detectors() for mode in rule.modes if not rule.remedies().get(mode)}
    assert not silent


def test_the_pages_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    assert main([str(tmp_path / "pages")]) == 0
    assert (tmp_path / "pages/README.md").read_text(encoding="utf-8") == documents()["README.md"]
    assert main([]) == 2


def test_the_same_page_becomes_markdown(known: dict[str, Page]) -> None:
    page = markdown(known["oom/gpu-alloc"])
    assert page.startswith("# oom/gpu-alloc: ")
    assert "\n## What helps\n" in page
    assert "\n## References\n\n- <https://" in page
