"""The database itself keeps the audit log append-only, whoever asks."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON accounts_audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_no_delete BEFORE DELETE ON accounts_audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON accounts_audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
"""

ALLOW = """
DROP TRIGGER audit_no_update ON accounts_audit;
DROP TRIGGER audit_no_delete ON accounts_audit;
DROP TRIGGER audit_no_truncate ON accounts_audit;
DROP FUNCTION audit_refuse_change();
"""

OPERATIONS = [migrations.RunSQL(REFUSE, ALLOW)]
