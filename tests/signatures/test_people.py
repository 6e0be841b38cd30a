"""Listing, showing and drafting signatures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from runtriage.signatures import SignatureError, load
from runtriage.signatures.check import check_files
from runtriage.signatures.listing import list_text, show_text
from runtriage.signatures.scaffold import draft

pytestmark = pytest.mark.usefixtures("few_packaged")


def test_the_list_names_every_signature_once_and_counts_them():
    catalogue = load()
    lines = list_text(catalogue).splitlines()
    assert [line.split()[0] for line in lines[:-1]] == sorted(catalogue.signatures)
    assert lines[-1].startswith(f"{len(catalogue.signatures)} signatures")


def test_showing_a_signature_prints_its_patterns_fixes_and_sources(folder: Callable[..., Path]):
    text = show_text(load([folder()]), "oom/gpu-alloc.toaster")
    for part in (
        "Too much bread.",
        "is full of bread",
        "Toast fewer slices",
        "https://example.org/toaster",
        "toaster 1.0",
    ):
        assert part in text


def test_an_unknown_id_suggests_a_close_one():
    with pytest.raises(SignatureError, match=r"did you mean oom/gpu-alloc\.torch\?"):
        show_text(load(), "oom/gpu-aloc.torch")


def test_a_draft_lacks_nothing_but_knowledge(tmp_path: Path):
    path, content = draft("oom/gpu-alloc-thing")
    file = tmp_path / path
    file.parent.mkdir()
    file.write_text(content, "utf-8")
    assert check_files([file]) == [f"{file}: fixes: a cause names two to four; runtriage signatures fixes lists them"]
    file.write_text(content.replace("fixes = []", 'fixes = ["reduce-micro-batch", "checkpoint-activations"]'), "utf-8")
    assert check_files([file]) == []
    file.write_text(content.replace("fixes = []", 'fixes = ["reduce-micro-batch", "checkpoint-activation"]'), "utf-8")
    assert "did you mean checkpoint-activations? runtriage signatures fixes lists them" in check_files([file])[0]


def test_a_draft_takes_the_mode_its_name_resembles():
    assert 'id = "oom/host-kernel.linux-host-kernel"' in draft("oom/linux-host-kernel")[1]


@pytest.mark.parametrize("name", ["toast/bread", "oom", "oom/", "oom/Bread", "oom/../bread", "../oom/bread"])
def test_a_draft_needs_a_class_and_a_name(name: str):
    with pytest.raises(SignatureError, match="must"):
        draft(name)
