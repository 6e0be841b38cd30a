"""Programs that fail on purpose, what they printed, and how a diagnosis of it is scored."""
