import { sql } from 'kysely'
import { command } from '#platform/db/operations.ts'

export const changeEntries = command('audit.test.change', async (db) => {
  await db.sql.updateTable('audit').set({ actor_name: 'nobody' }).execute()
})

const COPY = `select id, at, actor_id, 'nobody', action, target_id, target_name, details, address from audit`

/** An upsert that overwrites existing rows. */
export const upsertEntries = command('audit.test.upsert', async (db) => {
  await sql.raw(`insert into audit ${COPY} where true on conflict (id) do update set actor_name = 'nobody'`).execute(db.sql)
})

/** An `insert or replace`, which only SQLite supports. @param by the key that conflicts with an existing row */
export const replaceEntries = command('audit.test.replace', async (db, { by }: { readonly by: 'id' | 'rowid' }) => {
  const keys = by === 'id' ? 'id' : "rowid, 'other ' || id"
  const rest = "at, 'nobody', action, details"
  await sql
    .raw(
      `insert or replace into audit (${by === 'id' ? 'id' : 'rowid, id'}, at, actor_name, action, details) select ${keys}, ${rest} from audit`,
    )
    .execute(db.sql)
})

export const removeEntries = command('audit.test.remove', async (db) => {
  await db.sql.deleteFrom('audit').execute()
})
