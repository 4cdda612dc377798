"""The platform's queue: jobs that are recorded in the transaction that causes them, and done after the commit.

    from core.jobs import services as work

    work.put("notifications.mail", str(player.pk), {"player": ...}, due_at=now)

- A *local* job needs only the database. `@work.local(kind)` decorates a function of the job and the time; it runs in
  the transaction that also removes the row, so it is done exactly once, by Celery's workers. It may return when to run
  again.
- An *outbound* job leaves the house: a mail, a webhook. `work.outbound(kind, Outbound(...))` registers its parts. It is
  done at least once, by `manage.py follow`. Those of one *lane* are done one after the other; lanes do not wait for
  each other.

A failure is tried again (`Retries`); a job that was tried for too long, or raises `GaveUp`, stays in the table, where
`manage.py work` and the dashboard show it and can start it again.
"""
