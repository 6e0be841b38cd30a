"""Where an exception says what was wrong: on its own line, above a node, or on the lines below."""

from __future__ import annotations

import pytest

from tests.scan.cueing import faults, printed


def test_an_exception_whose_message_is_another_in_full_cites_both_lines():
    text = (
        "Traceback (most recent call last):\n"
        '  File "/srv/job/fit.py", line 61, in <module>\n'
        "    model(batch)\n"
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
        "RuntimeError: no compiler was found for this machine\n"
        "\nSet TORCH_LOGS for more\n"
    )
    (draft,) = faults(text)
    assert draft.name == "torch._dynamo.exc.BackendCompilerFailed"
    assert (
        draft.captures["message"] == "backend='inductor' raised:\nRuntimeError: no compiler was found for this machine"
    )
    assert printed(text, draft).count("\n") == 1


GRAPH = (
    "InvalidArgumentError: Graph execution error:\n\n"
    "Detected at node 'loss/Xent' defined at (most recent call last):\n"
    '    File "/srv/job/fit.py", line 12, in <module>\n'
    "      model.fit(x, y)\n"
    "Node: 'loss/Xent'\n"
    "logits and labels must be broadcastable: logits_size=[8,3] labels_size=[8,4]\n"
    "\t [[{{node loss/Xent}}]] [Op:__inference_train_function_771]\n"
)


@pytest.mark.parametrize(
    "head", ["", 'Traceback (most recent call last):\n  File "/srv/job/fit.py", line 12, in <m>\n    f()\n']
)
def test_a_graph_error_is_the_line_above_the_node_it_names(head: str):
    (draft,) = faults(head + GRAPH)
    assert printed(head + GRAPH, draft).startswith("logits and labels must be broadcastable")
    assert draft.captures["message"].endswith("labels_size=[8,4]")


def test_the_first_of_several_root_errors_of_a_graph_is_its_fact():
    text = (
        "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:\n\n"
        "2 root error(s) found.\n"
        "  (0) INVALID_ARGUMENT:  Cannot batch tensors with different shapes in component 0.\n"
        "\t [[{{node IteratorGetNext}}]]\n"
        "  (1) INVALID_ARGUMENT:  Cannot batch tensors with different shapes in component 0.\n"
        "\t [[{{node IteratorGetNext}}]]\n"
    )
    (draft,) = faults(text)
    assert (
        draft.captures["message"] == "Graph execution error: Cannot batch tensors with different shapes in component 0."
    )


def test_a_bare_exception_without_words_takes_them_from_the_line_below():
    text = "RuntimeError: \n        CUDA Setup failed despite GPU being available.\nERROR: exit\n"
    (draft,) = faults(text)
    assert draft.captures["message"] == "CUDA Setup failed despite GPU being available."
    assert printed(text, draft).count("\n") == 1


def test_ray_frames_that_print_their_source_first_lead_to_the_exception():
    text = "\n".join(
        [
            "Traceback (most recent call last):",
            '  File "/srv/job/tune.py", line 31, in <module>',
            "    ray.get(ref)",
            "ray.exceptions.RayTaskError(KeyError): ray::fit() (pid=812, ip=10.2.0.4)",
            "    row = table[name]",
            '  File "/srv/job/tune.py", line 12, in fit',
            "    row = table[name]",
            "KeyError: 'price'",
            "",
        ]
    )
    inner = faults(text)[-1]
    assert (inner.name, inner.captures.get("remote"), inner.captures.get("user_frame")) == (
        "KeyError",
        "yes",
        "/srv/job/tune.py:12",
    )


def test_a_function_that_reads_a_checkpoint_is_told_whatever_raised_below_it():
    text = (
        "Traceback (most recent call last):\n"
        '  File "/opt/lib/python3.8/site-packages/keras/engine/training.py", line 2319, in load_weights\n'
        "    with h5py.File(filepath, 'r') as f:\n"
        '  File "/opt/lib/python3.8/site-packages/h5py/_hl/files.py", line 406, in __init__\n'
        "    fid = make_fid(name, mode)\n"
        "OSError: Unable to open file (truncated file: eof = 4096)\n"
    )
    (draft,) = faults(text)
    assert draft.captures["loads"] == "load_weights"


@pytest.mark.parametrize(
    "place", ["C:\\Python311\\Lib\\runpy.py", "C:\\Users\\ann\\Programs\\Python\\Python310\\lib\\runpy.py"]
)
def test_python_s_own_files_on_windows_are_nobody_s(place: str):
    (draft,) = faults(
        f'Traceback (most recent call last):\n  File "{place}", line 196, in _run_module\n    exec(code)\nKeyError: 3\n'
    )
    assert "user_frame" not in draft.captures


def test_a_validation_error_takes_the_setting_and_its_fault_from_the_lines_below():
    text = (
        'Traceback (most recent call last):\n  File "/srv/job/fit.py", line 9, in <module>\n    Plan(**given)\n'
        "pydantic_core._pydantic_core.ValidationError: 1 validation error for Plan\n"
        "bucket\n"
        "  Input should be a valid integer [type=int_type, input_value=1.5, input_type=float]\n"
        "    For further information visit https://errors.pydantic.dev/2.9/v/int_type\n"
        "done\n"
    )
    (draft,) = faults(text)
    assert draft.captures["message"].startswith("1 validation error for Plan: bucket: Input should be a valid integer")
    assert printed(text, draft).count("\n") == 2


def test_a_traceback_that_an_exception_passes_on_as_its_message_is_the_one_that_counts():
    text = (
        "Traceback (most recent call last):\n"
        '  File "train.py", line 180, in train\n'
        "    for batch in loader:\n"
        '  File "/opt/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 357, in _process_next_batch\n'
        "    raise batch.exc_type(batch.exc_msg)\n"
        "AttributeError: Traceback (most recent call last):\n"
        '  File "/opt/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 106, in _worker_loop\n'
        "    samples = collate_fn([dataset[i] for i in batch_indices])\n"
        '  File "reader.py", line 37, in __getitem__\n'
        "    height, width = image.shape[:2]\n"
        "AttributeError: 'NoneType' object has no attribute 'shape'\n"
    )
    (fault,) = faults(text)
    assert text[fault.start : fault.end].startswith("AttributeError: 'NoneType'")
    assert fault.captures["user_frame"] == "reader.py:37"


@pytest.mark.parametrize(
    "head",
    [
        "ERROR 04-02 10:01:4{} [core.py:396] ",
        "2026-04-02 10:01:44,00{} ERROR engine ",
        "[10:01:4{}] ERROR: ",
        "engine | ",
    ],
)
def test_a_traceback_of_which_a_logger_heads_every_line_reads_like_a_plain_one(head: str):
    lines = (
        "Traceback (most recent call last):",
        '  File "/w/engine.py", line 12, in begin',
        "    check(limit)",
        '  File "/w/limits.py", line 5, in check',
        "    raise ValueError(text)",
        "ValueError: the limit must be positive",
    )
    (fault,) = faults("".join(f"{head.format(index)}{line}\n" for index, line in enumerate(lines)))
    assert (fault.name, fault.captures["message"]) == ("ValueError", "the limit must be positive")
    assert fault.captures["raised_in"] == "/w/limits.py:5"


def test_an_exception_of_the_same_type_that_says_what_the_first_one_meant_is_the_one_that_counts():
    text = (
        "Traceback (most recent call last):\n"
        '  File "/w/catalog.py", line 51, in get\n'
        "    return table[name]\n"
        "KeyError: 'cells'\n"
        "\n"
        "During handling of the above exception, another exception occurred:\n"
        "\n"
        "Traceback (most recent call last):\n"
        '  File "/w/catalog.py", line 53, in get\n'
        "    raise KeyError(text)\n"
        "KeyError: \"Data set 'cells' is not registered, there are: trees, roads\"\n"
    )
    assert [fault.captures["chain"] for fault in faults(text)] == ["outer", "inner"]


def test_an_exception_that_the_agent_of_a_sweep_passes_on_is_read_as_if_it_had_been_raised():
    (draft, *_) = faults("wandb: ERROR Run 7qk2m1ab errored: KeyError('lr_scale')\n")
    assert (draft.name, draft.captures["message"]) == ("KeyError", "lr_scale")


def test_a_name_that_says_what_failed_is_an_exception_and_a_count_of_what_failed_is_none():
    (draft,) = faults("StageFailed: fit not started: stage tokens is missing\n")
    assert draft.name == "StageFailed"
    assert faults("StagesFailed: 0\n") == []


def test_what_a_script_of_julia_died_of_is_read_behind_the_error_of_loading_it():
    (draft,) = faults("ERROR: LoadError: DimensionMismatch: A has dimensions (2,3), B has (4,5)\nStacktrace:\n")
    assert (draft.name, draft.captures["message"]) == ("DimensionMismatch", "A has dimensions (2,3), B has (4,5)")


def test_the_traceback_of_another_rank_that_a_checkpoint_prints_is_that_rank_s():
    text = (
        "Traceback (most recent call last): (RANK 11)\n"
        '  File "/venv/torch/distributed/checkpoint/utils.py", line 259, in all_reduce\n'
        "    result = map_fun(local_data)\n"
        "PermissionError: [Errno 13] Permission denied: '/ck/__11_0.distcp'\n"
    )
    (draft,) = faults(text)
    assert draft.name == "PermissionError"
    assert draft.captures["culprit_rank"] == "11"
    (draft,) = faults(text.replace("RANK 11", "RANK 0"))
    assert "culprit_rank" not in draft.captures


@pytest.mark.parametrize("above", ["raise ValueError(f'unknown schedule {name}')\n ", ""])
def test_what_a_service_quotes_of_a_program_ends_with_its_exception(above: str):
    text = f'ExitCode 1\nErrorMessage "{above}ValueError: unknown schedule cosine2"\nCommand "python fit.py"\n'
    (draft,) = faults(text)
    assert (draft.name, draft.captures["message"]) == ("ValueError", "unknown schedule cosine2")
    assert "ValueError: unknown schedule cosine2" in printed(text, draft)


def test_what_a_service_quotes_that_is_no_exception_is_none():
    assert faults('ErrorMessage "the container did not answer"\nstep 10 loss 2.0\n') == []
