import pytest
from msgspec.structs import replace

from runtriage.model.event import SIGNATURE
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant
from runtriage.redact import EXCERPT_LIMIT, redact, redact_setting, strict
from runtriage.redact import secrets as secrets_module

PLACE = Citation(artifact="train.log", first_line=7, last_line=7, byte_start=10, byte_end=20)


def _event(excerpt: str, captures: dict[str, str] | None = None, subject: Subject = NOBODY) -> RawEvent:
    return RawEvent(
        kind=SIGNATURE,
        name="oom/cuda-alloc.torch#torch",
        citation=PLACE,
        excerpt=RawText(excerpt),
        captures={name: RawText(text) for name, text in (captures or {}).items()},
        numbers={"size": 2.5},
        when=Instant("08:14:02", 29642.0, dated=False),
        step=1400,
        subject=subject,
        count=3,
    )


def test_excerpt_and_captures_pass_the_door_and_numbers_do_not_change() -> None:
    event = redact(_event("login password=hunter2", {"message": "token=ghs_" + "aB3" * 12, "path": "/data/x.pt"}))
    assert event is not None
    assert event.excerpt == "login password=[redacted]"
    assert event.captures == {"message": "token=ghs_[redacted]", "path": "/data/x.pt"}
    assert (event.numbers, event.step, event.count, event.citation) == ({"size": 2.5}, 1400, 3, PLACE)


def test_capture_under_a_secret_name_goes_whole() -> None:
    event = redact(_event("x", {"api_key": "plain-word"}))
    assert event is not None
    assert event.captures["api_key"] == "[redacted]"


@pytest.mark.parametrize(
    ("name", "message", "secret"),
    [
        ("AK" + "IA" + "IOSFODNN7EXAMPLE", "no such key", "IOSFODNN7"),
        ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
        ("Authorization", "Basic ZGVwbG95OlRyMHViNGRvcg==", "ZGVwbG95OlRyMHViNGRvcg"),
        ("Cookie", "session=aB3dE5gH7jK9mN1p", "aB3dE5gH7jK9mN1p"),
    ],
)
def test_a_secret_that_stands_where_an_exception_has_its_name_is_gone_with_its_message(
    name: str, message: str, secret: str
) -> None:
    event = redact(replace(_event(f"{name}: {message}", {"message": message}), name=name))
    assert event is not None
    assert secret not in f"{event.name}: {event.captures['message']} {event.excerpt}"


def test_excerpt_is_cut_after_cleaning() -> None:
    event = redact(_event("x" * (EXCERPT_LIMIT - 10) + " password=hunter2 " + "y" * 5000))
    assert event is not None
    assert len(event.excerpt) == EXCERPT_LIMIT
    assert "hunter2" not in event.excerpt


def test_event_that_cannot_be_cleaned_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets_module, "_ROUNDS", 0)
    assert redact(_event("password=hunter2")) is None
    assert redact_setting(RawSetting(name="x", value=RawText("y"), citation=PLACE)) is None


def test_setting_is_judged_by_its_name() -> None:
    secret = redact_setting(RawSetting(name="wandb.api_key", value=RawText("short1"), citation=PLACE))
    number = redact_setting(RawSetting(name="max_new_tokens", value=RawText("512"), citation=PLACE, role=None))
    assert secret is not None and number is not None
    assert secret.value == "[redacted]"
    assert number.value == "512"


def test_strict_level_names_the_node_of_the_subject_as_the_text_does() -> None:
    names = strict()
    event = redact(
        _event("gpu-09:12:34 [0] NCCL WARN x", subject=Subject(rank=3, node="gpu-09", pod="trainer-0")), names
    )
    assert event is not None
    assert event.excerpt.startswith("host-1:12:34 ")
    assert (event.subject.node, event.subject.pod, event.subject.rank) == ("host-1", "pod-1", 3)


def test_a_host_or_pod_that_calls_itself_a_page_of_text_is_named_by_its_start() -> None:
    event = redact(_event("x", subject=replace(NOBODY, node="n" * 10_000, pod="p" * 10_000)))
    assert event is not None
    assert event.subject.node == "n" * 252 + "…"
    assert event.subject.pod == "p" * 252 + "…"


@pytest.mark.parametrize(
    ("above", "row"),
    [
        ("| user | password | note |\n|---|---|---|", "| bob | hunter2Xq | Xid 79 |"),
        ("user  password   note", "bob   hunter2Xq  Xid"),
        ("- name: DB_PASSWORD", "  value: hunter2Xq Xid 79"),
        ("password: |", "  hunter2Xq Xid 79\n  more"),
    ],
)
def test_what_the_lines_above_say_of_an_excerpt_is_heard_and_never_shown(above: str, row: str) -> None:
    event = redact(replace(_event(row), above=RawText(f"step 1\n{above}")))
    assert event is not None
    assert "hunter2Xq" not in event.excerpt
    assert "[redacted]" in event.excerpt
    assert event.excerpt.count("\n") == row.count("\n")


def test_lines_above_that_tell_of_no_secret_leave_the_excerpt() -> None:
    event = redact(replace(_event("| bob | hunter2Xq |"), above=RawText("| user | tokens |\n|---|---|")))
    assert event is not None
    assert event.excerpt == "| bob | hunter2Xq |"
