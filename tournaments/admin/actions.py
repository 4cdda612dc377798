"""An organiser's actions on a tournament as a whole, from opening to cancelling, and the tournament after it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect

from core import clock as service_clock
from games.admin import rights
from games.rules.words import counted
from tournaments import services
from tournaments.admin.shared import Shared, url_of
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.picture import texts_of
from tournaments.picture.words import in_the_break
from tournaments.stream.state import UNFINISHED


@dataclass(frozen=True, slots=True)
class Action:
    """What an organiser can do to a whole tournament; `act` takes its id, the organiser, and the reason if needed."""

    button: str
    when: Collection[str]
    done: str
    act: Callable[..., object]
    needs_reason: bool = False


ACTIONS: Mapping[str, Action] = {
    "open": Action("Open for entries", ["draft"], "The tournament is open for entries.", services.open_registration),
    "start": Action("Start", ["registration"], "The tournament has started.", services.start),
    "next": Action("Next round", ["running"], "The next round is being seated.", services.next_round),
    "manual": Action(
        "From now on, seat rounds when I say so",
        ["running"],
        "From now on, rounds are seated when you say so.",
        partial(services.set_pace, pace="manual"),
    ),
    "auto": Action(
        "From now on, seat rounds automatically",
        ["running"],
        "From now on, rounds are seated automatically.",
        partial(services.set_pace, pace="auto"),
    ),
    "finish": Action("Finish", ["running"], "The tournament is finished.", services.finish),
    "reopen": Action("Reopen", ["finished"], "The tournament has been reopened.", services.reopen, needs_reason=True),
    # It cannot be undone, so it asks twice.
    "cancel": Action(
        "Cancel the tournament", UNFINISHED, "The tournament is called off.", services.cancel, needs_reason=True
    ),
}
# What the button of the next round says while there is a draft of it, which it replaces.
DRAFT_AGAIN = "Draft the round again"


class Actions(Shared):
    def take_action(self, request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        chosen = ACTIONS.get(name)
        if chosen is None:
            raise Http404
        reason = request.POST.get("reason", "").strip()
        if chosen.needs_reason and not reason:
            messages.error(
                request, f"{chosen.button}: please say why. Everyone can read the reason on the public page."
            )
        elif name == "cancel" and "sure" not in request.POST:
            messages.error(request, "Cancelling cannot be undone. Tick the box if you are sure.")
        elif "sure" not in request.POST and (doubts := _doubts(name, t)):
            shown = {"action": name, "button": chosen.button, "doubts": doubts}
            return self.page(request, t, "overview", template="action", **shown)
        else:
            given = [reason] if chosen.needs_reason else []
            done = self.tried(request, lambda: chosen.act(t.pk, user, *given), chosen.done)
            if done and name == "next" and (t.state.awaits_draft or t.state.plan.pace == "manual"):
                return HttpResponseRedirect(url_of(t.pk, "draft"))
        return HttpResponseRedirect(url_of(t.pk))

    def successor(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        said = "The new tournament is set up like the last one. Give it a title and dates, then open it for entries."
        done = self.tried(request, lambda: services.set_up(user, {"after": str(t.pk)}), said)
        return HttpResponseRedirect(url_of(done.tournament.id, "settings") if done else url_of(t.pk))

    def invitation(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        said = "The invitation has been renewed. The old one no longer works."
        self.tried(request, lambda: services.renew_invitation(t.pk, user), said)
        return HttpResponseRedirect(f"{url_of(t.pk)}#public")

    def decide(self, request: HttpRequest, pk: UUID, n: int) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        reason, ratified = request.POST.get("reason", "").strip(), "ratify" in request.POST
        said = "These rules apply from now on." if ratified else f"You have ended proposal {n}."
        self.tried(request, lambda: services.decide_proposal(t.pk, user, n, reason, ratified=ratified), said)
        return HttpResponseRedirect(f"{url_of(t.pk)}#rules")


def offers(t: Tournament, name: str, *, main: str | None) -> bool:
    if name == "next" and main not in ("next", "draft"):
        return False
    if name in ("next", "manual", "auto") and t.kind == "season" and not (name == "next" and t.state.awaits_draft):
        return False
    return t.status in ACTIONS[name].when and t.state.plan.pace != name


def comes_next(t: Tournament, *, round_is_open: bool) -> tuple[str | None, str]:
    if t.status == "draft":
        return "open", "Only organisers see it yet. Open it for entries when everything is as you want it."
    if t.status == "registration":
        named = t.state.plan.starts_at or (t.kind == "season" and t.state.plan.opens_at)
        by_itself = " It starts automatically at the time in the settings." if named and not t.state.put_off else ""
        return "start", f"People can enter. Start when everyone is in.{by_itself}"
    if t.status != "running":
        return None, ""
    return _next_round(t, round_is_open=round_is_open)


def _next_round(t: Tournament, *, round_is_open: bool) -> tuple[str | None, str]:
    if t.state.draft:
        return "draft", "The next round is drafted. Check it, change it if you like, and seat it."
    if t.state.awaits_draft:
        over, following = (t.state.stage_title(t.state.stage + more) for more in (0, 1))
        return "next", f"{over} is over. Draft the first round of {following}, which begins when you seat it."
    if t.state.break_ends is not None:
        return None, in_the_break(t)
    if t.kind == "season":
        return None, _season(t)
    if t.state.only_organisers_finish and not round_is_open and t.state.plan.pace == "auto":
        return "finish", "It was reopened, and will end only when you finish it."
    if not t.state.seated and t.state.plan.pace == "auto":
        return None, "The first round is being seated. Look again in a few seconds."
    if t.state.plan.pace == "auto":
        ends = "the next stage begins" if len(t.state.begun) + 1 < len(t.state.plan.stages) else "it ends"
        return None, f"Each round is seated automatically when the one before is over. After the last one {ends}."
    if round_is_open:
        return None, "You seat the rounds. The next one can be drafted when this one is over."
    return "next", "You seat the rounds. The next one is drafted first, so that you can check it."


def _doubts(action: str, t: Tournament) -> list[str]:
    if action == "start":
        return _not_ready(t)
    if action == "finish":
        open_games = TournamentGame.objects.filter(tournament=t, outcome="open").count()
        if not open_games:
            return []
        still = counted(open_games, "game is still open: it is", "games are still open: they are")
        return [f"{still} played on, but without counting for the tournament."]
    return []


def _season(t: Tournament) -> str:
    closes = t.state.plan.closes_at
    if closes is None or t.state.only_organisers_finish:
        return "Entrants open and play games. Finish the season when it is over."
    if closes <= service_clock.now():
        return "No new games can begin. The season ends with its last game."
    return "Entrants open and play games. The season ends automatically after its last day."


def _not_ready(t: Tournament) -> list[str]:
    names, said = texts_of(t), []
    found: dict[str, list[str]] = {"invited": [], "registered": []}
    for row in Entrant.objects.filter(tournament=t, standing__in=found).order_by("number"):
        found[row.standing].append(names[row.key])
    if found["invited"]:
        said += [
            f"Not accepted yet: {', '.join(found['invited'])}.",
            "Players who have not accepted by the start don't play, unless they enter late.",
        ]
    if found["registered"]:
        said += [
            f"Not checked in yet: {', '.join(found['registered'])}.",
            "Entrants who have not checked in by the start go to the end of the waiting list.",
        ]
    return said
