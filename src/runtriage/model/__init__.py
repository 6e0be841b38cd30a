"""Frozen values and protocols that every stage shares; no behaviour, and nothing of ours is imported here."""
