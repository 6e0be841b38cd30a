"""What every command leaves with, the one table; `runtriage run` alone leaves as the command it ran did."""

from __future__ import annotations

from typing import Final

OK: Final = 0
"""Nothing failed, the run goes on, or it is out of scope."""
FAILED: Final = 1
"""The run failed, or a citation no longer holds."""
USAGE: Final = 2
NOT_FOUND: Final = 3
"""The target is not there, or nothing of it can be read."""
UNUSABLE: Final = NOT_FOUND
"""A file, a history or an address that the command itself needs cannot be used."""
NO_ACCESS: Final = 4
"""What would be judged may not be read, or nobody who knows of it can be asked, for lack of a network or a program: whether it is there is not known."""
ABSTAINED: Final = 5
"""The evidence does not say."""
TOOL_FAILED: Final = 70
"""A fault of this program itself (`EX_SOFTWARE` of sysexits.h); never to be taken for a failure of the run."""
INTERRUPTED: Final = 130
"""The user ended it: 128 and the number of SIGINT, as shells say it."""
