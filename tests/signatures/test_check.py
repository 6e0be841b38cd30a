"""The checker must see every fault it exists for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from runtriage.model.catalogue import Pattern
from runtriage.signatures.check import check_entry, check_files, engine_differences, false_alarms, read_entries
from runtriage.signatures.hostile import slow_line
from runtriage.signatures.matcher import Matcher

pytestmark = pytest.mark.usefixtures("few_packaged")

Folder = Callable[..., Path]


def problems(place: Path, redact: Callable[[str], str] | None = None) -> list[str]:
    found, broken = read_entries([place])
    assert not [line for line in broken if line.startswith(str(place))]
    catalogue = Matcher(entry.signature for entry in found)
    (toaster,) = [entry for entry in found if entry.signature.id == "oom/gpu-alloc.toaster"]
    return check_entry(toaster, catalogue, redact)


def test_a_good_file_has_no_problems(folder: Folder):
    assert problems(folder(), lambda text: text.replace("12:00", "<time>")) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('full of bread"', 'crammed"', "example.0: does not match full"),
        ('slot = "3"', 'slot = "4"', "example.0: captures"),
        ("free of bread", "full of bread", "example.1: the look-alike is matched by full"),
        (
            "E 12:00",
            "CUDA out of memory. Tried to allocate more than 1EB memory.",
            "example.0: is also claimed by oom/gpu-alloc.torch",
        ),
        (
            "[[example]]",
            (
                '[[match]]\nname = "bread"\npattern = "full of bread"\n[[example]]\nexpect = "bread"\nsource = "x"\n'
                'text = "full of bread"\n[[example]]'
            ),
            "example.1: also matches bread",
        ),
    ],
)
def test_an_example_that_is_not_what_the_file_says_is_reported(folder: Folder, old: str, new: str, problem: str):
    assert any(problem in line for line in problems(folder(old, new)))


def test_an_example_lost_in_redaction_is_reported(folder: Folder):
    found = problems(folder(), lambda text: text.replace("bread", "<secret>"))
    assert any("no longer matches after redaction" in line for line in found)


def test_a_pattern_that_works_too_long_on_a_hostile_line_is_reported():
    cubic = Pattern(name="cubic", regex=r"a[\w.]*b[\w.]*c[\w.]*broken", literal="broken")
    assert slow_line(cubic, ["abc" * 30]) is not None


def test_a_pattern_hyperscan_refuses_is_reported(folder: Folder):
    found, _ = read_entries([folder("full of bread'", "full of bread{0,99999}'")])
    (line,) = engine_differences([entry for entry in found if entry.signature.id.endswith(".toaster")])
    assert "oom/toaster.toml: match: Hyperscan refuses it" in line


def test_only_speaking_roles_are_false_alarms(folder: Folder):
    for role, expected in (("cause", 1), ("advice", 0), ("context", 0), ("symptom", 1)):
        found = [entry.signature for entry in read_entries([folder('role = "cause"', f'role = "{role}"')])[0]]
        assert len(false_alarms("toaster 1 is full of bread", found, Matcher(found))) == expected


def test_a_named_file_is_checked_against_the_packaged_catalogue(folder: Folder):
    place = folder("less-bread", "reduce-micro-batch")
    (place / "fixes" / "kitchen.toml").unlink()
    file = place / "oom" / "toaster.toml"
    assert check_files([file]) == [f"{file}: fixes: second-toaster is no fix; runtriage signatures fixes lists them"]
    file.write_text(file.read_text(encoding="utf-8").replace("second-toaster", "checkpoint-activations"), "utf-8")
    assert check_files([file]) == []


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    assert check_files([tmp_path / "gone.toml"]) == [f"{tmp_path / 'gone.toml'}: is not a file"]
