"""The bodies of an invitation and of *seen*."""

from core.http.fields import Strict, Text, Whole
from core.http.openapi import example


@example({"username": "bob"})
class InviteSerializer(Strict):
    """The player to invite."""

    username = Text(max_length=40, help_text="In any case of its letters.")


@example({"version": 1})
class SeenSerializer(Strict):
    """The version of the game that you have seen."""

    version = Whole(help_text="A version of the game. A higher version includes all lower ones.")
