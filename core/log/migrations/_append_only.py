"""The database itself keeps the log append-only, whoever asks; and makes room for the counters' many updates."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION log_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the event log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', HINT = 'Append an event that says what has changed.';
END
$$;
-- For each statement: refused even where no row matches. One trigger for each act, to be told apart in \\d.
CREATE TRIGGER log_event_no_update BEFORE UPDATE ON log_event FOR EACH STATEMENT EXECUTE FUNCTION log_refuse_change();
CREATE TRIGGER log_event_no_delete BEFORE DELETE ON log_event FOR EACH STATEMENT EXECUTE FUNCTION log_refuse_change();
CREATE TRIGGER log_event_no_truncate BEFORE TRUNCATE ON log_event FOR EACH STATEMENT EXECUTE FUNCTION log_refuse_change();
"""

ALLOW = """
DROP TRIGGER log_event_no_update ON log_event;
DROP TRIGGER log_event_no_delete ON log_event;
DROP TRIGGER log_event_no_truncate ON log_event;
DROP FUNCTION log_refuse_change();
"""

# With free space on its page an updated row stays there (a HOT update), and the index is left alone.
ROOM = "ALTER TABLE log_counter SET (fillfactor = 20); ALTER TABLE log_stream SET (fillfactor = 80);"
NO_ROOM = "ALTER TABLE log_counter RESET (fillfactor); ALTER TABLE log_stream RESET (fillfactor);"

OPERATIONS = [migrations.RunSQL(REFUSE, ALLOW), migrations.RunSQL(ROOM, NO_ROOM)]
