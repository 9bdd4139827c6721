import type { Migration } from '../migration.ts'

const refusal = 'the audit log is only ever added to'

/** The database itself refuses to change or remove audit entries, so that no program can do it. */
export const audit: Migration = {
  name: '0013-audit',
  statements: [
    `CREATE TABLE audit (id {uuid} PRIMARY KEY, at {time} NOT NULL, actor_id {uuid}, actor_name {text} NOT NULL, action {text} NOT NULL,
      target_id {text}, target_name {text}, details {json} NOT NULL, address {text}) {table}`,
    'CREATE INDEX audit_actor ON audit (actor_id, id)',
    'CREATE INDEX audit_action ON audit (action, id)',
    'CREATE INDEX audit_target ON audit (target_id, id)',
  ],
  only: {
    sqlite: ['UPDATE', 'DELETE'].map(
      (act) => `CREATE TRIGGER audit_no_${act.toLowerCase()} BEFORE ${act} ON audit BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
    ),
    postgres: [
      `CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${refusal}'; END $$`,
      'CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()',
    ],
  },
}
