"""The accounts' part of an export of the log (`core.log.Companion`)."""

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission

from core import log
from core.accounts.models import Audit, Block, GuestLink, LoginPlace, Player, Token

# Without sessions, and without codes and links that were mailed: those last for minutes.
_MODELS = (
    Player,
    Player.groups.through,
    Group,
    Token,
    GuestLink,
    Block,
    LoginPlace,
    Audit,
    EmailAddress,
    Authenticator,
)


class Permissions:
    """The permissions of groups and of accounts, by name: `migrate` gives them other ids in another database."""

    # After the groups and the accounts.
    name = "permissions"

    def count(self) -> int:
        """Return the number of permissions given."""
        return Group.permissions.through.objects.count() + Player.user_permissions.through.objects.count()

    def dump(self) -> Iterator[Any]:
        """Each permission, with the group or the account that has it."""
        permission = ("permission__content_type__app_label", "permission__codename")
        groups = Group.permissions.through.objects.order_by("pk").values_list("group__name", *permission)
        for group, app, codename in groups:
            yield {"app": app, "permission": codename, "group": group}
        players = Player.user_permissions.through.objects.order_by("pk").values_list("player_id", *permission)
        for player, app, codename in players:
            yield {"app": app, "permission": codename, "player": str(player)}

    def load(self, rows: Iterable[Any]) -> None:
        """Give them. A permission that this version of Trey does not have is left out: it would allow nothing."""
        permissions = Permission.objects.select_related("content_type")
        known = {(permission.content_type.app_label, permission.codename): permission for permission in permissions}
        for row in rows:
            if permission := known.get((row["app"], row["permission"])):
                if "group" in row:
                    Group.objects.get(name=row["group"]).permissions.add(permission)
                else:
                    Player.objects.get(pk=row["player"]).user_permissions.add(permission)


def register() -> None:
    """Have exports carry the accounts."""
    for model in _MODELS:
        log.companion(log.Table(model))
    log.companion(Permissions())
