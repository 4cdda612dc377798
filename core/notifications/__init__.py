"""Telling people what happened: notifications, their channels, and what happened to each (PLAY section 2).

    from core.notifications import services as telling

    telling.tell([player_id], TURN, cause, subject_id=game_id, version=17, now=now)

All news go through that one function, in the transaction that learns of them: mostly in reactors of the log. One
row of `Notification` is one player, kind and cause (NT2), so telling twice tells once. A kind is one value with one
sentence (`kinds.Kind`); texts are composed when they are read or sent and never stored (NT8, NT10).

The channels: `live`, `push`, `mail`, `webhook`, `chat`. For each there is a row of `Delivery` that says what happened
to it and why. Webhooks go out as errands of the queue (`core.jobs`). A channel without an address says so in
its delivery.

**Live.** The notification itself is the delivery: its `number` rises by one for each player, in the order of commits,
so a stream that resumes after a number misses nothing (`selectors.after`). After the commit `PUBLISH <prefix>telling
<player's id>` on Redis wakes whoever holds that player's streams (`signals.told_players`); a lost signal costs a poll
of `Inbox.last`. A notification whose delivery `live` is `skipped` is only for the list and is not streamed
(`selectors.after` leaves it out).
"""
