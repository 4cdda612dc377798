"""What features can hook into games; core/hooks.py says how.

A feature can also add a part of an account's export (`core.accounts.exporting`), what ends with a right
(`core.accounts.ending`), kinds of notification (`core.notifications.kinds`), components of the API
(`core.http.openapi`) and pages of the dashboard (`games.admin.site`).
"""

from dataclasses import dataclass

from django.templatetags.static import static

from core.hooks import Hook


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page of a table, under the hand of those who sit there.

    template: hidden, until the script shows it. script: a module that exports `join(page)`, called once the reader sits
    there; the page has `api`, `say`, `button`, the reader's id as `me`, and whether it is `dealt`. It may return what
    has `hear(name, data)`, called with the events of the game's live stream that the page does not know. company: only
    for those who sit there with other people. in_rooms: also in a room that has not started.
    """

    template: str
    script: str
    style: str
    company: bool = False
    in_rooms: bool = False

    def for_script(self) -> dict[str, object]:
        return {"script": static(self.script), "company": self.company}


PANELS = Hook[Panel]()
