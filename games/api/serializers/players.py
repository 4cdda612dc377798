"""Accounts: signing up, logging in, one's own profile."""

from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core import exceptions
from rest_framework import serializers

from games.api.serializers.fields import Strict, Text
from games.models import Player

_USERNAME = Player._meta.get_field("username")
USERNAME = {"help_text": _USERNAME.help_text, "min_length": 2, "max_length": _USERNAME.max_length}
PASSWORD = {"trim_whitespace": False, "max_length": 256, "write_only": True}


class UsernameField(Text):
    """A name as the model allows it, in the one spelling (NFKC) that is stored."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**USERNAME, **kwargs})
        self.validators.extend(validator for validator in _USERNAME.validators if hasattr(validator, "regex"))

    def to_internal_value(self, data: Any) -> str:
        return str(Player.normalize_username(super().to_internal_value(data)))


class SignUpSerializer(Strict):
    """A new account."""

    username = UsernameField()
    password = Text(help_text="At least 8 characters; not a common one, not like the username.", **PASSWORD)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            validate_password(attrs["password"], Player(username=attrs["username"]))
        except exceptions.ValidationError as error:
            raise serializers.ValidationError({"password": list(error.messages)}) from None
        return attrs


class LoginSerializer(Strict):
    """The pair that signing up took."""

    username = Text(max_length=_USERNAME.max_length)
    password = Text(**PASSWORD)


class TokenSerializer(serializers.Serializer[Any]):
    """Sent as `Authorization: Bearer <token>` until it expires or is revoked."""

    token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class ProfileSerializer(serializers.Serializer[Player]):
    """One's own account."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    joined_at = serializers.DateTimeField(source="date_joined")


class ProfileChangeSerializer(Strict):
    """What one may change of one's own account."""

    username = UsernameField(required=False)
