"""The picture of a shared link, 1200 x 630, as messengers show it (Open Graph; they take no SVG).

Words come in, a PNG comes out; nothing is read or cached here. The font is the dashboard's Inter (OFL), which comes
with django-unfold and has the letters of Europe, including Greek and Cyrillic. A letter that it lacks loses its accent,
or becomes a question mark.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
PAPER, CLOTH, INK, QUIET, ACT, LINE = "#f8f4ec", "#dfe6dc", "#25211b", "#665e51", "#0d5c56", "#dcd3c2"
LEFT, RIGHT = 96, 1120
MOST_ROWS = 3
# Raise it when the drawing changes, so that cached pictures are not used any more.
SHAPE = "2"
FONT = files("unfold") / "static/unfold/fonts/inter/Inter-Medium.woff2"


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a picture. `rows`: the first places, or the players at a table, each with its text on the right."""

    kicker: str
    title: str
    said: str
    rows: Sequence[tuple[str, str]] = ()

    @property
    def digest(self) -> str:
        """A key for the picture: equal words have equal keys."""
        return hashlib.sha256(f"{SHAPE}\n{astuple(self)!r}".encode()).hexdigest()[:32]

    @property
    def alt(self) -> str:
        """The picture in words."""
        return ". ".join(part.rstrip(".") for part in (f"{self.title}, {self.kicker}", self.said) if part) + "."


def draw(words: Words) -> bytes:
    """The picture as a PNG. It takes about 30 ms, whatever the words: they are cut off where there is no more room."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    on = ImageDraw.Draw(image)
    on.rectangle((0, 0, 48, HEIGHT), fill=CLOTH)
    for at in range(30, HEIGHT, 95):
        _diamond(on, 24, at + 16)
    _text(on, (LEFT, 64), words.kicker, 34, QUIET, RIGHT - LEFT)
    y = 122
    for line in _lines(words.title, 76, 2):
        _text(on, (LEFT, y), line, 76, INK, RIGHT - LEFT, bold=2)
        y += 88
    y += 18
    for line in _lines(words.said, 40, 2 if words.rows else 4):
        _text(on, (LEFT, y), line, 40, ACT, RIGHT - LEFT)
        y += 52
    room = (HEIGHT - 96 - y) // 54
    _rows(on, words.rows[: min(MOST_ROWS, room)])
    _text(on, (RIGHT - 92, HEIGHT - 66), "Trey", 40, INK, 200, bold=1)
    _diamond(on, RIGHT - 116, HEIGHT - 42)
    file = BytesIO()
    image.quantize(48).save(file, "PNG")
    return file.getvalue()


def _rows(on: ImageDraw.ImageDraw, rows: Sequence[tuple[str, str]]) -> None:
    if not rows:
        return
    y = HEIGHT - 64 - 54 * len(rows)
    on.line((LEFT, y - 14, 860, y - 14), fill=LINE, width=3)
    for name, beside in rows:
        font = _font(38)
        on.text((860, y), beside, font=font, fill=QUIET, anchor="ra")
        _text(on, (LEFT, y), name, 38, INK, 740 - round(on.textlength(beside, font)))
        y += 54


def _diamond(on: ImageDraw.ImageDraw, x: int, y: int) -> None:
    on.polygon([(x, y - 16), (x + 12, y), (x, y + 16), (x - 12, y)], fill=ACT)


def _text(  # noqa: PLR0917  where, what, how large, which colour, how wide
    on: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, colour: str, wide: int, *, bold: int = 0
) -> None:
    font = _font(size)
    on.text(at, _cut(known(text), font, wide), font=font, fill=colour, stroke_width=bold, stroke_fill=colour)


def _lines(text: str, size: int, most: int) -> list[str]:
    """The text in at most `most` lines; the last one is cut off if the text is longer."""
    font, line = _font(size), ""
    lines: list[str] = []
    words = known(text).split()
    for number, word in enumerate(words):
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > RIGHT - LEFT:
            if len(lines) == most - 1:
                return [*lines, " ".join([line, *words[number:]])]
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _cut(text: str, font: ImageFont.FreeTypeFont, wide: int) -> str:
    """The beginning of the text that fits."""
    if font.getlength(text) <= wide:
        return text
    least, most = 0, len(text)
    while most - least > 1:
        half = (least + most) // 2
        least, most = (half, most) if font.getlength(f"{text[:half].rstrip()}…") <= wide else (least, half)
    return f"{text[:least].rstrip()}…"


def known(text: str) -> str:
    """The text in letters that the font has."""
    return "".join(map(_letter, unicodedata.normalize("NFC", text)))


@lru_cache(4096)
def _letter(one: str) -> str:
    if _has(one):
        return one
    plain = unicodedata.normalize("NFKD", one)[0]
    return plain if _has(plain) else "?"


def _has(one: str) -> bool:
    return one.isspace() or bytes(_font(20).getmask(one)) != bytes(_font(20).getmask("\uffff"))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(FONT.read_bytes()), size)
