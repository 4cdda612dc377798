"""AC5: a model with a key on a player, a session, a token or an app has a row in the registry of accounts' exports.

What has none is named here, with the reason.
"""

from django.apps import apps

from core.accounts import exporting
from core.accounts.models import Player, Session, Token

KEYS = {"app", "by"}
NOT_TOLD = {
    "accounts.Player_groups": "the rights of staff",
    "accounts.Player_user_permissions": "the rights of staff",
    "accounts.GuestLink": "for a day, then it is gone",
    "accounts.Code": "for ten minutes",
    "jobs.Receipt": "for a day: answers to what was asked",
    "admin.LogEntry": "nothing is written there",
    "allauth_idp_oidc.Client": "empty: an app is no row",
    "allauth_idp_oidc.Token": "empty: an app's tokens are ours",
    "notifications.Inbox": "counts what is told",
    "notifications.EndedSubscription": "a browser that logged out, for an hour",
    "notifications.Seen": "how far a game was seen",
    "notifications.Watching": "who is at a table now",
}


def test_each_model_with_a_key_on_somebody_is_told_of_or_left_out_for_a_reason() -> None:
    held = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if any(one.related_model in (Player, Session, Token) or one.name in KEYS for one in model._meta.concrete_fields)
    }
    told = {model._meta.label for model in exporting.told}
    assert held - told == set(NOT_TOLD)
