"""Words with which a program says, beside a fault, that it goes on."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred

_LOOKED_AT: Final = 400
"""Characters of a line."""
_GOES_ON = deferred(
    r"\b(?:skip(?:ped|ping)|ignor(?:ed|ing)|continuing|retry(?:ing)?|will retry|falling back|fell back|going on|moving on|try(?:ing)? again"
    r"|(?:this|that|it|which) (?:is|was) (?:to be )?(?:expected|harmless)(?! to)|trying (?:the )?(?:next|another|with|\d+)|start(?:ing|ed) (?:it |them )?again|(?:restart|respawn)(?:ing|ed) (?:it|them|the worker)|, replaced)\b",
    re.IGNORECASE,
)
_GIVES_UP = deferred(
    r"giv(?:ing|e) up|no more retr|exceeded|too many|abort|\bexiting\b|\bexits?\b(?! (?:code|status))", re.IGNORECASE
)


def goes_on(text: str) -> bool:
    """Tell whether a line says that its program goes on, and not that it gives up."""
    words = text[:_LOOKED_AT]
    return _GOES_ON.search(words) is not None and _GIVES_UP.search(words) is None
