"""Structured documents become raw events."""
