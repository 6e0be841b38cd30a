"""What programs and notebooks import."""

from __future__ import annotations

import asyncio
import contextlib
import html
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import runtriage
from tests.cli.running import COMPLETED, FAILED

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {
        "train.log": FAILED,
        "other.log": COMPLETED,
        "dmesg.txt": "[    0.000000] Linux version 6\n",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("run", "untouched_world")
def test_a_diagnosis_has_its_views_and_writes_nothing() -> None:
    report = runtriage.diagnose("train.log")

    assert (report.run_status, report.last_progress.step) == ("crashed", 2)
    assert report.to_text().startswith("Status: crashed\n")
    assert str(report) == report.to_text()
    assert report.to_markdown() and report.to_json()
    assert runtriage.Report.from_json(report.to_json()) == report


@pytest.mark.usefixtures("run")
def test_a_notebook_shows_the_page_shut_off_from_its_own() -> None:
    report = runtriage.diagnose("train.log")

    shown = report._repr_html_()  # pyright: ignore[reportPrivateUsage] - the name that notebooks call

    assert shown.startswith("<iframe sandbox srcdoc=")
    inside = re.search(r'srcdoc="([^"]*)"', shown)
    assert inside is not None and html.unescape(inside[1]) == report.to_html()


@pytest.mark.usefixtures("run")
def test_the_twin_that_waits_gives_the_same_report() -> None:
    async def both() -> list[runtriage.Report]:
        return await asyncio.gather(*(runtriage.diagnose_async(name) for name in ("train.log", "other.log")))

    failed, fine = asyncio.run(both())

    assert (failed.run_status, fine.run_status) == ("crashed", "completed")
    assert failed.evidence == runtriage.diagnose("train.log").evidence


def test_a_cancelled_task_stops_reading(tmp_path: Path) -> None:
    (tmp_path / "large.log").write_text("INFO nothing happens in this line of the log\n" * 2_000_000, "utf-8")
    read: list[int] = []

    class Told:
        def advance(self, read_: int, total: int | None, findings: int) -> None:
            read.append(read_)

    async def give_up() -> None:
        asked = asyncio.create_task(runtriage.diagnose_async(tmp_path / "large.log", progress=Told(), workers=1))
        while not read:
            await asyncio.sleep(0.005)
        asked.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asked

    asyncio.run(give_up())
    assert read[-1] < (tmp_path / "large.log").stat().st_size


@pytest.mark.parametrize(
    "options",
    [{"framework": "torch"}, {"task": "chat"}, {"redact": "all"}, {"last": 0}, {"workers": -1}, {"context": -1}],
)
@pytest.mark.usefixtures("run")
def test_an_option_that_is_wrong_says_what_it_may_be(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="may be"):
        runtriage.diagnose("train.log", **options)  # pyright: ignore[reportArgumentType] - wrong on purpose


def test_a_target_that_is_not_there_is_an_error_with_its_code(tmp_path: Path) -> None:
    with pytest.raises(runtriage.TargetError) as raised:
        runtriage.diagnose(tmp_path / "no-such.log")
    assert raised.value.code == 3


def test_importing_loads_and_prints_nothing() -> None:
    code = "import sys, runtriage; sys.stdout.write(repr(sorted(set(sys.modules) & {'pydantic', 'hyperscan', 'asyncio', 'jinja2', 're'})))"
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == ("[]", "")
    assert set(dir(runtriage)) == set(runtriage.__all__)


def test_every_name_that_is_offered_exists() -> None:
    for name in runtriage.__all__:
        assert getattr(runtriage, name) is not None
    with pytest.raises(AttributeError):
        runtriage.no_such_name  # noqa: B018 - asking is the test  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.usefixtures("run")
def test_the_examples_of_the_documentation_run() -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / "library.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    names: dict[str, object] = {}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for block in blocks:
            exec(compile(block, "docs/library.md", "exec"), names)

    assert len(blocks) == 4
    assert "crashed" in out.getvalue() and "no-such-file.log" in out.getvalue()


def test_the_cache_of_the_command_line_is_used_only_where_it_is_asked_for(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept))
    monkeypatch.setattr("runtriage.store.folders.sys.platform", "linux")

    without = runtriage.diagnose("train.log")
    assert not kept.exists()

    cached = runtriage.diagnose("train.log", cache=True)
    assert any(kept.rglob("*.entry")) and cached.root_cause == without.root_cause
