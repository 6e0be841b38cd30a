"""Facts become findings: the signature engine and one file a detector."""
