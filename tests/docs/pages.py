"""The documents and their fenced blocks."""

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
PAGES = [str(path.relative_to(ROOT)) for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])]
# In a list a block is indented.
_BLOCK = re.compile(r"^( *)```(\w+)(?: ([^\n]+))?\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
NOT_RUN = "not run: "


@dataclass(frozen=True)
class Block:
    """A block of a page. Behind its language may stand why it cannot be run, as in "sh not run: needs a printer"."""

    page: str
    line: int
    language: str
    note: str
    text: str

    @property
    def why_not(self) -> str:
        """Why the block cannot be run; empty for one that can."""
        return self.note.removeprefix(NOT_RUN) if self.note.startswith(NOT_RUN) else ""


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found[2], found[3] or "", dedent(found[4]))
        for found in _BLOCK.finditer(text)
    ]


ALL = [block for page in PAGES for block in blocks(page)]


def named(block: Block) -> str:
    """The name of a block among the tests."""
    return f"{block.page}:{block.line}"
