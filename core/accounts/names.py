"""Names that cannot be mistaken for others, mail addresses, and handles in chat services.

The scripts that may be mixed are those of UTS 39, section 5.2 ("highly restrictive"). Letters that look alike are those
of its confusables.txt, limited to letters of European scripts that look like a to z.
"""

import re
import unicodedata
from collections.abc import Mapping

import idna
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db.models import Func, Model, Value
from django.db.models.functions import Lower

from core.chatting import SERVICES
from core.refusals import invalid
from core.text import checked

_JAPANESE = {"LATIN", "CJK", "HIRAGANA", "KATAKANA"}
_TOGETHER = (_JAPANESE, {"LATIN", "CJK", "BOPOMOFO"}, {"LATIN", "CJK", "HANGUL"})
# The first word of a character's name is its script, except for these.
_SCRIPTS = {"IDEOGRAPHIC": "CJK", "EXTENDED": "ARABIC"}

_LOOK_ALIKES = {
    "a": "ɑαа", "b": "βвᲀ", "c": "сᴄᲃ", "d": "ԁ", "e": "еҽε", "f": "ẝϝք", "g": "ɡƍᶃցԍ", "h": "нһհ", "i": "ıɩɪιіӏ",
    "j": "ϳјʝ", "k": "κк", "l": "ǀ", "m": "μмϻ", "n": "ηոռ", "o": "οσоօᴏᴑᲂ", "p": "ρр", "q": "ԛգզ", "r": "гʀᴦ",
    "s": "ѕƽտ", "t": "τтᲄᲅ", "u": "ʋυսᴜ", "v": "νѵᴠ", "w": "ɯѡԝաᴡ", "x": "χх", "y": "уүɣʏγᶌỿ", "z": "ζᴢ",
}  # fmt: skip


class LooksLike(Func):
    """A lower-case name, with each letter that looks like one of a to z replaced by that one."""

    function = "TRANSLATE"
    arity = 3

    def __init__(self, name: Lower) -> None:
        latin = "".join(letter * len(others) for letter, others in _LOOK_ALIKES.items())
        super().__init__(name, Value("".join(_LOOK_ALIKES.values())), Value(latin))


def is_taken(model: type[Model], name: str) -> bool:
    wanted = LooksLike(Lower(Value(name)))
    return model._default_manager.alias(looks=LooksLike(Lower("username"))).filter(looks=wanted).exists()  # noqa: SLF001


_NO_ADDRESS = "This isn't an email address."
LONGEST_ADDRESS = 254


def address(text: str) -> str:
    """Return an email address as it is stored: lower case, the domain as A-labels (UTS 46). Raises ValidationError."""
    local, _, domain = text.strip().rpartition("@")
    try:
        domain = idna.encode(domain, uts46=True, std3_rules=True).decode().removesuffix(".")
    except UnicodeError:
        raise ValidationError(_NO_ADDRESS, code="invalid") from None
    found = f"{local}@{domain}"
    EmailValidator(_NO_ADDRESS)(found)
    if len(found) > LONGEST_ADDRESS or not found.isascii():
        raise ValidationError(_NO_ADDRESS, code="invalid")
    return found.lower()


def readable(name: str, *, joiners: bool = True) -> None:
    """Raise ValidationError for a name of anything with characters that nobody sees, or with too many marks."""
    try:
        checked(name, len(name), joiners=joiners)
    except ValueError as error:
        raise ValidationError(str(error), code="unreadable") from None


def in_one_script(name: str) -> None:
    """Raise ValidationError for a name that mixes scripts, or with characters that nobody sees or no letters."""
    readable(name, joiners=False)
    scripts = {_script(character) for character in name if character.isalnum() and character not in "0123456789"}
    if len(scripts) > 1 and not any(scripts <= mixed for mixed in _TOGETHER):
        listed = " and ".join(sorted(script.capitalize() for script in scripts))
        raise ValidationError(f"Use the letters of one script only. These are {listed}.", code="mixed_scripts")


def _script(character: str) -> str:
    first = unicodedata.name(character, "unnamed").split()[0].partition("-")[0]
    return _SCRIPTS.get(first, first)


LONGEST_HANDLE = 255
# The form of the handles of each service, as a pattern and in words.
HANDLES: Mapping[str, tuple[str, str]] = {one.name: one.handle for one in SERVICES.values() if one.handle is not None}


def changed_handles(stored: Mapping[str, str], wanted: Mapping[str, object]) -> dict[str, str]:
    """The handles after a change: services left out stay, null removes one. Raises Invalid (bad_handle)."""
    errors: list[tuple[str, str]] = []
    after = {**stored}
    for service, text in wanted.items():
        if service not in HANDLES:
            errors.append((f"handles.{service}"[:80], f"Unknown service. Choose one of: {', '.join(HANDLES)}."))
        elif text is None:
            after.pop(service, None)
        else:
            form, words = HANDLES[service]
            # People write @ada where the service wants ada.
            bare = text.removeprefix("@") if isinstance(text, str) and service != "matrix" else text
            if not isinstance(bare, str) or len(bare) > LONGEST_HANDLE or not re.fullmatch(form, bare):
                errors.append((f"handles.{service}", f"Must be {words}; null removes it."))
            else:
                after[service] = bare
    if errors:
        raise invalid("bad_handle", errors)
    return after
