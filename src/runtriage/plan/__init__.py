"""A verdict becomes a recovery plan and a decision."""
