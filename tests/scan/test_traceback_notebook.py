from __future__ import annotations

import pytest

from runtriage.scan.traceback_frames import is_user, read_frame
from tests.scan.cueing import faults, printed

NOTEBOOK = """---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
Cell In[12], line 3
      1 model = Net()
----> 3 fit(model, table)

File ~/env/lib/python3.11/site-packages/sklearn/base.py:1365, in _fit_context.<locals>.wrapper(estimator)
   1363     estimator._check()
-> 1365 return fit_method(estimator)

File /home/ml/train.py:88, in fit(model, table)
     87 rows = table.rows
---> 88 model.take(rows[0])
     89 return model

ValueError: no rows
"""


@pytest.mark.parametrize(
    ("text", "place", "function"),
    [
        ("Cell In[3], line 9", "Cell In[3]:9", ""),
        ("Cell In[4], [line 1](vscode-notebook-cell:?execution_count=4&line=1)", "Cell In[4]:1", ""),
        ("Input In [8], in <cell line: 3>()", "Input In [8]", "<cell line: 3>"),
        ("File ~/lib/x.py:740, in Trainer.fit(self, model)", "~/lib/x.py:740", "Trainer.fit"),
        (r"File c:\work\lib\__init__.py:26", r"c:\work\lib\__init__.py:26", ""),
        ("<ipython-input-5-71fe> in <module>()", "<ipython-input-5-71fe>", "<module>"),
        ("[/usr/lib/x.py](https://localhost:8080/#) in run(*args)", "/usr/lib/x.py", "run"),
        ("~/lib/python3.8/site-packages/a/b.py in fit(self, X, y)", "~/lib/python3.8/site-packages/a/b.py", "fit"),
    ],
)
def test_the_places_that_notebooks_print_are_frames(text: str, place: str, function: str):
    frame = read_frame(text)
    assert frame is not None
    assert (frame.place, frame.function) == (place, function)


@pytest.mark.parametrize("text", ["/data in use", "File not found: x", "~ 3 epochs in total", "[1/5] in progress"])
def test_a_line_that_only_begins_like_a_place_is_no_frame(text: str):
    assert read_frame(text) is None


def test_a_notebook_s_installed_code_is_not_the_user_s():
    frames = [read_frame("~/lib/python3.8/site-packages/a/b.py in fit(self)"), read_frame("Cell In[3], line 9")]
    assert [frame is not None and is_user(frame) for frame in frames] == [False, True]


def test_the_arrow_of_a_listing_gives_line_and_source():
    (draft,) = faults(NOTEBOOK)
    assert draft.captures["user_frame"] == "/home/ml/train.py:88"
    assert draft.captures["user_function"] == "fit"
    assert draft.captures["source"] == "model.take(rows[0])"
    assert printed(NOTEBOOK, draft) == "ValueError: no rows"


def test_a_notebook_s_traceback_that_was_cut_is_named_by_its_first_line():
    text = NOTEBOOK[: NOTEBOOK.index("     87 rows")]
    (draft,) = faults(text)
    assert (draft.name, draft.captures["truncated"]) == ("ValueError", "yes")


def test_frames_above_an_exception_without_a_header_belong_to_it():
    text = """epoch 3
  File "/home/ml/data.py", line 40, in __getitem__
    return self.index[key]
           ~~~~~~~~~~^^^^^
KeyError: 'a17'
"""
    (draft,) = faults(text)
    assert draft.captures["user_frame"] == "/home/ml/data.py:40"
    assert draft.captures["user_function"] == "__getitem__"
    assert draft.captures["source"] == "return self.index[key]"
    assert "bare" not in draft.captures


def test_frames_further_up_than_another_line_do_not_belong_to_an_exception():
    text = '  File "/home/ml/data.py", line 40, in get\nepoch 3 done\nKeyError: 1\n'
    (draft,) = faults(text)
    assert draft.captures["bare"] == "yes"
    assert "user_frame" not in draft.captures


def test_a_worker_s_traceback_that_was_cut_is_named_by_what_wraps_it():
    text = """RuntimeError: Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/lib/python3.11/site-packages/torch/utils/data/_utils/fetch.py", line 52, in fetch
    return self.collate_fn(data)
"""
    (draft,) = faults('Traceback (most recent call last):\n  File "/home/ml/train.py", line 1, in main\n' + text)
    assert draft.name == "RuntimeError"
    assert draft.captures["function"] == "fetch"


def test_the_form_that_points_upwards_for_its_traceback_is_an_exception():
    (draft,) = faults("InvalidArgumentError (see above for traceback): sizes differ\n")
    assert (draft.name, draft.captures["message"]) == ("InvalidArgumentError", "sizes differ")


def test_a_name_without_a_message_needs_a_stack_above_it():
    stack = 'File "/home/ml/data.py", line 52, in __init__\nassert os.path.isfile(name)\n'
    (draft,) = faults(f"{stack}AssertionError\n")
    assert draft.captures["source"] == "assert os.path.isfile(name)"
    assert faults("AssertionError\n") == []


def test_what_went_wrong_in_traced_code_is_cited_where_it_stands():
    text = """Traceback (most recent call last):
  File "/home/ml/train.py", line 8, in <module>
    model.fit(data)
  File "/lib/python3.11/site-packages/keras/utils/traceback_utils.py", line 70, in error_handler
    raise e.with_traceback(filtered_tb) from None
ValueError: in user code:

    File "/lib/python3.11/site-packages/keras/engine/training.py", line 1249, in train_function  *
        return step_function(self, iterator)

    ValueError: Exception encountered when calling layer "head" (type Dense).

    Input 0 of layer "head" is incompatible with the layer: expected axis -1 to have value 8

    Call arguments received by layer "head":
      inputs=tf.Tensor(shape=(None, 4))
"""
    (draft,) = faults(text)
    assert draft.name == "ValueError"
    assert printed(text, draft).strip().startswith('Input 0 of layer "head"')
    assert draft.captures["user_frame"] == "/home/ml/train.py:8"


def test_an_assertion_printed_right_above_its_name_is_its_stack():
    (draft,) = faults("assert width % heads == 0 and heads > 1\nAssertionError\n")
    assert draft.captures["source"] == "assert width % heads == 0 and heads > 1"


def test_marks_of_a_page_that_quotes_a_log_are_no_part_of_it():
    (bold,) = faults(
        'Traceback (most recent call last):\n  File "fit.py", line 3, in main\n    run()\n**ValueError: no rows**\n'
    )
    assert (bold.name, bold.captures["message"]) == ("ValueError", "no rows")
    (mailed,) = faults(
        '> Traceback (most recent call last):\n>   File "fit.py", line 3, in main\n>     run()\n> ValueError: no rows\n'
    )
    assert (mailed.name, mailed.captures["user_frame"]) == ("ValueError", "fit.py:3")
    (alone,) = faults("> KeyError: 'net'\n")
    assert alone.name == "KeyError"
