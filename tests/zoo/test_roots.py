import pytest
from zoo.layout import ZooError
from zoo.roots import last_step, resolve_roots, split_lines

FILES = {"train.log": b"step 1\r\rstep 2\nloss nan\nloss nan\nbye"}


@pytest.mark.parametrize(("occurrence", "found"), [("first", [2]), ("last", [3]), ("all", [2, 3])])
def test_a_pattern_becomes_the_lines_it_asks_for(occurrence: str, found: list[int]):
    roots = [{"file": "train.log", "pattern": "nan$", "occurrence": occurrence}]
    assert [root["line"] for root in resolve_roots(roots, FILES)] == found


def test_a_carriage_return_ends_no_line():
    assert split_lines(FILES["train.log"])[0] == "step 1\r\rstep 2"


def test_a_pattern_without_a_line_is_refused():
    with pytest.raises(ZooError, match="no line"):
        resolve_roots([{"file": "train.log", "pattern": "absent"}], FILES)


def test_a_source_line_in_a_traceback_is_never_a_root():
    text = b'    raise KeyError("absent")\n[rank1]:     raise KeyError("absent")\nKeyError: absent\n'
    roots = [{"file": "train.log", "pattern": "KeyError", "occurrence": "all"}]
    assert [root["line"] for root in resolve_roots(roots, {"train.log": text})] == [3]


def test_two_patterns_that_mean_one_line_are_one_root():
    roots = [{"file": "train.log", "pattern": pattern} for pattern in ("bye", "^b")]
    assert len(resolve_roots(roots, FILES)) == 1


def test_an_optional_pattern_may_match_nothing():
    roots = [{"file": "train.log", "pattern": pattern, "optional": True} for pattern in ("absent", "bye")]
    assert resolve_roots(roots, FILES) == [{"file": "train.log", "pattern": "bye", "line": 4}]


def test_a_star_in_a_file_name_stands_for_what_differs_between_runs():
    files = {"logs/none_x7/1/stderr.log": b"IndexError\n"}
    roots = [{"file": "logs/*/1/stderr.log", "pattern": "IndexError"}]
    assert resolve_roots(roots, files)[0]["file"] == "logs/none_x7/1/stderr.log"


def test_a_root_in_a_file_that_was_not_recorded_is_refused():
    with pytest.raises(ZooError, match="not recorded"):
        resolve_roots([{"file": "other.log", "pattern": "x"}], FILES)


def test_a_pointer_is_kept_as_it_is():
    root = {"file": "train.log", "pointer": "/a"}
    assert resolve_roots([root], FILES) == [root]


def test_the_last_step_is_the_largest_one_printed():
    assert last_step(r"step (\d+)", b"step 9\nstep 10\nstep 2\n") == 10
    with pytest.raises(ZooError):
        last_step(r"epoch (\d+)", b"step 9")
