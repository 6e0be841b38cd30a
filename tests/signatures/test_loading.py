"""Reading folders of signatures."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runtriage.signatures import SignatureError, SignatureWarning, load, mode_maturity
from runtriage.signatures.catalogue import read_files
from runtriage.signatures.sources import source_files

pytestmark = pytest.mark.usefixtures("few_packaged")

Folder = Callable[..., Path]


class Shelf:
    """A cache in memory that counts what was asked of it."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.hits = 0

    def load(self, name: str) -> bytes | None:
        self.hits += name in self.kept
        return self.kept.get(name)

    def save(self, name: str, content: bytes) -> None:
        self.kept[name] = content


def test_a_users_folder_joins_the_packaged_catalogue(folder: Folder):
    packaged, both = load(), load([folder()])
    assert set(both.signatures) - set(packaged.signatures) == {"oom/gpu-alloc.toaster"}
    assert set(both.fixes) - set(packaged.fixes) == {"less-bread", "second-toaster"}
    assert both.digest != packaged.digest


def test_what_a_file_says_reaches_the_value(folder: Folder):
    toaster = load(
        [folder("[[match]]", 'clears = ["toaster popped"]\nframeworks = ["jax"]\ntier = "kernel"\n[[match]]')]
    )
    signature = toaster.signatures["oom/gpu-alloc.toaster"]
    assert signature.patterns[0].literal == " is full of bread"
    assert signature.clears[0].literal == "toaster popped"
    assert (signature.frameworks, signature.tier, signature.scope) == (("jax",), "kernel", "rank")
    assert signature.checked == "toaster 1.0"
    assert toaster.fixes["less-bread"].plain == "Toast fewer slices"


def test_the_catalogue_is_ordered_by_id():
    catalogue = load()
    assert list(catalogue.signatures) == sorted(catalogue.signatures)
    assert list(catalogue.fixes) == sorted(catalogue.fixes)


def test_a_cached_catalogue_equals_the_one_that_was_read(folder: Folder):
    shelf, place = Shelf(), folder()
    read = load([place], shelf)
    assert shelf.hits == 0
    assert load([place], shelf) == read == load([place])
    assert shelf.hits == len(shelf.kept)


def test_a_changed_file_is_read_again(folder: Folder):
    shelf, place = Shelf(), folder()
    load([place], shelf)
    file = place / "oom" / "toaster.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("Too much", "Two much"), encoding="utf-8")
    os.utime(file, ns=(1, 1))
    assert load([place], shelf).signatures["oom/gpu-alloc.toaster"].explain == "Two much bread."


def test_a_cache_entry_that_cannot_be_read_is_replaced(folder: Folder):
    shelf, place = Shelf(), folder()
    load([place], shelf)
    for name in list(shelf.kept):
        for broken in (b"", b"7", b"{}", b'{"signatures": [{"patterns": 1}]}', b"\xff"):
            shelf.kept[name] = broken
            assert "oom/gpu-alloc.toaster" in load([place], shelf).signatures
            assert shelf.kept[name] != broken


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('title = "The toaster is full"\n', "", "title", "is missing"),
        ("[[match]]", 'colour = "red"\n[[match]]', "colour", "is no key here"),
        ("schema = 1", "schema = 2", "schema", "1"),
        ("schema = 1", "schema = ", "", "is not TOML"),
        ('role = "cause"', 'role = "guess"', "role", "cause"),
        ('mode = "oom/gpu-alloc"', 'mode = "oom/toast"', "mode", "not a failure mode"),
        ('mode = "oom/gpu-alloc"', 'mode = "nan/multinomial-prob"', "id", "followed by a dot"),
        ('"less-bread", ', '"more-bread", ', "fixes", "more-bread"),
        ('"less-bread", ', "", "fixes", "two to four"),
        ('checked = "toaster 1.0"', 'checked = ""', "maturity", "sandbox"),
        ("https://example.org/toaster", "ftp://example.org/toaster", "references.0", "matching"),
        ("toaster (?P<slot>", "(?=toaster) (?P<slot>", "match.0.pattern", "plain and named groups"),
        ("[[match]]", 'clears = ["x.*"]\n[[match]]', "clears.0", "without limit"),
        ('expect = "full"', 'expect = "empty"', "example.0.expect", "no pattern"),
        ('expect = "full"', 'expect = "none"\nwhy = "a test"', "example", "for the pattern full"),
        ('expect = "none"', 'expect = "full"', "example", "look-alike"),
        ('why = "an empty toaster"\n', "", "example.1.why", "must say why"),
        ('name = "full"', 'name = "Full"', "match.0.name", "matching"),
    ],
)
def test_a_fault_is_one_line_with_file_and_key(folder: Folder, old: str, new: str, key: str, reason: str):
    (fault,) = read_files(source_files([folder(old, new)])).faults
    assert "\n" not in str(fault)
    assert fault.file.endswith("oom/toaster.toml")
    assert fault.key == key
    assert reason in fault.problem


def test_a_file_in_the_folder_of_another_class_is_refused(folder: Folder):
    with pytest.warns(SignatureWarning, match="belongs to oom, not to the folder stalled"):
        load([folder(name="stalled/toaster.toml")])


def test_an_id_may_be_used_once(folder: Folder):
    folder()
    with pytest.warns(SignatureWarning, match="is taken by"):
        load([folder(name="oom/toaster-two.toml")])


def test_a_fix_with_a_placeholder_needs_words_without_it(folder: Folder):
    text = 'plain = "Toast fewer slices"\n'
    place = folder()
    fixes = place / "fixes" / "kitchen.toml"
    fixes.write_text(fixes.read_text(encoding="utf-8").replace(text, ""), encoding="utf-8")
    with pytest.warns(SignatureWarning, match="is needed where the action holds a placeholder"):
        load([place])


def test_a_file_that_cannot_be_used_is_left_out_and_told_of_each_time(folder: Folder):
    shelf, place = Shelf(), folder()
    folder('fixes = ["less-bread", "second-toaster"]', "fixes = []", name="oom/draft.toml")
    (place / "oom" / "gone.toml").symlink_to(place / "nowhere")
    (place / "oom" / ".#toaster.toml").symlink_to("somebody@somewhere")
    for _ in range(2):
        with pytest.warns(SignatureWarning, match=r"draft\.toml: fixes: a cause names two to four.* \(and 1 more\)"):
            assert "oom/gpu-alloc.toaster" in load([place], shelf).signatures
    assert shelf.hits == 1


def test_a_broken_file_of_fixes_leaves_the_packaged_ones(folder: Folder):
    place = folder()
    (place / "fixes" / "kitchen.toml").write_text("not TOML", "utf-8")
    with pytest.warns(SignatureWarning, match=r"kitchen\.toml: is not TOML"):
        assert load([place]).fixes.keys() == load().fixes.keys()


def test_a_folder_that_is_named_twice_is_read_once(folder: Folder):
    place = folder()
    assert load([place, place / "oom" / ".."]) == load([place])


def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(SignatureError, match="is not a folder"):
        load([tmp_path / "nowhere"])


def test_a_mode_is_as_mature_as_its_most_mature_signature(folder: Folder):
    assert mode_maturity(load([folder()]))["oom/gpu-alloc"] in {"incubating", "stable"}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Folder) -> Iterator[Path]:
    """Install a package that offers the toaster's signatures."""
    site = tmp_path / "site"
    module = site / "toaster_signatures"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("", "utf-8")
    (folder() / "oom").rename(module / "oom")
    (tmp_path / "fixes").rename(module / "fixes")
    info = site / "toaster-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toaster\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[runtriage.signatures]\ntoaster = toaster_signatures\n", "utf-8")
    monkeypatch.syspath_prepend(site)
    yield module
    sys.modules.pop("toaster_signatures", None)


def test_an_installed_package_offers_its_signatures(package: Path):
    shelf = Shelf()
    for _ in range(2):
        assert "oom/gpu-alloc.toaster" in load(cache=shelf).signatures
    assert shelf.hits == 1


def test_a_package_installed_later_is_noticed(tmp_path: Path, package: Path):
    shelf = Shelf()
    info = tmp_path / "site" / "toaster-1.0.dist-info"
    aside = tmp_path / "aside"
    info.rename(aside)
    assert "oom/gpu-alloc.toaster" not in load(cache=shelf).signatures
    aside.rename(info)
    os.utime(tmp_path / "site", ns=(1, 1))
    assert "oom/gpu-alloc.toaster" in load(cache=shelf).signatures


def test_a_package_that_cannot_be_imported_is_named(package: Path):
    (package / "__init__.py").write_text("import no_such_module_anywhere", "utf-8")
    with pytest.raises(SignatureError, match="toaster_signatures: offers signatures but cannot be imported"):
        load()
