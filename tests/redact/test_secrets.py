import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtriage.redact import clean
from tests.redact.lookalikes import BLOCKS, LINES
from tests.redact.planted import cases


@pytest.mark.parametrize(("line", "secret"), cases())
def test_planted_secret_is_gone(line: str, secret: str) -> None:
    assert secret in line or "\x1b" in line or "\u200b" in line
    cleaned = clean(line)
    assert secret not in cleaned
    assert secret[3:-3] not in cleaned or len(secret) < 12
    assert cleaned.count("\n") == line.count("\n")
    assert clean(cleaned) == cleaned


def test_at_least_a_hundred_secrets_are_planted() -> None:
    assert len({secret for _, secret in cases()}) >= 60
    assert len(cases()) >= 100


@pytest.mark.parametrize("line", [*LINES, *BLOCKS])
def test_lookalike_stays(line: str) -> None:
    assert clean(line) == line


def test_what_a_reader_needs_around_a_secret_stays() -> None:
    line = "step 1400 loss=nan url=https://ml:hunter2@tracker.example.org/run/7 lr=3e-4 (rank 37)"
    assert clean(line) == "step 1400 loss=nan url=https://ml:[redacted]@tracker.example.org/run/7 lr=3e-4 (rank 37)"


def test_multi_line_key_keeps_its_lines() -> None:
    body = "\n".join("Ab1" * 21 for _ in range(4))
    text = f"before\n-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\nafter: CUDA out of memory"
    lines = clean(text).split("\n")
    assert lines[0] == "before"
    assert lines[-1] == "after: CUDA out of memory"
    assert lines[2:6] == ["[redacted]"] * 4


def test_text_after_a_key_without_an_end_stays() -> None:
    text = "-----BEGIN PRIVATE KEY-----\n" + "Ab1" * 21 + "\nRuntimeError: CUDA error: device-side assert triggered"
    assert clean(text).endswith("\nRuntimeError: CUDA error: device-side assert triggered")


_PIECES = st.sampled_from(
    [
        *(line for line, _ in cases()),
        *LINES,
        *(
            "password",
            "token",
            "=",
            ": ",
            "'",
            '"',
            "[redacted]",
            "\n",
            " ",
            "\x1b[",
            "://",
            "@",
            "key",
            "\\",
            "sk-",
            "hf_",
            ",",
            "|",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=8).map("".join) | st.text(max_size=200))
def test_cleaning_twice_changes_nothing_and_keeps_the_line_count(text: str) -> None:
    try:
        cleaned = clean(text)
    except ValueError:
        return
    assert clean(cleaned) == cleaned
    assert cleaned.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "seed",
    [
        "password=",
        "token:",
        "hf_",
        "eyJ",
        "://a:",
        "auth=(",
        'token:"\\"',
        "api key ",
        "$6$",
        "\x1b]",
        "a/",
        "::",
        "-----BEGIN PRIVATE KEY-----",
        "password%3D",
        "password ",
        "password |",
        "API key ",
        "secret_key.",
        'password\\\\"',
        "password=\n",
        "://a:b1c2d3e4\n",
        "('password', '",
        "passwords:{",
        "api_keys: [",
        "passwords:\n ",
        "wandb:\n",
        "value: x name: password ",
        "name: password, ",
        "a\x08",
        "\\u0061",
        "si\ng=a1b2c3d4",
        "set_password(",
        'set_password("',
        "a.password(",
        "a:1:b:c:",
        "*:*:*:*:",
        "data:\n ",
        "stringData:{",
        "kind: Secret\ndata:\n",
        "<td>password",
        "<tr><td>",
        "| password | a |\n",
        "a  password\n",
        "password\uff1a",
    ],
)
def test_hostile_repetition_ends(seed: str) -> None:
    """Quadratic work on two hundred thousand characters would not end within the patience of any test run."""
    clean(seed * (200_000 // len(seed)))


@pytest.mark.parametrize(
    "line", ["a" * 5000 + "?", "rank 3: " + "a\\n" * 500 + "?", "a\r" * 300 + "%", "=" * 199 + "\t"]
)
def test_a_line_that_is_nearly_a_piece_of_a_key_is_decided_in_one_pass(line: str) -> None:
    assert "PRIVATE KEY" in clean(f"first\n{line}\n-----END PRIVATE KEY-----\n")
    assert "PRIVATE KEY" in clean(f"-----BEGIN PRIVATE KEY-----\n{line}\nlast\n")


@pytest.mark.parametrize("name", ["run_hf_AbCdEfGhIjKlMnOpQrStUv.log", "out_ghp_0123456789abcdefABCDEF/train.log"])
def test_a_token_behind_an_underscore_of_a_file_name_is_gone(name: str) -> None:
    assert "[redacted]" in clean(name)


@pytest.mark.parametrize("joint", ["=", ": "])
def test_a_token_under_a_telling_name_leaves_one_marker(joint: str) -> None:
    assert clean(f"HF_TOKEN{joint}hf_{'Ab1' * 11}") == f"HF_TOKEN{joint}[redacted]"
