from __future__ import annotations

import msgspec
import pytest

from runtriage.detect.exceptions import classify, find
from runtriage.detect.loading import mode_while_writing
from runtriage.model.event import EXCEPTION, Event
from runtriage.model.place import Citation
from runtriage.model.taxonomy import modes
from tests.detect.build import CATALOGUE, facts, raised, signature

pytestmark = pytest.mark.usefixtures("untouched_world")


def event(name: str, message: str = "", frame: str = "", step: int | None = None) -> Event:
    return Event(
        kind=EXCEPTION,
        name=name,
        citation=Citation(artifact="train.log", first_line=1, last_line=1),
        excerpt=f"{name}: {message}",
        captures={"message": message, "user_frame": frame},
        step=step,
    )


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (event("KeyboardInterrupt"), "process-crash"),
        (event("RecursionError", "maximum recursion depth exceeded"), "process-crash"),
        (event("MemoryError"), "oom"),
        (event("torch.OutOfMemoryError", "CUDA out of memory"), "oom"),
        (event("ResourceExhaustedError", "Graph execution error:\nOOM when allocating tensor with shape[1]"), "oom"),
        (event("ModuleNotFoundError", "No module named 'x'"), "config-error"),
        (event("torch.AcceleratorError", "CUDA error: unspecified"), "cuda-runtime"),
        (event("torch.distributed.DistBackendError", "NCCL error"), "nccl-distributed"),
        (event("FloatingPointError", "overflow"), "nan-inf"),
        (event("FileNotFoundError", "No such file or directory: 'ckpt/step_10.pt'"), "io-checkpoint"),
        (event("FileNotFoundError", "No such file or directory: 'data/train.jsonl'"), "data-pipeline"),
        (event("FileNotFoundError", "No such file or directory: 'conf/run.yaml'"), "config-error"),
        (event("PermissionError", "Permission denied: '/out'"), "io-checkpoint"),
        (event("TypeError", "f() got an unexpected keyword argument 'x'"), "config-error"),
        (event("KeyError", "'image'", frame="my/dataset.py:12", step=4), "data-pipeline"),
        (event("KeyError", "'lr'", frame="my/config.py:12"), "config-error"),
        (event("RuntimeError", "The size of tensor a (3) must match", step=9), "data-pipeline"),
        (event("botocore.exceptions.ClientError", "An error occurred (AccessDenied)"), "cloud-permissions-quota"),
        (event("SomethingNobodyKnows", "?"), "process-crash"),
    ],
)
def test_an_exception_without_a_signature_still_gets_a_class(raised: Event, expected: str) -> None:
    mode, fixes = classify(raised)
    assert modes()[mode].primary_class == expected
    assert fixes


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("row = self.embed[input_ids]", "data/token-out-of-range"),
        ("eye = torch.eye(10)[labels]", "data/label-out-of-range"),
        ("return scores[torch.arange(n), target]", "data/label-out-of-range"),
        ("return x[:, perm]", "crash/unhandled-exception"),
        ("return labels[order]", "crash/unhandled-exception"),
        ("", "crash/unhandled-exception"),
    ],
)
def test_an_index_beyond_a_tensor_is_told_by_what_the_line_looks_up(source: str, expected: str) -> None:
    beyond = event("IndexError", "index 512 is out of bounds for dimension 1 with size 512", "/app/aug.py:17", 20)
    beyond = msgspec.structs.replace(beyond, captures={**beyond.captures, "source": source})
    assert classify(beyond)[0] == expected


@pytest.mark.parametrize("name", ["ConnectionRefusedError", "requests.exceptions.ConnectionError"])
def test_a_service_that_does_not_listen_is_no_matter_of_rights(name: str) -> None:
    assert classify(event(name, "[Errno 111] Connection refused", "/app/train.py:9", 3))[1] == (
        "check-service-listens",
        "test-connection-from-node",
    )


def test_a_connection_that_times_out_is_no_matter_of_rights() -> None:
    late = event("requests.exceptions.ConnectTimeout", "timed out", "/app/train.py:9", 3)
    assert classify(late)[1] == ("test-connection-from-node",)


def test_a_message_of_several_lines_becomes_one_line() -> None:
    error = raised("ResourceExhaustedError", "Graph execution error:\nOOM when allocating\ttensor", 7, 6)
    (match,) = find(facts(events=[error]), CATALOGUE)
    assert match.evidence[0].claim == "ResourceExhaustedError: Graph execution error: OOM when allocating tensor"


def test_a_traceback_that_breaks_off_before_it_says_what_was_raised_is_no_cause() -> None:
    cut = Event(
        kind=EXCEPTION,
        name="Traceback",
        citation=Citation(artifact="train.log", first_line=1, last_line=1),
        excerpt="Traceback (most recent call last):",
        captures={"truncated": "yes", "raised_in": "/usr/lib/python3.11/runpy.py:85"},
    )
    (found,) = find(facts(events=[cut]), CATALOGUE)
    assert found.role == "symptom"


def test_an_exception_that_ray_passes_on_is_no_cause_beside_the_exception_itself() -> None:
    passed = event("ray.exceptions.RayTaskError(ValueError)", "ray::fit() (pid=812, ip=10.2.0.4)")
    own = event("ValueError", "row 7 has no target")
    roles = [match.role for match in find(facts(events=[passed, own]), CATALOGUE)]
    assert roles == ["symptom", "cause"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("start = checkpoint['epoch']", "io-checkpoint"),
        ('self.ema.load(latest_state["ema"])', "io-checkpoint"),
        ("lr = checkpoint_config['every']", "config-error"),
        ("builder = _REGISTERED[name]", "config-error"),
    ],
)
def test_a_missing_key_is_judged_by_what_was_looked_into(source: str, expected: str) -> None:
    raised = event("KeyError", "'x'")
    raised = msgspec.structs.replace(raised, captures={**raised.captures, "source": source})
    assert modes()[classify(raised)[0]].primary_class == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for token, count in table:", "data-pipeline"),
        ("word, tag = line.split()", "data-pipeline"),
        ("model, optimizer = build(args)", "config-error"),
    ],
)
def test_values_that_do_not_unpack_are_those_of_a_record_where_records_are_read(source: str, expected: str) -> None:
    raised = event("ValueError", "not enough values to unpack (expected 2, got 1)")
    raised = msgspec.structs.replace(raised, captures={**raised.captures, "source": source})
    assert modes()[classify(raised)[0]].primary_class == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('with open(self.path, "a") as out:', "io/unhandled-exception"),
        ("table.to_csv(path)", "io/unhandled-exception"),
        ("with open(path) as rows:", "data/file-missing"),
        ('rows = open(path, "rb")', "data/file-missing"),
    ],
)
def test_a_missing_folder_is_not_missing_data_where_the_line_writes(source: str, expected: str) -> None:
    raised = event("FileNotFoundError", "[Errno 2] No such file or directory: '/runs/a/log.csv'")
    raised = msgspec.structs.replace(raised, captures={**raised.captures, "source": source})
    assert mode_while_writing("data/file-missing", raised) == expected
    assert (classify(raised)[0] == "io/unhandled-exception") == (expected == "io/unhandled-exception")


def test_an_argument_that_an_operation_refused_is_not_an_argument_of_the_command_line() -> None:
    cut = msgspec.structs.replace(event("InvalidArgumentError"), captures={"truncated": "yes"})
    (found,) = find(facts(events=[cut]), CATALOGUE)
    assert found.role == "symptom"


def test_a_task_that_was_called_off_is_no_cause_beside_who_called_it_off() -> None:
    found = list(find(facts(events=[event("asyncio.exceptions.CancelledError"), event("TimeoutError")]), CATALOGUE))
    assert [match.role for match in found] == ["symptom", "cause"]


def test_what_spawn_raises_for_a_child_is_a_symptom() -> None:
    raised = event("Exception", frame="/opt/venv/lib/python3.11/site-packages/torch/multiprocessing/spawn.py:118")
    (found,) = find(facts(events=[raised]), CATALOGUE)
    assert (found.mode, found.role) == ("elastic/child-failed", "symptom")


def test_an_assertion_without_words_is_about_what_it_holds_against_each_other() -> None:
    def of(source: str) -> str:
        bare = event("AssertionError")
        return modes()[classify(msgspec.structs.replace(bare, captures={"source": source}))[0]].primary_class

    assert of("assert len(ids) == len(labels)") == "data-pipeline"
    assert of("assert cfg.n_layers % cfg.stages == 0") == "config-error"


def test_a_last_sentence_that_remarks_on_a_score_ends_no_program() -> None:
    words = "held-out accuracy differs from that of the exported copy"
    last = event("SystemExit", words)
    last = msgspec.structs.replace(last, captures={"message": words, "said": "yes", "complains": "yes", "bare": "yes"})
    assert list(find(facts(events=[last]), CATALOGUE)) == []
    sure = msgspec.structs.replace(last, captures={"message": words, "said": "yes", "bare": "yes"})
    assert list(find(facts(events=[sure]), CATALOGUE)) != []


@pytest.mark.parametrize(
    ("left_out", "begun", "expected"),
    [(True, False, "pipeline-orchestration"), (False, False, "config-error"), (True, True, "data-pipeline")],
)
def test_a_vague_exception_of_a_task_before_training_is_the_workflow_s_where_its_engine_left_others_out(
    left_out: bool, begun: bool, expected: str
) -> None:
    broke = msgspec.structs.replace(
        raised("ValueError", "reader 0.9 reads schema 3, export has schema 4", 46), step=12.0 if begun else None
    )
    broke = msgspec.structs.replace(
        broke,
        captures={**broke.captures, "source": "raise ValueError(x)", "raised_in": "p.py:5", "user_frame": "p.py:5"},
    )
    names = ["orch/component-failed.engines#luigi", *(["orch/workflow-upstream.unrun#luigi"] if left_out else [])]
    told = [signature(name, 50 + at) for at, name in enumerate(names)]

    (match,) = find(facts(events=(broke, *told)), CATALOGUE)

    assert modes()[match.mode].primary_class == expected
