"""Findings become a verdict."""
