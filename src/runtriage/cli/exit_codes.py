"""What the exit code of a diagnosis says."""

from runtriage.api.exit_codes import ABSTAINED, FAILED, NO_ACCESS, OK, of

__all__ = ["ABSTAINED", "FAILED", "NO_ACCESS", "OK", "of"]
