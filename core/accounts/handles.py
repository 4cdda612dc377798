"""A player's handles in chat services. A player who gives one consents to be mentioned by it in groups (NT7)."""

import re
from collections.abc import Mapping

from core.refusals import invalid

MOST = 255
# The form of the handles of each service, as a pattern and in words.
FORMS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "discord": (re.compile(r"[0-9]{17,20}"), "your user id, 17 to 20 digits"),
    "slack": (re.compile(r"[UW][A-Z0-9]{7,20}"), "your member id, such as U012AB3CD"),
    "mattermost": (
        re.compile(r"(?!(?:all|channel|here)\Z)[a-z][a-z0-9._-]{2,63}"),
        "your username, such as ada.lovelace",
    ),
    "telegram": (re.compile(r"[A-Za-z][A-Za-z0-9_]{4,31}"), "your username, such as ada_l"),
    "matrix": (
        re.compile(r"@[a-z0-9._=/+-]+:[A-Za-z0-9.-]+(?::[0-9]{1,5})?"),
        "your address, such as @ada:example.org",
    ),
}


def changed(stored: Mapping[str, str], wanted: Mapping[str, object]) -> dict[str, str]:
    """The handles after a change: services left out stay, null removes one. Raises Invalid (bad_handle)."""
    errors: list[tuple[str, str]] = []
    after = {**stored}
    for service, text in wanted.items():
        if service not in FORMS:
            errors.append((f"handles.{service}"[:80], f"Nobody is mentioned there. Known: {', '.join(FORMS)}."))
        elif text is None:
            after.pop(service, None)
        else:
            form, words = FORMS[service]
            # People write @ada where the service wants ada.
            bare = text.removeprefix("@") if isinstance(text, str) and service != "matrix" else text
            if not isinstance(bare, str) or len(bare) > MOST or not form.fullmatch(bare):
                errors.append((f"handles.{service}", f"Must be {words}; null removes it."))
            else:
                after[service] = bare
    if errors:
        raise invalid("bad_handle", errors)
    return after
