"""What every skin calls."""
