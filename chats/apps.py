from functools import partial

from django.apps import AppConfig
from django.db.models.signals import post_save


class ChatsConfig(AppConfig):
    name = "chats"
    label = "chats"
    verbose_name = "Channels of groups"
    api = "chats.api"
    pages = "chats.pages"
    sweeps = {"chats.purge": 3600}

    def ready(self) -> None:
        from chats import services
        from chats.models import GroupChannel
        from chats.rooms import ROOMS
        from chats.tournaments import TOURNAMENTS, drop_channels_of_staff
        from core import hooks, vault
        from core.accounts import exporting, signals
        from core.notifications.selectors import exported_endpoints

        hooks.ANNOUNCED.add(services.post)
        hooks.DROPPED.add(services.dropped)
        signals.closing.connect(ROOMS.drop_given)
        signals.closing.connect(TOURNAMENTS.drop_given)
        post_save.connect(drop_channels_of_staff, sender="accounts.Player")
        exporting.add_part("channels", partial(exported_endpoints, GroupChannel), GroupChannel)
        vault.hold_columns(GroupChannel, *GroupChannel.SEALED)
