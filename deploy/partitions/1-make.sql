-- The log of events in 16 partitions of 16 buckets each, still empty, beside the table that is used.
BEGIN;
CREATE TABLE log_event_next (LIKE log_event INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (bucket);
ALTER TABLE log_event_next ADD CONSTRAINT log_event_next_pkey PRIMARY KEY (bucket, stream_id, version);
ALTER TABLE log_event_next ADD CONSTRAINT log_event_next_position UNIQUE (bucket, position);
CREATE INDEX log_event_next_command ON log_event_next (bucket, stream_id, command_id) WHERE command_id IS NOT NULL;

DO $$
DECLARE
    part text;
    act text;
BEGIN
    FOR number IN 0..15 LOOP
        part := format('log_event_%s', lpad(number::text, 2, '0'));
        EXECUTE format('CREATE TABLE %I PARTITION OF log_event_next FOR VALUES FROM (%s) TO (%s)',
                       part, number * 16, number * 16 + 16);
        -- A partition can be named by itself, so it refuses by itself.
        FOREACH act IN ARRAY ARRAY['update', 'delete', 'truncate'] LOOP
            EXECUTE format('CREATE TRIGGER %I BEFORE %s ON %I FOR EACH STATEMENT EXECUTE FUNCTION log_refuse_change()',
                           'log_event_no_' || act, act, part);
        END LOOP;
    END LOOP;
    FOREACH act IN ARRAY ARRAY['update', 'delete', 'truncate'] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE %s ON log_event_next FOR EACH STATEMENT'
                       ' EXECUTE FUNCTION log_refuse_change()', 'log_event_no_' || act, act);
    END LOOP;
END
$$;
COMMIT;
