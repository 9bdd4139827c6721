import { isTextIndexed } from '#features/jobs/service.ts'
import { query } from '#platform/db/operations.ts'

/** A dataset as it is examined. */
export type Patient = {
  readonly id: string
  readonly no: number
  readonly name: string
  readonly workspace: string
  readonly records: number
  /** True while something of it is being made again, or waits for it. */
  readonly rebuilding: boolean
}

const REBUILDING = ['text.rebuild', 'dataset.rebuild']

/** All datasets that are not being deleted, by their number. */
export const listPatients = query('doctor.datasets', async (db): Promise<readonly Patient[]> => {
  const rows = await db.sql
    .selectFrom('datasets')
    .innerJoin('dataset_state', 'dataset_state.dataset_no', 'datasets.no')
    .innerJoin('workspaces', 'workspaces.id', 'datasets.workspace_id')
    .select(['datasets.id', 'datasets.no', 'datasets.name', 'workspaces.name as workspace', 'text_version', 'text_rebuilt_to'])
    .select((eb) => [
      eb
        .selectFrom('records')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('records.dataset_no', '=', 'datasets.no')
        .as('records'),
    ])
    .where('gone_at', 'is', null)
    .orderBy('no')
    .execute()
  const jobs = await db.sql
    .selectFrom('jobs')
    .select('dataset_no')
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .where('kind', 'in', REBUILDING)
    .execute()
  const waiting = new Set(jobs.map(({ dataset_no }) => dataset_no))
  return rows.map(({ text_version, text_rebuilt_to, records, ...row }) => ({
    ...row,
    records: records ?? 0,
    rebuilding: waiting.has(row.no) || !isTextIndexed({ text_version, text_rebuilt_to }),
  }))
})
