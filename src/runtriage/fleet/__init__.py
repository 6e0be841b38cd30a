"""Diagnoses many runs: one task each, results as they come, a summary of causes at the end."""
