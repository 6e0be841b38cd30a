"""Which patterns the catalogue takes, and what text gates them."""

import pytest

from runtriage.signatures.regex import required_literal


@pytest.mark.parametrize(
    ("regex", "literal"),
    [
        (r"out of memory\. Tried to allocate", "out of memory. Tried to allocate"),
        (r"rank \d+ is gone for good", " is gone for good"),
        (r"(?:CUDA|HIP) out of memory", " out of memory"),
        (r"foo(?:one|two)barbaz", "barbaz"),
        (r"prefix(?P<name>-inner)-suffix", "prefix-inner-suffix"),
        (r"colou?r is missing", "r is missing"),
        (r"a{3}bcdef", "bcdef"),
        (r"needs [^\]]{1,9} closing", " closing"),
        (r"needs []x] closing", " closing"),
        (r"\bworker\b died", "worker died"),
        (r"(?:maybe )?certainly", "certainly"),
        (r"(?:twice ){2}", "twice "),
        (r"loss: \[\d\.\d+\] of one", "] of one"),
    ],
)
def test_the_literal_is_the_longest_text_every_match_contains(regex: str, literal: str):
    assert required_literal(regex) == literal


def test_the_literal_of_a_pattern_that_ignores_case_is_lower_case():
    assert required_literal("Out Of Memory", ignore_case=True) == "out of memory"


@pytest.mark.parametrize(
    ("regex", "reason"),
    [
        (r"^starts here", "carriage returns"),
        (r"ends here$", "carriage returns"),
        (r"failed(?=ahead)", "plain and named groups"),
        (r"failed(?!ahead)", "plain and named groups"),
        (r"(?<=behind)failed", "plain and named groups"),
        (r"(?i)failed here", "plain and named groups"),
        (r"(\w)failed\1", r"\\1"),
        (r"(?P<a>\w)failed(?P=a)", "plain and named groups"),
        (r"failed.*later", "without limit"),
        (r"failed.+later", "without limit"),
        (r"failed.{3,}later", "without limit"),
        (r"failed(?:ab)+later", "without limit"),
        (r"\S+ failed", "begins with"),
        (r"(?P<count>\d+) failed", "begins with"),
        (r"failed at \S+", "ends with"),
        (r"failed (?P<at>\S+)", "ends with"),
        (r"failed\s++now", "possessive"),
        (r"fail|failed", "literal"),
        (r"bad \d+", "literal"),
        (r"\d{4}", "literal"),
        ("failed\nlater", "line break"),
        (r"failed (", "not a regular expression"),
        (r"failed at\Z", "engines do not share"),
    ],
)
def test_a_form_one_engine_lacks_or_that_costs_quadratic_time_is_refused(regex: str, reason: str):
    with pytest.raises(ValueError, match=reason):
        required_literal(regex)


def test_digits_may_run_on_at_the_end():
    assert required_literal(r"failed at step (?P<step>\d+)") == "failed at step "
