"""Telling people what happened: notifications, their channels, and what happened to each (PLAY section 2).

    from core.notifications import services as telling

    telling.tell([player_id], TURN, cause, subject_id=game_id, version=17, now=now)

All news go through `services.tell_all`, in the transaction that learns of them: mostly in reactors of the log. One row
of `Notification` is one player, kind and cause (NT2), so telling twice tells once. A `kinds.Kind` is one value with one
sentence; texts are composed when they are read or sent and never stored (NT8, NT10).

`channels.plan` gives each notification its deliveries: a row of `Delivery` says what happened to it on a channel, and
why. `push`, `mail`, `webhooks` and `chat` are the senders; what goes to addresses that people gave goes through
`posting`. `groups` are channels of rooms and tournaments.

**Live.** The notification itself is the delivery: its `number` rises by one for each player, in the order of commits,
so a stream that resumes after a number misses nothing (`selectors.after`). After the commit `PUBLISH
<prefix>notifications <player's id>` on Redis wakes whoever holds that player's streams (`services.told_players`); a
lost signal costs a poll of `Inbox.last`. A notification whose delivery `live` is `skipped` is only for the list.
"""
