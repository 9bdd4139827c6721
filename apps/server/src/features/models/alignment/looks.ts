import type { ModelAlignment } from '@postil/contract/model-alignment.ts'
import { command, query } from '#platform/db/operations.ts'
import { type OfRun, requireRun } from '../runs/operations.ts'

/**
 * Adds 1 to the number of times that a run was compared with people's answers on the test half of the records. @throws Problem
 * not_found, forbidden
 */
export const countLook = command('models.count-look', async (db, of: OfRun): Promise<void> => {
  const { id } = await requireRun(db, of, true)
  await db.sql
    .updateTable('model_runs')
    .set((eb) => ({ test_looks: eb('test_looks', '+', 1) }))
    .where('id', '=', id)
    .execute()
})

/**
 * Returns two counts of comparisons with people on the test half: those of this run, and those of all runs of its dataset.
 * @throws Problem not_found, forbidden
 */
export const readLooks = query('models.looks', async (db, of: OfRun): Promise<ModelAlignment['looks']> => {
  const run = await requireRun(db, of, false)
  const looks = db.sql.selectFrom('model_runs').select((eb) => eb.fn.sum<number | null>('test_looks').as('n'))
  const own = await looks.where('id', '=', run.id).executeTakeFirstOrThrow()
  const all = await looks.where('dataset_no', '=', run.dataset_no).executeTakeFirstOrThrow()
  return { run: Number(own.n ?? 0), dataset: Number(all.n ?? 0) }
})
