"""The picture of a shared link, 1200 x 630, as messengers show it (Open Graph; they take no SVG).

The font is the dashboard's Inter (OFL) of django-unfold. A letter that it lacks loses its accent, or becomes a question
mark. Pictures are cached by their digest.
"""

import functools
import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from importlib.resources import files
from io import BytesIO
from threading import Lock

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from PIL import Image, ImageDraw, ImageFont

from core import cache
from core.http.conditional import if_none_match

WIDTH, HEIGHT = 1200, 630
PAPER, CLOTH, INK, QUIET, ACT, LINE = "#f8f4ec", "#dfe6dc", "#25211b", "#665e51", "#0d5c56", "#dcd3c2"
LEFT, RIGHT = 96, 1120
MOST_ROWS = 4
# The right end of numbers beside rows: near enough to the names to be read with them.
NUMBERS = 860
# Letters: a shorter word is left out whole.
SHORT_WORD = 12
FONT = files("unfold") / "static/unfold/fonts/inter/Inter-Medium.woff2"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a picture: what the text is, such as a place or a table, the text, and a number on its right."""

    what: str
    text: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a picture. Of `rows`, the first are drawn, as many as there is room for, four at most."""

    kicker: str
    title: str
    said: str
    rows: Sequence[Row] = ()

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{cache.made_of()}\n{astuple(self)!r}".encode()).hexdigest()[:32]

    @property
    def alt(self) -> str:
        return ". ".join(part.rstrip(".") for part in (f"{self.title}, {self.kicker}", self.said) if part) + "."


def draw(words: Words) -> bytes:
    """The picture as a PNG. It takes about 30 ms, whatever the words: they are cut off where there is no more room."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    on = ImageDraw.Draw(image)
    on.rectangle((0, 0, 48, HEIGHT), fill=CLOTH)
    for at in range(30, HEIGHT, 95):
        _diamond(on, 24, at + 16)
    _diamond(on, RIGHT - 108, 87)
    _text(on, (RIGHT - 84, 62), "Trey", 40, INK, 200, bold=1)
    _text(on, (LEFT, 66), words.kicker, 34, QUIET, RIGHT - LEFT - 150)
    size, y = (76, 130) if _font(76).getlength(known(words.title)) <= RIGHT - LEFT else (60, 130)
    for line in _lines(words.title, size, 2):
        _text(on, (LEFT, y), line, size, INK, RIGHT - LEFT, bold=2)
        y += size * 7 // 6
    y += 18
    size, most = (40, 2) if words.rows else (52, 4)
    for line in _lines(words.said, size, most):
        _text(on, (LEFT, y), line, size, ACT, RIGHT - LEFT)
        y += size * 13 // 10
    _rows(on, words.rows, y)
    file = BytesIO()
    image.quantize(48).save(file, "PNG")
    return file.getvalue()


def _rows(on: ImageDraw.ImageDraw, rows: Sequence[Row], top: int) -> None:
    """The first rows at the foot of the picture, below `top`: large, or else small, or else each cut off to a line."""
    shown = rows[:MOST_ROWS]
    if not shown:
        return
    for size, most in ((52, 2), (38, (HEIGHT - 72 - top) // 54)):
        column = LEFT + max(_wide(row.what, size) for row in shown)
        right = NUMBERS if any(row.number for row in shown) else RIGHT
        free = [right - column - _wide(row.number, size) for row in shown]
        texts = [_broken(row.text, size, 9, wide) for row, wide in zip(shown, free, strict=True)]
        if sum(map(len, texts)) <= most:
            break
    else:
        shown, texts = shown[:most], [[row.text] for row in shown[:most]]
    step = size * 10 // 7
    y = HEIGHT - 44 - step * sum(map(len, texts))
    on.line((LEFT, y - 16, right, y - 16), fill=LINE, width=3)
    for row, wide, lines in zip(shown, free, texts, strict=False):
        _text(on, (LEFT, y), row.what, size, QUIET, column - LEFT)
        on.text((right, y), row.number, font=_font(size), fill=QUIET, anchor="ra")
        for line in lines:
            _text(on, (column, y), line, size, INK, wide)
            y += step


def _wide(text: str, size: int) -> int:
    """The width of a short text and of the gap beside it."""
    return round(_font(size).getlength(known(text)) + size * 0.7) if text else 0


def _diamond(on: ImageDraw.ImageDraw, x: int, y: int) -> None:
    on.polygon([(x, y - 16), (x + 12, y), (x, y + 16), (x - 12, y)], fill=ACT)


def _text(  # noqa: PLR0917  where, what, how large, which colour, how wide
    on: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, colour: str, wide: int, *, bold: int = 0
) -> None:
    font = _font(size)
    on.text(at, _cut(known(text), font, wide), font=font, fill=colour, stroke_width=bold, stroke_fill=colour)


def _lines(text: str, size: int, most: int) -> list[str]:
    """The text in at most `most` lines of about the same length; the last one is cut off if the text is longer."""
    found = _broken(text, size, most, RIGHT - LEFT)
    for wide in range(RIGHT - LEFT - 40, 0, -40) if len(found) > 1 else ():
        shorter = _broken(text, size, most, wide)
        if len(shorter) > len(found) or _font(size).getlength(shorter[-1]) > wide:
            break
        found = shorter
    return found


def _broken(text: str, size: int, most: int, wide: int) -> list[str]:
    """The text in lines of this width, the last one with all that is left. A word that is wider has a line."""
    font, line = _font(size), ""
    lines: list[str] = []
    words = known(text).split()
    for number, word in enumerate(words):
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > wide:
            if len(lines) == most - 1:
                return [*lines, " ".join([line, *words[number:]])]
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _cut(text: str, font: ImageFont.FreeTypeFont, wide: int) -> str:
    if font.getlength(text) <= wide:
        return text
    least, most = 0, len(text)
    while most - least > 1:
        half = (least + most) // 2
        least, most = (half, most) if font.getlength(f"{text[:half].rstrip()}…") <= wide else (least, half)
    # Half a number would be another one. A long word, such as a name, is cut.
    words, _, begun = text[:least].rpartition(" ")
    kept = words if words and len(begun) < SHORT_WORD else text[:least]
    return f"{kept.rstrip(' .,')}…"


def known(text: str) -> str:
    return "".join(map(_letter, unicodedata.normalize("NFC", text)))


@functools.lru_cache(4096)
def _letter(one: str) -> str:
    if _has(one):
        return one
    plain = unicodedata.normalize("NFKD", one)[0]
    return plain if _has(plain) else "?"


def _has(one: str) -> bool:
    return one.isspace() or bytes(_font(20).getmask(one)) != bytes(_font(20).getmask("\uffff"))


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(FONT.read_bytes()), size)


KEPT_SECONDS = 24 * 3600
# Drawing keeps a processor busy, so one picture is drawn at a time, however many are asked for.
_DRAWING = Lock()


def answer_picture(request: HttpRequest, words: Words) -> HttpResponse:
    """The picture as a PNG with its ETag; 304 if the caller has it.

    Caches ask each time: what it is about may become private.
    """
    etag = f'"{words.digest}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    if if_none_match(request, etag):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(_picture(words), content_type="image/png", headers=headers)


def _picture(words: Words) -> bytes:
    key = f"share-picture:{words.digest}"
    found: bytes | None = cache.get(key)
    if found is not None:
        return found
    with _DRAWING:
        found = cache.get(key)
        if found is None:
            found = draw(words)
            cache.put(key, found, KEPT_SECONDS)
    return found
