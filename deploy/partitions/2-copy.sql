-- Copy what is not there yet, a bucket a transaction. Run it again until a run takes a second or two.
DO $$
BEGIN
    FOR b IN 0..255 LOOP
        -- In a bucket, positions become visible in their order: nothing can come below the last one that is there.
        INSERT INTO log_event_next
        SELECT * FROM log_event
        WHERE bucket = b
          AND position > (SELECT coalesce(max(position), 0) FROM log_event_next WHERE bucket = b)
        ORDER BY position;
        COMMIT;
    END LOOP;
END
$$;
ANALYZE log_event_next;
