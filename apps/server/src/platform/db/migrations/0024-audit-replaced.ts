import type { Migration } from '../migration.ts'

/** In SQLite, `INSERT OR REPLACE` deletes the replaced row without firing the DELETE trigger. */
export const auditReplaced: Migration = {
  name: '0024-audit-replaced',
  statements: [],
  only: {
    sqlite: [
      `CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id OR rowid = NEW.rowid)
        BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END`,
    ],
    postgres: [],
  },
}
