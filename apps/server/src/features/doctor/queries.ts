import { type FileAddress, fileNamedBy } from '@postil/contract/files/stored-file-names.ts'
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
  const patients: Patient[] = []
  for (const { text_version, text_rebuilt_to, ...row } of rows) {
    const { n } = await db.sql
      .selectFrom('records')
      .select((of) => of.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', row.no)
      .executeTakeFirstOrThrow()
    const rebuilding = waiting.has(row.no) || !isTextIndexed({ text_version, text_rebuilt_to })
    patients.push({ ...row, records: Number(n), rebuilding })
  }
  return patients
})

type Page = { readonly no: number; readonly after: number }
export type NamedFiles = { readonly files: readonly FileAddress[]; readonly last: number | null }
const RECORDS = 500

/** Files of ours that fields of some records name, and the last record that was looked at; null at the end. */
export const namedFiles = query('doctor.named-files', async (db, { no, after }: Page): Promise<NamedFiles> => {
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'fields'])
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(RECORDS)
    .execute()
  const files = rows.flatMap(({ fields }) =>
    Object.values(fields as unknown as { readonly [name: string]: unknown }).flatMap((value) => fileNamedBy(value) ?? []),
  )
  return { files, last: rows.length < RECORDS ? null : (rows.at(-1)?.seq ?? null) }
})
