"""The rules of the games as pages: docs/rules, with codes said in words."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games import selectors
from games.pages.lobby.page import answering, reader_of, shown
from games.rules import GAMES
from games.rules.shedding.sentences import sentences
from games.wording import in_words, label_of

BOOK = Path(__file__).resolve().parents[3] / "docs" / "rules"
PICTURES = "In ten pictures"
#: The parts that are seen at once; the others are folded where there are pictures.
SEEN = (PICTURES, "Options", "Rulesets and options")
CARDS = re.compile(r"(?:(?:10|[2-9JQKA])[♠♥♦♣]|(?:red|black) ★|▒▒)(?: |$)")
NUMBERED = re.compile(r"<td>([A-Z]{1,2}\d+)</td>")
TRUTH = re.compile(r"\b(?:true|false)\b")
#: What a button says, for the code of its move.
BUTTONS = {"end_turn": "End your turn", "settle": "Agree to end the game"}
OPTIONS = {name: option for game in GAMES.values() for name, option in game.options_of(game.default_ruleset).items()}
VALUES = {value for option in OPTIONS.values() for value in option.words or ()}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of the rule book: its title, and the rest of it as HTML.

    parts: the ids and titles of its headings, if it is a list of numbers.
    """

    title: str
    html: SafeString
    parts: tuple[tuple[str, str], ...]


@require_safe
def rules_of(request: HttpRequest, name: str) -> HttpResponse:
    """How a game is played, what the shedding games share, or the rulings."""
    if name not in names() | GAMES.keys():
        raise Http404
    context = {"chapter": chapter(name), "name": name, "game": GAMES.get(name), "games": GAMES.values()}
    return shown(request, "lobby/rule_book.html", context, index=True)


@require_safe
@answering
def rules_at(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """How the game of a table is played: the page of a built-in game, or the rules of a house game as sentences."""
    game = selectors.game_for(reader_of(request), game_id, invitation=request.GET.get("invitation"))
    if game.digest is None:
        return redirect("rules-page", name=game.game)
    rules, title = game.options["rules"], selectors.game_title(game)
    about = rules["about"] if title == rules["title"] else ""
    context = {"title": title, "about": about, "sentences": sentences(rules), "table": game.id}
    return shown(request, "lobby/house_rules.html", context)


@cache
def names() -> frozenset[str]:
    return frozenset(file.stem for file in BOOK.glob("*.md"))


@cache
def chapter(name: str) -> Chapter:
    if name not in names():
        return Chapter(GAMES[name].title, format_html("<p>{}</p>", GAMES[name].summary), ())
    reader = MarkdownIt("commonmark").enable("table")
    # A page begins with its title: the heading's beginning, text and end.
    _, title, _, *kept = reader.parse((BOOK / f"{name}.md").read_text())
    for token in kept:
        token.children = _in_words(token.children or [])
    html = reader.renderer.render(kept, reader.options, {})
    # A table that is wider than a phone scrolls by itself.
    html = html.replace("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    html, parts = _with_anchors(html.replace("</table>", "</table></div>"))
    if PICTURES in html:
        html = "".join(map(_folded, re.split("(?=<h2>)", html)))
    return Chapter(title.content, mark_safe(html), parts)  # noqa: S308  pages of ours


def _with_anchors(html: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A list of numbers, such as the rulings: each has an address, what names it leads there, and so do its parts."""
    numbers = NUMBERED.findall(html)
    if not numbers:
        return html, ()
    html = re.sub(rf"(?<!<td>)\b(?:{'|'.join(numbers)})\b", r'<a href="#\g<0>">\g<0></a>', html)
    html = NUMBERED.sub(r'<td id="\1"><b>\1</b></td>', html)
    parts = tuple((slugify(part), part) for part in re.findall("<h2>(.*?)</h2>", html))
    return re.sub("<h2>(.*?)</h2>", lambda h2: f'<h2 id="{slugify(h2[1])}">{h2[1]}</h2>', html), parts


def _folded(part: str) -> str:
    title, _, text = part.removeprefix("<h2>").partition("</h2>")
    if title in SEEN or not part.startswith("<h2>"):
        return part
    return f"<details><summary><h2>{title}</h2></summary>{text}</details>"


def _in_words(parts: list[Token]) -> list[Token]:
    """Codes as buttons and forms call them, and links to pages of the book; what lies beside it is no page of ours."""
    kept, leads = [], False
    for part in parts:
        if part.type == "text":
            part.content = TRUTH.sub(lambda found: in_words(found[0] == "true"), part.content)
        elif part.type == "code_inline" and not CARDS.sub("", part.content):
            # The script draws them.
            part.type, part.content = "html_inline", f'<span data-cards="{part.content}">{part.content}</span>'
        elif part.type == "code_inline":
            part.type, part.tag, part.content = "text", "", _said(part.content)
        elif part.type == "link_open":
            name = str(part.attrs["href"]).removesuffix(".md")
            leads = name in names()
            if leads:
                part.attrs["href"] = reverse("rules-page", args=[name])
        if leads or not part.type.startswith("link_"):
            kept.append(part)
    return kept


def _said(code: str) -> str:
    if code in BUTTONS:
        return f"“{BUTTONS[code]}”"
    if code in OPTIONS:
        return f"“{label_of(code)}”"
    return in_words(code) if code in VALUES else code.replace("_", " ")
