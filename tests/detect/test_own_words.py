from __future__ import annotations

import msgspec
import pytest

from runtriage.detect.exceptions import classify
from runtriage.detect.own_words import spread, told_by_words
from runtriage.model.event import EXCEPTION, Event
from runtriage.model.place import Citation

pytestmark = pytest.mark.usefixtures("untouched_world")


@pytest.mark.parametrize(
    ("name", "message", "places", "family"),
    [
        ("BadLabelError", "label 7 found but the head has only 5 outputs", "check train", "data"),
        ("RuntimeError", "record 12 of shard 3 has a length of 4294967295", "read_next reader", "data"),
        ("ValueError", "warmup_steps=900 exceeds max_steps=400", "validate settings", "cfg"),
        ("AssertionError", "n_embd (130) must be divisible by n_head (12)", "build model", "cfg"),
        ("SaveFailed", "giving up on checkpoint step60.pt after 3 attempts", "push store", "io"),
        ("IntegrityError", "net.pt: sha256 4f2a does not match 9c1d", "verify files", "io"),
        ("RuntimeError", "3 speakers appear in both the training and the held-out list", "main prepare", "eval"),
        ("TrainingDiverged", "mse went from 3.1 to 2e+9", "watch loop", "div"),
        ("FloatingPointError", "gradients of encoder are not finite", "watch loop", "nan"),
        ("RuntimeError", "host memory above the budget of 12 GB", "watch loop", "oom"),
        ("Timeout", "no batch from the reader for 90 s", "next_batch feeder", "stall"),
        ("", "stage tokenize exited with 4, train was not started", "", "orch"),
        ("", "snapshot 1200 lacks what the second run needs", "", "io"),
        ("", "rank layout 2x2x3 needs 12 processes but 8 were started", "", "cfg"),
        ("", "the 24 GB arena is full, asked for another 512 MB", "", "oom"),
        ("", "input feature volume has 312 NaNs in block 7", "", "data"),
    ],
)
def test_the_words_of_a_program_tell_what_its_failure_is_about(name: str, message: str, places: str, family: str):
    told = told_by_words(name, message, places)
    assert told is not None
    assert told[0].startswith(f"{family}/")


@pytest.mark.parametrize("message", ["something went wrong", "unexpected value 3", "see above", ""])
def test_words_that_could_be_about_anything_tell_nothing(message: str):
    assert told_by_words("RuntimeError", message, "main train") is None


def test_names_fall_apart_into_words_without_those_of_every_program():
    assert spread("BadLabelError load_manifest train.py") == "Bad Label load manifest py"


def raised(source: str, where: str, message: str) -> str:
    captures = {"message": message, "raised_in": where, "user_frame": "/home/u/train.py:9", "source": source}
    event = Event(
        kind=EXCEPTION,
        name="ValueError",
        citation=Citation(artifact="train.log", first_line=9, last_line=9),
        excerpt=f"ValueError: {message}",
        captures=captures,
        step=40,
    )
    return classify(event)[0]


def test_what_any_code_raises_is_taken_by_its_words_whoever_raised_it():
    message = "patch_size of the model must divide image_size"
    library = "/opt/venv/lib/python3.11/site-packages/lib/fit.py:3"
    assert raised("raise ValueError(text)", "/home/u/train.py:9", message) == "cfg/unhandled-exception"
    assert raised("fit(batch)", library, message) == "cfg/unhandled-exception"
    assert raised("fit(batch)", library, "y contains previously unseen labels: ['lynx']") == "data/unhandled-exception"


def test_a_library_s_words_about_anything_but_data_settings_and_files_tell_nothing():
    library = "/opt/venv/lib/python3.11/site-packages/lib/fit.py:3"
    assert raised("fit(batch)", library, "quota used up, rate limit reached") != "div/unhandled-exception"
    assert raised("fit(batch)", library, "objective exploded and diverged") == "data/unhandled-exception"


def test_what_compiled_code_raises_at_a_call_is_not_said_by_the_program():
    event = Event(
        kind=EXCEPTION,
        name="ioredis.ReplyError",
        citation=Citation(artifact="train.log", first_line=9, last_line=9),
        excerpt="ioredis.ReplyError: x",
        captures={
            "message": "deadlock, no heartbeat since 30 s",
            "raised_in": "/home/u/train.py:9",
            "user_frame": "/home/u/train.py:9",
            "source": "handle = ioredis.open(path)",
        },
        step=40,
    )
    assert classify(event)[0] != "stall/no-progress"
    raised = msgspec.structs.replace(event, captures={**event.captures, "source": "raise ReplyError(text)"})
    assert classify(raised)[0] == "stall/no-progress"


@pytest.mark.parametrize("gap", ["  ", "\n", "\t"])
def test_blanks_between_the_first_words_of_a_message_break_nothing(gap: str):
    assert told_by_words("ValueError", f"bounding{gap}boxes of image 7 are not in the image", "") is not None
