"""What a line of code looks things up in, told by the names it uses: records, settings, saved states, labels, tokens."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from runtriage.detect.loading import WRITES
from runtriage.model.pattern import deferred

_LOOKUPS: Final = (
    ("of-writing", WRITES),
    ("of-a-loop", deferred(r"^\s*(?:async )?for\b.{1,120}\bin\b|\.r?split\(|\.strip\(|readline")),
    (
        "of-a-record",
        deferred(
            r"\b(?:row|record|sample|example|item|batch|line|feature|doc\w*|entry|frame|df|vocab\w*|\w+2(?:id|idx|ix|int|num|index)|\w+_to_(?:id|idx|ix|int|index)\w*|stoi|(?:label|tag|class|char|category)_?(?:map|index|ids?|dict|encoder))s?\[",
            re.I,
        ),
    ),
    (
        "of-its-books",
        deferred(
            r"\b(?:metric|result|stat|statistic|history|histories|loss|losse|meter|counter|timer|score|total|log)s?\[",
            re.I,
        ),
    ),
    (
        "of-a-saved-state",
        deferred(
            r"(?:checkpoint|ckpt|state_?dict|(?:saved|latest|resume|loaded)_?(?:state|model|params)?)s?\d?\[['\"]", re.I
        ),
    ),
    ("of-output", deferred(r"\bprint\(|\bstd(?:out|err)\b|\b(?:log|logger|logging)\.\w+\(|\.(?:write|flush)\(", re.I)),
    ("of-a-registry", deferred(r"\w*(?:registry|registered|catalog)\w*\[", re.I)),
    (
        "of-a-saved-path",
        deferred(r"(?:exists|isfile|isdir|is_file|is_dir)\(.{0,80}(?:ckpt|checkpoint|weight|resume|pretrain)", re.I),
    ),
    (
        "of-a-config-path",
        deferred(r"(?:exists|isfile|isdir|is_file|is_dir)\(.{0,80}(?:cfg|conf|ya?ml|json)", re.I),
    ),
    ("of-a-path", deferred(r"\b(?:exists|isfile|isdir|is_file|is_dir)\(", re.I)),
    (
        "of-settings",
        deferred(
            r"\b(?:sys\.argv|\w*seeds?|\w*lrs?|milestones|\w*devices?|gpu\w*|stages?|betas|\w*(?:dims|widths|channels|sizes|heads)|schedules?)\["
            r"|(?://?|%)\s*\(?\s*(?:\w+\.)?\w*(?:warm_?up|accum|heads|world|gpus|epochs|interval|freq|every|batch_?size|workers|decay|patience|period|cycle)",
            re.I,
        ),
    ),
    (
        "by-token",
        deferred(
            r"\b(?:\w*embed\w*|\w*vocab\w*|wte|wpe|logits?)\[|\w*\[[^\]]{0,60}\b(?:\w*tokens?|\w*_ids|ids)\b", re.I
        ),
    ),
    (
        "by-label",
        deferred(
            r"\[[^\]]{0,60}\b(?:\w*labels?|\w*targets?|\w*class(?:es)?|y|y_true)\b|\b(?:one_?hot|scatter_?|gather|eye)\b.{0,60}\b(?:\w*labels?|\w*targets?|y|y_true)\b",
            re.I,
        ),
    ),
    ("of-a-setting", deferred(r"\b(?:\w*cfg|\w*conf\w*|args|settings|hparams?|options|params|opt)(?:\[|\.\w)", re.I)),
)
"""What the line that failed looks things up in, as a word that stands before the frames."""


@lru_cache(maxsize=4096)
def looked_up(source: str) -> tuple[str, ...]:
    """Return the words for what a line of code looks up; the exceptions of a run come from few lines."""
    return tuple(word for word, looks_up in _LOOKUPS if looks_up.search(source))
