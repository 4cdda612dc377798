"""The platform's queue: jobs that are recorded in the transaction that causes them, and done after the commit.

    from core.jobs import services as work

    work.put("notifications.mail", str(player.pk), {"player": ...}, due_at=now)

Handlers are registered by the name of the kind:

- A *local* job needs only the database. `@work.local(kind)` decorates a function of the job and the time; it runs in
  the transaction that also removes the row, so it is done exactly once. It may return when to run again. Celery's
  workers do local jobs, woken after the commit and by a sweep of beat.
- An *outbound* job leaves the house: a mail, a webhook. `work.outbound(kind, Outbound(...))` registers its parts:
  `prepare` (in a transaction: what to send, or nothing any more), `send` (no database; it may take its time) and
  `settle` (in the transaction that removes the row). These are done at least once, by `manage.py follow`, woken over
  Redis after the commit and by polling. Those of one *lane* are done one after the other; no lane waits for another, so
  a receiver that hangs delays only what goes to it.

A failure is tried again (`Retries`); a job that was tried for too long, or raises `GaveUp`, stays in the table
as given up, where `manage.py work` and the dashboard show it and can start it again.
"""
