import { command } from '#platform/db/operations.ts'

/** Everything that the application declares, and below it what only tests need. */
import '#operations.ts'

/** As if everybody had signed in so much earlier. */
export const age = command('test.age_sessions', async (db, { minutes }: { minutes: number }): Promise<void> => {
  await db.sql
    .updateTable('sessions')
    .set((eb) => ({ inserted_at: eb('inserted_at', '-', minutes * 60_000_000) }))
    .execute()
})
