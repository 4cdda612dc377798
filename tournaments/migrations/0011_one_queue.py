"""The runner's own list of tasks becomes work in the platform's queue.

What is open is carried over. In a rolling release, processes of the version before still write to the list: it is a
view for them now, which is empty and queues what is inserted. A release after the next one can drop it. To go back to
the version before for good, `migrate tournaments 0010_channels` first: it carries the work back.
"""

from django.db import migrations

# A task has no key beside its id. Where its game (and entrant) are the key they are the new one, so that the same work
# is not queued again; other keys hold a version, and do not come again.
_QUEUE = """
INSERT INTO work_work (kind, key, lane, data, due_at, queued_at, tries, error, failing_since)
SELECT 'tournament.' || kind,
       tournament || '/' || CASE
           WHEN kind IN ('open', 'outcome', 'call_off', 'watch', 'room') THEN data ->> 'game'
           WHEN kind = 'absent' THEN (data ->> 'game') || '/' || (data ->> 'entrant')
           ELSE id::text
       END,
       'tournament.' || kind, data || jsonb_build_object('tournament', tournament), due_at, now(), tries, error,
       CASE WHEN tries > 0 THEN now() END
FROM {tasks} AS task WHERE tournament IS NOT NULL
ON CONFLICT (kind, key) DO NOTHING
"""
_BACK = """
INSERT INTO tournaments_task (id, kind, tournament, data, due_at, tries, error)
SELECT md5(kind || '/' || key)::uuid, substr(kind, 12), (data ->> 'tournament')::uuid, data - 'tournament', due_at,
       tries, error
FROM work_work WHERE kind LIKE 'tournament.%';
DELETE FROM work_work WHERE kind LIKE 'tournament.%';
"""
_VIEW = f"""
CREATE VIEW tournaments_task AS
SELECT NULL::uuid AS id, NULL::varchar(16) AS kind, NULL::uuid AS tournament, NULL::jsonb AS data,
       NULL::timestamptz AS due_at, NULL::integer AS tries, NULL::text AS error
WHERE false;

CREATE FUNCTION tournaments_queue_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {_QUEUE.format(tasks="(SELECT NEW.*)")};
    RETURN NEW;
END
$$;

CREATE TRIGGER queue_task INSTEAD OF INSERT ON tournaments_task
FOR EACH ROW EXECUTE FUNCTION tournaments_queue_task();
"""
_NO_VIEW = """
DROP VIEW tournaments_task;
DROP FUNCTION tournaments_queue_task();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_channels"), ("work", "0001_queue")]
    second_step = "the release before goes on with the view in place of the table; what it queues is done by this one"

    operations = [
        # Whoever does a task at the moment finishes it first.
        migrations.RunSQL("LOCK TABLE tournaments_task IN ACCESS EXCLUSIVE MODE", migrations.RunSQL.noop),
        migrations.RunSQL(_QUEUE.format(tasks="tournaments_task"), _BACK),
        migrations.DeleteModel("Task"),
        migrations.RunSQL(_VIEW, _NO_VIEW),
    ]
