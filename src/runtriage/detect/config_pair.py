"""A setting of how inputs are prepared that the files of training and those of the exported model give two values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred

_MODE: Final = "eval/preprocess-drift"
_FIXES: Final = ("evaluate-on-training-batch",)
_TRAINED: Final = deferred(r"(?:^|[/_.-])(?:train(?:ing|ed)?|source|src|orig(?:inal)?)(?=[/_.-])", re.IGNORECASE)
_USED: Final = deferred(
    r"(?:^|[/_.-])(?:export(?:ed)?|serv(?:e|ing|ed)|infer(?:ence)?|deploy(?:ed|ment)?|prod(?:uction)?|release|eval(?:uation)?|onnx|bundle)(?=[/_.-])",
    re.IGNORECASE,
)
_PREPARES: Final = deferred(
    r"(?:do_)?(?:lower_?case|normali[sz]e|rescale|resize|center_crop|strip_accents|pad|truncat\w*)|(?:image|pixel)_(?:mean|std)|mean|std|rescale_factor|(?:image|crop|input)_?size|size"
    r"|(?:color|channel)_?(?:order|space|format)|data_format|interpolation|resample|sampl(?:e|ing)_rate|n_(?:mels|fft)|hop_length|vocab_?(?:size|file)|tokenizer(?:_class|_type)?"
    r"|(?:pad|unk|bos|eos|sep|cls)_token(?:_id)?|add_(?:bos|eos)_token|padding_side|chat_template|prompt_template|units?|scaler|feature_order|columns|label_?map|id2label.*|label2id.*|classes",
    re.IGNORECASE,
)
"""What changes the meaning of an input or of an answer; batch sizes, paths and devices do not."""


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first such setting."""
    trained: dict[tuple[str, str], Setting] = {}
    for setting in facts.settings:
        path = setting.citation.artifact
        if _TRAINED.search(path) and not _USED.search(path):
            trained.setdefault((path.rpartition("/")[2], setting.name), setting)
    for used in facts.settings:
        path = used.citation.artifact
        own = trained.get((path.rpartition("/")[2], used.name)) if _USED.search(path) else None
        named = _PREPARES.fullmatch(used.name.rpartition(".")[2]) is not None
        if own is not None and named and own.value.strip().lower() != used.value.strip().lower():
            yield _match(own, used)
            return


def _match(own: Setting, used: Setting) -> Match:
    claim = f"{used.name} is {used.value} in {used.citation.artifact} and {own.value} in {own.citation.artifact}: inputs mean something else than in training"
    return Match(
        rule="config/prepared-otherwise",
        mode=_MODE,
        role="cause",
        maturity="stable",
        tier="config",
        evidence=(
            Evidence(claim=claim, citation=used.citation),
            Evidence(claim=f"{own.name} is {own.value} in training", citation=own.citation),
        ),
        scope="job",
        captures={"setting": used.name},
        fixes=_FIXES,
        title="The exported model prepares its inputs in another way",
    )


DETECTORS = (Detector(id="config-pair", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
