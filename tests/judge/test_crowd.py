from runtriage.judge.crowd import thinned
from tests.judge.build import match


def test_of_thousands_of_unknown_exceptions_the_first_and_the_last_are_weighed() -> None:
    matches = [
        match("crash/unhandled-exception", line, captures={"exception": f"Error{line}", "user_frame": "a.py:1"})
        for line in range(1000)
    ]
    known = match("oom/gpu-alloc", 500)
    kept = thinned([*matches[:500], known, *matches[500:]])
    assert kept == [*matches[:40], known, *matches[-40:]]


def test_a_few_unknown_exceptions_are_all_weighed() -> None:
    matches = [match("crash/unhandled-exception", line, captures={"exception": f"E{line}"}) for line in range(60)]
    assert thinned(matches) == matches
