"""Speed and memory of the log engine against public tools, measured in one run on inputs generated here."""
