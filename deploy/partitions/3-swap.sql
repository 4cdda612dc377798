-- Copy the last events and take the new table's name, while whoever wants to read or write the log waits.
-- The lock comes first and at once: a writer has locked the table before it waits for a counter, so a lock on the
-- counters would wait for it for ever. Where the lock is not to be had in a second, nothing has happened: try again.
BEGIN;
SET LOCAL lock_timeout = '1s';
LOCK TABLE log_event, log_event_next IN ACCESS EXCLUSIVE MODE;

INSERT INTO log_event_next
SELECT event.*
FROM generate_series(0, 255) b
     CROSS JOIN LATERAL (SELECT coalesce(max(position), 0) AS last FROM log_event_next WHERE bucket = b) there
     JOIN log_event event ON event.bucket = b AND event.position > there.last;

ALTER TABLE log_event RENAME TO log_event_before;
ALTER TABLE log_event_before RENAME CONSTRAINT log_event_pkey TO log_event_before_pkey;
ALTER TABLE log_event_before RENAME CONSTRAINT log_event_position TO log_event_before_position;
ALTER INDEX log_event_command RENAME TO log_event_before_command;
ALTER TABLE log_event_next RENAME TO log_event;
ALTER TABLE log_event RENAME CONSTRAINT log_event_next_pkey TO log_event_pkey;
ALTER TABLE log_event RENAME CONSTRAINT log_event_next_position TO log_event_position;
ALTER INDEX log_event_next_command RENAME TO log_event_command;
COMMIT;
