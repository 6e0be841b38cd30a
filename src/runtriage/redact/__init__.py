"""The one door from raw text to clean text."""
