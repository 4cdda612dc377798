"""Telling people what happened: notifications, their channels, and what happened to each.

All news go through `services.tell_all`, in the transaction that learns of them. A `Notification` is one player, kind
and cause, so telling twice tells once; `channels.plan` gives it a `Delivery` for each channel and address, which
says what happened there, and why. When one is due its sender (`senders`, `push`, `mail`) has a `Message` composed,
which is never stored. `endpoints` are the addresses that people give, also to rooms and tournaments.

**Live.** The notification itself is the delivery: its `number` rises by one for each player, in the order of commits,
so a stream that resumes after a number misses nothing (`selectors.after`). After the commit `services.told_players`
wakes whoever holds that player's streams; a lost signal costs a poll of `Inbox.last`.
"""
