"""Accounts: signing up, logging in, one's own profile."""

from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core import exceptions
from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games import clocks
from games.accounts.models import Player
from games.http.fields import JSONObject, Strict, Text, Truth
from games.http.openapi import ref

_USERNAME = Player._meta.get_field("username")  # noqa: SLF001  Django's public way to a model's fields
MAX_PASSWORD = 256


@extend_schema_field(ref("Calendar"))
class CalendarField(JSONObject):
    """Quiet hours and vacation; games.clocks says what may be in it."""


class UsernameField(Text):
    """A name as the model allows it, in the one spelling (NFKC) that is stored."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            required=required, min_length=2, max_length=_USERNAME.max_length, help_text=str(_USERNAME.help_text)
        )
        self.validators.extend(validator for validator in _USERNAME.validators if isinstance(validator, RegexValidator))

    def to_internal_value(self, data: Any) -> str:
        return str(Player.normalize_username(super().to_internal_value(data)))


class SignUpSerializer(Strict):
    """A new account."""

    username = UsernameField()
    password = Text(
        trim_whitespace=False,
        max_length=MAX_PASSWORD,
        write_only=True,
        help_text="At least 8 characters; not a common one, not like the username.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            validate_password(attrs["password"], Player(username=attrs["username"]))
        except exceptions.ValidationError as error:
            raise serializers.ValidationError({"password": list(error.messages)}) from None
        return attrs


class LoginSerializer(Strict):
    """The pair that signing up took."""

    username = Text(max_length=_USERNAME.max_length)
    password = Text(trim_whitespace=False, max_length=MAX_PASSWORD, write_only=True)


class TokenSerializer(serializers.Serializer[Any]):
    """Sent as `Authorization: Bearer <token>` until it expires or is revoked."""

    token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class PreferencesSerializer(serializers.Serializer[Any]):
    """How one likes to play."""

    forced_moves = serializers.SerializerMethodField()

    @extend_schema_field({"type": "boolean", "description": "Forced moves are made at once, where that tells nothing."})
    def get_forced_moves(self, preferences: dict[str, Any]) -> bool:
        return preferences.get("forced_moves") is True


class PreferencesChangeSerializer(Strict):
    """How one likes to play; keys left out stay as they are."""

    forced_moves = Truth(
        required=False,
        help_text="Let the server make your move at once where you have no other and that tells nobody anything.",
    )


class ProfileSerializer(serializers.Serializer[Player]):
    """One's own account."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    joined_at = serializers.DateTimeField(source="date_joined")
    preferences = PreferencesSerializer()
    calendar = serializers.SerializerMethodField()

    @extend_schema_field(ref("Calendar"))
    def get_calendar(self, player: Player) -> dict[str, Any]:
        return clocks.shown(player.calendar)


class ProfileChangeSerializer(Strict):
    """What one may change of one's own account."""

    username = UsernameField(required=False)
    preferences = PreferencesChangeSerializer(required=False)
    calendar = CalendarField(required=False, help_text="Counts from now on; keys left out stay as they are.")
