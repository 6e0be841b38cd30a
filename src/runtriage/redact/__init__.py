"""The one door from raw text to clean text.

`redact`, `redact_setting` and `redact_table` turn raw values into clean ones, `clean` a piece of text. Under `--redact strict` the finished report goes
through `clean_document` with `strict()`, so that ordinals count in the order in which a reader meets them and the verdict does not
depend on the level.
"""

from runtriage.redact.document import clean_document
from runtriage.redact.door import EXCERPT_LIMIT, clean, clean_below, clean_value, redact, redact_setting, redact_table
from runtriage.redact.marker import MARKER
from runtriage.redact.policy import DEFAULT, VERSION, Policy, strict
from runtriage.redact.pseudonyms import Pseudonyms
from runtriage.redact.secrets import Unstable

__all__ = [
    "DEFAULT",
    "EXCERPT_LIMIT",
    "MARKER",
    "VERSION",
    "Policy",
    "Pseudonyms",
    "Unstable",
    "clean",
    "clean_below",
    "clean_document",
    "clean_value",
    "redact",
    "redact_setting",
    "redact_table",
    "strict",
]
