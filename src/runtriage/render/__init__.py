"""A report becomes text, JSON, Markdown, HTML or annotations."""
