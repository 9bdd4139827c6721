import '#operations.ts'
import { command, query } from '#platform/db/operations.ts'

/** Backdates all leases, so that they expired long ago. */
export const ageLeases = command('test.queue.age-leases', async (db, { no }: { no: number }) => {
  await db.sql.updateTable('leases').set({ until: 1 }).where('dataset_no', '=', no).execute()
})

export const countLeases = query('test.queue.count-leases', async (db, { no }: { no: number }): Promise<number> => {
  const { n } = await db.sql
    .selectFrom('leases')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', no)
    .executeTakeFirstOrThrow()
  return n
})
