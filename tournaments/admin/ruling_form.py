"""Rulings (LI5) as forms: each asks for a reason, and shows the standings before and after."""

from collections import Counter as Counting
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict

from core.accounts.models import Player
from core.forms import field_of
from core.refusals import Conflict
from core.text import uuid_in, whole_in
from games.rules import PLAYED
from tournaments import picture, selectors, services
from tournaments.admin.shared import left_to_others
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.picture.wording import NONE, decimals
from tournaments.projections import TABLES, happened
from tournaments.stream import Table
from tournaments.stream import TournamentGame as State
from tournaments.stream.outcomes import counts_instead, played_again
from tournaments.stream.ruling import MOST_SECONDS, RULINGS

HOUR = 3600
# Keys with fields of their own: entrants are chosen, a table is chosen as a game, time is given in hours, places one by
# one.
_SENT_OTHERWISE = ("game", "round", "table", "stage", "players", "rounds", "seconds")
_OWN_FIELD = (*_SENT_OTHERWISE, "entrant", "reason", "dry_run")
# Where a refusal of these is shown; that of who came where is about the form as a whole.
_SHOWN_AT = {"players": "", "rounds": "scored", "seconds": "hours"}


class PlaceForm(forms.Form):
    """How a game ended for one of its entrants."""

    place = forms.IntegerField(min_value=1, widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "place"}))
    score = forms.IntegerField(required=False)
    absent = forms.BooleanField(required=False)

    def __init__(self, key: str, name: str, *args: Any, penalties: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.key, self.name = key, name
        if not penalties:
            del self.fields["score"]

    def add_prefix(self, field_name: str) -> str:
        return f"{field_name}_{self.key}"


class RulingForm(forms.Form):
    def __init__(self, ruling: str, tournament: Tournament, by: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left, self.left_to = left_to_others(tournament, by), ""
        self.ruling, self.tournament, self.made = ruling, tournament, RULINGS[ruling]
        self.keys = self.made.values()
        self.names = picture.texts_of(tournament)
        self.seated: Sequence[str] = ()
        self.placed: Sequence[PlaceForm] = ()
        self._own_fields()
        self.fields["reason"] = forms.CharField(
            max_length=500,
            widget=forms.Textarea(attrs={"rows": 2}),
            help_text="Everyone can read it on the public page.",
        )
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                # Another ruling was faster.
                field.error_messages["invalid_choice"] = "This choice is no longer available. Choose again."

    @property
    def is_choosing(self) -> bool:
        """True if the table, or who sat there, is still to be chosen; after that the form asks for the places."""
        return self._places and not self.seated

    @property
    def is_idle(self) -> str | None:
        if self.left_to and not self.fields["game"].choices:  # type: ignore[attr-defined]
            return f"You play at this table. {self.left_to} can rule on it."
        required = [field for field in self.fields.values() if isinstance(field, forms.ChoiceField) and field.required]
        return None if all(field.choices for field in required) else self.made.nothing

    def order(self) -> list[PlaceForm]:
        return sorted(self.placed, key=lambda one: whole_in(str(one["place"].value()), 9999) or 10_000)

    def is_valid(self) -> bool:
        return all([super().is_valid(), *(one.is_valid() for one in self.placed)])

    def body(self) -> dict[str, Any]:
        given = self.cleaned_data
        body: dict[str, Any] = {"ruling": self.ruling, "reason": given["reason"]}
        for name in self.keys:
            if name not in _SENT_OTHERWISE and given.get(name):
                body[name] = given[name]
        if given.get("stage"):
            body["stage"] = int(given["stage"])
        chosen = given.get("game") or ""
        if "." in chosen:
            body["round"], body["table"] = map(int, chosen.split("."))
        elif chosen:
            body["game"] = chosen
        if given.get("round"):
            body["round"] = int(given["round"])
        if given.get("hours"):
            body["seconds"] = given["hours"] * HOUR
        if given.get("scored"):
            body["rounds"] = given["scored"]
        if self._places:
            body["players"] = [{"entrant": one.key, **one.cleaned_data} for one in self.placed]
        return body

    def place_of(self, path: str) -> tuple[forms.Form, str]:
        return self, _SHOWN_AT.get(path, path)

    def _game_field(self, *, required: bool = True) -> None:
        games = TournamentGame.objects.filter(tournament=self.tournament, outcome__in=self.made.games)
        rows = list(games.order_by("-round", "table", "number", "since")[:500])
        if "void" in self.made.games:
            may = restorable(self.tournament, list(self.tournament.games.all()))
            rows = [row for row in rows if row.game in may]
        found = [(str(now.row.game), self._said(now), now.entrants) for now in picture.games_now(self.tournament, rows)]
        if self._places and "open" in self.made.games:
            lacking = tables_lacking_a_result(self.tournament)[:500]
            found += [(table_choice(row.round, row.number), self._said_of(row), row.entrants) for row in lacking]
        left = [self.left(entrants) for _, _, entrants in found]
        self.left_to = next(filter(None, left), "")
        choices = [(key, said) for (key, said, _), others in zip(found, left, strict=True) if not others]
        self.fields["game"] = forms.ChoiceField(
            choices=choices if required else [("", "none"), *choices],
            required=required,
            help_text=f"{self.left_to} can rule on the tables where you play." if self.left_to else "",
        )

    def _said(self, now: picture.GameNow) -> str:
        game = now.row
        if game.round is None:
            where = f"Game {game.number}, " if game.number else "Game of "
            where += f"{game.since:%d %b %H:%M} UTC"
        else:
            where = picture.where_played(self.tournament, game, several=game.number != 1)
        return f"{where}: {', '.join(self.names[key] for key in now.entrants)}"

    def _said_of(self, table: Table) -> str:
        names = ", ".join(self.names[key] for key in table.entrants)
        return f"{picture.table_name(self.tournament.state, table.round, table.number)}, without a result: {names}"

    def _seated(self, chosen: str) -> tuple[Sequence[str], Mapping[str, Any]]:
        """Who sat there, and the result if there is one."""
        number, dot, table = chosen.partition(".")
        if dot:
            found = TABLES.of(self.tournament.pk, round=whole_in(number), number=whole_in(table))
            return (found[0].entrants if found else ()), {}
        game = self.tournament.games.filter(game=chosen).first() if uuid_in(chosen) else None
        return (game.state.entrants, game.state.result or {}) if game is not None else ((), {})

    def _entrant_field(self, *, required: bool = True) -> None:
        found = Entrant.objects.filter(tournament=self.tournament, standing__in=self.made.standings)
        rows = found.order_by("number")
        choices = [(row.key, f"{row.key} {self.names.get(row.key, '')}") for row in rows]
        self.fields["entrant"] = forms.ChoiceField(
            choices=choices if required else [("", "nobody"), *choices], required=required
        )

    def _stage_field(self) -> None:
        """The field for the stage whose points change, the last one first; a knockout has none."""
        begun = self._begun.items()
        name = self.tournament.state.stage_title
        choices = [(str(number), name(number)) for number, stage in begun if stage["kind"] != "knockout"]
        self.fields["stage"] = forms.ChoiceField(choices=choices[::-1])

    @property
    def _begun(self) -> dict[int, Mapping[str, Any]]:
        """The stages that have begun, by number."""
        return dict(enumerate(self.tournament.state.plan.all_stages[: len(self.tournament.state.begun) + 1], 1))

    @property
    def _within(self) -> int:
        """The stage in which a result is entered, by default the present one."""
        asked, begun = whole_in(str(self.data.get("stage") or self.initial.get("stage") or "")), self._begun
        return asked if asked in begun else max(begun)

    def other_stages(self) -> list[tuple[int, str]]:
        """Those in which a result can be entered instead."""
        begun, name = self._begun if self._within_stage else (), self.tournament.state.stage_title
        return [(number, name(number) or "") for number in begun if number != self._within]

    @property
    def _places(self) -> bool:
        return "players" in self.keys

    @property
    def _within_stage(self) -> bool:
        """Whether a result is entered within a stage that may be chosen."""
        return self._places and "stage" in self.keys

    def _own_fields(self) -> None:
        """The fields of the keys that this ruling is asked with."""
        keys, asks_time = self.keys, "seconds" in self.keys
        if may_choose_round := asks_time and (bool(self.tournament.state.seated) or self.tournament.kind != "season"):
            self._round_field()
        if self._within_stage and self._begun[self._within]["kind"] == "season":
            self._who_field()
        elif "game" in keys:
            self._game_field(required=not may_choose_round)
            if may_choose_round:
                how = "To extend a single turn, choose the game, and whose turn it is below."
                self.fields["game"].help_text = f"{how} {self.fields['game'].help_text}".strip()
        if self._places:
            self._place_fields()
        if "entrant" in keys:
            self._entrant_field(required=not asks_time)
        if "stage" in keys and not self._places and self.tournament.state.begun:
            self._stage_field()
        self.fields.update({name: field_of(one) for name, one in keys.items() if name not in _OWN_FIELD})
        if asks_time:
            self.fields["entrant"].label = "Whose turn"
            self.fields["hours"] = forms.IntegerField(min_value=1, max_value=MOST_SECONDS // HOUR)

    def _round_field(self) -> None:
        rounds = self.tournament.rounds.filter(closed_at=None).order_by("number")
        choices = [("", "none"), *((str(row.number), row.title) for row in rounds)]
        self.fields["round"] = forms.ChoiceField(required=False, choices=choices, help_text="To extend a whole round.")

    def _who_field(self) -> None:
        """The field for those who sat at a season's table: check boxes, hidden once the form asks for places."""
        self.seated = self._who()
        widget = forms.MultipleHiddenInput() if self.seated else forms.CheckboxSelectMultiple()
        choices = [(key, self.names[key]) for key in self.names if self.tournament.state.is_in_stage(key, self._within)]
        if self.tournament.state.begun:
            self.fields["stage"] = forms.CharField(initial=self._within, widget=forms.HiddenInput)
        self.fields["who"] = forms.MultipleChoiceField(
            choices=choices, initial=self.seated, required=False, widget=widget, label="Who sat at the table"
        )

    def _who(self) -> list[str]:
        given = self.data.getlist("who") if isinstance(self.data, QueryDict) else self.initial.get("who", ())
        named = [key for key in self.names if key in given or self.data.get(f"place_{key}")]
        return named if len(named) > 1 else []

    def _place_fields(self) -> None:
        chosen = self.data.get("game") or self.initial.get("game")
        result: Mapping[str, Any] = {}
        if chosen and "game" in self.fields:
            self.seated, result = self._seated(str(chosen))
        sent, penalties = self.data if self.is_bound else None, PLAYED[self.tournament.game].has_penalties
        came = {player["entrant"]: player for player in result.get("players", ())}
        self.placed = [
            PlaceForm(key, self.names[key], sent, initial=came.get(key, {"place": place}), penalties=penalties)
            for place, key in enumerate(self.seated, 1)
        ]
        if penalties:
            self.fields["scored"] = forms.IntegerField(
                required=False, min_value=1, initial=result.get("rounds"), label="Scored rounds"
            )


def tables_lacking_a_result(t: Tournament) -> list[Table]:
    if not t.state.seated:
        return []
    taken = Counting(t.games.filter(outcome__in=("open", "result")).values_list("round", "table"))
    tables = sorted((one for one in TABLES.of(t.pk) if one.games), key=lambda one: (-one.round, one.number))
    return [row for row in tables if taken[row.round, row.number] < per_table(t, row.round)]


def restorable(t: Tournament, games: Sequence[TournamentGame]) -> set[UUID]:
    """Of all its games the voided ones that can count again: no other result, and no game going on, has their place.

    Two queries where there are voided games and ruled results, else none.
    """
    void = [row for row in games if row.outcome == "void"]
    stand = {str(row.game): row for row in games if row.outcome == "result"}
    at_tables = defaultdict[tuple[int | None, int | None], list[State]](list)
    for row in games:
        at_tables[row.round, row.table].append(row.state)
    # Only a ruled result was made in the place of another one.
    is_ruled = any(row.source != "game" for row in (*stand.values(), *void))
    ruled = [happened(event) for event in selectors.ruled(t)] if void and is_ruled else []

    def may_be(row: TournamentGame) -> bool:
        try:
            if row.round is not None:
                played_again(at_tables[row.round, row.table], per_table(t, row.round))
        except Conflict:
            return False
        return counts_instead(str(row.game), ruled, stand.__contains__) is None

    return {row.game for row in void if may_be(row)}


def per_table(t: Tournament, round_number: int) -> int:
    stage = t.state.plan.all_stages[t.state.stage_of(round_number) - 1]
    return int(stage["settings"]["games_per_table"])


def table_choice(round_number: object, table: object) -> str:
    return f"{round_number}.{table}"


def compared(ruled: services.Ruled, names: Mapping[str, str]) -> list[tuple[str, list[list[Any]]]]:
    """The places and totals that change, each before and after."""
    return [
        (names[key], [[place or NONE for place in places], [decimals(total) for total in totals]])
        for key, (places, totals, _) in ruled.changes
    ]
