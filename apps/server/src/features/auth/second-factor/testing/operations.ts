import { command, query } from '#platform/db/operations.ts'

/** Loads all operations of the application. The operations below are needed only by tests. */
import '#operations.ts'

/** Moves the start of every session back. */
export const age = command('test.age_sessions', async (db, { minutes }: { minutes: number }): Promise<void> => {
  await db.sql
    .updateTable('sessions')
    .set((eb) => ({ inserted_at: eb('inserted_at', '-', minutes * 60_000_000) }))
    .execute()
})

/** All rows of all tables that the application writes, as a single string. Bytes are decoded as Latin-1. */
export const allRows = query('test.all_rows', async (db): Promise<string> => {
  const tables = await db.sql.introspection.getTables()
  const texts: string[] = []
  for (const { name, isView } of tables) {
    if (isView) continue
    const rows = await db.sql
      .selectFrom(name as 'users')
      .selectAll()
      .execute()
    texts.push(JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)))
  }
  return texts.join('\n')
})
