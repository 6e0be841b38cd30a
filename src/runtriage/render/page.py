"""Pages about failure modes as Markdown in which no text acts as markup, and for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import fill, indent

from runtriage.model.page import Block, Heading, Items, Links, Page, Paragraph, Sample
from runtriage.render.markdown import code, text
from runtriage.render.visible import visible

_WIDTH = 100
_LEADING = re.compile(r"^(\d{1,9})\.|^([-=])")
"""What text of its own line would start a list or underline a heading with."""
_AUTOLINK = re.compile(r"://|www\.", re.IGNORECASE)


def markdown(page: Page) -> str:
    """Return the page as Markdown with a final newline."""
    return "\n\n".join(_marked(block) for block in page.blocks) + "\n"


def terminal(page: Page) -> str:
    """Return the same page as plain text with a final newline."""
    return "\n\n".join(_plain(block) for block in page.blocks) + "\n"


def index(pages: Iterable[Page]) -> str:
    """Return a Markdown list of links to pages by primary class, both in the order given."""
    return "\n".join(_index(list(pages))) + "\n"


def _index(pages: list[Page]) -> Iterator[str]:
    yield "# Failure modes"
    yield ""
    known = sum(page.recognised for page in pages)
    yield f"{len(pages)} failure modes, {known} of them recognised. Generated from the catalogue by `make docs`."
    for primary_class in dict.fromkeys(page.primary_class for page in pages):
        yield ""
        yield f"## {_inert(primary_class)}"
        yield ""
        for page in (page for page in pages if page.primary_class == primary_class):
            note = "" if page.recognised else " (not recognised yet)"
            yield f"- [{_inert(page.mode)}]({page.mode}.md): {_inert(page.title)}{note}"


def _marked(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_inert(block.text)}"
        case Paragraph():
            return _inert(block.text)
        case Items():
            label = f"{_inert(block.label)}\n\n" if block.label else ""
            return label + "\n".join(f"- {_inert(item)}" for item in block.texts)
        case Sample():
            return f"{_inert(f'Source: {block.source}')}\n\n{code(visible(block.text), 'text')}"
        case Links():
            return "\n".join(f"- <{_address(link)}>" for link in block.addresses)


def _plain(block: Block) -> str:
    match block:
        case Heading():
            return visible(block.text)
        case Paragraph():
            return fill(visible(" ".join(block.text.split())), _WIDTH)
        case Items():
            items = "\n".join(f"  - {visible(' '.join(item.split()))}" for item in block.texts)
            return f"{visible(block.label)}\n{items}" if block.label else items
        case Sample():
            return f"{visible(f'Source: {block.source}')}\n{indent(visible(block.text), '    ')}"
        case Links():
            return "\n".join(f"  {visible(link)}" for link in block.addresses)


def _inert(value: str) -> str:
    """Return text in which nothing acts, not even a bare address or the number of a list at its start."""
    marked = _LEADING.sub(lambda found: f"{found[1]}\\." if found[1] else f"\\{found[2]}", text(visible(value)))
    return _AUTOLINK.sub(lambda found: found[0].replace("/", "&#47;").replace(".", "&#46;"), marked)


def _address(link: str) -> str:
    return visible(link).replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
