import os
from pathlib import Path

import pytest

from tests.cli.running import FAILED, inside, one_line, runtriage


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "failed.log").write_text(FAILED)
    return tmp_path


def test_a_page_shows_lines_around_the_cited_one_without_being_told(folder: Path) -> None:
    inside("failed.log", "-o", "r.html", cwd=folder)
    page = (folder / "r.html").read_text()
    assert '<div class="cited"><i>8</i><code>ValueError: the widget in row 17 has no colour</code></div>' in page
    assert "<i>6</i>" in page
    assert "hunter2" not in page


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for a browser is a shell script")
def test_open_writes_the_page_and_shows_it_in_the_browser(folder: Path) -> None:
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{folder}/shown"\n')
    browser.chmod(0o755)
    done = runtriage("failed.log", "--open", cwd=folder, BROWSER=f"{browser} %s", TMPDIR=str(folder))
    (page,) = folder.glob("runtriage-*/runtriage-report.html")
    assert done.returncode == 1
    assert (folder / "shown").read_text().strip() == page.as_uri()
    assert page.parent.stat().st_mode & 0o077 == 0
    assert page.read_text().startswith("<!doctype html>")


def test_open_with_another_format_is_refused(folder: Path) -> None:
    done = inside("failed.log", "--open", "--format", "json", cwd=folder)
    assert done.returncode == 2
    assert "--open shows the HTML report" in one_line(done)


def test_github_puts_the_summary_into_the_file_and_prints_the_commands(folder: Path) -> None:
    done = inside("failed.log", "--format", "github", "-o", "summary", cwd=folder)
    assert done.stdout.startswith("::error file=failed.log,line=8,endLine=8,title=")
    assert (folder / "summary").read_text().startswith("## ")
